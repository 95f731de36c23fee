use jarrah_base::Result;
use rustc_hash::FxHashMap;

use crate::trie::Trie;

/// Tokens that stand for no text, and are recognised by name in prompts.
pub(crate) struct Special {
    names: Vec<(String, u32)>,
    ids: FxHashMap<u32, usize>,
    trie: Trie,
}

/// A part of a prompt.
pub(crate) enum Part<'a> {
    Text(&'a str),
    Token(u32),
}

impl Special {
    pub fn new(names: Vec<(String, u32)>) -> Result<Special> {
        let trie = Trie::new(names.iter().map(|(name, id)| (name.as_bytes(), *id)).collect())?;
        let ids = names.iter().enumerate().map(|(i, (_, id))| (*id, i)).collect();
        Ok(Special { names, ids, trie })
    }

    pub fn id(&self, name: &str) -> Option<u32> {
        self.trie.longest(name.as_bytes()).filter(|(length, _)| *length == name.len()).map(|(_, id)| id)
    }

    pub fn name(&self, id: u32) -> Option<&str> {
        self.ids.get(&id).map(|&i| self.names[i].0.as_str())
    }

    pub fn largest(&self) -> Option<u32> {
        self.ids.keys().copied().max()
    }

    /// The names and the texts between them, of several names at one place the longest.
    pub fn parts<'a>(&self, text: &'a str) -> Vec<Part<'a>> {
        let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
        while at < text.len() {
            match self.trie.longest(&text.as_bytes()[at..]) {
                Some((length, id)) => {
                    if start < at {
                        parts.push(Part::Text(&text[start..at]));
                    }
                    parts.push(Part::Token(id));
                    at += length;
                    start = at;
                }
                None => at += text[at..].chars().next().map_or(1, char::len_utf8),
            }
        }
        if start < at {
            parts.push(Part::Text(&text[start..]));
        }
        parts
    }
}
