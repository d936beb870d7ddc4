"""The cluster of Weng et al. 2023 filled with draws of our own, against what they published.

    python3 tests/machines/devices/openb.py BERTH OPENB

OPENB is the folder with hosts, traces, expected.csv and expected_fragmentation.csv.  Seven
traces, six policies and ten seeds, audited, on two threads.  At each mark 40 of the 42 means of
the allocation have to lie within two standard deviations of the published mean, and of the
fragmentation as well; those that do not are named, with both values.
"""

import csv
import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

LEAST = 40  # of 42
MARKS = {"allocation": (100, 130), "fragmentation": (80, 100, 130)}
FILES = {"allocation": "expected.csv", "fragmentation": "expected_fragmentation.csv"}
SCENARIOS = pathlib.Path(__file__).resolve().parents[3] / "scenarios/papers/gpu-sharing"
OF_TRACE = {"default": "default", "cpu100": "cpu", "cpu250": "cpu", "gpushare60": "gpushare",
            "gpushare100": "gpushare", "gpuspec33": "gpuspec", "multigpu40": "multigpu"}
MINUTES = 2 * 8.3  # for all runs: 8.3 minutes on two processors


def scenario_of(trace, openb):
    """The scenario of the claims with this trace alone, and without their own metrics."""
    lines = (SCENARIOS / f"{OF_TRACE[trace]}.toml").read_text().splitlines()
    text = "\n".join(line for line in lines
                     if not line.startswith('"workload.trace"') and not line.endswith('.lua"'))
    text = re.sub(r'(?m)^hosts_file .*$', f'hosts_file = "{openb}/hosts.csv.gz"', text)
    return re.sub(r'(?m)^trace .*$', f'trace = "{openb}/{trace}.csv.gz"', text)


def measure(berth, openb):
    """Values of ten seeds by kind, trace, policy and mark."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for trace in OF_TRACE:
            scenario = pathlib.Path(folder, f"{trace}.toml")
            scenario.write_text(scenario_of(trace, openb))
            said = subprocess.run([berth, "run", scenario, "-j", "2", "--json=runs"],
                                  check=True, capture_output=True, text=True).stdout
            for run in json.loads(said):
                policy = re.match(r"(?:gpu_)?(\w+)", run["policy"]).group(1)
                for kind, marks in MARKS.items():
                    for mark in marks:
                        value = run["metrics"][f"gpu_{kind}_at_{mark}"]["value"]
                        found.setdefault((kind, trace, policy, mark), []).append(value)
    return found


def judge(found, openb):
    """Prints a line a kind and mark; returns whether enough means lie within."""
    within = {}
    for kind, file in FILES.items():
        with open(openb / file) as rows:
            for row in csv.DictReader(rows):
                key = (kind, row["trace"], row["policy"], int(row["mark"]))
                if key not in found:
                    continue
                assert len(found[key]) == 10, key
                mean, deviation = float(row["mean"]), float(row["sd"])
                own = statistics.mean(found[key])
                is_near = abs(own - mean) <= 2 * deviation
                within.setdefault((kind, key[3]), []).append(is_near)
                if not is_near:
                    print(f"{kind} {row['trace']} {row['policy']} at {key[3]} %: {own:.2f}, "
                          f"published {mean:.2f} ± {deviation:.2f}")
    for (kind, mark), near in within.items():
        print(f"{kind} at {mark} %: {sum(near)} of {len(near)} means within two deviations")
    return all(len(near) == 42 and sum(near) >= LEAST for near in within.values())


def main():
    berth, openb = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    found = measure(berth, openb)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    minutes = (used.ru_utime + used.ru_stime) / 60
    runs = sum(len(each) for (kind, _, _, mark), each in found.items()
               if kind == "allocation" and mark == 130)
    print(f"{runs} runs in {minutes:.1f} / {MINUTES} minutes of processor time")
    return 0 if judge(found, openb) and minutes < MINUTES else 1


if __name__ == "__main__":
    sys.exit(main())
