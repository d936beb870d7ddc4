// The near picture of a Gantt chart: real rectangles, one for each interval of
// processors that a job had.

export const MOST_NEAR = 6000; // rectangles in view

// The rectangles in view as {job, interval}; null for more than `most`.
export function rectangles(schedule, window, most = MOST_NEAR) {
  const { start, finish, at, first, more } = schedule;
  const found = [];
  const end = window.row + window.rows;
  for (let i = 0; i < start.length; ++i) {
    if (at[i] === at[i + 1] || start[i] > window.to || finish[i] < window.from) continue;
    for (let k = at[i]; k < at[i + 1]; ++k) {
      if (first[k] >= end || first[k] + more[k] < window.row) continue;
      if (found.length === most) return null;
      found.push({ job: i, interval: k });
    }
  }
  return found;
}

// The job that had processor `row` at `time`, or -1.
export function jobAt(schedule, time, row) {
  const { start, finish, at, first, more } = schedule;
  for (let i = 0; i < start.length; ++i) {
    if (start[i] > time || finish[i] <= time) continue;
    for (let k = at[i]; k < at[i + 1]; ++k) {
      if (first[k] <= row && row <= first[k] + more[k]) return i;
    }
  }
  return -1;
}

// Where a rectangle is, in pixels of a picture of this size.
export function placeOf(schedule, window, size, { job, interval }) {
  const perSecond = size.width / (window.to - window.from);
  const perRow = size.height / window.rows;
  const x = (schedule.start[job] - window.from) * perSecond;
  const y = (schedule.first[interval] - window.row) * perRow;
  return {
    x, y,
    width: Math.max((schedule.finish[job] - schedule.start[job]) * perSecond, 0.5),
    height: (schedule.more[interval] + 1) * perRow,
  };
}
