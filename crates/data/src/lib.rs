//! From files to training batches.
//!
//! A [`Corpus`] is found and read, and its [`Manifest`] stored with the run; [`TokenStream::encode`] turns its documents
//! into one stream of ids, [`Packed`] cuts the stream into windows, and a [`Loader`] serves shuffled batches, each
//! with the [`DataState`] from which the next ones can be repeated.
//!
//! Pipelines are Grain's, with its order, for elements of any type: a [`MapDataset`] gives each element by its index, an [`IterDataset`] gives one after
//! the other and knows its position ([`IterState`]), which is the same for any number of threads and, in [`Lanes`], of hosts.
//!
//! Files of records begin them: [`RecordFiles`] are found by number, a [`RecordStream`] is read from the front, and [`RecordFormat`] knows all formats.
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
mod batching;
mod corpus;
mod data_state;
mod dataset;
mod discover;
mod index_shuffle;
mod iter;
mod iter_dataset;
mod lanes;
mod loader;
mod loading;
mod manifest;
mod map;
mod observe;
mod order;
mod pack;
mod pack_counts;
mod permutation;
pub mod random;
mod read;
mod readers;
mod rust_sources;
mod sources;
mod split;
mod stage;
mod state;
mod token_features;
mod tokens;

pub use batch::{BatchMarks, TokenBatch};
pub use batching::{BatchRows, Stack};
pub use corpus::{Corpus, Documents, RecordPlace, Summary};
pub use data_state::DataState;
pub use dataset::{ENDLESS, MapDataset, RandomAccess};
pub use discover::record_files;
pub use index_shuffle::IndexShuffle;
pub use iter::{Features, PackOptions, PackStrategy, ReadOptions, SplitOptions};
pub use iter_dataset::{DatasetIterator, IterDataset};
pub use lanes::Lanes;
pub use loader::{Loader, LoaderOptions};
pub use loading::{DataLoader, IndexSampler, SampledRecord, ShardOptions};
pub use manifest::{Manifest, SourceFile};
pub use observe::{PipelineStage, StageObserver, StageStatistics};
pub use order::RecordOrder;
pub use pack::{Examples, Marks, Packed, TokenWindow};
pub use pack_counts::PackCounts;
pub use permutation::Permutation;
#[cfg(feature = "arrow")]
pub use sources::Arrow;
pub use sources::{
    ArrayRecord, ArrayRecordOptions, ArrayRecordWriter, Bagz, BagzOptions, BagzWriter, Csv, CsvOptions,
    CsvWriter, FormatRecords, HuggingFaceFolder, ImageFolder, InOrder, JsonLines, LineOptions, LineWriter,
    OnDamage, RecordBytes, RecordCompression, RecordConversion, RecordDamage, RecordFiles, RecordFormat,
    RecordInspection, RecordLayout, RecordSchema, RecordSource, RecordStream, RecordWriter, SourcePosition,
    SourceReader, StreamCompression, TextLines, TfExample, TfFeature, TfRecord, TfRecordOptions,
    TfRecordWriter, TfdsFeatures, TfdsFolder, TfdsValue, WebDataset, WebDatasetWriter, decode_image,
    json_text,
};
#[cfg(feature = "parquet")]
pub use sources::{Parquet, ParquetOptions, ParquetRecords, ParquetWriter};
pub use stage::{Seed, stages_named};
pub use state::IterState;
pub use token_features::token_features;
pub use tokens::TokenStream;
