use serde::{Deserialize, Serialize};

/// What an op does besides computing its results.
///
/// The default is nothing, [`Effects::NONE`]: the op may be dropped, run again and moved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Effects {
    /// It reads a reference.
    pub reads: bool,
    /// It writes a reference.
    pub writes: bool,
    /// Somebody sees that it runs: it is not dropped where nothing uses its results.
    pub observed: bool,
    /// It runs as often as the program says: it is never computed a second time instead of being kept.
    pub once: bool,
    /// It keeps its place among the ordered instructions of the program and of what the program calls.
    pub ordered: bool,
}

impl Effects {
    /// None: the op may be dropped, run again and moved.
    pub const NONE: Effects =
        Effects { reads: false, writes: false, observed: false, once: false, ordered: false };

    /// Something outside of the program happens, exactly as often as the program says: printing, input and output.
    pub const OBSERVED: Effects = Effects { observed: true, once: true, ..Effects::NONE };

    /// As [`Effects::OBSERVED`], in the order of the program.
    pub const ORDERED: Effects = Effects { ordered: true, ..Effects::OBSERVED };

    /// The effects of either.
    pub fn union(self, other: Effects) -> Effects {
        Effects {
            reads: self.reads | other.reads,
            writes: self.writes | other.writes,
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
        !self.writes && !self.observed && !self.ordered
    }

    /// Whether the op may run again, later, instead of its results being kept.
    pub fn may_duplicate(self) -> bool {
        !self.reads && !self.writes && !self.once && !self.ordered
    }

    /// Whether an instruction with these effects has to keep its place before or after one with `other`.
    pub fn conflicts(self, other: Effects) -> bool {
        let over = |a: Effects, b: Effects| a.writes && (b.reads || b.writes);
        over(self, other) || over(other, self) || self.ordered && other.ordered
    }
}
