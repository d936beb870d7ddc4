// What happened to the machine, over its schedule: hosts that were down are hatched, a
// window is outlined with its name.

import { svg } from "./dom.js";
import { faint, ink } from "./palette.js";
import { moment, plural } from "./words.js";

const STEP = 5; // pixels between the lines over what was down
const ROOM = 40; // pixels that the name of a window needs

// A window of a pool has no processors of its own: it stands over all rows.
const partsOf = (run, { parts }) => (parts.length ? parts : [[0, run.processors - 1]]);

// The spans in view with their rectangles in a picture of this size.
function spansIn(run, window, { width, height }) {
  const x = (time) => ((Math.min(Math.max(time, window.from), window.to) - window.from) / (window.to - window.from)) * width;
  const y = (row) => ((Math.min(Math.max(row, window.row), window.row + window.rows) - window.row) / window.rows) * height;
  return (run.machine ?? []).filter((one) => one.start < window.to && one.finish > window.from).map((span) => ({
    span,
    boxes: partsOf(run, span).map(([first, last]) => ({ x: x(span.start), y: y(first), width: x(span.finish) - x(span.start), height: y(last + 1) - y(first) }))
      .filter((box) => box.height > 0),
  }));
}

const isWindow = (span) => span.name !== undefined;

// Lines that lean the other way than those of frozen stretches.
function lines({ x, y, width, height }) {
  const all = [];
  for (let at = Math.floor((x - height) / STEP) * STEP; at < x + width; at += STEP) {
    const from = Math.max(at, x);
    const to = Math.min(at + height, x + width);
    if (to > from) all.push(`M${from} ${y + from - at}L${to} ${y + to - at}`);
  }
  return all.join("");
}

export function drawSpans(context, run, window, size) {
  for (const { span, boxes } of spansIn(run, window, size)) {
    for (const box of boxes) {
      context.strokeStyle = isWindow(span) ? ink() : faint();
      context.lineWidth = isWindow(span) ? 1.5 : 1;
      if (isWindow(span)) context.strokeRect(box.x, box.y, box.width, box.height);
      else context.stroke(new Path2D(lines(box)));
    }
    const [box] = boxes;
    if (!isWindow(span) || !box || box.width < ROOM) continue;
    context.fillStyle = ink();
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "bottom";
    context.fillText(span.name, box.x + 4, box.y + box.height - 3, box.width - 8);
  }
}

// The same as elements of a picture.
export const spanShapes = (run, window, size) => spansIn(run, window, size).flatMap(({ span, boxes }) => [
  ...boxes.map((box) => isWindow(span)
    ? svg("rect", { ...box, style: `fill:none;stroke:${ink()};stroke-width:1.5` })
    : svg("path", { d: lines(box), style: `stroke:${faint()}` })),
  ...(isWindow(span) && boxes[0]?.width >= ROOM ? [svg("text", { x: boxes[0].x + 4, y: boxes[0].y + boxes[0].height - 3, style: `fill:${ink()};font:11px system-ui` }, span.name)] : []),
]);

// What the machine had there then, in words; null: nothing but jobs.
export function spanAt(run, time, row) {
  const has = (span) => span.start <= time && time < span.finish && partsOf(run, span).some(([first, last]) => first <= row && row <= last);
  const span = (run.machine ?? []).filter(has).sort((a, b) => Number(isWindow(a)) - Number(isWindow(b)))[0];
  if (!span) return null;
  const until = span.finish === Infinity ? "to the end of the run" : `to ${moment(span.finish)}`;
  const who = span.users ? `, for user ${span.users}` : "";
  const what = isWindow(span) ? `window ${span.name}: ${plural(span.count, "processor")}${who}` : "down";
  return `${what}, from ${moment(span.start)} ${until}`;
}
