#!/usr/bin/python3
"""Writes the man pages, by scdoc, gzipped; SOURCE_DATE_EPOCH sets their date:

    python3 docs/make_pages.py build/release/cli/berth . build/man

Everything in them is what the program prints of its records (--help, --help-keys,
--help-metrics, api --docs), and the header of the C interface, so that they are of the
program beside them.  Nothing but these two is read.
"""

import argparse
import gzip
import os
import re
import subprocess
import sys
import tempfile

SEE_ALSO = {
    "1": "*berth*(1), *berth-scenario*(5), *berth-results*(5), *berth-policy*(7)",
    "5": "*berth*(1), *berth-run*(1), *berth-policy*(7)",
    "7": "*berth*(1), *berth-api*(1), *berth-scenario*(5)",
    "3": "*berth*(1), *berth-policy*(7)",
}


def quoted(text):
    """Text in which nothing means anything to scdoc."""
    text = re.sub(r"([\\*_~`])", r"\\\1", text)
    text = text.replace("++", "+\\+")
    return re.sub(r"^([#|;.\[\]-])", r"\\\1", text)


def literal(lines):
    """Lines that keep their form."""
    return ["```"] + [line.replace("\t", "    ") or " " for line in lines] + ["```", ""]


def entry(name, help_text, form=""):
    """A name and what it is."""
    return [f"*{quoted(name)}*{quoted(form)}", "\t" + quoted(help_text), ""]


class Help:
    """What `berth COMMAND --help` prints, in parts."""

    def __init__(self, text):
        self.brief, _, rest = text.partition("\nUsage: ")
        self.usage, _, rest = rest.partition("\n")
        # "Options": [["--out", " TEXT", "folder ..."], ...]
        self.groups, self.footer = {}, []
        group = None
        for line in rest.splitlines():
            head = re.match(r"(Positionals|Options|Subcommands):$", line)
            item = re.match(r"  (\S+)((?: [A-Z|.]+)*)(?:\s{2,}(.*))?$", line)
            if head and not self.footer:
                group = self.groups.setdefault(head[1], [])
            elif group is not None and item:
                group.append([item[1], item[2], item[3] or ""])
            elif group and line.startswith("    "):
                group[-1][2] += (" " if group[-1][2] else "") + line.strip()
            elif line or self.footer:
                group = None
                self.footer.append(line)
            else:
                group = None

    def entries(self, group):
        return [line for name, form, text in self.groups.get(group, [])
                for line in entry(name.replace(",", ", "), text, form)]


def page(name, section, brief, version, body):
    head = [f'{name}({section}) "{version}" "berth"', "", "# NAME", "",
            f"{name} - {quoted(brief)}", ""]
    foot = ["# SEE ALSO", "", SEE_ALSO[section], ""]
    return f"{name}.{section}", "\n".join(head + body + foot)


def of_command(name, help_text, version):
    text = Help(help_text)
    body = ["# SYNOPSIS", "", quoted(text.usage), ""]
    operands, options = text.entries("Positionals"), text.entries("Options")
    body += (["# OPERANDS", ""] + operands) if operands else []
    body += ["# OPTIONS", ""] + options
    body += (["# NOTES", ""] + literal(text.footer)) if text.footer else []
    return page(f"berth-{name}", "1", text.brief.strip().lower(), version, body)


def of_program(help_text, version):
    text = Help(help_text)
    commands = [line for name, _, brief in text.groups["Subcommands"]
                for line in [f"*berth-{name}*(1)", "\t" + quoted(brief), ""]]
    start, _, status = "\n".join(text.footer).partition("Exit status: ")
    body = ["# SYNOPSIS", "", "*berth* COMMAND [OPTIONS] [OPERANDS]", "",
            "# OPTIONS", ""] + text.entries("Options")
    body += ["# COMMANDS", ""] + commands
    body += ["# EXIT STATUS", "", quoted(" ".join(status.split())), "", "# EXAMPLES", ""]
    body += literal(start.strip().splitlines())
    body += ["# ENVIRONMENT", ""]
    body += entry("BERTH_POLICIES", "the folder of the built-in policies; else "
                  "share/berth/policies beside the folder of the program")
    body += entry("NO_COLOR", "not empty: tables without colours")
    return page("berth", "1", "compare scheduling policies for clusters", version, body)


def of_scenario(keys, version):
    body = ["# DESCRIPTION", "",
            "A scenario is a TOML file: a machine, a workload, policies and what is measured. "
            "*berth run* and *berth sweep* run it; *--set* KEY=VALUE gives a key on the "
            "command line.", ""]
    examples = []  # sections of names that a scenario makes up
    for line in keys.splitlines():
        section = re.match(r"at the top of the file|\[.*\]$", line)
        key = re.match(r"  (\w\S*) +(.*)$", line)
        is_key = key and not examples and key.start(2) > 20
        if section:
            body += literal(examples) if examples else []
            examples = []
            body += ["# " + (line.upper() if line[0] == "a" else line), ""]
        elif is_key:
            body += [f"*{quoted(key[1])}*", "\t" + quoted(key[2])]
        elif line.startswith(" " * 10) and not examples:
            body += ["\t" + quoted(f"({line.strip()})"), ""]
        elif line:
            examples.append(line.strip())
    body += literal(examples) if examples else []
    return page("berth-scenario", "5", "what to run, as a TOML file", version, body)


