//! A fixed number of pages, shared by all groups of layers, with a prefix cache.

use crate::prefix::{NONE, PrefixKey, ROOT, SALTED, Tree, key, root};

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
    /// The chain could not be continued: blocks that follow it are not cached.
    broken: bool,
}

impl Chain {
    /// How many blocks of the sequence's tokens are in the chain.
    pub fn blocks(&self) -> usize {
        self.blocks
    }
}

/// A block of a prefix that lost its page, or has one, or could have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefixBlock {
    /// The hash of it and of all that precedes it.
    pub key: PrefixKey,
    /// The group of layers.
    pub group: usize,
    /// The page.
    pub page: u32,
}

/// A block that is in no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Its number among the blocks of its tokens.
    pub block: usize,
    /// The group of layers.
    pub group: usize,
    /// The hash of it and of all that precedes it.
    pub key: PrefixKey,
}

/// The pages of a device's memory for keys and values: which sequences hold them, and which blocks are cached in them.
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
    /// Blocks that lost their pages, where somebody wants to know.
    evicted: Option<Vec<PrefixBlock>>,
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
            evicted: None,
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

    /// The first position behind `position` of which `group` reads a later first block than of `position`.
    pub(crate) fn leaves(&self, group: usize, position: usize) -> usize {
        let next = (self.first(group, position) + 1) * self.page;
        self.windows[group].map_or(usize::MAX, |window| next + window - 1)
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
        let block = self.block(page);
        if let Some(evicted) = &mut self.evicted {
            evicted.extend(block);
        }
        self.uncache(page);
        self.empty.push(page);
        true
    }

    /// The block that a page has, if keys are kept.
    fn block(&self, page: u32) -> Option<PrefixBlock> {
        let node = self.nodes[page as usize];
        let key = self.tree.key(node)?;
        Some(PrefixBlock { key, group: self.tree.group(node, page)?, page })
    }

    /// Keeps the keys of blocks from now on, and reports blocks that lose their pages; nothing is cached yet.
    pub(crate) fn keep_keys(&mut self) {
        self.tree.keep_keys();
        self.evicted = Some(Vec::new());
    }

    /// The blocks that lost their pages since the last call. A page keeps its content until it is overwritten.
    pub(crate) fn evicted(&mut self) -> Vec<PrefixBlock> {
        self.evicted.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The cached blocks of pages that nobody holds, those that would lose them last first.
    pub(crate) fn cached_blocks(&self) -> Vec<PrefixBlock> {
        let mut blocks = Vec::new();
        let mut page = self.newest;
        while page != NONE {
            blocks.extend(self.block(page));
            page = self.links[page as usize].0;
        }
        blocks
    }

    /// Forgets which block a held `page` has: its holder is about to write something else.
    pub(crate) fn uncache(&mut self, page: u32) {
        let node = std::mem::replace(&mut self.nodes[page as usize], NONE);
        if node != NONE {
            self.tree.detach(node, page);
            self.evictions += 1;
        }
    }

    /// A chain like that of [`chain`](Self::chain) for a sequence whose blocks no other sequence can use: their loss is not
    /// reported.
    pub(crate) fn chain_apart(&mut self, salt: &[u32]) -> Chain {
        let chain = self.chain(salt);
        self.tree.set_apart(chain.node);
        chain
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

    /// The blocks that have no page and must have one before a longer prefix of `tokens` than now is found; those are looked at that `kept` says are kept
    /// elsewhere.
    pub(crate) fn missing(
        &self,
        salt: &[u32],
        tokens: &[u32],
        mut kept: impl FnMut(&PrefixKey, usize) -> bool,
    ) -> Vec<Missing> {
        let (mut node, mut before) = match salt.is_empty() {
            true => (Some(ROOT), root(false)),
            false => (Some(SALTED), root(true)),
        };
        for block in salt.chunks(self.page) {
            node = node.and_then(|node| self.tree.child(node, block));
            before = key(&before, block);
        }
        let (mut present, mut missing, mut found) = (vec![0; self.windows.len()], Vec::new(), 0);
        for (at, block) in tokens.chunks_exact(self.page).enumerate() {
            node = node.and_then(|node| self.tree.child(node, block));
            before = key(&before, block);
            let (mut whole, mut lost) = (true, false);
            for (group, present) in present.iter_mut().enumerate() {
                if node.is_none_or(|node| self.tree.page(node, group) == NONE) {
                    match kept(&before, group) {
                        true => missing.push(Missing { block: at, group, key: before }),
                        false => *present = at + 1,
                    }
                }
                whole &= *present <= self.first(group, (at + 1) * self.page);
                lost |= *present > 0 && self.windows[group].is_none();
            }
            if lost {
                break;
            }
            if whole {
                found = at + 1;
            }
        }
        let is_read = |one: &Missing| (self.first(one.group, found * self.page)..found).contains(&one.block);
        missing.retain(is_read);
        missing
    }

    /// Gives pages to blocks of `tokens`, which nobody holds then: for each of `missing` the page, or none where it has one already, or there is none. What
    /// is in them is the caller's to write.
    pub(crate) fn install(&mut self, salt: &[u32], tokens: &[u32], missing: &[Missing]) -> Vec<Option<u32>> {
        let mut pages = vec![None; missing.len()];
        let Some(last) = missing.iter().map(|one| one.block).max() else { return pages };
        let (mut node, mut there) = (if salt.is_empty() { Some(ROOT) } else { Some(SALTED) }, Vec::new());
        for block in salt.chunks(self.page) {
            node = node.and_then(|node| self.tree.child(node, block));
        }
        for block in tokens.chunks_exact(self.page) {
            node = node.and_then(|node| self.tree.child(node, block));
            let Some(node) = node else { break };
            there.extend((0..self.windows.len()).map(|group| self.tree.page(node, group)));
        }
        // The pages of the prefix that are already there are held, so that taking new pages evicts others.
        let mut held: Vec<u32> = there.into_iter().filter(|&page| page != NONE).collect();
        held.iter().for_each(|&page| self.share(page));
        let mut chain = self.chain(salt);
        for (at, block) in tokens.chunks_exact(self.page).enumerate().take(last + 1) {
            if !self.push(&mut chain, block) {
                break;
            }
            for group in 0..self.windows.len() {
                let which = missing.iter().position(|one| (one.block, one.group) == (at, group));
                let Some(which) = which.filter(|_| self.tree.page(chain.node, group) == NONE) else {
                    continue;
                };
                let Some(page) = self.take() else { continue };
                self.tree.attach(chain.node, group, page);
                self.nodes[page as usize] = chain.node;
                held.push(page);
                pages[which] = Some(page);
            }
        }
        held.into_iter().rev().for_each(|page| self.release(page));
        self.close(chain);
        pages
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
    pub(crate) fn adopt(
        &mut self,
        (salt, is_apart): (&[u32], bool),
        mut put: impl FnMut(usize, usize, u32),
    ) -> Chain {
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
            None if is_apart => self.chain_apart(salt),
            None => self.chain(salt),
        }
    }

    /// Forgets every prefix: the weights have changed. What is held stays held, and chains from before cache nothing
    /// more.
    pub fn forget(&mut self) {
        self.tree.clear();
        self.nodes.fill(NONE);
        self.generation += 1;
        // Reported evictions are of the old weights, and are dropped.
        self.evicted();
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
