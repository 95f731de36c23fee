use jarrah_base::{Literal, Result};
use jarrah_store::{Draft, Name};
use serde_json::{Map, Value, json};

use super::options::{OrbaxArraySpec, OrbaxLeafSpec, OrbaxWriteOptions};
use super::plan::OrbaxPlan;
use super::sharding::OrbaxSharding;
use super::{put, refused};
use crate::orbax::checkpoint::{CHECKPOINT, JSON, MARK};
use crate::orbax::node_type::OrbaxNode;

/// The class in Python that restores an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrbaxHandler {
    /// `PyTreeCheckpointHandler`, or version 1's `PyTreeHandler`: a tree.
    PyTree,
    /// `StandardCheckpointHandler`: a tree without texts. Version 1 has no such class, and its class for trees is named.
    Standard,
    /// `JsonCheckpointHandler`, or version 1's `JsonHandler`: JSON.
    Json,
    /// `JaxRandomKeyCheckpointHandler`: a random key, see [`write_orbax_random_key`].
    RandomKey,
    /// Another, by its module and its name.
    Other(String),
}

impl OrbaxHandler {
    fn class(&self, version: u8) -> String {
        let name = match (self, version) {
            (OrbaxHandler::PyTree, 0) => "_src.handlers.pytree_checkpoint_handler.PyTreeCheckpointHandler",
            (OrbaxHandler::Standard, 0) => {
                "_src.handlers.standard_checkpoint_handler.StandardCheckpointHandler"
            }
            (OrbaxHandler::PyTree | OrbaxHandler::Standard, _) => {
                "experimental.v1._src.handlers.pytree_handler.PyTreeHandler"
            }
            (OrbaxHandler::Json, 0) => "_src.handlers.json_checkpoint_handler.JsonCheckpointHandler",
            (OrbaxHandler::Json, _) => "experimental.v1._src.handlers.json_handler.JsonHandler",
            (OrbaxHandler::RandomKey, _) => {
                "_src.handlers.random_key_checkpoint_handler.JaxRandomKeyCheckpointHandler"
            }
            (OrbaxHandler::Other(name), _) => return name.clone(),
        };
        format!("orbax.checkpoint.{name}")
    }
}

/// The description of a checkpoint, which is written last.
///
/// ```
/// use jarrah_formats::{OrbaxDescription, OrbaxHandler};
/// use jarrah_store::{MemoryStore, Name, ObjectStore};
/// let store = MemoryStore::new();
/// let draft = store.draft(&Name::new("100")?)?;
/// let mut description = OrbaxDescription::new(1, [("state", OrbaxHandler::PyTree)]);
/// description.metrics = serde_json::json!({ "loss": 0.5 });
/// description.write(&*draft)?;
/// assert!(draft.publish()?);
/// assert!(store.open(&Name::new("100/orbax.checkpoint")?)?.is_some());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OrbaxDescription {
    /// The version of Orbax's interface that the checkpoint looks like: 0 or 1.
    pub version: u8,
    /// The items by the names of their folders. Version 0 has checkpoints that are one item, whose name is empty.
    pub items: Vec<(String, OrbaxHandler)>,
    /// Numbers by which Orbax's manager chooses among checkpoints.
    pub metrics: Value,
    /// The time at which the save began, in nanoseconds since 1970.
    pub init_nanos: u64,
    /// The time at which the save ended, in nanoseconds since 1970.
    pub commit_nanos: u64,
    /// JSON that is kept with the checkpoint.
    pub custom_metadata: Value,
}

impl OrbaxDescription {
    /// The description of a checkpoint with these items, saved at the beginning of 1970 and without metrics.
    pub fn new<'a>(
        version: u8,
        items: impl IntoIterator<Item = (&'a str, OrbaxHandler)>,
    ) -> OrbaxDescription {
        OrbaxDescription {
            version,
            items: items.into_iter().map(|(name, handler)| (name.to_owned(), handler)).collect(),
            metrics: json!({}),
            init_nanos: 0,
            commit_nanos: 0,
            custom_metadata: json!({}),
        }
    }

