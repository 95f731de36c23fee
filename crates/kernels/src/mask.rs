//! Attention in blocks of queries and blocks of keys: the extents, and which queries see which keys.

use jarrah_array::{Array, DType, lax};

use crate::shape::{extents, require};

/// The queries and the keys in a block.
const QUERIES: usize = 64;
pub(crate) const KEYS: usize = 64;

/// Which keys a query sees, besides that it sees none that is not there.
#[derive(Clone, Copy)]
pub(crate) struct Mask {
    /// Only those at its position and before it.
    pub(crate) causal: bool,
    /// Of those only so many.
    pub(crate) window: Option<usize>,
}

/// The extents of attention, and its blocks.
#[derive(Clone, Copy)]
pub(crate) struct Extents {
    pub(crate) heads: usize,
    /// How many heads of queries share one of keys and values.
    pub(crate) group: usize,
    pub(crate) queries: usize,
    pub(crate) keys: usize,
    pub(crate) width: usize,
    pub(crate) bq: usize,
    pub(crate) bk: usize,
}

impl Extents {
    #[track_caller]
    pub(crate) fn of(op: &str, q: &Array, k: &Array, v: &Array) -> Extents {
        let ([heads, queries, width], [groups, keys, depth]) = (extents(op, "q", q), extents(op, "k", k));
        require(op, k.ty() == v.ty() && width == depth && groups > 0 && heads % groups == 0, || {
            format!("q {}, k {} and v {} do not fit each other", q.ty(), k.ty(), v.ty())
        });
        let (bq, bk) = (queries.clamp(1, QUERIES), keys.clamp(1, KEYS));
        Extents { heads, group: heads / groups, queries, keys, width, bq, bk }
    }

    /// The number of blocks of queries and of keys.
    pub(crate) fn blocks(&self) -> [usize; 2] {
        [self.queries.div_ceil(self.bq), self.keys.div_ceil(self.bk)]
    }

    /// The head of keys for a head of queries.
    #[track_caller]
    pub(crate) fn shared(&self, head: Array) -> Array {
        if self.group == 1 { head } else { head.floor_divide(self.group) }
    }

    /// Where query block `i` sees key block `j`: of `[bq, bk]`.
    #[track_caller]
    pub(crate) fn seen(&self, mask: Mask, i: &Array, j: &Array) -> Array {
        let shape = [self.bq, self.bk];
        let query = lax::iota(DType::I32, &shape, 0) + i * self.bq;
        let key = lax::iota(DType::I32, &shape, 1) + j * self.bk;
        let mut seen = key.lt(self.keys);
        if mask.causal {
            seen &= key.le(&query);
        }
        if let Some(window) = mask.window {
            seen &= (&query - &key).lt(window);
        }
        seen
    }

    /// Whether some query of block `i` sees some key of block `j`.
    #[track_caller]
    pub(crate) fn meets(&self, mask: Mask, i: &Array, j: &Array) -> Array {
        let mut meets = j.ge(0);
        if mask.causal {
            meets &= (j * self.bk).lt((i + 1) * self.bq);
        }
        if let Some(window) = mask.window {
            // The last key of the block against the first query.
            meets &= (i * self.bq - ((j + 1) * self.bk - 1)).lt(window);
        }
        meets
    }
}
