mod entry;
mod traced;

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use jarrah_base::memory::Bytes;
use jarrah_base::{Location, Result};
use jarrah_hlo::Program;
use jarrah_tree::{Tree, TreeExt};
use rustc_hash::{FxHashMap, FxHasher};

use crate::array::Array;
use crate::error::fail_at;
use crate::function::{Function, Leaves, Shadows, TracedFunction, call, trace_function, trace_writing};
use crate::function_name::{function_name, with_line};
use crate::random;
use crate::scope::Settings;
use crate::trace::{is_tracing, named_axes, users_line};
use crate::watch;

pub(crate) use entry::Entry;
use entry::Signature;
pub(crate) use traced::leaves_in;
use traced::{OfCall, kept_captures, options_for};

/// A function that is compiled once per structure and types of its argument, and then runs as compiled code.
///
/// Made by [`jit`].
pub struct Jit<A, R, F> {
    pub(crate) f: F,
    pub(crate) name: String,
    /// The name in messages, which closures have with a line.
    pub(crate) called: String,
    /// Donated elements of the argument tuple, each with the line that donated it.
    pub(crate) donated: Vec<(usize, Location)>,
    /// Bucketed elements of the argument tuple, each with the line that bucketed it.
    pub(crate) bucketed: Vec<(usize, Location)>,
    /// The most bytes that a call may use.
    memory_limit: Option<usize>,
    entries: Mutex<Entries<R>>,
    /// Whether tracing the function again is an error.
    frozen: AtomicBool,
    result: PhantomData<fn(A) -> R>,
}

/// A compiled function whose type a struct can name: see [`Jit::boxed`].
pub type JitFn<A, R> = Jit<A, R, Box<dyn Fn(&A) -> R>>;

/// The compiled programs of a function, by the arguments they were compiled for.
struct Entries<R> {
    /// By a hash of the structure and the types.
    all: FxHashMap<u64, Vec<Arc<Entry<R>>>>,
    /// The entry that was called last, which is tried first.
    last: Option<Arc<Entry<R>>>,
}

impl<R> Default for Entries<R> {
    fn default() -> Self {
        Entries { all: FxHashMap::default(), last: None }
    }
}

/// Compiles `f`, a function of one tree, at the first call with each structure and types.
///
/// Compiling traces `f`: its array operations are recorded, its other effects happen once. Captured arrays become
/// hidden arguments; other captured values are fixed when `f` is traced, so pass values that change as arguments.
///
/// ```
/// use jarrah_array::{Array, jit};
/// let affine = jit(|(x, w): &(Array, Array)| x * w + 1.0);
/// let y = affine.call((Array::from_slice(&[1.0f32, 2.0]), Array::from_slice(&[3.0f32, 4.0])))?;
/// assert_eq!(y.to_vec::<f32>()?, [4.0, 9.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn jit<A, R, F>(f: F) -> Jit<A, R, F>
where
    A: Tree<Array>,
    R: Tree<Array>,
    F: Function<A, Output = R>,
{
    let type_name = std::any::type_name::<F>();
    Jit {
        f,
        name: format!("jit({})", function_name(type_name)),
        called: format!("jit({})", with_line(type_name, Location::caller())),
        donated: Vec::new(),
        bucketed: Vec::new(),
        memory_limit: None,
        entries: Mutex::default(),
        frozen: AtomicBool::new(false),
        result: PhantomData,
    }
}

/// The program of `f` on arguments like `args`; captured arrays become further parameters.
///
/// ```
/// use jarrah_array::{Array, make_program};
/// let w = Array::ones(&[3]);
/// let program = make_program(|x: &Array| (x * &w).sum(..), &Array::zeros(&[3]));
/// assert_eq!(program.param_types().len(), 2);
/// assert_eq!(program.result_types()[0].to_string(), "f32[]");
/// ```
#[track_caller]
pub fn make_program<A: Tree<Array>, R: Tree<Array>>(f: impl FnOnce(&A) -> R, args: &A) -> Program {
    let (at, types) = (Location::caller(), Leaves::of(args).types());
    random::unused(|| trace_function("main", at, args, &types, Shadows::Drop, f)).traced.program
}

