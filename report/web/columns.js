// Columns of whole numbers, as report/columns.hpp writes them: base64 of a zlib stream of
// byte planes.

const MIME = "data:application/octet-stream;base64,";

async function inflated(base64) {
  const packed = await fetch(MIME + base64);
  const stream = packed.body.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The bytes of a block of the page; its text is dropped, for it is read once.
export async function block(id) {
  const element = document.getElementById(id);
  const bytes = await inflated(element.textContent);
  element.remove();
  return bytes;
}

// An Int32Array or, for columns of four bytes and more, a Float64Array.
export function unfold({ count, bytes: width, folded }, planes) {
  const values = width < 4 ? new Int32Array(count) : new Float64Array(count);
  let weight = 1;
  for (let plane = 0; plane < width; ++plane, weight *= 256) {
    const offset = plane * count;
    for (let i = 0; i < count; ++i) values[i] += planes[offset + i] * weight;
  }
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
  return description.scale ? scaled(values, description.scale) : values;
}

async function columns(of) {
  const names = Object.keys(of).filter((name) => typeof of[name] === "object");
  const values = await Promise.all(names.map((name) => column(of[name])));
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

const TIMELINE = 1000;

function scaled(values, factor) {
  const made = new Float64Array(values.length);
  for (let i = 0; i < made.length; ++i) made[i] = values[i] / factor;
  return made;
}

// A difference of two times that are exact to the microsecond, exact again.
const tidy = (seconds) => Math.round(seconds * 1e6) / 1e6;

function workloadOf(read) {
  const submit = new Float64Array(read.submit.length);
  let now = 0;
  for (let i = 0; i < submit.length; ++i) submit[i] = now = tidy(now + read.submit[i]);
  return { ...read, submit };
}

const [FINISHED, KILLED, RUNNING, FAILED] = [0, 1, 4, 5];
const ended = (state) => state === FINISHED || state === KILLED || state === FAILED;

// The jobs of a run: times in seconds, intervals of job i from at[i] to at[i + 1].
function scheduleOf(read, { submit, walltime }) {
  const count = submit.length;
  const { wait, state } = read;
  const start = new Float64Array(count);
  const finish = new Float64Array(count);
  const length = new Float64Array(count);
  const at = new Uint32Array(count + 1);
  let end = 0;
  for (let i = 0; i < count; ++i) {
    const held = ended(state[i]) ? tidy(walltime[i] - read.unused[i]) : 0;
    length[i] = ended(state[i]) ? tidy(held - read.slower[i]) : read.slower[i];
    start[i] = submit[i] + wait[i];
    finish[i] = start[i] + held;
    if (finish[i] > end) end = finish[i];
    at[i + 1] = at[i] + read.intervals[i];
  }
  for (let i = 0; i < count; ++i) if (state[i] === RUNNING) finish[i] = end;
  return { state, wait, start, finish, at, end, length, first: read.first, more: read.more };
}

// Looks of a bar: which half of a processor's row it takes, and whether it is frozen.
const FROZEN = 3;
export const halfOf = (look) => look % FROZEN; // 0: whole, 1: foreground, 2: background
export const isFrozen = (look) => look >= FROZEN;

// What a Gantt chart draws.  Bar i is of job job[i], from start[i] to finish[i], on the
// intervals of processors from at[i] to at[i + 1].  Bars of job j: begin[j] to
// begin[j + 1].
function barsOf(schedule) {
  const { start, finish, at, first, more } = schedule;
  const same = Uint32Array.from(start, (_, i) => i);
  return { job: same, begin: Uint32Array.from({ length: start.length + 1 }, (_, i) => i), start, finish, at, first, more, look: null };
}

function stretchesOf(read, schedule) {
  const count = read.job.length;
  const job = new Uint32Array(count);
  const start = new Float64Array(count);
  const finish = new Float64Array(count);
  const at = new Uint32Array(count + 1);
  const begin = new Uint32Array(schedule.start.length + 1);
  const first = [];
  const more = [];
  let next = 0;
  for (let i = 0; i < count; ++i) {
    const before = i ? job[i - 1] : -1;
    job[i] = (i ? before : 0) + read.job[i];
    const stays = job[i] === before;
    start[i] = tidy((stays ? finish[i - 1] : schedule.start[job[i]]) + read.from[i]);
    finish[i] = tidy(start[i] + read.lasting[i]);
    if (read.intervals[i] === 0 && stays) {
      for (let k = at[i - 1]; k < at[i]; ++k) { first.push(first[k]); more.push(more[k]); }
    }
    for (let k = 0; k < read.intervals[i]; ++k, ++next) { first.push(read.first[next]); more.push(read.more[next]); }
    at[i + 1] = first.length;
    ++begin[job[i] + 1];
  }
  for (let j = 1; j < begin.length; ++j) begin[j] += begin[j - 1];
  return { job, begin, start, finish, at, first: Int32Array.from(first), more: Int32Array.from(more), look: read.look };
}

// Shares in use of cells, at several levels of detail, for a run with too many rectangles.
async function farOf({ from, to, levels }) {
  return { from, to, levels: await Promise.all(levels.map(async (level) => ({ ...level, use: await column(level.use) }))) };
}

// Everything that the page holds, decoded.
export async function load() {
  const text = new TextDecoder().decode(await block("figures"));
  const figures = JSON.parse(text);
  figures.workloads = await Promise.all(
    figures.workloads.map(async (of) => workloadOf(await columns(of))),
  );
  for (const [number, run] of figures.runs.entries()) {
    run.number = number;
    if (run.columns) {
      run.jobs = figures.workloads[run.workload];
      run.schedule = scheduleOf(await columns(run.columns), run.jobs);
      run.bars = run.stretches ? stretchesOf(await columns(run.stretches), run.schedule) : barsOf(run.schedule);
      if (run.far) run.far = await farOf(run.far);
    }
    if (run.timeline) {
      run.timeline = await Promise.all(
        run.timeline.map(async (level) => {
          const read = await columns(level);
          return Object.fromEntries(
            Object.entries(read).map(([name, values]) => [name, scaled(values, TIMELINE)]),
          );
        }),
      );
    }
  }
  return figures;
}
