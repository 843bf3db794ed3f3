import {html} from '../lib.js';
import {nodeNames} from '../live.js';
import {useSignal} from '../signal.js';

/** How statuses look, of runs and of timers. One word for one thing: the API's, in lower case. */
const LOOKS = {
  PENDING: ['grey', '·'],
  RUNNING: ['blue', '▶'],
  FIRING: ['blue', '▶'],
  PARKED: ['amber', '◔'],
  WAITING: ['amber', '◔'],
  STUCK: ['red', '!'],
  COMPLETED: ['green', '✓'],
  FIRED: ['green', '✓'],
  FAILED: ['red', '✕'],
  TERMINATED: ['red', '■'],
  TIMED_OUT: ['red', '◷'],
  CANCELLED: ['grey', '⊘'],
  CONTINUED: ['grey', '↻'],
};

/** As they are filtered: a run that waits in a node's memory waits, too. */
export const RUN_STATUSES = [['RUNNING'], ['WAITING', 'PARKED'], ['PENDING'], ['STUCK'], ['COMPLETED'], ['FAILED'], ['CANCELLED'], ['TERMINATED'], ['TIMED_OUT']];

const CLOSED = ['COMPLETED', 'FAILED', 'TERMINATED', 'TIMED_OUT', 'CANCELLED', 'CONTINUED'];

export const isClosed = status => CLOSED.includes(status);

export const tone = status => (LOOKS[status] || ['grey'])[0];

export const statusName = status => {
  const name = status.toLowerCase().replaceAll('_', ' ');
  return name[0].toUpperCase() + name.slice(1);
};

export function Status({status, text}) {
  const [colour, glyph] = LOOKS[status] || ['grey', '·'];
  return html`<span class=${`chip ${colour}`}><span aria-hidden="true">${glyph}</span>${text || statusName(status)}</span>`;
}

/** Returns the name of a node, or the beginning of its id if the name is unknown. */
export function NodeName({node}) {
  const names = useSignal(nodeNames);
  if (!node) return html`<span class="muted">–</span>`;
  return html`<span title=${node}>${names[node] || (/^[0-9a-f-]{36}$/.test(node) ? node.slice(0, 8) : node)}</span>`;
}

const REASONS = {
  START: 'start',
  TIMER: 'timer',
  RETRY: 'retry',
  TIMEOUT: 'execution timeout',
  LEASE: 'lease',
  PARK: 'timer',
  MAIL: 'mail',
  HANDOVER: 'handover',
  BACKOFF: 'back-off after takeovers',
  STUCK: 'next try',
  RATE: 'rate of its queue',
  PAUSE: 'paused activity',
  CLAIMED: 'lease',
  PROBATION: 'lease, first execution after a takeover',
  LINGER: 'timer',
};

/** What an alarm stands for, in words. */
export const reasonName = reason => REASONS[reason] || (reason || '').toLowerCase();

/** Whether the alarm is one that its run waits for, and not only the safety net of a node's lease or memory. */
export const isTimer = reason => !['LEASE', 'CLAIMED', 'PROBATION', 'PARK', 'LINGER', 'MAIL', 'HANDOVER'].includes(reason);
