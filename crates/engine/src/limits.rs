use jarrah_base::{Error, Result};

/// The resources of an engine: its memory, and how much of it may be used at a time.
///
/// ```
/// use jarrah_engine::Limits;
/// // A model whose layers either see everything or the last 1024 tokens.
/// let limits = Limits { pages: 4096, windows: vec![None, Some(1024)], ..Limits::default() };
/// assert_eq!(limits.page, 16);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    /// Pages of keys and values, for all groups of layers together.
    pub pages: usize,
    /// Tokens of a page.
    pub page: usize,
    /// For each group of layers the last tokens that it sees, the token itself included; none: all of them.
    pub windows: Vec<Option<usize>>,
    /// Most positions computed in a step; at least as many as `sequences`.
    pub tokens_per_step: usize,
    /// Most sequences that run at a time.
    pub sequences: usize,
    /// Most tokens of a sequence, prompt and answer together.
    pub max_length: usize,
    /// Most tokens by which a request is overtaken by requests that came later: K, see
    /// [`Scheduler`](crate::Scheduler).
    pub overtake: u64,
    /// Most requests that wait; a further one is refused.
    pub waiting: usize,
}

impl Default for Limits {
    /// 1,024 pages of 16 tokens, 2,048 tokens and 256 sequences a step, 16,384 tokens a sequence and a million by
    /// which a request is overtaken.
    fn default() -> Self {
        Limits {
            pages: 1024,
            page: 16,
            windows: vec![None],
            tokens_per_step: 2048,
            sequences: 256,
            max_length: 16384,
            overtake: 1 << 20,
            waiting: 4096,
        }
    }
}

impl Limits {
    pub(crate) fn check(&self) -> Result<()> {
        let positive = [
            ("pages", self.pages),
            ("page", self.page),
            ("windows", self.windows.len()),
            ("sequences", self.sequences),
            ("max_length", self.max_length),
            ("waiting", self.waiting),
        ];
        if let Some((name, _)) = positive.iter().find(|(_, value)| *value == 0) {
            return Err(refused(format!("{name} is empty or 0"), "give at least one"));
        }
        if self.windows.contains(&Some(0)) {
            return Err(refused(
                "a window has 0 tokens".to_owned(),
                "a layer sees at least the token itself: 1",
            ));
        }
        if self.tokens_per_step < self.sequences {
            let message = format!(
                "tokens_per_step is {}, less than the {} sequences of a step",
                self.tokens_per_step, self.sequences
            );
            return Err(refused(
                message,
                "every running sequence needs a token a step: raise tokens_per_step",
            ));
        }
        Ok(())
    }

    /// The pages without which a sequence cannot compute the last of `positions` positions, one by one.
    ///
    /// ```
    /// use jarrah_engine::Limits;
    /// let limits = Limits { page: 16, windows: vec![None, Some(32)], ..Limits::default() };
    /// // 63 pages of all tokens, and three of the last 32 tokens.
    /// assert_eq!(limits.need(1000), 63 + 3);
    /// ```
    pub fn need(&self, positions: usize) -> usize {
        self.windows.iter().map(|&window| self.need_of(window, positions)).sum()
    }

    pub(crate) fn need_of(&self, window: Option<usize>, positions: usize) -> usize {
        let all = positions.div_ceil(self.page);
        window.map_or(all, |window| all.min((window - 1).div_ceil(self.page) + 1))
    }
}

pub(crate) fn refused(message: String, help: &str) -> Error {
    Error::input(message).op("engine").help(help)
}

/// A prompt, and how many tokens may follow it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Names the request in plans and calls; no two have the same at a time.
    pub id: u64,
    /// The tokens to continue, at least one.
    pub prompt: Vec<u32>,
    /// Most tokens that are sampled, at least one.
    pub most_tokens: usize,
    /// Requests of a lower number go first; those of the same number in the order of their arrival.
    pub priority: i32,
    /// An encoding of all that keys and values depend on besides tokens: the adapter, the images, the owner of the cache. Only
    /// requests of equal salts share pages.
    pub salt: Vec<u8>,
    /// Whether its blocks are of no use to others: nothing is told of them when they lose their pages
    /// ([`Scheduler::keep_keys`](crate::Scheduler::keep_keys)).
    pub is_apart: bool,
}
