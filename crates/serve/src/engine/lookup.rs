//! Drafts looked up in the text itself (prompt lookup decoding).

/// Drafts tokens by lookup: if the last `longest` tokens, or fewer, down to `shortest`, stood in the text before, the tokens that
/// followed there are the draft.
///
/// A draft changes no answer: each token is chosen as it would be without a draft, and the draft counts as far as it agrees.
///
/// Source: Saxena, Prompt lookup decoding, 2023.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The most tokens of a draft.
    pub tokens: usize,
    /// The longest run of last tokens that is looked for.
    pub longest: usize,
    /// The shortest run of last tokens that is looked for.
    pub shortest: usize,
}

impl Default for Lookup {
    /// Drafts of 5 tokens, found by the last 5 to 2 tokens.
    fn default() -> Self {
        Lookup { tokens: 5, longest: 5, shortest: 2 }
    }
}

impl Lookup {
    /// The tokens that followed the latest earlier occurrence of the longest suffix of `tokens`.
    ///
    /// ```
    /// use jarrah_serve::Lookup;
    /// let lookup = Lookup { tokens: 2, longest: 3, shortest: 1 };
    /// assert_eq!(lookup.draft(&[7, 1, 2, 5, 6, 4, 1, 2]), [5, 6]);
    /// assert!(lookup.draft(&[1, 2, 3]).is_empty());
    /// ```
    pub fn draft<'a>(&self, tokens: &'a [u32]) -> &'a [u32] {
        let Some((_, before)) = tokens.split_last() else { return &[] };
        let mut best = (0, 0);
        // Compares the text before position `end` with the whole text, from their ends backwards.
        for end in (1..=before.len()).rev() {
            let common = tokens[..end].iter().rev().zip(tokens.iter().rev()).take(self.longest);
            let length = common.take_while(|(a, b)| a == b).count();
            if length > best.0 {
                best = (length, end);
                if length == self.longest {
                    break;
                }
            }
        }
        match best {
            (length, end) if length >= self.shortest.max(1) => {
                &tokens[end..tokens.len().min(end + self.tokens)]
            }
            _ => &[],
        }
    }
}
