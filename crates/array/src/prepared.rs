//! Parameters that stay the same from call to call: values that compiled functions derive from the parameters alone are computed
//! once.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jarrah_base::{Error, Location, Result};
use jarrah_compiler::{PreparedValue, Wanted, prepare};
use jarrah_hlo::{Categories, Program};
use jarrah_runtime::DiskKey;
use jarrah_tree::{Structure, Tree, TreeExt};
use rustc_hash::FxHashMap;

use crate::array::Array;
use crate::device::{self, default_device};
use crate::error::fail_at;
use crate::function::{Function, Leaves, abstracted, always};
use crate::jit::{Entry, Jit, eval_program};
use crate::origin::{Origin, Source, type_of};
use crate::random;
use crate::sanitize;
use crate::scope::Settings;
use crate::stages::Lowered;
use crate::trace::{ensure_compile_time_eval, is_tracing, named_axes, users_line};
use crate::watch;

/// A tree of arrays that functions read in call after call, such as the weights of a model that is served.
///
/// [`Jit::prepared`] binds it to a compiled function. What such a function computes of the arrays alone is computed at its first call and kept:
/// weights in another dtype, in another order of axes, and first of all in the panels in which the device reads the right operand of a product,
/// so that no call packs them. All functions that are bound to one `Prepared`, and all shapes for which they are compiled, share what is kept.
///
/// An array that functions read in panels only is kept in these alone, so that a model takes the memory it took, an eighth more at most
/// where its widths are no multiples of a panel's: give it away whole ([`Prepared::new`] takes it), as other handles keep it alive.
///
/// A clone is another handle to the same arrays.
///
/// ```
/// use jarrah_array::{Array, Prepared, jit};
/// let weights = Prepared::new((Array::ones(&[64, 256]), Array::zeros(&[256])));
/// let layer = jit(|((w, b), x): &((Array, Array), Array)| (x.matmul(w) + b).tanh()).prepared(&weights);
/// assert_eq!(layer.call((Array::ones(&[1, 64]),))?.shape(), [1, 256]);
/// assert_eq!(layer.call((Array::ones(&[8, 64]),))?.shape(), [8, 256]);
///
/// weights.set((Array::zeros(&[64, 256]), Array::zeros(&[256])))?;
/// assert_eq!(layer.call((Array::ones(&[1, 64]),))?.sum(..).item::<f32>()?, 0.0);
/// assert_eq!(weights.get()?.0.shape(), [64, 256]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub struct Prepared<P> {
    inner: Arc<Inner<P>>,
}

impl<P> Clone for Prepared<P> {
    fn clone(&self) -> Self {
        Prepared { inner: self.inner.clone() }
    }
}

struct Inner<P> {
    /// The tree without data.
    prototype: P,
    arrays: usize,
    kept: Mutex<Kept>,
}

/// The arrays of the tree, in the forms that functions read.
struct Kept {
    /// How often there were new arrays.
    version: u64,
    /// The first place of each array in the tree, which may contain an array several times.
    first: Vec<usize>,
    /// The arrays of the tree; `None` where a computed value replaces the array.
    plain: Vec<Option<Array>>,
    /// For each array, whether functions read it unchanged.
    read: Vec<bool>,
    /// For each array, whether it ever had data.
    had: Vec<bool>,
    /// The values that were computed from the arrays.
    made: FxHashMap<PreparedValue, Array>,
    /// The source of the arrays that have no data yet.
    source: Option<Arc<Source>>,
}

impl Kept {
    fn new(version: u64, arrays: Vec<Array>, source: Option<Source>) -> Kept {
        let read = vec![false; arrays.len()];
        let is_there =
            |index: usize| source.as_ref().is_none_or(|source: &Source| !source.is_deferred(index));
        let had = (0..arrays.len()).map(is_there).collect();
        let mut known = FxHashMap::default();
        let mut first = Vec::with_capacity(arrays.len());
        let mut plain = Vec::with_capacity(arrays.len());
        for (index, array) in arrays.into_iter().enumerate() {
            let at = array.identity().map_or(index, |identity| *known.entry(identity).or_insert(index));
            first.push(at);
            plain.push((at == index && is_there(index)).then_some(array));
        }
        let source = source.map(Arc::new);
        Kept { version, first, plain, read, had, made: FxHashMap::default(), source }
    }

