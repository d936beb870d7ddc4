#!/usr/bin/python3
"""pages.py BERTH TRACE SCREENSHOTS : opens playgrounds in headless Chromium and checks them.

A line for each check; exit status 1 if one failed.  TRACE is a whole trace, for the
hashes.  Run by .ci/playground.
"""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/report"))

from chromium import LIMIT, Chromium  # noqa: E402

ANSWERS_WITHIN = 0.2  # seconds, while a policy runs
GOAL = 1_000_000      # bytes of a page with 500 jobs, gzipped
OVER = 'return ["done", "failed"].includes(document.documentElement.dataset.state)'
ROW = 'return document.querySelector(`tr[data-policy="${CSS.escape(arguments[0])}"]`)?.dataset'

# What never ends by itself: a policy, and what stops it.
ENDLESS = {
    "schedule": "function p.schedule() while true do end end",
    "key": "p.orders = { slow = function(job) while true do end end }\n"
           "function p.schedule(queue, cluster) for job in queue:by('slow') do cluster:start(job) end end",
    "on_submit": "function p.on_submit() while true do end end\nfunction p.schedule() end",
    "pattern": "function p.schedule() local s = ('a'):rep(3000)\n"
               "for i = 1, 1e9 do s:find('a-a-a-a-a-b') end end",
    "string": "function p.schedule() local s = 'a' while true do s = s .. s end end",
}
# Each decision is within the work limit, and all of them together take minutes.
SLOW = "function p.schedule() for i = 1, 2e7 do end end"

failures = []


def check(what, holds, found=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}{f': {found}' if found != '' else ''}", flush=True)
    if not holds:
        failures.append(what)


def policy(body):
    return f'local p = {{ passes = "every" }}\n{body}\nreturn p\n'


