// What the engine does: gauges and small charts of what `metrics` says each second.

import { draw, el, seconds, short } from "./dom.js";
import { get } from "./api.js";

const EACH = 1000;
// So many seconds are shown, and rates and latencies are those of the last few.
const SHOWN = 180;
const WINDOW = 15;

/** The samples of Prometheus' text form: sums by name, and histograms by name. */
export const parse = (text) => {
  const sums = new Map();
  const buckets = new Map();
  const reasons = new Map();
  for (const line of text.split("\n")) {
    const found = /^vllm:(\w+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!found) continue;
    const [, name, labels, number] = found;
    const value = Number(number);
    const bound = /(?:^|,)le="([^"]*)"/.exec(labels ?? "");
    if (bound) {
      const base = name.replace(/_bucket$/, "");
      if (!buckets.has(base)) buckets.set(base, new Map());
      const all = buckets.get(base);
      const at = bound[1] === "+Inf" ? Infinity : Number(bound[1]);
      all.set(at, (all.get(at) ?? 0) + value);
      continue;
    }
    const reason = /finished_reason="([^"]*)"/.exec(labels ?? "");
    if (reason) reasons.set(reason[1], (reasons.get(reason[1]) ?? 0) + value);
    sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return { sums, buckets, reasons };
};

/** The mean, and what a share is at most, of what a histogram of times got between two looks. */
const between = (then, now, name, share) => {
  const counted = (look, part) => look.sums.get(`${name}_${part}`) ?? 0;
  const count = counted(now, "count") - counted(then, "count");
  if (count <= 0) return { mean: null, most: null };
  const mean = (counted(now, "sum") - counted(then, "sum")) / count;
  let below = 0;
  let low = 0;
  for (const [bound, total] of [...(now.buckets.get(name) ?? [])].sort((a, b) => a[0] - b[0])) {
    const fresh = total - (then.buckets.get(name)?.get(bound) ?? 0);
    if (fresh >= share * count) {
      // Below the first bound nothing is known but that.
      if (low === 0) return { mean, most: null, words: `< ${seconds(bound)}` };
      const within = bound === Infinity || fresh === below ? 0 : ((share * count - below) / (fresh - below)) * (bound - low);
      return { mean, most: low + within };
    }
    below = fresh;
    low = bound;
  }
  return { mean, most: low };
};

/** A chart of a few lines over the last minutes, whose last values stand beside its title. */
class Spark {
  constructor(title, names, say, ceiling = null) {
    Object.assign(this, { names, say, ceiling, points: [], at: null });
    this.value = el("span", { class: "number spark-value" }, "–");
    this.lines = names.map((_, i) => draw("path", { class: `spark-line line-${i}`, "vector-effect": "non-scaling-stroke" }));
    this.area = draw("path", { class: "spark-area" });
    this.rule = draw("path", { class: "spark-rule", "vector-effect": "non-scaling-stroke" });
    this.svg = draw("svg", { viewBox: `0 0 ${SHOWN} 40`, preserveAspectRatio: "none", role: "img" }, this.area, ...this.lines, this.rule);
    this.top = el("span", { class: "spark-top number" });
    this.title = title;
    this.node = el("section", { class: "spark" },
      el("header", {}, el("h3", {}, title), this.value), el("div", { class: "spark-frame" }, this.svg, this.top));
    this.svg.addEventListener("pointermove", (event) => {
      const box = this.svg.getBoundingClientRect();
      const back = Math.round((1 - (event.clientX - box.left) / box.width) * (SHOWN - 1));
      this.at = back >= 0 && back < this.points.length ? back : null;
      this.show();
    });
    this.svg.addEventListener("pointerleave", () => { this.at = null; this.show(); });
  }

  /** Adds a value of each line, or nothing; `words` stand for those that are only known so. */
  add(values, words = []) {
    this.points.push(values.map((y, i) => ({ y, words: y === null ? words[i] ?? "–" : this.say(y) })));
    if (this.points.length > SHOWN) this.points.shift();
    this.show();
  }

  show() {
    const highest = Math.max(this.ceiling ?? 0, ...this.points.flat().map(({ y }) => y ?? 0)) || 1;
    const first = SHOWN - this.points.length;
    const path = (i) => {
      let text = "";
      let open = false;
      this.points.forEach((values, at) => {
        const { y } = values[i];
        if (y === null) { open = false; return; }
        text += `${open ? "L" : "M"}${first + at} ${(39 - (y / highest) * 37).toFixed(2)}`;
        open = true;
      });
      return text;
    };
    this.lines.forEach((line, i) => line.setAttribute("d", path(i)));
    const outline = this.names.length === 1 ? path(0) : "";
    this.area.setAttribute("d", outline && !outline.slice(1).includes("M") ? `${outline}V40H${outline.slice(1).split(" ")[0]}Z` : "");
    const index = this.points.length - 1 - (this.at ?? 0);
    this.rule.setAttribute("d", this.at === null ? "" : `M${first + index} 0V40`);
    const values = this.points[index] ?? [];
    const words = values.map((value, i) => [this.names[i], value.words]);
    const parts = words.map(([name, said], i) => (words.length > 1 ? el("span", { class: `key key-${i}` }, `${name} ${said}`) : said));
    this.value.replaceChildren(...parts, this.at ? ` ${this.at} s ago` : "");
    this.svg.setAttribute("aria-label", `${this.title} over the last ${SHOWN / 60} minutes, now ${words.map((pair) => pair.join(" ")).join(", ")}`);
    this.top.textContent = this.points.length ? this.say(highest) : "";
  }
}

