use crate::dataset::ENDLESS;

/// Counts of a packing stage since the pipeline began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackCounts {
    /// Elements that were packed, wholly or in parts.
    pub elements: u64,
    /// Rows that were delivered.
    pub rows: u64,
    /// Tokens of all features in these rows.
    pub tokens: u64,
    /// Places of all features in these rows without a token.
    pub padding: u64,
    /// Elements with a feature that was longer than a row, so that its end was cut off.
    pub cut_elements: u64,
    /// Tokens that were cut off.
    pub cut_tokens: u64,
}

impl PackCounts {
    pub(crate) const LEN: usize = 6;

    pub(crate) fn to_words(self) -> [u64; Self::LEN] {
        [self.elements, self.rows, self.tokens, self.padding, self.cut_elements, self.cut_tokens]
    }

    pub(crate) fn from_words(words: &[u64]) -> Option<Self> {
        if words.iter().any(|&count| count > ENDLESS) {
            return None;
        }
        let [elements, rows, tokens, padding, cut_elements, cut_tokens] = words.try_into().ok()?;
        Some(PackCounts { elements, rows, tokens, padding, cut_elements, cut_tokens })
    }

    /// Counts the places of a row, of which `tokens` have a token.
    pub(crate) fn count(&mut self, places: usize, tokens: usize) {
        self.tokens += tokens as u64;
        self.padding += (places - tokens) as u64;
    }
}
