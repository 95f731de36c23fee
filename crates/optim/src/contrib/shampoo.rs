use jarrah_array::{Array, DType, Tree, cond, linalg, where_};

use crate::accumulate::steps;
use crate::linear_algebra::matrix_inverse_pth_root;
use crate::moments::{plus_one, second_moment, start, unbiased, zeros};
use crate::options::options;
use crate::transforms::{add_decayed_weights, scale_by_learning_rate, trace};
use crate::{GradientTransformation, Leaves, Mask, Schedule, chain};

options! {
    /// The options of Shampoo.
    pub struct Shampoo {
        /// The decay of the statistics, of the matrices and of the squares; 1 for sums.
        b2: f64 = 0.999,
        /// The damping: it is added to the diagonal of a statistic, as a share of its largest eigenvalue, and to the root of a
        /// square.
        eps: f64 = 1e-6,
        /// The steps from one computation of the inverse roots to the next.
        update_interval: usize = 10,
        /// The largest extent that has a statistic; an axis beyond is not preconditioned.
        max_dim: usize = 2048,
        /// Whether an update gets the norm that Adam's division by the root mean square would give it.
        graft: bool = true,
    }
}

impl Shampoo {
    /// Whether an axis has a statistic.
    fn has(self, rank: usize, extent: usize) -> bool {
        rank >= 2 && extent > 1 && extent <= self.max_dim
    }
}

#[derive(Clone, Tree)]
struct State {
    count: Array,
    /// For each leaf, one for each axis: `[n, n]`, or `[0, 0]`.
    statistics: Leaves,
    preconditioners: Leaves,
    nu: Leaves,
}

/// Updates multiplied along each axis by the inverse root of the second moment of that axis:
///
/// `L_k = b2 L_k + (1 - b2) G_(k) G_(k)^T` for each of the `r` axes, `u = G x_1 L_1^(-1/2r) .. x_r L_r^(-1/2r)`, where `G_(k)` is the
/// gradient with axis `k` as rows. Vectors are divided by the root of their average square, as in Adam, and with `graft` each matrix gets
/// the norm that this would give it.
///
/// The state has `statistics` and `preconditioners`, `[n, n]` for each axis of each leaf, named `0`, `1`, and `nu`, the average squares.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::{Shampoo, scale_by_shampoo};
/// let t = scale_by_shampoo(Shampoo { graft: false, b2: 1.0, ..Shampoo::default() });
/// // The gradient is diagonal: both roots divide by the fourth root of its square.
/// let g = Array::new(&[4.0f32, 0.0, 0.0, 9.0], &[2, 2]);
/// let u = t.update(&g, &t.init(&g), &g).0;
/// assert!((u - Array::eye(2)).abs().max(..).item::<f32>()? < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Gupta, Koren and Singer, Shampoo: preconditioned stochastic tensor optimization (2018); Anil et al., Scalable second order
/// optimization for deep learning (2020).
#[track_caller]
pub fn scale_by_shampoo(options: Shampoo) -> GradientTransformation {
    let Shampoo { b2, eps, update_interval, graft, .. } = options;
    let interval = steps(update_interval, "scale_by_shampoo");
    let init = move |params: &Leaves| {
        let squares = |p: &Array, fill: fn(usize, DType) -> Array| {
            let one =
                |&n: &usize| if options.has(p.rank(), n) { fill(n, p.dtype()) } else { fill(0, p.dtype()) };
            p.shape().iter().map(one).collect::<Vec<Array>>()
        };
        State {
            count: start().count,
            statistics: params.nested(|p| squares(p, |n, dtype| Array::full(&[n, n], 0.0, dtype))),
            preconditioners: params.nested(|p| squares(p, |n, dtype| Array::eye_in(n, n, 0, dtype))),
            nu: zeros(params),
        }
    };
    GradientTransformation::new("scale_by_shampoo", init, move |updates, state, _| {
        let count = plus_one(&state.count);
        let weight = if b2 == 1.0 { 1.0 } else { 1.0 - b2 };
        let nu = match b2 == 1.0 {
            true => updates.zip([&state.nu], |g, [v]| v + g.square()),
            false => second_moment(updates, &state.nu, b2),
        };
        let square = if b2 == 1.0 { nu.clone() } else { unbiased(&nu, b2, &count) };
        let diagonal = updates.zip([&square], |g, [v]| g / (v.sqrt() + eps));
        let mut before = state.statistics.arrays().iter();
        let statistics: Vec<Array> = updates
            .arrays()
            .iter()
            .flat_map(|g| (0..g.rank()).map(move |axis| (g, axis)))
            .map(|(g, axis)| {
                let before = before.next().expect("invariant: a statistic for each axis");
                if before.size() == 0 { before.clone() } else { before * b2 + gram(g, axis) * weight }
            })
            .collect();
        let ranks = updates.arrays().iter().flat_map(|g| std::iter::repeat_n(g.rank(), g.rank()));
        let roots = || {
            let roots = statistics.iter().zip(ranks.clone()).map(|(l, rank)| match l.size() {
                0 => l.clone(),
                _ => matrix_inverse_pth_root(l, 2 * rank, eps),
            });
            state.preconditioners.with(roots.collect())
        };
        let anew = (&state.count % interval).eq(0);
        let preconditioners = cond(&anew, roots, || state.preconditioners.clone());
        let mut roots = preconditioners.arrays().iter();
        let out = updates.zip([&diagonal], |g, [diagonal]| {
            let mut u = g.clone();
            let mut moved = false;
            for axis in 0..g.rank() {
                let root = roots.next().expect("invariant: a root for each axis");
                if root.size() > 0 {
                    u = along_axis(root, &u, axis);
                    moved = true;
                }
            }
            match (moved, graft) {
                (false, _) => diagonal.clone(),
                (true, false) => u,
                (true, true) => {
                    let norm = linalg::norm(&u);
                    let none = norm.eq(0.0);
                    &u * where_(&none, norm.ones_like(), linalg::norm(diagonal) / &norm)
                }
            }
        });
        (out, State { count, statistics: state.statistics.with(statistics), preconditioners, nu })
    })
}

/// `G_(k) G_(k)^T`: the products of the slices of `g` along an axis.
pub(super) fn gram(g: &Array, axis: usize) -> Array {
    let rows = g.moveaxis(axis as isize, 0).reshape(&[g.shape()[axis], g.size() / g.shape()[axis]]);
    rows.matmul(&rows.t())
}

/// `matrix` times `x` along an axis of `x`.
pub(super) fn along_axis(matrix: &Array, x: &Array, axis: usize) -> Array {
    let product = jarrah_array::numpy::tensordot(matrix, x, &[1], &[axis as isize]);
    product.moveaxis(0, axis as isize)
}

/// Shampoo: [`scale_by_shampoo`], momentum, weight decay, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// let optimizer = shampoo(0.1, 0.9, Shampoo::default(), 0.0, Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Gupta, Koren and Singer (2018); Anil et al. (2020).
#[track_caller]
pub fn shampoo(
    learning_rate: impl Into<Schedule>,
    momentum: f64,
    options: Shampoo,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_shampoo(options),
        trace(momentum, false),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}
