// Levels over time: processors in use, jobs in the queue, whatever else timeline.csv has.

import { Chart } from "./chart.js";
import { cursor, LEFT, RIGHT } from "./cursor.js";
import { make } from "./dom.js";
import { policyColour, policyDash } from "./palette.js";
import { duration } from "./words.js";
import { on, pan, view, zoom } from "./view.js";

export const REST = 120; // ms without a movement
const MOST_BINS = 1200; // in view: more than pixels are of no use

function inView(from, to) {
  let begin = 0;
  while (begin < to.length && to[begin] < view.from) ++begin;
  let end = begin;
  while (end < from.length && from[end] <= view.to) ++end;
  return [begin, end];
}

// The finest level of detail of which no more than MOST_BINS are in view.
function detail(run) {
  for (const level of run.timeline) {
    const [begin, end] = inView(level.from, level.to);
    if (end - begin <= MOST_BINS || level === run.timeline.at(-1)) return { level, begin, end };
  }
  return null;
}

function series(run, name, values, width) {
  const { level, begin, end } = detail(run);
  const data = [];
  for (let i = begin; i < end; ++i) data.push([level.from[i], values(level)[i]], [level.to[i], values(level)[i]]);
  return {
    type: "line", name, showSymbol: false, color: policyColour(run.number), data,
    lineStyle: { width, type: width > 1 ? policyDash(run.number) : [1, 2] }, silent: width === 1,
  };
}

// Wheel and drag on an element whose axis of time is as wide as it is but for its margins.
export function moves(element, left = LEFT, right = RIGHT) {
  const time = (event) => {
    const box = element.getBoundingClientRect();
    const share = (event.clientX - box.left - left) / (box.width - left - right);
    return view.from + Math.min(Math.max(share, 0), 1) * (view.to - view.from);
  };
  element.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
    if (event.shiftKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, time(event));
  }, { passive: false });
  let last = null;
  element.addEventListener("pointerdown", (event) => { last = event.clientX; });
  element.addEventListener("pointermove", (event) => {
    if (last === null || event.buttons === 0) return;
    const width = element.getBoundingClientRect().width - left - right;
    pan((last - event.clientX) / width);
    last = event.clientX;
  });
  for (const name of ["pointerup", "pointerleave"]) element.addEventListener(name, () => { last = null; });
}

function level(parent, runs, name) {
  const mean = (of) => of[`${name}_mean`];
  const most = (of) => of[`${name}_max`];
  const with_ = runs.filter((run) => mean(run.timeline[0]));
  const chart = new Chart(parent, `timeline-${name}`, {
    height: 220,
    option: () => ({
      grid: { left: LEFT, right: RIGHT, top: 36, bottom: 30 },
      xAxis: {
        type: "value", min: view.from, max: view.to, splitNumber: 6,
        axisLabel: { formatter: (value) => duration(value), hideOverlap: true },
      },
      yAxis: { type: "value", min: 0 },
      tooltip: { trigger: "axis", valueFormatter: (value) => String(Number(value).toPrecision(4)) },
      legend: { data: with_.map((run) => run.label) },
      series: with_.flatMap((run) => [
        series(run, run.label, mean, 2),
        series(run, `${run.label}, largest`, most, 1),
      ]),
    }),
    rows: () => [
      ["policy", "from", "to", `${name}_mean`, `${name}_max`],
      ...with_.flatMap((run) => {
        const { level: of, begin, end } = detail(run);
        return Array.from({ length: end - begin }, (_, k) => begin + k)
          .map((i) => [run.label, of.from[i], of.to[i], mean(of)[i], most(of)[i]]);
      }),
    ],
  });
  moves(chart.box);
  cursor(chart.box);
  let resting;
  on("window", () => {
    clearTimeout(resting);
    resting = setTimeout(() => chart.draw(), REST);
  });
  return chart;
}

// What is allocated, and what is lost to fragmentation, against what has arrived.
function curves(parent, runs, name) {
  const drawn = ["allocated", "fragmentation"].filter((one) => runs.some((run) => run.timeline[0][`${name}_${one}_mean`]));
  const with_ = runs.filter((run) => run.timeline[0][`${name}_arrived_mean`]);
  const level = (run) => run.timeline.find((one) => one.from.length <= MOST_BINS) ?? run.timeline.at(-1);
  const points = (run, one) => {
    const of = level(run);
    const [x, y] = [of[`${name}_arrived_mean`], of[`${name}_${one}_mean`]];
    return y ? Array.from(x, (value, i) => [value, y[i]]) : [];
  };
  return new Chart(parent, `demand-${name}`, {
    height: 300,
    option: () => ({
      xAxis: { type: "value", name: "arrived", nameLocation: "middle", nameGap: 28 },
      yAxis: { type: "value", min: 0 },
      tooltip: { trigger: "axis", valueFormatter: (value) => String(Number(value).toPrecision(4)) },
      legend: { data: with_.map((run) => run.label) },
      series: with_.flatMap((run) => drawn.map((one, i) => ({
        type: "line", name: i === 0 ? run.label : `${run.label}, ${one}`, showSymbol: false,
        color: policyColour(run.number), data: points(run, one),
        lineStyle: { width: i === 0 ? 2 : 1, type: i === 0 ? policyDash(run.number) : [1, 2] },
      }))),
    }),
    rows: () => [
      ["policy", `${name}_arrived`, "what", "value"],
      ...with_.flatMap((run) => drawn.flatMap((one) => points(run, one).map(([x, y]) => [run.label, x, one, y]))),
    ],
  });
}

const TITLES = {
  queue: "Jobs in the queue", idle: "Idle processors", used: "Processors in use",
  foreground: "Processors in use in the foreground", background: "Processors in use in the background",
};

export function timelines(parent, figures) {
  const runs = figures.runs.filter((run) => run.timeline);
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.timeline[0])))]
    .filter((name) => name.endsWith("_mean")).map((name) => name.slice(0, -5));
  const charts = [];
  for (const name of ["used", "queue", ...names.filter((one) => !["used", "queue", "idle"].includes(one)), "idle"]) {
    if (!names.includes(name)) continue;
    const title = TITLES[name] ?? name.replace("used_", "In use: ");
    charts.push(level(parent.appendChild(make("div", { class: "part" }, make("h3", {}, title))), runs, name));
  }
  for (const name of names.filter((one) => one.endsWith("_arrived")).map((one) => one.slice(0, -"_arrived".length))) {
    curves(parent.appendChild(make("div", { class: "part" }, make("h3", {}, `Allocated ${name} against demand`))), runs, name);
  }
  return charts;
}
