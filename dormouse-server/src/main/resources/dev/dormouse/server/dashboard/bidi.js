/*
 * Right-to-left text, and characters that change the direction, must not reorder the words around them:
 * https://www.w3.org/TR/unicode-bidi. Ids and payloads become part of sentences in many places. Therefore text is isolated where a
 * sentence is drawn (template.js), not where it is built. The isolated part starts at the first character that changes the direction
 * and ends with its word, or with the last of several such words in a row. Punctuation at the end belongs to the sentence.
 */
const TURNS = '[\\u0590-\\u08ff\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
const END = '[)\\]}"\'?!.,:;…]*(?:\\s|$)';
const ANY = new RegExp(TURNS, 'u');
const RUN = new RegExp(`(${TURNS}(?:(?!${END})\\S|\\s+(?=\\S*${TURNS}))*)`, 'u');

// Characters that would end the isolation early, or prevent its end.
const ISOLATES = /[\u2066-\u2069]/g;

/** Splits a text into parts that alternate: not isolated, isolated, and so on. Returns null if no part must be isolated, as usual. */
export function turns(text) {
  if (typeof text !== 'string' || !ANY.test(text)) return null;
  return text.split(RUN).map((part, i) => (i % 2 ? part.replace(ISOLATES, '') : part));
}

/** Returns a text with its isolated parts marked by characters, for places without elements, such as a tooltip. */
export function isolated(text) {
  const parts = turns(text);
  return parts ? parts.map((part, i) => (i % 2 ? `\u2068${part}\u2069` : part)).join('') : text;
}
