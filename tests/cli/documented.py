#!/usr/bin/env python3
"""documented.py PROGRAM SOURCES [--write]: runs every option and example of the help.

Each option that the help of a command lists is run on each scenario of SOURCES/scenarios
(made small: forty jobs, two seeds), or once where a command takes no scenario; each example
of each help is run as it stands.  What is documented works (exit status 0), or is refused
with exit status 2, 3 or 4 and the message that documented.tsv beside this file keeps for
it.  A refusal that is not kept, one that is kept and does not come, and any other end fail.

--write makes documented.tsv anew, to be read before it is kept: a user has to understand
each message, and the help or the docs have to state what it says.

Nothing is read but PROGRAM and SOURCES, all is written in a folder of its own, and the
result depends neither on the number of processors nor on the order of the runs.
"""

import collections
import concurrent.futures
import csv
import gzip
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

REFUSED = (2, 3, 4)  # wrong usage, a wrong input, a wrong policy
LONGEST = 60  # seconds; a process that takes more is killed, which fails

# ---- what is run -----------------------------------------------------------------------
#
# In these tables a name in braces stands for what differs:
#   {new}       a path that nothing has yet
#   {scenario}  the file of a scenario; with {load}, and with {point}, which also chooses
#               the seed, it is one run, of a sweep its first point
#   {trace}     a trace that goes with the files that the scenario names
#   {policy}    a policy for its machine, {other} another one
#   {setting}   a key and a value for it, {axis} with values to vary it
#   {run}       the folder of the run of {policy} at {point}, {jobs} the schedule in it,
#               {stretches} the same by stretches, {renamed} with nr for the column job_id
#   {results}   the folder of all that the scenario runs

# The words of each command in front of an option.
BASES = {
    "run": "run {scenario}",
    "sweep": "sweep {scenario}",
    "merge": "merge part1 part2",
    "report": "report {results} -o {new}.html",
    "playground": "playground {scenario} {point} -o {new}.html",
    "verify": "verify {scenario} {point} --schedule {jobs}",
    "expectations": "expectations {scenario} {point} --schedule {jobs}",
    "explain": "explain {run} 3",
    "policies": "policies",
    "new": "new policy",
    "check": "check mine.lua",
    "test": "test mine.test.lua",
    "watch": "watch {scenario} {point} --policy {policy}",
    "debug": "debug {scenario} {point} --policy {policy}",
    "shadow": "shadow --from looks --policy easy",
    "claims": "claims scenarios/papers/virtual-clusters --claim V1",
    "trace": "trace t.swf.gz",
    "convert": "convert t.swf.gz {new}.csv",
    "generate": "generate lublin --jobs 50",
    "api": "api",
    "completions": "completions bash",
}

# The words of each option behind them, of all commands or of the one that is named.  An
# option without a value and without an entry is given as it is.
WORDS = {
    "--trace": "--trace {trace}",
    "--processors": "--processors 256",
    "--hosts": "--hosts hosts.csv",
    "--policy": "--policy {other}",
    "--set": "--set {setting}",
    "--vary": "--vary {axis}",
    "--seed": "--seed 3",
    "--out": "--out {new}",
    "-o,--out": "--out {new}",
    "-o,--output": "--output {new}.swf",
    "--log": "--log --keep-jobs --out {new}",
    "--keep-jobs": "--keep-jobs --out {new}",
    "--report": "--report --out {new}",
    "--shard": "--shard 1/2 --out {new}",
    "--emit": "--emit slurm --out {new}",
    "--table": "--table markdown",
    "--metric": "--metric mean_wait,p99_wait",
    "--color": "--color always",
    "--audit": "--audit full",
    "-j": "-j 1",
    "--time-limit": "--time-limit 30",
    "--memory-limit": "--memory-limit 512",
    "--work-limit": "--work-limit 100000000",
    "--title": "--title 'A title'",
    "--from": "--from 0 --to 1000",
    "--to": "--to 1000 --from 0",
    "--gantt": "--gantt exact",
    "--promise": "--promise easy",
    "--tolerance": "--tolerance 1",
    "--shift": "--shift 0",
    "--share": "--share 4",
    "--weight": "--weight 1=2",
    "--ignore-before": "--ignore-before 1000",
    "--try": "--try walltime=100000",
    "--without": "--without 2",
    "--inputs": "--inputs .",
    "new --packer": "packer --packer",
    "--scenario": "--scenario {scenario}",
    "--filter": "--filter backfilling",
    "--junit": "--junit {new}.xml",
    "watch --test": "--policy mine.lua --test",
    "--list": "--list no_walltime",
    "--format": "--format swf",
    "--time-zone": "--time-zone +01:00",
    "--repairs": "--repairs {new}.repairs",
    "--legend": "--legend {new}.names",
    "--min-length": "--min-length 1",
    "convert --from": "--from swf",
    "convert --to": "--to swf",
    "convert --set": "--set workload.size=allocated",
    "--partition": "--partition p",
    "--every": "--every 5",
    "--looks": "--looks 1",
    "--save": "--save {new}",
    "--unit": "--unit nodes",
    "shadow --set": "--set machine.pick=highest",
    "trace --set": "--set workload.size=allocated",
    "--load": "--load 0.8",
    "--variant": "--variant whole",
    "--umed": "--umed 4",
    "--estimates": "--estimates factor",
    "--longest-estimate": "--longest-estimate 72000 --estimates tsafrir",
}

