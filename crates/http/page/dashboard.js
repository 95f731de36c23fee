// The page of training runs: which there are, their curves, settings and texts.

import { byId, el, seconds, short, theme } from "./dom.js";
import { Plot, clock, nearest, smoothed } from "./plot.js";

const EACH = 2000;
const SLOW = 10000;
const KEPT = "jarrah.dashboard";
const COLORS = 8;
// So many runs are shown at first, the newest; what begins later is shown, too.
const FIRST = 8;

const percent = (y) => `${short(Math.round(y * 10000) / 100)} %`;
const bytes = (y) => {
  for (const [size, unit] of [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) if (Math.abs(y) >= size) return `${short(Number((y / size).toPrecision(4)))} ${unit}`;
  return `${short(y)} B`;
};
const exact = (y, fully) => (fully && Math.abs(y) >= 1e-3 && Math.abs(y) < 1e4 ? String(Number(y.toPrecision(5))) : short(y));

/** What is known of metrics: their titles, how numbers are written, which other one is drawn beside, and whether smoothing would hide what they are. */
const KNOWN = {
  loss: { title: "Loss", format: exact, beside: "val_loss" },
  exact_answers: { title: "Exact answers", format: percent },
  lr: { title: "Learning rate", format: exact, isSmooth: true },
  grad_norm: { title: "Gradient norm", format: exact },
  tokens_per_second: { title: "Tokens/s", format: exact },
  flops_per_second: { title: "FLOP/s", format: short },
  memory: { title: "Memory", format: bytes, isSmooth: true },
  goodput: { title: "Goodput", format: percent },
};
const TIME = "time";

const kept = (() => {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
})();
const state = { axis: kept.axis === "time" ? "time" : "step", smooth: Number(kept.smooth) || 0, log: kept.log === true, chosen: kept.chosen ?? {}, window: null, tab: "curves" };
const keep = () => localStorage.setItem(KEPT, JSON.stringify({ axis: state.axis, smooth: state.smooth, log: state.log, chosen: state.chosen }));

/** The runs by number: what the list says, and what was fetched of each. */
const runs = new Map();
const plots = new Map();

const get = async (path) => {
  const response = await fetch(path, { cache: "no-store" });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error?.message ?? `the server answered with status ${response.status}`);
  return body;
};

theme(byId("theme"));

// The list

const color = (id) => `--run-${id % COLORS}`;
const shown = () => [...runs.values()].filter((run) => run.isThere && run.isChosen);

/** The names without the folders that all of them share. */
const names = () => {
  const all = [...runs.values()];
  const paths = all.map((run) => run.facts.name.split("/"));
  let common = 0;
  while (paths.length > 1 && paths.every((path) => path.length > common + 1 && path[common] === paths[0][common])) common += 1;
  if (paths.length === 1) common = Math.max(0, paths[0].length - 2);
  all.forEach((run, i) => { run.name = paths[i].slice(common).join("/"); });
};

const STATES = { complete: ["done", "good"], running: ["running", "accent"], stopped: ["stopped", ""], empty: ["empty", ""] };

