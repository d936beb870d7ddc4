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
