//! Weights that are read when they are needed, in the form in which a run before had them, and others that take their place.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::mpsc::{Sender, channel};

use jarrah_array::{Array, Origin, Prepared, TreeExt};
use jarrah_base::{Error, ErrorKind, Result};
use jarrah_models::{Decoder, Deferred};
use jarrah_runtime::{DiskCache, Kept};

use super::Engine;
use super::offload::{Identity, identity};
use crate::served::{LoadOptions, Served};

/// A folder for weights in the form in which an engine multiplies with them, so that the next one maps them: it neither reads, converts, quantizes nor packs, and takes no memory but what the system keeps of
/// the files.
///
/// A file has what is made of one weight, by a hash of all that it depends on ([`Deferred::identity`]): the model's files and their times, how weights are held, this program. A
/// weight that a model's files have as it is multiplied with is not kept. Files are written behind the first answers, each whole; one of a model that was changed is not found, one that is damaged
/// removed, and those used longest ago go where there are more bytes than may be. Of a model that has more, as much is kept as fits. Processes may share the folder, and share the memory of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsCache {
    /// The folder, which is made when it is first written to.
    pub folder: PathBuf,
    /// The most bytes of its files.
    pub bytes: u64,
}

impl WeightsCache {
    fn files(&self) -> DiskCache {
        let kept = Kept { ending: ".weights", unwritten: "weights are not kept in files", says_damage: true };
        DiskCache::keeping(kept, &self.folder, self.bytes)
    }
}

/// The first parameter by which a model differs from the one that is served, in words.
pub fn difference(served: &Decoder, given: &Decoder) -> Option<String> {
    let given: HashMap<String, &Array> = given.leaves_with_paths().into_iter().collect();
    let served: Vec<(String, &Array)> = served.leaves_with_paths();
    for (path, own) in &served {
        match given.get(path) {
            None => return Some(format!("they lack {path}, {} in the model that is served", own.ty())),
            Some(other) if other.ty() != own.ty() => {
                return Some(format!(
                    "{path} is {}, but {} in the model that is served",
                    other.ty(),
                    own.ty()
                ));
            }
            Some(_) => {}
        }
    }
    let known: HashSet<&String> = served.iter().map(|(path, _)| path).collect();
    let mut further: Vec<&String> = given.keys().filter(|path| !known.contains(path)).collect();
    further.sort();
    further.first().map(|path| format!("they have {path}, which the model that is served lacks"))
}

/// The weights of a model, of which `deferred` reads those that have no data.
pub fn prepared(
    model: Decoder,
    deferred: Option<Deferred>,
    cache: Option<&WeightsCache>,
) -> Prepared<Decoder> {
    let Some(deferred) = deferred else { return Prepared::new(model) };
    let identity = deferred.identity();
    // Of files without an identity nobody knows what was made.
    let files = cache.filter(|_| identity.is_some()).map(WeightsCache::files);
    let read = move |path: &str| -> Result<_> { deferred.read(path) };
    Prepared::of_origin(model, Origin { identity: identity.unwrap_or_default(), read: Box::new(read), files })
}

/// Weights that take the place of those there are.
pub struct NewWeights {
    pub model: Decoder,
    /// Where keys and values are kept in files.
    pub identity: Option<Identity>,
    /// Who waits for them.
    pub told: Sender<Result<()>>,
}

/// Where weights come from.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: PathBuf,
    pub what: LoadOptions,
}

impl Engine {
    /// Puts other weights in the place of those there are, between two steps, and forgets the prefix cache; nothing is compiled or copied. Answers
    /// that run go on with the new weights.
    ///
    /// # Errors
    /// The model has another structure, or a weight another type, which is named (`Input`); or the engine has ended. Then nothing changes.
    pub fn set_weights(&self, model: Decoder) -> Result<()> {
        let _change = self.change();
        self.put_weights(model)?;
        *self.handle.source.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// The same with what is at a path: see [`Served::load`].
    ///
    /// # Errors
    /// As [`Served::load`] and [`set_weights`](Self::set_weights).
    pub fn load_weights(&self, path: impl AsRef<Path>, what: &LoadOptions) -> Result<()> {
        let path = path.as_ref();
        let model = Served::load(path, what)?.model;
        let _change = self.change();
        self.put_weights(model)?;
        let source = Source { path: path.to_owned(), what: what.clone() };
        *self.handle.source.lock().unwrap_or_else(PoisonError::into_inner) = Some(source);
        Ok(())
    }

    pub(super) fn put_weights(&self, model: Decoder) -> Result<()> {
        let handle = &self.handle;
        let ended = || Error::environment("the engine has ended").op("engine");
        let identity = match (&handle.store, &handle.layout) {
            (Some(_), Some((layout, shape))) => {
                Some(identity(&model, handle.json.as_ref(), (layout, *shape))?)
            }
            _ => None,
        };
        let (told, answer) = channel();
        let mut state = handle.shared.lock();
        if state.has_ended {
            return Err(ended());
        }
        state.weights.push(NewWeights { model, identity, told });
        drop(state);
        handle.shared.came.notify_one();
        let set = answer.recv().unwrap_or_else(|_| Err(ended()));
        set.map_err(|error| match error.kind() {
            ErrorKind::Program => {
                let message = format!("these are weights of another model: {}", error.message());
                Error::input(message).op("engine").help("give weights of the same shapes and dtypes")
            }
            _ => error,
        })
    }
}
