//! What of JAX is here: `docs/coverage.md`, from the tables of `crates/testing/tests/surface`.
//!
//! A name of JAX counts where a row of a table has it and the golden file has that row's results (`cargo test` compares them),
//! or where the list that has it, `jax.tsv` or `pallas.tsv`, names a test or an op that there is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jarrah_hlo::Op;

const TABLES: &str = "crates/testing/tests/surface";
/// JAX's names, and those of its kernel language.
const LISTS: [&str; 2] = ["jax.tsv", "pallas.tsv"];
const GOLDENS: &str = "crates/testing/tests/golden/surface";

/// How a name of JAX stands here.
enum Standing {
    /// Checked, by what the text says.
    Here(String),
    /// Not here, for a reason or without one.
    Missing(String),
    /// Not counted: meshes, many hosts, profilers.
    Apart,
}

/// The names that rows have, each with the Rust expression of its first row.
fn rows(root: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    for entry in read_dir(&root.join(TABLES))? {
        let Some(table) = entry.strip_suffix(".rs").filter(|table| *table != "mod") else { continue };
        let text = read(&root.join(TABLES).join(&entry))?;
        let golden =
            std::fs::read(root.join(GOLDENS).join(format!("{table}.safetensors"))).unwrap_or_default();
        let golden = keys(&golden);
        // A row begins a line of its own, and ends where the next begins, or with the table.
        for row in text.split("\n    \"").skip(1) {
            let row = row.split(";\n}\n").next().unwrap_or_default();
            let lines = row.lines().map(str::trim).filter(|line| !line.starts_with("//"));
            let row = lines.collect::<Vec<_>>().join(" ");
            let Some((head, rust)) = row.split_once("=> |") else { continue };
            let Some((names, _)) = head.split_once("\": \"") else { continue };
            let rust = rust.trim_end().trim_end_matches(';');
            let first = names.split(' ').next().unwrap_or_default();
            if !golden.contains(first) {
                return Err(format!("{entry}: {first} has no golden: run oracle/surface.py {table}"));
            }
            let rust = rust.split_once('|').map_or(rust, |(_, body)| body);
            for name in names.split(' ') {
                found.entry(name.to_owned()).or_insert_with(|| rust.trim().to_owned());
            }
        }
    }
    Ok(found)
}

/// The names of rows that a golden file has results of: what comes before the colon of its keys.
fn keys(golden: &[u8]) -> BTreeSet<String> {
    let length = golden.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes) as usize);
    let header = golden.get(8..8 + length).map(String::from_utf8_lossy).unwrap_or_default();
    let keys = header.split('"').filter(|text| text.contains(':') && text.contains('/'));
    keys.filter_map(|key| key.split_once(':')).map(|(name, _)| name.to_owned()).collect()
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

fn read_dir(path: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut names: Vec<String> =
        entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// How a name of JAX stands, by the last column of the list and by the rows.
fn standing(root: &Path, name: &str, how: &str, rows: &BTreeMap<String, String>) -> Result<Standing, String> {
    if let Some(rust) = rows.get(name) {
        return Ok(Standing::Here(format!("`{}`", rust.replace('|', "\\|"))));
    }
    let mut words = how.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some("row"), Some(other), None) if rows.contains_key(other) => standing(root, other, "-", rows),
        (Some("row"), Some(_), None) => Ok(Standing::Missing("not yet".to_owned())),
        (Some("op"), Some(op), None) => {
            let known = Op::examples().iter().any(|example| example.op.name() == op);
            if known {
                Ok(Standing::Here(format!("op `{op}`")))
            } else {
                Err(format!("{name}: no op {op} has examples"))
            }
        }
        (Some("test"), Some(file), Some(test)) => {
            let there = read(&root.join(file))?.contains(&format!("fn {test}("));
            if there {
                Ok(Standing::Here(format!("test `{test}`")))
            } else {
                Err(format!("{name}: {file} has no test {test}"))
            }
        }
        (Some("apart"), None, None) => Ok(Standing::Apart),
        (Some("no"), ..) => Ok(Standing::Missing(how.trim_start_matches("no ").to_owned())),
        (Some("-"), None, None) => Ok(Standing::Missing("not yet".to_owned())),
        _ => Err(format!("{name}: {how:?} says nothing of how it is checked")),
    }
}

/// The page, as Markdown.
pub(crate) fn page(root: &Path) -> Result<String, String> {
    let rows = rows(root)?;
    let mut list = String::new();
    for name in LISTS {
        list.push_str(&read(&root.join(TABLES).join(name))?);
    }
    let mut groups: BTreeMap<&str, Vec<(&str, &str, Standing)>> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let [group, name, weight, how] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{LISTS:?}: {line:?} has not four columns"));
        };
        known.insert(how.strip_prefix("row ").unwrap_or(name));
        known.insert(name);
        groups.entry(group).or_default().push((name, weight, standing(root, name, how, &rows)?));
    }
    if let Some(name) = rows.keys().find(|name| !known.contains(name.as_str())) {
        return Err(format!("a table has a row for {name}, which no list has"));
    }
    let mut text = String::from(
        "# What of JAX is here\n\nMade by `cargo xtask bless` from the tables of `crates/testing/tests/surface`: each name is \
         shown with an expression that a test compares with JAX's, values and gradients, or with the test that checks it. \
         Names of meshes, many hosts and profilers stand apart and are not counted.\n\n\
         | | priority 1 | priority 2 | priority 3 |\n|---|---|---|---|\n",
    );
    let mut total: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (group, names) in &groups {
        let mut line = format!("| {group} |");
        for weight in ["1", "2", "3"] {
            let counted = names.iter().filter(|(_, w, s)| *w == weight && !matches!(s, Standing::Apart));
            let (mut here, mut all) = (0, 0);
            for (.., standing) in counted {
                all += 1;
                here += usize::from(matches!(standing, Standing::Here(_)));
            }
            line.push_str(&format!(" {here} of {all} |"));
            let sum = total.entry(weight).or_default();
            *sum = [sum[0] + here, sum[1] + all];
        }
        text.push_str(&format!("{line}\n"));
    }
    let share = |weight: &str| {
        let [here, all] = total.get(weight).copied().unwrap_or_default();
        format!("{here} of {all}, {:.1} %", 100.0 * here as f64 / all.max(1) as f64)
    };
    text.push_str(&format!("| all | {} | {} | {} |\n", share("1"), share("2"), share("3")));
    for (group, names) in &groups {
        text.push_str(&format!("\n## {group}\n\n| JAX | priority | here |\n|---|---|---|\n"));
        for (name, weight, standing) in names {
            let here = match standing {
                Standing::Here(text) => text.clone(),
                Standing::Missing(why) => format!("no: {why}"),
                Standing::Apart => "apart".to_owned(),
            };
            text.push_str(&format!("| `{name}` | {weight} | {here} |\n"));
        }
    }
    Ok(text)
}
