// The jobs submitted in the window and found by the search, with their wait under each
// policy.

import { REST } from "./cursor.js";
import { button, make } from "./dom.js";
import { exportMenu } from "./files.js";
import { nameOf } from "./gantt_near.js";
import { parse } from "./query.js";
import { on, search, shown, view } from "./view.js";
import { clock, day, duration, exact, plural, STATES } from "./words.js";

const FIRST = 8; // rows
const MORE = 40;

const known = (seconds) => (seconds < 0 ? "" : exact(seconds));

// The text of a time that is counted from the submit; empty where that is not known.
const fromSubmit = (run, text) => (run.jobs.hasSubmits ? text() : "");

// Of the file that is saved, in the words of jobs.csv.
const COLUMNS = [
  ["job_id", (run, i) => run.jobs.id[i]],
  ["user", (run, i) => (run.jobs.user[i] < 0 ? "" : run.jobs.user[i])],
  ["size", (run, i) => run.jobs.size[i] || ""],
  ["submit", (run, i) => fromSubmit(run, () => exact(run.jobs.submit[i]))],
  ["walltime", (run, i) => known(run.jobs.walltime[i])],
  ["length", (run, i) => known(run.schedule.length[i])],
  ["start", (run, i) => (run.started(i) ? exact(run.schedule.start[i]) : "")],
  ["finish", (run, i) => (run.ended(i) ? exact(run.schedule.finish[i]) : "")],
  ["wait", (run, i) => fromSubmit(run, () => (run.started(i) ? exact(run.schedule.wait[i]) : ""))],
  ["state", (run, i) => STATES[run.schedule.state[i]]],
  ["processors", places],
];

function places(run, i) {
  const { schedule } = run;
  const parts = [];
  for (let k = schedule.at[i]; k < schedule.at[i + 1]; ++k) {
    const [first, last] = [nameOf(run, schedule.first[k]), nameOf(run, schedule.first[k] + schedule.more[k])];
    parts.push(first === last ? last : `${first}-${last}`);
  }
  return parts.join(" ");
}

// The first `count` of these by key, the largest first or, up, the smallest; ties by place.
function firstOf(found, key, up, count) {
  const before = (a, b) => (up ? key(a) - key(b) : key(b) - key(a)) || a - b;
  let best = [];
  for (const i of found) {
    best.push(i);
    if (best.length >= 2 * count + 100) best = best.sort(before).slice(0, count);
  }
  return best.sort(before).slice(0, count);
}

class JobTable {
  constructor(parent, runs, drawer) {
    Object.assign(this, { runs, drawer, rows: FIRST, order: { name: null, up: false }, found: [] });
    this.field = make("input", {
      type: "search", "aria-label": "Search jobs: a number, or conditions such as size > 64 and wait > 1h",
      placeholder: "4711, or: user = 7 and size > 64 and wait > 1h",
      onchange: () => search(this.field.value), onsearch: () => search(this.field.value),
      onkeydown: (event) => { if (event.key === "Enter") this.openFirst(); },
    });
    this.count = make("span", { role: "status" });
    this.body = make("div", { class: "wide", tabindex: "0" });
    parent.append(exportMenu("jobs", { rows: () => this.saved() }), make("div", { class: "tools" }, this.field, this.count), this.body);
    on("search", () => { this.field.value = view.search; this.update(); });
    on("off", () => this.update());
    on("window", () => {
      clearTimeout(this.resting);
      this.resting = setTimeout(() => this.update(), REST);
    });
    this.update();
  }

  get run() {
    return shown(this.runs)[0] ?? this.runs[0];
  }

  // A number finds its job at any time; all others are of the window.
  update() {
    const { run } = this;
    const { test, error } = parse(view.search);
    const isNumber = /^\s*\d+\s*$/.test(view.search);
    this.rows = FIRST;
    this.found = [];
    const { submit } = run.jobs;
    for (let i = 0; test && i < submit.length; ++i) {
      if ((isNumber || (submit[i] >= view.from && submit[i] <= view.to)) && test(run, i)) this.found.push(i);
    }
    this.count.textContent = error ?? `${plural(this.found.length, "job")} found${isNumber ? "" : ", submitted in the window"}`;
    this.count.classList.toggle("error", Boolean(error));
    this.draw();
  }

  // Heads, numbers by which they sort, and texts.
  columns() {
    const { run } = this;
    const { jobs } = run;
    const runs = shown(this.runs).filter((one) => one.jobs === jobs);
    const wait = (one, i) => (one.started(i) ? one.schedule.wait[i] : -1);
    const least = (i) => Math.min(...runs.map((one) => wait(one, i)).filter((value) => value >= 0));
    return [
      ["job", (i) => jobs.id[i], (i) => button(String(jobs.id[i]), () => this.open(i))],
      ["user", (i) => jobs.user[i], (i) => (jobs.user[i] < 0 ? "" : String(jobs.user[i]))],
      ["processors", (i) => jobs.size[i], (i) => (jobs.size[i] ? String(jobs.size[i]) : "")],
      ["submitted", (i) => jobs.submit[i], (i) => fromSubmit(run, () => `${day(jobs.submit[i])} ${clock(Math.floor(jobs.submit[i]))}`)],
      ["asked for", (i) => jobs.walltime[i], (i) => (jobs.walltime[i] < 0 ? "" : duration(jobs.walltime[i]))],
      ...(jobs.hasSubmits ? runs.map((one) => [`wait, ${one.label}`, (i) => wait(one, i), (i) => {
        const own = wait(one, i);
        return own < 0 ? STATES[one.schedule.state[i]] : runs.length > 1 && own === least(i) ? make("b", {}, duration(own)) : duration(own);
      }]) : []),
    ];
  }

  draw() {
    const columns = this.columns();
    const order = columns.find(([name]) => name === this.order.name) ?? columns[5] ?? columns[3];
    const head = columns.map((column) => {
      const [name] = column;
      return make("th", { "aria-sort": column === order ? (this.order.up ? "ascending" : "descending") : "none" }, button(name, () => {
        this.order = { name, up: column === order && !this.order.up };
        this.draw();
      }));
    });
    const rows = firstOf(this.found, order[1], this.order.up, this.rows);
    this.body.replaceChildren(make("table", { class: "jobs" }, make("thead", {}, make("tr", {}, ...head)),
      make("tbody", {}, ...rows.map((i) => make("tr", {}, ...columns.map(([, , text]) => make("td", {}, text(i))))))));
    if (this.found.length > rows.length) this.body.append(button("more", () => { this.rows += MORE; this.draw(); }));
  }

  openFirst() {
    search(this.field.value);
    if (this.found.length > 0) this.open(this.found[0]);
  }

  open(i) {
    this.drawer.open(this.run.jobs.id[i], this.run.number);
  }

  saved() {
    return [COLUMNS.map(([name]) => name), ...this.found.map((i) => COLUMNS.map(([, value]) => value(this.run, i)))];
  }
}

export function jobs(parent, figures, drawer) {
  return new JobTable(parent, figures.runs.filter((run) => run.schedule), drawer);
}
