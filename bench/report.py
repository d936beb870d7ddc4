#!/usr/bin/python3
"""bench/report.py BERTH [REPEATS] : time, memory and size of reports, and how smoothly
they move in headless Chromium; a row each, measured / goal, medians.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/report"))
from chromium import Chromium  # noqa: E402

SCENARIO = """title = "{jobs} jobs"
seed = 3
[machine]
processors = 256
[workload]
model = "lublin"
jobs = {jobs}
load = 0.9
[run]
policies = ["easy"]
"""

# Pans and zooms for a second or more; then the exact picture of the last window.
MOVES = """
const done = arguments[0];
const { view, charts } = berth;
const whole = view.wholeTime();
const span = whole.to - whole.from;
view.show(whole.from + 0.4 * span, whole.from + 0.5 * span);
setTimeout(async () => {
  const frames = [];
  let last = performance.now();
  for (let i = 0; i < 60; ++i) {
    if (i % 20 < 10) view.pan(0.02); else view.zoom(0.97);
    await new Promise((next) => requestAnimationFrame(next));
    const now = performance.now();
    frames.push(now - last);
    last = now;
  }
  const began = performance.now();
  charts.gantt[0].draw();
  const exact = performance.now() - began;
  frames.sort((a, b) => a - b);
  done([frames[57], frames[59], exact, performance.memory.usedJSHeapSize / 1e6]);
}, 1500);
"""


def row(what, measured, goal, unit):
    print(f"{what:<52} {measured:>10.2f} / {goal:>6.4g} {unit}", flush=True)


def timed(*words, out=subprocess.DEVNULL, source=None):
    began = time.monotonic()
    subprocess.run(words, check=True, stdout=out, stderr=subprocess.DEVNULL, stdin=source, timeout=600)
    return time.monotonic() - began


# The largest resident set of `berth report` in MiB.
def peak(*words):
    before = os.fork()
    if before == 0:
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
        kib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        os._exit(min(kib // 8192, 255))  # in 8 MiB
    return 8 * os.waitstatus_to_exitcode(os.waitpid(before, 0)[1])


def main():
    berth = os.path.abspath(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)
        for jobs, megabytes in ((100_000, 2.0), (1_000_000, 13)):
            with open(path("s.toml"), "w") as out:
                out.write(SCENARIO.format(jobs=jobs))
            subprocess.run([berth, "run", path("s.toml"), "--no-audit", "--force", "--out", path("r")], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            words = (berth, "report", path("r"), "--force", "-o", path("r.html"))
            walls, zips = [], []
            for _ in range(repeats):
                walls.append(timed(*words))
                with open(path("r/jobs.csv"), "rb") as source:
                    zips.append(timed("gzip", "-6", source=source))
            if jobs == 1_000_000:
                row("1,000,000 jobs: berth report / gzip -6 < jobs.csv", statistics.median(walls) / statistics.median(zips), 1.0, "")
                row("1,000,000 jobs: peak memory", peak(*words), 64 * jobs / 2**20 + 128, "MiB")
            row(f"{jobs:,} jobs: file", os.path.getsize(path("r.html")) / 1e6, megabytes, "MB")
        painted, rows = [], []
        for _ in range(repeats):
            browser = Chromium(folder)
            browser.driver.get(f"file://{path('r.html')}")
            browser.wait("return document.documentElement.dataset.painted")
            painted.append(browser.js("return performance.getEntriesByName('painted')[0].startTime") / 1000)
            rows.append(browser.asynchronous(MOVES))
            browser.quit()
        row("1,000,000 jobs: opened to all panels painted", statistics.median(painted), 3, "s")
        for i, (what, goal, unit) in enumerate((("frames while moving, 95 %", 50, "ms"), ("frames while moving, worst", 100, "ms"),
                                                ("exact picture after the hand rests", 400, "ms"), ("JavaScript heap", 350, "MB"))):
            row(f"1,000,000 jobs: {what}", statistics.median(one[i] for one in rows), goal, unit)


if __name__ == "__main__":
    main()
