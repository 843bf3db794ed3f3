import {useEffect, useRef, useState} from './lib.js';
import {signal, useSignal} from './signal.js';
import {get, loginNeeded, query, silentSince, url} from './api.js';
import {REPEAT_MILLIS, Stream} from './stream.js';
import {serverSaid} from './time.js';

/*
 * Live data. One stream of server-sent events feeds all tabs (stream.js): a pulse says that something has changed and carries the
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

const looks = signal(0);

let watched = [];
let send = inWorker() || inTab();

/** Follows the stream, and says which runs the page shows. */
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

// The browser would wait a few seconds more.
silentSince.watch(since => since || connected.get() || say({again: true}));

// Nothing is heard while the page is hidden: it asks for everything when it is shown again.
document.addEventListener('visibilitychange', () => {
  say();
  if (!document.hidden) looks.set(looks.get() + 1);
});
window.addEventListener('pagehide', () => say({shown: false}));
window.addEventListener('pageshow', event => event.persisted && say());
setInterval(() => document.hidden || say(), REPEAT_MILLIS);

/** Which changes a page hears: 'pulse' (anything), 'nodes', or the id of a workflow. */
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
