// The table of claims: in each row the band that the paper states, its value, and what was
// measured with its interval, against 0.  All numbers are those of the table.

import { svg } from "./dom.js";
import { exportMenu } from "./files.js";
import { mark, whisker } from "./palette.js";

const HEIGHT = 24;
const WIDTH = 184;
const ROOM = 0.08; // of the span, beside the outermost marks

// Against 0, as wide as the values are; a band without an end reaches the edge.
function picture({ value, half, number, least, most, tone }) {
  const ends = [0, value - half, value + half, ...[number, least, most].filter((one) => one !== null)];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = ROOM * (high - low || 1);
  const x = (at) => ((at - low + room) / (high - low + 2 * room)) * WIDTH;
  const y = HEIGHT / 2;
  const colour = `--${tone}`;
  const [from, to] = [least === null ? 0 : x(least), most === null ? WIDTH : x(most)];
  return svg("svg", { width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    svg("path", { d: `M0 ${y}H${WIDTH}`, style: "stroke:var(--line)" }),
    ...(least === null && most === null ? [] : [svg("rect", { class: "band", x: from, y: 4, width: Math.max(to - from, 1), height: HEIGHT - 8, style: "fill:var(--e1)" })]),
    svg("path", { d: `M${x(0)} 2V${HEIGHT - 2}`, style: "stroke:var(--low)" }),
    ...(number === null ? [] : [mark("diamond", "--ink", x(number), y, 8, true)]),
    ...(half > 0 ? [whisker(x(value - half), x(value + half), y, `var(${colour})`)] : []), mark("circle", colour, x(value), y, 5, false));
}

export function claims(parent) {
  const rows = [...document.querySelectorAll("#claims tbody tr")].map((row) => {
    const cell = row.querySelector(".picture");
    const of = (name) => (cell.dataset[name] === undefined ? null : Number(cell.dataset[name]));
    return { row, cell, value: of("value"), half: of("half") ?? 0, number: of("number"), least: of("least"), most: of("most"), tone: cell.dataset.tone };
  });
  for (const one of rows) if (one.value !== null) one.cell.replaceChildren(picture(one));
  const heads = [...document.querySelectorAll("#claims thead th")].map((head) => head.textContent);
  parent.append(exportMenu("claims", { rows: () => [["claim", "value", "half_width", "published", "least", "most", ...heads.slice(1)],
    ...rows.map(({ row, cell: { dataset } }) => [row.dataset.claim, dataset.value, dataset.half, dataset.number, dataset.least, dataset.most, ...[...row.cells].slice(1).map((cell) => cell.textContent)])] }));
}
