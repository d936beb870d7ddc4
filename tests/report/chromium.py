"""Chromium without a window, by selenium.

Waits are for conditions, with a limit that no working machine reaches: what a check says
does not depend on how fast the machine is.
"""

import base64
import json
import os
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

OWN = ("data:", "file:", "blob:")
LIMIT = 120  # s, of each wait
STARTS = 3

# A file that a page saves is kept here, for a browser that is busy writes it at any time
# or, after a click by a script, not at all.
KEEP_SAVED = """
    if (globalThis.saved) return;
    globalThis.saved = { blob: null, name: "" };
    const url = URL.createObjectURL;
    URL.createObjectURL = (blob) => { saved.blob = blob; return url.call(URL, blob); };
    const click = HTMLAnchorElement.prototype.click;
    HTMLAnchorElement.prototype.click = function () {
      if (!this.download || saved.through) return click.call(this);
      saved.name = this.download;
    };"""

READ_SAVED = """
    const [element, done] = arguments;
    Object.assign(saved, { blob: null, name: "" });
    element.click();
    const end = performance.now() + 60000;
    (function look() {
      if (!saved.name && performance.now() < end) return setTimeout(look, 10);
      if (!saved.name) return done("");
      const reader = new FileReader();
      reader.onload = () => done(reader.result.split(",")[1] ?? "");
      reader.readAsDataURL(saved.blob);
    })();"""

# Every chart is as wide as its place, and painted.
SETTLED = """
    const painted = document.documentElement.dataset.painted;
    if (!painted) return "";
    const wide = (canvas, box) => Math.abs(canvas.width - box.clientWidth * devicePixelRatio) < 2;
    const fits = [...document.querySelectorAll(".plot")].every((box) => {
      const canvas = box.querySelector("canvas");
      return canvas === null || wide(canvas, box);
    }) && [...document.querySelectorAll("canvas.gantt")].every((canvas) => wide(canvas, canvas));
    return fits ? painted : "";"""


class Chromium:
    # check(what, holds, found): told what a page does that is wrong.
    def __init__(self, downloads, check=lambda *told: None):
        self.check = check
        self.downloads = downloads
        self.driver = self.started()
        self.driver.set_page_load_timeout(LIMIT)
        self.driver.set_script_timeout(LIMIT)
        self.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=downloads)
        self.width(1200)

    # A browser that does not come up in time on a busy machine is tried again.
    @staticmethod
    def started():
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update", "--disable-sync",
                     "--disable-dev-shm-usage", "--disable-backgrounding-occluded-windows",
                     "--disable-renderer-backgrounding", "--force-device-scale-factor=1"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        for left in range(STARTS - 1, -1, -1):
            try:
                return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
            except WebDriverException:
                if left == 0:
                    raise
        return None

    def quit(self):
        self.driver.quit()

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def js(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def asynchronous(self, text, *arguments):
        return self.driver.execute_async_script(text, *arguments)

    def width(self, pixels, height=900):
        self.command("Emulation.setDeviceMetricsOverride", width=pixels, height=height, deviceScaleFactor=1, mobile=False)

    def scheme(self, name):
        self.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        self.frames()

    # Two frames more were drawn.
    def frames(self):
        self.asynchronous("const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    # Opens a page and waits until all is painted; complains about messages and requests.
    def open(self, file, what, address=""):
        self.driver.get("about:blank")
        self.driver.get_log("browser")
        self.driver.get_log("performance")
        self.driver.get(f"file://{file}{address}")
        painted = self.wait(SETTLED)
        self.check(f"{what}: painted", painted == "true", painted)
        self.quiet(what)

    # What the browser says of its own speed is not of the page.
    def quiet(self, what):
        messages = [entry["message"][:200] for entry in self.driver.get_log("browser")]
        messages = [text for text in messages if "[Violation]" not in text and "[Intervention]" not in text]
        self.check(f"{what}: nothing on the console", not messages, messages or "")
        sent = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        urls = [one["params"]["request"]["url"] for one in sent if one["method"] == "Network.requestWillBeSent"]
        foreign = [url[:80] for url in urls if not url.startswith(OWN) and url != "about:blank"]
        self.check(f"{what}: no request beyond the file", not foreign, foreign or "")

    # The first value that is true; what it was at the limit.
    def wait(self, script, *arguments):
        end = time.monotonic() + LIMIT
        while True:
            value = self.js(script, *arguments)
            if value or time.monotonic() > end:
                return value
            time.sleep(0.05)

    # Clicks; what the page saves.
    def saved(self, element):
        self.js(KEEP_SAVED)
        return base64.b64decode(self.asynchronous(READ_SAVED, element))

    # Clicks, and clicks again after a while; the file that comes, as name and bytes.
    def download(self, element):
        self.js(KEEP_SAVED)
        self.js("saved.through = true")
        end = time.monotonic() + LIMIT
        clicked = float("-inf")
        while time.monotonic() < end:
            if time.monotonic() - clicked > 20:
                self.js("arguments[0].click()", element)
                clicked = time.monotonic()
            for name in os.listdir(self.downloads):
                if name.endswith(".crdownload") or name.startswith("."):
                    continue
                with open(os.path.join(self.downloads, name), "rb") as source:
                    data = source.read()
                if data:
                    self.js("saved.through = false")
                    return name, data
            time.sleep(0.05)
        return "", b""

    def buttons(self, section, text):
        return self.driver.find_elements(By.XPATH, f"//section[@id='{section}']//button[text()='{text}']")

    def button(self, section, text):
        return self.buttons(section, text)[0]

    # What is in the window.
    def portrait(self, file):
        self.frames()
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.command("Page.captureScreenshot")["data"]))

    def screenshot(self, file, selector=None):
        self.frames()
        box = {"x": 0, "y": 0, **{k: self.command("Page.getLayoutMetrics")["cssContentSize"][k] for k in ("width", "height")}}
        if selector:
            box = self.js("const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                          "return {x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height}", selector)
        box["height"] = min(box["height"], 5000)
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=True, clip={**box, "scale": 1})
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))
