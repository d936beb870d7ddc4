"""Rows about what happens on a cluster besides arrivals and ends, as measured / goal.

    python3 bench/life.py BERTH TRACES [ROW...]

BERTH is the program, TRACES a folder with KTH-SP2-1996-2.1-cln.swf.gz; with ROW only
rows whose name holds it.  Both sides run in turns, three times; the least processor time
of each counts.  Where both must make the same schedule, jobs.csv is compared, and a row
without that does not count.
"""

import json

from whole_runs import in_turns, kth, make, peak, ratio, run, scratch, seconds, show, trace

SPAN = 29_400_000  # s: of one copy of the trace, at most
LATE = 10**10  # s: behind the last end


def side_file(name, head, lines):
    path = scratch / name
    path.write_text(head + "\n" + "\n".join(lines) + "\n")
    return path


def failures():
    """110 of each copy: processor 37 k mod 100 is down for four hours, and says so."""
    lines = []
    for copy in range(20):
        for k in range(110):
            at = copy * SPAN + 600_000 + 259_200 * k
            lines += [f"{at},down,{37 * k % 100},{at + 14_400}",
                      f"{at + 14_400},up,{37 * k % 100},"]
    return side_file("events.csv", "time,event,processors,until", lines)


def window_row():
    late = side_file("windows.csv", "name,from,to,processors", [f"late,{LATE},{LATE + 60},100"])
    ratio("EASY, KTH x 20: a window behind the last end / none",
          run("window", f'[machine]\nwindows = "{late}"\n{kth}', "easy"),
          run("kth", kth, "easy"), 1.15, same=True)


def failures_row():
    """Per pass, since jobs that are hit make passes of their own."""
    scenario = f'[machine]\nevents = "{failures()}"\n{kth}'
    for policy, goal in (("easy", 1.3), ("conservative", 2.0)):
        sides = [run("failures", scenario, policy), run("kth", kth, policy)]
        least = in_turns(*sides)
        passes = []
        for side in sides:
            seconds([*side, "--out", scratch / "passes", "--force"])
            passes.append(json.loads((scratch / "passes" / "timing.json").read_text())["policy"]["passes"])
        show(f"{policy}, KTH x 20: 2,200 failures / none, a pass",
             least[0] / passes[0] / (least[1] / passes[1]), goal)


def limits_row():
    never = '[limits.users."*"]\nrunning_jobs = 100000\nprocessors = 1000000\n'
    ratio("EASY, KTH x 20: limits that never bind / none",
          run("limits", kth + never, "easy"), run("kth", kth, "easy"), 1.05, same=True)


def barred_row():
    """Jobs that a limit bars, beside small jobs of others that start at once."""
    small = 20000

    def cost(waiting):
        barred = [(0, 10**7, 1, 1)] + [(0, 1, 1, 1)] * waiting
        passing = [(10 + i, 1, 1, 2) for i in range(small)]
        text = '[workload]\ntrace = "{}"\n[limits.users.1]\nrunning_jobs = 1\n'
        sides = [run(f"{name}{waiting}", text.format(trace(f"{name}{waiting}", jobs)), "first_fit")
                 for name, jobs in (("with", barred + passing), ("alone", barred))]
        least = in_turns(*sides)
        return (least[0] - least[1]) / small

    show("first fit, a pass: 100,000 barred jobs / one", cost(100_000) / cost(1), 4)


def chains_row():
    """1,000,000 jobs, ten in a chain."""
    jobs = 1_000_000
    text = f'[workload]\ntrace = "{trace("chains", [(i, 500, 1, 1) for i in range(jobs)])}"\n'
    links = [f"{i},afterany,{i - 1}," for i in range(1, jobs + 1) if i % 10 != 1]
    linked = text + f'dependencies = "{side_file("links.csv", "job_id,kind,parent,delay", links)}"\n'
    most = [peak(run(name, of, "fcfs")) for name, of in (("linked", linked), ("plain", text))]
    show("FCFS, 1,000,000 jobs in chains of 10: memory a link", (most[0] - most[1]) / len(links), 24, " B")


make((window_row, failures_row, limits_row, barred_row, chains_row))
