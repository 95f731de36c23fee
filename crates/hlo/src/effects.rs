use serde::{Deserialize, Serialize};

/// The effects of an op besides computing its results.
///
/// The default is nothing, [`Effects::NONE`]: the op may be dropped, run again and moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// Somebody sees that it runs: it is not dropped where nothing uses its results.
    pub observed: bool,
    /// It runs as often as the program says: it is never computed a second time instead of being kept.
    pub once: bool,
    /// It keeps its place among the ordered instructions of the program and of what the program calls.
    pub ordered: bool,
}

impl Effects {
    /// None: the op may be dropped, run again and moved.
    pub const NONE: Effects = Effects { observed: false, once: false, ordered: false };

    /// Something outside of the program happens, exactly as often as the program says: printing, input and output.
    pub const OBSERVED: Effects = Effects { observed: true, once: true, ..Effects::NONE };

    /// As [`Effects::OBSERVED`], in the order of the program.
    pub const ORDERED: Effects = Effects { ordered: true, ..Effects::OBSERVED };

    /// The effects of either.
    pub fn union(self, other: Effects) -> Effects {
        Effects {
            observed: self.observed | other.observed,
            once: self.once | other.once,
            ordered: self.ordered | other.ordered,
        }
    }

    /// Whether `other` adds nothing to these effects.
    pub fn covers(self, other: Effects) -> bool {
        self.union(other) == self
    }

    /// Whether the op only computes its results, from its operands alone.
    pub fn is_pure(self) -> bool {
        self == Effects::NONE
    }

    /// Whether the op may be left out where nothing uses its results.
    pub fn may_drop(self) -> bool {
        !self.observed && !self.ordered
    }

    /// Whether the op may run again, later, instead of its results being kept.
    pub fn may_duplicate(self) -> bool {
        !self.once && !self.ordered
    }

    /// Whether an instruction with these effects has to keep its place before or after one with `other`.
    pub fn conflicts(self, other: Effects) -> bool {
        self.ordered && other.ordered
    }
}
