use jarrah_array::{Array, Error, Tree, fail, where_};

use crate::accumulate::steps;
use crate::moments::{plus_one, start};
use crate::options::options;
use crate::{GradientTransformation, Leaves, tree};

options! {
    /// The options of [`reduce_on_plateau`].
    pub struct ReduceOnPlateau {
        /// The factor on the scale on a plateau, between 0 and 1.
        factor: f64 = 0.1,
        /// Values without an improvement after which the scale is reduced.
        patience: usize = 10,
        /// The improvement that counts, in relation to the best value.
        rtol: f64 = 1e-4,
        /// The improvement that counts.
        atol: f64 = 0.0,
        /// Values after a reduction that do not count.
        cooldown: usize = 0,
        /// How many values are averaged to one.
        accumulation_size: usize = 1,
        /// The least scale.
        min_scale: f64 = 0.0,
    }
}

impl ReduceOnPlateau {
    #[track_caller]
    fn check(self) {
        let fits = self.factor > 0.0
            && self.factor < 1.0
            && (0.0..=1.0).contains(&self.rtol)
            && self.atol >= 0.0
            && self.rtol + self.atol > 0.0;
        if !fits {
            let error = Error::program(format!("{self:?} cannot be")).op("reduce_on_plateau");
            fail(error.help(
                "factor is between 0 and 1, rtol in [0, 1], atol not negative, and one of the two positive",
            ));
        }
    }
}

#[derive(Clone, Tree)]
struct State {
    scale: Array,
    best_value: Array,
    plateau_count: Array,
    cooldown_count: Array,
    count: Array,
    avg_value: Array,
}

/// Updates times a scale that is reduced where the `value` of the loss no longer improves, that is, does not fall below
/// `(1 - rtol) best - atol`, for `patience` values.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Extra, contrib::{ReduceOnPlateau, reduce_on_plateau}};
/// let t = reduce_on_plateau(ReduceOnPlateau { patience: 1, factor: 0.5, ..ReduceOnPlateau::default() });
/// let g = Array::scalar(2.0);
/// let extra = Extra::new().value(&Array::scalar(1.0));
/// let (_, state) = t.update_with(&g, &t.init(&g), &g, &extra);
/// assert_eq!(t.update_with(&g, &state, &g, &extra).0.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `torch.optim.lr_scheduler.ReduceLROnPlateau`.
#[track_caller]
pub fn reduce_on_plateau(options: ReduceOnPlateau) -> GradientTransformation {
    options.check();
    let ReduceOnPlateau { factor, rtol, atol, min_scale, .. } = options;
    let (patience, size) = (options.patience as i32, steps(options.accumulation_size, "reduce_on_plateau"));
    let cooldown = options.cooldown as i32;
    let init = |params: &Leaves| {
        let wide = tree::dtype(params, true);
        State {
            scale: super::number(1.0, tree::dtype(params, false)),
            best_value: super::number(f64::INFINITY, wide),
            plateau_count: start().count,
            cooldown_count: start().count,
            count: start().count,
            avg_value: super::number(0.0, wide),
        }
    };
    GradientTransformation::with_extra("reduce_on_plateau", init, move |updates, state, _, extra| {
        let dtype = state.avg_value.dtype();
        let count = plus_one(&state.count);
        let now = extra.needed("value")?.astype(dtype);
        let total = state.count.astype(dtype) * &state.avg_value + now;
        let average = total / count.astype(dtype);
        let full = count.eq(size);
        let better = average.lt(&state.best_value * (1.0 - rtol) - atol);
        let stalled = where_(&better, 0, plus_one(&state.plateau_count));
        let (cooling, over) = (state.cooldown_count.gt(0), stalled.eq(patience));
        let reduced = where_(&over, &state.scale * factor, &state.scale).maximum(min_scale);
        let zero = start().count;
        let pick = |cooling_value: &Array, value: Array, before: &Array| {
            where_(&full, where_(&cooling, cooling_value, value), before)
        };
        let new = State {
            scale: pick(&state.scale, reduced, &state.scale),
            best_value: where_(&(&full & &better), &average, &state.best_value),
            plateau_count: pick(&zero, where_(&over, 0, &stalled), &state.plateau_count),
            cooldown_count: pick(
                &(&state.cooldown_count - 1),
                where_(&over, Array::scalar(cooldown), 0),
                &state.cooldown_count,
            ),
            count: where_(&full, 0, &count),
            avg_value: where_(&full, average.zeros_like(), &average),
        };
        Ok((updates.map(|g| &new.scale * g), new))
    })
}
