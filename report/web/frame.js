// What stands around the panels: the contents, and which policies are shown.

import { button, make } from "./dom.js";
import { look } from "./palette.js";
import { hide, on, toSection, view } from "./view.js";

const SEEN = 220; // pixels from the top: a section above is the one being read

export function goTo(id) {
  const section = document.getElementById(id);
  if (!section) return;
  if (section.tagName === "DETAILS") section.open = !section.open;
  section.scrollIntoView();
}

function link(id, text, attributes = {}) {
  return make("a", { href: `#${id}`, ...attributes, onclick: (event) => {
    event.preventDefault();
    goTo(id);
    toSection(id === "answer" ? null : id);
  } }, text);
}

export function contents(main) {
  const sections = [...main.querySelectorAll(":scope > section")];
  const links = sections.map((section) => link(section.id, section.id === "answer" ? "Answer" : section.querySelector("h2").textContent));
  const warnings = document.getElementById("warnings");
  const nav = make("nav", { class: "side", "aria-label": "Contents", "data-part": "contents" }, ...links,
    ...(warnings ? [link("warnings", warnings.querySelector("summary").textContent, { class: "chip" })] : []));
  main.before(nav);
  document.body.classList.add("framed");
  let now = -1;
  const spy = () => {
    const read = scrollY < 8 ? 0 : Math.max(sections.findLastIndex((section) => section.getBoundingClientRect().top < SEEN), 0);
    if (read === now) return;
    now = read;
    links.forEach((one, i) => { if (i === read) one.setAttribute("aria-current", "true"); else one.removeAttribute("aria-current"); });
  };
  addEventListener("scroll", spy, { passive: true });
  spy();
  return nav;
}

// A button a policy, in the head and, for narrow windows, below the answer.
export function policySwitch(labels) {
  if (labels.length < 2) return;
  for (const place of [document.querySelector("header .sub"), document.querySelector("#answer .key") ?? document.querySelector("#answer .lead")]) {
    if (!place) continue;
    const buttons = labels.map((label, number) =>
      button("", () => hide(number, !view.off.has(number)), { "aria-label": `Show ${label}`, title: label }));
    buttons.forEach((one, number) => one.append(look(number), make("bdi", {}, labels[number])));
    place.after(make("div", { class: "switch", role: "group", "aria-label": "Policies" }, ...buttons));
    const press = () => buttons.forEach((one, number) => one.setAttribute("aria-pressed", String(!view.off.has(number))));
    on("off", press);
    press();
  }
}
