// Draws the charts of the page into the places that its HTML has for them.

import { answer } from "./answer.js";
import { load } from "./columns.js";
import { claims } from "./claims.js";
import { button, make } from "./dom.js";
import { differences, paperFigures, sweep } from "./sweeps.js";
import { left } from "./cursor.js";
import { distribution } from "./distributions.js";
import { gantts } from "./gantts.js";
import { Drawer } from "./drawer.js";
import { contents, goTo, policySwitch } from "./frame.js";
import { jobs } from "./jobs.js";
import { loads } from "./heat.js";
import { help, keys } from "./keys.js";
import { lanes } from "./lanes.js";
import { Timebar } from "./timebar.js";
import { setRecorded, toggleTheme } from "./palette.js";
import { users } from "./users.js";
import * as view from "./view.js";
import { waits } from "./waits.js";
import * as words from "./words.js";

const TIMED = ["timelines", "gantt", "loads", "jobs"]; // what the time bar stands before

const place = (name) => document.querySelector(`[data-chart="${name}"]`);

function wholeTime(figures) {
  let from = Infinity;
  let to = -Infinity;
  for (const run of figures.runs) {
    if (run.timeline?.[0].from.length) {
      from = Math.min(from, run.timeline[0].from[0]);
      to = Math.max(to, run.timeline[0].to.at(-1));
    }
    if (!run.schedule?.start.length) continue;
    from = Math.min(from, run.jobs.submit[0]);
    to = Math.max(to, run.schedule.end, run.jobs.submit.at(-1));
  }
  if (from <= to) view.begin(from, to);
  return from <= to;
}

function draw(figures) {
  const charts = {};
  const on = (name, action) => {
    const parent = place(name);
    if (parent) charts[name] = action(parent, figures);
  };
  on("timelines", lanes);
  on("gantt", gantts);
  on("loads", loads);
  on("wait", distribution);
  on("users", users);
  on("waits", waits);
  on("claims", claims);
  on("paper_figures", paperFigures);
  on("sweep", sweep);
  on("differences", differences);
  if (figures.runs.some((run) => run.schedule)) charts.drawer = new Drawer(figures, (number) => charts.gantt?.find((one) => one.run.number === number));
  on("jobs", (parent) => jobs(parent, figures, charts.drawer));
  return charts;
}

// A plain #section is a link of the contents.
function readAddress() {
  const plain = /^#([a-z_-]+)$/.exec(location.hash);
  if (plain) goTo(plain[1]);
  else view.readAddress();
}

async function begin() {
  document.querySelector("header").append(make("div", { class: "tools" }, button("\u25d1", toggleTheme, { "aria-label": "Light or dark" }), button("?", help, { "aria-label": "Keys" })));
  for (const row of document.querySelectorAll('tr[data-recorded="1"]')) setRecorded(Number(row.dataset.number));
  const board = answer();
  const figures = await load();
  words.beginAt(figures.unix_start);
  const policies = figures.runs.length ? figures.runs.map((run) => run.label) : figures.sweep?.policies ?? [];
  policies.forEach((label, number) => { if (label === "recorded") setRecorded(number); });
  view.setLabels(policies);
  policySwitch(policies);
  const main = document.querySelector("main");
  contents(main);
  const first = TIMED.map((name) => place(name)?.closest("section")).find(Boolean);
  const timebar = wholeTime(figures) && first ? new Timebar(first, figures.runs) : null;
  const charts = draw(figures);
  const [base, second] = (charts.gantt ?? []).map((one) => one.run.number);
  keys({ drawer: charts.drawer, passes: charts.gantt?.[0]?.settings.passes, jobs: charts.jobs, difference: second === undefined ? undefined : () => view.compareRuns(view.view.diff ? null : [second, base]) });
  if (figures.window) view.show(...figures.window);
  readAddress();
  addEventListener("hashchange", readAddress);
  // For tests and for the console of the browser.
  globalThis.berth = { figures, charts, view, board, timebar, left, words };
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark("painted");
    document.documentElement.dataset.painted = "true";
    if (view.view.section) goTo(view.view.section);
  }));
}

begin().catch(sayTrouble); // of loader.js
