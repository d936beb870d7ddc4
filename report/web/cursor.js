// A line at the time under the mouse, in every chart over time.

import { make } from "./dom.js";
import { on, pan, point, view, zoom } from "./view.js";

export const REST = 120; // ms without a movement

// Where the axis of time begins in each of these charts, in pixels; it ends at their right
// edge.  Names stand before it; in a narrow window they stand above.
export const left = () => (innerWidth <= 700 ? 0 : 144);

// Where on the axis of time of such an element a mouse event is: 0 to 1 inside.
export function shareAt(element, { clientX }) {
  const box = element.getBoundingClientRect();
  return (clientX - box.left - left()) / (box.width - left());
}

// In front of an element whose axis of time is as wide as it is but for its margins.
export function cursor(element) {
  const line = make("div", { class: "cursor", hidden: true });
  element.after(line);
  element.addEventListener("mousemove", (event) => {
    const share = shareAt(element, event);
    point(share >= 0 && share <= 1 ? view.from + share * (view.to - view.from) : null);
  });
  element.addEventListener("mouseleave", () => point(null));
  const show = () => {
    const share = (view.cursor - view.from) / (view.to - view.from);
    line.hidden = view.cursor === null || share < 0 || share > 1;
    if (line.hidden) return;
    line.style.left = `${element.offsetLeft + left() + share * (element.offsetWidth - left())}px`;
    line.style.top = `${element.offsetTop}px`;
    line.style.height = `${element.offsetHeight}px`;
  };
  on("cursor", show);
  on("window", show);
}

// Wheel and drag on an element whose axis of time is as wide as it is but for its margins.
export function moves(element) {
  const time = (event) => view.from + Math.min(Math.max(shareAt(element, event), 0), 1) * (view.to - view.from);
  element.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== element) return;
    if (event.shiftKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, time(event));
  }, { passive: false });
  let last = null;
  element.addEventListener("pointerdown", (event) => { last = event.clientX; });
  element.addEventListener("pointermove", (event) => {
    if (last === null || event.buttons === 0) return;
    const width = element.getBoundingClientRect().width - left();
    pan((last - event.clientX) / width);
    last = event.clientX;
  });
  for (const name of ["pointerup", "pointerleave"]) element.addEventListener(name, () => { last = null; });
}
