use jarrah_base::{Error, Result};

/// Watches text that arrives in pieces for stop strings, wherever the pieces are cut.
///
/// What may be the beginning of a stop string is held back until it is known not to be.
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
    /// Watches for these.
    ///
    /// # Errors
    /// One is empty (`Input`).
    pub fn new(strings: &[String]) -> Result<Self> {
        if strings.iter().any(String::is_empty) {
            return Err(Error::input("a stop string is empty").help("give text to stop at"));
        }
        Ok(StopStrings { strings: strings.to_vec(), held: String::new() })
    }

    /// Takes the next piece; gives the text that is certain to come before any stop string, and the stop string that
    /// ends it. Of several, the one that is complete first counts, then the longest: wherever the pieces are cut.
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

    /// What is still held back once no more text comes.
    pub fn finish(self) -> String {
        self.held
    }
}
