//! The client that arrays live on.

use std::sync::{Arc, LazyLock, RwLock};

use jarrah_runtime::{Cache, Client};

/// A client with its cache of executables.
pub(crate) struct Backend {
    pub(crate) cache: Cache,
}

/// The most executables in the cache.
const CACHED: usize = 4096;

static CURRENT: LazyLock<RwLock<Arc<Backend>>> =
    LazyLock::new(|| RwLock::new(new(Arc::new(jarrah_cpu::CpuClient::new()))));

fn new(client: Arc<dyn Client>) -> Arc<Backend> {
    Arc::new(Backend { cache: Cache::new(client, CACHED) })
}

/// The current client.
pub(crate) fn current() -> Arc<Backend> {
    CURRENT.read().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
}

/// Makes new arrays live on `client` from now on; the default is the CPU.
///
/// Earlier arrays belong to the earlier client and cannot be mixed with new ones, so call this before anything else.
pub fn set_client(client: Arc<dyn Client>) {
    *CURRENT.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = new(client);
}

/// How many programs the current client has compiled so far.
pub fn compiled_programs() -> u64 {
    current().cache.compiled()
}
