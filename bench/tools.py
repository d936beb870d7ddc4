#!/usr/bin/python3
"""bench/tools.py BERTH [REPEATS] : what explaining, debugging, testing, watching and a look
at a Slurm cost; a row each, measured / goal, medians of interleaved runs.  Rows on KTH need $BERTH_DATA.
"""

import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

PROPERTY = """return { { "p", processors = 16, random = { jobs = 100, runs = 200 },
  holds = function(run) return #run:jobs() == 100 end } }
"""
POLICY = """return {
  schedule = function(queue, cluster) cluster:backfill(queue) end,
}
"""
SCENARIO = """seed = 1
[machine]
processors = 64
[workload]
model = "lublin"
jobs = 1000
load = 0.8
[run]
policies = ["fcfs", "easy", "./mine.lua"]
"""
BY_COLUMNS = """return metric {
  name = "by_columns", unit = "fraction", better = "less",
  says = "share of the small jobs that wait above an hour",
  of = function(run)
    local small = run.finished:where(run.finished.size:le(8))
    return small.wait:gt(3600):mean(), #small
  end,
}
"""
BY_LOOP = """return metric {
  name = "by_loop", unit = "fraction", better = "less",
  says = "share of the small jobs that wait above an hour",
  of = function(run)
    local size, wait = run.finished.size, run.finished.wait
    local small, long = 0, 0
    for i = 1, #size do
      if size[i] <= 8 then
        small = small + 1
        if wait[i] > 3600 then long = long + 1 end
      end
    end
    return long / small, small
  end,
}
"""
LUBLIN = """seed = 1
[machine]
processors = 256
[workload]
model = "lublin"
jobs = {jobs}
load = {load}
[run]
policies = ["easy"]
"""


def spent(command, commands=None):
    """Wall and user seconds of a command, which reads `commands`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run(command, input=commands, text=True, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime - before.ru_utime


def measured(command):
    """Wall and user seconds of a command, and its largest resident memory in MiB."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - began, used.ru_utime, used.ru_maxrss / 1024


def row(name, value, goal, unit=""):
    print(f"{name:<58} {value:8.2f} / {goal:<5} {unit}", flush=True)


def saved_to_table(berth, folder):
    """Seconds from a save to the table of `berth watch`, beyond those of the run."""
    with subprocess.Popen([berth, "watch", "mine.toml"], cwd=folder, text=True,
                          stdout=subprocess.PIPE) as watch:
        for line in watch.stdout:
            if line.startswith("mine"):
                break
        time.sleep(0.6)  # its pause, so that the save falls between two looks
        with open(folder + "/new", "w") as new:
            new.write(POLICY + f"-- {time.monotonic()}\n")
        began = time.monotonic()
        os.rename(folder + "/new", folder + "/mine.lua")
        for line in watch.stdout:
            if line.startswith("mine"):
                break
        took = time.monotonic() - began
        watch.terminate()
    alone = spent([berth, "run", folder + "/mine.toml"])[0]
    return took - alone


def on_kth(berth, trace, repeats):
    run = [berth, "run", "--trace", trace, "--policy", "easy"]
    explain = [berth, "explain", "--trace", trace, "--policy", "easy"]
    debug = [berth, "debug", "--trace", trace, "--policy", "easy"]
    forward = "break pass 20000\ncontinue\n"
    one, every, back = [], [], []
    for _ in range(repeats):
        wall, user = spent(run)
        one.append(spent(explain + ["20000"])[0] / wall)
        every.append(spent(explain)[1] / user)
        back.append(spent(debug, forward + "back\n")[0] - spent(debug, forward)[0])
    row("explain of one job of KTH / the run, wall", statistics.median(one), 1.5)
    row("explain of all jobs of KTH / the run, user", statistics.median(every), 1.7)
    row("debug: back at pass 20,000 of KTH", statistics.median(back), 0.3, "s")


def on_many(berth, folder, repeats):
    def written(name, jobs, load):
        path = folder + "/" + name
        with open(path, "w") as file:
            file.write(LUBLIN.format(jobs=jobs, load=load))
        return path

    million = written("million.toml", 1_000_000, 0.9)
    backlog = written("backlog.toml", 100_000, 1.05)
    last, beyond, sample = [], [], []
    for _ in range(repeats):
        run = measured([berth, "run", million, "--no-audit"])
        one = measured([berth, "explain", million, "1000000"])
        last.append(one[0] / run[0])
        beyond.append(one[2] - run[2])
        run = measured([berth, "run", backlog, "--no-audit"])
        some = measured([berth, "explain", backlog, "--sample", "1000"])
        sample.append(some[1] / run[1])
    row("explain of the last of 1,000,000 jobs / the run, wall",
        statistics.median(last), 1.2)
    row("its memory beyond the run", statistics.median(beyond), 1, "MiB")
    row("--sample 1000 of a backlog, 100,000 jobs / the run, user",
        statistics.median(sample), 3)


