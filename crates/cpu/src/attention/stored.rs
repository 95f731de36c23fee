//! Keys and values where they lie: dense or in pages, as floats or as bytes with scales.

use super::{AttentionFloat, Heads, gather, gather_transposed};
use crate::gemm::{Factor, Isa, prefetch};

/// The bytes that memory gives at a time.
const LINE: usize = 64;

/// The keys or the values of an attention.
#[derive(Clone, Copy, Debug)]
pub struct KvStorage<'a, T> {
    /// The numbers. In pages, a "sequence" is a page.
    pub elements: Elements<'a, T>,
    /// The page table, if the sequences are paged.
    pub pages: Option<PageTable<'a>>,
}

/// The numbers of keys or values.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a, T> {
    /// Floats.
    Floats(Heads<T>),
    /// Quantized to bytes: the value of each byte's code, times the scale of the position and the head.
    Scaled {
        /// The bytes.
        bytes: Heads<u8>,
        /// The value of each code.
        values: &'a [f32; 256],
        /// The scales.
        scales: Heads<f32>,
    },
}

/// The page table: where the positions of each sequence are.
#[derive(Clone, Copy, Debug)]
pub struct PageTable<'a> {
    /// The page of each `size` positions of each sequence, clamped to those there are.
    pub table: &'a [i32],
    /// How many entries of the table a sequence has.
    pub per_sequence: usize,
    /// The positions of a page.
    pub size: usize,
    /// The pages there are.
    pub count: usize,
}

impl<T> KvStorage<'_, T> {
    /// Dense floats.
    pub fn dense(heads: Heads<T>) -> Self {
        KvStorage { elements: Elements::Floats(heads), pages: None }
    }

    /// The keys or values of the sequences from `first` on, if they are paged.
    pub(super) fn from(mut self, first: usize) -> Self {
        if let Some(pages) = &mut self.pages {
            pages.table = &pages.table[first * pages.per_sequence..];
        }
        self
    }

    /// The page, or sequence, of position `j` of sequence `b`, and the position there.
    fn place(&self, b: usize, j: usize) -> (usize, usize) {
        match self.pages {
            None => (b, j),
            Some(pages) => {
                let page = pages.table[b * pages.per_sequence + j / pages.size];
                (page.clamp(0, pages.count as i32 - 1) as usize, j % pages.size)
            }
        }
    }
}

impl<T: Factor<Acc: AttentionFloat>> KvStorage<'_, T> {
    /// Copies `count` positions of one head, from `block` on, into rows of `width` accumulators, zero beyond `dim`. `room` has
    /// space for `count` rows of `dim`.
    ///
    /// # Safety
    /// The positions are readable, `out` holds those rows, and `isa` is present.
    pub(super) unsafe fn rows(
        &self,
        isa: Isa,
        (b, block, head): (usize, usize, usize),
        (count, dim, width): (usize, usize, usize),
        room: *mut T::Acc,
        out: *mut T::Acc,
    ) {
        // SAFETY: the caller's contract.
        unsafe {
            match self.run(b, block, head, count) {
                Some((src, seq)) => gather(isa, src, seq, (count, dim, width), out),
                None => {
                    self.widen((b, block, head), (count, dim), room);
                    gather(isa, room.cast_const(), dim as isize, (count, dim, width), out);
                }
            }
        }
    }

    /// Copies `count` positions of one head transposed into `dim` rows of a block, zero beyond `count`.
    ///
    /// # Safety
    /// As for [`KvStorage::rows`].
    pub(super) unsafe fn transposed(
        &self,
        isa: Isa,
        (b, block, head): (usize, usize, usize),
        (count, dim): (usize, usize),
        room: *mut T::Acc,
        out: *mut T::Acc,
    ) {
        // SAFETY: the caller's contract.
        unsafe {
            match self.run(b, block, head, count) {
                Some((src, seq)) => gather_transposed(isa, src, seq, (count, dim), out),
                None => {
                    self.widen((b, block, head), (count, dim), room);
                    gather_transposed(isa, room.cast_const(), dim as isize, (count, dim), out);
                }
            }
        }
    }

    /// Prefetches `count` positions of one head, which lie apart, so that copying them does not wait for each.
    pub(super) fn ask(&self, (b, block, head): (usize, usize, usize), (count, dim): (usize, usize)) {
        let ask = |first: *const u8, bytes: usize| {
            (0..bytes).step_by(LINE).for_each(|line| prefetch(first.wrapping_add(line)));
        };
        for j in block..block + count {
            let (sequence, position) = self.place(b, j);
            match self.elements {
                Elements::Floats(heads) => {
                    ask(heads.at(sequence, position, head).cast(), dim * size_of::<T>());
                }
                Elements::Scaled { bytes, scales, .. } => {
                    ask(bytes.at(sequence, position, head), dim);
                    ask(scales.at(sequence, position, head).cast(), 1);
                }
            }
        }
    }

    /// The first of `count` positions that are floats at equal distances, and the distance.
    fn run(&self, b: usize, block: usize, head: usize, count: usize) -> Option<(*const T, isize)> {
        let Elements::Floats(heads) = self.elements else { return None };
        let (sequence, position) = self.place(b, block);
        let ends = self.pages.map_or(usize::MAX, |pages| pages.size);
        (position + count <= ends).then(|| (heads.at(sequence, position, head), heads.seq))
    }

    /// Copies `count` positions, whatever they are, into rows of `dim` accumulators.
    ///
    /// # Safety
    /// As for [`KvStorage::rows`].
    unsafe fn widen(
        &self,
        (b, block, head): (usize, usize, usize),
        (count, dim): (usize, usize),
        out: *mut T::Acc,
    ) {
        for j in 0..count {
            let (sequence, position) = self.place(b, block + j);
            // SAFETY: the caller's contract.
            unsafe {
                let out = std::slice::from_raw_parts_mut(out.add(j * dim), dim);
                match self.elements {
                    Elements::Floats(heads) => {
                        let from = std::slice::from_raw_parts(heads.at(sequence, position, head), dim);
                        out.iter_mut().zip(from).for_each(|(out, x)| *out = x.widen());
                    }
                    Elements::Scaled { bytes, values, scales } => {
                        let from = std::slice::from_raw_parts(bytes.at(sequence, position, head), dim);
                        let scale = T::Acc::from_f64(f64::from(*scales.at(sequence, position, head)));
                        let value = |byte: u8| T::Acc::from_f64(f64::from(values[usize::from(byte)]));
                        out.iter_mut().zip(from).for_each(|(out, &byte)| *out = value(byte) * scale);
                    }
                }
            }
        }
    }
}
