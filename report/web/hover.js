// The hover box: an element of the page, beside the mouse, inside the window.

import { make } from "./dom.js";
import { look } from "./palette.js";

const OFF = 16; // pixels from the mouse
const EDGE = 8; // and from the window's edge

let box;

// rows: a policy's number, or null, and its cells.
export function hover(event, heading, rows, head = null) {
  box ??= document.body.appendChild(make("div", { class: "hover", role: "tooltip", "data-part": "hover" }));
  const line = (cells, number) => make("tr", {}, ...cells.map((cell, i) =>
    make("td", {}, ...(i === 0 && number !== null ? [look(number)] : []), make("bdi", {}, String(cell)))));
  box.replaceChildren(make("b", {}, heading),
    make("table", {}, ...(head ? [line(head, null)] : []), ...rows.map(([number, ...cells]) => line(cells, number))));
  box.hidden = false;
  const { offsetWidth: width, offsetHeight: height } = box;
  const beside = (at, size, room) => {
    const place = at + OFF + size + EDGE <= room ? at + OFF : at - OFF - size;
    return Math.max(Math.min(place, room - size - EDGE), EDGE);
  };
  box.style.left = `${beside(event.clientX, width, document.documentElement.clientWidth)}px`;
  box.style.top = `${beside(event.clientY, height, innerHeight)}px`;
}

export function hideHover() {
  if (box) box.hidden = true;
}
