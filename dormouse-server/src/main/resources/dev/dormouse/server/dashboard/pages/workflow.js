import {html, useEffect, useRef} from '../lib.js';
import {useSignal} from '../signal.js';
import {runPath} from '../api.js';
import {listen, useApi} from '../live.js';
import {link, refine, route, runLink} from '../router.js';
import {readable} from '../time.js';
import {Card, Loading, Refusal, Empty, When} from '../parts/basics.js';
import {isClosed, NodeName, Status, statusName} from '../parts/status.js';
import {Timeline} from '../parts/timeline.js';
import {Banner} from '../parts/banner.js';
import {Actions} from '../parts/actions.js';
import {History} from '../parts/history.js';
import {Waits} from '../parts/waits.js';
import {DagTab} from '../parts/dag-tab.js';
import {Values, Value} from '../parts/values.js';

/** The page of one workflow: its waits, its history and the actions that the user may take. */
export function Workflow({id}) {
  const {query} = useSignal(route);
  useEffect(() => {
    listen([id]);
    return () => listen([]);
  }, [id]);
  const found = useApi(runPath(id, query.run), {}, {topic: id, least: 400, most: 4000});
  if (!found.data) return found.error ? html`<${Missing} id=${id} error=${found.error}/>` : html`<${Loading}/>`;
  const run = found.data;
  const tab = query.tab || (isDag(run) ? 'dag' : 'timeline');
  return html`<${Head} run=${run} reload=${found.reload}/>
    ${found.error && html`<${Refusal} error=${found.error}/>`}
    <${Banner} run=${run} reload=${found.reload}/>
    <${Tabs} run=${run} tab=${tab} reload=${found.reload}/>
    ${(tab === 'timeline' || tab === 'dag') && html`<${Card}><${History} run=${run} short/></${Card}>`}`;
}

function Missing({id, error}) {
  const list = link('workflows', null, {prefix: id.slice(0, 4)});
  return html`<${Card}><div class="body"><${Refusal} error=${error}/></div>
    ${error.status === 404 && html`<${Empty} title=${`No workflow ${id}`}>
      Look for it by the beginning of its id on the <a class="linkish strong" href=${list}>list</a>.</${Empty}>`}</${Card}>`;
}

function Head({run, reload}) {
  const takeovers = run.timeline ? run.timeline.lines.filter(line => line.kind === 'takeover').length : 0;
  return html`<nav class="crumbs" aria-label="Where you are"><a class="plain" href="#/workflows">Workflows</a> / <a class="plain" href=${link('workflows', null, {type: run.type})}>${run.type}</a>
      ${run.parent && html` / <a class="plain" href=${runLink(run.parent.workflowId)}>${run.parent.workflowId}</a>`}</nav>
    <div class="title"><h1>${run.workflowId}</h1>
      <${Status} status=${run.status}/>
      <span class="chip outline code" title=${`run ${run.runId}`}>${run.runId.slice(0, 18)}</span>
      <span class="chip outline">started <${When} at=${run.startedAt} as="relative"/></span>
      ${run.closedAt && html`<span class="chip outline">ended <${When} at=${run.closedAt} as="relative"/></span>`}
      ${Math.max(takeovers, run.takeovers) > 0 && html`<span class="chip red">recovered ×${Math.max(takeovers, run.takeovers)}</span>`}
      <${Actions} run=${run} reload=${reload}/>
    </div>`;
}

const isDag = run => run.type.startsWith('dag:');

function tabsOf(run) {
  const waits = run.waits ? run.waits.length : 0;
  const tabs = [
    ['timeline', 'Timeline'],
    ['history', `History ${run.events}`],
    ['values', 'Input & result'],
    ['waits', waits ? `Waits ${waits}` : 'Waits'],
    ['attributes', 'Attributes'],
  ];
  if (run.children && run.children.length) tabs.splice(3, 0, ['children', `Children ${run.children.length}`]);
  if (isDag(run)) tabs.unshift(['dag', 'DAG']);
  return tabs;
}

