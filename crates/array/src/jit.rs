use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use jarrah_base::memory::Bytes;
use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::ops::NamedAxis;
use jarrah_hlo::{Alias, Categories, Growth, Program};
use jarrah_runtime::{Arg, Buffer, CompileOptions, Executable, ExecuteOptions};
use jarrah_tree::{Difference, Key, Node, Part, Path, Structure, Tree, TreeExt};
use rustc_hash::{FxHashMap, FxHasher};

use crate::array::{Array, Repr, here};
use crate::device::{self, Device, default_device};
use crate::eager;
use crate::error::fail_at;
use crate::function::{
    Function, Leaves, Shadows, TracedFunction, abstracted, call, fill, trace_function, trace_writing,
};
use crate::function_name::{function_name, with_line};
use crate::monitoring;
use crate::mutable::{Locked, Ref, Used, write_back, written, written_at};
use crate::prepared::Bound;
use crate::random;
use crate::sanitize;
use crate::scope::Settings;
use crate::trace::{is_tracing, named_axes, users_line};
use crate::watch;

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
    /// The same of bucketed elements.
    pub(crate) bucketed: Vec<(usize, Location)>,
    /// The bytes that a call may take.
    memory_limit: Option<usize>,
    entries: Mutex<Entries<R>>,
    /// Whether it is not to be traced again.
    frozen: AtomicBool,
    result: PhantomData<fn(A) -> R>,
}

/// What a function was compiled for.
struct Entries<R> {
    /// By a hash of the structure and the types.
    all: FxHashMap<u64, Vec<Arc<Entry<R>>>>,
    /// The one that was called last, which is looked at first.
    last: Option<Arc<Entry<R>>>,
}

impl<R> Default for Entries<R> {
    fn default() -> Self {
        Entries { all: FxHashMap::default(), last: None }
    }
}

pub(crate) struct Entry<R> {
    /// The structure of an argument, the types of its arrays, the named axes of the maps around, and the settings.
    structure: Structure,
    types: Vec<Type>,
    axes: Vec<NamedAxis>,
    settings: Settings,
    pub(crate) prototype: R,
    pub(crate) program: Arc<Program>,
    pub(crate) captures: Vec<Array>,
    /// Cells from outside: what they hold takes the place of captures.
    pub(crate) cells: Vec<Used>,
    /// How the results grow with the rows, if those are known to stay apart.
    pub(crate) growths: OnceLock<Vec<Option<Growth>>>,
    /// The numbers of rows, the ends of the bucket aside, over which the function was seen to do the same.
    seen: Mutex<Vec<usize>>,
    /// The arguments and captures that each call uses as random keys.
    keys: Vec<usize>,
    options: CompileOptions,
    /// The executable, and a device of the client that it is for.
    executable: Mutex<Option<Made>>,
    /// The same, made to look for failures.
    sanitized: Mutex<Option<(Arc<dyn Executable>, Device, Categories)>>,
    /// The same with prepared parameters.
    pub(crate) bound: Mutex<Option<Bound<R>>>,
}

/// An executable.
#[derive(Clone)]
struct Made {
    executable: Arc<dyn Executable>,
    /// A device of the client that it is for.
    device: Device,
    /// How often that client's caches had been cleared; one that was read from a file stays.
    cleared: Option<u64>,
}

impl<R: Tree<Array>> Entry<R> {
    /// The entry of an executable that was read from a file, for arguments like these.
    pub(crate) fn loaded(
        args: &Leaves,
        prototype: R,
        captures: Vec<Array>,
        executable: Arc<dyn Executable>,
        device: Device,
    ) -> Self {
        Entry {
            structure: args.structure.clone(),
            types: args.types(),
            axes: Vec::new(),
            settings: Settings::now(),
            keys: Vec::new(),
            prototype,
            program: Arc::new(executable.program().clone()),
            captures,
            cells: Vec::new(),
            growths: OnceLock::new(),
            seen: Mutex::default(),
            options: executable.options().clone(),
            executable: Mutex::new(Some(Made { executable, device, cleared: None })),
            sanitized: Mutex::new(None),
            bound: Mutex::new(None),
        }
    }

