"""What rows about whole runs of the program have in common.

The program's arguments are BERTH TRACES [ROW...]: the program, a folder of traces, and
which rows are wanted, by part of their names.
"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

TIMES = 3
berth, traces = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
wanted = sys.argv[3:]
scratch = pathlib.Path(tempfile.mkdtemp())
kth = f'[workload]\ntrace = "{traces}/KTH-SP2-1996-2.1-cln.swf.gz"\nrepeat = 20\n'


def seconds(arguments):
    """User time of one run of the program."""
    process = subprocess.Popen([berth, *map(str, arguments)], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"berth {arguments}: {said}")
    return used.ru_utime


def peak(arguments):
    """The most memory that one run of the program had, in bytes.

    A process begins with the peak of the one that starts it, so a small one stands between.
    """
    between = ("import resource, subprocess, sys; "
               "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    said = subprocess.run([sys.executable, "-c", between, berth, *map(str, arguments)],
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
