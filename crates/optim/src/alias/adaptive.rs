use jarrah_array::DType;

use crate::options::options;
use crate::transforms::*;
use crate::*;

/// `parts`, then the learning rate.
pub(super) fn descend(
    learning_rate: impl Into<Schedule>,
    part: GradientTransformation,
) -> GradientTransformation {
    chain([part, scale_by_learning_rate(learning_rate)])
}

macro_rules! descents {
    ($($(#[$doc:meta])* $name:ident($options:ty) = $scale:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(learning_rate: impl Into<Schedule>, options: $options) -> GradientTransformation {
                descend(learning_rate, $scale(options))
            }
        )*
    };
}

descents! {
    /// AdaBelief: [`scale_by_belief`], then the learning rate.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_optim::*;
    /// let optimizer = adabelief(0.1, AdaBelief::default());
    /// let p = Array::scalar(1.0);
    /// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
    /// assert!(u.item::<f32>()? < 0.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Zhuang et al., AdaBelief optimizer (2020).
    adabelief(AdaBelief) = scale_by_belief;
    /// AMSGrad: [`scale_by_amsgrad`], then the learning rate.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_optim::*;
    /// let optimizer = amsgrad(0.1, Amsgrad::default());
    /// let p = Array::scalar(1.0);
    /// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
    /// assert!(u.item::<f32>()? < 0.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Reddi, Kale and Kumar, On the convergence of Adam and beyond (2018).
    amsgrad(Amsgrad) = scale_by_amsgrad;
    /// NovoGrad: [`scale_by_novograd`], then the learning rate.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_optim::*;
    /// let optimizer = novograd(0.1, Novograd::default());
    /// let p = Array::scalar(1.0);
    /// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
    /// assert!(u.item::<f32>()? < 0.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Ginsburg et al., Stochastic gradient methods with layer-wise adaptive moments (2019).
    novograd(Novograd) = scale_by_novograd;
    /// RAdam: [`scale_by_radam`], then the learning rate.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_optim::*;
    /// let optimizer = radam(0.1, Radam::default());
    /// let p = Array::scalar(1.0);
    /// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
    /// assert!(u.item::<f32>()? < 0.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Liu et al., On the variance of the adaptive learning rate and beyond (2019).
    radam(Radam) = scale_by_radam;
    /// Yogi: [`scale_by_yogi`], then the learning rate.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_optim::*;
    /// let optimizer = yogi(0.1, Yogi::default());
    /// let p = Array::scalar(1.0);
    /// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
    /// assert!(u.item::<f32>()? < 0.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Zaheer et al., Adaptive methods for nonconvex optimization (2018).
    yogi(Yogi) = scale_by_yogi;
}

/// NAdam: [`adam`] with Nesterov's momentum.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = nadam(0.1, Adam::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dozat, Incorporating Nesterov momentum into Adam (2016).
pub fn nadam(learning_rate: impl Into<Schedule>, options: Adam) -> GradientTransformation {
    adam(learning_rate, Adam { nesterov: true, ..options })
}

/// NAdamW: [`adamw`] with Nesterov's momentum.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = nadamw(0.1, Adam::default(), 1e-4, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dozat (2016); Loshchilov and Hutter (2017).
pub fn nadamw(
    learning_rate: impl Into<Schedule>,
    options: Adam,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    adamw(learning_rate, Adam { nesterov: true, ..options }, weight_decay, mask)
}

/// Adamax with decoupled weight decay.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = adamaxw(0.1, 0.9, 0.999, 1e-8, 1e-4, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma and Ba, Adam (2014), section 7.1; Loshchilov and Hutter (2017).
pub fn adamaxw(
    learning_rate: impl Into<Schedule>,
    b1: f64,
    b2: f64,
    eps: f64,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([scale_by_adamax(b1, b2, eps), decay, scale_by_learning_rate(learning_rate)])
}

/// Adadelta: weight decay, [`scale_by_adadelta`], then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = adadelta(1.0, 0.9, 1e-6, 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zeiler, ADADELTA (2012).
pub fn adadelta(
    learning_rate: impl Into<Schedule>,
    rho: f64,
    eps: f64,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([decay, scale_by_adadelta(rho, eps), scale_by_learning_rate(learning_rate)])
}

