#!/usr/bin/env python3
"""documented.py PROGRAM SOURCES [--write] : runs every documented option, and every example.

Each option that the help of a command lists is run on each scenario that is shipped
(made smaller: forty jobs, two seeds), or on the results of it, and each example of each
help is run as it stands.  What is documented works, or is refused with exit status 2, 3
or 4 and one of the messages in documented.tsv beside this file; --write makes that list
anew, to be read before it is kept.  An option without a sample value below has to get one.
"""
import collections, concurrent.futures, gzip, os, pathlib, re, shutil, signal, subprocess
import sys, tempfile, time

SAMPLES = {  # by option, or by command and option; {name} stands for a path
    "--trace": "{trace}", "--processors": "128", "--policy": "fcfs", "--seed": "3",
    "--set": "run.tau=20", "--out": "{new}", "--json": None, "--table": "markdown",
    "--metric": "mean_wait,p99_wait", "--color": "always", "--audit": "full", "-j": "1",
    "--time-limit": "30", "--memory-limit": "512", "--work-limit": "100000000",
    "--shard": "1/2", "--emit": "slurm", "--vary": "workload.first=20,30",
    "--schedule": "{schedule}", "--stretches": "{stretches}", "--promise": "easy",
    "--columns": "job_id=job_id", "--tolerance": "1", "--min-planned": "1",
    "--share": "4", "--weight": "1=2", "--ignore-before": "10",
    "-o,--out": "{new}", "-o,--output": "{new}.html", "--title": "A title",
    "--from": "0", "--to": "1000", "--gantt": "exact", "--jobs": "{schedule}",
    "--try": "walltime=100", "--without": "2", "--between": "{policies}",
    "--sample": "3", "--inputs": "{folder}", "--scenario": "{scenario}",
    "--filter": "starts", "--junit": "{new}.xml", "--claim": "1", "--list": "no_run_time",
    ("generate", "-o,--output"): "{new}.swf", ("generate", "--jobs"): "50",
    "--load": "0.8", "--variant": "whole", "--umed": "4", "--estimates": "factor",
    "--longest-estimate": "36000", ("explain", "--out"): "{new}",
    ("claims", "--out"): "{new}",
}
WITH = {  # what an option needs beside it
    "--from": ["--to", "1000"], "--to": ["--from", "0"], "--force": ["{out}", "{new}"],
    "--log": ["--out", "{new}"], "--report": ["--out", "{new}"],
    "--keep-jobs": ["--out", "{new}"], "--shard": ["--out", "{new}"],
    "--emit": ["--out", "{new}"], ("report", "--processors"): ["--jobs", "{schedule}"],
    ("report", "--columns"): ["--jobs", "{schedule}"],
    ("test", "--force"): ["--junit", "{new}.xml"],
    ("generate", "--force"): ["-o", "{new}.swf"],
    ("generate", "--longest-estimate"): ["--estimates", "tsafrir"],
    ("report", "--force"): ["-o", "{new}.html"],
}


class Bench:
    """The scratch folder, and what every run needs in it."""

    def __init__(self, program, sources):
        self.program, self.sources = program, sources
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="documented."))
        (self.folder / "bin").mkdir()
        (self.folder / "bin/berth").symlink_to(program)
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        self.env = {**os.environ, "PATH": path, "NO_COLOR": "1"}
        self.env.pop("BERTH_TRACES", None)
        self.count = 0
        shutil.copytree(sources / "scenarios", self.folder / "scenarios")
        self.scenarios = sorted(p.stem for p in (self.folder / "scenarios").glob("*.toml"))
        for name in self.scenarios:
            file = self.folder / f"scenarios/{name}.toml"
            text = re.sub(r"(?m)^(jobs\s*=\s*)\d+", r"\g<1>40", file.read_text())
            text = re.sub(r"(seed\s*=\s*\{ from = 1, to = )\d+", r"\g<1>2", text)
            file.write_text(text)

    def says(self, args, until=None, cwd=None):
        """(exit status, both streams); `until` is a text after which it is interrupted."""
        work = subprocess.Popen([self.program, *args], cwd=cwd or self.folder, env=self.env,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, errors="replace")
        text = ""
        if until:
            for line in work.stdout:
                text += line
                if re.search(until, line):
                    time.sleep(1)  # it waits for changes by then
                    work.send_signal(signal.SIGINT)
                    break
        try:
            rest, _ = work.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            work.kill()
            rest, _ = work.communicate()
            return "timeout", text + rest
        return work.returncode, text + rest

    def prepare(self):
        """Results of every scenario, and what the options name."""
        for name in self.scenarios:
            self.says(["run", f"scenarios/{name}.toml", "--out", f"of/{name}", "--keep-jobs"])
        self.says(["generate", "lublin", "--jobs", "60", "-o", "t.swf.gz"])
        self.says(["run", "--trace", "t.swf.gz", "--policy", "easy", "--out", "of/t"])
        self.says(["new", "policy", "mine"])
        for part in (1, 2):
            self.says(["run", "scenarios/load_sweep.toml", "--out", f"part{part}",
                       "--shard", f"{part}/2"])

    def names(self, scenario):
        self.count += 1
        runs = sorted((self.folder / f"of/{scenario}").rglob("jobs.csv"))
        first = runs[0].parent if runs else self.folder / "of" / scenario
        labels = [p.parent.name for p in runs[:2]]
        return {"trace": "t.swf.gz", "new": f"new/{self.count}", "out": "--out",
                "folder": str(self.folder), "scenario": f"scenarios/{scenario}.toml",
                "schedule": str(first / "jobs.csv"), "run": str(first),
                "stretches": str(first / "stretches.csv"), "of": f"of/{scenario}",
                "policies": labels}


