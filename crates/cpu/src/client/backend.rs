//! The CPU's answers to the executor's questions.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use jarrah_base::{Error, HostView, Literal, Result, Type, memory};
use jarrah_compiler::{BUILD, left_out};
use jarrah_execute::{Backend, Beside, BoxedSteps, PlacedArray, StepSite};
use jarrah_hlo::Panels;
use jarrah_hlo::ops::DotGeneral;
use jarrah_runtime::{Event, MemoryStats, Preferences};

use super::build;
use super::device::{Cpu, Frame, FramePointers, StepBuilder};
use super::memory::{Bytes, Pointer};
use super::plans::Plans;
use super::steps::dot::{has_matrices, panels};
use super::steps::{copy, integer};
use super::target::{self, Processor};
use crate::isa::Isa;

/// The alignment in bytes with which foreign memory is used without a copy: that of the widest element.
const ALIGNMENT: usize = 8;

/// See [`jarrah_runtime::Client::version`].
fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let answers = target::version();
        let without = left_out().map_or(String::new(), |pass| format!(" without {pass}"));
        let features = features().join(" ");
        format!("{} of build {BUILD}-{answers} for {features}{without}", env!("CARGO_PKG_VERSION"))
    });
    &VERSION
}

/// The processor features that this crate's code uses.
fn features() -> Vec<&'static str> {
    let of = |isa: &Isa| match isa {
        Isa::Portable => std::env::consts::ARCH,
        Isa::Avx2 => "avx2",
        Isa::Avx512 => "avx512",
    };
    Isa::available().iter().map(of).collect()
}

impl Preferences for Cpu {
    /// The panels of a product's right operand; smaller operands stay in a cache and need none.
    fn panels(&self, dot: &DotGeneral, operands: [Type; 2]) -> Option<Panels> {
        let large = operands[1].bytes().is_ok_and(|bytes| bytes >= 32 << 10);
        panels(operands[1].dtype(), dot.out).filter(|_| large)
    }

    fn panels_of_makers(&self, dot: &DotGeneral, operands: [Type; 2]) -> Option<usize> {
        // A line of bytes, and four registers of sums.
        const COLUMNS: usize = 64;
        let large = operands[1].bytes().is_ok_and(|bytes| bytes >= 128 << 10);
        let streams = crate::gemm::RowBlock::multiplied(operands[1].dtype(), [1, 0], true, None).is_some();
        (large && streams && has_matrices(operands[1].dtype(), dot.out)).then_some(COLUMNS)
    }
}

impl Backend for Cpu {
    type Memory = Bytes;
    type Target = Processor;
    type Plans = Plans;

    fn platform(&self) -> &str {
        "cpu"
    }

    fn version(&self) -> &str {
        version()
    }

    fn preferences(&self) -> &dyn Preferences {
        self
    }

    fn runs_inline(&self) -> bool {
        true
    }

    fn target(&self) -> Processor {
        Processor::here()
    }

    fn take(&self, bytes: usize) -> Option<Bytes> {
        self.memory.take(bytes).map(Bytes::Pooled)
    }

    fn zeros(&self, bytes: usize) -> Option<Bytes> {
        self.memory.zeros(bytes).map(Bytes::Pooled)
    }

    fn adopt(&self, view: HostView) -> std::result::Result<Bytes, HostView> {
        match view.bytes().as_ptr().addr().is_multiple_of(ALIGNMENT) {
            true => Ok(Bytes::Foreign(view)),
            false => Err(view),
        }
    }

    fn constant(&self, value: &Literal) -> Result<Bytes> {
        Ok(Bytes::Foreign(HostView::new(LiteralBytes(value.clone()))))
    }

    fn write(&self, memory: &mut Bytes, bytes: &[u8]) -> Result<()> {
        if let Bytes::Pooled(memory) = memory {
            memory.bytes_mut()[..bytes.len()].copy_from_slice(bytes);
        }
        Ok(())
    }

    fn duplicate(&self, memory: &mut Bytes, from: &Arc<Bytes>, bytes: usize) -> Result<()> {
        self.write(memory, &from.bytes()[..bytes])
    }

    fn fill(
        &self,
        memory: &mut Bytes,
        bytes: usize,
        by: &mut dyn FnMut(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        match memory {
            Bytes::Pooled(memory) => by(&mut memory.bytes_mut()[..bytes]),
            Bytes::Foreign(_) => Err(Error::internal("memory of somebody else cannot be filled")),
        }
    }

    fn usage(&self) -> MemoryStats {
        MemoryStats { limit: memory::limit(), ..self.memory.usage() }
    }

    fn give_back_unused(&self) {
        self.memory.clear();
    }

    fn plans(&self) -> Plans {
        Plans::new(self.pool.threads())
    }

    fn lower(builder: &mut StepBuilder, site: &StepSite<'_>, steps: &mut BoxedSteps<Cpu>) -> Result<()> {
        build::lower(builder, site, steps)
    }

    fn copy(frame: &Frame<'_>, from: Pointer, to: Pointer, bytes: usize) -> Result<()> {
        // SAFETY: the executor copies between places of a frame that have so many bytes and do not overlap.
        unsafe { copy::bytes(frame, from.get(), to.get(), bytes) };
        Ok(())
    }

    fn bytes<'f>(_: &'f Frame<'_>, at: Pointer, bytes: usize) -> Result<Cow<'f, [u8]>> {
        if bytes == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        // SAFETY: the executor reads places of a run that have so many bytes, which nobody writes while the frame's step runs.
        Ok(Cow::Borrowed(unsafe { std::slice::from_raw_parts(at.get(), bytes) }))
    }

    fn integer(frame: &Frame<'_>, array: &PlacedArray) -> Result<i128> {
        // SAFETY: a step's operands are readable.
        Ok(unsafe { integer(array.ty.dtype(), frame.at(array.loc), 0) })
    }

    fn beside(frame: &Frame<'_>, steps: &[Beside<'_, Cpu>]) -> Result<()> {
        frame.device.pool.run(steps.len(), &|task| steps[task].run(frame));
        Ok(())
    }

    fn finish(&self) -> Event {
        Event::done()
    }
}

/// A constant's bytes.
struct LiteralBytes(Literal);

impl AsRef<[u8]> for LiteralBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}
