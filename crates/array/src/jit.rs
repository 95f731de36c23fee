use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::ops::NamedAxis;
use jarrah_hlo::{Categories, Program};
use jarrah_runtime::{Arg, CompileOptions, Executable};
use jarrah_tree::{Key, Node, Part, Path, Structure, Tree, TreeExt};
use rustc_hash::FxHashMap;

use crate::array::{Array, Repr, here};
use crate::device::{self, Device, default_device};
use crate::eager;
use crate::error::fail_at;
use crate::function::{Function, Leaves, Shadows, TracedFunction, call, fill, trace_function};
use crate::sanitize;
use crate::trace::{is_tracing, named_axes};

/// A function that is compiled once per structure and types of its argument, and then runs as compiled code.
///
/// Made by [`jit`].
pub struct Jit<A, R, F> {
    f: F,
    name: String,
    /// Donated elements of the argument tuple, each with the line that donated it.
    donated: Vec<(usize, Location)>,
    entries: Mutex<FxHashMap<Signature, Arc<Entry<R>>>>,
    result: PhantomData<fn(A) -> R>,
}

/// The structure of an argument, the types of its arrays, and the named axes of the maps around.
type Signature = (Structure, Vec<Type>, Vec<NamedAxis>);

pub(crate) struct Entry<R> {
    prototype: R,
    pub(crate) program: Arc<Program>,
    captures: Vec<Array>,
    options: CompileOptions,
    /// The executable, and a device of the client that it is for.
    executable: Mutex<Option<(Arc<dyn Executable>, Device)>>,
    /// The same, made to look for failures.
    sanitized: Mutex<Option<(Arc<dyn Executable>, Device, Categories)>>,
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
pub fn jit<A, R, F>(f: F) -> Jit<A, R, F>
where
    A: Tree<Array>,
    R: Tree<Array>,
    F: Function<A, Output = R>,
{
    let name = format!("jit({})", function_name(std::any::type_name::<F>()));
    Jit { f, name, donated: Vec::new(), entries: Mutex::default(), result: PhantomData }
}

/// The name of a function, or of the one around a closure, in the name of its type: `step` in
/// `model::step<f32>::{{closure}}`. A compiled function has the name of the function that it compiles.
pub(crate) fn function_name(type_name: &str) -> String {
    if let Some(inner) = type_name.strip_prefix(concat!(module_path!(), "::Jit<")) {
        return function_name(last_parameter(inner.strip_suffix('>').unwrap_or(inner)));
    }
    let (mut depth, mut plain, mut last) = (0usize, String::new(), ' ');
    for c in type_name.chars() {
        match c {
            '<' => depth += 1,
            // The arrow of a function's type closes nothing.
            '>' if last != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
        last = c;
    }
    let name = plain.rsplit("::").find(|part| !part.is_empty() && !part.starts_with("{{"));
    name.unwrap_or("f").to_owned()
}

/// The last of the types in a list.
fn last_parameter(list: &str) -> &str {
    let (mut depth, mut start) = (0usize, 0);
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if !list[..at].ends_with('-') => depth = depth.saturating_sub(1),
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    list[start..].trim()
}

/// The program of `f` on arguments like `args`; captured arrays become further parameters.
#[track_caller]
pub fn make_program<A: Tree<Array>, R: Tree<Array>>(f: impl FnOnce(&A) -> R, args: &A) -> Program {
    let types = Leaves::of(args).types();
    trace_function("main", Location::caller(), args, &types, Shadows::Drop, f).traced.program
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
    let types = Leaves::of(args).types();
    trace_function("eval_shape", Location::caller(), args, &types, Shadows::Drop, f).prototype
}

/// Under another transformation, or as a plain function that reads no errors.
impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Function<A> for Jit<A, R, F> {
    type Output = R;

    #[track_caller]
    fn apply(&self, args: &A) -> R {
        match self.call(args.map_leaves(Array::clone)) {
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
    #[track_caller]
    pub fn donate(mut self, index: usize) -> Self {
        self.donated.push((index, Location::caller()));
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
    #[track_caller]
    pub fn call(&self, args: A) -> Result<R> {
        let leaves = Leaves::of(&args);
        let entry = self.entry(&args, &leaves);
        if is_tracing() {
            let program = Program::clone(&entry.program);
            let results = call(Location::caller(), program, &leaves.arrays, &entry.captures);
            return Ok(fill(&entry.prototype, results));
        }
        drop(args);
        entry.run(leaves)
    }

    /// How many combinations of structure and types the function was traced for.
    pub fn traces(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<Signature, Arc<Entry<R>>>> {
        self.entries.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    #[track_caller]
    pub(crate) fn entry(&self, args: &A, leaves: &Leaves) -> Arc<Entry<R>> {
        let signature = (leaves.structure.clone(), leaves.types(), named_axes());
        if let Some(entry) = self.lock().get(&signature) {
            return entry.clone();
        }
        let at = Location::caller();
        let donated = self.donated_leaves(leaves, at);
        let TracedFunction { traced, prototype } =
            trace_function(&self.name, at, args, &signature.1, Shadows::Drop, |args: &A| self.f.apply(args));
        let entry = Arc::new(Entry {
            prototype,
            program: Arc::new(traced.program),
            captures: traced.captures,
            options: CompileOptions::donating(&donated),
            executable: Mutex::new(None),
            sanitized: Mutex::new(None),
        });
        self.lock().insert(signature, entry.clone());
        entry
    }

    /// The indices of the leaves in the donated elements of the argument.
    #[track_caller]
    fn donated_leaves(&self, leaves: &Leaves, at: Location) -> Vec<usize> {
        let elements = match leaves.structure.root() {
            Some(Part::Node(Node::Sequence(elements) | Node::Tuple(elements))) => Some(*elements),
            _ => None,
        };
        for &(index, donated_at) in &self.donated {
            let error = match elements {
                Some(elements) if index < elements => continue,
                Some(elements) => format!("element {index} of an argument of {elements} is donated"),
                None => format!("element {index} of the argument is donated, which is no tuple"),
            };
            let error = Error::program(error).op(&self.name).label(donated_at, "donated");
            fail_at(at, error.help("donate takes the number of an element of the argument tuple, from 0"));
        }
        let is_donated = |path: &Path| match path.keys().first() {
            Some(Key::Index(index)) => self.donated.iter().any(|(donated, _)| donated == index),
            _ => false,
        };
        let paths = leaves.structure.paths();
        (0..paths.len()).filter(|&i| is_donated(&paths[i])).collect()
    }
}

impl<R: Tree<Array>> Entry<R> {
    /// Runs the program on the arguments, of which the caller holds no other handle if they are donated.
    #[track_caller]
    pub(crate) fn run(&self, leaves: Leaves) -> Result<R> {
        let source = here();
        let (args, put) = take_args(leaves, self)?;
        let device = put.clone().unwrap_or_else(default_device);
        let results = self.executable(&device)?.run_on(device.id(), args)?;
        let arrays = results.into_iter().map(|buffer| {
            Array::from_node(eager::Node::from_buffer(buffer, device.clone(), put.is_some(), source))
        });
        Ok(fill(&self.prototype, arrays))
    }

    pub(crate) fn executable(&self, device: &Device) -> Result<Arc<dyn Executable>> {
        let looked_for = sanitize::wanted();
        if looked_for != Categories::NONE {
            return self.sanitized(device, looked_for);
        }
        let mut slot = self.executable.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some((executable, known)) = &*slot
            && known.is_sibling(device)
        {
            return Ok(executable.clone());
        }
        let executable = device.executable(&self.program, &self.options)?;
        *slot = Some((executable.clone(), device.clone()));
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

/// The arguments, then the captures; donated ones are given up. Also the device they were put on.
#[track_caller]
fn take_args<R>(leaves: Leaves, entry: &Entry<R>) -> Result<(Vec<Arg>, Option<Device>)> {
    let location = Location::caller();
    let Leaves { arrays, structure } = leaves;
    if !entry.options.aliases.is_empty() {
        // Recorded operations hold their operands, which cannot be given up then.
        eager::flush();
    }
    let mut nodes: Vec<Arc<eager::Node>> = Vec::with_capacity(arrays.len() + entry.captures.len());
    for array in arrays.into_iter().chain(entry.captures.iter().cloned()) {
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
    for alias in &entry.options.aliases {
        let index = alias.parameter;
        let Some(node) = nodes[index].take() else { continue };
        let (ty, source) = (node.ty(), node.source());
        match node.into_buffer() {
            Some(buffer) => args[index] = Arg::Donate(buffer),
            None => {
                let argument = structure.paths().swap_remove(index).below("argument");
                let error =
                    Error::program(format!("{argument}, {ty}, is donated but something else holds it"));
                let error =
                    error.op("jit").at(location).help("drop the other handle, or do not donate the argument");
                return Err(match source.location {
                    Some(made) => error.label(made, "it was made"),
                    None => error,
                });
            }
        }
    }
    Ok((args, put))
}
