// Colours, of which report.css holds the values, light and dark.  A policy has a colour, a
// dash and a marker of its own; the log's own schedule is grey.

import { svg } from "./dom.js";

const DASHES = ["none", "7 3", "2 2", "7 3 2 3", "4 4"];
const COLOURS = 6;
const recorded = new Set();

let known = new Map();
export function css(name) {
  if (!known.has(name)) known.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return known.get(name);
}

// The number of the policy that replays the log.
export const isRecorded = (number) => recorded.has(number);
export const setRecorded = (number) => recorded.add(number);
export const policyName = (number) => (isRecorded(number) ? "--ref" : `--p${number % COLOURS}`);
export const policyColour = (number) => css(policyName(number));
export const policyDash = (number) => (isRecorded(number) ? "1 3" : DASHES[number % DASHES.length]);

const shapes = {
  circle: (r) => svg("circle", { r }),
  rect: (r) => svg("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r }),
  triangle: (r) => svg("path", { d: `M0 ${-r}L${r} ${r}H${-r}Z` }),
  diamond: (r) => svg("path", { d: `M0 ${-r}L${r} 0L0 ${r}L${-r} 0Z` }),
};
const KINDS = Object.keys(shapes);

// A shape around a point, filled or a ring.
export function mark(kind, colour, x, y, r, isHollow) {
  const shape = shapes[kind](isHollow ? r - 1 : r);
  shape.setAttribute("style", isHollow ? `fill:var(--paper);stroke:var(${colour});stroke-width:2` : `fill:var(${colour})`);
  shape.setAttribute("transform", `translate(${x} ${y})`);
  return shape;
}

// The marker of a policy.
export const marker = (number, x, y, r = 6, isHollow = isRecorded(number) || number % 8 >= 4) =>
  mark(isRecorded(number) ? "circle" : KINDS[number % KINDS.length], policyName(number), x, y, r, isHollow);

// Its line and its marker, beside its name.
export const look = (number) => svg("svg", { class: "mark", width: 28, height: 12, viewBox: "0 0 28 12", "aria-hidden": "true" },
  svg("path", { d: "M0 6H28", style: `stroke:var(${policyName(number)});stroke-width:2`, "stroke-dasharray": policyDash(number) }),
  marker(number, 14, 6, 4));

// An interval with its caps, along x or, with isTall, along y.
export const whisker = (from, to, at, colour, isTall = false) => svg("path", {
  d: isTall ? `M${at} ${from}V${to}M${at - 4} ${from}h8M${at - 4} ${to}h8` : `M${from} ${at}H${to}M${from} ${at - 5}v10M${to} ${at - 5}v10`,
  style: `stroke:${colour};stroke-width:2;fill:none`,
});

// What lies beyond one of the ends of an axis: an arrow at it, with its text.
export function arrow(number, isRight, [low, high], y, text) {
  const x = isRight ? high - 20 : low + 20;
  const back = isRight ? -5 : 5;
  return [svg("path", { d: `M${x} ${y}H${isRight ? high : low}m${back} -4l${-back} 4l${back} 4`, style: `stroke:var(${policyName(number)});stroke-width:2;fill:none` }),
    marker(number, x, y),
    svg("text", { x: isRight ? x - 12 : x + 12, y: y + 4, "text-anchor": isRight ? "end" : "start", style: "fill:var(--ink)" }, text)];
}

const listeners = new Set();
const system = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

export const isDark = () => {
  if (printing) return false;
  const wanted = document.documentElement.dataset.theme;
  return wanted ? wanted === "dark" : system.matches;
};

export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.length === 4 ? hex[(at + 1) / 2].repeat(2) : hex.slice(at, at + 2), 16));

export const ink = () => css("--ink");
export const paper = () => css("--paper");
export const faint = () => css("--line");

export function onTheme(listener) {
  listeners.add(listener);
}

function tell() {
  known = new Map();
  listeners.forEach((listener) => listener());
}

export function toggleTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  tell();
}

system.addEventListener("change", tell);

// Paper is light, whatever the screen is.
let onScreen;
function print(wanted) {
  if (printing === wanted) return;
  const { dataset } = document.documentElement;
  if (wanted) onScreen = dataset.theme;
  printing = wanted;
  if (wanted) dataset.theme = "light";
  else if (onScreen) dataset.theme = onScreen;
  else delete dataset.theme;
  tell();
}
matchMedia("print").addEventListener("change", (event) => print(event.matches));
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  print(true);
});
addEventListener("afterprint", () => print(false));

// Of a class of jobs, by number.
const CLASSES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b3a400", "#8c6d31", "#7a68c8", "#5d9c59"];
export const classColour = (number) => CLASSES[((number % CLASSES.length) + CLASSES.length) % CLASSES.length];
