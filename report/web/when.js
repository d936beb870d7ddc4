// Users over time: a heatmap of what their jobs did when.

import { Chart } from "./chart.js";
import { cursor, left, moves, REST } from "./cursor.js";
import { choice, make } from "./dom.js";
import { diverging, ink, rising } from "./palette.js";
import { on, view } from "./view.js";
import { amount, duration } from "./words.js";

// Cells of a run: [jobs by submit, mean wait or null, processors in use].
const MEASURES = {
  used: { title: "processors in use", at: 2, unit: "processors" },
  wait: { title: "mean wait", at: 1, unit: "s" },
  jobs: { title: "jobs that came", at: 0, unit: "jobs" },
};

// A choice of one run, or of the difference of another to the first, and of a measure.
function choices(parent, runs, measures, draw) {
  const chosen = { runs: [runs[0]], measure: measures[0] };
  const options = runs.map((run) => [String(run.number), run.label]);
  for (const other of runs.slice(1)) options.push([`${runs[0].number} ${other.number}`, `${other.label} minus ${runs[0].label}`]);
  parent.append(make("div", { class: "tools" },
    choice("Policy", options, options[0][0], (text) => {
      chosen.runs = text.split(" ").map((number) => runs.find((run) => run.number === Number(number)));
      draw();
    }),
    choice("Show", measures.map((name) => [name, MEASURES[name].title]), chosen.measure, (name) => { chosen.measure = name; draw(); })));
  return chosen;
}

// Of one cell: the value, or the second run's minus the first's; null: undefined.
function valueOf(chosen, cells, i) {
  const values = chosen.runs.map((run) => cells[run.number][i][MEASURES[chosen.measure].at] ?? null);
  if (values.includes(null)) return null;
  return values.length === 1 ? values[0] : values[1] - values[0];
}

function scale(chosen, values) {
  const { unit } = MEASURES[chosen.measure];
  const most = Math.max(...values.map(Math.abs), 1e-9);
  const least = chosen.runs.length > 1 ? -most : 0;
  return {
    min: least, max: most, calculable: false, orient: "horizontal", left: "center", bottom: 0, textStyle: { color: ink() },
    inRange: { color: chosen.runs.length > 1 ? diverging() : rising() }, text: [amount(most, unit), amount(least, unit)],
    formatter: (one) => amount(one, unit),
  };
}

export function userTimes(parent, figures) {
  const { users, bins, from, width, runs: cells } = figures.user_times;
  const runs = figures.runs.filter((run) => cells[run.number].length);
  let chart = null;
  const chosen = choices(parent, runs, ["used", "wait", "jobs"], () => chart.draw());
  const points = () => users.flatMap((_, y) => Array.from({ length: bins }, (__, x) => [from + x * width, from + (x + 1) * width, y, valueOf(chosen, cells, y * bins + x)]))
    .filter(([begin, end, , value]) => value !== null && (value !== 0 || chosen.runs.length > 1) && end > view.from && begin < view.to);
  const named = (user) => `user ${user}`;
  chart = new Chart(parent, "user-times", {
    height: 120 + 18 * users.length,
    option: () => {
      const data = points();
      return {
        grid: { left: left(), right: 1, top: 16, bottom: 70 },
        xAxis: { type: "value", min: view.from, max: view.to, splitNumber: 6, axisLabel: { formatter: (value) => duration(value), hideOverlap: true } },
        yAxis: { type: "category", inverse: true, data: users.map(named), axisLabel: { interval: 0, fontSize: 10 } },
        legend: { show: false },
        visualMap: { ...scale(chosen, data.map(([, , , value]) => value)), dimension: 3 },
        tooltip: { trigger: "item", formatter: ({ value: [begin, end, y, value] }) =>
          `${named(users[y])}, ${duration(begin)} to ${duration(end)}\n${MEASURES[chosen.measure].title} ${amount(value, MEASURES[chosen.measure].unit)}` },
        series: [{
          type: "custom", data, encode: { x: [0, 1], y: 2 }, clip: true,
          renderItem: (_, api) => {
            const [left, middle] = api.coord([api.value(0), api.value(2)]);
            const [right] = api.coord([api.value(1), api.value(2)]);
            const [, tall] = api.size([0, 1]);
            return { type: "rect", shape: { x: left, y: middle - tall / 2, width: right - left, height: tall }, style: { fill: api.visual("color") } };
          },
        }],
      };
    },
    rows: () => [
      ["user", "from", "to", `${chosen.runs.length > 1 ? "difference of " : ""}${MEASURES[chosen.measure].title}`],
      ...points().map(([begin, end, y, value]) => [users[y], begin, end, value]),
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
