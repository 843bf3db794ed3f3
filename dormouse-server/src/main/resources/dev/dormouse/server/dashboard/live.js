import {useEffect, useRef, useState} from './lib.js';
import {signal, useSignal} from './signal.js';
import {get, loginNeeded, query, silentSince, url} from './api.js';
import {serverSaid} from './time.js';

/*
 * Live data. One stream of server-sent events feeds everything: a pulse says that something has changed and carries the
 * overview; pages then ask again for what they show, at most as often as they say. Without the stream (a proxy that
 * swallows it, a server that restarts) pages ask every few seconds instead.
 */
/** True while the stream is open, null until it is known. */
export const connected = signal(null);
export const overview = signal(null);

/** What nodes are called, by their ids. */
export const nodeNames = signal({});

const pulse = signal(0);
const nodes = signal(0);
const runs = signal({});
const POLL_MILLIS = 5000;
const SOON_MILLIS = 700;

let source = null;
let watched = [];

/** Opens the stream, anew if the run to watch is another. */
export function listen(workflowIds = watched) {
  if (source && workflowIds.join('\n') === watched.join('\n')) return;
  watched = workflowIds;
  if (source) source.close();
  const parameters = watched.map(id => `workflow=${encodeURIComponent(id)}`).join('&');
  source = new EventSource(url('/events/stream') + (parameters ? `?${parameters}` : ''));
  source.onopen = () => connected.set(true);
  source.onerror = lost;
  source.addEventListener('pulse', event => pulsed(JSON.parse(event.data)));
  source.addEventListener('nodes', event => nodesChanged(JSON.parse(event.data)));
  source.addEventListener('run', event => ranOn(JSON.parse(event.data)));
}

function pulsed(data) {
  connected.set(true);
  serverSaid(data.now);
  if (data.overview) overview.set(data.overview);
  pulse.set(pulse.get() + 1);
}

function nodesChanged(data) {
  nodeNames.set(Object.fromEntries(data.items.map(node => [node.id, node.name])));
  nodes.set(nodes.get() + 1);
}

function ranOn(data) {
  runs.set({...runs.get(), [data.workflowId]: (runs.get()[data.workflowId] || 0) + 1});
}

// The browser reconnects by itself, unless the answer was no stream at all: then this does, later.
function lost() {
  connected.set(false);
  if (source && source.readyState === EventSource.CLOSED) {
    source = null;
    setTimeout(() => source || loginNeeded.get() || listen(), POLL_MILLIS);
  }
}

loginNeeded.watch(needed => {
  if (!needed) listen();
});

// The browser would wait a few seconds more.
silentSince.watch(since => {
  if (since || connected.get()) return;
  if (source) source.close();
  source = null;
  listen();
});
window.addEventListener('beforeunload', () => source && source.close());

/** Which changes a page hears: 'pulse' (anything), 'nodes', or the id of a workflow. */
function useChanges(topic) {
  const pulses = useSignal(pulse);
  const nodeChanges = useSignal(nodes);
  const changes = useSignal(runs);
  if (topic === 'pulse') return pulses;
  if (topic === 'nodes') return nodeChanges + pulses;
  return (changes[topic] || 0);
}

/**
 * What the API answers at a path: {data, error, reload}. It is asked again when the topic changes, at most every
 * `least` milliseconds, and in any case every `most`. Old data stays on the page until there is new; that the server cannot be
 * reached is said above it, once.
 */
export function useApi(path, parameters, {topic = 'pulse', least = 2000, most = 15000} = {}) {
  const key = path && path + query(parameters);
  const [answer, setAnswer] = useState({key: null, data: null, error: null});
  const asked = useRef({at: 0, busy: null, again: false, timer: 0, key: null});
  const change = useChanges(topic);
  const streaming = useSignal(connected) !== false;

  const ask = async () => {
    const state = asked.current;
    clearTimeout(state.timer);
    if (state.busy === key) {
      state.again = true; // what is on its way may have been answered before the change that we are asked to show
      return;
    }
    Object.assign(state, {at: Date.now(), busy: key, again: false, key});
    try {
      const data = await get(key);
      if (state.key === key) setAnswer({key, data, error: null});
    } catch (error) {
      if (state.key === key) setAnswer(old => ({key, data: old.key === key ? old.data : null, error}));
    } finally {
      if (state.busy === key) {
        state.busy = null;
        if (state.again && state.key === key) ask();
      }
    }
  };

  useEffect(() => {
    if (!key) return undefined;
    asked.current.key = key;
    ask();
    const timer = setInterval(() => document.hidden || ask(), streaming ? most : Math.min(most, POLL_MILLIS));
    return () => {
      clearInterval(timer);
      clearTimeout(asked.current.timer);
      asked.current.key = null;
    };
  }, [key, streaming]);

  useEffect(() => {
    if (!key || !change) return;
    clearTimeout(asked.current.timer);
    asked.current.timer = setTimeout(ask, Math.max(0, asked.current.at + least - Date.now()));
  }, [change]);

  // A request to change something is accepted at once, and takes effect a moment later.
  const reload = () => {
    ask();
    setTimeout(() => asked.current.key === key && ask(), SOON_MILLIS);
  };

  const current = answer.key === key;
  const told = answer.error && answer.error.status === 0;
  return {data: current ? answer.data : null, error: current && !told ? answer.error : null, reload};
}
