// What a search asks for: a number is a job; else conditions joined by "and", such as
// "user = 7 and size > 64 and wait > 1h".

const UNITS = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };
const SIGNS = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "=": (a, b) => a === b, "==": (a, b) => a === b, "!=": (a, b) => a !== b,
};

const FIELDS = {
  id: ({ jobs }, i) => jobs.id[i],
  user: ({ jobs }, i) => jobs.user[i],
  size: ({ jobs }, i) => jobs.size[i],
  submit: ({ jobs }, i) => jobs.submit[i],
  walltime: ({ jobs }, i) => jobs.walltime[i],
  wait: ({ schedule }, i) => schedule.wait[i],
  start: ({ schedule }, i) => schedule.start[i],
  finish: ({ schedule }, i) => schedule.finish[i],
  length: ({ schedule }, i) => schedule.length[i],
};

function condition(text) {
  const match = /^\s*([a-z]+)\s*(<=|>=|==|!=|<|>|=|\s)\s*(-?[0-9.]+)\s*([smhdw]?)\s*$/.exec(text);
  const field = match && FIELDS[match[1]];
  if (!field) return null;
  const value = Number(match[3]) * (UNITS[match[4]] ?? 1);
  const holds = SIGNS[match[2].trim() || "="];
  return Number.isNaN(value) ? null : (run, i) => holds(field(run, i), value);
}

// {test(run, i)} or {error}.
export function parse(words) {
  const text = words.trim();
  if (text === "") return { test: () => true };
  if (/^\d+$/.test(text)) return parse(`id = ${text}`);
  const parts = text.split(/\s+and\s+/i).map(condition);
  if (parts.includes(null)) {
    return { error: `not understood; write a job number, or conditions on ${Object.keys(FIELDS).join(", ")} such as: size > 64 and wait > 1h` };
  }
  return { test: (run, i) => parts.every((part) => part(run, i)) };
}
