use std::collections::BTreeMap;

use jarrah_base::{Error, Literal, Result};
use jarrah_store::Name;
use serde_json::Value;

use crate::layout::orbax::{JARRAH, METRICS, STATE};
use crate::snapshot::{Snapshot, SnapshotState};
use crate::tensor::ShardedTensor;

/// A part of a checkpoint, which Orbax restores by its name.
#[derive(Clone, PartialEq, Debug)]
pub enum CheckpointItem {
    /// Tensors by the names of their keys with slashes between them: `layers/0/w`.
    Tree(Vec<(String, ShardedTensor)>),
    /// JSON.
    Json(Value),
    /// JSON of which each process has its own.
    ProcessJson(Value),
}

/// A checkpoint that is to be saved: items by name, and measurements.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions, latest};
/// # let dir = tempfile::tempdir().unwrap();
/// # let dir = dir.path();
/// let weights = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
/// let items = CheckpointItems::new(100)
///     .tensors("params", [("dense/w", weights.clone())])?
///     .json("data", serde_json::json!({ "epoch": 1, "position": 1600 }))?
///     .metric("loss", 3.5);
/// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
/// manager.save(items);
/// manager.wait().expect("one save is under way")?;
///
/// let checkpoint = latest(dir)?;
/// assert_eq!(checkpoint.tree("params")?.tensor("dense/w")?, weights);
/// assert_eq!(checkpoint.json("data")?["position"], 1600);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct CheckpointItems {
    step: u64,
    items: Vec<(String, CheckpointItem)>,
    pub(crate) state: SnapshotState,
}

impl CheckpointItems {
    /// The checkpoint of a step, still without items.
    pub fn new(step: u64) -> CheckpointItems {
        CheckpointItems { step, items: Vec::new(), state: SnapshotState::default() }
    }

    /// With an item.
    ///
    /// # Errors
    /// There is an item of this name, or it is no name of a folder, or one of this crate's own: `jarrah` and `metrics`; JSON is nested too deeply to be read (`Program`).
    pub fn item(mut self, name: &str, item: CheckpointItem) -> Result<CheckpointItems> {
        let refused = |why: &str| {
            let error = Error::program(format!("an item of a checkpoint is called {name:?}: {why}"));
            Err(error.op("checkpoint").help("give it another name"))
        };
        if name.contains('/') || name.starts_with(['.', '_']) || Name::new(name).is_err() {
            return refused("that is no name of a folder");
        }
        if [JARRAH, METRICS].contains(&name) {
            return refused("every checkpoint has an item of its own of this name");
        }
        if self.items.iter().any(|(other, _)| other == name) {
            return refused("another one is, too");
        }
        if let CheckpointItem::Json(value) | CheckpointItem::ProcessJson(value) = &item
            && serde_json::from_str::<Value>(&value.to_string()).ok().as_ref() != Some(value)
        {
            return refused("its JSON reads back as something else, or is nested too deeply to be read");
        }
        self.items.push((name.to_owned(), item));
        Ok(self)
    }

    /// With an item that is a tree of tensors.
    ///
    /// # Errors
    /// As [`item`](Self::item).
    pub fn tensors<N: Into<String>, T: Into<ShardedTensor>>(
        self,
        name: &str,
        tensors: impl IntoIterator<Item = (N, T)>,
    ) -> Result<CheckpointItems> {
        let tensors = tensors.into_iter().map(|(name, tensor)| (name.into(), tensor.into())).collect();
        self.item(name, CheckpointItem::Tree(tensors))
    }

    /// With an item that is JSON. Of several processes, that of process 0 is saved; [`process_json`](Self::process_json) saves that of each.
    ///
    /// # Errors
    /// As [`item`](Self::item).
    pub fn json(self, name: &str, value: impl Into<Value>) -> Result<CheckpointItems> {
        self.item(name, CheckpointItem::Json(value.into()))
    }

    /// With an item that is JSON of which each process gives its own, such as the state of an iterator over its part of the data:
    /// [`Checkpoint::process_json`](crate::Checkpoint::process_json) gives it back. The files are called as those of Grain's iterators.
    ///
    /// ```
    /// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
    /// manager.save(CheckpointItems::new(100).process_json("data", serde_json::json!({ "position": 1600 }))?);
    /// let checkpoint = manager.restore(None)?;
    /// assert_eq!(checkpoint.process_json("data", None)?["position"], 1600);
    /// assert!(checkpoint.path().join("data/process_0-of-1.json").exists());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`item`](Self::item).
    pub fn process_json(self, name: &str, value: impl Into<Value>) -> Result<CheckpointItems> {
        self.item(name, CheckpointItem::ProcessJson(value.into()))
    }

    /// With a measurement, by which checkpoints are chosen.
    pub fn metric(mut self, name: &str, value: f64) -> CheckpointItems {
        self.state.metrics.insert(name.to_owned(), value);
        self
    }

    /// With measurements.
    pub fn metrics(mut self, metrics: BTreeMap<String, f64>) -> CheckpointItems {
        self.state.metrics.extend(metrics);
        self
    }

    /// The number of steps done.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The items.
    pub fn items(&self) -> &[(String, CheckpointItem)] {
        &self.items
    }

    /// The items that are trees with a tensor at least: Orbax has no trees without leaves.
    pub(crate) fn trees(&self) -> impl Iterator<Item = (&str, &[(String, ShardedTensor)])> {
        self.items.iter().filter_map(|(name, item)| match item {
            CheckpointItem::Tree(tensors) if !tensors.is_empty() => Some((name.as_str(), tensors.as_slice())),
            CheckpointItem::Tree(_) | CheckpointItem::Json(_) | CheckpointItem::ProcessJson(_) => None,
        })
    }
}

impl From<Snapshot> for CheckpointItems {
    fn from(Snapshot { step, tensors, state }: Snapshot) -> CheckpointItems {
        let tensor = |(name, value): (String, Literal)| (name, ShardedTensor::from(value));
        let tree = CheckpointItem::Tree(tensors.into_iter().map(tensor).collect());
        CheckpointItems { step, items: vec![(STATE.to_owned(), tree)], state }
    }
}