    /// Writes the description to the draft of the checkpoint's folder.
    ///
    /// # Errors
    /// The version is neither 0 nor 1, an item has no name beside others or in version 1 (`Input`); the store cannot be written (`Environment`).
    pub fn write(&self, draft: &dyn Draft) -> Result<()> {
        if self.version > 1 {
            return Err(refused(format!("version {} of Orbax's checkpoints is asked for", self.version))
                .help("there are 0 and 1"));
        }
        let handlers = match self.items.as_slice() {
            [(name, handler)] if name.is_empty() && self.version == 0 => Value::String(handler.class(0)),
            items => {
                let mut handlers = Map::new();
                for (name, handler) in items {
                    if Name::new(name.as_str()).is_err() || name.contains('/') {
                        return Err(refused(format!(
                            "an item is called {name:?}, which is no name of a folder"
                        )));
                    }
                    if handlers.insert(name.clone(), Value::String(handler.class(self.version))).is_some() {
                        return Err(refused(format!("two items are called {name:?}")));
                    }
                }
                Value::Object(handlers)
            }
        };
        let description = json!({
            "item_handlers": handlers,
            "metrics": self.metrics,
            "performance_metrics": {},
            "init_timestamp_nsecs": self.init_nanos,
            "commit_timestamp_nsecs": self.commit_nanos,
            "custom_metadata": self.custom_metadata,
        });
        if self.version == 1 {
            put(draft, &Name::new(MARK)?, b"")?;
        }
        put(draft, &Name::new(CHECKPOINT)?, description.to_string().as_bytes())
    }
}

/// Writes an item that is JSON into the folder `folder` of a draft.
///
/// ```
/// use jarrah_store::{MemoryStore, Name, ObjectStore};
/// let store = MemoryStore::new();
/// let draft = store.draft(&Name::new("100")?)?;
/// jarrah_formats::write_orbax_json(&*draft, &Name::new("meta")?, 0, &serde_json::json!({ "step": 100 }))?;
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The store cannot be written (`Environment`).
pub fn write_orbax_json(draft: &dyn Draft, folder: &Name, version: u8, value: &Value) -> Result<()> {
    put(draft, &folder.join(JSON[usize::from(version > 0)])?, value.to_string().as_bytes())
}

/// Writes an item that is a random key of JAX's default generator into the folder `folder` of a draft: its words, restored on the device that JAX calls
/// `device`, as a typed key or as an array.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_store::{MemoryStore, Name, ObjectStore};
/// let store = MemoryStore::new();
/// let draft = store.draft(&Name::new("100")?)?;
/// let words = Literal::from_slice(&[2], &[0u32, 7])?;
/// jarrah_formats::write_orbax_random_key(&*draft, &Name::new("rng")?, &words, "cpu:0", true)?;
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The words are of a type that TensorStore does not read (`Input`); the store cannot be written (`Environment`).
pub fn write_orbax_random_key(
    draft: &dyn Draft,
    folder: &Name,
    words: &Literal,
    device: &str,
    is_typed: bool,
) -> Result<()> {
    let root = OrbaxNode::Dict(vec![("checkpoint".to_owned(), OrbaxNode::Leaf(0))]);
    let spec =
        OrbaxArraySpec::array(words.dtype(), words.dims()).sharding(OrbaxSharding::Device(device.to_owned()));
    let options = OrbaxWriteOptions { use_ocdbt: false, ..OrbaxWriteOptions::default() };
    let plan = OrbaxPlan::new(&root, vec![OrbaxLeafSpec::Array(spec)], options)?;
    let below = folder.join("jax_random_key")?;
    let mut writer = plan.writer(draft, &below, 0)?;
    writer.write_literal("checkpoint", words)?;
    plan.merge(draft, &below, &[writer.finish()?])?;
    write_orbax_json(draft, &folder.join("jax_random_key_metadata")?, 0, &json!({ "typed": is_typed }))
}
