//! Lines of documentation that leave their subject to be guessed.

use crate::ratchet::Ratchet;

/// How such lines begin: the subject in the field's own words says more.
const BEGINNINGS: [&str; 6] = ["What ", "Those ", "That of ", "Who ", "The same", "It does "];

pub(crate) const WORDS: Ratchet = Ratchet {
    name: "words",
    what: "doc lines that begin with What, Those, That of, Who, The same, It does",
    advice: "say the subject",
    find: |files| files.iter().flat_map(|(file, text)| found(file, text)).collect(),
};

fn found<'a>(file: &'a str, text: &'a str) -> impl Iterator<Item = (String, usize, String)> + 'a {
    text.lines().enumerate().filter_map(move |(i, line)| {
        let line = line.trim_start();
        let doc = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "))?;
        let is_riddle = BEGINNINGS.iter().any(|beginning| doc.starts_with(beginning));
        is_riddle.then(|| (file.to_owned(), i + 1, doc.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn lines_that_leave_their_subject_to_be_guessed_are_found() {
        let text = "/// What it is.\n/// A page.\n// What else.\n    //! The same, turned.\n";
        let files = BTreeMap::from([("a.rs".to_owned(), text.to_owned())]);
        assert_eq!((WORDS.find)(&files).iter().map(|(_, at, _)| *at).collect::<Vec<_>>(), [1, 4]);
    }
}
