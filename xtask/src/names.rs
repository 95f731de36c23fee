//! Names of public types: a name has one meaning in all crates.
//!
//! A type is public if its crate's root reaches it by `pub mod` and `pub use`, also under another name and by `*`. Types that a macro
//! names from its arguments are seen where the call spells `pub struct NAME`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::circles::module;
use crate::edges::crates;
use crate::sources::{rust_files, use_tree, without_tests};

/// The names that each crate may define for itself, as is the custom in Rust.
const OF_EACH_CRATE: [&str; 2] = ["Error", "Result"];

/// How definitions of types begin, after `pub`.
const KINDS: [&str; 6] = ["struct ", "enum ", "trait ", "unsafe trait ", "type ", "union "];

/// The most `use`s on the way from a name to its definition.
const FARTHEST: usize = 16;

/// A module by its path, the crate's folder first: `["hlo", "ops"]`.
type Place = Vec<String>;

/// A `use`: the path, the name that it gives, `*` for all names of a module, and whether it is `pub`.
struct Use {
    path: Vec<String>,
    name: String,
    is_public: bool,
}

#[derive(Default)]
struct Module {
    /// Public types, each with the file that defines it. Variants of a file for different builds are one definition.
    types: BTreeMap<String, String>,
    uses: Vec<Use>,
    /// The modules below, and which of them are `pub`.
    modules: BTreeMap<String, bool>,
}

/// The thing that a path names.
enum Named {
    Module(Place),
    /// A type, by the file that defines it or its path in a foreign crate.
    Type(String),
}

#[derive(Default)]
struct Sources(BTreeMap<Place, Module>);

/// The names of public types with more than one definition.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let mut sources = Sources::default();
    for folder in crates(root)? {
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let source = folder.join("src");
        for file in rust_files(&source)? {
            let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
            sources.add(&name, &file.strip_prefix(&source).unwrap_or(&file).display().to_string(), &text);
        }
    }
    Ok(sources.with_two_meanings())
}

impl Sources {
    fn add(&mut self, of: &str, file: &str, text: &str) {
        if file == "main.rs" {
            return;
        }
        let mut place = vec![of.replace('-', "_")];
        place.extend(module(file));
        self.0.entry(place.clone()).or_default();
        // Modules inside of the file, each with the indent of its first and last line.
        let mut inside: Vec<String> = Vec::new();
        let mut lines = without_tests(text).lines();
        while let Some(line) = lines.next() {
            let code = line.trim_start();
            let indent = &line[..line.len() - code.len()];
            if code == "}" && inside.last().is_some_and(|of_module| of_module == indent) {
                inside.pop();
                place.pop();
                continue;
            }
            let (is_public, item) = match code.strip_prefix("pub") {
                Some(rest) if rest.starts_with(' ') => (true, rest.trim_start()),
                Some(rest) if rest.starts_with('(') => {
                    (false, rest.split_once(") ").map_or("", |(_, item)| item))
                }
                _ => (false, code),
            };
            let here = self.0.entry(place.clone()).or_default();
            if let Some(rest) = item.strip_prefix("mod ") {
                let name = word(rest);
                if !name.is_empty() {
                    here.modules.insert(name.to_owned(), is_public);
                    if rest.ends_with('{') {
                        inside.push(indent.to_owned());
                        place.push(name.to_owned());
                    }
                }
            } else if let Some(rest) = item.strip_prefix("use ") {
                let mut tree = rest.to_owned();
                while !tree.contains(';') {
                    let Some(more) = lines.next() else { break };
                    tree.push_str(more.split("//").next().unwrap_or_default().trim());
                }
                let mut found = Vec::new();
                use_tree(tree.split(';').next().unwrap_or_default(), &[], &mut found);
                here.uses.extend(found.into_iter().map(|(path, name)| Use { path, name, is_public }));
            } else if let Some(name) = KINDS.iter().find_map(|kind| item.strip_prefix(kind)).map(word)
                && is_public
                && !name.is_empty()
            {
                here.types.insert(name.to_owned(), format!("crates/{of}/src/{file}"));
            }
        }
    }

    /// Everything that `name` means in a module: to itself, with all its `use`s, or to others.
    fn meanings(&self, place: &Place, name: &str, to_itself: bool, depth: usize) -> Vec<Named> {
        let Some(module) = self.0.get(place).filter(|_| depth > 0) else { return Vec::new() };
        let mut found = Vec::new();
        if module.modules.contains_key(name) {
            found.push(Named::Module([place.as_slice(), &[name.to_owned()]].concat()));
        }
        found.extend(module.types.get(name).cloned().map(Named::Type));
        let uses = || module.uses.iter().filter(|one| to_itself || one.is_public);
        for one in
            uses().filter(|one| one.name == name && one.path.first().is_some_and(|first| first != name))
        {
            found.extend(self.resolve(place, &one.path, depth - 1));
        }
        // A name that stands there goes before names of `*`.
        if found.is_empty() {
            for one in uses().filter(|one| one.name == "*") {
                for named in self.resolve(place, &one.path, depth - 1) {
                    if let Named::Module(of) = named {
                        found.extend(self.meanings(&of, name, false, depth - 1));
                    }
                }
            }
        }
        found
    }

