//! Passes inside of transformations: the state that modules read and write there is passed as arguments and results of the
//! transformed function.

use std::cell::RefCell;
use std::collections::BTreeMap;

use jarrah_array::{Array, CheckpointPolicy, DType, Error, Tree, TreeExt, checkpoint, fail, lax, scan};

use super::Context;
use crate::State;

/// The arrays that a pass leaves, as a tree: updates, and captured results.
type Left = (State, BTreeMap<String, Vec<Array>>);

/// The part of a pass's results that is no array: known once the function is traced.
#[derive(Clone, Default)]
struct Told {
    /// How many keys the pass has taken from each stream.
    taken: BTreeMap<String, u32>,
    /// The paths of the captured results, in their order.
    order: Vec<String>,
}

impl Told {
    fn of(cx: &Context) -> Told {
        let taken = cx.streams.iter().map(|(name, (_, count))| (name.clone(), *count));
        Told { taken: taken.collect(), order: cx.order.clone() }
    }
}

impl Context {
    /// `f(args, pass)`, whose intermediate values the backward pass computes again, but for those that the policy says: see
    /// [`checkpoint`](jarrah_array::checkpoint). The numbers are those without it: `f` finds the keys and leaves the state of this pass.
    ///
    /// ```
    /// use jarrah_array::{Array, CheckpointPolicy, random::Key};
    /// use jarrah_nn::{Context, Linear, Module};
    /// let layer = Linear::new(&Key::new(0), 3, 3);
    /// let mut cx = Context::eval();
    /// let policy = CheckpointPolicy::dots_saveable();
    /// let y = cx.remat(policy, &(layer, Array::ones(&[3])), |(layer, x), cx| cx.call("layer", layer, x).tanh());
    /// assert_eq!(y.shape(), [3]);
    /// ```
    ///
    /// Source: `flax.nnx.remat`.
    #[track_caller]
    pub fn remat<A: Tree<Array>, R: Tree<Array>>(
        &mut self,
        policy: CheckpointPolicy,
        args: &A,
        f: impl Fn(&A, &mut Context) -> R,
    ) -> R {
        let inner = self.inner();
        let told = RefCell::new(Told::default());
        let run = checkpoint(
            |args: &A| {
                let mut cx = inner.clone();
                let result = f(args, &mut cx);
                told.replace(Told::of(&cx));
                (result, cx.lent.clone(), cx.left())
            },
            policy,
        );
        let (result, lent, left) = run(args);
        self.lent = lent;
        let Told { taken, order } = told.take();
        self.absorb(left, order);
        for (name, (_, count)) in &mut self.streams {
            *count = taken.get(name).copied().unwrap_or(*count);
        }
        result
    }

    /// A loop over the first axis of `xs`: `carry, y = f(carry, x, pass)`, as [`scan`](jarrah_array::scan).
    ///
    /// The pass of each step has keys of its own: those of `fold_in(fold_in(key, n), i)` in step `i`, where the next key of this pass would be the
    /// `n`-th. What `f` leaves in it is left in this pass stacked, and so is what it captures; entries of
    /// the state at and below the module that runs are taken to be stacked likewise, and each step finds its slice of them.
    ///
    /// ```
    /// use jarrah_array::{Array, random::Key};
    /// use jarrah_nn::{Context, Dropout};
    /// let mut cx = Context::train(&Key::new(0));
    /// let xs = Array::ones(&[3, 8]);
    /// let dropout = Dropout::new(0.5);
    /// let (_, ys) = cx.scan(&Array::scalar(0.0), &xs, |carry, x, cx| (carry.clone(), cx.call("dropout", &dropout, x)));
    /// assert_eq!(ys.shape(), [3, 8]);
    /// ```
    ///
    /// Source: `flax.nnx.scan`.
    #[track_caller]
    pub fn scan<C: Tree<Array>, X: Tree<Array>, Y: Tree<Array>>(
        &mut self,
        init: &C,
        xs: &X,
        f: impl Fn(&C, &X, &mut Context) -> (C, Y),
    ) -> (C, Y) {
        let length = xs.leaves().first().and_then(|x: &&Array| x.shape().first().copied());
        let Some(length) = length else {
            fail(
                Error::program("a loop over no array")
                    .op("scan")
                    .help("give arrays with an axis to go along"),
            )
        };
        let mut inner = self.inner();
        for ((key, count), (own, next)) in self.streams.values_mut().zip(inner.streams.values_mut()) {
            (*own, *next) = (key.fold_in(*count), 0);
            *count += 1;
        }
        let above = self.path.to_string();
        let stacked = inner.given.below(&above);
        let numbers = lax::iota(DType::I32, &[length], 0);
        let told = RefCell::new(Told::default());
        let body = |carry: &C, (x, state, number): &(X, State, Array)| {
            let mut cx = inner.clone();
            for (key, _) in cx.streams.values_mut() {
                *key = key.fold_in_array(number);
            }
            cx.given = cx.given.merged(&state.moved_below(&above));
            let (carry, y) = f(carry, x, &mut cx);
            told.replace(Told::of(&cx));
            (carry, (y, cx.left()))
        };
        let xs = (xs.map_leaves(Array::clone), stacked, numbers);
        let (carry, (ys, left)) = scan(body, init, &xs);
        // Each step captures at the same paths, and the captured arrays of the steps are stacked.
        self.absorb(left, told.take().order);
        (carry, ys)
    }

    /// A copy of this pass for the body of a transformed function, with no entries set yet.
    fn inner(&self) -> Context {
        let mut inner = self.clone();
        inner.given = inner.given.merged(&inner.updates);
        inner.updates = State::default();
        inner.captured = BTreeMap::new();
        inner.order = Vec::new();
        inner
    }

    fn left(self) -> Left {
        (self.updates, self.captured)
    }

    fn absorb(&mut self, (updates, captured): Left, order: Vec<String>) {
        self.order.extend(order);
        self.updates = self.updates.merged(&updates);
        for (path, values) in captured {
            self.captured.entry(path).or_default().extend(values);
        }
    }
}
