"""Rows about the ways in, C, Python and the environment, as measured / goal.

    BERTH_LIBRARY=libberth.so python3 bench/ways.py BERTH TRACES [ROW...]

BERTH is the program, TRACES a folder with KTH-SP2-1996-2.1-cln.swf.gz; with ROW only rows
whose name holds it.  Rows of ratios: both sides run in turns, three times, audited, and the
least processor time of each counts; schedules are compared by their hashes.  Rows of rates:
the best of three.  Needs numpy.
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

sources = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(sources / "python"))

import numpy  # noqa: E402

import berth  # noqa: E402
import berth._library as library  # noqa: E402
import berth.env  # noqa: E402
from whole_runs import TIMES, berth as program, make, scenario, scratch, show, traces  # noqa: E402

log = traces / "KTH-SP2-1996-2.1-cln.swf.gz"
text = f'[workload]\ntrace = "{log}"\n'
pass_by_pass = {"traits": '{ passes = "when_a_job_fits", promises = "easy" }'}


def own_seconds(work):
    """User time of this process for the work, and what it answers."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    answer = work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - before, answer


def process_seconds(command):
    """User time of a process, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    said = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"{command}: {said.stdout}{said.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, said.stdout


def native():
    return process_seconds([program, "run", scenario("kth", text), "--policy", "easy"])[0]


def native_hash():
    out = scratch / "native"
    process_seconds([program, "run", scenario("kth", text), "--policy", "easy",
                     "--out", out, "--force"])
    return json.loads((out / "summary.json").read_text())["schedule_hash"]


def over_native(name, side, goal):
    """`side` answers its time and its schedule hash."""
    wanted = native_hash()
    least = [float("inf")] * 2
    for _ in range(TIMES):
        took, found = side()
        if found != wanted:
            sys.exit(f"{name}: another schedule ({found}, not {wanted})")
        least = [min(least[0], took), min(least[1], native())]
    show(name, least[0] / least[1], goal)


def compiled(name, code):
    """A program of a user of the interface."""
    source, made = scratch / f"{name}.c", scratch / name
    source.write_text(code)
    folder = pathlib.Path(os.environ["BERTH_LIBRARY"]).resolve().parent
    process_seconds(["cc", "-std=c99", "-O2", "-I", sources / "capi", source, "-o", made,
                     "-L", folder, "-lberth", f"-Wl,-rpath,{folder}"])
    return made


def of_page():
    """The program of docs/c.md, on the trace."""
    blocks = re.findall(r"```c\n(.*?)```", (sources / "docs" / "c.md").read_text(), re.S)
    code = next(block for block in blocks if "int main" in block)
    told = '"' + text.replace('"', '\\"').replace("\n", "\\n") + '"'
    return re.sub(r"kScenario\[\] =.*?;", lambda _: f"kScenario[] = {told};", code, count=1,
                  flags=re.S)


def primitives_row():
    made = compiled("primitives", of_page())

    def side():
        took, said = process_seconds([made])
        return took, said.strip()
    over_native("KTH, EASY in C by primitives / berth run", side, 1.3)


def passes_in_c_row():
    code = of_page()
    code = re.sub(r'options\.traits = ".*?";',
                  'options.traits = "{ promises = \\\\"easy\\\\" }";', code)
    begin = code.index("  while ((code = berth_next(run)) == 1) {")
    end = code.index("  if (code < 0) return failed(run);")
    loop = ("  (void)arguments; (void)result; (void)start_all; (void)reserve; "
            "(void)backfillable;\n"
            "  while ((code = berth_next(run)) == 1) {\n"
            '    if (berth_delegate(run, "easy") < 0) return failed(run);\n  }\n')
    made = compiled("passes", code[:begin] + loop + code[end:])

    def side():
        took, said = process_seconds([made])
        return took, said.strip()
    over_native("KTH, Lua EASY pass by pass in C / berth run", side, 1.3)


def python_run_row():
    def side():
        took, found = own_seconds(lambda: berth.run(text, policies=["easy"]))
        return took, found["easy"].schedule_hash
    over_native("KTH, berth.run / berth run", side, 1.3)


def passes_in_python_row():
    def play():
        opened = library.Scenario(text)
        run = library.Run(opened, **pass_by_pass)
        while run.next():
            run.check(library.short.berth_delegate(run.handle, b"easy"))
        found = run.summary()["schedule_hash"]
        run.close()
        opened.close()
        return found
    over_native("KTH, Lua EASY pass by pass in Python / berth run",
                lambda: own_seconds(play), 2)


class Easy(berth.Policy):
    passes, promises = "when_a_job_fits", "easy"

    def schedule(self, queue, cluster):
        head = cluster.start_all(queue)
        if head is not None:
            cluster.start_all(queue.backfillable(cluster.reserve(head)))


def class_row():
    least = [float("inf")] * 2
    for _ in range(TIMES):
        took, found = own_seconds(lambda: berth.run(text, policies=[Easy]))
        alone, wanted = own_seconds(lambda: berth.run(text, policies=["easy"]))
        if found["Easy"].schedule_hash != wanted["easy"].schedule_hash:
            sys.exit("EASY as a class: another schedule")
        least = [min(least[0], took), min(least[1], alone)]
    show("KTH, EASY as a Python class / easy", least[0] / least[1], 6)


def rate(steps_of):
    """The most steps a second of three tries."""
    best = 0
    for _ in range(TIMES):
        begin = time.process_time()
        steps = steps_of()
        best = max(best, steps / (time.process_time() - begin))
    return best


def agent(copies):
    """The first job that fits, over the whole trace."""
    jobs = len(berth.run(text, policies=["fcfs"], audit=False)["fcfs"].jobs()["id"])
    env = berth.env.SchedulingEnv(text, jobs=128, window=jobs, copy=copies)

    def play():
        _, info = env.reset(seed=0)
        steps, is_over = 0, False
        while not is_over:
            _, _, is_over, _, info = env.step(int(info["action_mask"].argmax()))
            steps += 1
        return steps
    found = rate(play)
    env.close()
    return found


def steps_row():
    show("KTH, FCFS agent, K = 128, 8 features: steps a second", agent(False), 300_000)
    show("the same with copies of what is seen", agent(True), 200_000)


def many_rows():
    options = {"jobs": 128, "window": 256, "first": (0, 20_000), "copy": False}
    count, turns = 64, 400
    envs = berth.env.SchedulingVectorEnv(count, text, **options)

    def play(choose):
        seen, info = envs.reset(seed=1)
        for _ in range(turns):
            seen, _, _, _, info = envs.step(choose(seen, info))
        return count * turns
    weights = numpy.linspace(-1, 1, len(berth.env.JOB_FEATURES)).astype(numpy.float32)

    def scored(seen, info):
        scores = seen["jobs"] @ weights
        return numpy.where(info["action_mask"][:, :-1] != 0, scores,
                           -numpy.inf).argmax(axis=1)
    show("64 environments, FCFS agent: steps a second",
         rate(lambda: play(lambda _, info: info["action_mask"].argmax(axis=1))), 500_000)
    show("the same by a linear score in numpy", rate(lambda: play(scored)), 350_000)
    envs.close()


def reset_row():
    env = berth.env.SchedulingEnv(text, jobs=128, window=256, first=(0, 20_000))

    def play():
        for seed in range(2_000):
            env.reset(seed=seed)
        return 2_000
    show("reset of a window of 256 jobs", 1e6 / rate(play), 100, " us")
    env.close()


def completion_row():
    words = ["__complete", "2", "berth", "run", ""]
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        subprocess.run([program, *words], capture_output=True, check=False)
        times.append(time.perf_counter() - begin)
    show("berth __complete", 1e3 * min(times), 20, " ms")


make((primitives_row, passes_in_c_row, python_run_row, passes_in_python_row, class_row,
      steps_row, many_rows, reset_row, completion_row))
