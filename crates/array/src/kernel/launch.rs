//! What a kernel is made of, and how it is run.

use jarrah_base::{DType, Dims, Error, Location, Type};
use jarrah_hlo::ops::{self, BlockIndex, BlockSpec, KernelForm, KernelOutput, Start};
use jarrah_hlo::{Program, ProgramRef};

use crate::array::Array;
use crate::checkify;
use crate::elementwise::where_;
use crate::error::{fail_at, with_context};
use crate::kernel::block::{Block, BlockDim};
use crate::kernel::body::{self, Param, kept, live};
use crate::kernel::maps::{Maps, trace_maps};
use crate::lax;
use crate::mutable::{Ref, read_all, write_back, written_by};
use crate::operators::Operand;
use crate::random;
use crate::trace::{self, Parameter, Shadows, Traced, apply_at, trace};

/// A function of blocks that is run at each point of a grid, with what it is given there: what [`kernel`] makes.
///
/// The body gets its [`Ref`]s in this order: prefetched operands, blocks of the other operands, blocks of the results, scratch
/// arrays.
pub struct Kernel<'f> {
    body: Box<dyn Fn(&[Ref]) + 'f>,
    /// How many references the body takes, if it says so.
    takes: Option<usize>,
    made: Location,
    name: String,
    grid: Dims,
    in_order: Order,
    prefetch: usize,
    inputs: Vec<Block<'f>>,
    outputs: Vec<(Type, Block<'f>)>,
    scratch: Vec<Type>,
    /// Operands, and the results that begin as them.
    aliases: Vec<(usize, usize)>,
    flops: Option<u64>,
    checked: bool,
}

/// Along which grid axes points run one after another.
enum Order {
    /// Those along which something passes from point to point.
    Found,
    Arbitrary(Vec<usize>),
    Parallel(Vec<usize>),
}

/// A kernel with this body, a closure of the array of its [`Ref`]s: `|[x, y]| y.set(x.get() + 1.0)`.
///
/// ```
/// use jarrah_array::kernel::{Block, kernel};
/// use jarrah_array::Array;
/// let add = kernel(|[x, y, z]| z.set(x.get() + y.get()))
///     .grid(&[2])
///     .input(Block::new([4], |[i]| [i]))
///     .input(Block::new([4], |[i]| [i]));
/// let (x, y) = (Array::arange(8), Array::arange(8) * 10);
/// let z = add.output(x.ty(), Block::new([4], |[i]| [i])).call_one(&[&x, &y]);
/// assert_eq!(z.to_vec::<i32>()?, [0, 11, 22, 33, 44, 55, 66, 77]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.pallas_call`.
#[track_caller]
pub fn kernel<'f, const N: usize>(body: impl Fn([Ref; N]) + 'f) -> Kernel<'f> {
    let body = move |refs: &[Ref]| match <[Ref; N]>::try_from(refs.to_vec()) {
        Ok(refs) => body(refs),
        Err(_) => unreachable!("invariant: counted before"),
    };
    Kernel { takes: Some(N), ..kernel_of(body) }
}

/// As [`kernel`], with a body that takes any number of references.
///
/// ```
/// use jarrah_array::kernel::kernel_of;
/// use jarrah_array::{Array, Ref};
/// let sum = kernel_of(|refs: &[Ref]| {
///     let (result, terms) = refs.split_last().unwrap();
///     terms.iter().for_each(|x| result.addupdate(x.get()));
/// });
/// let x = Array::arange(3);
/// assert_eq!(sum.output_whole(x.ty()).call_one(&[&x, &x, &x]).to_vec::<i32>()?, [0, 3, 6]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn kernel_of<'f>(body: impl Fn(&[Ref]) + 'f) -> Kernel<'f> {
    Kernel {
        body: Box::new(body),
        takes: None,
        made: Location::caller(),
        name: "kernel".to_owned(),
        grid: Dims::new(),
        in_order: Order::Found,
        prefetch: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
        scratch: Vec::new(),
        aliases: Vec::new(),
        flops: None,
        checked: false,
    }
}

impl<'f> Kernel<'f> {
    /// Its name, which errors, dumps and profiles show.
    ///
    /// ```
    /// use jarrah_array::kernel::kernel;
    /// use jarrah_array::{Array, try_trace};
    /// let x = Array::arange(2);
    /// let short = kernel(|[x, y]| y.set(x.get().index(..1))).name("shorten").output_whole(x.ty());
    /// let error = try_trace(|| short.call_one(&[&x])).unwrap_err();
    /// assert!(error.to_string().contains("while tracing shorten"));
    /// ```
    pub fn name(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }

