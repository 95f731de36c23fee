//! Files of a crate that need each other in a circle: none of them can be read, or moved, without the others.
//!
//! A file needs those that its paths name (`crate::a::b`, `super::c`): the file in which the last module of a path stands, or, where
//! the item is only named there by a `use`, the file that this names.

use std::collections::{BTreeMap, BTreeSet};

use crate::ratchet::Ratchet;
use crate::sources::{use_tree, without_tests};

pub(crate) const CIRCLES: Ratchet = Ratchet {
    name: "circles",
    what: "files in circles of files that need each other",
    advice: "cut one of the edges: move the part that both need below them",
    find: in_circles,
};

/// A module's place: `array::jit` is `["array", "jit"]`.
type Module = Vec<String>;

fn in_circles(files: &BTreeMap<String, String>) -> Vec<(String, usize, String)> {
    let modules: BTreeMap<Module, &String> = files.keys().map(|file| (module(file), file)).collect();
    let paths: BTreeMap<&Module, Vec<(bool, Module)>> =
        modules.iter().map(|(module, file)| (module, paths(&files[*file], module))).collect();
    let needs: BTreeMap<&Module, BTreeSet<&Module>> = paths
        .iter()
        .map(|(from, found)| {
            let all = found.iter().filter_map(|(_, path)| target(path, &modules, &paths, 8));
            (*from, all.filter(|to| to != from && !to.is_empty()).collect())
        })
        .collect();
    let reached: BTreeMap<&Module, BTreeSet<&Module>> =
        needs.keys().map(|from| (*from, reach(from, &needs))).collect();
    let mut found = Vec::new();
    for (one, reached_from) in &reached {
        if !reached_from.contains(one) {
            continue;
        }
        let with: Vec<String> = reached_from
            .iter()
            .filter(|other| *other != one && reached[**other].contains(one) && needs[*one].contains(**other))
            .map(|other| other.join("::"))
            .collect();
        found.push((modules[*one].clone(), 1, format!("needs {}, which need it", with.join(", "))));
    }
    found
}

/// The modules that can be reached from one.
fn reach<'m>(from: &'m Module, needs: &BTreeMap<&'m Module, BTreeSet<&'m Module>>) -> BTreeSet<&'m Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(one) = open.pop() {
        for &next in needs.get(one).into_iter().flatten() {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// The module of a file: none of the root's.
pub(crate) fn module(file: &str) -> Module {
    let path = file.trim_end_matches(".rs");
    let mut parts: Module = path.split('/').map(str::to_owned).collect();
    match parts.last().map(String::as_str) {
        Some("mod") => drop(parts.pop()),
        Some("lib" | "main") if parts.len() == 1 => drop(parts.pop()),
        _ => {}
    }
    parts
}

/// The module in which the item of a path stands.
fn target<'m>(
    path: &Module,
    modules: &'m BTreeMap<Module, &String>,
    paths: &BTreeMap<&'m Module, Vec<(bool, Module)>>,
    depth: usize,
) -> Option<&'m Module> {
    let length = (0..=path.len()).rev().find(|&n| modules.contains_key(&path[..n]))?;
    let (found, _) = modules.get_key_value(&path[..length])?;
    let Some(item) = path.get(length).filter(|_| depth > 0) else { return Some(found) };
    // The item may stand elsewhere, and be named here alone.
    let named =
        paths.get(found).into_iter().flatten().find(|(is_use, path)| *is_use && path.last() == Some(item));
    match named {
        Some((_, elsewhere)) if elsewhere != path => target(elsewhere, modules, paths, depth - 1),
        _ => Some(found),
    }
}

/// The paths of this crate in a file's code, without its tests, each with whether a `use` names it.
fn paths(text: &str, of: &Module) -> Vec<(bool, Module)> {
    let code: String = without_tests(text)
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect::<Vec<_>>()
        .join("\n");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("::") {
        let before = &code[..at];
        let word = before.rfind(|c| !is_word(c)).map_or(before, |i| &before[i + 1..]);
        if !["crate", "super", "self"].contains(&word) || before[..before.len() - word.len()].ends_with("::")
        {
            continue;
        }
        let mut base = match word {
            "crate" => Module::new(),
            "self" => of.clone(),
            _ => of[..of.len().saturating_sub(1)].to_vec(),
        };
        let mut rest = &code[at + 2..];
        while let Some(more) = rest.strip_prefix("super::") {
            base.pop();
            rest = more;
        }
        let line = before.rfind(['\n', ';', '}']).map_or(before, |i| &before[i + 1..]);
        let is_use = line.split_whitespace().any(|word| word == "use");
        let end = if is_use { rest.find(';') } else { rest.find(|c: char| !is_word(c) && c != ':') };
        let mut named = Vec::new();
        use_tree(&rest[..end.unwrap_or(rest.len())], &base, &mut named);
        found.extend(named.into_iter().map(|(path, _)| (is_use, path)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_need_each_other_are_found() {
        let files = |all: &[(&str, &str)]| -> Vec<String> {
            let files = all.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
            in_circles(&files).into_iter().map(|(file, ..)| file).collect()
        };
        let root = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::B;\n");
        // By a path, by a name of the root, and by a use with others in braces.
        assert_eq!(
            files(&[root, ("a.rs", "use crate::b::B;"), ("b.rs", "fn f() { crate::a::g() }")]),
            ["a.rs", "b.rs"]
        );
        let root = ("lib.rs", "mod a;\nmod b;\npub use self::b::B;\n");
        assert_eq!(
            files(&[root, ("a.rs", "use crate::B;"), ("b.rs", "use crate::{c::C, a::g};"), ("c.rs", "")]),
            ["a.rs", "b.rs"]
        );
        assert_eq!(
            files(&[root, ("a.rs", "use super::b::B;"), ("b.rs", "// crate::a::g\n")]),
            Vec::<String>::new()
        );
        assert_eq!(
            files(&[
                root,
                ("a/mod.rs", "mod x;\nuse x::X;\nuse self::x::Y;"),
                ("a/x.rs", "use super::f;"),
                ("b.rs", "")
            ]),
            ["a/mod.rs", "a/x.rs"]
        );
        // Tests may need what they like.
        assert_eq!(
            files(&[
                root,
                ("a.rs", "use crate::b::B;"),
                ("b.rs", "\n#[cfg(test)]\nmod tests { use crate::a::g; }")
            ]),
            Vec::<String>::new()
        );
    }
}
