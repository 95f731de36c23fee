//! Text to token ids and back.
//!
//! [`train`] learns a byte-level BPE from documents; [`Tokenizer::load`] reads a Hugging Face `tokenizer.json`, a SentencePiece
//! `tokenizer.model` or the ranks of tiktoken; [`DecodeStream`] turns ids that arrive one by one into whole characters; [`chat`] writes
//! conversations as the prompts of a model.
//!
//! ```
//! use jarrah_tokenizer::{END_OF_TEXT, TrainOptions, train};
//! let tokenizer = train(&["fn main() {}\n", "fn len(&self) -> usize\n"], &TrainOptions::new(300))?;
//! let ids = tokenizer.encode("fn main")?;
//! assert_eq!(tokenizer.decode(&ids, false)?, "fn main");
//! assert_eq!(tokenizer.eos_id()?, tokenizer.token_id(END_OF_TEXT).unwrap());
//! # Ok::<(), jarrah_base::Error>(())
//! ```

pub mod chat;
mod chunk;
mod encoding;
mod engine;
mod library;
mod load;
mod pairs;
mod ranks;
mod sentencepiece;
mod special;
mod stream;
mod tokenizer;
mod train;
mod trie;
mod vocabulary;
mod words;

pub use encoding::Encoding;
pub use stream::DecodeStream;
pub use tokenizer::Tokenizer;
pub use train::{END_OF_TEXT, TrainOptions, train};
pub use vocabulary::Vocabulary;
