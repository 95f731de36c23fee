use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::Program;
use jarrah_runtime::{Buffer, CompileOptions, Executable, Memory};
use jarrah_tree::{Key, Tree, TreeExt};
use rustc_hash::FxHasher;

use crate::array::{Array, Repr, here};
use crate::backend;
use crate::eager::{self, Node};
use crate::function::{Function, Leaves, Shadows, call, fill, trace_function};
use crate::trace::is_tracing;

/// A function that is compiled once per structure and types of its argument, and from then on runs as machine code.
///
/// Made by [`jit`].
pub struct Jit<A, R, F> {
    f: F,
    name: String,
    donated: Vec<usize>,
    entries: Mutex<Vec<Arc<Entry<A, R>>>>,
    result: PhantomData<fn(A) -> R>,
}

struct Entry<A, R> {
    key: u64,
    types: Vec<Type>,
    /// The argument's structure, around abstract arrays.
    argument: A,
    prototype: R,
    program: Arc<Program>,
    captures: Vec<Array>,
    options: CompileOptions,
    executable: Mutex<Option<Arc<dyn Executable>>>,
}

/// Compiles `f`, a function of one tree, at its first call with each structure and types.
///
/// The function is traced then: what it does to arrays is recorded, its other effects happen once. Arrays it captures
/// become hidden arguments; other captured values are fixed for the life of what `jit` returns, and whatever changes
/// is to be an argument.
///
/// ```
/// use jarrah_array::{Array, jit};
/// let affine = jit(|(x, w): (Array, Array)| &x * &w + 1.0);
/// let y = affine.call((Array::from_slice(&[1.0f32, 2.0]), Array::from_slice(&[3.0f32, 4.0])))?;
/// assert_eq!(y.to_vec::<f32>()?, [4.0, 9.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn jit<A, R, F>(f: F) -> Jit<A, R, F>
where
    A: Tree<Array>,
    R: Tree<Array>,
    F: Fn(A) -> R,
{
    let name = std::any::type_name::<F>().rsplit("::").find(|s| !s.starts_with("{{")).unwrap_or("f");
    let name = format!("jit({name})");
    Jit { f, name, donated: Vec::new(), entries: Mutex::new(Vec::new()), result: PhantomData }
}

/// The program that `f` is on arguments like `args`, captures as further parameters.
#[track_caller]
pub fn make_program<A: Tree<Array>, R: Tree<Array>>(f: impl FnOnce(&A) -> R, args: &A) -> Program {
    let types = Leaves::of(args).types();
    trace_function("main", args, &types, Shadows::Drop, f).traced.program
}

/// What `f` returns on arguments like `args`, as abstract arrays: shapes and dtypes without computing anything.
///
/// ```
/// use jarrah_array::{Array, eval_shape};
/// let y = eval_shape(|x: &Array| x.matmul(&x.t()), &Array::zeros(&[3, 5]));
/// assert_eq!(y.shape(), [3, 3]);
/// ```
#[track_caller]
pub fn eval_shape<A: Tree<Array>, R: Tree<Array>>(f: impl FnOnce(&A) -> R, args: &A) -> R {
    let types = Leaves::of(args).types();
    trace_function("eval_shape", args, &types, Shadows::Drop, f).prototype
}

impl<A: Tree<Array>, R: Tree<Array>, F: Fn(A) -> R> Jit<A, R, F> {
    /// Lets the compiled function overwrite the arrays in element `index` of the argument tuple (or field number
    /// `index` of a struct counts as its name; use a tuple).
    ///
    /// The caller gives them up: an array that is donated while another handle to it exists is an error.
    pub fn donate(mut self, index: usize) -> Self {
        self.donated.push(index);
        self
    }

    /// Calls the function; compiles it first if it has not seen such an argument.
    ///
    /// Inside another transformation the call becomes part of the program being traced.
    ///
    /// # Errors
    /// Compilation or execution fails on the device; a donated array has another handle.
    #[track_caller]
    pub fn call(&self, args: A) -> Result<R> {
        let leaves = Leaves::of(&args);
        let entry = self.entry(&args, &leaves)?;
        if is_tracing() {
            let program = Program::clone(&entry.program);
            let results = call(program, &leaves.arrays, &entry.captures);
            return Ok(fill(&entry.prototype, results));
        }
        drop(args);
        let source = here();
        let executable = entry.executable()?;
        let buffers = take_buffers(leaves, &entry)?;
        let results = executable.execute(buffers)?;
        let arrays = results.into_iter().map(|buffer| Array::from_node(Node::from_buffer(buffer, source)));
        Ok(fill(&entry.prototype, arrays))
    }

