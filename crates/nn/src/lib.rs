//! Neural network layers.
//!
//! A module is a plain struct that derives [`Tree`](jarrah_tree::Tree): its arrays are the parameters, its
//! `#[tree(static)]` fields the configuration. Transformations, optimizers and checkpoints see only a tree, and a
//! parameter's name is its path.
//!
//! ```
//! use jarrah_array::{Array, Tree, TreeExt, grad, random::Key};
//! use jarrah_nn::{Linear, Module, gelu};
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
//!
//! # How a model is made
//!
//! * **Weights.** A layer is a struct of [`Variable`]s and other layers. A variable holds a [`VariableValue`]: an array, or a stand-in
//!   for one (few bits, transposed, low rank, with an adapter), and says the part it plays ([`Kind`]) and the names of its axes.
//!   A [`Layer`] holds any [`Module`]. Both are transparent: a path is the path of the content, so replacing one is an
//!   assignment, and no layer knows what its weights are made of. A new kind of weight implements [`VariableValue`].
//! * **Passes.** A forward pass takes a [`Context`] as an argument: streams of random keys, the state of caches and statistics by
//!   path, captured or changed results, and values that modules lend to later modules of the same pass ([`Context::lend`]: keys
//!   and values that layers share). [`Context::call`] enters the name, calls the module, and passes the result through captures
//!   and changes. A pass is therefore a function: the state it leaves is returned, and put into the model by [`update`].
//! * **Surgery.** `Tree::visit_mut` shows every part of a model (leaf, static field or container) as `&mut dyn Any`; [`edit`]
//!   takes the parts of a type at the paths that a [`Filter`] matches. A shared tree stands at several places and counts once:
//!   gradients, optimizers and checkpoints see one leaf. A [`State`] is leaves by path, a tree itself.
//! * **Attention for serving.** A [`KvCache`] is runs of positions, and [`Tokens`] say where those of each sequence of a batch stand;
//!   pages are runs that a table names. A layer writes its keys and values by one scatter and attends causally from its own
//!   offset. The op skips keys that no query sees, so logits are the trainer's bits in any batch, chunk and layout
//!   (`crates/models/tests/decoding.rs`).

mod activation;
mod adapters;
mod axes;
mod batch_norm;
mod cache;
mod capacity;
mod cells;
mod context;
mod conv;
mod conv_transpose;
mod dropout;
mod einsum;
mod ema;
mod embedding;
mod experts;
mod f8;
mod filter;
mod group_norm;
mod latent;
mod linear;
mod linear_general;
mod loss;
mod mask;
mod metrics;
mod mlp;
mod module;
mod msgpack;
mod multi_head;
mod multi_metric;
mod norm;
mod object;
mod observed;
mod pool;
mod prelu;
mod recurrent;
mod rope;
mod spectral_norm;
mod stacked;
mod state;
mod static_float;
mod surgery;
mod tabulate;
mod tokens;
mod value;
mod variable;
mod weight_norm;

pub use activation::Activation;
pub use adapters::{AdapterRows, Adapters};
pub use batch_norm::BatchNorm;
pub use cache::{Cached, KvCache};
pub use capacity::Capacity;
pub use cells::{Cell, GruCell, LstmCell, SimpleCell};
pub use context::Context;
pub use conv::{Conv, ConvPadding};
pub use conv_transpose::ConvTranspose;
pub use dropout::Dropout;
pub use einsum::Einsum;
pub use ema::Ema;
pub use embedding::Embedding;
pub use experts::{Experts, Gate, Groups, Routing, Score, load_balance_loss};
pub use f8::{F8Scale, F8State, f8_dot, f8_dot_current};
pub use filter::{Filter, VariablePlace};
pub use group_norm::GroupNorm;
pub use jarrah_array::nn::initializers::{self, Initializer};
pub use jarrah_array::nn::{gelu, gelu_exact, relu, silu, softplus};
pub use latent::{LatentAttention, LatentCache, LatentConfig};
pub use linear::Linear;
pub use linear_general::LinearGeneral;
pub use loss::{softmax_cross_entropy, softmax_cross_entropy_with_integer_labels};
pub use mask::{combine_masks, make_attention_mask, make_causal_mask};
pub use metrics::{Accuracy, Average, Metric, Seen, Welford};
pub use mlp::{GatedMlp, Mlp};
pub use module::{Layer, Module, Sequential};
pub use multi_head::MultiHeadAttention;
pub use multi_metric::{AnyMetric, MultiMetric};
pub use norm::{LayerNorm, RmsNorm};
pub use observed::observed_attention;
pub use pool::Pool;
pub use prelu::PRelu;
pub use recurrent::{Bidirectional, Rnn};
pub use rope::{Llama3Rope, Pairing, Rope, Yarn, yarn_scale};
pub use spectral_norm::SpectralNorm;
pub use stacked::{RematLayer, Stacked};
pub use state::{State, StateEntry, split, state, try_update, update};
pub use static_float::StaticFloat;
pub use surgery::{edit, part, parts, tie, untie};
pub use tabulate::{tabulate, tabulate_with};
pub use tokens::Tokens;
pub use value::{Lora, LowRank, Transposed, VariableValue};
pub use variable::{Kind, Variable};
pub use weight_norm::WeightNorm;
