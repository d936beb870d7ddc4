// The Gantt chart of one run: which job had which processors when.
//
// Near: rectangles, with border, number and user.  Far, where too many are in view: the
// mean of every pixel, exact, in the same colours.  While the hand moves, the last picture is shifted and
// scaled; the exact one follows when it rests.

import { make } from "./dom.js";
import { exportMenu, xml } from "./files.js";
import { change, isLater } from "./gantt_colours.js";
import { hideHover, hover } from "./hover.js";
import { halfOf, isFrozen, isHit } from "./columns.js";
import { cursor, left, moves, REST } from "./cursor.js";
import { binned, coverage } from "./gantt_far.js";
import { drawSpans, spanAt, spanShapes } from "./gantt_machine.js";
import { gaps, hostsOf, jobAt, nameOf, partsOf, placeOf, rectangles } from "./gantt_near.js";
import { css, faint, ink, isDark, onTheme, paper, rgb } from "./palette.js";
import { choose, on, pan, show, showAll, shown, view, zoom } from "./view.js";
import { difference, duration, exact, moment, plural, ticks } from "./words.js";

const AXIS = 22; // height of the axis of time below an exported picture
const QUICK = 12; // ms: a picture drawn within is drawn at every movement
const TEXT = 24; // pixels that a number needs
const LEAST_HOST = 8; // pixels of height for each host that is set off by a line
const NAMED_HOST = 14; // that its name needs
const HATCH = 6; // pixels between the lines over a frozen stretch

// By job: whether it started before one that came earlier.
function overtaking({ jobs, schedule, started }) {
  const found = new Uint8Array(jobs.id.length);
  let latest = -Infinity; // start of those that came before
  for (let i = 0, begin = 0; i < found.length; ++i) {
    for (; jobs.submit[begin] < jobs.submit[i]; ++begin) if (started(begin)) latest = Math.max(latest, schedule.start[begin]);
    found[i] = started(i) && schedule.start[i] < latest ? 1 : 0;
  }
  return found;
}

// Lines in the colour of the paper, over frozen stretches; made once a colour and scale.
const hatches = new Map();
function hatching(context, scale) {
  const name = `${scale} ${paper()}`;
  if (hatches.has(name)) return hatches.get(name);
  const side = Math.round(HATCH * scale);
  const tile = make("canvas", { width: side, height: side });
  const pen = tile.getContext("2d");
  pen.strokeStyle = paper();
  pen.lineWidth = 1.5 * scale;
  for (const at of [-side, 0, side]) {
    pen.moveTo(at, side);
    pen.lineTo(at + side, 0);
  }
  pen.stroke();
  return hatches.set(name, context.createPattern(tile, "repeat")).get(name);
}

export class Gantt {
  // settings: {runs, look(), isNear(window), other(), drawn()}, shared by the charts of a page.
  constructor(parent, run, settings, height) {
    Object.assign(this, { run, settings, height, row: 0, rows: run.processors, cost: 0 });
    this.mode = "near";
    this.canvas = make("canvas", {
      class: "gantt", tabindex: 0, role: "application", style: `height:${height}px`,
      "aria-label": `Schedule of ${run.label}: arrows move, plus and minus zoom, Enter the next job, question mark the keys`,
      onkeydown: (event) => this.key(event),
    });
    this.note = make("small");
    this.part = parent.appendChild(make("div", { class: "lane", "data-part": "gantt" },
      make("div", { class: "tag" }, make("bdi", {}, run.label), this.note),
      exportMenu(`schedule-${run.label}`, { rows: () => this.rowsOf(), svg: () => this.svg(), png: () => this.picturePng() }), this.canvas));
    this.overtakes = overtaking(run);
    moves(this.canvas);
    cursor(this.canvas);
    this.canvas.addEventListener("wheel", (event) => this.zoomRows(event), { passive: false });
    this.canvas.addEventListener("mousemove", (event) => this.hover(event));
    this.canvas.addEventListener("mouseleave", () => { this.over = -1; hideHover(); this.mark(); });
    this.canvas.addEventListener("click", (event) => {
      const job = this.jobUnder(event);
      if (job >= 0) choose(this.run.jobs.id[job], this.run.number);
      else this.chooseHost(event);
    });
    on("window", () => this.move());
    on("job", () => this.draw());
    onTheme(() => this.draw());
    new ResizeObserver(() => { if (this.picture?.width !== this.width) this.draw(); }).observe(this.canvas);
  }

