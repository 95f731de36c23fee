use jarrah_base::{Error, Result};

use crate::dataset::RandomAccess;
use crate::tokens::TokenStream;

/// Token ids cut into windows of `seq_len + 1`.
///
/// Window `i` is `tokens[i*seq_len ..= (i+1)*seq_len]`: inputs are its first `seq_len` ids, targets its last, so
/// neighbours share one id, and every id but the first is a target once. Documents follow each other and may be cut
/// anywhere. Fewer than `seq_len` ids remain unused at the end.
pub struct Packed {
    tokens: TokenStream,
    seq_len: usize,
    examples: Option<Examples>,
}

/// Examples in a stream of tokens: where they begin, and which tokens are to be learned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    /// The place of the first token of each, ascending.
    starts: Vec<usize>,
    learned: Vec<bool>,
}

impl Examples {
    /// Puts an example behind the others: for each of its tokens, whether it is to be learned.
    pub fn push(&mut self, learned: impl IntoIterator<Item = bool>) {
        self.starts.push(self.learned.len());
        self.learned.extend(learned);
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The number of tokens to be learned.
    pub fn learned(&self) -> usize {
        self.learned.iter().filter(|&&learned| learned).count()
    }
}

/// A window of a stream of tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenWindow {
    /// Its ids.
    pub ids: Vec<i32>,
    /// Marks of the ids, where the stream is made of examples.
    pub marks: Option<Marks>,
}

/// Marks of the ids of a window: whether each is learned, and of which example it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks {
    /// Whether each is to be learned.
    pub learned: Vec<bool>,
    /// The example that each is of, counted from the window's first.
    pub examples: Vec<i32>,
}

impl Packed {
    /// Windows for sequences of `seq_len`; `what` names the text in errors: `training`, `held-out`.
    ///
    /// # Errors
    /// The text is shorter than one sequence, or `seq_len` is zero (`Input`).
    pub fn new(tokens: TokenStream, seq_len: usize, what: &str) -> Result<Self> {
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
        Ok(Packed { tokens, seq_len, examples: None })
    }

    /// Windows of examples one behind the other, cut where a window ends. The last window is filled up with `eos`, an example of its own
    /// of which nothing is learned.
    ///
    /// # Errors
    /// There is no token, `seq_len` is zero, or there are not as many marks as tokens (`Input`).
    pub fn examples(tokens: TokenStream, mut examples: Examples, seq_len: usize, eos: u32) -> Result<Self> {
        let len = tokens.len();
        if len != examples.learned.len() || len == 0 {
            let marks = examples.learned.len();
            return Err(Error::input(format!("{len} tokens of examples and marks for {marks}")));
        }
        if seq_len == 0 {
            return Err(Error::input("a sequence must have at least one token"));
        }
        let whole = (len - 1).max(1).next_multiple_of(seq_len) + 1;
        if whole > len {
            examples.push(std::iter::repeat_n(false, whole - len));
        }
        Ok(Packed { tokens: tokens.filled(whole, eos), seq_len, examples: Some(examples) })
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

impl RandomAccess for Packed {
    type Item = TokenWindow;

    fn len(&self) -> u64 {
        ((self.tokens.len() - 1) / self.seq_len) as u64
    }

    fn get(&self, index: u64) -> Result<TokenWindow> {
        let start = (index % RandomAccess::len(self)) as usize * self.seq_len;
        let end = start + self.seq_len + 1;
        let marks = self.examples.as_ref().map(|all| {
            // The example that holds the window's first id.
            let first = all.starts.partition_point(|&begin| begin <= start);
            let mut next = all.starts[first..].iter().peekable();
            let mut example = 0;
            let examples = (start..end).map(|place| {
                while next.next_if(|&&begin| begin <= place).is_some() {
                    example += 1;
                }
                example
            });
            Marks { examples: examples.collect(), learned: all.learned[start..end].to_vec() }
        });
        Ok(TokenWindow { ids: self.tokens.window(start, self.seq_len + 1), marks })
    }
}
