// Runs in the Worker, behind the script of the engine: reads the jobs once, then runs one
// policy at a time.  The page ends the Worker when a run takes too long.

"use strict";

const COLUMNS = ["id", "start", "end"];
const OF_JOBS = ["id", "submit", "size"];
const STEPS = 100; // of a run, between which it tells how far it is

let engine = null;

const call = (name, types, ...values) => JSON.parse(engine.ccall(name, "string", types, values));

function put(files) {
  for (const [name, text] of Object.entries(files)) {
    engine.FS.mkdirTree(name.slice(0, name.lastIndexOf("/")));
    engine.FS.writeFile(name, text);
  }
}

function columns(from, names) {
  const found = {};
  for (const name of names) {
    const begin = engine.ccall(from, "number", ["string"], [name]) / Float64Array.BYTES_PER_ELEMENT;
    found[name] = engine.HEAPF64.slice(begin, begin + engine.ccall("page_count", "number", [], []));
  }
  return found;
}

async function open({ wasm, files, scenario }) {
  engine = await berth_engine({ wasmBinary: wasm });
  put(files);
  engine.FS.chdir("/page");
  const answer = call("page_open", ["string", "number"], scenario, engine.lengthBytesUTF8(scenario));
  return { ...answer, columns: answer.code === 0 ? columns("page_jobs", OF_JOBS) : {} };
}

function run({ policy, files }) {
  put(files);
  let answer = call("page_begin", ["string", "number"], policy, STEPS);
  while (answer.code === 0 && answer.left) {
    answer = call("page_step", [], []);
    postMessage({ kind: "on", ended: answer.ended, now: answer.now });
  }
  if (answer.code === 0) answer = { ...call("page_result", [], []), columns: columns("page_ended", COLUMNS) };
  return answer;
}

onmessage = async ({ data }) => {
  try {
    const answer = data.kind === "open" ? await open(data) : run(data);
    postMessage({ kind: "done", answer });
  } catch (error) {
    // The engine tells what is wrong by an answer; memory alone ends it otherwise.
    postMessage({ kind: "done", answer: { code: 6, text: `The engine ended: ${error.message ?? error}`, line: 0 } });
  }
};
