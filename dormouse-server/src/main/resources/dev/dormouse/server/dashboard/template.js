import {h} from './lib/preact/preact.module.js';

// Elements as templates: html`<p class=${name}>${text}</p>`. A component is <${Name} …/>, and </${Name}> ends it. What is between
// the values is parsed once for each template; values never are, so that nothing in them can become markup.

const SLOT = '\u0000';
const parsed = new WeakMap();

export function html(strings, ...values) {
  let nodes = parsed.get(strings);
  if (!nodes) parsed.set(strings, (nodes = parse(strings)));
  const built = nodes.map(node => build(node, values));
  return built.length === 1 ? built[0] : built;
}

// Text that is written from right to left, or says so, must not turn the words around it: https://www.w3.org/TR/unicode-bidi.
const TURNS = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
const TEXT_ONLY = ['title', 'text', 'option', 'textarea', 'bdi'];

/** A text in a sentence of ours that becomes one string, such as a title. */
export const quote = text => (TURNS.test(text) ? `\u2068${text}\u2069` : text);

function isolated(value, inside) {
  if (typeof value !== 'string' || !TURNS.test(value)) return value;
  return TEXT_ONLY.includes(inside) ? `\u2068${value}\u2069` : h('bdi', null, value);
}

function build(node, values, inside) {
  if (typeof node === 'string') return node;
  if (node.slot !== undefined) return isolated(values[node.slot], inside);
  const props = {};
  node.props.forEach(({name, parts}) => {
    const given = parts.map(part => (typeof part === 'number' ? values[part] : part));
    if (name === '...') Object.assign(props, given[0]);
    else props[name] = given.length === 1 ? given[0] : given.join('');
  });
  const tag = typeof node.tag === 'number' ? values[node.tag] : node.tag;
  return h(tag, props, ...node.children.map(child => build(child, values, tag)));
}

function parse(strings) {
  const reader = new Reader(strings.join(SLOT));
  const nodes = children(reader);
  if (!reader.atEnd()) throw new Error(`Expected the end of a template, but found ${reader.rest()}`);
  return nodes;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.slots = 0;
  }

  atEnd() { return this.at >= this.text.length; }

  rest() { return this.text.slice(this.at, this.at + 40); }

  /** What fits here, which is passed by; empty where nothing does. */
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return '';
    this.at += found[0].length;
    return found[0];
  }

  /** Texts and numbers of slots, in the order in which they stand. */
  parts(text) {
    return text.split(SLOT).flatMap((piece, i) => (i === 0 ? [piece] : [this.slots++, piece])).filter(part => part !== '');
  }
}

function children(reader) {
  const nodes = [];
  while (!reader.atEnd()) {
    reader.parts(reader.take(/[^<]*/y)).forEach(part => {
      const node = typeof part === 'number' ? {slot: part} : part.replace(/^\s*\n\s*|\s*\n\s*$/g, '');
      if (node !== '') nodes.push(node);
    });
    if (reader.atEnd() || reader.take(/<\//y)) return nodes;
    reader.take(/</y);
    nodes.push(element(reader));
  }
  return nodes;
}

function element(reader) {
  const [tag] = reader.parts(reader.take(/[^\s/>]+/y));
  const props = [];
  while (!reader.take(/\s*\/?>/y)) {
    reader.take(/\s+/y);
    props.push(property(reader));
  }
  if (reader.text[reader.at - 2] === '/') return {tag, props, children: []};
  const inside = children(reader);
  reader.parts(reader.take(/[^>]*>/y)); // the end names what it ends, perhaps by a value
  return {tag, props, children: inside};
}

function property(reader) {
  if (reader.take(/\.\.\.\u0000/y)) return {name: '...', parts: [reader.slots++]};
  const name = reader.take(/[^\s=/>]+/y);
  if (!name) throw new Error(`Expected an attribute, but found ${reader.rest()}`);
  if (!reader.take(/=/y)) return {name, parts: [true]};
  const quoted = reader.take(/"[^"]*"|'[^']*'/y);
  const parts = reader.parts(quoted ? quoted.slice(1, -1) : reader.take(/[^\s/>]+/y));
  return {name, parts: parts.length ? parts : ['']};
}
