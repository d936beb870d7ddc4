// The jobs as a table with a search.

import { nameOf } from "./gantt_near.js";
import { started } from "./drawer.js";
import { button, choice, make, table } from "./dom.js";
import { saveCsv } from "./files.js";
import { parse } from "./query.js";
import { on, search, view } from "./view.js";
import { exact, plural, STATES } from "./words.js";

const PAGE = 25;
const RUNNING = 4;
const known = (seconds) => (seconds < 0 ? "" : exact(seconds));

// The text of a time that is counted from the submit; empty where that is not known.
const fromSubmit = (run, text) => (run.jobs.hasSubmits ? text() : "");

const COLUMNS = [
  ["job_id", (run, i) => run.jobs.id[i]],
  ["user", (run, i) => (run.jobs.user[i] < 0 ? "" : run.jobs.user[i])],
  ["size", (run, i) => run.jobs.size[i] || ""],
  ["submit", (run, i) => fromSubmit(run, () => exact(run.jobs.submit[i]))],
  ["walltime", (run, i) => known(run.jobs.walltime[i])],
  ["length", (run, i) => known(run.schedule.length[i])],
  ["start", (run, i) => (started(run.schedule.state[i]) ? exact(run.schedule.start[i]) : "")],
  ["finish", (run, i) => (started(run.schedule.state[i]) && run.schedule.state[i] !== RUNNING ? exact(run.schedule.finish[i]) : "")],
  ["wait", (run, i) => fromSubmit(run, () => (started(run.schedule.state[i]) ? exact(run.schedule.wait[i]) : ""))],
  ["state", (run, i) => STATES[run.schedule.state[i]]],
];

const rowOf = (run, i) => COLUMNS.map(([, value]) => value(run, i));

function places(run, i) {
  const { schedule } = run;
  const parts = [];
  for (let k = schedule.at[i]; k < schedule.at[i + 1]; ++k) {
    const [first, last] = [nameOf(run, schedule.first[k]), nameOf(run, schedule.first[k] + schedule.more[k])];
    parts.push(first === last ? last : `${first}-${last}`);
  }
  return parts.join(" ");
}

class JobTable {
  constructor(parent, runs, drawer) {
    Object.assign(this, { runs, drawer, run: runs[0], page: 0, order: null, found: [] });
    this.field = make("input", {
      type: "search", "aria-label": "Search jobs: a number, or conditions such as size > 64 and wait > 1h",
      placeholder: "4711, or: user = 7 and size > 64 and wait > 1h",
      onchange: () => search(this.field.value), onsearch: () => search(this.field.value),
      onkeydown: (event) => { if (event.key === "Enter") this.openFirst(); },
    });
    this.count = make("span", { role: "status" });
    this.body = make("div", { class: "wide", tabindex: "0" });
    this.pages = make("div", { class: "tools" });
    parent.append(
      make("div", { class: "tools" }, this.field,
        ...(runs.length > 1 ? [choice("Policy", runs.map((run, i) => [String(i), run.label]), "0", (value) => { this.run = runs[Number(value)]; this.update(); })] : []),
        button("CSV", () => this.save()), this.count),
      this.body, this.pages,
    );
    on("search", () => { this.field.value = view.search; this.update(); });
    this.update();
  }

  update() {
    const { test, error } = parse(view.search);
    this.page = 0;
    this.found = [];
    if (test) {
      for (let i = 0; i < this.run.jobs.id.length; ++i) if (test(this.run, i)) this.found.push(i);
    }
    this.sort();
    this.count.textContent = error ?? `${plural(this.found.length, "job")} found`;
    this.count.classList.toggle("error", Boolean(error));
    this.draw();
  }

  sort() {
    if (!this.order) return;
    const { value, down } = this.order;
    const keys = new Map(this.found.map((i) => [i, value(this.run, i)]));
    const number = (text) => (text === "" ? -Infinity : Number.isNaN(Number(text)) ? text : Number(text));
    this.found.sort((a, b) => {
      const [x, y] = [number(keys.get(a)), number(keys.get(b))];
      return (x < y ? -1 : x > y ? 1 : a - b) * (down ? -1 : 1);
    });
  }

  draw() {
    const from = this.page * PAGE;
    const shown = this.found.slice(from, from + PAGE);
    const made = table([COLUMNS.map(([name]) => name), ...shown.map((i) => rowOf(this.run, i))], { class: "jobs" });
    made.querySelectorAll("thead th").forEach((cell, k) => {
      const [name, value] = COLUMNS[k];
      cell.setAttribute("aria-sort", this.order?.name === name ? (this.order.down ? "descending" : "ascending") : "none");
      cell.replaceChildren(button(name, () => {
        this.order = { name, value, down: this.order?.name === name && !this.order.down };
        this.sort();
        this.draw();
      }));
    });
    made.querySelectorAll("tbody tr").forEach((row, k) => {
      const id = this.run.jobs.id[shown[k]];
      row.firstChild.replaceChildren(button(String(id), () => this.open(id)));
    });
    this.body.replaceChildren(made);
    const last = Math.max(Math.ceil(this.found.length / PAGE), 1);
    const turn = (step) => { this.page = Math.min(Math.max(this.page + step, 0), last - 1); this.draw(); };
    this.pages.replaceChildren(button("Previous", () => turn(-1)), ` page ${this.page + 1} of ${last} `, button("Next", () => turn(1)));
  }

  openFirst() {
    search(this.field.value);
    if (this.found.length > 0) this.open(this.run.jobs.id[this.found[0]]);
  }

  open(id) {
    this.drawer.open(id, this.run.number);
  }

  save() {
    saveCsv(`jobs-${this.run.label}`, [[...COLUMNS.map(([name]) => name), "processors"],
      ...this.found.map((i) => [...rowOf(this.run, i), places(this.run, i)])]);
  }
}

export function jobs(parent, figures, drawer) {
  return new JobTable(parent, figures.runs.filter((run) => run.schedule), drawer);
}
