//! A function's compiled program for calls of one signature, and its runs.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock};

use jarrah_base::{Error, Location, Result, Type};
use jarrah_hlo::ops::NamedAxis;
use jarrah_hlo::{Categories, Program, RowGrowth};
use jarrah_runtime::{Arg, Buffer, CompileOptions, Executable, ExecuteOptions};
use jarrah_tree::{Structure, Tree};

use crate::array::{Array, Repr, here};
use crate::device::{self, Device, default_device};
use crate::eager;
use crate::function::{Leaves, abstracted, call, fill};
use crate::monitoring;
use crate::mutable::{Locked, Ref, Used, write_back, written, written_at};
use crate::prepared::Bound;
use crate::random;
use crate::sanitize;
use crate::scope::Settings;
use crate::sharded::{OnMesh, any_sharded};
use crate::trace::{named_axes, users_line};

/// Which calls an entry is for.
pub(super) struct Signature {
    /// The structure of an argument, and the types of its arrays.
    pub structure: Structure,
    pub types: Vec<Type>,
    /// The named axes of the maps around.
    pub axes: Vec<NamedAxis>,
    pub settings: Settings,
}

impl Signature {
    /// The signature of a call made now.
    pub(super) fn now(structure: &Structure, types: Vec<Type>) -> Self {
        Signature { structure: structure.clone(), types, axes: named_axes(), settings: Settings::now() }
    }
}

/// The compiled program of a function for calls of one signature.
pub(crate) struct Entry<R> {
    pub(super) signature: Signature,
    pub(crate) prototype: R,
    pub(crate) program: Arc<Program>,
    pub(crate) captures: Vec<Array>,
    /// Mutable cells made outside of the function: at each call the current content of a cell takes the place of its capture.
    pub(crate) cells: Vec<Used>,
    /// How the shapes of the results grow with the number of rows; set once the rows are known to be independent.
    pub(crate) growths: OnceLock<Vec<Option<RowGrowth>>>,
    /// The numbers of rows inside of the bucket for which the trace was seen to agree with those for the ends of the bucket.
    seen: Mutex<Vec<usize>>,
    /// The arguments and captures that each call uses as random keys.
    pub(super) keys: Vec<usize>,
    options: CompileOptions,
    /// The executable, with a device of the client that it was compiled for.
    executable: Mutex<Option<Made>>,
    /// An executable of the program that stops at failures of these categories, and a device of its client.
    sanitized: Mutex<Option<(Arc<dyn Executable>, Device, Categories)>>,
    /// The program on the devices over which the arguments of the last such call lie.
    on_mesh: Mutex<Option<Arc<OnMesh>>>,
    /// The last entry that was made by binding prepared parameters to this one.
    pub(crate) bound: Mutex<Option<Bound<R>>>,
}

/// An executable.
#[derive(Clone)]
struct Made {
    executable: Arc<dyn Executable>,
    /// A device of the client that the executable was compiled for.
    device: Device,
    /// How often that client's caches had been cleared; one that was read from a file stays.
    cleared: Option<u64>,
}

impl<R: Tree<Array>> Entry<R> {
    /// An entry without cells and random keys, which is not compiled yet.
    pub(super) fn new(
        signature: Signature,
        prototype: R,
        program: Arc<Program>,
        captures: Vec<Array>,
        options: CompileOptions,
    ) -> Self {
        Entry {
            signature,
            prototype,
            program,
            captures,
            cells: Vec::new(),
            growths: OnceLock::new(),
            seen: Mutex::default(),
            keys: Vec::new(),
            options,
            executable: Mutex::new(None),
            sanitized: Mutex::new(None),
            on_mesh: Mutex::new(None),
            bound: Mutex::new(None),
        }
    }

    /// The entry of an executable that was read from a file, for arguments like these.
    pub(crate) fn loaded(
        args: &Leaves,
        prototype: R,
        captures: Vec<Array>,
        executable: Arc<dyn Executable>,
        device: Device,
    ) -> Self {
        let signature = Signature {
            structure: args.structure.clone(),
            types: args.types(),
            axes: Vec::new(),
            settings: Settings::now(),
        };
        let (program, options) = (Arc::new(executable.program().clone()), executable.options().clone());
        let made = Made { executable, device, cleared: None };
        Entry {
            executable: Mutex::new(Some(made)),
            ..Entry::new(signature, prototype, program, captures, options)
        }
    }

    /// The arrays that the function captured, which are the last arguments of its program; `None` if it uses cells, which are
    /// state of this process.
    pub(crate) fn fixed_captures(&self) -> Option<&[Array]> {
        self.cells.is_empty().then_some(&self.captures)
    }

