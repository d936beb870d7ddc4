// A line at the time under the mouse, in every chart over time.

import { make } from "./dom.js";
import { on, point, view } from "./view.js";

export const LEFT = 70; // of the axis of time, in each of these charts
export const RIGHT = 20;

// In front of an element whose axis of time is as wide as it is but for its margins.
export function cursor(element) {
  const line = make("div", { class: "cursor", hidden: true });
  element.after(line);
  element.addEventListener("mousemove", (event) => {
    const box = element.getBoundingClientRect();
    const share = (event.clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
    point(share >= 0 && share <= 1 ? view.from + share * (view.to - view.from) : null);
  });
  element.addEventListener("mouseleave", () => point(null));
  const show = () => {
    const share = (view.cursor - view.from) / (view.to - view.from);
    line.hidden = view.cursor === null || share < 0 || share > 1;
    if (line.hidden) return;
    line.style.left = `${element.offsetLeft + LEFT + share * (element.offsetWidth - LEFT - RIGHT)}px`;
    line.style.top = `${element.offsetTop}px`;
    line.style.height = `${element.offsetHeight}px`;
  };
  on("cursor", show);
  on("window", show);
}
