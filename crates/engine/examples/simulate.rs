//! Runs random traces against the slow model of the tests: `simulate [traces] [seed]`.

#![allow(clippy::unwrap_used, reason = "shared with the tests")]

#[path = "../tests/simulator/mod.rs"]
mod simulator;

use simulator::{Stats, trace};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("simulate [traces] [seed]"));
    let traces = arguments.next().unwrap_or(10_000);
    let first: u64 = arguments.next().unwrap_or(0);
    let mut sum = Stats::default();
    for seed in first..first + traces {
        match trace(seed) {
            Ok(stats) => sum.add(&stats),
            Err(problem) => {
                println!("seed {seed}: {problem}");
                std::process::exit(1);
            }
        }
    }
    println!("{traces} traces: {sum:?}");
}
