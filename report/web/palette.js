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

// Of a class of jobs, by number.
const CLASSES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b3a400", "#8c6d31", "#7a68c8", "#5d9c59"];
export const classColour = (number) => CLASSES[((number % CLASSES.length) + CLASSES.length) % CLASSES.length];
