// How a metric of jobs is distributed: the share of jobs up to a value.

import { Chart } from "./chart.js";
import { policyColour, policyDash } from "./palette.js";
import { shown } from "./view.js";
import { amount } from "./words.js";

const LEAST = 1; // on the logarithmic axis; smaller values are drawn here

const drawnAt = (value) => Math.max(value, LEAST);

export function distribution(parent, figures) {
  const metric = figures.distribution;
  const having = () => shown(figures.runs).filter(({ number }) => metric.quantiles[number].length && metric.quantiles[number][0] !== null);
  new Chart(parent, `${metric.name}-all`, {
    option: () => ({
      xAxis: {
        type: "log", min: LEAST, name: `${metric.name.replaceAll("_", " ")} (${metric.unit}, at least ${LEAST})`,
        nameLocation: "middle", nameGap: 30, axisLabel: { formatter: (value) => amount(value, metric.unit) },
      },
      yAxis: { type: "value", min: 0, max: 1 },
      tooltip: { trigger: "axis", valueFormatter: (value) => amount(value, "ratio") },
      legend: { data: having().map((run) => run.label) },
      series: having().map((run) => ({
        type: "line", name: run.label, showSymbol: false, color: policyColour(run.number),
        lineStyle: { type: policyDash(run.number), width: 2 },
        data: metric.quantiles[run.number].map((value, i) => [drawnAt(value), figures.levels[i]]),
      })),
    }),
    rows: () => [
      ["share of jobs", ...having().map((run) => run.label)],
      ...figures.levels.map((level, i) => [level, ...having().map((run) => metric.quantiles[run.number][i])]),
    ],
  });
}
