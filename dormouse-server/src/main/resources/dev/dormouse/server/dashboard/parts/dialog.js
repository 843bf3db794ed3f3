import {html, useEffect, useLayoutEffect, useRef, useState} from '../lib.js';
import {signal, useSignal} from '../signal.js';
import {Refusal} from './basics.js';
import {toast} from './toast.js';

const open = signal(null);

/** Opens a dialog, and replaces an open one. `draw` returns its content and gets a function that closes it. */
export function openDialog(draw) {
  open.set({draw, back: document.activeElement});
}

export function closeDialog() {
  const current = open.get();
  open.set(null);
  if (current && current.back && current.back.isConnected) current.back.focus();
}

export const dialogIsOpen = () => open.get() !== null;

export function Dialogs() {
  const current = useSignal(open);
  return current && html`<div key=${current}>${current.draw(closeDialog)}</div>`;
}

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), pre[tabindex]';

export function Dialog({title, onClose, wide, children}) {
  const box = useRef(null);
  useLayoutEffect(() => {
    const first = box.current.querySelector('[autofocus], input:not([type=checkbox]), select, textarea') || box.current.querySelector('footer button, button');
    if (first) first.focus();
  }, []);
  const keep = event => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      onClose();
    } else if (event.key === 'Tab') {
      keepInside(event, box.current);
    }
  };
  return html`<div class="overlay" onMouseDown=${event => event.target === event.currentTarget && onClose()} onKeyDown=${keep}>
    <div class=${`dialog ${wide ? 'wide' : ''}`} role="dialog" aria-modal="true" aria-label=${title} ref=${box}>
      <header><h2>${title}</h2><button type="button" class="button quiet icon" aria-label="Close" onClick=${onClose}>✕</button></header>
      ${children}
    </div>
  </div>`;
}

function keepInside(event, box) {
  const stops = [...box.querySelectorAll(FOCUSABLE)];
  const edge = event.shiftKey ? stops[0] : stops[stops.length - 1];
  if (document.activeElement === edge || !box.contains(document.activeElement)) {
    event.preventDefault();
    (event.shiftKey ? stops[stops.length - 1] : stops[0]).focus();
  }
}

/**
 * A dialog with one action. If `submit` throws an ApiError, the dialog shows it and stays open. If `submit` returns a text, the text
 * is shown as a toast. If it returns false, the dialog stays open.
 */
export function FormDialog({title, action, danger, wide, submit, onClose, disabled, children}) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const alive = useRef(true);
  useEffect(() => () => {
    alive.current = false;
  }, []);
  const onSubmit = async event => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const said = await submit();
      if (said) toast(said);
      if (said !== false) onClose();
    } catch (refused) {
      if (alive.current) setError(refused);
    } finally {
      if (alive.current) setBusy(false);
    }
  };
  return html`<${Dialog} title=${title} onClose=${onClose} wide=${wide}>
    <form onSubmit=${onSubmit}>
      <div class="content">${children}<${Refusal} error=${error}/></div>
      <footer>
        <button type="button" class="button" onClick=${onClose}>Close</button>
        <button type="submit" class=${`button primary ${danger ? 'danger' : ''}`} disabled=${busy || disabled}>${action}</button>
      </footer>
    </form>
  </${Dialog}>`;
}

/** Asks for confirmation of an action that cannot be undone, or that concerns many runs. */
export function confirm({title, text, action, danger = true, submit}) {
  openDialog(close => html`<${FormDialog} title=${title} action=${action} danger=${danger} submit=${submit} onClose=${close}>
    <p>${text}</p>
  </${FormDialog}>`);
}

export function Field({label, hint, children}) {
  return html`<label class="field"><span>${label}</span>${children}${hint && html`<span class="hint">${hint}</span>`}</label>`;
}
