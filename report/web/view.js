// What is shown: a window of time, a job, a search.  Timelines and Gantt charts share it,
// and the address after # holds it.

const listeners = new Map();
const state = { from: 0, to: 1, job: null, search: "", cursor: null };
let whole = { from: 0, to: 1 };

export const view = state;
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
  if (state.search) parts.push(`q=${encodeURIComponent(state.search)}`);
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
  if (left === state.from && left + span === state.to) return;
  state.from = left;
  state.to = left + span;
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

export function choose(id) {
  if (id === state.job) return;
  state.job = id;
  tell("job");
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
