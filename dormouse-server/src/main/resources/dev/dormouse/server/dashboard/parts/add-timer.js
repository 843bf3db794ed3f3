import {html, useState} from '../lib.js';
import {post} from '../api.js';
import {info} from '../session.js';
import {absolute} from '../time.js';
import {Field, FormDialog, openDialog} from './dialog.js';
import {InstantField, initialChoice} from './instant-field.js';

export function openAddTimer() {
  openDialog(close => html`<${AddTimer} onClose=${close}/>`);
}

function AddTimer({onClose}) {
  const handlers = (info.get() && info.get().handlers) || [];
  const [handler, setHandler] = useState(handlers[0] || '');
  const [when, setWhen] = useState(initialChoice('10m'));
  const [id, setId] = useState('');
  const [payload, setPayload] = useState('');
  const submit = async () => {
    const timer = await post('/timers', {handler, ...when, id: id || undefined, payload: payload.trim() ? JSON.parse(payload) : undefined});
    return `${timer.id} fires ${absolute(timer.fireAt)}`;
  };
  return html`<${FormDialog} title="Add a timer" action="Add" submit=${submit} onClose=${onClose} disabled=${!handler || !when}>
    <${Field} label="Handler" hint=${handlers.length ? '' : 'No handler is registered in this process; one of another node works too.'}>
      <input name="handler" list="handlers" value=${handler} autocomplete="off" onInput=${event => setHandler(event.target.value)}/>
      <datalist id="handlers">${handlers.map(name => html`<option value=${name}/>`)}</datalist></${Field}>
    <${InstantField} onChange=${setWhen} initial="10m"/>
    <${Field} label="Timer id" hint="Empty: one is made"><input name="id" value=${id} autocomplete="off" onInput=${event => setId(event.target.value)}/></${Field}>
    <${Field} label="Payload" hint="JSON; empty for none"><textarea class="mono" name="payload" value=${payload} onInput=${event => setPayload(event.target.value)}></textarea></${Field}>
  </${FormDialog}>`;
}
