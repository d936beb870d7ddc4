// Queue and use: a lane a policy on one scale.  The queue is an area, the mean of each bin,
// with its most as a line; below it the processors in use, and a strip for each further
// level of timeline.csv.

import { cursor, left, moves, shareAt } from "./cursor.js";
import { choice, make, svg } from "./dom.js";
import { exportMenu } from "./files.js";
import { hideHover, hover } from "./hover.js";
import { policyDash, policyName } from "./palette.js";
import { axes, line, Plot } from "./plot.js";
import { on, shown, view } from "./view.js";
import { amount, moment, number, ticks, valueTicks } from "./words.js";

const MOST_BINS = 1200; // in view: more than pixels are of no use
const QUEUE = 52;
const USE = 26;
const STRIP = 18;
const DEMAND = 300; // of curves against demand
const BELOW = 3; // pixels between them

const TITLES = { used: "in use", foreground: "foreground", background: "background" };
const titleOf = (name) => TITLES[name] ?? name.replace("used_", "").replaceAll("_", " ");
const unitOf = (name) => (name.includes("memory") ? "KiB" : "");

function inView(from, to) {
  let begin = 0;
  while (begin < to.length && to[begin] < view.from) ++begin;
  let end = begin;
  while (end < from.length && from[end] <= view.to) ++end;
  return [begin, end];
}

// The finest level of detail of which no more than MOST_BINS are in view.
function detail(run) {
  for (const level of run.timeline) {
    const [begin, end] = inView(level.from, level.to);
    if (end - begin <= MOST_BINS || level === run.timeline.at(-1)) return { level, begin, end };
  }
  return null;
}

// By user: seconds of processors in the first run that says both, the busiest first.
const MOST_USERS = 20;
function busiest(run) {
  const seconds = new Map();
  for (let i = 0; i < run.jobs.id.length; ++i) {
    const user = run.jobs.user[i];
    if (user >= 0 && run.started(i)) seconds.set(user, (seconds.get(user) ?? 0) + run.jobs.size[i] * (run.schedule.finish[i] - run.schedule.start[i]));
  }
  return [...seconds].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_USERS).map(([user]) => user);
}

// The mean of processors that a user's jobs have in bins begin to end.
function usedBy(run, user, { level: { from, to }, begin, end }) {
  const values = new Float64Array(from.length);
  const { job, start, finish, at, more } = run.bars;
  for (let bar = 0; bar < job.length; ++bar) {
    if (run.jobs.user[job[bar]] !== user || finish[bar] <= from[begin] || start[bar] >= to[end - 1]) continue;
    let processors = 0;
    for (let k = at[bar]; k < at[bar + 1]; ++k) processors += more[k] + 1;
    if (at[bar] === at[bar + 1]) processors = run.jobs.size[job[bar]];
    for (let i = begin; i < end && from[i] < finish[bar]; ++i) {
      const time = Math.min(finish[bar], to[i]) - Math.max(start[bar], from[i]);
      if (time > 0) values[i] += (processors * time) / (to[i] - from[i]);
    }
  }
  return values;
}

const largest = (values) => values.reduce((a, b) => Math.max(a, b), 0);

class Lanes {
  constructor(parent, runs, names) {
    Object.assign(this, { runs, names, user: null });
    this.strips = names.filter((name) => !["queue", "used", "idle"].includes(name) && !name.endsWith("_arrived") && largest(runs.map((run) => this.top(run, name))) > 0);
    this.height = QUEUE + BELOW + USE + this.strips.length * (STRIP + BELOW);
    const dated = runs.find((run) => run.schedule);
    const users = dated ? busiest(dated) : [];
    if (users.length > 1) {
      parent.append(make("div", { class: "tools" }, choice("In use by", [["", "all"], ...users.map((user) => [String(user), `user ${user}`])], "",
        (value) => this.choose(value === "" ? null : Number(value)))));
    }
    parent.append(exportMenu("queue", { rows: () => this.rows(), svg: () => this.picture(), png: 2 }));
    this.lanes = runs.map((run) => {
      const box = make("div", { class: "plot", style: `height:${this.height}px`, tabindex: 0, role: "img", "aria-label": `Queue and use of ${run.label}` });
      parent.append(make("div", { class: "lane", "data-part": "timeline" },
        make("div", { class: "tag" }, make("bdi", {}, run.label), make("small", {}, this.said(run))), box));
      moves(box);
      cursor(box);
      box.addEventListener("mousemove", (event) => this.hover(event, box));
      box.addEventListener("mouseleave", hideHover);
      return { run, box };
    });
    for (const name of ["window", "off"]) on(name, () => { this.asked ??= requestAnimationFrame(() => this.draw()); });
    new ResizeObserver(() => this.draw()).observe(parent);
    this.draw();
  }

  // Sets off what jobs of a user have in use; null: of none.
  choose(user) {
    this.user = user;
    this.draw();
  }

  top(run, name) {
    const [finest] = run.timeline;
    return largest(finest[`${name}_max`] ?? finest[`${name}_mean`] ?? []);
  }