const listed = (run) => {
  const { facts } = run;
  if (!run.node) {
    const box = el("input", { type: "checkbox" });
    box.addEventListener("change", () => {
      state.chosen[facts.name] = box.checked;
      keep();
      choose();
    });
    const parts = { box, name: el("b"), tag: el("span", { class: "tag" }), progress: el("progress"), facts: el("span", { class: "facts number" }), problem: el("span", { class: "problem", hidden: true }) };
    const label = el("label", {}, box, el("span", { class: "name" }, el("span", { class: "swatch" }), parts.name, parts.tag), parts.progress, parts.facts, parts.problem);
    run.node = el("li", {}, label);
    run.node.style.setProperty("--color", `var(${color(run.id)})`);
    run.parts = parts;
  }
  const { parts } = run;
  const [word, kind] = STATES[facts.state] ?? [facts.state, ""];
  parts.box.checked = run.isChosen;
  parts.name.textContent = run.name;
  parts.name.title = facts.name;
  parts.tag.textContent = word;
  parts.tag.className = `tag ${kind}`;
  parts.progress.max = facts.steps ?? 1;
  parts.progress.value = Math.min(facts.step ?? 0, facts.steps ?? 1);
  parts.progress.setAttribute("aria-label", `step ${facts.step ?? 0} of ${facts.steps ?? "unknown"}`);
  const words = [`${short(facts.step ?? 0)} / ${short(facts.steps ?? null)}`];
  const last = facts.last ?? {};
  if (last.loss !== undefined) words.push(`loss ${last.loss === null ? "no number" : exact(last.loss, true)}`);
  if (facts.best) words.push(`best ${exact(facts.best.val_loss, true)}`);
  if (facts.state === "running" && last.time && facts.begun && facts.step > 1 && facts.steps) {
    const rate = (last.time - facts.begun) / facts.step;
    words.push(`${seconds(rate * (facts.steps - facts.step))} left`);
  } else if (facts.quiet !== null && facts.quiet !== undefined) words.push(`${facts.quiet < 60 ? `${facts.quiet} s` : seconds(facts.quiet)} ago`);
  parts.facts.replaceChildren(...words.map((text) => el("span", {}, text)));
  const problems = [facts.problem, facts.malformed ? `${facts.malformed} lines of metrics are none` : null].filter(Boolean).join("\n");
  parts.problem.hidden = !problems;
  parts.problem.textContent = problems;
  const filter = byId("filter").value.toLowerCase();
  run.node.hidden = filter !== "" && !facts.name.toLowerCase().includes(filter);
  return run.node;
};

const showList = () => {
  names();
  const there = [...runs.values()].filter((run) => run.isThere);
  const nodes = there.map(listed);
  const list = byId("list");
  if (nodes.length !== list.children.length || nodes.some((node, i) => list.children[i] !== node)) list.replaceChildren(...nodes);
  const going = there.filter((run) => run.facts.state === "running").length;
  byId("live").textContent = there.length ? `${there.length} ${there.length === 1 ? "run" : "runs"}${going ? `, ${going} running` : ""}` : "";
  byId("empty").hidden = there.length > 0;
  byId("empty").textContent = "There is no run here yet. This page shows one as soon as it begins.";
  for (const name of ["curves", "settings", "texts"]) byId(name).hidden = there.length === 0 || state.tab !== name;
};

// What is fetched

/** The steps of the window for one run; all where there is none. */
const steps = (run) => {
  if (!state.window) return "";
  let [from, to] = state.window;
  if (state.axis === "time") {
    const whole = run.time;
    if (!whole) return "";
    const at = (second) => whole.steps[Math.max(0, nearest(whole.mean, second + whole.begun))] ?? 0;
    [from, to] = [at(from), at(to)];
  }
  // What is just outside keeps lines from ending at the edge.
  const margin = (to - from) * 0.02 + 1;
  return `&from=${Math.max(0, Math.floor(from - margin))}&to=${Math.ceil(to + margin)}`;
};

const fetchCurves = async (run) => {
  const window = steps(run);
  const key = `${run.facts.version} ${window}`;
  if (run.key === key) return false;
  const points = Math.max(200, Math.min(1200, Math.round(byId("plots").clientWidth || 600)));
  const { curves } = await get(`runs/${run.id}/curves?points=${points}${window}`);
  run.key = key;
  run.curves = new Map(curves.map((curve) => [curve.name, curve]));
  const time = run.curves.get(TIME);
  if (!window && time) run.time = { ...time, begun: time.mean[0] };
  return true;
};

const fetchDetails = async (run) => {
  if (run.details && run.detailed === run.facts.version) return;
  run.details = await get(`runs/${run.id}`);
  run.detailed = run.facts.version;
};

// Curves

const xs = (run, curve) => {
  if (state.axis === "step") return curve.steps;
  const time = run.curves.get(TIME);
  if (!time || !run.time) return null;
  const { begun } = run.time;
  // Times of the steps between those that are known lie between theirs.
  let i = 0;
  return curve.steps.map((step) => {
    while (i < time.steps.length - 1 && time.steps[i] < step) i += 1;
    const j = Math.max(0, i - 1);
    const [a, b] = [time.steps[j], time.steps[i]];
    const share = b > a ? Math.max(0, Math.min(1, (step - a) / (b - a))) : 1;
    return time.mean[j] + share * (time.mean[i] - time.mean[j]) - begun;
  });
};

