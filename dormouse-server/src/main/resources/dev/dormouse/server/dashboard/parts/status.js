import {html} from '../lib.js';
import {nodeNames} from '../live.js';
import {useSignal} from '../signal.js';

/** The color and the symbol of each status of runs and timers. The text is the API's name of the status. */
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

/** The statuses of the filter. PARKED counts as WAITING: such a run waits in a node's memory. */
export const RUN_STATUSES = [['RUNNING'], ['WAITING', 'PARKED'], ['PENDING'], ['STUCK'], ['COMPLETED'], ['FAILED'], ['CANCELLED'], ['TERMINATED'], ['TIMED_OUT']];

const CLOSED = ['COMPLETED', 'FAILED', 'TERMINATED', 'TIMED_OUT', 'CANCELLED', 'CONTINUED'];

export const isClosed = status => CLOSED.includes(status);

export const tone = status => (LOOKS[status] || ['grey'])[0];

export const statusName = status => {
  const name = status.toLowerCase().replaceAll('_', ' ');
  return name[0].toUpperCase() + name.slice(1);
};

export function Status({status, text}) {
  const [color, glyph] = LOOKS[status] || ['grey', '·'];
  return html`<span class=${`chip ${color}`}><span aria-hidden="true">${glyph}</span>${text || statusName(status)}</span>`;
}

/** The name of a node, or the beginning of its id if the name is unknown. */
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

/** Returns the reason for an alarm in words. */
export const reasonName = reason => REASONS[reason] || (reason || '').toLowerCase();

/** Returns true if the run waits for the alarm. Other alarms only ensure that some node resumes it. */
export const isTimer = reason => !['LEASE', 'CLAIMED', 'PROBATION', 'PARK', 'LINGER', 'MAIL', 'HANDOVER'].includes(reason);