    /// The program for an argument like `args`, before compilation.
    ///
    /// # Errors
    /// None at present; program errors panic at their line.
    #[track_caller]
    pub fn program(&self, args: &A) -> Result<Arc<Program>> {
        Ok(self.entry(args, &Leaves::of(args))?.program.clone())
    }

    /// Compiles for an argument like `args` without running, and returns the memory that a run needs.
    ///
    /// # Errors
    /// Compilation fails.
    #[track_caller]
    pub fn compile(&self, args: &A) -> Result<Memory> {
        Ok(self.entry(args, &Leaves::of(args))?.executable()?.memory())
    }

    /// How many structures and types the function was traced for.
    pub fn traces(&self) -> usize {
        self.lock().len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Entry<A, R>>>> {
        self.entries.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    #[track_caller]
    fn entry(&self, args: &A, leaves: &Leaves) -> Result<Arc<Entry<A, R>>> {
        let types = leaves.types();
        let mut hasher = FxHasher::default();
        types.hash(&mut hasher);
        args.hash_structure(&mut hasher);
        let key = hasher.finish();
        let known =
            |e: &&Arc<Entry<A, R>>| e.key == key && e.types == types && e.argument.same_structure(args);
        if let Some(entry) = self.lock().iter().find(known) {
            return Ok(entry.clone());
        }
        let Function { traced, prototype } =
            trace_function(&self.name, args, &types, Shadows::Drop, |args: &A| {
                (self.f)(args.map_leaves(Array::clone))
            });
        let donated = |i: &usize| match leaves.paths[*i].keys().first() {
            Some(Key::Index(index)) => self.donated.contains(index),
            _ => false,
        };
        let entry = Arc::new(Entry {
            key,
            argument: args.map_leaves(|leaf| Array::abstracted(leaf.ty())),
            prototype,
            program: Arc::new(traced.program),
            captures: traced.captures,
            options: CompileOptions { donated: (0..types.len()).filter(donated).collect() },
            types,
            executable: Mutex::new(None),
        });
        self.lock().push(entry.clone());
        Ok(entry)
    }
}

impl<A, R> Entry<A, R> {
    fn executable(&self) -> Result<Arc<dyn Executable>> {
        let mut slot = self.executable.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(executable) = &*slot {
            return Ok(executable.clone());
        }
        let executable = backend::current().cache.executable(&self.program, &self.options)?;
        *slot = Some(executable.clone());
        Ok(executable)
    }
}

/// The buffers of the arguments, then of the captures; donated ones by value.
#[track_caller]
fn take_buffers<A, R>(leaves: Leaves, entry: &Entry<A, R>) -> Result<Vec<Buffer>> {
    let location = Location::caller();
    let mut nodes: Vec<Arc<Node>> = Vec::with_capacity(leaves.arrays.len() + entry.captures.len());
    for array in leaves.arrays.into_iter().chain(entry.captures.iter().cloned()) {
        match array.repr {
            Repr::Node(node) => nodes.push(node),
            Repr::Traced(_) | Repr::Abstract(_) => {
                let error = Error::program(format!("an array of type {} has no data to run on", array.ty()));
                return Err(error.op("jit").at(location));
            }
        }
    }
    let mut buffers = eager::force(&nodes)?;
    let mut nodes: Vec<Option<Arc<Node>>> = nodes.into_iter().map(Some).collect();
    for &index in &entry.options.donated {
        let Some(node) = nodes[index].take() else { continue };
        let (ty, source) = (node.ty(), node.source());
        match node.into_buffer() {
            // The node's handle replaces the one that `force` gave, which leaves a single one.
            Some(buffer) => buffers[index] = buffer,
            None => {
                let path = leaves.paths[index].to_string();
                let error =
                    Error::program(format!("argument {path}, {ty}, is donated but something else holds it"));
                let error =
                    error.op("jit").at(location).help("drop the other handle, or do not donate the argument");
                return Err(match source.location {
                    Some(made) => error.label(made, "it was made"),
                    None => error,
                });
            }
        }
    }
    Ok(buffers)
}
