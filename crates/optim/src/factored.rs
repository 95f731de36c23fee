//! Second moments that take less memory than the parameters.

use jarrah_array::{Array, DType, Tree, along, where_};

use crate::moments::{moment, plus_one, start, zeros};
use crate::options::options;
use crate::tree::abs_sq;
use crate::{GradientTransformation, Leaves};

options! {
    /// The options of factored second moments.
    pub struct Factored {
        /// Whether arrays of two or more axes are factored at all.
        factored: bool = true,
        /// The exponent of the decay, `1 - t^-decay_rate`.
        decay_rate: f64 = 0.8,
        /// How many steps the decay is behind the count.
        step_offset: i32 = 0,
        /// The least extent of the second largest axis from which on an array is factored.
        min_dim_size_to_factor: usize = 128,
        /// The number added to squares.
        epsilon: f64 = 1e-30,
    }
}

impl Factored {
    /// The second largest and the largest axis, if the array is factored along them.
    fn axes(self, shape: &[usize]) -> Option<(usize, usize)> {
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        axes.sort_by_key(|&axis| shape[axis]);
        let (largest, second) = (axes.pop()?, axes.pop()?);
        (self.factored && shape[second] >= self.min_dim_size_to_factor).then_some((second, largest))
    }
}

#[derive(Clone, Tree)]
struct FactoredState {
    count: Array,
    v_row: Leaves,
    v_col: Leaves,
    v: Leaves,
}

/// Updates divided by the root of an average square of which large arrays keep only the means of rows and columns:
///
/// `v_t = d v + (1 - d) (g^2 + epsilon)` with `d = 1 - t^-decay_rate`, `u = g / sqrt(v_t)`. An array `[n, m]` whose extents are at least
/// `min_dim_size_to_factor` has the means `r` of rows and `c` of columns for `v`, and `v = r c / mean(r)`; where there is no `v`, `v_row` or
/// `v_col`, the state has one zero.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Factored;
/// use jarrah_optim::transforms::scale_by_factored_rms;
/// let t = scale_by_factored_rms(Factored { min_dim_size_to_factor: 2, ..Factored::default() });
/// let g = Array::new(&[2.0f32, 2.0, 2.0, 2.0], &[2, 2]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [1.0; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Shazeer and Stern, Adafactor: adaptive learning rates with sublinear memory cost (2018).
pub fn scale_by_factored_rms(options: Factored) -> GradientTransformation {
    let Factored { decay_rate, step_offset, epsilon, .. } = options;
    let none = |p: &Array| Array::full(&[1], 0.0, p.dtype());
    let init = move |params: &Leaves| {
        let without = |p: &Array, axis: usize| {
            let mut shape = p.shape().to_vec();
            shape.remove(axis);
            Array::full(&shape, 0.0, p.dtype())
        };
        let axes = |p: &Array| options.axes(&p.shape());
        FactoredState {
            count: start().count,
            v_row: params.map(|p| axes(p).map_or_else(|| none(p), |(_, d0)| without(p, d0))),
            v_col: params.map(|p| axes(p).map_or_else(|| none(p), |(d1, _)| without(p, d1))),
            v: params.map(|p| axes(p).map_or_else(|| p.zeros_like(), |_| none(p))),
        }
    };
    GradientTransformation::new("scale_by_factored_rms", init, move |updates, state, params| {
        let step = (&state.count - step_offset + 1).astype(DType::F32);
        let decay = 1.0 - step.pow(-decay_rate);
        let (mut rows, mut columns, mut full) = (Vec::new(), Vec::new(), Vec::new());
        let mut out = Vec::new();
        let states = state.v_row.arrays().iter().zip(state.v_col.arrays()).zip(state.v.arrays());
        for ((g, p), ((v_row, v_col), v)) in updates.arrays().iter().zip(params.arrays()).zip(states) {
            let square = abs_sq(g) + epsilon;
            let average =
                |before: &Array, now: Array| (before * &decay + now * (1.0 - &decay)).astype(p.dtype());
            match options.axes(&p.shape()) {
                Some((d1, d0)) => {
                    let v_row = average(v_row, square.mean(d0 as isize));
                    let v_col = average(v_col, square.mean(d1 as isize));
                    let reduced = if d1 > d0 { d1 - 1 } else { d1 } as isize;
                    let row = (&v_row / v_row.mean(along(reduced).keepdims())).pow(-0.5);
                    let column = v_col.pow(-0.5);
                    out.push(g * row.expand_dims(d0 as isize) * column.expand_dims(d1 as isize));
                    rows.push(v_row);
                    columns.push(v_col);
                    full.push(none(p));
                }
                None => {
                    let v = average(v, square);
                    out.push(g * v.pow(-0.5));
                    rows.push(none(p));
                    columns.push(none(p));
                    full.push(v);
                }
            }
        }
        let state = FactoredState {
            count: plus_one(&state.count),
            v_row: state.v_row.with(rows),
            v_col: state.v_col.with(columns),
            v: state.v.with(full),
        };
        (updates.with(out), state)
    })
}

#[derive(Clone, Tree)]
struct Sm3State {
    mu: Leaves,
    nu: Leaves,
}

/// Adagrad whose sums of squares are bounded by one vector for each axis, and momentum of the result:
///
/// `s = g^2 + min over axes of mu`, `u = g / sqrt(s + eps)`, `nu_t = b1 nu + (1 - b1) u`, `mu_t` of an axis is the largest `s` along the
/// others.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_sm3(0.0, 1.0, 0.0);
/// let g = Array::new(&[2.0f32, 2.0, 2.0, 2.0], &[2, 2]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [1.0; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Anil et al., Memory-efficient adaptive optimization (2019).
pub fn scale_by_sm3(b1: f64, b2: f64, eps: f64) -> GradientTransformation {
    let weight = if b2 == 1.0 { 1.0 } else { 1.0 - b2 };
    let init = |params: &Leaves| {
        let vectors = |p: &Array| p.shape().iter().map(|&n| Array::full(&[n], 0.0, p.dtype())).collect();
        Sm3State { mu: params.nested(vectors), nu: zeros(params) }
    };
    GradientTransformation::new("scale_by_sm3", init, move |updates, state, _| {
        let (mut mu, mut scaled) = (Vec::new(), Vec::new());
        let mut vectors = state.mu.arrays().iter();
        for g in updates.arrays() {
            let rank = g.rank();
            let spread = vectors.by_ref().take(rank).enumerate().map(|(axis, v)| {
                let mut shape = vec![1; rank];
                shape[axis] = v.size();
                v.reshape(&shape)
            });
            let bound = spread.reduce(|a, b| a.minimum(b)).unwrap_or_else(|| g.zeros_like());
            let sum = g.square() * weight + bound * b2;
            let others =
                |axis: usize| (0..rank).filter(|&k| k != axis).map(|k| k as isize).collect::<Vec<isize>>();
            let largest = |axis: usize| match rank {
                0 | 1 => sum.clone(),
                // Squares are not negative; an axis without elements has none.
                _ => sum.max(along(&others(axis)[..]).initial(0)),
            };
            mu.extend((0..rank).map(largest));
            scaled.push(g * where_(&sum.gt(0.0), (&sum + eps).rsqrt(), 0.0));
        }
        let nu = moment(&updates.with(scaled), &state.nu, b1);
        (nu.clone(), Sm3State { mu: state.mu.with(mu), nu })
    })
}
