// Colours: one for each policy everywhere (Okabe and Ito 2008), with a dash and a marker
// of its own; light and dark.

const POLICIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"];
const DASHES = ["solid", [8, 3], [2, 2], [8, 3, 2, 3], [4, 4], [12, 3], [1, 3], [6, 2, 1, 2]];
const MARKERS = ["circle", "rect", "triangle", "diamond", "pin", "arrow", "roundRect", "none"];

export const policyColour = (number) => POLICIES[number % POLICIES.length];
export const policyDash = (number) => DASHES[number % DASHES.length];
export const policyMarker = (number) => MARKERS[number % MARKERS.length];

const listeners = new Set();
const system = matchMedia("(prefers-color-scheme: dark)");
let printing = false;

export const isDark = () => {
  if (printing) return false;
  const wanted = document.documentElement.dataset.theme;
  return wanted ? wanted === "dark" : system.matches;
};

export const ink = () => (isDark() ? "#e8e8e8" : "#1c1c1c");
export const paper = () => (isDark() ? "#181a1f" : "#ffffff");
export const faint = () => (isDark() ? "#3b3f48" : "#dcdcdc");

export function onTheme(listener) {
  listeners.add(listener);
}

const tell = () => listeners.forEach((listener) => listener());

export function toggleTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  tell();
}

system.addEventListener("change", tell);

// Paper is light, whatever the screen is.
function print(wanted) {
  if (printing === wanted) return;
  printing = wanted;
  tell();
}
matchMedia("print").addEventListener("change", (event) => print(event.matches));
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details")) part.open = true;
  print(true);
});
addEventListener("afterprint", () => print(false));

// A colour from that of the paper to its opposite, for t from 0 to 1: [r, g, b].
const RAMP_LIGHT = [[247, 251, 255], [198, 219, 239], [107, 174, 214], [33, 113, 181], [8, 48, 107]];
const RAMP_DARK = [[24, 26, 31], [35, 61, 92], [44, 105, 156], [86, 163, 212], [222, 240, 255]];

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
