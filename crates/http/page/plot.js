// A chart of curves over steps or time.

import { el, short } from "./dom.js";

const LEFT = 52;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 22;

/** Round numbers from `low` to `high`, about `count` of them. */
const ticks = (low, high, count) => {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((factor) => factor * unit >= raw * 0.999) * unit;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i += 1) found.push(Number((i * step).toPrecision(12)));
  return found;
};

/** The same by factors. */
const factors = (low, high) => {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const each = Math.max(1, Math.ceil((to - from) / 6));
  const within = (x) => x >= low * 0.999 && x <= high * 1.001;
  const found = [];
  for (let power = from; power <= to; power += each) {
    for (const factor of to - from <= 2 ? [1, 2, 5] : [1]) if (within(factor * 10 ** power)) found.push(factor * 10 ** power);
  }
  return found.length >= 2 ? found : ticks(low, high, 4).filter((x) => x > 0);
};

/** Times in seconds fall on minutes and hours. */
const timeTicks = (low, high, count) => {
  const units = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400];
  const raw = (high - low) / count;
  const step = units.find((unit) => unit >= raw);
  if (!step || raw < 1) return ticks(low, high, count);
  const found = [];
  for (let x = Math.ceil(low / step) * step; x <= high; x += step) found.push(x);
  return found;
};

export const clock = (s) => {
  if (s >= 172800) return `${short(s / 86400)} d`;
  if (s >= 5400) return `${short(Math.round(s / 36) / 100)} h`;
  if (s >= 90) return `${short(Math.round(s / 0.6) / 100)} min`;
  return `${short(Math.round(s * 100) / 100)} s`;
};

/** The running mean of values with the weight `by` on what was before; what is no number is passed over. */
export const smoothed = (values, by) => {
  if (by <= 0) return values;
  let [sum, weight] = [0, 0];
  return values.map((y) => {
    if (y === null) return null;
    sum = by * sum + (1 - by) * y;
    weight = by * weight + (1 - by);
    return sum / weight;
  });
};