    /// The array of the tree at this index, in its original form.
    #[track_caller]
    fn plain(&mut self, index: usize) -> Result<Array> {
        let index = self.first[index];
        if let Some(array) = &self.plain[index] {
            return Ok(array.clone());
        }
        for (recipe, made) in &self.made {
            if recipe.params == [index]
                && let Some(back) = recipe.inverse()?
            {
                return evaluated(&back, std::slice::from_ref(made));
            }
        }
        if let Some(source) = self.source.clone() {
            let read = source.read(index)?;
            let found = read.iter().find(|(at, _)| *at == index).map(|(_, array)| array.clone());
            for (at, array) in read {
                // An array that had data before was dropped because a value computed from it replaces it, so it is not kept
                // again.
                if !std::mem::replace(&mut self.had[at], true) {
                    self.plain[at] = Some(array);
                }
            }
            return found.ok_or_else(|| Error::internal("an array that its origin does not give"));
        }
        let error = Error::program("the arrays of a Prepared were released").op("Prepared");
        Err(error.help("give it others by `set` first"))
    }

    /// The key of a recipe's value in the files; `None` if the value is already in memory or is not stored.
    fn key(&self, recipe: &PreparedValue) -> Option<DiskKey> {
        let is_known = match recipe.is_param() {
            true => self.read[recipe.params[0]],
            false => self.made.contains_key(recipe),
        };
        self.source.as_ref().filter(|_| !is_known)?.key(recipe)
    }

    /// The values of these recipes that the files have.
    fn found(&self, recipes: &[PreparedValue], keys: &[Option<DiskKey>]) -> Vec<Option<Array>> {
        let is_missing =
            |recipe: &PreparedValue| !recipe.is_param() || self.plain[recipe.params[0]].is_none();
        let wanted = recipes.iter().zip(keys);
        let wanted = wanted.map(|(recipe, key)| Some((key.filter(|_| is_missing(recipe))?, type_of(recipe))));
        match &self.source {
            Some(source) => source.find(&wanted.collect::<Vec<_>>()),
            None => vec![None; recipes.len()],
        }
    }

    /// The values of these recipes. An array is dropped if one of the values contains all of its data and no function reads it
    /// unchanged.
    #[track_caller]
    fn values(&mut self, recipes: &[PreparedValue]) -> Result<Vec<Array>> {
        let mut values = Vec::with_capacity(recipes.len());
        // An array that the tree has at several places is represented by the first place, so that its values are computed once.
        let mut recipes = recipes.to_vec();
        recipes.iter_mut().flat_map(|recipe| &mut recipe.params).for_each(|i| *i = self.first[*i]);
        let keys: Vec<Option<DiskKey>> = recipes.iter().map(|recipe| self.key(recipe)).collect();
        let found = self.found(&recipes, &keys);
        let mut new = Vec::new();
        for (at, (recipe, found)) in recipes.iter().zip(found).enumerate() {
            let is_new = found.is_none();
            let made = match (recipe.is_param(), self.made.get(recipe)) {
                (true, _) => {
                    let index = recipe.params[0];
                    let array = found.map_or_else(|| self.plain(index), Ok)?;
                    self.read[index] = true;
                    self.had[index] = true;
                    self.plain[index] = Some(array.clone());
                    array
                }
                (false, Some(made)) => made.clone(),
                (false, None) => {
                    let made = match found {
                        Some(found) => found,
                        None => {
                            let args: Result<Vec<Array>> =
                                recipe.params.iter().map(|&i| self.plain(i)).collect();
                            evaluated(&recipe.program, &args?)?
                        }
                    };
                    self.made.insert(recipe.clone(), made.clone());
                    made
                }
            };
            new.extend(keys[at].filter(|_| is_new).map(|key| (key, made.clone())));
            values.push(made);
            if !recipe.is_param()
                && let [index] = recipe.params[..]
                && !self.read[index]
                && !recipes[at + 1..].iter().any(|later| later.params.contains(&index))
                && recipes[..=at].iter().any(|r| r.params == [index] && matches!(r.inverse(), Ok(Some(_))))
            {
                self.plain[index] = None;
                // The array can be computed back from the value that contains all of its data.
                self.had[index] = true;
            }
        }
        if let (Some(source), false) = (&self.source, new.is_empty()) {
            source.keep(new);
        }
        Ok(values)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(source) = &self.source {
            source.end();
        }
    }
}

