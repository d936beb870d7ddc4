// The page: policies, an editor, a table of runs, the schedule of one of them.

"use strict";

const root = document.documentElement;
let place = document; // what holds the elements: the document, or a part of a report
const at = (name) => place.getElementById(name);

function told(text) {
  at("trouble").textContent = text;
  at("trouble").hidden = text === "";
}

function made(tag, attributes = {}, ...inside) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...inside);
  return element;
}

async function decoded(base64, format) {
  const packed = Uint8Array.fromBase64?.(base64)
    ?? new Uint8Array(await (await fetch(`data:application/octet-stream;base64,${base64}`)).arrayBuffer());
  return unpacked(packed, format);
}

async function unpacked(bytes, format) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const block = async (name) => {
  const element = document.getElementById(`play-${name}`);
  const bytes = await decoded(element.textContent, "deflate");
  element.remove();
  return bytes;
};

class Page {
  constructor(data, wasm, script, trace) {
    this.data = data;
    this.scenario = data.scenario;
    this.trace = trace;
    this.name = "jobs.swf"; // of the file that they are from
    this.jobs = [];
    this.runs = new Map(); // by label
    this.own = 0;          // policies that were edited, so far
    this.all = false;      // metrics
    this.engine = new Engine(() => ({
      script, wasm, scenario: this.scenario, files: { ...data.files, "/page/jobs.swf": this.trace },
    }));
    this.gantt = new Gantt(at("gantt"), at("about"));
    this.editor = new Editor(at("editor"), () => this.runEditor());
    this.bind();
  }

  bind() {
    const choice = at("from");
    for (const name of Object.keys(this.data.files)) {
      const file = /^\/berth\/policies\/(\w+)\.lua$/.exec(name);
      if (file) choice.append(made("option", { value: name }, file[1]));
    }
    choice.addEventListener("change", () => this.edit(choice.value));
    at("run").addEventListener("click", () => this.runEditor());
    at("stop").addEventListener("click", () => this.engine.cancel?.());
    at("all").addEventListener("change", (event) => { this.all = event.target.checked; this.table(); });
    at("swf").addEventListener("change", (event) => this.take(event.target.files[0]));
  }

  // Puts the source of a policy into the editor.
  edit(name) {
    const source = this.data.files[name];
    if (source === undefined) return;
    at("from").value = name;
    this.editor.load(name.slice(name.lastIndexOf("/") + 1), source);
  }

  async runAll() {
    root.dataset.state = "running";
    const opened = await this.engine.open();
    if (opened.code !== 0) {
      told(opened.text.replaceAll("jobs.swf", this.name));
      root.dataset.state = "failed";
      return;
    }
    this.jobs = rows(opened.columns);
    for (const run of this.data.runs) await this.run(run.label, run.policy, {}, run.hash);
    const failed = [...this.runs.values()].some(({ state }) => state !== "done");
    root.dataset.state = failed ? "failed" : "done";
  }

  async runEditor() {
    this.editor.mark(0, "");
    const { file, text } = this.editor;
    const label = `${file.replace(/\.lua$/, "")} (edited ${++this.own})`;
    at("run").disabled = true;
    const answer = await this.run(label, `./${file}`, { [`/page/${file}`]: text });
    at("run").disabled = false;
    if (answer.code !== 0) this.editor.mark(answer.file === file ? answer.line : 0, answer.text);
  }

  async run(label, policy, files, native) {
    const run = { label, state: "running", native };
    this.runs.set(label, run);
    this.table();
    at("stop").disabled = false;
    const answer = await this.engine.run(policy, files, ({ ended }) => {
      run.told = `${ended} of ${this.jobs.length} jobs ended`;
      this.cell(run);
    });
    at("stop").disabled = true;
    this.know(run, answer);
    this.table();
    return answer;
  }

  know(run, answer) {
    if (answer.code !== 0) {
      run.state = answer.stopped ? "stopped" : "failed";
      const how = answer.ended === undefined ? "" : `, at ${answer.ended} of ${this.jobs.length} jobs`;
      run.told = answer.text + (answer.stopped ? how : "");
      return;
    }
    run.state = "done";
    run.summary = JSON.parse(answer.summary);
    run.hash = run.summary.schedule_hash;
    run.columns = answer.columns;
    run.told = !run.native ? "" : run.native === run.hash ? "same schedule as the native program"
      : "NOT the schedule of the native program";
    this.draw(run);
  }

