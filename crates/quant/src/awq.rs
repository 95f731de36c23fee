//! Factors that bring out the rows that matter.

use jarrah_array::{Array, DType, along, where_};

use crate::check::require;
use crate::moments::Moments;
use crate::quantize::quantize;
use crate::scheme::Scheme;

/// The exponents that are tried.
const TRIED: usize = 20;

/// The most columns of a weight that errors are measured on.
const MEASURED: usize = 512;

/// Factors for the `K` inputs of weights that have one argument: rows times their factors are rounded with a smaller error, as inputs over
/// their factors are multiplied with them.
///
/// `s[k] = mean |x[k]|^a`, over the root of its largest times its least, for the `a` of 0, 1/20, .. 19/20 with the least
/// `sum over weights |x (W - diag(1/s) round(diag(s) W))|^2` over the inputs that were seen, on up to 512 columns of each weight.
///
/// * `weights`: `[K, N]` each, with the scheme that it is to have
///
/// Returns `f32[K]`. With `a = 0` all are ones: what is chosen is no worse there than rounding alone.
///
/// # Errors
/// The errors of [`quantize`], and weights with other numbers of rows than there are inputs: program errors.
///
/// ```
/// use jarrah_array::{Array, DType, random::Key};
/// use jarrah_quant::{Moments, Scheme, awq_factors, quantize};
/// let (a, b) = Key::new(0).pair();
/// // One input of 32 is much larger than the others.
/// let x = a.normal(&[256, 32]) * (Array::arange(32.0).eq(3.0).astype(DType::F32) * 20.0 + 1.0);
/// let (w, scheme) = (b.normal(&[32, 8]), Scheme::INT4.groups_of(32));
/// let s = awq_factors(&[(w.clone(), scheme)], &Moments::zeros(32).with(&x)).reshape(&[32, 1]);
/// let error = |q: Array| (x.matmul(&w) - x.matmul(&q)).square().sum(..).item::<f32>();
/// let scaled = error(quantize(&(&w * &s), scheme).dequantize(DType::F32) / &s)?;
/// assert!(scaled < 0.5 * error(quantize(&w, scheme).dequantize(DType::F32))?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Lin et al., AWQ: activation-aware weight quantization for LLM compression and acceleration (2023), section 3.2.
#[track_caller]
pub fn awq_factors(weights: &[(Array, Scheme)], seen: &Moments) -> Array {
    let rows = seen.magnitude.size();
    let fits = weights.iter().all(|(w, _)| w.rank() == 2 && w.shape()[0] == rows);
    require("awq_factors", fits && !weights.is_empty(), || {
        let types: Vec<String> = weights.iter().map(|(w, _)| w.ty().to_string()).collect();
        format!("weights are [{}]: there must be some, of {rows} rows as there are inputs", types.join(", "))
    });
    let measured: Vec<(Array, Scheme)> = weights
        .iter()
        .map(|(w, scheme)| {
            let columns = w.shape()[1];
            let step = columns.div_ceil(MEASURED);
            let places = Array::arange(columns.div_ceil(step) as i32) * step as i32;
            (w.take(&places, 1).astype(DType::F32), *scheme)
        })
        .collect();
    let magnitude = &seen.magnitude / seen.count.maximum(1.0);
    let mut best: Option<(Array, Array)> = None;
    for step in 0..TRIED {
        let raw = magnitude.pow(step as f32 / TRIED as f32).maximum(1e-4f32);
        let mid = (raw.max(along(0)) * raw.min(along(0))).sqrt();
        let factors = raw / mid;
        let factors = where_(&factors.isfinite(), &factors, 1.0f32);
        let by = factors.expand_dims(1);
        let mut error = Array::zeros(&[]);
        for (w, scheme) in &measured {
            let off = w - quantize(&(w * &by), *scheme).dequantize(DType::F32) / &by;
            error += (&off * seen.second.matmul(&off)).sum(..);
        }
        best = Some(match best {
            None => (error, factors),
            Some((least, chosen)) => {
                let better = error.lt(&least);
                (where_(&better, &error, &least), where_(&better, &factors, &chosen))
            }
        });
    }
    best.map_or_else(|| Array::ones(&[rows]), |(_, factors)| factors)
}
