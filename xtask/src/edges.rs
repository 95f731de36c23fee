//! Which crate may depend on which.

use std::collections::BTreeMap;
use std::path::Path;

/// The dependencies of every crate that `edges.toml` does not allow.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let allowed: BTreeMap<String, Vec<String>> = read(&root.join("xtask/edges.toml"))?;
    let mut problems = Vec::new();
    for folder in crates(root)? {
        let name = folder.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        let manifest: toml::Table = read(&folder.join("Cargo.toml"))?;
        let package = manifest.get("package").and_then(|p| p.get("name")).and_then(|n| n.as_str());
        let expected = if name == "jarrah" { name.clone() } else { format!("jarrah-{name}") };
        if package != Some(&expected) {
            problems.push(format!("crates/{name}: the package must be called {expected}"));
        }
        if !folder.join("README.md").is_file() {
            problems.push(format!("crates/{name} has no README.md"));
        }
        let Some(edges) = allowed.get(&name) else {
            problems.push(format!("crates/{name} has no line in xtask/edges.toml"));
            continue;
        };
        let dependencies = manifest.get("dependencies").and_then(|d| d.as_table());
        for dependency in dependencies.into_iter().flat_map(|d| d.keys()) {
            let Some(other) = dependency.strip_prefix("jarrah-") else { continue };
            if !edges.iter().any(|e| e == other || e == "*") {
                problems.push(format!(
                    "crates/{name} must not depend on {other}: xtask/edges.toml has no such edge"
                ));
            }
        }
    }
    Ok(problems)
}

/// The folders of all crates.
pub(crate) fn crates(root: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let entries = std::fs::read_dir(root.join("crates")).map_err(|e| format!("crates: {e}"))?;
    let mut folders: Vec<_> =
        entries.flatten().map(|e| e.path()).filter(|p| p.join("Cargo.toml").is_file()).collect();
    folders.sort();
    Ok(folders)
}

pub(crate) fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))
}
