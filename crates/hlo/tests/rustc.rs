//! Texts that compile, or do not, and what the compiler says; tests of other crates use this file too.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The newest library of a crate among those this test was linked with.
fn library(deps: &Path, name: &str) -> PathBuf {
    let wanted = |p: &PathBuf| {
        let file = p.file_name().and_then(|f| f.to_str()).unwrap_or("");
        file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib")
    };
    let files = std::fs::read_dir(deps).unwrap().flatten().map(|e| e.path()).filter(wanted);
    files.max_by_key(|p| p.metadata().and_then(|m| m.modified()).unwrap()).unwrap()
}

/// Whether rustc accepts the text, a library that uses the crate `name`, and what it says.
pub fn compile(text: &str, name: &str) -> (bool, String) {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_path_buf();
    let folder = std::env::temp_dir().join(format!("rustc-{name}-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("text.rs");
    std::fs::write(&source, text).unwrap();
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    // The lines of the crates that messages show are found from here.
    rustc.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    rustc.args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata"]);
    // Only this one is named: what it depends on is found by its hash.
    rustc.arg("--extern").arg(format!("{name}={}", library(&deps, name).display()));
    rustc.arg("-L").arg(format!("dependency={}", deps.display()));
    let output = rustc.arg("--out-dir").arg(&folder).arg(&source).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}
