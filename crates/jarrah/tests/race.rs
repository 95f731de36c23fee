use std::process::{Child, Stdio};
use std::time::{Instant, SystemTime};

use crate::support::{Done, Noise, Place};

const PAIRS: u32 = 20;

/// Two fresh runs begin in one folder at the same moment, and in most pairs one or both are killed: one of the two has
/// the folder, the other says so and changes nothing, and what is there can be brought to the end of a run left alone.
#[test]
#[cfg(unix)]
fn two_fresh_runs_in_one_folder_leave_one_whole_run() {
    let place = Place::new();
    let recipe = "tiny.toml --data text checkpoint.every=1 sample.tokens=0";
    let start = Instant::now();
    place.good(&format!("train {recipe} --out whole"));
    let whole = start.elapsed();
    let expected = place.result("whole");

    let seed = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos() as u64 | 1;
    let mut noise = Noise(seed);
    for pair in 0..PAIRS {
        let run = format!("run{pair}");
        let begin = || -> Child {
            let mut command = place.command(&format!("train {recipe} --out {run}"));
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let mut both = [begin(), begin()];
        // None, the first, the second or both, early more often than late.
        let deadly = pair % 4;
        for (i, child) in both.iter_mut().enumerate() {
            if deadly >> i & 1 == 1 {
                let most = noise.below(whole);
                std::thread::sleep(noise.below(most));
                child.kill().unwrap();
            }
        }
        let ends = both.map(|child| Done::from(child.wait_with_output().unwrap()));
        let told = format!("seed {seed}, pair {pair}: {ends:?}");
        for done in ends.iter().filter(|done| done.code.is_some_and(|code| code != 0)) {
            let owned = done.err.contains(&format!("{run} belongs to another process"))
                || done.err.contains(&format!("{run} is a run already"));
            assert!(done.code == Some(2) && owned, "{told}");
        }
        let complete = ends.iter().filter(|done| done.code == Some(0)).count();
        assert!(complete <= 1 && (deadly != 0 || complete == 1), "{told}");
        let arguments = match place.path(&run).join("run.json").exists() {
            true => format!("train --resume {run}"),
            false => format!("train {recipe} --out {run}"),
        };
        let done = place.jarrah(&arguments);
        assert_eq!(done.code, Some(0), "{told}; then {done:?}");
        assert_eq!(place.result(&run), expected, "{told}");
    }
}
