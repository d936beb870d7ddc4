// One chart of the page: drawn by ECharts, with its buttons, its numbers as a table, and
// arrow keys that walk its points.

import { init, use } from "echarts/core";
import { BarChart, CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent } from "echarts/components";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { button, make, readPoints, table } from "./dom.js";
import { exportMenu } from "./files.js";
import { faint, ink, onTheme, paper } from "./palette.js";
import { on } from "./view.js";

use([BarChart, CustomChart, LineChart, ScatterChart,
  AriaComponent, GridComponent, LegendComponent, MarkLineComponent, TooltipComponent,
  CanvasRenderer, SVGRenderer]);

const MOST_SHOWN = 500; // rows of a table in the page; CSV has all

const LABEL = 40; // characters of a label in a legend
const shortened = (label) => (label.length > LABEL ? `${label.slice(0, LABEL - 1)}\u2026` : label);

// Common to all charts.  Tooltips are drawn, not markup: labels of policies are in them.
function dressed(option) {
  const axis = (one) => ({
    ...one,
    axisLine: { lineStyle: { color: ink() }, ...one.axisLine },
    axisLabel: { color: ink(), hideOverlap: true, ...one.axisLabel },
    nameTextStyle: { color: ink() },
    splitLine: { lineStyle: { color: faint() }, ...one.splitLine },
  });
  return {
    animation: false,
    backgroundColor: paper(),
    textStyle: { color: ink(), fontFamily: "Inter, system-ui, sans-serif", fontSize: 12 },
    grid: { left: 70, right: 20, top: 36, bottom: 50 },
    ...option,
    legend: { top: 4, formatter: shortened, textStyle: { color: ink() }, type: "plain", ...option.legend },
    tooltip: { renderMode: "richText", confine: true, ...option.tooltip },
    xAxis: axis(option.xAxis),
    yAxis: axis(option.yAxis),
  };
}

// One promise a chart: large ones are painted over several frames.
export const painted = [];

export class Chart {
  // option(): of ECharts.  rows(): the data shown, with a head.  height in pixels.
  constructor(parent, name, { option, rows, height = 300 }) {
    Object.assign(this, { name, option, rows });
    this.box = make("div", {
      class: "plot", style: `height:${height}px`, tabindex: 0, role: "img",
      "aria-label": `${name}: arrow keys read its points`,
    });
    readPoints(this.box, rows);
    this.numbers = make("div", { class: "numbers", hidden: true, tabindex: 0, role: "region", "aria-label": `${name}: numbers` });
    this.data = button("Data", () => this.toggleNumbers(), { "aria-expanded": "false" });
    this.tools = exportMenu(name, { rows: () => this.rows(), svg: () => this.svg(), png: () => this.canvas(2), more: [this.data] });
    parent.append(this.tools, this.box, this.numbers);
    this.drawn = init(this.box, null, { renderer: "canvas" });
    painted.push(new Promise((done) => { this.drawn.on("finished", done); }));
    this.draw();
    new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = this.box;
      if (width !== this.drawn.getWidth() || height !== this.drawn.getHeight()) this.drawn.resize();
    }).observe(this.box);
    onTheme(() => this.draw());
    on("off", () => this.draw());
  }

  draw() {
    this.drawn.setOption(dressed(this.option()), { notMerge: true });
    if (!this.numbers.hidden) this.fillNumbers();
  }

  canvas(scale) {
    return this.drawn.renderToCanvas({ pixelRatio: scale, backgroundColor: paper() });
  }

  svg() {
    const copy = init(null, null, {
      renderer: "svg", ssr: true, width: this.drawn.getWidth(), height: this.drawn.getHeight(),
    });
    copy.setOption(dressed(this.option()));
    const text = copy.renderToSVGString();
    copy.dispose();
    return text;
  }

  toggleNumbers() {
    this.numbers.hidden = !this.numbers.hidden;
    this.data.setAttribute("aria-expanded", String(!this.numbers.hidden));
    if (!this.numbers.hidden) this.fillNumbers();
  }

  fillNumbers() {
    const rows = this.rows();
    const more = rows.length - 1 - MOST_SHOWN;
    this.numbers.replaceChildren(table(rows.slice(0, MOST_SHOWN + 1)));
    if (more > 0) this.numbers.append(make("p", {}, `and ${more} rows more: CSV has them`));
  }
}
