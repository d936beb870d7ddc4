// A sweep: means with their intervals over a swept key, and paired differences; figures of
// a paper are drawn the same way.

import { choice, make, svg } from "./dom.js";
import { mark, marker, policyDash, policyName, whisker } from "./palette.js";
import { axes, BELOW, line, Plot, TOP } from "./plot.js";
import { view } from "./view.js";
import { amount, difference, metricWords, number, valueTicks } from "./words.js";

const HEIGHT = 340;
const SMALL = 180; // of a further metric
const LABEL = 92; // pixels of a value of the key
const BESIDE = 170; // of the numbers beside a bracket
const FIRST_SHOWN = "mean_wait";
const FURTHER = ["mean_wait", "p95_wait", "max_wait", "mean_bounded_slowdown", "utilisation"]; // metrics, small
const SHOWN = new Set(["base", "better", "worse", "differs", ""]);

class Curves {
  // differs: of differences to the first policy; numbers: what each policy has on the page;
  // main: the curves that say along which key; metric: shown small, and no other.
  constructor(parent, sweep, name, { differs = false, numbers = [...sweep.policies.keys()], main, metric } = {}) {
    Object.assign(this, { sweep, differs, numbers, isSmall: Boolean(main), height: main ? SMALL : HEIGHT, brackets: sweep.brackets ?? [], further: [] });
    this.policies = sweep.policies.map((_, i) => i).slice(differs ? 1 : 0);
    this.along = main?.along ?? { key: 0, at: sweep.keys.map((_, i) => sweep.cells[0][i]) };
    const metrics = [...new Set(sweep.rows.map((row) => row.metric))];
    this.metric = [metric, sweep.primary, FIRST_SHOWN].find((one) => metrics.includes(one)) ?? metrics[0];
    if (!main) {
      this.metrics = choice("Metric", metrics.map((one) => [one, metricWords(one)]), this.metric, (value) => { this.metric = value; this.plot.draw(); });
      this.tools = parent.appendChild(make("div", { class: "tools" }));
      this.offer();
    }
    this.plot = new Plot(parent, name, {
      label: differs ? `Differences to ${sweep.policies[0]}` : name, height: this.height,
      draw: (width, plot) => this.draw(width, plot), rows: () => this.rows(), tell: (x) => this.tell(x),
    });
  }

  // The metric, the key along the axis, and where on the other keys.
  offer() {
    const { keys, cells } = this.sweep;
    const { key: along, at } = this.along;
    const change = (action) => (value) => { action(value); this.offer(); [this, ...this.further].forEach(({ plot }) => plot.draw()); };
    this.tools.replaceChildren(...(this.sweep.rows.some((row) => row.metric !== this.metric) ? [this.metrics] : []), ...(keys.length < 2 ? [] : [
      choice("Along", keys.map((key, i) => [String(i), key]), String(along), change((value) => { this.along.key = Number(value); })),
      ...keys.flatMap((key, i) => (i === along ? [] : [choice(key, [...new Set(cells.map((cell) => cell[i]))].map((value) => [value, value]), at[i], change((value) => { at[i] = value; }))]))]));
  }

  get visible() {
    return this.policies.filter((policy) => !view.off.has(this.numbers[policy]));
  }

  // The rows of the metric at the cells that are drawn.
  shown() {
    const { key, at } = this.along;
    return this.sweep.rows.filter((row) => row.metric === this.metric && this.sweep.cells[row.cell].every((value, i) => i === key || value === at[i]));
  }

  of(row, policy) {
    const [mean, half, apart, apartHalf, , verdict, printed = null] = row.entries[policy];
    return this.differs ? { mean: apart, half: apartHalf, verdict, printed: null } : { mean, half, verdict, printed };
  }

  text(value, unit) {
    return this.differs ? difference(value, unit) || "0" : amount(value, unit);
  }

  place(row) {
    return this.sweep.cells[row.cell][this.along.key] ?? "all runs";
  }

  // Scales that show 0 and all values.
  scaled(width, rows, points) {
    const { height } = this;
    const unit = rows[0]?.unit ?? "";
    const ends = points.flatMap(({ all }) => all.flatMap(({ mean, half, printed }) => [mean - (half ?? 0), mean + (half ?? 0), printed ?? mean]));
    const most = this.isSmall ? 3 : 6;
    const steps = valueTicks(Math.min(0, ...ends), Math.max(0, ...ends), most, unit);
    const step = steps.length > 1 ? steps[1] - steps[0] : 1;
    const [low, high] = [Math.floor(Math.min(0, ...ends) / step) * step, Math.ceil(Math.max(0, ...ends) / step) * step || step];
    const room = width - (this.brackets.length ? BESIDE : 0);
    const every = Math.max(Math.ceil((LABEL * rows.length) / room), 1);
    const key = (this.sweep.keys[this.along.key] ?? "").split(".").pop();
    this.extent = [low, high];
    return axes({ width: room, height, gutter: this.isSmall ? 64 : 88 },
      { low: -0.5, high: Math.max(rows.length, 1) - 0.5, marks: rows.flatMap((row, i) => (i % every ? [] : [[i, i ? this.place(row) : `${key} ${this.place(row)}`]])) },
      { low, high, marks: valueTicks(low, high, most, unit).map((value) => [value, value === 0 ? "0" : this.text(value, unit)]) });
  }