    /// The arrays that the function captured, which are the last arguments of its program; nothing if it uses cells, which
    /// are state of this process.
    pub(crate) fn fixed_captures(&self) -> Option<&[Array]> {
        self.cells.is_empty().then_some(&self.captures)
    }

    /// The entry of what is left of the program when its first `count` parameters are bound, for arguments of this structure; `values` of the
    /// parameters are its last captures. It has the code of `before`, which has the same program and other values.
    pub(crate) fn with_params_bound(
        &self,
        count: usize,
        structure: Structure,
        program: Arc<Program>,
        values: Vec<Array>,
        before: Option<&Entry<R>>,
    ) -> Self {
        let mut options = self.options.clone();
        for alias in &mut options.aliases {
            alias.parameter -= count;
        }
        let compiled = before.and_then(|entry| {
            entry.executable.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
        });
        Entry {
            structure,
            types: self.types[count..].to_vec(),
            axes: self.axes.clone(),
            settings: self.settings,
            prototype: abstracted(&self.prototype),
            program,
            captures: self.captures.iter().cloned().chain(values).collect(),
            cells: self.cells.clone(),
            growths: OnceLock::new(),
            seen: Mutex::default(),
            keys: Vec::new(),
            options,
            executable: Mutex::new(compiled),
            sanitized: Mutex::new(None),
            bound: Mutex::new(None),
        }
    }

    /// Those of the first `count` arguments that each call uses as random keys.
    pub(crate) fn keys_below(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        self.keys.iter().copied().filter(move |&i| i < count)
    }

