//! Adapters (LoRA) that are loaded while an engine runs.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Weak};

use jarrah_base::{Error, Result};
use jarrah_models::{AdapterChange, read_adapter};

use super::offload::{Identity, hash_of};
use super::{Engine, State};

/// A loaded adapter; answers that are computed with it hold it.
#[derive(Debug)]
pub struct Loaded {
    /// The name of the adapter in requests.
    pub name: String,
    /// The folder that the adapter was read from.
    pub folder: PathBuf,
    /// The adapter's slot in the engine.
    pub at: usize,
    /// The hash of the adapter's weights, on which keys and values depend.
    pub hash: Identity,
}

/// The slots of an engine for adapters.
#[derive(Debug, Default)]
pub struct Adapters {
    /// The adapters that requests may name.
    named: Vec<Arc<Loaded>>,
    /// For each slot its adapter. An adapter occupies its slot until the last answer with it has ended, also after it was
    /// unloaded.
    places: Vec<Weak<Loaded>>,
}

impl Adapters {
    pub fn new(count: usize) -> Adapters {
        Adapters { named: Vec::new(), places: (0..count).map(|_| Weak::new()).collect() }
    }

    pub fn find(&self, name: &str) -> Option<Arc<Loaded>> {
        self.named.iter().find(|loaded| loaded.name == name).cloned()
    }
}

/// A change of a slot, made by the engine's thread between two steps.
pub struct AdapterCommand {
    pub at: usize,
    pub changes: Vec<AdapterChange>,
    pub told: Sender<()>,
}

impl Engine {
    /// Loads an adapter of PEFT under a name by which requests choose it. Nothing is compiled.
    ///
    /// # Errors
    /// The engine was started without slots for adapters, or all slots are occupied; the name is taken; the folder is no adapter
    /// of this model (`Input`).
    pub fn load_adapter(&self, name: &str, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        let handle = &self.handle;
        let within = |error: Error| error.context(format!("while loading the adapter {name}"));
        let Some(json) = &handle.json else {
            return Err(within(Error::input(format!(
                "{} has no config.json to name its layers by",
                self.name()
            ))));
        };
        let is_free = |state: &State| match state.adapters.find(name).is_some() || name == self.name() {
            true => {
                let error = Error::input(format!("the name {name} is taken"));
                Err(within(error).help("unload that one, or give another name"))
            }
            false => Ok(()),
        };
        is_free(&handle.shared.lock())?;
        let (replaced, changes) = read_adapter(json, folder).map_err(within)?;
        if let Some(first) = replaced.names().first() {
            let error = format!("the adapter has a weight of its own in the place of {first}");
            return Err(within(
                Error::input(error).help("add it to the weights by `jarrah model convert --adapter`"),
            ));
        }
        if let Some(shapes) = &handle.shapes {
            handle.room.check(shapes, &changes).map_err(within)?;
        }
        let hash = hash_of(&changes).map_err(within)?;
        let mut state = handle.shared.lock();
        if state.has_ended {
            return Err(Error::environment("the engine has ended").op("engine"));
        }
        // Another caller may have taken the name meanwhile.
        is_free(&state)?;
        let adapters = &mut state.adapters;
        let count = adapters.places.len();
        let Some(at) = adapters.places.iter().position(|place| place.strong_count() == 0) else {
            let (said, help) = match count {
                0 => (
                    "there is room for no adapter".to_owned(),
                    "start with --max-loras and how many there may be",
                ),
                1 => (
                    "there is room for one adapter, and it is taken".to_owned(),
                    "unload it, or start with a larger --max-loras",
                ),
                _ => (
                    format!("there is room for {count} adapters, and none is left"),
                    "unload one, or start with a larger --max-loras",
                ),
            };
            return Err(within(Error::input(said).help(help)));
        };
        let loaded = Arc::new(Loaded { name: name.to_owned(), folder: folder.to_owned(), at, hash });
        adapters.places[at] = Arc::downgrade(&loaded);
        let (told, done) = channel();
        state.adapter_commands.push(AdapterCommand { at, changes, told });
        drop(state);
        handle.shared.came.notify_one();
        if done.recv().is_err() {
            return Err(Error::environment("the engine has ended").op("engine"));
        }
        handle.shared.lock().adapters.named.push(loaded);
        Ok(())
    }

    /// Removes the adapter's name, so no new request can choose it; running answers with it go on.
    ///
    /// # Errors
    /// There is no adapter of that name (`Input`).
    pub fn unload_adapter(&self, name: &str) -> Result<()> {
        let mut state = self.handle.shared.lock();
        let before = state.adapters.named.len();
        state.adapters.named.retain(|loaded| loaded.name != name);
        match state.adapters.named.len() < before {
            true => Ok(()),
            false => Err(no_adapter(name, &state.adapters)),
        }
    }

    /// The names of the adapters, in the order in which they were loaded.
    pub fn adapters(&self) -> Vec<String> {
        self.handle.shared.lock().adapters.named.iter().map(|loaded| loaded.name.clone()).collect()
    }

    /// The folder that the adapter `name` was read from, if it is loaded.
    pub fn adapter_folder(&self, name: &str) -> Option<PathBuf> {
        self.handle.shared.lock().adapters.find(name).map(|loaded| loaded.folder.clone())
    }
}

pub fn no_adapter(name: &str, adapters: &Adapters) -> Error {
    let names: Vec<&str> = adapters.named.iter().map(|loaded| loaded.name.as_str()).collect();
    let help = match names.len() {
        0 => "none is loaded".to_owned(),
        _ => format!("there are {}", names.join(", ")),
    };
    Error::input(format!("there is no adapter {name}")).op("engine").help(help)
}
