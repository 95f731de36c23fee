//! Parameters of files that are read when they are needed.

use std::collections::BTreeSet;
use std::fs;

use jarrah_array::{Array, Error, Result, TreeExt};
use serde_json::Value;

use crate::reader::{Parameter, Reader};
use crate::{Architecture, LoadAs};

/// Reads the parameters of a model that have no data yet: see
/// [`PretrainedModel::load_deferred`](crate::PretrainedModel::load_deferred).
#[derive(Debug)]
pub struct Deferred {
    reader: Reader,
    /// The paths of the parameters that have no data yet.
    paths: BTreeSet<String>,
    identity: Option<[u8; blake3::OUT_LEN]>,
}

impl Deferred {
    pub(crate) fn new(
        reader: Reader,
        paths: BTreeSet<String>,
        identity: Option<[u8; blake3::OUT_LEN]>,
    ) -> Deferred {
        Deferred { reader, paths, identity }
    }

    /// A hash of all that the parameters depend on: the [`identity`](jarrah_formats::Tensors::identity) of the files,
    /// `config.json`, how parameters are held, and the program that reads them. Models of one identity have the same
    /// parameters.
    ///
    /// `None` if the identity cannot be known, as for files that were changed a moment ago.
    pub fn identity(&self) -> Option<[u8; blake3::OUT_LEN]> {
        self.identity
    }

    /// Reads the array at `path` of the tree, and the other arrays of the same parameter: of a quantized weight the codes with
    /// their scales.
    ///
    /// # Errors
    /// The parameter's numbers are damaged, or the device failed; the array at `path` has data.
    pub fn read(&self, path: &str) -> Result<Vec<(String, Array)>> {
        let Some(known) = self.parameter(path) else {
            return Err(Error::internal(format!("{path} is no parameter without data")));
        };
        Ok(match self.reader.parameter(known)? {
            Parameter::Numbers(array) => vec![(known.to_owned(), array)],
            Parameter::FewBits(weight) => {
                let leaves: Vec<(String, &Array)> = (*weight).leaves_with_paths();
                leaves.into_iter().map(|(leaf, array)| (format!("{known}.{leaf}"), array.clone())).collect()
            }
        })
    }

    /// The parameter without data that the array at `path` is of.
    fn parameter(&self, path: &str) -> Option<&str> {
        let mut ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
        ends.find_map(|end| self.paths.get(&path[..end])).map(String::as_str)
    }

    /// The model with the data of all its parameters.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn fill<M: Architecture>(&self, model: &M) -> Result<M> {
        let mut last: Vec<(String, Array)> = Vec::new();
        model.try_map_with_paths(|path, array: &Array| {
            if self.parameter(path).is_none() {
                return Ok(array.clone());
            }
            let of_path = |read: &[(String, Array)]| read.iter().find(|(known, _)| known == path).cloned();
            if of_path(&last).is_none() {
                last = self.read(path)?;
            }
            let missing = || Error::internal(format!("{path} is not among what is read of it"));
            of_path(&last).map(|(_, found)| found).ok_or_else(missing)
        })
    }
}

/// See [`Deferred::identity`].
pub fn identity(reader: &Reader, json: &Value, how: &LoadAs) -> Option<[u8; blake3::OUT_LEN]> {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    let program = fs::metadata(std::env::current_exe().ok()?).ok()?;
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(format!("{} {:?}", program.len(), program.modified().ok()?).as_bytes());
    part(&reader.files().identity()?);
    part(json.to_string().as_bytes());
    part(format!("{how:?} {:?}", reader.plan()).as_bytes());
    Some(*hasher.finalize().as_bytes())
}
