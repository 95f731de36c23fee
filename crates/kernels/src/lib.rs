//! Kernels written in the language of [`jarrah_array::kernel`].
//!
//! Each is a function of arrays, differentiated, batched and compiled as others are.
//!
//! ```
//! use jarrah_array::{Array, grad};
//! use jarrah_kernels as kernels;
//!
//! let x = Array::from_slice(&[1.0f32, 2.0, 4.0]).reshape(&[1, 3]);
//! let loss = |x: &Array| (kernels::softmax(x) * Array::arange(3)).sum(..);
//! assert_eq!(grad(loss)(&x).shape(), [1, 3]);
//! ```

mod attention;
mod backward;
mod conv;
mod elementwise;
mod linalg;
mod loss;
mod mask;
mod matmul;
mod memory;
mod norm;
mod optimizer;
mod paged;
mod quantized;
mod random;
mod reduce;
mod scan;
mod shape;
mod sort;
mod stencil;

pub use attention::{decode_attention, flash_attention, rotary_embedding, sliding_window_attention};
pub use conv::{average_pool, conv1d, conv2d, im2col, max_pool};
pub use elementwise::{add, gelu, mandelbrot, newton_cube_root, relu, saxpy, silu, swiglu};
pub use linalg::cholesky;
pub use loss::{cross_entropy, cross_entropy_gradient, log_softmax, logsumexp, masked_softmax, softmax};
pub use matmul::{batched_matmul, block_sparse_matmul, grouped_matmul, matmul, matmul_bias_gelu};
pub use memory::{compact, gather_rows, histogram, scatter_add_rows, transpose};
pub use norm::{batch_norm, group_norm, layer_norm, layer_norm_gradient, rms_norm, rms_norm_gradient};
pub use optimizer::{adam_update, lion_update};
pub use paged::paged_attention;
pub use quantized::{dequantize, int4_matmul, int8_matmul, quantize};
pub use random::{dropout, random_normal};
pub use reduce::{argmax_rows, mean_variance, sum_columns, sum_rows};
pub use scan::{cumsum, linear_recurrence};
pub use sort::{bitonic_sort, top_k};
pub use stencil::{laplace, life, sobel};