    /// Whether each call uses up random keys.
    pub(crate) fn uses_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether an argument, by its number among the leaves, is given up.
    pub(crate) fn donates(&self, leaf: usize) -> bool {
        self.options.aliases.iter().any(|alias| alias.parameter == leaf)
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
/// let x = Array::scalar(3.0f32);
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

/// Under another transformation, or as a plain function that reads no errors.
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

impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Jit<A, R, F> {
    /// Lets the compiled function overwrite the arrays in element `index` of the argument tuple.
    ///
    /// The caller must give these arrays up: a call is an error if another handle to one exists, or if the argument
    /// has no such element.
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
        self
    }

    /// Keeps the memory of a call within `limit`, such as `"8GiB"`: arguments, results and temporaries. Where a call would take
    /// more, values are computed again near their later uses, the ones that free most for the least work first; no bit of a
    /// result changes. [`Jit::explain`] tells what is computed again.
    ///
    /// A call for which that is not enough is an error that names the ten largest arrays there are when most memory is in
    /// use. The limit holds where the function is called, not where its program becomes part of another.
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
            Ok(Bytes(limit)) => self.memory_limit = Some(limit),
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
    /// let (scaled, sum) = f.call((Array::from_slice(&[1i32, 2]), Array::scalar(10i32)))?;
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
            let (at, program) = (users_line(Location::caller()), Program::clone(&entry.program));
            let mut results = call(at, program, &leaves.arrays, &entry.captures_now());
            write_back(written_at(&entry.cells), &mut results, at);
            return Ok(fill(&entry.prototype, results));
        }
        drop(args);
        entry.run(leaves)
    }

    /// From now on a call with arguments that the function was not traced for is an error, which names the first that is not
    /// like those of the last call: for a server whose calls must not take the time of a compilation.
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

    /// Calls the function, if it is compiled for arguments like these, gives none of them up, and nothing is being traced.
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

    /// A hash of the structure and types of an argument, and the entry for them, if there is one, with the argument's arrays.
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
        let again = self.new_here(leaves, &types);
        if self.frozen.load(Ordering::Relaxed) {
            let why = again.unwrap_or_else(|| "it was never called before".to_owned());
            let error = Error::program(format!("the function is frozen, and would be traced anew: {why}"));
            let error = error.op(&self.called).at(at);
            return Err(error.help("call it with such arguments before freeze(), or pad them to one shape"));
        }
        if let Some(why) = again
            && !self.is_another_bucket(leaves, &types)
        {
            watch::retraced(&self.called, at, &why);
        }
        let started = Instant::now();
        let donated = self.donated_leaves(leaves, at);
        let TracedFunction { traced, prototype } =
            trace_writing(&self.name, at, args, &types, Shadows::Drop, |args: &A| self.f.apply(args));
        let memory_limit = self.memory_limit;
        let mut options = CompileOptions { memory_limit, ..CompileOptions::donating(&donated) };
        let results = traced.own_results();
        // What a written cell held is given up for what it will hold.
        options.aliases.extend(
            written(&traced.cells)
                .enumerate()
                .map(|(i, used)| Alias::may(types.len() + used.capture, results + i)),
        );
        // What a cell holds is read at each call; what it held now is not kept.
        let mut captures = traced.captures;
        for used in &traced.cells {
            captures[used.capture] = Array::abstracted(used.cell.ty());
        }
        let entry = Arc::new(Entry {
            structure: leaves.structure.clone(),
            types,
            axes: named_axes(),
            settings: Settings::now(),
            prototype,
            program: Arc::new(traced.program),
            captures,
            cells: traced.cells,
            growths: OnceLock::new(),
            seen: Mutex::default(),
            keys: traced.keys.into_iter().map(|(i, _)| i).collect(),
            options,
            executable: Mutex::new(None),
            sanitized: Mutex::new(None),
            bound: Mutex::new(None),
        });
        watch::traced(&self.called, at, &entry.program, started.elapsed());
        let mut entries = self.lock();
        // Another thread may have traced the function for such arguments in the meantime.
        if let (_, Some((known, _))) = Self::find_among(&mut entries, args) {
            return Ok(known);
        }
        entries.all.entry(hash).or_default().push(entry.clone());
        entries.last = Some(entry.clone());
        Ok(entry)
    }

    /// Whether these arguments differ from those of the last call in the number of rows alone, for which the function is bucketed.
    fn is_another_bucket(&self, leaves: &Leaves, types: &[Type]) -> bool {
        let Some(last) = self.lock().last.clone() else { return false };
        let alike = last.structure == leaves.structure
            && last.axes == named_axes()
            && last.settings == Settings::now();
        if self.bucketed.is_empty() || !alike {
            return false;
        }
        let grown = self.bucketed_leaves(&leaves.structure);
        let same_row = |was: Type, is: Type| {
            was.rank() > 0 && is.rank() > 0 && was.without_leading() == is.without_leading()
        };
        let mut pairs = last.types.iter().zip(types).enumerate();
        pairs.all(|(i, (&was, &is))| was == is || grown.contains(&i) && same_row(was, is))
    }

    /// What is new about arguments that the function was not traced for, next to those of the last call.
    fn new_here(&self, leaves: &Leaves, types: &[Type]) -> Option<String> {
        let last = self.lock().last.clone()?;
        let pairs = last.types.iter().zip(types);
        let differ = pairs.map(|(was, is)| (was != is).then(|| [was, is].map(|ty| ty.to_string())));
        let difference = last.structure.difference_of(&leaves.structure, differ);
        Some(match difference {
            Some(Difference { path, sides: [was, is] }) => {
                format!("{} is {is}, it was {was}", path.below("argument"))
            }
            None => Settings::now()
                .news(&last.settings)
                .unwrap_or_else(|| "the named axes of the maps around are others".to_owned()),
        })
    }

    /// The indices of the leaves in the donated elements of the argument.
    #[track_caller]
    fn donated_leaves(&self, leaves: &Leaves, at: Location) -> Vec<usize> {
        self.leaves_in(&self.donated, ["donate", "donated"], &leaves.structure, at)
    }

    /// The indices of the leaves in these elements of the argument tuple, which were named to a method, and are so.
    #[track_caller]
    pub(crate) fn leaves_in(
        &self,
        wanted: &[(usize, Location)],
        [method, are]: [&str; 2],
        structure: &Structure,
        at: Location,
    ) -> Vec<usize> {
        let elements = match structure.root() {
            Some(Part::Node(Node::Sequence(elements) | Node::Tuple(elements))) => Some(*elements),
            _ => None,
        };
        for &(index, named) in wanted {
            let error = match elements {
                Some(elements) if index < elements => continue,
                Some(elements) => format!("element {index} of an argument of {elements} is {are}"),
                None => format!("element {index} of the argument is {are}, which is no tuple"),
            };
            let error = Error::program(error).op(&self.name).label(named, are);
            let help = format!("{method} takes the number of an element of the argument tuple, from 0");
            fail_at(at, error.help(help));
        }
        let is_wanted = |path: &Path| match path.keys().first() {
            Some(Key::Index(index)) => wanted.iter().any(|(wanted, _)| wanted == index),
            _ => false,
        };
        let paths = structure.paths();
        (0..paths.len()).filter(|&i| is_wanted(&paths[i])).collect()
    }
}