/// The single result of a program on concrete arrays, computed at once, outside of any trace.
#[track_caller]
fn evaluated(program: &Program, args: &[Array]) -> Result<Array> {
    let results = ensure_compile_time_eval(|| {
        let results = eval_program(program, args);
        results.iter().try_for_each(Array::block_until_ready).map(|()| results)
    })?;
    let [array]: [Array; 1] =
        results.try_into().map_err(|_| Error::internal("a recipe that makes more than one array"))?;
    Ok(array)
}

impl<P: Tree<Array>> Prepared<P> {
    /// Takes a tree of arrays that have data.
    pub fn new(params: P) -> Self {
        Prepared::with(params, None)
    }

    /// Takes a tree of arrays of which some have no data yet: [`origin`](Origin) reads those when they are needed, and where it has files, values that
    /// functions make of the arrays are looked for there first. What a file has is mapped, so that neither the arrays nor the values take time or memory. Values that are not
    /// there yet are made and written by a thread of their own; [`finish_keeping`](Self::finish_keeping) waits for it.
    ///
    /// ```
    /// use jarrah_array::{Array, DType, Origin, Prepared, Type, jit};
    /// let origin = Origin {
    ///     identity: [0; 32],
    ///     read: Box::new(|path| Ok(vec![(path.to_owned(), Array::ones(&[64, 256]))])),
    ///     files: None,
    /// };
    /// let weights = Prepared::of_origin(Array::abstracted(Type::tensor(DType::F32, [64, 256])), origin);
    /// let layer = jit(|(w, x): &(Array, Array)| x.matmul(w)).prepared(&weights);
    /// assert_eq!(layer.call((Array::ones(&[1, 64]),))?.max(..).item::<f32>()?, 64.0);
    /// weights.finish_keeping(&|| false);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn of_origin(params: P, origin: Origin) -> Self {
        Prepared::with(params, Some(origin))
    }

    fn with(params: P, origin: Option<Origin>) -> Self {
        let prototype = abstracted(&params);
        let source = origin.map(|origin| {
            let leaves: Vec<(String, &Array)> = params.leaves_with_paths();
            let deferred = leaves.iter().map(|(_, array)| array.identity().is_none()).collect();
            let arrays = leaves.into_iter().map(|(path, array)| (path, array.ty())).collect();
            Source::new(origin, arrays, deferred)
        });
        let arrays = Leaves::of(&params).arrays;
        drop(params);
        Prepared {
            inner: Arc::new(Inner {
                prototype,
                arrays: arrays.len(),
                kept: Mutex::new(Kept::new(0, arrays, source)),
            }),
        }
    }

    /// Waits until all computed values are in the files of their [`Origin`]; gives up when `stops` returns true or writing makes
    /// no progress for ten seconds.
    pub fn finish_keeping(&self, stops: &dyn Fn() -> bool) {
        let source = self.lock().source.clone();
        if let Some(source) = source {
            source.finish(stops);
        }
    }

    /// The tree with its original arrays: an array that is kept only as packed panels is unpacked.
    ///
    /// # Errors
    /// The device failed, or there is no memory.
    #[track_caller]
    pub fn get(&self) -> Result<P> {
        let mut kept = self.lock();
        let arrays: Result<Vec<Array>> = (0..self.inner.arrays).map(|i| kept.plain(i)).collect();
        let tree = self.inner.prototype.with_leaves(arrays?);
        tree.ok_or_else(|| Error::internal("a prepared tree without one of its arrays"))
    }

    /// The tree with abstract arrays, which have types and no data.
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared};
    /// assert_eq!(Prepared::new(Array::ones(&[2, 3])).shapes().shape(), [2, 3]);
    /// ```
    pub fn shapes(&self) -> &P {
        &self.inner.prototype
    }

    /// Replaces the arrays of the tree: each bound function reads the new ones from its next call on, and nothing is compiled
    /// again. Calls that have begun use the old ones.
    ///
    /// # Errors
    /// The tree has another structure, or an array another type; then nothing is changed.
    #[track_caller]
    pub fn set(&self, params: P) -> Result<()> {
        let given = Leaves::of(&params);
        if let Some(difference) = Leaves::of(&self.inner.prototype).difference(&given, always) {
            let [was, is] = difference.sides;
            let error = format!("{} is {is}, it was {was}", difference.path.below("parameter"));
            let error = Error::program(error).op("Prepared::set").at(users_line(Location::caller()));
            return Err(error.help("give a tree of the same structure and types, or bind another Prepared"));
        }
        drop(params);
        let mut kept = self.lock();
        *kept = Kept::new(kept.version + 1, given.arrays, None);
        Ok(())
    }

    /// Drops all arrays until [`set`](Self::set) provides others: until then functions that are bound to this fail. Each of them
    /// keeps the arrays that it has read until its [`let_go`](PreparedJit::let_go) is called.
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared};
    /// let weights = Prepared::new(Array::ones(&[64, 256]));
    /// weights.release();
    /// assert_eq!(weights.bytes(), 0);
    /// assert!(weights.get().is_err());
    /// ```
    pub fn release(&self) {
        let mut kept = self.lock();
        let count = self.inner.arrays;
        *kept = Kept {
            version: kept.version + 1,
            first: (0..count).collect(),
            plain: vec![None; count],
            read: vec![false; count],
            had: vec![true; count],
            made: FxHashMap::default(),
            source: None,
        };
    }

    /// The bytes of all that is kept.
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared, jit};
    /// let weights = Prepared::new(Array::ones(&[64, 256]));
    /// assert_eq!(weights.bytes(), 4 * 64 * 256);
    /// jit(|(w, x): &(Array, Array)| x.matmul(w)).prepared(&weights).call((Array::ones(&[1, 64]),))?;
    /// assert_eq!(weights.bytes(), 4 * 64 * 256);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn bytes(&self) -> usize {
        let kept = self.lock();
        let arrays = kept.plain.iter().flatten().chain(kept.made.values());
        arrays.map(|array| array.ty().bytes().unwrap_or(usize::MAX)).fold(0, usize::saturating_add)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.inner.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A tuple that begins with a `P`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tuple that begins with `{P}`",
    label = "the argument of a prepared function is a tuple of the parameters and up to five others",
    note = "write `jit(|(params, x): &({P}, Array)| ...).prepared(&params)`"
)]
pub trait BeginsWith<P> {
    /// The tuple of the other elements.
    type Rest: Tree<Array>;

