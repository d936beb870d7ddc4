"""Two builds of the program beside each other, from the smallest to the largest size.

    BERTH_BEFORE=PROGRAM python3 bench/before.py BERTH TRACES [ROW...]

User seconds of whole processes without audit, unless a row says otherwise: those of the
other build, of BERTH and their quotient, medians of five runs in turns; of runs longer
than LONG the first counts, and one that has not ended after MOST is stopped.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys

from whole_runs import berth, drawn, kth, make, peak, run, scenario, scratch, traces

TIMES, LONG, MOST = 5, 3, 60
before = os.environ["BERTH_BEFORE"]


def limited(arguments, program):
    """Seconds, or None: it was stopped."""
    process = subprocess.Popen(
        [program, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST, MOST)))
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if os.WIFSIGNALED(status) or used.ru_utime + used.ru_stime >= MOST:
        return None
    if status != 0:
        sys.exit(f"{program} {arguments}: {said}")
    return used.ru_utime


def both(arguments):
    times = ([], [])
    for _ in range(TIMES):
        for program, of in zip((before, berth), times):
            if not of or (of[0] is not None and of[0] < LONG):
                shutil.rmtree(scratch / "out", ignore_errors=True)
                of.append(limited(arguments, program))
    return [statistics.median(of) if None not in of else None for of in times]


def row(name, arguments, divided_by=1, unit="s"):
    was, now = both(arguments)
    text = [f"{value / divided_by:9.3f}" if value is not None else f"{f'> {MOST}':>9}"
            for value in (was, now)]
    ratio = f"{now / was:6.2f}" if was and now is not None else "     -"
    print(f"{name:<52} {text[0]} {text[1]} {unit:<3} {ratio}", flush=True)


def whole_rows():
    million = ('[machine]\nprocessors = 1024\n[workload]\nmodel = "lublin"\n'
               "jobs = 1000000\nload = 0.9\n")
    out = ["--out", scratch / "out"]
    with_audit = ["run", scenario("kth", kth), "--policy", "easy"]
    row("KTH x 20, easy, audit and all results", with_audit + out)
    row("the same without results", with_audit)
    arguments = [*run("million", million, "easy"), *out]
    was, now = (peak(arguments + ["--force"], program) for program in (before, berth))
    print(f"{'1,000,000 jobs with results, peak':<52} {was / 2**20:9.1f} {now / 2**20:9.1f} "
          f"MiB {now / was:6.2f}", flush=True)


def policy_rows():
    logs = (("KTH", "KTH-SP2-1996-2.1-cln", ""), ("LANL-CM5", "LANL-CM5-1994-4.1-cln", ""))
    for log, file, more in logs:
        text = f'[workload]\ntrace = "{traces}/{file}.swf.gz"\n{more}'
        for policy in ("easy", "conservative", "drf", "fairshare_conservative", "fairshare_easy",
                       "multifactor", "priority", "tetris"):
            row(f"{log}, {policy}", run(log, text, policy))


def queue_rows():
    backlog = ('[machine]\nprocessors = 1024\n[workload]\nmodel = "lublin"\njobs = 300000\n'
               "load = 1.05\n")
    for policy in ("easy", "conservative"):
        row(f"300,000 jobs at load 1.05, {policy}", run("backlog", backlog, policy))
    for policy in ("easy", "conservative", "priority", "multifactor", "fairshare_easy", "drf"):
        for depth in (70, 1000):
            path = drawn(f"queue{depth}", 5000, waiting=depth, load=1.0)
            text = f'[workload]\ntrace = "{path}"\n'
            row(f"5,000 jobs behind {depth:,}, {policy}", run(f"queue{depth}", text, policy))


def host_rows():
    path = drawn("hosts", 3000, processors=800, load=0.7)
    for policy in ("easy", "conservative"):
        for hosts in (100, 10000):
            text = (f"[machine.hosts.node]\ncount = {hosts}\nprocessors = 8\n"
                    f'[workload]\ntrace = "{path}"\n')
            with_audit = ["run", scenario(f"hosts{hosts}", text), "--policy", policy]
            row(f"3,000 jobs on {hosts:,} hosts, {policy}, audit", with_audit)


def server_rows():
    for embedding in ("oktopus", "least_reserved", "greedy"):
        for k in (12, 24):
            text = ('[machine]\nsharing = "slots"\n[machine.network]\ntopology = "fat_tree"\n'
                    f'k = {k}\nslots = 4\n[workload]\nmodel = "tenants"\njobs = 2000\n'
                    "load = 0.8\n")
            row(f"2,000 requests, k = {k}, {embedding}",
                run(f"servers{k}", text, f"admission:embedding={embedding}"))


def pool_rows():
    for processors in (432, 221184):
        path = drawn(f"pool{processors}", 100000, processors=processors, load=0.8)
        text = f'[machine]\nprocessors = {processors}\n[workload]\ntrace = "{path}"\n'
        row(f"100,000 jobs on {processors:,} processors, easy",
            run(f"pool{processors}", text, "easy"))


def user_rows():
    for policy in ("fairshare_easy", "fairshare_fifo", "multifactor", "drf"):
        for users in (10, 10000):
            path = drawn(f"users{users}", 30000, users=users)
            text = f'[workload]\ntrace = "{path}"\n'
            row(f"30,000 jobs of {users:,} users, {policy}", run(f"users{users}", text, policy))


def packing_rows():
    text = ('[machine]\nprocessors = 32\nsharing = "fractional"\n[machine.fractional]\n'
            'memory = 8\n[workload]\nmodel = "lublin"\njobs = 2000\nload = 0.7\n'
            'needs = "dfrs"\n')
    for policy in ("fcfs", "greedy", "mcb", "near", "cosine", "rounding"):
        row(f"packing, 2,000 jobs on 32 hosts, {policy}", run("packing", text, policy))


def sweep_rows():
    points = 400
    path = scenario("sweep", '[machine]\nprocessors = 32\n[workload]\nmodel = "lublin"\n'
                    'jobs = 20\nload = 0.7\n[run]\npolicies = ["easy"]\n[sweep]\n'
                    f"seed = {{ from = 1, to = {points} }}\n")
    for what, more in (("", []), (", --out", ["--out", scratch / "out"]),
                       (", --out --keep-jobs", ["--out", scratch / "out", "--keep-jobs"])):
        row(f"a point of a sweep{what}", ["run", path, "-j", 1, *more], points / 1e3, "ms")


def start_rows():
    def once(program):
        times = []
        for _ in range(40):
            process = subprocess.Popen([program, "policies"], stdout=subprocess.DEVNULL)
            used = os.wait4(process.pid, 0)[2]
            times.append(1e3 * (used.ru_utime + used.ru_stime))
        return statistics.median(times)
    was, now = once(before), once(berth)
    print(f"{'berth policies, with system time':<52} {was:9.3f} {now:9.3f} ms  {now / was:6.2f}")


make((whole_rows, policy_rows, queue_rows, host_rows, server_rows, pool_rows, user_rows,
      packing_rows, sweep_rows, start_rows))
