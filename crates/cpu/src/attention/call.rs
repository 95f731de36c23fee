//! The parameters of an attention: extents, the visible pairs, and how scores become weights.

use std::ops::Range;

use jarrah_base::{bf16, f16};

use super::AttentionFloat;
use super::rows::BLOCK;
use super::stored::PageTable;
use crate::gemm::Factor;

/// The parameters of one attention; queries, keys and values are given beside it. [`AttentionCall::full`] sets no option.
#[derive(Clone, Copy, Debug)]
pub struct AttentionCall<'a> {
    /// Independent sequences, B.
    pub batch: usize,
    /// Queries per sequence, T.
    pub queries: usize,
    /// Keys and values per sequence, S.
    pub keys: usize,
    /// Heads of queries, H; a multiple of `kv_heads`.
    pub heads: usize,
    /// Heads of keys and values; query head h reads key head h / (H / kv_heads).
    pub kv_heads: usize,
    /// Elements of a query and of a key, D.
    pub dim: usize,
    /// Elements of a value, E.
    pub value_dim: usize,
    /// The factor on the scores.
    pub scale: f64,
    /// The cap c of the scores: each score s becomes c tanh(s / c).
    pub softcap: Option<f64>,
    /// The score of a hidden pair; minus infinity, or finite.
    pub hidden: f64,
    /// Whether pairs that lengths or segments hide have the score minus infinity, whatever `hidden` is, unless these leave the query no
    /// key.
    pub apart: bool,
    /// The number added to query positions to compare them with key positions, one for each sequence; empty if `before` and
    /// `after` are none.
    pub offset: &'a [i32],
    /// Key j is hidden from query i if j < i + offset - before.
    pub before: Option<u32>,
    /// Key j is hidden from query i if j > i + offset + after.
    pub after: Option<u32>,
    /// Key j of sequence b is hidden if j >= lengths\[b\].
    pub lengths: Option<&'a [i32]>,
    /// Pairs of a query and a key of different segments are hidden.
    pub segments: Option<Segments<'a>>,
    /// Pairs whose byte is zero are hidden.
    pub mask: Option<Pairs<*const u8>>,
    /// The bias that is added to the scores.
    pub bias: Option<Pairs<Floats>>,
    /// The score of one more, virtual key for each head, whose weight has no value, `[B|1, H]`; and strides of the first and the
    /// second axis.
    pub sinks: Option<(Floats, [usize; 2])>,
    /// The factor on the weights after the softmax.
    pub multiplier: Option<Pairs<Floats>>,
}

/// The segments that queries and keys belong to.
#[derive(Clone, Copy, Debug)]
pub struct Segments<'a> {
    /// `[B, T]`.
    pub queries: &'a [i32],
    /// `[B, S]`.
    pub keys: &'a [i32],
}

/// An operand that broadcasts to `[B, H, T, S]`: its stride is 0 along an axis that it broadcasts over.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<P> {
    /// The first element.
    pub ptr: P,
    /// From an element to the next along each axis, in elements.
    pub strides: [usize; 4],
}

impl<P> Pairs<P> {
    /// A dense operand of these extents, of which each may be 1.
    pub fn dense(ptr: P, dims: [usize; 4]) -> Pairs<P> {
        let mut strides = [0; 4];
        let mut stride = 1;
        for axis in (0..4).rev() {
            if dims[axis] > 1 {
                strides[axis] = stride;
            }
            stride *= dims[axis];
        }
        Pairs { ptr, strides }
    }

    /// The offset of an element.
    pub(super) fn at(&self, b: usize, h: usize, i: usize, j: usize) -> usize {
        let [batch, head, query, key] = self.strides;
        b * batch + h * head + i * query + j * key
    }
}

/// Floats of one of the types that kernels read.
#[derive(Clone, Copy, Debug)]
pub enum Floats {
    /// `f32`.
    F32(*const f32),
    /// `f64`.
    F64(*const f64),
    /// `bf16`.
    BF16(*const bf16),
    /// `f16`.
    F16(*const f16),
}

