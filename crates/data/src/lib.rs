//! From files to training batches.
//!
//! A [`Corpus`] is found and read, and its [`Manifest`] stored with the run; [`TokenStream::encode`] turns its documents
//! into one stream of ids, [`Packed`] cuts the stream into windows, and a [`Loader`] serves shuffled batches, each
//! with the [`DataState`] from which the next ones can be repeated.
//!
//! The pieces are Grain's: a [`MapDataset`] gives any example by its index ([`Packed`], [`Shuffle`], [`TokenBatches`]), an
//! [`IterDataset`] gives one after another and knows its position ([`BatchIter`], [`Prefetch`]).
//!
//! ```
//! use std::sync::Arc;
//! use jarrah_data::{Loader, LoaderOptions, Packed, TokenStream};
//! let bytes = |text: &str| Ok(text.bytes().map(u32::from).collect());
//! let tokens = TokenStream::encode(&["so it goes, and so on, and on"], 0, 256, &bytes)?;
//! let packed = Arc::new(Packed::new(tokens, 8, "training")?);
//! let mut loader = Loader::new(packed, &LoaderOptions { batch_size: 2, seed: 1, prefetch: 2 }, None)?;
//! let (batch, state) = loader.next_batch()?;
//! assert_eq!(batch.inputs.ty().to_string(), "i32[2,8]");
//! assert_eq!((state.epoch, state.index), (0, 2));
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod batch;
mod corpus;
mod dataset;
mod discover;
mod iter;
mod loader;
mod manifest;
mod pack;
mod prefetch;
mod read;
mod rust_sources;
mod shuffle;
mod split;
mod tokens;

pub use batch::{BatchMarks, TokenBatch, TokenBatches};
pub use corpus::{Corpus, Documents, RecordPlace, Summary};
pub use dataset::{DataState, IterDataset, MapDataset};
pub use iter::BatchIter;
pub use loader::{Loader, LoaderOptions};
pub use manifest::{Manifest, SourceFile};
pub use pack::{Examples, Marks, Packed, TokenWindow};
pub use prefetch::Prefetch;
pub use shuffle::{Permutation, Shuffle};
pub use tokens::TokenStream;
