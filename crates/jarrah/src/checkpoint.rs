use std::path::Path;
use std::process::ExitCode;

use jarrah::checkpoint::{Checkpoint as Saved, Keep, Listing, list_of};
use jarrah::train::metrics;
use jarrah::train::size;
use jarrah::{Error, Result};
use jarrah_base::quoted;

use crate::cli::Checkpoint;
use crate::output::show;
use crate::steps::{Steps, is_of_others, located};
use crate::{prune, stored};

pub fn checkpoint(action: Checkpoint) -> Result<ExitCode> {
    let done = match action {
        Checkpoint::Diff { first, second, step, tolerance, json } => {
            return stored::diff(&first, &second, step, tolerance, json);
        }
        Checkpoint::List { run } => {
            let steps = Steps::of(&run)?;
            match steps.are_ours()? || steps.all()?.is_empty() {
                true => shown(&listing(&run, &steps, None)?),
                false => prune::list(&steps),
            }
        }
        Checkpoint::Verify { path, step } => match Steps::find(&path, step)? {
            Some(steps) if steps.are_ours()? => verify(&path, &listing(&path, &steps, step)?),
            Some(steps) if step.is_none() => verify_of_others(&steps),
            _ => stored::verify(&located(&path, step)?),
        },
        Checkpoint::Hash { run, step } => {
            let checkpoint = Saved::open(Steps::of(&run)?.at(step)?)?;
            checkpoint.verify()?;
            show(&format!("{} step {}\n", checkpoint.hash()?, checkpoint.step()))
        }
        Checkpoint::Show { path, step, stats, json } => stored::print(&path, step, stats, json),
        Checkpoint::Get { path, leaf, step, out } => stored::get(&path, step, &leaf, out.as_deref()),
        Checkpoint::Convert { from, to, format, rename, dtype, step } => {
            stored::convert(&from, step, &to, format, rename.as_deref(), dtype)
        }
        Checkpoint::Prune { path, keep, every, best, highest, dry_run } => {
            let best = best.map(|metric| Keep::Best { metric, highest, count: 1 });
            let rules = [keep.map(Keep::Latest), every.map(|number| Keep::EverySteps(number as u64)), best];
            prune::prune(&path, &rules.into_iter().flatten().collect::<Vec<_>>(), dry_run)
        }
        Checkpoint::Remove { run, step } => {
            prune::remove_step(&Steps::of(&run)?, step)?;
            show(&format!("removed the checkpoint of step {step}\n"))
        }
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Reads the checkpoints of a manager of Orbax; all are looked at before the first damaged one ends the command.
fn verify_of_others(steps: &Steps) -> Result<()> {
    let mut damaged = Vec::new();
    for step in steps.all()? {
        if let Err(error) = stored::verify(&steps.path(step)) {
            show(&format!("step {step:>8}  damaged: {}\n", error.message()))?;
            damaged.push(step.to_string());
        }
    }
    match damaged.as_slice() {
        [] => Ok(()),
        steps => Err(Error::input(format!("damaged checkpoints: step {}", steps.join(", ")))),
    }
}

/// The checkpoints of all steps, or that of `step`.
fn listing(path: &Path, steps: &Steps, step: Option<u64>) -> Result<Listing> {
    let mut found = match steps.folder.exists() {
        true => list_of(&steps.folder, &steps.names)?,
        false => Listing { good: vec![], damaged: vec![] },
    };
    if found.good.is_empty() && found.damaged.is_empty() {
        return Err(Error::input(format!("{} has no checkpoint yet", path.display())));
    }
    if let Some(step) = step {
        found.good.retain(|checkpoint| checkpoint.step() == step);
        found.damaged.retain(|damaged| damaged.0 == step);
        if found.good.is_empty() && found.damaged.is_empty() {
            return Err(Error::input(format!("there is no checkpoint of step {step} in {}", path.display())));
        }
    }
    Ok(found)
}

fn shown(listing: &Listing) -> Result<()> {
    let loss = |c: &Saved| c.state().metrics.get("val_loss").copied();
    let best = listing.good.iter().filter_map(loss).min_by(f64::total_cmp);
    for checkpoint in &listing.good {
        let loss = loss(checkpoint);
        let held_out = loss.map_or(String::new(), |x| format!("  held-out loss {}", metrics::shown(x)));
        let mark = if loss.is_some() && loss == best { "  best" } else { "" };
        show(&format!(
            "step {:>8}  {:>9}{held_out}{mark}  {}\n",
            checkpoint.step(),
            size(checkpoint.bytes() as usize),
            checkpoint.path().display()
        ))?;
    }
    for (step, path, error) in &listing.damaged {
        if is_of_others(path) {
            show(&format!("step {step:>8}  another program's  {}\n", path.display()))?;
            continue;
        }
        show(&format!("step {step:>8}  damaged: {}  {}\n", error.message(), path.display()))?;
    }
    Ok(())
}

/// All are looked at before the first damaged one ends the command.
fn verify(run: &Path, listing: &Listing) -> Result<()> {
    let opened = listing.good.iter().map(|c| (c.step(), c.path(), c.verify()));
    let unopened = listing.damaged.iter().map(|(step, path, error)| match is_of_others(path) {
        true => (*step, path.as_path(), stored::verify(path)),
        false => (*step, path.as_path(), Err(error.clone())),
    });
    let mut outcomes: Vec<(u64, &Path, Result<()>)> = opened.chain(unopened).collect();
    outcomes.sort_by_key(|(step, ..)| *step);
    let mut damaged = Vec::new();
    for (step, path, outcome) in outcomes {
        match outcome {
            Ok(()) => show(&format!("step {step:>8}  good\n"))?,
            Err(_) if !path.exists() => show(&format!("step {step:>8}  was removed meanwhile\n"))?,
            Err(error) => {
                show(&format!("step {step:>8}  damaged: {}\n", error.message()))?;
                damaged.push(step.to_string());
            }
        }
    }
    match damaged.as_slice() {
        [] => Ok(()),
        steps => Err(Error::input(format!("damaged checkpoints: step {}", steps.join(", "))).help(format!(
            "`jarrah checkpoint remove {} --step {}` removes one",
            quoted(run.display()),
            steps[0]
        ))),
    }
}
