use jarrah_base::{Error, Result};

/// Finds stop strings in text that arrives in pieces, wherever the pieces are cut.
///
/// Text that may be the beginning of a stop string is held back until it is certain that it is none.
///
/// ```
/// use jarrah_serve::StopStrings;
/// let mut stop = StopStrings::new(&["END".to_owned()])?;
/// assert_eq!(stop.push("one E"), ("one ".to_owned(), None));
/// assert_eq!(stop.push("nd EN"), ("End ".to_owned(), None));
/// assert_eq!(stop.push("D of it"), (String::new(), Some("END".to_owned())));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct StopStrings {
    strings: Vec<String>,
    held: String,
}

impl StopStrings {
    /// A search for these stop strings.
    ///
    /// # Errors
    /// A stop string is empty (`Input`).
    pub fn new(strings: &[String]) -> Result<Self> {
        if strings.iter().any(String::is_empty) {
            return Err(Error::input("a stop string is empty").help("give text to stop at"));
        }
        Ok(StopStrings { strings: strings.to_vec(), held: String::new() })
    }

    /// Takes the next piece. Returns the text that certainly comes before any stop string, and the stop string that ends it. Of
    /// several stop strings the one that is complete first counts, and of these the longest, however the pieces are cut.
    pub fn push(&mut self, piece: &str) -> (String, Option<String>) {
        self.held += piece;
        let found = self.strings.iter().filter_map(|s| Some((self.held.find(s)?, s)));
        if let Some((at, stop)) = found.min_by_key(|(at, s)| (at + s.len(), *at)) {
            let stop = stop.clone();
            let mut text = std::mem::take(&mut self.held);
            text.truncate(at);
            return (text, Some(stop));
        }
        let open = |at: &usize| self.strings.iter().any(|s| s.starts_with(&self.held[*at..]));
        let certain = self.held.char_indices().map(|(at, _)| at).find(open).unwrap_or(self.held.len());
        let rest = self.held.split_off(certain);
        (std::mem::replace(&mut self.held, rest), None)
    }

    /// The text that is still held back when no more text comes.
    pub fn finish(self) -> String {
        self.held
    }
}
