//! What can be seen in the text of the sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::edges::{crates, read};

/// A file longer than this is to be split by role; tables are exempt by the marker below.
const LONGEST: usize = 1500;

/// The crates in which `unsafe` may occur: files and shared memory are mapped, devices driven, foreign functions called.
const UNSAFE: [&str; 6] = ["base", "cpu", "cuda", "exchange", "pjrt", "pjrt-plugin"];

/// The crates whose public functions each occur in an example in the docs of their file.
const EXAMPLES: [&str; 2] = ["array", "science"];

pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    for folder in crates(root)? {
        let name = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        let mut unit_tests = false;
        for file in rust_files(&folder)? {
            let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let shown = file.strip_prefix(root).unwrap_or(&file).display();
            let in_library = file.strip_prefix(&folder).is_ok_and(|p| p.starts_with("src"));
            unit_tests |= in_library && text.lines().any(|line| line.trim() == "#[test]");
            let lines = text.lines().count();
            if lines > LONGEST {
                problems.push(format!("{shown} has {lines} lines, more than {LONGEST}: split it by role"));
            }
            if in_library && EXAMPLES.contains(&name.as_str()) {
                for (at, function) in without_example(&text) {
                    problems
                        .push(format!("{shown}:{at}: no example in the docs of this file has {function}"));
                }
            }
            for (i, line) in text.lines().enumerate() {
                let at = i + 1;
                if !UNSAFE.contains(&name.as_str()) && has_unsafe(line) {
                    problems.push(format!("{shown}:{at}: unsafe does not belong into this crate"));
                }
                if ["todo!(", "unimplemented!(", "dbg!("].iter().any(|m| line.contains(m)) {
                    problems.push(format!("{shown}:{at}: unfinished code"));
                }
            }
        }
        // Cargo builds a library a second time for its unit tests, even where it has none.
        match (unit_tests, tested(&folder)?) {
            (true, false) => problems
                .push(format!("crates/{name}: its unit tests are not run: remove `test = false` from [lib]")),
            (false, true) => problems.push(format!(
                "crates/{name} has no unit tests: `test = false` in [lib] saves a build of it"
            )),
            _ => {}
        }
    }
    Ok(problems)
}

/// The public functions, with their lines, that no example in the docs of a file uses.
fn without_example(text: &str) -> Vec<(usize, &str)> {
    let docs = text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
    });
    let (mut inside, mut examples) = (false, String::new());
    for line in docs {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            examples.push_str(line);
            examples.push('\n');
        }
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let used: BTreeSet<&str> = examples.split(|c| !is_word(c)).collect();
    let mut missing = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let Some(rest) = line.trim_start().strip_prefix("pub ") else { continue };
        let Some(rest) = rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ") else { continue };
        let name = rest.split(|c| !is_word(c)).next().unwrap_or_default();
        if !name.is_empty() && !used.contains(name) {
            missing.push((i + 1, name));
        }
    }
    missing
}

/// Whether `cargo test` builds the library's unit tests.
fn tested(folder: &Path) -> Result<bool, String> {
    let manifest: toml::Table = read(&folder.join("Cargo.toml"))?;
    let stated = manifest.get("lib").and_then(|lib| lib.get("test")).and_then(|test| test.as_bool());
    Ok(stated.unwrap_or(true))
}

fn has_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"].iter().any(|m| code.contains(m))
}

/// Prints the lines of Rust in each crate, tests apart.
pub(crate) fn lines(root: &Path) -> Result<(), String> {
    let (mut all, mut all_tests) = (0, 0);
    for folder in crates(root)? {
        let (mut code, mut tests) = (0, 0);
        for file in rust_files(&folder)? {
            let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            let is_test = file.strip_prefix(&folder).is_ok_and(|p| p.starts_with("tests"));
            *(if is_test { &mut tests } else { &mut code }) += text.lines().count();
        }
        println!(
            "{:<16}{code:>8}{tests:>8}",
            folder.file_name().and_then(|n| n.to_str()).unwrap_or_default()
        );
        all += code;
        all_tests += tests;
    }
    println!("{:<16}{all:>8}{all_tests:>8}", "total");
    Ok(())
}

pub(crate) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for path in entries.flatten().map(|e| e.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A source without the module of its tests.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or_default()
}

/// The paths that a `use` tree, or one path, names below `base`, each with the name that it gives: `*` for all names of a module.
pub(crate) fn use_tree(text: &str, base: &[String], found: &mut Vec<(Vec<String>, String)>) {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        let (mut depth, mut start) = (0, 0);
        for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    use_tree(&inside[start..at], base, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        return;
    }
    match text.split_once("::") {
        Some((first, rest)) if !first.is_empty() => {
            use_tree(rest, &[base, &[first.trim().to_owned()]].concat(), found);
        }
        _ => {
            let (item, alias) = text.split_once(" as ").unwrap_or((text, ""));
            // Nothing stands behind the last comma of a list.
            let Some(item) = item.split_whitespace().next() else { return };
            let path = match item {
                "self" | "*" => base.to_vec(),
                name => [base, &[name.to_owned()]].concat(),
            };
            let name = match (item, alias) {
                ("*", _) => "*",
                (_, "") => path.last().map_or("", String::as_str),
                (_, alias) => alias.trim(),
            };
            found.push((path.clone(), name.to_owned()));
        }
    }
}
