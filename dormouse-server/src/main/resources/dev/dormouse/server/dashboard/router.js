import {signal} from './signal.js';

/*
 * Pages are hash routes, so that the server has one page to serve and any prefix of a proxy will do:
 * #/workflows/ID?tab=history. Filters are in the query, so that a list can be kept as a link.
 */
export const route = signal(read());

window.addEventListener('hashchange', () => route.set(read()));

function read() {
  const [path, search = ''] = location.hash.replace(/^#/, '').split('?');
  const parts = path.split('/').filter(Boolean).map(decode);
  return {page: parts[0] || '', id: parts.slice(1).join('/') || null, query: Object.fromEntries(new URLSearchParams(search))};
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function link(page, id, parameters = {}) {
  const entries = Object.entries(parameters).filter(([, value]) => value);
  const search = entries.length ? `?${new URLSearchParams(entries)}` : '';
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ''}${search}`;
}

export const runLink = (id, runId) => link('workflows', id, runId ? {run: runId} : {});

export function go(address) {
  location.hash = address;
}

/** Changes the query of this page without a new entry in the browser's history. */
export function refine(parameters) {
  const {page, id, query} = route.get();
  history.replaceState(null, '', link(page, id, {...query, ...parameters}));
  route.set(read());
}