impl<R: Tree<Array>> Entry<R> {
    /// The arrays of an argument, if this is the entry for it with these axes of the maps around and these settings.
    pub(crate) fn fits<'a>(
        &self,
        args: &'a impl Tree<Array>,
        (axes, settings): &(Vec<NamedAxis>, Settings),
    ) -> Option<Vec<&'a Array>> {
        if self.axes != *axes || self.settings != *settings {
            return None;
        }
        let arrays = self.structure.leaves_of(args)?;
        for (i, array) in arrays.iter().enumerate() {
            if self.types[i] != array.ty() {
                return None;
            }
        }
        Some(arrays)
    }

    /// See `seen`.
    pub(crate) fn rows_seen(&self) -> std::sync::MutexGuard<'_, Vec<usize>> {
        self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Uses the random keys that a call uses, as the first did when it was traced.
    #[track_caller]
    pub(crate) fn use_keys(&self, arrays: &[&Array]) {
        let at = Location::caller();
        if self.keys.is_empty() {
            return;
        }
        let captures = self.captures_now();
        for &i in &self.keys {
            random::consume_at(arrays.get(i).copied().unwrap_or_else(|| &captures[i - arrays.len()]), at);
        }
    }

    /// Runs the program, which overwrites no argument, on these.
    #[track_caller]
    pub(crate) fn run_on_ready(&self, arrays: &[&Array]) -> Result<R> {
        if !self.cells.is_empty() {
            let arrays = arrays.iter().map(|&array| array.clone()).collect();
            return self.run(Leaves { arrays, structure: Structure::default() });
        }
        if let Some((args, device, put)) = self.ready(arrays) {
            let results = self.results_on(Args::Borrowed(&args), device, put)?;
            return Ok(fill(&self.prototype, results));
        }
        let arrays = arrays.iter().map(|&array| array.clone()).collect();
        self.run(Leaves { arrays, structure: Structure::default() })
    }

    /// The buffers of the arguments and captures, if all are on the device of the run; that device, and whether one was put
    /// there.
    fn ready<'a>(&'a self, arrays: &[&'a Array]) -> Option<(Vec<&'a Buffer>, Device, bool)> {
        let mut put = None;
        let mut look = |array: &'a Array| put = put.or_else(|| array.node()?.device());
        for array in arrays {
            look(array);
        }
        for array in &self.captures {
            look(array);
        }
        let device = put.cloned().unwrap_or_else(default_device);
        let mut buffers = Vec::with_capacity(arrays.len() + self.captures.len());
        let mut add = |array: &'a Array| {
            let node = array.node()?;
            if node.device().is_some_and(|other| *other != device) {
                return None;
            }
            buffers.push(node.ready_on(&device)?);
            Some(())
        };
        for array in arrays {
            add(array)?;
        }
        for array in &self.captures {
            add(array)?;
        }
        Some((buffers, device, put.is_some()))
    }

    /// Runs the program on a device, on which the results stay if the arguments were `put` there.
    #[track_caller]
    fn run_on(&self, args: Vec<Arg>, device: Device, put: bool) -> Result<R> {
        Ok(fill(&self.prototype, self.results_on(Args::Given(args), device, put)?))
    }

    /// As [`Entry::run_on`]: the results, and what the written cells hold at the end.
    #[track_caller]
    fn results_on(
        &self,
        args: Args<'_>,
        device: Device,
        put: bool,
    ) -> Result<impl ExactSizeIterator<Item = Array> + use<R>> {
        let source = here();
        let executable = self.executable(&device)?;
        let options = ExecuteOptions { device: Some(device.id()) };
        let (results, done) = match args {
            Args::Borrowed(buffers) => executable.execute_borrowed(buffers, &options)?,
            Args::Given(args) => executable.execute_on_one(args, &options)?,
        };
        if results.is_empty() {
            // No result could carry the error.
            done.wait()?;
        } else if !self.program.effects().may_drop() {
            device::in_flight(done);
        }
        let array =
            move |buffer| Array::from_node(eager::Node::from_buffer(buffer, device.clone(), put, source));
        Ok(results.into_iter().map(array))
    }

    /// Runs the program on the arguments, of which the caller holds no other handle if they are donated.
    #[track_caller]
    pub(crate) fn run(&self, leaves: Leaves) -> Result<R> {
        if !self.cells.is_empty() {
            return self.run_with_cells(leaves);
        }
        let (args, put) = take_args(leaves, self, &self.captures)?;
        let device = put.clone().unwrap_or_else(default_device);
        self.run_on(args, device, put.is_some())
    }

    /// Runs the program, which reads cells and writes some. Those are closed to other threads until the run has begun; what
    /// nobody else holds is given up for what comes in its place.
    #[track_caller]
    fn run_with_cells(&self, leaves: Leaves) -> Result<R> {
        let at = Location::caller();
        // Recorded operations hold their operands, which cannot be given up then.
        eager::flush();
        let mut captures = self.captures.clone();
        for used in self.cells.iter().filter(|used| used.written.is_none()) {
            captures[used.capture] = used.cell.get();
        }
        let name = self.program.name();
        let refused = |error: Error| error.op(name).at(at);
        let mut cells = Ref::lock_all(written(&self.cells).map(|used| &used.cell)).map_err(refused)?;
        for (locked, used) in cells.iter().zip(written(&self.cells)) {
            captures[used.capture] = locked.value().map_err(refused)?;
        }
        let first = leaves.arrays.len();
        let (mut args, put) = take_args(leaves, self, &captures)?;
        let device = put.clone().unwrap_or_else(default_device);
        drop(captures);
        for (locked, used) in cells.iter_mut().zip(written(&self.cells)) {
            let arg = &mut args[first + used.capture];
            if locked.take()? {
                *arg = Arg::Donate(arg.buffer().clone());
            }
        }
        let calls_host = self.program.calls_functions();
        if calls_host {
            cells.iter().for_each(Locked::close_to_callbacks);
        }
        let mut results = self.results_on(Args::Given(args), device, put.is_some())?;
        let own = results.len() - cells.len();
        let value = fill(&self.prototype, results.by_ref().take(own));
        for (locked, after) in cells.iter_mut().zip(results) {
            if calls_host {
                // The cells are closed as long as a host function may ask for them. An error is that of the results.
                let _ = after.block_until_ready();
            }
            locked.set(after);
        }
        Ok(value)
    }

    /// The captures, with what the cells hold now.
    #[track_caller]
    fn captures_now(&self) -> Cow<'_, [Array]> {
        if self.cells.is_empty() {
            return Cow::Borrowed(&self.captures);
        }
        let mut captures = self.captures.clone();
        for used in &self.cells {
            captures[used.capture] = used.cell.get();
        }
        Cow::Owned(captures)
    }

    pub(crate) fn executable(&self, device: &Device) -> Result<Arc<dyn Executable>> {
        monitoring::tell_after(|| self.executable_now(device))
    }

    fn executable_now(&self, device: &Device) -> Result<Arc<dyn Executable>> {
        let looked_for = sanitize::wanted();
        if looked_for != Categories::NONE {
            return self.sanitized(device, looked_for);
        }
        let mut slot = self.executable.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let cleared = device.cleared();
        if let Some(made) = &*slot
            && made.device.is_sibling(device)
            && made.cleared.is_none_or(|then| then == cleared)
        {
            return Ok(made.executable.clone());
        }
        let executable = device.executable(&self.program, &self.options)?;
        *slot = Some(Made { executable: executable.clone(), device: device.clone(), cleared: Some(cleared) });
        Ok(executable)
    }
}

