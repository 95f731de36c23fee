//! A fixed number of pages, shared by all groups of layers, with a prefix cache.

use crate::prefix::{NONE, ROOT, SALTED, Tree};

/// Nodes of the prefix tree per page: a block whose page is gone stays known while a later block is cached or
/// running.
const NODES_PER_PAGE: usize = 4;

/// The blocks of a sequence that the prefix cache knows, as the last of them.
///
/// A chain counts as a use of its last block and is given back by [`Pages::close`].
#[derive(Debug)]
pub struct Chain {
    node: u32,
    blocks: usize,
    generation: u64,
    /// A chain that could not be continued: what follows it is not cached.
    broken: bool,
}

impl Chain {
    /// How many blocks of the sequence's tokens are in the chain.
    pub fn blocks(&self) -> usize {
        self.blocks
    }
}

/// The pages of a device's memory for keys and values: who holds them, and what is cached in them.
///
/// A page is held by as many sequences as [`references`](Pages::references) says. When the last one releases it, it
/// is free; if it has a block of a known prefix, it also stays cached, and is taken for something else only after all
/// free pages without such a block, the least recently released one first. Sequences release their last page first,
/// so the tail of a prefix is taken before its head.
///
/// ```
/// use jarrah_engine::Pages;
/// let mut pages = Pages::new(4, 2, &[None]);
/// let prompt = [7, 8, 9, 10, 11];
/// let mut chain = pages.chain(&[]);
/// for block in prompt.chunks_exact(2) {
///     let page = pages.take().unwrap();
///     pages.extend(&mut chain, block, |_group| page);
///     pages.release(page);
/// }
/// // Nobody holds a page, yet two blocks of the prompt are found; after another salt, none.
/// assert_eq!((pages.free(), pages.find(&[], &prompt)), (4, 2));
/// assert_eq!(pages.find(&[1], &prompt), 0);
/// pages.close(chain);
/// pages.forget();
/// assert_eq!(pages.find(&[], &prompt), 0);
/// ```
pub struct Pages {
    page: usize,
    windows: Vec<Option<usize>>,
    references: Vec<u32>,
    /// The block that a page has, if it is cached.
    nodes: Vec<u32>,
    /// Free pages without a block.
    empty: Vec<u32>,
    /// Free pages with a block: a list in the order of their release, `(older, newer)` for each page.
    links: Vec<(u32, u32)>,
    oldest: u32,
    newest: u32,
    cached: usize,
    tree: Tree,
    generation: u64,
    evictions: u64,
    /// The nodes of the last [`find`](Pages::find).
    path: Vec<u32>,
    /// For each group, the first block from which on all blocks seen have a page.
    present: Vec<usize>,
}

impl Pages {
    /// `pages` free pages of `page` tokens, for groups of layers that see the last `windows` tokens, or all.
    pub fn new(pages: usize, page: usize, windows: &[Option<usize>]) -> Pages {
        Pages {
            page,
            windows: windows.to_vec(),
            references: vec![0; pages],
            nodes: vec![NONE; pages],
            empty: (0..pages as u32).rev().collect(),
            links: vec![(NONE, NONE); pages],
            oldest: NONE,
            newest: NONE,
            cached: 0,
            tree: Tree::new(page, windows.len(), NODES_PER_PAGE * pages),
            generation: 0,
            evictions: 0,
            path: Vec::new(),
            present: vec![0; windows.len()],
        }
    }

    /// How many pages nobody holds, cached ones included.
    pub fn free(&self) -> usize {
        self.empty.len() + self.cached
    }

    /// How many pages nobody holds that still have a block of a prefix.
    pub fn cached(&self) -> usize {
        self.cached
    }

    /// How many pages there are.
    pub fn count(&self) -> usize {
        self.references.len()
    }

    /// How many sequences hold `page`.
    pub fn references(&self, page: u32) -> u32 {
        self.references[page as usize]
    }

    /// How many blocks lost their page to something else.
    pub fn evictions(&self) -> u64 {
        self.evictions
    }

