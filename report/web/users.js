// Who gained and who lost: a bar a user, as wide as it has jobs, as high as its mean wait
// changed against the first policy.

import { button, make, svg, table } from "./dom.js";
import { isRecorded } from "./palette.js";
import { Plot } from "./plot.js";
import { search, shown } from "./view.js";
import { amount, difference, duration, number, plural, valueTicks } from "./words.js";

const HEIGHT = 220;
const NAMED = 20; // jobs of a user whose number is written
const MINUTE = 60;
const MOST_ROWS = 200; // of the table; the file has all

const numberOf = (text) => (text === "" || text === null || text === undefined ? null : Number(text));
const named = (user) => (Number(user) < 0 ? "none" : String(user));
const placeOf = (run, name) => run.users.names.indexOf(name);

// By user: jobs and mean wait.
function waitsOf(run) {
  const [user, jobs, wait] = ["user", "jobs", "mean_wait"].map((name) => placeOf(run, name));
  return new Map(run.users.rows.map((row) => [String(row[user]), { jobs: numberOf(row[jobs]) ?? 1, wait: numberOf(row[wait]) }]));
}

class Users {
  constructor(parent, runs) {
    Object.assign(this, { runs, waits: new Map(runs.map((run) => [run, waitsOf(run)])) });
    this.choices = make("span", { class: "seg" });
    this.lead = make("p", { class: "lead" });
    this.plot = new Plot(parent, "users", {
      label: "Users: the change of their mean wait", height: HEIGHT,
      draw: (width, plot) => this.draw(width, plot), rows: () => this.rows(),
      tell: (x) => this.bars.find((bar) => x >= bar.from && x < bar.to)?.told,
    });
    this.plot.box.before(make("div", { class: "tools" }, this.choices), this.lead);
    parent.append(make("details", {}, make("summary", {}, "All users"), make("div", { class: "wide", tabindex: "0" }, this.table())));
  }

  draw(width, plot) {
    const [base, ...others] = shown(this.runs).filter((run) => !isRecorded(run.number));
    if (!others.includes(this.other)) this.other = others[0];
    plot.box.hidden = !this.other;
    this.choices.replaceChildren(...(others.length > 1 ? others.map((run) =>
      button(`${run.label} \u2212 ${base.label}`, () => { this.other = run; plot.draw(); }, { "aria-pressed": String(run === this.other) })) : []));
    this.lead.textContent = "";
    this.bars = [];
    return this.other ? this.picture(base, this.other, width) : [];
  }

