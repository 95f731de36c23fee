// How an answer is made: the controls, and the fields of a request that they stand for.

import { byId, el } from "./dom.js";

const lines = (text) => text.split("\n").filter((line) => line !== "");
const numbers = (text, label) => text.split(/[\s,]+/).filter(Boolean).map((word) => {
  if (!/^\d+$/.test(word)) throw new Error(`${label}: "${word}" is no token`);
  return Number(word);
});
const json = (text, label) => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${label}: ${error.message}`);
  }
};
const object = (text, label) => {
  const value = json(text, label);
  if (value === null || typeof value !== "object" || Array.isArray(value)) throw new Error(`${label}: an object is needed, {..}`);
  return value;
};

/** Numbers: the field, its label, bounds, what it does; `slide` has a slider. */
const NUMBERS = [
  { name: "temperature", label: "Temperature", min: 0, max: 2, step: 0.05, slide: true, about: "0 takes the likeliest token, 1 samples from the model's distribution" },
  { name: "top_p", label: "Top p", min: 0.01, max: 1, step: 0.01, slide: true, about: "Sample among the likeliest tokens that have this probability together" },
  { name: "top_k", label: "Top k", min: 0, step: 1, whole: true, about: "Sample among the k likeliest tokens; 0 among all" },
  { name: "min_p", label: "Min p", min: 0, max: 1, step: 0.01, slide: true, about: "Sample among tokens with this share of the likeliest one's probability" },
  { name: "max_tokens", label: "Max tokens", min: 1, step: 1, whole: true, about: "The answer ends after so many" },
  { name: "min_tokens", label: "Min tokens", min: 0, step: 1, whole: true, about: "It does not end before so many" },
  { name: "seed", label: "Seed", step: 1, whole: true, about: "The same request with the same seed has the same answer" },
  { name: "presence_penalty", label: "Presence penalty", min: -2, max: 2, step: 0.1, slide: true, about: "Against tokens that the answer has" },
  { name: "frequency_penalty", label: "Frequency penalty", min: -2, max: 2, step: 0.1, slide: true, about: "The same, for each time that it has them" },
  { name: "repetition_penalty", label: "Repetition penalty", min: 0.01, max: 2, step: 0.05, slide: true, about: "Against tokens of prompt and answer; 1 does nothing" },
];

const FORMS = [["", "none"], ["json_object", "JSON object"], ["json", "JSON schema"], ["regex", "regex"], ["choice", "choice"], ["grammar", "grammar"]];
const FORM_HINTS = {
  json: '{"type": "object", "properties": {"city": {"type": "string"}}}', regex: "\\d{4}-\\d{2}-\\d{2}", choice: "one text on each line", grammar: 'root ::= "yes" | "no"',
};

const TOOL_HINT = '[{"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]';

/** Texts, by the fields that they become. */
const TEXTS = [
  { name: "stop", label: "Stop strings", rows: 2, hint: "one text on each line", read: lines },
  { name: "stop_token_ids", label: "Stop tokens", hint: "2, 13", read: numbers },
  { name: "bad_words", label: "Bad words", rows: 2, hint: "one on each line", read: lines },
  { name: "allowed_token_ids", label: "Allowed tokens", hint: "all", read: numbers },
  { name: "logit_bias", label: "Logit bias", hint: '{"13": -5}', read: object },
  { name: "extra", label: "More fields of the request", rows: 2, hint: '{"priority": 1, "cache_salt": "me"}', read: object },
];

const CHECKS = [
  { name: "ignore_eos", label: "Ignore the end of text" },
  { name: "include_stop_str_in_output", label: "Keep the stop string" },
  { name: "show_special", label: "Show special tokens", set: (on, body) => { if (on) body.skip_special_tokens = false; } },
];

export class Controls {
  /** The controls within `root`, with the values that were kept; `changed` is told about each change. */
  constructor(root, values, changed) {
    this.values = values;
    this.changed = changed;
    this.about = null;
    this.inputs = new Map();
    this.root = root;
    this.build();
  }

  set(name, value) {
    if (value === "" || value === false || value === undefined) delete this.values[name];
    else this.values[name] = value;
    this.changed(this.values);
  }

  number(field) {
    const id = `control-${field.name}`;
    const input = el("input", { id, type: "number", inputmode: "decimal", min: field.min, max: field.max, step: field.whole ? 1 : "any", "aria-describedby": `${id}-about`, class: "number" });
    input.value = this.values[field.name] ?? "";
    const slider = field.slide ? el("input", { type: "range", min: field.min, max: field.max, step: field.step, "aria-label": `${field.label}, slider`, tabindex: -1 }) : null;
    const reset = el("button", { type: "button", class: "plain reset", "aria-label": `${field.label}: as the server has it`, title: "As the server has it" }, "×");
    const show = () => {
      const isSet = input.value !== "";
      reset.classList.toggle("unused", !isSet);
      reset.disabled = !isSet;
      row.classList.toggle("set", isSet);
      if (slider) slider.value = isSet ? input.value : this.usual(field.name) ?? field.min;
      input.setAttribute("aria-invalid", String(!input.checkValidity()));
    };
    const take = () => {
      show();
      this.set(field.name, input.value === "" || Number.isNaN(input.valueAsNumber) ? "" : input.valueAsNumber);
    };
    input.addEventListener("input", take);
    slider?.addEventListener("input", () => { input.value = slider.value; take(); });
    reset.addEventListener("click", () => { input.value = ""; take(); input.focus(); });
    const row = el("div", { class: "control", title: field.about },
      el("label", { for: id }, field.label), el("span", { class: "value" }, input, reset), slider, el("span", { id: `${id}-about`, class: "unseen" }, field.about));
    this.inputs.set(field.name, { input, show });
    show();
    return row;
  }

  area(field) {
    const id = `control-${field.name}`;
    const input = el("textarea", { id, rows: field.rows ?? 1, placeholder: field.hint, spellcheck: "false", class: "mono" });
    input.value = this.values[field.name] ?? "";
    const check = () => {
      let wrong = "";
      try {
        if (input.value.trim() !== "") field.read?.(input.value, field.label);
      } catch (error) {
        wrong = error.message;
      }
      input.setAttribute("aria-invalid", String(wrong !== ""));
      input.title = wrong;
    };
    input.addEventListener("input", () => { this.set(field.name, input.value); check(); });
    check();
    return el("div", { class: "control tall" }, el("label", { for: id }, field.label), input);
  }

  check(field) {
    const input = el("input", { type: "checkbox", id: `control-${field.name}` });
    input.checked = this.values[field.name] === true;
    input.addEventListener("change", () => this.set(field.name, input.checked));
    return el("label", { class: "check" }, input, field.label);
  }

  select(name, label, choices, after = () => {}) {
    const id = `control-${name}`;
    const input = el("select", { id }, ...choices.map(([value, words]) => el("option", { value }, words)));
    input.value = this.values[name] ?? "";
    if (input.selectedIndex < 0) input.value = "";
    input.addEventListener("change", () => { this.set(name, input.value); after(input.value); });
    return el("div", { class: "control" }, el("label", { for: id }, label), input);
  }

  build() {
    const section = (title, ...children) => el("fieldset", {}, el("legend", {}, title), ...children);
    const rest = (title, open, ...children) => el("details", open ? { open: true } : {}, el("summary", {}, title), ...children);
    const form = this.area({ name: "form_text", label: "Form", rows: 4, hint: "" });
    const showForm = (kind) => {
      const hint = FORM_HINTS[kind];
      form.hidden = hint === undefined;
      form.querySelector("textarea").placeholder = hint ?? "";
      form.querySelector("label").textContent = FORMS.find(([value]) => value === kind)?.[1] ?? "Form";
    };
    const tools = this.area({ name: "tools", label: "Tools, as in a request", rows: 5, hint: TOOL_HINT, read: json });
    const choice = this.select("tool_choice", "Tool choice", [["", "auto"], ["required", "required"], ["none", "none"]]);
    const told = el("p", { class: "quiet", hidden: true }, "The server was started without --tool-call-parser: it reads no calls.");
    this.tools = { tools, choice, told };
    this.effort = this.select("reasoning_effort", "Reasoning effort", [["", "the model's"], ["none", "none"], ["low", "low"], ["medium", "medium"], ["high", "high"]]);
    const reset = el("button", { type: "button", class: "plain small", on: { click: () => this.reset() } }, "Reset all");
    this.root.replaceChildren(
      section("Sampling", ...NUMBERS.slice(0, 7).map((field) => this.number(field)), this.check({ name: "logprobs", label: "Token probabilities" })),
      rest("Penalties", NUMBERS.slice(7).some((f) => f.name in this.values), ...NUMBERS.slice(7).map((field) => this.number(field))),
      rest("Stopping and tokens", false, ...TEXTS.slice(0, 5).map((field) => this.area(field)), ...CHECKS.map((field) => this.check(field))),
      rest("Structured output", "form" in this.values, this.select("form", "The answer is", FORMS, showForm), form),
      this.talk = el("div", {}, rest("Reasoning and tools", "tools" in this.values, this.effort, told, tools, choice)),
      rest("More", "extra" in this.values, this.area(TEXTS[5])),
      reset,
    );
    showForm(this.values.form ?? "");
    if (this.about) this.tell(this.about);
  }

  reset() {
    for (const name of Object.keys(this.values)) delete this.values[name];
    this.changed(this.values);
    this.build();
  }

  usual(name) {
    return this.about?.defaults?.[name] ?? null;
  }

  /** Shows what the server takes where a request says nothing. */
  tell(about) {
    this.about = about;
    for (const { name } of NUMBERS) {
      const { input, show } = this.inputs.get(name);
      const usual = this.usual(name);
      input.placeholder = usual === null ? { max_tokens: "all there is", min_tokens: "0", seed: "random" }[name] ?? "" : String(usual);
      show();
    }
    this.tools.told.hidden = about.tools;
    this.tools.tools.hidden = !about.tools;
    this.tools.choice.hidden = !about.tools;
  }

  /** The fields for a request of one kind: `chat` or `text`. An error names the control that is wrong. */
  fields(kind) {
    const { values } = this;
    const body = {};
    for (const field of NUMBERS) {
      if (!(field.name in values)) continue;
      const { input } = this.inputs.get(field.name);
      if (!input.checkValidity()) throw new Error(`${field.label}: ${input.validationMessage}`);
      body[field.name] = values[field.name];
    }
    for (const field of TEXTS.slice(0, 5)) {
      if ((values[field.name] ?? "").trim() !== "") body[field.name] = field.read(values[field.name], field.label);
    }
    for (const field of CHECKS) {
      if (field.set) field.set(values[field.name] === true, body);
      else if (values[field.name] === true) body[field.name] = true;
    }
    const form = values.form ?? "";
    const text = values.form_text ?? "";
    if (form === "json_object") body.response_format = { type: "json_object" };
    else if (form === "choice") body.structured_outputs = { choice: lines(text) };
    else if (form === "json") body.structured_outputs = { json: object(text, "JSON schema") };
    else if (form) body.structured_outputs = { [form]: text };
    if (values.logprobs === true) {
      const most = Math.min(5, this.about?.most_logprobs ?? 5);
      if (kind === "chat") Object.assign(body, { logprobs: true, top_logprobs: most });
      else body.logprobs = most;
    }
    if (kind === "chat") {
      if (values.reasoning_effort) body.reasoning_effort = values.reasoning_effort;
      if (this.about?.tools && (values.tools ?? "").trim() !== "") {
        body.tools = json(values.tools, "Tools");
        if (values.tool_choice) body.tool_choice = values.tool_choice;
      }
    }
    if ((values.extra ?? "").trim() !== "") Object.assign(body, object(values.extra, "More fields of the request"));
    return body;
  }
}

/** Opens the controls' section that has a field, where the server refused it. */
export const reveal = (name) => {
  const input = byId(`control-${(name ?? "").split(/[.[]/)[0]}`);
  if (!input) return;
  input.closest("details")?.setAttribute("open", "");
  input.setAttribute("aria-invalid", "true");
};
