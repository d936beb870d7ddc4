// The time bar: the whole log with the window in it, and the one axis of all panels below.

import { left } from "./cursor.js";
import { button, make, svg } from "./dom.js";
import { on, pan, show, showAll, shown, view, wholeTime, zoom } from "./view.js";
import { day, duration, hasDates, range, spanOf, ticks } from "./words.js";

const HEIGHT = 30;
const AXIS = 22;
const GRIP = 7; // pixels around an end of the window
const DAY = 86400;
const MOST = 1000; // bins drawn
const SPANS = { all: null, month: 30 * DAY, week: 7 * DAY, day: DAY };

const middle = () => (view.from + view.to) / 2;
const around = (length) => show(middle() - length / 2, middle() + length / 2);

export class Timebar {
  constructor(before, runs) {
    this.runs = runs.filter((run) => run.timeline);
    this.range = make("b");
    this.span = make("small");
    this.trouble = make("small", { class: "error", role: "status" });
    this.field = make("input", {
      "aria-label": "Go to a date, a day or a range", placeholder: `go to ${day(Math.max(wholeTime().from, 0))}`, onchange: () => this.go(),
    });
    this.spans = Object.entries(SPANS).map(([name, length]) => button(name, () => (length ? around(length) : showAll())));
    this.over = make("div", { class: "over", tabindex: 0, role: "application", "aria-label": "Whole log: drag moves the window or its ends; arrows move, plus and minus zoom" });
    this.axis = make("div", { class: "axis" });
    before.before(make("div", { class: "timebar", "data-part": "timebar" },
      make("div", { class: "tools" }, this.range, this.span, make("span", { class: "grow" }),
        make("span", { class: "seg" }, ...this.spans), this.field, this.trouble,
        make("span", { class: "seg steps" }, button("\u2190", () => pan(-0.5), { "aria-label": "Earlier" }), button("\u2192", () => pan(0.5), { "aria-label": "Later" }),
          button("+", () => zoom(0.5), { "aria-label": "Zoom in" }), button("\u2212", () => zoom(2), { "aria-label": "Zoom out" }))),
      this.over, this.axis));
    this.over.addEventListener("pointerdown", (event) => this.drag(event));
    on("window", () => this.move());
    on("off", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.over);
    this.draw();
  }

  // The mean queue of the first policy that is shown.
  draw() {
    const width = this.over.clientWidth;
    const { from, to } = wholeTime();
    this.x = (time) => left() + ((time - from) / (to - from)) * (width - left());
    const run = shown(this.runs).at(0);
    const level = run?.timeline.find((one) => one.from.length <= MOST) ?? run?.timeline.at(-1);
    const queue = level?.queue_mean ?? [];
    const most = Math.max(...queue, 1e-9);
    const path = Array.from(queue, (value, i) =>
      `L${this.x(level.from[i]).toFixed(1)} ${(HEIGHT - (value / most) * (HEIGHT - 4)).toFixed(1)}H${this.x(level.to[i]).toFixed(1)}`).join("");
    this.frame = svg("g", {});
    this.over.replaceChildren(svg("svg", { width, height: HEIGHT },
      svg("rect", { x: left(), width: Math.max(width - left(), 0), height: HEIGHT, style: "fill:var(--panel)" }),
      svg("path", { d: path ? `M${left()} ${HEIGHT}${path}V${HEIGHT}Z` : "", style: "fill:var(--ref);opacity:.6" }), this.frame,
      ...(left() ? [svg("text", { x: 0, y: 20 }, run ? "whole log, queue" : "whole log")] : [])));
    this.move();
  }

  move() {
    const [x1, x2] = [this.x(view.from), this.x(view.to)];
    const end = (x) => svg("path", { d: `M${x} 0V${HEIGHT}`, style: "stroke:var(--link);stroke-width:2" });
    this.frame.replaceChildren(svg("rect", { x: x1, width: Math.max(x2 - x1, 1), height: HEIGHT, style: "fill:var(--link);opacity:.18" }), end(x1), end(x2));
    this.range.textContent = range(view.from, view.to);
    this.span.textContent = `${duration(view.to - view.from)}${hasDates() ? " \u00b7 UTC" : ""}`;
    const whole = wholeTime();
    const length = view.to - view.from;
    const isAll = view.from === whole.from && view.to === whole.to;
    Object.values(SPANS).forEach((span, i) => this.spans[i].setAttribute("aria-pressed", String(span ? !isAll && Math.abs(length - span) < 1 : isAll)));
    this.drawAxis(this.over.clientWidth);
  }

  drawAxis(width) {
    const room = Math.max(width - left(), 10);
    let last = -Infinity;
    const texts = ticks(view.from, view.to, room).flatMap(({ at, text, strong }) => {
      const half = text.length * (strong ? 4 : 3.6);
      const x = Math.min(Math.max(left() + ((at - view.from) / (view.to - view.from)) * room, left() + half), width - half);
      if (x - half < last + 8) return [];
      last = x + half;
      return [svg("text", { x, y: 15, "text-anchor": "middle", style: strong ? "font-weight:600;fill:var(--ink)" : "" }, text)];
    });
    this.axis.replaceChildren(svg("svg", { width, height: AXIS, role: "img", "aria-label": `Time: ${range(view.from, view.to)}` }, ...texts));
  }

  go() {
    const found = spanOf(this.field.value, middle());
    this.trouble.textContent = found || !this.field.value ? "" : `write ${hasDates() ? "12 Mar 1997, 12 Mar 06:00 - 14 Mar" : "day 12, day 12 - day 14"}`;
    if (found) show(...found);
  }

  // An end of the window, the window, or a new one.
  drag(event) {
    const box = this.over.getBoundingClientRect();
    const { from: first, to: last } = wholeTime();
    const time = (x) => first + ((x - box.left - left()) / (box.width - left())) * (last - first);
    const { from, to } = view;
    const x = event.clientX - box.left;
    const began = time(event.clientX);
    const isAll = from === first && to === last;
    const ends = Math.abs(x - this.x(from)) <= GRIP ? (now) => [now, to] : Math.abs(x - this.x(to)) <= GRIP ? (now) => [from, now] : null;
    const inside = !isAll && began > from && began < to;
    const made = ends ?? (inside ? (now) => [from + now - began, to + now - began] : (now) => [Math.min(began, now), Math.max(began, now)]);
    this.over.setPointerCapture(event.pointerId);
    const move = (moved) => {
      if (!ends && !inside && Math.abs(moved.clientX - event.clientX) <= 3) return;
      const [a, b] = made(time(moved.clientX));
      if (b > a) show(a, b);
    };
    this.over.addEventListener("pointermove", move);
    this.over.addEventListener("pointerup", () => this.over.removeEventListener("pointermove", move), { once: true });
  }
}
