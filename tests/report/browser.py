#!/usr/bin/python3
"""browser.py BERTH SCREENSHOTS : opens reports in headless Chromium and checks them.

A line for each check; exit status 1 if one failed.  Run by .ci/browser.
"""

import base64
import csv
import gzip
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from chromium import LIMIT, Chromium

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
AXE = os.path.join(ROOT, "report/web/node_modules/axe-core/axe.min.js")
CLASSES = ["0072b2", "e69f00", "009e73", "cc79a7", "56b4e9",
           "d55e00", "b3a400", "8c6d31", "7a68c8", "5d9c59"]

failures = []


def check(what, holds, found=""):
    print(f"{'ok  ' if holds else 'FAIL'} {what}{f': {found}' if found != '' else ''}", flush=True)
    if not holds:
        failures.append(what)


def read_csv(data):
    return list(csv.DictReader(data.decode().splitlines()))


HAND = [  # id, user, submit, start, finish, processors
    (1, 1, 0, 0, 40, "0-3"), (2, 2, 0, 0, 20, "4-5"), (3, 3, 0, 0, 20, "6-7"), (4, 4, 5, 20, 60, "4-7"),
    (5, 5, 10, 40, 50, "0"), (6, 6, 10, 40, 70, "1-3"), (7, 7, 12, 50, 70, "0"), (8, 8, 20, 60, 80, "4 6"),
    (9, 9, 30, 60, 80, "5 7"), (10, 0, 40, 70, 100, "0-1"), (11, 1, 50, 70, 90, "2-3"), (12, 2, 60, 80, 100, "4-7"),
]
HEAD = "job_id,submission_time,requested_number_of_resources,requested_time,success,starting_time,finish_time,allocated_resources,user\n"


def count(processors):
    parts = [part.split("-") for part in processors.split()]
    return [row for part in parts for row in range(int(part[0]), int(part[-1]) + 1)]


def write_schedule(file, jobs):
    with open(file, "w") as out:
        out.write(HEAD)
        for number, user, submit, start, finish, processors in jobs:
            out.write(f"{number},{submit},{len(count(processors)) or 1},100,1,{start},{finish},{processors},{user}\n")


class Reports:
    def __init__(self, berth, folder):
        self.berth = berth
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *words):
        subprocess.run([self.berth, *words], check=True, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT)

    def report(self, name, *words):
        self.run("report", *words, "--force", "-o", self.path(name))
        return self.path(name)


def hand_made(browser, reports, shots):
    write_schedule(reports.path("hand.csv"), HAND)
    browser.open(reports.report("hand.html", "--jobs", "hand.csv", "--processors", "8"), "12 jobs by hand")
    wrong = browser.js("""
        const [jobs, classes] = arguments;
        const chart = berth.charts.gantt[0];
        chart.settings.colour = "size";
        const { canvas } = chart.render(800, 320, 1);
        const context = canvas.getContext("2d");
        const at = (time, row) => [...context.getImageData(Math.round(time * 8), Math.round((row + 0.25) * 40), 1, 1).data]
          .slice(0, 3).map((v) => v.toString(16).padStart(2, "0")).join("");
        const wrong = [];
        for (const [id, , , start, finish, rows] of jobs) {
          const all = rows.length;
          for (const row of rows) for (const share of [0.1, 0.5, 0.9]) {
            const found = at(start + share * (finish - start), row + 0.5); // below number and mark
            if (found !== classes[Math.floor(Math.log2(all))]) wrong.push([id, row, share, found]);
          }
        }
        for (const [time, row] of [[85, 5.25], [95, 2.5], [99, 3.5]]) {
          const used = jobs.some(([, , , s, f, rows]) => s <= time && time < f && rows.includes(Math.floor(row)));
          if (!used && at(time, row) !== "ffffff") wrong.push(["idle", time, row, at(time, row)]);
        }
        return [chart.mode, wrong]""", [[*job[:5], count(job[5])] for job in HAND], CLASSES)
    check("12 jobs by hand: near, the colour of its size at three points of each processor of each job", wrong == ["near", []], wrong[1] or "")
    parts = browser.js("const { at } = berth.charts.gantt[0].run.bars; return at[8] - at[7]")
    check("12 jobs by hand: a job on processors 4 and 6 is one of two rectangles", parts == 2, parts)
    browser.screenshot(os.path.join(shots, "near.png"), "#schedule")


def hits(browser, rows, what):
    jobs = [row for row in rows if row["allocated_resources"]]
    by_row = {}
    for row in jobs:
        for processor in count(row["allocated_resources"]):
            by_row.setdefault(processor, []).append((float(row["starting_time"]), float(row["finish_time"]), int(row["job_id"])))
    begin = min(float(row["submission_time"]) for row in rows)
    end = max(float(row["finish_time"]) for row in jobs)
    chance = random.Random(7)
    points = [[chance.uniform(begin, end), chance.choice(list(by_row))] for _ in range(1000)]
    found = browser.js("""
        const chart = berth.charts.gantt[0];
        const box = chart.canvas.getBoundingClientRect();
        const { from, to } = berth.view.view;
        return arguments[0].map(([time, row]) => {
          const event = { clientX: box.left + berth.left() + (time - from) / (to - from) * chart.width,
            clientY: box.top + (row + 0.5) / chart.rows * chart.height };
          const job = chart.jobUnder(event);
          return job < 0 ? null : chart.run.jobs.id[job];
        })""", points)
    wrong = 0
    for (time_, row), job in zip(points, found):
        at = [one for start, finish, one in by_row[row] if start <= time_ < finish]
        near = [one for start, finish, one in by_row[row] if min(abs(start - time_), abs(finish - time_)) < 1e-3]
        wrong += job != (at[0] if at else None) and not near
    check(f"{what}: 1,000 random points hit the job of jobs.csv", wrong == 0, f"{wrong} wrong")


def far(browser, rows, processors, what):
    jobs = [(float(r["starting_time"]), float(r["finish_time"]), len(count(r["allocated_resources"]))) for r in rows if r["allocated_resources"]]
    begin = min(job[0] for job in jobs)
    end = max(job[1] for job in jobs)
    chance = random.Random(11)
    worst = 0.0
    for _ in range(20):
        width = (end - begin) * 10 ** chance.uniform(-3, 0)
        left = chance.uniform(begin, end - width)
        use = sum((min(f, left + width) - max(s, left)) * n for s, f, n in jobs if f > left and s < left + width) / (width * processors)
        mean = browser.js("""
            const chart = berth.charts.gantt[0];
            const [from, to] = arguments;
            const values = chart.values({ from, to, row: 0, rows: chart.run.processors }, 700, 200);
            return values.reduce((a, b) => a + b, 0) / values.length""", left, left + width)
        worst = max(worst, abs(mean - use))
    check(f"{what}: mean coverage of 20 random views is the use of that time", worst < 0.005, f"{100 * worst:.7f} % off at most")
    gap = browser.js("""
        const chart = berth.charts.gantt[0];
        const { start } = chart.run.schedule;
        const from = start[Math.floor(start.length / 2)];
        berth.view.show(from, from + 3 * 86400);
        const { canvas } = chart.render(600, 400, 1);
        const pixels = canvas.getContext("2d").getImageData(0, 0, 600, 400).data;
        const values = chart.values(chart.window, 600, 400);
        let wrong = 0;
        const { finish } = chart.run.schedule;
        const points = new Set([...start.keys()].filter((i) => start[i] === finish[i])
          .map((i) => Math.floor((start[i] - from) / (3 * 86400) * 600)));
        for (let i = 0; i < values.length; ++i) {
          const empty = pixels[4 * i] === 255 && pixels[4 * i + 1] === 255 && pixels[4 * i + 2] === 255;
          if (values[i] > 0.999 && empty && !near(i)) ++wrong;
          if (values[i] < 0.001 && !empty && !near(i)) ++wrong;
        }
        // Jobs of no length are drawn, half a pixel wide, and cover nothing.
        function near(i) {
          return points.has(i % 600) || points.has(i % 600 - 1) || [1, 2, 600, 1200].some((step) => Math.abs((values[i + step] ?? 0) - values[i]) > 1e-6 ||
            Math.abs((values[i - step] ?? 0) - values[i]) > 1e-6) || pixels[4 * i + 3] !== 255 || border(i);
        }
        // Borders are drawn in the colour of the paper.
        function border(i) {
          const white = (k) => pixels[4 * k] === 255 && pixels[4 * k + 1] === 255;
          const steps = [-2, -1, 0, 1, 2];
          return steps.some((y) => steps.some((x) => !white(i + 600 * y + x)));
        }
        const mode = chart.mode;
        berth.view.showAll();
        return [mode, wrong]""")
    check(f"{what}: near and far agree where they meet", gap[0] == "near" and gap[1] == 0, f"{gap[0]}, {gap[1]} pixels")


def truth(browser, reports, folder, labels, what):
    wrong = []
    for column, label in enumerate(labels):
        with open(reports.path(f"{folder}/{label}/summary.json")) as file:
            metrics = json.load(file)["metrics"]
        shown = browser.js("""
            return [...document.querySelectorAll("#all-metrics tbody tr")].map((row) =>
              [row.dataset.metric, row.children[2 + arguments[0]].dataset.value ?? null])""", column)
        for name, value in shown:
            expected = metrics[name]["value"]
            if (None if value is None else float(value)) != expected:
                wrong.append((label, name, value, expected))
        check(f"{what}: every metric of {label} is shown", len(shown) == len(metrics), f"{len(shown)} of {len(metrics)}")
    check(f"{what}: figures equal summary.json", not wrong, wrong[:2] or "")
    with open(reports.path(f"{folder}/comparison.csv")) as file:
        rows = {(row["metric"], row["policy"]): row for row in csv.DictReader(file)}
    shown = browser.js("""
        return [...document.querySelectorAll("#metrics tbody tr")].flatMap((row) => [...row.querySelectorAll("td[data-metric]")].map((cell) =>
          [cell.dataset.metric, row.querySelector("bdi").textContent, cell.dataset.value, Boolean(cell.querySelector(".dot"))]))""")
    number = lambda text: float(text) if text else None
    best = lambda metric, policy: rows[metric, policy]["best"] == "1" and any(rows[metric, one]["best"] != "1" for one in labels)
    wrong = [one for one in shown if number(rows[one[0], one[1]]["value"]) != number(one[2]) or best(*one[:2]) != one[3]]
    check(f"{what}: the board equals comparison.csv, best values too", shown and not wrong, wrong[:2] or "")
    board(browser, folder, what)


# The sentence, the marks and the numbers beside them say what comparison.csv has.
def board(browser, folder, what):
    said = browser.js("return [document.querySelector('.sentence').textContent, document.querySelector('.lead').textContent]")
    check(f"{what}: of one run the sentence says so and has no verdict", said[0].endswith("in this run") and said[1].count("One run: no interval.") == 1
          and not any(word in said[0] for word in ("better", "worse")), said)
    drawn = browser.js("""
        return [...document.querySelectorAll("#metrics tbody tr")].map((row) => {
          const { left } = row.querySelector(".picture").getBoundingClientRect();
          const mark = row.querySelector(".picture svg > :is(circle, rect, path)[transform]").getBoundingClientRect();
          return [mark.left + mark.width / 2 - left, Number(row.querySelector("td[data-metric]").dataset.value)];
        })""")
    order = [value for _, value in sorted(drawn)]
    check(f"{what}: the marks of the board lie in the order of the means", order == sorted(order) and len({x for x, _ in drawn}) == len(drawn), drawn)