impl Floats {
    /// Writes `count` elements that are `stride` apart, from `at` on, to `out`.
    ///
    /// # Safety
    /// They are readable, and `out` has room for them.
    pub(super) unsafe fn load<A: AttentionFloat>(self, at: usize, stride: usize, count: usize, out: *mut A) {
        unsafe fn each<T: Factor<Acc: Into<f64>>, A: AttentionFloat>(
            from: *const T,
            stride: usize,
            count: usize,
            out: *mut A,
        ) {
            // SAFETY: the caller's contract. A stride of 1 is said apart, so that the loop copies vectors.
            unsafe {
                if stride == 1 {
                    (0..count).for_each(|i| *out.add(i) = A::from_f64((*from.add(i)).widen().into()));
                } else {
                    (0..count)
                        .for_each(|i| *out.add(i) = A::from_f64((*from.add(i * stride)).widen().into()));
                }
            }
        }
        // SAFETY: the caller's contract.
        unsafe {
            match self {
                Floats::F32(ptr) => each(ptr.add(at), stride, count, out),
                Floats::F64(ptr) => each(ptr.add(at), stride, count, out),
                Floats::BF16(ptr) => each(ptr.add(at), stride, count, out),
                Floats::F16(ptr) => each(ptr.add(at), stride, count, out),
            }
        }
    }
}

/// [`Floats`] that are written.
#[derive(Clone, Copy, Debug)]
pub struct FloatsMut(Floats);

impl FloatsMut {
    /// Floats that may be written.
    pub fn new(floats: Floats) -> FloatsMut {
        FloatsMut(floats)
    }

    /// Writes `count` numbers, rounded, to elements from `at` on.
    ///
    /// # Safety
    /// The elements are writable, and nothing else refers to them; `from` has as many numbers.
    pub(super) unsafe fn store<A: AttentionFloat>(self, at: usize, count: usize, from: *const A) {
        unsafe fn each<T, A: AttentionFloat>(
            to: *const T,
            count: usize,
            from: *const A,
            round: impl Fn(A) -> T,
        ) {
            let to = to.cast_mut();
            // SAFETY: the caller's contract.
            unsafe { (0..count).for_each(|i| to.add(i).write(round(*from.add(i) + A::default()))) }
        }
        // SAFETY: the caller's contract.
        unsafe {
            match self.0 {
                Floats::F32(ptr) => each(ptr.add(at), count, from, |x| x.into() as f32),
                Floats::F64(ptr) => each(ptr.add(at), count, from, A::into),
                Floats::BF16(ptr) => each(ptr.add(at), count, from, |x| bf16::from_f64(x.into())),
                Floats::F16(ptr) => each(ptr.add(at), count, from, |x| f16::from_f64(x.into())),
            }
        }
    }
}

// SAFETY: an address is plain data; the kernels' callers vouch for what is behind it.
unsafe impl Sync for Floats {}
// SAFETY: as above; tasks write disjoint elements.
unsafe impl Sync for FloatsMut {}
// SAFETY: as above.
unsafe impl Sync for AttentionCall<'_> {}

