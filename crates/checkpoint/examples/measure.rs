//! Times of saving, opening, loading and verifying: `measure FOLDER MEBIBYTES TENSORS`, of so many mebibytes in so many tensors.

use std::path::PathBuf;
use std::time::Instant;

use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_checkpoint::{Checkpoint, CheckpointManager, CheckpointManagerOptions, Snapshot, SnapshotState};

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
    let tensors = (0..count).map(&mut tensor).collect::<Result<_>>()?;
    let folder = PathBuf::from(folder);
    let mut manager = CheckpointManager::open(&folder, CheckpointManagerOptions::keeping(1, None))?;
    let snapshot = Snapshot { step: 1, tensors, state: SnapshotState::default() };
    for round in 0..4 {
        let start = Instant::now();
        let at = |name: &str, start: Instant| println!("round {round}: {name} {:?}", start.elapsed());
        manager.save(Snapshot { step: round + 1, ..snapshot.clone() });
        let saved = manager.wait().unwrap_or_else(|| Err(Error::internal("no save is under way")))?;
        println!("round {round}: save {:?}, with removal {:?}", saved.took, start.elapsed());
        let start = Instant::now();
        let checkpoint = Checkpoint::open(&saved.path)?;
        at("open", start);
        let start = Instant::now();
        let loaded = checkpoint.load()?;
        at("load", start);
        assert!(loaded.tensors == snapshot.tensors);
        let start = Instant::now();
        checkpoint.verify()?;
        at("verify", start);
    }
    Ok(())
}
