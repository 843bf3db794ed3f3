import {useEffect, useState} from './lib.js';

/** An observable value. All shared state of the page (theme, zone, live data, toasts) consists of signals. */
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

/** Returns the value of a signal and redraws the component whenever the value changes. */
export function useSignal(source) {
  const [value, set] = useState(source.get());
  useEffect(() => {
    set(() => source.get());
    return source.watch(next => set(() => next));
  }, [source]);
  return value;
}
