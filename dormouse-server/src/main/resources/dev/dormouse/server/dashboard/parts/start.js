import {html, useState} from '../lib.js';
import {post} from '../api.js';
import {go, runLink} from '../router.js';
import {info} from '../session.js';
import {Field, FormDialog, openDialog} from './dialog.js';
import {argumentsOf} from './values.js';

export function openStart() {
  openDialog(close => html`<${StartDialog} onClose=${close}/>`);
}

function StartDialog({onClose}) {
  const types = (info.get() && info.get().types) || [];
  const [type, setType] = useState(types[0] || '');
  const [id, setId] = useState('');
  const [input, setInput] = useState('');
  const submit = async () => {
    const run = await post('/workflows', {type, id: id || undefined, input: argumentsOf(input)});
    go(runLink(run.workflowId));
    return `Started ${run.workflowId}`;
  };
  return html`<${FormDialog} title="Start a workflow" action="Start" submit=${submit} onClose=${onClose} disabled=${!type}>
    <${Field} label="Type" hint=${types.length ? '' : 'No workflow is registered in this process; one of another node works too.'}>
      <input name="type" list="types" value=${type} autocomplete="off" onInput=${event => setType(event.target.value)}/>
      <datalist id="types">${types.map(name => html`<option value=${name}/>`)}</datalist></${Field}>
    <${Field} label="Workflow id" hint="Yours to choose; each id has one run at a time. Empty: one is made."><input name="id" value=${id} autocomplete="off" onInput=${event => setId(event.target.value)}/></${Field}>
    <${Field} label="Input" hint='JSON: one value, or an array of all arguments, such as ["ada", 17]'><textarea class="mono" name="input" value=${input} onInput=${event => setInput(event.target.value)}></textarea></${Field}>
  </${FormDialog}>`;
}