# Whole command lines, where the words of the command do not fit, or where others make what
# the last one reads; how that one ends counts.
LINES = {
    "run --force": "run {scenario} --out {new} && run {scenario} --seed 3 --out {new} --force",
    "sweep --force":
        "sweep {scenario} --out {new} && sweep {scenario} --seed 3 --out {new} --force",
    "merge --force":
        "merge part1 part2 --out {new} && merge part1 part2 --out {new} --force",
    "merge --mark-missing": "merge part1 --mark-missing",
    "report -o,--output": "report {results} --output {new}.html",
    "report --force": "report {results} -o {new}.html && report {results} -o {new}.html --force",
    "playground --force": "playground {scenario} {point} -o {new}.html && "
                          "playground {scenario} {point} -o {new}.html --force",
    "playground --json": "playground {scenario} {point} -o {new}.html --json",
    "playground --policy": "playground {scenario} {point} --policy {policy} -o {new}.html",
    "playground --processors": "playground {scenario} {point} --processors 1024 -o {new}.html",
    "playground --seed": "playground {scenario} {load} --seed 3 -o {new}.html",
    "playground --set": "playground {scenario} {point} --set {setting} -o {new}.html",
    "playground --trace": "playground --trace {trace} --policy {policy} -o {new}.html",
    "playground -o,--output": "playground {scenario} {point} --output {new}.html",
    "report --jobs": "report --jobs {jobs} -o {new}.html",
    "report --playground": "report {run} --playground -o {new}.html",
    "report --columns": "report --jobs {renamed} --columns job_id=nr -o {new}.html",
    "report --processors": "report --jobs {jobs} --processors 1024 -o {new}.html",
    "verify --schedule": "verify {scenario} {point} --schedule {jobs}",
    "verify --columns": "verify {scenario} {point} --schedule {renamed} --columns job_id=nr "
                        "--stretches {stretches}",
    "verify --format":
        "run {scenario} {point} --trace {trace} --policy {policy} --out {new} && verify "
        "{scenario} {point} --trace {trace} --format swf --schedule {new}/jobs.csv",
    "verify --min-planned":
        "run {scenario} {point} --set machine.min_planned=600 --policy {policy} --out {new} && "
        "verify {scenario} {point} --min-planned 600 --schedule {new}/jobs.csv",
    "verify --stretches":
        "verify {scenario} {point} --schedule {jobs} --stretches {stretches}",
    "expectations --schedule": "expectations {scenario} {point} --schedule {jobs}",
    "expectations --columns":
        "expectations {scenario} {point} --schedule {renamed} --columns job_id=nr",
    "expectations --force":
        "expectations {scenario} {point} --schedule {jobs} -o {new} && "
        "expectations {scenario} {point} --schedule {jobs} -o {new} --force",
    "explain --between": "explain {scenario} {point} --between {policy} {other}",
    "explain --sample": "explain {run} --sample 3",
    "explain --out": "explain {run} --out {new}",
    "explain --tools": "explain {run} --tools tools",
    "explain --force": "explain {run} --out {new} && explain {run} --out {new} --force",
    "explain --trace": "explain {scenario} {point} --trace {trace} --policy {policy} 3",
    "explain --processors":
        "explain {scenario} {point} --processors 256 --policy {policy} 3",
    "explain --hosts": "explain {scenario} {point} --hosts hosts.csv --policy {policy} 3",
    "explain --format":
        "explain {scenario} {point} --trace {trace} --format swf --policy {policy} 3",
    "explain --time-zone":
        "explain {scenario} {point} --trace {trace} --time-zone +01:00 --policy {policy} 3",
    "explain --repairs": "explain {scenario} {point} --trace {trace} "
                         "--repairs {new}.repairs --policy {policy} 3",
    "run --profile": "run {scenario} {point} --profile",
    "run --repairs": "run {scenario} --trace {trace} --repairs {new}.repairs",
    "sweep --repairs": "sweep {scenario} --trace {trace} --repairs {new}.repairs",
    "explain --policy": "explain {scenario} {point} --policy {other} 3",
    "explain --set": "explain {scenario} {point} --set {setting} --policy {policy} 3",
    "explain --seed": "explain {scenario} {load} --seed 3 --policy {policy} 3",
    "check --scenario": "check policies/{policy}.lua --scenario {scenario}",
    "test --force":
        "test mine.test.lua --junit {new}.xml && test mine.test.lua --junit {new}.xml --force",
    "watch --policy": "watch {scenario} {point} --policy {other}",
    "watch --seed": "watch {scenario} {load} --policy {policy} --seed 3",
    "debug --policy": "debug {scenario} {point} --policy {other}",
    "debug --seed": "debug {scenario} {load} --policy {policy} --seed 3",
    "claims --claim": "claims scenarios/papers/virtual-clusters --claim V1",
    "claims --convert": "claims --convert old_claims.toml",
    "shadow --from": "shadow --from looks --policy easy",
    "generate --jobs": "generate lublin --jobs 50",
    "convert --force": "convert t.swf.gz {new}.csv && convert t.swf.gz {new}.csv --force",
    "convert --columns":
        "convert t.swf.gz {new}.csv && convert {new}.csv {new}.swf "
        "--columns id=job_id,submit=submit,size=size,length=length",
    "trace --columns":
        "convert t.swf.gz {new}.csv && trace {new}.csv "
        "--columns id=job_id,submit=submit,size=size,length=length",
    "generate --force": "generate lublin --jobs 50 -o {new}.swf && "
                        "generate lublin --jobs 60 -o {new}.swf --force",
}
for judge in ("verify", "expectations"):  # of a schedule of the same jobs
    for option, jobs in {"--trace": "{scenario} {point} --trace {trace}",
                         "--processors": "{scenario} {point} --processors 256",
                         "--hosts": "{scenario} {point} --hosts hosts.csv",
                         "--set": "{scenario} {point} --set {setting}",
                         "--seed": "{scenario} {load} --seed 3"}.items():
        LINES[f"{judge} {option}"] = (f"run {jobs} --policy {{policy}} --out {{new}} && "
                                      f"{judge} {jobs} --schedule {{new}}/jobs.csv")

