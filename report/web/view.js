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
  if (name === "cursor") return;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(writeAddress, 200);
}

const numberOf = (label) => labels.indexOf(decodeURIComponent(label));
const text = (number) => String(Math.round(number * 1000) / 1000);

function writeAddress() {
  const named = (numbers, between) => [...numbers].map((number) => encodeURIComponent(labels[number])).join(between);
  const parts = {
    t: (state.from !== whole.from || state.to !== whole.to) && `${text(state.from)}:${text(state.to)}`,
    job: state.job !== null && String(state.job), off: named(state.off, ","), diff: state.diff && named(state.diff, ".."),
    m: state.metric !== null && encodeURIComponent(state.metric), q: encodeURIComponent(state.search), s: state.section,
  };
  const address = `#${Object.entries(parts).filter(([, value]) => value).map((pair) => pair.join("=")).join("&")}`;
  if (address !== (location.hash || "#")) history.replaceState(null, "", address);
}

const readers = {
  t: (value) => { const [from, to] = value.split(":").map(Number); if (from < to) show(from, to); },
  job: (value) => { if (value !== "") choose(Number(value)); },
  off: (value) => {
    const hidden = value.split(",").map(numberOf).filter((number) => number >= 0);
    if (hidden.length < labels.length) hidden.forEach((number) => hide(number, true));
  },
  diff: (value) => {
    const pair = value.split("..").map(numberOf);
    if (pair.length === 2 && !pair.includes(-1) && pair[0] !== pair[1]) compareRuns(pair);
  },
  s: (value) => toSection(value), m: (value) => chooseMetric(decodeURIComponent(value)), q: (value) => search(decodeURIComponent(value)),
};

export function readAddress() {
  for (const [name, value] of location.hash.slice(1).split("&").map((part) => part.split("="))) if (Object.hasOwn(readers, name)) readers[name](value ?? "");
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
  state.policy = number;
  state.job = id;
  tell("job");
}

// Sets a part of the state and tells of it, unless it is so already.
const setter = (name) => (value) => {
  if (value === state[name]) return;
  state[name] = value;
  tell(name);
};
// The metric that the board draws; null: the one that decides.
export const chooseMetric = setter("metric");
// The schedule of one policy against that of another; null: each for itself.
export const compareRuns = setter("diff");
// The section that was gone to last; null: none.
export const toSection = setter("section");
export const search = setter("search");
// The time under the mouse; null: none.  It is not in the address.
export const point = setter("cursor");

export const shown = (runs) => runs.filter((run) => !state.off.has(run.number));

// Hides a policy everywhere, or shows it; the last one stays.
export function hide(number, wanted) {
  if (wanted === state.off.has(number) || (wanted && state.off.size + 1 >= labels.length)) return;
  if (wanted) state.off.add(number);
  else state.off.delete(number);
  tell("off");
}
