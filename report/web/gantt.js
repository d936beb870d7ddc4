// The Gantt chart of one run: which job had which processors when.
//
// Near: rectangles, with border, number, tooltip.  Far, where too many are in view: one
// quantity for each pixel, exact.  While the hand moves, the last picture is shifted and
// scaled; the exact one follows when it rests.

import { make, say } from "./dom.js";
import { savePng, saveCsv, saveSvg, xml } from "./files.js";
import { COLOURS, QUANTITIES } from "./gantt_colours.js";
import { started } from "./drawer.js";
import { hideHover, hover } from "./hover.js";
import { halfOf, isFrozen } from "./columns.js";
import { cursor, left, moves, REST } from "./cursor.js";
import { binned, coverage } from "./gantt_far.js";
import { gaps, hostsOf, jobAt, nameOf, partsOf, placeOf, rectangles } from "./gantt_near.js";
import { faint, ink, isDark, onTheme, paper, ramp } from "./palette.js";
import { choose, on, pan, show, showAll, shown, view, zoom } from "./view.js";
import { duration, exact, moment, plural } from "./words.js";

const AXIS = 22; // height of the axis of time
const QUICK = 12; // ms: a picture drawn within is drawn at every movement
const TEXT = 24; // pixels that a number needs
const LEAST_HOST = 8; // pixels of height for each host that is set off by a line
const HATCH = 6; // pixels between the lines over a frozen stretch

export class Gantt {
  // settings: {colour, quantity, isNear(window), found(run), other(run), drawn()}, shared by the
  // charts of a page.
  constructor(parent, run, settings, height) {
    Object.assign(this, { run, settings, height, row: 0, rows: run.processors, cost: 0 });
    this.mode = "near";
    this.canvas = make("canvas", {
      class: "gantt", tabindex: 0, role: "application", style: `height:${height + AXIS}px`,
      "aria-label": `Gantt chart of ${run.label}: arrows pan, plus and minus zoom, Enter the next job, question mark the keys`,
      onkeydown: (event) => this.key(event),
    });
    this.note = make("p", { class: "note" });
    parent.append(this.canvas, this.note);
    moves(this.canvas);
    cursor(this.canvas);
    this.canvas.addEventListener("wheel", (event) => this.zoomRows(event), { passive: false });
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.canvas.addEventListener("mouseleave", () => { this.over = -1; hideHover(); this.mark(); });
    this.canvas.addEventListener("click", (event) => {
      const job = this.jobUnder(event);
      if (job >= 0) choose(this.run.jobs.id[job], this.run.number);
    });
    on("window", () => this.move());
    on("job", () => this.draw());
    onTheme(() => this.draw());
    new ResizeObserver(() => { if (this.picture?.width !== this.width) this.draw(); }).observe(this.canvas);
  }

  get window() {
    return { from: view.from, to: view.to, row: this.row, rows: this.rows };
  }

  get width() {
    return Math.max(this.canvas.clientWidth - left(), 10);
  }

  // Draws the window at once if that is quick, else shifts the last picture meanwhile.
  move() {
    clearTimeout(this.resting);
    if (this.picture && this.cost > QUICK) {
      this.paint();
      this.resting = setTimeout(() => this.draw(), REST);
    } else if (!this.asked) {
      this.asked = requestAnimationFrame(() => this.draw());
    }
  }

  draw() {
    this.asked = 0;
    const began = performance.now();
    const scale = devicePixelRatio || 1;
    this.picture = this.render(this.width, this.height, scale);
    this.cost = performance.now() - began;
    this.paint();
    const what = this.mode === "near"
      ? `Near: ${this.shown.length} rectangles, coloured by ${COLOURS[this.settings.colour].title}.`
      : `Far: ${QUANTITIES[this.settings.quantity].title} of every pixel${this.run.far ? ", from bins" : this.run.tiers && this.settings.quantity === "use" ? ", both tiers together" : ""}.`;
    this.note.textContent = `${this.run.label}. ${what}`;
    this.canvas.dataset.mode = this.mode;
    this.settings.drawn();
  }