# What a name stands for, and where a scenario needs another one.
USUAL = {"trace": "t.swf.gz", "policy": "easy", "other": "fcfs", "load": "", "point": "",
         "setting": "workload.first=20", "axis": "workload.first=20,30"}
OF_SCENARIO = {
    "fractions": {"policy": "gang"},
    "load_sweep": {"load": "--set workload.load=0.6",
                   "point": "--set workload.load=0.6 --seed 1"},
    "packing": {"policy": "greedy", "other": "cosine", "setting": "packing.jobs=8",
                "axis": "packing.slack=0.2,0.3", "jobs": "one/packing/packings.csv",
                "renamed": "one/packing/packings.csv"},
    "operations": {"trace": "scenarios/operations.swf"},
    "site": {"trace": "scenarios/site.swf"},
    "star": {"trace": "scenarios/star.swf", "setting": "workload.first=4"},
    "types": {"trace": "scenarios/types.swf"},
}

# What the examples of a command name, made by a shell in a folder of their own, where also
# the scenarios are and KTH.swf.gz and others, which are no logs but look like one.
SETUPS = {
    "run": "berth new policy mine",
    "check": "berth new policy mine",
    "test": "mkdir policies && (cd policies && berth new policy mine); berth new policy mine",
    "watch": "berth new policy mine; cp scenarios/quickstart.toml .",
    "debug": "berth new policy mine; cp scenarios/quickstart.toml .",
    "shadow": "berth new policy mine; bin=$(dirname $(command -v berth))\n"
              "for program in squeue sinfo; do\n"
              "  printf '#!/bin/sh\\ncat %s/looks/1.%s.json' $bin/.. $program >$bin/$program\n"
              "  chmod +x $bin/$program\n"
              "done",
    "verify": "berth run --trace t.swf.gz --policy easy --out out\n"
              "berth run scenarios/star.toml --out star; cp -r star/fcfs out/fcfs",
    "merge": "for i in 1 2; do\n"
             "  berth run scenarios/load_sweep.toml --out part$i --shard $i/2\n"
             "done",
    "report": "berth generate lublin --jobs 50 --processors 64 -o t.swf\n"
              "berth run --trace t.swf --policy easy --out out; cp out/jobs.csv out_jobs.csv",
    "playground": "berth new policy mine; cp scenarios/quickstart.toml .",
    "convert": "printf 'JobID|State|Submit|Start|End|AllocCPUS\\n"
               "1|COMPLETED|2026-01-01T00:00:00|2026-01-01T00:00:05|2026-01-01T00:01:00|4\\n'"
               " > jan.txt\n"
               "printf '{\"nodes\": [{\"name\": \"n1\", \"cpus\": 4}]}' > sinfo.json\n"
               "berth run --trace t.swf.gz --policy easy --policy fcfs --out results",
    "explain": "berth run --trace KTH.swf.gz --policy easy --policy conservative "
               "--out results",
}


