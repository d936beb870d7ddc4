"""What rows about whole runs of the program have in common.

The program's arguments are BERTH TRACES [ROW...]: the program, a folder of traces, and
which rows are wanted, by part of their names.
"""

import csv
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TIMES = 3
berth, traces = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
wanted = sys.argv[3:]
scratch = pathlib.Path(tempfile.mkdtemp())
kth = f'[workload]\ntrace = "{traces}/KTH-SP2-1996-2.1-cln.swf.gz"\nrepeat = 20\n'


def trace(name, jobs, processors=1000, waited=-1):
    """An SWF trace of (submit, length, size, user) and, if it is not the length, walltime."""
    path = scratch / f"{name}.swf"
    with open(path, "w") as file:
        file.write(f"; MaxProcs: {processors}\n")
        for i, (submit, length, size, user, *walltime) in enumerate(jobs, 1):
            asked = walltime[0] if walltime else length
            file.write(f"{i} {submit} {waited} {length} {size} -1 -1 {size} {asked} -1 1 {user} "
                       "-1 -1 -1 -1 -1 -1\n")
    return path


def drawn(name, count, users=100, waiting=0, processors=1024, load=0.95, largest=64):
    """An SWF trace; the first `waiting` jobs come at once, with the first of the others."""
    draw = random.Random(7)
    at = 0.0
    jobs = []
    for i in range(1, count + waiting + 1):
        size = draw.randint(1, largest)
        length = max(1, round(draw.lognormvariate(7, 1)))
        asked = round(length * draw.uniform(1, 3))
        jobs.append((round(at), length, size, draw.randrange(users), asked))
        if i > waiting:
            area = (1 + largest) / 2 * math.exp(7.5)  # of a job, in the mean
            at += draw.expovariate(load * processors / area)
    return trace(name, jobs, processors)


def seconds(arguments, program=berth):
    """User time of one run of the program."""
    process = subprocess.Popen([program, *map(str, arguments)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"berth {arguments}: {said}")
    return used.ru_utime


def peak(arguments, program=berth):
    """The most memory that one run of the program had, in bytes.

    A process begins with the peak of the one that starts it, so a small one stands between.
    """
    between = ("import resource, subprocess, sys; "
               "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    said = subprocess.run([sys.executable, "-c", between, program, *map(str, arguments)],
                          check=True, capture_output=True, text=True)
    return 1024 * int(said.stdout)


def scenario(name, text):
    path = scratch / f"{name}.toml"
    path.write_text(text)
    return path


def run(name, text, policy, *more):
    return ["run", scenario(name, text), "--policy", policy, "--no-audit", *more]


def in_turns(*sides):
    least = [float("inf")] * len(sides)
    for _ in range(TIMES):
        least = [min(best, seconds(side)) for best, side in zip(least, sides)]
    return least


def show(name, measured, goal, unit=""):
    print(f"{name:<58} {measured:8.2f} / {goal}{unit}", flush=True)


def schedule(arguments):
    """When each job started and ended."""
    out = scratch / "out"
    seconds([*arguments, "--out", out, "--force"])
    with open(out / "jobs.csv") as file:
        return [(row["job_id"], row["starting_time"], row["finish_time"])
                for row in csv.DictReader(file)]


def ratio(name, one, other, goal, same=False):
    if same and schedule(one) != schedule(other):
        sys.exit(f"{name}: the schedules differ, so the row does not count")
    measured = in_turns(one, other)
    show(name, measured[0] / measured[1], goal)


def make(rows):
    """Prints those of the rows that are wanted."""
    for row in rows:
        if not wanted or any(word in row.__name__ for word in wanted):
            row()
