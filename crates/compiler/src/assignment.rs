use jarrah_hlo::Value;
use rustc_hash::FxHashMap;

/// Where a value lies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// In the memory of this parameter.
    Parameter(usize),
    /// In the memory of this result.
    Result(usize),
    /// In the literal of the `Constant` that is the instruction with this index.
    Constant(usize),
    /// In the arena.
    Temporary {
        /// Bytes from the arena's start; a multiple of 64.
        offset: usize,
        /// Its bytes.
        bytes: usize,
    },
    /// Where this other value lies, of which it is a reshape; that value is no alias itself.
    Alias(Value),
}

/// The memory of a program, value by value.
///
/// For the program of a loop or a branch, parameters and results are what [`Nested`] says, and temporaries lie in the
/// arena of the whole program, [`Nested::offset`] further on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assignment {
    /// The place of each value, by [`Value::index`].
    pub places: Vec<Place>,
    /// For each result the parameter in whose memory it lies, where it takes one over.
    pub donations: Vec<Option<usize>>,
    /// The bytes of the arena, those of loops and branches included.
    pub arena: usize,
    /// For the index of each `While`, `Case` and `Scan`, the memory of its programs.
    pub nested: FxHashMap<usize, Nested>,
    /// The sizes of all of it.
    pub memory: Memory,
}

/// The memory of the programs of a loop or a branch.
///
/// * Parameters: of a `Case` branch and of the constants of a loop, the operand. Of a scanned array, the slice of this
///   step inside the operand (the leading axis is outermost, so it is contiguous). Of a carry, its current buffer.
/// * Results: of a `Case` branch, the result of the `Case`. Of a stacked output, the slice of this step inside the
///   result. Of a `While`'s condition, one byte of the device's own. Of a carry, see [`Carry`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Nested {
    /// Where in the arena of the program around it the temporaries of its programs start.
    pub offset: usize,
    /// The assignments, in the order of [`jarrah_hlo::Op::programs`].
    pub programs: Vec<Assignment>,
    /// How each carry of a loop is kept.
    pub carry: Vec<Carry>,
}

/// How a carry is kept from step to step.
///
/// The device first puts the initial carry into the place of the loop's result, unless it lies there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carry {
    /// The body's result replaces its parameter in place: the body's assignment names it as a donation, or returns the
    /// parameter itself. The one buffer is the loop's result.
    InPlace,
    /// There are two buffers, the loop's result and this one in the arena of the program around the loop, which swap
    /// after each step. Where the last step leaves the carry in this one, the device copies it to the result.
    Double {
        /// Bytes from the arena's start.
        offset: usize,
    },
}

/// The memory a run needs, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Of the parameters.
    pub arguments: usize,
    /// Of the results that do not take over a parameter.
    pub results: usize,
    /// Of the arena.
    pub temporaries: usize,
}

impl Memory {
    /// All of it.
    pub fn total(&self) -> usize {
        self.arguments + self.results + self.temporaries
    }
}