    /// Everything that a path means in a module.
    fn resolve(&self, place: &Place, path: &[String], depth: usize) -> Vec<Named> {
        let Some((first, mut rest)) = path.split_first() else { return Vec::new() };
        let of_project = vec![first.strip_prefix("jarrah_").unwrap_or(first).to_owned()];
        let mut now = match first.as_str() {
            "crate" => vec![Named::Module(place[..1].to_vec())],
            "self" => vec![Named::Module(place.clone())],
            "super" => {
                let mut above = place[..place.len().saturating_sub(1)].to_vec();
                while let Some(("super", more)) = rest.split_first().map(|(next, more)| (next.as_str(), more))
                {
                    above.pop();
                    rest = more;
                }
                vec![Named::Module(above)]
            }
            _ if first.starts_with("jarrah") && self.0.contains_key(&of_project) => {
                vec![Named::Module(of_project)]
            }
            _ => self.meanings(place, first, true, depth),
        };
        if now.is_empty() {
            let is_foreign = path.last().is_some_and(|name| is_type(name));
            return if is_foreign { vec![Named::Type(path.join("::"))] } else { Vec::new() };
        }
        for name in rest {
            let of = |named| match named {
                Named::Module(of) => self.meanings(&of, name, false, depth),
                // Variants of an enum, and items of foreign crates' modules.
                Named::Type(_) => Vec::new(),
            };
            now = now.into_iter().flat_map(of).collect();
        }
        now
    }

    /// The public names, each with the definitions of its types.
    fn public(&self) -> BTreeMap<&str, BTreeSet<String>> {
        let mut names: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        let mut open: Vec<Place> = self.0.keys().filter(|place| place.len() == 1).cloned().collect();
        let mut seen = BTreeSet::new();
        while let Some(place) = open.pop() {
            let Some(module) = self.0.get(&place).filter(|_| seen.insert(place.clone())) else { continue };
            for (name, file) in &module.types {
                names.entry(name).or_default().insert(file.clone());
            }
            for (name, _) in module.modules.iter().filter(|(_, is_public)| **is_public) {
                open.push([place.as_slice(), std::slice::from_ref(name)].concat());
            }
            for one in module.uses.iter().filter(|one| one.is_public) {
                for named in self.resolve(&place, &one.path, FARTHEST) {
                    match named {
                        Named::Module(of) => open.push(of),
                        // The names of an enum's variants.
                        Named::Type(_) if one.name == "*" => {}
                        Named::Type(definition) => {
                            names.entry(&one.name).or_default().insert(definition);
                        }
                    }
                }
            }
        }
        names
    }

    fn with_two_meanings(&self) -> Vec<String> {
        let two = self
            .public()
            .into_iter()
            .filter(|(name, definitions)| definitions.len() > 1 && !OF_EACH_CRATE.contains(name));
        let problem = |(name, definitions): (&str, BTreeSet<String>)| {
            let all: Vec<String> = definitions.into_iter().collect();
            format!("the public name {name} has more than one meaning: {}", all.join(", "))
        };
        two.map(problem).collect()
    }
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// Whether a name is in the case of types: functions and constants have another one.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && (name.len() == 1 || name.contains(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(all: &[(&str, &str, &str)]) -> Vec<String> {
        let mut sources = Sources::default();
        all.iter().for_each(|(of, file, text)| sources.add(of, file, text));
        sources.with_two_meanings()
    }

    #[test]
    fn a_public_name_with_two_definitions_is_found() {
        let root = ("a", "lib.rs", "pub mod one;\nmod two;\npub use two::*;\n");
        let one = ("a", "one.rs", "pub struct Op;\npub type Result = ();\n");
        let two =
            ("a", "two/mod.rs", "mod three;\npub use three::{\n    Third as Op, // a comment\n    f,\n};\n");
        let three = ("a", "two/three.rs", "pub enum Third {}\npub type Result = ();\n");
        assert_eq!(
            problems(&[root, one, two, three]),
            ["the public name Op has more than one meaning: crates/a/src/one.rs, crates/a/src/two/three.rs"]
        );
        // Of another crate, and of a crate outside of the project.
        let other =
            ("b-c", "lib.rs", "pub use jarrah_a::two::*;\npub mod inside {\n    pub trait Op {}\n}\n");
        assert!(problems(&[root, one, other])[0].ends_with("crates/a/src/one.rs, crates/b-c/src/lib.rs"));
        let foreign = ("b", "lib.rs", "pub use syn::Op;\n");
        assert!(problems(&[root, one, foreign])[0].ends_with("crates/a/src/one.rs, syn::Op"));
    }

    #[test]
    fn one_definition_under_many_paths_and_private_types_are_no_fault() {
        let root = (
            "a",
            "lib.rs",
            "pub mod one;\nmod two;\npub use self::one::Op;\nuse two::f;\npub enum Kind {}\npub use Kind::*;\n",
        );
        let one = ("a", "one.rs", "pub struct Op;\n#[cfg(test)]\nmod tests {\n    pub struct Load;\n}\n");
        let two = ("a", "two.rs", "pub struct Op;\npub(crate) struct Load;\n");
        let other = (
            "b",
            "lib.rs",
            "pub use jarrah_a::{Op, one};\npub struct Load;\npub enum Way {}\npub use Way::*;\nmod inside {\n    pub struct Op;\n}\n",
        );
        let main = ("b", "main.rs", "pub mod inside;\n");
        // Variants for different builds.
        let variants = (
            "c",
            "lib.rs",
            "mod with {\n    pub struct Tls;\n}\nmod without {\n    pub enum Tls {}\n}\npub use with::Tls;\npub use without::Tls;\n",
        );
        assert_eq!(problems(&[root, one, two, other, main, variants]), Vec::<String>::new());
    }
}
