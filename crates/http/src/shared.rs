//! The state of the transport that all requests to a server share.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hyper::HeaderMap;
use hyper::header::{AUTHORIZATION, HeaderValue};
use tokio::sync::Semaphore;

use crate::options::ServerOptions;
use crate::traces::Tracer;

/// The state of the transport that all requests to a server share.
pub struct TransportState {
    /// The options of the server.
    pub options: ServerOptions,
    /// The exporter of the requests' spans, if they are traced.
    pub tracer: Option<Tracer>,
    keys: Vec<blake3::Hash>,
    /// Permits for the bytes of bodies that are being read, one for each KiB.
    pub(crate) bodies: Arc<Semaphore>,
    is_ending: AtomicBool,
    random: RandomState,
    ids: AtomicUsize,
}

impl TransportState {
    /// The state of a server that has taken no request yet.
    pub fn new(options: ServerOptions, tracer: Option<Tracer>) -> TransportState {
        TransportState {
            tracer,
            keys: options.keys.iter().map(|key| blake3::hash(key.as_bytes())).collect(),
            bodies: Arc::new(Semaphore::new(options.most_bodies.div_ceil(1024).min(Semaphore::MAX_PERMITS))),
            is_ending: AtomicBool::new(false),
            random: RandomState::new(),
            ids: AtomicUsize::new(0),
            options,
        }
    }

    /// Whether a request with these headers carries one of the keys, or none is needed; the time this takes does not reveal how
    /// much of a wrong key is right.
    pub(crate) fn has_key(&self, headers: &HeaderMap) -> bool {
        let given = headers.get(AUTHORIZATION).map(HeaderValue::as_bytes).unwrap_or_default();
        let (scheme, key) = given.split_at_checked(7).unwrap_or_default();
        let key = blake3::hash(key);
        // Hashes of BLAKE3 are compared in constant time.
        let known = self.keys.iter().fold(false, |known, own| known | (*own == key));
        self.keys.is_empty() || (known && scheme.eq_ignore_ascii_case(b"bearer "))
    }

    /// Whether the server is shutting down and takes no more work.
    pub fn is_ending(&self) -> bool {
        self.is_ending.load(Ordering::Relaxed)
    }

    pub(crate) fn end(&self) {
        self.is_ending.store(true, Ordering::Relaxed);
    }

    /// A random id that no other request has: 32 hexadecimal digits.
    pub fn id(&self) -> String {
        let number = self.ids.fetch_add(1, Ordering::Relaxed);
        let word = |half: usize| self.random.hash_one((number, half));
        format!("{:016x}{:016x}", word(0), word(1))
    }

    /// A random number.
    pub fn word(&self) -> u64 {
        self.random.hash_one(self.ids.fetch_add(1, Ordering::Relaxed))
    }
}
