// The Gantt charts of a page, one above the other: what they share.

import { button, choice, make } from "./dom.js";
import { Gantt } from "./gantt.js";
import { rectangles } from "./gantt_near.js";
import { COLOURS, legendOf, QUANTITIES } from "./gantt_colours.js";
import { parse } from "./query.js";
import { on, view } from "./view.js";

const FEW = 260; // pixels of a chart of one or two
const MANY = 168; // of more

export function gantts(parent, figures) {
  const runs = figures.runs.filter((run) => run.places && run.schedule);
  const charts = [];
  // Of a run with too many rectangles the page holds those of its window alone.
  const isHeld = (run, { from, to }) => !run.far || (figures.window && from >= figures.window[0] && to <= figures.window[1]);
  const settings = {
    runs,
    colour: runs.some((run) => run.jobs.user.some((user) => user >= 0)) ? "user" : "size",
    quantity: "use",
    // All charts show the same picture.
    isNear: (window) => charts.every((one) => isHeld(one.run, window) && rectangles(one.run.bars, { ...window, row: one.row, rows: one.rows })),
    // The chart compared with: the first for the others, the second for the first.
    other: (run) => charts.map((one) => one.run).find((one) => one !== run),
    found: (run) => found(run),
    drawn: () => showLegend(),
  };
  const marks = new Map();
  function found(run) {
    const { test } = parse(view.search);
    if (!test) return null;
    const key = run.number;
    if (marks.get(key)?.words !== view.search) {
      const values = Uint8Array.from(run.schedule.start, (_, i) => (test(run, i) ? 1 : 0));
      marks.set(key, { words: view.search, values });
    }
    return marks.get(key).values;
  }
  const drawAll = () => charts.forEach((one) => one.draw());
  const legend = make("p", { class: "legend" });
  function showLegend() {
    const far = charts.some((one) => one.mode === "far");
    const pairs = far ? legendOf(settings.quantity) : COLOURS[settings.colour].legend();
    legend.replaceChildren(
      `${far ? QUANTITIES[settings.quantity].title : COLOURS[settings.colour].title}: `,
      ...pairs.flatMap(([colour, text]) => [
        ...(colour ? [make("span", { class: "swatch", style: `background:${colour}` })] : []), `${text} `,
      ]),
    );
  }
  const places = make("div");
  const options = (of) => Object.entries(of).map(([name, { title }]) => [name, title]);
  const quantities = options(QUANTITIES).filter(([name]) =>
    (name === "use" || runs.every((run) => !run.far)) && (!QUANTITIES[name].tier || runs.some((run) => run.tiers)));
  parent.append(
    make("div", { class: "tools" },
      choice("Near: colour by", options(COLOURS), settings.colour, (value) => { settings.colour = value; drawAll(); }),
      choice("Far: show", quantities, settings.quantity, (value) => { settings.quantity = value; drawAll(); })),
    legend, places,
  );
  for (const run of runs) add(run);
  function add(run) {
    const tools = make("div", { class: "tools" });
    const place = places.appendChild(make("div", { class: "part" }, make("h3", {}, make("bdi", {}, run.label)), tools));
    const chart = new Gantt(place, run, settings, runs.length > 2 ? MANY : FEW);
    charts.push(chart);
    tools.append(button("CSV", () => chart.saveCsv()), button("PNG", () => chart.savePng()), button("SVG", () => chart.saveSvg()));
  }
  on("off", () => charts.forEach((one, i) => { one.canvas.closest(".part").hidden = view.off.has(runs[i].number); }));
  on("search", () => { if (settings.quantity === "found") drawAll(); });
  drawAll();
  return charts;
}
