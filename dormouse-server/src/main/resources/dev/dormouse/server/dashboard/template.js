import {h} from './lib/preact/preact.module.js';
import {isolated, turns} from './bidi.js';

// Elements as templates: html`<p class=${name}>${text}</p>`. A component is <${Name} …/>, and </${Name}> ends it. The text between
// the values is parsed once for each template. Values are never parsed, so they cannot become markup.

const SLOT = '\u0000';
const parsed = new WeakMap();

export function html(strings, ...values) {
  let nodes = parsed.get(strings);
  if (!nodes) parsed.set(strings, (nodes = parse(strings)));
  const built = nodes.map(node => build(node, values));
  return built.length === 1 ? built[0] : built;
}

const TEXT_ONLY = ['title', 'text', 'option', 'textarea', 'bdi'];
const READ_OUT = ['title', 'aria-label', 'placeholder'];

function text(value, inside) {
  if (TEXT_ONLY.includes(inside)) return isolated(value);
  const parts = turns(value);
  return parts ? parts.map((part, i) => (i % 2 ? h('bdi', null, part) : part)) : value;
}

function build(node, values, inside) {
  if (typeof node === 'string') return node;
  if (node.slot !== undefined) return text(values[node.slot], inside);
  const props = {};
  node.props.forEach(({name, parts}) => {
    const given = parts.map(part => (typeof part === 'number' ? values[part] : part));
    if (name === '...') Object.assign(props, given[0]);
    else props[name] = given.length === 1 ? given[0] : given.join('');
  });
  const tag = typeof node.tag === 'number' ? values[node.tag] : node.tag;
  if (typeof tag === 'string') READ_OUT.forEach(name => name in props && (props[name] = isolated(props[name])));
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

  /** Returns the text that matches at the current position, and moves past it; empty if nothing matches. */
  take(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return '';
    this.at += found[0].length;
    return found[0];
  }

  /** Splits a text into literal texts and slot numbers, in order. */
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
  reader.parts(reader.take(/[^>]*>/y)); // an end tag may have a slot as its name, which must be counted
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