def exports(browser, rows, what):
    data = read_csv(browser.saved(browser.button("jobs", "CSV")))
    by_id = {row["job_id"]: row for row in rows}
    names = {"start": "starting_time", "finish": "finish_time", "wait": "waiting_time", "processors": "allocated_resources",
             "size": "requested_number_of_resources", "submit": "submission_time", "walltime": "requested_time", "length": "length"}
    wrong = [(row["job_id"], own) for row in data for own, theirs in names.items() if row[own] != by_id[row["job_id"]][theirs]]
    check(f"{what}: the job table's CSV is jobs.csv, to the text of each time", len(data) == len(rows) and not wrong, wrong[:3] or f"{len(data)} jobs")
    name, data = browser.download(browser.button("wait", "CSV"))
    check(f"{what}: a panel's CSV comes as a file of its name", name.endswith(".csv") and data == browser.saved(browser.button("wait", "CSV")), name)
    for section in browser.js("return [...document.querySelectorAll('section.panel')].map((one) => one.id)"):
        if section == "jobs":
            continue
        exported(browser, section, what)


def exported(browser, section, what):
    table = read_csv(browser.saved(browser.button(section, "CSV")))
    svg = browser.saved(browser.button(section, "SVG"))
    png = browser.saved(browser.button(section, "PNG"))
    tag = xml.fromstring(svg).tag if svg else "none"
    drawn = browser.js("""const one = document.querySelector(`#${arguments[0]} .plot, #${arguments[0]} canvas.gantt`);
                          return [one.clientWidth, one.clientHeight]""", section)
    if section == "queue":
        lanes = browser.js("return document.querySelectorAll('#queue .lane').length")
        drawn[1] = lanes * (drawn[1] + 28)
    if section == "schedule":
        drawn[1] += 22
    size = list(struct.unpack(">II", png[16:24])) if png else None
    check(f"{what}: {section} exports CSV, SVG, PNG of twice the size",
          len(table) > 0 and tag.endswith("svg") and size == [2 * drawn[0], 2 * drawn[1]], f"{len(table)} rows, {size}")


def panel_numbers(browser, rows, what):
    waits = sorted(float(row["waiting_time"]) for row in rows if row["waiting_time"])
    shown = {float(row["share of jobs"]): float(row["easy"]) for row in read_csv(browser.saved(browser.button("wait", "CSV")))}
    place = (len(waits) - 1) * 0.95
    low = int(place)
    expected = waits[low] + (waits[low + 1] - waits[low]) * (place - low)
    check(f"{what}: the curve of waits has the 95 % quantile of jobs.csv", abs(shown[0.95] - expected) < 1e-6 * max(expected, 1), f"{shown[0.95]}, {expected}")


# A search takes the text of a class or of a filter.
def searches(browser, rows, what):
    jobs = [{"size": int(row["requested_number_of_resources"]), "wait": float(row["waiting_time"]),
             "walltime": float(row["requested_time"])} for row in rows if row["waiting_time"]]
    cases = {
        "size > 4 and wait > 1h": lambda job: job["size"] > 4 and job["wait"] > 3600,
        "job.size >= 4 and not (job.wait <= 3600 or job.walltime < 1h)":
            lambda job: job["size"] >= 4 and not (job["wait"] <= 3600 or job["walltime"] < 3600),
        "job.size * job.walltime / 2 > 1d - 2 * 60 or job.size ~= 1": lambda job: job["size"] * job["walltime"] / 2 > 86280 or job["size"] != 1,
        "size": None, "sise > 4": None, "wait() > 1": None, "(" * 300 + "size": None,
    }
    for text, holds in cases.items():
        found = browser.js("""const { jobs } = berth.charts; berth.view.view.search = arguments[0]; jobs.update();
                              const count = jobs.found.length; return jobs.count.classList.contains('error') ? null : count""", text)
        wanted = sum(map(holds, jobs)) if holds else None
        check(f"{what}: a search for {text[:60]}", found == wanted, f"{found} found")
    browser.js("berth.view.view.search = ''; berth.charts.jobs.update()")


def keyboard(browser, what):
    keys = lambda *words: ActionChains(browser.driver).send_keys(*words).perform()
    focus = lambda: browser.js("return document.activeElement.textContent || document.activeElement.tagName")
    browser.js("window.mouse = 0; for (const n of ['mousedown', 'click']) addEventListener(n, (e) => { if (e.detail > 0) ++mouse; }, true)")
    live = "const said = document.getElementById('live')?.textContent ?? ''; return "
    job = browser.js("return berth.figures.workloads[0].id[17]")
    keys("/")
    keys(str(int(job)), Keys.ENTER)
    said = browser.wait(live + "said.startsWith(`Job ${arguments[0]}:`) && said", int(job))
    check(f"{what}: keys alone open a job found by search, and the live region says it", said, said)
    for _ in range(10):
        keys(Keys.TAB)
        if focus() == "Show in the schedule":
            break
    keys(Keys.ENTER)
    span = browser.wait("""const v = berth.view.view; const w = berth.view.wholeTime(); const share = (v.to - v.from) / (w.to - w.from);
                           return share < 0.5 && document.activeElement.tagName === "CANVAS" && share""")
    check(f"{what}: keys alone zoom to it", span, f"{span:.4f} of the time")
    before = browser.js("return berth.view.view.job")
    keys(Keys.ENTER)
    check(f"{what}: Enter in the Gantt chart is the next job", browser.wait("return berth.view.view.job !== arguments[0]", before))
    keys("0", "+")
    keys(Keys.ARROW_RIGHT)
    moved = browser.wait("const v = berth.view; return v.view.from > v.wholeTime().from && v.view.to < v.wholeTime().to")
    check(f"{what}: + and arrows zoom and pan", moved)
    keys("?")
    check(f"{what}: ? shows the keys", browser.wait("return Boolean(document.querySelector('dialog[open]'))"))
    keys(Keys.ESCAPE)
    browser.wait("return !document.querySelector('dialog[open]')")
    keys(Keys.ESCAPE)
    check(f"{what}: Escape closes", browser.wait("return !document.querySelector('dialog[open]') && document.querySelector('.card').hidden"))
    browser.js("document.querySelector('#wait .plot').focus()")
    keys(Keys.ARROW_RIGHT)
    said = browser.wait(live + "said.includes('share of jobs') && said")
    check(f"{what}: an arrow key reads a point of a chart", said, said)
    check(f"{what}: no mouse event was needed", browser.js("return mouse") == 0)


# What the first screen, the frame, the drawer and the hover box promise.
def glance(browser, page, labels, what):
    for width, height in ((1400, 900), (420, 800)):
        browser.width(width, height)
        browser.open(page, f"{what}, {width} x {height}")
        wide = set()
        for font in ("Inter", "DejaVu Sans"):
            seen = browser.js("""
                document.body.style.fontFamily = `"${arguments[0]}", serif`;
                const bottom = (one) => document.querySelector(one).getBoundingClientRect().bottom;
                return [bottom(".sentence"), bottom("#metrics tbody"), innerHeight, document.documentElement.scrollWidth, innerWidth]""", font)
            check(f"{what}, {width} x {height}, from {font}: sentence, picture and table are on the first screen", max(seen[:2]) <= seen[2] and seen[3] <= seen[4], seen)
            wide.add(browser.js("const line = document.createRange(); line.selectNodeContents(document.querySelector('.sentence')); return Math.max(...[...line.getClientRects()].map((box) => box.width))"))
        check(f"{what}, {width} x {height}: the two fonts are there", len(wide) == 2, wide)
        browser.js("document.body.style.fontFamily = ''")
        links = browser.js("""
            const wrong = [];
            for (const link of document.querySelectorAll("nav a:not(.chip)")) {
              link.click();
              const { top } = document.getElementById(link.hash.slice(1)).getBoundingClientRect();
              const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
              if (!(top >= 0 && top < 250) && !isEnd) wrong.push([link.hash, top]);
              const bar = document.querySelector(".timebar").getBoundingClientRect();
              const follows = document.getElementById(link.hash.slice(1)).compareDocumentPosition(document.querySelector(".timebar")) & 2;
              if (follows && (bar.top < 0 || bar.bottom > innerHeight)) wrong.push([link.hash, "time bar", bar.top]);
            }
            scrollTo(0, 0);
            return wrong""")
        check(f"{what}, {width} x {height}: each link of the contents leads there, the time bar stays in sight", not links, links or "")
    browser.width(1400, 900)
    browser.open(page, what)
    boxes = browser.js("""
        const seen = [];
        for (const lane of document.querySelectorAll("#queue .plot")) {
          lane.scrollIntoView({ block: "center" });
          const { left, right, top, bottom } = lane.getBoundingClientRect();
          for (const x of [left + 150, right - 3]) for (const y of [top + 1, bottom - 1]) {
            lane.dispatchEvent(new MouseEvent("mousemove", { clientX: x, clientY: y, bubbles: true }));
            const box = document.querySelector("[data-part=hover]");
            const at = box.getBoundingClientRect();
            seen.push([at.left >= 0 && at.right <= innerWidth && at.top >= 0 && at.bottom <= innerHeight,
              [...box.querySelectorAll("td:first-child")].slice(1).map((cell) => cell.textContent)]);
          }
        }
        return seen""")
    check(f"{what}: the hover box is inside the window at every edge, each policy once", boxes and all(inside and rows == labels for inside, rows in boxes), f"{len(boxes)} places")
    opened(browser, what)
    opened_by_keys(browser, what)
    addresses(browser, page, labels, what)


# Clicks on drawn bars, then the same by keys.
def opened(browser, what):
    found = browser.js("""
        const { from, to } = berth.view.wholeTime();
        const wrong = [];
        for (let k = 0; k < 100; ++k) {
          const chart = berth.charts.gantt[k % berth.charts.gantt.length];
          const { schedule, bars } = chart.run;
          const job = Math.floor((k + 0.5) / 100 * schedule.start.length);
          const length = schedule.finish[job] - schedule.start[job];
          if (!(length > 0) || bars.at[bars.begin[job]] === bars.at[bars.begin[job + 1]]) continue;
          berth.view.show(schedule.start[job] - length, schedule.finish[job] + length);
          chart.canvas.scrollIntoView({ block: "center" });
          const box = chart.canvas.getBoundingClientRect();
          const { from, to } = berth.view.view;
          const x = box.left + berth.left() + ((schedule.start[job] + length / 2) - from) / (to - from) * (box.width - berth.left());
          const y = box.top + (bars.first[bars.at[bars.begin[job]]] + 0.5 - chart.row) / chart.rows * box.height;
          chart.canvas.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
          const drawer = document.querySelector("[data-part=card]");
          const card = drawer.getBoundingClientRect();
          const now = chart.canvas.getBoundingClientRect();
          const isRight = !drawer.hidden && drawer.querySelector("h2").textContent === `Job ${chart.run.jobs.id[job]}` && drawer.textContent.includes(`Why it waited under ${chart.run.label}`);
          if (!isRight || card.bottom > innerHeight + 1 || card.top < 0 || now.top < 0 || now.bottom > card.top + 1) wrong.push([chart.run.label, chart.run.jobs.id[job], isRight, now.top, now.bottom, card.top]);
        }
        berth.view.choose(null);
        berth.view.showAll();
        return wrong""")
    check(f"{what}: 100 clicks on drawn bars open the job and its reason, the chart stays in sight", not found, found[:3] or "")


