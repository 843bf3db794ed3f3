import {html} from '../lib.js';
import {useSignal} from '../signal.js';
import {runPath} from '../api.js';
import {useApi} from '../live.js';
import {route} from '../router.js';
import {Card, Empty, Loading, Refusal, When} from '../parts/basics.js';
import {History} from '../parts/history.js';
import {Status, statusName} from '../parts/status.js';
import {TimerButtons} from '../parts/timer-buttons.js';
import {Value} from '../parts/values.js';

/** The page of a stand-alone timer, or of a timer that was set in SQL (?of=sql): its action, due time and attempts. */
export function Timer({id}) {
  const isSql = useSignal(route).query.of === 'sql';
  const found = useApi(`/${isSql ? 'sql-timers' : 'timers'}/${encodeURIComponent(id)}`, {}, {least: 1000, most: 4000});
  const timer = found.data;
  const run = useApi(timer && timer.workflowId && runPath(timer.workflowId), {}, {least: 1000, most: 4000});
  if (!timer) return found.error ? html`<${Missing} id=${id} error=${found.error}/>` : html`<${Loading}/>`;
  return html`<nav class="crumbs" aria-label="Where you are"><a class="plain" href="#/timers">Timers</a> / <a class="plain" href=${isSql ? '#/timers?kind=sql' : '#/timers?view=own'}>${isSql ? 'SQL' : 'stand-alone'}</a></nav>
    <div class="title"><h1>${timer.id}</h1><${Status} status=${timer.status}/>
      ${timer.status === 'PENDING' && html`<${TimerButtons} timer=${{...timer, kind: isSql ? 'sql' : 'timer'}} reload=${found.reload}/>`}</div>
    ${found.error && html`<${Refusal} error=${found.error}/>`}
    <${Failure} timer=${timer} text=${isSql ? timer.error : timer.lastFailure}/>
    <${Card} title="Timer" lined><${Facts} timer=${timer} isSql=${isSql}/></${Card}>
    <${Card} title=${isSql && timer.action ? 'SQL' : 'Payload'}><div class="body">${isSql && timer.action
      ? html`<pre class="value" tabindex="0">${timer.action}</pre>`
      : html`<${Value} value=${timer.payload}/>`}</div></${Card}>
    ${run.data && html`<${Card} title="History"><${History} run=${run.data}/></${Card}>`}`;
}

function Missing({id, error}) {
  return html`<${Card}><div class="body"><${Refusal} error=${error}/></div>
    ${error.status === 404 && html`<${Empty} title=${`No timer ${id}`}>It may have ended long ago. <a class="linkish strong" href="#/timers">All timers</a></${Empty}>`}</${Card}>`;
}

function Failure({timer, text}) {
  if (!text) return null;
  const ended = timer.status === 'FAILED';
  return html`<section class="card banner red" role="alert"><div class="grow"><h2 class="red">${ended ? 'Failed' : 'Failing'}${timer.attempts ? ` after ${timer.attempts} ${timer.attempts === 1 ? 'attempt' : 'attempts'}` : ''}</h2>
    <p>${text}${timer.sqlState && html` <code>${timer.sqlState}</code>`}</p>
    ${!ended && timer.fireAt && html`<p class="muted">tried again <${When} at=${timer.fireAt} as="relative"/></p>`}</div></section>`;
}

function Facts({timer, isSql}) {
  return html`<dl class="facts">
    <dt>Status</dt><dd>${statusName(timer.status)}</dd>
    ${timer.handler && html`<dt>Handler</dt><dd class="mono">${timer.handler}</dd>`}
    ${timer.fireAt && html`<dt>${timer.attempts && timer.status === 'PENDING' ? 'Next attempt' : 'Due'}</dt><dd><${When} at=${timer.fireAt}/></dd>`}
    <dt>Failed attempts</dt><dd class="num">${timer.attempts || 0}</dd>
    ${timer.key && html`<dt>Key</dt><dd>${timer.key}</dd>`}
    <dt>Set</dt><dd><${When} at=${timer.scheduledAt || timer.createdAt}/>${isSql && html` by role <code>${timer.scheduledBy}</code>`}</dd>
    ${(timer.endedAt || timer.firedAt) && html`<dt>${timer.status === 'PENDING' ? 'Last tried' : 'Ended'}</dt><dd><${When} at=${timer.endedAt || timer.firedAt}/></dd>`}
  </dl>`;
}
