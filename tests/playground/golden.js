// node golden.js MADE POLICIES TRACE BERTH [POLICY] : the engine for browsers gives the schedules of
// the program, for every built-in policy that runs on the machine of the trace.
//
//   MADE      the folder of berth.wasm, berth.js and worker.js
//   TRACE     SWF, plain or gzip
//   BERTH     the program
//   POLICY    prints how long this one takes, by run, and compares nothing
//
// The script of the Worker runs here as it runs in a page.  Prints a line a policy, and
// how the processor time of reading and running compares with that of the program: of the
// first run in a process of its own, in which node compiles what is hot, and of the third.

"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const zlib = require("node:zlib");

const [made, policies, trace, berth, timed] = process.argv.slice(2);
const KNOWN = ["conservative", "easy", "fcfs", "sjf"]; // run everywhere
const POLICY_IS_WRONG = 4; // the exit status: here, it is of another machine
const TIMED = ["easy", "conservative"];
const RUNS = 3;

let heard = () => {};

function startWorker() {
  globalThis.self = globalThis;
  globalThis.location = { href: "" };
  globalThis.postMessage = (message) => heard(message);
  const text = ["berth.js", "worker.js"].map((name) => fs.readFileSync(path.join(made, name), "utf8")).join("\n");
  vm.runInThisContext(text, { filename: "worker.js" });
}

// What the Worker answers.
function ask(message) {
  return new Promise((resolve) => {
    heard = ({ kind, answer }) => { if (kind === "done") resolve(answer); };
    globalThis.onmessage({ data: message });
  });
}

function sources() {
  const files = {};
  for (const folder of ["", "lib/"]) {
    for (const name of fs.readdirSync(path.join(policies, folder))) {
      if (!name.endsWith(".lua")) continue;
      files[`/berth/policies/${folder}${name}`] = fs.readFileSync(path.join(policies, folder, name), "utf8");
    }
  }
  return files;
}

// { status, hash, text } of the program.
function native(policy) {
  const ran = spawnSync(berth, ["run", "--trace", trace, "--policy", policy, "--json=runs"],
    { encoding: "utf8", maxBuffer: 1 << 28 });
  const hash = /"schedule_hash": "([0-9a-f]{16})"/.exec(ran.stdout)?.[1];
  return { status: ran.status, hash, text: ran.stderr };
}

// Processor seconds of the program for this policy, the least of three.
function nativeSeconds(policy) {
  const script = `
import os, subprocess, sys
def spent():
    now = os.times()
    return now.children_user + now.children_system
took = []
for _ in range(3):
    before = spent()
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    took.append(spent() - before)
print(min(took))`;
  return Number(spawnSync("python3", ["-c", script, berth, "run", "--trace", trace, "--policy", policy], { encoding: "utf8" }).stdout);
}

const seconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

// Opens the trace; processor seconds that it takes.
async function open(files) {
  let bytes = fs.readFileSync(trace);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = zlib.gunzipSync(bytes);
  startWorker();
  const began = seconds();
  const opened = await ask({
    kind: "open",
    wasm: fs.readFileSync(path.join(made, "berth.wasm")),
    files: { ...files, "/page/jobs.swf": new Uint8Array(bytes) },
    scenario: '[workload]\ntrace = "jobs.swf"\n\n[run]\npolicies = ["fcfs"]\n',
  });
  if (opened.code !== 0) throw new Error(`the jobs are not read: ${opened.text}`);
  return seconds() - began;
}

// Prints what reading and a run of one policy take, by run.
async function time(policy) {
  const reading = await open(sources());
  const took = [];
  for (let i = 0; i < RUNS; ++i) {
    const began = seconds();
    const { code, text } = await ask({ kind: "run", policy, files: {} });
    if (code !== 0) throw new Error(`${policy}: ${text}`);
    took.push(reading + seconds() - began);
  }
  console.log(JSON.stringify(took));
}

function compareTimes(policy) {
  const own = nativeSeconds(policy);
  const ran = spawnSync(process.execPath, [__filename, made, policies, trace, berth, policy], { encoding: "utf8" });
  if (ran.status !== 0) throw new Error(ran.stderr);
  const took = JSON.parse(ran.stdout);
  const row = (what, value) => console.log(`${policy}, ${what}: ${value.toFixed(2)} s for reading and running, the program ${own.toFixed(2)} s: ${(value / own).toFixed(2)} / 3.0`);
  row("first run", took[0]);
  row("third run", took.at(-1));
}

async function main() {
  if (timed) return time(timed);
  const files = sources();
  await open(files);

  const names = Object.keys(files).map((name) => /^\/berth\/policies\/(\w+)\.lua$/.exec(name)?.[1]).filter(Boolean);
  const compared = [];
  let wrong = 0;
  for (const policy of names.sort()) {
    const own = native(policy);
    if (own.status === POLICY_IS_WRONG) continue;
    if (own.status !== 0) throw new Error(`${policy}: the program ends with ${own.status}: ${own.text}`);
    const answer = await ask({ kind: "run", policy, files: {} });
    const hash = answer.code === 0 ? JSON.parse(answer.summary).schedule_hash : answer.text;
    const same = hash === own.hash;
    wrong += same ? 0 : 1;
    compared.push(policy);
    console.log(`${policy}: ${hash}${same ? "" : `, but natively ${own.hash}`}`);
  }
  for (const policy of KNOWN) {
    if (!compared.includes(policy)) throw new Error(`${policy} was not compared`);
  }
  for (const policy of TIMED) compareTimes(policy);
  console.log(`${compared.length} policies, ${wrong} with another schedule`);
  return wrong === 0 ? 0 : 1;
}

main().then((code) => process.exit(code), (error) => {
  console.error(error.message);
  process.exit(1);
});
