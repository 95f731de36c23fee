//! Files for the keys and values of prefixes that were evicted from memory.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jarrah_array::{Array, DType, TreeExt};
use jarrah_base::{Error, NUMERICS_VERSION, Result, memory, parallel, report};
use jarrah_engine::{Missing, PrefixKey};
use jarrah_models::{AdapterChange, Decoder};
use jarrah_runtime::{DiskCache, DiskKey, Kept};
use rustc_hash::FxHashSet;
use serde_json::Value;

use super::layout::Layout;
use super::reader::Reader;
use super::runner::CacheShape;
use super::{Handle, Shared};

/// The most bytes of pages that wait to be written; further pages are dropped.
const WAITING: usize = 256 << 20;
/// The bytes of pages that are read from files and copied into memory together, between two steps.
const PART: usize = 32 << 20;
/// How many prefixes, each shorter than the last, are looked for in files.
const TRIES: usize = 4;
/// The most files whose existence is remembered.
const REMEMBERED: usize = 1 << 18;
/// The number of bytes in a hash.
const HASH: usize = 32;
/// How long storage may take to find or read a page; then the page is computed instead.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long storage may make no progress before an engine that ends gives up writing.
const STALL: Duration = Duration::from_secs(10);
/// How long storage may make no progress before an engine that is to end at once gives up writing.
const SHORT_STALL: Duration = Duration::from_secs(1);
/// How often a page that waits checks whether the writer has room for it.
const LOOK: Duration = Duration::from_millis(2);
/// How often an engine that ends checks whether it is to end at once.
const TURN: Duration = Duration::from_millis(100);

/// A folder for the keys and values of evicted prefixes, so that they are read instead of computed again, also by another
/// process.
///
/// A file holds one page. Its name is a hash of everything that its keys and values depend on: the weights, the dtype and layout
/// of the cache, the adapter, the salt, and all tokens up to the page's last. One thread writes files, each whole; another thread
/// reads them for new requests, which enter the queue when their prefix is in memory or storage does not answer in time. Between
/// two steps only a bounded part is copied into memory, so the engine never waits for storage. Damaged files are removed, and the
/// least recently used ones if the folder exceeds its bytes. A graceful end writes the prefix cache. Processes may share the
/// folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offload {
    /// The folder, which is created if it does not exist.
    pub folder: PathBuf,
    /// The most bytes of all files.
    pub bytes: u64,
}

impl Offload {
    /// Checks that pages of `page_bytes` bytes can be kept in the folder.
    ///
    /// # Errors
    /// The limit has fewer bytes than a page takes (`Input`), or the folder cannot be written (`Input`, `Environment`).
    pub(super) fn check(&self, page_bytes: usize) -> Result<()> {
        // A file has the page's key before the page, and a hash behind it.
        let file = page_bytes + 2 * HASH;
        if self.bytes < file as u64 {
            let error = format!(
                "the files of keys and values may have {} bytes, and one of a page has {file} ({})",
                self.bytes,
                memory::size(file)
            );
            return Err(Error::input(error).op("engine").help("give more by --kv-offload-bytes"));
        }
        let folder = &self.folder;
        let probe = folder.join(format!(".probe-{}", std::process::id()));
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&probe, b"")).map_err(|e| {
            let error = Error::io("keep keys and values in", folder, &e);
            error.op("engine").help("name a folder that can be written by --kv-offload, or leave it out")
        });
        // Another process with the same id, on another host, may have removed the file.
        let _ = fs::remove_file(&probe);
        written
    }
}

/// The hash of everything that keys and values depend on besides tokens and salts.
pub type Identity = [u8; HASH];

/// The hash of a model's weights and structure, and of the layout and dtype of its keys and values.
pub fn identity(
    model: &Decoder,
    json: Option<&Value>,
    (layout, shape): (&Layout, CacheShape),
) -> Result<Identity> {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(env!("CARGO_PKG_VERSION").as_bytes());
    part(&NUMERICS_VERSION.to_le_bytes());
    part(&hash_of_weights(model)?);
    part(format!("{:?}", model.structure()).as_bytes());
    part(json.map(Value::to_string).unwrap_or_default().as_bytes());
    part(format!("{layout:?} {} {}", shape.page, shape.dtype).as_bytes());
    Ok(*hasher.finalize().as_bytes())
}

