// The page to chat: conversations, what is sent, and what comes.

import { Refused, get, post, stream } from "./api.js";
import { Controls, reveal } from "./controls.js";
import { byId, button, el, theme, toast } from "./dom.js";
import { Engine } from "./engine.js";
import { Message, Tokens, told } from "./messages.js";
import * as store from "./store.js";

const MODEL = "jarrah.model";

let about = null;
let chat = null;
let running = null;
let messages = [];
let follows = true;

const controls = new Controls(byId("controls"), store.settings(), store.saveSettings);
new Engine(byId("engine"), byId("strip"));
theme(byId("theme"));

const announce = (text) => { byId("announce").textContent = text; };

// Conversations

const titled = (text) => text.trim().replace(/\s+/g, " ").slice(0, 60);

const keep = () => {
  if (!chat) return;
  if (chat.kind === "text") chat.title = titled(chat.text);
  else chat.title = titled(chat.turns.find((turn) => turn.role === "user")?.content ?? "");
  const isEmpty = chat.kind === "text" ? !chat.text : !chat.turns.length && !chat.system;
  if (isEmpty) return;
  if (!store.save(chat)) toast("This browser's storage is full: remove conversations to keep this one");
  list();
};

const list = () => {
  byId("list").replaceChildren(...store.chats().map((entry) => {
    const title = entry.title || (entry.kind === "text" ? "A text" : "A chat");
    const open = el("button", { type: "button", class: "open", title, "aria-current": entry.id === chat?.id ? "true" : null, on: { click: () => { show(store.load(entry.id) ?? store.create("chat")); drawer(false); } } }, title);
    const remove = button("remove", `Remove ${title}`, () => forget(entry.id), { class: "plain small remove" });
    return el("li", entry.id === chat?.id ? { "data-now": true } : {}, open, remove);
  }));
};

const forget = (id) => {
  const gone = store.load(id);
  if (id === chat?.id) {
    stop();
    show(store.create(about?.chat ? "chat" : "text"));
  }
  store.remove(id);
  list();
  if (gone) toast("Removed", "Undo", () => { store.save(gone); show(gone); });
};

const drawer = (shown) => {
  byId("chats").classList.toggle("shown", shown);
  byId("show-chats").setAttribute("aria-expanded", String(shown));
};

// What is shown

const acts = {
  again: (turn) => { truncate(chat.turns.indexOf(turn)); answer(); },
  goOn: (turn) => answer(turn),
  edit: (turn, content) => {
    truncate(chat.turns.indexOf(turn));
    chat.turns.push({ ...turn, content });
    show(chat);
    answer();
  },
  results: (turn, results) => {
    for (const { id, name, content } of results) chat.turns.push({ role: "tool", id, name, content });
    show(chat);
    answer();
  },
  isLast: (turn) => chat?.turns[chat.turns.length - 1] === turn,
};

/** Leaves out the turns from one on, which can be taken back. */
const truncate = (at) => {
  stop();
  const [before, now] = [chat.turns.slice(), chat];
  chat.turns = chat.turns.slice(0, at);
  show(chat);
  if (before.length > at + 1) {
    toast("What came after was left out", "Undo", () => { stop(); now.turns = before; store.save(now); show(now); });
  }
};

const append = (turn) => {
  const message = new Message(turn, acts);
  messages.push(message);
  byId("messages").append(message.node);
  byId("empty").textContent = "";
  return message;
};

const show = (what) => {
  if (what !== chat) stop();
  chat = what;
  if (about && !about.chat && chat.kind === "chat" && !chat.turns.length) chat.kind = "text";
  const isText = chat.kind === "text";
  byId("chat").hidden = isText;
  byId("completion").hidden = !isText;
  if (isText) {
    byId("text").value = chat.text;
    textChanged(false);
    showTokens([]);
  } else {
    byId("system").value = chat.system;
    byId("system-box").open = chat.system !== "";
    messages = [];
    byId("messages").replaceChildren();
    chat.turns.forEach(append);
    byId("empty").textContent = chat.turns.length ? "" : "Ask something.";
    follows = true;
    toEnd();
  }
  list();
};

const scroll = byId("scroll");
const toEnd = () => { if (follows) scroll.scrollTop = scroll.scrollHeight; };
// Whoever scrolls up reads there.
scroll.addEventListener("scroll", () => { follows = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40; });

const busy = (is) => {
  byId("send").textContent = is ? "Stop" : "Send";
  byId("text-go").textContent = is ? "Stop" : "Continue";
  byId("text").readOnly = is;
};

const stop = () => running?.abort();

// What is sent

