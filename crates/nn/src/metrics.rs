//! Metrics: sums that grow from batch to batch.

use std::collections::BTreeMap;

use jarrah_array::{Array, DType, Error, Tree, fail};

/// The values of a batch that metrics read, by name. Metrics that support masks skip the elements where the value `mask`, truth
/// values, is false.
pub type Seen<'a> = [(&'a str, &'a Array)];

/// A tree of sums over what was seen so far.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{Average, Metric};
/// let mut loss = Average::new("loss");
/// for batch in [[1.0f32, 2.0], [3.0, 6.0]] {
///     loss = loss.update(&[("loss", &Array::from_slice(&batch))]);
/// }
/// assert_eq!(loss.compute()[""].item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.nnx.metrics`.
pub trait Metric: Tree<Array> + Clone {
    /// The metric updated with the values of one more batch.
    #[must_use]
    fn update(&self, seen: &Seen<'_>) -> Self;

    /// The metric of the values of both, for instance from two devices.
    #[must_use]
    fn merge(&self, other: &Self) -> Self;

    /// The results, by name: that of a metric with one result is empty.
    fn compute(&self) -> BTreeMap<String, Array>;
}

/// The array of that name.
#[track_caller]
fn named<'a>(seen: &Seen<'a>, name: &str) -> &'a Array {
    let found = seen.iter().find(|(own, _)| *own == name);
    found.map(|(_, array)| *array).unwrap_or_else(|| {
        let names: Vec<&str> = seen.iter().map(|(name, _)| *name).collect();
        let error = format!("the metric needs {name:?}, and there are {names:?}");
        fail(
            Error::program(error)
                .op("metric")
                .help("give an array by that name, or another name to the metric"),
        )
    })
}

fn count(n: impl Into<f64>) -> Array {
    Array::full(&[], n.into(), DType::I32)
}

fn zero() -> Array {
    Array::scalar(0.0f32)
}

/// The mean of all values.
#[derive(Clone, Debug, Tree)]
pub struct Average {
    /// The sum, `f32`.
    pub total: Array,
    /// The number of values, `i32`.
    pub count: Array,
    /// The name of the values that are averaged.
    #[tree(static)]
    pub name: String,
}

impl Average {
    /// The mean of the values of that name, none so far.
    pub fn new(name: &str) -> Self {
        Average { total: zero(), count: count(0), name: name.to_owned() }
    }

    #[track_caller]
    fn add(&self, values: &Array, mask: Option<&Array>) -> Self {
        let values = values.astype(DType::F32);
        let (total, more) = match mask {
            None => (values.sum(..), count(values.size() as u32)),
            Some(mask) => ((&values * mask.astype(DType::F32)).sum(..), mask.astype(DType::I32).sum(..)),
        };
        Average { total: &self.total + total, count: &self.count + more, name: self.name.clone() }
    }
}

fn mask<'a>(seen: &Seen<'a>) -> Option<&'a Array> {
    seen.iter().find(|(name, _)| *name == "mask").map(|(_, mask)| *mask)
}

impl Metric for Average {
    #[track_caller]
    fn update(&self, seen: &Seen<'_>) -> Self {
        self.add(named(seen, &self.name), mask(seen))
    }

    fn merge(&self, other: &Self) -> Self {
        Average { total: &self.total + &other.total, count: &self.count + &other.count, ..self.clone() }
    }

    fn compute(&self) -> BTreeMap<String, Array> {
        [(String::new(), &self.total / &self.count)].into()
    }
}

/// The share of `labels`, integers `[..]`, of which the score in `logits: [.., V]` is the largest; with a threshold, of truth values
/// `labels` that say whether `logits`, of the same shape, are at least that.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{Accuracy, Metric};
/// let logits = Array::new(&[1.0f32, 2.0, 4.0, 3.0], &[2, 2]);
/// let seen = Accuracy::new().update(&[("logits", &logits), ("labels", &Array::from_slice(&[1i32, 1]))]);
/// assert_eq!(seen.compute()[""].item::<f32>()?, 0.5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Accuracy {
    /// The average of a value that is one for each right label and zero for each wrong one.
    pub average: Average,
    /// The least score that counts as a positive answer, for binary labels without classes.
    #[tree(static)]
    pub threshold: Option<f64>,
}

