//! Losses, as `optax.losses` has them: of each example, not averaged.
//!
//! ```
//! use jarrah_array::{Array, DType};
//! use jarrah_optim::losses::{huber_loss, smooth_labels, softmax_cross_entropy};
//! let labels = smooth_labels(&Array::from_slice(&[0i32, 2]).one_hot(3, jarrah_array::DType::F32), 0.1);
//! let loss = softmax_cross_entropy(&Array::zeros(&[2, 3]), &labels).mean(..);
//! assert!((loss.item::<f32>()? - 3f32.ln()).abs() < 1e-6);
//! assert_eq!(huber_loss(&Array::scalar(3.0), &Array::scalar(0.0), 1.0).item::<f32>()?, 2.5);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! Losses that sum over classes take the last axis, or in the functions that end in `_along` the axes of an [`Along`], which may
//! have a mask: elements outside of the mask do not count.

mod classification;
mod ctc;
mod divergence;
mod margin;
mod ranking;
mod regression;
mod segmentation;
mod sparse;

pub use classification::{
    poly_loss_cross_entropy, safe_softmax_cross_entropy, sigmoid_binary_cross_entropy, sigmoid_focal_loss,
    smooth_labels, smooth_labels_along, softmax_cross_entropy_along,
    softmax_cross_entropy_with_integer_labels_along,
};
pub use ctc::{Ctc, ctc_loss, ctc_loss_with_forward_probs};
pub use divergence::{
    generalized_kl_divergence, generalized_kl_divergence_along, kl_divergence, kl_divergence_along,
    kl_divergence_with_log_targets, kl_divergence_with_log_targets_along,
};
use jarrah_array::Along;
pub use jarrah_nn::{softmax_cross_entropy, softmax_cross_entropy_with_integer_labels};
pub use margin::{
    hinge_loss, make_fenchel_young_loss, multiclass_hinge_loss, multiclass_perceptron_loss, perceptron_loss,
    triplet_margin_loss,
};
pub use ranking::{ntxent, ranking_softmax_loss};
pub use regression::{
    cosine_distance, cosine_distance_along, cosine_similarity, cosine_similarity_along, huber_loss, l2_loss,
    log_cosh, squared_error,
};
pub use segmentation::{Dice, binary_dice_loss, dice_loss, multiclass_generalized_dice_loss};
pub use sparse::{multiclass_sparsemax_loss, sparsemax_loss};

/// The last axis.
fn last() -> Along {
    (-1).into()
}
