/// Looks for words in a text, character by character.
#[derive(Clone)]
pub(crate) struct Watch {
    words: Vec<String>,
    // The end of the text, with which a word may begin.
    held: String,
}

impl Watch {
    /// Looks for these words, none of which begins with another.
    pub fn new(words: &[&str]) -> Watch {
        Watch { words: words.iter().map(|word| (*word).to_owned()).collect(), held: String::new() }
    }

    /// Takes a character: the text that is no part of a word, and the number of the word that ends here.
    pub fn push(&mut self, c: char) -> (String, Option<usize>) {
        self.held.push(c);
        let mut at = 0;
        loop {
            let rest = &self.held[at..];
            if let Some(word) = self.words.iter().position(|word| word == rest) {
                let text = self.held[..at].to_owned();
                self.held.clear();
                return (text, Some(word));
            }
            if self.words.iter().any(|word| word.starts_with(rest)) {
                return (self.held.drain(..at).collect(), None);
            }
            at += rest.chars().next().map_or(0, char::len_utf8);
        }
    }

    /// The text that was held, where the text ends.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}
