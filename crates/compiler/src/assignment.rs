use jarrah_hlo::{Op, Value};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::rebuild::has_points;

/// Where a value lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum MemoryPlace {
    /// In the memory of this parameter.
    Parameter(usize),
    /// In the memory of this result.
    Result(usize),
    /// In the literal of the `Constant` that is the instruction with this index.
    Constant(usize),
    /// In the arena of a memory.
    Temporary {
        /// Which of the target's memories; in a program inside an op 0, which is [`NestedAssignment::memory`].
        memory: usize,
        /// Bytes from the arena's start; a multiple of the target's alignment.
        offset: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// Where its root lies, the value that it reshapes; a root is no alias itself.
    Alias(Value),
    /// In no memory: an operand of the product of a contraction, whose elements are made as the product reads them.
    Made,
}

/// Where each value of a program lies.
///
/// In the program of a loop or a branch, [`NestedAssignment`] says where parameters and results lie; temporaries lie in an
/// arena of the whole program, [`NestedAssignment::offset`] further on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// The place of each value, by [`Value::index`].
    pub places: Vec<MemoryPlace>,
    /// For each result, the donated parameter whose memory it takes over.
    pub donations: Vec<Option<usize>>,
    /// For each result, the parameter that it is, if that is not donated: it takes no memory.
    pub unchanged: Vec<Option<usize>>,
    /// The bytes of the arena in each memory, loops and branches included. A program inside an op has one arena at most.
    pub arenas: Vec<usize>,
    /// For the index of each `While`, `Case` and `Scan`, and each `Kernel` that is no loop, the memory of its programs.
    pub nested: FxHashMap<usize, NestedAssignment>,
    /// The bytes a run needs.
    pub memory: AssignedMemory,
}

impl Assignment {
    /// The bytes of the arena in the first memory.
    pub fn arena(&self) -> usize {
        self.arenas.first().copied().unwrap_or(0)
    }
}

/// The memory of the programs of a loop, a branch or a kernel.
///
/// * Of a kernel that runs steps, the device gives each thread that runs points places of their own for parameters and results,
///   and an arena in the place of that of the whole program. Held blocks and scratch arrays count as donated to what replaces
///   them.
/// * Parameters: of a `Case` branch, of a contraction, and the constants of a loop: the operand; see [`NestedAssignment::in_place`]. Of a scanned array: this
///   step's slice of the operand (contiguous, since the leading axis is outermost). Of a carry: its current buffer.
/// * Results: of a `Case` branch or a contraction: the result of the op. A donation of a contraction's body says which result
///   lies in the memory of which operand. Of a stacked output: this step's slice of the result. Of
///   a `While`'s condition: one byte that the device allocates. Of a carry: see [`Carry`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NestedAssignment {
    /// The memory in which the temporaries of the nested programs lie.
    pub memory: usize,
    /// Where they start in the outer program's arena there.
    pub offset: usize,
    /// The assignments, in the order of [`jarrah_hlo::Op::programs`].
    pub programs: Vec<Assignment>,
    /// How each carry of a loop is stored.
    pub carry: Vec<Carry>,
}

impl NestedAssignment {
    /// The bytes that the programs of `op` take of the arena around them: none of a kernel, since each thread that runs points
    /// has an arena of its own, which is the device's affair.
    pub fn within(&self, op: &Op) -> usize {
        match has_points(op) {
            true => 0,
            false => self.programs.iter().map(Assignment::arena).max().unwrap_or(0),
        }
    }

    /// Of the branches of a `Case`, pairs of a parameter and of the result that replaces it in place, whichever branch runs: the
    /// assignment of each names the parameter as donated to the result. The parameter lies where the result of the `Case`
    /// does; the device first puts the operand there, unless it lies there.
    pub fn in_place(&self) -> Vec<(usize, usize)> {
        let Some((first, rest)) = self.programs.split_first() else { return Vec::new() };
        let pairs = first.donations.iter().enumerate().filter_map(|(j, i)| Some(((*i)?, j)));
        pairs.filter(|&(i, j)| rest.iter().all(|branch| branch.donations.get(j) == Some(&Some(i)))).collect()
    }
}

/// How a loop stores a carry from step to step.
///
/// The device first puts the initial carry into the place of the loop's result, unless it lies there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Carry {
    /// The body's result replaces its parameter in place: the body's assignment names it as a donation, or returns the
    /// parameter itself. The one buffer is the loop's result.
    InPlace,
    /// Two buffers, the loop's result and this one in an arena of the outer program, swap after each step. If the last
    /// step leaves the carry in this one, the device copies it to the result.
    Double {
        /// Which of the outer program's memories.
        memory: usize,
        /// Bytes from the arena's start.
        offset: usize,
    },
}

/// The memory a run needs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AssignedMemory {
    /// Bytes of the parameters.
    pub arguments: usize,
    /// Bytes of the results that are no parameter and do not take over a parameter's memory.
    pub results: usize,
    /// Bytes of the arenas together.
    pub temporaries: usize,
}

impl AssignedMemory {
    /// Arguments, results and temporaries together.
    pub fn total(&self) -> usize {
        self.arguments.saturating_add(self.results).saturating_add(self.temporaries)
    }
}
