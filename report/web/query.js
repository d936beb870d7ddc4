// What a search asks for: a number is a job; else a condition on the job as classes and
// filters of Lua write it, without calls: "job.size >= 4 and not (wait <= 1h)".  `job.`
// may be left out, a comparison be written "user 7", and numbers have units.

const UNITS = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };
const COMPARE = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "=": (a, b) => a === b, "==": (a, b) => a === b, "!=": (a, b) => a !== b, "~=": (a, b) => a !== b,
};
const OR = { or: (a, b) => a || b };
const AND = { and: (a, b) => a && b };
const SUM = { "+": (a, b) => a + b, "-": (a, b) => a - b };
const PRODUCT = { "*": (a, b) => a * b, "/": (a, b) => (b === 0 ? NaN : a / b) };
const DEEPEST = 100;

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

const TOKEN = /\s*(?:(\d+(?:\.\d*)?|\.\d+)([smhdw]?)(?![\w.])|([a-z_][\w.]*)|(<=|>=|==|!=|~=|[-<>=+*/()]))/iy;

function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError(text);
    const [, number, unit, name, sign] = match;
    found.push(number ? { value: Number(number) * (UNITS[unit] ?? 1) } : { word: (name ?? sign).toLowerCase() });
  }
  return found;
}

// Each reader answers { of(run, i), holds }: `holds` where it is a condition, not a number.
class Reader {
  constructor(text) {
    this.rest = tokens(text).reverse();
    this.depth = 0;
  }

  next() {
    return this.rest[this.rest.length - 1] ?? {};
  }

  take(words) {
    const { word } = this.next();
    if (!Object.hasOwn(words, word ?? "")) return null;
    this.rest.pop();
    return words[word];
  }

  need(made, holds) {
    if (made.holds !== holds) throw new SyntaxError("a number where a condition is expected, or the other way round");
    return made.of;
  }

  // Operators between conditions (`holds`) or numbers, from the left.
  chain(operators, read, holds) {
    let made = read();
    for (let act; (act = this.take(operators)); ) {
      const [a, b] = [this.need(made, holds), this.need(read(), holds)];
      made = { of: (run, i) => act(a(run, i), b(run, i)), holds };
    }
    return made;
  }

  or() {
    return this.chain(OR, () => this.chain(AND, () => this.not(), true), true);
  }

  not() {
    if (!this.take({ not: true })) return this.comparison();
    const a = this.need(this.deeper(() => this.not()), true);
    return { of: (run, i) => !a(run, i), holds: true };
  }

  comparison() {
    const left = this.sum();
    const holds = this.take(COMPARE) ?? (left.field && "value" in this.next() ? COMPARE["="] : null);
    if (!holds) return left;
    const [a, b] = [this.need(left, false), this.need(this.sum(), false)];
    return { of: (run, i) => holds(a(run, i), b(run, i)), holds: true };
  }

  sum() {
    return this.chain(SUM, () => this.chain(PRODUCT, () => this.part(), false), false);
  }

  part() {
    if (this.take({ "-": true })) {
      const a = this.need(this.deeper(() => this.part()), false);
      return { of: (run, i) => -a(run, i), holds: false };
    }
    if (this.take({ "(": true })) {
      const inner = this.deeper(() => this.or());
      if (!this.take({ ")": true })) throw new SyntaxError(")");
      return { ...inner, field: false };
    }
    const { word, value } = this.rest.pop() ?? {};
    if (value !== undefined) return { of: () => value, holds: false };
    const name = (word ?? "").replace(/^job\./, "");
    if (!Object.hasOwn(FIELDS, name)) throw new SyntaxError(name);
    return { of: FIELDS[name], holds: false, field: true };
  }

  deeper(read) {
    if (++this.depth > DEEPEST) throw new SyntaxError("nested too deeply");
    const made = read();
    this.depth -= 1;
    return made;
  }
}

// {test(run, i)} or {error}.
export function parse(words) {
  const text = words.trim();
  if (text === "") return { test: () => true };
  if (/^\d+$/.test(text)) return parse(`id = ${text}`);
  try {
    const reader = new Reader(text);
    const test = reader.need(reader.or(), true);
    if (reader.rest.length) throw new SyntaxError(text);
    return { test };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: `not understood; write a job number, or conditions on ${Object.keys(FIELDS).join(", ")} such as: size > 64 and not wait <= 1h` };
  }
}
