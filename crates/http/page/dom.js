// Elements, icons and numbers for both pages.

/** An element: attributes, `class`, and `on` for what it listens to; children that are null are left out. */
export const el = (name, props = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing. */
export const draw = (name, props = {}, ...children) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(props)) node.setAttribute(key, value);
  node.append(...children);
  return node;
};

const PATHS = {
  copy: "M5.5 5.5V3.5a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1z",
  again: "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.5h-2.5",
  edit: "M10.8 3.2l2 2L6 12l-2.7.7L4 10z",
  remove: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9",
  tokens: "M2.5 4.5h4v3h-4zM8.5 4.5h5v3h-5zM2.5 9.5h6v3h-6zM10.5 9.5h3v3h-3z",
  more: "M3 8h8M8 4.5L11.5 8 8 11.5",
  save: "M8 2.5v7M5 7l3 3 3-3M3 12.5h10",
};

/** A button with a picture, or words, that says what it does. */
export const button = (picture, label, act, props = {}) => {
  const { words, ...rest } = props;
  const svg = picture ? draw("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, draw("path", { d: PATHS[picture] })) : null;
  return el("button", { type: "button", class: "plain small", "aria-label": label, title: label, on: { click: act }, ...rest }, svg, words ?? null);
};

/** A number in few characters: 1234567 is 1.23M, 0.00012 is 1.2e-4. */
export const short = (x) => {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  const size = Math.abs(x);
  if (size >= 1e15 || (size < 1e-3 && size > 0)) return x.toExponential(2).replace("e+", "e").replace(/\.?0+e/, "e");
  for (const [bound, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]]) {
    if (size >= bound) return `${trim((x / (unit === "k" ? 1e3 : bound)).toPrecision(3))}${unit}`;
  }
  if (Number.isInteger(x)) return String(x);
  return trim(x.toPrecision(size >= 100 ? 4 : 3));
};

const trim = (digits) => (digits.includes(".") && !digits.includes("e") ? digits.replace(/\.?0+$/, "") : digits);

/** A time in seconds, in words of a unit that fits. */
export const seconds = (s) => {
  if (s === null || s === undefined || !Number.isFinite(s)) return "–";
  if (s < 1e-3) return `${Math.round(s * 1e6)} µs`;
  if (s < 1) return `${s < 0.1 ? trim((s * 1e3).toFixed(1)) : Math.round(s * 1e3)} ms`;
  if (s < 60) return `${s < 10 ? s.toFixed(2) : s.toFixed(1)} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(Math.floor(s % 60)).padStart(2, "0")} s`;
  if (s < 172800) return `${Math.floor(s / 3600)} h ${String(Math.floor((s / 60) % 60)).padStart(2, "0")} min`;
  return `${Math.floor(s / 86400)} d ${Math.floor((s / 3600) % 24)} h`;
};

let shown = null;

/** Says something for a while at the foot of the page, with what can be done about it. */
export const toast = (text, label, act) => {
  shown?.remove();
  const node = el("div", { class: "toast", role: "status" }, el("span", {}, text));
  if (label) node.append(el("button", { type: "button", on: { click: () => { node.remove(); act(); } } }, label));
  document.body.append(node);
  shown = node;
  setTimeout(() => node.remove(), 8000);
};

/** Copies a text; where the page may not, says so. */
export const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("The browser did not allow copying");
  }
};

/** Light, dark, or as the system has it. */
export const theme = (button) => {
  const names = { "": "as the system", light: "light", dark: "dark" };
  const show = (name) => {
    if (name) document.documentElement.dataset.theme = name;
    else delete document.documentElement.dataset.theme;
    button.textContent = { "": "Auto", light: "Light", dark: "Dark" }[name];
    button.setAttribute("aria-label", `Colours: ${names[name]}`);
    document.dispatchEvent(new CustomEvent("theme"));
  };
  let now = localStorage.getItem("jarrah.theme") ?? "";
  if (!(now in names)) now = "";
  show(now);
  button.addEventListener("click", () => {
    now = { "": "light", light: "dark", dark: "" }[now];
    localStorage.setItem("jarrah.theme", now);
    show(now);
  });
};
