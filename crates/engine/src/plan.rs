/// A step of the model: what it computes of which sequences, and where keys and values lie.
///
/// The runner applies `changes` to its page tables, makes `copies`, and then computes all items together. In each
/// layer, keys and values of all items are written before any item reads: a sequence may share pages that another one
/// fills in the same step. Plans run in the order in which they were made.
#[derive(Clone, Debug, Default)]
pub struct StepPlan {
    /// Counts plans, from 1.
    pub number: u64,
    /// The positions to compute, sequence by sequence; the first `decodes` items compute one position and its drafts.
    pub items: Vec<Item>,
    /// How many items are decodes.
    pub decodes: usize,
    /// Positions of all items together.
    pub tokens: usize,
    /// Pages to copy before anything is written, one after another, or all read before any is written.
    pub copies: Vec<PageCopy>,
    /// Entries of page tables that are new.
    pub changes: Vec<Change>,
    /// Requests that gave back their pages and wait again.
    pub preempted: Vec<u64>,
}

impl StepPlan {
    pub(crate) fn clear(&mut self, number: u64) {
        self.number = number;
        self.items.clear();
        (self.decodes, self.tokens) = (0, 0);
        self.copies.clear();
        self.changes.clear();
        self.preempted.clear();
    }
}

/// The positions of a sequence that a step computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The request.
    pub id: u64,
    /// The row of the page tables that the sequence has while it runs.
    pub row: usize,
    /// The first position; keys and values of those before it, as far as windows reach, are in the pages.
    pub start: usize,
    /// The position after the last one.
    pub end: usize,
    /// How many of the last positions are drafts, whose tokens the runner knows.
    pub drafts: usize,
    /// Whether logits are wanted at the position before the drafts and at the drafts.
    pub sampled: bool,
    /// Which sequence it is, also when another one has taken its id.
    pub(crate) serial: u64,
    pub(crate) index: u32,
}

/// An entry of a page table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The group of layers.
    pub group: usize,
    /// The row of a sequence.
    pub row: usize,
    /// The block of the sequence: positions `block * page` and following.
    pub block: usize,
    /// The page in which it lies.
    pub page: u32,
}

/// A page whose content goes to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageCopy {
    /// The row of the sequence that writes.
    pub row: usize,
    /// The page with the content.
    pub from: u32,
    /// A page that nobody else holds.
    pub to: u32,
}