    /// The first block of which `group` reads something to compute `position`.
    ///
    /// A window of `w` tokens reads the positions from `position + 1 - w` to `position`.
    pub fn first(&self, group: usize, position: usize) -> usize {
        self.windows[group].map_or(0, |window| (position + 1).saturating_sub(window) / self.page)
    }

    /// Takes a free page, for one holder; none if all are held.
    pub fn take(&mut self) -> Option<u32> {
        if self.empty.is_empty() && !self.evict() {
            return None;
        }
        let page = self.empty.pop()?;
        self.references[page as usize] = 1;
        Some(page)
    }

    /// Adds a holder to `page`.
    pub fn share(&mut self, page: u32) {
        if self.references[page as usize] == 0 {
            self.unlink(page);
        }
        self.references[page as usize] += 1;
    }

    /// Takes a holder from `page`.
    pub fn release(&mut self, page: u32) {
        self.references[page as usize] -= 1;
        if self.references[page as usize] > 0 {
            return;
        }
        if self.nodes[page as usize] == NONE {
            self.empty.push(page);
            return;
        }
        self.links[page as usize] = (self.newest, NONE);
        match self.newest {
            NONE => self.oldest = page,
            newest => self.links[newest as usize].1 = page,
        }
        self.newest = page;
        self.cached += 1;
    }

    fn unlink(&mut self, page: u32) {
        let (older, newer) = self.links[page as usize];
        match older {
            NONE => self.oldest = newer,
            older => self.links[older as usize].1 = newer,
        }
        match newer {
            NONE => self.newest = older,
            newer => self.links[newer as usize].0 = older,
        }
        self.cached -= 1;
    }

    /// Makes the least recently released cached page an empty one.
    fn evict(&mut self) -> bool {
        let page = self.oldest;
        if page == NONE {
            return false;
        }
        self.unlink(page);
        self.uncache(page);
        self.empty.push(page);
        true
    }

    /// Forgets which block a held `page` has: its holder is about to write something else.
    pub(crate) fn uncache(&mut self, page: u32) {
        let node = std::mem::replace(&mut self.nodes[page as usize], NONE);
        if node != NONE {
            self.tree.detach(node, page);
            self.evictions += 1;
        }
    }

    /// The chain of a sequence of which no block is known yet. `salt` is [`salted`] by the caller.
    pub fn chain(&mut self, salt: &[u32]) -> Chain {
        let node = if salt.is_empty() { ROOT } else { SALTED };
        let mut chain = Chain { node, blocks: 0, generation: self.generation, broken: false };
        for block in salt.chunks(self.page) {
            self.push(&mut chain, block);
        }
        chain.blocks = 0;
        chain
    }

    /// Continues a chain by a block; false if the tree has no room for it.
    fn push(&mut self, chain: &mut Chain, block: &[u32]) -> bool {
        if chain.broken || chain.generation != self.generation {
            return false;
        }
        let node = loop {
            if let Some(node) = self.tree.child(chain.node, block) {
                break node;
            }
            if self.tree.has_room() {
                break self.tree.insert(chain.node, block);
            }
            if !self.evict() {
                chain.broken = true;
                return false;
            }
        };
        self.advance(chain, node, chain.blocks + 1);
        true
    }

    fn advance(&mut self, chain: &mut Chain, node: u32, blocks: usize) {
        self.tree.count(node);
        self.tree.uncount(chain.node);
        (chain.node, chain.blocks) = (node, blocks);
    }

    /// Continues a chain by a block whose keys and values are in the page that `page` says for each group, or in none
    /// ([`NONE`]). A block that is cached already keeps its page. False if the chain cannot be continued: prefixes
    /// were forgotten since it began, or the tree has no room.
    pub fn extend(&mut self, chain: &mut Chain, block: &[u32], page: impl Fn(usize) -> u32) -> bool {
        if !self.push(chain, block) {
            return false;
        }
        for group in 0..self.windows.len() {
            let page = page(group);
            if page != NONE && self.nodes[page as usize] == NONE && self.tree.page(chain.node, group) == NONE
            {
                self.tree.attach(chain.node, group, page);
                self.nodes[page as usize] = chain.node;
            }
        }
        true
    }

