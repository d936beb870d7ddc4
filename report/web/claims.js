// Judged claims as a forest plot: what was measured with its interval, the paper's value,
// and the bounds that it states.  Claims in different units have axes of their own.

import { Chart } from "./chart.js";
import { make } from "./dom.js";
import { faint, ink } from "./palette.js";

const VERDICTS = {
  reproduced: ["#009e73", "circle"],
  "in the mean only": ["#0072b2", "circle"],
  "at some points": ["#e69f00", "diamond"],
  "no difference": ["#7f7f7f", "triangle"],
  "other value": ["#e69f00", "rect"],
  "not shown": ["#cc79a7", "triangle"],
  opposite: ["#d55e00", "rect"],
};
const PAPER = "the paper";
const STATED = "stated";
const OTHER = ["#7f7f7f", "pin"];
const look = (verdict) => VERDICTS[verdict] ?? OTHER;

// A row of the plot for each result.
const rowsOf = (claims) => claims.flatMap((claim) => claim.results.filter((result) => result.value !== null)
  .map((result) => ({ ...claim, ...result, claim, name: result.base && claim.results.length > 1 ? `${claim.id}, ${result.base}` : claim.id })));

// The values and their intervals, with some room; bands beyond are cut.  Where a few lie
// far from the others these are cut as well, and drawn as arrows at the edge.
function range(rows) {
  const ends = rows.flatMap(({ value, half_width: half }) => [value - (half ?? 0), value + (half ?? 0)]);
  for (const { published } of rows) if (published !== null) ends.push(published);
  for (const { least, most } of rows) if (least !== null && most !== null && most - least < 1000) ends.push(least, most);
  ends.sort((a, b) => a - b);
  const at = (share) => ends[Math.round(share * (ends.length - 1))];
  let [low, high] = [Math.min(0, at(0)), Math.max(0, at(1))];
  const usual = [Math.min(0, at(0.05)), Math.max(0, at(0.95))];
  const span = usual[1] - usual[0];
  if (span > 0 && low < usual[0] - span) [low] = usual;
  if (span > 0 && high > usual[1] + span) [, high] = usual;
  const room = 0.05 * (high - low || 1);
  return [low - room, high + room];
}

function forest(parent, unit, rows) {
  const [low, high] = range(rows);
  const rounded = (value) => String(Number(value.toPrecision(4)));
  const horizontal = (y, x1, x2) => ({ type: "line", shape: { x1, y1: y, x2, y2: y }, style: { stroke: ink(), lineWidth: 2 } });
  const inside = (value) => Math.min(Math.max(value, low), high);
  const cap = (x, y) => ({ type: "line", shape: { x1: x, y1: y - 4, x2: x, y2: y + 4 }, style: { stroke: ink(), lineWidth: 2 } });
  const kinds = [...new Set(rows.map((row) => row.verdict))];
  const shownAt = rows.map((_, i) => rows.length - 1 - i); // the first on top
  // Beyond the axis: an arrow at its end, with the number.
  const point = (of, i) => ({
    value: [inside(of), shownAt[i], i],
    ...(of === inside(of) ? {} : {
      symbol: "triangle", symbolRotate: of < low ? 90 : -90,
      label: { show: true, position: of < low ? "right" : "left", formatter: rounded(of), color: ink() },
    }),
  });
  const published = rows.map((row, i) => [row.published, i]).filter(([value]) => value !== null);
  new Chart(parent, `claims-${unit}`, {
    height: 110 + 26 * rows.length,
    option: () => ({
      grid: { left: 190, right: 30, top: 40, bottom: 50 },
      xAxis: { type: "value", min: low, max: high, name: unit, nameLocation: "middle", nameGap: 26, axisLabel: { formatter: rounded, showMinLabel: false, showMaxLabel: false } },
      yAxis: { type: "category", data: [...rows].reverse().map((row) => row.name), axisLabel: { width: 170, overflow: "truncate", interval: 0 } },
      legend: { data: [STATED, ...(published.length ? [PAPER] : []), ...kinds] },
      tooltip: { trigger: "item", formatter: ({ value }) => {
        const row = rows[value[2]];
        return row ? `${row.name}: ${rounded(row.value)}${row.half_width === null ? "" : ` ± ${rounded(row.half_width)}`} ${unit}${row.published === null ? "" : `, the paper ${rounded(row.published)}`}\n${row.verdict}\n${row.says}` : "";
      } },
      series: [{
        type: "custom", name: STATED, color: faint(), silent: true,
        data: rows.map((row, i) => [0, shownAt[i], i]).filter(([, , i]) => rows[i].least !== null || rows[i].most !== null),
        renderItem: (_, api) => {
          const row = rows[api.value(2)];
          const at = (value) => api.coord([inside(value), api.value(1)]);
          const [x1, y] = at(row.least ?? low);
          const [x2] = at(row.most ?? high);
          return { type: "rect", shape: { x: x1, y: y - 8, width: Math.max(x2 - x1, 1), height: 16 }, style: { fill: faint(), stroke: ink(), lineWidth: 0.5 } };
        },
        markLine: { silent: true, symbol: "none", label: { show: false }, data: [{ xAxis: 0 }] },
      }, {
        type: "custom", name: "interval", silent: true, z: 4,
        data: rows.map((row, i) => [row.value, shownAt[i], i]).filter(([, , i]) => rows[i].half_width !== null),
        renderItem: (_, api) => {
          const { value, half_width: half } = rows[api.value(2)];
          const [x1, y] = api.coord([inside(value - half), api.value(1)]);
          const [x2] = api.coord([inside(value + half), api.value(1)]);
          const caps = [...(value - half >= low ? [cap(x1, y)] : []), ...(value + half <= high ? [cap(x2, y)] : [])];
          return { type: "group", children: [horizontal(y, x1, x2), ...caps] };
        },
      }, {
        type: "scatter", name: PAPER, color: ink(), symbol: "emptyDiamond", symbolSize: 13, z: 3,
        data: published.map(([value, i]) => point(value, i)),
      }, ...kinds.map((verdict) => ({
        type: "scatter", name: verdict, color: look(verdict)[0], symbol: look(verdict)[1], symbolSize: 11, z: 5,
        data: rows.map((row, i) => point(row.value, i)).filter(({ value: [, , i] }) => rows[i].verdict === verdict),
      }))],
    }),
    rows: () => [
      ["claim", "base", "says", "value", "half_width", "unit", "published", "least", "most", "verdict", "points"],
      ...rows.map((row) => [row.id, row.base, row.says, row.value, row.half_width, unit, row.published, row.least, row.most, row.verdict, row.points]),
    ],
  });
}

export function claims(parent, figures) {
  const rows = rowsOf(figures.claims);
  const units = [...new Set(rows.map((row) => row.unit))];
  for (const unit of units) {
    const place = parent.appendChild(make("div", { class: "part" }, make("h3", {}, `Claims in ${unit}`)));
    forest(place, unit, rows.filter((row) => row.unit === unit));
  }
}
