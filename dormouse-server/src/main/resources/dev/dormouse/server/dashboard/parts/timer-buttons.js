import {html} from '../lib.js';
import {post} from '../api.js';
import {may} from '../session.js';
import {confirm, openDialog} from './dialog.js';
import {MoveDialog} from './moves.js';

/** The actions on a pending timer: stand-alone, or set in SQL if `kind` is 'sql'. */
export function TimerButtons({timer, reload}) {
  if (!may('operator')) return null;
  const path = verb => `/${timer.kind === 'sql' ? 'sql-timers' : 'timers'}/${encodeURIComponent(timer.id)}/${verb}`;
  const fire = () => confirm({
    title: `Fire timer ${timer.id} now?`,
    text: 'It fires at once, instead of at its time. It cannot be taken back.',
    action: 'Fire now',
    danger: false,
    submit: async () => {
      await post(path('fire'));
      reload();
      return `${timer.id} fires now`;
    },
  });
  const move = () => openDialog(close => html`<${MoveDialog} title=${`Move ${timer.id}`} until=${timer.fireAt} move=${when => post(path('move'), when)} reload=${reload} onClose=${close}/>`);
  const cancel = () => confirm({
    title: `Cancel timer ${timer.id}?`,
    text: 'It will never fire.',
    action: 'Cancel the timer',
    submit: async () => {
      await post(path('cancel'));
      reload();
      return `Cancelled ${timer.id}`;
    },
  });
  return html`<span class="buttons">
    <button type="button" class="button" aria-label=${`Fire ${timer.id} now`} onClick=${fire}>Fire</button>
    <button type="button" class="button" aria-label=${`Move ${timer.id}`} onClick=${move}>Move …</button>
    <button type="button" class="button" aria-label=${`Cancel ${timer.id}`} onClick=${cancel}>Cancel</button></span>`;
}
