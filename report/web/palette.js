// Colours, of which report.css holds the values, light and dark.  A policy has a colour, a
// dash and a marker of its own; the log's own schedule is grey.

const DASHES = ["solid", [7, 3], [2, 2], [7, 3, 2, 3], [4, 4]];
const MARKERS = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle", "emptyDiamond"];
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
export const policyDash = (number) => (isRecorded(number) ? [1, 3] : DASHES[number % DASHES.length]);
export const policyMarker = (number) => (isRecorded(number) ? "emptyCircle" : MARKERS[number % MARKERS.length]);

const listeners = new Set();
const system = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

export const isDark = () => {
  if (printing) return false;
  const wanted = document.documentElement.dataset.theme;
  return wanted ? wanted === "dark" : system.matches;
};

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

// A colour from that of the paper to its opposite, for t from 0 to 1: [r, g, b].
const RAMP_LIGHT = [[255, 255, 255], [198, 219, 239], [107, 174, 214], [33, 113, 181], [8, 48, 107]];
const RAMP_DARK = [[20, 23, 27], [35, 61, 92], [44, 105, 156], [86, 163, 212], [222, 240, 255]];

export function ramp(t) {
  const stops = isDark() ? RAMP_DARK : RAMP_LIGHT;
  const at = Math.min(Math.max(t, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  return stops[low].map((value, i) => Math.round(value + (stops[low + 1][i] - value) * (at - low)));
}

// Low, nothing, high.
export const diverging = () => ["#0072b2", isDark() ? "#3b3f48" : "#f4f4f4", "#d55e00"];
export const rising = () => [0, 0.25, 0.5, 0.75, 1].map((t) => `rgb(${ramp(t).join(",")})`);

// Of a class of jobs, by number.
const CLASSES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b3a400", "#8c6d31", "#7a68c8", "#5d9c59"];
export const classColour = (number) => CLASSES[((number % CLASSES.length) + CLASSES.length) % CLASSES.length];
