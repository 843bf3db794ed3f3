import {dayClock, readable, span} from '../time.js';

/** Returns one line about an event, built from its fields. For kinds not listed here, returns the summary of the server. */
export function eventText(event) {
  const line = LINES[event.kind];
  try {
    return line ? line(event.detail, event) : readable(event.summary);
  } catch {
    return readable(event.summary); // a field is missing or different: another version wrote it
  }
}

const LINES = {
  RunStarted: d => `${d.type}(${values(d.input)})`,
  StepCompleted: d => `${d.name} → ${value(d.result)} (${between(d.startedAt, d.at)})`,
  StepPostponed: d => (d.failure
    ? `${d.name}, attempt ${d.tried.attempt}: ${failure(d.failure)}; next in ${between(d.at, d.nextAt)}`
    : `${d.name} paused until ${dayClock(d.nextAt)}`),
  StepFailed: d => `${d.name}: ${failure(d.failure)}`,
  MailReceived: d => d.items.map(mail).join('; '),
  TakenOver: d => `${d.by} took over from ${d.from.replace(UUID, '$1')}, ${between(d.lostAt, d.takenAt)} after its lease ended`,
  TimerScheduled: d => `due ${dayClock(d.deadline)}, ${between(d.at, d.deadline)} later`,
  RunCompleted: d => `→ ${value(d.result)}`,
};

const UUID = /^([0-9a-f]{8})-[0-9a-f-]{27}$/;

const between = (from, to) => span(Date.parse(to) - Date.parse(from));
const values = list => list.map(value).join(', ');
const failure = f => `${f.type.replace(/^.*\./, '')}: ${cut(f.message || '')}`;

function value(v) {
  if (!v) return 'nothing';
  if ('json' in v) return v.json === null ? 'nothing' : cut(JSON.stringify(v.json));
  return v.text ? cut(v.text) : `${v.bytes} bytes`;
}

function mail(item) {
  const what = `${item.kind.toLowerCase()} ${item.name || ''}`.trim();
  return item.arguments ? `${what}(${values(item.arguments)})` : what;
}

const cut = text => (text.length <= 100 ? text : `${text.slice(0, 99)}…`);
