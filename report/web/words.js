// Numbers, durations, dates and ticks as people read them: the only room for them.

const UNITS = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY = 86400;
const grouped = (whole) => whole.toLocaleString("en-US");

// Two neighbouring units, the second rounded and left out where it is 0, or behind 100
// and more of the first: "1 h 54 min"; "0" below half a second.
export function duration(seconds) {
  if (!Number.isFinite(seconds)) return "-";
  if (seconds < 0) return `\u2212${duration(-seconds)}`;
  if (seconds < 0.5) return "0";
  const whole = Math.round(seconds);
  const at = UNITS.findIndex(([size]) => whole >= size);
  const [size, name] = UNITS[at];
  if (size === 1) return `${whole} s`;
  const [below, small] = UNITS[at + 1];
  const parts = Math.round(whole / below);
  const count = Math.floor(parts / (size / below));
  const rest = parts % (size / below);
  if (at > 0 && count * size >= UNITS[at - 1][0]) return `1 ${UNITS[at - 1][1]}`;
  return `${grouped(count)} ${name}${rest && count < 100 ? ` ${rest} ${small}` : ""}`;
}

// So many significant digits, whole from 1,000 on, with separators.
export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return "-";
  if (value < 0) return `\u2212${number(-value, digits)}`;
  return value >= 999.95 ? grouped(Math.round(value)) : String(Number(value.toPrecision(digits)));
}

// Kibibytes as people have them.
const memory = (kib) => (kib < 1048576 ? `${number(kib / 1024)} MiB` : `${number(kib / 1048576)} GiB`);

export function amount(value, unit) {
  if (value === null || value === undefined) return "-";
  if (unit === "s") return duration(value);
  if (unit === "KiB") return memory(value);
  return unit === "fraction" ? `${value < 0 ? "\u2212" : ""}${Math.abs(100 * value).toFixed(1)} %` : number(value);
}

// With its sign; a fraction's is in points.
export function difference(value, unit) {
  const text = unit === "fraction" ? amount(value, unit).replace("%", "points") : amount(value, unit);
  return value > 0 ? `+${text}` : text;
}

// Seconds as a file holds them: at most six decimals, no exponent.
export function exact(seconds) {
  const [whole, decimals] = seconds.toFixed(6).split(".");
  const kept = decimals.replace(/0+$/, "");
  return kept ? `${whole}.${kept}` : whole;
}

export const plural = (count, word, many = `${word}s`) => `${grouped(count)} ${count === 1 ? word : many}`;

// "mean wait", "95 % wait", "in use"; of other metrics the name with spaces.
const SHORT = { p95_wait: "95 % wait", max_wait: "longest wait", p95_response: "95 % response", max_response: "longest response", mean_bounded_slowdown: "bounded slowdown", utilisation: "in use" };
export const metricWords = (name) => SHORT[name] ?? name.replaceAll("_", " ");

export const STATES = ["finished", "killed at its walltime", "rejected", "waiting at the end", "running at the end", "failed"];

// Unix time of time 0; null: the trace does not say, and days are counted.
let begins = null;
export const beginAt = (unix) => { begins = unix ?? null; };
export const hasDates = () => begins !== null;

const dateOf = (time) => new Date((time + (begins ?? 0)) * 1000);
const two = (value) => String(value).padStart(2, "0");

export function clock(time) {
  const date = dateOf(time);
  const text = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  return date.getUTCSeconds() ? `${text}:${two(date.getUTCSeconds())}` : text;
}