const modelField = () => (byId("model").value ? { model: byId("model").value } : {});

const asked = (turns) => {
  const said = chat.system ? [{ role: "system", content: chat.system }] : [];
  for (const turn of turns) {
    if (turn.role === "tool") said.push({ role: "tool", tool_call_id: turn.id, content: turn.content });
    else if (turn.role === "user") said.push({ role: "user", content: turn.content });
    else if (turn.content || turn.calls?.length) {
      const calls = (turn.calls ?? []).map(({ id, name, arguments: given }) => ({ id, type: "function", function: { name, arguments: given } }));
      said.push({ role: "assistant", content: turn.content, ...(calls.length ? { tool_calls: calls } : {}) });
    }
  }
  return said;
};

/** What went wrong, in words; the control that was refused is shown, and a key is asked for where one is missing. */
const words = (error) => {
  if (error instanceof Refused) {
    if (error.status === 401) askKey(true);
    reveal(error.param);
    return error.message;
  }
  return error instanceof TypeError ? "The server does not answer." : error.message;
};

/** Updates at most once for each frame. */
const paced = (update) => {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => { due = false; update(); });
  };
};

/** Runs the request whose body `made` makes; `take` gets its events, and `turn` what ended it. */
const ask = async (path, made, turn, take, update) => {
  running = new AbortController();
  const { signal } = running;
  const mine = running;
  const begun = performance.now();
  const before = turn.stats?.tokens ?? 0;
  busy(true);
  try {
    await stream(path, await made(signal), signal, (event) => {
      const now = (performance.now() - begun) / 1000;
      const { usage, choices: [choice] = [] } = event;
      turn.stats ??= {};
      if (usage) Object.assign(turn.stats, { tokens: before + usage.completion_tokens, prompt: usage.prompt_tokens, cached: usage.prompt_tokens_details?.cached_tokens ?? 0 });
      if (choice) {
        if (take(choice)) turn.stats.first ??= now;
        turn.stats.seconds = now;
        if (choice.finish_reason) turn.finish = choice.finish_reason;
      }
      update();
    });
    turn.finish ??= "stop";
  } catch (error) {
    if (signal.aborted) turn.finish = "abort";
    else {
      turn.error = words(error);
      turn.finish = "error";
      announce(turn.error);
    }
  } finally {
    if (running === mine) {
      running = null;
      busy(false);
    }
  }
};

const chances = (entries) => (entries ?? []).map(({ token, logprob, top_logprobs: top }) => ({ token, logprob, top: (top ?? []).map(({ token: name, logprob: chance }) => ({ token: name, logprob: chance })) }));

/** Answers what was said last, or goes on with an answer. */
const answer = async (before = null) => {
  const now = chat;
  const turn = before ?? { role: "assistant", content: "" };
  const turns = before ? now.turns.slice(0, now.turns.indexOf(before) + 1) : now.turns.slice();
  let body;
  try {
    body = { ...modelField(), messages: asked(turns), stream: true, stream_options: { include_usage: true }, ...controls.fields("chat") };
  } catch (error) {
    toast(error.message);
    return;
  }
  if (before) Object.assign(body, { continue_final_message: true, add_generation_prompt: false });
  delete turn.finish;
  delete turn.error;
  if (!before) now.turns.push(turn);
  const message = before ? messages.find((shown) => shown.turn === before) : append(turn);
  if (before) turn.tokens = undefined;
  const update = paced(() => { message.update(); toEnd(); });
  message.update();
  follows = true;
  toEnd();
  await ask("v1/chat/completions", () => body, turn, ({ delta = {}, logprobs }) => {
    turn.content += delta.content ?? "";
    const reasoning = delta.reasoning ?? delta.reasoning_content;
    if (reasoning) turn.reasoning = (turn.reasoning ?? "") + reasoning;
    for (const { index, id, function: called } of delta.tool_calls ?? []) {
      turn.calls ??= [];
      turn.calls[index] ??= { id, name: "", arguments: "" };
      turn.calls[index].name += called?.name ?? "";
      turn.calls[index].arguments += called?.arguments ?? "";
    }
    if (logprobs?.content?.length) turn.tokens = [...(turn.tokens ?? []), ...chances(logprobs.content)];
    return Boolean(delta.content || reasoning || delta.tool_calls);
  }, update);
  message.update();
  toEnd();
  if (turn.finish !== "error") announce(`Answer: ${turn.content.slice(0, 300)}`);
  if (now === chat) keep();
  else if (now.turns.length) store.save(now);
};

// The composer

