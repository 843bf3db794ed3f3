import {link, runLink} from '../router.js';
import {readable} from '../time.js';

/** Returns the description of a pending timer of any kind, with names from the user's code. */
export function timerText(timer) {
  const name = timer.name || timer.type || '';
  switch (timer.kind) {
    case 'timer': return `timer ${name}`;
    case 'sql': return `SQL: ${name}`;
    case 'retry': return `retry ${name}`;
    case 'timeout': return `execution timeout of ${name}`;
    case 'start': return `delayed start of ${name}`;
    case 'pause': return `paused activity of ${name}`;
    case 'schedule': return 'schedule';
    case 'sleep': return `wait in ${name}`; // a sleep, or the deadline of another wait
    default: return `${timer.kind} in ${name}`;
  }
}

/** Returns the link to the page with details of a timer. */
export function timerLink(timer) {
  if (timer.kind === 'timer') return link('timers', timer.id);
  if (timer.kind === 'sql') return link('timers', timer.id, {of: 'sql'});
  return timer.kind === 'schedule' ? link('schedules') : runLink(timer.workflowId);
}

export const TIMER_KINDS = ['timer', 'sql', 'sleep', 'retry', 'timeout', 'start', 'pause', 'schedule'];

/** Returns the description of a wait, such as: sleep, await "approved", step chargeCard. */
export function waitText(wait) {
  if (wait.name && wait.name.startsWith(wait.kind)) return readable(wait.name);
  return wait.name ? `${wait.kind} ${readable(wait.name)}` : wait.kind;
}