/** The place of the number nearest to `x` among ascending ones; -1 where there is none. */
export const nearest = (xs, x) => {
  let [low, high] = [0, xs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (xs[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low > 0 && x - xs[low - 1] < xs[low] - x ? low - 1 : low < xs.length ? low : -1;
};

export class Plot {
  /** `on` has `hover(x)`, `zoom(from, to)`, `whole()` and `say(text)`. */
  constructor(title, format, on) {
    Object.assign(this, { title, format, on, curves: [], axis: "step", log: false, own: false, window: null, cursor: null, drag: null });
    this.canvas = el("canvas", { class: "canvas", tabindex: "0", role: "img" });
    this.told = el("div", { class: "told", hidden: true });
    this.now = el("span", { class: "now number" });
    this.logButton = el("button", { type: "button", class: "plain small", "aria-pressed": "false", title: "Log scale in this chart", on: { click: () => { this.own = !this.own; this.draw(); } } }, "log");
    this.largeButton = el("button", { type: "button", class: "plain small", "aria-pressed": "false", "aria-label": `${title}: large`, title: "Large", on: { click: () => this.large() } }, "⤢");
    this.node = el("section", { class: "plot", "aria-label": title },
      el("header", {}, el("h2", {}, title), this.now, el("span", { class: "space" }), this.logButton, this.largeButton), this.canvas, this.told);
    this.listen();
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.canvas);
  }

  large() {
    const is = this.node.classList.toggle("large");
    this.largeButton.setAttribute("aria-pressed", String(is));
  }

  listen() {
    const { canvas } = this;
    const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      canvas.setPointerCapture(event.pointerId);
      this.drag = { from: at(event), to: at(event) };
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.drag) this.drag.to = at(event);
      this.pointer = event.offsetY;
      this.on.hover(this.x(at(event)), this);
    });
    const end = (event) => {
      const { drag } = this;
      this.drag = null;
      if (drag && event.type === "pointerup" && Math.abs(drag.to - drag.from) > 5) {
        const [from, to] = [this.x(drag.from), this.x(drag.to)].sort((a, b) => a - b);
        this.on.zoom(from, to);
      } else this.draw();
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => { if (!this.drag) this.on.hover(null, this); });
    canvas.addEventListener("dblclick", () => this.on.whole());
    canvas.addEventListener("blur", () => this.on.hover(null, this));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const { range } = this;
    if (!range) return;
    const [low, high] = range.x;
    const width = high - low;
    const middle = this.cursor ?? (low + high) / 2;
    const near = (factor) => this.on.zoom(middle - (middle - low) * factor, middle + (high - middle) * factor);
    const move = (by) => {
      const x = Math.max(low, Math.min(high, middle + by * width));
      this.pointer = null;
      this.on.hover(x, this);
      this.on.say(`${this.title}: ${this.rows(x).map((row) => `${row.name} ${row.value} at ${row.place}`).join(", ")}`);
    };
    const acts = {
      ArrowLeft: () => move(-0.01), ArrowRight: () => move(0.01), "+": () => near(0.5), "=": () => near(0.5), "-": () => near(2), Home: () => this.on.whole(), Escape: () => this.on.hover(null, this),
    };
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  }

  /** Shows curves `{name, color, dashed, xs, mean, min, max, smooth, lost, label}` over an axis, within a window or all of it. */
  show(curves, { axis, log, window }) {
    Object.assign(this, { curves, axis, log, window });
    this.draw();
  }

  point(x, shown) {
    this.cursor = x;
    this.isPointed = shown;
    this.draw();
  }

  x(pixel) {
    const { x: [low, high] } = this.range ?? { x: [0, 1] };
    const width = Math.max(1, this.canvas.clientWidth - LEFT - RIGHT);
    return low + ((pixel - LEFT) / width) * (high - low);
  }

  ranges() {
    let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    const isLog = this.log || this.own;
    const take = (y) => {
      if (y === null || (isLog && y <= 0)) return;
      low = Math.min(low, y);
      high = Math.max(high, y);
    };
    for (const curve of this.curves) {
      if (!curve.xs.length) continue;
      left = Math.min(left, curve.xs[0]);
      right = Math.max(right, curve.xs[curve.xs.length - 1]);
      curve.xs.forEach((x, i) => {
        if (this.window && (x < this.window[0] || x > this.window[1])) return;
        take(curve.smooth[i]);
        // Where little is smoothed away, what is behind is seen, too.
        if (!curve.isStrong) take(curve.mean[i]);
      });
    }
    if (this.window) [left, right] = this.window;
    if (!(right >= left)) return null;
    if (right === left) [left, right] = [left - 0.5, right + 0.5];
    if (!(high >= low)) [low, high] = isLog ? [0.1, 10] : [0, 1];
    if (isLog) {
      const by = high === low ? 2 : (high / low) ** 0.04;
      return { x: [left, right], y: [low / by, high * by], isLog };
    }
    const by = high === low ? Math.abs(high) * 0.1 || 0.5 : (high - low) * 0.05;
    return { x: [left, right], y: [low >= 0 && low - by < 0 ? 0 : low - by, high + by], isLog };
  }

  draw() {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.paint(); });
  }

  paint() {
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    // What a colour is in light and in dark is known where it is used.
    const ink = (name) => {
      canvas.style.color = `var(${name})`;
      return style.color;
    };
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = `11px ${style.getPropertyValue("--sans").trim()}`;
    const range = this.ranges();
    this.range = range;
    this.logButton.setAttribute("aria-pressed", String(this.own || this.log));
    this.summarize();
    if (!range) {
      this.told.hidden = true;
      return;
    }
    const { x: [left, right], y: [low, high], isLog } = range;
    const scale = (y) => (isLog ? Math.log(y) : y);
    const [bottom, top] = [scale(low), scale(high)];
    const px = (x) => LEFT + ((x - left) / (right - left)) * (width - LEFT - RIGHT);
    const py = (y) => TOP + (1 - (scale(y) - bottom) / (top - bottom)) * (height - TOP - BOTTOM);

    pen.strokeStyle = ink("--line");
    pen.fillStyle = ink("--ink-3");
    pen.lineWidth = 1;
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    for (const y of isLog ? factors(low, high) : ticks(low, high, Math.max(2, Math.floor(height / 45)))) {
      const row = Math.round(py(y)) + 0.5;
      pen.beginPath();
      pen.moveTo(LEFT, row);
      pen.lineTo(width - RIGHT, row);
      pen.stroke();
      pen.fillText(this.format(y), LEFT - 7, row);
    }
    pen.textBaseline = "top";
    const count = Math.max(2, Math.floor(width / 95));
    const places = this.axis === "time" ? timeTicks(left, right, count) : ticks(left, right, count);
    places.forEach((x) => {
      const column = px(x);
      const label = this.axis === "time" ? clock(x) : short(x);
      const half = pen.measureText(label).width / 2;
      pen.textAlign = "left";
      pen.fillText(label, Math.max(LEFT - 4, Math.min(width - 2 * half, column - half)), height - BOTTOM + 7);
    });

    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, width - LEFT - RIGHT + 1, height - BOTTOM + 1);
    pen.clip();
    pen.lineJoin = "round";
    const line = (xs, ys) => {
      pen.beginPath();
      let open = false;
      ys.forEach((y, i) => {
        if (y === null || (isLog && y <= 0)) { open = false; return; }
        if (open) pen.lineTo(px(xs[i]), py(y));
        else pen.moveTo(px(xs[i]), py(y));
        open = true;
      });
      pen.stroke();
    };
    // Points of curves within the borders, each of which is drawn whole: on a border, too.
    const dots = [];
    const dot = (x, y, radius, color) => { if (x >= left && x <= right && !(isLog && y <= 0)) dots.push([px(x), py(y), radius, color]); };
    for (const curve of this.curves) {
      const { xs, mean, min, max, smooth, dashed, isStrong } = curve;
      const color = ink(curve.color);
      pen.strokeStyle = color;
      pen.fillStyle = color;
      pen.setLineDash([]);
      if (min && !dashed) {
        pen.globalAlpha = 0.16;
        pen.beginPath();
        const seen = (y, other) => (y === null || (isLog && y <= 0) ? other : y);
        max.forEach((y, i) => { if (y !== null) pen.lineTo(px(xs[i]), py(seen(y, low))); });
        for (let i = min.length - 1; i >= 0; i -= 1) if (min[i] !== null) pen.lineTo(px(xs[i]), py(seen(min[i], low)));
        pen.fill();
      }
      if (isStrong) {
        pen.globalAlpha = 0.28;
        pen.lineWidth = 1;
        line(xs, mean);
      }
      pen.globalAlpha = 1;
      pen.lineWidth = dashed ? 1.75 : 1.5;
      pen.setLineDash(dashed ? [5, 4] : []);
      line(xs, smooth);
      pen.setLineDash([]);
      if (dashed || xs.length === 1) {
        if (xs.length <= 60) {
          xs.forEach((x, i) => { if (smooth[i] !== null) dot(x, smooth[i], 2.5, color); });
        }
      }
      // What was no number is marked at the foot.
      for (const x of curve.lost ?? []) pen.fillRect(px(x) - 1, height - BOTTOM - 7, 3, 7);
    }
    if (this.drag) {
      pen.fillStyle = ink("--accent");
      pen.globalAlpha = 0.14;
      pen.fillRect(Math.min(this.drag.from, this.drag.to), TOP, Math.abs(this.drag.to - this.drag.from), height - TOP - BOTTOM);
      pen.globalAlpha = 1;
    }
    if (this.cursor !== null && this.cursor >= left && this.cursor <= right) {
      pen.strokeStyle = ink("--line-strong");
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(Math.round(px(this.cursor)) + 0.5, TOP);
      pen.lineTo(Math.round(px(this.cursor)) + 0.5, height - BOTTOM);
      pen.stroke();
      for (const row of this.rows(this.cursor)) if (row.y !== null) dot(row.x, row.y, 3, ink(row.color));
    }
    pen.restore();
    for (const [x, y, radius, color] of dots) {
      pen.fillStyle = color;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 7);
      pen.fill();
    }
    this.tell(px, width);
  }

  /** What the curves are at a place. */
  rows(x) {
    const { x: [left, right] } = this.range;
    const rows = [];
    for (const { xs, smooth, name, color, steps } of this.curves) {
      const at = nearest(xs, x);
      if (at < 0 || xs[at] < left || xs[at] > right) continue;
      // A curve that ended long before has no value here.
      if (Math.abs(xs[at] - x) > Math.max((right - left) * 0.04, 2 * ((xs[xs.length - 1] - xs[0]) / Math.max(1, xs.length - 1)))) continue;
      const y = smooth[at];
      rows.push({ name, color, x: xs[at], y, value: y === null ? "no number" : this.format(y, true), place: `step ${steps[at]}` });
    }
    return rows;
  }

  tell(px, width) {
    const { told, cursor } = this;
    const rows = cursor === null || !this.isPointed ? [] : this.rows(cursor);
    told.hidden = rows.length === 0;
    if (!rows.length) return;
    const head = this.axis === "time" ? `after ${clock(cursor)}` : rows[0].place;
    const swatch = (color) => {
      const node = el("span", { class: "swatch" });
      node.style.background = `var(${color})`;
      return node;
    };
    told.replaceChildren(el("table", {}, el("caption", { class: "number" }, head), ...rows.map((row) => el("tr", {},
      el("td", {}, swatch(row.color)), el("td", {}, row.name), el("td", { class: "number" }, row.value)))));
    const place = px(cursor) + this.canvas.offsetLeft;
    const left = place + 14 + told.offsetWidth > width + this.canvas.offsetLeft ? place - 14 - told.offsetWidth : place + 14;
    told.style.left = `${Math.max(2, left)}px`;
    told.style.top = `${this.canvas.offsetTop + 10}px`;
  }

  /** The last values, in words, for the title and for who does not see the chart. */
  summarize() {
    const last = (curve) => {
      for (let i = curve.smooth.length - 1; i >= 0; i -= 1) if (curve.smooth[i] !== null) return curve.smooth[i];
      return null;
    };
    const words = this.curves.map((curve) => `${curve.name} ${last(curve) === null ? "no number" : this.format(last(curve), true)}`);
    this.canvas.setAttribute("aria-label", `${this.title} over ${this.axis === "time" ? "time" : "steps"}, last: ${words.join(", ") || "nothing yet"}`);
    const single = this.curves.filter((curve) => !curve.dashed);
    const said = [];
    if (single.length === 1 && last(single[0]) !== null) said.push(this.format(last(single[0]), true));
    if (single.length < this.curves.length) said.push("dashed: held out");
    this.now.textContent = said.join(" · ");
  }
}
