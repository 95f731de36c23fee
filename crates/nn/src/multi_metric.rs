//! Several metrics that are updated with the same batches.

use std::collections::BTreeMap;

use jarrah_array::{Array, Error, Tree, fail};

use crate::{Accuracy, Average, Metric, Seen, Welford};

/// Metrics by name, which take what they need of one and the same batch.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{Accuracy, Average, Metric, MultiMetric, Welford};
/// let metrics = MultiMetric::new()
///     .and("accuracy", Accuracy::new())
///     .and("loss", Average::new("losses"))
///     .and("spread", Welford::new("losses"));
/// let logits = Array::new(&[1.0f32, 2.0, 4.0, 3.0], &[2, 2]);
/// let labels = Array::from_slice(&[1i32, 0]);
/// let losses = Array::from_slice(&[0.5f32, 1.5]);
/// let seen = metrics.update(&[("logits", &logits), ("labels", &labels), ("losses", &losses)]);
/// let results = seen.compute();
/// assert_eq!(results["accuracy"].item::<f32>()?, 1.0);
/// assert_eq!(results["loss"].item::<f32>()?, 1.0);
/// assert_eq!(results["spread.standard_deviation"].item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Default, Tree)]
pub struct MultiMetric {
    /// The metrics.
    pub metrics: BTreeMap<String, AnyMetric>,
}

/// A metric of a [`MultiMetric`].
#[derive(Clone, Debug, Tree)]
pub enum AnyMetric {
    /// A mean.
    Average(Average),
    /// A share of right answers.
    Accuracy(Accuracy),
    /// A mean with its variance and standard error.
    Welford(Welford),
}

macro_rules! any_metric {
    ($($name:ident)*) => {
        $(impl From<$name> for AnyMetric {
            fn from(metric: $name) -> Self {
                AnyMetric::$name(metric)
            }
        })*

        impl Metric for AnyMetric {
            #[track_caller]
            fn update(&self, seen: &Seen<'_>) -> Self {
                match self {
                    $(AnyMetric::$name(metric) => metric.update(seen).into(),)*
                }
            }

            #[track_caller]
            fn merge(&self, other: &Self) -> Self {
                match (self, other) {
                    $((AnyMetric::$name(a), AnyMetric::$name(b)) => a.merge(b).into(),)*
                    _ => fail(Error::program("metrics of one name are of two kinds").op("metric")),
                }
            }

            fn compute(&self) -> BTreeMap<String, Array> {
                match self {
                    $(AnyMetric::$name(metric) => metric.compute(),)*
                }
            }
        }
    };
}
any_metric! { Average Accuracy Welford }

impl MultiMetric {
    /// No metric yet.
    pub fn new() -> Self {
        MultiMetric::default()
    }

    /// These metrics and one more.
    #[must_use]
    pub fn and(mut self, name: &str, metric: impl Into<AnyMetric>) -> Self {
        self.metrics.insert(name.to_owned(), metric.into());
        self
    }
}

impl Metric for MultiMetric {
    #[track_caller]
    fn update(&self, seen: &Seen<'_>) -> Self {
        let mut next = self.clone();
        for metric in next.metrics.values_mut() {
            *metric = metric.update(seen);
        }
        next
    }

    #[track_caller]
    fn merge(&self, other: &Self) -> Self {
        if !self.metrics.keys().eq(other.metrics.keys()) {
            let error = format!("{:?} and {:?}", self.metrics.keys(), other.metrics.keys());
            fail(
                Error::program(format!("metrics differ: {error}"))
                    .op("metric")
                    .help("merge the same metrics"),
            );
        }
        let mut both = self.clone();
        for (metric, other) in both.metrics.values_mut().zip(other.metrics.values()) {
            *metric = metric.merge(other);
        }
        both
    }

    fn compute(&self) -> BTreeMap<String, Array> {
        let named = |name: &str, result: String| {
            if result.is_empty() { name.to_owned() } else { format!("{name}.{result}") }
        };
        let each = |(name, metric): (&String, &AnyMetric)| {
            let name = name.clone();
            metric.compute().into_iter().map(move |(result, array)| (named(&name, result), array))
        };
        self.metrics.iter().flat_map(each).collect()
    }
}
