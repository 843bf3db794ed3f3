/*
 * Text that is written from right to left, or that says so, must not turn the words around it: https://www.w3.org/TR/unicode-bidi.
 * Ids and payloads are put into sentences in many places, so that this is done where a sentence is drawn (template.js), not where it is made.
 * From the first character that turns text to the end of its word, or of the last such word in a row, everything is isolated. Punctuation at
 * the end is taken for the sentence's own.
 */
const TURNS = '[\\u0590-\\u08ff\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]';
const END = '[)\\]}"\'?!.,:;…]*(?:\\s|$)';
const ANY = new RegExp(TURNS, 'u');
const RUN = new RegExp(`(${TURNS}(?:(?!${END})\\S|\\s+(?=\\S*${TURNS}))*)`, 'u');

// Would end the isolation, or keep it from ending.
const ISOLATES = /[\u2066-\u2069]/g;

/** The parts of a text in turns: not to be isolated, to be isolated. Null if nothing turns, as nearly always. */
export function turns(text) {
  if (typeof text !== 'string' || !ANY.test(text)) return null;
  return text.split(RUN).map((part, i) => (i % 2 ? part.replace(ISOLATES, '') : part));
}

/** A text for where there are no elements, such as a tooltip. */
export function isolated(text) {
  const parts = turns(text);
  return parts ? parts.map((part, i) => (i % 2 ? `\u2068${part}\u2069` : part)).join('') : text;
}
