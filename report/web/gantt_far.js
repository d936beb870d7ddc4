// The far picture of a Gantt chart: how much of every pixel is covered, exact.
//
// A rectangle's share of pixels is a product of its share along time and its share along
// rows.  Each of the two has at most four differences, so sixteen sums in a table of
// differences stand for the whole rectangle, however large; one prefix sum along each
// side then gives every pixel.

import { halfOf } from "./columns.js";

// The differences of the share of unit cells that [from, to) covers, as pairs of place
// and change.  Returns their number.
function steps(from, to, most, at, change) {
  const low = Math.max(from, 0);
  const high = Math.min(to, most);
  if (!(high > low)) return 0;
  const first = Math.floor(low);
  const last = Math.min(Math.floor(high), most);
  if (first === last || (last === most && first === most - 1)) {
    at[0] = first; change[0] = high - low;
    at[1] = first + 1; change[1] = low - high;
    return 2;
  }
  const head = first + 1 - low; // covered of the first cell
  const tail = high - last; // of the last one
  at[0] = first; change[0] = head;
  at[1] = first + 1; change[1] = 1 - head;
  at[2] = last; change[2] = tail - 1;
  at[3] = last + 1; change[3] = -tail;
  return 4;
}

// window: {from, to, row, rows}: time and rows in view.  weight(job), or null for 1.  The
// sum of weights times covered share, for each of width * height pixels.  Of two tiers
// each counts half; with `tier` (1: foreground, 2: background) that one alone, whole.
export function coverage(bars, window, width, height, weight = null, tier = 0) {
  const wide = width + 2;
  const sums = new Float64Array(wide * (height + 2));
  const { job, start, finish, at, first, more, look } = bars;
  const perSecond = width / (window.to - window.from);
  const perRow = height / window.rows;
  const xs = new Int32Array(4);
  const ys = new Int32Array(4);
  const dx = new Float64Array(4);
  const dy = new Float64Array(4);
  for (let i = 0; i < start.length; ++i) {
    if (at[i] === at[i + 1] || start[i] >= window.to || finish[i] <= window.from) continue;
    const across = steps((start[i] - window.from) * perSecond, (finish[i] - window.from) * perSecond, width, xs, dx);
    if (across === 0) continue;
    const half = look ? halfOf(look[i]) : 0;
    if (tier && half !== tier) continue;
    const heavy = (weight ? weight(job[i]) : 1) * (half && !tier ? 0.5 : 1);
    if (heavy === 0) continue;
    for (let k = at[i]; k < at[i + 1]; ++k) {
      const top = (first[k] - window.row) * perRow;
      const down = steps(top, top + (more[k] + 1) * perRow, height, ys, dy);
      for (let y = 0; y < down; ++y) {
        const line = ys[y] * wide;
        const part = dy[y] * heavy;
        for (let x = 0; x < across; ++x) sums[line + xs[x]] += part * dx[x];
      }
    }
  }
  return summed(sums, wide, width, height);
}

function summed(sums, wide, width, height) {
  const made = new Float64Array(width * height);
  const above = new Float64Array(width);
  for (let y = 0; y < height; ++y) {
    let row = 0;
    for (let x = 0; x < width; ++x) {
      row += sums[y * wide + x];
      above[x] += row;
      made[y * width + x] = above[x];
    }
  }
  return made;
}

// Sums of a level's cells above and left of each corner, made once.
function corners(level) {
  if (level.corners) return level.corners;
  const { columns, rows, use } = level;
  const sums = new Float64Array((columns + 1) * (rows + 1));
  for (let y = 0; y < rows; ++y) {
    let along = 0;
    for (let x = 0; x < columns; ++x) {
      along += use[y * columns + x] / 255;
      sums[(y + 1) * (columns + 1) + x + 1] = sums[y * (columns + 1) + x + 1] + along;
    }
  }
  level.corners = sums;
  return sums;
}

// Edges of pixels in cells of a level: {cell, part} for each of count + 1.
function edges(from, to, count, most) {
  const cell = new Int32Array(count + 1);
  const part = new Float64Array(count + 1);
  for (let i = 0; i <= count; ++i) {
    const at = Math.min(Math.max(from + ((to - from) * i) / count, 0), most);
    cell[i] = Math.min(Math.floor(at), most - 1);
    part[i] = at - cell[i];
  }
  return { cell, part };
}

// The share in use of every pixel, from cells: exact means of the cells that a pixel covers.
export function binned(far, processors, window, width, height) {
  const share = (window.to - window.from) / (far.to - far.from);
  const level = far.levels.find((one) => one.columns * share >= width) ?? far.levels.at(-1);
  const { columns, rows } = level;
  const sums = corners(level);
  const across = (time) => ((time - far.from) / (far.to - far.from)) * columns;
  const down = (row) => (row / processors) * rows;
  const x = edges(across(window.from), across(window.to), width, columns);
  const y = edges(down(window.row), down(window.row + window.rows), height, rows);
  const line = columns + 1;
  const corner = (i, j) => {
    const at = y.cell[j] * line + x.cell[i];
    const above = sums[at] + (sums[at + 1] - sums[at]) * x.part[i];
    const below = sums[at + line] + (sums[at + line + 1] - sums[at + line]) * x.part[i];
    return above + (below - above) * y.part[j];
  };
  const area = ((across(window.to) - across(window.from)) / width) * ((down(window.row + window.rows) - down(window.row)) / height);
  const made = new Float64Array(width * height);
  let before = Float64Array.from({ length: width + 1 }, (_, i) => corner(i, 0));
  for (let j = 0; j < height; ++j) {
    const next = Float64Array.from({ length: width + 1 }, (_, i) => corner(i, j + 1));
    for (let i = 0; i < width; ++i) made[j * width + i] = (next[i + 1] - next[i] - before[i + 1] + before[i]) / area;
    before = next;
  }
  return made;
}
