// node golden.js MADE POLICIES TRACE BERTH : the engine for browsers gives the schedules of
// the program, for every built-in policy that runs on the machine of the trace.
//
//   MADE      the folder of berth.wasm, berth.js and worker.js
//   TRACE     SWF, plain or gzip
//   BERTH     the program
//
// The script of the Worker runs here as it runs in a page.  Prints a line a policy, and
// how the processor time of reading and running compares with that of the program.

"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");
const zlib = require("node:zlib");

const [made, policies, trace, berth] = process.argv.slice(2);
const KNOWN = ["conservative", "easy", "fcfs", "sjf"]; // run everywhere
const POLICY_IS_WRONG = 4; // the exit status: here, it is of another machine
const TIMES = { easy: 0, conservative: 0 };

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

async function main() {
  let bytes = fs.readFileSync(trace);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) bytes = zlib.gunzipSync(bytes);
  startWorker();
  const files = { ...sources(), "/page/jobs.swf": new Uint8Array(bytes) };
  const wasm = fs.readFileSync(path.join(made, "berth.wasm"));
  let began = seconds();
  await WebAssembly.compile(wasm);
  const compiling = seconds() - began;
  began = seconds();
  const opened = await ask({
    kind: "open", wasm, files,
    scenario: '[workload]\ntrace = "jobs.swf"\n\n[run]\npolicies = ["fcfs"]\n',
  });
  const reading = seconds() - began - compiling;
  if (opened.code !== 0) throw new Error(`the jobs are not read: ${opened.text}`);

  const names = Object.keys(files).map((name) => /^\/berth\/policies\/(\w+)\.lua$/.exec(name)?.[1]).filter(Boolean);
  const compared = [];
  let wrong = 0;
  for (const policy of names.sort()) {
    const own = native(policy);
    if (own.status === POLICY_IS_WRONG) continue;
    if (own.status !== 0) throw new Error(`${policy}: the program ends with ${own.status}: ${own.text}`);
    const before = seconds();
    const answer = await ask({ kind: "run", policy, files: {} });
    if (policy in TIMES) TIMES[policy] = reading + seconds() - before;
    const hash = answer.code === 0 ? JSON.parse(answer.summary).schedule_hash : answer.text;
    const same = hash === own.hash;
    wrong += same ? 0 : 1;
    compared.push(policy);
    console.log(`${policy}: ${hash}${same ? "" : `, but natively ${own.hash}`}`);
  }
  for (const policy of KNOWN) {
    if (!compared.includes(policy)) throw new Error(`${policy} was not compared`);
  }
  for (const [policy, took] of Object.entries(TIMES)) {
    const own = nativeSeconds(policy);
    console.log(`${policy}: ${took.toFixed(2)} s for reading and running, the program ${own.toFixed(2)} s: ${(took / own).toFixed(2)} / 3.0`);
  }
  console.log(`compiling the engine: ${compiling.toFixed(2)} s besides`);
  console.log(`${compared.length} policies, ${wrong} with another schedule`);
  return wrong === 0 ? 0 : 1;
}

main().then((code) => process.exit(code), (error) => {
  console.error(error.message);
  process.exit(1);
});
