// How a metric of jobs is distributed: all jobs as a curve, classes of jobs as boxes.

import { Chart } from "./chart.js";
import { make } from "./dom.js";
import { policyColour, policyDash } from "./palette.js";
import { amount } from "./words.js";

const LEAST = 1; // on the logarithmic axis; smaller values are drawn here

const drawnAt = (value) => Math.max(value, LEAST);

function curve(parent, figures, metric) {
  const runs = figures.runs.filter((run, i) => metric.quantiles[i].length && metric.quantiles[i][0] !== null);
  new Chart(parent, `${metric.name}-all`, {
    option: () => ({
      xAxis: {
        type: "log", min: LEAST, name: `${metric.name.replaceAll("_", " ")} (${metric.unit}, at least ${LEAST})`,
        nameLocation: "middle", nameGap: 30, axisLabel: { formatter: (value) => amount(value, metric.unit) },
      },
      yAxis: { type: "value", min: 0, max: 1 },
      tooltip: { trigger: "axis", valueFormatter: (value) => amount(value, "ratio") },
      legend: { data: runs.map((run) => run.label) },
      series: runs.map((run) => ({
        type: "line", name: run.label, showSymbol: false, color: policyColour(run.number),
        lineStyle: { type: policyDash(run.number), width: 2 },
        data: metric.quantiles[run.number].map((value, i) => [drawnAt(value), figures.levels[i]]),
      })),
    }),
    rows: () => [
      ["share of jobs", ...runs.map((run) => run.label)],
      ...figures.levels.map((level, i) => [level, ...runs.map((run) => metric.quantiles[run.number][i])]),
    ],
  });
}

export const PARTS = ["n", "5 %", "25 %", "50 %", "75 %", "95 %", "mean"];

// The option of a chart of boxes: box(run, i) of the names.
export function boxSeries({ runs, names, name, unit, box }) {
  return {
    xAxis: { type: "category", data: names, name, nameLocation: "middle", nameGap: 30 },
    yAxis: { type: "log", min: LEAST, axisLabel: { formatter: (value) => amount(value, unit) } },
    tooltip: {
      trigger: "item",
      formatter: ({ seriesIndex, dataIndex }) => [`${runs[seriesIndex].label}, ${names[dataIndex]}`,
        ...PARTS.map((part, i) => `${part}: ${i ? amount(box(runs[seriesIndex], dataIndex)[i], unit) : box(runs[seriesIndex], dataIndex)[0]}`)].join("\n"),
    },
    legend: { data: runs.map((run) => run.label) },
    series: runs.map((run) => ({
      type: "boxplot", name: run.label, itemStyle: { borderColor: policyColour(run.number), color: "transparent", borderWidth: 2, borderType: policyDash(run.number) },
      data: names.map((_, i) => (box(run, i).length ? box(run, i).slice(1, 6).map(drawnAt) : ["-", "-", "-", "-", "-"])),
    })),
  };
}

function boxes(parent, figures, metric, kind) {
  const { classes, runs: ofRuns } = metric[kind];
  const used = classes.map((_, i) => i).filter((i) => ofRuns.some((run) => run[i]?.length));
  const runs = figures.runs.filter((_, i) => ofRuns[i].some((box) => box.length));
  new Chart(parent, `${metric.name}-by-${kind}`, {
    option: () => boxSeries({
      runs, names: used.map((i) => classes[i]), name: kind === "size" ? "processors" : "walltime", unit: metric.unit,
      box: (run, i) => ofRuns[run.number][used[i]],
    }),
    rows: () => [
      [kind, "policy", ...PARTS],
      ...used.flatMap((i) => runs.filter((run) => ofRuns[run.number][i].length)
        .map((run) => [classes[i], run.label, ...ofRuns[run.number][i]])),
    ],
  });
}

export function distribution(parent, figures, name) {
  const metric = figures.distributions.find((one) => one.name === name);
  for (const [kind, title] of [[null, "All jobs: share of jobs up to a value"], ["size", "By size: 5, 25, 50, 75, 95 %"], ["walltime", "By walltime: 5, 25, 50, 75, 95 %"]]) {
    if (kind && !metric[kind].runs.some((run) => run.some((box) => box.length))) continue; // not known of any job
    const place = parent.appendChild(make("div", { class: "part" }, make("h3", {}, title)));
    if (kind) boxes(place, figures, metric, kind);
    else curve(place, figures, metric);
  }
}