def commands_of(bench):
    _, text = bench.says(["--help"])
    names = re.findall(r"(?m)^  ([a-z]+)  +\S", text)
    return [name for name in names if bench.says([name, "--help"])[0] == 0]


def options_of(bench, command):
    """(names, whether there is a value) of each option in the help."""
    _, text = bench.says([command, "--help"])
    text = text[text.index("Options:"):].split("\n\n")[0]
    found = re.findall(r"(?m)^  (-{1,2}[\w-]+(?:,-{1,2}[\w-]+)*)( TEXT)?", text)
    return [(names, bool(value)) for names, value in found if names != "-h,--help"]


def base_of(command):
    """The words in front of an option, and whether they differ from scenario to scenario."""
    return {
        "run": (["{scenario}"], True), "sweep": (["{scenario}", "--out", "{new}"], True),
        "verify": (["{scenario}", "--schedule", "{schedule}"], True),
        "expectations": (["{scenario}"], True), "explain": (["{run}", "3"], True),
        "check": (["mine.lua"], True), "watch": (["{scenario}"], True),
        "debug": (["{scenario}"], True), "report": (["{of}", "-o", "{new}.html"], True),
        "merge": (["part1", "part2"], False), "test": (["mine.test.lua"], False),
        "claims": (["scenarios/papers/k-resource", "--dry-run"], False),
        "generate": (["lublin", "--jobs", "50"], False), "trace": (["t.swf.gz"], False),
        "policies": ([], False), "api": ([], False), "new": (["policy", "{new}"], False),
        "completions": (["bash"], False),
    }[command]


def filled(words, names):
    made = []
    for word in words:
        if word == "{policies}":
            made += names["policies"]
        else:
            made.append(word.format(**names))
    return made


def words_of(command, option, has_value, names):
    base, _ = base_of(command)
    flag = option.split(",")[-1]
    words = list(base)
    if flag in words:  # given by the base already
        at = words.index(flag)
        del words[at:at + (2 if has_value else 1)]
    for key in ("-o", "--output"):
        if option == "-o,--output" and key in words:
            at = words.index(key)
            del words[at:at + 2]
    if has_value:
        sample = SAMPLES.get((command, option), SAMPLES.get(option))
        if sample is None:
            raise KeyError(f"{command} {option}: give it a sample value in {__file__}")
        words += [flag, sample]
    else:
        words.append(flag)
    extra = WITH.get((command, option), WITH.get(option, []))
    for key, value in zip(extra[::2], extra[1::2]):
        if key not in words and key.format(**names) not in words:
            words += [key, value]
    if (command, option) == ("verify", "--trace"):
        words = ["--trace", "{trace}", "--schedule", "of/t/jobs.csv"]
    if option == "--between":
        words = [word for word in words if word not in ("{run}", "3")]
        words.insert(words.index("--between"), "{of}")
    return filled(words, names)


def cells(bench):
    for command in commands_of(bench):
        base, differs = base_of(command)
        for option, has_value in options_of(bench, command):
            for scenario in bench.scenarios if differs else ["-"]:
                names = bench.names(scenario if differs else "quickstart")
                yield command, option, scenario, words_of(command, option, has_value, names)


