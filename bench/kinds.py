"""Rows about users, hosts and kinds of resource, as measured / goal.

    python3 bench/kinds.py BERTH TRACES [ROW...]

BERTH is the program, TRACES a folder with KTH-SP2-1996-2.1-cln.swf.gz,
LANL-CM5-1994-4.1-cln.swf.gz, MetaCentrum-CERIT-wagap-2013-alea18.swf.gz and the log's side
file .jobs.tsv.gz; with ROW only rows whose name holds it.  Both sides run in
turns, three times, without audit; the least processor time of each counts.  Where both
must make the same schedule, jobs.csv is compared, and a row without that does not count.
"""

import gzip
import json
import random

from whole_runs import in_turns, kth, make, ratio, run, scratch, seconds, show, trace, traces

lanl = f'[workload]\ntrace = "{traces}/LANL-CM5-1994-4.1-cln.swf.gz"\n'


def memory_row():
    pool = "[machine]\nprocessors = 1024\n" + lanl + 'size = "allocated"\n'
    both = pool.replace("1024\n", "1024\nmemory = 1024\n", 1) + 'memory = "used"\n'
    ratio("EASY on LANL-CM5, with memory / without",
          run("memory", both, "easy"), run("alone", pool, "easy"), 2.0)


def hosts_row():
    pool = "[machine]\nprocessors = 1024\n" + lanl + "first = 30000\n"
    hosts = pool.replace("[machine]\nprocessors = 1024",
                         "[machine.hosts.host]\ncount = 1024\nprocessors = 1")
    ratio("EASY on 1,024 hosts of one processor / pool, 30,000 jobs",
          run("hosts", hosts, "easy"), run("pool", pool, "easy"), 4.0, same=True)


def fair_row():
    ratio("fairshare_easy / easy, KTH x 20",
          run("kth", kth, "fairshare_easy"), run("kth", kth, "easy"), 2.5)


def fair_pass_row():
    """Small jobs that start at once, beside jobs that wait for the whole machine."""
    def cost(waiting):
        small = 20000
        beside = [(0, 10**6, 1, 0)] + [(0, 1, 1000, i % 200) for i in range(waiting)]
        passing = [(10 + i, 1, 1, i % 200) for i in range(small)]
        name = f"waiting{waiting}"
        text = '[workload]\ntrace = "{}"\n'
        with_small = text.format(trace(name, beside + passing))
        without = text.format(trace(name + "_alone", beside))
        least = in_turns(run(name, with_small, "fairshare_easy"),
                         run(name + "_alone", without, "fairshare_easy"))
        return (least[0] - least[1]) / small
    show("a pass of the fair order, 100,000 waiting jobs / 1,000",
         cost(100000) / cost(1000), 4)


def conservative_row():
    pool = "[machine]\nprocessors = 1024\n" + lanl + 'first = 20000\nsize = "allocated"\n'
    both = pool.replace("1024\n", "1024\nmemory = 1024\n", 1) + 'memory = "used"\n'
    ratio("conservative, with memory / without, 20,000 LANL jobs",
          run("memory", both, "conservative"), run("alone", pool, "conservative"), 3.0)


def eet_row():
    draw = random.Random(1)
    for jobs, goal in ((100000, 0.5), (1000000, 5)):
        rows = [(20 * i, draw.randint(60, 20000), draw.randint(1, 32), draw.randrange(500))
                for i in range(jobs)]
        path = trace(f"eet{jobs}", rows, waited=60)
        judged, read = in_turns(["expectations", "--trace", path], ["trace", path])
        show(f"EET of {jobs:,} jobs of 500 users, reading taken off", judged - read, goal, " s")


def expectations_row():
    on = kth + "[run]\nexpectations = true\n"
    ratio("run.expectations on / off, KTH x 20, whole process",
          run("on", on, "easy"), run("off", kth, "easy"), 1.3)


def zewura_row():
    """The jobs of one cluster of the MetaCentrum log, on hosts with memory."""
    log = traces / "MetaCentrum-CERIT-wagap-2013-alea18"
    with gzip.open(f"{log}.swf.gz", "rt") as file:
        fields = [line.split() for line in file if not line.startswith(";")]
    there = {int(job[0]) for job in fields if float(job[3]) >= 0 and job[15] == "1"}
    with gzip.open(f"{log}.jobs.tsv.gz", "rt") as file:
        jobs = [line.split() for line in file][1:]
    needs = scratch / "needs.csv"
    needs.write_text("job_id,chunks,processors,memory\n" + "".join(
        f"{job},{chunks},{processors},{float(memory) / 2**20!r}\n"
        for job, chunks, processors, memory, *_ in jobs if int(job) in there))
    text = ("[machine.hosts.zewura]\ncount = 14\nprocessors = 80\nmemory = 504.9\n"
            f'[workload]\ntrace = "{log}.swf.gz"\nneeds = "{needs}"\npartitions = [1]\n')
    for policy in ("easy", "conservative"):
        out = scratch / "zewura"
        seconds([*run("zewura", text, policy), "--out", out, "--force"])
        of_policy = json.loads((out / "timing.json").read_text())["policy"]
        show(f"zewura, 14 hosts, {policy}: a decision of {of_policy['passes']:,}",
             of_policy["mean_pass_seconds"] * 1e6, "measured", " us")


make((memory_row, hosts_row, fair_row, fair_pass_row, conservative_row, eet_row,
      expectations_row, zewura_row))