  draw(run) {
    this.drawn = run.label;
    const by = new Map(this.jobs.map((job) => [job.id, job]));
    const { id, start, end } = run.columns;
    const jobs = Array.from(id, (number, i) => ({ ...by.get(number), id: number, start: start[i], end: end[i] }));
    const most = this.engine.opened.processors;
    this.gantt.show(`${run.label}: ${jobs.length} jobs, schedule ${run.hash}`, jobs, most);
  }

  // Only what is told of a run that goes on.
  cell(run) {
    const row = at("runs").querySelector(`tr[data-policy="${CSS.escape(run.label)}"]`);
    row?.querySelector(".told")?.replaceChildren(run.told ?? "");
  }

  table() {
    const names = this.all ? this.data.metrics.map(({ name }) => name) : this.data.shown;
    const of = new Map(this.data.metrics.map((metric) => [metric.name, metric]));
    const used = names.filter((name) => [...this.runs.values()].some((run) => run.summary?.metrics[name]));
    const head = made("tr", {}, made("th", {}, "policy"),
      ...used.map((name) => made("th", { title: of.get(name).brief }, `${name.replaceAll("_", " ")}`, made("small", {}, of.get(name).unit))),
      made("th", {}, "schedule"), made("th", {}, ""));
    at("runs").replaceChildren(made("thead", {}, head), made("tbody", {}, ...[...this.runs.values()].map((run) => this.row(run, used))));
  }

  row(run, names) {
    const row = made("tr", { "data-policy": run.label, "data-state": run.state });
    if (run.hash) row.dataset.hash = run.hash;
    if (run.label === this.drawn) row.setAttribute("aria-current", "true");
    const name = made("button", { type: "button", class: "name" }, run.label);
    name.addEventListener("click", () => this.choose(run));
    row.append(made("th", { scope: "row" }, name));
    for (const metric of names) row.append(made("td", {}, number(run.summary?.metrics[metric]?.value)));
    row.append(made("td", { class: "hash" }, run.hash ?? run.state), made("td", { class: "told" }, run.told ?? ""));
    return row;
  }

  choose(run) {
    if (run.state === "done") this.draw(run);
    const given = this.data.runs.find(({ label }) => label === run.label);
    if (given) this.edit(given.source);
    this.table();
  }

  // Runs all policies on another trace.
  async take(file) {
    if (!file) return;
    told("");
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
      this.trace = packed ? await unpacked(bytes, "gzip") : bytes;
    } catch {
      return told(`${file.name}: the gzip data is damaged or ends early`);
    }
    this.name = file.name;
    this.scenario = this.data.own_scenario;
    this.engine.stop();
    this.runs.clear();
    this.jobs = [];
    for (const run of this.data.runs) run.hash = undefined;
    const about = at("jobs"); // which a report has not
    if (about) about.textContent = file.name;
    await this.runAll();
  }
}

// Objects of columns of equal length.
function rows(columns) {
  const names = Object.keys(columns);
  return Array.from(columns[names[0]], (_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
}

function number(value) {
  if (value === undefined || value === null) return "";
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(4)));
}

async function start() {
  if (root.dataset.state === "failed") return; // the browser is too old, which is told
  const text = new TextDecoder();
  const data = JSON.parse(text.decode(await block("data")));
  const page = new Page(data, await block("engine"), text.decode(await block("worker")), await block("trace"));
  page.edit(data.runs[0].source);
  await page.runAll();
}

function begin() {
  start().catch((error) => {
    told(error.message);
    root.dataset.state = "failed";
  });
}

// In a report it begins when it is asked for, apart from the elements around it.
const template = document.getElementById("play-template");
if (template) {
  document.getElementById("play-begin").addEventListener("click", (event) => {
    place = template.parentElement.attachShadow({ mode: "open" });
    place.append(template.content);
    event.target.remove();
    begin();
  });
} else {
  begin();
}
