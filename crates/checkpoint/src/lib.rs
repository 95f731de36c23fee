//! Snapshots of a training run on disk.
//!
//! A [`Snapshot`] is named tensors and a JSON [`SnapshotState`]. On disk it is a folder `step_00000100`, which is a checkpoint of Orbax: its item `state` is
//! the tree of the tensors, its item `jarrah` a manifest with the state and blake3 checksums of every tensor and every file. [`Manager`] writes snapshots behind the
//! training loop, through a [`LocalStore`](jarrah_store::LocalStore), and removes old ones; [`Checkpoint`] reads one, also of the earlier layout with
//! `tensors.safetensors` and `manifest.json`; [`list`] and [`latest`] find them. A [`Lock`] is the right of one process to write to a folder.
//!
//! In Python, Orbax's manager opens the directory with `step_prefix="step"` and `step_format_fixed_length=8`, and its `best_fn` is given the finite metrics.
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
mod checkpoint;
mod directory;
mod folder;
mod hash;
mod layout;
mod lock;
mod manager;
mod manifest;
mod orbax_layout;
mod retention;
mod safetensors_layout;
mod snapshot;
mod stored;
mod versions;

pub use catalog::{Listing, at, latest, list};
pub use checkpoint::{Checkpoint, TensorEntry};
pub use lock::{Claim, Lock};
pub use manager::{Manager, ManagerOptions, Saved, Submitted};
pub use retention::{Keep, StepInfo, kept};
pub use snapshot::{Snapshot, SnapshotState};
pub use stored::{
    Conversion, LeafDifference, Renames, Statistics, StoredFormat, StoredLeaf, StoredTree, TargetFormat,
    write_orbax_item,
};
