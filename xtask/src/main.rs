//! The project's chores: see `README.md`.

mod circles;
mod coverage;
mod edges;
mod exhaustive;
mod files;
mod instructions;
mod long;
mod names;
mod pages;
mod profiles;
mod ratchet;
mod refusals;
mod sources;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ratchet::Ratchet;

/// The places that may only become fewer.
const RATCHETS: [Ratchet; 3] = [words::WORDS, circles::CIRCLES, long::LONG];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default();
    let option = std::env::args().nth(2);
    let outcome = match std::env::args().nth(1).as_deref() {
        Some("tidy") => tidy(&root),
        Some("bless") => bless(&root),
        Some("lines") => sources::lines(&root),
        Some("names") => names::check(&root).and_then(none),
        Some("instructions") => instructions::instructions(&root, option.as_deref() == Some("--bless")),
        Some("exhaustive") => exhaustive::exhaustive(&root, option.as_deref()),
        Some(name) if let Some(ratchet) = RATCHETS.iter().find(|ratchet| ratchet.name == name) => {
            ratchet.list(&root, option.as_deref())
        }
        _ => Err(
            "usage: cargo xtask tidy|bless|lines|names|words [CRATE]|circles [CRATE]|long [CRATE]|instructions [--bless]|exhaustive [STRIDE]"
                .to_owned(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Files that are generated, with what they must hold.
fn generated(root: &Path) -> Result<Vec<(PathBuf, String)>, String> {
    Ok(vec![
        (root.join("docs/refusals.md"), refusals::table().map_err(|e| e.to_string())?),
        (root.join("docs/coverage.md"), coverage::page(root)?),
    ])
}

fn tidy(root: &Path) -> Result<(), String> {
    let mut problems = edges::check(root)?;
    problems.extend(sources::check(root)?);
    problems.extend(pages::check(root)?);
    problems.extend(names::check(root)?);
    problems.extend(profiles::check(root)?);
    problems.extend(files::check(root)?);
    for ratchet in &RATCHETS {
        problems.extend(ratchet.check(root)?);
    }
    for (path, wanted) in generated(root)? {
        if std::fs::read_to_string(&path).ok().as_deref() != Some(&wanted) {
            problems.push(format!("{} is not current: run cargo xtask bless", path.display()));
        }
    }
    none(problems)
}

/// An error of all problems, if there are any.
fn none(problems: Vec<String>) -> Result<(), String> {
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

fn bless(root: &Path) -> Result<(), String> {
    RATCHETS.iter().try_for_each(|ratchet| ratchet.bless(root))?;
    for (path, wanted) in generated(root)? {
        let folder = path.parent().unwrap_or(root);
        std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        std::fs::write(&path, wanted).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}
