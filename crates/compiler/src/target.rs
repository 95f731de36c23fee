//! The questions that passes ask of a device.

use jarrah_base::Type;
use jarrah_hlo::ops::{Kernel, NamedAxis};
use jarrah_hlo::{Op, family};

/// A device as the passes see it: which steps it runs, what it fuses, and the memory it has.
///
/// Passes ask a target, and know no device themselves. [`verify`](crate::verify) holds a compiled program against the same
/// answers. An answer depends on its arguments alone, so that the same program compiles to the same steps.
pub trait Target: Sync {
    /// The name of the device in errors.
    fn name(&self) -> &str;

    /// Whether the passes run that a device can do without ([`Pass::optional`](crate::Pass::optional)).
    fn optimizes(&self) -> bool;

    /// Whether the device has a step that computes `op`, which is no kernel of the forms `Loop` and `Contract`, for operands and results of these
    /// types. Of loops and branches the programs inside are asked for separately. `Constant` and `Reshape` are never asked for:
    /// they are no work.
    fn runs(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool;

    /// Whether reductions by programs that round narrow floats are written for the device as reductions of `f64`: what they compute. A device that
    /// runs programs as the reference evaluator does needs it not.
    fn widens(&self) -> bool;

    /// Whether the device's kernels compute `op`, an elementwise-like op, or a reduction, or read through it, a broadcast, an
    /// iota, a reshape, a transpose, a slice, a reverse, a pad or a concatenation. [`jarrah_tile::has_op`] says what the loop IR has.
    fn loops(&self, op: &Op, operands: &[Type], results: &[Type]) -> bool;

    /// Whether the device runs `kernel` as one loop.
    fn takes(&self, kernel: &Kernel, operands: &[Type]) -> bool;

    /// Whether the device runs `kernel`, of the form `Contract`, as one step: see [`Contraction`](crate::Contraction). What it runs with
    /// each loop alone, it also runs with all of them.
    fn contracts(&self, kernel: &Kernel, operands: &[Type]) -> bool;

    /// The work of an op of a kernel per element, in additions.
    fn work(&self, op: &Op) -> u32;

    /// How much fusion pays on the device.
    fn fusion(&self) -> Fusion;

    /// Every buffer starts at a multiple of this many bytes, a power of two.
    fn alignment(&self) -> usize;

    /// The memories of the device, at least one. Arguments and results lie in the first; temporaries lie in the first that has
    /// room for them.
    fn memories(&self) -> Vec<DeviceMemory>;
}

/// A memory of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceMemory {
    /// Its name in errors.
    pub name: &'static str,
    /// The bytes that a program may use; `None` is as many as addresses reach.
    pub bytes: Option<usize>,
}

impl DeviceMemory {
    /// The bytes that a program may use.
    pub fn available(&self) -> usize {
        self.bytes.unwrap_or(isize::MAX as usize)
    }
}

/// How much fusion pays on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fusion {
    /// The most arrays that a kernel loads.
    pub most_loads: usize,
    /// The most ops of a kernel, those aside that it computes again.
    pub most_nodes: usize,
    /// The most work per element that is computed again rather than stored, in additions.
    pub cheap: u32,
    /// The most work per element that is computed again for each repetition of the element, in additions.
    pub trivial: u32,
    /// The most ops that are computed again for one value.
    pub longest: usize,
    /// A kernel over more elements than this is large.
    pub large: usize,
    /// A large kernel with reductions has at least so many rows that elementwise work joins them, since rows are the work that
    /// is parallel.
    pub few_rows: usize,
    /// The most rows of the left operand of a product that makes several rows of the right one at a time, what these share once.
    pub multiplied_rows: usize,
}

/// Whether `op` may be a step of a compiled program for a device that has a way to run every op: the passes take away what is
/// called, and what has a meaning before compilation alone.
pub fn is_step(op: &Op) -> bool {
    match op {
        Op::AxisIndex(op) => op.axis.is_of_devices(),
        Op::Collective(op) => op.over.axes.iter().all(NamedAxis::is_of_devices),
        op => !matches!(op, family!(Call) | family!(Collective) | Op::CheckpointName(_)),
    }
}
