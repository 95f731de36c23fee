use std::collections::BTreeMap;

use jarrah_base::Literal;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Everything a run needs to go on from a step.
///
/// Tensor names are tree key paths below a group: `params/layers/0/mlp/w`, `opt/mu/layers/0/mlp/w`. Literals share
/// storage, so a snapshot of values that are not written afterwards costs nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The number of steps done.
    pub step: u64,
    /// The tensors, each name once; the order is kept.
    pub tensors: Vec<(String, Literal)>,
    /// The rest.
    pub state: SnapshotState,
}

/// The part of a snapshot that is no tensor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SnapshotState {
    /// The kind and sizes of the model.
    pub model: Value,
    /// The position of the data pipeline; part of [`Checkpoint::hash`](crate::Checkpoint::hash).
    pub data: Value,
    /// The state of the random number generators.
    pub random: Value,
    /// The measurements of this step; infinities and NaN are kept.
    #[serde(serialize_with = "write_metrics", deserialize_with = "read_metrics")]
    pub metrics: BTreeMap<String, f64>,
    /// Whatever else the program wants back, such as its recipe.
    pub extra: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Metric {
    Finite(f64),
    // JSON has no word for these: "inf", "-inf", "NaN".
    Other(String),
}

fn write_metrics<S: Serializer>(metrics: &BTreeMap<String, f64>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(metrics.iter().map(|(name, &x)| {
        (name, if x.is_finite() { Metric::Finite(x) } else { Metric::Other(x.to_string()) })
    }))
}

fn read_metrics<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let read = BTreeMap::<String, Metric>::deserialize(from)?;
    let number = |(name, metric)| match metric {
        Metric::Finite(x) => Ok((name, x)),
        Metric::Other(word) => word
            .parse()
            .map(|x| (name, x))
            .map_err(|_| serde::de::Error::custom(format!("the metric {word:?} is no number"))),
    };
    read.into_iter().map(number).collect()
}
