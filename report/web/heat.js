// Loads: how far parts of the machine are in use, a picture of time and rows a group.

import { cursor, left, moves, REST, shareAt } from "./cursor.js";
import { button, make, readPoints } from "./dom.js";
import { exportMenu } from "./files.js";
import { coverage } from "./gantt_far.js";
import { jobAt } from "./gantt_near.js";
import { hideHover, hover } from "./hover.js";
import { css, onTheme, rgb } from "./palette.js";
import { on, shown, view } from "./view.js";
import { amount, moment } from "./words.js";

const TALL = 216; // pixels of a group, where its rows allow it
const ROW = [3, 14]; // the least and the most of a row
const TEXT = 14; // that a name needs
const FULL = 0.95; // a share above has a colour of its own
const SHADES = 256;

function shades() {
  const [low, high, full] = ["--h0", "--h1", "--l3"].map((name) => rgb(css(name)));
  return Array.from({ length: SHADES }, (_, i) => (i / (SHADES - 1) > FULL ? full : low.map((from, k) => from + ((high[k] - from) * i) / (SHADES - 1))));
}

class Heat {
  // loads(): those that are shown.
  constructor(parent, { name, rows, first }, loads) {
    Object.assign(this, { name, rows, first, loads });
    this.height = rows.length * Math.max(Math.min(Math.round(TALL / rows.length), ROW[1]), ROW[0]);
    this.canvas = make("canvas", { class: "gantt", style: `height:${this.height}px`, role: "img", "aria-label": `${name} in use: arrow keys read it` });
    readPoints(this.canvas, () => this.table());
    parent.append(make("div", { class: "lane", "data-part": "links" }, make("h3", {}, name), exportMenu(name, { rows: () => this.table(), svg: () => this.svg(), png: () => this.canvas }), this.canvas));
    moves(this.canvas);
    cursor(this.canvas);
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.canvas.addEventListener("mouseleave", hideHover);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  get window() {
    return { from: view.from, to: view.to, row: this.first, rows: this.rows.length };
  }

  // The mean share of each pixel of each row.
  values(width) {
    const { bars, share } = this.loads();
    return coverage(bars, this.window, width, this.rows.length, (span) => share[span]);
  }

  draw() {
    const scale = devicePixelRatio || 1;
    const width = Math.max(Math.round((this.canvas.clientWidth - left()) * scale), 10);
    Object.assign(this.canvas, { width: width + Math.round(left() * scale), height: Math.round(this.height * scale) });
    const context = this.canvas.getContext("2d");
    const image = new ImageData(width, this.rows.length);
    const colours = shades();
    this.values(width).forEach((share, i) => image.data.set([...colours[Math.round(Math.min(Math.max(share, 0), 1) * (SHADES - 1))], 255], 4 * i));
    const small = new OffscreenCanvas(width, this.rows.length);
    small.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, left() * scale, 0, width, this.canvas.height);
    context.scale(scale, scale);
    context.font = "12px Inter, system-ui, sans-serif";
    context.textBaseline = "top";
    context.fillStyle = css("--low");
    const row = this.height / this.rows.length;
    const every = Math.ceil(TEXT / row);
    if (left()) this.rows.forEach((name, i) => { if (i % every === 0 && i * row + TEXT <= this.height) context.fillText(name, 0, i * row, left() - 8); });
  }

  hover(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = shareAt(this.canvas, event);
    const row = Math.floor(((event.clientY - box.top) / box.height) * this.rows.length);
    if (x < 0 || x > 1 || !this.rows[row]) {
      hideHover();
      return;
    }
    const time = view.from + x * (view.to - view.from);
    const { bars, share } = this.loads();
    hover(event, moment(time), [[null, this.rows[row], amount(share[jobAt(bars, time, this.first + row)] ?? 0, "fraction")]]);
  }

  // Spans in the window.
  table() {
    const { bars: { first, start, finish }, share } = this.loads();
    const isIn = (i) => first[i] >= this.first && first[i] < this.first + this.rows.length && start[i] < view.to && finish[i] > view.from;
    return [["row", "from", "to", "share"], ...[...share.keys()].filter(isIn).map((i) => [this.rows[first[i] - this.first], start[i], finish[i], share[i]])];
  }

  svg() {
    const { width, height } = this.canvas;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${this.canvas.toDataURL()}"/></svg>`;
  }
}

export function loads(parent, figures) {
  const runs = figures.runs.filter((run) => run.loads);
  const choices = make("div", { class: "tools" });
  const swatch = (colour, text) => [make("span", { class: "swatch", style: `background:${colour}` }), text];
  parent.append(choices, make("p", { class: "legend" }, ...swatch("linear-gradient(90deg, var(--h0), var(--h1))", "0 to all in use"), ...swatch("var(--l3)", "above 95 %")));
  let chosen = runs[0];
  const heats = chosen.loads.groups.map((group) => new Heat(parent, group, () => chosen.loads));
  let asked;
  function draw() {
    if (view.off.has(chosen.number)) [chosen = chosen] = shown(runs);
    choices.replaceChildren(make("span", { class: "seg" }, ...shown(runs).map((run) => button(run.label, () => { chosen = run; draw(); }, { "aria-pressed": String(run === chosen) }))));
    heats.forEach((one) => one.draw());
  }
  on("off", draw);
  on("window", () => { clearTimeout(asked); asked = setTimeout(draw, REST); });
  onTheme(draw);
  draw();
  return heats;
}
