// What is shown: a window of time, a job, which policies, a metric, a search.  All panels
// share it, and the address after # holds it.

const listeners = new Map();
const state = { from: 0, to: 1, job: null, policy: null, search: "", cursor: null, metric: null, off: new Set(), diff: null, section: null };
let whole = { from: 0, to: 1 };

let labels = [];

export const view = state;
export const setLabels = (all) => { labels = all; };
export const wholeTime = () => whole;

export function on(name, listener) {
  if (!listeners.has(name)) listeners.set(name, new Set());
  listeners.get(name).add(listener);
}

function tell(name) {
  for (const listener of listeners.get(name) ?? []) listener(state);
  clearTimeout(tell.timer);
  tell.timer = setTimeout(writeAddress, 200);
}

const text = (number) => String(Math.round(number * 1000) / 1000);

function writeAddress() {
  const parts = [];
  if (state.from !== whole.from || state.to !== whole.to) {
    parts.push(`t=${text(state.from)}:${text(state.to)}`);
  }
  if (state.job !== null) parts.push(`job=${state.job}`);
  if (state.off.size) parts.push(`off=${[...state.off].map((number) => encodeURIComponent(labels[number])).join(",")}`);
  if (state.diff) parts.push(`diff=${state.diff.map((number) => encodeURIComponent(labels[number])).join("..")}`);
  if (state.metric !== null) parts.push(`m=${encodeURIComponent(state.metric)}`);
  if (state.search) parts.push(`q=${encodeURIComponent(state.search)}`);
  if (state.section !== null) parts.push(`s=${state.section}`);
  const address = parts.length ? `#${parts.join("&")}` : "#";
  if (address !== (location.hash || "#")) history.replaceState(null, "", address);
}

export function readAddress() {
  for (const part of location.hash.slice(1).split("&")) {
    const [name, value = ""] = part.split("=");
    if (name === "t") {
      const [from, to] = value.split(":").map(Number);
      if (from < to) show(from, to);
    } else if (name === "job" && value !== "") {
      choose(Number(value));
    } else if (name === "off") {
      const hidden = value.split(",").map((label) => labels.indexOf(decodeURIComponent(label))).filter((number) => number >= 0);
      if (hidden.length < labels.length) hidden.forEach((number) => hide(number, true));
    } else if (name === "diff") {
      const pair = value.split("..").map((label) => labels.indexOf(decodeURIComponent(label)));
      if (pair.length === 2 && !pair.includes(-1) && pair[0] !== pair[1]) compareRuns(pair);
    } else if (name === "s") {
      toSection(value);
    } else if (name === "m") {
      chooseMetric(decodeURIComponent(value));
    } else if (name === "q") {
      search(decodeURIComponent(value));
    }
  }
}

export function begin(from, to) {
  whole = { from, to: to > from ? to : from + 1 };
  Object.assign(state, whole);
}

// At least a second, and never beyond the whole.
export function show(from, to) {
  const most = whole.to - whole.from;
  const span = Math.min(Math.max(to - from, Math.min(1, most)), most);
  const left = Math.min(Math.max((from + to - span) / 2, whole.from), whole.to - span);
  const now = span === most ? whole : { from: left, to: left + span }; // exact where it is all
  if (now.from === state.from && now.to === state.to) return;
  Object.assign(state, now);
  tell("window");
}

export const showAll = () => show(whole.from, whole.to);

export function zoom(factor, at = (state.from + state.to) / 2) {
  show(at - (at - state.from) * factor, at + (state.to - at) * factor);
}

export function pan(share) {
  const step = (state.to - state.from) * share;
  show(state.from + step, state.to + step);
}

// number: the policy under which it was clicked; null: none of them.
export function choose(id, number = null) {
  if (id === state.job && number === state.policy) return;
  state.job = id;
  state.policy = number;
  tell("job");
}

// The metric that the board draws; null: the one that decides.
export function chooseMetric(name) {
  if (name === state.metric) return;
  state.metric = name;
  tell("metric");
}

// The schedule of one policy against that of another; null: each for itself.
export function compareRuns(pair) {
  state.diff = pair;
  tell("diff");
}

// The section that was gone to last; null: none.
export function toSection(id) {
  state.section = id;
  tell("section");
}

export const shown = (runs) => runs.filter((run) => !state.off.has(run.number));

// Hides a policy everywhere, or shows it; the last one stays.
export function hide(number, wanted) {
  if (wanted === state.off.has(number) || (wanted && state.off.size + 1 >= labels.length)) return;
  if (wanted) state.off.add(number);
  else state.off.delete(number);
  tell("off");
}

// The time under the mouse; null: none.  It is not in the address.
export function point(time) {
  if (time === state.cursor) return;
  state.cursor = time;
  for (const listener of listeners.get("cursor") ?? []) listener(state);
}

export function search(words) {
  if (words === state.search) return;
  state.search = words;
  tell("search");
}