const drawn = (run, curve, beside, isSmooth) => {
  const places = xs(run, curve);
  if (!places) return null;
  const by = isSmooth ? 0 : state.smooth;
  const smooth = smoothed(curve.mean, by);
  return {
    name: beside ? `${run.name}, held out` : run.name, color: color(run.id), dashed: beside, xs: places, steps: curve.steps, mean: curve.mean, min: curve.min, max: curve.max,
    lost: curve.lost ? places.filter((_, i) => curve.lost.includes(curve.steps[i])) : null, smooth, isStrong: by > 0,
  };
};

const metrics = () => {
  const found = new Set(shown().flatMap((run) => [...(run.curves?.keys() ?? [])]));
  found.delete(TIME);
  const besides = new Set(Object.entries(KNOWN).filter(([name]) => found.has(name)).map(([, known]) => known.beside));
  const order = Object.keys(KNOWN);
  const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...found].filter((name) => !besides.has(name)).sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
};

const on = {
  hover: (x, from) => { for (const plot of plots.values()) plot.point(x, plot === from); },
  zoom: (from, to) => { state.window = [from, to]; byId("whole").disabled = false; refreshCurves(); },
  whole: () => { state.window = null; byId("whole").disabled = true; refreshCurves(); },
  say: (text) => { byId("announce").textContent = text; },
};

const showCurves = () => {
  const wanted = metrics();
  for (const name of wanted) {
    if (plots.has(name)) continue;
    const known = KNOWN[name] ?? { title: name, format: exact };
    plots.set(name, new Plot(known.title, known.format, on));
  }
  const nodes = wanted.map((name) => plots.get(name).node);
  const root = byId("plots");
  if (nodes.length !== root.children.length || nodes.some((node, i) => root.children[i] !== node)) root.replaceChildren(...nodes);
  for (const name of wanted) {
    const curves = [];
    for (const run of shown()) {
      for (const [metric, beside] of [[name, false], [KNOWN[name]?.beside, true]]) {
        const curve = run.curves?.get(metric);
        const one = curve?.steps.length ? drawn(run, curve, beside, beside || KNOWN[name]?.isSmooth) : null;
        if (one) curves.push(one);
      }
    }
    plots.get(name).show(curves, state);
  }
};

let fetching = null;
/** Fetches what changed of the runs that are shown, one fetch after another. */
const refreshCurves = () => {
  showCurves();
  const now = (fetching ?? Promise.resolve()).then(async () => {
    await Promise.all(shown().map(fetchCurves));
    showCurves();
  }).catch(trouble);
  fetching = now;
  return now;
};

// Settings

const swatch = (run) => {
  const node = el("span", { class: "swatch" });
  node.style.background = `var(${color(run.id)})`;
  return node;
};

const showSettings = async () => {
  const now = shown();
  await Promise.all(now.map(fetchDetails));
  const isOnly = byId("differences").checked && now.length > 1;
  const find = byId("find").value.toLowerCase();
  const body = el("tbody");
  let count = 0;
  for (const [part, title] of [["settings", "Recipe"], ["model", "Model"]]) {
    const rows = new Map();
    now.forEach((run, i) => {
      for (const { name, value, doc } of run.details[part]) {
        if (!rows.has(name)) rows.set(name, { doc, values: now.map(() => null) });
        rows.get(name).values[i] = value;
      }
    });
    const chosen = [...rows].filter(([name, { values }]) => {
      const differs = values.some((value) => value !== values[0]);
      return (!isOnly || (differs && name !== "out")) && (find === "" || name.toLowerCase().includes(find));
    });
    if (!chosen.length) continue;
    count += chosen.length;
    body.append(el("tr", { class: "part" }, el("th", { colspan: now.length + 1, scope: "rowgroup" }, title)));
    for (const [name, { doc, values }] of chosen) {
      const differs = now.length > 1 && values.some((value) => value !== values[0]);
      body.append(el("tr", differs ? { class: "differs" } : {}, el("th", { scope: "row", title: doc ?? null }, name),
        ...values.map((value) => el("td", {}, value === null ? "" : value === "" ? "unset" : value))));
    }
  }
  const head = el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Setting"), ...now.map((run) => el("th", { scope: "col" }, swatch(run), run.name))));
  const none = now.length === 0 ? "No run is chosen." : isOnly ? "The runs that are chosen have the same settings." : "No setting has such a name.";
  byId("table").replaceChildren(count ? el("table", {}, head, body) : el("p", { class: "quiet" }, none));
};

