use jarrah_base::{Error, Result};

use crate::dataset::MapDataset;
use crate::tokens::Tokens;

/// Token ids cut into windows of `seq_len + 1`.
///
/// Window `i` is `tokens[i*seq_len ..= (i+1)*seq_len]`: inputs are its first `seq_len` ids, targets its last, so
/// neighbours share one id, and every id but the first is a target once. Documents follow each other and may be cut
/// anywhere. Fewer than `seq_len` ids remain unused at the end.
pub struct Packed {
    tokens: Tokens,
    seq_len: usize,
}

impl Packed {
    /// Windows for sequences of `seq_len`; `what` names the text in errors: `training`, `held-out`.
    ///
    /// # Errors
    /// The text is shorter than one sequence, or `seq_len` is zero (`Input`).
    pub fn new(tokens: Tokens, seq_len: usize, what: &str) -> Result<Self> {
        if seq_len == 0 {
            return Err(Error::input("a sequence must have at least one token"));
        }
        if tokens.len() <= seq_len {
            return Err(Error::input(format!(
                "the {what} text has {} tokens, but one sequence needs {} (length {seq_len} and the last target)",
                tokens.len(),
                seq_len + 1
            ))
            .help("give more text, or a shorter sequence length"));
        }
        Ok(Packed { tokens, seq_len })
    }

    /// The length of the sequences.
    pub fn seq_len(&self) -> usize {
        self.seq_len
    }

    /// The number of token ids, including the unused ones at the end.
    pub fn tokens(&self) -> usize {
        self.tokens.len()
    }
}

impl MapDataset for Packed {
    type Item = Vec<i32>;

    fn len(&self) -> u64 {
        ((self.tokens.len() - 1) / self.seq_len) as u64
    }

    fn get(&self, index: u64) -> Result<Vec<i32>> {
        let window = (index % self.len()) as usize;
        Ok(self.tokens.window(window * self.seq_len, self.seq_len + 1))
    }
}
