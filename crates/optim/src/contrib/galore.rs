use jarrah_array::{Array, DType, Error, Tree, cond, linalg};

use super::dimensions::{Folded, MatrixDimensions};
use crate::accumulate::steps;
use crate::moments::{plus_one, start};
use crate::transforms::{add_decayed_weights, scale_by_learning_rate};
use crate::{GradientTransformation, Leaves, Mask, Schedule, chain};

#[derive(Clone, Tree)]
struct State {
    count: Array,
    base_optimizer_state: Leaves,
    projector: Leaves,
}

/// A matrix and the rank to which its gradient is projected.
struct Projection {
    folded: Folded,
    rank: usize,
    /// Whether rows are projected, not columns.
    left: bool,
}

impl Projection {
    /// The projection for an array, or `None` if the array is no matrix.
    fn of(
        path: &str,
        x: &Array,
        matrices: &MatrixDimensions,
        rank: usize,
    ) -> jarrah_array::Result<Option<Self>> {
        let Some(axes) = matrices.of(path, x) else { return Ok(None) };
        let folded = Folded::of(x, &axes)?;
        let [batch, rows, columns] = folded.matrix;
        if axes.reduction.len() + axes.output.len() != x.rank() {
            let error = Error::program(format!("{path}, {}, is a batch of {batch} matrices", x.ty()));
            return Err(error.help("name each axis as one of rows or columns"));
        }
        Ok(Some(Projection { folded, rank: rank.min(rows).min(columns), left: rows >= columns }))
    }

    fn projector(&self, dtype: DType) -> Array {
        let [_, rows, columns] = self.folded.matrix;
        Array::full(&[if self.left { rows } else { columns }, self.rank], 0.0, dtype)
    }

    fn proxy(&self, dtype: DType) -> Array {
        let [_, rows, columns] = self.folded.matrix;
        Array::full(&if self.left { [self.rank, columns] } else { [rows, self.rank] }, 0.0, dtype)
    }

    /// The first singular vectors of a gradient.
    fn find(&self, g: &Array) -> Array {
        let (u, _, vt) = linalg::svd(&g.astype(DType::F32));
        let vectors = if self.left { u.slice(1, 0..self.rank) } else { vt.slice(0, 0..self.rank).t() };
        vectors.astype(g.dtype())
    }
}

/// `inner` on gradients of matrices that are projected to a lower `rank`, so that its state is smaller: to the first singular vectors of the
/// gradient, found anew every `update_gap` steps; updates are projected back and multiplied by `scale`. Other parameters are not projected.
///
/// Usual are `rank = 128`, `update_gap = 200` and [`crate::transforms::scale_by_adam`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Adam, contrib::{MatrixDimensions, scale_by_galore}, tree};
/// use jarrah_optim::transforms::scale_by_adam;
/// let t = scale_by_galore(2, 200, 1.0, scale_by_adam(Adam::default()), MatrixDimensions::default());
/// let state = t.init(&Array::ones(&[8, 4]));
/// assert_eq!(tree::get(&state, "mu").shape(), [2, 4]);
/// ```
///
/// Source: Zhao et al., GaLore: memory-efficient LLM training by gradient low-rank projection (2024).
#[track_caller]
pub fn scale_by_galore(
    rank: usize,
    update_gap: usize,
    scale: f64,
    inner: GradientTransformation,
    matrices: MatrixDimensions,
) -> GradientTransformation {
    let rank = steps(rank, "scale_by_galore") as usize;
    let gap = steps(update_gap, "scale_by_galore");
    let (first, which) = (inner.clone(), matrices.clone());
    let init = move |params: &Leaves| {
        let (mut projectors, mut proxies) = (Vec::new(), Vec::new());
        for (path, p) in params.iter() {
            match Projection::of(&path.to_string(), p, &which, rank) {
                Ok(Some(projection)) => {
                    projectors.push(projection.projector(p.dtype()));
                    proxies.push(projection.proxy(p.dtype()));
                }
                Ok(None) => {
                    projectors.push(Array::full(&[0, 0], 0.0, p.dtype()));
                    proxies.push(p.zeros_like());
                }
                Err(error) => jarrah_array::fail(error.op("scale_by_galore")),
            }
        }
        State {
            count: start().count,
            base_optimizer_state: first.start(&params.with(proxies)),
            projector: params.with(projectors),
        }
    };
    GradientTransformation::with_extra("scale_by_galore", init, move |updates, state, _, extra| {
        let anew = (&state.count % gap).eq(0);
        let (mut projections, mut projectors, mut low) = (Vec::new(), Vec::new(), Vec::new());
        for ((path, g), before) in updates.iter().zip(state.projector.arrays()) {
            let projection = Projection::of(&path.to_string(), g, &matrices, rank)?;
            match &projection {
                Some(projection) => {
                    let [_, rows, columns] = projection.folded.matrix;
                    let matrix = projection.folded.fold(g).reshape(&[rows, columns]);
                    let projector = cond(&anew, || projection.find(&matrix), || before.clone());
                    low.push(if projection.left {
                        projector.t().matmul(&matrix)
                    } else {
                        matrix.matmul(&projector)
                    });
                    projectors.push(projector);
                }
                None => {
                    low.push(g.clone());
                    projectors.push(before.clone());
                }
            }
            projections.push(projection);
        }
        let low = updates.with(low);
        let (steps, base_optimizer_state) = inner.step(&low, &state.base_optimizer_state, &low, extra)?;
        let back =
            steps.arrays().iter().zip(&projections).zip(&projectors).map(|((u, projection), projector)| {
                let Some(projection) = projection else { return u.clone() };
                let full = if projection.left { projector.matmul(u) } else { u.matmul(&projector.t()) };
                let full = full.reshape(&projection.folded.matrix);
                projection.folded.unfold(&full) * scale
            });
        let out = updates.with(back.collect());
        let projector = state.projector.with(projectors);
        Ok((out, State { count: plus_one(&state.count), base_optimizer_state, projector }))
    })
}

/// GaLore: [`scale_by_galore`], weight decay, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::contrib::*;
/// use jarrah_optim::*;
/// use jarrah_optim::transforms::*;
/// let optimizer = galore(0.1, 128, 200, 1.0, scale_by_adam(Adam::default()), 0.0, Mask::all(), MatrixDimensions::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhao et al. (2024).
#[track_caller]
pub fn galore(
    learning_rate: impl Into<Schedule>,
    rank: usize,
    update_gap: usize,
    scale: f64,
    inner: GradientTransformation,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
    matrices: MatrixDimensions,
) -> GradientTransformation {
    chain([
        scale_by_galore(rank, update_gap, scale, inner, matrices),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}
