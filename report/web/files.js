// What a panel exports: CSV, PNG, SVG.

const CLEAN = /[^A-Za-z0-9_-]+/g;

export function save(name, extension, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${name.replace(CLEAN, "-")}.${extension}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// RFC 4180, with LF.
export function csv(rows) {
  const field = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join(",") + "\n").join("");
}

export const saveCsv = (name, rows) => save(name, "csv", new Blob([csv(rows)], { type: "text/csv" }));

export const saveSvg = (name, text) => save(name, "svg", new Blob([text], { type: "image/svg+xml" }));

export const savePng = (name, canvas) => canvas.toBlob((blob) => save(name, "png", blob), "image/png");

export const xml = (text) =>
  String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");
