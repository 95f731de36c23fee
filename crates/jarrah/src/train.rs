use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah::run::{RunFolder, is_run, missing};
use jarrah::train::recipe::{Recipe, Settings};
use jarrah::train::{End, RunStart, Stop, train as run};
use jarrah::{Error, Result};
use jarrah_base::quoted;

use crate::cli::{Keys, Train};
use crate::jax::checkpoint_at;
use crate::output::{console, note, show};
use crate::signals::{self, Signals};
use crate::steps::Steps;

/// The exit status that a shell gives a command interrupted by Ctrl-C.
const INTERRUPTED: i32 = 130;
/// Said of a new run that was stopped before there is anything to keep of it.
const STOPPED_EARLY: &str = "stopped before the first step: nothing is lost, and nothing is left";
/// Said of a resumed run that was stopped before it went on.
const STOPPED_RESUMING: &str = "stopped before a step: the run is as it was";

pub fn train(arguments: Train) -> Result<()> {
    let Train { arguments, data, model, out, resume, step, rename, keys, help_recipe } = arguments;
    let keys = keys.or(help_recipe.then_some(Keys::Table));
    // `--data src steps=200`: the last one is no path.
    let (more, data): (Vec<String>, Vec<String>) =
        data.into_iter().partition(|a| is_setting(a) && !Path::new(a).exists());
    let (mut overrides, recipes): (Vec<String>, Vec<String>) =
        arguments.into_iter().partition(|a| a.contains('=') && !Path::new(a).exists());
    overrides.extend(more);
    let (weights, going) = match resume {
        Some(path) => match checkpoint_at(&path, step) {
            Some(saved) => (Some(saved), None),
            None => (None, Some(path)),
        },
        None => (None, None),
    };
    let start = match going {
        Some(run) => {
            let given =
                [("--data", !data.is_empty()), ("--model", model.is_some()), ("--out", out.is_some())];
            resumed(
                run,
                step,
                overrides,
                &recipes,
                &[&given[..], &[("--rename", rename.is_some())]].concat(),
            )?
        }
        None => {
            let mut recipe = new_recipe(&recipes, &overrides, &data)?;
            if let Some(weights) = &weights {
                recipe.model.weights = Some(weights.display().to_string());
                recipe.model.rename = rename.map(|file| file.display().to_string()).or(recipe.model.rename);
            }
            if !data.is_empty() {
                recipe.data.paths = data;
            }
            recipe.model.name = model.or(recipe.model.name);
            recipe.out = out.or(recipe.out);
            RunStart::New(Box::new(recipe))
        }
    };
    if let Some(keys) = keys {
        let recipe = match start {
            RunStart::New(recipe) => *recipe,
            RunStart::Resume { run, overrides, .. } => {
                let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
                Recipe::of_run(&run, &overrides)?
            }
        };
        return show(&match keys {
            Keys::Table => recipe.help(),
            Keys::Toml => recipe.to_toml(),
        });
    }
    let is_new = matches!(start, RunStart::New(_));
    let stop = stop_on_signals(if is_new { STOPPED_EARLY } else { STOPPED_RESUMING })?;
    let outcome = run(start, &stop, &mut console())?;
    let (command, run) = (command(), quoted(outcome.run.display()));
    if is_new && outcome.end == End::Stopped && outcome.step == 0 && RunFolder::remove_unbegun(&outcome.run)?
    {
        note(STOPPED_EARLY);
        std::process::exit(INTERRUPTED);
    }
    let next = match outcome.end {
        End::Stopped => {
            format!("stopped at step {}; go on with: {command} train --resume {run}", outcome.step)
        }
        End::Complete => {
            let prompt = quoted(&outcome.prompt);
            let chat = if outcome.chat { " --chat" } else { "" };
            let board = quoted(
                outcome
                    .run
                    .parent()
                    .filter(|above| above.ends_with("runs"))
                    .unwrap_or(&outcome.run)
                    .display(),
            );
            format!(
                "look at it: {command} dashboard {board}\ntalk to it: {command} chat {run}\nserve it: {command} serve {run}\n\
                 next: {command} generate {run}{chat} --prompt {prompt} --max-tokens 200"
            )
        }
    };
    show(&format!("{next}\n"))
}

