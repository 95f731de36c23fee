use jarrah_array::{Array, DType, Result, Tree, along, linalg};

use super::dimensions::{DimensionNumbers, Folded, MatrixDimensions};
use crate::linear_algebra::at_least_f32;
use crate::moments::{ahead, moment, plus_one, start, zeros};
use crate::options::options;
use crate::transforms::{add_decayed_weights, partition, scale_by_learning_rate};
use crate::tree::{self, abs_sq};
use crate::{Adam, GradientTransformation, Leaves, Mask, Schedule, adamw, chain};

/// How a matrix is scaled before Newton and Schulz's iteration, which needs singular values below one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preconditioning {
    /// By its Frobenius norm.
    Frobenius,
    /// By its largest singular value.
    Spectral,
    /// By rows, almost orthogonally (AOL).
    Aol,
    /// By the root of the Frobenius norm of its Gram matrix, the Schatten-4 norm.
    Schatten,
}

/// The coefficients of Keller Jordan's iteration.
const STANDARD: &[[f64; 3]] = &[[3.4445, -4.775, 2.0315]];

/// Coefficients of the five steps of Dion.
///
/// Source: Ahn et al., Dion: distributed orthonormalized updates (2025).
pub const DION_COEFFICIENTS: &[[f64; 3]] = &[
    [4.0848, -6.8946, 2.927],
    [3.9505, -6.3029, 2.6377],
    [3.7418, -5.5913, 2.3037],
    [2.8769, -3.1427, 1.2046],
    [2.8366, -3.0525, 1.2012],
];

options! {
    /// The options of Muon.
    pub struct Muon {
        /// The coefficients `a, b, c` of the iteration: of all steps, or of each of the last ones.
        ns_coeffs: &'static [[f64; 3]] = STANDARD,
        /// The number of steps of the iteration; that of the coefficients, if these are several.
        ns_steps: usize = 5,
        /// The decay of the average gradient.
        beta: f64 = 0.95,
        /// The number added to norms.
        eps: f64 = 1e-8,
        /// Whether the average gradient looks one step ahead.
        nesterov: bool = true,
        /// Whether an update is multiplied by its inner product with the average gradient.
        adaptive: bool = false,
        /// How matrices are scaled before the iteration.
        preconditioning: Preconditioning = Preconditioning::Frobenius,
        /// The root mean square that updates are scaled to; if `None`, they are multiplied by `sqrt(max(1, columns / rows))`.
        consistent_rms: Option<f64> = None,
        /// The learning rate of parameters that are no matrices; `None` for the same as of matrices.
        adam_learning_rate: Option<f64> = None,
        /// The decay of the average gradient of parameters that are no matrices.
        adam_b1: f64 = 0.9,
        /// The decay of the average squared gradient of parameters that are no matrices.
        adam_b2: f64 = 0.999,
        /// The number added under the root for parameters that are no matrices.
        adam_eps_root: f64 = 0.0,
        /// The weight decay of parameters that are no matrices.
        adam_weight_decay: f64 = 0.0,
    }
}

impl Muon {
    /// The coefficients as an array: `[3]`, or `[steps, 3]`.
    fn coefficients(self, dtype: DType) -> Array {
        let dtype = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
        match self.ns_coeffs {
            [all] => Array::from_slice(all).astype(dtype),
            each => {
                let last = &each[each.len().saturating_sub(self.ns_steps)..];
                Array::new(&last.concat(), &[last.len(), 3]).astype(dtype)
            }
        }
    }

    /// The coefficients of each step, as scalars in `dtype`.
    fn steps(self, coefficients: &Array, dtype: DType) -> Vec<[Array; 3]> {
        let coefficients = coefficients.astype(dtype);
        let triple = |row: &Array| [0, 1, 2].map(|i| row.index(i));
        match coefficients.rank() {
            1 => vec![triple(&coefficients); self.ns_steps],
            _ => (0..coefficients.shape()[0]).map(|i| triple(&coefficients.index(i as isize))).collect(),
        }
    }
}

/// The nearest matrix with orthonormal rows or columns, about: `x = a x + (b A + c A A) x` with `A = x x^T`, for each step, which brings all
/// singular values near one.
///
/// * `x`: `[.., m, n]`; of `options`, `ns_coeffs`, `ns_steps`, `preconditioning` and `eps` are used
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{Muon, orthogonalize_via_newton_schulz};
/// let x = orthogonalize_via_newton_schulz(&Array::new(&[3.0f32, 0.0, 0.0, 2.0], &[2, 2]), Muon::default());
/// assert!((x.index((0, 0)) - 1.0).abs().item::<f32>()? < 0.4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Jordan et al., Muon: an optimizer for hidden layers in neural networks (2024).
pub fn orthogonalize_via_newton_schulz(x: &Array, options: Muon) -> Array {
    orthogonalize(x, options, &options.steps(&options.coefficients(x.dtype()), x.dtype()))
}

