import {signal, useSignal} from './signal.js';
import {zone} from './prefs.js';

/*
 * All durations use the server's clock: the browser's clock may be wrong, and "overdue" must not depend on it. Every response that
 * contains "now" corrects the offset between the two clocks.
 */
let offset = 0;

export function serverSaid(now) {
  if (now) offset = Date.parse(now) - Date.now();
}

export const nowMillis = () => Date.now() + offset;

const second = signal(0);
setInterval(() => {
  if (!document.hidden) second.set(second.get() + 1);
}, 1000);

/** Returns the server's time in milliseconds and redraws the component every second. */
export function useNow() {
  useSignal(second);
  return nowMillis();
}

const UNITS = [['d', 86400], ['h', 3600], ['m', 60], ['s', 1]];

/** Formats a duration in at most `parts` units: "2 d 5 h", "21 h 14 m 37 s", "340 ms". */
export function span(millis, parts = 2) {
  const length = Math.abs(millis);
  if (length < 1000) return `${Math.round(length)} ms`;
  if (length < 10_000 && parts > 1) return `${+(length / 1000).toFixed(1)} s`;
  let left = Math.floor(length / 1000);
  const texts = [];
  for (const [name, seconds] of UNITS) {
    if (left >= seconds && texts.length < parts) {
      texts.push(`${Math.floor(left / seconds)} ${name}`);
      left %= seconds;
    } else if (texts.length) {
      break;
    }
  }
  return texts.join(' ');
}

/** Formats an instant relative to now: "in 3 m 2 s", "2 d 5 h ago". */
export function relative(at, now = nowMillis()) {
  const millis = Date.parse(at) - now;
  if (Math.abs(millis) < 1000) return 'now';
  return millis > 0 ? `in ${span(millis)}` : `${span(millis)} ago`;
}

/** Formats the time left: "00:01:12", or from one day on "2 d 5 h". */
export function countdown(at, now) {
  const left = Math.max(0, Date.parse(at) - now);
  const seconds = Math.ceil(left / 1000);
  if (seconds >= 86400) return span(left);
  const pad = n => String(n).padStart(2, '0');
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

const formats = new Map();

function format(options) {
  const key = zone.get() + JSON.stringify(options);
  if (!formats.has(key)) {
    const timeZone = zone.get() === 'UTC' ? 'UTC' : undefined;
    formats.set(key, new Intl.DateTimeFormat('en-GB', {...options, timeZone, hourCycle: 'h23'}));
  }
  return formats.get(key);
}

const CLOCK = {hour: '2-digit', minute: '2-digit', second: '2-digit'};
const DAY = {day: '2-digit', month: 'short'};

export const clock = at => format(CLOCK).format(new Date(at));
export const shortClock = at => format({hour: '2-digit', minute: '2-digit'}).format(new Date(at));
export const dayClock = at => `${day(at)} ${clock(at)}`;
export const dayShortClock = at => `${day(at)} ${shortClock(at)}`;

/** Formats a date, with the year unless it is the current one. */
function day(at) {
  const year = date => format({year: 'numeric'}).format(date);
  const date = new Date(at);
  return format(year(date) === year(new Date(nowMillis())) ? DAY : {...DAY, year: 'numeric'}).format(date);
}

/** Formats an instant with date and zone: "Mon 16 Nov 2026 08:23:09 UTC". */
export const absolute = at => inFull(at, CLOCK);

/** Formats an instant with date, milliseconds and zone, for tooltips. */
export const exact = at => inFull(at, {...CLOCK, fractionalSecondDigits: 3});

function inFull(at, time) {
  const date = new Date(at);
  const day = format({weekday: 'short', day: '2-digit', month: 'short', year: 'numeric'}).format(date).replace(',', '');
  return `${day} ${format(time).format(date)} ${zoneName(date)}`;
}

export function zoneName(date = new Date()) {
  const parts = format({timeZoneName: 'short', hour: '2-digit'}).formatToParts(date);
  return parts.find(part => part.type === 'timeZoneName').value;
}

/** Parses a typed duration, such as "2h", "90s" or "PT5M", into an ISO-8601 duration; null if it cannot. */
export function isoDuration(text) {
  const trimmed = text.trim();
  if (/^-?P/i.test(trimmed)) return trimmed.toUpperCase();
  const match = /^(?:(\d+)\s*d)?\s*(?:(\d+)\s*h)?\s*(?:(\d+)\s*m(?:in)?)?\s*(?:(\d+)\s*s)?$/i.exec(trimmed);
  if (!match || !trimmed) return null;
  const [, d, h, m, s] = match;
  const time = [h && `${h}H`, m && `${m}M`, s && `${s}S`].filter(Boolean).join('');
  return `P${d ? `${d}D` : ''}${time ? `T${time}` : ''}`;
}

/** Formats an ISO-8601 duration for people: PT72H as "3 d", and PT71H59M59.998S too. */
export function people(duration) {
  const match = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(duration || '');
  if (!match) return duration;
  const [d, h, m, s] = match.slice(1).map(part => Number(part || 0));
  const millis = (((d * 24 + h) * 60 + m) * 60 + s) * 1000;
  return span(millis > 10_000 ? Math.round(millis / 1000) * 1000 : millis, 4);
}

/** Formats the ISO-8601 durations and instants inside a text. */
export const readable = text => text
  .replace(/\bPT?[\dDTHMS.]+\b/g, people)
  .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z/g, dayClock);