const percent = (x) => `${(100 * x).toFixed(x > 0 && x < 0.1 ? 1 : 0)} %`;

export class Engine {
  /** Shows itself in `root`, and in a line in `strip`. */
  constructor(root, strip) {
    this.root = root;
    this.strip = strip;
    this.looks = [];
    this.gauges = new Map();
    const gauge = (name, label) => {
      const value = el("dd", { class: "number", "data-metric": name }, "–");
      this.gauges.set(name, value);
      return el("div", {}, el("dt", {}, label), value);
    };
    this.sparks = {
      speed: new Spark("Generated tokens/s", ["generated"], short),
      prompt: new Spark("Prompt tokens/s", ["new", "cached"], short),
      queue: new Spark("Requests", ["running", "waiting"], short),
      first: new Spark("First token", ["mean", "p95"], seconds),
      next: new Spark("Inter-token", ["mean", "p95"], seconds),
      cache: new Spark("KV cache in use", ["share"], percent, 0.05),
    };
    this.problem = el("p", { class: "notice bad", hidden: true });
    this.drafts = el("div", { hidden: true }, el("dt", {}, "Drafts accepted"), el("dd", { class: "number" }, "–"));
    root.replaceChildren(
      this.problem,
      el("dl", { class: "gauges" },
        gauge("running", "Running"), gauge("waiting", "Waiting"), gauge("cache", "KV cache"), gauge("hits", "Prefix hits"),
        gauge("written", "Generated"), gauge("read", "Prompt tokens"), gauge("ended", "Finished"), gauge("lost", "Failed"), gauge("preempted", "Preempted"), this.drafts),
      ...Object.values(this.sparks).map((spark) => spark.node),
    );
    this.timer = null;
    document.addEventListener("visibilitychange", () => this.schedule(0));
    this.schedule(0);
  }

  schedule(after) {
    clearTimeout(this.timer);
    if (!document.hidden) this.timer = setTimeout(() => this.look(), after);
  }

  async look() {
    const begun = performance.now();
    try {
      this.take({ ...parse(await get("metrics")), time: performance.now() / 1000 });
      this.problem.hidden = true;
    } catch {
      this.problem.textContent = "The server does not answer.";
      this.problem.hidden = false;
      this.strip.textContent = "no answer";
      this.strip.classList.add("bad");
      this.looks = [];
    }
    this.schedule(Math.max(100, EACH - (performance.now() - begun)));
  }

  take(look) {
    const { sums } = look;
    const count = (name) => sums.get(name) ?? 0;
    const before = this.looks[this.looks.length - 1];
    // A server that was started anew counts from nothing.
    if (before && count("generation_tokens_total") < (before.sums.get("generation_tokens_total") ?? 0)) this.looks = [];
    const last = this.looks[this.looks.length - 1];
    const then = this.looks.find((old) => look.time - old.time <= WINDOW) ?? look;
    this.looks.push(look);
    this.looks = this.looks.filter((old) => look.time - old.time <= WINDOW + 2);
    const rate = (name) => (last ? Math.max(0, count(name) - (last.sums.get(name) ?? 0)) / (look.time - last.time) : 0);
    const speed = rate("generation_tokens_total");
    const cached = rate("prompt_tokens_cached_total");
    this.sparks.speed.add([speed]);
    this.sparks.prompt.add([Math.max(0, rate("prompt_tokens_total") - cached), cached]);
    this.sparks.queue.add([count("num_requests_running"), count("num_requests_waiting")]);
    for (const [spark, name] of [["first", "time_to_first_token_seconds"], ["next", "inter_token_latency_seconds"]]) {
      const { mean, most, words } = between(then, look, name, 0.95);
      this.sparks[spark].add([mean, most === null ? null : Math.max(mean, most)], [null, words]);
    }
    this.sparks.cache.add([count("kv_cache_usage_perc")]);
    const set = (name, text, title = "") => {
      const node = this.gauges.get(name);
      node.textContent = text;
      node.title = title;
    };
    set("running", short(count("num_requests_running")));
    set("waiting", short(count("num_requests_waiting")));
    set("cache", percent(count("kv_cache_usage_perc")));
    const asked = count("prefix_cache_queries_total");
    set("hits", asked ? percent(count("prefix_cache_hits_total") / asked) : "–", `${count("prefix_cache_hits_total")} of ${asked} tokens`);
    set("written", short(count("generation_tokens_total")), String(count("generation_tokens_total")));
    set("read", short(count("prompt_tokens_total")), String(count("prompt_tokens_total")));
    set("ended", short(count("request_success_total")), [...look.reasons].map(([reason, n]) => `${reason}: ${n}`).join(", "));
    set("lost", short((look.reasons.get("error") ?? 0) + count("admission_rejections_total")));
    set("preempted", short(count("num_preemptions_total")));
    const drafted = count("spec_decode_num_draft_tokens_total");
    this.drafts.hidden = drafted === 0;
    this.drafts.lastElementChild.textContent = drafted ? percent(count("spec_decode_num_accepted_tokens_total") / drafted) : "–";
    this.strip.classList.remove("bad");
    this.strip.textContent = `${short(count("num_requests_running"))} running · ${short(count("num_requests_waiting"))} waiting · ${short(Math.round(speed))} tokens/s`;
  }
}
