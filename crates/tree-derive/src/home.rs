//! The path by which the crate that derives reaches `jarrah-tree`.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Result};
use toml::Table;

/// The crates that hold the trait, and where in them; the first that is a dependency is used.
const HOMES: [(&str, Option<&str>); 3] =
    [("jarrah-tree", None), ("jarrah", Some("tree")), ("jarrah-array", Some("tree"))];

/// The path of `#[tree(crate = path)]`, else the path through a dependency of the crate that is being compiled.
pub(crate) fn path(attributes: &[Attribute]) -> Result<TokenStream> {
    let mut given = None;
    for attribute in attributes.iter().filter(|a| a.path().is_ident("tree")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.get_ident().is_none_or(|i| i != "crate") {
                return Err(meta.error("the only attribute of a tree is `crate = path`"));
            }
            let path = meta.value()?.call(syn::Path::parse_mod_style)?;
            given = Some(quote!(#path));
            Ok(())
        })?;
    }
    Ok(given.unwrap_or_else(dependency))
}

fn dependency() -> TokenStream {
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").map(|folder| PathBuf::from(folder).join("Cargo.toml"));
    let found = manifest.as_deref().and_then(|manifest| {
        let table = read(manifest)?;
        HOMES.iter().find_map(|(package, module)| Some((name_of(package, &table, manifest)?, *module)))
    });
    // Without a manifest, as under another build tool, crates have their own names.
    let (name, module) = found.unwrap_or(("jarrah_tree".to_owned(), None));
    let name = format_ident!("{}", name.replace('-', "_"));
    match module.map(|module| format_ident!("{module}")) {
        Some(module) => quote!(::#name::#module),
        None => quote!(::#name),
    }
}

fn read(manifest: &Path) -> Option<Table> {
    std::fs::read_to_string(manifest).ok()?.parse().ok()
}

/// The name under which the crate with this manifest knows a package: its own, or that of a dependency.
fn name_of(package: &str, table: &Table, manifest: &Path) -> Option<String> {
    if table.get("package").and_then(|own| own.get("name")?.as_str()) == Some(package) {
        return Some(package.to_owned());
    }
    let targets = table.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values).filter_map(toml::Value::as_table);
    let sections = std::iter::once(table).chain(targets);
    let dependencies = sections.flat_map(|section| {
        ["dependencies", "dev-dependencies"].into_iter().filter_map(|kind| section.get(kind)?.as_table())
    });
    let mut dependencies = dependencies.flatten();
    dependencies
        .find(|(name, entry)| is_package(package, name, entry, Some(manifest)))
        .map(|(name, _)| name.clone())
}

/// Whether a dependency is on this package: by its name, a `package` key, or one in the workspace's table.
fn is_package(package: &str, name: &str, entry: &toml::Value, manifest: Option<&Path>) -> bool {
    if let Some(renamed) = entry.get("package").and_then(toml::Value::as_str) {
        return renamed == package;
    }
    if entry.get("workspace").is_some() {
        let inherited = manifest.and_then(|manifest| workspace_entry(manifest, name));
        return inherited.map_or(name == package, |entry| is_package(package, name, &entry, None));
    }
    name == package
}

/// The entry of a dependency in the workspace that the manifest belongs to.
fn workspace_entry(manifest: &Path, name: &str) -> Option<toml::Value> {
    let folders = manifest.parent()?.ancestors();
    let workspace =
        folders.filter_map(|folder| read(&folder.join("Cargo.toml"))?.remove("workspace")).next()?;
    workspace.get("dependencies")?.get(name).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(package: &str, text: &str) -> Option<String> {
        name_of(package, &text.parse().unwrap(), Path::new("Cargo.toml"))
    }

    #[test]
    fn comments_are_not_dependencies() {
        assert_eq!(name("jarrah-tree", "# jarrah-tree is not needed\n[dependencies]\njarrah = \"1\""), None);
    }

    #[test]
    fn dependencies_may_be_renamed() {
        let text = "[dependencies]\npytree = { package = \"jarrah-tree\", path = \"..\" }";
        assert_eq!(name("jarrah-tree", text).unwrap(), "pytree");
        // Another package may have taken the name.
        assert_eq!(name("jarrah-tree", "[dependencies]\njarrah-tree = { package = \"other\" }"), None);
    }

    #[test]
    fn every_section_counts() {
        for section in
            ["dependencies.jarrah", "dev-dependencies.jarrah", "target.'cfg(unix)'.dependencies.jarrah"]
        {
            assert_eq!(name("jarrah", &format!("[{section}]\nversion = \"1\"")).unwrap(), "jarrah");
        }
    }

    #[test]
    fn workspaces_may_rename_too() {
        let root = std::env::temp_dir().join(format!("jarrah-home-{}", std::process::id()));
        let member = root.join("member");
        std::fs::create_dir_all(&member).unwrap();
        let workspace = "[workspace]\ndependencies.trees = { package = \"jarrah-tree\", version = \"1\" }";
        std::fs::write(root.join("Cargo.toml"), workspace).unwrap();
        let manifest = "[dependencies]\ntrees.workspace = true".parse().unwrap();
        let found = name_of("jarrah-tree", &manifest, &member.join("Cargo.toml"));
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(found.unwrap(), "trees");
    }
}
