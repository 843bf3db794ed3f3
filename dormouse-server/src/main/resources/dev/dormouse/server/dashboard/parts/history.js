import {html, useState} from '../lib.js';
import {runPath, query as queryOf} from '../api.js';
import {useApi} from '../live.js';
import {Empty, Loaded, When} from './basics.js';
import {eventText} from './event-text.js';
import {More, usePages} from './pages.js';
import {Value} from './values.js';

const SHORT = 8;
const PAGE = 200;
const BAD = /Failed|TimedOut|Terminated|Cancelled|TakenOver/;

/** The events of a run: all in order or, with `short`, the latest with the newest first. */
export function History({run, short}) {
  // Event numbers start at 0, and `after` is exclusive.
  const after = short && run.events > SHORT ? run.events - SHORT - 1 : undefined;
  const path = runPath(run.workflowId, null, '/history');
  const parameters = {run: run.runId, after, limit: short ? SHORT : PAGE};
  const events = useApi(path, parameters, {topic: run.workflowId, least: 500, most: 10000});
  const pages = usePages(run.runId, path, {run: run.runId, limit: PAGE}, short ? null : events.data, 'after');
  return html`<${Loaded} from=${events}>${data => {
    const items = short ? [...data.items].reverse() : pages.items || data.items;
    return items.length === 0 ? html`<${Empty} title="Nothing has happened yet"/>` : html`<div class="scroll"><table class="stack events">
      <thead><tr><th>#</th><th>When</th><th>Event</th><th>Detail</th></tr></thead>
      <tbody>${items.map(event => html`<${Event} key=${event.seq} event=${event}/>`)}</tbody></table></div>
      ${!short && html`<${More} pages=${pages}/>`}
      ${short && run.events > SHORT && html`<div class="more"><a class="linkish" href=${`#/workflows/${encodeURIComponent(run.workflowId)}${queryOf({run: undefined, tab: 'history'})}`}>all ${run.events} events</a></div>`}`;
  }}</${Loaded}>`;
}

function Event({event}) {
  const [open, setOpen] = useState(false);
  const fields = Object.entries(event.detail || {});
  return html`<tr>
      <td class="mono num tight muted">${event.seq}</td>
      <td class="tight end"><${When} at=${event.at}/></td>
      <td class=${`tight strong ${BAD.test(event.kind) ? 'red' : ''}`}>${event.kind}</td>
      <td class="mono line">${eventText(event)} ${fields.length
        ? html`<button type="button" class="fold" aria-expanded=${String(open)} aria-label=${`Details of event ${event.seq}`} onClick=${() => setOpen(!open)}>${open ? '▾' : '▸'}</button>`
        : ''}</td>
    </tr>
    ${open && html`<tr class="event-detail"><td colspan="4"><dl class="facts">${fields.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd><${Detail} value=${value}/></dd>`)}</dl></td></tr>`}`;
}

function Detail({value}) {
  if (value && typeof value === 'object' && ('json' in value || 'bytes' in value || 'cut' in value)) return html`<${Value} value=${value}/>`;
  return html`<span class="mono">${typeof value === 'string' ? value : JSON.stringify(value)}</span>`;
}
