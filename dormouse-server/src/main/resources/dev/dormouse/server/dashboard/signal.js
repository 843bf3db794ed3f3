import {useEffect, useState} from './lib.js';

/** A value that anybody may watch: the page's few pieces of shared state (theme, zone, live data, toasts) are these. */
export function signal(initial) {
  let value = initial;
  const watchers = new Set();
  return {
    get: () => value,
    set(next) {
      if (next === value) return;
      value = next;
      watchers.forEach(watcher => watcher(value));
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/** The signal's value; the component is drawn again whenever it changes. */
export function useSignal(source) {
  const [value, set] = useState(source.get());
  useEffect(() => {
    set(() => source.get());
    return source.watch(next => set(() => next));
  }, [source]);
  return value;
}
