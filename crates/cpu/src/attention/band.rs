//! A task of the gradient: bands of queries times all blocks of keys, which are visited three times.

use std::ops::Range;

use super::backward::Backward;
use super::call::Floats;
use super::mix::{Block, reach};
use super::rows::{BLOCK, LANES, halves};
use super::slopes::{Slopes, Statistics, lanes};
use super::{AttentionCall, AttentionFloat, Operand, Pairs, TILE, gather, gather_transposed, multiply};
use crate::buffers::Scratch;
use crate::gemm::{Accumulator, Kernels, Rounded, Tiled, panels};

/// The most tiles of queries in a band: keys and values are copied once for each band.
const TILES: usize = 4;

/// The most pairs of a query and a key in a band, unless one tile has more: each thread holds scores and cotangents of all of
/// them.
const PAIRS: usize = 1 << 20;

/// The pairs that a task visits: some heads of a group, some keys and some queries.
#[derive(Clone)]
pub(super) struct Part {
    pub b: usize,
    pub heads: Range<usize>,
    pub keys: Range<usize>,
    pub queries: Range<usize>,
}

/// The cotangents that a task sums. Its part has all keys if it sums those of queries, and all queries and all heads of the group
/// if it sums those of keys and values.
#[derive(Clone, Copy)]
pub(super) enum Wanted<A> {
    /// The cotangents of queries; the softmax of each query is computed too.
    Queries,
    /// The cotangents of keys and values, from the known softmax of each query.
    Keys,
    /// All three, with the softmax of each query.
    Both,
    /// The cotangent of the bias, from the known softmax of each query, summed in rows of `cols`, one for each query or one for
    /// all.
    Bias { sums: *mut A, cols: usize },
}

/// The memory of a task: a band of queries of one head, and a block of keys.
struct Task<A: Accumulator> {
    b: usize,
    keys: Range<usize>,
    kernels: &'static Kernels<A>,
    /// q, in rows of `width`.
    qs: *mut A,
    /// The cotangent of o, in rows of `value_width`.
    ds: *mut A,
    width: usize,
    value_width: usize,
    of: Statistics<A>,
    /// Keys and values, transposed, and keys in rows of `width`.
    kt: *mut A,
    vt: *mut A,
    kb: *mut A,
    /// The scores, products and slopes of the pairs of each tile and block: see [`Slopes`].
    s: *mut A,
    dp: *mut A,
    slope: *mut A,
    /// The pairs that are visible, and the pairs that have a weight, as bits.
    visible: *mut u64,
    counted: *mut u64,
    /// The number of tiles in a band.
    tiles: usize,
    /// Room for the values of an operand at the pairs of one tile and block.
    x: *mut A,
    y: *mut A,
    /// The cotangents of the band's queries, of the keys and of the values.
    dq: *mut A,
    dk: *mut A,
    dv: *mut A,
    /// The lanes in which the cotangents of the band's scores are summed.
    cts: *mut A,
}

/// Queries of one head.
struct Band {
    h: usize,
    queries: Range<usize>,
}

/// A tile of a band and a block of `size` keys: the `rows` of the tile from the first to the last that see a key of the block, or
/// give it a weight.
struct Place {
    block: usize,
    size: usize,
    tile: usize,
    rows: Range<usize>,
}