class Bench:
    """The folder in which all is run, and how."""

    def __init__(self, program, sources):
        self.program = program
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="documented."))
        (self.folder / "bin").mkdir()
        (self.folder / "bin/berth").symlink_to(program)
        self.env = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        for name in ("BERTH_TRACES", "COLUMNS"):
            self.env.pop(name, None)
        for made in ("other", "new"):
            (self.folder / made).mkdir()
        for name in ("policies", "tools"):
            shutil.copytree(sources / name, self.folder / name)
        (self.folder / "hosts.csv").write_text("name,processors,memory,count\nn,16,64,16\n")
        (self.folder / "old_claims.toml").write_text(
            '[[claim]]\nid = "1"\nsays = "x"\ngiven = "y"\n')
        self.write_looks()
        self.write_engine(sources / "playground/web")
        self.copy_scenarios(sources / "scenarios", self.folder)
        self.scenarios = sorted(p.stem for p in (self.folder / "scenarios").glob("*.toml"))

    def write_looks(self):
        """What a Slurm has said once."""
        (self.folder / "looks").mkdir()
        (self.folder / "looks/1.squeue.json").write_text(
            '{"time": 1800000000, "jobs": [{"job_id": 1, "job_state": "PENDING", "cpus": 2,'
            ' "partition": "p", "submit_time": 1799999000, "time_limit": 5}]}')
        (self.folder / "looks/1.sinfo.json").write_text(
            '{"nodes": [{"name": "n1", "cpus": 4, "state": "idle", "partitions": ["p"]}]}')

    def write_engine(self, web):
        """What `berth playground` embeds, with nothing for an engine."""
        shutil.copytree(web, self.folder / "engine")
        for name in ("berth.js", "berth.wasm"):
            (self.folder / "engine" / name).write_text("// none")
        self.env["BERTH_PLAYGROUND"] = str(self.folder / "engine")

    @staticmethod
    def copy_scenarios(scenarios, to):
        """The scenarios, made small."""
        shutil.copytree(scenarios, to / "scenarios")
        for file in (to / "scenarios").glob("*.toml"):
            text = re.sub(r"(?m)^(jobs\s*=\s*)\d{3,}", r"\g<1>40", file.read_text())
            text = re.sub(r"(?m)^(instances\s*=\s*)\d+", r"\g<1>5", text)
            text = re.sub(r"(seed\s*=\s*\{ from = 1, to = )\d+", r"\g<1>2", text)
            file.write_text(text)

    def berth(self, words, folder=None):
        """(exit status, output, messages); a watch is interrupted after its first run."""
        process = subprocess.Popen(
            [self.program, *words], cwd=folder or self.folder, env=self.env, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            errors="replace")
        too_late = threading.Timer(LONGEST, process.kill)
        too_late.start()
        output = ""
        if words[0] == "watch":
            for line in process.stdout:  # a block is printed as one piece
                output += line
                if line.startswith("--- run 1"):
                    output += process.stdout.readline()
                    process.send_signal(signal.SIGINT)
                    break
        orders = "queue\ncontinue\n" if words[0] == "debug" else ""
        rest, messages = process.communicate(orders)
        too_late.cancel()
        return process.returncode, output + rest, messages

    def must(self, line):
        """What others need, which has to work."""
        code, _, messages = self.berth(shlex.split(line))
        if code != 0:
            sys.exit(f"berth {line}: exit {code}: {messages}")

    def prepare(self):
        """What the tables above name."""
        for line in ("generate lublin --jobs 60 -o t.swf.gz", "new policy mine",
                     "run scenarios/load_sweep.toml --out part1 --shard 1/2",
                     "run scenarios/load_sweep.toml --out part2 --shard 2/2"):
            self.must(line)
        for name in self.scenarios:
            names = self.names_of(name)
            self.must("run {scenario} --out {results} --keep-jobs".format(**names))
            self.must("run {scenario} {point} --policy {policy} --out {run}"
                      .format(**names))
            if (self.folder / names["run"] / "jobs.csv").exists():
                self.write_schedules(self.folder / names["run"], names)

    def write_schedules(self, run, names):
        """The schedule of a run in other words."""
        text = (run / "jobs.csv").read_text()
        (self.folder / names["renamed"]).write_text(text.replace("job_id", "nr", 1))
        stretches = self.folder / names["stretches"]
        if (run / "stretches.csv").exists():
            shutil.copy(run / "stretches.csv", stretches)
        else:  # each job is one stretch
            lines = ["{job_id},{starting_time},{finish_time},running,,1,{allocated_resources}"
                     .format(**job) for job in csv.DictReader(text.splitlines())]
            head = "job_id,from,to,kind,tier,yield,resources"
            stretches.write_text("\n".join([head, *lines]) + "\n")

    def names_of(self, scenario, number=0):
        """What the names in braces stand for."""
        return {"new": f"new/{number}", "scenario": f"scenarios/{scenario}.toml",
                "run": f"one/{scenario}", "jobs": f"one/{scenario}/jobs.csv",
                "stretches": f"other/{scenario}-stretches.csv",
                "renamed": f"other/{scenario}-renamed.csv", "results": f"all/{scenario}",
                **USUAL, **OF_SCENARIO.get(scenario, {})}

    def help_of(self, command):
        return self.berth([command, "--help"])[1]

    def commands(self):
        """As the help lists them."""
        text = self.berth(["--help"])[1].split("Subcommands:")[1].split("\n\n")[0]
        return re.findall(r"(?m)^  ([a-z]+) ", text)

    def options(self, command):
        """(names as the help has them, whether there is a value) of each option."""
        text = self.help_of(command).split("Options:")[1].split("\n\n")[0]
        found = re.findall(r"(?m)^  (-{1,2}[\w-]+(?:,-{1,2}[\w-]+)*)( TEXT)?", text)
        return [(names, bool(value)) for names, value in found if names != "-h,--help"]

    def examples(self, command):
        text = self.help_of(command)
        if re.search(r"(?m)^  berth .*\n  (?!berth )", text):
            sys.exit(f"berth {command} --help: an example is longer than a line")
        return re.findall(r"(?m)^  (berth .*)$", text)