  said(run) {
    const { from, to, queue_mean: mean } = run.timeline[0];
    const time = to.at(-1) - from[0];
    const sum = (mean ?? []).reduce((all, value, i) => all + value * (to[i] - from[i]), 0);
    return mean && time > 0 ? `mean ${number(sum / time, 3)}, most ${number(this.top(run, "queue"), 3)}` : "";
  }

  draw() {
    this.asked = undefined;
    this.window = { from: view.from, to: view.to };
    const parts = new Map(shown(this.runs).map((run) => [run, detail(run)]));
    const most = (name) => largest([...parts].flatMap(([, { level, begin, end }]) =>
      [level[`${name}_max`] ?? level[`${name}_mean`] ?? [], level[`${name}_high`] ?? []].map((values) => largest(values.slice(begin, end)))));
    this.scale = { queue: Math.max(most("queue"), 1), used: Math.max(...this.runs.map((run) => run.processors), most("used"), 1) };
    for (const name of this.strips) this.scale[name] = largest(this.runs.map((run) => this.top(run, name)));
    for (const { run, box } of this.lanes) {
      box.parentElement.hidden = !parts.has(run);
      if (parts.has(run)) box.replaceChildren(this.lane(run, parts.get(run), box.clientWidth));
    }
  }

  lane(run, { level, begin, end }, width) {
    const room = Math.max(width - left(), 10);
    const x = (time) => left() + Math.min(Math.max((time - view.from) / (view.to - view.from), 0), 1) * room;
    const steps = (values, y) => {
      let path = "";
      for (let i = begin; i < end; ++i) path += `L${x(level.from[i]).toFixed(1)} ${y(values[i]).toFixed(1)}H${x(level.to[i]).toFixed(1)}`;
      return path;
    };
    const first = begin < end ? x(level.from[begin]).toFixed(1) : left();
    const yOf = (name, top, height) => (value) => top + height - Math.min(value / this.scale[name], 1) * height;
    const below = (values, y, bottom) => `M${first} ${bottom}${steps(values, y)}V${bottom}Z`;
    const area = (name, top, height, style, values = level[`${name}_mean`]) =>
      (values ? [svg("path", { d: below(values, yOf(name, top, height), top + height), style })] : []);
    // Between the quantiles of replications: each is an area, and what both cover is left out.
    const band = (name, top, height, colour) => {
      const ends = ["low", "high"].map((end) => level[`${name}_${end}`]).filter(Boolean);
      return ends.length ? [svg("path", { class: "band", d: ends.map((values) => below(values, yOf(name, top, height), top + height)).join(""), "fill-rule": "evenodd", style: `fill:${colour};opacity:.22` })] : [];
    };
    const label = (text, y) => (left() ? [svg("text", { x: left() - 8, y, "text-anchor": "end" }, text)] : []);
    const colour = `var(${policyName(run.number)})`;
    const useTop = QUEUE + BELOW;
    const dotted = (d) => svg("path", { d, style: "stroke:var(--low);fill:none", "stroke-dasharray": "2 3" });
    const across = (y) => dotted(`M${left()} ${y}H${width}`);
    // Where processors come and go, those that are there.
    const available = () => {
      const there = run.machine && level.idle_mean ? level.used_mean.map((used, i) => used + level.idle_mean[i]) : null;
      const y = yOf("used", useTop, USE);
      return there ? dotted(`M${first} ${y(there[begin] ?? 0)}${steps(there, y)}`) : across(useTop);
    };
    return svg("svg", { width, height: this.height },
      ...ticks(view.from, view.to, room).map(({ at }) => svg("path", { d: `M${x(at).toFixed(1)} 0V${this.height}`, style: "stroke:var(--line)" })),
      ...band("queue", 2, QUEUE - 2, colour), ...area("queue", 2, QUEUE - 2, `fill:${colour};opacity:.35`),
      ...(level.queue_max ? [svg("path", { d: `M${first} ${QUEUE}${steps(level.queue_max, yOf("queue", 2, QUEUE - 2))}`, style: `fill:none;stroke:${colour}` })] : []),
      ...label(number(this.scale.queue, 3), 11), ...label("0", QUEUE),
      ...band("used", useTop, USE, "var(--ink)"), ...area("used", useTop, USE, "fill:var(--ref);opacity:.45"),
      ...(this.user !== null && run.schedule ? area("used", useTop, USE, `fill:${colour}`, usedBy(run, this.user, { level, begin, end })) : []), available(), ...label(number(this.scale.used, 3), useTop + 12),
      ...this.strips.flatMap((name, i) => {
        const top = useTop + USE + BELOW + i * (STRIP + BELOW);
        return [...area(name, top, STRIP, "fill:var(--ref);opacity:.7"), across(top), ...label(`${titleOf(name)} ${amount(this.scale[name], unitOf(name))}`, top + 13)];
      }));
  }

