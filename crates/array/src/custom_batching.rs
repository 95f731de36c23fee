//! Functions for which the user gives the rule of `vmap`.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, Weak};

use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::ops::{BatchRule, CustomRule, MakeBatch, Rule};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_tree::Tree;

use crate::array::{Array, Repr};
use crate::control::scan_from;
use crate::function::{Function, Leaves, Shadows, TracedFunction, abstracted, always, fill, trace_function};
use crate::trace::{Traced, apply_at};

/// `f` with its own rule for batches: under [`crate::vmap`], `rule(size, batched, args)` is called instead of `f`.
///
/// `size` is the extent of the batch; `batched` says for each array of `args`, in order, whether it has the batch axis, in front.
/// The rule returns the result, and whether its arrays have that axis: one truth value for each, or one for all.
///
/// The derivative of a batch is that of the rule; mapped derivatives in forward mode are batched by the derivative of the rule, those
/// in reverse mode by the rule forward and as any function backward. What `f` captures must not be mapped or differentiated, and
/// the rule may capture concrete arrays only.
///
/// ```
/// use jarrah_array::{Array, custom_vmap, vmap};
/// // A solver that knows a better way for many right-hand sides at once.
/// let f = custom_vmap(|x: &Array| x.sin(), |_, _, xs: &Array| (xs.cos(), vec![true]));
/// assert_eq!(f(&Array::scalar(0.0)).item::<f32>()?, 0.0);
/// assert_eq!(vmap(f)(&Array::zeros(&[2])).to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.custom_batching.custom_vmap`.
#[track_caller]
pub fn custom_vmap<A, R>(
    f: impl Function<A, Output = R> + Send + Sync + 'static,
    rule: impl Fn(usize, &[bool], &A) -> (R, Vec<bool>) + Send + Sync + 'static,
) -> impl Fn(&A) -> R
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array> + Send + Sync + 'static,
{
    custom(f, move |_: &dyn Fn(&A) -> R, size, batched, args| rule(size, batched, args), "custom_vmap")
}

