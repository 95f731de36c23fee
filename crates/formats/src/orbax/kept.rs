//! Decoded nodes of a B+tree, kept for the lookups to come.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;

/// Nodes by where they lie. Inner nodes make no room for leaves, of which the newest is kept however large it is, so that lookups in the order of the keys decode
/// each node once.
pub(super) struct Kept<K, N> {
    leaves: Pool<K, N>,
    /// Inner nodes, and those that were used before them: a node of the latter that is used again is one of the former.
    inner: [Pool<K, N>; 2],
}

struct Pool<K, N> {
    nodes: FxHashMap<K, (Arc<N>, usize)>,
    bytes: usize,
    /// The bytes that nodes may have together; one alone may have more.
    most: usize,
}

impl<K: Hash + Eq + Clone, N> Kept<K, N> {
    /// Room for leaves and for inner nodes of so many bytes.
    pub fn new([leaves, inner]: [usize; 2]) -> Kept<K, N> {
        Kept { leaves: Pool::new(leaves), inner: [Pool::new(inner / 2), Pool::new(inner / 2)] }
    }

    /// The node at a place, if it is kept.
    pub fn get(&mut self, at: &K) -> Option<Arc<N>> {
        let kept = self.inner[0].nodes.get(at).or_else(|| self.leaves.nodes.get(at));
        if let Some((node, _)) = kept {
            return Some(node.clone());
        }
        let (node, bytes) = self.inner[1].nodes.remove(at)?;
        self.inner[1].bytes -= bytes;
        self.put(at.clone(), node.clone(), bytes, 1);
        Some(node)
    }

    /// Keeps a node of this height, leaves having 0, that takes about so many bytes.
    pub fn put(&mut self, at: K, node: Arc<N>, bytes: usize, height: u8) {
        let pool = if height == 0 { &mut self.leaves } else { &mut self.inner[0] };
        if pool.bytes.saturating_add(bytes) > pool.most {
            let before = std::mem::replace(pool, Pool::new(pool.most));
            if height > 0 {
                self.inner[1] = before;
            }
        }
        let pool = if height == 0 { &mut self.leaves } else { &mut self.inner[0] };
        pool.bytes += bytes;
        if let Some((_, before)) = pool.nodes.insert(at, (node, bytes)) {
            pool.bytes -= before;
        }
    }
}

impl<K, N> Pool<K, N> {
    fn new(most: usize) -> Pool<K, N> {
        Pool { nodes: FxHashMap::default(), bytes: 0, most }
    }
}
