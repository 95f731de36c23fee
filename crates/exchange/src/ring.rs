//! A ring of frames from one writer to one reader, in memory that both see.
//!
//! Each side writes to memory of its own only: the writer the frames and `head`, the words written so far, and the reader, in its
//! own memory, `tail`, the words read so far. Each keeps its own count apart from the shared one and checks the other's before use.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::frame::{BLOCK, Checksum, HEADER, Head};
use crate::memory::Memory;

/// The words of a ring for small messages and control.
const MAIL: usize = 1 << 15;
/// The words of a ring for large messages.
const LANE: usize = 1 << 17;
/// Words at the start of a memory: the heads and tails, each on a cache line of its own.
const COUNTS: usize = 512;
/// The words of the memory that one process writes for one peer.
pub(crate) const WORDS: usize = COUNTS + MAIL + LANE;

/// One of the two rings from a process to a peer.
#[derive(Clone, Copy)]
pub(crate) enum Lane {
    /// Small messages and control.
    Mail,
    /// Granted messages.
    Bulk,
}

impl Lane {
    fn capacity(self) -> usize {
        match self {
            Lane::Mail => MAIL,
            Lane::Bulk => LANE,
        }
    }

    fn data(self) -> usize {
        match self {
            Lane::Mail => COUNTS,
            Lane::Bulk => COUNTS + MAIL,
        }
    }

    fn head(self) -> usize {
        16 * self as usize
    }

    fn tail(self) -> usize {
        64 + 16 * self as usize
    }
}

