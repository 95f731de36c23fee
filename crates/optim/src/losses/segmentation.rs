use jarrah_array::{Array, along};

use crate::options::options;

options! {
    /// The options of the Dice loss.
    pub struct Dice {
        /// The number added to numerator and denominator.
        smooth: f64 = 1.0,
        /// The weight of false positives.
        alpha: f64 = 0.5,
        /// The weight of false negatives.
        beta: f64 = 0.5,
        /// Whether predictions are logits, not probabilities: of a sigmoid for one class, else of a softmax.
        apply_softmax: bool = true,
        /// Whether class 0 is left out, if there are other classes.
        ignore_background: bool = false,
    }
}

/// `1 - (I + smooth) / (I + alpha (P - I) + beta (T - I) + smooth)` of each class, times its weight, where `I`, `P` and `T` are the sums of
/// `p t`, `p` and `t` over all axes but the first and the last.
///
/// * `predictions`, `targets`: `[batch, .., classes]`; `class_weights`: `[classes]`
///
/// Returns `[batch, classes]`; its mean over the last axis is the loss of an example.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::{Dice, dice_loss};
/// let masks = Array::new(&[1.0f32, 0.0, 0.0, 1.0], &[1, 2, 2]);
/// let loss = dice_loss(&masks, &masks, None, Dice { apply_softmax: false, ..Dice::default() });
/// assert_eq!(loss.to_vec::<f32>()?, [0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Milletari, Navab and Ahmadi, V-Net (2016); Salehi et al., Tversky loss (2017).
#[track_caller]
pub fn dice_loss(
    predictions: &Array,
    targets: &Array,
    class_weights: Option<&Array>,
    options: Dice,
) -> Array {
    let Dice { smooth, alpha, beta, apply_softmax, ignore_background } = options;
    let classes = predictions.shape().last().copied().unwrap_or(1);
    let probabilities = match (apply_softmax, classes) {
        (false, _) => predictions.clone(),
        (true, 1) => predictions.sigmoid(),
        (true, _) => predictions.softmax(-1),
    };
    let inner: Vec<isize> = (1..predictions.rank() as isize - 1).collect();
    let sum = |x: &Array| if inner.is_empty() { x.clone() } else { x.sum(along(&inner[..])) };
    let both = sum(&(&probabilities * targets));
    let (predicted, there) = (sum(&probabilities), sum(targets));
    let denominator = &both + (predicted - &both) * alpha + (there - &both) * beta + smooth;
    let loss = 1.0 - (both + smooth) / denominator;
    let loss = class_weights.map_or(loss.clone(), |weights| &loss * weights);
    if ignore_background && classes > 1 { loss.slice(-1, 1..) } else { loss }
}

/// The mean of [`dice_loss`] with classes that are weighted by the inverse square of how frequent they are.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let masks = Array::new(&[1.0f32, 0.0, 0.0, 1.0], &[1, 2, 2]);
/// let options = Dice { apply_softmax: false, ..Dice::default() };
/// assert!((multiclass_generalized_dice_loss(&masks, &masks, options).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Sudre et al., Generalised Dice overlap as a deep learning loss function (2017).
#[track_caller]
pub fn multiclass_generalized_dice_loss(predictions: &Array, targets: &Array, options: Dice) -> Array {
    let axes: Vec<isize> = (0..targets.rank() as isize - 1).collect();
    let weights = 1.0 / (targets.sum(&axes[..]).square() + 1e-7);
    let classes = weights.size() as f64;
    let weights = &weights / weights.sum(..) * classes;
    dice_loss(predictions, targets, Some(&weights), options).mean(..)
}

/// The Dice loss of one class for each example: `predictions` and `targets` `[batch, ..]`, with a last axis of extent one or without.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let mask = Array::new(&[1.0f32, 0.0, 1.0], &[1, 3]);
/// let options = Dice { apply_softmax: false, ..Dice::default() };
/// assert!((binary_dice_loss(&mask, &mask, options).index(0).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Milletari, Navab and Ahmadi, V-Net (2016).
#[track_caller]
pub fn binary_dice_loss(predictions: &Array, targets: &Array, options: Dice) -> Array {
    let one = |x: &Array| if x.shape().last() == Some(&1) { x.clone() } else { x.expand_dims(-1) };
    dice_loss(&one(predictions), &one(targets), None, options).mean(-1)
}
