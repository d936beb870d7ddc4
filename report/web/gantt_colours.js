// What the colours of a schedule say of a job.

import { FAILED, KILLED, RUNNING } from "./columns.js";
import { classColour, css, policyColour } from "./palette.js";
import { duration } from "./words.js";

const DAY = 86400;
const WAITS = [0, 900, 10800, DAY]; // s: upper ends of the steps; one more is above them
const CHANGES = [3600, DAY]; // s: minutes, hours, days
const MINUTE = 60;
const SLOW = [1, 10, 100, 1000];

const stepOf = (value, ends) => {
  const at = ends.findIndex((end) => value <= end);
  return at < 0 ? ends.length : at;
};
export const waitColour = (seconds) => css(`--w${stepOf(seconds, WAITS)}`);

// The job's slowdown with lengths below 10 s counted as 10 s.
const slowdown = (run, i) =>
  Math.max((run.schedule.finish[i] - run.jobs.submit[i]) / Math.max(run.schedule.length[i], 10), 1);
const sizeClass = (size) => Math.floor(Math.log2(Math.max(size, 1)));

// How much later job i started than under the other run; null: one of them did not.
export function change(run, i, other) {
  const later = run.schedule.start[i] - other.schedule.start[i];
  return other.jobs !== run.jobs || run.started(i) !== other.started(i) || !run.started(i) ? null : later;
}

function changeColour(later) {
  if (later === null) return css("--paper");
  if (Math.abs(later) < MINUTE) return css("--same");
  return css(`--${later < 0 ? "e" : "l"}${1 + stepOf(Math.abs(later), CHANGES)}`);
}

const pairs = (names, words) => words.map((text, i) => [css(names(i)), text]);

// By name: title, colour(run, i, other), legend(): pairs of colour and text.
export const COLOURS = {
  wait: {
    title: "wait", far: (run) => [(i) => Math.max(run.schedule.wait[i], 0), waitColour], colour: (run, i) => waitColour(run.schedule.wait[i]),
    legend: () => pairs((i) => `--w${i}`, ["at once", ...WAITS.slice(1).map((end) => `up to ${duration(end)}`), "longer"]),
  },
  size: {
    title: "size", colour: (run, i) => classColour(sizeClass(run.jobs.size[i])),
    legend: () => [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [classColour(k), k ? `${2 ** k}-${2 ** (k + 1) - 1}` : "1"]),
  },
  slowdown: {
    title: "slowdown", colour: (run, i) => css(`--w${stepOf(slowdown(run, i), SLOW)}`),
    legend: () => pairs((i) => `--w${i}`, ["1", "up to 10", "up to 100", "up to 1,000", "more"]),
  },
  state: {
    title: "end", colour: (run, i) => ({ [KILLED]: policyColour(1), [RUNNING]: policyColour(4), [FAILED]: policyColour(3) })[run.schedule.state[i]] ?? policyColour(0),
    legend: () => [[policyColour(0), "finished"], [policyColour(1), "killed"], [policyColour(4), "running at the end"], [policyColour(3), "failed"]],
  },
};

export const DIFFERENCE = {
  title: "start", far: (run, other) => [(i) => change(run, i, other) ?? 0, changeColour], colour: (run, i, other) => changeColour(change(run, i, other)),
  legend: () => [...[2, 1, 0].map((i) => [css(`--e${i + 1}`), `${["minutes", "hours", "days"][i]} earlier`]), [css("--same"), "within a minute"],
    ...[0, 1, 2].map((i) => [css(`--l${i + 1}`), `${["minutes", "hours", "days"][i]} later, hatched`])],
};

// Earlier, later, within a minute, and jobs that started under one of them alone.
export function countChanges(run, other) {
  const counts = { earlier: 0, later: 0, same: 0, one: 0 };
  for (let i = 0; i < run.schedule.start.length; ++i) {
    const later = change(run, i, other);
    if (later === null) counts.one += run.started(i) || other.started(i) ? 1 : 0;
    else if (Math.abs(later) < MINUTE) ++counts.same;
    else ++counts[later < 0 ? "earlier" : "later"];
  }
  return counts;
}
export const isLater = (run, i, other) => change(run, i, other) >= MINUTE;
