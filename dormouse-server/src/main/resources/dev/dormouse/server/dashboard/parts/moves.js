import {html, useState} from '../lib.js';
import {post, runPath} from '../api.js';
import {may} from '../session.js';
import {absolute} from '../time.js';
import {confirm, Field, FormDialog, openDialog} from './dialog.js';
import {InstantField, initialChoice} from './instant-field.js';
import {waitText} from './names.js';

const movePath = (run, wait) => runPath(run.workflowId, run.runId, `/waits/${wait.call}/move`);

/** Returns true if the user may move a wait. The next attempt of a step can be moved only until it is due. */
export const canMove = (wait, now) => wait.canMove && may('operator') && (wait.kind !== 'retry' || Date.parse(wait.until) > now);

const DEADLINES = ['await', 'signal', 'event'];

const NOW = {
  retry: {ends: 'tries again', verb: 'Try now', text: 'The next attempt is made at once, instead of after the back-off.'},
  start: {ends: 'starts', verb: 'Start now', text: 'The run starts at once, instead of after its delay.'},
  deadline: {ends: 'times out', verb: 'Time out now', danger: true, text: 'The wait ends at once, as if its time were up: what the run waits for has not come. It cannot be taken back.'},
  timer: {ends: 'fires', verb: 'Fire now', text: 'The timer fires at once. It cannot be taken back.'},
  sleep: {ends: 'fires', verb: 'Fire now', text: 'The run resumes at once, instead of after its sleep. It cannot be taken back.'},
};

const nowOf = wait => NOW[DEADLINES.includes(wait.kind) ? 'deadline' : wait.kind] || NOW.timer;

export const endText = wait => nowOf(wait).ends;

export const nowText = wait => nowOf(wait).verb;

export function openMove(run, wait, reload) {
  openDialog(close => html`<${MoveDialog} title=${`Move ${waitText(wait)}`} until=${wait.until} withReason
    move=${(when, reason) => post(movePath(run, wait), {...when, reason: reason || undefined})} reload=${reload} onClose=${close}/>`);
}

/** A dialog that moves a deadline or a stand-alone timer. */
export function MoveDialog({title, until, move, reload, withReason, onClose}) {
  const [when, setWhen] = useState(initialChoice());
  const [reason, setReason] = useState('');
  const submit = async () => {
    await move(when, reason);
    reload();
    return 'Moved';
  };
  return html`<${FormDialog} title=${title} action="Move" submit=${submit} onClose=${onClose} disabled=${!when}>
    <p class="muted">Now due ${absolute(until)}.</p>
    <${InstantField} onChange=${setWhen}/>
    ${withReason && html`<${Field} label="Reason" hint="Kept in the history"><input name="reason" value=${reason} onInput=${event => setReason(event.target.value)}/></${Field}>`}
  </${FormDialog}>`;
}

/** Ends a wait early, after a confirmation. A wait with a deadline then times out, as if its condition had not come true. */
export function openNow(run, wait, reload) {
  const {verb, text, danger = false} = nowOf(wait);
  confirm({
    title: `${verb}: ${waitText(wait)}?`,
    text,
    action: verb,
    danger,
    submit: async () => {
      await post(movePath(run, wait), {in: 'PT0S', reason: 'fired by hand'});
      reload();
      return `${waitText(wait)} ${endText(wait)} now`;
    },
  });
}