// Samples

const showTexts = async () => {
  const now = shown();
  await Promise.all(now.map(fetchDetails));
  byId("texts").replaceChildren(...now.map((run) => {
    const cards = run.details.texts.map(({ step, prompt, text }) => el("article", { class: "sample" },
      el("header", { class: "number" }, `step ${step}`), el("pre", { tabindex: "0" }, el("span", { class: "begin" }, prompt), text)));
    const none = el("p", { class: "quiet" }, "No sample yet. A run writes one at its end, and others where its recipe says so: sample.every=100.");
    return el("section", { class: "texts" }, el("h2", {}, swatch(run), run.name), ...(cards.length ? cards : [none]));
  }));
  if (!now.length) byId("texts").replaceChildren(el("p", { class: "quiet" }, "No run is chosen."));
};

const SHOWS = { curves: refreshCurves, settings: showSettings, texts: showTexts };
const show = () => Promise.resolve(SHOWS[state.tab]()).catch(trouble);

const choose = () => {
  for (const run of runs.values()) run.isChosen = state.chosen[run.facts.name] ?? run.usual;
  showList();
  show();
};

// What goes on

const trouble = (error) => {
  const words = error instanceof TypeError ? "The server does not answer; this page tries again." : error.message;
  byId("notices").replaceChildren(el("div", { class: "notice bad", role: "alert" }, el("span", {}, words)));
};

let timer = null;
const look = async () => {
  clearTimeout(timer);
  let each = SLOW;
  try {
    const all = await get("runs");
    for (const run of runs.values()) run.isThere = false;
    let changed = false;
    const isFirst = runs.size === 0;
    all.forEach((facts, i) => {
      const run = runs.get(facts.id) ?? { id: facts.id, usual: !isFirst || i >= all.length - FIRST };
      changed ||= run.facts?.version !== facts.version || !run.facts;
      run.facts = facts;
      run.isThere = true;
      run.isChosen = state.chosen[facts.name] ?? run.usual;
      runs.set(facts.id, run);
      if (facts.state !== "complete") each = EACH;
    });
    if (!all.length) each = EACH;
    byId("notices").replaceChildren();
    showList();
    if (changed) await show();
  } catch (error) {
    trouble(error);
    each = EACH;
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(look, each);
};
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
document.addEventListener("theme", () => { for (const plot of plots.values()) plot.draw(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const plot of plots.values()) plot.draw(); });

// The tools

const showTools = () => {
  byId("axis").value = state.axis;
  byId("smooth").value = state.smooth;
  byId("smooth-value").textContent = state.smooth ? state.smooth.toFixed(2) : "none";
  byId("log").checked = state.log;
};
showTools();
byId("axis").addEventListener("change", () => { state.axis = byId("axis").value; keep(); on.whole(); });
byId("smooth").addEventListener("input", () => { state.smooth = Number(byId("smooth").value); keep(); showTools(); showCurves(); });
byId("log").addEventListener("change", () => { state.log = byId("log").checked; keep(); showCurves(); });
byId("whole").addEventListener("click", () => on.whole());
byId("filter").addEventListener("input", showList);
byId("differences").addEventListener("change", show);
byId("find").addEventListener("input", show);
for (const [id, is] of [["all", true], ["none", false]]) {
  byId(id).addEventListener("click", () => {
    for (const run of runs.values()) if (!run.node?.hidden) state.chosen[run.facts.name] = is;
    keep();
    choose();
  });
}

const tabs = ["curves", "settings", "texts"];
const tab = (name, focus) => {
  state.tab = name;
  for (const other of tabs) {
    const head = byId(`tab-${other}`);
    head.setAttribute("aria-selected", String(other === name));
    head.tabIndex = other === name ? 0 : -1;
  }
  if (focus) byId(`tab-${name}`).focus();
  showList();
  show();
};
tabs.forEach((name, i) => {
  byId(`tab-${name}`).addEventListener("click", () => tab(name, false));
  byId(`tab-${name}`).addEventListener("keydown", (event) => {
    const by = { ArrowLeft: 2, ArrowRight: 1 }[event.key];
    if (by) tab(tabs[(i + by) % 3], true);
  });
});

look();
