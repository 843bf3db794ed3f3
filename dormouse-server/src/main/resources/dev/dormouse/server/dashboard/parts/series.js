import {html, useState} from '../lib.js';
import {useSignal} from '../signal.js';
import {zone} from '../prefs.js';
import {clock, shortClock, span} from '../time.js';
import {useWidth} from './width.js';

const HEIGHT = 190;
const TOP = 10;
const FLOOR = HEIGHT - 24;
const LEFT = 52;
const RIGHT = 52;

/** A chart of throughput (left axis) and timer lateness (right axis). */
export function Series({data}) {
  const [box, width] = useWidth(820);
  const [hover, setHover] = useState(null);
  useSignal(zone); // times are shown in it
  const points = pointsOf(data);
  const last = points.length - 1;
  const at = hover === null || hover > last ? last : hover;
  const x = index => LEFT + (index * (width - LEFT - RIGHT)) / Math.max(1, last);
  const nearest = event => {
    const place = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setHover(Math.min(last, Math.max(0, Math.round(((place - LEFT) * Math.max(1, last)) / (width - LEFT - RIGHT)))));
  };
  // The picture is hidden from screen readers: the legend contains the numbers.
  return html`<div class="chart"><${Legend} point=${points[at]} hovered=${hover !== null}/><div ref=${box}>
    <svg class="series" viewBox=${`0 0 ${width} ${HEIGHT}`} height=${HEIGHT} aria-hidden="true" onMouseMove=${nearest} onMouseLeave=${() => setHover(null)}>
      <${Picture} points=${points} x=${x} width=${width}/>
      ${hover !== null && html`<line class="cursor" x1=${x(at)} x2=${x(at)} y1=${TOP} y2=${FLOOR}/>`}
    </svg></div></div>`;
}

function Legend({point, hovered}) {
  const rate = value => `${point ? +value(point).toFixed(1) : '–'}/s`;
  return html`<div class="legend">
    <span class="blue"><i></i>steps and timers ${rate(one => one.steps)}</span>
    <span class="green"><i></i>runs completed ${rate(one => one.completed)}</span>
    <span class="amber"><i></i>lateness p99 ${point && point.late !== null ? span(point.late) : '–'}</span>
    <span>${hovered && point ? clock(point.time) : ''}</span>
  </div>`;
}

function Picture({points, x, width}) {
  const rates = scale(Math.max(1, ...points.map(point => Math.max(point.steps, point.completed))));
  const times = scale(Math.max(20, ...points.map(point => point.late ?? 0)));
  const line = value => path(points.map(value), x);
  const steps = line(point => rates.y(point.steps));
  return html`<g>
    ${rates.marks.map(mark => html`<line class="grid" x1=${LEFT} x2=${width - RIGHT} y1=${rates.y(mark)} y2=${rates.y(mark)}/>
      <text class="blue" x=${LEFT - 8} y=${rates.y(mark) + 4} text-anchor="end">${short(mark)}/s</text>`)}
    ${times.marks.map(mark => html`<text class="amber" x=${width - RIGHT + 8} y=${times.y(mark) + 4}>${span(mark, 1)}</text>`)}
    ${clocks(points, width).map(index => html`<line class="grid" x1=${x(index)} x2=${x(index)} y1=${TOP} y2=${FLOOR}/>
      <text x=${x(index)} y=${HEIGHT - 6} text-anchor="middle">${shortClock(points[index].time)}</text>`)}
    ${points.length > 1 && html`<path class="area" d=${`${steps} L${x(points.length - 1)},${FLOOR} L${x(0)},${FLOOR} Z`}/>`}
    <path class="line blue" d=${steps}/>
    <path class="line green" d=${line(point => rates.y(point.completed))}/>
    <path class="line amber" d=${line(point => (point.late === null ? null : times.y(point.late)))}/>
    ${alone(points).map(index => html`<circle class="amber" cx=${x(index)} cy=${times.y(points[index].late)} r="2"/>`)}
  </g>`;
}

function pointsOf(data) {
  const per = data.slotSeconds || 1;
  // The current slot is not complete and would look like a drop.
  return data.slots.filter(slot => Date.parse(slot.at) + per * 1000 <= Date.parse(data.now)).map(slot => ({
    time: Date.parse(slot.at),
    steps: (slot.steps + slot.fired) / per,
    completed: slot.completed / per,
    late: slot.latenessP99Millis,
  }));
}

/** Returns round marks from zero to above the largest value, and the function that maps a value to a y coordinate. */
function scale(largest) {
  const rough = (largest * 1.15) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(times => times * power).find(size => size >= rough);
  const top = step * 3;
  return {marks: [0, step, 2 * step, top], y: value => FLOOR - (value / top) * (FLOOR - TOP)};
}

/** Returns the SVG path of a line, with gaps where there is no value. */
function path(values, x) {
  return values.map((y, i) => (y === null ? '' : `${i === 0 || values[i - 1] === null ? 'M' : 'L'}${x(i).toFixed(1)},${y.toFixed(1)}`)).join(' ');
}

/** Returns the indexes of values without a neighbor, which a line would not show. */
function alone(points) {
  const has = index => points[index] !== undefined && points[index].late !== null;
  return points.map((point, i) => i).filter(i => has(i) && !has(i - 1) && !has(i + 1));
}

const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360];

/** Returns the indexes of points that get a time label: at round times, with room between them. */
function clocks(points, width) {
  if (points.length < 2) return [];
  const minutes = (points[points.length - 1].time - points[0].time) / 60_000;
  const every = (MINUTES.find(step => minutes / step <= width / 110) || 720) * 60_000;
  return points.map((point, i) => i).filter(i => points[i].time % every === 0);
}

const short = value => (value >= 1000 ? `${+(value / 1000).toFixed(1)}k` : String(+value.toFixed(1)));
