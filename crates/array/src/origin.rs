//! The origin of the arrays of a [`Prepared`](crate::Prepared) that have no data yet, and the files that keep the values computed
//! from its arrays.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Literal, Result, Type, parallel};
use jarrah_compiler::PreparedValue;
use jarrah_runtime::{CompileOptions, DiskCache, DiskKey};

use crate::array::Array;
use crate::device::default_device;

/// Reads the array at a path of the tree. Returns it with all arrays that reading it yields as well, each with its path.
pub type ReadArrays = Box<dyn Fn(&str) -> Result<Vec<(String, Array)>> + Send + Sync>;

/// The origin of the arrays of a [`Prepared`](crate::Prepared) that have no data yet, and the files that keep the values computed
/// from its arrays, for the next process to map into memory.
pub struct Origin {
    /// A hash of everything that the contents of the arrays depend on. Stored values are used only by an origin of the same
    /// identity.
    pub identity: [u8; 32],
    /// Reads an array the first time it is needed.
    pub read: ReadArrays,
    /// The files; `None` to keep nothing.
    pub files: Option<DiskCache>,
}

/// The state that a [`Prepared`](crate::Prepared) tree keeps of its [`Origin`].
pub(crate) struct Source {
    origin: Origin,
    /// The path and the type of each array.
    arrays: Vec<(String, Type)>,
    /// For each array, whether it had no data at first.
    deferred: Vec<bool>,
    /// The bytes that were found in files or are written to them.
    kept: AtomicU64,
    writing: Arc<Writing>,
}

#[derive(Default)]
struct Writing {
    ended: AtomicBool,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// How long writing may make no progress before a waiting thread gives up.
const STALL: Duration = Duration::from_secs(10);
/// How often a waiting thread looks whether all values are written.
const LOOK: Duration = Duration::from_millis(10);

/// The least size in bytes at which a value computed from arrays with data is kept.
const LEAST: usize = 64 << 10;

impl Source {
    pub(crate) fn new(origin: Origin, arrays: Vec<(String, Type)>, deferred: Vec<bool>) -> Source {
        Source { origin, arrays, deferred, kept: AtomicU64::new(0), writing: Arc::default() }
    }

    /// Reads the array of this index; returns it with the arrays that were read along with it.
    pub(crate) fn read(&self, index: usize) -> Result<Vec<(usize, Array)>> {
        let (path, _) = &self.arrays[index];
        let within = |error: Error| error.context(format!("while reading {path}"));
        let mut read = Vec::new();
        for (path, array) in (self.origin.read)(path).map_err(within)? {
            let at = self.arrays.iter().position(|(known, ty)| *known == path && *ty == array.ty());
            let missing = || Error::internal(format!("{path}: {} is none of the arrays", array.ty()));
            read.push((at.ok_or_else(missing)?, array));
        }
        Ok(read)
    }

    pub(crate) fn is_deferred(&self, index: usize) -> bool {
        self.deferred[index]
    }

    /// The key under which the value of a recipe is stored in the files; `None` if it is not stored. A small value that is
    /// computed from arrays that have data is not stored.
    pub(crate) fn key(&self, recipe: &PreparedValue) -> Option<DiskKey> {
        self.origin.files.as_ref()?;
        let is_deferred = recipe.params.iter().any(|&i| self.deferred[i]);
        let bytes = type_of(recipe).bytes().ok()?;
        if !is_deferred && (recipe.is_param() || bytes < LEAST) {
            return None;
        }
        let device = default_device();
        let options = CompileOptions::default();
        let key = DiskKey::new(&recipe.program, &options, device.client().version()).ok()?;
        let paths = recipe.params.iter().map(|&i| self.arrays[i].0.as_bytes());
        let parts: Vec<&[u8]> = std::iter::once(&self.origin.identity[..]).chain(paths).collect();
        Some(key.with(&parts))
    }

    /// The values that the files have under these keys, mapped.
    pub(crate) fn find(&self, wanted: &[Option<(DiskKey, Type)>]) -> Vec<Option<Array>> {
        let Some(files) = &self.origin.files else { return vec![None; wanted.len()] };
        let found = parallel::map(parallel::cores(), wanted, |wanted| {
            let (key, ty) = (*wanted)?;
            Literal::lent(ty, files.map(key)?).ok()
        });
        let mut bytes = 0;
        let arrays = found.into_iter().map(|literal| {
            let literal = literal?;
            bytes += literal.bytes().len() as u64;
            Some(Array::from_literal(literal))
        });
        let arrays = arrays.collect();
        self.kept.fetch_add(bytes, Ordering::Relaxed);
        arrays
    }

    /// Writes values to the files in the background. Values that would push out stored values of the same arrays are left out.
    pub(crate) fn keep(self: &Arc<Source>, values: Vec<(DiskKey, Array)>) {
        let Some(files) = &self.origin.files else { return };
        // Up to this total no value of these arrays pushes out another one.
        let most = files.limit() - files.limit() / 4;
        let fits = |(_, array): &(DiskKey, Array)| {
            let bytes = array.ty().bytes().map_or(u64::MAX, |bytes| bytes as u64);
            // A value that does not fit does not count, so that smaller values may still fit.
            let with = |kept: u64| kept.checked_add(bytes).filter(|&kept| kept <= most);
            self.kept.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with).is_ok()
        };
        let values: Vec<(DiskKey, Array)> = values.into_iter().filter(fits).collect();
        if values.is_empty() {
            return;
        }
        let source = self.clone();
        let write = move || {
            let Some(files) = &source.origin.files else { return };
            for (key, array) in values {
                if source.writing.ended.load(Ordering::Relaxed) {
                    return;
                }
                // A value whose data cannot be read is not stored: the next process computes it again.
                if !files.has(key)
                    && let Ok(literal) = array.to_literal()
                {
                    files.put_mapped(key, literal.bytes());
                }
            }
        };
        // Without a thread nothing is kept.
        if let Ok(thread) = thread::Builder::new().name("weights-cache".to_owned()).spawn(write) {
            self.writing.threads.lock().unwrap_or_else(PoisonError::into_inner).push(thread);
        }
    }

    /// Waits until all values are written; gives up when `stops` returns true or writing makes no progress for a while.
    pub(crate) fn finish(&self, stops: &dyn Fn() -> bool) {
        let threads =
            std::mem::take(&mut *self.writing.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let taken = || self.origin.files.as_ref().map_or(0, DiskCache::taken);
        let (mut seen, mut since) = (taken(), Instant::now());
        for thread in threads {
            while !thread.is_finished() {
                let now = taken();
                if seen != now {
                    (seen, since) = (now, Instant::now());
                }
                if stops() || since.elapsed() > STALL {
                    return self.end();
                }
                thread::sleep(LOOK);
            }
        }
    }

    /// Stops writing: values that still wait are not written.
    pub(crate) fn end(&self) {
        self.writing.ended.store(true, Ordering::Relaxed);
    }
}

/// The type of the value of a recipe.
pub(crate) fn type_of(recipe: &PreparedValue) -> Type {
    recipe.program.ty(recipe.program.results()[0])
}