/// The results of a program on these arrays: in the trace that is open, or at once.
///
/// ```
/// use jarrah_array::{Array, eval_program, make_program};
/// let x = Array::scalar(3.0);
/// let program = make_program(|x: &Array| x * x, &x);
/// assert_eq!(eval_program(&program, &[x])[0].item::<f32>()?, 9.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eval_program(program: &Program, args: &[Array]) -> Vec<Array> {
    call(Location::caller(), program.clone(), args, &[])
}

/// The result of `f` on arguments like `args` as abstract arrays: shapes and dtypes, without computing anything.
///
/// ```
/// use jarrah_array::{Array, eval_shape};
/// let y = eval_shape(|x: &Array| x.matmul(&x.t()), &Array::zeros(&[3, 5]));
/// assert_eq!(y.shape(), [3, 3]);
/// ```
#[track_caller]
pub fn eval_shape<A: Tree<Array>, R: Tree<Array>>(f: impl FnOnce(&A) -> R, args: &A) -> R {
    let (at, types) = (Location::caller(), Leaves::of(args).types());
    random::unused(|| trace_function("eval_shape", at, args, &types, Shadows::Drop, f)).prototype
}

/// A compiled function as a plain function: called inside of another transformation, or by a caller that does not read errors.
impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Function<A> for Jit<A, R, F> {
    type Output = R;

    #[track_caller]
    fn apply(&self, args: &A) -> R {
        let result = match self.call_known(args) {
            Some(result) => result,
            None => self.call(args.map_leaves(Array::clone)),
        };
        match result {
            Ok(result) => result,
            Err(error) => fail_at(Location::caller(), error),
        }
    }
}

/// A compiled function can be transformed and still be called.
impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Function<A> for &Jit<A, R, F> {
    type Output = R;

    #[track_caller]
    fn apply(&self, args: &A) -> R {
        (**self).apply(args)
    }
}

impl<A, R, F: Fn(&A) -> R + 'static> Jit<A, R, F> {
    /// This function as one of a type that has a name, for a field of a struct; the programs that were compiled stay.
    ///
    /// ```
    /// use jarrah_array::{Array, JitFn, jit};
    /// struct Halving {
    ///     step: JitFn<Array, Array>,
    /// }
    /// let halving = Halving { step: jit(|x: &Array| x * 0.5).boxed() };
    /// assert_eq!(halving.step.call(Array::scalar(3.0))?.item::<f32>()?, 1.5);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn boxed(self) -> JitFn<A, R> {
        let Jit { f, name, called, donated, bucketed, memory_limit, entries, frozen, result } = self;
        Jit { f: Box::new(f), name, called, donated, bucketed, memory_limit, entries, frozen, result }
    }
}

impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Jit<A, R, F> {
    /// Lets the compiled function overwrite the arrays in element `index` of the argument tuple.
    ///
    /// The caller must not keep these arrays: a call is an error if another handle to one of them exists, or if the argument has
    /// no such element. Functions that were compiled before are compiled again.
    ///
    /// ```
    /// # use jarrah_array::{Array, jit};
    /// let step = jit(|(state, x): &(Array, Array)| state + x).donate(0);
    /// let state = Array::zeros(&[2]);
    /// assert!(step.call((state.clone(), Array::ones(&[2]))).is_err());
    /// assert_eq!(step.call((state, Array::ones(&[2])))?.to_vec::<f32>()?, [1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn donate(mut self, index: usize) -> Self {
        self.donated.push((index, Location::caller()));
        self.forget();
        self
    }

    /// Keeps the memory of a call within `limit`, such as `"8GiB"`: arguments, results and temporaries. Where a call would take
    /// more, values are computed again near their later uses, the ones that free most for the least work first; no bit of a
    /// result changes. [`Jit::explain`] tells what is computed again.
    ///
    /// A call that needs more is an error that names the ten largest arrays at the time when most memory is in use. The limit
    /// applies where the function is called, not where its program becomes part of another.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let f = |x: &Array| {
    ///     let mut powers = vec![x.clone()];
    ///     for i in 0..8 {
    ///         powers.push(powers[i].matmul(x));
    ///     }
    ///     powers.iter().rev().fold(x.clone(), |y, power| y.matmul(power))
    /// };
    /// let x = Array::eye(64);
    /// let free = jit(f).lower(&x).compile()?.memory_analysis().total();
    /// let limited = jit(f).memory_limit(&format!("{}B", free * 2 / 3));
    /// assert!(limited.lower(&x).compile()?.memory_analysis().total() <= free * 2 / 3);
    /// assert!(limited.explain(&x)?.contains("computed again"));
    /// assert_eq!(limited.call(x.clone())?.to_vec::<f32>()?, jit(f).call(x)?.to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Panics
    /// The limit is no number of bytes.
    #[track_caller]
    pub fn memory_limit(mut self, limit: &str) -> Self {
        match limit.parse::<Bytes>() {
            Ok(Bytes(limit)) => {
                self.memory_limit = Some(limit);
                self.forget();
            }
            Err(error) => fail_at(Location::caller(), error.op("memory_limit")),
        }
        self
    }

    /// Calls the function; the first call with a structure and types compiles it.
    ///
    /// Inside another transformation the call becomes part of the program being traced.
    ///
    /// The call returns when the run has begun: an error of the run is one of the arrays it returns, where they are read.
    ///
    /// # Errors
    /// Compilation fails; a donated array has another handle; the arguments are on different devices. A function without
    /// results waits for the run and returns its error.
    ///
    /// ```
    /// # use jarrah_array::{Array, jit};
    /// let f = jit(|(x, n): &(Array, Array)| (x * n, x.sum(..)));
    /// let (scaled, sum) = f.call((Array::from_slice(&[1i32, 2]), Array::scalar(10)))?;
    /// assert_eq!((scaled.to_vec::<i32>()?, sum.item::<i64>()?), (vec![10, 20], 3));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call(&self, args: A) -> Result<R> {
        if let Some(result) = self.call_known(&args) {
            return result;
        }
        if watch::is_jit_disabled() {
            return Ok(self.f.apply(&args));
        }
        let leaves = Leaves::of(&args);
        if self.runs_in_buckets() {
            return self.call_in_bucket(args, leaves, |entry, leaves| entry.run(leaves));
        }
        let entry = self.entry(&args, &leaves)?;
        if is_tracing() {
            return Ok(entry.call_traced(&leaves));
        }
        drop(args);
        entry.run(leaves)
    }

    /// From now on, calls with arguments that the function was not traced for are an error that names the first difference from
    /// the last call: for a server whose calls must not wait for a compilation.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let f = jit(|x: &Array| x * 2.0);
    /// f.call(Array::zeros(&[3]))?;
    /// f.freeze();
    /// assert!(f.call(Array::ones(&[3])).is_ok());
    /// let error = f.call(Array::zeros(&[4])).unwrap_err();
    /// assert!(error.to_string().contains("the argument is f32[4], it was f32[3]"));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn freeze(&self) {
        self.frozen.store(true, Ordering::Relaxed);
    }

    /// How many combinations of structure and types the function was traced for.
    ///
    /// ```
    /// # use jarrah_array::{Array, jit};
    /// let f = jit(|x: &Array| x * 2.0);
    /// f.call(Array::zeros(&[3]))?;
    /// f.call(Array::ones(&[3]))?;
    /// f.call(Array::ones(&[4]))?;
    /// assert_eq!(f.traces(), 2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn traces(&self) -> usize {
        self.lock().all.values().map(Vec::len).sum()
    }

    /// Calls the function if it is compiled for arguments of this structure and types, donates none of them, and nothing is being
    /// traced; otherwise returns `None`.
    #[track_caller]
    fn call_known(&self, args: &A) -> Option<Result<R>> {
        let plain = self.donated.is_empty() && self.bucketed.is_empty();
        if !plain || is_tracing() || watch::is_jit_disabled() {
            return None;
        }
        let (entry, arrays) = self.find(args).1?;
        entry.use_keys(&arrays);
        Some(entry.run_on_ready(&arrays))
    }

    /// The hash of the argument's structure and types; if there is an entry for them, also that entry and the argument's arrays.
    fn find<'a>(&self, args: &'a A) -> (u64, Option<(Arc<Entry<R>>, Vec<&'a Array>)>) {
        Self::find_among(&mut self.lock(), args)
    }

    /// As [`Jit::find`], among these entries.
    fn find_among<'a>(
        entries: &mut Entries<R>,
        args: &'a A,
    ) -> (u64, Option<(Arc<Entry<R>>, Vec<&'a Array>)>) {
        let now = (named_axes(), Settings::now());
        let fits = |entry: &Arc<Entry<R>>| Some((entry.clone(), entry.fits(args, &now)?));
        if let Some(found) = entries.last.as_ref().and_then(fits) {
            return (0, Some(found));
        }
        let mut hash = FxHasher::default();
        args.leaves_hashing(&mut hash).iter().for_each(|array| array.ty().hash(&mut hash));
        let hash = hash.finish();
        let found = entries.all.get(&hash).and_then(|all| all.iter().find_map(fits));
        if let Some((entry, _)) = &found {
            entries.last = Some(entry.clone());
        }
        (hash, found)
    }

    /// Forgets all that is compiled.
    pub(crate) fn forget(&mut self) {
        self.entries = Mutex::default();
    }

    /// All that is compiled.
    pub(crate) fn known(&self) -> Vec<Arc<Entry<R>>> {
        self.lock().all.values().flatten().cloned().collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Entries<R>> {
        self.entries.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    #[track_caller]
    pub(crate) fn entry(&self, args: &A, leaves: &Leaves) -> Result<Arc<Entry<R>>> {
        let (hash, found) = self.find(args);
        if let Some((entry, arrays)) = found {
            entry.use_keys(&arrays);
            return Ok(entry);
        }
        let types = leaves.types();
        let at = users_line(Location::caller());
        let last = self.lock().last.clone();
        self.of_call().announce(last.as_ref().map(|last| &last.signature), leaves, &types, at)?;
        let started = Instant::now();
        let donated = leaves_in(&self.name, &self.donated, ["donate", "donated"], &leaves.structure, at);
        let TracedFunction { mut traced, prototype } =
            trace_writing(&self.name, at, args, &types, Shadows::Drop, |args: &A| self.f.apply(args));
        let options = options_for(&traced, types.len(), &donated, self.memory_limit);
        let captures = kept_captures(&mut traced);
        let signature = Signature::now(&leaves.structure, types);
        let mut entry = Entry::new(signature, prototype, Arc::new(traced.program), captures, options);
        entry.cells = traced.cells;
        entry.keys = traced.keys.into_iter().map(|(i, _)| i).collect();
        let entry = Arc::new(entry);
        watch::traced(&self.called, at, &entry.program, started.elapsed());
        let mut entries = self.lock();
        // Another thread may have traced the function for arguments of these types in the meantime.
        if let (_, Some((known, _))) = Self::find_among(&mut entries, args) {
            return Ok(known);
        }
        entries.all.entry(hash).or_default().push(entry.clone());
        entries.last = Some(entry.clone());
        Ok(entry)
    }

    /// The facts about the function that messages about a call mention.
    fn of_call(&self) -> OfCall<'_> {
        OfCall {
            name: &self.name,
            called: &self.called,
            bucketed: &self.bucketed,
            frozen: self.frozen.load(Ordering::Relaxed),
        }
    }
}
