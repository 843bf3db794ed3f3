import {html} from '../lib.js';
import {dayShortClock, span} from '../time.js';
import {useWidth} from './width.js';

const HEIGHT = 240;
const TOP = 14;
const BOTTOM = 22;
const LEFT = 34;

/** Timers by due time: one bar per bucket, preceded by a red bar for overdue timers. */
export function Histogram({data}) {
  const [box, width] = useWidth(820);
  const overdue = data.overdue.count;
  const buckets = data.buckets;
  const max = Math.max(1, overdue, ...buckets.map(bucket => bucket.count));
  const first = overdue > 0 ? 1 : 0;
  const step = (width - LEFT - 4) / (buckets.length + first);
  const bar = {width: Math.max(1.5, step * .74), max, floor: HEIGHT - BOTTOM};
  const x = index => LEFT + (index + first) * step;
  const about = `${data.total.count} timers due, ${overdue} overdue`;
  return html`<div ref=${box}><svg class="histogram" viewBox=${`0 0 ${width} ${HEIGHT}`} height=${HEIGHT} role="img" aria-label=${about}>
    <text x=${LEFT - 8} y=${TOP + 4} text-anchor="end">${compact(max)}</text>
    <line x1=${LEFT} x2=${width} y1=${HEIGHT - BOTTOM + .5} y2=${HEIGHT - BOTTOM + .5}/>
    ${overdue > 0 && html`<${Bar} x=${LEFT} count=${overdue} of=${bar} look="overdue" title=${`${overdue} overdue`}/>`}
    ${buckets.map((bucket, i) => html`<${Bar} key=${i} x=${x(i)} count=${bucket.count} of=${bar} look=${i === 0 ? 'first' : ''}
      title=${`${bucket.exact ? '' : '≈ '}${bucket.count} due ${dayShortClock(bucket.from)} – ${dayShortClock(bucket.to)}`}/>`)}
    ${data.total.count + overdue === 0 && html`<text x=${(width + LEFT) / 2} y=${HEIGHT / 2} text-anchor="middle" class="quiet">nothing is due in this time</text>`}
    ${ticks(data, width).map(tick => html`<text x=${x(tick.index)} y=${HEIGHT - 6} text-anchor=${tick.anchor}>${tick.text}</text>`)}
  </svg></div>`;
}

function Bar({x, count, of, look, title}) {
  const height = count === 0 ? 0 : Math.max(2, (count / of.max) * (of.floor - TOP));
  return html`<g><title>${title}</title>
    <rect class="hit" x=${x} y=${TOP} width=${of.width * 1.3} height=${of.floor - TOP}/>
    <rect class=${`bar ${look}`} x=${x} y=${of.floor - height} width=${of.width} height=${height} rx="2"/></g>`;
}

/** Returns marks at quarters of the span, or at halves on a narrow page: "now", "+15 m", "+6 h". */
function ticks(data, width) {
  const from = Date.parse(data.from);
  const length = Date.parse(data.to) - from;
  const parts = width < 500 ? 2 : 4;
  const marks = [{index: 0, text: 'now', anchor: 'start'}];
  for (let part = 1; part <= parts; part += 1) {
    const index = Math.round((part * data.buckets.length) / parts);
    const last = part === parts;
    marks.push({index: last ? index - .2 : index, text: `+${span((length * part) / parts, 1)}`, anchor: last ? 'end' : 'start'});
  }
  return marks;
}

function compact(number) {
  return number < 10_000 ? number.toLocaleString('en-US') : new Intl.NumberFormat('en-US', {notation: 'compact'}).format(number);
}
