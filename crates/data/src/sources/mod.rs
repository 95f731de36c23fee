//! Files of records, a format a file.
//!
//! Records are bytes. A format whose records are found by number has a [`RecordFile`](record_files::RecordFile), and becomes [`RecordFiles`]; one that is read from the
//! front has a [`Framing`](record_stream::Framing), and becomes a [`RecordStream`]. Its writer is a [`RecordWriter`] over any [`Write`](std::io::Write), and
//! [`RecordFormat`] finds it by the content of a file.

mod array_record;
#[cfg(feature = "arrow")]
mod arrow;
mod bagz;
mod codec;
mod csv;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod guard;
mod hugging_face;
mod image;
mod image_folder;
mod json_object;
mod json_text;
mod lines;
#[cfg(feature = "parquet")]
mod parquet;
mod protobuf;
mod record_bytes;
mod record_files;
mod record_format;
mod record_schema;
mod record_stream;
mod record_writer;
mod source;
mod stream_codec;
mod tf_example;
mod tf_record;
mod tfds;
mod web_dataset;

pub use array_record::{ArrayRecord, ArrayRecordOptions, ArrayRecordWriter};
#[cfg(feature = "arrow")]
pub use arrow::Arrow;
pub use bagz::{Bagz, BagzOptions, BagzWriter};
pub use codec::RecordCompression;
pub use csv::{Csv, CsvOptions, CsvWriter};
pub use hugging_face::HuggingFaceFolder;
pub use image::decode_image;
pub use image_folder::ImageFolder;
pub use json_text::json_text;
pub use lines::{JsonLines, LineOptions, LineWriter, TextLines};
#[cfg(feature = "parquet")]
pub use parquet::{Parquet, ParquetOptions, ParquetRecords, ParquetWriter};
pub use record_bytes::RecordBytes;
pub use record_files::{OnDamage, RecordDamage, RecordFiles, RecordLayout};
pub use record_format::{FormatRecords, RecordConversion, RecordFormat, RecordInspection};
pub use record_schema::RecordSchema;
pub use record_stream::RecordStream;
pub use record_writer::RecordWriter;
pub use source::{InOrder, RecordSource, SourcePosition, SourceReader};
pub use stream_codec::StreamCompression;
pub use tf_example::{TfExample, TfFeature};
pub use tf_record::{TfRecord, TfRecordOptions, TfRecordWriter};
pub use tfds::{TfdsFeatures, TfdsFolder, TfdsValue};
pub use web_dataset::{WebDataset, WebDatasetWriter};
