//! The CPU's answers to the compiler's questions about its target.

use std::hash::{DefaultHasher, Hash, Hasher};

use jarrah_base::{Type, memory};
use jarrah_compiler::{Contraction, DeviceMemory, Fusion, Target, has_plain_definition, is_step};
use jarrah_hlo::Op;
use jarrah_hlo::ops::Kernel;

use super::steps::attention;
use super::steps::contraction::contracts;
use super::steps::dot;
use super::steps::{ragged, window};

/// The CPU as the compiler sees it: it runs every op, those aside that are said of the parts of complex numbers,
/// reads the operands of products over strides, runs loops on the parts of products, and has one memory.
///
/// ```
/// use jarrah_compiler::Target;
///
/// assert_eq!(jarrah_cpu::Processor::default().memories()[0].bytes, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Processor {
    /// The bytes there are for arguments, results and temporaries together.
    pub memory: Option<usize>,
}

impl Processor {
    /// With the memory that this process may use.
    pub fn here() -> Self {
        Processor { memory: memory::limit() }
    }
}

impl Target for Processor {
    fn name(&self) -> &str {
        "cpu"
    }

    fn optimizes(&self) -> bool {
        true
    }

    fn runs(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
        match op {
            Op::Attention(op) => attention::runs(op, operands),
            // A loop by itself is a step, too.
            op if has_plain_definition(op, operands) => self.loops(op, operands, results),
            Op::DotGeneral(dot) => dot::runs(dot, [operands[0], operands[1]]),
            Op::RaggedDot(dot) => ragged::runs(dot, operands),
            Op::WindowArg(arg) => window::selects(arg, operands[0]),
            op => is_step(op),
        }
    }

    fn widens(&self) -> bool {
        true
    }

    fn loops(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
        jarrah_tile::has_op(op, operands, results)
    }

    fn takes(&self, kernel: &Kernel, operands: &[Type]) -> bool {
        jarrah_tile::lower(kernel, operands).is_some()
    }

    fn contracts(&self, kernel: &Kernel, _: &[Type]) -> bool {
        Contraction::of(kernel).is_some_and(|contraction| contracts(&contraction, &kernel.body))
    }

    fn work(&self, op: &Op) -> u32 {
        jarrah_tile::work(op)
    }

    fn fusion(&self) -> Fusion {
        Fusion {
            // The addresses of more arrays do not fit in registers.
            most_loads: 20,
            most_nodes: 120,
            // What a load from beyond the second cache costs.
            cheap: 40,
            trivial: 4,
            longest: 24,
            large: 1 << 16,
            few_rows: 16,
            multiplied_rows: 12,
        }
    }

    /// A cache line, and the widest vector.
    fn alignment(&self) -> usize {
        64
    }

    fn memories(&self) -> Vec<DeviceMemory> {
        vec![DeviceMemory { name: "memory", bytes: self.memory }]
    }
}

/// A name of these answers: they decide what programs become, like the compiler's own sources.
pub fn version() -> String {
    let mut hasher = DefaultHasher::new();
    include_str!("target.rs").hash(&mut hasher);
    format!("{:08x}", hasher.finish() as u32)
}