def of_results(columns, metrics, version):
    body = ["# DESCRIPTION", "",
            "*berth run --out* DIR writes the folder of a run, one for each policy where there "
            "are several. These are the columns that every machine has.", ""]
    for name, what in (
            ("jobs.csv", "a line for each job that left"),
            ("timeline.csv", "a line for each bin of time"),
            ("host_events.csv", "when hosts went down and came back, where that is drawn"),
            ("users.csv", "a line for each user"),
            ("stretches.csv", "a line for each span of time in which a job had one place and one "
             "speed, on machines on which jobs are suspended, moved, slowed down or hit"),
            ("links.csv", "a line for each link between jobs, in the form of workload.dependencies"),
            ("loads.csv", "a line for each span of time in which a part of the machine had one load, "
             "on machines that have such parts, as the links of a network"),
            ("machine.csv", "a line for each host that was down and each window, on machines that "
             "have them"),
            ("summary.json", "the metrics below, each with value, unit and number of jobs"),
            ("manifest.json", "the scenario in full, and digests of all that was read and "
             "written"),
            ("log.jsonl", "with --log: every record of the run")):
        body += entry(name, what)
        if name in columns:
            body += ["\tColumns: " + quoted(", ".join(columns[name].split(","))), ""]
    body += ["# METRICS", ""]
    for block in re.findall(r"^(\S+) \((.*)\)\n  (.*)\n  (.*)$", metrics, re.MULTILINE):
        name, unit, brief, formula = block
        body += entry(name, brief, f" ({unit})")
        body += ["\t" + quoted(formula), ""]
    return page("berth-results", "5", "what a run writes", version, body)


def of_policy(markdown, version):
    """Of the page that `berth api --docs` writes: headings, paragraphs, lists, code."""
    body, code = ["# DESCRIPTION", ""], None
    for line in ("## " + markdown.partition("\n## ")[2]).splitlines():
        if line.startswith("```"):
            body += [] if code is None else literal(code)
            code = [] if code is None else None
        elif code is not None:
            code.append(line)
        elif line.startswith("|"):
            if not re.match(r"\|[-|]+$", line):
                cells = [cell.strip() for cell in line.strip("|").split(" | ")]
                body += ["- " + quoted("; ".join(cells).replace("`", "")), ""]
        elif line.startswith("#"):
            marks, _, title = line.partition(" ")
            body += [("# " if len(marks) < 3 else "## ") + title.replace("`", ""), ""]
        elif line.strip():
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line).replace("`", "").strip()
            item = text.startswith("* ")
            body += ["- " + quoted(text[2:]) if item else quoted(text)] + [""] * item
        else:
            body.append("")
    return page("berth-policy", "7", "what a policy says and can call", version, body)


def of_header(header, version):
    body = ["# SYNOPSIS", ""]
    body += literal(["#include <berth.h>", "cc $(pkg-config --cflags --libs berth) program.c"])
    body += ["# DESCRIPTION", ""]
    return page("berth.h", "3", "scheduling policies and simulated clusters, from C", version,
                body + literal(header.splitlines()))


def columns_of_run(berth):
    """The first line of each table that a run writes, by the name of the file."""
    with tempfile.TemporaryDirectory() as folder:
        trace, out = os.path.join(folder, "t.swf"), os.path.join(folder, "out")
        for words in (["generate", "lublin", "--jobs", "20", "-o", trace],
                      ["run", "--trace", trace, "--policy", "easy", "--out", out]):
            subprocess.run([berth] + words, check=True, capture_output=True)
        found = {}
        for name in os.listdir(out):
            if name.endswith(".csv"):
                with open(os.path.join(out, name), encoding="utf-8") as file:
                    found[name] = file.readline().strip()
        return found


def pages(berth, sources):
    """Name and text of each page."""
    def says(*words):
        return subprocess.run([berth, *words], check=True, capture_output=True,
                              text=True).stdout

    version = says("--version").strip()
    program = says("--help")
    yield of_program(program, version)
    for name, _, _ in Help(program).groups["Subcommands"]:
        yield of_command(name, says(name, "--help"), version)
    yield of_scenario(says("run", "--help-keys"), version)
    yield of_results(columns_of_run(berth), says("run", "--help-metrics"), version)
    yield of_policy(says("api", "--docs"), version)
    with open(os.path.join(sources, "capi/berth.h"), encoding="utf-8") as file:
        yield of_header(file.read(), version)


def gzipped(text):
    """The same bytes for the same text."""
    return gzip.compress(text, 9, mtime=0)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("berth", help="the program")
    parser.add_argument("sources", help="the folder with capi/berth.h")
    parser.add_argument("folder", help="where man1, man3, man5 and man7 are written")
    given = parser.parse_args(arguments)
    for name, text in pages(os.path.realpath(given.berth), given.sources):
        made = subprocess.run(["scdoc"], input=text.encode(), stdout=subprocess.PIPE,
                              check=True).stdout
        folder = os.path.join(given.folder, "man" + name[-1])
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + ".gz"), "wb") as file:
            file.write(gzipped(made))


if __name__ == "__main__":
    main(sys.argv[1:])
