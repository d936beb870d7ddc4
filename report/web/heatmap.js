// Means by size class and walltime class, of a policy or as the difference of two.

import { Chart } from "./chart.js";
import { choice, make } from "./dom.js";
import { diverging, ink, rising } from "./palette.js";
import { amount } from "./words.js";

const MEASURES = { wait: { title: "mean wait", at: 1, unit: "s" }, slowdown: { title: "mean bounded slowdown", at: 2, unit: "ratio" } };

export function heatmap(parent, figures) {
  const { rows, columns, runs: cells } = figures.grids;
  const runs = figures.runs.filter((run) => cells[run.number].length);
  let measure = MEASURES.wait;
  let shown = [runs[0]];
  const value = (run, i) => cells[run.number][i][measure.at] ?? null;
  const used = rows.map((_, y) => y).filter((y) => runs.some((run) => columns.some((_, x) => cells[run.number][y * columns.length + x][0] > 0)));
  // [column, row, value, n] of the cells that hold jobs.
  const points = () => used.flatMap((y, place) => columns.map((_, x) => {
    const values = shown.map((run) => value(run, y * columns.length + x));
    const difference = values.length === 1 ? values[0] : values[1] - values[0];
    return [x, place, values.includes(null) ? null : difference, cells[shown[0].number][y * columns.length + x][0]];
  })).filter(([, , one]) => one !== null);
  const options = runs.map((run) => [String(run.number), run.label]);
  for (const other of runs.slice(1)) {
    options.push([`${runs[0].number} ${other.number}`, `${other.label} minus ${runs[0].label}`]);
  }
  const tools = parent.appendChild(make("div", { class: "tools" }));
  const chart = new Chart(parent, "heatmap", {
    height: 340,
    option: () => {
      const data = points();
      const most = Math.max(...data.map(([, , one]) => Math.abs(one)), 1);
      return {
        grid: { left: 70, right: 20, top: 16, bottom: 100 },
        xAxis: { type: "category", data: columns, name: "walltime", nameLocation: "middle", nameGap: 28 },
        yAxis: { type: "category", data: used.map((y) => rows[y]) },
        legend: { show: false },
        visualMap: {
          min: shown.length > 1 ? -most : 0, max: most, calculable: false, orient: "horizontal", left: "center", bottom: 4, dimension: 2,
          inRange: { color: shown.length > 1 ? diverging() : rising() }, textStyle: { color: ink() },
          formatter: (one) => amount(one, measure.unit), text: [amount(most, measure.unit), amount(shown.length > 1 ? -most : 0, measure.unit)],
        },
        tooltip: { trigger: "item", formatter: ({ value: [x, y, one, n] }) => `size ${rows[used[y]]}, walltime ${columns[x]}: ${n} jobs\n${measure.title} ${amount(one, measure.unit)}` },
        series: [{ type: "heatmap", data, label: { show: false }, itemStyle: { borderColor: ink(), borderWidth: 0.5 } }],
      };
    },
    rows: () => [
      ["size", "walltime", "jobs", shown.length > 1 ? `difference of ${measure.title}` : measure.title],
      ...points().map(([x, y, one, n]) => [rows[used[y]], columns[x], n, one]),
    ],
  });
  tools.append(
    choice("Policy", options, options[0][0], (text) => {
      shown = text.split(" ").map((number) => figures.runs[Number(number)]);
      chart.draw();
    }),
    choice("Show", Object.entries(MEASURES).map(([name, { title }]) => [name, title]), "wait", (name) => {
      measure = MEASURES[name];
      chart.draw();
    }),
  );
}
