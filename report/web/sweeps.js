// A sweep: means with their intervals over a swept key, and paired differences.

import { choice, make, svg } from "./dom.js";
import { marker, policyDash, policyName, whisker } from "./palette.js";
import { axes, BELOW, line, Plot, TOP } from "./plot.js";
import { view } from "./view.js";
import { amount, difference, metricWords, valueTicks } from "./words.js";

const HEIGHT = 340;
const LABEL = 92; // pixels of a value of the key
const FIRST_SHOWN = "mean_wait";
const SHOWN = new Set(["base", "better", "worse", "differs", ""]);

class Curves {
  // differs: of differences to the first policy; numbers: what each policy has on the page.
  constructor(parent, sweep, name, differs = false, numbers = [...sweep.policies.keys()]) {
    Object.assign(this, { sweep, differs, numbers, key: 0 });
    this.policies = sweep.policies.map((_, i) => i).slice(differs ? 1 : 0);
    const metrics = [...new Set(sweep.rows.map((row) => row.metric))];
    this.metric = [sweep.primary, FIRST_SHOWN].find((one) => metrics.includes(one)) ?? metrics[0];
    this.at = sweep.keys.map((_, i) => sweep.cells[0][i]);
    this.metrics = choice("Metric", metrics.map((one) => [one, metricWords(one)]), this.metric, (value) => { this.metric = value; this.plot.draw(); });
    this.tools = parent.appendChild(make("div", { class: "tools" }));
    this.offer();
    this.plot = new Plot(parent, name, {
      label: differs ? `Differences to ${sweep.policies[0]}` : name, height: HEIGHT,
      draw: (width, plot) => this.draw(width, plot), rows: () => this.rows(), tell: (x) => this.tell(x),
    });
  }

  // The metric, the key along the axis, and where on the other keys.
  offer() {
    const { keys, cells } = this.sweep;
    const change = (action) => (value) => { action(value); this.offer(); this.plot.draw(); };
    this.tools.replaceChildren(this.metrics, ...(keys.length < 2 ? [] : [
      choice("Along", keys.map((key, i) => [String(i), key]), String(this.key), change((value) => { this.key = Number(value); })),
      ...keys.flatMap((key, i) => (i === this.key ? [] : [choice(key, [...new Set(cells.map((cell) => cell[i]))].map((value) => [value, value]), this.at[i], change((value) => { this.at[i] = value; }))]))]));
  }

  get visible() {
    return this.policies.filter((policy) => !view.off.has(this.numbers[policy]));
  }

  // The rows of the metric at the cells that are drawn.
  shown() {
    return this.sweep.rows.filter((row) => row.metric === this.metric && this.sweep.cells[row.cell].every((value, i) => i === this.key || value === this.at[i]));
  }

  of(row, policy) {
    const [mean, half, apart, apartHalf, , verdict] = row.entries[policy];
    return this.differs ? { mean: apart, half: apartHalf, verdict } : { mean, half, verdict };
  }

  text(value, unit) {
    return this.differs ? difference(value, unit) || "0" : amount(value, unit);
  }

  place(row) {
    return this.sweep.cells[row.cell][this.key] ?? "all runs";
  }

