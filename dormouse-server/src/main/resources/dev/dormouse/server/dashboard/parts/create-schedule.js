import {html, useEffect, useState} from '../lib.js';
import {get, post} from '../api.js';
import {info} from '../session.js';
import {absolute, isoDuration} from '../time.js';
import {Refusal, Segments} from './basics.js';
import {Field, FormDialog, openDialog} from './dialog.js';
import {argumentsOf} from './values.js';

export function openCreate(reload) {
  openDialog(close => html`<${CreateDialog} reload=${reload} onClose=${close}/>`);
}

const OVERLAPS = [['SKIP', 'skip it'], ['BUFFER_ONE', 'start one after it'], ['ALLOW_ALL', 'let both run']];

function CreateDialog({reload, onClose}) {
  const known = info.get() || {types: [], handlers: []};
  const [form, setForm] = useState({
    id: '', by: 'cron', cron: '0 6 * * *', zone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC', every: '1h',
    kind: 'workflow', name: known.types[0] || '', data: '', overlap: 'SKIP',
  });
  const set = (field, value) => setForm(old => ({...old, [field]: value}));
  const field = (name, more = {}) => html`<input name=${name} value=${form[name]} autocomplete="off" ...${more} onInput=${event => set(name, event.target.value)}/>`;
  const submit = async () => {
    await post('/schedules', bodyOf(form));
    reload();
    return `Created ${form.id}`;
  };
  return html`<${FormDialog} title="Create a schedule" action="Create" wide submit=${submit} onClose=${onClose} disabled=${!form.id || !form.name}>
    <${Field} label="Schedule id">${field('id', {placeholder: 'nightly-report'})}</${Field}>
    <${Segments} label="When" value=${form.by} options=${[['cron', 'cron expression'], ['every', 'every so often']]} onChange=${value => set('by', value)}/>
    ${form.by === 'cron'
      ? html`<div class="row"><${Field} label="Cron" hint="minute hour day month weekday">${field('cron', {class: 'mono'})}</${Field}><${Field} label="Time zone">${field('zone')}</${Field}></div>`
      : html`<${Field} label="Every" hint="such as 15m, 6h, 1d">${field('every', {class: 'mono'})}</${Field}>`}
    <${Preview} form=${form}/>
    <div class="row"><${Field} label="What"><select name="kind" value=${form.kind} onChange=${event => set('kind', event.target.value)}>
        <option value="workflow">start a workflow</option><option value="timer">set off a timer handler</option></select></${Field}>
      <${Field} label=${form.kind === 'workflow' ? 'Type' : 'Handler'}>${field('name', {list: 'targets'})}
        <datalist id="targets">${(form.kind === 'workflow' ? known.types : known.handlers).map(name => html`<option value=${name}/>`)}</datalist></${Field}></div>
    <${Field} label=${form.kind === 'workflow' ? 'Input' : 'Payload'} hint="JSON; empty for none">${field('data', {class: 'mono'})}</${Field}>
    ${form.kind === 'workflow' && html`<${Field} label="If the one before is still open"><select name="overlap" value=${form.overlap} onChange=${event => set('overlap', event.target.value)}>
      ${OVERLAPS.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></${Field}>`}
  </${FormDialog}>`;
}

const timesOf = form => (form.by === 'cron' ? {cron: form.cron, zone: form.zone} : {every: isoDuration(form.every) || form.every});

function bodyOf(form) {
  const values = argumentsOf(form.data);
  const target = form.kind === 'workflow'
    ? {workflow: form.name, input: values.length ? values : undefined, overlap: form.overlap}
    : {timer: form.name, payload: form.data.trim() ? JSON.parse(form.data) : undefined};
  return {id: form.id, ...timesOf(form), ...target};
}

/** The next five times, updated while the user types; or the reason why there are none. */
function Preview({form}) {
  const [state, setState] = useState({});
  const times = timesOf(form);
  const key = JSON.stringify(times);
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      try {
        const answer = await get('/schedules/preview', times);
        if (current) setState({next: answer.next});
      } catch (error) {
        if (current) setState({error});
      }
    }, 250);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  if (state.error) return html`<${Refusal} error=${state.error}/>`;
  return html`<div class="note" aria-live="polite">${(state.next || []).map(time => html`<div class="num" key=${time}>${absolute(time)}</div>`)}${!state.next && 'the next five times …'}</div>`;
}
