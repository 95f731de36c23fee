//! Descriptions of the steps of a compiled program, for people.

/// How a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// Machine code that was made for it.
    MachineCode,
    /// The interpreter of vector loops, on tiles that fit into the cache.
    Tiles,
    /// A product of matrices, a convolution or attention, with what is fused behind it.
    Product,
    /// Elements change their places, and nothing is computed.
    Copy,
    /// A routine for this op that was compiled ahead of time: scatters, windows, sorts, rare elementwise functions.
    Routine,
    /// A loop or a branch, whose programs have steps of their own.
    Control,
    /// The points of a kernel, whose body has steps of its own.
    Points,
    /// Values that devices exchange.
    Exchange,
    /// A function of the host.
    Host,
    /// The reference evaluator: right, and slow.
    Evaluator,
}

impl Way {
    /// All of them, the quickest first.
    pub const ALL: [Way; 10] = [
        Way::MachineCode,
        Way::Tiles,
        Way::Product,
        Way::Copy,
        Way::Routine,
        Way::Control,
        Way::Points,
        Way::Exchange,
        Way::Host,
        Way::Evaluator,
    ];

    /// The name: `machine code`.
    pub fn name(self) -> &'static str {
        match self {
            Way::MachineCode => "machine code",
            Way::Tiles => "tiles",
            Way::Product => "product",
            Way::Copy => "copy",
            Way::Routine => "routine",
            Way::Control => "control",
            Way::Points => "points",
            Way::Exchange => "exchange",
            Way::Host => "host",
            Way::Evaluator => "evaluator",
        }
    }
}

/// The work of a step, and the way it runs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StepLabel {
    /// The kind of step: the op, or `kernel`.
    pub kind: &'static str,
    /// The ops as their author knows them: of a kernel, those that were fused.
    pub what: String,
    /// The types of the results.
    pub types: String,
    /// The scope path.
    pub scope: String,
    /// The source line, if it is known.
    pub line: String,
    /// How it runs.
    pub way: Way,
}

/// `dot_general f32[8,8] at model.py:3, blocks.0`.
impl std::fmt::Display for StepLabel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.what, self.types)?;
        if !self.line.is_empty() {
            write!(f, " at {}", self.line)?;
        }
        if !self.scope.is_empty() {
            write!(f, ", {}", self.scope)?;
        }
        Ok(())
    }
}
