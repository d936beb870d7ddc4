#!/usr/bin/python3
"""bench/logs.py BERTH [REPEATS] : time and memory of reading logs of others, a row each,
measured / goal, medians: sacct -P of 1,000,000 rows and 20 columns against
`gzip -dc | wc -l` of the same file, and 500,000 jobs of Batsim with a profile each.
"""

import datetime
import gzip
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

from tools import measured, row

COLUMNS = ("JobID,JobIDRaw,User,Account,Partition,QOS,State,Submit,Eligible,Start,End,"
           "ElapsedRaw,TimelimitRaw,AllocCPUS,ReqCPUS,NNodes,ReqMem,AllocTRES,ReqTRES,"
           "NodeList").split(",")
STATES = ["COMPLETED"] * 8 + ["FAILED", "TIMEOUT", "CANCELLED by 1007"]
EPOCH = datetime.datetime(2026, 1, 1)


def rows_of_sacct(count):
    """Jobs of a cluster: bursts, 900 users of whom few have most, arrays of waits."""
    draw = random.Random(1)
    users = draw.choices(range(900), [1 / (i + 1) for i in range(900)], k=count)
    submit = 0

    def date(second):
        return (EPOCH + datetime.timedelta(seconds=second)).isoformat()

    for i in range(count):
        submit += draw.choice([0, 0, 0, 1, 1, 2, 5, 9, 30])
        start = submit + (int(draw.expovariate(1 / 1800)) if draw.random() < 0.7 else 0)
        limit = draw.choice([10, 30, 60, 120, 240, 480, 1440])
        length = max(1, int(limit * 60 * draw.random() ** 2))
        nodes = draw.choice([1, 1, 1, 1, 2, 4])
        size = nodes * draw.choice([1, 4, 16, 32])
        tres = f"cpu={size},mem={4 * size}G,node={nodes}"
        yield [1000000 + i, 1000000 + i, f"user{users[i]:04}", f"acct{users[i] % 80:02}",
               ("batch", "long", "gpu")[users[i] % 3], "normal", draw.choice(STATES),
               date(submit), date(submit), date(start), date(start + length), length,
               limit, size, size, nodes, f"{4 * size}G", tres, tres,
               f"n{draw.randrange(400):04}"]


def write_sacct(path, count):
    with gzip.open(path, "wt", compresslevel=6) as log:
        log.write("|".join(COLUMNS) + "\n")
        for cells in rows_of_sacct(count):
            log.write("|".join(map(str, cells)) + "\n")


def write_batsim(path, count):
    """A profile for each job, behind all jobs."""
    draw = random.Random(2)
    submit = 0
    profiles = []
    with open(path, "w") as log:
        log.write('{"nb_res": 4096, "jobs": [')
        for i in range(count):
            submit += draw.choice([0, 1, 2, 5, 20])
            length = draw.randrange(1, 20000)
            profiles.append(f'"p{i}": {{"type": "delay", "delay": {length}}}')
            log.write(f'{"," if i else ""}\n{{"id": "w0!{i}", "subtime": {submit}, '
                      f'"res": {draw.choice([1, 2, 8, 64])}, "profile": "p{i}", '
                      f'"walltime": {length + 600}}}')
        log.write('],\n"profiles": {' + ",\n".join(profiles) + "}}\n")


def seconds_of(command):
    """User and system seconds of a command in the shell and of its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def median(repeats, of):
    return statistics.median(of() for _ in range(repeats))


def main():
    berth = os.path.abspath(sys.argv[1])
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_sacct("a.txt.gz", 1000000)
        write_batsim("b.json", 500000)
        pipe = median(repeats, lambda: seconds_of("gzip -dc a.txt.gz | wc -l"))
        for what, command in [("trace", f"{berth} trace a.txt.gz"),
                              ("convert to csv",
                               f"{berth} convert a.txt.gz a.csv --force")]:
            spent = median(repeats, lambda c=command: seconds_of(c))
            row(f"sacct -P, 1,000,000 rows, {what} / gzip -dc | wc -l", spent / pipe, 4,
                "x")
        for what, path, goal in [
                ("sacct -P, 1,000,000 jobs", "a.txt.gz", 64 + 96 * 1e6 / 2**20),
                ("Batsim, 500,000 jobs", "b.json", 64 + 120 * 5e5 / 2**20)]:
            peak = median(repeats, lambda p=path: measured([berth, "trace", p])[2])
            row(f"{what}: peak memory", peak, round(goal, 1), "MiB")


if __name__ == "__main__":
    main()
