import {html, useEffect, useRef, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {useApi} from '../live.js';
import {go, refine, route, runLink} from '../router.js';
import {info, may} from '../session.js';
import {readable, relative, useNow} from '../time.js';
import {Card, Empty, Refusal, Loading, When} from '../parts/basics.js';
import {isTimer, NodeName, reasonName, RUN_STATUSES, Status, statusName, tone} from '../parts/status.js';
import {useListKeys} from '../parts/list-keys.js';
import {More, usePages} from '../parts/pages.js';
import {BatchBar} from '../parts/batch.js';
import {openStart} from '../parts/start.js';

const LIMIT = 50;

export function Workflows() {
  const {query} = useSignal(route);
  const filter = {prefix: query.prefix, type: query.type, status: query.status, limit: LIMIT};
  const key = JSON.stringify(filter);
  const first = useApi('/workflows', filter, {least: 1500});
  const pages = usePages(key, '/workflows', filter, first.data);
  const [picked, setPicked] = useState(new Set());
  useEffect(() => setPicked(new Set()), [key]);
  const toggle = run => setPicked(old => {
    const next = new Set(old);
    if (!next.delete(run.workflowId)) next.add(run.workflowId);
    return next;
  });
  const items = pages.items || [];
  const [here] = useListKeys(items, {open: run => go(runLink(run.workflowId)), pick: toggle});
  return html`<${Card} class="runs">
    <${Filters} query=${query}/>
    ${picked.size > 0 && html`<${BatchBar} ids=${[...picked]} done=${() => { setPicked(new Set()); first.reload(); }}/>`}
    ${first.error && html`<div class="body"><${Refusal} error=${first.error}/></div>`}
    ${pages.items === null && !first.error && html`<${Loading}/>`}
    ${pages.items && items.length === 0 && html`<${Nothing} query=${query} pages=${pages}/>`}
    ${items.length > 0 && html`<${Table} runs=${items} picked=${picked} setPicked=${setPicked} toggle=${toggle} here=${here}/>`}
    <${More} pages=${pages}/>
  </${Card}>`;
}

function Filters({query}) {
  const known = useSignal(info);
  const [prefix, setPrefix] = useState(query.prefix || '');
  const timer = useRef(0);
  useEffect(() => setPrefix(query.prefix || ''), [query.prefix]);
  const search = text => {
    setPrefix(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => refine({prefix: text}), 200);
  };
  const chosen = query.status ? query.status.split(',') : [];
  const flip = group => refine({status: (chosen.includes(group[0]) ? chosen.filter(other => !group.includes(other)) : [...chosen, ...group]).join(',')});
  const types = [...new Set([...(known ? known.types : []), ...(query.type ? [query.type] : [])])].sort();
  return html`<div class="filters">
    <div class="search"><input id="search" type="search" placeholder="Workflow id begins with …" aria-label="Search by the beginning of the workflow id" value=${prefix}
      autocomplete="off" spellcheck="false" onInput=${event => search(event.target.value)}/>${!prefix && html`<kbd class="wide-only" aria-hidden="true">/</kbd>`}</div>
    <select aria-label="Type" value=${query.type || ''} onChange=${event => refine({type: event.target.value})}>
      <option value="">all types</option>${types.map(type => html`<option value=${type}>${type}</option>`)}</select>
    <div class="pills" role="group" aria-label="Status">${RUN_STATUSES.map(([status, ...same]) => html`<button type="button" key=${status}
      class=${`chip ${tone(status)}`} aria-pressed=${String(chosen.includes(status))} onClick=${() => flip([status, ...same])}>${statusName(status)}</button>`)}</div>
    <span class="grow"></span>
    ${may('operator') && html`<button type="button" class="button primary" onClick=${openStart}>Start a workflow …</button>`}
  </div>`;
}

function Table({runs, picked, setPicked, toggle, here}) {
  const all = runs.every(run => picked.has(run.workflowId));
  const pickAll = () => setPicked(all ? new Set() : new Set(runs.map(run => run.workflowId)));
  return html`<div class="scroll"><table class="stack">
    <thead><tr>
      <th class="pick"><input type="checkbox" aria-label="Pick all of these" checked=${all} onChange=${pickAll}/></th>
      <th class="main-column">Workflow</th><th>Status</th><th>Waits for</th><th class="wide-only">Node</th><th class="wide-only">Events</th><th class="wide-only">Started</th><th>Ended</th>
    </tr></thead>
    <tbody>${runs.map((run, i) => html`<${Row} key=${run.runId} run=${run} picked=${picked.has(run.workflowId)} toggle=${toggle} here=${i === here}/>`)}</tbody>
  </table></div>`;
}

function Row({run, picked, toggle, here}) {
  return html`<tr class=${here ? 'here' : ''}>
    <td class="pick"><input type="checkbox" aria-label=${`Pick ${run.workflowId}`} checked=${picked} onChange=${() => toggle(run)}/></td>
    <td><a class="id" data-row href=${runLink(run.workflowId)}>${run.workflowId}</a><div class="muted mono">${run.type}</div></td>
    <td class="tight end"><${Status} status=${run.status}/>${run.takeovers > 0 && html` <span class="chip red" title="taken over after a crash">×${run.takeovers}</span>`}</td>
    <td class=${run.trouble ? 'line' : ''}><${Waits} run=${run}/></td>
    <td class="wide-only muted"><${NodeName} node=${run.node}/></td>
    <td class="wide-only num">${run.events}</td>
    <td class="wide-only tight"><${When} at=${run.startedAt}/></td>
    <td class="tight end">${run.closedAt ? html`<${When} at=${run.closedAt} as="relative"/>` : html`<span class="muted">open</span>`}</td>
  </tr>`;
}

function Waits({run}) {
  const now = useNow();
  if (run.trouble) return html`<span class="red">${readable(run.trouble)}</span>`;
  if (!run.wakeAt || !isTimer(run.wakeReason)) return html`<span class="muted">–</span>`;
  const late = Date.parse(run.wakeAt) < now - 1000;
  return html`<span class="muted">${reasonName(run.wakeReason)}</span> <span class=${`num strong ${late ? 'red' : 'amber'}`}>${relative(run.wakeAt, now)}</span>`;
}

function Nothing({query, pages}) {
  if (pages.next) return html`<${Empty} title="None of these so far">There may be some further back: the search looks at a bounded number of runs at a time.</${Empty}>`;
  if (query.prefix || query.type || query.status) {
    return html`<${Empty} title="No run is like that">Search by the beginning of an id, or <a class="linkish strong" href="#/workflows">show all</a>.</${Empty}>`;
  }
  return html`<${Empty} title="No workflow has been started on this store yet" code=${`dormouse.start("reminder", "reminder-ada", String.class, "ada");

// or from a shell
./dormouse workflow start reminder '"ada"' --id reminder-ada`}>Start one in your program, from a shell, or with the button above.</${Empty}>`;
}