  draw(width, plot) {
    const rows = this.shown();
    const points = this.visible.map((policy) => ({ policy, all: rows.map((row, i) => ({ at: i, ...this.of(row, policy) })).filter(({ mean }) => mean !== null) }));
    this.scale = this.scaled(width, rows, points);
    plot.extent = this.extent;
    const { x, y, grid } = this.scale;
    if (!this.isSmall) plot.say(this.visible.map((policy) => [this.numbers[policy], this.sweep.policies[policy]]));
    const open = this.differs ? [] : rows.flatMap((row, i) => (row.open ? [i] : []));
    const shades = open.map((i) => svg("rect", { x: x(i - 0.5), y: TOP, width: x(i + 0.5) - x(i - 0.5), height: this.height - BELOW - TOP, style: "fill:var(--warn-back)" }));
    const why = open.length && !this.isSmall ? [svg("text", { x: x(rows.length - 0.5) - 8, y: TOP + 14, "text-anchor": "end", style: "fill:var(--warn)" }, "the queue does not empty: waits grow with the workload")] : [];
    return [...shades, ...grid, ...why, ...points.flatMap((one) => this.curve(one)), ...this.brackets.flatMap((one) => this.bracket(one, rows))];
  }

  curve({ policy, all }) {
    const { x, y } = this.scale;
    const own = this.numbers[policy];
    const colour = `var(${policyName(own)})`;
    const [apart, size] = this.isSmall ? [4, 3.5] : [7, 5];
    const right = (policy - (this.sweep.policies.length - 1) / 2) * apart;
    const curve = this.differs ? [] : [line(all.map(({ at, mean }) => [x(at) + right, y(mean)]), `stroke:${colour};stroke-width:2`, policyDash(own))];
    // Filled where the verdict says better or worse, a ring where no difference is shown.
    return [...curve, ...all.flatMap(({ at, mean, half, verdict, printed }) => [...(half === null ? [] : [whisker(y(mean - half), y(mean + half), x(at) + right, colour, true)]),
      marker(own, x(at) + right, y(mean), size, !SHOWN.has(verdict)), ...(printed === null ? [] : [mark("diamond", policyName(own), x(at) + right, y(printed), 8, true)])])];
  }

  // Between two series at a point: the number of a claim, and below it the paper's.
  bracket({ at, of, base, value, half, number: printed, unit }, rows) {
    const { x, y } = this.scale;
    const row = rows.find((one) => this.place(one) === at);
    const [from, to] = [of, base].map((series) => this.of(row, this.sweep.policies.indexOf(series)).mean);
    if (from === null || to === null) return [];
    const edge = x(rows.length - 0.5);
    const middle = (y(from) + y(to)) / 2;
    const text = (words, dy, style) => svg("text", { x: edge + 14, y: middle + dy, style }, words);
    return [svg("path", { class: "bracket", d: `M${edge} ${y(from)}h8V${y(to)}h-8`, style: "fill:none;stroke:var(--ink);stroke-width:1.5" }),
      text(`${number(value)} ${unit}${half === null ? "" : ` \u00b1 ${number(half, 2)}`}`, 0, "font-weight:600;fill:var(--ink)"), text(`the paper: ${number(printed)} ${unit}`, 16, "")];
  }

  tell(x) {
    const rows = this.shown();
    const row = rows[Math.round(this.scale.at(x))];
    return row && [`${this.sweep.keys[this.along.key] ?? ""} ${this.place(row)}`, this.visible.map((policy) => {
      const { mean, half, verdict, printed } = this.of(row, policy);
      return [this.numbers[policy], this.sweep.policies[policy], mean === null ? "-" : `${this.text(mean, row.unit)}${half === null ? "" : ` \u00b1 ${amount(half, row.unit)}`}`, printed === null ? verdict : `the paper: ${amount(printed, row.unit)}`];
    })];
  }

  rows() {
    return [
      [...this.sweep.keys, "metric", "policy", this.differs ? "difference" : "mean", "half_width", "p_value", "verdict", ...(this.sweep.brackets ? ["published"] : [])],
      ...this.sweep.rows.filter((row) => row.metric === this.metric).flatMap((row) => this.policies.map((policy) => {
        const { mean, half, verdict, printed } = this.of(row, policy);
        return [...this.sweep.cells[row.cell], row.metric, this.sweep.policies[policy], mean, half, row.entries[policy][4], verdict, ...(this.sweep.brackets ? [printed] : [])];
      })),
    ];
  }
}

export function paperFigures(parent, figures) {
  for (const figure of figures.paper_figures) new Curves(parent.appendChild(make("div", { class: "part" }, make("h3", {}, `${figure.id}: ${figure.says}`))), figure, figure.id);
}

// A policy has the number of its run, where the page has one.
const numbersOf = ({ runs, sweep: { policies } }) => policies.map((label, i) => runs.find((run) => run.label === label)?.number ?? i);

// The metric that decides, wide, and further ones, small.
export function sweep(parent, figures) {
  const numbers = numbersOf(figures);
  const main = new Curves(parent, figures.sweep, "sweep", { numbers });
  const grid = parent.appendChild(make("div", { class: "multiples" }));
  const metrics = new Set(figures.sweep.rows.map((row) => row.metric));
  for (const metric of FURTHER.filter((one) => one !== main.metric && metrics.has(one)).slice(0, 4)) {
    const part = grid.appendChild(make("div", { class: "part" }, make("h3", {}, metricWords(metric)), ...(figures.sweep.primary ? [make("small", {}, "exploratory")] : [])));
    main.further.push(new Curves(part, figures.sweep, metric, { numbers, main, metric }));
  }
  return main.plot;
}

export const differences = (parent, figures) => new Curves(parent, figures.sweep, "differences", { differs: true, numbers: numbersOf(figures) }).plot;
