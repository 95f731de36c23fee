use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use jarrah_base::{Error, Result};

/// A stream of token ids in memory, two bytes each if the vocabulary allows, else four.
#[derive(Clone, Debug, PartialEq)]
pub struct Tokens(Width);

#[derive(Clone, Debug, PartialEq)]
enum Width {
    Two(Vec<u16>),
    Four(Vec<u32>),
}

impl Tokens {
    /// The ids of `documents` in order, each document followed by `eos`; all cores encode.
    ///
    /// # Errors
    /// `encode` fails on a document (the first one's error is returned), or gives an id that is not below
    /// `vocab_size`.
    pub fn encode<S: AsRef<str> + Sync>(
        documents: &[S],
        eos: u32,
        vocab_size: usize,
        encode: &(dyn Fn(&str) -> Result<Vec<u32>> + Sync),
    ) -> Result<Self> {
        let checked = |document: &S| {
            let mut ids = encode(document.as_ref())?;
            ids.push(eos);
            match ids.iter().find(|&&id| id as usize >= vocab_size) {
                Some(id) => Err(Error::input(format!(
                    "token id {id} is not in the vocabulary of {vocab_size} tokens"
                ))),
                None => Ok(ids),
            }
        };
        if vocab_size <= 1 << 16 {
            let narrow = |d: &S| Ok(checked(d)?.into_iter().map(|id| id as u16).collect::<Vec<_>>());
            Ok(Tokens(Width::Two(in_order(documents, &narrow)?.concat())))
        } else {
            Ok(Tokens(Width::Four(in_order(documents, &checked)?.concat())))
        }
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        match &self.0 {
            Width::Two(ids) => ids.len(),
            Width::Four(ids) => ids.len(),
        }
    }

    /// Whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ids from `start`, `len` of them.
    pub(crate) fn window(&self, start: usize, len: usize) -> Vec<i32> {
        match &self.0 {
            Width::Two(ids) => ids[start..start + len].iter().map(|&id| i32::from(id)).collect(),
            Width::Four(ids) => ids[start..start + len].iter().map(|&id| id as i32).collect(),
        }
    }
}

/// `f` of every item, computed on all cores, in the order of the items; of several errors, the first item's.
fn in_order<T: Sync, R: Send>(items: &[T], f: &(dyn Fn(&T) -> Result<R> + Sync)) -> Result<Vec<R>> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { break };
                    let result = f(item);
                    // Indices are handed out in order, so threads finish all items before a failed one.
                    if result.is_err() {
                        next.store(items.len(), Ordering::Relaxed);
                    }
                    done.lock().expect("invariant: no holder of the lock panics").push((i, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("invariant: no holder of the lock panics");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}
