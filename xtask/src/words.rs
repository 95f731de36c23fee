//! Lines of documentation that leave their subject to be guessed.

use std::collections::BTreeMap;
use std::path::Path;

use crate::edges::crates;
use crate::sources::rust_files;

/// How such lines begin: the subject in the field's own words says more.
const BEGINNINGS: [&str; 6] = ["What ", "Those ", "That of ", "Who ", "The same", "It does "];

/// Where it is recorded how many lines each crate has.
const RECORDED: &str = "xtask/words.txt";

/// The lines of a file, with their numbers.
fn found(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(i, line)| {
        let line = line.trim_start();
        let doc = line.strip_prefix("/// ").or_else(|| line.strip_prefix("//! "))?;
        BEGINNINGS.iter().any(|beginning| doc.starts_with(beginning)).then_some((i + 1, doc))
    })
}

/// Calls `visit` with the crate, the file from the root, the number and the text of each such line.
fn each(root: &Path, mut visit: impl FnMut(&str, &Path, usize, &str)) -> Result<(), String> {
    for folder in crates(root)? {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        for file in rust_files(&folder.join("src"))? {
            let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let shown = file.strip_prefix(root).unwrap_or(&file);
            found(&text).for_each(|(at, line)| visit(name, shown, at, line));
        }
    }
    Ok(())
}

/// Prints the lines of a crate, or of all.
pub(crate) fn list(root: &Path, wanted: Option<&str>) -> Result<(), String> {
    each(root, |name, file, at, line| {
        if wanted.is_none_or(|wanted| wanted == name) {
            println!("{}:{at}: {line}", file.display());
        }
    })
}

fn counts(root: &Path) -> Result<BTreeMap<String, usize>, String> {
    let mut counts = BTreeMap::new();
    each(root, |name, _, _, _| *counts.entry(name.to_owned()).or_default() += 1)?;
    Ok(counts)
}

fn recorded(root: &Path) -> Result<BTreeMap<String, usize>, String> {
    let text = std::fs::read_to_string(root.join(RECORDED)).map_err(|e| format!("{RECORDED}: {e}"))?;
    Ok(text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, count)| Some((name.to_owned(), count.parse().ok()?)))
        .collect())
}

/// Crates that have more such lines than is recorded, or fewer.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    Ok(compared(&counts(root)?, &recorded(root)?))
}

fn compared(counts: &BTreeMap<String, usize>, recorded: &BTreeMap<String, usize>) -> Vec<String> {
    let names: std::collections::BTreeSet<&String> = counts.keys().chain(recorded.keys()).collect();
    let count = |of: &BTreeMap<String, usize>, name: &str| of.get(name).copied().unwrap_or(0);
    let problem = |name: &String| {
        let (now, known) = (count(counts, name), count(recorded, name));
        match now.cmp(&known) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => {
                Some(format!("crates/{name} has {now} riddles, {known} are recorded: run cargo xtask bless"))
            }
            std::cmp::Ordering::Greater => Some(format!(
                "crates/{name} has {now} doc lines that begin with {}, {known} before: say the subject (cargo xtask words {name} lists them)",
                BEGINNINGS.map(str::trim).join(", ")
            )),
        }
    };
    names.into_iter().filter_map(problem).collect()
}

/// Records fewer lines; more are an error.
pub(crate) fn bless(root: &Path) -> Result<(), String> {
    let (counts, recorded) = (counts(root)?, recorded(root).unwrap_or_default());
    let grew = |(name, count): &(&String, &usize)| recorded.get(*name).is_some_and(|known| *count > known);
    if let Some((name, count)) = counts.iter().find(grew) {
        return Err(format!(
            "crates/{name} has {count} riddles, more than before: cargo xtask words {name} lists them"
        ));
    }
    let text: String = counts.iter().map(|(name, count)| format!("{name} {count}\n")).collect();
    std::fs::write(root.join(RECORDED), text).map_err(|e| format!("{RECORDED}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_leave_their_subject_to_be_guessed_may_become_fewer() {
        let text = "/// What it is.\n/// A page.\n// What else.\n    //! The same, turned.\n";
        assert_eq!(found(text).map(|(at, _)| at).collect::<Vec<_>>(), [1, 4]);
        let of = |count| BTreeMap::from([("a".to_owned(), count)]);
        assert!(compared(&of(2), &of(2)).is_empty());
        assert!(compared(&of(3), &of(2))[0].contains("3 doc lines that begin with What, Those"));
        assert!(compared(&of(1), &of(2))[0].contains("run cargo xtask bless"));
    }
}
