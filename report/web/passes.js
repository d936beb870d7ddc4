// Pass by pass: what a run started, and what it left in the queue.

import { REJECTED } from "./columns.js";
import { button, make } from "./dom.js";
import { choose, pan, shown, view } from "./view.js";
import { clock, day, number, plural } from "./words.js";

const NAMED = 6; // jobs that are named

// The instants of a run without a log at which jobs started.
function startsOf({ jobs, schedule, started }) {
  const at = Float64Array.from(new Set([...schedule.start.keys()].filter(started).map((i) => schedule.start[i]))).sort();
  const isLeft = (i, time) => jobs.submit[i] <= time && schedule.state[i] !== REJECTED && !(started(i) && schedule.start[i] <= time);
  return { at, left: { at: (k) => schedule.start.reduce((sum, _, i) => sum + Number(isLeft(i, at[k])), 0) } };
}

export class Passes {
  // runs: that have a schedule.  drawn(): draws them again.
  constructor(runs, drawn) {
    Object.assign(this, { runs, drawn, time: null, jobs: [], of: new Map() });
    const title = runs.every((run) => run.passes) ? "" : "Times at which jobs start; with --log every pass";
    this.buttons = make("span", { class: "seg" }, button("\u2039 pass", () => this.step(-1), { title }), button("pass \u203a", () => this.step(1), { title }));
    this.said = make("p", { class: "note", role: "status" });
  }

  // The run that was clicked or compared, else the first that is shown.
  get run() {
    const number = view.diff?.[0] ?? view.policy;
    return shown(this.runs).find((run) => run.number === number) ?? shown(this.runs)[0];
  }

  step(by) {
    const { run } = this;
    if (!run) return;
    if (!this.of.has(run)) this.of.set(run, run.passes ?? startsOf(run));
    const of = this.of.get(run);
    const isSeen = this.time !== null && this.time >= view.from && this.time <= view.to;
    const from = isSeen ? this.time : (view.from + view.to) / 2;
    const k = by > 0 ? of.at.findIndex((time) => time > from) : of.at.findLastIndex((time) => time < from);
    if (k < 0) return;
    this.time = of.at[k];
    this.jobs = [...run.schedule.start.keys()].filter((i) => run.schedule.start[i] === this.time && run.started(i));
    this.tell(run, of.number ? `Pass ${number(of.number[k], 15)} of ` : "", of.left.at(k));
    const share = (this.time - view.from) / (view.to - view.from);
    if (share < 0 || share > 1) pan(share - 0.5);
    this.drawn();
  }

  tell(run, pass, left) {
    const link = (i) => button(String(run.jobs.id[i]), () => choose(run.jobs.id[i], run.number), { class: "link" });
    const names = this.jobs.slice(0, NAMED).flatMap((i, k) => [k ? ", " : "", link(i)]);
    const more = this.jobs.length > NAMED ? `, and ${this.jobs.length - NAMED} more` : "";
    this.said.replaceChildren(`${pass}${run.label}, ${day(this.time)} ${clock(Math.floor(this.time))}: started `, ...(names.length ? names : ["no job"]), `${more}; ${plural(left, "job")} left in the queue.`);
  }
}