/// A peer wrote bytes that no correct process writes.
#[derive(Debug)]
pub(crate) struct Garbage(pub &'static str);

/// The end of a ring that writes.
pub(crate) struct Writer {
    mine: Arc<Memory>,
    peers: Arc<Memory>,
    lane: Lane,
    head: u64,
    tail: u64,
    number: u64,
}

/// The end of a ring that reads.
pub(crate) struct Reader {
    mine: Arc<Memory>,
    peers: Arc<Memory>,
    lane: Lane,
    head: u64,
    tail: u64,
    number: u64,
    /// The header of the frame at `tail`, once it was read, and the checksum of its payload.
    next: Option<(Head, u64)>,
}

/// The words of a frame with a payload of this many bytes.
fn frame_words(length: usize) -> usize {
    HEADER + length.div_ceil(8).next_multiple_of(BLOCK)
}

impl Writer {
    pub(crate) fn new(mine: &Arc<Memory>, peers: &Arc<Memory>, lane: Lane) -> Self {
        Writer { mine: mine.clone(), peers: peers.clone(), lane, head: 0, tail: 0, number: 0 }
    }

    /// Writes a frame, if there is room: then its number.
    pub(crate) fn push(&mut self, head: &Head, payload: &[u8]) -> Result<Option<u64>, Garbage> {
        let capacity = self.lane.capacity() as u64;
        let words = frame_words(payload.len()) as u64;
        if self.head + words - self.tail > capacity {
            let tail = self.peers.words()[self.lane.tail()].load(Acquire);
            if tail < self.tail || tail > self.head || !tail.is_multiple_of(BLOCK as u64) {
                return Err(Garbage("a count of read words that cannot be"));
            }
            self.tail = tail;
            if self.head + words - self.tail > capacity {
                return Ok(None);
            }
        }
        let number = self.number;
        let data = &self.mine.words()[self.lane.data()..][..self.lane.capacity()];
        let mut checksum = Checksum::default();
        let at = (self.head as usize + HEADER) % data.len();
        let (first, second) = payload.split_at(payload.len().min((data.len() - at) * 8));
        store(&data[at..], first, &mut checksum);
        store(data, second, &mut checksum);
        let header = head.encode(number, checksum.finish());
        // A header of two blocks may lie around the end of the ring.
        for (i, word) in header.into_iter().enumerate() {
            data[(self.head as usize + i) % data.len()].store(word, Relaxed);
        }
        self.head += words;
        self.number += 1;
        self.mine.words()[self.lane.head()].store(self.head, Release);
        Ok(Some(number))
    }

    /// The frames that were written.
    pub(crate) fn sent(&self) -> u64 {
        self.number
    }
}

impl Reader {
    pub(crate) fn new(mine: &Arc<Memory>, peers: &Arc<Memory>, lane: Lane) -> Self {
        Reader { mine: mine.clone(), peers: peers.clone(), lane, head: 0, tail: 0, number: 0, next: None }
    }

    /// The header of the next frame, if one has come.
    pub(crate) fn peek(&mut self) -> Result<Option<Head>, Garbage> {
        if let Some((head, _)) = self.next {
            return Ok(Some(head));
        }
        if self.head == self.tail {
            let head = self.peers.words()[self.lane.head()].load(Acquire);
            let capacity = self.lane.capacity() as u64;
            if head < self.head || head - self.tail > capacity || !head.is_multiple_of(BLOCK as u64) {
                return Err(Garbage("a count of written words that cannot be"));
            }
            self.head = head;
            if self.head == self.tail {
                return Ok(None);
            }
        }
        let data = &self.peers.words()[self.lane.data()..][..self.lane.capacity()];
        let words =
            std::array::from_fn(|i| data[(self.tail as usize + i) % self.lane.capacity()].load(Relaxed));
        let read = Head::decode(&words).ok_or(Garbage("bytes that are no frame"))?;
        if read.number != self.number {
            return Err(Garbage("a frame out of order"));
        }
        if frame_words(read.head.length as usize) as u64 > self.head - self.tail {
            return Err(Garbage("a frame longer than its bytes"));
        }
        self.next = Some((read.head, read.checksum));
        Ok(Some(read.head))
    }

    /// Copies the payload of the frame that [`Reader::peek`] saw, whose length `into` has, and frees its room.
    pub(crate) fn pop(&mut self, into: &mut [u8]) -> Result<(), Garbage> {
        let (head, expected) = self.next.take().expect("invariant: `peek` saw a frame");
        assert_eq!(head.length as usize, into.len(), "invariant: the caller has room for the payload");
        let data = &self.peers.words()[self.lane.data()..][..self.lane.capacity()];
        let mut checksum = Checksum::default();
        let at = (self.tail as usize + HEADER) % data.len();
        let split = into.len().min((data.len() - at) * 8);
        let (first, second) = into.split_at_mut(split);
        load(&data[at..], first, &mut checksum);
        load(data, second, &mut checksum);
        if checksum.finish() != expected {
            return Err(Garbage("a payload that differs from its checksum"));
        }
        self.tail += frame_words(into.len()) as u64;
        self.number += 1;
        self.mine.words()[self.lane.tail()].store(self.tail, Release);
        Ok(())
    }

    /// The frames that were read.
    pub(crate) fn read(&self) -> u64 {
        self.number
    }

    /// Whether the writer may wait for the room that was freed: there is room for half of the ring.
    pub(crate) fn is_half_empty(&self) -> bool {
        self.head - self.tail <= self.lane.capacity() as u64 / 2
    }
}

const BYTES: usize = 8 * BLOCK;

/// The words of a block of bytes.
#[inline(always)]
fn values(block: &[u8; BYTES]) -> [u64; BLOCK] {
    let (words, _) = block.as_chunks::<8>();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

/// Copies bytes to words, the last block filled with zeros.
fn store(words: &[AtomicU64], bytes: &[u8], checksum: &mut Checksum) {
    let ((blocks, rest), (words, _)) = (bytes.as_chunks::<BYTES>(), words.as_chunks::<BLOCK>());
    let mut sum = checksum.clone();
    for (to, block) in words.iter().zip(blocks) {
        let values = values(block);
        sum.block(values);
        for i in 0..BLOCK {
            to[i].store(values[i], Relaxed);
        }
    }
    if !rest.is_empty() {
        let mut last = [0; BYTES];
        last[..rest.len()].copy_from_slice(rest);
        let values = values(&last);
        sum.block(values);
        words[blocks.len()].iter().zip(values).for_each(|(to, value)| to.store(value, Relaxed));
    }
    *checksum = sum;
}

/// Copies words to bytes.
fn load(words: &[AtomicU64], bytes: &mut [u8], checksum: &mut Checksum) {
    let ((blocks, rest), (words, _)) = (bytes.as_chunks_mut::<BYTES>(), words.as_chunks::<BLOCK>());
    let (mut sum, count) = (checksum.clone(), blocks.len());
    for (from, block) in words.iter().zip(blocks) {
        let values: [u64; BLOCK] = std::array::from_fn(|i| from[i].load(Relaxed));
        sum.block(values);
        let (to, _) = block.as_chunks_mut::<8>();
        for i in 0..BLOCK {
            to[i] = values[i].to_le_bytes();
        }
    }
    if !rest.is_empty() {
        let values: [u64; BLOCK] = std::array::from_fn(|i| words[count][i].load(Relaxed));
        sum.block(values);
        let mut last = [0; BYTES];
        last.as_chunks_mut::<8>().0.iter_mut().zip(values).for_each(|(to, value)| *to = value.to_le_bytes());
        rest.copy_from_slice(&last[..rest.len()]);
    }
    *checksum = sum;
}
