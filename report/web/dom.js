// Elements of the page.  Text is always set as text, never as markup.

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function button(label, action, attributes = {}) {
  return make("button", { type: "button", onclick: action, ...attributes }, label);
}

export function choice(label, values, chosen, change) {
  const select = make(
    "select",
    { onchange: () => change(select.value) },
    ...values.map(([value, text]) => make("option", { value, selected: value === chosen }, text)),
  );
  return make("label", {}, `${label} `, select);
}

// rows[0] is the head.
export function table(rows, attributes = {}) {
  const [head, ...body] = rows;
  return make(
    "table",
    attributes,
    make("thead", {}, make("tr", {}, ...head.map((text) => make("th", {}, String(text))))),
    make("tbody", {}, ...body.map((row) =>
      make("tr", {}, ...row.map((cell) => make("td", {}, cell === null || cell === undefined ? "" : String(cell)))))),
  );
}

let live;
// Spoken by screen readers.
export function say(text) {
  live ??= document.body.appendChild(make("p", { id: "live", role: "status", "aria-live": "polite" }));
  live.textContent = text;
}

// Arrow keys on the box say its rows, one after the other; rows()[0] is the head.
export function readPoints(box, rows) {
  let at = 0;
  box.tabIndex = 0;
  box.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step || event.target !== box) return;
    event.preventDefault();
    const [head, ...all] = rows();
    if (all.length === 0) return;
    at = (at + step + all.length) % all.length;
    say(head.map((name, i) => `${name} ${all[at][i]}`).join(", "));
  });
}
