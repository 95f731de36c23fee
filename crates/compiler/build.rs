//! Names the build after the sources that decide what programs are compiled to.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The crates whose sources count. Where they do not lie beside each other they were published, and a version says what
/// they are.
const CRATES: [&str; 4] = ["base", "hlo", "tile", "compiler"];

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hasher = DefaultHasher::new();
    env::var("CARGO_PKG_VERSION").unwrap_or_default().hash(&mut hasher);
    for name in CRATES {
        let sources = here.join("..").join(name).join("src");
        if sources.is_dir() {
            println!("cargo:rerun-if-changed={}", sources.display());
            add(&sources, &mut hasher)?;
        }
    }
    println!("cargo:rustc-env=JARRAH_BUILD={:016x}", hasher.finish());
    Ok(())
}

fn add(folder: &Path, hasher: &mut impl Hasher) -> io::Result<()> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add(&path, hasher)?;
        } else {
            path.file_name().hash(hasher);
            fs::read(&path)?.hash(hasher);
        }
    }
    Ok(())
}
