import {useEffect, useState} from '../lib.js';
import {dialogIsOpen} from './dialog.js';

/*
 * Arrow keys (or j and k) move through a list, Enter opens a row, and x picks it. Moving to a row focuses its link, so that screen
 * readers and the browser's own keys know the current row.
 */
export function useListKeys(items, {open, pick}) {
  const [here, setHere] = useState(-1);
  useEffect(() => {
    const onKey = event => {
      if (dialogIsOpen() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const step = {ArrowDown: 1, j: 1, ArrowUp: -1, k: -1}[event.key];
      if (step && items.length) {
        event.preventDefault();
        const next = Math.min(items.length - 1, Math.max(0, here + step));
        setHere(next);
        const row = document.querySelectorAll('[data-row]')[next];
        if (row) row.focus();
      } else if (event.key === 'x' && pick && here >= 0 && items[here]) {
        pick(items[here]);
      } else if (event.key === 'Enter' && event.target === document.body && open && items[here]) {
        open(items[here]);
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [items, here]);
  return [here, setHere];
}

export const isTyping = element => /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName) && element.type !== 'checkbox';
