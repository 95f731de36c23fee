use crate::output::Delta;
use crate::tools::ToolFormat;

/// The deltas that the parsers have found and that were not taken yet.
pub(crate) struct Out {
    deltas: Vec<Delta>,
    calls: usize,
    seed: u64,
    format: Option<ToolFormat>,
    // White space that is content only if other content follows, or no call came before.
    gap: String,
    in_gap: bool,
}

impl Out {
    pub fn new(format: Option<ToolFormat>, seed: u64) -> Out {
        Out { deltas: Vec::new(), calls: 0, seed, format, gap: String::new(), in_gap: true }
    }

    /// Takes the deltas found since the last call.
    pub fn take(&mut self) -> Vec<Delta> {
        std::mem::take(&mut self.deltas)
    }

    pub fn reasoning(&mut self, c: char) {
        match self.deltas.last_mut() {
            Some(Delta::Reasoning(text)) => text.push(c),
            _ => self.deltas.push(Delta::Reasoning(c.into())),
        }
    }

    /// Content as it is.
    pub fn plain(&mut self, c: char) {
        match self.deltas.last_mut() {
            Some(Delta::Content(text)) => text.push(c),
            _ => self.deltas.push(Delta::Content(c.into())),
        }
    }

    /// Content, of which white space between calls is nothing.
    pub fn content(&mut self, text: &str) {
        for c in text.chars() {
            if self.in_gap && c.is_whitespace() {
                self.gap.push(c);
                continue;
            }
            self.in_gap = false;
            let gap = std::mem::take(&mut self.gap);
            gap.chars().chain([c]).for_each(|c| self.plain(c));
        }
    }

    /// A call begins.
    pub fn call(&mut self, name: &str, id: Option<String>) {
        self.gap.clear();
        self.in_gap = true;
        let index = self.calls;
        self.calls += 1;
        let id = id.unwrap_or_else(|| self.id(index));
        self.deltas.push(Delta::Call { index, id, name: name.to_owned() });
    }

    /// Whether calls have begun.
    pub fn has_calls(&self) -> bool {
        self.calls > 0
    }

    /// More arguments of the call that began last.
    pub fn arguments(&mut self, piece: &str) {
        if piece.is_empty() {
            return;
        }
        let own = self.calls.saturating_sub(1);
        match self.deltas.last_mut() {
            Some(Delta::Arguments { index, text }) if *index == own => text.push_str(piece),
            _ => self.deltas.push(Delta::Arguments { index: own, text: piece.to_owned() }),
        }
    }

    /// The output ends.
    pub fn finish(&mut self) {
        let gap = std::mem::take(&mut self.gap);
        if self.calls == 0 {
            gap.chars().for_each(|c| self.plain(c));
        }
    }

    /// An id that no other output has: nine letters and digits for Mistral, whose templates refuse others.
    fn id(&self, index: usize) -> String {
        const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let mut state = self.seed ^ (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut digits = |count: usize| -> String {
            let digit = |_| {
                // SplitMix64.
                state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let z = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                char::from(DIGITS[((z ^ (z >> 31)) % 62) as usize])
            };
            (0..count).map(digit).collect()
        };
        match self.format {
            Some(ToolFormat::Mistral) => digits(9),
            _ => format!("call_{}", digits(24)),
        }
    }
}
