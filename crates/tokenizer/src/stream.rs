use jarrah_base::Result;

use crate::tokenizer::Tokenizer;

/// The character that a decoder writes for bytes that are not, or not yet, a whole character.
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Decodes ids that arrive one by one; what it has given out is always whole characters.
///
/// The pieces and the rest from [`finish`](Self::finish), joined, are what [`Tokenizer::decode`] gives for all ids.
/// A character whose bytes are spread over several tokens is held back until its last byte, and tokens of single bytes until
/// another token comes where the tokenizer judges all of them together.
pub struct DecodeStream {
    tokenizer: Tokenizer,
    skip_special: bool,
    // The ids of the last piece given out, as context for decoders that look back, then the ids since.
    ids: Vec<u32>,
    context: usize,
    // The part of the text of `ids` that was given out.
    given: String,
}

impl Tokenizer {
    /// A decoder for ids that arrive one by one.
    pub fn decode_stream(&self, skip_special: bool) -> DecodeStream {
        DecodeStream {
            tokenizer: self.clone(),
            skip_special,
            ids: Vec::new(),
            context: 0,
            given: String::new(),
        }
    }
}

impl DecodeStream {
    /// Takes the next id and gives the text that is now certain, often one word, sometimes none.
    ///
    /// # Errors
    /// The id is not in the vocabulary; the stream is as before.
    pub fn push(&mut self, id: u32) -> Result<String> {
        self.tokenizer.check(&[id])?;
        self.ids.push(id);
        if self.tokenizer.continues(id) {
            return Ok(String::new());
        }
        let text = self.tokenizer.decode(&self.ids, self.skip_special)?;
        let certain = certain(&text);
        let piece = self.advance(certain);
        if certain.len() == text.len() {
            let given = self.tokenizer.decode(&self.ids[self.context..], self.skip_special)?;
            // Tokens without a text are no context: the next tokens would be read as the beginning of a text.
            if !given.is_empty() {
                self.ids.drain(..self.context);
                self.context = self.ids.len();
                self.given = given;
            }
        }
        Ok(piece)
    }

    /// Whether the text of this stream has nothing of the token: one that stands for no text, where such tokens are skipped.
    pub fn leaves_out(&self, id: u32) -> bool {
        self.skip_special && self.tokenizer.is_special(id)
    }

    /// The text still held back: bytes that never became a character, as U+FFFD.
    ///
    /// # Errors
    /// None for ids that were accepted.
    pub fn finish(mut self) -> Result<String> {
        let text = self.tokenizer.decode(&self.ids, self.skip_special)?;
        Ok(self.advance(&text))
    }

    /// The text of `text` behind the part that was given out.
    fn advance(&mut self, text: &str) -> String {
        match text.strip_prefix(self.given.as_str()) {
            Some(piece) => {
                let piece = piece.to_owned();
                self.given.push_str(&piece);
                piece
            }
            None => String::new(),
        }
    }
}

/// `text` without the U+FFFD at its end, at most three, that the next ids may turn into a character.
fn certain(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..3 {
        rest = rest.strip_suffix(REPLACEMENT).unwrap_or(rest);
    }
    rest
}