def with_own_metrics(berth, folder, repeats):
    """What a metric and a class of 1,000,000 jobs take beside the run, user seconds."""
    million = folder + "/million.toml"
    for name, text in (("by_columns", BY_COLUMNS), ("by_loop", BY_LOOP)):
        with open(f"{folder}/{name}.lua", "w") as file:
            file.write(text)
    run = [berth, "run", million, "--no-audit", "--metric"]
    ways = {"run": ["mean_wait"], "columns": [f"mean_wait,{folder}/by_columns.lua"],
            "loop": [f"mean_wait,{folder}/by_loop.lua"],
            "class": ["mean_wait", "--set",
                      'classes.short=job.walltime <= 3600 and job.size >= 4']}
    users = {way: [] for way in ways}
    for _ in range(repeats):
        for way, options in ways.items():
            users[way].append(spent(run + options)[1])
    beyond = {way: statistics.median(times) - statistics.median(users["run"])
              for way, times in users.items()}
    row("a metric by columns, 1,000,000 jobs, beyond the run", beyond["columns"], 0.2, "s")
    row("a metric by a loop, 1,000,000 jobs, beyond the run", beyond["loop"], 1, "s")
    row("a class of two comparisons, 1,000,000 jobs: run with it / without, user",
        statistics.median(users["class"]) / statistics.median(users["run"]), 1.5)


def write_look(folder):
    """A Slurm of 1,000 nodes of 32 processors: jobs of one to eight nodes run on 900, the
    rest of 10,000 jobs waits.  Records are as long as those of Slurm 22.05."""
    draw = random.Random(7)
    other = {f"field_{i}": "what the shadow does not read" for i in range(60)}
    nodes = [{"name": f"n{i}", "cpus": 32, "real_memory": 128000, "partitions": ["p"],
              "alloc_memory": 64000 if i < 900 else 0,
              "state": "allocated" if i < 900 else "idle"} for i in range(1000)]
    jobs = []
    taken = 0
    while len(jobs) < 10_000:
        job = {"job_id": len(jobs) + 1, "partition": "p", "user_name": f"u{len(jobs) % 97}",
               "submit_time": 1_800_000_000 + len(jobs), "memory_per_cpu": 2000,
               "time_limit": draw.choice([10, 60, 240, 1440])}
        if taken < 900:
            last = min(taken + draw.choice([1, 1, 1, 2, 4, 8]), 900)
            held = [{"nodename": f"n{i}", "cpus": 32, "memory_allocated": 64000}
                    for i in range(taken, last)]
            job |= {"job_state": "RUNNING", "cpus": 32 * len(held), "node_count": len(held),
                    "start_time": 1_800_010_000, "nodes": f"n[{taken}-{last - 1}]",
                    "job_resources": {"allocated_nodes": held}}
            taken = last
        else:
            job |= {"job_state": "PENDING", "state_reason": "Priority",
                    "cpus": draw.choice([1, 2, 4, 8, 16, 32, 64, 128, 512])}
        jobs.append(job | other)
    for name, text in (("sinfo", {"nodes": nodes}),
                       ("squeue", {"time": 1_800_020_000, "jobs": jobs})):
        with open(f"{folder}/1.{name}.json", "w") as file:
            json.dump(text, file, indent=1)


def on_a_slurm(berth, folder, repeats):
    folder += "/looks"
    os.mkdir(folder)
    write_look(folder)
    looks = [measured([berth, "shadow", "--policy", "easy", "--from", folder])
             for _ in range(repeats)]
    row("shadow: 10,000 jobs on 1,000 nodes read and decided, user",
        statistics.median(look[1] for look in looks), 1, "s")
    row("its memory", max(look[2] for look in looks), 64, "MiB")


def main():
    berth = os.path.abspath(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 7
    trace = os.environ.get("BERTH_DATA", "") + "/traces/KTH-SP2-1996-2.1-cln.swf.gz"
    with tempfile.TemporaryDirectory() as folder:
        if os.path.exists(trace):
            on_kth(berth, trace, repeats)
        else:
            print("no KTH trace: its rows are left out")
        on_many(berth, folder, min(repeats, 3))
        with_own_metrics(berth, folder, min(repeats, 3))
        on_a_slurm(berth, folder, repeats)
        for name, text in (("mine.lua", POLICY), ("mine.test.lua", PROPERTY),
                           ("mine.toml", SCENARIO)):
            with open(folder + "/" + name, "w") as file:
                file.write(text)
        tests = [spent([berth, "test", folder])[0] for _ in range(repeats)]
        row("test: 200 random workloads of 100 jobs, audited",
            statistics.median(tests), 2, "s")
        watched = [saved_to_table(berth, folder) for _ in range(repeats)]
        row("watch: saved to table, beyond the run", statistics.median(watched), 0.5, "s")


if __name__ == "__main__":
    main()
