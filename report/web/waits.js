// Why jobs waited: seconds by reason, and the jobs in the way.

import { Chart } from "./chart.js";
import { make, table } from "./dom.js";
import { policyColour } from "./palette.js";
import { duration } from "./words.js";

export function waits(parent, figures) {
  const all = figures.waits;
  const words = [...new Map(all.flatMap((one) => one.reasons.map((reason) => [reason.name, reason.words]))).entries()];
  const reasonOf = (one, name) => one.reasons.find((reason) => reason.name === name);
  const longest = (name) => Math.max(...all.map((one) => reasonOf(one, name)?.seconds ?? 0));
  words.sort(([a], [b]) => longest(a) - longest(b));
  const numberOf = ({ label }, i) => figures.runs.find((run) => run.label === label)?.number ?? i;
  new Chart(parent, "waits", {
    height: 90 + 34 * words.length,
    option: () => ({
      grid: { left: 190, right: 30, top: 36, bottom: 40 },
      xAxis: { type: "value", axisLabel: { formatter: (value) => duration(value) }, name: "waiting of all jobs together", nameLocation: "middle", nameGap: 26 },
      yAxis: { type: "category", data: words.map(([, text]) => text), axisLabel: { width: 170, overflow: "truncate", interval: 0 } },
      tooltip: { trigger: "item", formatter: ({ seriesIndex, dataIndex }) => {
        const reason = reasonOf(all[seriesIndex], words[dataIndex][0]);
        return `${all[seriesIndex].label}, ${reason.words}: ${duration(reason.seconds)}\n${reason.jobs} jobs, ${reason.passes} passes`;
      } },
      legend: { data: all.map((one) => one.label) },
      series: all.map((one, i) => ({
        type: "bar", name: one.label, color: policyColour(numberOf(one, i)),
        itemStyle: { borderColor: "#000", borderWidth: i ? 1 : 0, borderType: "dashed" },
        data: words.map(([name]) => reasonOf(one, name)?.seconds ?? null),
      })),
    }),
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
