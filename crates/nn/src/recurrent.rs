//! Recurrent layers: a cell along a sequence.

use jarrah_array::{Array, DType, Error, Tree, TreeExt, concatenate, fail, lax, scan, where_};

use crate::object::relay;
use crate::{Cell, Context, Module, Tokens};

/// A cell along a sequence: `carry, y[t] = cell(carry, x[t])`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{LstmCell, Rnn};
/// let rnn = Rnn::new(LstmCell::new(&Key::new(0), 3, 4));
/// let x = Array::ones(&[2, 7, 3]);
/// // Sequences of seven and of two elements.
/// let ((_, h), y) = rnn.run(&x, None, Some(&Array::from_slice(&[7i32, 2])));
/// assert_eq!(y.shape(), [2, 7, 4]);
/// assert_eq!(h.slice(0, 1..2).to_vec::<f32>()?, y.slice(0, 1..2).slice(1, 1..2).to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.nnx.RNN`.
#[derive(Clone, Debug, Tree)]
pub struct Rnn<C> {
    /// The cell.
    pub cell: C,
    /// Whether sequences are `[T, batch.., features]` instead of `[batch.., T, features]`.
    #[tree(static)]
    pub time_major: bool,
    /// Whether the cell goes from the last element to the first; results stand in the order in which they were made.
    #[tree(static)]
    pub reverse: bool,
    /// Whether the results of a reverse layer stand where their elements are.
    #[tree(static)]
    pub keep_order: bool,
}

impl<C: Cell> Rnn<C> {
    /// The cell along `[batch.., T, features]`, from the first element to the last.
    pub fn new(cell: C) -> Self {
        Rnn { cell, time_major: false, reverse: false, keep_order: false }
    }

    /// The layer for sequences `[T, batch.., features]`.
    #[must_use]
    pub fn time_major(self) -> Self {
        Rnn { time_major: true, ..self }
    }

    /// The layer from the last element to the first.
    #[must_use]
    pub fn reverse(self) -> Self {
        Rnn { reverse: true, ..self }
    }

    /// The layer with results where their elements are.
    #[must_use]
    pub fn keep_order(self) -> Self {
        Rnn { keep_order: true, ..self }
    }

    /// The carry at the end, and the results.
    ///
    /// * `carry`: what the first step gets; none: [`Cell::start`]
    /// * `lengths`: integers `[batch..]`, the number of elements of each sequence. What is carried at the end is that after the last of them, and a
    ///   reverse layer begins there; results behind the end mean nothing.
    #[track_caller]
    pub fn run(&self, x: &Array, carry: Option<&C::Carry>, lengths: Option<&Array>) -> (C::Carry, Array) {
        self.along(x, carry, lengths, None)
    }

    /// As [`run`](Self::run), but the cell also restarts at each element whose number in `segments` differs from that of the
    /// element before it in the cell's order. `segments` are integers `[batch.., T]`, or `[T, batch..]` if time is the first axis
    /// of the sequences.
    #[track_caller]
    fn along(
        &self,
        x: &Array,
        carry: Option<&C::Carry>,
        lengths: Option<&Array>,
        segments: Option<&Array>,
    ) -> (C::Carry, Array) {
        let rank = x.rank();
        if rank < 2 {
            let error = format!("the argument is {}, it must be [batch.., time, features]", x.ty());
            fail(Error::program(error).op("rnn").help("give sequences of features"));
        }
        let time = if self.time_major { 0 } else { rank - 2 };
        let steps = lax::move_axis(x, time, 0);
        let shape = steps.shape();
        let (count, batch) = (shape[0], &shape[1..rank - 1]);
        if let Some(lengths) = lengths
            && (lengths.shape() != *batch || !lengths.dtype().is_integer())
        {
            let error = format!("lengths are {} for sequences of {}", lengths.ty(), x.ty());
            fail(Error::program(error).op("rnn").help(format!("give integers of shape {batch:?}")));
        }
        let steps = if self.reverse { flipped(&steps, lengths) } else { steps };
        let start = carry.cloned().unwrap_or_else(|| self.cell.start(batch));
        let (last, y) = relay(|| match (lengths, segments) {
            (None, None) => scan(|carry: &C::Carry, x: &Array| self.cell.step(carry, x), &start, &steps),
            (None, Some(segments)) => {
                let segments = lax::move_axis(segments, time, 0);
                let segments = if self.reverse { segments.flip(0) } else { segments };
                let before = segments.take(&(Array::arange(count as i32) - 1).maximum(0), 0);
                let body = |carry: &C::Carry, (x, begins): &(Array, Array)| {
                    self.cell.step(&chosen(begins, &start, carry), x)
                };
                scan(body, &start, &(steps, segments.ne(&before)))
            }
            (Some(lengths), _) => {
                let body = |(carry, last): &(C::Carry, C::Carry), (x, t): &(Array, Array)| {
                    let (next, y) = self.cell.step(carry, x);
                    let last = chosen(&lengths.gt(t.astype(lengths.dtype())), &next, last);
                    ((next, last), y)
                };
                let numbers = lax::iota(DType::I32, &[count], 0);
                let ((_, last), y) = scan(body, &(start.clone(), start), &(steps, numbers));
                (last, y)
            }
        });
        let y = if self.reverse && self.keep_order { flipped(&y, lengths) } else { y };
        (last, lax::move_axis(&y, 0, time))
    }
}