    /// A chain of the first `blocks` blocks of another.
    pub(crate) fn branch(&mut self, chain: &Chain, blocks: usize) -> Chain {
        let mut node = chain.node;
        if chain.generation == self.generation {
            for _ in blocks..chain.blocks {
                node = self.tree.parent(node);
            }
            self.tree.count(node);
        }
        Chain { node, blocks, ..*chain }
    }

    /// Gives a chain back.
    pub fn close(&mut self, chain: Chain) {
        if chain.generation == self.generation {
            self.tree.uncount(chain.node);
        }
    }

    /// How many blocks of `tokens` need not be computed: the longest prefix in whole blocks of which every group has
    /// the pages that the token after it reads.
    pub fn find(&mut self, salt: &[u32], tokens: &[u32]) -> usize {
        self.path.clear();
        self.present.fill(0);
        let mut node = if salt.is_empty() { ROOT } else { SALTED };
        for block in salt.chunks(self.page) {
            match self.tree.child(node, block) {
                Some(child) => node = child,
                None => return 0,
            }
        }
        let mut found = 0;
        for block in tokens.chunks_exact(self.page) {
            let Some(child) = self.tree.child(node, block) else { break };
            node = child;
            self.path.push(node);
            let (blocks, mut whole, mut lost) = (self.path.len(), true, false);
            for group in 0..self.windows.len() {
                if self.tree.page(node, group) == NONE {
                    self.present[group] = blocks;
                }
                whole &= self.present[group] <= self.first(group, blocks * self.page);
                lost |= self.present[group] > 0 && self.windows[group].is_none();
            }
            if lost {
                break;
            }
            if whole {
                found = blocks;
            }
        }
        self.path.truncate(found);
        found
    }

    /// How many of the pages that the last [`find`](Pages::find) found nobody holds.
    pub(crate) fn found_free(&self) -> usize {
        let free = |page: u32| self.references[page as usize] == 0;
        self.found().filter(|&(_, _, page)| free(page)).count()
    }

    /// How many pages the last [`find`](Pages::find) found.
    pub(crate) fn found_count(&self) -> usize {
        self.found().count()
    }

    /// Group, block and page of all that the last [`find`](Pages::find) found.
    fn found(&self) -> impl Iterator<Item = (usize, usize, u32)> {
        let blocks = self.path.len();
        (0..self.windows.len()).flat_map(move |group| {
            let first = self.first(group, blocks * self.page);
            (first..blocks).map(move |block| (group, block, self.tree.page(self.path[block], group)))
        })
    }

    /// Makes a sequence a holder of what the last [`find`](Pages::find) found, which `put` writes into its tables:
    /// group, block, page. The chain that it returns has the blocks found, after `salt`.
    pub(crate) fn adopt(&mut self, salt: &[u32], mut put: impl FnMut(usize, usize, u32)) -> Chain {
        let blocks = self.path.len();
        for group in 0..self.windows.len() {
            for block in self.first(group, blocks * self.page)..blocks {
                let page = self.tree.page(self.path[block], group);
                self.share(page);
                put(group, block, page);
            }
        }
        match self.path.last() {
            Some(&node) => {
                self.tree.count(node);
                Chain { node, blocks, generation: self.generation, broken: false }
            }
            None => self.chain(salt),
        }
    }

    /// Forgets every prefix: the weights have changed. What is held stays held, and chains from before cache nothing
    /// more.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.nodes.fill(NONE);
        self.generation += 1;
        while self.oldest != NONE {
            let page = self.oldest;
            self.unlink(page);
            self.empty.push(page);
        }
    }
}

/// A salt as blocks of `page` words, of which the first says how many bytes there are: no salt begins another.
pub fn salted(salt: &[u8], page: usize) -> Vec<u32> {
    if salt.is_empty() {
        return Vec::new();
    }
    let mut words = vec![salt.len() as u32];
    words.extend(
        salt.chunks(4).map(|bytes| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))),
    );
    words.resize(words.len().next_multiple_of(page), 0);
    words
}
