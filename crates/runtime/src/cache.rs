use std::sync::{Arc, Mutex, MutexGuard};

use jarrah_base::{NUMERICS_VERSION, Result};
use jarrah_hlo::Program;
use rustc_hash::FxHashMap;

use crate::client::{Client, CompileOptions, Executable};

/// Executables by program, so that each program is compiled once.
///
/// When the cache is full, it drops the least recently used half.
pub struct Cache {
    client: Arc<dyn Client>,
    capacity: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    entries: FxHashMap<CacheKey, Entry>,
    clock: u64,
    compiled: u64,
}

/// The key of an executable: all that its results' bits depend on.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CacheKey {
    /// The program.
    pub program: Arc<Program>,
    /// How it is compiled.
    pub options: CompileOptions,
    /// The rules that its arithmetic follows: see [`NUMERICS_VERSION`].
    pub numerics: u32,
}

impl CacheKey {
    /// The key of a program compiled by this library.
    pub fn new(program: &Arc<Program>, options: &CompileOptions) -> Self {
        CacheKey { program: program.clone(), options: options.clone(), numerics: NUMERICS_VERSION }
    }
}

struct Entry {
    executable: Arc<dyn Executable>,
    used: u64,
}

impl Cache {
    /// An empty cache in front of `client` that holds up to `capacity` executables; of none, each use compiles again.
    pub fn new(client: Arc<dyn Client>, capacity: usize) -> Self {
        Cache { client, capacity, state: Mutex::default() }
    }

    /// The client that compiles.
    pub fn client(&self) -> &Arc<dyn Client> {
        &self.client
    }

    /// The executable of a program, compiled at its first use.
    ///
    /// # Errors
    /// As [`Client::compile`].
    pub fn executable(
        &self,
        program: &Arc<Program>,
        options: &CompileOptions,
    ) -> Result<Arc<dyn Executable>> {
        Ok(self.look_up(program, options)?.0)
    }

    /// As [`Cache::executable`]; also whether the cache had it.
    ///
    /// # Errors
    /// As [`Client::compile`].
    pub fn look_up(
        &self,
        program: &Arc<Program>,
        options: &CompileOptions,
    ) -> Result<(Arc<dyn Executable>, bool)> {
        let key = CacheKey::new(program, options);
        {
            let mut state = self.lock();
            state.clock += 1;
            let now = state.clock;
            if let Some(entry) = state.entries.get_mut(&key) {
                entry.used = now;
                return Ok((entry.executable.clone(), true));
            }
        }
        // Without the lock: a compilation may take long, and compiling the same program twice does no harm.
        let executable = self.client.compile(program, options)?;
        let mut state = self.lock();
        state.compiled += 1;
        let used = state.clock;
        let mut gone = Vec::new();
        if state.entries.len() >= self.capacity {
            let mut times: Vec<u64> = state.entries.values().map(|e| e.used).collect();
            times.sort_unstable();
            let median = times.get(times.len() / 2).copied().unwrap_or(0);
            gone.extend(state.entries.extract_if(|_, e| e.used <= median));
        }
        if self.capacity > 0 {
            gone.extend(
                state
                    .entries
                    .insert(key.clone(), Entry { executable: executable.clone(), used })
                    .map(|e| (key, e)),
            );
        }
        drop(state);
        // Dropped when the lock is free.
        drop(gone);
        Ok((executable, false))
    }

    /// Forgets every executable.
    pub fn clear(&self) {
        let gone = std::mem::take(&mut self.lock().entries);
        // Dropped when the lock is free.
        drop(gone);
    }

    /// The number of compilations so far.
    pub fn compiled(&self) -> u64 {
        self.lock().compiled
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}
