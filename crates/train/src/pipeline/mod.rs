//! Pipelines of data that files describe: sources of records and the stages behind them, in TOML.
//!
//! ```text
//! PipelineFile    sources and stages, each with its keys and its line             pipeline/file.rs, keys.rs
//!   |             opens files, loads tokenizers, adds the stages                  pipeline/build.rs
//! Pipeline        a dataset of records or of features
//! ```
//!
//! ```
//! use jarrah_train::pipeline::{Pipeline, PipelineFile};
//! # let folder = std::env::temp_dir().join(format!("pipeline-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! let lines = folder.join("lines.jsonl");
//! std::fs::write(&lines, "{\"text\": \"so\"}\n{\"text\": \"it goes\"}\n").unwrap();
//! let text = format!("
//!     [[source]]
//!     files = [{:?}]
//!     [[stage]]
//!     kind = 'json'
//!     field = 'text'
//!     [[stage]]
//!     kind = 'filter'
//!     min_bytes = 3
//! ", lines.display().to_string());
//! let file = PipelineFile::from_toml(&text, "lines.toml")?;
//! let Pipeline::Records(records) = file.open()? else { panic!("the stages make no features") };
//! let records: Vec<_> = records.iter()?.collect::<Result<_, _>>()?;
//! assert_eq!(&*records[0], b"it goes");
//!
//! let error = PipelineFile::from_toml(&text.replace("min_bytes", "min_byte"), "lines.toml").unwrap_err();
//! assert!(error.to_string().starts_with("there is no key filter.min_byte\n  --> lines.toml:9:"), "{error}");
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod build;
mod file;
mod form;
mod keys;

pub use build::{Pipeline, PipelineThreads};
pub use file::{PipelineFile, SourceForms, StageForm};
pub use keys::stage_help;
