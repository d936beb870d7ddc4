// Which share of the jobs waited longer than a time, a curve a policy.

import { make, readPoints, svg } from "./dom.js";
import { exportMenu } from "./files.js";
import { look } from "./answer.js";
import { hideHover, hover } from "./hover.js";
import { policyDash, policyName } from "./palette.js";
import { on, shown } from "./view.js";
import { duration, LOG_TICKS } from "./words.js";

const HEIGHT = 240;
const GUTTER = 48;
const BELOW = 24;
const POINTS = 160;
const LEVELS = [...Array.from({ length: 100 }, (_, i) => i / 100), 0.995, 0.999, 1];
const [LEAST] = LOG_TICKS;
const MOST = LOG_TICKS.at(-1);
const LONG = Math.log(MOST / LEAST);

const RUNNING = 4;
const sortedWaits = ({ schedule, started }) => schedule.wait.filter((_, i) => started(i) && schedule.state[i] !== RUNNING).sort();

// Of sorted values, how many are above.
function above(values, value) {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return values.length - low;
}

// Linear between neighbours (type 7).
function quantile(values, level) {
  const place = (values.length - 1) * level;
  const low = Math.floor(place);
  return values[low] + ((values[low + 1] ?? values[low]) - values[low]) * (place - low);
}

export function distribution(parent, figures) {
  const all = figures.runs.filter((run) => run.schedule && run.jobs.hasSubmits).map((run) => ({ run, number: run.number, waits: sortedWaits(run) })).filter(({ waits }) => waits.length);
  const box = make("div", { class: "plot", style: `height:${HEIGHT}px`, role: "group", "aria-label": "Waits: arrow keys read the curves" });
  const share = ({ waits }, time) => above(waits, time) / waits.length;
  const scale = () => {
    const width = box.clientWidth;
    const top = Math.max(Math.ceil(10 * Math.max(...all.map((one) => share(one, LEAST)), 0)) / 10, 0.1);
    return { width, top, x: (time) => GUTTER + (Math.log(Math.max(time, LEAST) / LEAST) / LONG) * (width - GUTTER - 8), y: (part) => 8 + (1 - part / top) * (HEIGHT - BELOW - 8) };
  };
  const draw = () => {
    const { width, top, x, y } = scale();
    const step = top > 0.5 ? 0.2 : 0.1;
    const parts = Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, k) => k * step);
    const curve = (one) => Array.from({ length: POINTS + 1 }, (_, k) => {
      const time = LEAST * Math.exp((LONG * k) / POINTS);
      return `${k ? "L" : "M"}${x(time).toFixed(1)} ${y(share(one, time)).toFixed(1)}`;
    }).join("");
    const dash = (number) => (policyDash(number) === "solid" ? "none" : policyDash(number).join(" "));
    box.replaceChildren(svg("svg", { width, height: HEIGHT, role: "img", "aria-label": "Share of jobs that waited longer than a time" },
      ...parts.flatMap((part) => [svg("path", { d: `M${GUTTER} ${y(part)}H${width - 8}`, style: "stroke:var(--line)" }), svg("text", { x: GUTTER - 6, y: y(part) + 4, "text-anchor": "end" }, `${Math.round(100 * part)} %`)]),
      ...LOG_TICKS.flatMap((time, i) => [svg("path", { d: `M${x(time)} 8V${HEIGHT - BELOW}`, style: "stroke:var(--line)" }), svg("text", { x: x(time), y: HEIGHT - 8, "text-anchor": i === 0 ? "start" : time === MOST ? "end" : "middle" }, duration(time))]),
      ...shown(all).map((one) => svg("path", { d: curve(one), style: `fill:none;stroke:var(${policyName(one.number)});stroke-width:2`, "stroke-dasharray": dash(one.number) }))));
    key.replaceChildren(...shown(all).map(({ run }) => make("span", {}, look(run.number), make("bdi", {}, run.label))));
  };
  const key = make("p", { class: "key" });
  box.addEventListener("mousemove", (event) => {
    const time = LEAST * Math.exp(Math.min(Math.max((event.clientX - box.getBoundingClientRect().left - GUTTER) / (box.clientWidth - GUTTER - 8), 0), 1) * LONG);
    hover(event, `longer than ${duration(time)}`, shown(all).map((one) => [one.number, one.run.label, `${(100 * share(one, time)).toFixed(1)} %`]));
  });
  box.addEventListener("mouseleave", hideHover);
  const rows = () => [["share of jobs", ...all.map(({ run }) => run.label)], ...LEVELS.map((level) => [level, ...all.map(({ waits }) => quantile(waits, level))])];
  readPoints(box, rows);
  parent.append(exportMenu("wait", {
    rows, svg: () => box.firstChild.cloneNode(true), png: 2,
  }), box, key);
  on("off", draw);
  new ResizeObserver(draw).observe(box);
  draw();
}
