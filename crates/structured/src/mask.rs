/// The tokens that may come next: a set of token ids, one bit each.
///
/// ```
/// use jarrah_structured::TokenMask;
/// let mut mask = TokenMask::new(100);
/// mask.allow(7);
/// let mut logits = vec![1.0; 100];
/// mask.apply(&mut logits);
/// assert_eq!(mask.iter().collect::<Vec<_>>(), [7]);
/// assert_eq!((logits[7], logits[8]), (1.0, f32::NEG_INFINITY));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenMask {
    words: Vec<u32>,
    size: usize,
}

impl TokenMask {
    /// The empty set of tokens below `size`, the number of logits.
    pub fn new(size: usize) -> TokenMask {
        TokenMask { words: vec![0; size.div_ceil(32)], size }
    }

    /// The number of logits.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Token `t` is bit `t % 32` of word `t / 32`, the lowest bit first.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Whether the token may come.
    pub fn contains(&self, token: u32) -> bool {
        self.words.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1)
    }

    /// Adds a token; one that is not below the size is left out.
    pub fn allow(&mut self, token: u32) {
        if (token as usize) < self.size {
            self.words[token as usize / 32] |= 1 << (token % 32);
        }
    }

    /// The tokens, the lowest first.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0u32..).zip(&self.words).flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (bit < 32).then_some(32 * i + bit)
            })
        })
    }

    /// The number of tokens.
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Sets the logits of all other tokens to minus infinity.
    pub fn apply(&self, logits: &mut [f32]) {
        for (token, logit) in (0u32..).zip(logits) {
            if !self.contains(token) {
                *logit = f32::NEG_INFINITY;
            }
        }
    }

    /// Makes it the set of these words, of which there may be fewer or more than it has.
    pub(crate) fn set(&mut self, size: usize, words: &[u32]) {
        let count = size.div_ceil(32);
        self.size = size;
        self.words.clear();
        self.words.extend_from_slice(&words[..count.min(words.len())]);
        self.words.resize(count, 0);
    }
}
