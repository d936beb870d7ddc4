// A picture of a panel: an SVG with its export, arrow keys that read its numbers, and what
// pictures with axes share.

import { make, readPoints, svg } from "./dom.js";
import { exportMenu } from "./files.js";
import { hideHover, hover } from "./hover.js";
import { look } from "./palette.js";
import { on } from "./view.js";

export const TOP = 8;
export const BELOW = 24; // pixels of the texts of an axis
const RIGHT = 12;

export class Plot {
  // draw(width, plot): the children of the SVG.  rows(): its numbers, with a head.
  // tell(x, y): the heading, the rows and the head of the hover box at a place in it; none.
  constructor(parent, name, { label, height, draw, rows, tell = () => null }) {
    Object.assign(this, { label, height, content: draw });
    this.box = make("div", { class: "plot", style: `height:${height}px`, role: "group", "aria-label": `${label}: arrow keys read it` });
    readPoints(this.box, rows);
    this.key = make("p", { class: "key" });
    this.box.addEventListener("mousemove", (event) => {
      const { left, top } = this.box.getBoundingClientRect();
      const told = tell(event.clientX - left, event.clientY - top);
      if (told) hover(event, ...told);
      else hideHover();
    });
    this.box.addEventListener("mouseleave", hideHover);
    parent.append(exportMenu(name, { rows, svg: () => this.box.firstChild.cloneNode(true), png: 2 }), this.box, this.key);
    on("off", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.box);
    this.draw();
  }

  draw() {
    const width = this.box.clientWidth;
    this.box.replaceChildren(svg("svg", { width, height: this.height, role: "img", "aria-label": this.label }, ...this.content(width, this)));
  }

  // names: pairs of a policy's number, or null, and a text.
  say(names) {
    this.key.replaceChildren(...names.map(([number, text]) => make("span", {}, ...(number === null ? [] : [look(number)]), make("bdi", {}, text))));
  }
}

// Scales, from values to pixels, and the grid of a picture with a gutter of so many pixels;
// at(): the value across, of pixels.  across, down: {low, high, log, marks: pairs of a
// value and its text}.
export function axes({ width, height, gutter = 72 }, across, down) {
  const scale = ({ low, high, log }, from, to) => {
    const of = log ? Math.log : (value) => value;
    const span = of(high) - of(low) || 1;
    return {
      of: (value) => from + ((of(value) - of(low)) / span) * (to - from),
      at: (pixels) => { const value = of(low) + ((pixels - from) / (to - from)) * span; return log ? Math.exp(value) : value; },
    };
  };
  const end = Math.max(width - RIGHT, gutter + 1);
  const { of: x, at } = scale(across, gutter, end);
  const { of: y } = scale(down, height - BELOW, TOP);
  const line = (d, colour) => svg("path", { d, style: `stroke:var(${colour})` });
  return {
    x, y, at,
    grid: [
      ...down.marks.flatMap(([value, text]) => [line(`M${gutter} ${y(value)}H${end}`, value === 0 ? "--low" : "--line"),
        svg("text", { x: gutter - 8, y: y(value) + 4, "text-anchor": "end" }, text)]),
      ...across.marks.flatMap(([value, text]) => [line(`M${x(value)} ${TOP}V${height - BELOW}`, "--line"),
        svg("text", { x: x(value), y: height - BELOW + 16, "text-anchor": x(value) > end - 36 ? "end" : "middle" }, text)])],
  };
}

// A line through points of pixels.
export const line = (points, style, dash = "none") => svg("path", {
  d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(""), style: `fill:none;${style}`, "stroke-dasharray": dash,
});
