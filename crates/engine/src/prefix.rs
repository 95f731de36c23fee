//! The tree of cached prefixes: a node is a block of `page` tokens after the block of its parent.

use std::hash::{BuildHasher, RandomState};

/// No page, no node.
pub const NONE: u32 = u32::MAX;

/// A hash of a block and of all blocks before it, by which users other than [`Pages`](crate::Pages) identify its keys and
/// values.
///
/// ```text
/// key(0) = BLAKE3(root),   key(i + 1) = BLAKE3(key(i), tokens of block i)
/// ```
///
/// with blocks of the salt before those of tokens.
pub type PrefixKey = [u8; 32];

/// The key of blocks that are of no use to others.
pub(crate) const APART: PrefixKey = [0; 32];

/// The key of what precedes all blocks.
pub(crate) fn root(is_salted: bool) -> PrefixKey {
    *blake3::hash(&[u8::from(is_salted)]).as_bytes()
}

/// The key of `block` behind `before`.
pub(crate) fn key(before: &PrefixKey, block: &[u32]) -> PrefixKey {
    if *before == APART {
        return APART;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(before);
    for token in block {
        hasher.update(&token.to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

/// The parent of the first blocks of requests without a salt.
pub(crate) const ROOT: u32 = NONE - 1;

/// The parent of the first blocks of salts, apart from [`ROOT`] so that no prompt can pass for a salt.
pub(crate) const SALTED: u32 = NONE - 2;

#[derive(Clone, Default)]
struct Node {
    parent: u32,
    /// The next node of the same bucket.
    next: u32,
    /// The number of its children, its pages and the chains that end here: at zero the node is removed.
    uses: u32,
}

/// Blocks of tokens by what precedes them, each with a page in each group of layers, or none.
///
/// A node is found by its parent and its tokens, both compared in full: hashes choose a bucket, and nothing that is
/// found depends on them. So they may be seeded at random, which keeps crowded buckets from being made on purpose.
pub(crate) struct Tree {
    page: usize,
    groups: usize,
    most: usize,
    nodes: Vec<Node>,
    tokens: Vec<u32>,
    pages: Vec<u32>,
    /// The key of each node, where they are wanted.
    keys: Option<Vec<PrefixKey>>,
    heads: Vec<u32>,
    vacant: Vec<u32>,
    hasher: RandomState,
}

impl Tree {
    /// A tree of at most `most` blocks.
    pub(crate) fn new(page: usize, groups: usize, most: usize) -> Tree {
        Tree {
            page,
            groups,
            most,
            nodes: Vec::new(),
            tokens: Vec::new(),
            pages: Vec::new(),
            keys: None,
            heads: vec![NONE; most.next_power_of_two()],
            vacant: Vec::new(),
            hasher: RandomState::new(),
        }
    }

    fn bucket(&self, parent: u32, block: &[u32]) -> usize {
        self.hasher.hash_one((parent, block)) as usize & (self.heads.len() - 1)
    }

    fn block(&self, node: u32) -> &[u32] {
        &self.tokens[node as usize * self.page..][..self.page]
    }

    /// The node of `block` after `parent`.
    pub(crate) fn child(&self, parent: u32, block: &[u32]) -> Option<u32> {
        let mut node = self.heads[self.bucket(parent, block)];
        while node != NONE {
            let at = &self.nodes[node as usize];
            if at.parent == parent && self.block(node) == block {
                return Some(node);
            }
            node = at.next;
        }
        None
    }

    /// Whether there is room for another node.
    pub(crate) fn has_room(&self) -> bool {
        self.nodes.len() < self.most || !self.vacant.is_empty()
    }

    /// Keeps the keys of nodes from now on; there is none yet.
    pub(crate) fn keep_keys(&mut self) {
        self.keys = Some(Vec::new());
    }

    /// The key of a node, if keys are kept and it is of use to others.
    pub(crate) fn key(&self, node: u32) -> Option<PrefixKey> {
        let key = *self.keys.as_ref()?.get(node as usize)?;
        (key != APART).then_some(key)
    }

    /// Marks `node`: no other sequence can use the blocks that follow it.
    pub(crate) fn set_apart(&mut self, node: u32) {
        if let Some(key) = self.keys.as_mut().and_then(|keys| keys.get_mut(node as usize)) {
            *key = APART;
        }
    }

    /// Makes the node of `block` after `parent`, with no use: the caller counts one next.
    pub(crate) fn insert(&mut self, parent: u32, block: &[u32]) -> u32 {
        let bucket = self.bucket(parent, block);
        let fresh = Node { parent, next: self.heads[bucket], uses: 0 };
        let node = match self.vacant.pop() {
            Some(node) => {
                self.nodes[node as usize] = fresh;
                self.tokens[node as usize * self.page..][..self.page].copy_from_slice(block);
                node
            }
            None => {
                self.nodes.push(fresh);
                self.tokens.extend_from_slice(block);
                self.pages.resize(self.pages.len() + self.groups, NONE);
                self.nodes.len() as u32 - 1
            }
        };
        self.heads[bucket] = node;
        if let Some(keys) = &mut self.keys {
            let before = keys.get(parent as usize).copied().unwrap_or_else(|| root(parent == SALTED));
            let key = key(&before, block);
            match keys.get_mut(node as usize) {
                Some(place) => *place = key,
                None => keys.push(key),
            }
        }
        self.count(parent);
        node
    }

    /// Counts a use of `node`; roots need none.
    pub(crate) fn count(&mut self, node: u32) {
        if node < SALTED {
            self.nodes[node as usize].uses += 1;
        }
    }

    /// Takes a use of `node` back; a node without uses goes, and with it the use of its parent.
    pub(crate) fn uncount(&mut self, mut node: u32) {
        while node < SALTED {
            self.nodes[node as usize].uses -= 1;
            if self.nodes[node as usize].uses > 0 {
                return;
            }
            self.unlink(node);
            self.vacant.push(node);
            node = self.nodes[node as usize].parent;
        }
    }

    fn unlink(&mut self, node: u32) {
        let Node { parent, next, .. } = self.nodes[node as usize];
        let bucket = self.bucket(parent, self.block(node));
        if self.heads[bucket] == node {
            self.heads[bucket] = next;
            return;
        }
        let mut at = self.heads[bucket];
        while self.nodes[at as usize].next != node {
            at = self.nodes[at as usize].next;
        }
        self.nodes[at as usize].next = next;
    }

    /// The node before `node`.
    pub(crate) fn parent(&self, node: u32) -> u32 {
        self.nodes[node as usize].parent
    }

    /// The page of `node` in `group`.
    pub(crate) fn page(&self, node: u32, group: usize) -> u32 {
        self.pages[node as usize * self.groups + group]
    }

    /// Gives `node` a page in `group`, where it had none.
    pub(crate) fn attach(&mut self, node: u32, group: usize, page: u32) {
        self.pages[node as usize * self.groups + group] = page;
        self.count(node);
    }

    /// The group in which `node` has `page`.
    pub(crate) fn group(&self, node: u32, page: u32) -> Option<usize> {
        let pages = &self.pages[node as usize * self.groups..][..self.groups];
        pages.iter().position(|&place| place == page)
    }

    /// Takes `page` from `node`.
    pub(crate) fn detach(&mut self, node: u32, page: u32) {
        if let Some(group) = self.group(node, page) {
            self.pages[node as usize * self.groups + group] = NONE;
            self.uncount(node);
        }
    }

    /// Forgets every block.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.tokens.clear();
        self.pages.clear();
        if let Some(keys) = &mut self.keys {
            keys.clear();
        }
        self.vacant.clear();
        self.heads.fill(NONE);
    }
}
