import {html} from '../lib.js';
import {relative, span, useNow} from '../time.js';
import {Empty} from './basics.js';

/** A short list of nodes: alive, silent or gone, occupied slots, and the time left of their leases. */
export function NodeList({nodes}) {
  const now = useNow();
  if (nodes.length === 0) {
    return html`<${Empty} title="No node is alive" code="./dormouse dev my-service.jar">Runs go on as soon as a process with their code opens this store.</${Empty}>`;
  }
  return html`<ul class="list">${nodes.map(node => html`<li key=${node.id}>
    <span class=${`dot ${tone(node)}`} title=${stateOf(node)}></span>
    <span class="two grow"><span class="cut block" title=${node.id}>${node.name || node.id}</span>
      ${node.recovered > 0 && html`<div class="mono cut">${node.recovered} ${node.recovered === 1 ? 'run' : 'runs'} recovered</div>`}</span>
    ${node.alive && !node.silent
      ? html`<span class="muted num">${node.executing} / ${node.slots} slots</span><span class="mono muted num">lease ${leaseLeft(node, now)}</span>`
      : html`<span class="muted">${stateOf(node)}, seen ${relative(node.seenAt, now)}</span>`}
  </li>`)}</ul>`;
}

/** Returns the state of a node. A silent one has not reported for a while, and does not count as dead yet. */
export const stateOf = node => (node.alive ? (node.silent ? 'silent' : 'alive') : 'gone');

export const tone = node => ({alive: 'green', silent: 'amber', gone: 'red'})[stateOf(node)];

/** Returns the time until the leases of a node expire, if it does not renew them again. */
export function leaseLeft(node, now) {
  const left = Date.parse(node.seenAt) + node.leaseMillis - now;
  return left > 0 ? span(Math.ceil(left / 100) * 100) : 'over';
}
