//! Weights that are read when they are needed, weights kept in the form in which they are computed with, and the replacement of
//! weights.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::sync::mpsc::{Sender, channel};

use jarrah_array::{Origin, Prepared};
use jarrah_base::{Error, ErrorKind, Result};
use jarrah_models::{Decoder, Deferred};
use jarrah_runtime::{DiskCache, Kept};

use super::Engine;
use super::offload::{Identity, identity};
use crate::served::{LoadOptions, Served};

/// A folder for weights in the form in which an engine multiplies with them. A later start maps these files: it neither reads,
/// converts, quantizes nor packs weights, and takes no memory but the system's page cache.
///
/// A file holds the form of one weight. Its name is a hash of everything that the form depends on ([`Deferred::identity`]): the
/// model's files and their times, how weights are held, this program. A weight that the model's files already have in its form is
/// not kept. Files are written after the first answers, each whole. Files of a changed model are not found, damaged files are
/// removed, and the least recently used ones go if the folder exceeds its bytes; of a larger model, as much is kept as fits.
/// Processes may share the folder, and share the memory of its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsCache {
    /// The folder, which is created at the first write.
    pub folder: PathBuf,
    /// The most bytes of all files.
    pub bytes: u64,
}

impl WeightsCache {
    fn files(&self) -> DiskCache {
        let kept = Kept { ending: ".weights", unwritten: "weights are not kept in files", says_damage: true };
        DiskCache::keeping(kept, &self.folder, self.bytes)
    }
}

/// The weights of a model; `deferred` reads the weights without data when they are needed.
pub fn prepared(
    model: Decoder,
    deferred: Option<Deferred>,
    cache: Option<&WeightsCache>,
) -> Prepared<Decoder> {
    let Some(deferred) = deferred else { return Prepared::new(model) };
    let identity = deferred.identity();
    // Without an identity of the model's files, a kept form could not be found again.
    let files = cache.filter(|_| identity.is_some()).map(WeightsCache::files);
    let read = move |path: &str| -> Result<_> { deferred.read(path) };
    Prepared::of_origin(model, Origin { identity: identity.unwrap_or_default(), read: Box::new(read), files })
}

/// Weights that replace those of the engine.
pub struct NewWeights {
    pub model: Decoder,
    /// The new identity, if keys and values are kept in files.
    pub identity: Option<Identity>,
    /// The sender of the result to the caller, who waits for it.
    pub told: Sender<Result<()>>,
}

/// The path that weights were loaded from, and the options.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: PathBuf,
    pub what: LoadOptions,
}

impl Engine {
    /// Replaces the weights, between two steps, and empties the prefix cache; nothing is compiled or copied. Running answers go
    /// on with the new weights.
    ///
    /// # Errors
    /// The model has another structure, or a weight of another type, which is named (`Input`); or the engine has ended. Then
    /// nothing changes.
    pub fn set_weights(&self, model: Decoder) -> Result<()> {
        let _change = self.change();
        self.put_weights(model)?;
        *self.handle.source.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// Replaces the weights, as [`set_weights`](Self::set_weights) does, with those at a path: see [`Served::load`].
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