# ---- options ---------------------------------------------------------------------------


def line_of(command, option, has_value):
    """The command line of an option, with names in braces."""
    both = f"{command} {option}"
    if both in LINES:
        return LINES[both]
    words = WORDS.get(both, WORDS.get(option))
    if words is None and has_value:
        sys.exit(f"{both} has a value: give it an entry in {__file__}")
    return f"{BASES[command]} {words or option.split(',')[-1]}"


Row = collections.namedtuple("Row", "command option scenario lines")


def rows_of(bench):
    """Each option on each scenario."""
    rows = []
    for command in bench.commands():
        for option, has_value in bench.options(command):
            line = line_of(command, option, has_value)
            differs = re.search(r"\{(scenario|run|jobs|renamed|results)\}", line)
            for scenario in bench.scenarios if differs else ["-"]:
                names = bench.names_of(scenario, len(rows))
                lines = [shlex.split(each) for each in line.format(**names).split("&&")]
                rows.append(Row(command, option, scenario, lines))
    return rows


def complaint(words, output, messages):
    """The first line of what was wrong; the names of new files are left out."""
    quiet = r"warning: |see `|--- run|\d+ points?: "
    text = output if words[0] == "watch" else messages
    lines = [line for line in text.splitlines() if line and not re.match(quiet, line)]
    return re.sub(r"\bnew/\d+", "NEW", lines[0]) if lines else ""