  // A canvas with the exact picture of the window; sets mode.
  render(width, height, scale) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const window = this.window;
    this.shown = this.settings.isNear(window) ? rectangles(this.run.bars, window) : null;
    this.mode = this.shown ? "near" : "far";
    const context = canvas.getContext("2d");
    if (this.shown) this.drawNear(context, window, canvas, scale);
    else this.drawFar(context, window, canvas);
    return { canvas, window, width };
  }

  drawNear(context, window, size, scale) {
    context.fillStyle = paper();
    context.fillRect(0, 0, size.width, size.height);
    const { colour } = COLOURS[this.settings.colour];
    const other = this.settings.other(this.run);
    context.lineWidth = scale;
    context.font = `${11 * scale}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    for (const one of this.shown) {
      const parts = partsOf(this.run.bars, window, size, one);
      if (parts.length === 0) continue;
      context.fillStyle = colour(this.run, one.job, other);
      context.beginPath();
      for (const { x, y, width, height } of parts) context.rect(x, y, width, height);
      context.fill();
      const { look } = this.run.bars;
      if (look && isFrozen(look[one.bar])) this.hatch(context, parts, scale);
      const [place] = parts;
      if (place.width > 3 * scale && place.height > 3 * scale) {
        context.strokeStyle = paper();
        for (const { x, y, width, height } of parts) context.strokeRect(x + 0.5 * scale, y + 0.5 * scale, width - scale, height - scale);
      }
      this.number(context, place, one.job, scale);
    }
    this.joinGaps(context, window, size, scale);
  }

  // Lines over a frozen stretch, clipped to it.
  hatch(context, parts, scale) {
    context.save();
    context.clip();
    context.strokeStyle = paper();
    context.lineWidth = 1.5 * scale;
    const step = HATCH * scale;
    context.beginPath();
    for (const { x, y, width, height } of parts) {
      const from = Math.max(x, 0) - height;
      const to = Math.min(x + width, context.canvas.width);
      for (let at = Math.floor(from / step) * step; at < to; at += step) {
        context.moveTo(at, y + height);
        context.lineTo(at + height, y);
      }
    }
    context.stroke();
    context.restore();
    context.lineWidth = scale;
  }

  // A thin line over the time in which a job was suspended.
  joinGaps(context, window, size, scale) {
    context.strokeStyle = ink();
    context.lineWidth = 0.75 * scale;
    context.beginPath();
    for (const { x1, y1, x2, y2 } of gaps(this.run.bars, window, size, this.shown)) {
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
    }
    context.stroke();
  }

  // The job's number, where there is room for it.
  number(context, place, job, scale) {
    const left = Math.max(place.x, 0);
    if (place.x + place.width - left < TEXT * scale || place.height < 12 * scale) return;
    const text = String(this.run.jobs.id[job]);
    if (context.measureText(text).width + 6 * scale > place.x + place.width - left) return;
    const middle = place.y + place.height / 2;
    context.strokeStyle = "rgba(0,0,0,.65)";
    context.lineWidth = 3 * scale;
    context.strokeText(text, left + 4 * scale, middle);
    context.lineWidth = scale;
    context.fillStyle = "#fff";
    context.fillText(text, left + 4 * scale, middle);
  }

  // Of every pixel: the quantity shown.
  values(window, width, height) {
    if (this.run.far) return binned(this.run.far, this.run.processors, window, width, height);
    const { weight, mean, tier } = QUANTITIES[this.settings.quantity];
    const found = this.settings.quantity === "found" ? this.settings.found(this.run) : null;
    const values = coverage(this.run.bars, window, width, height, weight(this.run, found), tier);
    if (!mean) return values;
    const covered = coverage(this.run.bars, window, width, height);
    return values.map((value, i) => (covered[i] > 1e-9 ? value / covered[i] : 0));
  }

  drawFar(context, window, size) {
    const { width, height } = size;
    const { top, scale } = QUANTITIES[this.settings.quantity];
    const values = this.values(window, width, height);
    const image = context.createImageData(width, height);
    const colours = Array.from({ length: 257 }, (_, k) => ramp(k / 256));
    for (let i = 0; i < values.length; ++i) {
      const t = (scale ? scale(values[i]) : values[i]) / top;
      const [r, g, b] = colours[Math.round(Math.min(Math.max(t, 0), 1) * 256)];
      image.data[4 * i] = r;
      image.data[4 * i + 1] = g;
      image.data[4 * i + 2] = b;
      image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }

  // The last picture where it belongs in the present window, axes around it.
  paint() {
    const scale = devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round((this.height + AXIS) * scale);
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    this.compose(context, width);
  }

  compose(context, width) {
    context.fillStyle = paper();
    context.fillRect(0, 0, width, this.height + AXIS);
    const { canvas, window } = this.picture;
    const now = this.window;
    const along = this.width / (now.to - now.from);
    const down = this.height / now.rows;
    context.save();
    context.beginPath();
    context.rect(left(), 0, this.width, this.height);
    context.clip();
    context.drawImage(canvas, left() + (window.from - now.from) * along, (window.row - now.row) * down,
      (window.to - window.from) * along, window.rows * down);
    this.outline(context, this.indexOf(view.job), ink(), 3);
    this.outline(context, this.over ?? -1, ink(), 1.5);
    context.restore();
    this.axes(context, width);
  }

  mark() {
    if (this.picture) this.paint();
  }

  indexOf(id) {
    return id === null ? -1 : this.run.jobs.id.indexOf(id);
  }

  // All parts of a job.
  outline(context, job, colour, width) {
    if (job < 0) return;
    const { at, begin } = this.run.bars;
    const size = { width: this.width, height: this.height };
    context.strokeStyle = colour;
    context.lineWidth = width;
    for (let bar = begin[job]; bar < begin[job + 1]; ++bar) {
      for (let interval = at[bar]; interval < at[bar + 1]; ++interval) {
        const place = placeOf(this.run.bars, this.window, size, { bar, interval });
        context.strokeRect(left() + place.x, place.y, place.width, place.height);
      }
    }
  }

  axes(context, width) {
    context.strokeStyle = faint();
    context.lineWidth = 1;
    context.strokeRect(left() - 0.5, 0.5, this.width, this.height - 1);
    context.fillStyle = ink();
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "right";
    context.textBaseline = "top";
    const last = Math.min(this.row + this.rows, this.run.processors) - 1;
    context.fillText(nameOf(this.run, this.row), left() - 6, 2);
    context.textBaseline = "bottom";
    context.fillText(nameOf(this.run, last), left() - 6, this.height - 2);
    this.hosts(context);
    context.textBaseline = "top";
    const marks = Math.max(Math.floor(this.width / 130), 1);
    for (let k = 0; k <= marks; ++k) {
      const x = left() + (k / marks) * this.width;
      context.textAlign = k === 0 ? "left" : k === marks ? "right" : "center";
      context.fillText(duration(Math.round(view.from + (k / marks) * (view.to - view.from))), Math.min(x, width), this.height + 5);
    }
  }

  // A line between hosts that have rows of their own, where there is room for it.
  hosts(context) {
    const down = this.height / this.rows;
    const rows = hostsOf(this.run).filter((row) => row > this.row && row < this.row + this.rows);
    if (rows.length * LEAST_HOST > this.height) return;
    context.beginPath();
    for (const row of rows) {
      const y = Math.round((row - this.row) * down) + 0.5;
      context.moveTo(left(), y);
      context.lineTo(left() + this.width, y);
    }
    context.stroke();
  }

  // What is below the mouse: {time, row}; null outside.
  placeUnder(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = (event.clientX - box.left - left()) / this.width;
    const y = (event.clientY - box.top) / this.height;
    if (x < 0 || x >= 1 || y < 0 || y >= 1) return null;
    const row = this.row + y * this.rows;
    return { time: view.from + x * (view.to - view.from), row: Math.floor(row), half: row % 1 < 0.5 ? 1 : 2 };
  }

  jobUnder(event) {
    const place = this.placeUnder(event);
    return place ? jobAt(this.run.bars, place.time, place.row, place.half) : -1;
  }

  hover(event) {
    const job = this.jobUnder(event);
    if (job < 0) hideHover();
    else this.tell(event, job);
    if (job === this.over) return;
    this.over = job;
    this.mark();
  }

  // Start, wait and run under each policy.
  tell(event, i) {
    const { jobs } = this.run;
    const user = jobs.user[i] >= 0 ? `, user ${jobs.user[i]}` : "";
    const size = jobs.size[i] > 0 && !this.run.lanes ? `, ${plural(jobs.size[i], "processor")}` : "";
    const rows = shown(this.settings.runs).flatMap((run) => {
      const at = run.jobs === jobs ? i : run.jobs.id.indexOf(jobs.id[i]);
      const { schedule } = run;
      if (at < 0 || !started(schedule.state[at])) return [];
      return [[run.number, run.label, moment(schedule.start[at]), jobs.hasSubmits ? duration(schedule.wait[at]) : "-", duration(schedule.finish[at] - schedule.start[at])]];
    });
    hover(event, `job ${jobs.id[i]}${user}${size}`, rows, ["", "start", "wait", "run"]);
  }

  describe(i) {
    const { jobs, schedule } = this.run;
    const parts = [`job ${jobs.id[i]}`];
    if (jobs.user[i] >= 0) parts.push(`user ${jobs.user[i]}`);
    if (jobs.size[i] > 0 && !this.run.lanes) parts.push(`${jobs.size[i]} processors`);
    parts.push(`start ${exact(schedule.start[i])}`);
    if (jobs.hasSubmits) parts.push(`waited ${duration(schedule.wait[i])}`);
    return [...parts, `ran ${duration(schedule.finish[i] - schedule.start[i])}`].join(", ");
  }

  zoomRows(event) {
    if (!event.shiftKey) return;
    event.preventDefault();
    const delta = event.deltaY || event.deltaX;
    this.showRows(this.row, this.rows * (delta > 0 ? 1.5 : 1 / 1.5));
  }

  showRows(row, rows) {
    this.rows = Math.round(Math.min(Math.max(rows, 1), this.run.processors));
    this.row = Math.round(Math.min(Math.max(row, 0), this.run.processors - this.rows));
    this.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = {
      ArrowLeft: () => pan(-0.1), ArrowRight: () => pan(0.1),
      ArrowUp: () => this.showRows(this.row - Math.ceil(this.rows / 10), this.rows),
      ArrowDown: () => this.showRows(this.row + Math.ceil(this.rows / 10), this.rows),
      "+": () => zoom(0.8), "=": () => zoom(0.8), "-": () => zoom(1.25), 0: () => { this.showRows(0, this.run.processors); showAll(); },
      Enter: () => this.next(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  // The job that starts next after the chosen one, or first in view.
  next() {
    const { start } = this.run.schedule;
    const { begin } = this.run.bars;
    const chosen = this.indexOf(view.job);
    const after = (i, j) => start[i] > start[j] || (start[i] === start[j] && i > j);
    let best = -1;
    for (let i = 0; i < start.length; ++i) {
      if (begin[i] === begin[i + 1] || !this.hasPlaces(i) || i === chosen) continue;
      if (chosen >= 0 ? !after(i, chosen) : start[i] < view.from) continue;
      if (best < 0 || after(best, i)) best = i;
    }
    if (best < 0) return;
    choose(this.run.jobs.id[best], this.run.number);
    if (start[best] > view.to || start[best] < view.from) this.showJob(best);
    say(this.describe(best));
  }

  // Whether the page holds where the job was.
  hasPlaces(i) {
    const { at, begin } = this.run.bars;
    return at[begin[i]] < at[begin[i + 1]];
  }

  showJob(i) {
    const { start, finish } = this.run.schedule;
    if (!this.hasPlaces(i)) return;
    const span = Math.max(finish[i] - start[i], 60);
    show(start[i] - span, finish[i] + span);
  }

  saveCsv() {
    const { jobs, bars } = this.run;
    const all = rectangles(bars, this.window, Infinity);
    const tier = (bar) => (bars.look ? [["", "foreground", "background"][halfOf(bars.look[bar])], isFrozen(bars.look[bar]) ? 1 : 0] : []);
    saveCsv(`gantt-${this.run.label}`, [
      ["job_id", "user", "start", "finish", "first_processor", "last_processor", ...(bars.look ? ["tier", "frozen"] : [])],
      ...all.map(({ bar, job, interval }) => [jobs.id[job], jobs.user[job], exact(bars.start[bar]), exact(bars.finish[bar]),
        nameOf(this.run, bars.first[interval]), nameOf(this.run, bars.first[interval] + bars.more[interval]), ...tier(bar)]),
    ]);
  }

  picturePng() {
    const canvas = document.createElement("canvas");
    const width = this.canvas.clientWidth;
    canvas.width = width * 2;
    canvas.height = (this.height + AXIS) * 2;
    const kept = this.picture;
    this.picture = this.render(this.width, this.height, 2);
    const context = canvas.getContext("2d");
    context.scale(2, 2);
    this.compose(context, width);
    this.picture = kept;
    return canvas;
  }

  savePng() {
    savePng(`gantt-${this.run.label}`, this.picturePng());
  }

  // Near: rectangles.  Far: the picture, embedded.
  svg() {
    const width = this.width;
    const size = { width, height: this.height };
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${this.height}">` +
      `<title>${xml(this.run.label)}</title><rect width="100%" height="100%" fill="${paper()}"/>`;
    const picture = this.render(width, this.height, 2);
    if (this.mode === "far") {
      return `${head}<image width="${width}" height="${this.height}" href="${picture.canvas.toDataURL()}"/></svg>`;
    }
    const { colour } = COLOURS[this.settings.colour];
    const other = this.settings.other(this.run);
    const { look } = this.run.bars;
    const parts = this.shown.flatMap((one) => partsOf(this.run.bars, this.window, size, one).map(({ x, y, width: wide, height }) => {
      const box = `x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${wide.toFixed(2)}" height="${height.toFixed(2)}"`;
      const hatched = look && isFrozen(look[one.bar]) ? `<rect ${box} fill="url(#frozen)"/>` : "";
      return `<rect ${box} fill="${colour(this.run, one.job, other)}" stroke="${isDark() ? "#000" : "#fff"}" stroke-width="0.5">` +
        `<title>${xml(this.describe(one.job))}</title></rect>${hatched}`;
    }));
    const lines = gaps(this.run.bars, this.window, size, this.shown).map(({ x1, y1, x2, y2 }) =>
      `<line x1="${x1.toFixed(2)}" y1="${y1.toFixed(2)}" x2="${x2.toFixed(2)}" y2="${y2.toFixed(2)}" stroke="${ink()}" stroke-width="0.75"/>`);
    const pattern = `<defs><pattern id="frozen" width="${HATCH}" height="${HATCH}" patternUnits="userSpaceOnUse">` +
      `<path d="M0 ${HATCH}L${HATCH} 0" stroke="${paper()}" stroke-width="1.5"/></pattern></defs>`;
    return `${head}${look ? pattern : ""}${parts.join("")}${lines.join("")}</svg>`;
  }

  saveSvg() {
    saveSvg(`gantt-${this.run.label}`, this.svg());
  }
}
