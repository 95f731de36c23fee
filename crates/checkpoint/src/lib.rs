//! Snapshots of a training run on disk.
//!
//! A [`Snapshot`] is named tensors and a JSON [`SnapshotState`]. On disk it is a folder `step_00000100` with
//! `tensors.safetensors` and `manifest.json`, which holds the state, the place of every tensor and blake3 checksums of
//! both files. [`Manager`] writes snapshots behind the training loop and removes old ones; [`Checkpoint`] reads one;
//! [`list`] and [`latest`] find them. A [`Lock`] is the right of one process to write to a folder.
//!
//! ```
//! use jarrah_base::Literal;
//! use jarrah_checkpoint::{Manager, ManagerOptions, Snapshot, SnapshotState, latest};
//!
//! # let dir = tempfile::tempdir().unwrap();
//! # let dir = dir.path();
//! let mut manager = Manager::open(dir, ManagerOptions { keep: 2, best: Some("val_loss".into()) })?;
//! let weights = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
//! manager.save(Snapshot {
//!     step: 100,
//!     tensors: vec![("params/w".into(), weights.clone())],
//!     state: SnapshotState { metrics: [("val_loss".into(), 3.5)].into(), ..SnapshotState::default() },
//! });
//! // Training goes on here.
//! let saved = manager.wait().expect("one save is under way")?;
//! assert_eq!(saved.step, 100);
//!
//! let snapshot = latest(dir)?.load()?;
//! assert_eq!(snapshot.tensors, [("params/w".to_string(), weights)]);
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod catalog;
mod hash;
mod layout;
mod lock;
mod manager;
mod manifest;
mod read;
mod retention;
mod snapshot;
mod storage;
mod stored;
mod write;

pub use catalog::{Listing, at, latest, list};
pub use lock::{Claim, Lock};
pub use manager::{Manager, ManagerOptions, Saved, Submitted};
pub use read::{Checkpoint, TensorEntry};
pub use retention::{Keep, StepInfo, kept};
pub use snapshot::{Snapshot, SnapshotState};
pub use storage::{Disk, Sink, Storage};
pub use stored::{
    Conversion, Difference, Renames, Statistics, StoredFormat, StoredLeaf, StoredTree, TargetFormat,
};
