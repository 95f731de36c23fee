//! Frames: the base addresses of a run, and the interface of its steps.

use jarrah_base::Result;
use jarrah_runtime::Way;
use smallvec::{SmallVec, smallvec};

use super::profile::Record;
use super::together::Independent;
use crate::gemm::Shared;
use crate::threads::ThreadPool;

/// An address within a run: `offset` bytes after the address that base number `base` is bound to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Loc {
    pub base: u32,
    pub offset: usize,
}

impl Loc {
    pub fn base(base: u32) -> Loc {
        Loc { base, offset: 0 }
    }
}

/// The base addresses of one run, and the pool that executes it.
pub struct Frame<'a> {
    pub pool: &'a ThreadPool,
    pub record: Option<Record>,
    bases: SmallVec<[*mut u8; 16]>,
}

/// A copy of a run's base addresses, for other threads.
pub type Bases = SmallVec<[Shared<u8>; 16]>;

impl<'a> Frame<'a> {
    /// A frame for a run whose steps are timed if there is a `record`.
    pub fn new(pool: &'a ThreadPool, bases: u32, record: Option<Record>) -> Frame<'a> {
        Frame { pool, record, bases: smallvec![std::ptr::null_mut(); bases as usize] }
    }

    /// The addresses as they are now.
    pub fn bases(&self) -> Bases {
        self.bases.iter().map(|&base| Shared(base)).collect()
    }

    /// A frame for another thread, with these addresses and without profiling.
    pub fn of(pool: &'a ThreadPool, bases: &Bases) -> Frame<'a> {
        Frame { pool, record: None, bases: bases.iter().map(|base| base.get()).collect() }
    }

    /// A copy of this frame, which takes its profile along until [`Frame::join`].
    pub fn fork(&mut self) -> Frame<'a> {
        Frame { pool: self.pool, record: self.record.take(), bases: self.bases.clone() }
    }

    /// Ends a frame that [`Frame::fork`] made.
    pub fn join(&mut self, inner: Frame<'a>) {
        self.record = inner.record;
    }

    pub fn bind(&mut self, base: u32, address: *mut u8) {
        self.bases[base as usize] = address;
    }

    pub fn at(&self, loc: Loc) -> *mut u8 {
        self.bases[loc.base as usize].wrapping_add(loc.offset)
    }

    /// Whether steps are timed.
    pub fn is_timed(&self) -> bool {
        self.record.is_some()
    }

    pub fn run(&mut self, steps: &[Prepared]) -> Result<()> {
        for prepared in steps {
            if self.record.is_none() || prepared.step.nests() {
                prepared.step.run(self)?;
                continue;
            }
            let start = std::time::Instant::now();
            prepared.step.run(self)?;
            let elapsed = start.elapsed();
            if let Some(record) = &mut self.record {
                record.add(prepared.number, elapsed);
            }
        }
        Ok(())
    }
}

/// One instruction, ready to run.
///
/// A step accesses the memory of its operands and results only: [`Frame::at`] of the addresses it holds is valid for
/// their sizes, results overlap nothing the step reads unless the layout shared them on purpose, and no one else
/// touches either during the step.
pub trait Step: Send + Sync {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()>;

    /// A description of how the step runs, for profiles and dumps.
    fn way(&self) -> Way;

    /// Whether the step runs other steps, which are timed one by one.
    fn nests(&self) -> bool {
        false
    }

    /// Whether the step may take longer than its cost says, because it runs other steps or runs them repeatedly.
    fn is_long(&self) -> bool {
        self.nests()
    }

    /// The step as an [`Independent`] one, if it may run beside other steps.
    fn independent(&self) -> Option<&dyn Independent> {
        None
    }
}

/// A step, with its number among all steps of an executable, by which its name and cost are found.
pub struct Prepared {
    pub step: Box<dyn Step>,
    pub number: usize,
}
