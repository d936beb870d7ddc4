// Which share of the jobs waited longer than a time, a curve a policy.

import { policyDash, policyName } from "./palette.js";
import { axes, line, Plot } from "./plot.js";
import { shown } from "./view.js";
import { duration, LOG_TICKS, valueTicks } from "./words.js";

const HEIGHT = 240;
const POINTS = 160;
const LEVELS = [...Array.from({ length: 100 }, (_, i) => i / 100), 0.995, 0.999, 1];
const [LEAST] = LOG_TICKS;
const MOST = LOG_TICKS.at(-1);
const TIMES = Array.from({ length: POINTS + 1 }, (_, k) => LEAST * (MOST / LEAST) ** (k / POINTS));

const sortedWaits = ({ schedule, ended }) => schedule.wait.filter((_, i) => ended(i)).sort();

// Of sorted values, how many are above.
function above(values, value) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return values.length - low;
}

// Linear between neighbours (type 7).
function quantile(values, level) {
  const place = (values.length - 1) * level;
  const low = Math.floor(place);
  return values[low] + ((values[low + 1] ?? values[low]) - values[low]) * (place - low);
}

export function distribution(parent, figures) {
  const all = figures.runs.filter((run) => run.schedule && run.jobs.hasSubmits).map((run) => ({ run, number: run.number, waits: sortedWaits(run) })).filter(({ waits }) => waits.length);
  const share = ({ waits }, time) => above(waits, time) / waits.length;
  let scale;
  new Plot(parent, "wait", {
    label: "Share of jobs that waited longer than a time", height: HEIGHT,
    draw: (width, plot) => {
      const high = Math.max(Math.ceil(10 * Math.max(...all.map((one) => share(one, LEAST)), 0)) / 10, 0.1);
      scale = axes({ width, height: HEIGHT }, { low: LEAST, high: MOST, log: true, marks: LOG_TICKS.map((time) => [time, duration(time)]) },
        { low: 0, high, marks: valueTicks(0, high, 5, "fraction").map((value) => [value, `${Math.round(100 * value)} %`]) });
      plot.say(shown(all).map(({ run }) => [run.number, run.label]));
      return [...scale.grid, ...shown(all).map((one) => line(TIMES.map((time) => [scale.x(time), scale.y(share(one, time))]), `stroke:var(${policyName(one.number)});stroke-width:2`, policyDash(one.number)))];
    },
    rows: () => [["share of jobs", ...all.map(({ run }) => run.label)], ...LEVELS.map((level) => [level, ...all.map(({ waits }) => quantile(waits, level))])],
    tell: (x) => {
      const time = Math.min(Math.max(scale.at(x), LEAST), MOST);
      return [`longer than ${duration(time)}`, shown(all).map((one) => [one.number, one.run.label, `${(100 * share(one, time)).toFixed(1)} %`])];
    },
  });
}
