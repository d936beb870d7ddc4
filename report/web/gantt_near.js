// The near picture of a Gantt chart: real rectangles, one for each interval of
// processors that a job had.

import { halfOf } from "./columns.js";

export const MOST_NEAR = 6000; // rectangles in view
const MOST_HALVES = 100000; // halves of rows in view: one for each processor of a rectangle

// The rectangles in view as {bar, job, interval}; null for more than `most`.
export function rectangles(bars, window, most = MOST_NEAR) {
  const { job, start, finish, at, first, more, look } = bars;
  const found = [];
  const end = window.row + window.rows;
  let halves = 0;
  for (let i = 0; i < start.length; ++i) {
    if (at[i] === at[i + 1] || start[i] > window.to || finish[i] < window.from) continue;
    for (let k = at[i]; k < at[i + 1]; ++k) {
      if (first[k] >= end || first[k] + more[k] < window.row) continue;
      if (look) halves += Math.min(first[k] + more[k] + 1, end) - Math.max(first[k], window.row);
      if (found.length === most || (halves > MOST_HALVES && most !== Infinity)) return null;
      found.push({ bar: i, job: job[i], interval: k });
    }
  }
  return found;
}

// The job that had processor `row` at `time`, or -1; where there are two tiers, its
// foreground (half 1) or background (2).
export function jobAt(bars, time, row, half = 0) {
  const { job, start, finish, at, first, more, look } = bars;
  for (let i = 0; i < start.length; ++i) {
    if (start[i] > time || finish[i] <= time) continue;
    if (look && half && halfOf(look[i]) && halfOf(look[i]) !== half) continue;
    for (let k = at[i]; k < at[i + 1]; ++k) {
      if (first[k] <= row && row <= first[k] + more[k]) return job[i];
    }
  }
  return -1;
}

// Where a rectangle is, in pixels of a picture of this size, both halves of its rows.
export function placeOf(bars, window, size, { bar, interval }) {
  const perSecond = size.width / (window.to - window.from);
  const perRow = size.height / window.rows;
  const x = (bars.start[bar] - window.from) * perSecond;
  const y = (bars.first[interval] - window.row) * perRow;
  return {
    x, y,
    width: Math.max((bars.finish[bar] - bars.start[bar]) * perSecond, 0.5),
    height: (bars.more[interval] + 1) * perRow,
  };
}

// The parts of a rectangle that are drawn: the whole, or the half of each of its rows in view.
export function partsOf(bars, window, size, one) {
  const place = placeOf(bars, window, size, one);
  const half = bars.look ? halfOf(bars.look[one.bar]) : 0;
  if (!half) return [place];
  const height = size.height / window.rows;
  const first = bars.first[one.interval];
  const from = Math.max(first, window.row);
  const to = Math.min(first + bars.more[one.interval] + 1, window.row + window.rows);
  const parts = [];
  for (let row = from; row < to; ++row) {
    parts.push({ ...place, y: (row - window.row + (half === 2 ? 0.5 : 0)) * height, height: height / 2 });
  }
  return parts;
}

// What a row is called: the number of a processor, or of a lane of several rows.
export function nameOf(run, row) {
  return run.lanes ? run.lanes.names[Math.floor(row / run.lanes.each)] : String(row);
}

const MOST_HOSTS = 10000;

// The hosts of a machine that names them, or whose parts are rows: {name, from, rows}.
export function hostsOf(run) {
  if (run.named) return run.named;
  const { hosts = [], lanes } = run;
  const isFew = hosts.reduce((sum, { count }) => sum + count, 0) <= MOST_HOSTS;
  const names = isFew ? hosts.flatMap(({ name, count, each }) => Array.from({ length: count }, (_, i) => ({ name: `${name}${i}`, rows: each }))) : [];
  const host = (lane) => lane.split(":")[0];
  run.named = [];
  for (const { name, rows } of lanes ? lanes.names.map((lane) => ({ name: names[host(lane)]?.name ?? host(lane), rows: lanes.each })) : names) {
    const last = run.named.at(-1);
    if (last?.name === name) last.rows += rows;
    else run.named.push({ name, rows, from: last ? last.from + last.rows : 0 });
  }
  return run.named;
}

// The times in which a job of the bars in view was suspended: lines {x1, y1, x2, y2}
// from where it was to where it went on.
export function gaps(bars, window, size, shown) {
  if (!bars.look) return [];
  const { begin, start, finish, at, first, look } = bars;
  const perSecond = size.width / (window.to - window.from);
  const perRow = size.height / window.rows;
  const y = (bar) => (first[at[bar]] - window.row + [0.5, 0.25, 0.75][halfOf(look[bar])]) * perRow;
  const lines = [];
  for (const job of new Set(shown.map((one) => one.job))) {
    for (let bar = begin[job]; bar + 1 < begin[job + 1]; ++bar) {
      if (!(start[bar + 1] > finish[bar])) continue;
      lines.push({ x1: (finish[bar] - window.from) * perSecond, y1: y(bar), x2: (start[bar + 1] - window.from) * perSecond, y2: y(bar + 1) });
    }
  }
  return lines;
}