    /// An entry for the program that remains when its first `count` parameters are bound, for arguments of this structure. Its
    /// last captures are `values`, the values of the bound parameters. It shares the executable of `before`, an entry of the same
    /// program with other values.
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
        let Signature { types, axes, settings, .. } = &self.signature;
        let signature =
            Signature { structure, types: types[count..].to_vec(), axes: axes.clone(), settings: *settings };
        let captures = self.captures.iter().cloned().chain(values).collect();
        Entry {
            cells: self.cells.clone(),
            executable: Mutex::new(compiled),
            ..Entry::new(signature, abstracted(&self.prototype), program, captures, options)
        }
    }

    /// This entry's code without its captured arrays: it cannot run, but can be bound again.
    pub(crate) fn without_captures(&self) -> Self {
        let compiled = self.executable.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
        let Signature { structure, types, axes, settings } = &self.signature;
        let (structure, types, axes) = (structure.clone(), types.clone(), axes.clone());
        let signature = Signature { structure, types, axes, settings: *settings };
        let (program, options) = (self.program.clone(), self.options.clone());
        Entry {
            executable: Mutex::new(compiled),
            ..Entry::new(signature, abstracted(&self.prototype), program, Vec::new(), options)
        }
    }

    /// The arguments that each call uses as random keys, among the first `count` ones.
    pub(crate) fn keys_below(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        self.keys.iter().copied().filter(move |&i| i < count)
    }

    /// Whether each call uses up random keys.
    pub(crate) fn uses_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    /// Whether the leaf of this index in the argument is donated.
    pub(crate) fn donates(&self, leaf: usize) -> bool {
        self.options.aliases.iter().any(|alias| alias.parameter == leaf)
    }
}

impl<R: Tree<Array>> Entry<R> {
    /// The arrays of an argument, if this is the entry for it with these axes of the maps around and these settings.
    pub(crate) fn fits<'a>(
        &self,
        args: &'a impl Tree<Array>,
        (axes, settings): &(Vec<NamedAxis>, Settings),
    ) -> Option<Vec<&'a Array>> {
        if self.signature.axes != *axes || self.signature.settings != *settings {
            return None;
        }
        let arrays = self.signature.structure.leaves_of(args)?;
        for (i, array) in arrays.iter().enumerate() {
            if self.signature.types[i] != array.ty() {
                return None;
            }
        }
        Some(arrays)
    }

    /// The results of a call that becomes part of the program being traced.
    #[track_caller]
    pub(super) fn call_traced(&self, leaves: &Leaves) -> R {
        let (at, program) = (users_line(Location::caller()), Program::clone(&self.program));
        let mut results = call(at, program, &leaves.arrays, &self.captures_now());
        write_back(written_at(&self.cells), &mut results, at);
        fill(&self.prototype, results)
    }

    /// Locks the numbers of rows for which the trace was seen to agree.
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

    /// As [`Entry::run_on`]: returns the results, followed by the final contents of the written cells.
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

    /// Runs the program on the arguments; the caller must hold no other handle to donated ones.
    #[track_caller]
    pub(crate) fn run(&self, leaves: Leaves) -> Result<R> {
        if !self.cells.is_empty() {
            return self.run_with_cells(leaves);
        }
        let all: Vec<&Array> = leaves.arrays.iter().chain(&self.captures).collect();
        // A program that looks for failures runs on one device.
        if any_sharded(&all) && sanitize::wanted() == Categories::NONE {
            return self.run_on_mesh(&all);
        }
        drop(all);
        let (args, put) = take_args(leaves, self, &self.captures)?;
        let device = put.clone().unwrap_or_else(default_device);
        self.run_on(args, device, put.is_some())
    }

    /// Runs the program on the devices over which its arguments and captures lie. Arguments that are donated are kept.
    #[track_caller]
    fn run_on_mesh(&self, arrays: &[&Array]) -> Result<R> {
        let on = {
            let mut slot = self.on_mesh.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match &*slot {
                Some(on) if on.fits(arrays) => on.clone(),
                _ => {
                    let stated = vec![None; self.program.results().len()];
                    let at = users_line(Location::caller());
                    let on = OnMesh::new(&self.program, arrays, stated, self.options.memory_limit);
                    let on = on.map_err(|error| error.at(at))?;
                    let on = on.ok_or_else(|| Error::internal("arguments that lie over no devices"))?;
                    slot.insert(Arc::new(on)).clone()
                }
            }
        };
        Ok(fill(&self.prototype, on.run(arrays)?))
    }

    /// Runs a program that reads mutable cells and writes some of them. The written cells are locked against other threads until
    /// the run has begun; old contents that nobody else holds are donated to the new contents.
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

    /// The captures, with the current contents of the cells in their places.
    #[track_caller]
    pub(super) fn captures_now(&self) -> Cow<'_, [Array]> {
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
    /// The program compiled to look for failures. The executable is kept for the kinds of failures that were asked for last.
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

/// The arguments of a run: the arrays, then the captures, with donated ones handed over. Also the device that they were put on.
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
        if index >= entry.signature.types.len() {
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