const prompt = byId("prompt");
const fit = () => {
  prompt.style.height = "auto";
  prompt.style.height = `${prompt.scrollHeight + 2}px`;
};

byId("compose").addEventListener("submit", (event) => {
  event.preventDefault();
  if (running) {
    stop();
    return;
  }
  const content = prompt.value;
  if (!content.trim()) return;
  try {
    controls.fields("chat");
  } catch (error) {
    toast(error.message);
    return;
  }
  const turn = { role: "user", content };
  chat.turns.push(turn);
  append(turn);
  prompt.value = "";
  fit();
  answer();
});

prompt.addEventListener("input", fit);
prompt.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    if (!running) byId("compose").requestSubmit();
  } else if (event.key === "ArrowUp" && !prompt.value && !running) {
    const last = messages.findLast((message) => message.turn.role === "user");
    if (last) { event.preventDefault(); last.edit(); }
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || byId("key-dialog").open) return;
  if (running) stop();
  else {
    drawer(false);
    if (matchMedia("(max-width: 1080px)").matches) side(false);
  }
});

byId("system").addEventListener("input", () => { chat.system = byId("system").value; });
byId("system").addEventListener("change", keep);

byId("export").addEventListener("click", () => {
  const data = new Blob([JSON.stringify({ messages: asked(chat.turns) }, null, 2)], { type: "application/json" });
  const href = URL.createObjectURL(data);
  el("a", { href, download: `${(chat.title || "chat").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 40)}.json` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
});

// A text that goes on

const text = byId("text");
const view = new Tokens();
byId("text-tokens").append(view.node);
let before = null;

const textChanged = (byHand = true) => {
  if (byHand) chat.text = text.value;
  before = null;
  byId("text-back").disabled = true;
  byId("text-again").disabled = true;
  byId("text-error").hidden = true;
  byId("text-stats").textContent = "";
};

const showTokens = (tokens) => {
  byId("text-tokens").hidden = tokens.length === 0;
  view.update(tokens);
};

text.addEventListener("input", () => textChanged());
text.addEventListener("change", keep);
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); goOn(); }
});

/** The prompt of a text: itself, or the tokens that it names where the server has no tokenizer. */
const promptOf = (written) => {
  if (!about || about.tokenizer) return written;
  const ids = written.split(/[\s,]+/).filter(Boolean);
  const wrong = ids.find((id) => !/^\d+$/.test(id));
  if (wrong !== undefined) throw new Error(`"${wrong}" is no token: write numbers from 0 to ${about.vocabulary - 1}`);
  return ids.map(Number);
};

/** The most tokens that may follow a prompt; without a number the server lets 16 follow. */
const room = async (prompt, signal) => {
  const found = Array.isArray(prompt) ? { count: prompt.length, max_model_len: about.most_tokens } : await post("tokenize", { ...modelField(), prompt }, signal);
  // Where nothing has room, the server says so.
  return Math.max(1, Math.min(controls.usual("max_tokens") ?? Infinity, found.max_model_len - found.count));
};

const goOn = async () => {
  if (running || byId("text-go").disabled) {
    stop();
    return;
  }
  const now = chat;
  const error = byId("text-error");
  const begin = text.value;
  let body;
  error.hidden = true;
  try {
    body = { ...modelField(), prompt: promptOf(begin), stream: true, stream_options: { include_usage: true }, ...(about?.tokenizer === false ? { return_token_ids: true } : {}), ...controls.fields("text") };
  } catch (wrong) {
    error.firstElementChild.textContent = wrong.message;
    error.hidden = false;
    return;
  }
  const turn = { stats: {} };
  const tokens = [];
  const whole = async (signal) => ({ ...body, max_tokens: body.max_tokens ?? await room(body.prompt, signal) });
  const update = paced(() => {
    if (chat !== now) return;
    text.value = now.text;
    text.scrollTop = text.scrollHeight;
    showTokens(tokens);
  });
  await ask("v1/completions", whole, turn, (choice) => {
    const ids = choice.token_ids ?? [];
    if (about?.tokenizer === false && ids.length) now.text += `${/\s$|^$/.test(now.text) ? "" : " "}${ids.join(" ")}`;
    now.text += choice.text ?? "";
    const found = choice.logprobs;
    (found?.tokens ?? []).forEach((token, i) => {
      const top = Object.entries(found.top_logprobs?.[i] ?? {}).map(([name, logprob]) => ({ token: name, logprob })).sort((a, b) => b.logprob - a.logprob);
      tokens.push({ token, logprob: found.token_logprobs[i] ?? 0, top });
    });
    return Boolean(choice.text || ids.length);
  }, update);
  if (chat === now) {
    text.value = now.text;
    showTokens(tokens);
    before = begin;
    byId("text-back").disabled = false;
    byId("text-again").disabled = false;
    byId("text-stats").textContent = told(turn);
    error.firstElementChild.textContent = turn.error ?? "";
    error.hidden = !turn.error;
    keep();
  } else store.save(now);
};

