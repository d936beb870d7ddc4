#!/usr/bin/python3
"""bench/report.py BERTH [REPEATS] : time, memory and size of reports, and how smoothly
they move in headless Chromium; a row each, measured / goal, medians.  With BERTH_DATA,
the folder of traces, the KTH log, too.  Ends with a profile of frames.
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

# 18 rectangles a job.
TWO_TIERS = """title = "Two tiers"
seed = 1
[machine]
processors = 320
sharing = "two_tier"
[workload]
model = "jwload"
jobs = 200000
load = 0.81
[run]
policies = ["measy"]
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
  done([frames, exact]);
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


def quantile(values, level):
    return sorted(values)[min(int(level * len(values)), len(values) - 1)]


# What the browser did in the time of these frames, by its own count, a frame in ms.
def profile(frames, before, after):
    spent = {name: 1000 * (after[name] - before[name]) / len(frames) for name in ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")}
    known = sum(value for name, value in spent.items() if name != "TaskDuration")
    print(f"     {len(frames)} frames: 50 % {quantile(frames, 0.5):.1f}, 90 % {quantile(frames, 0.9):.1f}, 95 % {quantile(frames, 0.95):.1f}, worst {max(frames):.1f} ms; "
          f"a frame: scripts {spent['ScriptDuration']:.1f}, styles {spent['RecalcStyleDuration']:.1f}, layout {spent['LayoutDuration']:.1f}, the rest {spent['TaskDuration'] - known:.1f} ms")


class Browsed:
    """What a report does in a browser that was started for it."""

    def __init__(self, page, moves=False):
        browser = Chromium(os.path.dirname(page))
        browser.driver.get(f"file://{page}")
        browser.wait("return document.documentElement.dataset.painted")
        self.painted = browser.js("return performance.getEntriesByName('painted')[0].startTime") / 1000
        browser.command("HeapProfiler.collectGarbage")
        heap = browser.command("Runtime.getHeapUsage")
        self.heap = (heap["usedSize"] + heap.get("backingStorageSize", 0)) / 1e6
        if moves:
            metrics = lambda: {one["name"]: one["value"] for one in browser.command("Performance.getMetrics")["metrics"]}
            browser.command("Performance.enable")
            self.before = metrics()
            self.frames, self.exact = browser.asynchronous(MOVES)
            self.after = metrics()
        browser.quit()


def opened(what, page, repeats, goal):
    row(f"{what}: opened to painted", statistics.median(Browsed(page).painted for _ in range(repeats)), goal, "s")


def main():
    berth = os.path.abspath(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        path = lambda name: os.path.join(folder, name)

        def made(name, scenario, *words):
            with open(path("s.toml"), "w") as out:
                out.write(scenario)
            source = words or (path("s.toml"),)
            subprocess.run([berth, "run", *source, "--no-audit", "--force", "--out", path("r")], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
            report = (berth, "report", path("r"), "--force", "-o", path(name))
            timed(*report)
            return report

        def sized(what, name, goal):
            row(f"{what}: file", os.path.getsize(path(name)) / 1e6, goal, "MB")

        trace = os.path.join(os.environ.get("BERTH_DATA", ""), "traces/KTH-SP2-1996-2.1-cln.swf.gz")
        if os.path.exists(trace):
            made("kth.html", "", "--trace", trace, "--policy", "easy", "--policy", "conservative")
            sized("KTH, two policies", "kth.html", 1.6)
            opened("KTH, two policies", path("kth.html"), repeats, 1)
        made("small.html", SCENARIO.format(jobs=100_000))
        sized("100,000 jobs", "small.html", 2.0)
        made("tiers.html", TWO_TIERS)
        sized("two tiers, 200,000 jobs", "tiers.html", 8)
        opened("two tiers, 200,000 jobs", path("tiers.html"), repeats, 6)
        report = made("large.html", SCENARIO.format(jobs=1_000_000))
        what = "1,000,000 jobs"
        walls, zips = [], []
        for _ in range(repeats):
            walls.append(timed(*report))
            with open(path("r/jobs.csv"), "rb") as source:
                zips.append(timed("gzip", "-6", source=source))
        row(f"{what}: berth report / gzip -6 < jobs.csv", statistics.median(walls) / statistics.median(zips), 1.0, "")
        row(f"{what}: peak memory", peak(*report), 64 * 1_000_000 / 2**20 + 128, "MiB")
        sized(what, "large.html", 13)
        seen = [Browsed(path("large.html"), True) for _ in range(repeats)]
        row(f"{what}: opened to painted", statistics.median(one.painted for one in seen), 3, "s")
        row(f"{what}: frames while moving, 95 %", statistics.median(quantile(one.frames, 0.95) for one in seen), 50, "ms")
        row(f"{what}: frames while moving, worst", statistics.median(max(one.frames) for one in seen), 100, "ms")
        row(f"{what}: exact picture after the hand rests", statistics.median(one.exact for one in seen), 400, "ms")
        row(f"{what}: JavaScript heap", statistics.median(one.heap for one in seen), 350, "MB")
        for one in seen:
            profile(one.frames, one.before, one.after)


if __name__ == "__main__":
    main()
