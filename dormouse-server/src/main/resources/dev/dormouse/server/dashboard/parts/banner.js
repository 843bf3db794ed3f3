import {html} from '../lib.js';
import {useSignal} from '../signal.js';
import {zone} from '../prefs.js';
import {may} from '../session.js';
import {absolute, readable, span, useNow} from '../time.js';
import {canMove, endText, nowText, openMove, openNow} from './moves.js';
import {isClosed, isTimer, NodeName, reasonName, tone} from './status.js';
import {waitText} from './names.js';
import {openRetry} from './actions.js';

/** The current wait of a run and its deadline; or how the run ended; or its problem. */
export function Banner({run, reload}) {
  useSignal(zone);
  if (isClosed(run.status)) return html`<${Ended} run=${run} reload=${reload}/>`;
  if (run.trouble) return html`<${Trouble} run=${run}/>`;
  const wait = nextWait(run);
  if (wait && wait.until && !isAtWork(run, wait)) return html`<${Until} run=${run} wait=${wait} reload=${reload}/>`;
  if (wait && run.status !== 'RUNNING') return html`<${WithoutDeadline} run=${run} wait=${wait}/>`;
  return html`<${Executing} run=${run}/>`;
}

/** Returns true if the next attempt of a step has begun. */
const isAtWork = (run, wait) => run.status === 'RUNNING' && wait.kind === 'retry' && Date.parse(wait.until) <= Date.now();

/** A run that executes, is between steps, or is ready to continue. */
function Executing({run}) {
  const called = (run.waits || []).filter(wait => wait.kind === 'step' || wait.kind === 'retry');
  const steps = [...new Set([...called, ...(run.steps || [])].map(step => step.name))].join(', ');
  return html`<section class="card banner blue"><div class="grow"><h2>${run.node ? html`Executing on <${NodeName} node=${run.node}/>` : 'Ready to continue'}</h2>
    <p class="muted">${steps ? `in step ${steps}` : run.node ? 'between steps' : 'a node takes it as soon as one is free'}</p></div></section>`;
}

/** Returns the wait that ends first. If no live node has the code, derives it from the alarm alone. */
function nextWait(run) {
  const waits = run.waits || [];
  const timed = waits.filter(wait => wait.until).sort((a, b) => Date.parse(a.until) - Date.parse(b.until));
  if (timed.length) return timed[0];
  if (waits.length) return waits[0];
  return run.wakeAt && isTimer(run.wakeReason) ? fromTimeline(run) : null;
}

function fromTimeline(run) {
  const row = run.timeline.rows.slice(1).find(other => other.bars.some(bar => bar.to === run.wakeAt && bar.state === 'waiting'));
  const bar = row && row.bars[row.bars.length - 1];
  return {kind: row ? row.kind : reasonName(run.wakeReason), name: row ? row.name : '', since: bar ? bar.from : run.startedAt, until: run.wakeAt, canMove: false};
}

function Until({run, wait, reload}) {
  const now = useNow();
  const until = Date.parse(wait.until);
  const since = Date.parse(wait.since || run.startedAt);
  const share = Math.min(1, Math.max(0, (now - since) / Math.max(1, until - since)));
  const left = until - now;
  return html`<section class="card banner amber" aria-label="What it waits for">
    <div class="grow"><h2>Waiting for <code>${waitText(wait)}</code></h2>
      <p class="muted">${endText(wait)} ${absolute(wait.until)} · ${left > 0
        ? html`in <span class="left">${span(left, 4)}</span>`
        : html`<span class="left">due</span>`} · survives restarts: the timer is a row in the store${run.status === 'WAITING' ? ', no thread is held' : ''}</p></div>
    <div class="meter" role="progressbar" aria-label="How much of the wait is over" aria-valuenow=${Math.round(share * 100)}><div style=${{width: `${share * 100}%`}}></div></div>
    ${canMove(wait, now) && html`<div class="buttons">
      <button type="button" class="button" onClick=${() => openMove(run, wait, reload)}>Move …</button>
      <button type="button" class="button" onClick=${() => openNow(run, wait, reload)}>${nowText(wait)}</button></div>`}
  </section>`;
}

function WithoutDeadline({run, wait}) {
  const now = useNow();
  return html`<section class="card banner amber"><div class="grow"><h2>Waiting for <code>${waitText(wait)}</code></h2>
    <p class="muted">without a deadline${wait.since ? html`, for <span class="left">${span(now - Date.parse(wait.since))}</span>` : ''}${run.status === 'WAITING' ? ' · no thread is held' : ''}</p></div></section>`;
}

function Trouble({run}) {
  const now = useNow();
  return html`<section class="card banner red" role="alert"><div class="grow"><h2 class="red">${run.status === 'STUCK' ? 'Stuck' : 'In trouble'}</h2><p>${readable(run.trouble)}</p>
    ${Date.parse(run.wakeAt) > now && html`<p class="muted">tried again in ${span(Date.parse(run.wakeAt) - now)}; nothing is lost meanwhile</p>`}</div></section>`;
}

function Ended({run, reload}) {
  const took = run.closedAt ? span(Date.parse(run.closedAt) - Date.parse(run.startedAt)) : '';
  const words = {COMPLETED: 'Completed', FAILED: 'Failed', CANCELLED: 'Cancelled', TERMINATED: 'Terminated', TIMED_OUT: 'Timed out', CONTINUED: 'Continued as a new run'};
  const can = ['FAILED', 'TIMED_OUT'].includes(run.status) && may('operator');
  return html`<section class=${`card banner ${tone(run.status)}`}><div class="grow"><h2>${words[run.status] || run.status}${took && ` after ${took}`}</h2>
    ${run.failure && html`<p><span class="red strong">${run.failure.type}</span>: ${run.failure.message}</p>`}
    ${!run.failure && run.closedAt && html`<p class="muted">${absolute(run.closedAt)}</p>`}</div>
    ${can && html`<button type="button" class="button primary" onClick=${() => openRetry(run, reload)}>Retry</button>`}</section>`;
}