/// Checks that there is something to go on with, and the step that is asked for.
fn is_there(path: &Path, step: Option<u64>) -> Result<()> {
    if is_run(path) {
        return Ok(());
    }
    match Steps::find(path, step)? {
        Some(steps) => steps.at(step).map(drop),
        None if path.exists() => Ok(()),
        None => Err(missing(path)),
    }
}

/// A run that goes on. What begins a run is not `given` then.
fn resumed(
    run: PathBuf,
    step: Option<u64>,
    overrides: Vec<String>,
    recipes: &[String],
    given: &[(&str, bool)],
) -> Result<RunStart> {
    if let Some((flag, _)) = given.iter().find(|(_, is)| *is) {
        is_there(&run, step)?;
        let error =
            format!("{flag} is for a run that begins, and --resume {} goes on with one", run.display());
        return Err(Error::input(error).help(
            "leave one of them out; weights that a JAX program saved by Orbax begin a run: name the folder of a checkpoint",
        ));
    }
    match recipes {
        [] => Ok(RunStart::Resume { run, overrides, step }),
        [recipe, ..] => {
            Err(Error::input(format!("--resume goes on with the run's own recipe, not with {recipe}"))
                .help("change keys of it as key=value"))
        }
    }
}

/// The recipe of a run that begins.
fn new_recipe(recipes: &[String], overrides: &[String], data: &[String]) -> Result<Recipe> {
    let overrides: Vec<&str> = overrides.iter().map(String::as_str).collect();
    match recipes {
        [first, other, ..] => {
            let error = Error::input(format!("one recipe at a time: what is {other}?"));
            Err(error.help(format!(
                "keys are changed as key=value, as {first}={other} if {first} is a key; text is given with --data"
            )))
        }
        [file] => Recipe::from_file(Path::new(file), &overrides).map_err(|e| mistaken(e, file)),
        [] => {
            if let Some(text) = data.iter().find(|path| path.ends_with(".toml")) {
                note(&format!("warning: {text} is read as text; before --data it would be the recipe"));
            }
            Recipe::from_toml("", "", &overrides)
        }
    }
}

/// An argument that is no recipe may be a key without its value, or a run.
fn mistaken(error: Error, argument: &str) -> Error {
    let path = Path::new(argument);
    match Recipe::default().keys().iter().find(|key| key.name == argument && !path.exists()) {
        Some(_) => error.help(format!("a key is changed as {argument}=VALUE")),
        None if path.is_dir() => {
            error.help(format!("train --resume {} goes on with a run", quoted(argument)))
        }
        None => error,
    }
}

/// Whether the argument has the form of a change to a key, whether or not there is one of this name: `stpes=5` is a mistake, and no path. Paths may have
/// the sign too, behind a slash, or before what only a glob has: `year=2024/*.txt`.
fn is_setting(argument: &str) -> bool {
    let Some((key, value)) = argument.split_once('=') else { return false };
    let key = key.trim();
    let is_name = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    let is_known = Recipe::default().keys().iter().any(|known| known.name == key);
    is_known || is_name && !value.contains(['*', '?', '['])
}

/// Asked to stop at the first Ctrl-C or termination signal, if there is something to save; else, and at a second one, the
/// process ends at once. A run that has not begun is told of by `early`.
fn stop_on_signals(early: &'static str) -> Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let asked = stop.clone();
    let handler = move || {
        let again = asked.is_asked();
        if !asked.ask() {
            note(&format!("\n{early}"));
            std::process::exit(INTERRUPTED);
        }
        if again {
            std::process::exit(INTERRUPTED);
        }
        note("\nstopping: saving a checkpoint (once more to end at once)");
    };
    signals::listen(Signals::All, handler)?;
    Ok(stop)
}

/// How this program was called, to call it again.
pub fn command() -> String {
    // Cargo says so to what it runs.
    if std::env::var_os("CARGO_MANIFEST_DIR").is_some() {
        return "cargo run --release --".to_owned();
    }
    quoted(std::env::args().next().unwrap_or_else(|| "jarrah".to_owned()))
}
