// The editor: a textarea with numbered lines, one of which may be marked as wrong.

"use strict";

class Editor {
  constructor(place, run) {
    this.place = place;
    this.area = place.querySelector("textarea");
    this.lines = place.querySelector(".lines");
    this.wrong = place.querySelector(".wrong");
    this.marked = 0;
    this.file = "policy.lua";
    this.area.addEventListener("input", () => { this.mark(0, ""); });
    this.area.addEventListener("scroll", () => { this.lines.scrollTop = this.area.scrollTop; });
    this.area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    });
  }

  get text() { return this.area.value; }

  load(file, text) {
    this.file = file;
    this.area.value = text;
    this.area.scrollTop = 0;
    this.mark(0, "");
  }

  // The line of a mistake, from 1, and what it is; 0: none.
  mark(line, why) {
    this.marked = line;
    this.wrong.textContent = why;
    this.wrong.hidden = why === "";
    this.number();
    if (line === 0) return;
    const { lineHeight } = getComputedStyle(this.area);
    this.area.scrollTop = Math.max(0, (line - 5) * parseFloat(lineHeight));
  }

  number() {
    const count = this.text.split("\n").length;
    const shown = Math.min(count, 20000);
    this.lines.replaceChildren(...Array.from({ length: shown }, (_, i) => {
      const line = document.createElement("span");
      line.textContent = i + 1;
      if (i + 1 === this.marked) line.className = "marked";
      return line;
    }));
    this.lines.scrollTop = this.area.scrollTop;
  }
}
