import {signal} from './signal.js';
import {get} from './api.js';

/** The response of /info: the store, the user and the role; null until it arrives. */
export const info = signal(null);

export async function readInfo() {
  try {
    info.set(await get('/info'));
  } catch {
    setTimeout(readInfo, 5000);
  }
}

const RANK = {reader: 0, operator: 1, admin: 2};

/** Returns true if the server accepts changes and the user has the role. Only hides buttons: the server checks each request. */
export function may(role) {
  const known = info.get();
  if (!known) return false;
  return !known.readOnly && (RANK[known.role] === undefined ? 2 : RANK[known.role]) >= RANK[role];
}