fn orthogonalize(x: &Array, options: Muon, steps: &[[Array; 3]]) -> Array {
    let shape = x.shape();
    let tall = shape[x.rank() - 2] > shape[x.rank() - 1];
    let mut x = if tall { x.swapaxes(-2, -1) } else { x.clone() };
    let frobenius = |x: &Array| abs_sq(x).sum(along([-2, -1]).keepdims()).sqrt();
    match options.preconditioning {
        Preconditioning::Frobenius => x = &x / (frobenius(&x) + options.eps),
        Preconditioning::Spectral => {
            let largest =
                linalg::svdvals(&at_least_f32(&x)).max(along(-1).keepdims().initial(0)).expand_dims(-1);
            let largest = largest.astype(x.dtype().real());
            x = &x / (largest + options.eps);
        }
        Preconditioning::Aol | Preconditioning::Schatten => {}
    }
    for (i, [a, b, c]) in steps.iter().enumerate() {
        let transposed = x.swapaxes(-2, -1);
        let transposed = if x.dtype().is_complex() { transposed.conj() } else { transposed };
        let mut gram = x.matmul(&transposed);
        if i == 0 {
            let scale = match options.preconditioning {
                Preconditioning::Aol => Some(gram.abs().sum(along(-1).keepdims()).maximum(1e-8).rsqrt()),
                Preconditioning::Schatten => Some(frobenius(&gram).maximum(1e-8).rsqrt()),
                _ => None,
            };
            if let Some(s) = scale {
                x = &x * &s;
                gram = gram * &s * s.swapaxes(-2, -1);
            }
        }
        let second = (&gram * c).matmul(&gram);
        x = &x * a + (gram * b + second).matmul(&x);
    }
    if tall { x.swapaxes(-2, -1) } else { x }
}

#[derive(Clone, Tree)]
struct State {
    count: Array,
    mu: Leaves,
    ns_coeffs: Array,
}

/// Average gradients made orthogonal: see [`orthogonalize_via_newton_schulz`]. Each parameter has to be one of the `matrices`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{MatrixDimensions, Muon, scale_by_muon};
/// let t = scale_by_muon(Muon::default(), MatrixDimensions::default());
/// let g = Array::ones(&[2, 3]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.shape(), [2, 3]);
/// ```
///
/// Source: Jordan et al., Muon (2024).
pub fn scale_by_muon(options: Muon, matrices: MatrixDimensions) -> GradientTransformation {
    let Muon { beta, nesterov, adaptive, .. } = options;
    let init = move |params: &Leaves| State {
        count: start().count,
        mu: zeros(params),
        ns_coeffs: options.coefficients(tree::dtype(params, true)),
    };
    GradientTransformation::with_extra("scale_by_muon", init, move |updates, state, _, _| {
        let mu = moment(updates, &state.mu, beta);
        let count = plus_one(&state.count);
        let average = ahead(&mu, updates, beta, &count, nesterov);
        let out = each(&average, &matrices, |x, axes| {
            let folded = Folded::of(x, axes)?;
            let steps = options.steps(&state.ns_coeffs, x.dtype());
            Ok(folded.unfold(&orthogonalize(&folded.fold(x), options, &steps)))
        })?;
        let out = match adaptive {
            true => average.zip([&out], |x, [y]| {
                let x = if x.dtype().is_complex() { x.conj() } else { x.clone() };
                (x * y).sum(..) * y
            }),
            false => out,
        };
        Ok((out, State { count, mu, ns_coeffs: state.ns_coeffs.clone() }))
    })
}

/// `f` of each leaf and the axes of its matrix.
fn each(
    leaves: &Leaves,
    matrices: &MatrixDimensions,
    f: impl Fn(&Array, &DimensionNumbers) -> Result<Array>,
) -> Result<Leaves> {
    let one = |(path, x): (&jarrah_tree::Path, &Array)| {
        f(x, &matrices.of(&path.to_string(), x).unwrap_or_default())
    };
    Ok(leaves.with(leaves.iter().map(one).collect::<Result<Vec<Array>>>()?))
}

/// Updates times `sqrt(max(1, columns / rows))` or, with `consistent_rms`, times `consistent_rms sqrt(max(rows, columns))`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{MatrixDimensions, scale_by_shape};
/// let t = scale_by_shape(None, MatrixDimensions::default());
/// let g = Array::ones(&[1, 4]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [2.0; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Bernstein, Deriving Muon (2025); Liu et al., Muon is scalable for LLM training (2025).
pub fn scale_by_shape(consistent_rms: Option<f64>, matrices: MatrixDimensions) -> GradientTransformation {
    GradientTransformation::with_extra(
        "scale_by_shape",
        |_| (),
        move |updates, (), _, _| {
            let out = each(updates, &matrices, |x, axes| {
                let [_, rows, columns] = Folded::of(x, axes)?.matrix.map(|n| n as f64);
                Ok(match consistent_rms {
                    Some(rms) => x * (rows.max(columns).sqrt() * rms),
                    None => x * (columns / rows).max(1.0).sqrt(),
                })
            })?;
            Ok((out, ()))
        },
    )
}

/// Muon for the parameters that are `matrices`, [`adamw`] for the others.
///
/// ```
/// use jarrah_optim::{Mask, contrib::{MatrixDimensions, Muon, muon}};
/// let optimizer = muon(0.02, Muon::default(), 0.01, Mask::all(), MatrixDimensions::default());
/// # let _ = optimizer;
/// ```
///
/// The state has `inner_states.muon` and `inner_states.adam`.
///
/// Source: Jordan et al., Muon: an optimizer for hidden layers in neural networks (2024).
pub fn muon(
    learning_rate: impl Into<Schedule>,
    options: Muon,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
    matrices: MatrixDimensions,
) -> GradientTransformation {
    let rate = learning_rate.into();
    let adam = Adam {
        b1: options.adam_b1,
        b2: options.adam_b2,
        eps: options.eps,
        eps_root: options.adam_eps_root,
        nesterov: options.nesterov,
    };
    let adam_rate = options.adam_learning_rate.map_or(rate.clone(), Schedule::from);
    let orthogonal = chain([
        scale_by_muon(options, matrices.clone()),
        scale_by_shape(options.consistent_rms, matrices.clone()),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(rate),
    ]);
    let others = adamw(adam_rate, adam, options.adam_weight_decay, Mask::all());
    let label =
        move |path: &str, x: &Array| if matrices.of(path, x).is_some() { "muon" } else { "adam" }.to_owned();
    partition([("muon", orthogonal), ("adam", others)], label)
}
