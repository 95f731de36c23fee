use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use jarrah_base::{HostView, Result};
use jarrah_store::Object;

use super::files::bytes;
use super::node::Node;
use super::wrong;
use crate::boxes::{Window, copy_window, each_run};

/// Runs that lie no farther from each other than a block by this are read together.
const GAPS: usize = 4;
/// As many bytes at least may be read at once where the wanted ones do not lie in one run, and as many runs.
const AT_ONCE: usize = 1 << 20;
const RUNS: usize = 1 << 14;

/// Bytes of a checkpoint, of which parts can be read.
#[derive(Clone)]
pub(super) enum Bytes {
    /// So many from an offset on.
    Object(Arc<dyn Object>, Range<u64>),
    Node(Arc<Node>, Range<usize>),
    Value(Arc<Vec<u8>>, Range<usize>),
}

impl Bytes {
    /// All bytes of an object.
    pub fn of(object: Arc<dyn Object>) -> Bytes {
        let all = 0..object.len();
        Bytes::Object(object, all)
    }

    pub fn len(&self) -> u64 {
        match self {
            Bytes::Object(_, range) => range.end - range.start,
            Bytes::Node(_, range) | Bytes::Value(_, range) => range.len() as u64,
        }
    }

    /// The bytes that one read had better ask for.
    pub fn block(&self) -> usize {
        match self {
            Bytes::Object(object, _) => object.block(),
            Bytes::Node(..) | Bytes::Value(..) => AT_ONCE,
        }
    }

    /// The bytes, where they are in memory.
    fn held(&self) -> Option<&[u8]> {
        match self {
            Bytes::Object(..) => None,
            Bytes::Node(node, range) => Some(&node.body()[range.clone()]),
            Bytes::Value(value, range) => Some(&value[range.clone()]),
        }
    }

    /// All of them.
    pub fn all(&self) -> Result<Cow<'_, [u8]>> {
        self.range(0..self.len())
    }

    /// Some of them.
    ///
    /// # Errors
    /// They are not all there (`Input`), or cannot be read (`Environment`).
    pub fn range(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>> {
        self.check(&range)?;
        match (self.held(), self) {
            (Some(held), _) => Ok(Cow::Borrowed(&held[range.start as usize..range.end as usize])),
            (None, Bytes::Object(object, within)) => {
                bytes(&**object, within.start + range.start, range.end - range.start).map(Cow::Owned)
            }
            (None, _) => Ok(Cow::Borrowed(&[])),
        }
    }

    /// Some of them, to be read later.
    pub fn part(&self, range: Range<u64>) -> Result<Bytes> {
        self.check(&range)?;
        let held =
            |within: &Range<usize>| within.start + range.start as usize..within.start + range.end as usize;
        Ok(match self {
            Bytes::Object(object, within) => {
                Bytes::Object(object.clone(), within.start + range.start..within.start + range.end)
            }
            Bytes::Node(node, within) => Bytes::Node(node.clone(), held(within)),
            Bytes::Value(value, within) => Bytes::Value(value.clone(), held(within)),
        })
    }

    fn check(&self, range: &Range<u64>) -> Result<()> {
        match range.start <= range.end && range.end <= self.len() {
            true => Ok(()),
            false => Err(wrong(format!("the bytes {range:?} of {} are not all there", self.len()))),
        }
    }

    /// All of them, where they are mapped into memory.
    pub fn mapped(&self) -> Option<HostView> {
        let Bytes::Object(object, range) = self else { return None };
        object.mapped(range.clone())
    }

    /// Fills `out` with those from `offset` on.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    pub fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<()> {
        let range = offset..offset.saturating_add(out.len() as u64);
        self.check(&range)?;
        match (self.held(), self) {
            (None, Bytes::Object(object, within)) => object.read_at(within.start + offset, out),
            (held, _) => {
                out.copy_from_slice(&held.unwrap_or(&[])[range.start as usize..range.end as usize]);
                Ok(())
            }
        }
    }

    /// Copies the box `window` of the row-major array that the bytes are, whose elements have `size` bytes, to where it goes in `out`. No more is read than the box and
    /// small gaps in it.
    ///
    /// # Errors
    /// As [`range`](Self::range).
    pub fn read_window(&self, shape: &[usize], window: &Window, size: usize, out: &mut [u8]) -> Result<()> {
        if let Some(held) = self.held() {
            copy_window(held, shape, window, size, out);
            return Ok(());
        }
        let mut together = Together { bytes: self, runs: Vec::new(), buffer: Vec::new() };
        each_run(shape, window, size, |from, to, run| -> Result<()> {
            together.flush_unless_near(from, run, out)?;
            together.runs.push([from, to, run]);
            Ok(())
        })?;
        together.flush(out)
    }
}

/// Runs that are read at once: where each begins in the bytes and in the result, and its length.
struct Together<'b> {
    bytes: &'b Bytes,
    runs: Vec<[usize; 3]>,
    buffer: Vec<u8>,
}

impl Together<'_> {
    /// Reads the runs unless one more that begins at `from` is read with them.
    fn flush_unless_near(&mut self, from: usize, run: usize, out: &mut [u8]) -> Result<()> {
        let (Some([first, ..]), Some([last, _, length])) = (self.runs.first(), self.runs.last()) else {
            return Ok(());
        };
        let block = self.bytes.block();
        let is_near = from >= last + length && from - (last + length) <= block / GAPS;
        match is_near && from + run - first <= AT_ONCE.max(block) && self.runs.len() < RUNS {
            true => Ok(()),
            false => self.flush(out),
        }
    }

    fn flush(&mut self, out: &mut [u8]) -> Result<()> {
        let (Some(&[first, ..]), Some(&[last, _, length])) = (self.runs.first(), self.runs.last()) else {
            return Ok(());
        };
        if let [[from, to, run]] = self.runs[..] {
            self.bytes.read_at(from as u64, &mut out[to..to + run])?;
        } else {
            self.buffer.resize(last + length - first, 0);
            self.bytes.read_at(first as u64, &mut self.buffer)?;
            for &[from, to, run] in &self.runs {
                out[to..to + run].copy_from_slice(&self.buffer[from - first..from - first + run]);
            }
        }
        self.runs.clear();
        Ok(())
    }
}