# The same by keys alone: Enter in a schedule is the next job, from a time on.
def opened_by_keys(browser, what):
    charts = browser.js("return berth.charts.gantt.length")
    wrong = []
    for k in range(100):
        if k % (100 // charts) == 0:
            browser.js("""
                const { from, to } = berth.view.wholeTime();
                berth.view.choose(null);
                berth.view.show(from + (to - from) / 3, to);
                berth.charts.gantt[arguments[0]].canvas.focus();""", k * charts // 100)
        ActionChains(browser.driver).send_keys(Keys.ENTER).perform()
        found = browser.js("""
            const chart = berth.charts.gantt[arguments[0]];
            const drawer = document.querySelector("[data-part=card]");
            const card = drawer.getBoundingClientRect();
            const now = chart.canvas.getBoundingClientRect();
            const isRight = !drawer.hidden && drawer.querySelector("h2").textContent === `Job ${berth.view.view.job}` && drawer.textContent.includes(`Why it waited under ${chart.run.label}`);
            const isSeen = card.bottom <= innerHeight + 1 && card.top >= 0 && now.top >= 0 && now.bottom <= card.top + 1;
            return isRight && isSeen ? berth.view.view.job : [chart.run.label, berth.view.view.job, isRight, now.top, now.bottom, card.top]""", k * charts // 100)
        wrong += [found] if isinstance(found, list) else []
    browser.js("berth.view.choose(null); berth.view.showAll()")
    check(f"{what}: the same 100 times by keys alone", not wrong, wrong[:3] or "")


# Window, job, hidden policies, difference, metric and search come back from the address.
def addresses(browser, page, labels, what):
    chance = random.Random(13)
    whole = browser.js("const w = berth.view.wholeTime(); return [w.from, w.to]")
    ids = browser.js("return [...berth.figures.workloads[0].id]")
    wrong = []
    for _ in range(20):
        begin = round(chance.uniform(whole[0], (whole[0] + whole[1]) / 2), 3)
        end = round(begin + chance.uniform(100, (whole[1] - whole[0]) / 3), 3)
        state = [begin, end, chance.choice(ids), chance.choice(["", "size > 4"]), chance.choice([[], [1]]), chance.choice([None, [1, 0]]), chance.choice([None, "max_wait"])]
        browser.js("""
            const { view } = berth;
            const [from, to, job, search, off, diff, metric] = arguments[0];
            view.show(from, to); view.choose(job); view.search(search);
            for (const number of berth.figures.runs.keys()) view.hide(number, off.includes(number));
            view.compareRuns(diff); view.chooseMetric(metric);""", state)
        browser.asynchronous("setTimeout(arguments[0], 260)")
        address = browser.js("return location.hash")
        browser.open(page, f"{what}, an address", address)
        again = browser.js("""
            const v = berth.view.view;
            const pressed = [...document.querySelectorAll("header .switch button")].map((one, i) => [one, i]).filter(([one]) => one.getAttribute("aria-pressed") === "false").map(([, i]) => i);
            return [v.from, v.to, v.job, v.search, pressed, v.diff, v.metric]""")
        same = all(abs(a - b) <= 2e-3 for a, b in zip(state[:2], again[:2])) and state[2:] == again[2:]
        wrong += [] if same else [(address, state, again)]
    check(f"{what}: the address restores 20 drawn states", not wrong, wrong[:1] or "20 of 20")


# Design values of durations, numbers and ticks.
def words(browser, what):
    said = browser.js("return [0.4, 59.6, 561.8, 6858.3, 38084.1, 86399, 262194, 980040, 1878704, 195291356].map(berth.words.duration)")
    check("words: spans have two neighbouring units", said == ["0", "1 min", "9 min 22 s", "1 h 54 min", "10 h 35 min", "1 d", "3 d 1 h", "11 d 8 h", "21 d 18 h", "2,260 d"], said)
    said = browser.js("const { words } = berth; return [words.number(14805.2), words.amount(0.6992, 'fraction'), words.difference(-90, 's'), words.difference(561.8, 's'), words.amount(3 * 1048576, 'KiB'), words.amount(512 * 1024, 'KiB')]")
    check("words: numbers have separators, signs and units", said == ["14,805", "69.9 %", "\u22121 min 30 s", "+9 min 22 s", "3 GiB", "512 MiB"], said)
    said = browser.js("""
        const { words } = berth;
        words.beginAt(0);
        const of = (from, hours, pixels = 1000) => words.ticks(from, from + hours * 3600, pixels).map(({ text, strong }) => (strong ? `*${text}*` : text));
        const at = (...parts) => Date.UTC(...parts) / 1000;
        const all = [of(at(1997, 2, 5, 10), 6 * 24), of(at(1997, 2, 7, 12, 30), 17), of(at(1997, 2, 7, 12, 10), 1), of(at(1996, 8, 30), 333 * 24, 1019),
          words.range(at(1997, 2, 5), at(1997, 2, 11, 0, 27)), words.range(at(1996, 8, 30), at(1997, 7, 29))];
        words.beginAt(null);
        all.push(of(0, 3 * 24), of(0, 200 * 24));
        words.beginAt(berth.figures.unix_start);
        return all""")
    expected = [[f"*{day} Mar*" for day in range(6, 12)], ["15:00", "18:00", "21:00", "*8 Mar*", "03:00"], ["12:15", "12:30", "12:45", "13:00"],
                ["Oct 1996", "Nov", "Dec", "*Jan 1997*", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug"],
                "5 Mar 1997 00:00 \u2013 11 Mar 1997 00:27", "30 Sep 1996 \u2013 29 Aug 1997"]
    check("words: ticks are dates and whole multiples", said[:6] == expected, [pair for pair in zip(said, expected) if pair[0] != pair[1]] or "")
    check("words: without a date days are counted", said[6][:5] == ["*day 1*", "12:00", "*day 2*", "12:00", "*day 3*"] and said[7] == ["day 30", "day 60", "day 90", "day 120", "day 150", "day 180"], said[6:])
    numbers = browser.js("""
        return [...document.querySelectorAll("td, th")].filter((one) => !one.matches("table.jobs td:first-child"))
          .map((one) => one.textContent).filter((text) => /(^|[^.\\d])\\d{5}/.test(text))""")
    check(f"{what}: no number above 9,999 in a table is without separators", not numbers, numbers or "")


BOTH = (("light", 1400, 900), ("dark", 420, 800))
ALL = (("light", 1400, 900), ("dark", 1400, 900), ("light", 420, 800), ("dark", 420, 800))


# First screens, for docs/images.
def first_screens(browser, page, shots, name, sizes=BOTH):
    for scheme, width, height in sizes:
        browser.scheme(scheme)
        browser.width(width, height)
        browser.open(page, f"first screen of {name}, {scheme}, {width} x {height}")
        wide = browser.js("return document.documentElement.scrollWidth")
        check(f"first screen of {name}, {scheme}, {width} x {height}: no sideways scroll", wide <= width, wide)
        browser.portrait(os.path.join(shots, f"report-{name}-{width}-{scheme}.png"))
    browser.scheme("light")
    browser.width(1200)
    # Where a policy is drawn in more than one panel it has one mark.
    browser.open(page, f"{name}, its marks")
    marks = browser.js("""
        const seen = new Map();
        for (const one of document.querySelectorAll("header .switch button, .key > *, .legend > *")) {
          const mark = one.querySelector("svg.mark path")?.getAttribute("style");
          const label = one.textContent.trim();
          if (mark && label) seen.set(label, (seen.get(label) ?? new Set()).add(mark));
        }
        return [seen.size, [...seen].filter(([, all]) => all.size > 1).map(([label]) => label)]""")
    check(f"{name}: a policy has one mark on a page", (marks[0] > 0 or name == "claims") and not marks[1], marks)
    # The whole page as people without one kind of cones see it, to be looked at.
    browser.open(page, f"{name}, for deuteranopes")
    browser.command("Emulation.setEmulatedVisionDeficiency", type="deuteranopia")
    browser.screenshot(os.path.join(shots, f"{name}-deuteranopia.png"), "body")
    browser.command("Emulation.setEmulatedVisionDeficiency", type="none")


SEEDS = """title = "Five seeds"
seed = 7
[machine]
processors = 64
[workload]
model = "lublin"
jobs = 400
load = 0.7
[run]
policies = ["easy", "conservative", "sjf:block=false", "fcfs"]
primary = "mean_wait"
[sweep]
seed = { from = 1, to = 5 }
"""


# Replications of one point: the board rests on the verdicts of comparison.csv.
def replications(browser, reports, shots):
    what = "replications"
    with open(reports.path("seeds.toml"), "w") as out:
        out.write(SEEDS)
    reports.run("run", "seeds.toml", "--out", "seeds", "--keep-jobs")
    with open(reports.path("seeds/comparison.csv")) as file:
        rows = {(row["metric"], row["policy"]): row for row in csv.DictReader(file)}
    page = reports.report("seeds.html", "seeds", "seeds/points/0001-seed=1")
    browser.open(page, what)
    shown = browser.js("""
        return [...document.querySelectorAll("#metrics tbody tr")].flatMap((row) => [...row.querySelectorAll("td[data-metric]")].map((cell) =>
          [cell.dataset.metric, row.querySelector("bdi").textContent, cell.dataset.value, cell.dataset.difference ?? "", cell.dataset.half ?? "", cell.dataset.verdict, Boolean(cell.querySelector(".dot"))]))""")
    number = lambda text: float(text) if text else None
    wrong = []
    for metric, policy, value, difference, half, verdict, dot in shown:
        row = rows[metric, policy]
        same = (number(value), number(difference), number(half), verdict) == (number(row["mean"]), number(row["difference"]), number(row["difference_half_width"]), row["verdict"])
        wrong += [] if same and dot == (verdict == "better") else [(metric, policy, value, difference, half, verdict, dot, row)]
    check(f"{what}: values, differences, intervals, verdicts and dots are those of comparison.csv", len(shown) == 20 and not wrong, wrong[:1] or f"{len(shown)} cells")
    judged = [(abs(float(row["difference"])), policy, row["verdict"]) for (metric, policy), row in rows.items()
              if metric == "mean_wait" and row["verdict"] in ("better", "worse")]
    sentence = browser.js("return document.querySelector('.sentence').textContent")
    wanted = max(judged)[1:] if judged else ("no difference shown", "")
    check(f"{what}: the sentence is of the largest difference that is shown", sentence.startswith(wanted[0]) and wanted[1] in sentence, sentence)
    browser.js("document.querySelector('th[data-metric=max_wait] button').click()")
    browser.frames()
    said = browser.js("return [...document.querySelectorAll('.against')].map((one) => one.textContent)")
    check(f"{what}: the head of a column draws that metric, with its verdicts", all(rows["max_wait", policy]["verdict"] in text for policy, text in zip([row[1] for row in shown if row[0] == "max_wait"], said[1:]) if rows["max_wait", policy]["verdict"] != "base"), said)
    bands(browser, reports, shots, what)
    accessible(browser, what)
    first_screens(browser, page, shots, "run", ALL)


def quantile(values, level):
    values = sorted(values)
    place = (len(values) - 1) * level
    low = int(place)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (place - low)


# Where 5 to 95 % of the means of all replications lie, in each bin that is drawn.
def bands(browser, reports, shots, what):
    shown = read_csv(browser.saved(browser.button("queue", "CSV")))
    wrong = []
    for label in {row["policy"] for row in shown}:
        runs = []
        for point in sorted(os.listdir(reports.path("seeds/points"))):
            with open(reports.path(f"seeds/points/{point}/{label}/timeline.csv")) as file:
                runs.append([{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)])
        for row in (row for row in shown if row["policy"] == label):
            begin, end = float(row["from"]), float(row["to"])
            for level in ("queue", "used"):
                means = [sum(one[f"{level}_mean"] * max(min(one["to"], end) - max(one["from"], begin), 0) for one in run) / (end - begin) for run in runs]
                for name, share in (("low", 0.05), ("high", 0.95)):
                    expected = quantile(means, share)
                    if abs(float(row[f"{level}_{name}"]) - expected) > 0.0006:
                        wrong.append((label, begin, level, name, row[f"{level}_{name}"], expected))
    drawn = browser.js("return [document.querySelectorAll('#queue path.band').length, document.querySelectorAll('#queue .lane').length]")
    check(f"{what}: bands of queue and use are the quantiles of all timeline.csv", len(shown) > 100 and not wrong, wrong[:2] or f"{len(shown)} bins of {len(runs)} runs")
    check(f"{what}: each lane has its bands, and the caption says so", drawn[0] == 2 * drawn[1] > 0 and "5 replications" in browser.js("return document.querySelector('#queue figcaption').textContent"), drawn)
    browser.screenshot(os.path.join(shots, "report-bands.png"), "#queue")


# Pass by pass, from the log of a run, and without one.
def passes(browser, reports, shots):
    what = "passes"
    reports.run("run", "--trace", "t.swf", "--policy", "easy", "--log", "--out", "logged")
    known, queue, started = {}, 0, {}
    with open(reports.path("logged/easy/log.jsonl" if os.path.exists(reports.path("logged/easy")) else "logged/log.jsonl")) as file:
        for record in map(json.loads, file):
            queue += {"submit": 1, "start": -1, "reject": -1}.get(record["record"], 0)
            if record["record"] == "start":
                started.setdefault(record["at"], []).append(record["job"])
            if record["record"] == "pass":
                known[record["at"]] = (record["number"], queue)
    times = sorted(known)
    browser.open(reports.report("logged.html", "logged"), what)
    chance = random.Random(17)
    for is_logged in (True, False):
        if not is_logged:
            browser.js("const p = berth.charts.gantt[0].settings.passes; p.run.passes = undefined; p.of.clear()")
            times = sorted(started)
        wrong = []
        for at in chance.sample(range(len(times) - 1), 30):
            said = browser.js("""
                const { passes } = berth.charts.gantt[0].settings;
                passes.time = arguments[0];
                berth.view.show(arguments[0] - 3600, arguments[0] + 3600);
                passes.step(1);
                return [passes.time, passes.said.textContent]""", times[at])
            time_, jobs = times[at + 1], sorted(started.get(times[at + 1], []))
            number, left = known[time_]
            names = ", ".join(map(str, jobs[:6])) or "no job"
            more = f", and {len(jobs) - 6} more" if len(jobs) > 6 else ""
            tail = f": started {names}{more}; {left:,} job{'' if left == 1 else 's'} left in the queue."
            head = f"Pass {number:,} of easy, " if is_logged else "easy, "
            if said[0] != time_ or not said[1].startswith(head) or not said[1].endswith(tail):
                wrong.append((said, time_, tail))
        check(f"{what}: 30 steps {'tell the passes of log.jsonl' if is_logged else 'without a log tell the starts'}, what started and what was left", not wrong, wrong[:1] or "30 of 30")
    before = browser.js("return berth.charts.gantt[0].settings.passes.time")
    ActionChains(browser.driver).send_keys("[").perform()
    after = browser.js("return berth.charts.gantt[0].settings.passes.time")
    check(f"{what}: the key [ steps back", after == times[times.index(before) - 1], [before, after])
    accessible(browser, what)
    browser.screenshot(os.path.join(shots, "report-passes.png"), "#schedule")


# Rows by host: names come with the results, a click on one shows it alone.
def hosts(browser, what):
    seen = browser.js("""
        const chart = berth.charts.gantt[0];
        const named = chart.run.named.map(({ name, from, rows }) => [name, from, rows]);
        const box = chart.canvas.getBoundingClientRect();
        const at = (row) => ({ clientX: box.left + 100, clientY: box.top + (row / chart.rows) * box.height, bubbles: true });
        chart.canvas.dispatchEvent(new MouseEvent("click", at(3 * 32 + 16)));
        const alone = [chart.row, chart.rows];
        chart.canvas.dispatchEvent(new MouseEvent("click", at(4)));
        const again = [chart.row, chart.rows];
        const { bars } = chart.run;
        const bar = bars.job.findIndex((_, i) => bars.at[i] < bars.at[i + 1] && bars.finish[i] > bars.start[i]);
        const { from, to } = berth.view.view;
        const time = (bars.start[bar] + bars.finish[bar]) / 2;
        chart.canvas.dispatchEvent(new MouseEvent("mousemove", { clientX: box.left + berth.left() + (time - from) / (to - from) * chart.width,
          clientY: box.top + (bars.first[bars.at[bar]] + 0.5) / chart.rows * box.height, bubbles: true }));
        return [named, alone, again, document.querySelector("[data-part=hover] b").textContent, bars.first[bars.at[bar]], box.height]""")
    names = [f"thin{i}" for i in range(8)] + [f"gpu{i}" for i in range(4)]
    check(f"{what}: rows are grouped by the hosts that summary.json names", seen[0] == [[name, 32 * i, 32] for i, name in enumerate(names)] and seen[5] == 30 * 12, seen[0][:2])
    check(f"{what}: a click on a name shows that host alone, another all of them", seen[1] == [96, 32] and seen[2] == [0, 384], seen[1:3])
    below = browser.js("""
        const chart = berth.charts.gantt[0];
        const { bars, jobs } = chart.run;
        const wrong = [];
        for (let bar = 0; bar < bars.job.length; bar += 7) {
          if (bars.at[bar] === bars.at[bar + 1]) continue;
          const job = bars.job[bar];
          berth.charts.drawer.open(jobs.id[job], chart.run.number);
          const y = chart.canvas.getBoundingClientRect().top + chart.heightOf(job);
          const { top } = document.querySelector("[data-part=card]").getBoundingClientRect();
          if (y < 140 || y > top) wrong.push([jobs.id[job], y, top]);
        }
        berth.view.choose(null);
        return wrong""")
    check(f"{what}: a chosen job of a chart higher than its room stays above the drawer", not below, below[:3] or "")
    check(f"{what}: the hover box names the host", seen[3].endswith(f"\u00b7 {names[seen[4] // 32]}"), seen[3])


# GPUs of hosts as rows of their own: as many as the file says, no two jobs on one.
def units(browser, reports, what):
    shown = browser.js("""
        return berth.charts.gantt.filter(({ run }) => run.units === null).map(({ run }) => {
          const { bars, jobs } = run;
          return [run.label, run.lanes.names, run.lanes.each, Array.from(bars.job, (job, i) => [jobs.id[job], bars.start[i], bars.finish[i],
            Array.from(bars.first.subarray(bars.at[i], bars.at[i + 1]), (first, k) => [first, first + bars.more[bars.at[i] + k]])])];
        })""")
    for label, names, each, bars in shown:
        with open(reports.path(f"shares/{label.split(': ')[0]}/jobs.csv")) as file:
            asked = {int(row["job_id"]): int(row["need_gpu"]) for row in csv.DictReader(file) if row["allocated_resources"]}
        rows = {job: sum(last - first + 1 for first, last in parts) for job, _, _, parts in bars}
        wrong = [job for job, need in asked.items() if rows.get(job, 0) != need]
        taken = sorted((row, start, finish) for _, start, finish, parts in bars for first, last in parts for row in range(first, last + 1))
        twice = [one for one, other in zip(taken, taken[1:]) if one[0] == other[0] and other[1] < one[2]]
        check(f"{what}: {label} has a row for each GPU that a job has, none twice", not wrong and not twice and (names, each) == ([f"{host}:0" for host in range(8, 12)], 4),
              wrong[:3] or twice[:3] or f"{sum(rows.values())} rows of {len(asked)} jobs")
    check(f"{what}: each policy has GPUs as rows", [label for label, *_ in shown] == ["multifactor(age=70000): gpu", "fairshare_easy: gpu"], [label for label, *_ in shown])


# Loads of a network: slots and links, by name.
def loads(browser, reports, shots):
    what = "loads"
    reports.run("run", os.path.join(ROOT, "scenarios/fat_tree.toml"), "--set", 'run.policies=["fcfs", "bgmbfsdf"]', "--out", "loads")
    page = reports.report("loads.html", "loads")
    browser.width(1400, 900)
    browser.open(page, what)
    with open(reports.path("loads/fcfs/loads.csv")) as file:
        rows = list(csv.DictReader(file))
    groups = list(dict.fromkeys(row["group"] for row in rows))
    drawn = browser.js("return [...document.querySelectorAll('#links .lane h3')].map((one) => one.textContent)")
    check(f"{what}: a picture a group of loads.csv", drawn == groups and len(groups) == 4, drawn)
    wrong = []
    for group, data in zip(groups, browser.buttons("links", "CSV")):
        shown = [(row["row"], float(row["from"]), float(row["to"]), float(row["share"])) for row in read_csv(browser.saved(data))]
        if shown != [(row["row"], float(row["from"]), float(row["to"]), float(row["share"])) for row in rows if row["group"] == group]:
            wrong.append(group)
    check(f"{what}: each exports its part of loads.csv", not wrong, wrong or f"{len(rows)} spans")
    begin, end = browser.js("return [berth.view.view.from, berth.view.view.to]")
    values = browser.js("return berth.charts.loads.map((heat) => [...heat.values(500)])")
    worst = 0.0
    for group, own in zip(groups, values):
        names = list(dict.fromkeys(row["row"] for row in rows if row["group"] == group))
        for name in random.Random(3).sample(names, 10):
            spans = [(float(row["from"]), float(row["to"]), float(row["share"])) for row in rows if (row["group"], row["row"]) == (group, name)]
            for pixel in range(0, 500, 25):
                left, right = (begin + (end - begin) * (pixel + k) / 500 for k in (0, 1))
                mean = sum(share * max(min(last, right) - max(first, left), 0) for first, last, share in spans) / (right - left)
                worst = max(worst, abs(mean - own[names.index(name) * 500 + pixel]))
    check(f"{what}: 800 pixels are the means of their time", worst < 1e-6, worst)
    with open(reports.path("loads/fcfs/jobs.csv")) as file:
        seconds = sum((float(row["finish_time"]) - float(row["starting_time"])) * int(row["requested_number_of_resources"]) for row in csv.DictReader(file) if row["finish_time"])
    slots = sum(8 * float(row["share"]) * (float(row["to"]) - float(row["from"])) for row in rows if row["group"] == groups[0])
    check(f"{what}: the slots in use add up to the VMs of jobs.csv over time", abs(slots - seconds) < 0.01 * seconds, f"{slots}, {seconds}")
    accessible(browser, what)
    for scheme, width, height in BOTH:
        browser.scheme(scheme)
        browser.width(width, height)
        browser.open(page, f"{what}, {scheme}, {width} x {height}")
        browser.js("const { from, to } = berth.view.wholeTime(); berth.view.show(from + (to - from) / 3, from + (to - from) / 2); document.getElementById('links').scrollIntoView()")
        browser.asynchronous("setTimeout(arguments[0], 400)")
        wide = browser.js("return document.documentElement.scrollWidth")
        check(f"{what}, {scheme}, {width} x {height}: no sideways scroll", wide <= width, wide)
        browser.portrait(os.path.join(shots, f"report-network-{width}-{scheme}.png"))
    browser.scheme("light")
    browser.width(1200)


def names(browser, what):
    browser.command("Accessibility.enable")
    nodes = browser.command("Accessibility.getFullAXTree")["nodes"]
    wanted = ("button", "combobox", "searchbox", "image", "application")
    bare = [node["role"]["value"] for node in nodes
            if node.get("role", {}).get("value") in wanted and not node.get("ignored") and not node.get("name", {}).get("value")]
    check(f"{what}: every control and chart has a name", not bare, bare[:5] or f"{len(nodes)} nodes")
    accessible(browser, what)


def accessible(browser, what):
    if not os.path.exists(AXE):
        print("skip axe-core: report/web/node_modules has none")
        return
    with open(AXE) as file:
        browser.command("Page.enable")
        browser.command("Runtime.evaluate", expression=file.read())
    # What can be opened, too.
    turn = "for (const one of document.querySelectorAll('details')) one.open = !one.open"
    browser.js(turn)
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        found = browser.asynchronous("""
            const done = arguments[arguments.length - 1];
            axe.run(document, { resultTypes: ["violations"] }).then((r) => done(r.violations
              .filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 120)}`)),
              (e) => done([String(e)]))""")
        check(f"{what}: axe-core has no serious finding, {scheme}", not found, found or "")
    browser.scheme("light")
    browser.js(turn)


# Zoom and cursor are one in every chart over time, and the address restores the view.
LINKED = """
    const lanes = berth.charts.timelines;
    const drawn = [...lanes.lanes.map(() => ({ min: lanes.window.from, max: lanes.window.to }))];
    const { from, to } = berth.view.view;
    const gantt = berth.charts.gantt.map((chart) => chart.picture.window);
    return [from, to, drawn.length, drawn.every((axis) => axis.min === from && axis.max === to) && gantt.every((one) => one.from === from && one.to === to)];"""
CURSORS = """
    return [...document.querySelectorAll(".cursor")].filter((line) => !line.hidden).map((line) => {
      const chart = line.previousElementSibling;
      return (line.getBoundingClientRect().left - chart.getBoundingClientRect().left - berth.left()) / (chart.offsetWidth - berth.left());
    });"""


def linked(browser, page, what):
    over = lambda selector: ActionChains(browser.driver).move_to_element(browser.driver.find_element("css selector", selector)).perform()
    whole = browser.js("const w = berth.view.wholeTime(); return [w.from, w.to]")
    for selector in ("#queue .plot", "canvas.gantt"):
        before = browser.js("const v = berth.view.view; return [v.from, v.to]")
        browser.js("""
            const element = document.querySelector(arguments[0]);
            element.scrollIntoView({ block: "center" });
            const box = element.getBoundingClientRect();
            element.dispatchEvent(new WheelEvent("wheel", { deltaY: -100, ctrlKey: true, cancelable: true, bubbles: true,
              clientX: box.left + 0.7 * box.width, clientY: box.top + box.height / 2 }));""", selector)
        seen = browser.wait(f"const read = (() => {{ {LINKED} }})(); return read[3] && read")
        check(f"{what}: a wheel on {selector} zooms every chart over time to one window",
              seen and before != seen[:2] and whole[0] <= seen[0] < seen[1] <= whole[1] and seen[2] > 1, seen)
        over(selector)
        shares = browser.js(CURSORS)
        charts = seen[2] + browser.js("return berth.charts.gantt.length")
        check(f"{what}: the mouse on {selector} is a line at one time in all {charts} of them",
              len(shares) == charts and max(shares) - min(shares) < 0.005, [round(share, 4) for share in shares])
    browser.js("berth.view.choose(berth.figures.workloads[0].id[3])")
    state = browser.js("const v = berth.view.view; return [v.from, v.to, v.job]")
    address = browser.wait("return location.hash.includes('t=') && location.hash.includes('job=') && location.hash")
    browser.open(page, f"{what}, from its address", address)
    again = browser.js("const v = berth.view.view; return [v.from, v.to, v.job]")
    drawn = browser.wait(f"const read = (() => {{ {LINKED} }})(); return read[3] && read")
    near = all(abs(a - b) <= 1e-3 for a, b in zip(state, again))
    check(f"{what}: the address restores window and job in every chart", near and drawn and not browser.js("return document.querySelector('.card').hidden"), f"{address} {again}")


# A site with groups of users, weights and fair shares, judged by what they could expect.
def shares(browser, reports, shots):
    what = "fair shares"
    reports.run("run", os.path.join(ROOT, "scenarios/site.toml"), "--set", "run.expectations=true",
                "--set", 'run.policies=["multifactor", "fairshare_easy"]', "--out", "shares")
    page = reports.report("shares.html", "shares")
    browser.open(page, what)
    labels = browser.js("return berth.figures.runs.map((run) => run.label)")
    shown = [table for table in (read_csv(browser.saved(button)) for button in browser.buttons("users", "CSV")) if "usage" in table[0]]
    rows = {(row["policy"], row["user"]): row for row in (shown[0] if shown else [])}
    wrong = []
    seen = 0
    for label in labels:
        with open(reports.path(f"shares/{label}/users.csv")) as file:
            for row in csv.DictReader(file):
                seen += 1
                wrong += [(label, row["user"], name) for name, value in row.items() if rows.get((label, row["user"]), {}).get(name) != value]
    check(f"{what}: every column of users.csv of every policy is in the panel", seen == len(rows) > 0 and not wrong, wrong[:3] or f"{seen} rows, {len(shown[0][0]) - 1} columns, {len(labels)} policies")
    table = browser.js("return [...document.querySelectorAll('#users table thead th')].map((th) => th.textContent)")
    check(f"{what}: the table of users has weights, usage and violations", {"weight", "usage", "violated", "weighted tardiness"} <= set(table), table)
    accessible(browser, what)
    linked(browser, page, what)
    browser.open(page, what)
    hosts(browser, what)
    units(browser, reports, what)
    browser.screenshot(os.path.join(shots, "report-hosts.png"), "#schedule")
    browser.screenshot(os.path.join(shots, "report-users.png"), "#users")
    first_screens(browser, page, shots, "site")


# Hosts that go down, windows and lost attempts, over the jobs.
def operations(browser, reports, shots):
    what = "operations"
    reports.run("run", os.path.join(ROOT, "scenarios/operations.toml"),
                "--set", 'run.policies=["fcfs", "easy"]', "--out", "operations")
    page = reports.report("operations.html", "operations")
    browser.open(page, what)
    browser.wait("return berth.charts.gantt.length === 2")
    for number, label in enumerate(("fcfs", "easy")):
        with open(reports.path(f"operations/{label}/machine.csv")) as file:
            rows = list(csv.DictReader(file))
        shown = browser.js(f"return berth.figures.runs[{number}].machine.map((span) => [span.name ?? '', span.start, span.finish === Infinity ? '' : span.finish, span.parts])")
        said = sorted([row["name"], float(row["from"]), float(row["to"]) if row["to"] else "",
                       [[int(end) for end in (part.split("-") * 2)[:2]] for part in row["processors"].split()]] for row in rows)
        check(f"{what}: {label} draws what machine.csv tells", sorted(shown) == said and len(rows) > 2, f"{len(shown)} of {len(rows)} spans")
    hit = browser.js("const { look } = berth.figures.runs[1].bars; return look.filter((one) => one >= 6).length")
    with open(reports.path("operations/easy/jobs.csv")) as file:
        lost = sum(int(row["attempts"]) - 1 for row in csv.DictReader(file) if int(row["attempts"]) > 1)
    check(f"{what}: lost attempts are struck", hit == lost > 0, f"{hit} of {lost}")
    accessible(browser, what)
    browser.screenshot(os.path.join(shots, "report-operations.png"), "#schedule")


def printed(browser, reports, what):
    pdf = base64.b64decode(browser.command("Page.printToPDF", printBackground=True)["data"])
    with open(reports.path("page.pdf"), "wb") as out:
        out.write(pdf)
    text = subprocess.run(["pdftotext", "-layout", reports.path("page.pdf"), "-"], check=True, capture_output=True, timeout=LIMIT).stdout.decode()
    flat = " ".join(text.split())
    captions = browser.js("return [...document.querySelectorAll('figcaption')].map((one) => one.textContent)")
    squeeze = lambda words: "".join(words.split())
    missing = [caption for caption in captions if squeeze(caption) not in squeeze(flat)]
    check(f"{what}: printed with every caption", captions and not missing, missing[:1] or f"{len(captions)} captions")
    cells = browser.js("return [...document.querySelectorAll('#metrics th[scope=row] bdi')].map((one) => one.textContent)")
    check(f"{what}: printed with the comparison table", cells and all(cell in flat for cell in cells))
    check(f"{what}: printed without controls", "\u25d1" not in flat and "PNG" not in flat)


def looks(browser, page, shots, what):
    for scheme, width in (("light", 1200), ("dark", 1200), ("light", 400)):
        browser.scheme(scheme)
        browser.width(width)
        browser.open(page, f"{what}, {scheme}, {width} px")
        wide = browser.js("return document.documentElement.scrollWidth")
        check(f"{what}, {scheme}, {width} px: fits the width", wide <= width, f"{wide} px")
        paper = browser.js("return getComputedStyle(document.body).backgroundColor")
        check(f"{what}, {scheme}, {width} px: has its colours", (paper == "rgb(255, 255, 255)") == (scheme == "light"), paper)
        browser.screenshot(os.path.join(shots, f"{what.replace(' ', '-')}-{scheme}-{width}.png"))
    browser.scheme("light")
    browser.width(1200)


def hostile(browser, reports):
    title = "</script><script>document.title=1</script><b>&amp;\u202eright to left\x1b[31m"
    label = "<img src=x onerror=alert(1)>" + "x" * 10000
    write_schedule(reports.path("hostile.csv"), HAND)
    os.makedirs(reports.path("bad"), exist_ok=True)
    name = "bad/" + "<img src=x onerror=document.title=2>.csv".replace("/", "")
    write_schedule(reports.path(name), HAND)
    page = reports.report("hostile.html", "--jobs", name, "--jobs", "hostile.csv", "--processors", "8", "--title", title)
    browser.open(page, "hostile title and label")
    shown = browser.js("return [document.title, document.querySelector('h1').textContent, document.querySelectorAll('img, h1 b, bdi b').length]")
    text = title.replace("\x1b", "\\x1b")
    check("hostile title: shown as text", shown[1] == text and shown[0] == text and shown[2] == 0, shown)
    reports.run("run", "--trace", "t.swf", "--policy", "easy", "--out", "long")
    file = reports.path("long/summary.json")
    with open(file) as source:
        summary = json.load(source)
    summary["policy"] = label
    with open(file, "w") as out:
        json.dump(summary, out)
    browser.open(reports.report("long.html", "long"), "a label of 10,000 characters")
    wide = browser.js("return document.documentElement.scrollWidth")
    check("a label of 10,000 characters: text, and the page keeps its width", wide <= 1200 and browser.js("return document.images.length") == 0, wide)


def edges(browser, reports):
    cases = {
        "no job": [], "one job": [(1, 1, 0, 0, 10, "0")],
        "all at one instant": [(i, i, 5, 5, 6, str(i)) for i in range(1, 9)],
        "jobs of no length": [(i, 1, i, i, i, "0-3") for i in range(1, 9)],
        "jobs left over": [(1, 1, 0, 0, 10, "0-1"), (2, 1, 0, 5, "", "2"), (3, 1, 3, "", "", "")],
    }
    for what, jobs in cases.items():
        write_schedule(reports.path("edge.csv"), jobs)
        browser.open(reports.report("edge.html", "--jobs", "edge.csv", "--processors", "16"), what)
    script = browser.command("Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.DecompressionStream")
    browser.driver.get(f"file://{reports.path('run.html')}")
    browser.wait("return document.documentElement.dataset.painted")
    said = browser.js("return document.getElementById('trouble').textContent")
    rows = browser.js("return document.querySelectorAll('#metrics tbody tr').length")
    check("a browser too old: one sentence, and the board", "too old" in said and rows == 2, said)
    browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])


def address(browser, page, what):
    browser.open(page, f"{what}, with an address", "#t=5000:9000&q=size%20%3E%204")
    state = browser.js("const v = berth.view.view; return [v.from, v.to, v.search]")
    check(f"{what}: the address shows the same place", state == [5000, 9000, "size > 4"], state)


def users_over_time(browser, rows, shots):
    top = browser.js("return Number(document.querySelectorAll('#queue option')[1].value)")
    browser.js("berth.charts.timelines.choose(arguments[0])", top)
    used = [row for row in read_csv(browser.saved(browser.button("queue", "CSV"))) if row["policy"] == "easy"]
    seconds = sum(float(row[f"used_by_user_{top}"]) * (float(row["to"]) - float(row["from"])) for row in used)
    by_user = {}
    for row in rows:
        if row["finish_time"]:
            held = (float(row["finish_time"]) - float(row["starting_time"])) * int(row["requested_number_of_resources"])
            by_user[int(row["user"])] = by_user.get(int(row["user"]), 0) + held
    expected = by_user[top]
    check("KTH: the user of most processor time is offered first, and the lanes add up to it", expected == max(by_user.values()) and abs(seconds - expected) < 1e-6 * expected, f"user {top}: {seconds}, {expected}")
    browser.js("berth.charts.timelines.choose(null)")
    waits = {}
    for row in rows:
        if row["finish_time"]:
            waits.setdefault(row["user"], []).append(float(row["waiting_time"]))
    shown = [row for row in read_csv(browser.saved(browser.button("users", "CSV"))) if row["policy"] == "easy"]
    wrong = [row["user"] for row in shown if abs(float(row["mean_wait"]) - sum(waits[row["user"]]) / len(waits[row["user"]])) > 1e-6 * max(float(row["mean_wait"]), 1)]
    check("KTH: each user's mean wait is that of jobs.csv", len(shown) == len(waits) and not wrong, wrong[:3])
    exported(browser, "users", "KTH")


# On a real log, where there is one; the pictures of docs/report.md.
def kth(browser, reports, shots):
    trace = os.path.join(os.environ.get("BERTH_DATA", ""), "traces/KTH-SP2-1996-2.1-cln.swf.gz")
    if not os.path.exists(trace):
        check("the KTH log is there, for BERTH_DATA is set", "BERTH_DATA" not in os.environ, trace)
        print("skip the KTH log: BERTH_DATA is not set")
        return
    reports.run("run", "--trace", trace, "--policy", "easy", "--policy", "conservative", "--out", "kth")
    page = reports.report("kth.html", "kth")
    first = open(page, "rb").read()
    check("KTH: at most 1.6 MB", len(first) <= 1.6e6, f"{len(first)} bytes")
    other = {**os.environ, "TZ": "Asia/Kolkata", "LC_ALL": "de_DE.UTF-8"}
    subprocess.run([reports.berth, "report", reports.path("kth"), "-o", "again.html"], check=True, cwd=reports.path("downloads"), env=other, timeout=LIMIT)
    again = reports.path("downloads/again.html")
    check("KTH: the same bytes in another time zone, locale and folder", open(again, "rb").read() == first)
    os.remove(again)
    with open(reports.path("kth/easy/jobs.csv")) as file:
        rows = list(csv.DictReader(file))
    browser.open(page, "KTH")
    print(f"     KTH: painted in {browser.js('return Math.round(performance.getEntriesByName(`painted`)[0].startTime)')} ms")
    truth(browser, reports, "kth", ["easy", "conservative"], "KTH")
    users_over_time(browser, rows, shots)
    hits(browser, rows, "KTH")
    browser.screenshot(os.path.join(shots, "report-far.png"), "#schedule")
    far(browser, rows, 100, "KTH")
    browser.js("const { view } = berth; const at = view.wholeTime().from + 200 * 86400; view.show(at, at + 2 * 86400)")
    browser.wait("return document.querySelector('canvas.gantt').dataset.mode === 'near'")
    browser.screenshot(os.path.join(shots, "report-near.png"), "#schedule")
    browser.width(1400, 900)
    browser.js("""
        const chart = berth.charts.gantt[0];
        const { schedule, jobs } = chart.run;
        const { from, to } = berth.view.view;
        const job = [...schedule.start.keys()].filter((i) => schedule.start[i] > from && schedule.finish[i] < to).reduce((a, b) => (schedule.wait[b] > schedule.wait[a] ? b : a));
        berth.charts.drawer.open(jobs.id[job], 0);""")
    browser.portrait(os.path.join(shots, "report-drawer.png"))
    browser.js("berth.view.choose(null); berth.view.compareRuns([1, 0]); document.getElementById('schedule').scrollIntoView()")
    browser.portrait(os.path.join(shots, "report-difference.png"))
    counted = browser.js("return document.querySelector('#schedule .note').textContent")
    starts = {}
    for label in ("easy", "conservative"):
        with open(reports.path(f"kth/{label}/jobs.csv")) as file:
            starts[label] = {row["job_id"]: float(row["starting_time"]) for row in csv.DictReader(file) if row["starting_time"]}
    changes = [starts["conservative"][job] - start for job, start in starts["easy"].items()]
    expected = f"{sum(one <= -60 for one in changes):,} jobs start earlier than under easy, {sum(one >= 60 for one in changes):,} later, {sum(abs(one) < 60 for one in changes):,} within a minute."
    check("KTH: the difference counts the starts of jobs.csv", counted == f"Under conservative {expected}", counted)
    browser.js("berth.view.compareRuns(null)")
    browser.width(1200)


TIERS = """title = "Two tiers"
seed = 7
[machine]
processors = 32
sharing = "two_tier"
[workload]
model = "lublin"
jobs = 150
load = 0.7
estimates = "factor"
[run]
policies = ["easy", "measy"]
"""


def two_tiers(browser, reports, shots):
    what = "two tiers"
    with open(reports.path("tiers.toml"), "w") as out:
        out.write(TIERS)
    reports.run("run", "tiers.toml", "--out", "tiers")
    with open(reports.path("tiers/measy/stretches.csv")) as file:
        rows = [row for row in csv.DictReader(file) if row["resources"]]
    browser.open(reports.report("tiers.html", "tiers/measy"), what)
    stretches = [(float(r["from"]), float(r["to"]), 1 if r["tier"] == "foreground" else 2, set(count(r["resources"])), int(r["job_id"])) for r in rows]
    check(f"{what}: the run has a background", any(half == 2 for _, _, half, _, _ in stretches))
    begin, end = min(s[0] for s in stretches), max(s[1] for s in stretches)
    chance = random.Random(5)
    points = [[chance.uniform(begin, end), chance.randrange(32), chance.choice((1, 2))] for _ in range(1000)]
    found = browser.js("""
        const chart = berth.charts.gantt[0];
        const box = chart.canvas.getBoundingClientRect();
        const { from, to } = berth.view.view;
        return arguments[0].map(([time, row, half]) => {
          const job = chart.jobUnder({ clientX: box.left + berth.left() + (time - from) / (to - from) * chart.width,
            clientY: box.top + (row + half / 2 - 0.25) / chart.rows * chart.height });
          return job < 0 ? null : chart.run.jobs.id[job];
        })""", points)
    wrong = 0
    for (at, row, half), job in zip(points, found):
        here = [s for s in stretches if s[2] == half and row in s[3]]
        edge = any(min(abs(s[0] - at), abs(s[1] - at)) < 1e-3 for s in here)
        wrong += not edge and job != next((s[4] for s in here if s[0] <= at < s[1]), None)
    check(f"{what}: 1,000 random points hit the job of stretches.csv in its half of the row", wrong == 0, f"{wrong} wrong")
    colours = browser.js("""
        const [stretches, classes] = arguments;
        const chart = berth.charts.gantt[0];
        chart.settings.colour = "size";
        berth.view.showAll();
        chart.rows = 32;
        const { from, to } = berth.view.view;
        const { canvas } = chart.render(1600, 1280, 1);
        const context = canvas.getContext("2d");
        const wrong = [];
        let seen = 0;
        for (const [begin, end, half, row, id] of stretches) {
          const wide = (end - begin) / (to - from) * 1600;
          if (wide < 8) continue;
          const x = Math.round(((begin + end) / 2 - from) / (to - from) * 1600);
          const y = Math.round((row + (half === 1 ? 0.25 : 0.75)) * 40) + 6;
          const found = [...context.getImageData(x, y, 1, 1).data].slice(0, 3).map((v) => v.toString(16).padStart(2, "0")).join("");
          const size = chart.run.jobs.size[chart.run.jobs.id.indexOf(id)];
          const expected = classes[Math.floor(Math.log2(size)) % 10];
          ++seen;
          if (found !== expected) wrong.push([id, row, half, found, expected]);
        }
        return [chart.mode, seen, wrong.length, wrong.slice(0, 3)]""",
                         [[s[0], s[1], s[2], max(s[3]), s[4]] for s, row in zip(stretches, rows) if row["kind"] == "running"], CLASSES)
    # A line of a suspended job, or a number, may cross a few of the points.
    check(f"{what}: foreground above, background below, in the colour of the job's size", colours[0] == "near" and colours[1] > 50 and colours[2] <= 0.02 * colours[1], colours)
    mean = browser.js("""
        const chart = berth.charts.gantt[0];
        const values = chart.values({ from: arguments[0], to: arguments[1], row: 0, rows: 32 }, 700, 200);
        return values.reduce((a, b) => a + b, 0) / values.length""", begin, end)
    used = [sum((s[1] - s[0]) * len(s[3]) for s in stretches if s[2] == half) for half in (1, 2)]
    expected = sum(used) / (2 * 32 * (end - begin))
    check(f"{what}: the far picture's mean is the share in use of both tiers", abs(mean - expected) < 0.005, f"{mean}, {expected}")
    shown = browser.js("""
        const of = berth.figures.runs[0].timeline[0];
        return ["foreground_mean", "background_mean"].map((name) => of[name].reduce((sum, value, i) => sum + value * (of.to[i] - of.from[i]), 0))""")
    near = all(abs(a - b) < 0.005 * max(b, 1) for a, b in zip(shown, used))
    check(f"{what}: timelines of both tiers hold the processor seconds of stretches.csv", near, f"{shown}, {used}")
    frozen = browser.js("const { look } = berth.figures.runs[0].bars; return look.filter((one) => one >= 3).length")
    check(f"{what}: frozen stretches are there as in stretches.csv", (frozen > 0) == any(row["kind"] == "frozen" for row in rows), frozen)
    accessible(browser, what)
    browser.screenshot(os.path.join(shots, "two-tiers.png"))
    tiers_by_hand(browser, reports, shots)


# Job 1 runs in the foreground, is suspended from 40 to 60, and moves; job 2 is frozen in
# the background until 20.
def tiers_by_hand(browser, reports, shots):
    what = "two tiers by hand"
    write_schedule(reports.path("tiers/measy/jobs.csv"), [(1, 1, 0, 0, 100, "0-15"), (2, 2, 0, 0, 100, "0-31")])
    with open(reports.path("tiers/measy/stretches.csv"), "w") as out:
        out.write("job_id,from,to,kind,tier,yield,resources\n1,0,40,running,foreground,1,0-15\n1,40,60,suspended,,,\n"
                  "1,60,100,running,foreground,1,16-31\n2,0,20,frozen,background,0,0-31\n2,20,100,running,background,0.5,0-31\n")
    page = reports.report("tiers_hand.html", "tiers/measy")
    browser.open(page, what)
    read = browser.js("""
        const chart = berth.charts.gantt[0];
        chart.settings.colour = "size";
        berth.view.show(0, 100);
        chart.rows = 32;
        const { canvas } = chart.render(1000, 1280, 1);
        const context = canvas.getContext("2d");
        const at = (time, row, half) => [...context.getImageData(Math.round(time * 10), Math.round((row + half) * 40), 1, 1).data]
          .slice(0, 3).map((v) => v.toString(16).padStart(2, "0")).join("");
        const count = (time, row, half, want) => [...context.getImageData(time * 10, Math.round((row + half - 0.2) * 40), 100, 14).data]
          .filter((_, i, all) => i % 4 === 0 && [all[i], all[i + 1], all[i + 2]].map((v) => v.toString(16).padStart(2, "0")).join("") === want).length;
        const svg = chart.svg();
        return { first: at(20, 3, 0.25), idle: at(20, 20, 0.25), moved: at(80, 20, 0.25), left: at(80, 3, 0.25), back: at(60, 9, 0.75),
          hatched: count(5, 9, 0.75, "ffffff"), plain: count(65, 9, 0.75, "ffffff"), suspended: at(50, 4, 0.1),
          lines: svg.split("<line").length - 1, frozen: svg.split("url(#frozen)").length - 1, mode: chart.mode }""")
    check(f"{what}: foreground above and background below, each in its colour", read["mode"] == "near" and read["first"] == read["moved"] == CLASSES[4] and
          read["idle"] == read["left"] == read["suspended"] == "ffffff" and read["back"] == CLASSES[5], read)
    check(f"{what}: frozen is hatched, suspended time is one thin line", read["hatched"] > 100 and read["plain"] == 0 and read["lines"] == 1 and read["frozen"] == 32, read)
    browser.js("berth.view.show(0, 100); berth.charts.gantt[0].showRows(0, 32)")
    browser.screenshot(os.path.join(shots, "report-two-tiers.png"), "#schedule")


CLAIMS = """paper { title = "Does backfilling pay?", by = "A paper <of> tests", assumes = "a small workload",
        axis = "workload.load", axis_name = "load" }
claim { "1", says = "EASY waits less than FCFS: 40 % better", sweep = "load.toml", of = "easy", against = "fcfs",
        metric = "mean_wait", rule = "on_average", number = 40, within = { 20, 90 },
        figure = "Fig. 1" }
claim { "2 <b>", says = "and has worse utilisation", sweep = "load.toml", of = "easy", against = "fcfs",
        metric = "utilisation", unit = "pp", rule = "on_average", side = "worse", within = { 20, 50 } }
claim { "3", says = "jobs queue", given = "built in" }
claim { "4", says = "at the largest load half as long", sweep = "load.toml", of = "easy", against = "fcfs", at = { ["workload.load"] = 0.9 },
        metric = "mean_wait", rule = "on_average", number = 50, figure = "Fig. 1b" }
figure { "Fig. 1", says = "mean wait over the load", sweep = "load.toml", of = { "easy", "fcfs" }, metric = "mean_wait",
         numbers = { easy = { ["0.9"] = 2500 } } }
"""


def claims(browser, reports, shots):
    os.makedirs(reports.path("claims"))
    with open(reports.path("claims/claims.lua"), "w") as out:
        out.write(CLAIMS)
    with open(reports.path("claims/load.toml"), "w") as out:
        out.write(SWEEP.replace("0.6, 0.7, 0.8, 0.9, 1.0", "0.7, 0.9").replace("to = 10", "to = 4"))
    reports.run("claims", "claims", "--out", "judged")
    with open(reports.path("judged/claims.json")) as file:
        judged = [one for one in json.load(file)["claims"] if one["given"] is None]
    browser.open(reports.report("claims.html", "judged"), "claims")
    shown = read_csv(browser.saved(browser.button("claims", "CSV")))
    number = lambda text: float(text) if text else None
    expected = [(one["id"], one["value"], one["half_width"], one["number"], *((one["within"] or {}).get(end) for end in ("least", "most"))) for one in judged]
    expected.insert(2, ("3", *[None] * 5))
    found = [(row["claim"], *(number(row[name]) for name in ("value", "half_width", "published", "least", "most"))) for row in shown]
    check("claims: values, intervals, the paper's values and bands equal claims.json", found == expected and len(found) == 4, f"{found}, {expected}")
    rows = browser.js("return [...document.querySelectorAll('#claims tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    check("claims: the table has each claim, as text", [row[0] for row in rows] == ["1", "2 <b>", "3", "4"] and rows[2][4] == "built in" and [row[2] for row in rows] == ["40", "", "", "50"], [row[0] for row in rows])
    check("claims: verdicts are those of claims.json, with a sign", all(row[7][1:].strip() == (one.get("answer") or one["verdict"]) for row, one in zip(rows[:2] + rows[3:], judged)), [row[7] for row in rows])
    # Where each mark is, as a value of the row's own axis: 0 and the dot give its scale.
    placed = browser.js("""
        const across = (one) => { const box = one.getBoundingClientRect(); return (box.left + box.right) / 2; };
        return [...document.querySelectorAll("#claims td.picture")].map((cell) => {
          if (!cell.firstChild) return null;
          const [, zero] = cell.querySelectorAll("path:not([transform])");
          const dot = cell.querySelector("circle");
          const value = (x) => (x - across(zero)) / (across(dot) - across(zero)) * Number(cell.dataset.value);
          const band = cell.querySelector(".band")?.getBoundingClientRect();
          const diamond = cell.querySelector("path[transform]");
          return [diamond ? value(across(diamond)) : null, ...(band ? [value(band.left), value(band.right)] : [null, null])];
        })""")
    near = lambda a, b: (a is None and b is None) or (a is not None and b is not None and abs(a - b) < 1.0)
    right = [all(near(*pair) for pair in zip(marks, (one["number"], *((one["within"] or {}).get(end) for end in ("least", "most"))))) for marks, one in zip(placed[:2] + placed[3:], judged)]
    check("claims: the band and the paper's value lie where the numbers are, and nothing is drawn of a given claim", right == [True] * 3 and placed[2] is None, placed)
    paper_figure(browser, judged, json.load(open(reports.path("judged/claims.json")))["figures"][0])
    accessible(browser, "claims")
    browser.screenshot(os.path.join(shots, "claims.png"))
    browser.screenshot(os.path.join(shots, "report-claims.png"), "#claims")
    first_screens(browser, reports.path("claims.html"), shots, "claims")


# Berth's points with the paper's as diamonds; a bracket has berth's number above the paper's.
def paper_figure(browser, judged, figure):
    shown = read_csv(browser.saved(browser.button("paper_figures", "CSV")))
    number = lambda text: float(text) if text else None
    expected = [(at, series["name"], value["value"], value["half_width"], value["number"])
                for k, at in enumerate(figure["points"]) for series in figure["series"] for value in [series["values"][k]]]
    found = [(row["load"], row["policy"], number(row["mean"]), number(row["half_width"]), number(row["published"])) for row in shown]
    check("claims: the paper's figure has the points of claims.json, and what the paper prints", sorted(found) == sorted(expected) and len(found) == 4, f"{found}, {expected}")
    drawn = browser.js("""
        const box = document.querySelector("#paper_figures .plot");
        const middle = (one) => { const { top, bottom } = one.getBoundingClientRect(); return (top + bottom) / 2; };
        const diamonds = [...box.querySelectorAll("path[transform]")].filter((one) => one.style.fill.includes("--paper"));
        const filled = [...box.querySelectorAll("svg > :is(circle, rect, path)[transform]")].filter((one) => !one.style.fill.includes("--paper"));
        const bracket = box.querySelector(".bracket").getBoundingClientRect();
        return [diamonds.map(middle), filled.map(middle), [bracket.top, bracket.bottom], [...box.querySelectorAll("text")].map((one) => one.textContent).slice(-2)]""")
    easy, fcfs = (series["values"] for series in sorted(figure["series"], key=lambda one: one["name"]))
    high = figure["points"].index("0.9")
    # Both series in the order of the figure; by the two marks of the last point the scale is known.
    order = [series["name"] for series in figure["series"]]
    y = {name: drawn[1][2 * order.index(name) + high] for name in ("easy", "fcfs")}
    slope = (y["fcfs"] - y["easy"]) / (fcfs[high]["value"] - easy[high]["value"])
    at = y["easy"] + slope * (2500 - easy[high]["value"])
    ends = sorted(y.values())
    check("claims: the diamond lies at the paper's number, the bracket between the two series", len(drawn[0]) == 1 and abs(drawn[0][0] - at) < 1.5
          and all(abs(a - b) < 2.5 for a, b in zip(drawn[2], ends)), drawn)
    claim = judged[-1]
    check("claims: berth's number stands above the paper's", drawn[3][0].startswith(f"{claim['value']:.4g} % \u00b1 ") and drawn[3][1] == "the paper: 50 %", drawn[3])


def waits(browser, reports, shots):
    reports.run("explain", "run/easy", "--out", "run/easy")
    with open(reports.path("run/easy/waits.csv")) as file:
        seconds = {}
        for row in csv.DictReader(file):
            seconds[row["reason"]] = seconds.get(row["reason"], 0) + float(row["seconds"])
    browser.open(reports.report("waits.html", "run/easy"), "why jobs waited")
    shown = {row["reason"]: float(row["seconds"]) for row in read_csv(browser.saved(browser.button("waits", "CSV")))}
    wrong = [reason for reason in {*seconds, *shown} if abs(seconds.get(reason, -1) - shown.get(reason, -1)) > 1e-3]
    check("why jobs waited: seconds by reason are those of waits.csv", shown and not wrong, wrong or f"{len(shown)} reasons")
    exported(browser, "waits", "why jobs waited")
    browser.screenshot(os.path.join(shots, "waits.png"), "#waits")
    os.remove(reports.path("run/easy/waits.csv"))


# More than 4,000,000 rectangles: every other processor, in turns.
def binned(browser, reports, shots):
    what = "4,080,000 rectangles"
    places = [" ".join(str(row) for row in range(first, 16000, 2)) for first in (0, 1)]
    with open(reports.path("many.csv"), "w") as out:
        out.write(HEAD)
        for i in range(510):
            out.write(f"{i + 1},{i},8000,100,1,{10 * i},{10 * i + (10 if i < 255 else 5)},{places[i % 2]},{i % 3}\n")
    page = reports.report("many.html", "--jobs", "many.csv", "--processors", "16000", "--from", "0", "--to", "20")
    browser.open(page, what)
    read = browser.js("""
        const chart = berth.charts.gantt[0];
        berth.view.showAll();
        const mean = (from, to) => { const values = chart.values({ from, to, row: 0, rows: 16000 }, 700, 200); return values.reduce((a, b) => a + b, 0) / values.length; };
        chart.draw();
        return [chart.mode, document.getElementById("warnings").textContent, mean(0, 5100), mean(100, 800), mean(3000, 3700)]""")
    right = all(abs(found - expected) < 0.005 for found, expected in zip(read[2:], (0.375, 0.5, 0.25)))
    check(f"{what}: far from bins, as it says, with the use of each time", read[0] == "far" and "too many rectangles" in read[1] and right, read[2:])
    near = browser.js("""
        const chart = berth.charts.gantt[0];
        berth.view.show(0, 20);
        chart.showRows(0, 40);
        return [chart.mode, chart.shown?.length]""")
    check(f"{what}: near rectangles in the time asked for", near == ["near", 40], near)


# What another simulator wrote: only times and processors.
def other_simulator(browser, reports, shots):
    folder = os.path.join(os.environ.get("BERTH_DATA", ""), "schedules")
    file = os.path.join(folder, "kth-normalised.easy.instant.csv.gz")
    trace = os.path.join(os.environ.get("BERTH_DATA", ""), "traces/KTH-SP2-1996-normalised.swf.gz")
    if not os.path.exists(file):
        print("skip the schedules: BERTH_DATA is not set")
        return
    with gzip.open(trace, "rt", errors="replace") as source:
        lines = [line.split() for line in source if line.strip() and not line.startswith(";")]
    jobs = {fields[0]: (fields[7] if fields[7] != "-1" else fields[4], fields[8]) for fields in lines}
    with gzip.open(file, "rt") as source:
        rows = list(csv.DictReader(source))
    with open(reports.path("batsim.csv"), "w") as out:
        out.write("job_id,workload_name,submission_time,requested_number_of_resources,requested_time,success,starting_time,finish_time\n")
        for row in rows:
            size, walltime = jobs[row["job"]]
            out.write(f"{row['job']},kth,{row['submit']},{size},{walltime},1,{row['start']},{row['end']}\n")
    page = reports.report("batsim.html", "--jobs", "batsim.csv", "--processors", "100")
    first_screens(browser, page, shots, "foreign")
    browser.open(page, "another simulator's schedule")
    shown = browser.js("return [berth.figures.runs[0].schedule.start.length, [...document.querySelectorAll('section.panel')].map((one) => one.id)]")
    check("another simulator's schedule: its jobs and distributions", shown[0] == len(rows) and {"wait", "jobs"} <= set(shown[1]), shown)


SWEEP = """title = "Load"
seed = 7
[machine]
processors = 64
[workload]
model = "lublin"
jobs = 120
[run]
policies = ["fcfs", "easy", "conservative", "sjf"]
[sweep]
"workload.load" = [0.6, 0.7, 0.8, 0.9, 1.0]
seed = { from = 1, to = 10 }
"""


def sweep(browser, reports, shots):
    with open(reports.path("sweep.toml"), "w") as out:
        out.write(SWEEP)
    reports.run("run", "sweep.toml", "--out", "sweep")
    page = reports.report("sweep.html", "sweep")
    browser.open(page, "sweep")
    shown = read_csv(browser.saved(browser.button("sweep", "CSV")))
    differences = read_csv(browser.saved(browser.button("differences", "CSV")))
    with open(reports.path("sweep/comparison.csv")) as file:
        rows = {(row["workload.load"], row["metric"], row["policy"]): row for row in csv.DictReader(file)}
    key = lambda row: (row["workload.load"], row["metric"], row["policy"])
    number = lambda text: float(text) if text else None
    wrong = [key(row) for row in shown if number(row["mean"]) != number(rows[key(row)]["mean"]) or number(row["half_width"]) != number(rows[key(row)]["half_width"])]
    wrong += [key(row) for row in differences if number(row["difference"]) != number(rows[key(row)]["difference"])
              or number(row["p_value"]) != number(rows[key(row)]["p_value"]) or row["verdict"] != rows[key(row)]["verdict"]]
    check("sweep: means, intervals, differences, verdicts equal comparison.csv", len(shown) == 20 and len(differences) == 15 and not wrong, wrong[:2] or f"{len(shown)} means, {len(differences)} differences")
    said = browser.js("""
        return [...document.querySelectorAll("table.sweep tbody tr")].flatMap((row) => [...row.querySelectorAll("td")].slice(1).map((cell, i) =>
          [row.querySelector("th").textContent, row.dataset.metric, berth.figures.sweep.policies[i + 1], cell.querySelector("strong")?.textContent ?? ""]))""")
    other = [one for one in said if one[3] and one[3] != rows[tuple(one[:3])]["verdict"]]
    check("sweep: the verdicts of all tables are those of comparison.csv", len(said) > 60 and sum(bool(one[3]) for one in said) > 60 and not other, other[:2] or len(said))
    filled = browser.js("""
        return [...document.querySelectorAll("#differences .plot svg [transform]")].filter((one) => !one.style.fill.includes("--paper")).length""")
    judged = sum(row["verdict"] in ("better", "worse") for row in differences)
    check("sweep: a mark is filled where a difference is shown, else a ring", filled == judged, f"{filled}, {judged}")
    small = [read_csv(browser.saved(button)) for button in browser.buttons("sweep", "CSV")[1:]]
    wrong = [key(row) for one in small for row in one if number(row["mean"]) != number(rows[key(row)]["mean"])]
    metrics = [one[0]["metric"] for one in small]
    check("sweep: further metrics are small curves of their own", metrics == ["p95_wait", "max_wait", "mean_bounded_slowdown", "utilisation"] and not wrong, [metrics, wrong[:2]])
    extent = browser.js("return berth.charts.differences.extent")
    check("sweep: differences are shown against 0", extent[0] <= 0 <= extent[1], extent)
    accessible(browser, "sweep")
    browser.screenshot(os.path.join(shots, "report-sweep.png"), "#differences")
    looks(browser, page, shots, "sweep")
    first_screens(browser, page, shots, "sweep")


# One task after another on four devices, of which none leaves: 15, 30, 55, 70 and 85 % have
# been asked for, and the fifth finds 400 parts on each of three devices.
FILLED = """[machine]
sharing = "devices"
[machine.hosts.a]
count = 1
cpu = 16
devices = { type = "T4", count = 4 }
[workload]
trace = "tasks.csv"
departures = false
[run]
policies = [{ name = "gpu_best_fit", when_full = "reject" }, { name = "gpu_random", when_full = "reject" }]
"""


def demand(browser, reports, shots):
    what = "demand"
    with open(reports.path("tasks.csv"), "w") as out:
        out.write("cpu,gpus,share\n1,1,600\n1,1,600\n1,1,\n1,1,600\n1,1,600\n1,0,\n")
    with open(reports.path("filled.toml"), "w") as out:
        out.write(FILLED)
    reports.run("run", "filled.toml", "--out", "filled")
    browser.open(reports.report("filled.html", "filled"), what)
    shown = read_csv(browser.saved(browser.buttons("queue", "CSV")[-1]))
    curve = [(float(row["gpu_arrived"]), float(row["value"])) for row in shown
             if row["policy"].startswith("gpu_best_fit") and row["what"] == "allocated"]
    check(f"{what}: what is allocated stands against what has been asked for", curve == [(15, 15), (30, 30), (55, 55), (70, 70), (85, 70)], curve)
    expected = []
    for policy in ("gpu_best_fit(when_full=reject)", "gpu_random(when_full=reject)"):
        with open(reports.path(f"filled/{policy}/timeline.csv")) as file:
            expected += [(policy, float(row["gpu_arrived_mean"]), one, float(row[f"gpu_{one}_mean"])) for row in csv.DictReader(file) for one in ("allocated", "fragmentation")]
    found = [(row["policy"], float(row["gpu_arrived"]), row["what"], float(row["value"])) for row in shown]
    near = len(found) == len(expected) == 20 and all(a[::2] == b[::2] and abs(a[1] - b[1]) < 0.001 and abs(a[3] - b[3]) < 0.001 for a, b in zip(sorted(found), sorted(expected)))
    check(f"{what}: both curves of each policy are those of timeline.csv", near, f"{sorted(found)[:3]}, {sorted(expected)[:3]}")
    drawn = browser.js("""
        const box = document.querySelector("#queue .part .plot");
        const lines = [...box.querySelectorAll("path")].filter((one) => one.style.fill === "none");
        return [lines.length, [...box.querySelectorAll("text")].map((one) => one.textContent).filter((one) => !one.endsWith(" %"))]""")
    check(f"{what}: a curve and a dotted one a policy, and axes in per cent", drawn == [4, []], drawn)
    accessible(browser, what)
    browser.screenshot(os.path.join(shots, "report-demand.png"), "#queue")


def main():
    berth, shots = (os.path.abspath(word) for word in sys.argv[1:3])
    os.makedirs(shots, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "downloads"))
        reports = Reports(berth, folder)
        reports.run("generate", "lublin", "--jobs", "4000", "--processors", "128", "--seed", "1", "-o", "t.swf")
        reports.run("run", "--trace", "t.swf", "--policy", "easy", "--policy", "conservative", "--out", "run")
        page = reports.report("run.html", "run")
        with open(reports.path("run/easy/jobs.csv")) as file:
            rows = list(csv.DictReader(file))
        browser = Chromium(os.path.join(folder, "downloads"), check)
        try:
            hand_made(browser, reports, shots)
            browser.open(page, "two policies")
            truth(browser, reports, "run", ["easy", "conservative"], "two policies")
            hits(browser, rows, "two policies")
            far(browser, rows, 128, "two policies")
            exports(browser, rows, "two policies")
            panel_numbers(browser, rows, "two policies")
            searches(browser, rows, "two policies")
            browser.quiet("two policies, after exports")
            keyboard(browser, "two policies")
            printed(browser, reports, "two policies")
            glance(browser, page, ["easy", "conservative"], "two policies")
            words(browser, "two policies")
            browser.width(1200)
            browser.open(page, "two policies")
            names(browser, "two policies")
            address(browser, page, "two policies")
            looks(browser, page, shots, "two policies")
            kth(browser, reports, shots)
            replications(browser, reports, shots)
            sweep(browser, reports, shots)
            two_tiers(browser, reports, shots)
            claims(browser, reports, shots)
            demand(browser, reports, shots)
            shares(browser, reports, shots)
            operations(browser, reports, shots)
            passes(browser, reports, shots)
            loads(browser, reports, shots)
            waits(browser, reports, shots)
            binned(browser, reports, shots)
            other_simulator(browser, reports, shots)
            hostile(browser, reports)
            edges(browser, reports)
        finally:
            browser.quit()
    print(f"{len(failures)} of the checks failed" if failures else "every check holds")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