impl<T: Rounded<Acc: AttentionFloat>> Backward<'_, T> {
    /// Sums the requested cotangents over the pairs of a part, by heads, then tiles of queries, for each block of keys.
    pub(super) unsafe fn task(&self, part: Part, wanted: Wanted<T::Acc>) {
        let AttentionCall { dim, value_dim, .. } = *self.x;
        let kernels = T::Acc::kernels(self.isa);
        let Part { b, heads, keys, queries } = part;
        let (width, value_width) =
            (dim.next_multiple_of(kernels.lanes), value_dim.next_multiple_of(kernels.lanes));
        let zero = T::Acc::default();
        let blocks = keys.len().div_ceil(BLOCK);
        let tiles =
            (PAIRS / (TILE * BLOCK * blocks.max(1))).clamp(1, TILES).min(queries.len().div_ceil(TILE));
        let (rows, slots) = (tiles * TILE, tiles * blocks);
        let of_keys = if matches!(wanted, Wanted::Keys | Wanted::Both) { keys.len() } else { 0 };
        let slopes = if self.x.softcap.is_some() { slots } else { 0 };

        let pairs = TILE * BLOCK * (2 * slots + slopes + 2);
        let numbers = rows * (2 * width + value_width + 4 + 4 * LANES) + of_keys * (width + value_width);
        let mut scratch =
            Scratch::new::<T::Acc>(pairs + numbers + BLOCK * (dim + value_dim + width) + 20 * BLOCK);
        let mut carve = scratch.carve::<T::Acc>();
        let mut bits = Scratch::new::<u64>(2 * slots * TILE + 2 * BLOCK);
        let mut carve_bits = bits.carve::<u64>();
        let t = Task {
            b,
            keys: keys.clone(),
            kernels,
            qs: carve(rows * width),
            ds: carve(rows * value_width),
            width,
            value_width,
            of: Statistics {
                hidden: carve(rows),
                shift: carve(rows),
                norm: carve(rows),
                delta: carve(rows),
                peaks: carve(rows * LANES),
                totals: carve(rows * LANES),
                products: carve(rows * LANES),
            },
            kt: carve(BLOCK * dim),
            vt: carve(BLOCK * value_dim),
            kb: carve(BLOCK * width),
            s: carve(slots * TILE * BLOCK),
            dp: carve(slots * TILE * BLOCK),
            slope: carve(slopes * TILE * BLOCK),
            visible: carve_bits(slots * TILE),
            counted: carve_bits(slots * TILE),
            tiles,
            x: carve(TILE * BLOCK),
            y: carve(TILE * BLOCK),
            dq: carve(rows * width),
            dk: carve(of_keys * width),
            dv: carve(of_keys * value_width),
            cts: carve(rows * LANES),
        };
        // SAFETY: all scratch ranges were sized above; operands are the caller's contract.
        unsafe {
            std::slice::from_raw_parts_mut(t.dk, of_keys * width).fill(zero);
            std::slice::from_raw_parts_mut(t.dv, of_keys * value_width).fill(zero);
            let kv = heads.start / self.x.group();
            for h in heads {
                for first in queries.clone().step_by(rows) {
                    let band = Band { h, queries: first..queries.end.min(first + rows) };
                    self.band(&t, &band, queries.start, wanted);
                }
            }
            let scale = T::Acc::from_f64(self.x.scale);
            for j in 0..of_keys {
                let out = self.g.dk.at(b, keys.start + j, kv);
                narrow(t.dk.add(j * width), scale, std::slice::from_raw_parts_mut(out, dim));
                let out = self.g.dv.at(b, keys.start + j, kv);
                let one = T::Acc::from_f64(1.0);
                narrow(t.dv.add(j * value_width), one, std::slice::from_raw_parts_mut(out, value_dim));
            }
        }
    }

    /// Adds the contributions of a band's pairs; the task's queries begin at `first`.
    unsafe fn band(&self, t: &Task<T::Acc>, band: &Band, first: usize, wanted: Wanted<T::Acc>) {
        let AttentionCall { dim, value_dim, .. } = *self.x;
        let (count, at) = (band.queries.len(), band.queries.start);
        let known = matches!(wanted, Wanted::Keys | Wanted::Bias { .. });
        // SAFETY: the task has room for a band; operands are the caller's contract.
        unsafe {
            let (q, d_o) = (self.q.at(t.b, at, band.h), self.g.d_o.at(t.b, at, band.h));
            gather(self.isa, q, self.q.seq, (count, dim, t.width), t.qs);
            gather(self.isa, d_o, self.g.d_o.seq, (count, value_dim, t.value_width), t.ds);
            std::slice::from_raw_parts_mut(t.dq, count * t.width).fill(T::Acc::default());
            std::slice::from_raw_parts_mut(t.cts, count * LANES).fill(T::Acc::default());
            self.begin(t, band, known);
            self.scores(t, band);
            if !known {
                if self.maxima(t, band) {
                    self.scores(t, band);
                    self.maxima(t, band);
                }
                self.exponentials(t, band);
                self.softmax(t, band);
            } else {
                self.exponentials(t, band);
            }
            self.cotangents(t, band, at - first, wanted);
            if matches!(wanted, Wanted::Queries | Wanted::Both) {
                let scale = T::Acc::from_f64(self.x.scale);
                for i in 0..count {
                    let out = self.g.dq.at(t.b, at + i, band.h);
                    narrow(t.dq.add(i * t.width), scale, std::slice::from_raw_parts_mut(out, dim));
                }
            }
        }
    }

    /// Initialises the band's statistics: for a softmax that is still to be computed, or with the `known` statistics.
    unsafe fn begin(&self, t: &Task<T::Acc>, band: &Band, known: bool) {
        let (zero, one, lowest) = (T::Acc::default(), T::Acc::from_f64(1.0), T::Acc::NEG_INFINITY);
        // SAFETY: the task has room for a band.
        unsafe {
            for i in 0..band.queries.len() {
                let of = t.of.from(i);
                (*of.hidden, *of.shift, *of.norm, *of.delta) = (lowest, zero, one, zero);
                *lanes(of.totals, 0) = [zero; LANES];
                *lanes(of.products, 0) = [zero; LANES];
                *lanes(of.peaks, 0) = [lowest; LANES];
                if known {
                    let at = self.number(t, band, i);
                    *of.shift = *self.of.shift.add(at);
                    *of.norm = *self.of.norm.add(at);
                    *of.delta = *self.of.delta.add(at);
                    *of.hidden = self.hidden(*of.shift);
                }
            }
        }
    }

    /// The index of the band's i-th query among all queries of the attention.
    fn number(&self, t: &Task<T::Acc>, band: &Band, i: usize) -> usize {
        (t.b * self.x.heads + band.h) * self.x.queries + band.queries.start + i
    }

    /// The score of hidden keys in a row with the maximum `shift`; minus infinity if their weight is zero then.
    fn hidden(&self, shift: T::Acc) -> T::Acc {
        let hidden = T::Acc::from_f64(self.x.hidden);
        let counts =
            hidden > T::Acc::NEG_INFINITY && self.x.hides() && (hidden - shift).exp() != T::Acc::default();
        if counts { hidden } else { T::Acc::NEG_INFINITY }
    }

    /// Computes the scores of all pairs that may have a weight, and the products of cotangents and values.
    unsafe fn scores(&self, t: &Task<T::Acc>, band: &Band) {
        let x = self.x;
        let (count, kv) = (band.queries.len(), band.h / x.group());
        let slots = t.keys.len().div_ceil(BLOCK) * t.tiles;
        let mut span = x.reach(t.b, band.queries.clone());
        // SAFETY: the task has room for a band; operands are the caller's contract.
        unsafe {
            std::slice::from_raw_parts_mut(t.visible, slots * TILE).fill(0);
            std::slice::from_raw_parts_mut(t.counted, slots * TILE).fill(0);
            if (0..count).any(|i| *t.of.hidden.add(i) > T::Acc::NEG_INFINITY) {
                span = 0..x.keys;
            }
            let (begin, end) = (span.start.max(t.keys.start), span.end.min(t.keys.end));
            for block in (begin / BLOCK * BLOCK..end).step_by(BLOCK) {
                let size = (t.keys.end - block).min(BLOCK);
                let mut copied = false;
                for tile in 0..count.div_ceil(TILE) {
                    let bits = self.slot(t, block, tile) * TILE;
                    for (r, i) in (tile * TILE..count.min((tile + 1) * TILE)).enumerate() {
                        if *t.of.norm.add(i) == T::Acc::default() {
                            continue;
                        }
                        let visible = x.visible(t.b, band.h, band.queries.start + i, block, size);
                        let all = *t.of.hidden.add(i) > T::Acc::NEG_INFINITY;
                        let counted = || x.counted(t.b, band.queries.start + i, block, size);
                        *t.visible.add(bits + r) = visible;
                        *t.counted.add(bits + r) = if all { counted() } else { visible };
                    }
                    let Some(place) = self.place(t, block, tile) else { continue };
                    if !copied {
                        let (k, v) = (self.k.at(t.b, block, kv), self.v.at(t.b, block, kv));
                        gather_transposed(self.isa, k, self.k.seq, (size, x.dim), t.kt);
                        gather_transposed(self.isa, v, self.v.seq, (size, x.value_dim), t.vt);
                        copied = true;
                    }
                    let mut slopes = self.slopes(t, &place);
                    let at = tile * TILE + place.rows.start;
                    let mut row = 0;
                    for n in panels(place.rows.len(), t.kernels.rows()) {
                        let reach = reach(&slopes.counted[row..row + n]);
                        let ptr = t.qs.add((at + row) * t.width).cast_const();
                        let a = Operand { ptr, row: t.width, col: 1 };
                        let c = (slopes.s.add(row * BLOCK), BLOCK);
                        multiply(t.kernels, (n, reach, x.dim), a, (t.kt.cast_const(), BLOCK), c, false);
                        let ptr = t.ds.add((at + row) * t.value_width).cast_const();
                        let a = Operand { ptr, row: t.value_width, col: 1 };
                        let c = (slopes.dp.add(row * BLOCK), BLOCK);
                        multiply(t.kernels, (n, reach, x.value_dim), a, (t.vt.cast_const(), BLOCK), c, false);
                        row += n;
                    }
                    slopes.bias = x.bias.map(|bias| self.load(t, band, &place, &bias, t.x));
                    (T::Acc::rows(self.isa).scores)(&slopes);
                }
            }
        }
    }

    /// Computes the maximum of each row. Returns whether hidden keys turn out to have weights and are not among the scores yet.
    unsafe fn maxima(&self, t: &Task<T::Acc>, band: &Band) -> bool {
        let lowest = T::Acc::NEG_INFINITY;
        let mut again = false;
        // SAFETY: the task has these rows; sinks are the caller's contract.
        unsafe {
            let sink: T::Acc = self.x.sink(t.b, band.h);
            for i in 0..band.queries.len() {
                let of = t.of.from(i);
                let peak = halves(*lanes(of.peaks, 0), |x, y| if y > x { y } else { x });
                let peak = if sink > peak { sink } else { peak };
                *of.shift = if peak == lowest { T::Acc::default() } else { peak };
                if *of.hidden > lowest {
                    continue;
                }
                *of.hidden = if peak == lowest { self.hidden(lowest) } else { self.hidden(peak) };
                again |= *of.hidden > lowest;
            }
        }
        again
    }

    /// Replaces scores by their exponentials, and sums these.
    unsafe fn exponentials(&self, t: &Task<T::Acc>, band: &Band) {
        // SAFETY: the scores are there.
        unsafe {
            self.each(t, band, |place| {
                let mut slopes = self.slopes(t, place);
                slopes.multiplier = self.x.multiplier.map(|by| self.load(t, band, place, &by, t.y));
                (T::Acc::rows(self.isa).exponentials)(&slopes);
            });
        }
    }

    /// Computes from the sums the statistics of the softmax, and stores them for later tasks.
    unsafe fn softmax(&self, t: &Task<T::Acc>, band: &Band) {
        let (zero, one) = (T::Acc::default(), T::Acc::from_f64(1.0));
        // SAFETY: the task has these rows, and no other has them; operands are the caller's contract.
        unsafe {
            let sink: T::Acc = self.x.sink(t.b, band.h);
            for i in 0..band.queries.len() {
                let of = t.of.from(i);
                let total = halves(*lanes(of.totals, 0), |x, y| x + y) + (sink - *of.shift).exp();
                *of.norm = if total == zero { zero } else { one / total };
                let mean = halves(*lanes(of.products, 0), |x, y| x + y) * *of.norm;
                let d_lse = self.g.d_lse.map(|d_lse| *d_lse.at(t.b, band.queries.start + i, band.h));
                *of.delta = mean - d_lse.unwrap_or(zero);
                if total == zero {
                    self.forget(t, i);
                }
                let at = self.number(t, band, i);
                *self.of.shift.add(at) = *of.shift;
                *self.of.norm.add(at) = *of.norm;
                *self.of.delta.add(at) = *of.delta;
            }
        }
    }

    /// Removes all keys from the visible and the counted ones of the band's i-th query.
    unsafe fn forget(&self, t: &Task<T::Acc>, i: usize) {
        for block in t.keys.clone().step_by(BLOCK) {
            let at = self.slot(t, block, i / TILE) * TILE + i % TILE;
            // SAFETY: the task has these rows.
            unsafe { (*t.visible.add(at), *t.counted.add(at)) = (0, 0) };
        }
    }

    /// Computes the cotangents of the scores, and adds them to the requested sums.
    unsafe fn cotangents(&self, t: &Task<T::Acc>, band: &Band, first: usize, wanted: Wanted<T::Acc>) {
        let AttentionCall { dim, value_dim, .. } = *self.x;
        let strides = self.g.d_bias.map_or([0; 4], |out| out.strides);
        let kv = band.h / self.x.group();
        let mut copied = None;
        // SAFETY: the exponentials are there; operands are the caller's contract.
        unsafe {
            self.each(t, band, |place| {
                let at = place.tile * TILE + place.rows.start;
                let mut slopes = self.slopes(t, place);
                slopes.multiplier = self.x.multiplier.map(|by| self.load(t, band, place, &by, t.y));
                slopes.cts = matches!(wanted, Wanted::Bias { .. }).then_some(t.x);
                (T::Acc::rows(self.isa).cotangents)(&slopes);
                if let Wanted::Bias { sums, cols } = wanted {
                    for r in 0..place.rows.len() {
                        let cts = std::slice::from_raw_parts(t.x.add(r * BLOCK), BLOCK);
                        if strides[3] > 0 {
                            let row = if strides[2] > 0 { first + at + r } else { 0 };
                            let to = sums.add(row * cols + place.block - t.keys.start);
                            let to = std::slice::from_raw_parts_mut(to, place.size);
                            to.iter_mut().zip(cts).for_each(|(sum, &ct)| *sum = *sum + ct);
                        } else {
                            let to = lanes(t.cts, at + r);
                            cts.iter().enumerate().for_each(|(j, &ct)| to[j % LANES] = to[j % LANES] + ct);
                        }
                    }
                    return;
                }
                if matches!(wanted, Wanted::Queries | Wanted::Both) {
                    let keys = match copied {
                        Some((block, keys)) if block == place.block => keys,
                        _ => {
                            let k = self.k.at(t.b, place.block, kv);
                            gather(self.isa, k, self.k.seq, (place.size, dim, t.width), t.kb);
                            Block::new(t.kb, place.size, dim, t.width)
                        }
                    };
                    copied = Some((place.block, keys));
                    keys.mix(t.kernels, slopes.dp, slopes.visible, t.dq.add(at * t.width));
                }
                if matches!(wanted, Wanted::Keys | Wanted::Both) {
                    let (last, depth) = (reach(slopes.counted), slopes.counted.len());
                    let transposed = |ptr: *mut T::Acc| Operand { ptr: ptr.cast_const(), row: 1, col: BLOCK };
                    let key = place.block - t.keys.start;
                    let c = (t.dv.add(key * t.value_width), t.value_width);
                    let d_o = (t.ds.add(at * t.value_width).cast_const(), t.value_width);
                    multiply(t.kernels, (last, value_dim, depth), transposed(slopes.s), d_o, c, true);
                    let c = (t.dk.add(key * t.width), t.width);
                    let q = (t.qs.add(at * t.width).cast_const(), t.width);
                    multiply(t.kernels, (last, dim, depth), transposed(slopes.dp), q, c, true);
                }
            });
            let Wanted::Bias { sums, .. } = wanted else { return };
            if strides[3] == 0 {
                for i in 0..band.queries.len() {
                    let sum = &mut *sums.add(if strides[2] > 0 { first + i } else { 0 });
                    *sum = *sum + halves(*lanes(t.cts, i), |x, y| x + y);
                }
            }
        }
    }

    /// Visits, block after block, the tiles of a band in which some pair has a weight.
    unsafe fn each(&self, t: &Task<T::Acc>, band: &Band, mut visit: impl FnMut(&Place)) {
        for block in t.keys.clone().step_by(BLOCK) {
            for tile in 0..band.queries.len().div_ceil(TILE) {
                // SAFETY: it is known which pairs count.
                if let Some(place) = unsafe { self.place(t, block, tile) } {
                    visit(&place);
                }
            }
        }
    }

    /// The index of the memory of a tile and a block.
    fn slot(&self, t: &Task<T::Acc>, block: usize, tile: usize) -> usize {
        (block - t.keys.start) / BLOCK * t.tiles + tile
    }

    /// The rows of a tile and a block, from the first to the last with a key that has a weight; nothing if none has.
    unsafe fn place(&self, t: &Task<T::Acc>, block: usize, tile: usize) -> Option<Place> {
        let at = self.slot(t, block, tile) * TILE;
        // SAFETY: the task has these rows.
        let counted = unsafe { std::slice::from_raw_parts(t.counted.add(at), TILE) };
        let first = counted.iter().position(|&bits| bits != 0)?;
        let last = counted.iter().rposition(|&bits| bits != 0)?;
        let size = (t.keys.end - block).min(BLOCK);
        Some(Place { block, size, tile, rows: first..last + 1 })
    }

    /// The arguments of the row kernels for a tile and a block, without operands of pairs.
    unsafe fn slopes<'a>(&self, t: &'a Task<T::Acc>, place: &Place) -> Slopes<'a, T::Acc> {
        let slot = self.slot(t, place.block, place.tile);
        let (row, count) = (slot * TILE + place.rows.start, place.rows.len());
        // SAFETY: the task has these rows.
        unsafe {
            Slopes {
                s: t.s.add(row * BLOCK),
                dp: t.dp.add(row * BLOCK),
                cap: self.x.softcap.map(|cap| (T::Acc::from_f64(cap), t.slope.add(row * BLOCK))),
                visible: std::slice::from_raw_parts(t.visible.add(row), count),
                counted: std::slice::from_raw_parts(t.counted.add(row), count),
                scale: T::Acc::from_f64(self.x.scale),
                bias: None,
                multiplier: None,
                cts: None,
                of: t.of.from(place.tile * TILE + place.rows.start),
            }
        }
    }

    /// Copies an operand's values at the pairs of a tile and a block.
    unsafe fn load(
        &self,
        t: &Task<T::Acc>,
        band: &Band,
        place: &Place,
        pairs: &Pairs<Floats>,
        to: *mut T::Acc,
    ) -> *const T::Acc {
        let first = band.queries.start + place.tile * TILE + place.rows.start;
        for r in 0..place.rows.len() {
            let from = pairs.at(t.b, band.h, first + r, place.block);
            // SAFETY: `to` has a tile; operands are the caller's contract.
            unsafe { pairs.ptr.load(from, pairs.strides[3], place.size, to.add(r * BLOCK)) };
        }
        to
    }
}

/// Writes a row of sums times `by`, rounded; a zero becomes +0.
unsafe fn narrow<T: Rounded<Acc: AttentionFloat>>(from: *const T::Acc, by: T::Acc, out: &mut [T]) {
    for (d, out) in out.iter_mut().enumerate() {
        // SAFETY: the caller gives as many sums.
        *out = T::narrow(unsafe { *from.add(d) } * by + T::Acc::default());
    }
}
