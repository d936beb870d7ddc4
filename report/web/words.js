// Numbers and times as people read them.

const UNITS = [["d", 86400], ["h", 3600], ["m", 60], ["s", 1]];

// The two largest units: "2 d 13 h", "45 s", "0.5 s".
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "-";
  if (seconds < 0) return `-${duration(-seconds)}`;
  if (seconds < 60) return `${Number(seconds.toPrecision(3))} s`;
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const [name, size] = UNITS[first];
  const count = Math.floor(seconds / size);
  const [below, small] = UNITS[first + 1];
  const rest = Math.floor((seconds - count * size) / small);
  return rest ? `${count} ${name} ${rest} ${below}` : `${count} ${name}`;
}

// Seconds as a file holds them: at most six decimals, no exponent.
export function exact(seconds) {
  const [whole, decimals] = seconds.toFixed(6).split(".");
  const kept = decimals.replace(/0+$/, "");
  return kept ? `${whole}.${kept}` : whole;
}

export const amount = (value, unit) =>
  value === null || value === undefined ? "-" : unit === "s" ? duration(value) : String(Number(value.toPrecision(4)));

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

export const STATES = ["finished", "killed at its walltime", "rejected", "waiting at the end", "running at the end", "failed"];