/// Adan: [`scale_by_adan`], weight decay, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = adan(0.1, Adan::default(), 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Xie et al., Adan: adaptive Nesterov momentum algorithm (2022).
pub fn adan(
    learning_rate: impl Into<Schedule>,
    options: Adan,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([scale_by_adan(options), decay, scale_by_learning_rate(learning_rate)])
}

options! {
    /// The options of Adafactor.
    pub struct Adafactor {
        /// The least extent of the second largest axis from which on second moments are factored.
        min_dim_size_to_factor: usize = 128,
        /// The exponent of the decay of second moments.
        decay_rate: f64 = 0.8,
        /// How many steps the decay is behind the count.
        decay_offset: i32 = 0,
        /// Whether updates are multiplied by the root mean square of their parameter.
        multiply_by_parameter_scale: bool = true,
        /// The largest root mean square of an update, if any.
        clipping_threshold: Option<f64> = Some(1.0),
        /// The decay of momentum, if any, which is kept in f32.
        momentum: Option<f64> = None,
        /// The weight decay, if any: not multiplied by the learning rate.
        weight_decay_rate: Option<f64> = None,
        /// The number added to squares.
        eps: f64 = 1e-30,
        /// Whether second moments are factored.
        factored: bool = true,
    }
}

/// Adafactor: [`scale_by_factored_rms`], [`clip_by_block_rms`], the learning rate if there is one, [`scale_by_param_block_rms`], momentum,
/// weight decay; the sign is flipped last.
///
/// ```
/// use jarrah_optim::{Adafactor, Mask, Schedule, adafactor};
/// let optimizer = adafactor(None::<Schedule>, Adafactor { momentum: Some(0.9), ..Adafactor::default() }, Mask::all());
/// # let _ = optimizer;
/// ```
///
/// Source: Shazeer and Stern, Adafactor: adaptive learning rates with sublinear memory cost (2018).
pub fn adafactor(
    learning_rate: Option<impl Into<Schedule>>,
    options: Adafactor,
    weight_decay_mask: Mask,
) -> GradientTransformation {
    let o = options;
    let mut parts = vec![scale_by_factored_rms(Factored {
        factored: o.factored,
        decay_rate: o.decay_rate,
        step_offset: o.decay_offset,
        min_dim_size_to_factor: o.min_dim_size_to_factor,
        epsilon: o.eps,
    })];
    parts.extend(o.clipping_threshold.map(clip_by_block_rms));
    parts.extend(learning_rate.map(|rate| scale_by_learning_rate(-rate.into())));
    parts.extend(o.multiply_by_parameter_scale.then(|| scale_by_param_block_rms(1e-3)));
    parts.extend(o.momentum.map(|decay| state_in(ema(decay, false), "ema", DType::F32)));
    parts.extend(o.weight_decay_rate.map(|rate| add_decayed_weights(rate, weight_decay_mask)));
    parts.push(scale(-1.0));
    chain(parts)
}

/// Optimistic Adam: [`scale_by_adam`], [`scale_by_optimistic_gradient`], then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = optimistic_adam_v2(0.1, 1.0, 1.0, Adam::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Daskalakis et al., Training GANs with optimism (2017).
pub fn optimistic_adam_v2(
    learning_rate: impl Into<Schedule>,
    alpha: f64,
    beta: f64,
    options: Adam,
) -> GradientTransformation {
    chain([
        scale_by_adam(options),
        scale_by_optimistic_gradient(alpha, beta),
        scale_by_learning_rate(learning_rate),
    ])
}

/// Optimistic Adam in its older form, whose learning rate is `alpha`; `optimism` is the learning rate, as a rule.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = optimistic_adam(0.1, 0.1, Adam::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Daskalakis et al., Training GANs with optimism (2017).
pub fn optimistic_adam(learning_rate: f64, optimism: f64, options: Adam) -> GradientTransformation {
    optimistic_adam_v2(1.0, learning_rate, optimism, options)
}
