// Columns of whole numbers, as report/columns.hpp writes them: base64 of a zlib stream of
// byte planes.

// The bytes of a block of the page; its text is dropped, for it is read once.
export async function block(id) {
  const element = document.getElementById(id);
  const bytes = await inflated(element.textContent); // of loader.js
  element.remove();
  return bytes;
}

function small(count, width, planes) {
  const values = new Int32Array(planes.subarray(0, count));
  for (let plane = 1; plane < width; ++plane) {
    const offset = plane * count;
    for (let i = 0; i < count; ++i) values[i] |= planes[offset + i] << (8 * plane);
  }
  return values;
}

function large(count, width, planes) {
  const values = new Float64Array(planes.subarray(0, count));
  for (let plane = 1, weight = 256; plane < width; ++plane, weight *= 256) {
    const offset = plane * count;
    for (let i = 0; i < count; ++i) values[i] += planes[offset + i] * weight;
  }
  return values;
}

// An Int32Array or, for columns of four bytes and more, a Float64Array.
export function unfold({ count, bytes: width, folded }, planes) {
  if (width < 4) {
    const values = small(count, width, planes);
    if (folded) for (let i = 0; i < count; ++i) values[i] = (values[i] >>> 1) ^ -(values[i] & 1);
    return values;
  }
  const values = large(count, width, planes);
  if (folded) {
    for (let i = 0; i < count; ++i) {
      const value = values[i];
      values[i] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  }
  return values;
}

// Times are in seconds.
export async function column(description) {
  const values = unfold(description, await block(`block-${description.block}`));
  return description.scale > 1 ? scaled(values, description.scale) : values;
}

async function columns(of) {
  const names = Object.keys(of).filter((name) => typeof of[name] === "object");
  const values = await Promise.all(names.map((name) => column(of[name])));
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

const TIMELINE = 1000;
const MERGED = [1, 8, 64]; // bins at a time: levels of detail

// Bands hold the values of each level of detail, one level after the other.
const isBand = (name) => /_(low|high)$/.test(name);

// So many bins at a time: means weighted by time, the largest maximum.
function merged(finest, count) {
  if (count === 1) return finest;
  const { from, to } = finest;
  const bins = Array.from({ length: Math.ceil(from.length / count) }, (_, i) => [i * count, Math.min((i + 1) * count, from.length)]);
  const mean = (values, [begin, end]) => {
    let sum = 0;
    for (let i = begin; i < end; ++i) sum += values[i] * (to[i] - from[i]);
    return to[end - 1] > from[begin] ? sum / (to[end - 1] - from[begin]) : values[begin];
  };
  const whole = MERGED.slice(0, MERGED.indexOf(count)).reduce((sum, one) => sum + Math.ceil(from.length / one), 0);
  const kind = (name) => name === "from" ? (values, [begin]) => values[begin] : name === "to" ? (values, [, end]) => values[end - 1]
    : isBand(name) ? (values, [begin]) => values[whole + begin / count] : name.endsWith("_mean") ? mean : (values, [begin, end]) => values.subarray(begin, end).reduce((a, b) => Math.max(a, b));
  return Object.fromEntries(Object.entries(finest).map(([name, values]) => [name, Float64Array.from(bins, (bin) => kind(name)(values, bin))]));
}

function scaled(values, factor) {
  const made = new Float64Array(values.length);
  for (let i = 0; i < made.length; ++i) made[i] = values[i] / factor;
  return made;
}

// A difference of two times that are exact to the microsecond, exact again.
const tidy = (seconds) => Math.round(seconds * 1e6) / 1e6;

// Values that are stored as steps from one to the next.
function summed(steps) {
  let now = 0;
  return Float64Array.from(steps, (step) => (now = tidy(now + step)));
}

export const [FINISHED, KILLED, REJECTED, WAITING, RUNNING, FAILED] = [0, 1, 2, 3, 4, 5];
const ended = (state) => state === FINISHED || state === KILLED || state === FAILED;

// Starts: job i waits for the end of job i - after[i], or, where that is 0, for wait[i].
function startsOf({ after, wait }, submit, held) {
  const count = submit.length;
  const start = new Float64Array(count);
  const isKnown = new Uint8Array(count);
  const chain = [];
  for (let i = 0; i < count; ++i) {
    let at = i;
    for (; !isKnown[at] && after[at] !== 0; at -= after[at]) chain.push(at);
    if (!isKnown[at]) start[at] = tidy(submit[at] + wait[at]);
    isKnown[at] = 1;
    while (chain.length > 0) {
      const next = chain.pop();
      start[next] = tidy(start[at] + held[at]);
      isKnown[next] = 1;
      at = next;
    }
  }
  return start;
}

// Intervals of processors of owner i, from at[i] to at[i + 1]: the first processor of
// each, and how many more it has.  What is not said follows from the owner's size.
function placesOf({ intervals, beyond, first: begins, gap, more: wider }, sizeOf) {
  const count = intervals.length;
  const at = new Uint32Array(count + 1);
  for (let i = 0; i < count; ++i) at[i + 1] = at[i] + intervals[i];
  const first = new Int32Array(at[count]);
  const more = new Int32Array(at[count]);
  let begin = 0;
  let further = 0;
  for (let i = 0; i < count; ++i) {
    let left = sizeOf(i) + beyond[i];
    for (let k = at[i]; k < at[i + 1]; ++k) {
      const isLast = k + 1 === at[i + 1];
      first[k] = k === at[i] ? begins[begin++] : first[k - 1] + more[k - 1] + 1 + gap[further - 1];
      more[k] = isLast ? left - 1 : wider[further++];
      left -= more[k] + 1;
    }
  }
  return { at, first, more };
}

// The jobs of a run: times in seconds, intervals of job i from at[i] to at[i + 1].
function scheduleOf(read, { submit, walltime, size }) {
  const count = submit.length;
  const { state } = read;
  const held = new Float64Array(count);
  const finish = new Float64Array(count);
  const length = new Float64Array(count);
  const wait = new Float64Array(count);
  for (let i = 0; i < count; ++i) {
    length[i] = tidy(walltime[i] - read.spare[i]);
    if (ended(state[i])) held[i] = tidy(length[i] + read.slower[i]);
  }
  const start = startsOf(read, submit, held);
  let end = 0;
  for (let i = 0; i < count; ++i) {
    wait[i] = tidy(start[i] - submit[i]);
    finish[i] = tidy(start[i] + held[i]);
    if (finish[i] > end) end = finish[i];
  }
  for (let i = 0; i < count; ++i) if (state[i] === RUNNING) finish[i] = end;
  return { state, wait, start, finish, end, length, ...placesOf(read, (i) => size[i]) };
}

// Looks of a bar: which half of a processor's row it takes, whether it is frozen, and
// whether the attempt that ends with it was lost.
const FROZEN = 3;
const HIT = 6;
export const halfOf = (look) => look % FROZEN; // 0: whole, 1: foreground, 2: background
export const isFrozen = (look) => look % HIT >= FROZEN;
export const isHit = (look) => look >= HIT;

// What a Gantt chart draws.  Bar i is of job job[i], from start[i] to finish[i], on the
// intervals of processors from at[i] to at[i + 1].  Bars of job j: begin[j] to
// begin[j + 1].
function barsOf({ start, finish, at, first, more }) {
  const count = start.length;
  const job = new Uint32Array(count);
  const begin = new Uint32Array(count + 1);
  for (let i = 0; i < count; ++i) begin[i] = job[i] = i;
  begin[count] = count;
  return { job, begin, start, finish, at, first, more, look: null };
}

// A stretch without intervals has those of the stretch before.
function stretchesOf(read, { whole }, schedule, size) {
  const count = read.job.length;
  const drawn = (time) => (whole ? Math.floor(time + 0.5) : time);
  const job = new Uint32Array(count);
  const start = new Float64Array(count);
  const finish = new Float64Array(count);
  const at = new Uint32Array(count + 1);
  const from = new Uint32Array(count); // the stretch whose intervals it has
  const begin = new Uint32Array(schedule.start.length + 1);
  for (let i = 0; i < count; ++i) {
    const before = i ? job[i - 1] : -1;
    job[i] = (i ? before : 0) + read.job[i];
    const stays = job[i] === before;
    const ends = (i + 1 === count || read.job[i + 1] > 0) && ended(schedule.state[job[i]]);
    start[i] = tidy((stays ? finish[i - 1] : drawn(schedule.start[job[i]])) + read.from[i]);
    finish[i] = tidy((ends ? drawn(schedule.finish[job[i]]) : start[i]) + read.lasting[i]);
    from[i] = read.intervals[i] === 0 && stays ? from[i - 1] : i;
    at[i + 1] = at[i] + read.intervals[from[i]];
    ++begin[job[i] + 1];
  }
  for (let j = 1; j < begin.length; ++j) begin[j] += begin[j - 1];
  const said = placesOf(read, (i) => size[job[i]]);
  const first = new Int32Array(at[count]);
  const more = new Int32Array(at[count]);
  for (let i = 0; i < count; ++i) {
    for (let k = at[i], own = said.at[from[i]]; k < at[i + 1]; ++k, ++own) {
      first[k] = said.first[own];
      more[k] = said.more[own];
    }
  }
  return { job, begin, start, finish, at, first, more, look: read.look };
}

// Shares in use of cells, at several levels of detail, for a run with too many rectangles.
async function farOf({ from, to, levels }) {
  return { from, to, levels: await Promise.all(levels.map(async (level) => ({ ...level, use: await column(level.use) }))) };
}

// What was down, and windows: {start, finish, parts: [[first, last]], name?, users?, count?}.
async function machineOf({ down, windows }) {
  const { from, lasting, first, more } = await columns(down);
  return [...Array.from(from, (start, i) => ({ start, finish: lasting[i] < 0 ? Infinity : start + lasting[i], parts: [[first[i], first[i] + more[i]]] })),
    ...windows.map((one) => ({ ...one, start: one.from, finish: one.to ?? Infinity, parts: one.processors }))];
}

// Links of jobs, by job: {job, kind} of its parents and of its children.
async function linksOf({ kinds, columns: of }) {
  const { child, parent, kind } = await columns(of);
  const parents = new Map();
  const children = new Map();
  const add = (to, at, link) => (to.get(at) ?? to.set(at, []).get(at)).push(link);
  child.forEach((at, i) => {
    add(parents, at, { job: parent[i], kind: kinds[kind[i]] });
    add(children, parent[i], { job: at, kind: kinds[kind[i]] });
  });
  return { parents, children };
}

// A run whose rows are units of further kinds of hosts.
async function unitsOf(run, { columns: of, ...rows }) {
  const places = placesOf(await columns(of), (i) => run.jobs.size[i]);
  return { ...run, ...rows, label: `${run.label}: ${rows.kinds.join(", ")}`, units: null, machine: null, bars: barsOf({ ...run.schedule, ...places }) };
}

// Loads as bars, each of one row, with their shares.
async function loadsOf({ groups, columns: of }) {
  const { row, from, lasting, share } = await columns(of);
  const each = Uint32Array.from({ length: row.length + 1 }, (_, i) => i);
  const bars = { job: each.subarray(0, row.length), at: each, first: row, more: new Uint8Array(row.length), start: from, finish: from.map((start, i) => tidy(start + lasting[i])) };
  let first = 0;
  return { bars, share: scaled(share, 1000), groups: groups.map((group) => ({ ...group, first: (first += group.rows.length) - group.rows.length })) };
}

async function decode(run, workload) {
  if (run.loads) run.loads = await loadsOf(run.loads);
  if (run.links) run.links = await linksOf(run.links);
  if (run.machine) run.machine = await machineOf(run.machine);
  if (run.passes) {
    const { at, number, left } = await columns(run.passes);
    run.passes = { at: summed(at), number: summed(number), left };
  }
  if (run.columns) {
    run.jobs = workload;
    run.schedule = scheduleOf(await columns(run.columns), run.jobs);
    run.ended = (i) => ended(run.schedule.state[i]);
    run.started = (i) => run.schedule.state[i] !== REJECTED && run.schedule.state[i] !== WAITING;
    run.bars = run.stretches ? stretchesOf(await columns(run.stretches), run.stretches, run.schedule, run.jobs.size) : barsOf(run.schedule);
    if (run.far) run.far = await farOf(run.far);
    if (run.units) run.units = await unitsOf(run, run.units);
  }
  if (run.timeline) {
    const finest = Object.fromEntries(Object.entries(await columns(run.timeline)).map(([name, values]) => [name, scaled(values, TIMELINE)]));
    run.timeline = MERGED.map((count) => merged(finest, count));
  }
}

// Everything that the page holds, decoded.
export async function load() {
  const text = new TextDecoder().decode(await block("figures"));
  const figures = JSON.parse(text);
  figures.workloads = await Promise.all(
    figures.workloads.map(async (of) => {
      const read = await columns(of);
      return { ...read, submit: summed(read.submit), hasSubmits: of.has_submits };
    }),
  );
  await Promise.all((figures.waits ?? []).map(async (of) => {
    const { job, reason, passes, seconds, blocker } = await columns(of.columns);
    of.rows = Array.from(job, (id, i) => ({ job: id, words: of.reasons[reason[i]].words, passes: passes[i], seconds: seconds[i], blocker: blocker[i] }));
  }));
  await Promise.all(figures.runs.map((run, number) => {
    run.number = number;
    return decode(run, figures.workloads[run.workload]);
  }));
  return figures;
}
