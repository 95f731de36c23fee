//! Counts of what is to become less in each crate, which may only fall.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::edges::crates;
use crate::sources::rust_files;

/// A place in a source file.
pub(crate) struct Found {
    /// The file, from the root of the repository.
    pub file: String,
    /// The line.
    pub line: usize,
    /// The text to show.
    pub text: String,
}

/// A kind of places that are counted by crate.
pub(crate) struct Ratchet {
    /// The command that lists them, `cargo xtask NAME`; counts are recorded in `xtask/NAME.txt`.
    pub name: &'static str,
    /// The places, for errors.
    pub what: &'static str,
    /// The advice to who added one.
    pub advice: &'static str,
    /// The places in the sources of a crate: files from the root of its `src`, with their texts.
    pub find: fn(&BTreeMap<String, String>) -> Vec<(String, usize, String)>,
}

type Counts = BTreeMap<String, usize>;

impl Ratchet {
    fn places(&self, root: &Path) -> Result<BTreeMap<String, Vec<Found>>, String> {
        let mut all = BTreeMap::new();
        for folder in crates(root)? {
            let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            let source = folder.join("src");
            let mut files = BTreeMap::new();
            for file in rust_files(&source)? {
                let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
                files.insert(file.strip_prefix(&source).unwrap_or(&file).display().to_string(), text);
            }
            let shown = |(file, line, text)| Found { file: format!("crates/{name}/src/{file}"), line, text };
            let found: Vec<Found> = (self.find)(&files).into_iter().map(shown).collect();
            all.insert(name, found);
        }
        Ok(all)
    }

    /// Prints the places of a crate, or of all.
    pub fn list(&self, root: &Path, wanted: Option<&str>) -> Result<(), String> {
        for (name, found) in self.places(root)? {
            for Found { file, line, text } in found {
                if wanted.is_none_or(|wanted| wanted == name) {
                    println!("{file}:{line}: {text}");
                }
            }
        }
        Ok(())
    }

    fn counts(&self, root: &Path) -> Result<Counts, String> {
        let counted = self.places(root)?.into_iter().map(|(name, found)| (name, found.len()));
        Ok(counted.filter(|(_, count)| *count > 0).collect())
    }

    fn file(&self) -> String {
        format!("xtask/{}.txt", self.name)
    }

    fn recorded(&self, root: &Path) -> Result<Counts, String> {
        let file = self.file();
        let text = std::fs::read_to_string(root.join(&file)).map_err(|e| format!("{file}: {e}"))?;
        let entry = |line: &str| {
            let (name, count) = line.split_once(' ')?;
            Some((name.to_owned(), count.parse().ok()?))
        };
        Ok(text.lines().filter_map(entry).collect())
    }

    /// The crates that have more places than is recorded, or fewer.
    pub fn check(&self, root: &Path) -> Result<Vec<String>, String> {
        Ok(self.compared(&self.counts(root)?, &self.recorded(root)?))
    }

    fn compared(&self, counts: &Counts, recorded: &Counts) -> Vec<String> {
        let names: BTreeSet<&String> = counts.keys().chain(recorded.keys()).collect();
        let count = |of: &Counts, name: &str| of.get(name).copied().unwrap_or(0);
        let problem = |name: &String| {
            let (now, known) = (count(counts, name), count(recorded, name));
            let Ratchet { name: command, what, advice, .. } = self;
            match now.cmp(&known) {
                Ordering::Equal => None,
                Ordering::Less => Some(format!(
                    "crates/{name} has {now} {what}, {known} are recorded: run cargo xtask bless"
                )),
                Ordering::Greater => Some(format!(
                    "crates/{name} has {now} {what}, {known} before: {advice} (cargo xtask {command} {name} lists them)"
                )),
            }
        };
        names.into_iter().filter_map(problem).collect()
    }

    /// Records fewer places; more are an error.
    pub fn bless(&self, root: &Path) -> Result<(), String> {
        let (counts, recorded) = (self.counts(root)?, self.recorded(root).unwrap_or_default());
        let is_new = recorded.is_empty();
        let known = |name: &String| recorded.get(name).copied().unwrap_or(0);
        if let Some((name, count)) = counts.iter().find(|(name, count)| !is_new && **count > known(name)) {
            let Ratchet { name: command, what, .. } = self;
            return Err(format!(
                "crates/{name} has {count} {what}, more than before: cargo xtask {command} {name} lists them"
            ));
        }
        let text: String = counts.iter().map(|(name, count)| format!("{name} {count}\n")).collect();
        std::fs::write(root.join(self.file()), text).map_err(|e| format!("{}: {e}", self.file()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_fall_and_not_rise() {
        let ratchet =
            Ratchet { name: "stones", what: "stones", advice: "carry it away", find: |_| Vec::new() };
        let of = |count| BTreeMap::from([("a".to_owned(), count)]);
        assert!(ratchet.compared(&of(2), &of(2)).is_empty());
        assert!(ratchet.compared(&of(3), &of(2))[0].contains("3 stones, 2 before: carry it away"));
        assert!(ratchet.compared(&of(1), &of(2))[0].contains("run cargo xtask bless"));
        assert!(ratchet.compared(&BTreeMap::new(), &of(1))[0].contains("has 0 stones"));
    }
}
