// The board of the first screen: beside each policy its difference to the base, with the
// paired interval on which the verdict rests.  All numbers are those of the table.

import { button, make, svg } from "./dom.js";
import { arrow, isRecorded, look, marker, policyName, whisker } from "./palette.js";
import { chooseMetric, on, view } from "./view.js";
import { amount, difference, valueTicks } from "./words.js";

const HEIGHT = 56;
const ROOM = 40; // pixels beside the outermost marks
const LABEL = 110; // pixels of a tick
const FAR = 1.3; // the log's own schedule, so many times beyond the others, is an arrow
const VERY_FAR = 8; // the same of a policy

const ofCell = (cell) => {
  const { difference: mean, half = 0, verdict } = cell.dataset;
  return mean === undefined ? { mean: verdict === "base" ? 0 : null, half: 0 } : { mean: Number(mean), half: Number(half) };
};

// Those that lie beyond the others by far, and the range of the rest.
function extent(rows, metric) {
  const all = rows.map((row) => ({ row, ...ofCell(row.cell(metric)) })).filter(({ mean }) => mean !== null);
  const size = ({ mean, half }) => Math.abs(mean) + half;
  const isFar = (one) => {
    const rest = Math.max(...all.filter((other) => other !== one && !isRecorded(other.row.number)).map(size), 0);
    return rest > 0 && size(one) > (isRecorded(one.row.number) ? FAR : VERY_FAR) * rest;
  };
  const far = new Set(all.filter(isFar).map(({ row }) => row));
  const near = all.filter(({ row }) => !far.has(row));
  return { far, low: Math.min(0, ...near.map(({ mean, half }) => mean - half)), high: Math.max(0, ...near.map(({ mean, half }) => mean + half)) };
}

export class Board {
  constructor(table) {
    this.table = table;
    this.heads = [...table.tHead.querySelectorAll("th[data-metric]")];
    this.rows = [...table.tBodies[0].rows].map((row) => ({
      row, number: Number(row.dataset.number), picture: row.querySelector(".picture"), against: row.querySelector(".against"),
      cell: (metric) => row.querySelector(`td[data-metric="${CSS.escape(metric)}"]`),
    }));
    this.first = this.heads[0].dataset.metric;
    this.said = new Map(this.rows.map(({ row, against }) => [row, [...against.childNodes]]));
    for (const head of this.heads) {
      head.replaceChildren(button(head.textContent, () => chooseMetric(head.dataset.metric === this.first ? null : head.dataset.metric)));
    }
    for (const { row, number } of this.rows) row.cells[0].prepend(look(number));
    on("metric", () => this.draw());
    on("off", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(table);
  }

  draw() {
    const metric = this.heads.some((head) => head.dataset.metric === view.metric) ? view.metric : this.first;
    const head = this.heads.find((one) => one.dataset.metric === metric);
    for (const one of this.heads) one.firstChild.setAttribute("aria-pressed", String(one === head));
    const { unit } = head.dataset;
    for (const { row, number } of this.rows) row.hidden = view.off.has(number);
    const shown = this.rows.filter(({ row }) => !row.hidden);
    for (const one of shown) this.say(one, metric, unit);
    const top = this.table.tHead.querySelector(".picture");
    const width = top.clientWidth;
    const { far, low, high } = extent(shown, metric);
    const span = high - low || 1;
    const beside = [...far].some((row) => ofCell(row.cell(metric)).mean > 0) ? 130 : ROOM;
    const x = (value) => ROOM + ((value - low) / span) * Math.max(width - ROOM - beside, 10);
    const ticks = high > low ? valueTicks(low, high, Math.max(Math.floor(width / LABEL), 1), unit) : [0];
    this.axis(top, ticks, x, unit, width);
    for (const one of shown) this.drawRow(one, { metric, unit, far, x, ticks, width });
  }

  // The verdict and the difference in the metric that is drawn.
  say({ row, against, cell }, metric, unit) {
    if (metric === this.first) {
      against.replaceChildren(...this.said.get(row));
      return;
    }
    const { difference: mean, half, verdict } = cell(metric).dataset;
    const text = mean === undefined ? verdict : `${difference(Number(mean), unit)}${half === undefined ? "" : ` \u00b1 ${amount(Number(half), unit)}`}`;
    const isJudged = half !== undefined && row.dataset.recorded !== "1";
    against.replaceChildren(...(isJudged ? [make("strong", { class: verdict }, verdict), " "] : []), make("small", {}, text));
  }

  axis(top, ticks, x, unit, width) {
    const base = this.table.tHead.querySelector(".against bdi").textContent;
    const height = top.clientHeight;
    top.replaceChildren(svg("svg", { width, height, role: "img", "aria-label": `Difference to ${base}` },
      ...ticks.map((value) => svg("text", { x: x(value), y: height - 6, "text-anchor": "middle", style: value === 0 ? "font-weight:600;fill:var(--ink)" : "" },
        value === 0 ? (base.length > 18 ? "0" : base) : difference(value, unit)))));
  }

  drawRow(one, { metric, unit, far, x, ticks, width }) {
    const { mean, half } = ofCell(one.cell(metric));
    const height = one.picture.clientHeight || HEIGHT;
    const y = height / 2;
    const colour = `var(${policyName(one.number)})`;
    const marks = mean === null ? []
      : far.has(one) ? arrow(one.number, mean > 0, [4, width - 4], y, difference(mean, unit))
        : [...(half > 0 ? [whisker(x(mean - half), x(mean + half), y, colour)] : []), marker(one.number, x(mean), y)];
    one.picture.replaceChildren(svg("svg", { width, height, role: "img", "aria-label": mean === null ? "not comparable" : difference(mean, unit) || "0" },
      ...ticks.map((value) => svg("path", { d: `M${x(value)} 0V${height}`, style: `stroke:var(${value === 0 ? "--low" : "--line"})` })), ...marks));
  }
}

export function answer() {
  const table = document.querySelector("table.board");
  if (!table) return null;
  const board = new Board(table);
  board.draw();
  return board;
}