    /// The whole tuple.
    fn whole(first: P, rest: Self::Rest) -> Self;
}

macro_rules! begin_with {
    ($($($t:ident)+;)*) => {$(
        impl<P, $($t: Tree<Array>),+> BeginsWith<P> for (P, $($t),+) {
            type Rest = ($($t,)+);

            #[allow(non_snake_case, reason = "one variable for each type")]
            fn whole(first: P, ($($t,)+): Self::Rest) -> Self {
                (first, $($t),+)
            }
        }
    )*};
}

begin_with! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
}

/// The version of an entry that no parameters are bound to.
const NEVER: u64 = u64::MAX;

/// An entry in which prepared parameters are bound.
pub(crate) struct Bound<R> {
    /// The version of the parameters at the time their arrays were bound.
    version: u64,
    recipes: Vec<PreparedValue>,
    entry: Arc<Entry<R>>,
}

/// A compiled function whose parameters are bound, so that calls do not take them; made by [`Jit::prepared`].
pub struct PreparedJit<A, P, R, F> {
    jit: Jit<A, R, F>,
    params: Prepared<P>,
    /// The entry of the last call with the version of its parameters, which is tried first. Empty if calls use random keys among
    /// the parameters.
    last: Mutex<Option<(u64, Arc<Entry<R>>)>>,
}

impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Jit<A, R, F> {
    /// Binds `params` as the first element of the argument tuple: see [`Prepared`]. A call takes the tuple of the other elements. Donated and
    /// bucketed elements keep their numbers.
    ///
    /// Results are bit-identical to those of `jit(f)` with the same parameters. (A product of integers or floats is the same sum
    /// in panels, see `NUMERICS.md`.)
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared, jit};
    /// let w = Prepared::new(Array::ones(&[64, 256]));
    /// let step = jit(|(w, sum, x): &(Array, Array, Array)| sum + x.matmul(w)).donate(1).prepared(&w);
    /// let sum = step.call((Array::zeros(&[2, 256]), Array::ones(&[2, 64])))?;
    /// assert_eq!(sum.max(..).item::<f32>()?, 64.0);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn prepared<P>(self, params: &Prepared<P>) -> PreparedJit<A, P, R, F>
    where
        P: Tree<Array>,
        A: BeginsWith<P>,
    {
        PreparedJit { jit: self, params: params.clone(), last: Mutex::default() }
    }
}