impl Accuracy {
    /// Over classes.
    pub fn new() -> Self {
        Accuracy { average: Average::new("labels"), threshold: None }
    }

    /// Of yes or no.
    pub fn above(threshold: f64) -> Self {
        Accuracy { threshold: Some(threshold), ..Self::new() }
    }
}

impl Default for Accuracy {
    fn default() -> Self {
        Self::new()
    }
}

impl Metric for Accuracy {
    #[track_caller]
    fn update(&self, seen: &Seen<'_>) -> Self {
        let (logits, labels) = (named(seen, "logits"), named(seen, "labels"));
        let classes = usize::from(self.threshold.is_none());
        if logits.rank() != labels.rank() + classes {
            let error = format!("logits are {} and labels are {}", logits.ty(), labels.ty());
            let help = "give an axis of classes more than labels have, or with a threshold the same axes";
            fail(Error::program(error).op("accuracy").help(help));
        }
        let right = match self.threshold {
            Some(threshold) => logits.ge(threshold).eq(labels.gt(0)),
            None => logits.argmax(-1).astype(DType::I32).eq(labels.astype(DType::I32)),
        };
        Accuracy { average: self.average.add(&right, mask(seen)), threshold: self.threshold }
    }

    fn merge(&self, other: &Self) -> Self {
        Accuracy { average: self.average.merge(&other.average), threshold: self.threshold }
    }

    fn compute(&self) -> BTreeMap<String, Array> {
        self.average.compute()
    }
}

/// Mean, standard deviation and standard error of the mean of all values, by a sum of squares around the mean that loses no digits.
///
/// Its results are `mean`, `standard_deviation` and `standard_error_of_mean`.
///
/// Source: Welford, Note on a method for calculating corrected sums of squares and products (1962); Chan, Golub and LeVeque (1979).
#[derive(Clone, Debug, Tree)]
pub struct Welford {
    /// The number of values, `i32`.
    pub count: Array,
    /// Their mean, `f32`.
    pub mean: Array,
    /// The sum of the squared differences of the values from the mean, `f32`.
    pub m2: Array,
    /// The name of the values that the statistics are of.
    #[tree(static)]
    pub name: String,
}

impl Welford {
    /// Statistics of the values of that name, none so far.
    pub fn new(name: &str) -> Self {
        Welford { count: count(0), mean: zero(), m2: zero(), name: name.to_owned() }
    }
}

impl Metric for Welford {
    #[track_caller]
    fn update(&self, seen: &Seen<'_>) -> Self {
        let values = named(seen, &self.name).astype(DType::F32);
        let size = values.size() as u32;
        let batch =
            Welford { count: count(size), mean: values.mean(..), m2: values.var(..) * size, ..self.clone() };
        self.merge(&batch)
    }

    fn merge(&self, other: &Self) -> Self {
        let count = &self.count + &other.count;
        let share = other.count.astype(DType::F32) / count.maximum(1);
        let delta = &other.mean - &self.mean;
        Welford {
            mean: &self.mean + &delta * &share,
            m2: &self.m2 + &other.m2 + delta.square() * share * &self.count,
            count,
            name: self.name.clone(),
        }
    }

    fn compute(&self) -> BTreeMap<String, Array> {
        let deviation = (&self.m2 / &self.count).sqrt();
        let error = &deviation / self.count.astype(DType::F32).sqrt();
        let results = [
            ("mean", self.mean.clone()),
            ("standard_deviation", deviation),
            ("standard_error_of_mean", error),
        ];
        results.map(|(name, result)| (name.to_owned(), result)).into()
    }
}