def message_of(text):
    """The first complaint, without what differs from run to run."""
    lines = [line for line in text.splitlines() if line.strip()]
    quiet = ("warning", "part ", "--- run", "see `", " ", "the same at")
    wrong = [line for line in lines if not line.startswith(quiet)]
    line = wrong[0] if wrong else ""
    line = re.sub(r"/tmp/\S*?documented\.\w+/", "", line)
    return re.sub(r"\bnew/\d+", "NEW", line)[:200]


def try_option(bench, cell):
    command, option, scenario, words = cell
    until = r"^--- run 1" if command == "watch" else None
    code, text = bench.says([command, *words], until)
    if command == "watch" and code == 130:
        code = 0
    return cell, code, message_of(text)


# What the examples of a command name, made by a shell in a folder of their own.
SETUP = {
    "report": "berth run --trace t.swf.gz --policy easy --out out\ncp out/jobs.csv out_jobs.csv",
    "verify": "berth run --trace t.swf.gz --policy easy --out out\n"
              "berth run scenarios/star.toml --out star\ncp -r star/fcfs out/fcfs",
    "merge": "for i in 1 2; do berth run scenarios/load_sweep.toml --out part$i --shard $i/2; done",
    "explain": "berth run --trace KTH.swf.gz --policy easy --policy conservative --out results",
    "test": "berth new policy mine\ncp -r \"$SOURCES/policies\" policies",
    "check": "berth new policy mine", "run": "berth new policy mine",
}


def try_examples(bench):
    """Each example of each help."""
    failed, count = [], 0
    bench.env["SOURCES"] = str(bench.sources)
    traces = bench.folder / "traces"
    traces.mkdir()
    bench.says(["generate", "lublin", "--jobs", "5000", "-o", "traces/long.swf"])
    text = (traces / "long.swf").read_text().splitlines()
    rows = [line if line.startswith(";") else re.sub(r"^(\s*\S+\s+\S+\s+)-1", r"\g<1>5", line)
            for line in text]
    for name in ("KTH.swf.gz", "KTH-SP2-1996-2.1-cln.swf.gz", "t.swf.gz", "FILE.swf.gz"):
        (traces / name).write_bytes(gzip.compress("\n".join(rows).encode() + b"\n"))
    for command in commands_of(bench):
        if command in ("watch", "debug"):
            continue  # they wait for a user; their options are run above
        _, text = bench.says([command, "--help"])
        lines = re.findall(r"(?m)^  (berth .*)$", text)
        folder = bench.folder / f"examples/{command}"
        folder.mkdir(parents=True)
        shutil.copytree(bench.sources / "scenarios", folder / "scenarios")
        for trace in traces.iterdir():
            shutil.copy(trace, folder)
        shell = {"cwd": folder, "env": bench.env, "stdin": subprocess.DEVNULL,
                 "capture_output": True, "text": True}
        subprocess.run(["sh", "-ec", SETUP.get(command, "")], **shell)
        for line in lines:
            count += 1
            work = subprocess.run(["sh", "-c", line], **shell)
            if work.returncode != 0:
                failed.append(f"{line}: exit {work.returncode}: {message_of(work.stderr)}")
    return count, failed


def main():
    program, sources = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    file = pathlib.Path(__file__).with_suffix(".tsv")
    bench = Bench(program, sources)
    try:
        bench.prepare()
        refused, wrong = collections.defaultdict(list), []
        work = list(cells(bench))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for cell, code, message in pool.map(lambda c: try_option(bench, c), work):
                command, option, scenario, words = cell
                if command == "verify" and code == 1 and "wrong" in message:
                    continue  # judged: the schedule of one point is not that of another
                if code in (2, 3, 4) and message:
                    refused[command, option, message].append(scenario)
                elif code != 0:
                    wrong.append(f"berth {command} {' '.join(words)}: exit {code}: {message}")
        examples, failed = try_examples(bench)
    finally:
        shutil.rmtree(bench.folder, ignore_errors=True)
    rows = sorted("\t".join([command, option, " ".join(sorted(names)), message])
                  for (command, option, message), names in refused.items())
    if sys.argv[3:] == ["--write"]:
        file.write_text("\n".join(rows) + "\n")
    known = set(file.read_text().splitlines()) if file.exists() else set()
    wrong += failed + [f"refused, and not in {file.name}: {row}" for row in rows
                       if row not in known]
    wrong += [f"in {file.name}, and not refused: {row}" for row in known - set(rows)]
    some = sum(len(names) for names in refused.values())
    print("\n".join(rows))
    print(f"{len(work)} options on scenarios: {len(work) - some} work, {some} are refused; "
          f"{examples} examples")
    print("\n".join(wrong))
    print(f"documented: {len(work) + examples - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


sys.exit(main())
