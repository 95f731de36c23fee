use jarrah_array::{Array, DType, Error, Tree, concatenate, custom_vjp, fail, lax, where_};

/// The type of operands: three bits of fraction, up to 448.
const FORWARD: DType = DType::F8E4M3FN;
/// The type of cotangents: a range like that of `f16`, up to 57344.
const BACKWARD: DType = DType::F8E5M2;

/// How one operand of [`f8_dot`] is scaled: from the largest magnitudes that it had in the last steps.
///
/// ```text
/// scale = max(max(amax_history) / largest(dtype), 2^-126)      as before where the maximum is 0 or not finite
/// amax_history = (max |x|, amax_history[2], ..., amax_history[L-1], amax_history[0])
/// ```
///
/// So the oldest entry, the second, leaves. Source: `flax.linen.fp8_ops`, which has no least scale and divides by 0 without one.
#[derive(Clone, Debug, Tree)]
pub struct F8Scale {
    /// The divisor of numbers before they are rounded, an `f32` scalar.
    pub scale: Array,
    /// The largest magnitudes of the last steps, `f32[L]`.
    pub amax_history: Array,
    /// A common factor of the other two fields, an `f32` scalar, by which they are divided before use. The gradients of `n`
    /// products that share a scale are added, which makes it `n`; unscaling the gradients of a scaled loss divides it together
    /// with the other fields.
    pub uses: Array,
}

impl F8Scale {
    /// The scale 1 and a history of `length` zeros.
    #[track_caller]
    pub fn new(length: usize) -> Self {
        if length == 0 {
            let error = Error::program("a history of no step says nothing").op("f8_dot");
            fail(error.help("keep at least one step; 1024 is usual"));
        }
        F8Scale { scale: Array::ones(&[]), amax_history: Array::zeros(&[length]), uses: Array::ones(&[]) }
    }

    /// The scale for a step on `x`, and the history after it.
    #[track_caller]
    fn step(&self, x: &Array, dtype: DType) -> F8Scale {
        // If no product used a scale, its gradient is 0 in all fields.
        let used = self.uses.gt(0.0) & self.scale.gt(0.0);
        let uses = where_(&used, &self.uses, 1.0);
        let before = where_(&used, &self.scale / &uses, 1.0);
        let history = &self.amax_history / &uses;
        let amax = history.max(..);
        let given = largest(dtype) / &amax;
        let scale = 1.0 / where_(&(amax.gt(0.0) & amax.isfinite()), given, 1.0 / before);
        // All fields are packed into one array: under `vmap`, where each element has its own magnitude, all fields are then added
        // equally often.
        let length = history.shape()[0];
        let parts = concatenate(
            &[
                &magnitude(x).reshape(&[1]),
                &history.roll(-1, 0).index(1..),
                &scale.maximum(LEAST).reshape(&[1]),
                &Array::ones(&[1]),
            ],
            0,
        );
        F8Scale {
            scale: parts.index(length),
            amax_history: parts.index(..length),
            uses: parts.index(length + 1),
        }
    }
}

/// The scales of an [`f8_dot`]: its state, which a step replaces by that of the next.
#[derive(Clone, Debug, Tree)]
pub struct F8State {
    /// Of the left side.
    pub lhs: F8Scale,
    /// Of the right side.
    pub rhs: F8Scale,
    /// Of the cotangent.
    pub gradient: F8Scale,
}

impl F8State {
    /// Scales of 1, and histories of `length` steps.
    #[track_caller]
    pub fn new(length: usize) -> Self {
        F8State { lhs: F8Scale::new(length), rhs: F8Scale::new(length), gradient: F8Scale::new(length) }
    }
}

/// The least scale. That of smaller numbers would be subnormal, of the smallest even 0.
const LEAST: f32 = f32::MIN_POSITIVE;

/// The largest number of a type.
fn largest(dtype: DType) -> f64 {
    if dtype == BACKWARD { 57344.0 } else { 448.0 }
}

/// The largest magnitude of an element as an `f32` scalar; 0 for an empty array.
#[track_caller]
fn magnitude(x: &Array) -> Array {
    if x.size() == 0 {
        return Array::zeros(&[]);
    }
    x.abs().max(..).astype(DType::F32)
}

/// `x / scale`, clamped to the type's range and rounded once. It is computed in `f32`, since a small scale would be 0 in `f16`.
#[track_caller]
fn quantized(x: &Array, scale: &Array, dtype: DType) -> Array {
    let most = largest(dtype);
    (x.astype(DType::F32) / scale).clip(-most, most).astype(dtype)
}

/// The scale by which the largest magnitude of `x` becomes the largest number of the type; 1 where that is 0 or not finite.
#[track_caller]
fn current(x: &Array, dtype: DType) -> Array {
    let amax = magnitude(x);
    where_(&(amax.gt(0.0) & amax.isfinite()), (&amax / largest(dtype)).maximum(LEAST), 1.0)
}

/// The product `x w` of quantized operands, summed in `f32` and multiplied by both scales. Operands of different types of 8 bits,
/// such as a cotangent and a weight, are converted to `bf16` first.
#[track_caller]
fn scaled_product(x: &Array, w: &Array, contract: (&[usize], &[usize]), scale: &Array, out: DType) -> Array {
    let (x, w) = match x.dtype() == w.dtype() {
        true => (x.clone(), w.clone()),
        false => (x.astype(DType::BF16), w.astype(DType::BF16)),
    };
    (lax::dot_general_as(&x, &w, contract, (&[], &[]), DType::F32) * scale).astype(out)
}

