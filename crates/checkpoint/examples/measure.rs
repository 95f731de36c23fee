//! Times of saving and reading checkpoints: `measure FOLDER MEBIBYTES TENSORS ROUNDS`, of so many mebibytes in so many tensors. A line of JSON a round, after each line of the
//! input; `bench/checkpoints.py` runs it beside Orbax.

use std::io::BufRead;
use std::path::PathBuf;
use std::time::Instant;

use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, mebibytes, count] = arguments.as_slice() else {
        return Err(Error::input("measure FOLDER MEBIBYTES TENSORS"));
    };
    let number = |text: &str| text.parse::<usize>().map_err(|e| Error::input(format!("{text}: {e}")));
    let (bytes, count) = (number(mebibytes)? << 20, number(count)?);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut tensor = |i: usize| -> Result<(String, Literal)> {
        let mut literal = Literal::zeros(Type::tensor(DType::U64, [(bytes / count / 8).max(1)]))?;
        for word in literal.as_mut_slice::<u64>()? {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *word = state;
        }
        Ok((format!("params/{}/{i}", i % 100), literal))
    };
    let tensors: Vec<(String, Literal)> = (0..count).map(&mut tensor).collect::<Result<_>>()?;
    let folder = PathBuf::from(folder);
    let mut manager = CheckpointManager::open(&folder, CheckpointManagerOptions::keeping(1, None))?;
    for (step, _) in (1u64..).zip(std::io::stdin().lock().lines()) {
        let before = peak();
        let start = Instant::now();
        manager.save(CheckpointItems::new(step).tensors("state", tensors.clone())?);
        let held = start.elapsed();
        let saved = manager.wait().unwrap_or_else(|| Err(Error::internal("no save is under way")))?;
        let (save, removed, taken) = (saved.took, start.elapsed(), peak() - before);
        let start = Instant::now();
        let checkpoint = manager.restore(None)?;
        let open = start.elapsed();
        let start = Instant::now();
        let loaded = checkpoint.tree("state")?.load()?;
        let load = start.elapsed();
        assert!(loaded == tensors);
        drop(loaded);
        let start = Instant::now();
        checkpoint.verify()?;
        let seconds = [
            ("held", held),
            ("save", save),
            ("removed", removed),
            ("open", open),
            ("load", load),
            ("verify", start.elapsed()),
        ]
        .map(|(name, time)| format!("\"{name}\": {}", time.as_secs_f64()));
        println!("{{{}, \"taken\": {taken}}}", seconds.join(", "));
    }
    Ok(())
}

/// The most memory that the process has had, in bytes; 0 where that is not known.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kibibytes.unwrap_or(0) << 10
}
