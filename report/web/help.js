// The keys, in a dialog.

import { button, make } from "./dom.js";

const KEYS = [
  ["Tab", "from control to control"],
  ["Arrows in a chart", "read its points"],
  ["Arrows in a Gantt chart", "pan along time and processors"],
  ["+ and -", "zoom; 0: everything"],
  ["Enter in a Gantt chart", "the next job"],
  ["/", "search jobs"],
  ["Escape", "close"],
  ["Wheel", "zooms a chart that was clicked, or with Ctrl; with Shift the rows of a Gantt chart"],
  ["Drag", "pans"],
];

let dialog;

export function help() {
  dialog ??= document.body.appendChild(make("dialog", { "aria-label": "Keys" },
    make("h2", {}, "Keys"),
    make("dl", {}, ...KEYS.flatMap(([key, what]) => [make("dt", {}, key), make("dd", {}, what)])),
    button("Close", () => dialog.close())));
  if (!dialog.open) dialog.showModal();
}
