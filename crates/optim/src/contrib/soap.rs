use jarrah_array::{Array, DType, Tree, cond, linalg, where_};

use super::shampoo::{along_axis, gram};
use crate::accumulate::steps;
use crate::linear_algebra::at_least_f32;
use crate::moments::{moment, plus_one, second_moment, start, unbiased, zeros};
use crate::options::options;
use crate::transforms::{add_decayed_weights, scale_by_learning_rate};
use crate::{GradientTransformation, Leaves, Mask, Schedule, chain};

options! {
    /// The options of SOAP.
    pub struct Soap {
        /// The decay of the average gradient.
        b1: f64 = 0.95,
        /// The decay of the average square in the rotated space.
        b2: f64 = 0.95,
        /// The decay of the statistics of axes.
        shampoo_beta: f64 = 0.95,
        /// The number added to the root.
        eps: f64 = 1e-8,
        /// The steps from one rotation to the next.
        update_interval: usize = 10,
        /// The largest extent that is rotated.
        max_dim: usize = 10000,
    }
}

#[derive(Clone, Tree)]
struct State {
    count: Array,
    mu: Leaves,
    nu: Leaves,
    /// For each leaf, one for each axis: `[n, n]`, or `[0, 0]`.
    statistics: Leaves,
    bases: Leaves,
}

/// Adam in the eigenbasis of Shampoo's statistics:
///
/// `L_k = b L_k + (1 - b) G_(k) G_(k)^T` for each axis, with eigenvectors `Q_k`; `g'` and `m'` are gradient and average gradient times `Q_k^T`
/// along each axis, `v_t = b2 v + (1 - b2) g'^2`, `u = m' / (1 - b1^t) / (sqrt(v_t / (1 - b2^t)) + eps)`, times `Q_k` along each axis.
/// Every `update_interval` steps `Q_k` becomes the orthogonal factor of `L_k Q_k`. The first step only finds the bases; its update is zero.
///
/// The state has `mu`, in the space of the parameters, `nu`, in the rotated one, `statistics` and `bases`, for each axis of each leaf.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{Soap, scale_by_soap};
/// let t = scale_by_soap(Soap::default());
/// let g = Array::new(&[4.0f32, 0.0, 0.0, 9.0], &[2, 2]);
/// let (_, state) = t.update(&g, &t.init(&g), &g);
/// let u = t.update(&g, &state, &g).0;
/// assert!((u - Array::eye(2)).abs().max(..).item::<f32>()? < 1e-3);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Vyas et al., SOAP: improving and stabilizing Shampoo using Adam (2024).
#[track_caller]
pub fn scale_by_soap(options: Soap) -> GradientTransformation {
    let Soap { b1, b2, shampoo_beta, eps, update_interval, max_dim } = options;
    let interval = steps(update_interval, "scale_by_soap");
    let init = move |params: &Leaves| {
        let squares = |p: &Array, fill: fn(usize, DType) -> Array| {
            let rotated = |n: usize| p.rank() >= 2 && n > 1 && n <= max_dim;
            let one = |&n: &usize| if rotated(n) { fill(n, p.dtype()) } else { fill(0, p.dtype()) };
            p.shape().iter().map(one).collect::<Vec<Array>>()
        };
        State {
            count: start().count,
            mu: zeros(params),
            nu: zeros(params),
            statistics: params.nested(|p| squares(p, |n, dtype| Array::full(&[n, n], 0.0, dtype))),
            bases: params.nested(|p| squares(p, |n, dtype| Array::eye_in(n, n, 0, dtype))),
        }
    };
    GradientTransformation::new("scale_by_soap", init, move |updates, state, _| {
        let first = state.count.eq(0);
        let rotate = |x: &Leaves, back: bool| rotated(x, &state.bases, back);
        let turned = rotate(updates, false);
        let mu = moment(updates, &state.mu, b1).or(&!&first, &state.mu);
        let nu = second_moment(&turned, &state.nu, b2).or(&!&first, &state.nu);
        // The count is one ahead of the number of averaged gradients: the first step has none.
        let count = plus_one(&state.count);
        let terms = where_(&first, 1, &state.count);
        let out = unbiased(&rotate(&mu, false), b1, &terms)
            .zip([&unbiased(&nu, b2, &terms)], |m, [v]| m / (v.sqrt() + eps));
        let out = rotate(&out, true).map(|u| where_(&first, u.zeros_like(), u));
        let mut before = state.statistics.arrays().iter();
        let axes = updates.arrays().iter().flat_map(|g| (0..g.rank()).map(move |axis| (g, axis)));
        let statistics: Vec<Array> = axes
            .map(|(g, axis)| {
                let before = before.next().expect("invariant: a statistic for each axis");
                match before.size() {
                    0 => before.clone(),
                    _ => before * shampoo_beta + gram(g, axis) * (1.0 - shampoo_beta),
                }
            })
            .collect();
        let new = |find: &dyn Fn(&Array, &Array) -> Array| {
            let each = statistics.iter().zip(state.bases.arrays());
            state.bases.with(each.map(|(l, q)| if l.size() == 0 { q.clone() } else { find(l, q) }).collect())
        };
        let anew = (&count % interval).eq(0);
        let bases = cond(
            &first,
            || new(&|l, _| linalg::eigh(&at_least_f32(l)).1.astype(l.dtype())),
            || {
                cond(
                    &anew,
                    || new(&|l, q| linalg::qr(&at_least_f32(&l.matmul(q))).0.astype(l.dtype())),
                    || state.bases.clone(),
                )
            },
        );
        (out, State { count, mu, nu, statistics: state.statistics.with(statistics), bases })
    })
}

/// Each leaf times the transposes of its bases along its axes, or `back`.
fn rotated(leaves: &Leaves, bases: &Leaves, back: bool) -> Leaves {
    let mut bases = bases.arrays().iter();
    leaves.map(|x| {
        (0..x.rank()).fold(x.clone(), |x, axis| {
            let q = bases.next().expect("invariant: a basis for each axis");
            match q.size() {
                0 => x,
                _ if back => along_axis(q, &x, axis),
                _ => along_axis(&q.t(), &x, axis),
            }
        })
    })
}

/// SOAP: [`scale_by_soap`], weight decay, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = soap(0.1, Soap::default(), 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? == 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Vyas et al. (2024).
#[track_caller]
pub fn soap(
    learning_rate: impl Into<Schedule>,
    options: Soap,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_soap(options),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}
