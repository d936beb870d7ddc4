// The engine in its Worker: one piece of work at a time, each within a limit.

"use strict";

const LIMIT = 20; // seconds of a run, or of reading the jobs

class Engine {
  // `made()` gives what a fresh Worker needs: its script, the module, files, a scenario.
  constructor(made) {
    this.made = made;
    this.worker = null;
    this.last = Promise.resolve();
  }

  // What the engine answers, or { stopped, ended }; `on(message)` hears how far it is.
  run(policy, files, on) {
    return this.next(async () => {
      const opened = await this.fresh();
      return opened.code === 0 ? this.ask({ kind: "run", policy, files }, on) : opened;
    });
  }

  // What reading the jobs gave.
  open() { return this.next(() => this.fresh()); }

  // Does this once all that was asked for before is done.
  next(work) {
    const answer = this.last.then(work);
    this.last = answer.catch(() => {});
    return answer;
  }

  // Reads the jobs, where there is no Worker yet.
  async fresh() {
    if (this.worker) return this.opened;
    const { script, ...rest } = this.made();
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(address);
    this.opened = await this.ask({ kind: "open", ...rest }, () => {});
    URL.revokeObjectURL(address);
    if (this.opened.code !== 0) this.stop();
    return this.opened;
  }

  ask(message, on) {
    return new Promise((resolve) => {
      const { worker } = this;
      let heard = {};
      const end = (answer) => {
        clearTimeout(timer);
        this.cancel = null;
        resolve(answer);
      };
      const stopped = (why) => {
        this.stop();
        end({ code: 5, stopped: true, text: why, line: 0, ...heard });
      };
      const timer = setTimeout(() => stopped(`stopped after ${LIMIT} s`), LIMIT * 1000);
      this.cancel = () => stopped("stopped");
      worker.onmessage = ({ data }) => {
        if (data.kind === "done") return end(data.answer);
        heard = { ended: data.ended, now: data.now };
        on(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        this.stop();
        end({ code: 70, text: `The engine does not start: ${event.message}`, line: 0 });
      };
      worker.postMessage(message);
    });
  }

  // The next run has a fresh Worker.
  stop() {
    this.worker?.terminate();
    this.worker = null;
  }
}