/// The hash of a model's weights.
pub fn hash_of_weights(model: &Decoder) -> Result<Identity> {
    let leaves: Vec<(String, &Array)> = model.leaves_with_paths();
    let hashes = parallel::map(parallel::cores(), &leaves, |(path, array)| {
        let bytes = array.to_literal()?;
        Ok::<_, Error>((path.clone(), array.ty().to_string(), blake3::hash(bytes.bytes())))
    });
    let mut hasher = blake3::Hasher::new();
    for hash in hashes {
        let (path, ty, hash): (String, String, blake3::Hash) = hash?;
        for part in [path.as_bytes(), ty.as_bytes(), hash.as_bytes()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Ok(*hasher.finalize().as_bytes())
}

/// The hash of an adapter's weights.
pub fn hash_of(changes: &[AdapterChange]) -> Result<Identity> {
    let mut hasher = blake3::Hasher::new();
    for change in changes {
        hasher.update(change.path.as_bytes());
        hasher.update(&change.scale.to_le_bytes());
        for array in [&change.a, &change.b] {
            hasher.update(array.ty().to_string().as_bytes());
            hasher.update(array.astype(DType::F32).to_literal()?.bytes());
        }
    }
    Ok(*hasher.finalize().as_bytes())
}

/// The store of evicted pages of an engine.
pub struct Store {
    files: Arc<DiskCache>,
    limit: u64,
    page_bytes: usize,
    identity: Mutex<Identity>,
    there: Arc<There>,
    reader: Reader,
    writer: Mutex<Option<Writer>>,
}

/// The files that existed when storage was last asked about them. A file that was removed meanwhile is not found when it is read,
/// and then written again.
#[derive(Default)]
struct There(Mutex<FxHashSet<DiskKey>>);

impl There {
    fn keys(&self) -> MutexGuard<'_, FxHashSet<DiskKey>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, key: DiskKey, is_there: bool) {
        let mut keys = self.keys();
        if !is_there {
            keys.remove(&key);
            return;
        }
        // Forgetting a file only costs that its page is written again at its next eviction.
        if keys.len() >= REMEMBERED {
            keys.clear();
        }
        keys.insert(key);
    }
}

struct Writer {
    pages: SyncSender<(DiskKey, Vec<u8>)>,
    /// The number of pages written so far.
    written: Arc<AtomicU64>,
    /// Closed when the thread has written all pages.
    done: Receiver<()>,
}

impl Store {
    /// Starts the threads that write and read files.
    pub fn new(options: &Offload, identity: Identity, page_bytes: usize) -> Result<Store> {
        let kept =
            Kept { ending: ".kv", unwritten: "keys and values are not kept in files", says_damage: true };
        let files = Arc::new(DiskCache::keeping(kept, &options.folder, options.bytes));
        let (pages, waiting): (_, Receiver<(DiskKey, Vec<u8>)>) =
            sync_channel((WAITING / page_bytes.max(1)).clamp(2, 4096));
        let there: Arc<There> = Arc::default();
        let (own, now) = (files.clone(), there.clone());
        let (open, done) = channel::<()>();
        let written = Arc::new(AtomicU64::new(0));
        let count = written.clone();
        let write = move || {
            let _open = open;
            for (key, mut bytes) in waiting {
                if !own.has(key) {
                    // The hash behind the page reveals damage.
                    bytes.extend_from_slice(blake3::hash(&bytes).as_bytes());
                    own.put(key, &bytes);
                }
                now.set(key, own.has(key));
                count.fetch_add(1, Ordering::Relaxed);
            }
        };
        thread::Builder::new().name("kv-offload".to_owned()).spawn(write).map_err(|e| {
            Error::environment(format!("the thread that writes keys and values cannot start: {e}"))
        })?;
        Ok(Store {
            files,
            limit: options.bytes,
            page_bytes,
            identity: Mutex::new(identity),
            there,
            reader: Reader::new(PATIENCE)?,
            writer: Mutex::new(Some(Writer { pages, written, done })),
        })
    }

    pub fn identity(&self) -> Identity {
        *self.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that the weights have changed: their pages have other keys.
    pub fn set_identity(&self, identity: Identity) {
        *self.identity.lock().unwrap_or_else(PoisonError::into_inner) = identity;
    }

    fn key(identity: &Identity, key: &PrefixKey, group: usize) -> DiskKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(identity);
        hasher.update(key);
        hasher.update(&(group as u64).to_le_bytes());
        DiskKey::of(*hasher.finalize().as_bytes())
    }

    /// Whether a block was in a file when storage was last asked.
    pub fn was_there(&self, identity: &Identity, key: &PrefixKey, group: usize) -> bool {
        self.there.keys().contains(&Store::key(identity, key, group))
    }

    /// The number of these blocks that are in files, counted up to the first that is not.
    pub fn find(&self, identity: &Identity, blocks: &[Missing]) -> usize {
        let keys = blocks.iter().map(|block| Store::key(identity, &block.key, block.group));
        let (files, there) = (self.files.clone(), self.there.clone());
        let look = move |key| {
            let is_there = files.has(key);
            there.set(key, is_there);
            is_there.then_some(())
        };
        self.reader.look(keys.collect(), look).len()
    }

    /// The pages of these blocks, up to the first block whose file is missing or damaged.
    pub fn read(&self, identity: &Identity, blocks: &[Missing]) -> Vec<Vec<u8>> {
        let keys = blocks.iter().map(|block| Store::key(identity, &block.key, block.group));
        let (files, there, page_bytes) = (self.files.clone(), self.there.clone(), self.page_bytes);
        let look = move |key| {
            let page = files.get(key, |bytes| {
                let whole = bytes.split_at_checked(page_bytes);
                let whole = whole.filter(|(page, hash)| blake3::hash(page).as_bytes()[..] == **hash);
                whole.map(|(page, _)| page.to_vec()).ok_or_else(|| Error::input("the page in it is damaged"))
            });
            there.set(key, page.is_some());
            page
        };
        self.reader.look(keys.collect(), look)
    }

    /// Hands a page to the writer, unless its file exists. False if the writer's queue is full, and stays full while `may_wait`
    /// returns true and pages are being written.
    pub fn write(&self, key: &PrefixKey, group: usize, page: Vec<u8>, may_wait: &dyn Fn() -> bool) -> bool {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(Writer { pages, written, .. }) = &*writer else { return false };
        let mut page = (Store::key(&self.identity(), key, group), page);
        let (mut seen, mut since) = (written.load(Ordering::Relaxed), Instant::now());
        loop {
            page = match pages.try_send(page) {
                Ok(()) => return true,
                Err(TrySendError::Full(page)) if since.elapsed() < STALL && may_wait() => page,
                Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => return false,
            };
            thread::sleep(LOOK);
            let now = written.load(Ordering::Relaxed);
            if now != seen {
                (seen, since) = (now, Instant::now());
            }
        }
    }

    /// The most pages that the files can hold.
    pub fn most(&self) -> usize {
        // When the limit of bytes is exceeded, an eighth of the files is removed.
        (self.limit / 8 * 7) as usize / self.page_bytes.max(1)
    }

    /// Takes no more pages, and returns when all are written, or when storage makes no progress for a while.
    pub fn finish(&self, ends_at_once: &dyn Fn() -> bool) {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(Writer { pages, written, done }) = writer else { return };
        drop(pages);
        let (mut seen, mut since) = (written.load(Ordering::Relaxed), Instant::now());
        // If the writing thread panicked, its unwritten pages are lost.
        while done.recv_timeout(TURN) == Err(RecvTimeoutError::Timeout) {
            let now = written.load(Ordering::Relaxed);
            if now != seen {
                (seen, since) = (now, Instant::now());
            }
            if since.elapsed() >= if ends_at_once() { SHORT_STALL } else { STALL } {
                let folder = self.files.folder().display();
                report(format_args!(
                    "jarrah: {folder} takes nothing: keys and values that were not written are lost"
                ));
                return;
            }
        }
    }
}

/// Pages that were read from files, to be copied into memory between two steps.
pub struct Restore {
    pub salt: Vec<u8>,
    pub tokens: Arc<[u32]>,
    /// The block of each page.
    pub blocks: Vec<Missing>,
    pub pages: Vec<Vec<u8>>,
    /// The identity of the weights that the pages were computed with.
    pub identity: Identity,
    /// Receives whether the pages are in memory now.
    pub told: Sender<bool>,
}

impl Handle {
    /// Brings back from files the keys and values of a prompt's prefix that the prefix cache does not have.
    pub(super) fn restore(&self, salt: &[u8], prompt: &[u32]) {
        let Some(store) = &self.store else { return };
        let shared: &Shared = &self.shared;
        let identity = store.identity();
        let page = self.options.page;
        let ask = |length: usize, kept: &dyn Fn(&PrefixKey, usize) -> bool| {
            let state = shared.lock();
            if state.asleep.is_some() || state.paused {
                return Vec::new();
            }
            state.scheduler.missing(salt, &prompt[..length], kept)
        };
        // Files are looked for without holding the lock of the state: first for the longest prefix, and if a file is missing, for
        // the longest prefix before it.
        let (mut found, mut length) = (FxHashSet::default(), prompt.len());
        for _ in 0..TRIES {
            let wanted = ask(length, &|_, _| true);
            let there = store.find(&identity, &wanted);
            found.extend(wanted[..there].iter().map(|one| (one.key, one.group)));
            match wanted.get(there) {
                None => break,
                // The prefix up to the missing block: its length ends one token behind the last block that may be found.
                Some(one) => length = one.block * page + 1,
            }
        }
        if found.is_empty() {
            shared.metrics().offload_queries += prompt.len() as u64;
            return;
        }
        let missing = ask(prompt.len(), &|key, group| found.contains(&(*key, group)));
        shared.metrics().offload_queries += prompt.len() as u64;
        let tokens: Arc<[u32]> = prompt.into();
        let mut last = None;
        for part in missing.chunks((PART / store.page_bytes.max(1)).max(1)) {
            let pages = store.read(&identity, part);
            let is_whole = pages.len() == part.len();
            let (told, done) = channel();
            let restore = Restore {
                salt: salt.to_vec(),
                tokens: tokens.clone(),
                blocks: part[..pages.len()].to_vec(),
                pages,
                identity,
                told,
            };
            let mut state = shared.lock();
            if state.has_ended {
                return;
            }
            state.restores.push(restore);
            drop(state);
            shared.came.notify_one();
            // A missing page is computed, and so is everything behind it.
            if !done.recv().unwrap_or(false) || !is_whole {
                return;
            }
            // Pages are in the order of their blocks; a block may have pages in two chunks, and is counted once.
            let blocks =
                part.iter().map(|one| one.block).filter(|block| last.replace(*block) != Some(*block));
            shared.metrics().offload_hits += (blocks.count() * page) as u64;
        }
    }
}