const shortDay = (time) => {
  if (!hasDates()) return `day ${Math.floor(time / DAY) + 1}`;
  const date = dateOf(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
};

export const day = (time) => (hasDates() ? `${shortDay(time)} ${dateOf(time).getUTCFullYear()}` : shortDay(time));

// "Mon 10 Mar 1997 18:53".
export const moment = (time) =>
  `${hasDates() ? `${WEEKDAYS[dateOf(time).getUTCDay()]} ` : ""}${day(time)} ${clock(Math.floor(time / 60) * 60)}`;

// "5 Mar 1997 00:00 – 11 Mar 1997 00:27"; of more than 60 days the days alone.
export function range(from, to) {
  const text = (time) => (to - from > 60 * DAY ? day(time) : `${day(time)} ${clock(Math.floor(time))}`);
  return `${text(from)} \u2013 ${text(to)}`;
}

// The time that a text says: "12 Mar 1997", "12 Mar 06:00" (in the year of `near`),
// "day 165"; null: it says none.
function instant(text, near) {
  const days = /^day\s+(\d+)(?:\s+(\d{1,2}):(\d\d))?$/i.exec(text);
  if (days) return (Number(days[1]) - 1) * DAY + Number(days[2] ?? 0) * 3600 + Number(days[3] ?? 0) * 60;
  const parts = /^(\d{1,2})\s+([a-z]{3})[a-z]*(?:\s+(\d{4}))?(?:\s+(\d{1,2}):(\d\d))?$/i.exec(text);
  const month = parts ? MONTHS.findIndex((name) => name.toLowerCase() === parts[2].toLowerCase()) : -1;
  if (!hasDates() || month < 0) return null;
  const year = Number(parts[3] ?? dateOf(near).getUTCFullYear());
  return Date.UTC(year, month, Number(parts[1]), Number(parts[4] ?? 0), Number(parts[5] ?? 0)) / 1000 - begins;
}

// The range that a text says, of one day where it says one date; null: not understood.
export function spanOf(text, near) {
  const ends = text.trim().split(/\s+[-\u2013]\s+/).map((part) => instant(part, near));
  if (ends.length > 2 || ends.includes(null)) return null;
  const [from, to = from + DAY] = ends;
  return to > from ? [from, to] : null;
}

const LEAST = 92; // pixels of a label
const STEPS = [1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10800, 21600, 43200, DAY, 2 * DAY, 7 * DAY];
const MONTH = 30.44 * DAY;
const MONTH_STEPS = [1, 2, 3, 6, 12];

function months(from, to, least) {
  const step = MONTH_STEPS.find((one) => one * MONTH >= least) ?? 12 * Math.ceil(least / MONTH / 12);
  if (!hasDates()) {
    const days = 30 * step;
    const first = Math.ceil((from / DAY + 1) / days) * days;
    return Array.from({ length: Math.max(Math.floor((to / DAY + 1 - first) / days) + 1, 0) },
      (_, i) => ({ at: (first + i * days - 1) * DAY, text: `day ${grouped(first + i * days)}`, strong: false }));
  }
  const found = [];
  const begin = dateOf(from);
  for (let i = Math.floor((begin.getUTCFullYear() * 12 + begin.getUTCMonth()) / step) * step; ; i += step) {
    const at = Date.UTC(Math.floor(i / 12), i % 12) / 1000 - begins;
    if (at > to) return found;
    if (at < from) continue;
    const strong = i % 12 === 0;
    found.push({ at, text: `${MONTHS[i % 12]}${strong || found.length === 0 ? ` ${Math.floor(i / 12)}` : ""}`, strong });
  }
}

// Ticks of an axis of time so many pixels wide, at whole multiples in UTC.  Midnight is
// a day and strong.
export function ticks(from, to, pixels) {
  const least = ((to - from) / pixels) * LEAST;
  const step = STEPS.find((one) => one >= least);
  if (!step) return months(from, to, least);
  // Weeks begin on Mondays, where there are dates.
  const shift = (begins ?? 0) - (step === 7 * DAY && hasDates() ? 4 * DAY : 0);
  const found = [];
  for (let k = Math.ceil((from + shift) / step); k * step - shift <= to; ++k) {
    const at = k * step - shift;
    const strong = (at + (begins ?? 0)) % DAY === 0;
    found.push({ at, text: strong ? shortDay(at) : clock(at), strong });
  }
  return found;
}

const SPANS = [1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, DAY, 2 * DAY, 5 * DAY, 10 * DAY, 30 * DAY];

// Round values from low to high, at most so many.
export function valueTicks(low, high, most, unit) {
  const least = (high - low) / most;
  if (!(least > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (unit === "s" ? SPANS.find((one) => one >= least) : undefined) ?? [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) * power;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k) found.push(k * step);
  return found;
}

export const LOG_TICKS = [60, 900, 10800, DAY, 10 * DAY];
