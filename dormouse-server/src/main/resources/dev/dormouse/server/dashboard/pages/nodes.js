import {html} from '../lib.js';
import {useApi} from '../live.js';
import {useNow, relative} from '../time.js';
import {Card, Empty, Loaded, When} from '../parts/basics.js';
import {leaseLeft, stateOf, tone} from '../parts/node-list.js';

export function Nodes() {
  const nodes = useApi('/nodes', {}, {topic: 'nodes', most: 4000});
  const alive = nodes.data ? nodes.data.items.filter(node => stateOf(node) === 'alive').length : 0;
  return html`<${Card} title="Nodes" side=${nodes.data && html`<span class=${`chip ${alive ? 'green' : 'red'}`}>${alive} alive</span>
      <span class="side wide-only">processes that execute runs on this store; those that died stay for an hour</span>`}>
    <${Loaded} from=${nodes}>${data => (data.items.length === 0 ? html`<${NoNode}/>` : html`<${Table} nodes=${data.items}/>`)}</${Loaded}>
  </${Card}>`;
}

function NoNode() {
  return html`<${Empty} title="No node is alive" code="./dormouse dev my-service.jar">
    Nothing is lost: runs and timers are rows. They go on as soon as a process with their code opens this store.</${Empty}>`;
}

function Table({nodes}) {
  const now = useNow();
  return html`<div class="scroll"><table>
    <thead><tr><th>Node</th><th>Executing</th><th class="wide-only">Parked</th><th>Lease</th><th>Recovered</th><th class="wide-only">Workflows</th><th class="wide-only">Build</th><th class="wide-only">Started</th><th class="wide-only">Seen</th></tr></thead>
    <tbody>${nodes.map(node => html`<tr key=${node.id}>
      <td><span class="row"><span class=${`dot ${tone(node)}`} title=${stateOf(node)}></span><span><span class="strong">${node.name || node.id}</span>
        <div class="mono muted">${node.id.slice(0, 18)}</div></span></span></td>
      <td class="num"><${Slots} node=${node}/></td>
      <td class="num wide-only">${node.alive ? node.parked : '–'}</td>
      <td class="mono num tight">${node.alive && !node.silent ? leaseLeft(node, now) : html`<span class=${tone(node)}>${stateOf(node)}, seen ${relative(node.seenAt, now)}</span>`}</td>
      <td class="num">${node.recovered || 0}</td>
      <td class="wide-only muted">${types(node).join(', ') || '–'}</td>
      <td class="wide-only mono muted">${buildOf(node)}</td>
      <td class="wide-only"><${When} at=${node.startedAt} as="relative"/></td>
      <td class="wide-only"><${When} at=${node.seenAt} as="relative"/></td>
    </tr>`)}</tbody></table></div>`;
}

// The names of internal lanes (timers, schedules, events, handovers) start or end with a special character.
const types = node => (node.lanes || []).filter(lane => /^[\p{L}\d]/u.test(lane) && !/[~:]$/.test(lane));

// A node without a configured build uses its own id as the build.
const buildOf = node => (node.build && node.build !== node.id ? node.build.slice(0, 8) : '–');

function Slots({node}) {
  if (!node.alive) return '–';
  const share = node.slots ? Math.min(1, node.executing / node.slots) : 0;
  return html`${node.executing} / ${node.slots}
    <svg class="wide-only slots" width="60" height="6" viewBox="0 0 60 6" aria-hidden="true"><rect width="60" height="6" rx="3" fill="var(--line)"/><rect width=${60 * share} height="6" rx="3" fill="var(--blue)"/></svg>`;
}