impl<A, P, R, F> PreparedJit<A, P, R, F>
where
    A: Tree<Array> + BeginsWith<P>,
    P: Tree<Array>,
    R: Tree<Array>,
    F: Function<A, Output = R>,
{
    /// Calls the function with the elements of the tuple after the first: as [`Jit::call`].
    ///
    /// Inside another transformation, and while a sanitizer looks for failures, the function runs on the original parameters.
    ///
    /// # Errors
    /// As [`Jit::call`]; the first element is donated or bucketed.
    #[track_caller]
    pub fn call(&self, args: A::Rest) -> Result<R> {
        self.check()?;
        if is_tracing() || watch::is_jit_disabled() || sanitize::wanted() != Categories::NONE {
            return self.jit.call(A::whole(self.params.get()?, args));
        }
        let in_buckets = self.jit.runs_in_buckets();
        if !in_buckets
            && let Some(entry) = self.last()
            && let Some(arrays) = entry.fits(&args, &(named_axes(), Settings::now()))
        {
            if self.jit.donated.is_empty() {
                return entry.run_on_ready(&arrays);
            }
            drop(arrays);
            let leaves = Leaves::of(&args);
            drop(args);
            return entry.run(leaves);
        }
        let own = args.flatten().1;
        let args = A::whole(abstracted(&self.params.inner.prototype), args);
        let leaves = Leaves::of(&args);
        if in_buckets {
            return self.jit.call_in_bucket(args, leaves, |entry, leaves| {
                self.use_keys(entry)?;
                let Leaves { mut arrays, .. } = leaves;
                arrays.drain(..self.params.inner.arrays);
                self.bound(entry, &own)?.1.run(Leaves { arrays, structure: own.clone() })
            });
        }
        let entry = self.jit.entry(&args, &leaves)?;
        drop(args);
        self.use_keys(&entry)?;
        let bound = self.bound(&entry, &own)?;
        if !entry.uses_keys() {
            *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(bound.clone());
        }
        let Leaves { mut arrays, .. } = leaves;
        arrays.drain(..self.params.inner.arrays);
        bound.1.run(Leaves { arrays, structure: own })
    }

    /// The entry that was called last, unless the parameters have newer arrays.
    fn last(&self) -> Option<Arc<Entry<R>>> {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let (version, entry) = last.as_ref()?;
        (*version == self.params.lock().version).then(|| entry.clone())
    }

    /// Traces the function for arguments like `args` and computes everything that depends on the parameters alone: the program is
    /// the rest. As [`Jit::lower`].
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared, jit};
    /// let w = Prepared::new(Array::ones(&[64, 256]));
    /// let lowered = jit(|(w, x): &(Array, Array)| x.matmul(&w.exp())).prepared(&w).lower(&(Array::zeros(&[2, 64]),))?;
    /// assert!(!lowered.as_text().contains("exponential"));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PreparedJit::call`].
    #[track_caller]
    pub fn lower(&self, args: &A::Rest) -> Result<Lowered<R>> {
        let own = Leaves::of(args).abstracted();
        let args = A::whole(abstracted(&self.params.inner.prototype), abstracted(args));
        let leaves = Leaves::of(&args);
        self.check()?;
        let entry = self.jit.entry(&args, &leaves)?;
        Ok(Lowered::of(self.bound(&entry, &own.structure)?.1, own))
    }

    /// Drops the arrays read from the parameters; the next call reads them again, and nothing is compiled again. Code for
    /// argument types that were not used since [`Prepared::set`] keeps the old arrays until this is called.
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared, jit};
    /// let w = Prepared::new(Array::ones(&[3]));
    /// let f = jit(|(w, x): &(Array, Array)| x * w).prepared(&w);
    /// f.call((Array::ones(&[3]),))?;
    /// w.release();
    /// f.let_go();
    /// assert!(f.call((Array::ones(&[3]),)).is_err());
    /// w.set(Array::zeros(&[3]))?;
    /// assert_eq!(f.call((Array::ones(&[3]),))?.to_vec::<f32>()?, [0.0; 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn let_go(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
        for entry in self.jit.known() {
            let mut slot = entry.bound.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(bound) = &mut *slot {
                bound.version = NEVER;
                bound.entry = Arc::new(bound.entry.without_captures());
            }
        }
    }

    /// As [`Jit::freeze`].
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared, jit};
    /// let f = jit(|(w, x): &(Array, Array)| x * w).prepared(&Prepared::new(Array::ones(&[3])));
    /// f.call((Array::zeros(&[3]),))?;
    /// f.freeze();
    /// assert!(f.call((Array::zeros(&[2, 3]),)).is_err());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn freeze(&self) {
        self.jit.freeze();
    }

    /// As [`Jit::traces`].
    ///
    /// ```
    /// use jarrah_array::{Array, Prepared, jit};
    /// let f = jit(|(w, x): &(Array, Array)| x * w).prepared(&Prepared::new(Array::ones(&[3])));
    /// f.call((Array::zeros(&[3]),))?;
    /// f.call((Array::zeros(&[2, 3]),))?;
    /// assert_eq!(f.traces(), 2);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn traces(&self) -> usize {
        self.jit.traces()
    }

    /// Fails if the bound element of the arguments is also donated or bucketed.
    #[track_caller]
    fn check(&self) -> Result<()> {
        let at = users_line(Location::caller());
        for (wanted, what) in [(&self.jit.donated, "donated"), (&self.jit.bucketed, "bucketed")] {
            if let Some((_, line)) = wanted.iter().find(|(index, _)| *index == 0) {
                let error = Error::program(format!("element 0 of the argument is prepared and {what}"));
                let error = error.op(&self.jit.called).label(*line, what).at(at);
                return Err(
                    error.help("elements keep their numbers: name those behind the parameters, from 1")
                );
            }
        }
        Ok(())
    }

    /// Marks those parameters as used random keys that a call of this entry uses as keys.
    #[track_caller]
    fn use_keys(&self, entry: &Entry<R>) -> Result<()> {
        let keys: Vec<usize> = entry.keys_below(self.params.inner.arrays).collect();
        if !keys.is_empty() {
            let mut kept = self.params.lock();
            for index in keys {
                random::consume_at(&kept.plain(index)?, Location::caller());
            }
        }
        Ok(())
    }

    /// The entry with the prepared values of the parameters as captures, for arguments of this structure, and the version of the
    /// parameters.
    #[track_caller]
    fn bound(&self, entry: &Entry<R>, own: &Structure) -> Result<(u64, Arc<Entry<R>>)> {
        let mut slot = entry.bound.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = self.params.lock();
        if let Some(bound) = &*slot
            && bound.version == kept.version
        {
            return Ok((bound.version, bound.entry.clone()));
        }
        if let Some(array) = kept.plain.iter().flatten().find(|array| array.node().is_none()) {
            let error =
                format!("a prepared parameter of type {} is a value of a trace that has ended", array.ty());
            let error = Error::program(error).op(&self.jit.called).at(users_line(Location::caller()));
            return Err(error.help("give Prepared arrays that have data, outside of jit and grad"));
        }
        let count = self.params.inner.arrays;
        let (recipes, program, before) = match &*slot {
            Some(Bound { recipes, entry, .. }) => {
                (recipes.clone(), entry.program.clone(), Some(entry.clone()))
            }
            None => {
                let put = kept.plain.iter().flatten().chain(kept.made.values());
                let put = device::common(put.filter_map(Array::node).map(|node| node.device()))?;
                let device = put.unwrap_or_else(default_device);
                let client = device.client();
                let wanted = Wanted {
                    panels: &|dot, operands| client.preferences().panels(dot, operands),
                    columns: &|dot, operands| client.preferences().panels_of_makers(dot, operands),
                };
                let parts = prepare(&entry.program, count, wanted)?;
                (parts.recipes, Arc::new(parts.rest), None)
            }
        };
        let values = kept.values(&recipes)?;
        let made = Arc::new(entry.with_params_bound(count, own.clone(), program, values, before.as_deref()));
        *slot = Some(Bound { version: kept.version, recipes, entry: made.clone() });
        Ok((kept.version, made))
    }
}

/// A prepared function as a plain function: called inside of another transformation, or by a caller that does not read errors.
impl<A, P, R, F> Function<A::Rest> for PreparedJit<A, P, R, F>
where
    A: Tree<Array> + BeginsWith<P>,
    P: Tree<Array>,
    R: Tree<Array>,
    F: Function<A, Output = R>,
{
    type Output = R;

    #[track_caller]
    fn apply(&self, args: &A::Rest) -> R {
        match self.call(args.map_leaves(Array::clone)) {
            Ok(result) => result,
            Err(error) => fail_at(Location::caller(), error),
        }
    }
}
