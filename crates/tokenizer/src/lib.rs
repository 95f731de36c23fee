//! Text to token ids and back.
//!
//! [`train`] learns a byte-level BPE from documents; [`Tokenizer::load`] reads any Hugging Face `tokenizer.json`;
//! [`DecodeStream`] turns ids that arrive one by one into whole characters.
//!
//! ```
//! use jarrah_tokenizer::{END_OF_TEXT, TrainOptions, train};
//! let tokenizer = train(&["fn main() {}\n", "fn len(&self) -> usize\n"], &TrainOptions::new(300))?;
//! let ids = tokenizer.encode("fn main")?;
//! assert_eq!(tokenizer.decode(&ids, false)?, "fn main");
//! assert_eq!(tokenizer.eos_id()?, tokenizer.token_id(END_OF_TEXT).unwrap());
//! # Ok::<(), jarrah_base::Error>(())
//! ```

mod chunk;
mod stream;
mod tokenizer;
mod train;
mod words;

pub use stream::DecodeStream;
pub use tokenizer::Tokenizer;
pub use train::{END_OF_TEXT, TrainOptions, train};