class Playgrounds:
    def __init__(self, berth, folder, browser):
        self.berth, self.folder, self.browser = berth, folder, browser
        self.edits = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words):
        return subprocess.run([self.berth, *words], cwd=self.folder, check=True, capture_output=True, text=True).stdout

    def page(self, name, *words):
        self.run("playground", *words, "-o", name, "--force")
        return self.path(name)

    def hashes(self, *words):
        found = json.loads(self.run("run", *words, "--json=runs"))
        return {run["policy"]: run["schedule_hash"] for run in found}

    # Opens a page and waits until every policy has run.
    def open(self, file):
        driver = self.browser.driver
        self.edits = 0
        driver.get("about:blank")
        driver.get_log("browser")
        driver.get_log("performance")
        driver.get(f"file://{file}")
        self.browser.wait(OVER)
        return self.browser.js("return document.documentElement.dataset.state")

    # Runs this source from the editor; what its row says in the end, and within which
    # time nine of ten answers of the page came meanwhile.
    def edited(self, source):
        self.edits += 1
        self.browser.js("""const area = document.querySelector("textarea");
            area.value = arguments[0];
            area.dispatchEvent(new Event("input"));
            [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Run").click();""", source)
        label = self.browser.js('return [...document.querySelectorAll("tr[data-policy]")].at(-1).dataset.policy')
        took, end = [], time.monotonic() + LIMIT
        while time.monotonic() < end:
            before = time.monotonic()
            row = self.browser.js(ROW, label)
            took.append(time.monotonic() - before)
            if row["state"] != "running":
                break
            time.sleep(0.05)
        slowest = sorted(took)[len(took) * 9 // 10]
        told = self.browser.js('return document.querySelector(".wrong").textContent')
        marked = self.browser.js('return document.querySelector(".marked")?.textContent ?? ""')
        return row, told, marked, slowest


def truth(page, name, *words):
    file = page.page(name, *words)
    state = page.open(file)
    rows = page.browser.js("""return Object.fromEntries([...document.querySelectorAll("tr[data-policy]")]
        .map((row) => [row.dataset.policy, [row.dataset.state, row.dataset.hash, row.querySelector(".told").textContent]]))""")
    own = page.hashes(*words)
    check(f"{name}: all policies ran", state == "done", state)
    for label, value in own.items():
        check(f"{name}: {label} has the schedule of the program",
              rows.get(label, ["", ""])[:2] == ["done", value], rows.get(label))
    told = {row[2] for row in rows.values()}
    painted = int(page.browser.js('return document.getElementById("gantt").dataset.painted'))
    jobs = page.browser.js('return document.getElementById("jobs").textContent')
    check(f"{name}: the schedule is drawn, a rectangle or more for each job",
          painted >= int(jobs.split(", ")[1].split()[0].replace(",", "")), (painted, jobs))
    check(f"{name}: says so", told == {"same schedule as the native program"}, told)
    page.browser.quiet(name)
    return file


def endless(page):
    for what, body in ENDLESS.items():
        row, told, _, slowest = page.edited(policy(body))
        check(f"an endless {what} is stopped", row["state"] == "failed" and "limit" in told, told[:100])
        check(f"an endless {what}: the page answers meanwhile", slowest < ANSWERS_WITHIN, round(slowest, 3))
    began = time.monotonic()
    row, told, _, slowest = page.edited(policy(SLOW))
    check("a slow policy is stopped after 20 s", row["state"] == "stopped" and "after 20 s" in told, told[:100])
    check("a slow policy: that long", 18 < time.monotonic() - began < 30, round(time.monotonic() - began, 1))
    check("a slow policy: the page answers meanwhile", slowest < ANSWERS_WITHIN, round(slowest, 3))
    row, told, _, _ = page.edited(policy("function p.schedule(queue, cluster) cluster:start_all(queue) end"))
    check("the next run has a fresh engine", row["state"] == "done", told)
    page.browser.quiet("endless policies")


def mistakes(page):
    row, told, marked, _ = page.edited("local p = {}\nfunction p.schedule(queue, cluster)\n  cluster:strat(queue:head())\nend\nreturn p\n")
    check("a wrong call is marked at its line", (row["state"], marked) == ("failed", "3"), (marked, told[:100]))
    row, told, marked, _ = page.edited("local p = {}\nfunction p.schedule(\nreturn p\n")
    check("wrong syntax is marked", row["state"] == "failed" and marked in ("2", "3"), (marked, told[:100]))
    row, told, _, _ = page.edited('local own = require("nothing_here")\nreturn own\n')
    check("require of what is not there is told", row["state"] == "failed" and "nothing_here" in told, told[:100])
    row, told, _, _ = page.edited("-- " + "x" * 1_000_000 + "\nreturn {}\n")
    check("a policy of 1 MB is refused", row["state"] == "failed" and "KiB" in told, told[:100])
    page.browser.quiet("mistakes")


# Puts a file into the page, as a user chooses it, and waits.
def take(page, name, data):
    with open(page.path(name), "wb") as out:
        out.write(data)
    page.browser.driver.find_element("id", "swf").send_keys(page.path(name))
    time.sleep(0.2)
    page.browser.wait(OVER)
    return page.browser.js('return [document.documentElement.dataset.state, document.getElementById("trouble").textContent]')


def own_jobs(page):
    page.run("generate", "lublin", "--jobs", "300", "--processors", "64", "--seed", "3", "-o", "own.swf")
    with open(page.path("own.swf"), "rb") as source:
        text = source.read()
    own = page.hashes("--trace", "own.swf", "--policy", "easy")["easy"]
    for name, data in (("given.swf", text), ("given.swf.gz", gzip.compress(text))):
        state, told = take(page, name, data)
        row = page.browser.js(ROW, "easy")
        check(f"{name}: the jobs of a user", (state, row["hash"]) == ("done", own), (state, row, told))
    for name, data in (("bad.swf", b"; MaxProcs: 8\n1 0 no number\n"), ("torn.swf.gz", gzip.compress(text)[:500]),
                       ("empty.swf", b"")):
        state, told = take(page, name, data)
        check(f"{name}: one sentence", name in told and "\n" not in told.strip(), told[:120])
    line = "{0} {0} -1 3600 64 -1 -1 64 3600 -1 1 1 1 1 -1 -1 -1 -1\n"
    many = "; MaxProcs: 64\n" + "".join(line.format(i) for i in range(1, 1_000_001))
    state, told = take(page, "million.swf.gz", gzip.compress(many.encode(), 1))
    rows = page.browser.js("""return [...document.querySelectorAll("tr[data-policy]")]
        .map((row) => [row.dataset.policy, row.dataset.state, row.querySelector(".told").textContent])""")
    ends = all(state == "done" or "after 20 s, at" in said for _, state, said in rows)
    check("a million jobs: done, or it says where it stops",
          ends if rows else "after 20 s" in told, (state, rows, told[:100]))


# A report has the same beside its panels, and begins when it is asked to.
def in_report(page, trace, shots):
    words = ("--trace", trace, "--set", "workload.first=500", "--policy", "fcfs", "--policy", "easy")
    page.run("run", *words, "--out", "results")
    page.run("report", "results", "--playground", "-o", "report.html")
    page.browser.open(page.path("report.html"), "a report with a playground")
    page.browser.js('document.getElementById("play-begin").click()')
    page.browser.wait(OVER)
    rows = page.browser.js("""return Object.fromEntries([...document.querySelector("#playground > div").shadowRoot
        .querySelectorAll("tr[data-policy]")].map((row) => [row.dataset.policy, row.dataset.hash]))""")
    own = page.hashes(*words)
    check("a report with a playground: the schedules of the program", rows == own, rows)
    page.browser.quiet("a report with a playground, after it ran")
    page.browser.screenshot(os.path.join(shots, "playground-report.png"), "#playground")


def old_browser(page, file):
    added = page.browser.command("Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.DecompressionStream")
    page.open(file)
    told = page.browser.js('return document.getElementById("trouble").textContent')
    check("an old browser gets one sentence", told.startswith("This browser is too old"), told)
    page.browser.quiet("an old browser")
    page.browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=added["identifier"])


def main():
    berth, trace, shots = (os.path.abspath(word) for word in sys.argv[1:4])
    os.makedirs(shots, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "downloads"))
        browser = Chromium(os.path.join(folder, "downloads"), check)
        page = Playgrounds(berth, folder, browser)
        try:
            truth(page, "kth.html", "--trace", trace, "--policy", "fcfs", "--policy", "easy",
                  "--policy", "conservative", "--policy", "sjf:block=false")
            browser.screenshot(os.path.join(shots, "playground-kth.png"))
            file = truth(page, "play.html", "--trace", trace, "--set", "workload.first=500",
                         "--policy", "fcfs", "--policy", "sjf", "--policy", "easy", "--policy", "conservative")
            with open(file, "rb") as source:
                packed = len(gzip.compress(source.read(), 9))
            check(f"a page with 500 jobs has at most {GOAL} B, gzipped", packed <= GOAL, packed)
            browser.screenshot(os.path.join(shots, "playground.png"))
            endless(page)
            mistakes(page)
            browser.portrait(os.path.join(shots, "playground-wrong.png"))
            own_jobs(page)
            old_browser(page, file)
            in_report(page, trace, shots)
        finally:
            browser.quit()
    print(f"{len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
