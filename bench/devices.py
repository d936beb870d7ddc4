"""Rows about machines with devices, as measured / goal.

    python3 bench/devices.py BERTH OPENB [ROW...]

BERTH is the program, built beside bench/bench_devices; OPENB is the folder with
hosts.csv.gz and default.csv.gz of the openb cluster; with ROW only rows whose name holds
it.  Both sides run in turns, three times, without audit; the least processor time of
each counts.
"""

import csv
import gzip
import pathlib
import random
import subprocess

from whole_runs import berth, in_turns, make, scratch, show
from whole_runs import traces as openb

LONG = 10**7  # no task leaves before the last task has come


def table(name):
    with gzip.open(openb / name, "rt") as file:
        return list(csv.DictReader(file))


hosts = table("hosts.csv.gz")
tasks = table("default.csv.gz")
random.Random(1).shuffle(tasks)


def share_of(task):
    """Parts of one device; nothing for whole devices and for none."""
    share = int(task["gpu_milli"] or 0)
    return share if int(task["num_gpu"]) == 1 and share < 1000 else ""


def parts_of(task):
    return share_of(task) or 1000 * int(task["num_gpu"])


def write(name, lines):
    path = scratch / name
    path.write_text("\n".join(lines) + "\n")
    return path


def trace(name, times):
    """Submit and length of each task, in seconds."""
    return write(name, (f"{i} {submit} -1 {length} 1 -1 -1 1 {length} -1 1 -1 -1 -1 -1 -1 -1 -1"
                        for i, (submit, length) in enumerate(times, 1)))


def with_devices(name, of, times, copies=1):
    """A scenario of these tasks on the hosts, so many times each."""
    rows = write(f"{name}_hosts.csv", ["name,cpu,memory,devices,type,count"] + [
        f'{host["sn"]},{int(host["cpu_milli"]) / 1000},{int(host["memory_mib"]) / 1024},'
        f'{host["gpu"]},{host["model"]},{copies}' for host in hosts])
    needs = write(f"{name}_needs.csv", ["job_id,cpu,memory,gpus,share,types"] + [
        f'{i},{int(task["cpu_milli"]) / 1000},{int(task["memory_mib"]) / 1024},'
        f'{task["num_gpu"]},{share_of(task)},{task["gpu_spec"] if int(task["num_gpu"]) else ""}'
        for i, task in enumerate(of, 1)])
    return write(f"{name}.toml", [
        f'[machine]\nsharing = "devices"\nhosts_file = "{rows}"\n[workload]',
        f'trace = "{trace(f"{name}.swf", times)}"\nneeds = "{needs}"'])


def pooled(name, of, times):
    """The same on hosts whose GPUs are a kind of resource, and whose cores come one by one."""
    shapes = {}
    for host in hosts:
        shape = (int(host["cpu_milli"]) // 1000, int(host["memory_mib"]) / 1024, int(host["gpu"]))
        shapes[shape] = shapes.get(shape, 0) + 1
    groups = [f"[machine.hosts.shape{i}]\ncount = {count}\nprocessors = {cpu}\nmemory = {memory}\n"
              f"resources = {{ gpu = {1000 * gpus} }}"
              for i, ((cpu, memory, gpus), count) in enumerate(shapes.items())]
    needs = write(f"{name}_needs.csv", ["job_id,chunks,processors,memory,gpu"] + [
        f'{i},1,{cores(task)},{int(task["memory_mib"]) / 1024},{parts_of(task)}'
        for i, task in enumerate(of, 1)])
    swf = write(f"{name}.swf", (
        f"{i} {submit} -1 {length} {cores(task)} -1 -1 {cores(task)} {length} -1 1 "
        "-1 -1 -1 -1 -1 -1 -1"
        for i, (task, (submit, length)) in enumerate(zip(of, times), 1)))
    return write(f"{name}.toml", [
        *groups, f'[workload]\ntrace = "{swf}"\nneeds = "{needs}"'])


def cores(task):
    return max(1, -(-int(task["cpu_milli"]) // 1000))


def run(scenario, policy):
    return ["run", scenario, "--policy", policy, "--no-audit"]


def filling(of):
    """Tasks until the machine is asked for 1.3 times; task k comes at second k."""
    total = 1.3 * 1000 * sum(int(host["gpu"]) for host in hosts)
    drawn, asked, draw = list(of), sum(map(parts_of, of)), random.Random(2)
    while asked < total:
        drawn.append(draw.choice(of))
        asked += parts_of(drawn[-1])
    return drawn, [(k, LONG) for k in range(1, len(drawn) + 1)]


def own_times(of, load):
    """The tasks' own times, submits closer so that GPUs are asked for so much of the time."""
    rows = [(int(task["creation_time"]), int(task["deletion_time"]) - int(task["scheduled_time"]),
             task) for task in of
            if task["deletion_time"] and task["scheduled_time"] and task["creation_time"]]
    rows = sorted((row for row in rows if row[1] > 0), key=lambda row: row[0])
    first, last = rows[0][0], rows[-1][0]
    work = sum(length * parts_of(task) for _, length, task in rows)
    span = work / (load * 1000 * sum(int(host["gpu"]) for host in hosts))
    scale = span / (last - first)
    return ([task for *_, task in rows],
            [(int((submit - first) * scale), length) for submit, length, _ in rows])


def fill_row():
    one = with_devices("one", *filling(tasks))
    best, fgd = in_turns(run(one, "gpu_best_fit:when_full=reject"),
                         run(one, "fgd:when_full=reject"))
    show("gpu_best_fit fills openb", best, 1.5, " s")
    show("fgd fills openb", fgd, 2.5, " s")


def memo_row():
    one = with_devices("one", *filling(tasks))
    text = (pathlib.Path(__file__).parent / "../policies/fgd.lua").read_text()
    head = text[:text.rindex("return require")]
    bare = write("bare.lua", [head + (
        "return { schedule = function(queue, cluster)\n  for job in queue:all() do\n"
        "    local place = cluster.hosts:choose(job, { weight = weight })\n"
        "    if place then cluster:start(job, place) else cluster:reject(job) end\n"
        "  end\nend }")])
    with_memo, without = in_turns(run(one, "fgd:when_full=reject"), run(one, bare))
    show("fgd without memo / with", without / with_memo, "measured")


def weight_row():
    one = with_devices("weights", *filling(tasks))
    program = pathlib.Path(berth).resolve().parent.parent / "bench" / "bench_devices"
    subprocess.run([str(program), str(one)], check=True)


def ten_row():
    drawn, _ = filling(tasks)
    many = drawn * 10
    one = with_devices("one", drawn, [(k, LONG) for k in range(1, len(drawn) + 1)])
    ten = with_devices("ten", many, [(k, LONG) for k in range(1, len(many) + 1)], 10)
    small, large = in_turns(run(one, "gpu_best_fit:when_full=reject"),
                            run(ten, "gpu_best_fit:when_full=reject"))
    show("gpu_best_fit on 10 x the hosts and tasks / openb", large / small, 15)


def plans_row():
    of, times = own_times(tasks, 0.9)
    for policy, first, goal in (("easy", len(of), 3), ("conservative", 3000, 5)):
        one = with_devices(f"{policy}_devices", of[:first], times[:first])
        pool = pooled(f"{policy}_pool", of[:first], times[:first])
        measured = in_turns(run(one, policy), run(pool, policy))
        show(f"{policy} on openb, devices / GPUs pooled by host", measured[0] / measured[1], goal)


make((fill_row, memo_row, weight_row, ten_row, plans_row))
