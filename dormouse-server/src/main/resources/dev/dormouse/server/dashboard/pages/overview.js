import {html, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {overview, useApi} from '../live.js';
import {link} from '../router.js';
import {countdown, readable, relative, span, useNow} from '../time.js';
import {Card, count, Empty, Loaded, Segments} from '../parts/basics.js';
import {Histogram} from '../parts/histogram.js';
import {Series} from '../parts/series.js';
import {NodeList, stateOf} from '../parts/node-list.js';
import {timerLink, timerText} from '../parts/names.js';

export function Overview() {
  const asked = useApi('/overview', {}, {least: 5000});
  return html`<h1 class="sr">Overview</h1>
    <${Stats} asked=${asked}/>
    <${Unserved} asked=${asked}/>
    <${Welcome} asked=${asked}/>
    <div class="split"><${Due}/><${Next}/></div>
    <div class="split"><${Throughput}/><${NodesCard}/></div>`;
}

function Stats({asked}) {
  const streamed = useSignal(overview);
  const now = newer(streamed, asked.data);
  const late = now && now.latenessP99Millis;
  return html`<div class="stats">
    <${Stat} label="Running" tone="blue" value=${now && count(now.running)} to=${link('workflows', null, {status: 'RUNNING'})}/>
    <${Stat} label="Waiting" tone="amber" value=${now && count(now.waiting)} to=${link('workflows', null, {status: 'WAITING,PARKED'})}
      foot=${now && now.overdue.count > 0 ? html`<span class="red">${count(now.overdue)} overdue</span>` : ''}/>
    <${Stat} label="Completed today" tone="green" value=${now && count(now.completedToday)} to=${link('workflows', null, {status: 'COMPLETED'})}/>
    <${Stat} label="Failed" tone="red" value=${now && count(now.failed)} to=${link('workflows', null, {status: 'FAILED'})}
      foot=${now && now.stuck.count > 0 ? html`<span class="red">${count(now.stuck)} stuck</span>` : ''}/>
    <${Stat} label="Timers" tone="amber" value=${now && count(now.timers)} to=${link('timers', null, {view: 'own'})}
      foot=${now && html`lateness p99 ${late === null || late === undefined ? '–' : span(late)}`}/>
  </div>`;
}

/** Due runs that no living node executes. */
function Unserved({asked}) {
  const found = (asked.data && asked.data.unserved) || [];
  return found.map(each => html`<section class="card banner red" role="alert"><p>${readable(each.text)}</p></section>`);
}

/** The first steps, shown if nothing has been started on the store yet. */
function Welcome({asked}) {
  const idle = asked.data && COUNTS.every(name => asked.data[name].count === 0);
  const runs = useApi(idle && '/workflows', {limit: 1}, {least: 3000});
  if (!runs.data || runs.data.items.length > 0) return null;
  return html`<${Card}><${Empty} title="Nothing has been started on this store yet" code=${FIRST}>
    Start a workflow in your program, or one of those that this process knows <a class="linkish strong" href="#/workflows">by hand</a>.</${Empty}></${Card}>`;
}

const COUNTS = ['running', 'waiting', 'stuck', 'completedToday', 'failed', 'timers'];

const FIRST = `Dormouse dormouse = Dormouse.builder()
    .store("sqlite:reminder.db")
    .workflow("reminder", String.class, String.class, (ctx, user) -> {
      ctx.sleep(Duration.ofHours(1));
      return "reminded " + user;
    })
    .open();
dormouse.start("reminder", "reminder-ada", String.class, "ada");`;

// The stream sends nothing while nothing changes, and it may be closed. Then the requested data is newer than the streamed data.
const newer = (one, other) => (one && (!other || one.now >= other.now) ? one : other);

function Stat({label, value, tone = '', foot, to}) {
  return html`<a class="card stat" href=${to}>
    <div class="label">${label}</div>
    <div class=${`value ${tone}`}>${value || '–'}</div>
    ${foot && html`<div class="foot">${foot}</div>`}
  </a>`;
}

const SPANS = [['hour', 'next hour'], ['day', '24 h'], ['week', '7 d'], ['all', 'all']];
const SPAN_WORDS = {hour: 'in the next hour', day: 'in the next 24 h', week: 'in the next 7 d', all: 'in all'};

export function Due() {
  const [over, setOver] = useState('hour');
  const due = useApi('/timers/histogram', {span: over}, {most: 10000});
  const side = due.data && html`<span class="side num">${count(due.data.total)} ${SPAN_WORDS[over]} · <span class=${due.data.overdue.count ? 'red strong' : ''}>${count(due.data.overdue)} overdue</span></span>`;
  return html`<${Card} title="Timers due" side=${[html`<${Segments} label="Span" value=${over} options=${SPANS} onChange=${setOver}/>`, side]}>
    <div class="body"><${Loaded} from=${due}>${data => html`<${Histogram} data=${data}/>`}</${Loaded}></div>
  </${Card}>`;
}

function Next() {
  const next = useApi('/timers', {order: 'due', limit: 5}, {most: 5000});
  return html`<${Card} title="Next to fire" side=${html`<a class="side plain" href="#/timers">all timers</a>`}>
    <${Loaded} from=${next}>${data => (data.items.length === 0
      ? html`<${Empty} title="No timer is set">Runs that sleep or wait, retries and timers of their own appear here.</${Empty}>`
      : html`<ul class="list">${data.items.map(timer => html`<${Firing} key=${timer.kind + timer.id} timer=${timer}/>`)}</ul>`)}</${Loaded}>
  </${Card}>`;
}

function Firing({timer}) {
  const now = useNow();
  const left = Date.parse(timer.fireAt) - now;
  const to = timerLink(timer);
  return html`<li>
    <div class="two grow"><a class="strong cut linkish" href=${to}>${timer.id}</a>
      <div class="mono cut">${timerText(timer)}</div></div>
    ${left < -1000
      ? html`<span class="red mono num" title="overdue">${relative(timer.fireAt, now)}</span>`
      : html`<span class=${`mono num ${left < 20000 ? 'amber' : 'muted'}`}>${countdown(timer.fireAt, now)}</span>`}
  </li>`;
}

const WINDOWS = [['15m', '15 m'], ['1h', '1 h'], ['24h', '24 h']];

function Throughput() {
  const [over, setOver] = useState('15m');
  const series = useApi('/throughput', {span: over}, {least: 5000, most: 10000});
  return html`<${Card} title=${'Throughput & lateness'} side=${html`<${Segments} label="Window" value=${over} options=${WINDOWS} onChange=${setOver}/>`}>
    <${Loaded} from=${series}>${data => html`<${Series} data=${data}/>`}</${Loaded}>
  </${Card}>`;
}

function NodesCard() {
  const nodes = useApi('/nodes', {}, {topic: 'nodes', most: 5000});
  const [alive, silent, gone] = ['alive', 'silent', 'gone'].map(state => (nodes.data ? nodes.data.items.filter(node => stateOf(node) === state).length : 0));
  return html`<${Card} title="Nodes" side=${nodes.data && html`<span class=${`chip ${alive ? 'green' : 'red'}`}>${alive} alive</span>${silent > 0 && html`<span class="chip amber" title="has not reported for a while">${silent} silent</span>`}${gone > 0 && html`<span class="chip red" title="died or stood still within the last hour">${gone} gone</span>`}`}>
    <${Loaded} from=${nodes}>${data => html`<${NodeList} nodes=${data.items}/>`}</${Loaded}>
  </${Card}>`;
}
