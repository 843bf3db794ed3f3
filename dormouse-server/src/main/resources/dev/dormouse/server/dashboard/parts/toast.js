import {html} from '../lib.js';
import {signal, useSignal} from '../signal.js';

const toasts = signal([]);
let toastCount = 0;

/** Shows a short message for a few seconds. The tone 'red' is for failures, which stay longer. */
export function toast(text, tone = '') {
  const entry = {key: toastCount += 1, text, tone};
  toasts.set([...toasts.get().slice(-3), entry]);
  setTimeout(() => toasts.set(toasts.get().filter(other => other !== entry)), tone ? 9000 : 4000);
}

export function Toasts() {
  const entries = useSignal(toasts);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${entries.map(entry => html`<div key=${entry.key} class=${`toast ${entry.tone}`}>${entry.text}</div>`)}
  </div>`;
}
