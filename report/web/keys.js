// The keys of the page, and the dialog that lists them.

import { button, make } from "./dom.js";
import { toggleTheme } from "./palette.js";
import { hide, pan, showAll, view, zoom } from "./view.js";

const KEYS = [
  ["Tab", "from control to control"],
  ["← → or A D", "earlier, later"],
  ["+ − or W S", "zoom in, out"],
  ["0", "the whole log"],
  ["arrows in a chart", "read its points; in a schedule also along its rows"],
  ["Enter in a schedule", "the next job"],
  ["X", "the difference of two policies, or each for itself"],
  ["[ ]", "the pass before, the next one"],
  ["J K", "next, previous job by submit"],
  ["U", "next job of the user"],
  ["1 … 9", "hide or show a policy"],
  ["/", "search jobs"],
  ["L", "light or dark"],
  ["Escape", "close what was opened last"],
  ["wheel", "zooms a chart that was clicked, or with Ctrl; with Shift the rows of a schedule"],
  ["drag", "pans; in the time bar moves the window, its ends, or makes a new one"],
];

let dialog;

export function help() {
  dialog ??= document.body.appendChild(make("dialog", { "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    make("dl", {}, ...KEYS.flatMap(([key, what]) => [make("dt", {}, key), make("dd", {}, what)])),
    button("Close", () => dialog.close())));
  if (!dialog.open) dialog.showModal();
}

// drawer, jobs, difference, passes: what opens and searches jobs, compares schedules and
// steps through them; undefined on a page without them.
export function keys({ drawer, jobs, difference, passes }) {
  const actions = {
    arrowleft: () => pan(-0.25), a: () => pan(-0.25), arrowright: () => pan(0.25), d: () => pan(0.25),
    "+": () => zoom(0.5), "=": () => zoom(0.5), w: () => zoom(0.5), "-": () => zoom(2), s: () => zoom(2), 0: showAll,
    j: () => drawer?.step(1), k: () => drawer?.step(-1), u: () => drawer?.stepOfUser(1),
    "[": () => passes?.step(-1), "]": () => passes?.step(1), x: () => difference?.(), l: toggleTheme, "?": help, "/": () => jobs?.field.focus(),
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      const open = document.querySelector("details.menu[open]");
      if (open) open.open = false;
      else drawer?.close();
      return;
    }
    if (event.target.matches?.("input, select, textarea")) return;
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : -1;
    const action = digit >= 0 ? () => hide(digit, !view.off.has(digit)) : actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