  draw(width, plot) {
    const rows = this.shown();
    const unit = rows[0]?.unit ?? "";
    const points = this.visible.map((policy) => ({ policy, all: rows.map((row, i) => ({ at: i, ...this.of(row, policy) })).filter(({ mean }) => mean !== null) }));
    // Values and differences are seen against 0.
    const ends = points.flatMap(({ all }) => all.flatMap(({ mean, half }) => [mean - (half ?? 0), mean + (half ?? 0)]));
    const steps = valueTicks(Math.min(0, ...ends), Math.max(0, ...ends), 6, unit);
    const step = steps.length > 1 ? steps[1] - steps[0] : 1;
    const [low, high] = [Math.floor(Math.min(0, ...ends) / step) * step, Math.ceil(Math.max(0, ...ends) / step) * step || step];
    const every = Math.max(Math.ceil((LABEL * rows.length) / width), 1);
    const key = (this.sweep.keys[this.key] ?? "").split(".").pop();
    this.scale = axes({ width, height: HEIGHT, gutter: 88 },
      { low: -0.5, high: Math.max(rows.length, 1) - 0.5, marks: rows.flatMap((row, i) => (i % every ? [] : [[i, i ? this.place(row) : `${key} ${this.place(row)}`]])) },
      { low, high, marks: valueTicks(low, high, 6, unit).map((value) => [value, value === 0 ? "0" : this.text(value, unit)]) });
    const { x, y, grid } = this.scale;
    plot.extent = [low, high];
    plot.say(this.visible.map((policy) => [this.numbers[policy], this.sweep.policies[policy]]));
    const open = this.differs ? [] : rows.flatMap((row, i) => (row.open ? [i] : []));
    const shades = open.map((i) => svg("rect", { x: x(i - 0.5), y: TOP, width: x(i + 0.5) - x(i - 0.5), height: HEIGHT - BELOW - TOP, style: "fill:var(--warn-back)" }));
    const why = open.length ? [svg("text", { x: x(rows.length - 0.5) - 8, y: TOP + 14, "text-anchor": "end", style: "fill:var(--warn)" }, "the queue does not empty: waits grow with the workload")] : [];
    return [...shades, ...grid, ...why, ...points.flatMap(({ policy, all }) => {
      const number = this.numbers[policy];
      const colour = `var(${policyName(number)})`;
      const right = (policy - (this.sweep.policies.length - 1) / 2) * 7;
      const curve = this.differs ? [] : [line(all.map(({ at, mean }) => [x(at) + right, y(mean)]), `stroke:${colour};stroke-width:2`, policyDash(number))];
      // Filled where the verdict says better or worse, a ring where no difference is shown.
      return [...curve, ...all.flatMap(({ at, mean, half, verdict }) => [...(half === null ? [] : [whisker(y(mean - half), y(mean + half), x(at) + right, colour, true)]),
        marker(number, x(at) + right, y(mean), 5, !SHOWN.has(verdict))])];
    })];
  }

  tell(x) {
    const rows = this.shown();
    const row = rows[Math.round(this.scale.at(x))];
    return row && [`${this.sweep.keys[this.key] ?? ""} ${this.place(row)}`, this.visible.map((policy) => {
      const { mean, half, verdict } = this.of(row, policy);
      return [this.numbers[policy], this.sweep.policies[policy], mean === null ? "-" : `${this.text(mean, row.unit)}${half === null ? "" : ` \u00b1 ${amount(half, row.unit)}`}`, verdict];
    })];
  }

  rows() {
    return [
      [...this.sweep.keys, "metric", "policy", this.differs ? "difference" : "mean", "half_width", "p_value", "verdict"],
      ...this.sweep.rows.filter((row) => row.metric === this.metric).flatMap((row) => this.policies.map((policy) => {
        const { mean, half, verdict } = this.of(row, policy);
        return [...this.sweep.cells[row.cell], row.metric, this.sweep.policies[policy], mean, half, row.entries[policy][4], verdict];
      })),
    ];
  }
}

export function paperFigures(parent, figures) {
  for (const figure of figures.paper_figures) new Curves(parent.appendChild(make("div", { class: "part" }, make("h3", {}, figure.id))), figure, figure.id);
}

// A policy has the number of its run, where the page has one.
const numbersOf = ({ runs, sweep: { policies } }) => policies.map((label, i) => runs.find((run) => run.label === label)?.number ?? i);

export const sweep = (parent, figures) => new Curves(parent, figures.sweep, "sweep", false, numbersOf(figures)).plot;

export const differences = (parent, figures) => new Curves(parent, figures.sweep, "differences", true, numbersOf(figures)).plot;
