// A sweep: means with their intervals over a swept key, and paired differences.

import { Chart } from "./chart.js";
import { choice, make } from "./dom.js";
import { ink, paper, policyColour, policyDash, policyMarker } from "./palette.js";
import { view } from "./view.js";
import { amount, difference, metricWords, valueTicks } from "./words.js";

const [MEAN, HALF, DIFFERENCE, DIFFERENCE_HALF, P, VERDICT] = [0, 1, 2, 3, 4, 5];
const FIRST_SHOWN = "mean_wait";
const SHOWN = new Set(["base", "better", "worse", "differs"]);

// Intervals as bars with caps, for a series of [place, mean, half, shift].
function intervals(policy, colour, points, shift) {
  return {
    type: "custom", name: policy, color: colour, z: 5, silent: true,
    data: points.filter(([, , half]) => half !== null).map(([at, mean, half]) => [at, mean - half, mean + half]),
    encode: { x: 0, y: [1, 2] },
    renderItem: (_, api) => {
      const [x, low] = api.coord([api.value(0), api.value(1)]);
      const [, high] = api.coord([api.value(0), api.value(2)]);
      const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: colour, lineWidth: 2 } });
      const at = x + shift;
      return { type: "group", children: [line(at, low, at, high), line(at - 4, low, at + 4, low), line(at - 4, high, at + 4, high)] };
    },
  };
}

class SweepChart {
  constructor(parent, figures, name, mean, half, policies) {
    this.sweep = figures.sweep;
    Object.assign(this, { mean, half, policies, name });
    const metrics = [...new Set(this.sweep.rows.map((row) => row.metric))];
    this.metric = metrics.includes(this.sweep.primary) ? this.sweep.primary : metrics.includes(FIRST_SHOWN) ? FIRST_SHOWN : metrics[0];
    this.key = 0;
    const tools = parent.appendChild(make("div", { class: "tools choices" }));
    tools.append(choice("Metric", metrics.map((one) => [one, metricWords(one)]), this.metric, (value) => { this.metric = value; this.chart.draw(); }));
    if (this.sweep.keys.length > 1) {
      tools.append(choice("Along", this.sweep.keys.map((key, i) => [String(i), key]), "0", (value) => { this.key = Number(value); this.chart.draw(); }));
    }
    this.chart = new Chart(parent, name, { option: () => this.option(), rows: () => this.rows(), height: 340 });
  }

  visible() {
    return this.policies.filter((policy) => !view.off.has(policy));
  }

  shown() {
    return this.sweep.rows.filter((row) => row.metric === this.metric);
  }

  // Other keys are named with the cell, so that no two cells share a place.
  place(cell) {
    const values = this.sweep.cells[cell];
    if (values.length === 0) return "all runs";
    const others = this.sweep.keys.map((key, i) => `${key}=${values[i]}`).filter((_, i) => i !== this.key);
    return others.length ? `${values[this.key]}\n${others.join("\n")}` : values[this.key];
  }

  option() {
    const rows = this.shown();
    const unit = rows[0]?.unit ?? "";
    const line = (policy) => rows.map((row, i) => [i, row.entries[policy][this.mean], row.entries[policy][this.half]])
      .filter(([, mean]) => mean !== null);
    const shift = (policy) => (policy - (this.sweep.policies.length - 1) / 2) * 7;
    const differs = this.mean === DIFFERENCE;
    const ends = this.visible().flatMap((policy) => line(policy).flatMap(([, mean, half]) => [mean - (half ?? 0), mean + (half ?? 0)]));
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const steps = valueTicks(low, high, 6, unit);
    const step = steps.length > 1 ? steps[1] - steps[0] : undefined;
    const outer = step ? { min: Math.floor(low / step) * step, max: Math.ceil(high / step) * step, interval: step } : {};
    return {
      xAxis: { type: "category", data: rows.map((row) => this.place(row.cell)), name: this.sweep.keys[this.key] ?? "", nameLocation: "middle", nameGap: 30, axisLine: { onZero: false } },
      // Values and differences are seen against 0.
      yAxis: { type: "value", ...outer, axisLabel: { formatter: (value) => (differs ? difference(value, unit) || "0" : amount(value, unit)) } },
      tooltip: { trigger: "item", formatter: ({ seriesName, value }) => `${seriesName}: ${differs ? difference(value[1], unit) : amount(value[1], unit)}` },
      legend: { data: this.visible().map((i) => this.sweep.policies[i]) },
      series: this.visible().flatMap((policy, order) => {
        const label = this.sweep.policies[policy];
        const points = line(policy);
        return [{
          type: differs ? "scatter" : "line", name: label, color: policyColour(policy), symbol: policyMarker(policy).replace("empty", "").replace(/^./, (c) => c.toLowerCase()), symbolSize: 8,
          symbolOffset: [shift(policy), 0],
          // Filled where the verdict says better or worse, a ring where no difference is shown.
          data: points.map(([at, mean]) => {
            const isShown = SHOWN.has(rows[at].entries[policy][VERDICT]) || !rows[at].entries[policy][VERDICT];
            return { value: [at, mean], itemStyle: { color: isShown ? policyColour(policy) : paper(), borderColor: policyColour(policy), borderWidth: 2 } };
          }), lineStyle: { type: policyDash(policy), width: 2 },
          ...(differs && order === 0 ? { markLine: { silent: true, symbol: "none", label: { show: false }, lineStyle: { color: ink(), type: "solid" }, data: [{ yAxis: 0 }] } } : {}),
        }, intervals(label, policyColour(policy), points, shift(policy))];
      }),
    };
  }

  rows() {
    return [
      [...this.sweep.keys, "metric", "policy", this.mean === DIFFERENCE ? "difference" : "mean", "half_width", "p_value", "verdict"],
      ...this.shown().flatMap((row) => this.policies.map((policy) => {
        const entry = row.entries[policy];
        return [...this.sweep.cells[row.cell], row.metric, this.sweep.policies[policy], entry[this.mean], entry[this.half], entry[P], entry[VERDICT]];
      })),
    ];
  }
}

export function paperFigures(parent, figures) {
  for (const figure of figures.paper_figures) {
    const place = parent.appendChild(make("div", { class: "part" }, make("h3", {}, figure.id)));
    new SweepChart(place, { sweep: figure }, figure.id, MEAN, HALF, figure.policies.map((_, i) => i));
  }
}

export function sweep(parent, figures) {
  new SweepChart(parent, figures, "sweep", MEAN, HALF, figures.sweep.policies.map((_, i) => i));
}

export function differences(parent, figures) {
  return new SweepChart(parent, figures, "differences", DIFFERENCE, DIFFERENCE_HALF, figures.sweep.policies.map((_, i) => i).slice(1)).chart;
}
