//! Random traces, and the rules of the prefix cache one by one.

#![allow(clippy::unwrap_used, reason = "helpers of tests are no test functions to clippy")]

mod cache;
mod order;
mod pace;
mod refusals;
mod simulator;

use std::time::{Duration, Instant};

use simulator::{Stats, trace};

/// As many traces as there is time for; `examples/simulate.rs` runs more.
#[test]
fn random_traces_keep_every_invariant() {
    let (start, mut sum) = (Instant::now(), Stats::default());
    for seed in 0.. {
        let stats = trace(seed).unwrap_or_else(|problem| panic!("seed {seed}: {problem}"));
        sum.add(&stats);
        if seed >= 300 && start.elapsed() > Duration::from_secs(4) {
            break;
        }
    }
    let Stats { ended, aborted, refused, full, forks, copies, accepted, rejected, .. } = sum;
    let Stats { hits, preemptions, evictions, forgets, overtakings, restored, clears, within, .. } = sum;
    let happened = [
        ended,
        aborted,
        refused,
        full,
        forks,
        copies,
        accepted,
        rejected,
        hits,
        preemptions,
        evictions,
        forgets,
        overtakings,
        restored,
        clears,
        within,
    ];
    assert!(happened.iter().all(|&count| count > 100), "something hardly happens: {sum:?}");
}

#[test]
fn plans_depend_on_the_calls_alone() {
    for seed in 0..100 {
        assert_eq!(trace(seed).unwrap(), trace(seed).unwrap(), "seed {seed}");
    }
}