/// `f` with batches computed by a loop: under [`crate::vmap`] it runs for one element after the other.
///
/// ```
/// use jarrah_array::{Array, sequential_vmap, vmap};
/// let f = sequential_vmap(|x: &Array| x * x);
/// assert_eq!(vmap(f)(&Array::from_slice(&[1.0f32, 3.0])).to_vec::<f32>()?, [1.0, 9.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.custom_batching.sequential_vmap`.
#[track_caller]
pub fn sequential_vmap<A, R>(f: impl Function<A, Output = R> + Send + Sync + 'static) -> impl Fn(&A) -> R
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array> + Send + Sync + 'static,
{
    let f = Arc::new(f);
    let plain = f.clone();
    let one_by_one = move |call: &dyn Fn(&A) -> R, size, batched: &[bool], args: &A| {
        if !batched.contains(&true) {
            // Only tangents are batched. A rule that called the function itself would be asked for their batch again.
            return (plain.apply(args), vec![false]);
        }
        let arrays = Leaves::of(args).arrays;
        let sliced = arrays.iter().zip(batched).filter(|(_, batched)| **batched);
        let sliced: Vec<Array> = sliced.map(|(array, _)| array.clone()).collect();
        let step = |(): &(), slices: &Vec<Array>| {
            let mut slices = slices.iter();
            let element = arrays.iter().zip(batched).map(|(whole, batched)| {
                let slice = if *batched { slices.next() } else { None };
                slice.unwrap_or(whole).clone()
            });
            ((), call(&fill(args, element.collect::<Vec<_>>())))
        };
        (scan_from("sequential_vmap", step, &(), &sliced, Some(size), false).1, vec![true])
    };
    custom(move |args: &A| f.apply(args), one_by_one, "sequential_vmap")
}

/// A function with a rule for its batches, and the argument kinds it was called with.
struct Custom<A, R, F, B> {
    f: F,
    rule: B,
    name: &'static str,
    made: Location,
    /// One entry for each structure and types of arguments, so that two calls with equal ones are equal operations.
    known: Mutex<Vec<Weak<Known<A, R, F, B>>>>,
}

/// The function with its abstract arguments and result, from which `vmap` traces batches, for one structure and types of
/// arguments.
struct Known<A, R, F, B> {
    custom: Arc<Custom<A, R, F, B>>,
    args: A,
    result: R,
}

#[track_caller]
fn custom<A, R, F, B>(f: F, rule: B, name: &'static str) -> impl Fn(&A) -> R
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array> + Send + Sync + 'static,
    F: Function<A, Output = R> + Send + Sync + 'static,
    B: Fn(&dyn Fn(&A) -> R, usize, &[bool], &A) -> (R, Vec<bool>) + Send + Sync + 'static,
{
    let made = Location::caller();
    let custom = Arc::new(Custom { f, rule, name, made, known: Mutex::default() });
    move |args| custom.call(args)
}

impl<A, R, F, B> Custom<A, R, F, B>
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array> + Send + Sync + 'static,
    F: Function<A, Output = R> + Send + Sync + 'static,
    B: Fn(&dyn Fn(&A) -> R, usize, &[bool], &A) -> (R, Vec<bool>) + Send + Sync + 'static,
{
    fn call(self: &Arc<Self>, args: &A) -> R {
        let leaves = Leaves::of(args);
        let TracedFunction { traced, prototype } =
            trace_function(self.name, self.made, args, &leaves.types(), Shadows::Drop, |a: &A| {
                self.f.apply(a)
            });
        let known = self.known(args, &leaves, &prototype);
        let op = CustomRule {
            primal: traced.program.into(),
            rule: Rule::Batch(BatchRule::new(known)),
            captures: traced.captures.len(),
        };
        let operands: Vec<&Array> = leaves.arrays.iter().chain(&traced.captures).collect();
        fill(&prototype, apply_at(self.made, op, &operands))
    }

    fn known(self: &Arc<Self>, args: &A, leaves: &Leaves, result: &R) -> Arc<Known<A, R, F, B>> {
        let results = Leaves::of(result);
        let mut all = self.known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        all.retain(|known| known.strong_count() > 0);
        let fits = |known: &Arc<Known<A, R, F, B>>| {
            leaves.difference(&Leaves::of(&known.args), always).is_none()
                && results.difference(&Leaves::of(&known.result), always).is_none()
        };
        if let Some(known) = all.iter().filter_map(Weak::upgrade).find(fits) {
            return known;
        }
        let known =
            Arc::new(Known { custom: self.clone(), args: abstracted(args), result: abstracted(result) });
        all.push(Arc::downgrade(&known));
        known
    }
}

impl<A, R, F, B> MakeBatch for Known<A, R, F, B>
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array> + Send + Sync + 'static,
    F: Function<A, Output = R> + Send + Sync + 'static,
    B: Fn(&dyn Fn(&A) -> R, usize, &[bool], &A) -> (R, Vec<bool>) + Send + Sync + 'static,
{
    fn make(&self, size: usize, batched: &[bool]) -> Result<(Program, Vec<bool>)> {
        let Custom { rule, name, made, .. } = &*self.custom;
        let over = |ty: Type, batched: bool| if batched { ty.with_leading(size) } else { ty };
        let types = Leaves::of(&self.args).types().into_iter().zip(batched).map(|(ty, &b)| over(ty, b));
        let types: Vec<Type> = types.collect();
        let args = fill(&self.args, types.iter().map(|&ty| Array::abstracted(ty)).collect::<Vec<_>>());
        let marked = RefCell::default();
        let TracedFunction { traced, prototype } =
            trace_function(name, *made, &args, &types, Shadows::Drop, |args: &A| {
                let (result, batched) = rule(&|args| self.custom.call(args), size, batched, args);
                *marked.borrow_mut() = batched;
                result
            });
        let results = Leaves::of(&self.result).types();
        let mut marked = marked.into_inner();
        if let [all] = marked[..] {
            marked = vec![all; results.len()];
        }
        let wrong = |error: String| Error::program(error).op(name).label(*made, "the function was made");
        if marked.len() != results.len() {
            let error = format!(
                "the rule says of {} arrays whether they are batched, the function returns {}",
                marked.len(),
                results.len()
            );
            return Err(wrong(error).help("give one answer for each array of the result, or one for all"));
        }
        let expected =
            results.iter().zip(&marked).map(|(&ty, &batched)| Array::abstracted(over(ty, batched)));
        let expected = Leaves::of(&fill(&self.result, expected.collect::<Vec<_>>()));
        if let Some(difference) = expected.difference(&Leaves::of(&prototype), always) {
            let ([wanted, found], place) = (difference.sides, difference.path.below("result"));
            let error =
                format!("{place} of the batching rule is {found}, for a batch of {size} it is {wanted}");
            let help =
                "return what the function returns, with the batch axis in front where the rule says so";
            return Err(wrong(error).help(help));
        }
        Ok((with_constants(&traced, &types, name)?, marked))
    }
}

/// The program with constants in place of its captures.
fn with_constants(traced: &Traced, types: &[Type], name: &str) -> Result<Program> {
    let Traced { program, captures, cells, .. } = traced;
    let mut b = Builder::new(program.name());
    let mut args: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
    for (i, array) in captures.iter().enumerate() {
        if !matches!(array.repr, Repr::Node(_)) {
            if cells.iter().any(|used| used.capture == i) {
                let error =
                    format!("the batching rule uses a Ref, {}, whose value is being traced", array.ty());
                let help = "give the function what the Ref holds as an argument: r.get()";
                return Err(Error::program(error).op(name).help(help));
            }
            let error =
                format!("the batching rule captures an array of type {} that is being traced", array.ty());
            let help = "make it an argument of the function, so that the rule is given it";
            return Err(Error::program(error).op(name).help(help));
        }
        args.push(b.constant(array.to_literal()?)?);
    }
    let results = b.inline(program, &args)?;
    b.finish(&results)
}
