import {html, uPlot, useEffect, useRef, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {theme, zone} from '../prefs.js';
import {clock, shortClock, span} from '../time.js';
import {useWidth} from './width.js';

const HEIGHT = 190;

/** Throughput on the left axis, how late timers were on the right one. */
export function Series({data}) {
  const [box, width] = useWidth(820);
  const plot = useRef(null);
  const [hover, setHover] = useState(null);
  const look = useSignal(theme);
  const where = useSignal(zone);
  const columns = columnsOf(data);

  useEffect(() => {
    plot.current = new uPlot(options(width, setHover), columns, box.current);
    // The picture is decoration to a screen reader: the legend says the numbers.
    plot.current.root.setAttribute('aria-hidden', 'true');
    return () => plot.current.destroy();
  }, [look, where]);
  useEffect(() => plot.current.setSize({width, height: HEIGHT}), [width]);
  useEffect(() => plot.current.setData(columns), [data]);

  const last = columns[0].length - 1;
  const at = hover === null || hover > last ? last : hover;
  return html`<div class="chart"><${Legend} columns=${columns} at=${at} hovered=${hover !== null}/><div ref=${box}></div></div>`;
}

function Legend({columns, at, hovered}) {
  const [times, steps, completed, late] = columns;
  const rate = value => `${value === undefined || value === null ? '–' : +value.toFixed(1)}/s`;
  return html`<div class="legend">
    <span class="blue"><i></i>steps and timers ${rate(steps[at])}</span>
    <span class="green"><i></i>runs completed ${rate(completed[at])}</span>
    <span class="amber"><i></i>lateness p99 ${late[at] === null || late[at] === undefined ? '–' : span(late[at])}</span>
    <span>${hovered && times[at] ? clock(times[at] * 1000) : ''}</span>
  </div>`;
}

function columnsOf(data) {
  const per = data.slotSeconds || 1;
  // The slot under way is not full yet, and would look like a fall.
  const slots = data.slots.filter(slot => Date.parse(slot.at) + per * 1000 <= Date.parse(data.now));
  return [
    slots.map(slot => Date.parse(slot.at) / 1000),
    slots.map(slot => (slot.steps + slot.fired) / per),
    slots.map(slot => slot.completed / per),
    slots.map(slot => slot.latenessP99Millis),
  ];
}

function options(width, setHover) {
  const css = getComputedStyle(document.documentElement);
  const colour = name => css.getPropertyValue(`--${name}`).trim();
  const font = '11px Inter, sans-serif';
  const grid = {stroke: colour('line'), width: 1};
  const axis = (name, values, more) => ({stroke: colour(name), font, values, ticks: {show: false}, ...more});
  return {
    width,
    height: HEIGHT,
    legend: {show: false},
    padding: [12, 4, 0, 0],
    cursor: {drag: {setScale: false, x: false, y: false}, points: {size: 6}},
    hooks: {setCursor: [plot => setHover(plot.cursor.idx === undefined ? null : plot.cursor.idx)]},
    scales: {
      y: {range: (plot, min, max) => [0, Math.max(1, max * 1.15)]},
      late: {range: (plot, min, max) => [0, Math.max(20, (max || 0) * 1.3)]},
    },
    axes: [
      axis('muted', (plot, times) => times.map(time => shortClock(time * 1000)), {grid, size: 28, space: 70}),
      axis('blue', (plot, values) => values.map(value => `${short(value)}/s`), {grid, size: 52, space: 36}),
      axis('amber', (plot, values) => values.map(value => span(value, 1)), {scale: 'late', side: 1, size: 56, space: 36, grid: {show: false}}),
    ],
    series: [
      {},
      {stroke: colour('blue'), fill: colour('blue-soft'), width: 1.6, points: {show: false}},
      {stroke: colour('green'), width: 1.4, points: {show: false}},
      {stroke: colour('amber'), width: 1.4, scale: 'late', spanGaps: false, points: {size: 4}},
    ],
  };
}

const short = value => (value >= 1000 ? `${+(value / 1000).toFixed(1)}k` : String(+value.toFixed(1)));
