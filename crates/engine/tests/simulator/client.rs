use super::mix;

/// A request as its client and the device see it.
pub struct Client {
    pub priority: i32,
    pub arrival: u64,
    pub most: usize,
    /// Tokens, those included that the scheduler is not told yet.
    pub tokens: Vec<u32>,
    /// Of salt and tokens up to each position.
    pub hashes: Vec<u64>,
    pub salt: u64,
    pub running: Option<Run>,
    /// Tokens of later requests that were admitted while this one waits.
    pub overtaken: u64,
    /// Drafts asked for its next item.
    pub drafts: usize,
    /// Whether its last item has drafts, and is not done.
    pub undecided: bool,
    /// Whether it ends when its last plan is done.
    pub stopped: bool,
}

pub struct Run {
    /// Positions that have their keys and values; none before the first item.
    pub computed: Option<usize>,
    /// The weights when it was admitted.
    pub version: u64,
    pub whole_blocks: bool,
}

impl Client {
    pub fn new(priority: i32, arrival: u64, most: usize, tokens: Vec<u32>, salt: u64) -> Client {
        let mut client = Client {
            priority,
            arrival,
            most,
            tokens: Vec::new(),
            hashes: Vec::new(),
            salt,
            running: None,
            overtaken: 0,
            drafts: 0,
            undecided: false,
            stopped: false,
        };
        tokens.into_iter().for_each(|token| client.push(token));
        client
    }

    pub fn push(&mut self, token: u32) {
        let before = self.hashes.last().copied().unwrap_or(mix(7, self.salt));
        self.hashes.push(mix(before, u64::from(token)));
        self.tokens.push(token);
    }

    pub fn pop(&mut self) {
        self.hashes.pop();
        self.tokens.pop();
    }

    /// Where it stands in order, if nothing is urgent.
    pub fn place(&self) -> (i32, u64) {
        (self.priority, self.arrival)
    }
}
