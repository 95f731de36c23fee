use std::f64::consts::PI;

use jarrah_array::{Array, DType, Error, Tree, concatenate, fail, stack};

use crate::StaticFloat;

/// Rotary position embedding: pairs of elements of the last axis, each turned by an angle `p r_i` that grows with the position `p`.
///
/// ```text
/// y_a = m (x_a cos(p r_i) - x_b sin(p r_i));   y_b = m (x_a sin(p r_i) + x_b cos(p r_i));   r_i = base^(-2i / D)
/// ```
///
/// [`RopePairs`] says which elements `(a, b)` are a pair, [`RopeScaling`] what the rates `r_i` and the factor `m`, else 1, are in models for longer
/// sequences than they first saw. The product of two vectors so turned depends on the distance of their positions alone.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{Rope, RopePairs};
/// let x = Array::new(&[1.0f32, 0.0, 0.0, 5.0], &[1, 1, 1, 4]);
/// let at = Array::new(&[2i32], &[1, 1]);
/// // The first half of the elements alone.
/// let y = Rope::new(10000.0).with_width(2).turn(&x, &at).to_vec::<f32>()?;
/// assert!((y[0] - 2f32.cos()).abs() < 1e-6 && (y[1] - 2f32.sin()).abs() < 1e-6);
/// assert_eq!(y[2..], [0.0, 5.0]);
/// // The first with the third, as models of Hugging Face are stored.
/// let y = Rope::new(10000.0).with_pairs(RopePairs::Halves).turn(&x, &at).to_vec::<f32>()?;
/// assert!((y[0] - 2f32.cos()).abs() < 1e-6 && (y[2] - 2f32.sin()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Su et al., RoFormer: enhanced transformer with rotary position embedding (2021).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Tree)]
pub struct Rope {
    /// The base of the rates.
    #[tree(static)]
    pub base: StaticFloat,
    /// Which elements are a pair.
    #[tree(static)]
    pub pairs: RopePairs,
    /// `D`, the number of elements that are turned, the first ones; none: all.
    #[tree(static)]
    pub width: Option<usize>,
    /// What the rates become.
    #[tree(static)]
    pub scaling: RopeScaling,
}

/// Which of the elements are a pair.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RopePairs {
    /// `(2i, 2i + 1)`.
    #[default]
    Neighbours,
    /// `(i, i + D / 2)`.
    Halves,
}

/// What becomes of the rates for sequences that are longer than those that a model first saw.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum RopeScaling {
    /// Nothing.
    #[default]
    None,
    /// `r / factor`. Source: Chen et al., Extending context window of large language models via positional interpolation (2023).
    Linear {
        /// The factor.
        factor: StaticFloat,
    },
    /// `r / factor` for pairs that turn fewer than `low` times over the first length, `r` for those that turn more than `high` times, and
    /// between them what lies between. Source: Meta, Llama 3.1 (2024).
    Llama3 {
        /// The factor.
        factor: StaticFloat,
        /// `low_freq_factor`.
        low: StaticFloat,
        /// `high_freq_factor`.
        high: StaticFloat,
        /// The length of the sequences that the model first saw.
        original: usize,
    },
    /// As `Llama3`, along the numbers of pairs, with a factor on the turned elements. Source: Peng et al., YaRN: efficient context window
    /// extension of large language models (2023).
    Yarn {
        /// The factor.
        factor: StaticFloat,
        /// Pairs that turn more often are kept, 32 as a rule.
        fast: StaticFloat,
        /// Pairs that turn less often are divided, 1 as a rule.
        slow: StaticFloat,
        /// The length of the sequences that the model first saw.
        original: usize,
        /// Whether the numbers of pairs between which rates go over are whole, as a rule they are.
        truncate: bool,
        /// The factor on the turned elements; none: `0.1 ln(factor) + 1`.
        attention: Option<StaticFloat>,
    },
    /// `r_i / factors_i`, with a factor on the turned elements. Source: Ding et al., LongRoPE (2024), for one of its two lists.
    Factors {
        /// One for each pair.
        factors: Vec<StaticFloat>,
        /// The factor on the turned elements.
        attention: StaticFloat,
    },
}

impl Rope {
    /// All elements by their neighbours.
    pub fn new(base: f64) -> Self {
        Rope { base: base.into(), pairs: RopePairs::Neighbours, width: None, scaling: RopeScaling::None }
    }

    /// The embedding of these pairs.
    #[must_use]
    pub fn with_pairs(self, pairs: RopePairs) -> Self {
        Rope { pairs, ..self }
    }

    /// The embedding of the first `width` elements; the others stay as they are.
    #[must_use]
    pub fn with_width(self, width: usize) -> Self {
        Rope { width: Some(width), ..self }
    }

    /// The embedding with other rates.
    #[must_use]
    pub fn with_scaling(self, scaling: RopeScaling) -> Self {
        Rope { scaling, ..self }
    }

