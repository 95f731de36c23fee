use crate::limits::Request;
use crate::order::Place;
use crate::pages::{Chain, salted};

/// A request in the scheduler, waiting or running.
pub(crate) struct Sequence {
    pub(crate) id: u64,
    pub(crate) place: Place,
    /// Tokens by which later ones have overtaken it.
    pub(crate) overtaken: u64,
    /// The tokens known: the prompt and what was sampled.
    pub(crate) tokens: Vec<u32>,
    /// Tokens that plans sample which are not done.
    pub(crate) pending: usize,
    /// Most tokens, prompt and answer.
    pub(crate) most: usize,
    /// [`salted`].
    pub(crate) salt: Vec<u32>,
    /// [`Request::is_apart`].
    pub(crate) is_apart: bool,
    pub(crate) running: Option<Running>,
}

/// The state of a sequence while it runs.
pub(crate) struct Running {
    /// Its row of the page tables.
    pub(crate) row: usize,
    /// Positions whose keys and values are in the pages once all plans have run.
    pub(crate) computed: usize,
    /// Positions before this one need no page, no copy and none given back: the page that they are written to is the
    /// sequence's alone, and no window leaves one before them.
    pub(crate) settled: usize,
    /// Its blocks in the prefix cache.
    pub(crate) chain: Chain,
    /// Drafts to be verified by its next item.
    pub(crate) drafts: usize,
    /// Whether a plan with drafts is not done: how many of them count is not known.
    pub(crate) undecided: bool,
    /// The last plan that looked at it, and its item there.
    pub(crate) seen: u64,
    pub(crate) item: Option<usize>,
}

impl Running {
    pub(crate) fn new(row: usize, computed: usize, chain: Chain) -> Running {
        Running { row, computed, settled: 0, chain, drafts: 0, undecided: false, seen: 0, item: None }
    }
}

impl Sequence {
    pub(crate) fn new(request: Request, place: Place, page: usize) -> Sequence {
        Sequence {
            id: request.id,
            place,
            overtaken: 0,
            most: request.prompt.len() + request.most_tokens,
            tokens: request.prompt,
            pending: 0,
            salt: salted(&request.salt, page),
            is_apart: request.is_apart,
            running: None,
        }
    }

    /// Its tokens, those that are being sampled included.
    pub(crate) fn length(&self) -> usize {
        self.tokens.len() + self.pending
    }

    /// Whether all tokens of a block are known and computed that the prefix cache has not.
    pub(crate) fn has_block(&self, page: usize) -> bool {
        self.running.as_ref().is_some_and(|running| {
            let end = (running.chain.blocks() + 1) * page;
            running.computed >= end && self.tokens.len() >= end
        })
    }

    /// Positions to compute before its next token is sampled; none if it ends without, or cannot be planned yet.
    pub(crate) fn remaining(&self) -> usize {
        match &self.running {
            Some(running) if !running.undecided && self.length() < self.most => {
                self.length() - running.computed
            }
            _ => 0,
        }
    }
}