/// The values of the forward pass that the backward pass needs.
#[derive(Clone, Tree)]
struct Kept {
    x: Array,
    w: Array,
    x_scale: Array,
    w_scale: Array,
}

impl Kept {
    #[track_caller]
    fn new(x: &Array, w: &Array, [x_scale, w_scale]: [Array; 2]) -> Self {
        Kept { x: quantized(x, &x_scale, FORWARD), w: quantized(w, &w_scale, FORWARD), x_scale, w_scale }
    }

    fn product(&self, out: DType) -> Array {
        let last = self.x.rank() - 1;
        scaled_product(&self.x, &self.w, (&[last], &[0]), &(&self.x_scale * &self.w_scale), out)
    }

    /// The cotangents of both operands from the cotangent of the result and its scale.
    #[track_caller]
    fn cotangents(&self, ct: &Array, scale: &Array) -> (Array, Array) {
        let (last, out) = (self.x.rank() - 1, ct.dtype());
        let rows: Vec<usize> = (0..last).collect();
        let ct = quantized(ct, scale, BACKWARD);
        let dx = scaled_product(&ct, &self.w, (&[last], &[1]), &(scale * &self.w_scale), out);
        let dw = scaled_product(&self.x, &ct, (&rows, &rows), &(scale * &self.x_scale), out);
        (dx, dw)
    }
}

#[track_caller]
fn check(op: &'static str, x: &Array, w: &Array) {
    let (a, b) = (x.shape(), w.shape());
    let fits = !a.is_empty() && b.len() == 2 && a[a.len() - 1] == b[0];
    let wide = |x: &Array| matches!(x.dtype(), DType::F32 | DType::BF16 | DType::F16);
    if !fits || !wide(x) || x.dtype() != w.dtype() {
        let error = Error::program(format!("x {} and w {} do not fit", x.ty(), w.ty())).op(op);
        fail(error.help("give x as [.., inputs] and w as [inputs, outputs], both f32, bf16 or f16"));
    }
}

/// `x w` with operands of 8 bits, scaled by what they were in the steps before (delayed scaling).
///
/// ```text
/// y = (q(x) q(w)) s_x s_w      q(x) = e4m3(clamp(x / s_x)), sums in f32
/// dx = (q(dy) q(w)^T) s_dy s_w,   dw = (q(x)^T q(dy)) s_dy s_x      q(dy) = e5m2(clamp(dy / s_dy))
/// ```
///
/// * `x`: `[.., inputs]`, `w`: `[inputs, outputs]`, both `f32`, `bf16` or `f16`, as the result is: `[.., outputs]`
///
/// **The gradient in `state` is the state of the next step**, which only the backward pass knows: differentiate with respect to it, and
/// take what comes in its place. Gradients are added: where a state serves several products (in a loop, or under `vmap`), its next
/// magnitude is the mean of theirs.
///
/// # Errors
/// A program error if the operands do not fit.
///
/// ```
/// use jarrah_array::{Array, grad};
/// use jarrah_nn::{F8State, f8_dot};
/// let (x, w) = (Array::full(&[2, 3], 3.0, jarrah_array::DType::F32), Array::ones(&[3, 4]));
/// let loss = |(w, state): &(Array, F8State)| f8_dot(&x, w, state).sum(..);
/// let (slope, state) = grad(loss)(&(w, F8State::new(16)));
/// assert_eq!(slope.index((0, 0)).item::<f32>()?, 6.0);
/// assert_eq!(state.lhs.amax_history.max(..).item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.linen.fp8_ops`; Micikevicius et al., FP8 formats for deep learning (2022).
#[track_caller]
pub fn f8_dot(x: &Array, w: &Array, state: &F8State) -> Array {
    check("f8_dot", x, w);
    let out = x.dtype();
    type Args = (Array, Array, F8State);
    let ahead = move |(x, w, state): &Args| {
        let (lhs, rhs) = (state.lhs.step(x, FORWARD), state.rhs.step(w, FORWARD));
        let kept = Kept::new(x, w, [lhs.scale.clone(), rhs.scale.clone()]);
        let y = kept.product(out);
        (y, (kept, F8State { lhs, rhs, gradient: state.gradient.clone() }))
    };
    let back = |(kept, state): &(Kept, F8State), ct: &Array| {
        let gradient = state.gradient.step(ct, BACKWARD);
        let (dx, dw) = kept.cotangents(ct, &gradient.scale);
        (dx, dw, F8State { gradient, ..state.clone() })
    };
    custom_vjp(move |args: &Args| ahead(args).0, ahead, back)(&(x.clone(), w.clone(), state.clone()))
}

/// `x w` with operands of 8 bits, each scaled by its own largest magnitude (current scaling): as [`f8_dot`], without a state, for one
/// more pass over each operand.
///
/// # Errors
/// As [`f8_dot`].
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_nn::f8_dot_current;
/// let y = f8_dot_current(&Array::full(&[1, 2], 1e-3, jarrah_array::DType::F32), &Array::ones(&[2, 1]));
/// assert!((y.item::<f32>()? - 2e-3).abs() < 1e-9);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn f8_dot_current(x: &Array, w: &Array) -> Array {
    check("f8_dot_current", x, w);
    let out = x.dtype();
    let ahead = move |(x, w): &(Array, Array)| {
        let kept = Kept::new(x, w, [current(x, FORWARD), current(w, FORWARD)]);
        (kept.product(out), kept)
    };
    let back = |kept: &Kept, ct: &Array| kept.cotangents(ct, &current(ct, BACKWARD));
    custom_vjp(move |args: &(Array, Array)| ahead(args).0, ahead, back)(&(x.clone(), w.clone()))
}
