import {html, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {zone} from '../prefs.js';
import {clock, dayClock, dayShortClock, exact, readable, span, useNow} from '../time.js';
import {scaleOf} from './timeline-scale.js';
import {useWidth} from './width.js';

const ROW = 30;
const AXIS = 30;
const FOOT = 18;
const GLYPHS = {run: '◆', step: '▶', sleep: '◔', await: '✉', timer: '◔', child: '⤷', signal: '✉', event: '✉', mark: '●', update: '✎'};
const WAITS = ['sleep', 'await', 'timer', 'event', 'signal'];
const MONO = 7.23;
const UUIDS = /\b([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const MOST = 100;

/** The timeline of a run, past and future: the picture at the top of its page. */
export function Timeline({timeline, open}) {
  const [box, width] = useWidth(1100);
  useSignal(zone);
  const now = useNow();
  const narrow = width < 700;
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(0, timeline.rows.length - MOST);
  const shown = hidden ? [timeline.rows[0], ...timeline.rows.slice(1 + hidden)] : timeline.rows;
  const rows = shown.map(row => ({...row, name: readable(row.name), bars: row.bars.map(bar => parsed(bar, now))}));
  const left = narrow ? 12 : Math.min(360, Math.max(220, width * .27));
  const right = width - (narrow ? 12 : 48);
  const scale = scaleOf(instants(rows, timeline.lines, now, open), left, right);
  const rowHeight = narrow ? 46 : ROW;
  const bottom = AXIS + rows.length * rowHeight;
  const view = {scale, left, right, narrow, rowHeight, width, now, bottom, open};
  const lines = placed(timeline.lines, view);
  const height = bottom + 8 + FOOT * (1 + Math.max(-1, ...lines.map(line => line.level)));
  return html`<div ref=${box}><svg class="timeline" viewBox=${`0 0 ${width} ${height}`} height=${height} role="img"
      aria-label=${`Timeline with ${rows.length} rows; the tab History tells the same in words`}>
    <defs><pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse">
      <rect id="hatch-ground" width="8" height="8"/><path id="hatch-line" d="M-2 2l4-4M0 8l8-8M6 10l4-4"/></pattern></defs>
    ${rows.map((row, i) => i % 2 === 0 && html`<rect class="stripe" x="0" y=${AXIS + i * rowHeight} width=${width} height=${rowHeight}/>`)}
    <${Axis} view=${view}/>
    ${rows.map((row, i) => html`<${Row} key=${i} row=${row} y=${AXIS + i * rowHeight} view=${view}/>`)}
    ${lines.map((line, i) => html`<${Line} key=${i} line=${line} view=${view}/>`)}
    ${open && html`<${Now} view=${view}/>`}
  </svg>
  ${hidden > 0 && html`<div class="more">The latest ${MOST - 1} rows are shown. <button type="button" class="button" onClick=${() => setAll(true)}>Show ${hidden} more</button></div>`}</div>`;
}

function parsed(bar, now) {
  const from = Date.parse(bar.from);
  return {...bar, from, to: bar.to ? Date.parse(bar.to) : Math.max(now, from), endless: !bar.to};
}

function instants(rows, lines, now, open) {
  const all = rows.flatMap(row => row.bars.flatMap(bar => [bar.from, bar.to]));
  lines.forEach(line => all.push(Date.parse(line.at)));
  if (open) all.push(now);
  return all;
}

function Row({row, y, view}) {
  const {left, narrow, rowHeight, scale, right} = view;
  const middle = narrow ? y + 32 : y + rowHeight / 2;
  const end = row.bars.length ? scale.x(Math.max(...row.bars.map(bar => bar.to))) : left;
  const label = narrow ? view.width - 50 : left - 75;
  return html`<g>
    <text class="glyph" x=${narrow ? 12 : 16} y=${narrow ? y + 15 : middle + 4} aria-hidden="true">${GLYPHS[row.kind] || '·'}</text>
    <text class="code" x=${narrow ? 30 : 34} y=${narrow ? y + 15 : middle + 4}>${fit(row.name, label)}<title>${row.name}</title></text>
    ${row.bars.slice(1).map((bar, i) => html`<line class="backoff" x1=${scale.x(row.bars[i].to)} x2=${scale.x(bar.from)} y1=${middle} y2=${middle}/>`)}
    ${row.bars.map((bar, i) => html`<${Bar} key=${i} bar=${bar} row=${row} y=${middle} view=${view}/>`)}
    ${row.result && html`<${Result} text=${row.result} x=${end + 8} y=${middle + 4} start=${scale.x(row.bars[0] ? row.bars[0].from : 0)} right=${right} view=${view}/>`}
  </g>`;
}

/** The result of a row, to the right of its bar; if there is no room, to its left or inside it. */
function Result({text, x, y, start, right, view}) {
  const room = view.width - 6 - x;
  const before = room < 90 && start - view.left > room;
  const inside = !before && room < 90;
  const fitted = fit(`→ ${text}`, before ? start - view.left - 14 : inside ? x - start - 30 : room, 6.65);
  if (fitted.length < 4) return null;
  return html`<text class=${inside ? 'result inside' : 'result'} x=${before ? start - 8 : inside ? start + 10 : x} y=${y} text-anchor=${before ? 'end' : 'start'}>${fitted}<title>${text}</title></text>`;
}

function Bar({bar, row, y, view}) {
  const {scale, now} = view;
  const height = row.kind === 'run' ? 16 : 12;
  const x = scale.x(bar.from);
  const width = Math.max(row.kind === 'mark' ? 6 : 4, scale.x(bar.to) - x);
  const box = {y: y - height / 2, height, rx: 3};
  const title = html`<title>${about(bar, row)}</title>`;
  if (bar.from === bar.to && row.kind !== 'run') return html`<circle class=${row.kind === 'step' ? look(bar, row) : 'mark'} cx=${x} cy=${y} r="4">${title}</circle>`;
  if (bar.state === 'waiting' && row.kind !== 'run') {
    const middle = Math.min(x + width, Math.max(x, scale.x(now)));
    const future = x + width - middle;
    return html`<g>${title}
      ${future > 1 && html`<rect class="future" x=${middle} width=${future} ...${box}/>`}
      ${middle > x && html`<rect class="waiting" x=${x} width=${Math.max(3, middle - x)} ...${box}/>`}
    </g>`;
  }
  const live = bar.state === 'running' && bar.endless && row.kind !== 'run';
  return html`<rect class=${`${look(bar, row)} ${live ? 'pulse' : ''}`} x=${x} width=${width} ...${box}>${title}</rect>`;
}

function look(bar, row) {
  if (row.kind === 'run') return bar.state === 'failed' ? 'run lost' : 'run';
  if (row.kind === 'mark' || row.kind === 'update') return 'mark';
  if (bar.state === 'done' && WAITS.includes(row.kind)) return 'waited';
  return bar.state;
}

function about(bar, row) {
  const length = bar.endless ? 'open' : span(bar.to - bar.from);
  const attempt = bar.attempt > 1 || bar.state === 'failed' ? `, attempt ${bar.attempt || 1}` : '';
  return `${row.name}: ${bar.state}${attempt}, ${length}\n${exact(bar.from)}${bar.endless ? '' : ` – ${exact(bar.to)}`}${bar.note ? `\n${bar.note}` : ''}`;
}

function Axis({view}) {
  const {scale, bottom, left} = view;
  const marks = axisMarks(view);
  return html`<g>
    ${marks.map(mark => html`<line class="grid" x1=${mark.x} x2=${mark.x} y1=${AXIS - 4} y2=${bottom}/>
      <text class=${mark.role} x=${mark.textX} y="18" text-anchor=${mark.anchor}>${mark.text}</text>`)}
    ${scale.pieces.filter(piece => piece.collapsed).map(piece => {
      const x = piece.x + piece.width / 2;
      const free = marks.every(mark => Math.abs(mark.textX - x) > 46 || (mark.anchor === 'start' && mark.textX - x > 12)) && x > left + 60;
      return free && html`<text x=${x} y="18" text-anchor="middle">≈<title>${span(piece.length)} of waiting, drawn short</title></text>`;
    })}
  </g>`;
}

/** Returns the labels of the axis: start and end as dates and, where there is room, instants in between as offsets. */
function axisMarks({scale, left, right, now, open, narrow}) {
  const start = scale.cuts[0];
  const end = scale.cuts[scale.cuts.length - 1];
  const nowX = open ? scale.x(now) : -1000;
  const marks = [{x: left, textX: left, text: dayClock(start), anchor: 'start', to: left + 88}];
  const lastText = end - start > 86_400_000 ? dayShortClock(end) : clock(end);
  const showEnd = right - nowX > 70 || !open;
  const limit = showEnd ? right - (narrow ? 60 : 80) : right;
  for (const cut of scale.cuts.slice(1, -1)) {
    const x = scale.x(cut);
    const previous = marks[marks.length - 1];
    if (cut !== now && x - 32 > previous.to && x + 30 < limit && Math.abs(x - nowX) > 52) {
      const text = [2, 3, 4].map(parts => `+${span(cut - start, parts)}`).find(other => other !== previous.text);
      if (text) marks.push({x, textX: x, text, anchor: 'middle', to: x + text.length * 3.4 + 8});
    }
  }
  if (showEnd) marks.push({x: right, textX: right, text: lastText, role: 'axis-end', anchor: narrow ? 'end' : 'middle', to: right});
  return marks;
}

function Now({view}) {
  const x = view.scale.x(view.now);
  return html`<g><line class="now" x1=${x} x2=${x} y1=${AXIS - 6} y2=${view.bottom}/>
    <text class="now-text" x=${x} y="18" text-anchor="middle">now</text></g>`;
}

const LINE_GLYPHS = {crash: '✖', takeover: '✓', handover: '⇄'};

/**
 * Places the labels of the vertical lines: to the left of a crash and to the right of other lines, if there is room. A label that
 * would overlap another one moves one level down.
 */
function placed(lines, view) {
  const taken = [];
  return lines.map(line => {
    const x = view.scale.x(Date.parse(line.at));
    const text = `${LINE_GLYPHS[line.kind] || ''} ${line.text.replace(UUIDS, '$1')}`;
    const long = text.length * 5.6 + 6;
    const leftward = line.kind === 'crash' ? x - long > 4 : x + long > view.width - 4;
    const [from, to] = leftward ? [x - long, x] : [x, x + long];
    let level = 0;
    while (taken.some(other => other.level === level && from < other.to && to > other.from)) level += 1;
    taken.push({from, to, level});
    return {...line, x, text, leftward, level};
  });
}

function Line({line, view}) {
  const {x, leftward, kind} = line;
  return html`<g><line class=${kind} x1=${x} x2=${x} y1=${AXIS - 4} y2=${view.bottom}/>
    <text class=${`${kind}-text`} x=${leftward ? x - 4 : x + 4} y=${view.bottom + 13 + line.level * FOOT} text-anchor=${leftward ? 'end' : 'start'}>${line.text}<title>${exact(line.at)}</title></text></g>`;
}

function fit(text, pixels, each = MONO) {
  const most = Math.max(1, Math.floor(pixels / each));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
