use jarrah_array::lax::{self, Monoid, Padding, WindowOptions};
use jarrah_array::{Array, Error, Tree, fail};

use crate::tokens::{reaching, refuse_mixing};
use crate::{Context, Module};

/// The function that combines the elements in a window.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Over {
    Max,
    Min,
    Sum,
    /// The sum divided by the number of places of the window: of all places if `everywhere`, else of those that lie within the
    /// argument.
    Mean {
        everywhere: bool,
    },
}

/// The largest, the smallest, the sum or the mean of the elements in each window, the features last.
///
/// A window begins at every place, as with `flax.nnx.max_pool` and its kin: the stride is 1 along each axis until [`with_strides`](Pool::with_strides) says
/// another. (PyTorch's pools have the window as their stride: `Pool::max(&[2, 2]).with_strides(&[2, 2])`.) Without padding an axis of `n` places becomes one
/// of `(n - window) / stride + 1`.
///
/// ```
/// use jarrah_array::{Array, lax::Padding};
/// use jarrah_nn::{Module, Pool};
/// let x = Array::new(&[1.0f32, 5.0, 2.0, 4.0, 3.0], &[5, 1]);
/// assert_eq!(Pool::max(&[2]).forward(&x).to_vec::<f32>()?, [5.0, 5.0, 4.0, 4.0]);
/// assert_eq!(Pool::max(&[2]).with_strides(&[2]).forward(&x).to_vec::<f32>()?, [5.0, 4.0]);
/// assert_eq!(format!("{:?}", Pool::max(&[2])), "Pool { over: Max, window: [2], strides: [1], padding: Valid }");
/// let mean = Pool::mean(&[3]).with_padding(Padding::Same);
/// assert_eq!(mean.forward(&x).to_vec::<f32>()?[0], 2.0);
/// assert_eq!(mean.without_padding_in_means().forward(&x).to_vec::<f32>()?[0], 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.nnx.avg_pool`, `max_pool`, `min_pool` and `pool`.
#[derive(Clone, PartialEq, Eq, Debug, Tree)]
pub struct Pool {
    #[tree(static)]
    over: Over,
    #[tree(static)]
    window: Vec<usize>,
    #[tree(static)]
    strides: Vec<usize>,
    /// The padding: the pairs of [`Padding::Pairs`], or the name of one of the others.
    #[tree(static)]
    padding: Sides,
}

/// [`Padding`] as a static field.
#[derive(Clone, PartialEq, Eq)]
struct Sides(Padding);

impl std::fmt::Debug for Sides {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::hash::Hash for Sides {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::mem::discriminant(&self.0).hash(state);
        if let Padding::Pairs(pairs) = &self.0 {
            pairs.hash(state);
        }
    }
}

impl Pool {
    /// The largest element of each window; the stride is 1, and there is no padding.
    pub fn max(window: &[usize]) -> Self {
        Self::of(Over::Max, window)
    }

    /// The smallest element of each window; the stride is 1, and there is no padding.
    pub fn min(window: &[usize]) -> Self {
        Self::of(Over::Min, window)
    }

    /// The sum of the elements of each window; the stride is 1, and there is no padding.
    pub fn sum(window: &[usize]) -> Self {
        Self::of(Over::Sum, window)
    }

    /// The mean of the elements of each window; the stride is 1, and there is no padding. If padding is set, its elements count
    /// as zeros.
    pub fn mean(window: &[usize]) -> Self {
        Self::of(Over::Mean { everywhere: true }, window)
    }

    fn of(over: Over, window: &[usize]) -> Self {
        Pool { over, window: window.to_vec(), strides: vec![1; window.len()], padding: Sides(Padding::Valid) }
    }

    /// The pool with windows `strides` places apart: a number for each axis of the window.
    #[must_use]
    pub fn with_strides(self, strides: &[usize]) -> Self {
        Pool { strides: strides.to_vec(), ..self }
    }

    /// The pool with windows that reach beyond the argument.
    #[must_use]
    pub fn with_padding(self, padding: Padding) -> Self {
        Pool { padding: Sides(padding), ..self }
    }

    /// The pool with means over the places that lie within the argument.
    #[must_use]
    pub fn without_padding_in_means(self) -> Self {
        let over = match self.over {
            Over::Mean { .. } => Over::Mean { everywhere: false },
            other => other,
        };
        Pool { over, ..self }
    }

    fn pairs(&self) -> Option<&[(i64, i64)]> {
        match &self.padding.0 {
            Padding::Pairs(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// The elements of each window combined.
    #[track_caller]
    fn reduce(&self, x: &Array, monoid: Monoid) -> Array {
        let batch = x.rank() - self.window.len() - 1;
        let around = |list: &[usize]| [&vec![1; batch][..], list, &[1]].concat();
        let padding = match self.pairs() {
            None => self.padding.0.clone(),
            Some(pairs) => Padding::Pairs([&vec![(0, 0); batch][..], pairs, &[(0, 0)]].concat()),
        };
        let options = WindowOptions { strides: around(&self.strides), padding, ..WindowOptions::default() };
        lax::reduce_window(x, monoid, &around(&self.window), &options)
    }
}

/// Windows along the tokens of a pass are an error where these have segments or go on from earlier passes.
impl Module for Pool {
    /// `x: [.., spatial.., features]` to `[.., spatial.., features]`.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let moves = |i: usize| self.strides.get(i).is_some_and(|&by| by != 1);
        let looks: Vec<bool> =
            self.window.iter().enumerate().map(|(i, &size)| size != 1 || moves(i)).collect();
        refuse_mixing("pool", x, reaching(x, &looks), cx);
        let spatial = self.window.len();
        let lists = [Some(self.strides.len()), self.pairs().map(<[_]>::len)];
        if x.rank() <= spatial || lists.into_iter().flatten().any(|n| n != spatial) {
            let error = format!("windows {:?} with strides {:?} over {}", self.window, self.strides, x.ty());
            let help = "give [.., spatial.., features], and strides and pairs for each axis of the window";
            fail(Error::program(error).op("pool").help(help));
        }
        match self.over {
            Over::Max => self.reduce(x, Monoid::Max),
            Over::Min => self.reduce(x, Monoid::Min),
            Over::Sum => self.reduce(x, Monoid::Add),
            Over::Mean { everywhere } => {
                // As other means: of narrow floats they are computed in `f32`, which holds the sums and the counts.
                let wide = x.astype(x.dtype().accumulator());
                let sum = self.reduce(&wide, Monoid::Add);
                let mean = if everywhere {
                    sum / self.window.iter().product::<usize>() as f64
                } else {
                    let mut ones = vec![1; x.rank()];
                    let places = x.rank() - spatial - 1..x.rank() - 1;
                    ones[places.clone()].copy_from_slice(&x.shape()[places]);
                    sum / self.reduce(&Array::full(&ones, 1, wide.dtype()), Monoid::Add)
                };
                if x.dtype().is_float() { mean.astype(x.dtype()) } else { mean }
            }
        }
    }
}
