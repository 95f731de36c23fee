use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};

use crate::support::{Noise, Place};
use crate::tasks::{SFT, with_model};

const KILLS: u32 = 20;

/// Runs that save after every step are killed at random moments, in the writing of a checkpoint as likely as not, and
/// resumed until they are done: again and again until that many were killed.
#[test]
fn killed_at_random_moments_every_run_ends_with_the_losses_and_the_hash_of_the_one_left_alone() {
    killed(&Place::new(), "tiny.toml --data text model.width=32");
}

#[test]
fn so_does_every_run_in_sixteen_bits() {
    killed(&Place::new(), "tiny.toml --data text model.width=32 precision=bf16");
}

#[test]
fn so_does_every_run_that_learns_answers_with_adapters() {
    killed(&with_model(), SFT);
}

fn killed(place: &Place, recipe: &str) {
    let recipe = format!("{recipe} checkpoint.every=1 steps=40 sample.tokens=0");
    let start = Instant::now();
    place.good(&format!("train {recipe} --out whole"));
    let whole = start.elapsed();
    let expected = place.result("whole");

    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    let mut noise = Noise(seed);
    let (mut kills, mut runs) = (0, 0);
    while kills < KILLS {
        runs += 1;
        let run = format!("killed{runs}");
        let mut finished = false;
        while !finished {
            // Killed before it was a run, it is begun again.
            let arguments = match place.path(&run).join("run.json").exists() {
                true => format!("train --resume {run}"),
                false => format!("train {recipe} --out {run}"),
            };
            if kills >= KILLS {
                place.good(&arguments);
                break;
            }
            let mut command = place.command(&arguments);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            let end = Instant::now() + noise.below(whole);
            let mut status = None;
            while status.is_none() && Instant::now() < end {
                std::thread::sleep(Duration::from_micros(500));
                status = child.try_wait().unwrap();
            }
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            match output.status.code() {
                // Ended by the kill.
                None => kills += 1,
                Some(code) => {
                    let error = String::from_utf8_lossy(&output.stderr);
                    assert_eq!(code, 0, "seed {seed}, {arguments}: {error}");
                    finished = true;
                }
            }
        }
        assert_eq!(place.result(&run), expected, "seed {seed}, {run} after {kills} kills");
    }
}
