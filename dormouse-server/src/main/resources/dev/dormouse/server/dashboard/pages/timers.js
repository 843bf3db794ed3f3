import {html, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {useApi} from '../live.js';
import {link, refine, route} from '../router.js';
import {may} from '../session.js';
import {countdown, relative, useNow} from '../time.js';
import {Card, Empty, Loaded, Loading, Refusal, Segments, When} from '../parts/basics.js';
import {useListKeys} from '../parts/list-keys.js';
import {TIMER_KINDS, timerLink, timerText} from '../parts/names.js';
import {More, usePages} from '../parts/pages.js';
import {Status, statusName, tone} from '../parts/status.js';
import {openAddTimer} from '../parts/add-timer.js';
import {TimerButtons} from '../parts/timer-buttons.js';
import {Due} from './overview.js';

const VIEWS = [['due', 'all due'], ['own', 'stand-alone'], ['sql', 'failed in SQL']];

export function Timers() {
  const {query} = useSignal(route);
  const view = VIEWS.some(([key]) => key === query.view) ? query.view : 'due';
  return html`<${Due}/>
    <${Card} title="Timers" side=${[
      html`<${Segments} label="Which timers" value=${view} options=${VIEWS} onChange=${next => refine({view: next === 'due' ? '' : next, kind: '', status: '', prefix: ''})}/>`,
      html`<span class="grow"></span>`,
      may('operator') && html`<button type="button" class="button primary" onClick=${openAddTimer}>Add a timer …</button>`,
    ]}>
      ${view === 'due' && html`<${AllDue} query=${query}/>`}${view === 'own' && html`<${StandAlone} query=${query}/>`}${view === 'sql' && html`<${FailedSql}/>`}
    </${Card}>`;
}

function AllDue({query}) {
  const parameters = {order: 'due', kind: query.kind, limit: 50};
  const first = useApi('/timers', parameters, {most: 5000});
  const pages = usePages(JSON.stringify(parameters), '/timers', parameters, first.data);
  const items = pages.items || [];
  const [here] = useListKeys(items, {});
  const pick = kind => refine({kind: query.kind === kind ? '' : kind});
  return html`<div class="filters"><div class="pills" role="group" aria-label="Kind">${TIMER_KINDS.map(kind => html`<button type="button" key=${kind}
      class="chip amber" aria-pressed=${String(query.kind === kind)} onClick=${() => pick(kind)}>${kind}</button>`)}</div></div>
    <${Rest} first=${first} pages=${pages} empty=${html`<${NoTimer}/>`}/>
    ${items.length > 0 && html`<div class="scroll"><table class="stack">
      <thead><tr><th>Of</th><th>What</th><th>Due</th><th>In</th><th><span class="sr">Actions</span></th></tr></thead>
      <tbody>${items.map((timer, i) => html`<${DueRow} key=${timer.kind + timer.id} timer=${timer} here=${i === here} reload=${first.reload}/>`)}</tbody>
    </table></div>`}
    <${More} pages=${pages}/>`;
}

function DueRow({timer, here, reload}) {
  const now = useNow();
  const late = Date.parse(timer.fireAt) < now - 1000;
  return html`<tr class=${here ? 'here' : ''}>
    <td><a class="id" data-row href=${timerLink(timer)}>${timer.id}</a></td>
    <td class="mono muted end">${timerText(timer)}</td>
    <td class="tight"><${When} at=${timer.fireAt}/></td>
    <td class=${`mono num tight end ${late ? 'red' : 'amber'}`}>${late ? `overdue ${relative(timer.fireAt, now)}` : countdown(timer.fireAt, now)}</td>
    <td class="tight small line">${(timer.kind === 'timer' || timer.kind === 'sql') && html`<${TimerButtons} timer=${timer} reload=${reload}/>`}</td>
  </tr>`;
}

const STATUSES = ['PENDING', 'FIRED', 'FAILED', 'CANCELLED'];

function StandAlone({query}) {
  const parameters = {status: query.status || STATUSES.join(','), prefix: query.prefix, limit: 50};
  const first = useApi('/timers', parameters, {most: 5000});
  const pages = usePages(JSON.stringify(parameters), '/timers', parameters, first.data);
  const items = pages.items || [];
  const [here] = useListKeys(items, {});
  const chosen = query.status ? query.status.split(',') : [];
  const flip = status => refine({status: (chosen.includes(status) ? chosen.filter(other => other !== status) : [...chosen, status]).join(',')});
  return html`<div class="filters">
      <div class="search"><input id="search" type="search" placeholder="Timer id begins with …" aria-label="Search by the beginning of the timer id" value=${query.prefix || ''}
        onInput=${event => refine({prefix: event.target.value})}/></div>
      <div class="pills" role="group" aria-label="Status">${STATUSES.map(status => html`<button type="button" key=${status}
        class=${`chip ${tone(status)}`} aria-pressed=${String(chosen.includes(status))} onClick=${() => flip(status)}>${statusName(status)}</button>`)}</div></div>
    <${Rest} first=${first} pages=${pages} empty=${html`<${NoTimer}/>`}/>
    ${items.length > 0 && html`<div class="scroll"><table class="stack">
      <thead><tr><th>Timer</th><th>Handler</th><th>Status</th><th>Due</th><th>Attempts</th><th>Last failure</th><th><span class="sr">Actions</span></th></tr></thead>
      <tbody>${items.map((timer, i) => html`<tr key=${timer.id} class=${i === here ? 'here' : ''}>
        <td><a class="id" data-row href=${link('timers', timer.id)}>${timer.id}</a></td><td class="mono muted end">${timer.handler}</td><td class="tight"><${Status} status=${timer.status}/></td>
        <td class="tight end"><${When} at=${timer.fireAt || timer.endedAt}/></td><td class="num tight">${timer.attempts ? `${timer.attempts} failed` : html`<span class="wide-only">–</span>`}</td><td class="red line">${timer.lastFailure || ''}</td>
        <td class="tight small line">${timer.status === 'PENDING' && html`<${TimerButtons} timer=${timer} reload=${first.reload}/>`}</td></tr>`)}</tbody>
    </table></div>`}
    <${More} pages=${pages}/>`;
}

/** SQL timers that have failed for good. Only their rows report them. */
function FailedSql() {
  const failed = useApi('/sql-timers/failed', {limit: 200}, {most: 10000});
  return html`<${Loaded} from=${failed}>${data => (data.items.length === 0
    ? html`<${Empty} title="No SQL timer has failed lately">A timer that is tried again is in the list “all due”.</${Empty}>`
    : html`<div class="scroll"><table class="stack">
      <thead><tr><th>Timer</th><th>What</th><th>Failed</th><th>Attempts</th><th>Failure</th></tr></thead>
      <tbody>${data.items.map(timer => html`<tr key=${timer.id}>
        <td class="tight"><a class="id" href=${link('timers', timer.id, {of: 'sql'})}>${timer.id}</a></td><td class="mono muted line">${timer.handler || timer.action}</td>
        <td class="tight"><${When} at=${timer.firedAt}/></td><td class="num tight end">${timer.attempts} failed</td><td class="red line">${timer.error} ${timer.sqlState && html`<code>${timer.sqlState}</code>`}</td></tr>`)}</tbody>
    </table></div>`)}</${Loaded}>`;
}

function Rest({first, pages, empty}) {
  if (first.error) return html`<div class="body"><${Refusal} error=${first.error}/></div>`;
  if (pages.items === null) return html`<${Loading}/>`;
  return pages.items.length === 0 && !pages.next ? empty : null;
}

function NoTimer() {
  return html`<${Empty} title="No timer here" code=${`timers.handle("expire-session", Session.class, s -> sessions.expire(s));
timers.in(Duration.ofMinutes(30), "expire-session", session);

// or from a shell
./dormouse timer add expire-session '"s-17"' --in 30m`}>Runs that sleep or wait, retries, timeouts, schedules and timers of their own all appear here, and so do timers that were set in SQL.</${Empty}>`;
}
