#!/usr/bin/python3
"""pages.py BERTH SOURCES: the man pages hold what the program prints of itself, and are set
without a warning."""

import glob
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

BERTH, SOURCES = os.path.realpath(sys.argv[1]), sys.argv[2]


def says(*words):
    return subprocess.run([BERTH, *words], check=True, capture_output=True, text=True).stdout


def options_of(text):
    """The options that begin an entry of a help or of a page that is shown."""
    found = set()
    for names in re.findall(r"^ +(-[-\w]+(?:, ?-[-\w]+)*)", text, re.MULTILINE):
        found.update(names.replace(" ", "").split(","))
    return found


def shown(path):
    """A page as text, and what groff warns of."""
    done = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-rLL=120n", "-P-cbou"],
                          input=gzip.open(path).read(), capture_output=True, check=True)
    return done.stdout.decode(), done.stderr.decode()


def check(is_right, what):
    if not is_right:
        raise SystemExit(f"wrong: {what}")


def check_commands(pages):
    commands = [line.partition("\t")[0] for line in
                says("__complete", "1", "berth", "").splitlines()]
    commands = [name for name in commands if name[0] != "-" and name != "help"]
    check(len(commands) > 20, commands)
    for name in commands:
        page = pages[f"berth-{name}.1"]
        wanted, got = options_of(says(name, "--help")), options_of(page)
        check(wanted and wanted == got, f"berth-{name}(1): {wanted ^ got}")
        check(f"berth-{name}(1)" in pages["berth.1"], f"berth(1) does not name {name}")
    check(len(pages) == len(commands) + 5, sorted(pages))


def check_records(pages):
    keys = re.findall(r"^  ([a-z]\w*) {2,}", says("run", "--help-keys"), re.MULTILINE)
    check(len(keys) > 100, keys)
    for key in keys:
        check(re.search(rf"^ +{key}$", pages["berth-scenario.5"], re.MULTILINE), key)
    metrics = re.findall(r"^(\w+) \(", says("run", "--help-metrics"), re.MULTILINE)
    check(len(metrics) > 50, metrics)
    for metric in metrics:
        check(re.search(rf"^ +{metric} \(", pages["berth-results.5"], re.MULTILINE), metric)
    for member in re.findall(r"^  (\w+[:.]\w+)[(:]", says("api"), re.MULTILINE):
        check(member in pages["berth-policy.7"], member)
    with open(os.path.join(SOURCES, "capi/berth.h"), encoding="utf-8") as header:
        for call in re.findall(r"\b(berth_\w+)\(", header.read()):
            check(call in pages["berth.h.3"], call)


def main():
    missing = [tool for tool in ("scdoc", "groff") if not shutil.which(tool)]
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed, so there are no man pages")
        return
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(SOURCES, "docs/make_pages.py")
        texts = []
        for times in ("first", "again"):
            made = os.path.join(folder, times)
            subprocess.run(["/usr/bin/python3", script, BERTH, SOURCES, made], check=True,
                           env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
            paths = sorted(glob.glob(made + "/man*/*.gz"))
            texts.append([open(path, "rb").read() for path in paths])
        check(texts[0] == texts[1], "two makings differ")
        pages = {}
        for path in paths:
            name = os.path.basename(path)[:-len(".gz")]
            pages[name], warnings = shown(path)
            check(not warnings, f"{name}: {warnings}")
        check_commands(pages)
        check_records(pages)
    print(f"{len(pages)} pages, all that the program prints of itself, no warning")


main()
