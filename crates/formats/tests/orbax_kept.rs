//! Nodes of B+trees that are kept, and how often they are decoded.

use std::sync::Arc;

#[path = "../src/orbax/kept.rs"]
mod kept;

use kept::Kept;

/// A tree whose inner nodes have two children, where a leaf has ten keys: its nodes, the bytes of an inner node and of a leaf, and how often one was decoded.
struct Tree {
    kept: Kept<(u8, usize), ()>,
    bytes: [usize; 2],
    decoded: usize,
}

impl Tree {
    fn new(most: [usize; 2], bytes: [usize; 2]) -> Tree {
        Tree { kept: Kept::new(most), bytes, decoded: 0 }
    }

    /// Looks a key up from a root of this height.
    fn look_up(&mut self, key: usize, height: u8) {
        for height in (0..=height).rev() {
            let at = (height, (key / 10) >> height);
            if self.kept.get(&at).is_none() {
                self.decoded += 1;
                self.kept.put(at, Arc::new(()), self.bytes[usize::from(height == 0)], height);
            }
        }
    }
}

#[test]
fn orbax_lookups_in_order_decode_each_large_node_once() {
    // 100 leaves, each larger than all that may be kept, below 50, 25, 13, 7, 4, 2 and 1 inner nodes.
    for (most, bytes) in [([64, 1000], [1, 100]), ([64, 64], [0, 64]), ([64, 840], [60, 100])] {
        let mut tree = Tree::new(most, bytes);
        (0..1000).for_each(|key| tree.look_up(key, 7));
        assert_eq!(tree.decoded, 100 + 50 + 25 + 13 + 7 + 4 + 2 + 1, "{most:?} {bytes:?}");
    }
    // A root that is larger than all inner nodes may be together.
    let mut tree = Tree::new([64, 64], [100, 100]);
    (0..20).for_each(|key| tree.look_up(key, 1));
    assert_eq!(tree.decoded, 3);
}

#[test]
fn orbax_nodes_that_are_kept_have_no_more_bytes_than_allowed() {
    let mut kept = Kept::new([64, 256]);
    let mut held = Vec::new();
    for number in 0..1000 {
        let node = Arc::new(());
        kept.put(number, node.clone(), 10, (number % 5) as u8);
        held.push(Arc::downgrade(&node));
        drop(node);
        let bytes = |is_leaf: bool| {
            let kept = held
                .iter()
                .enumerate()
                .filter(|(number, node)| (number % 5 == 0) == is_leaf && node.strong_count() > 0);
            kept.count() * 10
        };
        assert!((10..=64).contains(&bytes(true)) && bytes(false) <= 256, "{} {}", bytes(true), bytes(false));
    }
}
