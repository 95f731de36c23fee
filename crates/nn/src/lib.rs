//! Neural network layers.
//!
//! A module is a plain struct that derives [`Tree`](jarrah_tree::Tree): its arrays are the parameters, its
//! `#[tree(static)]` fields the configuration. Transformations, optimizers and checkpoints see only a tree, and a
//! parameter's name is its path.
//!
//! ```
//! use jarrah_array::{Array, Tree, TreeExt, grad, random::Key};
//! use jarrah_nn::{Linear, gelu};
//!
//! #[derive(Clone, Tree)]
//! struct Net {
//!     first: Linear,
//!     second: Linear,
//! }
//!
//! let (a, b) = Key::new(0).pair();
//! let net = Net { first: Linear::new(&a, 3, 8), second: Linear::new(&b, 8, 1) };
//! let x = Array::ones(&[4, 3]);
//! let loss = |net: &Net| net.second.forward(&gelu(&net.first.forward(&x))).square().mean(..);
//! let slope = grad(loss)(&net);
//! let names: Vec<String> = slope.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
//! assert_eq!(names, ["first.weight", "first.bias", "second.weight", "second.bias"]);
//! ```
//!
//! A module that contains others enters a scope named after the field before it calls that module, so errors and
//! dumps say `blocks.3.attention.qkv`.

mod activation;
mod attention;
mod batch_norm;
mod cache;
mod context;
mod dropout;
mod embedding;
mod experts;
mod f8;
mod filter;
mod latent;
mod linear;
mod loss;
mod mlp;
mod module;
mod norm;
mod object;
mod rope;
mod rotary;
mod state;
mod static_float;
mod surgery;
mod tokens;
mod value;
mod variable;

pub use activation::Activation;
pub use attention::CausalSelfAttention;
pub use batch_norm::BatchNorm;
pub use cache::{Cached, KvCache, Sequences};
pub use context::Context;
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use experts::{Experts, Gate, Groups, Routing, Score, load_balance_loss};
pub use f8::{F8Scale, F8State, f8_dot, f8_dot_current};
pub use filter::{Filter, Place};
pub use jarrah_array::nn::initializers::{self, Initializer};
pub use jarrah_array::nn::{gelu, gelu_exact, relu, silu, softplus};
pub use latent::{LatentAttention, LatentCache, LatentConfig};
pub use linear::Linear;
pub use loss::{softmax_cross_entropy, softmax_cross_entropy_with_integer_labels};
pub use mlp::{GatedMlp, Mlp};
pub use module::{Layer, Module, Sequential};
pub use norm::{LayerNorm, RmsNorm};
pub use rope::{Llama3Rope, Pairing, Rope, Yarn, yarn_scale};
pub use rotary::rotary;
pub use state::{State, Stored, split, state, try_update, update};
pub use static_float::StaticFloat;
pub use surgery::{edit, part, parts, tie, untie};
pub use tokens::Tokens;
pub use value::{Lora, LowRank, Transposed, Value};
pub use variable::{Kind, Variable};
