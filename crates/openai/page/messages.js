// The turns of a conversation as elements.

import { button, copy, draw, el, seconds, short } from "./dom.js";
import { Markdown, code } from "./markdown.js";

/** How likely a token was, as one of five shades. */
const shade = (chance) => (chance >= 0.9 ? 0 : chance >= 0.6 ? 1 : chance >= 0.3 ? 2 : chance >= 0.1 ? 3 : 4);

const visible = (token) => token.replace(/\n/g, "⏎\n").replace(/\t/g, "⇥");

/** The tokens of an answer, shaded by their chances; the one under the pointer, or reached by the arrow keys, is told about. */
export class Tokens {
  constructor() {
    this.text = el("div", { class: "tokens", tabindex: "0", role: "group", "aria-label": "Tokens and their probabilities; the arrow keys go from token to token" });
    this.told = el("div", { class: "token-told", role: "status", hidden: true });
    this.node = el("div", { class: "token-view" }, this.text, this.told);
    this.all = [];
    this.at = -1;
    this.text.addEventListener("pointerover", (event) => {
      const at = [...this.text.children].indexOf(event.target);
      if (at >= 0) this.tell(at);
    });
    this.text.addEventListener("pointerleave", () => this.tell(-1));
    this.text.addEventListener("blur", () => this.tell(-1));
    this.text.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -10, ArrowRight: 1, ArrowDown: 10 }[event.key];
      if (!step || !this.all.length) return;
      event.preventDefault();
      this.tell(Math.max(0, Math.min(this.all.length - 1, this.at + step)));
    });
  }

  /** Shows tokens, of which those before are shown already. */
  update(tokens) {
    if (tokens.length < this.all.length) this.text.replaceChildren();
    for (const token of tokens.slice(this.text.children.length)) {
      this.text.append(el("span", { class: `shade-${shade(Math.exp(token.logprob))}` }, visible(token.token)));
    }
    this.all = tokens.slice();
  }

  tell(at) {
    this.text.children[this.at]?.classList.remove("at");
    this.at = at;
    this.told.hidden = at < 0;
    if (at < 0) return;
    const token = this.all[at];
    const chosen = this.text.children[at];
    chosen.classList.add("at");
    const others = token.top.some((other) => other.token === token.token) ? token.top : [token, ...token.top];
    const bar = (chance) => draw("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", class: "chance", "aria-hidden": "true" },
      draw("rect", { width: Math.max(0.5, 100 * chance), height: 8, rx: 1 }));
    this.told.replaceChildren(...others.map((other) => {
      const chance = Math.exp(other.logprob);
      return el("div", { class: other.token === token.token ? "row chosen" : "row" },
        el("code", {}, JSON.stringify(other.token).slice(1, -1) || "nothing"), bar(chance), el("span", { class: "number" }, `${(100 * chance).toFixed(chance < 0.01 ? 2 : 1)} %`));
    }));
    const [box, frame] = [chosen.getBoundingClientRect(), this.node.getBoundingClientRect()];
    this.told.style.left = `${Math.max(0, Math.min(box.left - frame.left, frame.width - this.told.offsetWidth))}px`;
    this.told.style.top = `${box.bottom - frame.top + 6}px`;
  }
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

const ENDS = { length: "stopped at the token limit", stop: "", tool_calls: "", abort: "stopped", error: "failed" };

/** What an answer took, in words. */
export const told = (turn) => {
  const { stats = {}, finish } = turn;
  const words = [];
  if (stats.tokens) words.push(`${short(stats.tokens)} tokens`);
  if (stats.tokens > 1 && stats.seconds - stats.first > 0.05) words.push(`${short((stats.tokens - 1) / (stats.seconds - stats.first))} tokens/s`);
  if (stats.first !== undefined) words.push(`first after ${seconds(stats.first)}`);
  if (stats.prompt) words.push(`prompt of ${short(stats.prompt)}${stats.cached ? `, ${short(stats.cached)} from the cache` : ""}`);
  if (ENDS[finish]) words.push(ENDS[finish]);
  return words.join(" · ");
};

/** One turn; `acts` are what its buttons do, each given the turn. */
export class Message {
  constructor(turn, acts) {
    this.turn = turn;
    this.acts = acts;
    this.showsTokens = false;
    this.node = el("article", { class: `message ${turn.role}`, "aria-label": { user: "You", assistant: "Answer", tool: "Result of a call" }[turn.role] });
    if (turn.role === "assistant") this.answer();
    else this.said();
  }

