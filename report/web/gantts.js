// The schedules of a page, one above the other, or one coloured by its difference to
// another: what they share.

import { button, choice, make } from "./dom.js";
import { Gantt } from "./gantt.js";
import { hostsOf, rectangles } from "./gantt_near.js";
import { COLOURS, countChanges, DIFFERENCE } from "./gantt_colours.js";
import { Passes } from "./passes.js";
import { compareRuns, on, view } from "./view.js";
import { number } from "./words.js";

const FEW = 260; // pixels of a chart of one or two
const MANY = 168; // of more
const PAIR = 360; // of the difference of two
const HOST = 30; // of a host, where results name them
const UNIT = 8; // of a unit of a further kind, such as a GPU
const MOST = 720;

function size(runs) {
  const usual = view.diff ? PAIR : runs.length - view.off.size > 2 ? MANY : FEW;
  return Math.min(Math.max(usual, HOST * hostsOf(runs[0]).length), Math.max(usual, MOST));
}

export function gantts(parent, figures) {
  const runs = figures.runs.filter((run) => run.places && run.schedule);
  const charts = [];
  // Of a run with too many rectangles the page holds those of its window alone.
  const isHeld = (run, { from, to }) => !run.far || (figures.window && from >= figures.window[0] && to <= figures.window[1]);
  const isShown = ({ run }) => (view.diff ? run.number === view.diff[0] : !view.off.has(run.number));
  const settings = {
    runs,
    colour: "wait",
    // All charts show the same picture.
    isNear: (window) => charts.filter(isShown).every((one) => isHeld(one.run, window) && rectangles(one.run.bars, { ...window, row: one.row, rows: one.rows })),
    look: () => (view.diff ? DIFFERENCE : COLOURS[settings.colour]),
    farLook: () => (view.diff ? DIFFERENCE : COLOURS.wait),
    // The run compared with; undefined: none.
    other: () => runs.find((run) => view.diff && run.number === view.diff[1]),
    drawn: () => showLegend(),
    passes: new Passes(runs, () => charts.filter(isShown).forEach((one) => one.mark())),
  };
  const legend = make("p", { class: "legend" });
  const said = make("p", { class: "note", role: "status" });
  function showLegend() {
    const far = charts.filter(isShown).some((one) => one.mode === "far");
    const look = far ? settings.farLook() : settings.look();
    legend.replaceChildren(`${look.title}: `, ...look.legend().flatMap(([colour, text]) => [make("span", { class: "swatch", style: `background:${colour}` }), `${text} `]),
      view.diff ? "" : `\u25e4 started before a job ahead of it${far ? "; far: the mean of every pixel, paler where less is in use" : ""}`);
  }
  const choices = make("div", { class: "tools" });
  const pair = (a, b) => compareRuns(a === b ? null : [a, b]);
  function showChoices() {
    const labels = runs.map((run) => [String(run.number), run.label]);
    const [a, b] = view.diff ?? [];
    choices.replaceChildren(
      ...(runs.length > 1 ? [make("span", { class: "seg" },
        button("Each policy", () => compareRuns(null), { "aria-pressed": String(!view.diff) }),
        button("Difference", () => pair(runs[1].number, runs[0].number), { "aria-pressed": String(Boolean(view.diff)) }))] : []),
      ...(view.diff ? [choice("Schedule of", labels, String(a), (value) => pair(Number(value), Number(value) === b ? a : b)),
        button("against", () => pair(b, a), { title: "Swap them" }), choice("", labels, String(b), (value) => pair(Number(value) === a ? b : a, Number(value)))]
        : [choice("Colour by", Object.entries(COLOURS).map(([name, { title }]) => [name, title]), settings.colour, (value) => { settings.colour = value; drawAll(); })]),
      make("span", { class: "grow" }), settings.passes.buttons);
    const other = settings.other();
    const run = runs.find((one) => one.number === a);
    said.hidden = !other;
    if (!other || !run) return;
    const counts = countChanges(run, other);
    said.textContent = run.jobs === other.jobs
      ? `Under ${run.label} ${number(counts.earlier)} jobs start earlier than under ${other.label}, ${number(counts.later)} later, ${number(counts.same)} within a minute${counts.one ? `; ${number(counts.one)} start under one of them alone` : ""}.`
      : "These are results of different jobs: no difference is shown.";
  }
  parent.append(choices, said, settings.passes.said, legend);
  const heightOf = (run) => (run.units === null ? Math.min(UNIT * run.processors, MOST) : size(runs));
  for (const run of runs) {
    for (const of of run.units ? [run, run.units] : [run]) charts.push(new Gantt(parent, of, settings, heightOf(of)));
  }
  function drawAll() {
    for (const one of charts) {
      one.part.hidden = !isShown(one);
      one.resize(heightOf(one.run));
    }
    charts.filter(isShown).forEach((one) => one.draw());
    showChoices();
  }
  for (const name of ["off", "diff"]) on(name, drawAll);
  drawAll();
  return charts;
}
