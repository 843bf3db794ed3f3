import {html} from '../lib.js';

/*
 * Payloads are untrusted data. They become text nodes only, and large ones are shown as far as the API returns them.
 */
export function Value({value}) {
  if (value === null || value === undefined) return html`<p class="muted">nothing</p>`;
  if (value.cut) {
    return html`<pre class="value" tabindex="0">${value.text}</pre>
      <p class="muted">The first ${size(value.text.length)} of ${size(value.bytes)}. The export has all of it.</p>`;
  }
  if ('json' in value) return html`<pre class="value" tabindex="0">${JSON.stringify(value.json, null, 2)}</pre>`;
  return html`<p class="note">${size(value.bytes || 0)}, encoded as <code>${value.encoding || '?'}</code>: only the program with the key can read it.</p>`;
}

export function Values({values}) {
  if (!values || values.length === 0) return html`<p class="muted">no arguments</p>`;
  return values.map((value, i) => html`<${Value} key=${i} value=${value}/>`);
}

export const size = bytes => (bytes < 1024 ? `${bytes} bytes` : `${(bytes / 1024).toFixed(1)} kB`);

/** Parses typed arguments: a JSON value, or a JSON array of all arguments. An empty field means no arguments. */
export function argumentsOf(text) {
  if (!text.trim()) return [];
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`Expected JSON, such as "text", 17 or [1, 2], but got: ${text.trim().slice(0, 80)}`);
  }
  return Array.isArray(value) ? value : [value];
}
