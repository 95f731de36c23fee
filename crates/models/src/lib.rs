//! Language models as trees of parameters.
//!
//! ```
//! use jarrah_array::{Array, random::Key};
//! use jarrah_models::{Gpt, GptConfig};
//! let config = GptConfig { vocabulary: 16, context: 8, layers: 1, heads: 2, width: 8, ..GptConfig::default() };
//! let model = Gpt::init(config, &Key::new(0));
//! let tokens = Array::new(&[1i32, 2, 3, 4], &[1, 4]);
//! assert_eq!(model.logits(&tokens, None).shape(), [1, 4, 16]);
//! ```

mod block;
mod config;
mod gpt;

pub use block::Block;
pub use config::GptConfig;
pub use gpt::Gpt;
