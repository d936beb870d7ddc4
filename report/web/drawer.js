// The drawer: what happened to one job under every policy, and why it waited under the one
// that was clicked.

import { button, make, say, svg } from "./dom.js";
import { policyName } from "./palette.js";
import { choose, on, show, shown, view } from "./view.js";
import { amount, clock, day, duration, plural, STATES, valueTicks } from "./words.js";

const NAMES = 128; // pixels of the names beside the bars
const ROW = 28;
const LINKS = 6; // to jobs that overtook it
const HEAD = 150; // pixels of what is sticky above
const AROUND = 60; // and of what is seen around a job of a high chart

// Jobs that came later and started earlier.
function overtakers({ jobs, schedule, started }, i) {
  const found = [];
  for (let j = i + 1; j < jobs.id.length && jobs.submit[j] < schedule.start[i]; ++j) {
    if (jobs.submit[j] > jobs.submit[i] && started(j) && schedule.start[j] < schedule.start[i]) found.push(j);
  }
  return found;
}

export class Drawer {
  // chartOf(number): the schedule drawn of a run, or undefined.
  constructor(figures, chartOf) {
    this.runs = figures.runs.filter((run) => run.schedule);
    this.waits = new Map((figures.waits ?? []).map((of) => [of.label, of]));
    this.chartOf = chartOf;
    this.box = document.body.appendChild(make("aside", { class: "drawer card", "data-part": "card", hidden: true, "aria-label": "Job", tabindex: -1 }));
    on("job", () => this.draw());
    on("off", () => this.draw());
    new ResizeObserver(() => { if (!this.box.hidden && this.box.clientWidth !== this.width) this.draw(); }).observe(this.box);
  }

  // The run that was clicked, else the first that is shown.
  get run() {
    const runs = shown(this.runs);
    return runs.find((run) => run.number === view.policy) ?? runs[0] ?? this.runs[0];
  }

  open(id, number) {
    this.back = document.activeElement;
    choose(id, number);
    this.box.focus({ preventScroll: true });
  }

  close() {
    if (view.job === null) return;
    choose(null);
    this.back?.focus?.({ preventScroll: true });
  }

  // Chooses the job, and moves the window so that it is in sight.
  reveal(i) {
    const { jobs, schedule, number, started } = this.run;
    const [from, to] = [jobs.submit[i], started(i) ? schedule.finish[i] : jobs.submit[i]];
    const span = view.to - view.from;
    if (from < view.from || to > view.to) show((from + to - Math.max(span, to - from)) / 2, (from + to + Math.max(span, to - from)) / 2);
    choose(jobs.id[i], number);
  }

  step(by) {
    const { jobs } = this.run;
    const at = view.job === null ? jobs.submit.findIndex((time) => time >= view.from) : jobs.id.indexOf(view.job) + by;
    if (at >= 0 && at < jobs.id.length) this.reveal(at);
  }

  stepOfUser(by) {
    const { jobs } = this.run;
    const from = jobs.id.indexOf(view.job);
    if (from < 0) return;
    for (let at = from + by; at >= 0 && at < jobs.id.length; at += by) {
      if (jobs.user[at] === jobs.user[from]) {
        this.reveal(at);
        return;
      }
    }
  }

  draw() {
    const i = view.job === null ? -1 : this.run.jobs.id.indexOf(view.job);
    this.box.hidden = view.job === null;
    document.body.style.paddingBottom = "";
    if (this.box.hidden) return;
    const { jobs } = this.run;
    const user = i >= 0 && jobs.user[i] >= 0 ? `user ${jobs.user[i]}` : "";
    this.box.replaceChildren(
      make("div", { class: "tools" }, make("h2", {}, `Job ${view.job}`), make("small", {}, user), make("span", { class: "grow" }),
        ...(this.chartOf(this.run.number) ? [button("Show in the schedule", () => this.zoom(i))] : []),
        ...(user ? [make("span", { class: "seg" }, button(`\u2039 of ${user}`, () => this.stepOfUser(-1)), button("next \u203a", () => this.stepOfUser(1)))] : []),
        button("\u2715", () => this.close(), { "aria-label": "Close" })),
      ...(i < 0 ? [make("p", {}, `${this.run.label} has no job of this number.`)] : [make("div", { class: "columns" }, this.facts(i), this.bars(), this.why(i))]));
    this.width = this.box.clientWidth;
    document.body.style.paddingBottom = `${this.box.offsetHeight}px`;
    this.keepInSight();
    this.tell();
  }

