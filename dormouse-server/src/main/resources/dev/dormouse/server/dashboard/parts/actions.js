import {html, useState} from '../lib.js';
import {post, runPath, url} from '../api.js';
import {go, runLink} from '../router.js';
import {may} from '../session.js';
import {confirm, Field, FormDialog, openDialog} from './dialog.js';
import {isClosed} from './status.js';
import {argumentsOf, Value} from './values.js';

/** The buttons of one workflow. Actions that the user's role does not permit are hidden. */
export function Actions({run, reload}) {
  const open = !isClosed(run.status);
  const operator = may('operator');
  const admin = may('admin');
  const button = (name, Kind, verb, look = '') => html`<button type="button" class=${`button ${look}`}
    onClick=${() => openDialog(close => html`<${Kind} verb=${verb} run=${run} reload=${reload} onClose=${close}/>`)}>${name}</button>`;
  return html`<div class="buttons">
    ${open && operator && button('Signal …', CallDialog, 'signal')}
    ${operator && button('Query …', CallDialog, 'query')}
    ${open && operator && button('Update …', CallDialog, 'update')}
    <a class="button" href=${url(runPath(run.workflowId, run.runId, '/export'))} download>Export</a>
    ${admin && button('Reset …', ResetDialog)}
    ${open && operator && button('Cancel', EndDialog, 'cancel')}
    ${open && admin && button('Terminate', EndDialog, 'terminate', 'danger')}
  </div>`;
}

const CALLS = {
  signal: ['Signal', 'signals', 'Send', 'A message to the run; it does not answer.'],
  query: ['Query', 'queries', 'Ask', 'Asks the run’s code something; nothing changes.'],
  update: ['Update', 'updates', 'Send', 'Asks the run’s code to change something, and waits for its answer.'],
};

function CallDialog({verb, run, reload, onClose}) {
  const [title, list, action, text] = CALLS[verb];
  const names = run[list] || [];
  const [name, setName] = useState(names[0] || '');
  const [args, setArgs] = useState('');
  const [answer, setAnswer] = useState(null);
  const submit = async () => {
    const body = {name, arguments: argumentsOf(args)};
    const said = await post(runPath(run.workflowId, run.runId, `/${verb}`), body);
    reload();
    if (verb === 'signal') return `Sent ${name}`;
    setAnswer(said);
    return false;
  };
  return html`<${FormDialog} title=${`${title} ${run.workflowId}`} action=${action} submit=${submit} onClose=${onClose} disabled=${!name}>
    <p class="muted">${text}</p>
    <${Field} label="Name"><input name="name" class="mono" list="names" value=${name} autocomplete="off" onInput=${event => setName(event.target.value)}/>
      <datalist id="names">${names.map(known => html`<option value=${known}/>`)}</datalist></${Field}>
    ${names.length > 1 && html`<div class="pills">${names.map(known => html`<button type="button" class="chip outline code" onClick=${() => setName(known)}>${known}</button>`)}</div>`}
    <${Field} label="Arguments" hint='JSON: one value, or an array of all, such as "ada" or [17, true]; empty for none'>
      <textarea name="arguments" class="mono" value=${args} onInput=${event => setArgs(event.target.value)}></textarea></${Field}>
    ${answer && html`<div><h3>Answer</h3><${Value} value=${answer.result}/></div>`}
  </${FormDialog}>`;
}

const ENDS = {
  cancel: ['Cancel', 'Cancel the run', 'Asks the run to end. Its code gets to clean up: compensations and finally blocks run.'],
  terminate: ['Terminate', 'Terminate', 'Ends the run at once. Its code does not get to clean up.'],
};

function EndDialog({verb, run, reload, onClose}) {
  const [title, action, text] = ENDS[verb];
  const [reason, setReason] = useState('');
  const submit = async () => {
    await post(runPath(run.workflowId, run.runId, `/${verb}`), {reason: reason || 'from the dashboard'});
    reload();
    return verb === 'cancel' ? `Cancellation of ${run.workflowId} requested` : `Terminated ${run.workflowId}`;
  };
  return html`<${FormDialog} title=${`${title} ${run.workflowId}?`} action=${action} danger submit=${submit} onClose=${onClose}>
    <p>${text}</p>
    <${Field} label="Reason" hint="Kept in the history"><input name="reason" value=${reason} onInput=${event => setReason(event.target.value)}/></${Field}>
  </${FormDialog}>`;
}

function ResetDialog({run, reload, onClose}) {
  const [events, setEvents] = useState(String(Math.max(1, run.events - 1)));
  const submit = async () => {
    await post(runPath(run.workflowId, run.runId, '/reset'), {events: Number(events)});
    reload();
    go(runLink(run.workflowId));
    return `Reset ${run.workflowId}`;
  };
  return html`<${FormDialog} title=${`Reset ${run.workflowId}`} action="Reset" danger submit=${submit} onClose=${onClose} disabled=${!(Number(events) >= 1)}>
    <p>A new run continues from the first events of this one. Steps after that point run again.</p>
    <${Field} label="Events to keep" hint=${`of ${run.events}; the tab History has their numbers`}>
      <input name="events" type="number" min="1" max=${run.events} value=${events} onInput=${event => setEvents(event.target.value)}/></${Field}>
  </${FormDialog}>`;
}

export function openRetry(run, reload) {
  confirm({
    title: `Retry ${run.workflowId}?`,
    text: 'It resumes where it failed. Completed steps do not run again.',
    action: 'Retry',
    danger: false,
    submit: async () => {
      await post(runPath(run.workflowId, run.runId, '/retry'));
      reload();
      go(runLink(run.workflowId));
      return `Retrying ${run.workflowId}`;
    },
  });
}