function Tabs({run, tab, reload}) {
  const tabs = tabsOf(run);
  const bar = useRef(null);
  useEffect(() => {
    const chosen = bar.current.querySelector('[aria-selected=true]');
    if (chosen) bar.current.scrollLeft = chosen.offsetLeft - bar.current.offsetLeft - 60;
  }, [tab]);
  const step = event => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (!by) return;
    const at = tabs.findIndex(([key]) => key === tab);
    refine({tab: tabs[(at + by + tabs.length) % tabs.length][0]});
    setTimeout(() => document.querySelector('.tabs [aria-selected=true]').focus());
  };
  return html`<section class="card">
    <div class="tabs" role="tablist" ref=${bar} onKeyDown=${step}>${tabs.map(([key, name]) => html`<button type="button" role="tab" key=${key} id=${`tab-${key}`}
      aria-selected=${String(key === tab)} aria-controls="tab-panel" tabindex=${key === tab ? 0 : -1} onClick=${() => refine({tab: key})}>${name}</button>`)}</div>
    <div role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${tab}`}>${panel(tab, run, reload)}</div>
  </section>`;
}

function panel(tab, run, reload) {
  switch (tab) {
    case 'history': return html`<${History} run=${run}/>`;
    case 'values': return html`<${InputAndResult} run=${run}/>`;
    case 'waits': return html`<${Waits} run=${run} reload=${reload}/>`;
    case 'children': return html`<${Children} runs=${run.children}/>`;
    case 'attributes': return html`<${Attributes} run=${run}/>`;
    case 'dag': return html`<${DagTab} run=${run}/>`;
    default: return html`<${Timeline} timeline=${run.timeline} open=${!isClosed(run.status)}/>`;
  }
}

function InputAndResult({run}) {
  return html`<div class="columns">
    <div><h3>Input</h3><${Values} values=${run.input}/></div>
    <div><h3>${run.failure ? 'Failure' : 'Result'}</h3>
      ${run.failure && html`<div class="note red"><span class="strong">${run.failure.type}</span><br/>${run.failure.message}</div>
        ${run.failure.stackTrace && html`<pre class="value" tabindex="0">${run.failure.stackTrace}</pre>`}`}
      ${!run.failure && (isClosed(run.status) ? html`<${Value} value=${run.result}/>` : html`<p class="muted">There is none yet: the run is open.</p>`)}
    </div>
  </div>`;
}

function Children({runs}) {
  return html`<div class="scroll"><table><thead><tr><th>Child</th><th>Type</th><th>Status</th></tr></thead>
    <tbody>${runs.map(child => html`<tr key=${child.workflowId}><td><a class="id" href=${runLink(child.workflowId)}>${child.workflowId}</a></td>
      <td class="mono muted">${child.type}</td><td><${Status} status=${child.status}/></td></tr>`)}</tbody></table></div>`;
}

function Attributes({run}) {
  const memo = Object.entries(run.memo || {});
  return html`<dl class="facts">
    <dt>Workflow id</dt><dd>${run.workflowId}</dd>
    <dt>Run id</dt><dd class="mono">${run.runId}</dd>
    <dt>Type</dt><dd>${run.type}</dd>
    <dt>Status</dt><dd>${statusName(run.status)}</dd>
    <dt>Node</dt><dd>${run.node ? html`<${NodeName} node=${run.node}/>` : 'none: it holds no thread'}</dd>
    <dt>Started</dt><dd><${When} at=${run.startedAt}/></dd>
    <dt>Ended</dt><dd><${When} at=${run.closedAt}/></dd>
    ${run.trouble && html`<dt>Trouble</dt><dd class="red">${readable(run.trouble)}</dd>`}
    ${run.parent && html`<dt>Parent</dt><dd><a class="linkish" href=${runLink(run.parent.workflowId)}>${run.parent.workflowId}</a></dd>`}
    ${memo.map(([name, value]) => html`<dt key=${name}>memo ${name}</dt><dd class="mono">${typeof value === 'string' ? value : JSON.stringify(value)}</dd>`)}
    <dt>Runs of this id</dt><dd>${(run.runs || []).map(other => html`<div key=${other.runId}>
      <a class="linkish mono" href=${runLink(run.workflowId, other.runId)}>${other.runId.slice(0, 18)}</a> <${Status} status=${other.status}/> <span class="muted"><${When} at=${other.startedAt}/></span>
      ${other.runId === run.runId && html` <span class="muted">(this one)</span>`}</div>`)}</dd>
  </dl>`;
}