const back = () => {
  stop();
  text.value = before;
  chat.text = before;
  showTokens([]);
  textChanged(false);
  keep();
};

byId("text-go").addEventListener("click", goOn);
byId("text-back").addEventListener("click", back);
byId("text-again").addEventListener("click", () => { back(); goOn(); });

// The frame

byId("new-chat").addEventListener("click", () => { show(store.create("chat")); drawer(false); prompt.focus(); });
byId("new-text").addEventListener("click", () => { show(store.create("text")); drawer(false); text.focus(); });
byId("show-chats").addEventListener("click", () => drawer(!byId("chats").classList.contains("shown")));
addEventListener("storage", (event) => { if (event.key?.startsWith("jarrah.chat")) list(); });

const side = (shown) => {
  document.querySelector(".frame").classList.toggle("no-side", !shown);
  byId("show-side").setAttribute("aria-expanded", String(shown));
};
side(!matchMedia("(max-width: 1080px)").matches);
byId("show-side").addEventListener("click", () => side(document.querySelector(".frame").classList.contains("no-side")));

const tabs = ["controls", "engine"];
const tab = (name, focus = false) => {
  for (const other of tabs) {
    const head = byId(`tab-${other}`);
    head.setAttribute("aria-selected", String(other === name));
    head.tabIndex = other === name ? 0 : -1;
    byId(other).hidden = other !== name;
  }
  if (focus) byId(`tab-${name}`).focus();
};
for (const name of tabs) {
  byId(`tab-${name}`).addEventListener("click", () => tab(name));
  byId(`tab-${name}`).addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") tab(tabs[1 - tabs.indexOf(name)], true);
  });
}
byId("strip").addEventListener("click", () => { side(true); tab("engine"); });

// The server

const askKey = (wrong) => {
  const dialog = byId("key-dialog");
  byId("key-wrong").hidden = !wrong || !store.key();
  byId("key-button").hidden = false;
  if (!dialog.open) dialog.showModal();
};
byId("key-button").addEventListener("click", () => askKey(false));
byId("key-dialog").querySelector("form").addEventListener("submit", () => {
  store.saveKey(byId("key").value.trim(), byId("key-stays").checked);
  byId("key").value = "";
  meet();
});

const notice = (words, act) => {
  const again = act ? el("button", { type: "button", on: { click: act } }, "Try again") : null;
  byId("notices").replaceChildren(...(words ? [el("div", { class: act ? "notice bad" : "notice", role: "alert" }, el("span", {}, words), again)] : []));
};

/** Asks the server what it is. */
const meet = async () => {
  try {
    about = await get("page/about.json");
    const { data } = await get("v1/models");
    const select = byId("model");
    const chosen = localStorage.getItem(MODEL);
    select.replaceChildren(...data.map((model) => el("option", { value: model.id }, model.parent ? `${model.id} (adapter)` : model.id)));
    if (data.some((model) => model.id === chosen)) select.value = chosen;
    if (store.key()) byId("key-button").hidden = false;
    notice(about.generates ? null : "This model makes vectors of texts, for /v1/embeddings and /rerank: there is nothing to chat with. What it does is under Engine.");
  } catch (error) {
    if (error instanceof Refused && error.status === 401) askKey(true);
    else notice(words(error), meet);
    return;
  }
  document.title = `${byId("model").value} – jarrah`;
  controls.tell(about);
  byId("new-chat").disabled = !about.chat;
  byId("text-go").disabled = !about.generates;
  byId("new-chat").title = about.chat ? "" : about.tokenizer ? "The model has no template of chats" : "The model was loaded without a tokenizer";
  byId("bare").hidden = about.tokenizer;
  byId("text").placeholder = about.tokenizer ? "The beginning of a text, which the model continues" : "1, 15, 27";
  if (chat.kind === "chat" && !chat.turns.length) show(chat);
  if (chat.kind === "text") text.focus();
  else if (matchMedia("(hover: hover)").matches) prompt.focus();
};
byId("model").addEventListener("change", () => {
  localStorage.setItem(MODEL, byId("model").value);
  document.title = `${byId("model").value} – jarrah`;
});

show(store.chats().map((entry) => store.load(entry.id)).find(Boolean) ?? store.create("chat"));
fit();
meet();
