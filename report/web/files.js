// What a panel exports, behind one button: numbers as CSV, its picture as PNG and SVG.

import { button, make } from "./dom.js";
import { css } from "./palette.js";

const CLEAN = /[^A-Za-z0-9_-]+/g;

function save(name, extension, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name.replace(CLEAN, "-")}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// RFC 4180, with LF.
function csv(rows) {
  const field = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",") + "\n").join("");
}

export const xml = (text) =>
  String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");

// An SVG element of the page as a file: colours are those of now, and a paper is below.
function svgText(element) {
  const [width, height] = ["width", "height"].map((name) => element.getAttribute(name));
  const text = new XMLSerializer().serializeToString(element).replace(/var\((--[\w-]+)\)/g, (_, name) => css(name));
  const style = `<style>text{font:12px Inter,system-ui,sans-serif;fill:${css("--low")}}</style><rect width="${width}" height="${height}" fill="${css("--paper")}"/>`;
  return text.replace(/^<svg[^>]*>/, (head) => head + style);
}

async function pngOf(element, scale) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(element))}`;
  await image.decode();
  const canvas = make("canvas", { width: image.width * scale, height: image.height * scale });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

// rows(): numbers with a head.  svg(): an element, or its text.  png: how many times the
// size of that element, or a function that makes a canvas.
export function exportMenu(name, { rows, svg, png }) {
  const asText = () => { const made = svg(); return typeof made === "string" ? made : svgText(made); };
  return make("details", { class: "menu" }, make("summary", { "aria-label": `Export ${name}`, title: "Export" }, "\u2913"),
    make("div", {},
      button("CSV", () => save(name, "csv", new Blob([csv(rows())], { type: "text/csv" }))),
      ...(svg ? [button("PNG", async () => (typeof png === "function" ? png() : await pngOf(svg(), png)).toBlob((blob) => save(name, "png", blob), "image/png")),
        button("SVG", () => save(name, "svg", new Blob([asText()], { type: "image/svg+xml" })))] : [])));
}
