import {html, useState} from '../lib.js';
import {post} from '../api.js';
import {may} from '../session.js';
import {Field, FormDialog, openDialog} from './dialog.js';
import {argumentsOf} from './values.js';

const ACTIONS = [
  ['cancel', 'Cancel', 'operator', 'Asks each run to end; its code may clean up first.'],
  ['retry', 'Retry', 'operator', 'Resumes each failed run where it failed.'],
  ['signal', 'Signal', 'operator', 'Sends the same signal to each.'],
  ['terminate', 'Terminate', 'admin', 'Ends each at once; its code does not get to clean up.'],
];

/** The actions for all runs that are picked in a list. */
export function BatchBar({ids, done}) {
  return html`<div class="batch small" role="toolbar" aria-label="What to do with the picked runs">
    <span class="strong">${ids.length} picked</span>
    ${ACTIONS.filter(([, , role]) => may(role)).map(([action, name, , text]) => html`<button type="button"
      class=${`button ${action === 'terminate' ? 'danger' : ''}`}
      onClick=${() => openDialog(close => html`<${BatchDialog} action=${action} name=${name} text=${text} ids=${ids} onClose=${close} done=${done}/>`)}>${name} …</button>`)}
    <button type="button" class="button quiet" onClick=${done}>Pick none</button>
  </div>`;
}

function BatchDialog({action, name, text, ids, onClose, done}) {
  const [reason, setReason] = useState('');
  const [signal, setSignal] = useState('');
  const [args, setArgs] = useState('');
  const [refused, setRefused] = useState([]);
  const submit = async () => {
    const body = {action, ids, reason: reason || undefined};
    if (action === 'signal') Object.assign(body, {name: signal, arguments: argumentsOf(args)});
    const {results} = await post('/workflows/batch', body);
    const failed = results.filter(result => !result.ok);
    done();
    setRefused(failed);
    return failed.length ? false : `${name}: ${results.length} of ${results.length}`;
  };
  const title = `${name} ${ids.length} ${ids.length === 1 ? 'run' : 'runs'}`;
  return html`<${FormDialog} title=${title} action=${title} danger=${action !== 'signal' && action !== 'retry'}
      submit=${submit} onClose=${onClose} disabled=${refused.length > 0 || (action === 'signal' && !signal)}>
    <p class="muted">${text}</p>
    <p class="mono wrap">${ids.slice(0, 4).join(', ')}${ids.length > 4 ? ` and ${ids.length - 4} more` : ''}</p>
    ${action === 'signal' && html`<${Field} label="Signal"><input name="name" value=${signal} onInput=${event => setSignal(event.target.value)}/></${Field}>
      <${Field} label="Arguments" hint="JSON: one value, or an array of all"><input class="mono" name="arguments" value=${args} onInput=${event => setArgs(event.target.value)}/></${Field}>`}
    ${(action === 'cancel' || action === 'terminate') && html`<${Field} label="Reason"><input name="reason" value=${reason} onInput=${event => setReason(event.target.value)}/></${Field}>`}
    ${refused.length > 0 && html`<div class="note red" role="alert"><p>${ids.length - refused.length} done, ${refused.length} refused:</p>
      ${refused.slice(0, 8).map(one => html`<p key=${one.id}><code>${one.id}</code>: ${one.error ? one.error.message : 'refused'}</p>`)}</div>`}
  </${FormDialog}>`;
}
