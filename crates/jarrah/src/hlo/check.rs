use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use jarrah::{Error, Result};
use jarrah_base::parallel::{cores, map};
use jarrah_hlo_format::{EntryFunction, PrintOptions, ir, lower, print_tree, read};
use jarrah_runtime::CompileOptions;

use super::random::{Rng, literal};
use super::{client, count, load};
use crate::cli::{Backend, Check};
use crate::output::show;

/// The outcome of checking a file.
struct Outcome {
    path: PathBuf,
    functions: usize,
    checks: usize,
    failures: Vec<String>,
}

pub fn check(arguments: &Check) -> Result<()> {
    let begun = Instant::now();
    let backends = match arguments.backend {
        Some(backend) => vec![backend],
        None => vec![Backend::Reference, Backend::Cpu],
    };
    let mut files = Vec::new();
    for path in &arguments.files {
        load::files(path, &mut files)?;
    }
    if files.is_empty() {
        let folders: Vec<String> = arguments.files.iter().map(|path| path.display().to_string()).collect();
        return Err(Error::input(format!("there is no program in {}", folders.join(", ")))
            .help("programs end in .mlir, .mlirbc, .bc or .jax_export"));
    }
    let threads = match arguments.threads {
        0 => cores(),
        threads => threads,
    };
    let outcomes = map(threads, &files, |path| {
        let outcome = file(path, &backends);
        if arguments.verbose || !outcome.failures.is_empty() {
            // If this cannot be written, neither can the summary, and that is an error.
            let _ = show(&described(&outcome));
        }
        outcome
    });
    let failed: Vec<&Outcome> = outcomes.iter().filter(|o| !o.failures.is_empty()).collect();
    let sum = |f: fn(&Outcome) -> usize| outcomes.iter().map(f).sum::<usize>();
    show(&format!(
        "{}: {} passed, {} failed; {}, {} on {} in {:.1} s\n",
        count(outcomes.len(), "file"),
        outcomes.len() - failed.len(),
        failed.len(),
        count(sum(|o| o.functions), "function"),
        count(sum(|o| o.checks), "check"),
        backends.iter().map(|b| b.name()).collect::<Vec<_>>().join(" and "),
        begun.elapsed().as_secs_f64()
    ))?;
    if failed.is_empty() {
        return Ok(());
    }
    for outcome in &failed {
        show(&format!("failed: {}\n", outcome.path.display()))?;
    }
    Err(Error::input(format!("{} of {} files failed", failed.len(), outcomes.len())))
}

fn described(outcome: &Outcome) -> String {
    let verdict = if outcome.failures.is_empty() { "ok" } else { "FAILED" };
    let mut text = format!("{verdict}  {} ({})\n", outcome.path.display(), count(outcome.checks, "check"));
    for failure in &outcome.failures {
        text += &format!("    {}\n", failure.replace('\n', "\n    "));
    }
    text
}

/// Everything about one file; a defect of ours is a failure of the file, not the end of the command.
fn file(path: &Path, backends: &[Backend]) -> Outcome {
    let mut outcome = Outcome { path: path.to_owned(), functions: 0, checks: 0, failures: Vec::new() };
    let ended = catch_unwind(AssertUnwindSafe(|| {
        if let Err(error) = modules(path, backends, &mut outcome) {
            outcome.failures.push(error.to_string());
        }
    }));
    if ended.is_err() {
        outcome.failures.push("the command panicked: a defect".to_owned());
    }
    outcome
}

fn modules(path: &Path, backends: &[Backend], outcome: &mut Outcome) -> Result<()> {
    let modules = load::file(path)?.modules;
    for module in &modules {
        load::verify(module)?;
        printed_again(module)?;
        for checked in jarrah_hlo_format::checked(module)? {
            outcome.functions += 1;
            // A function without assertions is not run: on made-up arguments it might never end.
            if checked.checks.is_empty() {
                continue;
            }
            outcome.checks += checked.checks.len() * backends.len();
            for &backend in backends {
                if let Err(error) = function(&checked, backend) {
                    let name = checked.program.name();
                    outcome.failures.push(format!("@{name} on {}: {error}", backend.name()));
                }
            }
        }
    }
    Ok(())
}

/// Printing what was read, reading that and printing it again gives the same text.
fn printed_again(module: &ir::IrModule) -> Result<()> {
    let options = PrintOptions::default();
    let once = print_tree(module, &options);
    let (_, again) = read("<printed>", once.as_bytes())?;
    match &again[..] {
        [again] if print_tree(again, &options) == once => Ok(()),
        _ => Err(Error::internal("the printed text does not print the same when it is read again")),
    }
}

fn function(checked: &EntryFunction, backend: Backend) -> Result<()> {
    let client = client(backend, 1, 1)?;
    let executable = client.compile(&checked.program, &CompileOptions::default())?;
    let mut rng = Rng::new(0);
    let arguments =
        checked.program.param_types().into_iter().map(|ty| client.upload(&literal(ty, &mut rng)?));
    let results = executable.run(arguments.collect::<Result<_>>()?)?;
    let results = results.iter().map(|buffer| buffer.read()).collect::<Result<Vec<_>>>()?;
    for check in &checked.checks {
        if let Err(message) = lower::check(check, &results) {
            let error = Error::program(message);
            return Err(check.location.map_or(error.clone(), |location| error.at(location)));
        }
    }
    Ok(())
}
