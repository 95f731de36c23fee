use jarrah_array::random::Key;
use jarrah_array::{Array, Tree, TreeExt};
use jarrah_base::{Error, Result, Type};
use jarrah_checkpoint::{Checkpoint, Snapshot};
use jarrah_data::DataState;
use jarrah_models::ModelSpec;
use jarrah_nn::State as Parts;
use jarrah_optim::Leaves;
use jarrah_run::names::tensor as name;
use serde_json::{Value, json};

/// The state that a step changes: all of a run except its position in the text.
#[derive(Clone, Tree)]
pub struct State {
    /// The leaves of the model that are trained.
    pub params: Parts,
    /// The optimizer's state.
    pub opt: Leaves,
    /// The average of the parameters over the steps, narrow floats in `f32`, if one is kept.
    pub ema: Option<Parts>,
    /// The usual norm of gradients, where unusual ones are left out.
    pub norm: Option<Array>,
    /// The number of steps that were left out, an `i32` scalar.
    pub skipped: Array,
    /// The number of steps done, an `i32` scalar.
    pub step: Array,
}

impl State {
    /// The parameters to evaluate and to generate with, in their own dtypes.
    pub fn best(&self) -> Parts {
        let Some(average) = &self.ema else { return self.params.clone() };
        let each = average.leaves().into_iter().zip(self.params.leaves());
        let each = each.map(|(a, p): (&Array, &Array)| a.astype(p.dtype()));
        average.with_leaves(each).expect("invariant: the average has a place for each parameter")
    }

    /// The name and type of every tensor, as checkpoints have them.
    pub fn types(&self) -> Vec<(String, Type)> {
        let named = self.leaves_with_paths().into_iter();
        named.map(|(path, leaf): (String, &Array)| (name(&path), leaf.ty())).collect()
    }

    /// This structure with the tensors of a checkpoint.
    ///
    /// # Errors
    /// The checkpoint is of another model (names the first tensors that differ), or damaged (`Input`).
    pub fn restored(&self, checkpoint: &Checkpoint) -> Result<State> {
        checkpoint.expect(&self.types())?;
        self.try_map_with_paths(|path, _| Ok(Array::from_literal(checkpoint.tensor(&name(path))?)))
    }

    /// A snapshot of this state.
    ///
    /// # Errors
    /// A value could not be computed.
    pub fn snapshot(
        &self,
        step: u64,
        spec: &ModelSpec,
        data: &DataState,
        key: &Key,
        metrics: impl IntoIterator<Item = (&'static str, Option<f64>)>,
        extra: Value,
    ) -> Result<Snapshot> {
        let named = self.leaves_with_paths().into_iter();
        let tensors = named.map(|(path, leaf): (String, &Array)| Ok((name(&path), leaf.to_literal()?)));
        let metrics = metrics.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let written = |what: &str, value: serde_json::Result<Value>| {
            value.map_err(|e| Error::internal(format!("cannot write the {what}: {e}")))
        };
        Ok(Snapshot {
            step,
            tensors: tensors.collect::<Result<_>>()?,
            state: jarrah_checkpoint::State {
                model: written("model", serde_json::to_value(spec))?,
                data: written("data position", serde_json::to_value(data))?,
                random: json!({ "dropout": key.words().to_vec::<u32>()? }),
                metrics: metrics.collect(),
                extra,
            },
        })
    }
}
