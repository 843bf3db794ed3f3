import {html, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {zone} from '../prefs.js';
import {dayClock, exact, relative, useNow} from '../time.js';
import {toast} from './toast.js';

/** Formats a number from the API, {count, exact}. Marks an estimate with "≈". */
export function count(number) {
  if (!number) return '–';
  const text = number.count.toLocaleString('en-US');
  return number.exact ? text : `≈ ${text}`;
}

/** An instant: absolute in the text and relative in the tooltip, or the other way round. */
export function When({at, as = 'absolute'}) {
  useSignal(zone);
  const now = useNow();
  if (!at) return html`<span class="muted">–</span>`;
  const [text, title] = as === 'relative' ? [relative(at, now), exact(at)] : [dayClock(at), `${exact(at)} · ${relative(at, now)}`];
  return html`<time class="num" datetime=${at} title=${title}>${text}</time>`;
}

export function Card({title, children, side, lined, class: more = ''}) {
  return html`<section class=${`card ${more}`} aria-label=${typeof title === 'string' ? title : undefined}>
    ${title && html`<header class=${lined ? 'lined' : ''}><h2>${title}</h2>${side}</header>`}
    ${children}
  </section>`;
}

export function Segments({label, value, options, onChange}) {
  return html`<div class="segments" role="group" aria-label=${label}>
    ${options.map(([key, text]) => html`<button type="button" aria-pressed=${String(key === value)} onClick=${() => onChange(key)}>${text}</button>`)}
  </div>`;
}

/** An error of the API, with its code. */
export function Refusal({error}) {
  if (!error) return null;
  return html`<p class="note red" role="alert">
    ${error.code && html`<span class="code">${error.code}</span>`}${withoutCode(error)}${error.path && html` <code>${error.path}</code>`}
  </p>`;
}

// A message may start with its error code in brackets. Beside the code, it would be shown twice.
export const withoutCode = error => error.message.replace(/^\[DM\d+\]\s*/, '');

export function Loading() {
  return html`<p class="loading" role="status">Loading …</p>`;
}

export function Snippet({text}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      toast('Expected to copy, but the browser does not allow it on this page. Select the text instead.', 'red');
    }
  };
  return html`<div class="snippet"><pre tabindex="0"><code>${text}</code></pre>
    <button type="button" class="button small" onClick=${copy}>${copied ? 'Copied' : 'Copy'}</button></div>`;
}

/** A placeholder for an empty list, with the reason and what to do. */
export function Empty({title, children, code}) {
  return html`<div class="empty">
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/></svg>
    <h3>${title}</h3>
    <div>${children}</div>
    ${code && html`<${Snippet} text=${code}/>`}
  </div>`;
}

/** The result of useApi: the loaded data, an error, or "Loading". */
export function Loaded({from, children}) {
  if (from.data) return html`${from.error && html`<div class="body"><${Refusal} error=${from.error}/></div>`}${children(from.data)}`;
  if (from.error) return html`<div class="body"><${Refusal} error=${from.error}/></div>`;
  return html`<${Loading}/>`;
}
