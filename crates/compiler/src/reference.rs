//! The device of the reference evaluator, as the passes see it.

use jarrah_base::Type;
use jarrah_hlo::Op;
use jarrah_hlo::ops::{AttentionKind, Kernel};

use crate::canonicalize::is_strided;
use crate::expand::has_plain_definition;
use crate::target::{DeviceMemory, Fusion, Target, is_step};

/// The device that tools and tests compile for where they have none: it runs every op as the reference evaluator does, and
/// loops are all that the loop IR has. Random bits, selections by a program, and convolutions, reductions, sorts,
/// scatters and gathers of complex numbers it leaves to their definitions.
///
/// ```
/// use jarrah_compiler::{Reference, Target};
///
/// let target = Reference { memory: Some(1 << 20), ..Reference::default() };
/// assert_eq!(target.memories()[0].bytes, Some(1 << 20));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// Whether `Attention` forward and transpose are steps; otherwise their definitions replace them.
    pub attention: bool,
    /// Whether products are contracted with the loops before and behind them.
    pub contracts: bool,
    /// The bytes there are for arguments, results and temporaries together.
    pub memory: Option<usize>,
}

impl Target for Reference {
    fn name(&self) -> &str {
        "reference"
    }

    fn optimizes(&self) -> bool {
        true
    }

    fn runs(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
        match op {
            Op::Attention(attention) => {
                self.attention && !matches!(attention.kind, AttentionKind::Tangent(_))
            }
            op if has_plain_definition(op, operands) => self.loops(op, operands, results),
            Op::DotGeneral(dot) => is_strided(dot, [operands[0], operands[1]]) == [true; 2],
            Op::WindowArg(arg) => arg.select.comparison().is_some(),
            op => is_step(op),
        }
    }

    fn widens(&self) -> bool {
        false
    }

    fn loops(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool {
        jarrah_tile::has_op(op, operands, results)
    }

    fn takes(&self, kernel: &Kernel, operands: &[Type]) -> bool {
        jarrah_tile::lower(kernel, operands).is_some()
    }

    fn contracts(&self, _: &Kernel, _: &[Type]) -> bool {
        self.contracts
    }

    fn work(&self, op: &Op) -> u32 {
        jarrah_tile::work(op)
    }

    fn fusion(&self) -> Fusion {
        Fusion {
            most_loads: 20,
            most_nodes: 120,
            cheap: 40,
            trivial: 4,
            longest: 24,
            large: 1 << 16,
            few_rows: 16,
            multiplied_rows: 12,
        }
    }

    fn alignment(&self) -> usize {
        64
    }

    fn memories(&self) -> Vec<DeviceMemory> {
        vec![DeviceMemory { name: "memory", bytes: self.memory }]
    }
}
