// Why jobs waited: a bar a policy, the reasons by their share of all waiting time; and the
// jobs in the way.

import { make, svg, table } from "./dom.js";
import { Plot } from "./plot.js";
import { view } from "./view.js";
import { duration } from "./words.js";

const ROW = 44;
const BAR = 18;
const COLOURS = [["--w4", "--paper"], ["--w2", "--ink"], ["--w1", "--ink"], ["--w0", "--ink"]]; // and of their texts
const LETTER = 7; // pixels

export function waits(parent, figures) {
  const all = figures.waits.map((one, i) => ({ ...one, number: figures.runs.find((run) => run.label === one.label)?.number ?? i,
    total: one.reasons.reduce((sum, { seconds }) => sum + seconds, 0) }));
  const names = [...new Set(all.flatMap((one) => one.reasons.map((reason) => reason.name)))];
  const shown = () => all.filter(({ number }) => !view.off.has(number));
  const share = (one, reason) => (one.total > 0 ? reason.seconds / one.total : 0);
  const said = (one, reason) => `${reason.words} ${Math.round(100 * share(one, reason))} %`;
  const bar = (one, top, width) => {
    let x = 0;
    return one.reasons.flatMap((reason) => {
      const [colour, ink] = COLOURS[Math.min(names.indexOf(reason.name), COLOURS.length - 1)];
      const wide = share(one, reason) * width;
      const text = said(one, reason);
      const marks = [svg("rect", { x, y: top, width: Math.max(wide - 1, 0), height: BAR, style: `fill:var(${colour})` }),
        ...(wide > LETTER * text.length ? [svg("text", { x: x + 6, y: top + 13, style: `fill:var(${ink})` }, text)] : [])];
      x += wide;
      return marks;
    });
  };
  new Plot(parent, "waits", {
    label: "Why jobs waited", height: ROW * all.length,
    draw: (width) => shown().flatMap((one, i) => [svg("text", { x: 0, y: i * ROW + 14, style: "fill:var(--ink);font-weight:600" }, one.label),
      svg("text", { x: width, y: i * ROW + 14, "text-anchor": "end" }, `${duration(one.total)} in all`), ...bar(one, i * ROW + 20, width)]),
    tell: (x, y) => {
      const one = shown()[Math.floor(y / ROW)];
      return one && [one.label, one.reasons.map((reason) => [null, said(one, reason), duration(reason.seconds), `${reason.jobs} jobs`, `${reason.passes} passes`])];
    },
    rows: () => [
      ["policy", "reason", "words", "jobs", "passes", "seconds"],
      ...all.flatMap((one) => one.reasons.map((reason) => [one.label, reason.name, reason.words, reason.jobs, reason.passes, reason.seconds])),
    ],
  });
  const meanings = new Map(all.flatMap((one) => one.reasons.map((reason) => [reason.words, reason.help])));
  parent.append(make("dl", {}, ...[...meanings].flatMap(([name, help]) => [make("dt", {}, name), make("dd", {}, help)])));
  for (const one of all.filter(({ blockers }) => blockers.length)) {
    parent.append(
      make("h3", {}, "Jobs in the way, ", make("bdi", {}, one.label)),
      make("div", { class: "wide", tabindex: "0" }, table([["job", "jobs that waited for it", "for"],
        ...one.blockers.map((blocker) => [blocker.job, blocker.jobs, duration(blocker.seconds)])])),
    );
  }
}
