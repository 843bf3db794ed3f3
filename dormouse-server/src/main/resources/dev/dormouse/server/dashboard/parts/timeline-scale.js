/*
 * The scale of the timeline. A run may execute for milliseconds and then sleep for days, so a linear scale would hide the execution.
 * Time is split wherever something begins or ends. Pieces that are much longer than all others together are collapsed to a fixed
 * width and marked "≈". The others keep their proportions, but every piece stays wide enough to be seen.
 */
const COLLAPSED = 0.13;
const LEAST_PIXELS = 10;
const LEAST_MILLIS = 10_000;

export function scaleOf(instants, from, to) {
  const cuts = [...new Set(instants.filter(Number.isFinite))].sort((a, b) => a - b);
  if (cuts.length < 2) cuts.push((cuts[0] || 0) + 1000);
  const pieces = cuts.slice(1).map((end, i) => ({start: cuts[i], end, length: end - cuts[i], collapsed: false}));
  collapse(pieces);
  share(pieces, to - from);
  let x = from;
  for (const piece of pieces) {
    piece.x = x;
    x += piece.width;
  }
  return {cuts, pieces, x: at => place(pieces, at)};
}

/** Collapses the longest piece, again and again, as long as it is much longer than the rest. */
function collapse(pieces) {
  const open = [...pieces].sort((a, b) => b.length - a.length);
  let rest = open.reduce((sum, piece) => sum + piece.length, 0);
  while (open.length > 2) {
    const longest = open.shift();
    rest -= longest.length;
    if (longest.length < Math.max(LEAST_MILLIS, rest * 1.5)) break;
    longest.collapsed = true;
  }
}

function share(pieces, width) {
  const collapsed = pieces.filter(piece => piece.collapsed);
  const straight = pieces.filter(piece => !piece.collapsed);
  const each = Math.min(COLLAPSED, 0.55 / Math.max(1, collapsed.length)) * width;
  collapsed.forEach(piece => {
    piece.width = each;
  });
  const room = width - each * collapsed.length;
  const least = Math.min(LEAST_PIXELS, (room / straight.length) * 0.5);
  const total = straight.reduce((sum, piece) => sum + piece.length, 0) || 1;
  const spare = room - least * straight.length;
  straight.forEach(piece => {
    piece.width = least + (piece.length / total) * spare;
  });
}

function place(pieces, at) {
  const last = pieces[pieces.length - 1];
  if (at <= pieces[0].start) return pieces[0].x;
  if (at >= last.end) return last.x + last.width;
  const piece = pieces.find(other => at < other.end);
  return piece.x + ((at - piece.start) / piece.length) * piece.width;
}