  // A row a policy: the bin at the time under the mouse.
  hover(event, box) {
    const time = view.from + shareAt(box, event) * (view.to - view.from);
    if (time < view.from || time > view.to) {
      hideHover();
      return;
    }
    const names = ["used", ...this.strips];
    const rows = shown(this.runs).flatMap((run) => {
      const { level } = detail(run);
      const i = level.to.findIndex((end) => time < end);
      if (i < 0 || time < level.from[i]) return [];
      const of = (name, kind) => level[`${name}_${kind}`]?.[i];
      return [[run.number, run.label, `${number(of("queue", "mean"), 3)} (${number(of("queue", "max"), 3)})`, ...names.map((name) => (of(name, "mean") === undefined ? "-" : unitOf(name) ? amount(of(name, "mean"), unitOf(name)) : number(of(name, "mean"), 3)))]];
    });
    hover(event, moment(time), rows, ["", "in queue (most)", ...names.map(titleOf)]);
  }

  rows() {
    const ofUser = this.user === null ? [] : [`used_by_user_${this.user}`];
    const columns = [...this.names.flatMap((name) => [`${name}_mean`, `${name}_max`]), ...["queue_low", "queue_high", "used_low", "used_high"].filter((name) => this.runs.some((run) => run.timeline[0][name]))];
    return [["policy", "from", "to", ...columns, ...ofUser],
      ...shown(this.runs).flatMap((run) => {
        const { level, begin, end } = detail(run);
        const used = ofUser.length && run.schedule ? usedBy(run, this.user, { level, begin, end }) : null;
        return Array.from({ length: end - begin }, (_, k) => [run.label, level.from[begin + k], level.to[begin + k],
          ...columns.map((name) => level[name]?.[begin + k]), ...(used ? [used[begin + k]] : [])]);
      })];
  }

  // All lanes below each other.
  picture() {
    const lanes = this.lanes.filter(({ run }) => !view.off.has(run.number));
    const tall = this.height + 28;
    const width = lanes[0]?.box.clientWidth ?? 0;
    return svg("svg", { width, height: lanes.length * tall }, ...lanes.map(({ run, box }, i) =>
      svg("g", { transform: `translate(0 ${i * tall})` }, svg("text", { x: 0, y: 14, style: "fill:var(--ink);font-weight:600" }, run.label),
        svg("g", { transform: "translate(0 20)" }, ...[...box.firstChild.cloneNode(true).childNodes]))));
  }
}

// What is allocated, and what is lost to fragmentation, against what has arrived, all in
// per cent of the machine.
function curves(parent, runs, name) {
  const percent = (value) => `${number(value, 3)} %`;
  const drawn = ["allocated", "fragmentation"].filter((one) => runs.some((run) => run.timeline[0][`${name}_${one}_mean`]));
  const having = () => shown(runs).filter((run) => run.timeline[0][`${name}_arrived_mean`]);
  const points = (run, one) => {
    const of = run.timeline.find((level) => level.from.length <= MOST_BINS) ?? run.timeline.at(-1);
    const [x, y] = [of[`${name}_arrived_mean`], of[`${name}_${one}_mean`]];
    return y ? Array.from(x, (value, i) => [value, y[i]]) : [];
  };
  const all = () => having().flatMap((run) => drawn.map((one, i) => ({ run, one, isFirst: i === 0, points: points(run, one) })));
  let scale;
  new Plot(parent, `demand-${name}`, {
    label: `Allocated ${name} against demand`, height: DEMAND,
    draw: (width, plot) => {
      const marks = (values, most) => ({ low: 0, high: largest(values) || 1, marks: valueTicks(0, largest(values), most).map((value) => [value, percent(value)]) });
      const of = all().flatMap((curve) => curve.points);
      scale = axes({ width, height: DEMAND }, marks(of.map(([x]) => x), 6), marks(of.map(([, y]) => y), 5));
      plot.say([...having().map((run) => [run.number, run.label]), ...drawn.slice(1).map((one) => [null, `${one}: thin and dotted`])]);
      return [...scale.grid, ...all().map(({ run, isFirst, points: own }) => line(own.map(([x, y]) => [scale.x(x), scale.y(y)]),
        `stroke:var(${policyName(run.number)});stroke-width:${isFirst ? 2 : 1}`, isFirst ? policyDash(run.number) : "1 2"))];
    },
    tell: (x) => [`arrived ${percent(scale.at(x))}`, all().map(({ run, one, points: own }) => {
      const after = own.find(([arrived]) => arrived >= scale.at(x)) ?? own.at(-1);
      return [run.number, run.label, one, after ? percent(after[1]) : "-"];
    })],
    rows: () => [["policy", `${name}_arrived`, "what", "value"], ...all().flatMap(({ run, one, points: own }) => own.map(([x, y]) => [run.label, x, one, y]))],
  });
}

export function lanes(parent, figures) {
  const runs = figures.runs.filter((run) => run.timeline?.[0].from.length);
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.timeline[0])))]
    .filter((name) => name.endsWith("_mean")).map((name) => name.slice(0, -5));
  const made = new Lanes(parent, runs, names);
  for (const name of names.filter((one) => one.endsWith("_arrived")).map((one) => one.slice(0, -"_arrived".length))) {
    curves(parent.appendChild(make("div", { class: "part" }, make("h3", {}, `Allocated ${name} against demand`))), runs, name);
  }
  return made;
}