def end_of(bench, row):
    """(the words that were run last, their exit status, their complaint)"""
    ends = [bench.berth(words) for words in row.lines]
    for words, (code, output, messages) in zip(row.lines, ends):
        if code != 0 and ends[-1][0] == 0:  # what is read was not made
            return words, "before the option", complaint(words, output, messages)
    code, output, messages = ends[-1]
    return words, code, complaint(words, output, messages) if code != 0 else ""


def try_options(bench, rows):
    """(lines of documented.tsv, number of refusals, failures)"""
    refused, failed = collections.defaultdict(list), []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ends = pool.map(lambda row: end_of(bench, row), rows)
        for row, (words, code, message) in zip(rows, ends):
            if code in REFUSED and message:
                refused[row.command, row.option, message].append(row.scenario)
            elif code != 0:
                failed.append(f"berth {shlex.join(words)}: exit {code}: {message}")
    lines = ["\t".join([command, option, " ".join(scenarios), message])
             for (command, option, message), scenarios in sorted(refused.items())]
    return lines, sum(len(scenarios) for scenarios in refused.values()), failed


# ---- examples --------------------------------------------------------------------------


def write_traces(bench):
    """A workload under the names that examples give to traces: SWF with waits of 5 s."""
    bench.must("generate lublin --jobs 5000 -o long.swf")
    lines = (bench.folder / "long.swf").read_text().splitlines()
    lines = [line if line.startswith(";") else
             re.sub(r"^(\s*\S+\s+\S+\s+)-1", r"\g<1>5", line) for line in lines]
    packed = gzip.compress("\n".join(lines).encode() + b"\n")
    (bench.folder / "traces").mkdir()
    for name in ("KTH", "KTH-SP2-1996-2.1-cln", "t", "FILE"):
        (bench.folder / f"traces/{name}.swf.gz").write_bytes(packed)


def try_examples(bench, sources):
    """(number of examples, failures): those of a command in their order, in one folder."""
    count, failed = 0, []
    write_traces(bench)
    for command in bench.commands():
        folder = bench.folder / "examples" / command
        shutil.copytree(bench.folder / "traces", folder)
        shutil.copytree(sources / "scenarios", folder / "scenarios")
        shell = {"cwd": folder, "env": bench.env, "stdin": subprocess.DEVNULL,
                 "capture_output": True, "text": True, "timeout": 5 * LONGEST}
        setup = subprocess.run(["sh", "-ec", SETUPS.get(command, "")], **shell)
        if setup.returncode != 0:
            failed.append(f"what the examples of {command} need: {setup.stderr}")
        for line in bench.examples(command):
            count += 1
            if line.startswith("berth watch"):
                code, _, messages = bench.berth(shlex.split(line)[1:], folder)
            else:
                done = subprocess.run(["sh", "-c", line], **shell)
                code, messages = done.returncode, done.stderr
            if code != 0:
                failed.append(f"{line}: exit {code}: {complaint(['-'], '', messages)}")
    return count, failed


def main():
    begin = time.monotonic()
    program, sources = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    kept = pathlib.Path(__file__).with_suffix(".tsv")
    head = "command\toption\tscenarios\trefusal"
    bench = Bench(program, sources)
    try:
        bench.prepare()
        rows = rows_of(bench)
        refused, refusals, failed = try_options(bench, rows)
        examples, failed_examples = try_examples(bench, sources)
    finally:
        shutil.rmtree(bench.folder, ignore_errors=True)
    if sys.argv[3:] == ["--write"]:
        kept.write_text("\n".join([head, *refused]) + "\n")
    known = kept.read_text().splitlines()[1:]
    failed += failed_examples
    failed += [f"refused, and not kept in {kept.name}: {line}"
               for line in refused if line not in known]
    failed += [f"kept in {kept.name}, and not refused: {line}"
               for line in known if line not in refused]
    print(*failed, sep="\n", end="\n" if failed else "")
    print(f"documented: {len(rows)} rows of option and scenario, {refusals} of them refused "
          f"in {len(refused)} messages; {examples} examples; {len(failed)} failed; "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
