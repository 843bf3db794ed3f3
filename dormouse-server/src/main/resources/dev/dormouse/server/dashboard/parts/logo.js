import {html} from '../lib.js';

export function Logo() {
  return html`<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" stroke-width="1.6"/>
    <path d="M10 10V2a8 8 0 0 1 8 8z" fill="currentColor"/></svg>`;
}
