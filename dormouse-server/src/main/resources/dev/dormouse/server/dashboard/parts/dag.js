import {html, useState} from '../lib.js';
import {relative, span} from '../time.js';
import {useWidth} from './width.js';

const BOX = {width: 168, height: 46, gapX: 44, gapY: 16};

const ZOOMS = [.25, .35, .5, .7, 1, 1.4, 2];
const READABLE = .9;

/**
 * The picture of a DAG run. Columns run from left to right, and each step is to the right of all steps before it. A large picture
 * keeps its text readable instead of fitting the page. Scroll bars or dragging move it; buttons change its size.
 */
export function DagPicture({state, definition}) {
  const [box, room] = useWidth(1100);
  const [zoom, setZoom] = useState(0);
  const after = edges(definition);
  const places = layout(state.steps, after);
  const columns = Math.max(0, ...[...places.values()].map(place => place.column)) + 1;
  const rows = Math.max(0, ...[...places.values()].map(place => place.row)) + 1;
  const width = columns * (BOX.width + BOX.gapX) - BOX.gapX + 24;
  const height = rows * (BOX.height + BOX.gapY) - BOX.gapY + 24;
  const fit = Math.min(1, room / width);
  const scale = zoom || Math.max(READABLE, fit);
  return html`<div ref=${box}>
    <div class="zoom small" role="group" aria-label="Size of the picture">
      <button type="button" class="button" aria-label="Smaller" onClick=${() => setZoom([...ZOOMS].reverse().find(other => other < scale - .01) || ZOOMS[0])}>−</button>
      <button type="button" class="button" aria-label="Larger" onClick=${() => setZoom(ZOOMS.find(other => other > scale + .01) || ZOOMS[ZOOMS.length - 1])}>+</button>
      <button type="button" class="button" onClick=${() => setZoom(fit)}>Fit</button><span class="muted num">${Math.round(scale * 100)} %</span></div>
    <div class="dag-box" tabindex="0" role="region" aria-label="Picture of the DAG" onPointerDown=${drag}><svg class="dag" viewBox=${`0 0 ${width} ${height}`} width=${width * scale} height=${height * scale} role="img"
      aria-label=${`DAG ${state.dag} with ${state.steps.length} steps`}>
    ${state.steps.flatMap(step => (after.get(step.id) || []).filter(id => places.has(id)).map(id => html`<path class="edge" d=${curve(places.get(id), places.get(step.id))}/>`))}
    ${state.steps.map(step => html`<${Step} key=${step.id} step=${step} place=${places.get(step.id)}/>`)}
  </svg></div></div>`;
}

/** Moves the picture while the mouse drags it. Touch scrolls by itself. */
function drag(event) {
  if (event.pointerType !== 'mouse' || event.button !== 0) return;
  const box = event.currentTarget;
  const from = {x: event.clientX + box.scrollLeft, y: event.clientY + box.scrollTop};
  const move = next => box.scrollTo(from.x - next.clientX, from.y - next.clientY);
  const end = () => box.removeEventListener('pointermove', move);
  box.setPointerCapture(event.pointerId);
  box.addEventListener('pointermove', move);
  box.addEventListener('pointerup', end, {once: true});
  box.addEventListener('pointercancel', end, {once: true});
}

function Step({step, place}) {
  return html`<g class=${step.status} transform=${`translate(${place.x} ${place.y})`}>
    <title>${[step.id, step.kind, step.status.toLowerCase(), step.note, step.failure].filter(Boolean).join(' · ')}</title>
    <rect width=${BOX.width} height=${BOX.height} rx="8"/>
    <text class="name" x="12" y="19">${cut(step.id, 21)}</text>
    <text x="12" y="35">${cut(line(step), 28)}</text>
  </g>`;
}

function line(step) {
  const status = step.status.toLowerCase().replaceAll('_', ' ');
  if (step.wakeAt) return `${step.kind} · ${relative(step.wakeAt)}`;
  if (step.failure) return step.failure;
  if (step.status === 'COMPLETED' && step.startedAt && step.endedAt) return `${step.kind} · ${span(Date.parse(step.endedAt) - Date.parse(step.startedAt))}`;
  return `${step.kind} · ${status}`;
}

function edges(definition) {
  const steps = (definition && definition.steps) || [];
  const after = new Map(steps.map(step => [step.id, [].concat(step.after || [])]));
  return new Map([...after].map(([id, before]) => [id, before.filter(other => !before.some(between => between !== other && comesAfter(between, other, after)))]));
}

/**
 * Returns true if step `id` comes after step `other`, directly or through other steps. An edge that others imply is not drawn,
 * because it would run behind boxes.
 */
function comesAfter(id, other, after, depth = 0) {
  return depth < after.size && (after.get(id) || []).some(before => before === other || comesAfter(before, other, after, depth + 1));
}

/** Places each step one column after the last of the steps before it. A definition has no cycles. */
function layout(steps, after) {
  const columns = new Map();
  const column = (id, depth = 0) => {
    if (!columns.has(id)) {
      const before = depth > steps.length ? [] : (after.get(id) || []);
      columns.set(id, before.length ? Math.max(...before.map(other => column(other, depth + 1))) + 1 : 0);
    }
    return columns.get(id);
  };
  const filled = [];
  return new Map(steps.map(step => {
    const c = column(step.id);
    const row = filled[c] = (filled[c] === undefined ? 0 : filled[c] + 1);
    return [step.id, {column: c, row, x: 12 + c * (BOX.width + BOX.gapX), y: 12 + row * (BOX.height + BOX.gapY)}];
  }));
}

function curve(from, to) {
  const [x1, y1, x2, y2] = [from.x + BOX.width, from.y + BOX.height / 2, to.x, to.y + BOX.height / 2];
  const bend = Math.max(18, (x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
