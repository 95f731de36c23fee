//! Committed files: the root holds known ones, and no file is large.

use std::path::Path;
use std::process::Command;

/// The files of the root. Whatever else lies there was committed by mistake.
const ROOT: [&str; 10] = [
    ".gitignore",
    "ARCHITECTURE.md",
    "BENCHMARKS.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "NUMERICS.md",
    "README.md",
    "clippy.toml",
    "rustfmt.toml",
];

/// The most bytes of a committed file.
const LARGEST: u64 = 3 << 20;

/// Files of the root that are not known, and files that are too large.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output();
    let Some(listed) = listed.ok().filter(|listed| listed.status.success()) else {
        println!("skipped: committed files are not looked at, since this is no checkout of git");
        return Ok(Vec::new());
    };
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let size = |name: &str| std::fs::metadata(root.join(name)).map_or(0, |file| file.len());
    Ok(names.split_terminator('\0').filter_map(|name| problem(name, size(name))).collect())
}

fn problem(name: &str, bytes: u64) -> Option<String> {
    if !name.contains('/') && !ROOT.contains(&name) {
        return Some(format!("{name} is no file of the root: remove it, or name it in xtask/src/files.rs"));
    }
    let too_large = bytes > LARGEST;
    too_large
        .then(|| format!("{name} has {bytes} bytes, a committed file at most {LARGEST}: make it smaller"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_of_python_in_the_root_is_found() {
        assert!(problem("numpy-2.4.6-cp311-cp311-manylinux_2_28_x86_64.whl", 10).is_some());
        assert!(problem("crates/testing/tests/golden/all.json", LARGEST + 1).is_some());
        assert_eq!(problem("README.md", 10), None);
        assert_eq!(problem("crates/base/src/lib.rs", LARGEST), None);
    }
}
