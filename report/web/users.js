// Who waited: the users with the longest mean waits.

import { Chart } from "./chart.js";
import { make, table } from "./dom.js";
import { policyColour } from "./palette.js";
import { amount, duration } from "./words.js";

const SHOWN = 20;

const number = (text) => (text === "" || text === null ? null : Number(text));
const named = (user) => (Number(user) < 0 ? "none" : String(user));

// A column of users.csv as numbers, by user.
function columnOf(run, name) {
  const at = run.users.names.indexOf(name);
  const key = run.users.names.indexOf("user");
  return new Map(run.users.rows.map((row) => [String(row[key]), at < 0 ? null : number(row[at])]));
}

// A row of users.csv under these names: results of two versions may differ in columns.
const under = (run, row, names) => names.map((name) => row[run.users.names.indexOf(name)] ?? "");

function means(parent, runs, all, shown, wait) {
  new Chart(parent.appendChild(make("div", { class: "part" }, make("h3", {}, "Mean waits"))), "users", {
    option: () => ({
      xAxis: { type: "category", data: shown.map(named), name: `the ${shown.length} users who waited longest`, nameLocation: "middle", nameGap: 30 },
      yAxis: { type: "value", axisLabel: { formatter: (value) => duration(value) } },
      tooltip: { trigger: "axis", valueFormatter: (value) => (value === null || value === undefined ? "-" : duration(value)) },
      legend: { data: runs.map((run) => run.label) },
      series: runs.map((run) => ({
        type: "bar", name: run.label, color: policyColour(run.number), data: shown.map((user) => wait(run, user)),
        itemStyle: { borderColor: "#000", borderWidth: run.number ? 1 : 0, borderType: "dashed" },
      })),
    }),
    rows: () => [
      ["policy", ...runs[0].users.names],
      ...all.flatMap((user) => runs.flatMap((run) => run.users.rows.filter((row) => String(row[run.users.names.indexOf("user")]) === user)
        .map((row) => [run.label, ...under(run, row, runs[0].users.names)]))),
    ],
  });
}

// What is known of the users shown, under every policy.
function worst(parent, runs, shown) {
  const columns = runs[0].users.names;
  const text = (name, value) => (number(value) === null || Number.isNaN(number(value)) ? value ?? "" : /wait|response/.test(name) ? duration(number(value)) : amount(number(value), ""));
  const rows = shown.flatMap((user) => runs.flatMap((run) => run.users.rows.filter((row) => String(row[run.users.names.indexOf("user")]) === user)
    .map((row) => [run.label, ...under(run, row, columns).map((value, i) => (columns[i] === "user" ? named(value) : text(columns[i], value)))])));
  parent.append(make("h3", {}, "Users who waited longest"),
    make("div", { class: "wide", tabindex: "0" }, table([["policy", ...columns.map((name) => name.replaceAll("_", " "))], ...rows])));
}

export function users(parent, figures) {
  const runs = figures.runs.filter((run) => run.users?.rows.length);
  if (runs.length === 0) return;
  const waits = new Map(runs.map((run) => [run, columnOf(run, "mean_wait")]));
  const wait = (run, user) => waits.get(run).get(user) ?? null;
  const most = (user) => Math.max(...runs.map((run) => wait(run, user) ?? 0));
  const all = [...new Set(runs.flatMap((run) => [...waits.get(run).keys()]))];
  all.sort((a, b) => most(b) - most(a) || Number(a) - Number(b));
  const shown = all.slice(0, SHOWN);
  means(parent, runs, all, shown, wait);
  worst(parent, runs, shown);
}
