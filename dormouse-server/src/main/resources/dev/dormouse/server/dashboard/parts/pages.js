import {html, useEffect, useRef, useState} from '../lib.js';
import {get} from '../api.js';
import {dayClock} from '../time.js';
import {toast} from './toast.js';

const ENOUGH = 25;
const MOST_ROUNDS = 30;

/**
 * A list with cursor pages. The first page is live; further pages are loaded on demand and do not change. `first` is the first page
 * from useApi. If `key` changes, the list starts again from its first page. `cursor` is the request parameter for the `next` of the
 * previous page.
 */
export function usePages(key, path, parameters, first, cursor = 'page') {
  const [more, setMore] = useState({key, items: [], next: undefined, searchedBackTo: undefined});
  const [busy, setBusy] = useState(false);
  useEffect(() => setMore({key, items: [], next: undefined, searchedBackTo: undefined}), [key]);
  const current = more.key === key && first ? more : {items: [], next: undefined};
  const next = current.next === undefined ? first && first.next : current.next;
  const searched = current.next === undefined ? first && first.searchedBackTo : current.searchedBackTo;
  const load = async () => {
    setBusy(true);
    try {
      const page = await get(path, {...parameters, [cursor]: next});
      setMore({key, items: [...current.items, ...page.items], next: page.next, searchedBackTo: page.searchedBackTo});
    } catch (error) {
      toast(error.message, 'red');
    } finally {
      setBusy(false);
    }
  };
  const items = first ? distinct([...first.items, ...current.items]) : null;
  // The server searches a limited number of rows per page and may find few matches. The search continues by itself for a while.
  const rounds = useRef(0);
  useEffect(() => { rounds.current = 0; }, [key]);
  useEffect(() => {
    if (searched && next && !busy && items.length < ENOUGH && rounds.current < MOST_ROUNDS) {
      rounds.current += 1;
      load();
    }
  }, [searched, next, busy]);
  return {items, next, searched, load, busy};
}

// Removes duplicates: an item may have moved from the live first page to the second.
function distinct(items) {
  const seen = new Set();
  return items.filter(item => {
    const key = item.runId || `${item.kind} ${item.id} ${item.seq}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

export function More({pages}) {
  if (!pages.next) return null;
  return html`<div class="more">
    ${pages.searched && html`<span>Searched back to ${dayClock(pages.searched)}.</span>`}
    <button type="button" class="button" disabled=${pages.busy} onClick=${pages.load}>${pages.searched ? 'Search further' : 'Load more'}</button>
  </div>`;
}
