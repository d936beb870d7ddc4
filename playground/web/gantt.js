// The schedule of a run as a picture: time to the right, processors upwards.

"use strict";

// A processor for each process of each job: the lowest that are free, as the machine
// gives them unless its scenario says otherwise.  Rectangles { job, at, height }.
function placed(jobs, processors) {
  const order = jobs.map((_, i) => i).sort((a, b) => jobs[a].start - jobs[b].start || a - b);
  const until = new Float64Array(processors).fill(-Infinity);
  const parts = [];
  for (const i of order) {
    const job = jobs[i];
    let left = job.size;
    for (let at = 0; at < processors && left > 0; ++at) {
      if (until[at] > job.start) continue;
      let height = 0;
      while (at + height < processors && height < left && until[at + height] <= job.start) {
        until[at + height] = job.end;
        ++height;
      }
      parts.push({ job, at, height });
      left -= height;
      at += height;
    }
  }
  return parts;
}

const HUES = 12;
const FOOT = 20;   // pixels of the axis
const LABEL = 80;  // pixels that a label of it needs
const STEPS = [60, 300, 900, 3600, 10800, 21600, 43200, 86400, 172800, 604800, 2592000, 7776000, 31536000];

class Gantt {
  constructor(canvas, told) {
    this.canvas = canvas;
    this.told = told;
    this.parts = [];
    canvas.addEventListener("pointermove", (event) => this.point(event));
    canvas.addEventListener("pointerleave", () => { told.textContent = this.head; });
    new ResizeObserver(() => this.paint()).observe(canvas);
  }

  show(title, jobs, processors) {
    this.head = title;
    this.told.textContent = title;
    this.processors = Math.max(1, processors);
    this.parts = placed(jobs, this.processors);
    this.from = jobs.reduce((least, job) => Math.min(least, job.submit), Infinity);
    this.to = jobs.reduce((most, job) => Math.max(most, job.end), -Infinity);
    this.paint();
  }

  paint() {
    const { canvas } = this;
    const scale = devicePixelRatio;
    canvas.width = Math.round(canvas.clientWidth * scale);
    canvas.height = Math.round(canvas.clientHeight * scale);
    const paper = canvas.getContext("2d");
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    paper.clearRect(0, 0, canvas.width, canvas.height);
    const wide = canvas.width / Math.max(1, this.to - this.from);
    const floor = canvas.height - FOOT * scale;
    const high = floor / this.processors;
    for (const { job, at, height } of this.parts) {
      paper.fillStyle = `hsl(${(job.id % HUES) * (360 / HUES)} 55% ${dark ? 45 : 65}%)`;
      const begin = (job.start - this.from) * wide;
      const width = Math.max(1, (job.end - job.start) * wide - (wide > 0.02 ? 1 : 0));
      paper.fillRect(begin, floor - (at + height) * high, width, Math.max(1, height * high - (high > 3 ? 1 : 0)));
    }
    this.axis(paper, wide, floor, scale);
    canvas.dataset.painted = String(this.parts.length);
  }

  // The time since the first submit, at whole multiples.
  axis(paper, wide, floor, scale) {
    const step = STEPS.find((each) => each * wide >= LABEL * scale) ?? STEPS.at(-1);
    paper.fillStyle = getComputedStyle(this.told).color;
    paper.font = `${12 * scale}px system-ui, sans-serif`;
    paper.textBaseline = "middle";
    for (let at = 0; at * wide < this.canvas.width; at += step) {
      paper.fillRect(at * wide, floor, scale, 4 * scale);
      paper.fillText(since(at), at * wide + 4 * scale, floor + (FOOT / 2) * scale);
    }
  }

  point(event) {
    const { canvas } = this;
    const time = this.from + (event.offsetX / canvas.clientWidth) * (this.to - this.from);
    const processor = Math.floor((1 - event.offsetY / (canvas.clientHeight - FOOT)) * this.processors);
    const hit = this.parts.find(({ job, at, height }) =>
      job.start <= time && time < job.end && at <= processor && processor < at + height);
    this.told.textContent = hit
      ? `job ${hit.job.id}: ${hit.job.size} processors, waited ${seconds(hit.job.start - hit.job.submit)}, ran ${seconds(hit.job.end - hit.job.start)}`
      : this.head;
  }
}

// "day 2", "day 2 03:00".
function since(value) {
  const two = (part) => String(Math.floor(part)).padStart(2, "0");
  const clock = value % 86400 ? ` ${two((value % 86400) / 3600)}:${two((value % 3600) / 60)}` : "";
  return `day ${Math.floor(value / 86400)}${clock}`;
}

function seconds(value) {
  const units = [[86400, "d"], [3600, "h"], [60, "min"]];
  const [unit, name] = units.find(([each]) => value >= 2 * each) ?? [1, "s"];
  return `${Number((value / unit).toPrecision(3))} ${name}`;
}
