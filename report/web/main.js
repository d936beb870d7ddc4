// Draws the charts of the page into the places that its HTML has for them.

import { painted } from "./chart.js";
import { load } from "./columns.js";
import { claims } from "./claims.js";
import { button, make } from "./dom.js";
import { differences, paperFigures, sweep } from "./sweeps.js";
import { distribution } from "./distributions.js";
import { gantts } from "./gantts.js";
import { heatmap } from "./heatmap.js";
import { help } from "./help.js";
import { jobs } from "./jobs.js";
import { timelines } from "./timelines.js";
import { toggleTheme } from "./palette.js";
import { users } from "./users.js";
import * as view from "./view.js";
import { waits } from "./waits.js";
import { userTimes, week } from "./when.js";

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
}

function draw(figures) {
  const charts = {};
  const on = (name, action) => {
    const parent = place(name);
    if (parent) charts[name] = action(parent, figures);
  };
  on("timelines", timelines);
  on("gantt", gantts);
  for (const { name } of figures.distributions) on(name, (parent) => distribution(parent, figures, name));
  on("heatmap", heatmap);
  on("user_times", userTimes);
  on("week", week);
  on("users", users);
  on("waits", waits);
  on("claims", claims);
  on("paper_figures", paperFigures);
  on("sweep", sweep);
  on("differences", differences);
  on("jobs", (parent) => jobs(parent, figures, (id) => {
    const chart = charts.gantt?.[0];
    if (!chart) return;
    chart.showJob(chart.indexOf(id));
    chart.canvas.scrollIntoView({ block: "center" });
    chart.canvas.focus({ preventScroll: true });
  }));
  return charts;
}

function keys(charts) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches?.("input, select, textarea");
    if (event.key === "Escape" && charts.jobs && !document.querySelector("dialog[open]")) charts.jobs.close();
    if (typing) return;
    if (event.key === "/" && charts.jobs) {
      event.preventDefault();
      charts.jobs.field.focus();
    } else if (event.key === "?") {
      help();
    }
  });
}

async function begin() {
  document.querySelector("header").prepend(make("div", { class: "tools corner" }, button("Light or dark", toggleTheme)));
  const figures = await load();
  wholeTime(figures);
  const charts = draw(figures);
  keys(charts);
  if (figures.window) view.show(...figures.window);
  view.readAddress();
  addEventListener("hashchange", view.readAddress);
  // For tests and for the console of the browser.
  globalThis.berth = { figures, charts, view };
  await Promise.all(painted);
  requestAnimationFrame(() => requestAnimationFrame(() => {
    performance.mark("painted");
    document.documentElement.dataset.painted = "true";
  }));
}

begin().catch((error) => {
  const trouble = document.getElementById("trouble");
  trouble.textContent = error.message;
  trouble.hidden = false;
  document.documentElement.dataset.painted = "failed";
});
