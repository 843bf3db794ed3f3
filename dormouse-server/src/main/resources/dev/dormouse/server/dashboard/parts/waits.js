import {html} from '../lib.js';
import {Empty, When} from './basics.js';
import {isClosed, NodeName} from './status.js';
import {canMove, nowText, openMove, openNow} from './moves.js';
import {waitText} from './names.js';

/** The position of the run's code: each open call with its source line, and the steps under way. */
export function Waits({run, reload}) {
  if (isClosed(run.status)) return html`<${Empty} title="It waits for nothing any more">The run has ended.</${Empty}>`;
  return html`${run.waits === null && html`<div class="body"><p class="note">No node that is alive here has the code of <code>${run.type}</code>, so only its alarm is known:
      ${run.wakeAt ? html` <${When} at=${run.wakeAt}/>` : ' none'}.</p></div>`}
    ${run.waits && run.waits.length === 0 && html`<${Empty} title="It waits for nothing">It is executing${run.node && html` on <${NodeName} node=${run.node}/>`}.</${Empty}>`}
    ${run.waits && run.waits.length > 0 && html`<div class="scroll"><table class="stack">
      <thead><tr><th>Call</th><th>Waits for</th><th>Since</th><th>Until</th><th>At</th><th><span class="sr">Actions</span></th></tr></thead>
      <tbody>${run.waits.map(wait => html`<tr key=${wait.call}><td class="num muted tight">${wait.call}</td><td class="mono end">${waitText(wait)}</td>
        <td class="tight"><span class="narrow-only muted">since </span><${When} at=${wait.since}/></td><td class="tight end"><span class="narrow-only muted">${wait.until ? 'until ' : ''}</span>${wait.until ? html`<${When} at=${wait.until}/>` : html`<span class="muted">no deadline</span>`}</td>
        <td class="mono muted line">${wait.at || '–'}</td>
        <td class="tight small line">${canMove(wait, Date.now()) && html`<span class="buttons">
          <button type="button" class="button" onClick=${() => openMove(run, wait, reload)}>Move …</button>
          <button type="button" class="button" onClick=${() => openNow(run, wait, reload)}>${nowText(wait)}</button></span>`}</td></tr>`)}</tbody></table></div>`}
    ${run.steps && run.steps.length > 0 && html`<${Steps} steps=${run.steps}/>`}`;
}

function Steps({steps}) {
  return html`<div class="scroll"><table class="stack"><thead><tr><th>Step under way</th><th>Attempt</th><th>Next attempt</th><th>Last failure</th></tr></thead>
    <tbody>${steps.map((step, i) => html`<tr key=${i}><td class="mono tight">${step.name}${step.handedOut && html` <span class="chip outline">handed out</span>`}</td>
      <td class="num tight end"><span class="narrow-only muted">attempt </span>${step.attempt}</td><td class="tight line"><span class="narrow-only muted">next </span>${step.nextAttemptAt ? html`<${When} at=${step.nextAttemptAt} as="relative"/>` : html`<span class="muted">now</span>`}</td>
      <td class="red line">${text(step.lastFailure)}</td></tr>`)}</tbody></table></div>`;
}

const text = failure => (failure && typeof failure === 'object' ? `${failure.type}: ${failure.message}` : failure || '');
