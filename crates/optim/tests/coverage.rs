//! `docs/coverage-optim.md`: what of Optax is here, from the table `optax.tsv`, whose every row names the code and its check.
//! `JARRAH_BLESS=1 cargo test -p jarrah-optim coverage` writes the page.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

struct Row {
    name: &'static str,
    priority: &'static str,
    here: &'static str,
    check: &'static str,
}

fn table() -> Vec<Row> {
    let lines = include_str!("optax.tsv").lines().filter(|line| !line.starts_with('#'));
    let row = |line: &'static str| {
        let [name, priority, here, check] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("row {line:?}")
        };
        Row { name, priority, here, check }
    };
    lines.map(row).collect()
}

/// All files below a folder as one text.
fn text_below(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text.push_str(&text_below(&path));
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            text.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    text
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the golden tensors of one kind.
fn rows() -> BTreeSet<String> {
    let table = std::fs::read_to_string(root().join("../testing/tests/golden/optim/functions.tsv")).unwrap();
    let name = |line: &str| Some(line.split('\t').next()?.split('/').nth(1)?.to_owned());
    table.lines().filter(|line| !line.starts_with("in/")).filter_map(name).collect()
}

fn page() -> String {
    let mut page = String::from(
        "# What of Optax is here\n\nMade from `crates/optim/tests/optax.tsv` by `JARRAH_BLESS=1 cargo test -p jarrah-optim coverage`. Names in \
         `crates/optim` unless they begin otherwise; a trajectory is fifty steps whose parameters and states equal Optax's.\n\n",
    );
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for row in table() {
        let count = counts.entry(row.priority).or_default();
        count.1 += 1;
        count.0 += usize::from(!row.check.starts_with("no "));
    }
    page.push_str("| | priority 1 | priority 2 | priority 3 |\n|---|---|---|---|\n| here |");
    for (here, all) in counts.values() {
        write!(page, " {here} of {all} |").unwrap();
    }
    page.push_str("\n\nOptax lacks Shampoo and SOAP: `contrib::shampoo` and `contrib::soap` are checked against JAX programs after the papers.\n\n");
    page.push_str("| Optax | priority | here | checked by |\n|---|---|---|---|\n");
    for Row { name, priority, here, check } in table() {
        let (kind, what) = check.split_once(' ').unwrap_or((check, ""));
        let (here, check) = match kind {
            "case" => (format!("`{here}`"), format!("trajectory `{what}`")),
            "row" => (format!("`{here}`"), format!("values `{what}`")),
            "test" => (format!("`{here}`"), format!("test `{what}`")),
            "old" => (format!("`{here}`"), "values".to_owned()),
            "doc" => (format!("`{here}`"), "example".to_owned()),
            "no" => ("no".to_owned(), what.to_owned()),
            other => panic!("{name}: no check {other:?}"),
        };
        writeln!(page, "| `{name}` | {priority} | {here} | {check} |").unwrap();
    }
    page
}

#[test]
fn what_is_claimed_is_here_and_checked() {
    let source = text_below(&root().join("src")) + &text_below(&root().join("../nn/src"));
    let tests = text_below(&root().join("tests"));
    let cases: BTreeSet<&str> = crate::cases::cases().into_iter().map(|(name, _)| name).collect();
    let rows = rows();
    let mut claimed = BTreeSet::new();
    for Row { name, here, check, .. } in table() {
        let (kind, what) = check.split_once(' ').unwrap_or((check, ""));
        let checked = match kind {
            "case" => cases.contains(what),
            "row" => rows.contains(what),
            "test" => tests.contains(&format!("fn {what}()")),
            _ => true,
        };
        assert!(checked, "{name} is checked by {check:?}, which there is not");
        if kind == "no" {
            continue;
        }
        let last = here.rsplit("::").next().unwrap();
        claimed.insert(last);
        // Functions of a table of the source stand there without `fn`.
        let kinds = ["pub fn ", "pub struct ", "pub enum ", "    "];
        let ends = ["(", "<", " ", "(Adam", "\n"];
        let found =
            kinds.iter().any(|kind| ends.iter().any(|end| source.contains(&format!("{kind}{last}{end}"))));
        assert!(found, "{name}: there is no {here}");
    }
    let base = |name: &'static str| name.split(['.', '~']).next().unwrap();
    let left: Vec<&str> = cases
        .iter()
        .copied()
        .map(base)
        .filter(|name| !claimed.contains(name) && !EXTRA.contains(name))
        .collect();
    assert!(left.is_empty(), "no row of optax.tsv has {left:?}");
}

/// The trajectories of what Optax lacks, or has by another name.
const EXTRA: [&str; 4] = ["shampoo", "soap", "opaque_sam", "lookahead"];

#[test]
fn the_page_is_made_of_the_table() {
    let path = root().join("../../docs/coverage-optim.md");
    if std::env::var_os("JARRAH_BLESS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let stale = "docs/coverage-optim.md is stale: JARRAH_BLESS=1 cargo test -p jarrah-optim coverage";
    assert!(std::fs::read_to_string(&path).unwrap_or_default() == page(), "{stale}");
}