  get window() {
    return { from: view.from, to: view.to, row: this.row, rows: this.rows };
  }

  get size() {
    return { width: this.width, height: this.height };
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
    this.note.textContent = this.shown ? plural(new Set(this.shown.map(({ job }) => job)).size, "job") : "far";
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
    const { colour } = this.settings.look();
    const other = this.settings.other();
    const user = view.job === null ? -1 : this.run.jobs.user[this.indexOf(view.job)] ?? -1;
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
      if ((look && isFrozen(look[one.bar])) || (other && isLater(this.run, one.job, other))) {
        context.fillStyle = hatching(context, scale);
        context.fill();
      }
      const [place] = parts;
      if (place.width > 3 * scale && place.height > 3 * scale) {
        context.strokeStyle = user >= 0 && this.run.jobs.user[one.job] === user ? css("--link") : paper();
        for (const { x, y, width, height } of parts) context.strokeRect(x + 0.5 * scale, y + 0.5 * scale, width - scale, height - scale);
      }
      if (look && isHit(look[one.bar])) this.strike(context, parts, scale);
      if (!other && this.overtakes[one.job]) this.corner(context, place, scale);
      this.number(context, place, one.job, scale, other);
    }
    this.joinGaps(context, window, size, scale);
  }

  // A line across an attempt that was lost.
  strike(context, parts, scale) {
    context.strokeStyle = ink();
    context.lineWidth = scale;
    context.beginPath();
    for (const { x, y, width, height } of parts) {
      context.moveTo(x, y + height);
      context.lineTo(x + width, y);
    }
    context.stroke();
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

  // The mark of a job that started before one ahead of it.
  corner(context, { x, y, width, height }, scale) {
    const side = 6 * scale;
    if (width < side || height < side) return;
    context.fillStyle = ink();
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + side, y);
    context.lineTo(x, y + side);
    context.fill();
  }

  // The job's number and user, or how much later it started, where there is room.
  number(context, place, job, scale, other) {
    const from = Math.max(place.x, 0);
    const room = place.x + place.width - from - 14 * scale;
    if (room < TEXT * scale || place.height < 14 * scale) return;
    const { jobs } = this.run;
    const later = other ? change(this.run, job, other) : null;
    const more = other ? (later === null || Math.abs(later) < 60 ? "" : difference(later, "s")) : jobs.user[job] >= 0 ? `user ${jobs.user[job]}` : "";
    const text = [`${jobs.id[job]} \u00b7 ${more}`, String(jobs.id[job])].slice(more ? 0 : 1).find((one) => context.measureText(one).width <= room);
    if (!text) return;
    const middle = place.y + Math.min(place.height / 2, 10 * scale);
    context.strokeStyle = isDark() ? "rgba(0,0,0,.65)" : "rgba(255,255,255,.75)";
    context.lineWidth = 3 * scale;
    context.strokeText(text, from + 8 * scale, middle);
    context.lineWidth = scale;
    context.fillStyle = ink();
    context.fillText(text, from + 8 * scale, middle);
  }

  // Of every pixel the share in use; with a weight by job the sum of that.
  values(window, width, height, weight = null) {
    if (this.run.far) return binned(this.run.far, this.run.processors, window, width, height);
    return coverage(this.run.bars, window, width, height, weight);
  }

  // The colour of the mean of a pixel, paler where less of it is in use.
  drawFar(context, window, size) {
    const { width, height } = size;
    const share = this.values(window, width, height);
    const [weight, colourOf] = this.settings.farLook().far(this.run, this.settings.other());
    const sums = this.run.far ? null : this.values(window, width, height, weight);
    const image = context.createImageData(width, height);
    const back = rgb(paper());
    const colours = new Map();
    for (let i = 0; i < share.length; ++i) {
      const used = Math.min(Math.max(share[i], 0), 1);
      const name = sums && used > 1e-9 ? colourOf(sums[i] / share[i]) : css("--ref");
      if (!colours.has(name)) colours.set(name, rgb(name));
      const colour = colours.get(name);
      for (let k = 0; k < 3; ++k) image.data[4 * i + k] = back[k] + (colour[k] - back[k]) * used;
      image.data[4 * i + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }

  // The last picture where it belongs in the present window, axes around it.
  paint() {
    const scale = devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(this.height * scale);
    const context = this.canvas.getContext("2d");
    context.scale(scale, scale);
    this.compose(context, width);
  }

  compose(context, width, isExport = false) {
    context.fillStyle = paper();
    context.fillRect(0, 0, width, this.height + (isExport ? AXIS : 0));
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
    context.translate(left(), 0);
    drawSpans(context, this.run, now, this.size);
    context.translate(-left(), 0);
    this.outline(context, this.indexOf(view.job), ink(), 3);
    this.outline(context, this.over ?? -1, ink(), 1.5);
    this.joinLinks(context);
    this.drawPass(context);
    context.restore();
    this.axes(context, isExport);
  }

  resize(height) {
    this.height = height;
    this.canvas.style.height = `${height}px`;
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
    context.strokeStyle = colour;
    context.lineWidth = width;
    for (let bar = begin[job]; bar < begin[job + 1]; ++bar) {
      for (let interval = at[bar]; interval < at[bar + 1]; ++interval) {
        const place = placeOf(this.run.bars, this.window, this.size, { bar, interval });
        context.strokeRect(left() + place.x, place.y, place.width, place.height);
      }
    }
  }

  // Lines from what the chosen job waited for, and to what waited for it.
  joinLinks(context) {
    const chosen = this.indexOf(view.job);
    const { links } = this.run;
    if (!links || chosen < 0) return;
    const pairs = [...(links.parents.get(chosen) ?? []).map(({ job }) => [job, chosen]), ...(links.children.get(chosen) ?? []).map(({ job }) => [chosen, job])];
    const { at, begin } = this.run.bars;
    const place = (bar) => placeOf(this.run.bars, this.window, this.size, { bar, interval: at[bar] });
    context.strokeStyle = css("--link");
    context.lineWidth = 1.5;
    context.beginPath();
    for (const [from, to] of pairs.filter((pair) => pair.every((job) => this.hasPlaces(job)))) {
      const before = place(begin[from + 1] - 1);
      const after = place(begin[to]);
      context.moveTo(left() + before.x + before.width, before.y + before.height / 2);
      context.lineTo(left() + after.x, after.y + after.height / 2);
    }
    context.stroke();
  }

  // A line at the pass that is told, and what it started.
  drawPass(context) {
    const { time, jobs, run } = this.settings.passes;
    if (time === null || run !== this.run) return;
    for (const job of jobs) this.outline(context, job, css("--worse"), 2);
    context.fillStyle = css("--worse");
    context.fillRect(left() + ((time - view.from) / (view.to - view.from)) * this.width - 1, 0, 2, this.height);
  }

  axes(context, isExport) {
    context.strokeStyle = faint();
    context.lineWidth = 1;
    context.strokeRect(left() - 0.5, 0.5, this.width, this.height - 1);
    context.fillStyle = css("--low");
    context.font = "12px Inter, system-ui, sans-serif";
    const isNamed = this.hosts(context);
    if (left() && !isNamed) {
      context.textAlign = "right";
      context.textBaseline = "top";
      const last = Math.min(this.row + this.rows, this.run.processors) - 1;
      context.fillText(nameOf(this.run, this.row), left() - 6, 2);
      context.textBaseline = "bottom";
      context.fillText(nameOf(this.run, last), left() - 6, this.height - 2);
    }
    if (!isExport) return;
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const { at, text } of ticks(view.from, view.to, this.width)) {
      context.fillText(text, left() + ((at - view.from) / (view.to - view.from)) * this.width, this.height + 5);
    }
    context.textAlign = "left";
    context.fillText(this.run.label, 0, this.height + 5);
  }

  // A line between hosts, where there is room for it, and their names; whether these are.
  hosts(context) {
    const down = this.height / this.rows;
    const hosts = hostsOf(this.run).filter(({ from, rows }) => from + rows > this.row && from < this.row + this.rows);
    if (hosts.length * LEAST_HOST > this.height) return false;
    const isNamed = left() > 0 && hosts.length > 0 && hosts.length * NAMED_HOST <= this.height;
    context.beginPath();
    context.textAlign = "right";
    context.textBaseline = "top";
    for (const { name, from } of hosts) {
      const y = Math.round((from - this.row) * down) + 0.5;
      context.moveTo(left(), y);
      context.lineTo(left() + this.width, y);
      // The name of the policy stands beside the first ones.
      if (isNamed) context.fillText(name, left() - 6, Math.max(y, 0) + 2, y < 40 ? 48 : left() - 12);
    }
    context.stroke();
    return isNamed;
  }

  // The host whose name is below the mouse, alone, or all of them again.
  chooseHost(event) {
    const { left: x, top } = this.canvas.getBoundingClientRect();
    if (event.clientX - x >= left()) return;
    const row = this.row + ((event.clientY - top) / this.height) * this.rows;
    const host = hostsOf(this.run).find(({ from, rows }) => row >= from && row < from + rows);
    if (!host) return;
    if (host.from === this.row && host.rows === this.rows) this.showRows(0, this.run.processors);
    else this.showRows(host.from, host.rows);
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
    const place = this.placeUnder(event);
    const span = job < 0 && place ? spanAt(this.run, place.time, place.row) : null;
    if (job >= 0) this.tell(event, job, place.row);
    else if (span) hover(event, span, []);
    else hideHover();
    if (job === this.over) return;
    this.over = job;
    this.mark();
  }

  // "job 7, user 3, 4 processors".
  nameOf(i) {
    const { jobs } = this.run;
    const user = jobs.user[i] >= 0 ? `, user ${jobs.user[i]}` : "";
    return `job ${jobs.id[i]}${user}${jobs.size[i] > 0 && !this.run.lanes ? `, ${plural(jobs.size[i], "processor")}` : ""}`;
  }

  // Start, wait and run under each policy.
  tell(event, i, row) {
    const { jobs } = this.run;
    const rows = shown(this.settings.runs).flatMap((run) => {
      const at = run.jobs === jobs ? i : run.jobs.id.indexOf(jobs.id[i]);
      const { schedule } = run;
      if (at < 0 || !run.started(at)) return [];
      return [[run.number, run.label, moment(schedule.start[at]), jobs.hasSubmits ? duration(schedule.wait[at]) : "-", duration(schedule.finish[at] - schedule.start[at])]];
    });
    const host = hostsOf(this.run).find(({ from, rows: count }) => row >= from && row < from + count);
    hover(event, `${this.nameOf(i)}${host ? ` \u00b7 ${host.name}` : ""}`, rows, ["", "start", "wait", "run"]);
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
  }

  // Whether the page holds where the job was.
  hasPlaces(i) {
    const { at, begin } = this.run.bars;
    return at[begin[i]] < at[begin[i + 1]];
  }

  // Where the job is below the chart's upper edge, in pixels.
  heightOf(i) {
    const { at, begin, first } = this.run.bars;
    return i >= 0 && this.hasPlaces(i) ? ((first[at[begin[i]]] + 0.5 - this.row) / this.rows) * this.height : 0;
  }

  showJob(i) {
    const { start, finish } = this.run.schedule;
    if (!this.hasPlaces(i)) return;
    const span = Math.max(finish[i] - start[i], 60);
    show(start[i] - span, finish[i] + span);
  }

  rowsOf() {
    const { jobs, bars } = this.run;
    const all = rectangles(bars, this.window, Infinity);
    const tier = (bar) => (bars.look ? [["", "foreground", "background"][halfOf(bars.look[bar])], isFrozen(bars.look[bar]) ? 1 : 0] : []);
    return [
      ["job_id", "user", "start", "finish", "first_processor", "last_processor", ...(bars.look ? ["tier", "frozen"] : [])],
      ...all.map(({ bar, job, interval }) => [jobs.id[job], jobs.user[job], exact(bars.start[bar]), exact(bars.finish[bar]),
        nameOf(this.run, bars.first[interval]), nameOf(this.run, bars.first[interval] + bars.more[interval]), ...tier(bar)]),
    ];
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
    this.compose(context, width, true);
    this.picture = kept;
    return canvas;
  }

  // Near: rectangles.  Far: the picture, embedded.
  svg() {
    const { size, width } = this;
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${this.height}">` +
      `<title>${xml(this.run.label)}</title><rect width="100%" height="100%" fill="${paper()}"/>`;
    const picture = this.render(width, this.height, 2);
    if (this.mode === "far") {
      return `${head}<image width="${width}" height="${this.height}" href="${picture.canvas.toDataURL()}"/></svg>`;
    }
    const { colour } = this.settings.look();
    const other = this.settings.other();
    const { look } = this.run.bars;
    const parts = this.shown.flatMap((one) => partsOf(this.run.bars, this.window, size, one).map(({ x, y, width: wide, height }) => {
      const box = `x="${x.toFixed(2)}" y="${y.toFixed(2)}" width="${wide.toFixed(2)}" height="${height.toFixed(2)}"`;
      const hatched = look && isFrozen(look[one.bar]) ? `<rect ${box} fill="url(#frozen)"/>` : "";
      return `<rect ${box} fill="${colour(this.run, one.job, other)}" stroke="${isDark() ? "#000" : "#fff"}" stroke-width="0.5">` +
        `<title>${xml(this.nameOf(one.job))}</title></rect>${hatched}`;
    }));
    const lines = gaps(this.run.bars, this.window, size, this.shown).map(({ x1, y1, x2, y2 }) =>
      `<line x1="${x1.toFixed(2)}" y1="${y1.toFixed(2)}" x2="${x2.toFixed(2)}" y2="${y2.toFixed(2)}" stroke="${ink()}" stroke-width="0.75"/>`);
    const machine = spanShapes(this.run, this.window, size).map((one) => one.outerHTML).join("");
    const struck = this.shown.filter(({ bar }) => look && isHit(look[bar])).flatMap((one) => partsOf(this.run.bars, this.window, size, one)).map(({ x, y, width: wide, height }) =>
      `<path d="M${x.toFixed(2)} ${(y + height).toFixed(2)}L${(x + wide).toFixed(2)} ${y.toFixed(2)}" stroke="${ink()}"/>`).join("");
    const pattern = `<defs><pattern id="frozen" width="${HATCH}" height="${HATCH}" patternUnits="userSpaceOnUse">` +
      `<path d="M0 ${HATCH}L${HATCH} 0" stroke="${paper()}" stroke-width="1.5"/></pattern></defs>`;
    return `${head}${look ? pattern : ""}${parts.join("")}${struck}${lines.join("")}${machine}</svg>`;
  }
}
