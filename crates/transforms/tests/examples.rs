//! Every transformation of every op's examples gives a program that verifies, or is refused with a reason.

use jarrah_base::{Error, ErrorKind, Result};
use jarrah_hlo::{Op, Program};
use jarrah_transforms::{ResidualPolicy, batch, jvp, vjp};

use crate::common::{program_of, smooth};

/// What the transformation of an example gave, unless it was refused.
fn checked<T>(name: &str, result: Result<T>, programs: impl Fn(&T) -> Vec<Program>) -> Option<T> {
    match result {
        Ok(made) => {
            for program in programs(&made) {
                program.verify().unwrap_or_else(|e| panic!("{name}: {e}\n{program:?}"));
            }
            Some(made)
        }
        Err(error) => {
            assert!(is_refusal(&error), "{name}: {error}");
            None
        }
    }
}

fn is_refusal(error: &Error) -> bool {
    let reasons = ["has no derivative: ", "has no transpose: ", "cannot be batched: "];
    error.kind() == ErrorKind::Program && reasons.iter().any(|r| error.message().starts_with(r))
}

#[test]
fn jvps_verify() {
    for example in Op::examples() {
        let (program, name) = (program_of(&example), format!("{} ({})", example.op.name(), example.name));
        let (active, wanted) = (smooth(&program.param_types()), smooth(&program.result_types()));
        let once = checked(&name, jvp(&program, &active, &wanted), |j| vec![j.program.clone()]);
        if let Some(once) = once {
            assert_eq!(once.active, wanted, "{name}");
            let program = &once.program;
            let none = vec![false; program.results().len()];
            checked(&name, jvp(program, &smooth(&program.param_types()), &none), |j| vec![j.program.clone()]);
        }
        for (i, _) in active.iter().enumerate().filter(|(_, a)| **a) {
            let only: Vec<bool> = (0..active.len()).map(|j| i == j).collect();
            checked(&name, jvp(&program, &only, &vec![false; wanted.len()]), |j| vec![j.program.clone()]);
        }
    }
}

#[test]
fn vjps_verify() {
    for policy in [ResidualPolicy::Recompute, ResidualPolicy::SaveAll] {
        for example in Op::examples() {
            let (program, name) = (program_of(&example), format!("{} ({})", example.op.name(), example.name));
            let active = smooth(&program.param_types());
            let mut masks: Vec<Vec<bool>> = vec![active.clone()];
            masks.extend(
                (0..active.len()).filter(|&i| active[i]).map(|i| (0..active.len()).map(|j| i == j).collect()),
            );
            for mask in masks {
                let both = checked(&name, vjp(&program, &mask, policy), |v| {
                    vec![v.forward.clone(), v.backward.clone()]
                });
                let Some(both) = both else { continue };
                let cotangents: Vec<_> = both.backward.result_types();
                let of_active = program.param_types().into_iter().zip(&mask).filter(|(_, a)| **a);
                assert_eq!(cotangents, of_active.map(|(ty, _)| ty).collect::<Vec<_>>(), "{name}");
                assert_eq!(
                    both.backward.params().len(),
                    both.residuals + smooth(&program.result_types()).iter().filter(|s| **s).count()
                );
            }
        }
    }
}

#[test]
fn batches_verify() {
    for example in Op::examples() {
        let (program, name) = (program_of(&example), format!("{} ({})", example.op.name(), example.name));
        let count = program.params().len();
        let mut masks = vec![vec![true; count], vec![false; count]];
        masks.extend((0..count).map(|i| (0..count).map(|j| i == j).collect()));
        masks.extend((0..count).map(|i| (0..count).map(|j| i != j).collect()));
        for mask in masks {
            for force in [false, true] {
                let force = vec![force; program.results().len()];
                let made = checked(&name, batch(&program, 5, &mask, &force), |m| vec![m.0.clone()]);
                let Some((made, marked)) = made else { continue };
                for ((ty, original), batched) in
                    made.result_types().iter().zip(program.result_types()).zip(marked)
                {
                    let expected = if batched { original.with_leading(5) } else { original };
                    assert_eq!(*ty, expected, "{name}");
                }
            }
        }
    }
}