impl<R> Entry<R> {
    /// The program compiled to look for failures. It is kept for the kinds of failures that were looked for last.
    fn sanitized(&self, device: &Device, categories: Categories) -> Result<Arc<dyn Executable>> {
        let mut slot = self.sanitized.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((executable, known, kinds)) = &*slot
            && known.is_sibling(device)
            && *kinds == categories
        {
            return Ok(executable.clone());
        }
        let executable = sanitize::executable(device, &self.program, categories)?;
        *slot = Some((executable.clone(), device.clone(), categories));
        Ok(executable)
    }
}

/// The arguments of a run.
enum Args<'a> {
    /// Each is kept.
    Borrowed(&'a [&'a Buffer]),
    /// Some may be donated.
    Given(Vec<Arg>),
}

/// The arguments, then the captures; donated ones are given up. Also the device they were put on.
#[track_caller]
fn take_args<R>(leaves: Leaves, entry: &Entry<R>, captures: &[Array]) -> Result<(Vec<Arg>, Option<Device>)> {
    let location = Location::caller();
    let Leaves { arrays, structure } = leaves;
    if !entry.options.aliases.is_empty() {
        // Recorded operations hold their operands, which cannot be given up then.
        eager::flush();
    }
    let mut nodes: Vec<Arc<eager::Node>> = Vec::with_capacity(arrays.len() + captures.len());
    for array in arrays.into_iter().chain(captures.iter().cloned()) {
        match array.repr {
            Repr::Node(node) => nodes.push(node),
            Repr::Traced(_) | Repr::Abstract(_) => {
                let error = Error::program(format!("an array of type {} has no data to run on", array.ty()));
                return Err(error.op("jit").at(location));
            }
        }
    }
    let put = device::common(nodes.iter().map(|node| node.device()));
    let put = put.map_err(|error| error.op("jit").at(location))?;
    let device = put.clone().unwrap_or_else(default_device);
    let mut args: Vec<Arg> = eager::force(&nodes, &device)?.into_iter().map(Arg::Borrow).collect();
    let mut nodes: Vec<Option<Arc<eager::Node>>> = nodes.into_iter().map(Some).collect();
    for index in entry.options.aliases.iter().map(|alias| alias.parameter) {
        if index >= entry.types.len() {
            continue;
        }
        let Some(node) = nodes[index].take() else { continue };
        let (ty, source) = (node.ty(), node.source());
        if node.release() {
            args[index] = Arg::Donate(args[index].buffer().clone());
            continue;
        }
        let argument = structure.paths().swap_remove(index).below("argument");
        let error = Error::program(format!("{argument}, {ty}, is donated but something else holds it"));
        let error = error.op("jit").at(location).help("drop the other handle, or do not donate the argument");
        return Err(match source.location {
            Some(made) => error.label(made, "it was made"),
            None => error,
        });
    }
    Ok((args, put))
}
