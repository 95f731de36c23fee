use std::collections::BTreeMap;

use jarrah_array::{Array, Error, Location, Tree, TreeExt, fail, stop_gradient};
use jarrah_tree::Path;

use crate::{Filter, State, StaticFloat, state, update};

/// An exponential moving average of parameters: `average = d average + (1 - d) parameter` in each update.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Ema, Kind, Linear};
/// let mut model = Linear::new(&Key::new(0), 2, 1);
/// let ema = Ema::new(&model, Kind::PARAMETER, 0.9);
/// model.bias = Some(Array::ones(&[1]).into());
/// let averaged = ema.update(&model).apply_to(&model);
/// assert!((averaged.bias.unwrap().get().to_vec::<f32>()?[0] - 0.1).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Polyak and Juditsky, Acceleration of stochastic approximation by averaging (1992); `flax.nnx.EMA`.
#[derive(Clone, Debug, Tree)]
pub struct Ema {
    /// The averages, by the paths of the parameters.
    pub average: State,
    /// `d`.
    #[tree(static)]
    pub decay: StaticFloat,
}

impl Ema {
    /// The average of the model's leaves that `filter` accepts, which starts as these leaves.
    pub fn new<M: Tree<Array>>(model: &M, filter: impl Into<Filter>, decay: f64) -> Self {
        Ema { average: state(model, filter), decay: decay.into() }
    }

    /// The next average. A program error if the model lacks one of the leaves.
    #[must_use]
    #[track_caller]
    pub fn update<M: Tree<Array>>(&self, model: &M) -> Self {
        let (at, decay) = (Location::caller(), self.decay.get());
        let current: BTreeMap<String, &Array> = model.leaves_with_paths().into_iter().collect();
        let next = self.average.try_map(&mut Path::default(), &mut |path, average| match current
            .get(&path.to_string())
        {
            Some(now) if now.ty() == average.ty() => {
                Ok(average * decay + stop_gradient(*now) * (1.0 - decay))
            }
            Some(now) => Err(Error::program(format!(
                "{path} is {} in the model and {} in the average",
                now.ty(),
                average.ty()
            ))),
            None => Err(Error::program(format!("the model has no leaf {path}"))),
        });
        match next {
            Ok(average) => Ema { average, ..self.clone() },
            Err(error) => {
                fail(error.op("ema").help("update with the model that the average was made of").at(at))
            }
        }
    }

    /// The model with the averages in the place of its parameters.
    #[must_use]
    #[track_caller]
    pub fn apply_to<M: Tree<Array>>(&self, model: &M) -> M {
        update(model, &self.average)
    }
}