  // The chart that was clicked stays whole above the drawer; of one too high for that the
  // place of the job.
  keepInSight() {
    const chart = view.policy === null ? null : this.chartOf(view.policy);
    if (!chart) return;
    let { top, bottom } = chart.canvas.getBoundingClientRect();
    if (bottom - top > innerHeight - this.box.offsetHeight - HEAD) {
      const at = top + chart.heightOf(this.run.jobs.id.indexOf(view.job));
      [top, bottom] = [Math.max(top, at - AROUND), Math.min(bottom, at + AROUND)];
    }
    const below = bottom - (innerHeight - this.box.offsetHeight);
    if (top < HEAD) scrollBy(0, top - HEAD);
    else if (below > 0) scrollBy(0, Math.min(below + 8, top - HEAD));
  }

  zoom(i) {
    const chart = this.chartOf(this.run.number);
    chart.showJob(i);
    chart.canvas.focus({ preventScroll: true });
    choose(view.job, this.run.number);
    this.keepInSight();
  }

  // [run, place of the job in it] of the runs that are shown and have it.
  places() {
    return shown(this.runs).map((run) => [run, run.jobs.id.indexOf(view.job)]).filter(([, i]) => i >= 0);
  }

  facts(i) {
    const { jobs, schedule, processors, lanes } = this.run;
    const ran = schedule.finish[i] - schedule.start[i];
    const walltime = jobs.walltime[i];
    const rows = [
      ["processors", jobs.size[i] > 0 && !lanes ? `${jobs.size[i]} of ${processors}` : ""],
      ["submitted", jobs.hasSubmits ? `${day(jobs.submit[i])} ${clock(Math.floor(jobs.submit[i]))}` : ""],
      ["asked for", walltime >= 0 ? duration(walltime) : ""],
      ["ran", this.run.ended(i) ? `${duration(ran)}${walltime > 0 ? ` (${Math.round((100 * ran) / walltime)} %)` : ""}` : ""],
      ["ended", STATES[schedule.state[i]]],
    ].filter(([, text]) => text !== "");
    return make("dl", {}, ...rows.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, text)]));
  }

  // A bar a policy on one axis from the submit: dotted where the job waited.
  bars() {
    const places = this.places().filter(([run, i]) => run.started(i));
    const rows = places.map(([run, i]) => ({ run, wait: run.jobs.hasSubmits ? run.schedule.wait[i] : 0, ran: run.schedule.finish[i] - run.schedule.start[i] }));
    const span = Math.max(...rows.map(({ wait, ran }) => wait + ran), 1);
    const shortest = Math.min(...rows.map(({ wait }) => wait));
    const narrow = innerWidth <= 700;
    const width = Math.max(Math.min(this.box.clientWidth - 32, narrow ? 900 : (this.box.clientWidth - 320) / 2), 200);
    const names = narrow ? 0 : NAMES;
    const row = narrow ? ROW + 14 : ROW;
    const x = (time) => names + 8 + (time / span) * (width - names - 16);
    const [first, at] = places[0] ?? [];
    const marks = valueTicks(0, span, Math.max((width - names) / 92, 1), "s").filter((time) => x(time) < width - 20);
    const lines = rows.flatMap(({ run, wait, ran }, k) => {
      const y = 20 + k * row + row - ROW / 2;
      const text = duration(wait);
      const room = x(wait) - x(0) > 12 + 7 * text.length;
      const label = { y: y + 4, style: `fill:var(--ink);font-weight:${wait === shortest && rows.some((one) => one.wait !== wait) ? 700 : 400}`, x: room ? x(wait) - 6 : x(wait + ran) + 6, "text-anchor": room ? "end" : "start" };
      return [
        svg("text", { x: 0, y: narrow ? y - 12 : y + 4, style: run === this.run ? "font-weight:600;fill:var(--ink)" : "" }, run.label.length > 18 ? `${run.label.slice(0, 17)}\u2026` : run.label),
        svg("path", { d: `M${x(0)} ${y}H${Math.max(x(wait) - (room ? 12 + 7 * text.length : 0), x(0))}`, style: `stroke:var(${policyName(run.number)});stroke-width:2`, "stroke-dasharray": "2 3" }),
        svg("circle", { cx: x(0), cy: y, r: 3, style: "fill:var(--ink)" }),
        svg("rect", { x: x(wait), y: y - 7, width: Math.max(x(wait + ran) - x(wait), 2), height: 14, style: `fill:var(${policyName(run.number)})` }),
        ...(first?.jobs.hasSubmits ? [svg("text", label, text)] : [])];
    });
    return make("div", { class: "bars" }, make("h3", {}, "Wait under each policy"),
      svg("svg", { width, height: 24 + rows.length * row, role: "img", "aria-label": this.said() },
        ...marks.flatMap((time) => [svg("path", { d: `M${x(time)} 20V${20 + rows.length * row}`, style: "stroke:var(--line)" }),
          svg("text", { x: x(time), y: 12, "text-anchor": time ? "middle" : "start" }, time ? `+${duration(time)}` : first?.jobs.hasSubmits ? clock(Math.floor(first.jobs.submit[at])) : "0")]),
        ...lines));
  }

  link(run, i) {
    return button(String(run.jobs.id[i]), () => this.reveal(i), { class: "link" });
  }

  why(i) {
    const { run } = this;
    const { jobs, schedule, label } = run;
    const parts = [make("h3", {}, "Why it waited under ", make("bdi", {}, label))];
    const of = this.waits.get(label);
    const rows = of ? of.rows.filter((row) => row.job === jobs.id[i]) : [];
    const total = rows.reduce((sum, row) => sum + row.seconds, 0);
    if (run.started(i) && jobs.hasSubmits && schedule.wait[i] === 0) parts.push(make("p", {}, "It did not wait."));
    else if (rows.length === 0) {
      parts.push(make("p", { class: "note" }, of && of.all ? "The reasons given do not name it." : "Not explained; this tells: ", make("code", {}, `berth explain RUN/${label} ${jobs.id[i]}`)));
    }
    for (const row of rows.sort((a, b) => b.seconds - a.seconds)) {
      const blocker = row.blocker < 0 ? -1 : jobs.id.indexOf(row.blocker);
      parts.push(make("div", { class: "reason" }, make("span", {}, row.words), make("span", {}, duration(row.seconds)),
        make("i", { style: `width:${total > 0 ? (100 * row.seconds) / total : 0}%` }),
        make("small", {}, plural(row.passes, "pass", "passes"),
          ...(blocker < 0 ? [] : ["; longest in the way: job ", this.link(run, blocker), ` (${plural(jobs.size[blocker], "processor")}, ${amount(schedule.finish[blocker] - schedule.start[blocker], "s")})`]))));
    }
    for (const [said, of] of [["It was held for", run.links?.parents], ["It held", run.links?.children]]) {
      const links = of?.get(i) ?? [];
      if (links.length) {
        parts.push(make("p", {}, `${said} `, ...links.slice(0, LINKS).flatMap(({ job, kind }, k) => [...(k ? [", "] : []), this.link(run, job), ` (${kind})`]), links.length > LINKS ? ", \u2026" : ""));
      }
    }
    const ahead = run.started(i) && jobs.hasSubmits ? overtakers(run, i) : [];
    if (ahead.length) {
      parts.push(make("p", {}, `Overtaken by ${plural(ahead.length, "job")}: `, ...ahead.slice(0, LINKS).flatMap((j, k) => [...(k ? [", "] : []), this.link(run, j)]), ahead.length > LINKS ? ", \u2026" : ""));
    }
    return make("div", {}, ...parts);
  }

  said() {
    return this.places().map(([run, i]) => `under ${run.label} ${run.jobs.hasSubmits && run.started(i) ? `it waited ${duration(run.schedule.wait[i])}, ` : ""}${STATES[run.schedule.state[i]]}`).join("; ");
  }

  tell() {
    say(`Job ${view.job}: ${this.said()}`);
  }
}
