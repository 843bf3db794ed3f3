import {html} from '../lib.js';
import {useSignal} from '../signal.js';
import {post, remove} from '../api.js';
import {useApi} from '../live.js';
import {zone} from '../prefs.js';
import {link, runLink} from '../router.js';
import {may} from '../session.js';
import {absolute, dayShortClock, people, relative, useNow} from '../time.js';
import {Card, Empty, Loaded} from '../parts/basics.js';
import {confirm} from '../parts/dialog.js';
import {More, usePages} from '../parts/pages.js';
import {toast} from '../parts/toast.js';
import {openCreate} from '../parts/create-schedule.js';

export function Schedules() {
  const schedules = useApi('/schedules', {}, {most: 5000});
  const pages = usePages('schedules', '/schedules', {}, schedules.data);
  const create = may('operator') && html`<button type="button" class="button primary push" onClick=${() => openCreate(schedules.reload)}>Create a schedule …</button>`;
  return html`<${Card} title="Schedules" side=${create}>
    <${Loaded} from=${schedules}>${data => html`${shown(pages, data).length === 0 && !pages.next && html`<${None}/>`}
      ${shown(pages, data).length > 0 && html`<${Table} items=${shown(pages, data)} reload=${schedules.reload}/>`}<${More} pages=${pages}/>`}</${Loaded}>
  </${Card}>`;
}

const shown = (pages, data) => pages.items || data.items;

function None() {
  return html`<${Empty} title="There is no schedule yet" code=${`./dormouse schedule create nightly-report --cron '0 6 * * *' --zone Europe/Berlin --workflow report`}>
    A schedule starts a workflow or sets a timer, by a cron expression in a time zone or every so often.</${Empty}>`;
}

function Table({items, reload}) {
  useSignal(zone);
  return html`<div class="scroll"><table class="stack">
    <thead><tr><th>Schedule</th><th>When</th><th>Target</th><th>Next five times</th><th class="wide-only">Last</th><th><span class="sr">Actions</span></th></tr></thead>
    <tbody>${items.map(schedule => html`<tr key=${schedule.id}>
      <td><span class="id">${schedule.id}</span>${schedule.paused && html`<div><span class="chip amber" title=${schedule.note || ''}>paused</span> <span class="muted">${schedule.note}</span></div>`}</td>
      <td><code>${schedule.cron || (schedule.every ? `every ${people(schedule.every)}` : '')}</code><div class="muted">${schedule.zone}</div></td>
      <td class="mono">${target(schedule.target)}<div class="muted">${overlap(schedule)}</div></td>
      <td class="line"><${Times} times=${schedule.next || []} paused=${schedule.paused}/></td>
      <td class=${`line ${schedule.lastFailure ? '' : 'wide-only'}`}><${Past} past=${schedule.past || []}/>${schedule.lastFailure && html`<div class="red">${schedule.lastFailure}</div>`}</td>
      <td class="tight small line"><${Buttons} schedule=${schedule} reload=${reload}/></td></tr>`)}</tbody></table></div>`;
}

const target = value => (value && typeof value === 'object' ? value.workflow || value.timer || JSON.stringify(value) : value);

const OVERLAPS = {SKIP: 'skip if one is open', BUFFER_ONE: 'one waits if one is open', ALLOW_ALL: 'several at a time'};

const overlap = schedule => OVERLAPS[schedule.overlap] || (schedule.overlap || '').toLowerCase().replaceAll('_', ' ');

export function Times({times, paused}) {
  const now = useNow();
  if (times.length === 0) return html`<span class="muted">${paused ? 'none while paused' : 'none'}</span>`;
  return html`<div class=${paused ? 'muted' : ''}><span class="num strong" title=${absolute(times[0])}>${dayShortClock(times[0])}</span> <span class=${paused ? '' : 'amber'}>${paused ? 'paused' : relative(times[0], now)}</span></div>
    <div class="muted num">${times.slice(1).map((time, i) => html`${i > 0 ? ' · ' : ''}<span class="tight" title=${absolute(time)}>${dayShortClock(time)}</span>`)}</div>`;
}

function Past({past}) {
  if (past.length === 0) return html`<span class="muted">–</span>`;
  const last = past[past.length - 1];
  return html`<div class="num"><span class="narrow-only muted">last </span>${dayShortClock(last.scheduledFor)}</div>${last.startedId && html`<a class="linkish muted" href=${runLink(last.startedId)}>${last.startedId}</a>`}`;
}

function Buttons({schedule, reload}) {
  const call = (verb, said, body) => async () => {
    try {
      await post(`/schedules/${encodeURIComponent(schedule.id)}/${verb}`, body);
      toast(`${said} ${schedule.id}`);
    } catch (error) {
      toast(error.message, 'red');
    }
    reload();
  };
  const erase = () => confirm({
    title: `Delete schedule ${schedule.id}?`,
    text: 'Runs that it has started go on; it starts no more.',
    action: 'Delete',
    submit: async () => {
      await remove(`/schedules/${encodeURIComponent(schedule.id)}`);
      reload();
      return `Deleted ${schedule.id}`;
    },
  });
  return html`<span class="buttons">
    ${may('operator') && html`<button type="button" class="button" aria-label=${`Trigger ${schedule.id}`} onClick=${call('trigger', 'Triggered')}>Trigger</button>
      ${schedule.paused
        ? html`<button type="button" class="button" aria-label=${`Resume ${schedule.id}`} onClick=${call('resume', 'Resumed')}>Resume</button>`
        : html`<button type="button" class="button" aria-label=${`Pause ${schedule.id}`} onClick=${call('pause', 'Paused', {note: 'from the dashboard'})}>Pause</button>`}`}
    ${may('admin') && html`<button type="button" class="button danger" aria-label=${`Delete ${schedule.id}`} onClick=${erase}>Delete</button>`}
    <a class="button quiet" href=${link('workflows', null, {prefix: schedule.id})} aria-label=${`Runs of ${schedule.id}`}>Runs</a>
  </span>`;
}
