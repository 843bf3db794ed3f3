import {html, useState} from '../lib.js';
import {post, runPath} from '../api.js';
import {may} from '../session.js';
import {absolute} from '../time.js';
import {toast} from './toast.js';
import {Field, FormDialog, openDialog} from './dialog.js';
import {InstantField, initialChoice} from './instant-field.js';
import {waitText} from './names.js';

const movePath = (run, wait) => runPath(run.workflowId, run.runId, `/waits/${wait.call}/move`);

/** The next attempt of a step can be moved until it is due; then it is under way. */
export const canMove = (wait, now) => wait.canMove && may('operator') && (wait.kind !== 'retry' || Date.parse(wait.until) > now);

const DEADLINES = ['await', 'signal', 'event'];

export const endText = wait => (wait.kind === 'retry' ? 'tries again' : DEADLINES.includes(wait.kind) ? 'times out' : 'fires');

export const nowText = wait => (wait.kind === 'retry' ? 'Try now' : 'Fire now');

export function openMove(run, wait, reload) {
  openDialog(close => html`<${MoveDialog} title=${`Move ${waitText(wait)}`} until=${wait.until} withReason
    move=${(when, reason) => post(movePath(run, wait), {...when, reason: reason || undefined})} reload=${reload} onClose=${close}/>`);
}

/** Moves a deadline; also used for stand-alone timers. */
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

export async function fireNow(run, wait, reload) {
  try {
    await post(movePath(run, wait), {in: 'PT0S', reason: 'fired by hand'});
    toast(`${waitText(wait)} ${wait.kind === 'retry' ? 'is made' : 'fires'} now`);
  } catch (error) {
    toast(error.message, 'red');
  }
  reload();
}
