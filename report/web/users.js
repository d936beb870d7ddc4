// Who waited: the users with the longest mean waits.

import { Chart } from "./chart.js";
import { policyColour } from "./palette.js";
import { duration } from "./words.js";

const SHOWN = 20;
const [USER, JOBS, FINISHED, WAIT, SLOWDOWN, PROCESSOR_SECONDS] = [0, 1, 2, 3, 4, 5];

export function users(parent, figures) {
  const runs = figures.runs.filter((run) => run.users.length);
  const rows = new Map(runs.map((run) => [run, new Map(run.users.map((row) => [row[USER], row]))]));
  const wait = (run, user) => rows.get(run).get(user)?.[WAIT] ?? null;
  const worst = (user) => Math.max(...runs.map((run) => wait(run, user) ?? 0));
  const all = [...new Set(runs.flatMap((run) => run.users.map((row) => row[USER])))];
  all.sort((a, b) => worst(b) - worst(a) || a - b);
  const shown = all.slice(0, SHOWN);
  const named = (user) => (user < 0 ? "none" : String(user));
  new Chart(parent, "users", {
    option: () => ({
      xAxis: { type: "category", data: shown.map(named), name: `mean wait of the ${shown.length} users who waited longest`, nameLocation: "middle", nameGap: 30 },
      yAxis: { type: "value", axisLabel: { formatter: (value) => duration(value) } },
      tooltip: { trigger: "axis", valueFormatter: (value) => (value === null || value === undefined ? "-" : duration(value)) },
      legend: { data: runs.map((run) => run.label) },
      series: runs.map((run) => ({
        type: "bar", name: run.label, color: policyColour(run.number), data: shown.map((user) => wait(run, user)),
        itemStyle: { borderColor: "#000", borderWidth: run.number ? 1 : 0, borderType: "dashed" },
      })),
    }),
    rows: () => [
      ["user", "policy", "jobs", "finished", "mean_wait", "mean_bounded_slowdown", "processor_seconds"],
      ...all.flatMap((user) => runs.filter((run) => rows.get(run).has(user)).map((run) => {
        const row = rows.get(run).get(user);
        return [named(user), run.label, row[JOBS], row[FINISHED], row[WAIT], row[SLOWDOWN], row[PROCESSOR_SECONDS]];
      })),
    ],
  });
}
