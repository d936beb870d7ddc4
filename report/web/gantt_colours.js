// What the colours of a Gantt chart say of a job.

import { classColour, isDark, ramp } from "./palette.js";
import { duration } from "./words.js";

const hex = ([r, g, b]) => `rgb(${r},${g},${b})`;
const LONGEST = Math.log(7 * 86400);
const MOST_SLOWDOWN = Math.log(1000);
const STATES = ["#0072b2", "#d55e00", "#7f7f7f", "#7f7f7f", "#e69f00", "#cc79a7"];
const sizeClass = (size) => Math.floor(Math.log2(Math.max(size, 1)));

const EARLIER = "#0072b2";
const LATER = "#d55e00";
const same = () => (isDark() ? "#6b7078" : "#b8b8b8");

// The job's slowdown with lengths below 10 s counted as 10 s.
const slowdown = (run, i) =>
  Math.max((run.schedule.finish[i] - run.jobs.submit[i]) / Math.max(run.schedule.length[i], 10), 1);

// By name: title, colour(run, i, other), legend(): pairs of colour and text.
export const COLOURS = {
  user: {
    title: "user",
    colour: (run, i) => classColour(run.jobs.user[i]),
    legend: () => [[null, "one of ten colours for each user"]],
  },
  size: {
    title: "size class",
    colour: (run, i) => classColour(sizeClass(run.jobs.size[i])),
    legend: () => [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [classColour(k), k ? `${2 ** k}-${2 ** (k + 1) - 1}` : "1"]),
  },
  wait: {
    title: "wait",
    colour: (run, i) => hex(ramp(Math.log(1 + run.schedule.wait[i]) / LONGEST)),
    legend: () => [0, 60, 3600, 86400, 604800].map((s) => [hex(ramp(Math.log(1 + s) / LONGEST)), duration(s)]),
  },
  slowdown: {
    title: "bounded slowdown",
    colour: (run, i) => hex(ramp(Math.log(slowdown(run, i)) / MOST_SLOWDOWN)),
    legend: () => [1, 10, 100, 1000].map((s) => [hex(ramp(Math.log(s) / MOST_SLOWDOWN)), String(s)]),
  },
  state: {
    title: "end",
    colour: (run, i) => STATES[run.schedule.state[i]],
    legend: () => [[STATES[0], "finished"], [STATES[1], "killed"], [STATES[4], "running at the end"], [STATES[5], "failed"]],
  },
  difference: {
    title: "difference of policies",
    colour: (run, i, other) => {
      if (!other || other.jobs !== run.jobs) return same();
      const step = run.schedule.start[i] - other.schedule.start[i];
      return step < 0 ? EARLIER : step > 0 ? LATER : same();
    },
    legend: () => [[EARLIER, "started earlier than in the other"], [LATER, "later"], [same(), "at the same time"]],
  },
};

// By name: what the far picture shows.  weight(run, i): null: covered share alone.
// `mean`: divided by the covered share.
export const QUANTITIES = {
  use: { title: "share in use", weight: () => null, mean: false, top: 1, text: (v) => `${(100 * v).toFixed(1)} % in use` },
  wait: {
    title: "mean wait", weight: (run) => (i) => run.schedule.wait[i], mean: true, top: LONGEST,
    scale: (v) => Math.log(1 + v), text: (v) => `mean wait ${duration(v)}`,
  },
  foreground: { title: "share in use of the foreground", weight: () => null, mean: false, top: 1, tier: 1 },
  background: { title: "share in use of the background", weight: () => null, mean: false, top: 1, tier: 2 },
  found: {
    title: "share of the jobs found", weight: (_, found) => (found ? (i) => found[i] : null), mean: false, top: 1,
    text: (v) => `${(100 * v).toFixed(1)} % in use by the jobs found`,
  },
};

export const legendOf = (quantity) => {
  const { top, scale } = QUANTITIES[quantity];
  if (scale) return COLOURS.wait.legend();
  return [0, 0.25, 0.5, 0.75, 1].map((t) => [hex(ramp(t / top)), `${100 * t} %`]);
};
