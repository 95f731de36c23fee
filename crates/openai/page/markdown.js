// Markdown as elements. Nothing of a text is ever read as HTML: every character of it ends in a text node or, for the address of a
// link, in an attribute of known schemes.

import { el } from "./dom.js";

/** The address of a link, if a browser may go there by a click. */
const safe = (address) => {
  try {
    const url = new URL(address);
    return ["http:", "https:", "mailto:"].includes(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
};

// The inline forms, each by how it begins here; the order decides.
const INLINE = [
  [/^\\([\\`*_{}[\]()#+\-.!~|<>$])/, (m) => m[1]],
  [/^(`+)([^]*?[^`])\1(?!`)/, (m) => el("code", {}, m[2].replace(/\n/g, " ").replace(/^ (.*[^ ].*) $/, "$1"))],
  [/^\*\*(?=\S)([^]*?\S)\*\*(?!\*)/, (m, deep) => el("strong", {}, ...deep(m[1]))],
  [/^__(?=\S)([^]*?\S)__(?![\w_])/, (m, deep) => el("strong", {}, ...deep(m[1])), true],
  [/^\*(?=[^\s*])([^]*?[^\s*])\*(?!\*)/, (m, deep) => el("em", {}, ...deep(m[1]))],
  [/^_(?=[^\s_])([^]*?[^\s_])_(?![\w_])/, (m, deep) => el("em", {}, ...deep(m[1])), true],
  [/^~~(?=\S)([^]*?\S)~~/, (m, deep) => el("del", {}, ...deep(m[1]))],
  [/^!?\[([^[\]]{0,1000})\]\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+"[^"]*")?\s*\)/, (m, deep) => link(m[2], deep(m[1] || m[2]))],
  [/^<((?:https?:\/\/|mailto:)[^\s<>]+)>/, (m) => link(m[1], [m[1]])],
  [/^https?:\/\/[^\s<>"'`\])]*[^\s<>"'`\]).,;:!?]/, (m) => link(m[0], [m[0]]), true],
  [/^ +(\n?)/, (m) => (m[1] && m[0].length > 2 ? el("br") : m[0])],
];

const link = (address, children) => {
  const href = safe(address);
  if (href === null) return el("span", { class: "no-link" }, ...children);
  return el("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children);
};

// What no inline form begins with.
const PLAIN = /^[^\\`*_~![<h\n ]+/;

/** The nodes of a paragraph's text. */
const inline = (text, depth = 0) => {
  const nodes = [];
  let plain = "";
  let at = 0;
  const deep = (inner) => (depth < 8 ? inline(inner, depth + 1) : [inner]);
  next: while (at < text.length) {
    const rest = text.slice(at, at + 4096);
    for (const [form, make, apart] of INLINE) {
      if (apart && /\w/.test(text[at - 1] ?? " ")) continue;
      const found = form.exec(rest);
      if (!found) continue;
      const node = make(found, deep);
      if (typeof node === "string") plain += node;
      else {
        if (plain) nodes.push(plain);
        plain = "";
        nodes.push(node);
      }
      at += found[0].length;
      continue next;
    }
    const step = PLAIN.exec(rest)?.[0].length ?? 1;
    plain += text.slice(at, at + step);
    at += step;
  }
  if (plain) nodes.push(plain);
  return nodes;
};

const FENCE = /^( {0,3})(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])(?: +|$)/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$/;
const QUOTE = /^ {0,3}> ?/;
const TABLE = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

const indent = (line) => /^ */.exec(line)[0].length;
const isBlank = (line) => line.trim() === "";

/** Whether a line ends the paragraph before it. */
const breaks = (line) => FENCE.test(line) || RULE.test(line) || HEADING.test(line) || QUOTE.test(line) || ITEM.test(line);

/** The blocks of a text, each `{kind, lines, ..}`. A block that is not finished, such as open code, is the last one. */
export const blocks = (text) => {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n");
  const found = [];
  let i = 0;
  while (i < lines.length) {
    const line = lines[i];
    const begin = i;
    const fence = FENCE.exec(line);
    if (isBlank(line)) {
      i += 1;
      continue;
    }
    if (fence) {
      const close = new RegExp(`^ {0,3}${fence[2][0] === "\`" ? "\`" : "~"}{${fence[2].length},}\\s*$`);
      const body = [];
      for (i += 1; i < lines.length && !close.test(lines[i]); i += 1) {
        body.push(lines[i].slice(Math.min(indent(lines[i]), fence[1].length)));
      }
      i += 1;
      found.push({ kind: "code", language: fence[3], lines: body });
    } else if (RULE.test(line)) {
      i += 1;
      found.push({ kind: "rule", lines: [line] });
    } else if (HEADING.test(line)) {
      i += 1;
      found.push({ kind: "heading", lines: [line] });
    } else if (QUOTE.test(line)) {
      while (i < lines.length && (QUOTE.test(lines[i]) || (!isBlank(lines[i]) && !breaks(lines[i])))) i += 1;
      found.push({ kind: "quote", lines: lines.slice(begin, i) });
    } else if (ITEM.test(line)) {
      const ordered = /\d/.test(ITEM.exec(line)[2]);
      for (i += 1; i < lines.length; i += 1) {
        const next = ITEM.exec(lines[i]);
        if (isBlank(lines[i])) {
          const after = lines.slice(i).find((l) => !isBlank(l));
          if (after === undefined || (indent(after) < 2 && !ITEM.test(after))) break;
        } else if (next && indent(lines[i]) < 2 && (/\d/.test(next[2]) !== ordered || RULE.test(lines[i]))) break;
        else if (!next && indent(lines[i]) < 2 && (isBlank(lines[i - 1]) || breaks(lines[i]))) break;
      }
      found.push({ kind: "list", ordered, lines: lines.slice(begin, i) });
    } else if (line.includes("|") && TABLE.test(lines[i + 1] ?? "") && (lines[i + 1].includes("|") || line.trim().startsWith("|"))) {
      while (i < lines.length && !isBlank(lines[i]) && lines[i].includes("|")) i += 1;
      found.push({ kind: "table", lines: lines.slice(begin, i) });
    } else {
      for (i += 1; i < lines.length && !isBlank(lines[i]) && !breaks(lines[i]); i += 1);
      found.push({ kind: "text", lines: lines.slice(begin, i) });
    }
  }
  return found;
};

const cells = (row) => {
  const inner = row.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));
};

const table = (lines) => {
  const align = cells(lines[1]).map((mark) => (/^:-+:$/.test(mark) ? "center" : /-:$/.test(mark) ? "right" : ""));
  const row = (line, kind) => {
    const made = el("tr");
    const found = cells(line);
    align.forEach((side, column) => {
      made.append(el(kind, side ? { class: `to-${side}` } : {}, ...inline(found[column] ?? "")));
    });
    return made;
  };
  const body = lines.slice(2).map((line) => row(line, "td"));
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "table" }, el("table", {}, el("thead", {}, row(lines[0], "th")), el("tbody", {}, ...body)));
};

const list = (block, depth) => {
  const items = [];
  for (const line of block.lines) {
    const begun = ITEM.exec(line);
    if (begun && indent(line) < 2) {
      items.push({ width: begun[0].length, number: parseInt(begun[2], 10), lines: [line.slice(begun[0].length)] });
    } else {
      const item = items[items.length - 1];
      item.lines.push(line.slice(Math.min(indent(line), item.width)));
    }
  }
  const isTight = !block.lines.some((line, i) => isBlank(line) && i + 1 < block.lines.length);
  const first = items[0].number;
  const props = block.ordered && first !== 1 && !Number.isNaN(first) ? { start: String(first) } : {};
  return el(block.ordered ? "ol" : "ul", props, ...items.map((item) => {
    const task = /^\[([ xX])\] /.exec(item.lines[0]);
    if (task) item.lines[0] = item.lines[0].slice(4);
    const children = blocks(item.lines.join("\n")).map((inner) => {
      if (isTight && inner.kind === "text") return el("span", {}, ...inline(inner.lines.join("\n")));
      return render(inner, depth + 1);
    });
    const node = el("li", task ? { class: "task" } : {}, ...children);
    if (task) {
      const box = el("input", { type: "checkbox", disabled: "", "aria-label": task[1] === " " ? "open" : "done" });
      box.checked = task[1] !== " ";
      node.prepend(box);
    }
    return node;
  }));
};

// Words that most languages share, and how their comments begin: enough for the eye.
const WORDS = new Set(("abstract and as async await bool break case catch char class const continue crate def default del do double dyn elif else enum "
  + "export extends extern false final finally float fn for from func function global if impl import in int interface is lambda let long loop match mod "
  + "module move mut namespace new nil None not null or package pass priv private protected pub public raise ref return self Self short static string "
  + "struct super switch then this throw trait true True False try type typeof typedef union unsafe use using var void where while with yield "
  + "SELECT FROM WHERE JOIN INSERT UPDATE DELETE CREATE TABLE GROUP ORDER BY AND OR NOT NULL").split(" "));
const HASHES = new Set(["python", "py", "sh", "bash", "shell", "yaml", "yml", "toml", "ruby", "rb", "r", "make", "makefile", "dockerfile", "perl", "ini", "conf", "nix", "elixir", "julia"]);
const DASHES = new Set(["sql", "lua", "haskell", "hs", "ada", "elm"]);
const PLAINS = new Set(["", "text", "txt", "plain", "markdown", "md", "console", "output", "diff", "mermaid"]);

/** Code with its strings, comments, numbers and words told apart. */
const highlight = (code, language) => {
  const name = language.toLowerCase();
  if (PLAINS.has(name) || code.length > 40000) return [code];
  const note = HASHES.has(name) ? "#[^\\n]*" : DASHES.has(name) ? "--[^\\n]*" : name === "html" || name === "xml" ? "<!--[^]*?(?:-->|$)" : "\\/\\/[^\\n]*|\\/\\*[^]*?(?:\\*\\/|$)";
  const parts = new RegExp(`(${note})|("(?:[^"\\\\\\n]|\\\\.)*"?|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`?)|(\\b\\d[\\w.]*)|([A-Za-z_]\\w*)`, "g");
  const nodes = [];
  let at = 0;
  for (const found of code.matchAll(parts)) {
    const kind = found[1] ? "note" : found[2] ? "string" : found[3] ? "digits" : WORDS.has(found[4]) ? "word" : null;
    if (!kind) continue;
    if (found.index > at) nodes.push(code.slice(at, found.index));
    nodes.push(el("span", { class: `code-${kind}` }, found[0]));
    at = found.index + found[0].length;
  }
  if (at < code.length) nodes.push(code.slice(at));
  return nodes;
};

/** A block of code with its language and a button that copies it. */
export const code = (text, language) => {
  const button = el("button", { type: "button", class: "plain small", "aria-label": "Copy code" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1200);
  });
  const head = el("div", { class: "code-head" }, el("span", {}, language || "text"), button);
  const body = el("pre", { tabindex: "0" }, el("code", {}, ...highlight(text, language)));
  return el("div", { class: "code" }, head, body);
};

const render = (block, depth = 0) => {
  const text = block.lines.join("\n");
  if (depth > 12) return el("p", {}, text);
  switch (block.kind) {
    case "code": return code(text, block.language);
    case "rule": return el("hr");
    case "heading": {
      const [, marks, title] = HEADING.exec(text);
      return el(`h${Math.min(6, marks.length + 2)}`, { class: `level-${marks.length}` }, ...inline(title ?? ""));
    }
    case "quote": {
      const inner = block.lines.map((line) => line.replace(QUOTE, "")).join("\n");
      return el("blockquote", {}, ...blocks(inner).map((b) => render(b, depth + 1)));
    }
    case "list": return list(block, depth);
    case "table": return table(block.lines);
    default: return el("p", {}, ...inline(text));
  }
};

/** Shows a text that grows: blocks that are as they were keep their elements, with what is selected in them. */
export class Markdown {
  constructor(root) {
    this.root = root;
    this.shown = [];
  }

  update(text) {
    const now = blocks(text);
    now.forEach((block, i) => {
      const key = `${block.kind} ${block.language ?? ""} ${block.lines.join("\n")}`;
      if (this.shown[i] === key) return;
      const node = render(block);
      if (i < this.root.children.length) this.root.children[i].replaceWith(node);
      else this.root.append(node);
      this.shown[i] = key;
    });
    while (this.root.children.length > now.length) this.root.lastElementChild.remove();
    this.shown.length = now.length;
  }
}