impl AttentionCall<'_> {
    /// Attention in which every query sees every key, with scores multiplied by 1 / √D.
    pub fn full(
        batch: usize,
        queries: usize,
        keys: usize,
        heads: usize,
        kv_heads: usize,
        dim: usize,
    ) -> AttentionCall<'static> {
        AttentionCall {
            batch,
            queries,
            keys,
            heads,
            kv_heads,
            dim,
            value_dim: dim,
            scale: 1.0 / (dim as f64).sqrt(),
            softcap: None,
            hidden: f64::NEG_INFINITY,
            apart: false,
            offset: &[],
            before: None,
            after: None,
            lengths: None,
            segments: None,
            mask: None,
            bias: None,
            sinks: None,
            multiplier: None,
        }
    }

    pub(super) fn check(&self) {
        assert!(
            self.kv_heads > 0 && self.heads.is_multiple_of(self.kv_heads),
            "{} query heads do not divide into {} key heads",
            self.heads,
            self.kv_heads
        );
        if self.before.is_some() || self.after.is_some() {
            assert_eq!(self.offset.len(), self.batch, "one offset per sequence");
        }
        if let Some(lengths) = self.lengths {
            assert_eq!(lengths.len(), self.batch, "one length per sequence");
        }
        if let Some(segments) = self.segments {
            let found = (segments.queries.len(), segments.keys.len());
            assert_eq!(
                found,
                (self.batch * self.queries, self.batch * self.keys),
                "segments of queries and keys"
            );
        }
    }

    /// Whether the attention has no query, so that no result has elements and no gradient has terms.
    pub(crate) fn has_no_query(&self) -> bool {
        [self.batch, self.queries, self.heads].contains(&0)
    }

    /// The number of sequences, from `first` on, that are computed together next, and the attention that computes them.
    ///
    /// In a paged cache, consecutive sequences of one query each may be successive positions of one text: they read the same
    /// pages. Such a run is computed as several queries of one sequence, which reads each block of keys once for all of them.
    /// Sequences between such runs are computed as they are.
    pub(super) fn part(&self, pages: Option<PageTable<'_>>, first: usize) -> (usize, Self) {
        let whole = (self.batch - first, *self);
        let plain = self.queries == 1
            && self.after.is_some()
            && self.lengths.is_none()
            && self.segments.is_none()
            && self.mask.is_none()
            && self.bias.is_none()
            && self.multiplier.is_none()
            && self.sinks.is_none_or(|(_, strides)| strides[0] == 0);
        let Some(pages) = pages.filter(|_| plain) else { return whole };
        // Only the pages that the later of the two queries sees are compared.
        let follows = |b: usize| {
            let seen = self.range(b, 0).end.div_ceil(pages.size);
            let of = |b: usize| &pages.table[b * pages.per_sequence..][..seen];
            self.offset[b].checked_sub(self.offset[b - 1]) == Some(1) && of(b) == of(b - 1)
        };
        let run = |from: usize| 1 + (from + 1..self.batch).take_while(|&b| follows(b)).count();
        let mut together = run(first);
        let (batch, queries) = if together > 1 {
            (1, together)
        } else {
            // Sequences up to the next run are computed together.
            together = (first + 1..self.batch).find(|&b| follows(b)).map_or(self.batch, |b| b - 1) - first;
            (together, 1)
        };
        let offset = &self.offset[first..][..batch];
        (together, AttentionCall { batch, queries, offset, ..*self })
    }

    pub(super) fn group(&self) -> usize {
        self.heads / self.kv_heads
    }

    /// Whether any pair may be hidden.
    pub(super) fn hides(&self) -> bool {
        let by_position = self.before.is_some() || self.after.is_some() || self.lengths.is_some();
        by_position || self.segments.is_some() || self.mask.is_some()
    }

    /// Whether hidden pairs differ between heads.
    pub(super) fn hides_by_head(&self) -> bool {
        self.mask.is_some_and(|mask| mask.strides[1] > 0)
    }

    /// The number of keys that lengths leave to sequence `b`.
    fn length(&self, b: usize) -> usize {
        self.lengths.map_or(self.keys, |lengths| lengths[b].clamp(0, i32::MAX) as usize).min(self.keys)
    }

    /// The keys that lengths and the window leave to query `i` of sequence `b`.
    pub(super) fn range(&self, b: usize, i: usize) -> Range<usize> {
        let (mut start, mut end) = (0, self.length(b) as i64);
        if let Some(&offset) = self.offset.get(b) {
            let here = i as i64 + i64::from(offset);
            end = self.after.map_or(end, |after| end.min(here + i64::from(after) + 1));
            start = self.before.map_or(start, |before| here - i64::from(before));
        }
        let end = end.max(0);
        start.clamp(0, end) as usize..end as usize
    }

    /// The keys that lengths and the window leave to some of the queries `rows`, and maybe more.
    pub(super) fn reach(&self, b: usize, rows: Range<usize>) -> Range<usize> {
        if rows.is_empty() {
            return 0..0;
        }
        self.range(b, rows.start).start..self.range(b, rows.end - 1).end
    }

    /// The keys that query `i` of head `h` sees among `count` keys from `block` on: bit j stands for key `block + j`.
    ///
    /// # Safety
    /// The mask is readable.
    pub(super) unsafe fn visible(&self, b: usize, h: usize, i: usize, block: usize, count: usize) -> u64 {
        let range = self.range(b, i);
        let within = |key: usize| key.saturating_sub(block).min(count);
        let mut bits = ones(within(range.end)) & !ones(within(range.start));
        if bits == 0 {
            return 0;
        }
        bits &= self.of_segment(b, i, block, count);
        if let Some(mask) = self.mask
            && bits != 0
        {
            // SAFETY: the caller's contract.
            bits &= unsafe { truths(mask.ptr.add(mask.at(b, h, i, block)), mask.strides[3], count) };
        }
        bits
    }

    /// The keys of the segment of query `i` among `count` keys from `block` on, as bits.
    fn of_segment(&self, b: usize, i: usize, block: usize, count: usize) -> u64 {
        let Some(segments) = self.segments else { return !0 };
        let of = segments.queries[b * self.queries + i];
        let keys = &segments.keys[b * self.keys + block..][..count];
        keys.iter().enumerate().fold(0, |bits, (j, &key)| bits | u64::from(key == of) << j)
    }

    /// The keys, among `count` keys from `block` on, that have a weight for query `i` where a hidden pair has one: all, but
    /// only those that lengths and segments leave to it, if any, where the others are apart.
    pub(super) fn counted(&self, b: usize, i: usize, block: usize, count: usize) -> u64 {
        let length = self.length(b);
        let of_text = |j: usize| {
            self.segments.is_none_or(|of| of.keys[b * self.keys + j] == of.queries[b * self.queries + i])
        };
        if !self.apart || !(0..length).any(of_text) {
            return ones(count);
        }
        ones(length.saturating_sub(block).min(count)) & self.of_segment(b, i, block, count)
    }

    /// Whether segments hide all of the `count` keys from `block` on from all queries of `rows`.
    pub(super) fn segments_are_apart(
        &self,
        b: usize,
        rows: Range<usize>,
        block: usize,
        count: usize,
    ) -> bool {
        let Some(segments) = self.segments else { return false };
        let hull =
            |of: &[i32]| of.iter().fold((i32::MAX, i32::MIN), |(low, high), &x| (low.min(x), high.max(x)));
        let (low, high) = hull(&segments.queries[b * self.queries..][rows]);
        let (first, last) = hull(&segments.keys[b * self.keys + block..][..count]);
        high < first || last < low
    }

    /// The score of the sink of head `h` of sequence `b`; minus infinity if there is none.
    ///
    /// # Safety
    /// The sinks are readable.
    pub(super) unsafe fn sink<A: AttentionFloat>(&self, b: usize, h: usize) -> A {
        let mut sink = A::NEG_INFINITY;
        if let Some((ptr, [batch, head])) = self.sinks {
            // SAFETY: the caller's contract.
            unsafe { ptr.load(b * batch + h * head, 1, 1, &mut sink) };
        }
        sink
    }
}

/// The lowest `n` bits.
pub(super) fn ones(n: usize) -> u64 {
    if n >= BLOCK { !0 } else { (1 << n) - 1 }
}

/// The bytes that are not zero among `count` bytes, each 0 or 1, `stride` apart, as bits.
///
/// # Safety
/// They are readable.
unsafe fn truths(from: *const u8, stride: usize, count: usize) -> u64 {
    // SAFETY: the caller's contract.
    unsafe {
        if stride == 0 {
            return if *from != 0 { ones(count) } else { 0 };
        }
        let mut bits = 0;
        for j in (0..count).step_by(8) {
            let n = (count - j).min(8);
            let mut bytes = [0; 8];
            std::ptr::copy_nonoverlapping(from.add(j), bytes.as_mut_ptr(), n);
            // The lowest bit of each byte becomes whether the byte is not zero; a product then gathers these bits.
            let mut x = u64::from_le_bytes(bytes);
            x |= x >> 4;
            x |= x >> 2;
            x |= x >> 1;
            bits |= ((x & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56) << j;
        }
        bits
    }
}