  said() {
    const { turn, acts } = this;
    const body = el("div", { class: "said" }, turn.content);
    const tools = el("div", { class: "tools" },
      button("copy", "Copy", () => copy(turn.content)), button("edit", "Edit and send again", () => this.edit()));
    if (turn.role === "tool") body.prepend(el("span", { class: "tag" }, `result of ${turn.name ?? "a call"}`));
    this.node.replaceChildren(body, tools);
    this.acts = acts;
  }

  edit() {
    const { turn, acts } = this;
    const input = el("textarea", { rows: Math.min(12, turn.content.split("\n").length + 1), "aria-label": "The message" });
    input.value = turn.content;
    const cancel = () => this.said();
    const send = () => acts.edit(turn, input.value);
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { event.stopPropagation(); cancel(); }
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); send(); }
    });
    this.node.replaceChildren(el("div", { class: "editing" }, input, el("div", { class: "row" },
      el("button", { type: "button", on: { click: cancel } }, "Cancel"), el("button", { type: "button", class: "main", on: { click: send } }, "Send"))));
    input.focus();
  }

  answer() {
    const { turn, acts } = this;
    this.thought = el("div", { class: "thought" });
    this.head = el("summary", {}, "Reasoning");
    this.reasoning = el("details", { class: "reasoning", hidden: true }, this.head, this.thought);
    this.body = el("div", { class: "text" });
    this.markdown = new Markdown(this.body);
    this.reasoned = new Markdown(this.thought);
    this.tokens = new Tokens();
    this.tokens.node.hidden = true;
    this.calls = el("div", { class: "calls" });
    this.error = el("div", { class: "notice bad", role: "alert", hidden: true });
    this.stats = el("span", { class: "stats number" });
    this.toggle = button("tokens", "Token probabilities", () => {
      this.showsTokens = !this.showsTokens;
      this.update();
    }, { hidden: true, "aria-pressed": "false" });
    this.next = button("more", "Continue", () => acts.goOn(turn), { words: "Continue", hidden: true });
    this.tools = el("div", { class: "tools" },
      button("copy", "Copy", () => copy(turn.content)), button("again", "Regenerate", () => acts.again(turn)), this.toggle, this.next, this.stats);
    this.node.replaceChildren(this.reasoning, this.body, this.tokens.node, this.calls, this.error, this.tools);
    this.update();
  }

  /** Shows what the answer is now. */
  update() {
    const { turn } = this;
    const isRunning = turn.finish === undefined && !turn.error;
    this.node.classList.toggle("running", isRunning);
    this.node.setAttribute("aria-busy", String(isRunning));
    this.reasoning.hidden = !turn.reasoning;
    if (turn.reasoning) {
      this.reasoned.update(turn.reasoning);
      this.head.textContent = isRunning && !turn.content ? "Reasoning …" : "Reasoning";
    }
    const tokens = turn.tokens ?? [];
    this.toggle.hidden = tokens.length === 0;
    this.toggle.setAttribute("aria-pressed", String(this.showsTokens));
    const asTokens = this.showsTokens && tokens.length > 0;
    this.body.hidden = asTokens;
    this.tokens.node.hidden = !asTokens;
    if (asTokens) this.tokens.update(tokens);
    else this.markdown.update(turn.content);
    this.showCalls();
    this.error.hidden = !turn.error;
    this.error.replaceChildren(el("span", {}, turn.error ?? ""));
    this.stats.textContent = told(turn);
    this.next.hidden = !(turn.finish === "length" || turn.finish === "abort") || !turn.content || (turn.calls?.length ?? 0) > 0;
    this.tools.hidden = isRunning;
  }

  showCalls() {
    const calls = this.turn.calls ?? [];
    const key = JSON.stringify([calls, this.turn.finish]);
    if (key === this.shownCalls) return;
    this.shownCalls = key;
    const isOver = this.turn.finish !== undefined;
    const inputs = [];
    const cards = calls.map((call) => {
      const card = el("div", { class: "call" },
        el("div", { class: "call-head" }, el("span", { class: "tag accent" }, "call"), el("code", {}, call.name)), code(isOver ? pretty(call.arguments) : call.arguments, "json"));
      if (isOver && this.acts.isLast(this.turn)) {
        const input = el("textarea", { rows: 2, class: "mono", placeholder: "What the function returns", "aria-label": `What ${call.name} returns` });
        inputs.push([call, input]);
        card.append(input);
      }
      return card;
    });
    if (inputs.length) {
      const send = () => this.acts.results(this.turn, inputs.map(([call, input]) => ({ id: call.id, name: call.name, content: input.value })));
      cards.push(el("div", { class: "row" }, el("button", { type: "button", class: "main", on: { click: send } }, inputs.length > 1 ? "Send the results" : "Send the result")));
    }
    this.calls.replaceChildren(...cards);
  }
}