    /// The rates of the pairs of `width` elements, and the factor on the turned elements.
    ///
    /// ```
    /// use jarrah_nn::{Rope, RopeScaling};
    /// let rope = Rope::new(100.0).with_scaling(RopeScaling::Linear { factor: 4.0.into() });
    /// assert_eq!(rope.rates(4), (vec![0.25, 0.025], 1.0));
    /// ```
    #[track_caller]
    pub fn rates(&self, width: usize) -> (Vec<f64>, f64) {
        let (base, pairs) = (self.base.get(), width / 2);
        let plain: Vec<f64> = (0..pairs).map(|i| base.powf(-2.0 * i as f64 / width as f64)).collect();
        match &self.scaling {
            RopeScaling::None => (plain, 1.0),
            RopeScaling::Linear { factor } => (plain.iter().map(|r| r / factor.get()).collect(), 1.0),
            RopeScaling::Llama3 { factor, low, high, original } => {
                let (low, high) = (low.get(), high.get());
                let kept =
                    |r: f64| ((*original as f64 * r / (2.0 * PI) - low) / (high - low)).clamp(0.0, 1.0);
                (plain.iter().map(|&r| between(r, factor.get(), kept(r))).collect(), 1.0)
            }
            RopeScaling::Yarn { factor, fast, slow, original, truncate, attention } => {
                // The number of the pair that turns so often over the first length.
                let number = |turns: StaticFloat| {
                    let turn = *original as f64 / (turns.get() * 2.0 * PI);
                    width as f64 * turn.ln() / (2.0 * base.ln())
                };
                let (mut low, mut high) = (number(*fast), number(*slow));
                if *truncate {
                    (low, high) = (low.floor(), high.ceil());
                }
                let (low, high) = (low.max(0.0), high.min(width as f64 - 1.0));
                let span = if high == low { 0.001 } else { high - low };
                let kept = |i: usize| 1.0 - ((i as f64 - low) / span).clamp(0.0, 1.0);
                let factor = factor.get();
                let rates = plain.iter().enumerate().map(|(i, &r)| between(r, factor, kept(i))).collect();
                let own = if factor <= 1.0 { 1.0 } else { 0.1 * factor.ln() + 1.0 };
                (rates, attention.map_or(own, StaticFloat::get))
            }
            RopeScaling::Factors { factors, attention } => {
                if factors.len() != pairs {
                    let error = format!("{} factors for {pairs} pairs", factors.len());
                    fail(Error::program(error).op("rotary").help("give a factor for each pair of elements"));
                }
                let rates = plain.iter().zip(factors).map(|(r, factor)| r / factor.get());
                (rates.collect(), attention.get())
            }
        }
    }

    /// * `x`: floats `[B,T,H,D]`, or more elements than the `D` that are turned, an even number
    /// * `positions`: integers `[B,T]`, the `p`
    ///
    /// Returns the shape and dtype of `x`. Angles are computed in `f32`, or `f64` for `f64` arguments.
    #[track_caller]
    pub fn turn(&self, x: &Array, positions: &Array) -> Array {
        let shape = x.shape();
        let width = self.width.unwrap_or(shape.last().copied().unwrap_or(0));
        let fits = shape.len() == 4 && width.is_multiple_of(2) && positions.shape() == shape[..2];
        if !fits || width > shape[3] || !x.dtype().is_float() || !positions.dtype().is_integer() {
            let error = format!("{} cannot be turned by positions {}", x.ty(), positions.ty());
            let turned =
                self.width.map_or(String::new(), |width| format!(", of which {width} elements are turned"));
            let help = format!("give floats [B, T, H, D] with an even D{turned}, and integers [B, T]");
            fail(Error::program(error).op("rotary").help(help));
        }
        let wide = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        let pairs = width / 2;
        let (rates, factor) = self.rates(width);
        let rates = Array::from_slice(&rates).astype(wide);
        let angles = positions.astype(wide).reshape(&[shape[0], shape[1], 1, 1]) * rates;
        let (mut cos, mut sin) = (angles.cos(), angles.sin());
        if factor != 1.0 {
            (cos, sin) = (cos * factor, sin * factor);
        }
        let (turned, rest) = match width {
            _ if width == shape[3] => (x.clone(), None),
            _ => (x.slice(-1, 0..width), Some(x.slice(-1, width..shape[3]))),
        };
        // The axis along which the two of a pair stand side by side.
        let (places, axis) = match self.pairs {
            RopePairs::Neighbours => ([pairs, 2], -1),
            RopePairs::Halves => ([2, pairs], -2),
        };
        let apart = turned.astype(wide).reshape(&[&shape[..3], &places].concat()[..]);
        let half = |i: usize| apart.slice(axis, i..i + 1).squeeze(axis);
        let (a, b) = (half(0), half(1));
        let turned = stack(&[&(&a * &cos - &b * &sin), &(&a * &sin + &b * &cos)], axis);
        let turned = turned.reshape(&[&shape[..3], &[width]].concat()[..]).astype(x.dtype());
        match rest {
            Some(rest) => concatenate(&[&turned, &rest], -1),
            None => turned,
        }
    }
}

/// The rate `r` where it is kept, `r / factor` where it is not.
fn between(r: f64, factor: f64, kept: f64) -> f64 {
    (1.0 - kept) * r / factor + kept * r
}

/// [`Rope`] of all elements by their neighbours: pair `i`, `(2i, 2i + 1)`, is turned by `p base^(-2i / D)`.
///
/// * `x`: floats `[B,T,H,D]`, `D` even
/// * `positions`: integers `[B,T]`, the `p`
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::rotary;
/// let x = Array::new(&[1.0f32, 0.0], &[1, 1, 1, 2]);
/// let y = rotary(&x, &Array::new(&[2i32], &[1, 1]), 10000.0).to_vec::<f32>()?;
/// assert!((y[0] - 2f32.cos()).abs() < 1e-6 && (y[1] - 2f32.sin()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rotary(x: &Array, positions: &Array, base: f64) -> Array {
    Rope::new(base).turn(x, positions)
}
