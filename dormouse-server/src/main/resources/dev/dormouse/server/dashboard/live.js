import {useEffect, useRef, useState} from './lib.js';
import {signal, useSignal} from './signal.js';
import {get, loginNeeded, query, silentSince, url} from './api.js';
import {REPEAT_MILLIS, Stream} from './stream.js';
import {serverSaid} from './time.js';

/*
 * Live data. One stream of server-sent events feeds all tabs (stream.js). A pulse reports that something has changed and carries the
 * overview. Each page then reloads its data, at most as often as it has declared. Without the stream, because a proxy swallows it or
 * the server restarts, pages poll every few seconds instead.
 */
/** True while the stream is open; null until the first attempt to open it has succeeded or failed. */
export const connected = signal(null);
export const overview = signal(null);

/** The names of nodes, by node id. */
export const nodeNames = signal({});

const pulse = signal(0);
const nodes = signal(0);
const runs = signal({});
const POLL_MILLIS = 5000;
const SOON_MILLIS = 700;

const looks = signal(0);

let watched = [];
let send = inWorker() || inTab();

/** Subscribes to the stream and declares which workflow ids the page shows. */
export function listen(workflowIds = watched) {
  watched = workflowIds;
  say();
}

function inWorker() {
  if (!window.SharedWorker) return null;
  const worker = new SharedWorker(new URL('stream-worker.js', import.meta.url), {type: 'module', name: 'dormouse stream'});
  worker.port.onmessage = event => heard(event.data);
  worker.onerror = () => {
    send = inTab();
    say();
  };
  return message => worker.port.postMessage(message);
}

function inTab() {
  const stream = new Stream();
  const port = {postMessage: heard};
  return message => stream.hear(port, message);
}

function say(more) {
  const address = new URL(url('/events/stream'), document.baseURI).href;
  send({address, watched, shown: !document.hidden && !loginNeeded.get(), ...more});
}

function heard({kind, data, old}) {
  connected.set(kind !== 'lost');
  if (kind === 'pulse') pulsed(data, old);
  if (kind === 'nodes') nodesChanged(data);
  if (kind === 'run') ranOn(data);
}

function pulsed(data, old) {
  if (!old) serverSaid(data.now);
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

loginNeeded.watch(() => say());

// When the server answers again, reconnect at once: the browser would wait a few more seconds.
silentSince.watch(since => since || connected.get() || say({again: true}));

// A hidden page receives no changes, so it reloads everything when it is shown again.
document.addEventListener('visibilitychange', () => {
  say();
  if (!document.hidden) looks.set(looks.get() + 1);
});
window.addEventListener('pagehide', () => say({shown: false}));
window.addEventListener('pageshow', event => event.persisted && say());
setInterval(() => document.hidden || say(), REPEAT_MILLIS);

/** Returns a number that changes with the topic: 'pulse' (any change), 'nodes', or a workflow id. */
function useChanges(topic) {
  const pulses = useSignal(pulse);
  const nodeChanges = useSignal(nodes);
  const changes = useSignal(runs);
  const shown = useSignal(looks);
  if (topic === 'pulse') return shown + pulses;
  if (topic === 'nodes') return shown + nodeChanges + pulses;
  return shown + (changes[topic] || 0);
}

/**
 * Returns the response of the API for a path: {data, error, reload}. Reloads when the topic changes, at most once every `least`
 * milliseconds, and without a change every `most` milliseconds. Old data stays until new data arrives. `error` omits that the server
 * is unreachable, because the top of the page already says so.
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
      state.again = true; // the response under way may be older than the change
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

  // The server accepts a change at once, but the change takes effect a moment later. So reload twice.
  const reload = () => {
    ask();
    setTimeout(() => asked.current.key === key && ask(), SOON_MILLIS);
  };

  const current = answer.key === key;
  const told = answer.error && answer.error.status === 0;
  return {data: current ? answer.data : null, error: current && !told ? answer.error : null, reload};
}