    /// The extents of the grid; without this there is one point, and no position.
    ///
    /// ```
    /// use jarrah_array::kernel::{kernel, program_id};
    /// use jarrah_array::{DType, Type};
    /// let count = kernel(|[n]| n.addupdate(1)).grid(&[2, 3]).output_whole(Type::scalar(DType::I32));
    /// assert_eq!(count.call_one(&[]).item::<i32>()?, 6);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn grid(mut self, extents: &[usize]) -> Self {
        self.grid = Dims::from_slice(extents);
        self
    }

    /// The grid axes along which points run one after another; along all others they may run at the same time.
    ///
    /// Without this, and without [`Kernel::parallel`], those are found: along which a block of a result stays where it is, or all
    /// of them if there is scratch.
    ///
    /// # Errors
    /// When the kernel is called, a program error if two points along another axis store the same block.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, kernel};
    /// use jarrah_array::{Array, Type};
    /// let x = Array::arange(6).reshape(&[2, 3]);
    /// // Each row begins with scratch of zeros.
    /// let running = kernel(|[x, y, sum]| {
    ///     sum.addupdate(x.get());
    ///     y.set(sum.get());
    /// })
    /// .grid(&[2, 3])
    /// .arbitrary(&[1])
    /// .input(Block::new([1, 1], |[i, j]| [i, j]))
    /// .output(x.ty(), Block::new([1, 1], |[i, j]| [i, j]))
    /// .scratch(Type::tensor(x.dtype(), [1, 1]));
    /// assert_eq!(running.call_one(&[&x]).to_vec::<i32>()?, [0, 1, 3, 3, 7, 12]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `dimension_semantics` of Pallas.
    pub fn arbitrary(mut self, axes: &[usize]) -> Self {
        self.in_order = Order::Arbitrary(axes.to_vec());
        self
    }

    /// The grid axes along which points may run at the same time; along all others they run one after another.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, kernel};
    /// use jarrah_array::Array;
    /// let x = Array::arange(4);
    /// let negate = kernel(|[x, y]| y.set(-x.get())).grid(&[2]).parallel(&[0]);
    /// let negate = negate.input(Block::new([2], |[i]| [i])).output(x.ty(), Block::new([2], |[i]| [i]));
    /// assert_eq!(negate.call_one(&[&x]).to_vec::<i32>()?, [0, -1, -2, -3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn parallel(mut self, axes: &[usize]) -> Self {
        self.in_order = Order::Parallel(axes.to_vec());
        self
    }

    /// How many of the first operands are given to the body whole, and to the maps of blocks made with [`Block::found`].
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, BlockDim, kernel};
    /// use jarrah_array::Array;
    /// let (at, x) = (Array::from_slice(&[2i32, 0]), Array::from_slice(&[5i32, 6, 7]));
    /// let take = kernel(|[_, x, y]| y.set(x.get())).grid(&[2]).prefetch(1);
    /// let take = take.input(Block::found([BlockDim::Squeezed], |[i], [at]| [at.index(i)]));
    /// let take = take.output(at.ty(), Block::new([BlockDim::Squeezed], |[i]| [i]));
    /// assert_eq!(take.call_one(&[&at, &x]).to_vec::<i32>()?, [7, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `PrefetchScalarGridSpec` of Pallas.
    pub fn prefetch(mut self, count: usize) -> Self {
        self.prefetch = count;
        self
    }

    /// The block that a point sees of the next operand. Without any, all operands are seen whole.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, kernel};
    /// use jarrah_array::Array;
    /// let x = Array::arange(4);
    /// let pairs = kernel(|[x, y]| y.addupdate(x.get().sum(..)));
    /// let pairs = pairs.grid(&[2]).input(Block::new([2], |[i]| [i]));
    /// let pairs = pairs.output(x.ty().with_dims([2]), Block::new([1], |[i]| [i]));
    /// assert_eq!(pairs.call_one(&[&x]).to_vec::<i32>()?, [1, 5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn input(mut self, block: Block<'f>) -> Self {
        self.inputs.push(block);
        self
    }

    /// The next result: its type, and the block of it that a point computes. What is read of it before anything was written is
    /// zeros.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, kernel};
    /// use jarrah_array::{DType, Type};
    /// let ones = kernel(|[y]| y.set(1)).grid(&[2]);
    /// let ones = ones.output(Type::tensor(DType::U8, [3]), Block::new([2], |[i]| [i]));
    /// assert_eq!(ones.call_one(&[]).to_vec::<u8>()?, [1, 1, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn output(mut self, ty: Type, block: Block<'f>) -> Self {
        self.outputs.push((ty, block));
        self
    }

    /// The next result, of which every point sees all.
    ///
    /// ```
    /// use jarrah_array::kernel::kernel;
    /// use jarrah_array::Array;
    /// let x = Array::arange(3);
    /// let square = kernel(|[x, y]| y.set(x.get() * x.get())).output_whole(x.ty());
    /// assert_eq!(square.call_one(&[&x]).to_vec::<i32>()?, [0, 1, 4]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn output_whole(self, ty: Type) -> Self {
        let block = Block::whole();
        self.output(ty, block)
    }

    /// One more scratch array: it begins as zeros and passes on from point to point, along the axes on which those run one after
    /// another.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, BlockDim, kernel};
    /// use jarrah_array::Array;
    /// let x = Array::arange(4);
    /// let sums = kernel(|[x, y, sum]| {
    ///     sum.addupdate(x.get());
    ///     y.set(sum.get());
    /// });
    /// let sums = sums.grid(&[4]).input(Block::new([BlockDim::Squeezed], |[i]| [i]));
    /// let sums = sums.output(x.ty(), Block::new([BlockDim::Squeezed], |[i]| [i])).scratch(x.ty().with_dims([]));
    /// assert_eq!(sums.call_one(&[&x]).to_vec::<i32>()?, [0, 1, 3, 6]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn scratch(mut self, ty: Type) -> Self {
        self.scratch.push(ty);
        self
    }

    /// The result begins as this operand, of the same type, and takes its memory where nothing else needs it. Both are counted
    /// from 0, prefetched operands too.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, kernel, program_id, when};
    /// use jarrah_array::Array;
    /// let x = Array::arange(4);
    /// // Only the second pair is written.
    /// let f = kernel(|[_, y]| when(program_id(0).eq(1), || y.set(9)))
    ///     .grid(&[2])
    ///     .input(Block::new([2], |[i]| [i]))
    ///     .output(x.ty(), Block::new([2], |[i]| [i]))
    ///     .alias(0, 0);
    /// assert_eq!(f.call_one(&[&x]).to_vec::<i32>()?, [0, 1, 9, 9]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn alias(mut self, operand: usize, result: usize) -> Self {
        self.aliases.push((operand, result));
        self
    }

    /// How many floating-point operations the kernel makes in all, where counting those of its body would not tell.
    ///
    /// ```
    /// use jarrah_array::kernel::kernel;
    /// use jarrah_array::Array;
    /// let x = Array::arange(2);
    /// let same = kernel(|[x, y]| y.set(x.get())).flops(0).output_whole(x.ty());
    /// assert_eq!(same.call_one(&[&x]).to_vec::<i32>()?, [0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `CostEstimate` of Pallas.
    pub fn flops(mut self, flops: u64) -> Self {
        self.flops = Some(flops);
        self
    }

    /// Whether a run fails where a point accesses what lies outside of an array, reads what nothing has written, or, along an axis
    /// said to be parallel, stores where another has stored. [`checkify`](crate::checkify::checkify) for checks of the user does the same.
    ///
    /// ```
    /// use jarrah_array::kernel::{ds, kernel, program_id};
    /// use jarrah_array::{Array, jit};
    /// let f = |x: &Array| {
    ///     let two = kernel(|[x, y]| y.set(x.at(ds(program_id(0) * 2, 2)).get())).grid(&[2]).checked();
    ///     two.output_whole(x.ty().with_dims([2])).call_one(&[x])
    /// };
    /// assert!(jit(f).call(Array::arange(4))?.to_vec::<i32>().is_ok());
    /// let error = jit(f).call(Array::arange(3)).and_then(|y| y.to_vec::<i32>()).unwrap_err();
    /// assert!(error.to_string().contains("2 elements from 2 on do not lie in axis 0 of i32[3]"));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `InterpretParams` of Pallas.
    pub fn checked(mut self) -> Self {
        self.checked = true;
        self
    }

    /// The results for these operands.
    ///
    /// # Errors
    /// A program error if operands, blocks, the grid and the body do not fit each other.
    ///
    /// ```
    /// use jarrah_array::kernel::kernel;
    /// use jarrah_array::Array;
    /// let x = Array::arange(3);
    /// let both = kernel(|[x, low, high]| {
    ///     low.set(x.get() - 1);
    ///     high.set(x.get() + 1);
    /// });
    /// let results = both.output_whole(x.ty()).output_whole(x.ty()).call(&[&x]);
    /// assert_eq!(results[1].to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call(&self, operands: &[&Array]) -> Vec<Array> {
        let begins = vec![None; self.outputs.len()];
        self.launch(Location::caller(), operands, &begins)
    }

    /// The only result for these operands.
    ///
    /// # Errors
    /// As [`Kernel::call`], or there is not one result.
    ///
    /// ```
    /// use jarrah_array::kernel::kernel;
    /// use jarrah_array::Array;
    /// let x = Array::arange(3);
    /// let next = kernel(|[x, y]| y.set(x.get() + 1)).output_whole(x.ty());
    /// assert_eq!(next.call_one(&[&x]).to_vec::<i32>()?, [1, 2, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn call_one(&self, operands: &[&Array]) -> Array {
        if self.outputs.len() != 1 {
            let error = Error::program(format!("the kernel has {} results, not one", self.outputs.len()));
            self.fail(Location::caller(), error, "call gives them all");
        }
        self.call(operands).remove(0)
    }

    /// Runs the kernel within the body of another, on what `inputs` hold; its results take the place of what `outputs` hold, as which
    /// they begin.
    ///
    /// # Errors
    /// As [`Kernel::call`], or a result has not the type that its [`Ref`] holds.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, kernel, program_id};
    /// use jarrah_array::Array;
    /// let x = Array::arange(8).reshape(&[2, 4]);
    /// // The outer kernel sees a row, the inner one two elements of it at a time.
    /// let sums = kernel(|[x, y]| {
    ///     kernel(|[x, y]| y.addupdate(x.get().sum(..)))
    ///         .grid(&[2])
    ///         .input(Block::new([1, 2], |[j]| (0, j)))
    ///         .output_whole(y.ty())
    ///         .pipeline(&[&x], &[&y]);
    /// });
    /// let sums = sums.grid(&[2]).input(Block::new([1, 4], |[i]| (i, 0)));
    /// let sums = sums.output(x.ty().with_dims([2]), Block::new([1], |[i]| [i]));
    /// assert_eq!(sums.call_one(&[&x]).to_vec::<i32>()?, [6, 22]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `jax.experimental.pallas.tpu.emit_pipeline`.
    #[track_caller]
    pub fn pipeline(&self, inputs: &[&Ref], outputs: &[&Ref]) {
        let at = Location::caller();
        let wanted: Vec<Type> = self.outputs.iter().map(|(ty, _)| *ty).collect();
        let found: Vec<Type> = outputs.iter().map(|cell| cell.ty()).collect();
        if wanted != found {
            let show = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
            let error =
                format!("the kernel has results ({}), the Refs hold ({})", show(&wanted), show(&found));
            self.fail(at, Error::program(error), "give a Ref of the type of each result");
        }
        let mut operands = Vec::with_capacity(inputs.len());
        for cell in inputs {
            operands.push(cell.get());
        }
        let mut begins = Vec::with_capacity(outputs.len());
        for cell in outputs {
            begins.push(Some(cell.peek()));
        }
        let results = self.launch(at, &operands.iter().collect::<Vec<_>>(), &begins);
        for (cell, result) in outputs.iter().zip(results) {
            cell.set(result);
        }
    }

    #[track_caller]
    fn fail(&self, at: Location, error: Error, help: &str) -> ! {
        fail_at(at, with_context(error.op(&self.name).help(help)))
    }

    /// Checks what does not depend on the body's program.
    #[track_caller]
    fn check(&self, at: Location, operands: &[&Array]) {
        let blocked = operands.len().checked_sub(self.prefetch);
        if blocked.is_none() || !self.inputs.is_empty() && blocked != Some(self.inputs.len()) {
            let error = Error::program(format!(
                "the kernel is called with {} operands, it has {} blocks for operands and {} prefetched ones",
                operands.len(),
                self.inputs.len(),
                self.prefetch
            ));
            self.fail(at, error, "give a block for each operand that is not prefetched, with input(..)");
        }
        let references = operands.len() + self.outputs.len() + self.scratch.len();
        if let Some(takes) = self.takes.filter(|&takes| takes != references) {
            let error = Error::program(format!(
                "the body takes {takes} references, the kernel has {references}: {} prefetched operands, {} blocks of operands, \
                 {} of results and {} scratch arrays",
                self.prefetch,
                operands.len() - self.prefetch,
                self.outputs.len(),
                self.scratch.len()
            ));
            self.fail(
                self.made,
                error,
                "the body takes them in this order: |[prefetched.., operands.., results.., scratch..]|",
            );
        }
        for &(operand, result) in &self.aliases {
            let types = (operands.get(operand).map(|x| x.ty()), self.outputs.get(result).map(|(ty, _)| *ty));
            if types.0.is_none() || types.0 != types.1 {
                let show = |ty: Option<Type>| ty.map_or_else(|| "not there".to_owned(), |ty| format!("{ty}"));
                let error = Error::program(format!(
                    "result {result} is to begin as operand {operand}: the result is {}, the operand is {}",
                    show(types.1),
                    show(types.0)
                ));
                self.fail(at, error, "an operand and the result that begins as it have one type");
            }
        }
        let (Order::Arbitrary(axes) | Order::Parallel(axes)) = &self.in_order else { return };
        if let Some(axis) = axes.iter().find(|axis| **axis >= self.grid.len()) {
            let error = Error::program(format!("the grid {:?} has no axis {axis}", self.grid));
            self.fail(at, error, "axes are counted from 0");
        }
    }

    /// Traces the kernel and runs it; results that `begins` has an array for begin as that.
    #[track_caller]
    fn launch(&self, at: Location, operands: &[&Array], begins: &[Option<Array>]) -> Vec<Array> {
        self.check(at, operands);
        let (prefetched, blocked) = operands.split_at(self.prefetch);
        let whole = Block::whole();
        let mut blocks = Vec::with_capacity(blocked.len() + self.outputs.len());
        for (i, x) in blocked.iter().enumerate() {
            let block = self.inputs.get(i).unwrap_or(&whole);
            blocks.push((x.ty(), block, format!("operand {}", self.prefetch + i)));
        }
        for (i, (ty, block)) in self.outputs.iter().enumerate() {
            blocks.push((*ty, block, format!("result {i}")));
        }
        let maps = trace_maps(&blocks, &self.grid, prefetched, at);
        let checked = self.checked || body::is_checked_by_context();
        let (traced, layout) = self.trace_body(at, prefetched, &blocks, &maps, begins, checked);

        // Cells from outside that the body writes are results that begin as what the cells hold.
        let (cells, lines) = written_by([&traced]);
        let held = read_all(&cells);
        let explicit = layout.explicit();
        let own = traced.own_results();
        let traced = traced.through_cells(&cells, explicit, at);
        let op = self.op(&traced, &maps, &blocks, layout, &cells, own, begins, at);
        let begins = begins.iter().flatten();
        let all = prefetched.iter().copied().chain(&maps.captures).chain(blocked.iter().copied());
        let all: Vec<&Array> = all.chain(begins).chain(&held).chain(&traced.captures).collect();
        let mut results = apply_at(at, op, &all);
        let ends = results.split_off(results.len() - cells.len());
        results.truncate(self.outputs.len());
        results.extend(ends);
        write_back(cells.iter().zip(lines), &mut results, at);
        results
    }

    /// The program of one point, over the position, prefetched operands and all blocks, those of results included.
    #[track_caller]
    fn trace_body(
        &self,
        at: Location,
        prefetched: &[&Array],
        blocks: &[(Type, &Block<'_>, String)],
        maps: &Maps,
        begins: &[Option<Array>],
        checked: bool,
    ) -> (Traced, Layout) {
        let inputs = blocks.len() - self.outputs.len();
        let block_types = blocks.iter().zip(&maps.specs).map(|((ty, block, what), _)| {
            let dims = block.dims_of(ty.rank(), what);
            ty.with_dims(dims.iter().zip(ty.extents()).filter_map(|(dim, extent)| dim.extent(extent)))
        });
        let block_types: Vec<Type> = block_types.collect();
        let mut types: Vec<Type> = self.grid.iter().map(|_| Type::scalar(DType::I32)).collect();
        types.extend(prefetched.iter().map(|x| x.ty()));
        types.extend(&block_types);
        types.extend(&self.scratch);
        let begins_as = |i: usize| begins[i].is_some() || self.aliases.iter().any(|(_, result)| *result == i);
        let mut layout = Layout {
            positions: self.grid.len(),
            prefetched: prefetched.len(),
            inputs,
            outputs: self.outputs.len(),
            scratch: self.scratch.len(),
            checked,
            begun: (0..self.outputs.len()).map(begins_as).collect(),
            watched: Vec::new(),
            owned: Vec::new(),
        };
        if checked {
            layout.watched = (0..self.outputs.len()).filter(|&i| !layout.begun[i]).collect();
            let parallel = self.parallel_axes();
            let found = |spec: &BlockSpec| spec.axes.iter().any(|index| index.result().is_some());
            layout.owned = (0..self.outputs.len())
                .filter(|&i| !parallel.is_empty() && found(&maps.specs[inputs + i]))
                .collect();
            types.extend(layout.watched.iter().map(|&i| block_types[inputs + i].with_dtype(DType::Bool)));
            types.extend(layout.owned.iter().map(|&i| block_types[inputs + i].with_dtype(DType::I32)));
            types.extend(self.scratch.iter().map(|ty| ty.with_dtype(DType::Bool)));
        }
        let params = types.iter().map(|&ty| Parameter { ty, path: String::new(), shadow: None }).collect();
        let (traced, ()) = trace(&self.name, at, params, Shadows::Drop, |args| {
            let (positions, rest) = args.split_at(layout.positions);
            let run = || {
                let _inline = trace::inlining();
                (self.point(positions, rest, blocks, maps, &layout, checked, at), ())
            };
            random::repeated(|| body::within(positions, &self.grid, checked, run))
        });
        (traced, layout)
    }

    /// Calls the body on references to `args`, all but the position; returns what the references hold at the end, and the notes of checked
    /// mode.
    #[track_caller]
    fn point(
        &self,
        positions: &[Array],
        args: &[Array],
        blocks: &[(Type, &Block<'_>, String)],
        maps: &Maps,
        layout: &Layout,
        checked: bool,
        at: Location,
    ) -> Vec<Array> {
        let (prefetched, rest) = args.split_at(layout.prefetched);
        let (blocked, rest) = rest.split_at(blocks.len());
        let (scratch, rest) = rest.split_at(layout.scratch);
        let (written, rest) = rest.split_at(layout.watched.len());
        let (owners, scratch_written) = rest.split_at(layout.owned.len());

        // Elements behind the end of bounded blocks read as zeros, and keep what is there.
        let mut insides = Vec::with_capacity(blocks.len());
        for (((ty, block, what), spec), value) in blocks.iter().zip(&maps.specs).zip(blocked) {
            if checked {
                check_block(*ty, block, what, spec, positions, prefetched);
            }
            insides.push(inside(*ty, block, positions, prefetched, value));
        }
        let mut refs: Vec<Ref> = prefetched.iter().map(Ref::new).collect();
        for (value, inside) in blocked.iter().zip(&insides).take(layout.inputs) {
            refs.push(Ref::new(&match inside {
                Some(inside) => where_(inside, value, value.zeros_like()),
                None => value.clone(),
            }));
        }
        let given: Vec<Array> = refs.iter().map(Ref::peek).collect();
        let mut notes: Vec<Ref> = Vec::new();
        for (i, value) in blocked[layout.inputs..].iter().enumerate() {
            refs.push(match layout.watched.iter().position(|&watched| watched == i) {
                Some(note) => watched(value, &written[note], format!("result {i}"), &mut notes),
                None => Ref::new(value),
            });
        }
        let mut scratch_notes: Vec<Ref> = Vec::new();
        for (i, value) in scratch.iter().enumerate() {
            refs.push(match scratch_written.get(i) {
                Some(note) => watched(value, note, format!("scratch array {i}"), &mut scratch_notes),
                None => Ref::new(value),
            });
        }
        (self.body)(&refs);

        for (i, (before, cell)) in given.iter().zip(&refs).enumerate() {
            if cell.peek().identity() != before.identity() {
                let error = Error::program(format!("the body writes operand {i}"));
                self.fail(at, error, "write a result that begins as the operand: alias(operand, result)");
            }
        }
        let mut results = Vec::with_capacity(args.len());
        for (i, cell) in refs[given.len()..].iter().enumerate() {
            let (value, before) = (cell.peek(), blocked.get(layout.inputs + i));
            match (before, insides.get(layout.inputs + i)) {
                (Some(before), Some(Some(inside))) if i < layout.outputs => {
                    results.push(where_(inside, &value, before));
                }
                (Some(before), _) if i < layout.outputs && value.identity() == before.identity() => {
                    if !layout.begun[i] {
                        let error = Error::program(format!("the body never writes result {i}"));
                        self.fail(
                            self.made,
                            error,
                            "set the Ref that the body gets for it, or leave the result out",
                        );
                    }
                    results.push(value);
                }
                _ => results.push(value),
            }
        }
        results.extend(notes.iter().map(Ref::peek));
        let me = self.linear_position(positions) + 1;
        for (owner, &i) in owners.iter().zip(&layout.owned) {
            let free = owner.eq(0) | owner.eq(&me);
            let message = format!("two points along parallel axes store one place of result {i}");
            checkify::check(&free, &message, &[]);
            results.push(me.broadcast_to(&owner.shape()[..]));
        }
        results.extend(scratch_notes.iter().map(Ref::peek));
        results
    }

    /// The grid axes that the user says to be parallel.
    fn parallel_axes(&self) -> Vec<usize> {
        match &self.in_order {
            Order::Found => Vec::new(),
            Order::Parallel(axes) => axes.clone(),
            Order::Arbitrary(axes) => (0..self.grid.len()).filter(|axis| !axes.contains(axis)).collect(),
        }
    }

    /// The number of the point among those along parallel axes.
    #[track_caller]
    fn linear_position(&self, positions: &[Array]) -> Array {
        let mut linear = Array::full(&[], 0, DType::I32);
        for axis in self.parallel_axes() {
            linear = linear * self.grid[axis] + &positions[axis];
        }
        linear
    }

    /// The op of a traced body: results that it does not read begin as nothing.
    #[track_caller]
    fn op(
        &self,
        traced: &Traced,
        maps: &Maps,
        blocks: &[(Type, &Block<'_>, String)],
        layout: Layout,
        cells: &[Ref],
        own: usize,
        begins: &[Option<Array>],
        at: Location,
    ) -> ops::Kernel {
        let program = &traced.program;
        let all: Vec<_> = program.results().to_vec();
        let used = live(program, &all);
        let (inputs, specs) = (layout.inputs, &maps.specs);
        let begun: Vec<usize> = (0..begins.len()).filter(|&i| begins[i].is_some()).collect();

        // The operands: prefetched ones, what maps capture, blocked ones, what results begin as, what cells hold, captures.
        let shift =
            |operand: usize| if operand < self.prefetch { operand } else { operand + maps.captures.len() };
        let first_begun = shift(self.prefetch + inputs);
        let first_cell = first_begun + begun.len();
        let mut input_specs: Vec<BlockSpec> = specs[..inputs].to_vec();
        input_specs.extend(begun.iter().map(|&i| specs[inputs + i].clone()));
        input_specs.extend(cells.iter().map(|cell| BlockSpec::whole(cell.ty().rank())));
        input_specs.extend(traced.captures.iter().map(|x| BlockSpec::whole(x.rank())));

        let mut params: Vec<Param> = (0..layout.positions + layout.prefetched).map(Param::Old).collect();
        params.extend(maps.captures.iter().map(|x| Param::Unused(x.ty())));
        params.extend((0..inputs).map(|i| Param::Old(layout.input(i))));
        let block_type = |i: usize| program.params()[layout.output(i)].ty;
        params.extend(begun.iter().map(|&i| Param::Unused(block_type(i))));
        params.extend(cells.iter().map(|cell| Param::Unused(cell.ty())));
        let first_capture = layout.explicit() + cells.len();
        params.extend((first_capture..program.params().len()).map(Param::Old));

        let mut outputs = Vec::new();
        for (i, (ty, ..)) in blocks[inputs..].iter().enumerate() {
            let aliased = self.aliases.iter().find(|(_, result)| *result == i);
            let start = match (begun.iter().position(|&b| b == i), aliased) {
                (Some(k), _) => Start::Operand(first_begun + k),
                (None, Some(&(operand, _))) => Start::Operand(shift(operand)),
                (None, None) if used[program.param(layout.output(i)).index()] => Start::Zeros,
                (None, None) => Start::Fresh,
            };
            if start != Start::Fresh {
                params.push(Param::Old(layout.output(i)));
            }
            outputs.push(KernelOutput { ty: *ty, block: specs[inputs + i].clone(), start });
        }
        let notes = layout
            .watched
            .iter()
            .map(|&i| (i, DType::Bool))
            .chain(layout.owned.iter().map(|&i| (i, DType::I32)));
        for (k, (i, dtype)) in notes.enumerate() {
            params.push(Param::Old(layout.note(k)));
            let block = specs[inputs + i].clone();
            outputs.push(KernelOutput {
                ty: blocks[inputs + i].0.with_dtype(dtype),
                block,
                start: Start::Zeros,
            });
        }
        for (k, cell) in cells.iter().enumerate() {
            params.push(Param::Old(layout.explicit() + k));
            let block = BlockSpec::whole(cell.ty().rank());
            outputs.push(KernelOutput { ty: cell.ty(), block, start: Start::Operand(first_cell + k) });
        }
        let scratch: Vec<usize> =
            (0..layout.scratch).map(|i| layout.scratch_array(i)).chain(layout.scratch_notes()).collect();
        params.extend(scratch.iter().map(|&i| Param::Old(i)));

        // The results: those of the user, scratch, notes, notes of scratch, cells.
        let (results, notes) = (layout.outputs, layout.watched.len() + layout.owned.len());
        let order = (0..results).chain(results + layout.scratch..results + layout.scratch + notes);
        let order = order.chain(own..own + cells.len()).chain(results..results + layout.scratch);
        let order = order.chain(results + layout.scratch + notes..own);
        let ends: Vec<_> = order.map(|i| all[i]).collect();
        let body: Program = kept(program, &params, &ends, at);
        let arbitrary = self.arbitrary_axes(&outputs, !scratch.is_empty());
        ops::Kernel {
            grid: self.grid.clone(),
            arbitrary: arbitrary.into_iter().collect(),
            prefetch: self.prefetch + maps.captures.len(),
            inputs: input_specs,
            outputs,
            scratch: scratch.iter().map(|&i| program.params()[i].ty).collect(),
            map: maps.program.clone().map(ProgramRef::new),
            flops: self.flops,
            form: KernelForm::Steps,
            body: ProgramRef::new(body),
        }
    }

    /// For each grid axis whether its points run one after another.
    fn arbitrary_axes(&self, outputs: &[KernelOutput], scratch: bool) -> Vec<bool> {
        let moves = |output: &KernelOutput, axis: usize| {
            output.block.axes.iter().any(|index| match *index {
                BlockIndex::Block { grid, .. } | BlockIndex::Point { grid } => grid == axis,
                _ => false,
            })
        };
        let in_order = |axis: usize| match &self.in_order {
            Order::Arbitrary(axes) => axes.contains(&axis),
            Order::Parallel(axes) => !axes.contains(&axis),
            Order::Found => scratch || outputs.iter().any(|output| !moves(output, axis)),
        };
        (0..self.grid.len()).map(in_order).collect()
    }
}

/// Where the parameters of a body are: position, prefetched operands, blocks of operands, blocks of results, scratch, and, if the
/// kernel is checked, what was written of each result, by whom, and what was written of each scratch array.
struct Layout {
    positions: usize,
    prefetched: usize,
    inputs: usize,
    outputs: usize,
    scratch: usize,
    checked: bool,
    /// For each result whether it begins as an array.
    begun: Vec<bool>,
    /// Results of which it is noted what was written.
    watched: Vec<usize>,
    /// Results of which it is noted who wrote it.
    owned: Vec<usize>,
}

impl Layout {
    fn input(&self, i: usize) -> usize {
        self.positions + self.prefetched + i
    }

    fn output(&self, i: usize) -> usize {
        self.input(self.inputs) + i
    }

    fn scratch_array(&self, i: usize) -> usize {
        self.output(self.outputs) + i
    }

    fn note(&self, i: usize) -> usize {
        self.scratch_array(self.scratch) + i
    }

    fn scratch_notes(&self) -> std::ops::Range<usize> {
        let first = self.note(self.watched.len() + self.owned.len());
        first..first + if self.checked { self.scratch } else { 0 }
    }

    fn explicit(&self) -> usize {
        self.scratch_notes().end
    }
}

/// A reference to a block, beside which it is noted what of it was written.
fn watched(value: &Array, written: &Array, what: String, notes: &mut Vec<Ref>) -> Ref {
    let note = Ref::new(written);
    notes.push(note.clone());
    Ref::watched(value, note, what)
}

/// Where a bounded block has elements; nothing for a block without bounds.
#[track_caller]
fn inside(
    ty: Type,
    block: &Block<'_>,
    positions: &[Array],
    prefetched: &[Array],
    value: &Array,
) -> Option<Array> {
    let dims = block.dims.as_ref()?;
    if !dims.iter().any(|dim| matches!(dim, BlockDim::Bounded(_))) {
        return None;
    }
    let starts = block.starts(ty, positions, prefetched)?;
    let mut inside: Option<Array> = None;
    let mut axis = 0;
    for (dim, start) in dims.iter().zip(starts) {
        if let BlockDim::Bounded(size) = dim {
            let Some(count) = start.size else {
                let error = Error::program("the index map gives a position for an axis with bounds");
                block.fail(error, "give bounds(start, size) for BlockDim::Bounded axes");
            };
            let count = match count {
                Operand::Array(count) => count,
                Operand::Number(number) => Array::constant(number.fit("bounds", DType::I32)),
            };
            let here = lax::iota(DType::I32, &[*size], 0).lt(count);
            let here = lax::broadcast_in_dim(&here, &value.shape(), &[axis]);
            inside = Some(match inside {
                Some(inside) => inside & here,
                None => here,
            });
        }
        axis += usize::from(*dim != BlockDim::Squeezed);
    }
    inside
}

/// Records checks that a block which a map finds begins in its array.
#[track_caller]
fn check_block(
    ty: Type,
    block: &Block<'_>,
    what: &str,
    spec: &BlockSpec,
    positions: &[Array],
    prefetched: &[Array],
) {
    if !spec.axes.iter().any(|index| index.result().is_some()) {
        return;
    }
    let Some(starts) = block.starts(ty, positions, prefetched) else { return };
    for (axis, ((index, start), extent)) in spec.axes.iter().zip(starts).zip(ty.extents()).enumerate() {
        let count = match *index {
            BlockIndex::At { unit, .. } => extent.div_ceil(unit),
            BlockIndex::PointAt { .. } => extent,
            _ => continue,
        };
        let Operand::Array(start) = start.start else { continue };
        let before = match block.dims.as_ref().map(|dims| dims[axis]) {
            Some(BlockDim::Element { before, .. }) => before,
            _ => 0,
        };
        let holds = start.ge(0) & start.lt((count + 2 * before) as i64);
        checkify::check(
            &holds,
            &format!("block {{}} along axis {axis} of {what} lies outside of {ty}"),
            &[&start],
        );
    }
}
