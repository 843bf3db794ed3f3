import {signal} from './signal.js';
import {serverSaid} from './time.js';

const BASE = 'api/v1';

/** True while the server requires a token. The login page is then shown. */
export const loginNeeded = signal(false);

/** The time since which the server has been unreachable, by the browser's clock; null while it is reachable. */
export const silentSince = signal(null);

/** An error response of the API, with its message. `code` is an error code for `dormouse explain`, or empty. */
export class ApiError extends Error {
  constructor(status, error) {
    super(error.message);
    this.status = status;
    this.code = error.code || '';
    this.path = error.path || '';
  }
}

export const get = (path, parameters) => call('GET', path + query(parameters));
export const post = (path, body) => call('POST', path, body === undefined ? {} : body);
export const put = (path, body) => call('PUT', path, body);
export const remove = path => call('DELETE', path);

export const url = path => `${BASE}${path}`;

/** Returns a path below /workflows: of the run `runId`, or of the latest run of `id` if `runId` is missing. */
export function runPath(id, runId, rest = '') {
  return `/workflows/${encodeURIComponent(id)}${rest}${runId ? query({run: runId}) : ''}`;
}

export function query(parameters = {}) {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return entries.length ? `?${new URLSearchParams(entries)}` : '';
}

export async function login(token) {
  await send('POST', 'login', {token});
  loginNeeded.set(false);
}

export async function logout() {
  await send('POST', 'logout', {});
  loginNeeded.set(true);
}

const call = (method, path, body) => send(method, url(path), body);

async function send(method, address, body) {
  // A form or an image of another site cannot set this header, so it cannot send a change.
  const headers = {Accept: 'application/json', 'X-Dormouse-Csrf': '1'};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  let text;
  try {
    response = await fetch(address, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)});
    text = await response.text();
  } catch {
    if (!silentSince.get()) silentSince.set(Date.now());
    throw new ApiError(0, {message: 'Expected an answer of the server, but it cannot be reached. It is tried again.'});
  }
  silentSince.set(null);
  const answer = parse(text);
  if (!response.ok) throw refused(response, answer);
  if (answer && answer.now) serverSaid(answer.now);
  return answer;
}

function refused(response, answer) {
  if (response.status === 401) loginNeeded.set(true);
  const error = answer && answer.error;
  return new ApiError(response.status, error || {message: `Expected an answer, but got HTTP ${response.status} ${response.statusText}.`});
}

function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}