/// The leaves of `a` for the sequences where `here` is true, and those of `b` for the others.
#[track_caller]
fn chosen<T: Tree<Array>>(here: &Array, a: &T, b: &T) -> T {
    let mut others = b.leaves().into_iter();
    a.map_leaves(|a: &Array| {
        let b = others.next().expect("invariant: a cell carries on what it gets");
        let here = (here.rank()..a.rank()).fold(here.clone(), |here, _| here.expand_dims(-1));
        where_(&here, a, b)
    })
}

/// Sequences `[T, batch.., ..]` reversed within their lengths; elements behind the end of a sequence stay behind its end, in any
/// order.
#[track_caller]
fn flipped(x: &Array, lengths: Option<&Array>) -> Array {
    let Some(lengths) = lengths else { return x.flip(0) };
    let count = x.shape()[0];
    let shape = [&[count], &lengths.shape()[..]].concat();
    let last = lengths.astype(DType::I32).expand_dims(0) + (count as i64 - 1);
    let at = (last - lax::iota(DType::I32, &shape, 0)) % count;
    let at = (at.rank()..x.rank()).fold(at, |at, _| at.expand_dims(-1));
    x.take_along_axis(&at.broadcast_to(&x.shape()), 0)
}

/// If the tokens of the pass have segments, each segment is a separate sequence. Tokens that continue those of earlier passes are
/// an error, as the module does not keep the carried state; [`run`](Rnn::run) takes and returns it.
impl<C: Cell> Module for Rnn<C> {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let tokens = cx.about::<Tokens>();
        if tokens.as_ref().is_some_and(|tokens| tokens.seen.is_some()) {
            let error = "the tokens of the pass go on from earlier ones, and a recurrent layer keeps nothing of these";
            let help = "call `run` with what was carried at the end of the pass before, or give the layer whole sequences";
            fail(Error::program(error).op("rnn").help(help));
        }
        let segments = tokens.and_then(|tokens| tokens.segments.clone());
        let Some(segments) = segments else { return self.run(x, None, None).1 };
        let segments = if self.time_major { segments.swapaxes(0, 1) } else { segments };
        if x.rank() != 3 || segments.shape() != x.shape()[..2] {
            let error = format!("the segments of the pass are {} for an argument {}", segments.ty(), x.ty());
            fail(Error::program(error).op("rnn").help("give the layer the tokens that the pass is about"));
        }
        self.along(x, None, None, Some(&segments)).1
    }
}

/// Two recurrent layers, of which one goes from the first element to the last and the other back.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Bidirectional, Context, GruCell, Module};
/// let (a, b) = Key::new(0).pair();
/// let layer = Bidirectional::new(GruCell::new(&a, 3, 4), GruCell::new(&b, 3, 4));
/// assert_eq!(layer.call(&Array::ones(&[2, 7, 3]), &mut Context::eval()).shape(), [2, 7, 8]);
/// ```
///
/// Source: Schuster and Paliwal, Bidirectional recurrent neural networks (1997); `flax.nnx.Bidirectional`.
#[derive(Clone, Debug, Tree)]
pub struct Bidirectional<F, B> {
    /// From the first to the last.
    pub forward_rnn: Rnn<F>,
    /// From the last to the first, with results where their elements are.
    pub backward_rnn: Rnn<B>,
}

impl<F: Cell, B: Cell> Bidirectional<F, B> {
    /// Runs both cells along `[batch.., T, features]`.
    pub fn new(forward: F, backward: B) -> Self {
        let backward_rnn = Rnn::new(backward).reverse().keep_order();
        Bidirectional { forward_rnn: Rnn::new(forward), backward_rnn }
    }

    /// The layer for sequences `[T, batch.., features]`.
    #[must_use]
    pub fn time_major(self) -> Self {
        Bidirectional {
            forward_rnn: self.forward_rnn.time_major(),
            backward_rnn: self.backward_rnn.time_major(),
        }
    }

    /// The carry of each layer at the end, and the results of each: see [`Rnn::run`].
    #[track_caller]
    pub fn run(
        &self,
        x: &Array,
        carry: Option<&(F::Carry, B::Carry)>,
        lengths: Option<&Array>,
    ) -> ((F::Carry, B::Carry), [Array; 2]) {
        let (forward, y) = self.forward_rnn.run(x, carry.map(|(forward, _)| forward), lengths);
        let (backward, z) = self.backward_rnn.run(x, carry.map(|(_, backward)| backward), lengths);
        ((forward, backward), [y, z])
    }
}

/// The results of both directions, concatenated along the features. Segments of the pass are handled as in [`Rnn`].
impl<F: Cell, B: Cell> Module for Bidirectional<F, B> {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let (y, z) = (self.forward_rnn.call(x, cx), self.backward_rnn.call(x, cx));
        concatenate(&[&y, &z], -1)
    }
}