  picture(base, other, width) {
    const before = this.waits.get(base);
    const users = [...this.waits.get(other)].map(([user, of]) => ({ user, jobs: of.jobs, change: of.wait === null || (before.get(user)?.wait ?? null) === null ? null : of.wait - before.get(user).wait }))
      .filter(({ change }) => change !== null).sort((a, b) => a.change - b.change);
    const count = (test) => users.filter(test).length;
    this.lead.textContent = `Under ${other.label} ${plural(count(({ change }) => change < -MINUTE), "user")} waited less than under ${base.label}, ${number(count(({ change }) => change > MINUTE))} longer, ${number(count(({ change }) => Math.abs(change) <= MINUTE))} within a minute: a bar each, as wide as the user has jobs. Means of one run say nothing of chance.`;
    const gutter = 72;
    const sizes = users.map(({ change }) => Math.abs(change)).sort((a, b) => a - b);
    const cap = Math.max(1.15 * (sizes[Math.floor(0.94 * (sizes.length - 1))] ?? 0), 3600);
    const y = (change) => HEIGHT / 2 - (Math.max(Math.min(change, cap), -cap) / cap) * (HEIGHT / 2 - 20);
    const jobs = users.reduce((sum, one) => sum + one.jobs, 0) || 1;
    let x = gutter;
    this.bars = users.map((one) => {
      const wide = (one.jobs / jobs) * (width - gutter);
      const tone = one.change < -MINUTE ? "--e3" : one.change > MINUTE ? "--l3" : "--same";
      const top = Math.min(y(0), y(one.change));
      const words = `user ${named(one.user)}: ${difference(one.change, "s")} (${plural(one.jobs, "job")})`;
      const bar = svg("rect", { x, y: top, width: Math.max(wide > 3 ? wide - 1 : wide, 0.4), height: Math.max(Math.abs(y(one.change) - y(0)), 1), style: `fill:var(${tone});cursor:pointer` });
      bar.addEventListener("click", () => search(`user = ${one.user}`));
      const arrow = Math.abs(one.change) > cap && wide > 4 ? [svg("path", { d: `M${x + wide / 2 - 4} ${y(one.change)}h8l-4 ${one.change > 0 ? -6 : 6}Z`, style: `fill:var(${tone})` })] : [];
      const wait = before.get(one.user).wait;
      return { from: x, to: x += wide, words, jobs: one.jobs, marks: [bar, ...arrow],
        told: [words, [[base.number, base.label, duration(wait)], [other.number, other.label, duration(wait + one.change)]], ["", "mean wait"]] };
    });
    const large = this.bars.filter((bar) => bar.jobs >= NAMED);
    const text = (words, at, right) => svg("text", { x: right ? width - 8 : gutter + 8, y: at, "text-anchor": right ? "end" : "start", style: "fill:var(--ink)" }, words);
    return [...valueTicks(-cap, cap, 4, "s").flatMap((value) => [svg("path", { d: `M${gutter} ${y(value)}H${width}`, style: `stroke:var(${value ? "--line" : "--low"})` }),
        svg("text", { x: gutter - 8, y: y(value) + 4, "text-anchor": "end" }, value ? difference(value, "s") : "0")]),
      ...this.bars.flatMap(({ marks }) => marks),
      ...large.slice(0, 2).map(({ words }, k) => text(words, HEIGHT - 6 - 16 * k, false)),
      ...large.slice(2).slice(-2).reverse().map(({ words }, k) => text(words, 14 + 16 * k, true))];
  }

  // Every column of users.csv, under the names of the first run: versions may differ.
  rows() {
    const { names } = this.runs[0].users;
    return [["policy", ...names], ...this.runs.flatMap((run) => run.users.rows.map((row) => [run.label, ...names.map((name) => row[placeOf(run, name)] ?? "")]))];
  }

  table() {
    const [head, ...rows] = this.rows();
    const longest = head.indexOf("mean_wait");
    const text = (value, name) => {
      if (name === "policy") return value;
      if (name === "user") return named(value);
      const of = numberOf(value);
      return of === null || Number.isNaN(of) ? value : /wait|response|tardiness|seconds/.test(name) && !/processor/.test(name) ? duration(of) : amount(of, "");
    };
    return table([head.map((name) => name.replaceAll("_", " ")),
      ...rows.sort((a, b) => b[longest] - a[longest]).slice(0, MOST_ROWS).map((row) => row.map((value, i) => text(value, head[i])))]);
  }
}

// Of a schedule that has no table of users: from its jobs that started.
function usersOf({ jobs, schedule, started }) {
  const sums = new Map();
  for (let i = 0; i < jobs.id.length; ++i) {
    if (jobs.user[i] < 0 || !started(i) || !jobs.hasSubmits) continue;
    const sum = sums.get(jobs.user[i]) ?? [0, 0];
    sums.set(jobs.user[i], [sum[0] + 1, sum[1] + schedule.wait[i]]);
  }
  return { names: ["user", "jobs", "mean_wait"], rows: [...sums].map(([user, [count, wait]]) => [user, count, wait / count]) };
}

export function users(parent, figures) {
  for (const run of figures.runs) if (!run.users && run.schedule) run.users = usersOf(run);
  const runs = figures.runs.filter((run) => run.users?.rows.length);
  return runs.length ? new Users(parent, runs) : null;
}
