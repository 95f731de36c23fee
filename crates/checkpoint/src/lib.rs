//! Checkpoints of a training run on disk.
//!
//! [`CheckpointItems`] are what is saved at a step: trees of arrays, JSON, measurements. On disk they are a folder `step_00000100`, which is a checkpoint of Orbax; its
//! item `jarrah` is a manifest with blake3 checksums of every shard of a tensor and every file. A [`CheckpointManager`] writes them behind the training loop, through a
//! [`LocalStore`](jarrah_store::LocalStore), by itself or together with the other [`Processes`] of a run; [`SaveWhen`] says which steps are saved, [`Keep`] which
//! ones stay. A [`Checkpoint`] is one that is read, also of earlier versions of the format; [`list`] and [`latest`] find them. A [`StoredTree`] is a
//! checkpoint or a file of weights of any program. A [`Lock`] is the right of one process to write to a folder.
//!
//! A [`ShardedTensor`] is cut into [`TensorShard`]s as its array is over a mesh. [`CheckpointTree::restore`] reads the boxes that the arrays of another mesh need.
//! [`LeafRules`] make leaves of others on the way: they split, join, reshape and convert them.
//!
//! In Python, Orbax's manager opens the directory with `step_prefix="step"` and `step_format_fixed_length=8`, and its `best_fn` is given the finite metrics.
//!
//! ```
//! use jarrah_array::Array;
//! use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions};
//!
//! # let dir = tempfile::tempdir().unwrap();
//! # let dir = dir.path();
//! let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::keeping(2, Some("loss")))?;
//! let weights = vec![Array::from_slice(&[1.0f32, 2.0])];
//! manager.save(CheckpointItems::new(100).tree("params", &weights)?.json("data", 1600)?.metric("loss", 3.5));
//! // Training goes on here.
//! let saved = manager.wait().expect("one save is under way")?;
//! assert_eq!(saved.step, 100);
//!
//! let checkpoint = manager.restore(None)?;
//! let restored = checkpoint.tree("params")?.restore(&weights)?;
//! assert_eq!(restored[0].to_vec::<f32>()?, [1.0, 2.0]);
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod agreement;
mod arrays;
mod backup;
mod catalog;
mod checkpoint;
mod contents;
mod directory;
mod folder;
mod hash;
mod items;
mod layout;
mod lock;
mod manager;
mod manifest;
mod meeting;
mod orbax_layout;
mod processes;
mod retention;
mod safetensors_layout;
mod save_when;
mod snapshot;
mod stored;
mod tensor;
mod together;
mod transform;
mod tree;
mod versions;
mod watcher;

pub use arrays::RestoreOptions;
pub use backup::Backup;
pub use catalog::{Listing, at, at_of, latest, latest_of, list, list_of};
pub use checkpoint::Checkpoint;
pub use items::{CheckpointItem, CheckpointItems};
pub use layout::StepNames;
pub use lock::{Claim, Lock};
pub use manager::{CheckpointManager, CheckpointManagerOptions, Saved, Submitted};
pub use processes::Processes;
pub use retention::{Keep, StepInfo, kept};
pub use save_when::{Preemption, SaveWhen};
pub use snapshot::{Snapshot, SnapshotState};
pub use stored::{
    Conversion, LeafDifference, Statistics, StoredFormat, StoredLeaf, StoredTree, TargetFormat,
    write_orbax_item,
};
pub use tensor::{ShardedTensor, TensorShard};
pub use transform::LeafRules;
pub use tree::{CheckpointTree, TensorEntry};
pub use watcher::CheckpointWatcher;
