//! The options of a kernel, and its launch.

use jarrah_base::{Dims, Error, Location, Type};
use jarrah_hlo::ops::KernelOutput;

use crate::array::Array;
use crate::error::{fail_at, with_context};
use crate::kernel::block::Block;
use crate::kernel::maps::trace_maps;
use crate::kernel::point::Site;
use crate::mutable::{Ref, read_all, write_back, written_by};
use crate::scope;
use crate::trace::{acting, apply_at};

/// The name of a kernel without a name.
const UNNAMED: &str = "kernel";

/// A function that is run at each point of a grid, on the blocks that the point is given; made by [`kernel`].
///
/// The body gets its [`Ref`]s in this order: prefetched operands, blocks of the other operands, blocks of the results, scratch
/// arrays.
pub struct KernelFunction<'f> {
    pub(super) body: Box<dyn Fn(&[Ref]) + 'f>,
    /// How many references the body takes; `None` for any number.
    pub(super) takes: Option<usize>,
    pub(super) made: Location,
    pub(super) name: String,
    pub(super) grid: Dims,
    pub(super) in_order: Order,
    pub(super) prefetch: usize,
    pub(super) inputs: Vec<Block<'f>>,
    pub(super) outputs: Vec<(Type, Block<'f>)>,
    pub(super) scratch: Vec<Type>,
    /// Operands, and the results that begin as them.
    pub(super) aliases: Vec<(usize, usize)>,
    pub(super) flops: Option<u64>,
    pub(super) checked: bool,
    /// Whether checked mode reports reads of elements that nothing has written.
    pub(super) uninitialized: bool,
}

/// Which grid axes are sequential: their points run one after another.
pub(super) enum Order {
    /// The axes along which values pass from point to point, found by tracing.
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
pub fn kernel<'f, const N: usize>(body: impl Fn([Ref; N]) + 'f) -> KernelFunction<'f> {
    let body = move |refs: &[Ref]| match <[Ref; N]>::try_from(refs.to_vec()) {
        Ok(refs) => body(refs),
        Err(_) => unreachable!("invariant: counted before"),
    };
    KernelFunction { takes: Some(N), ..kernel_of(body) }
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
pub fn kernel_of<'f>(body: impl Fn(&[Ref]) + 'f) -> KernelFunction<'f> {
    KernelFunction {
        body: Box::new(body),
        takes: None,
        made: Location::caller(),
        name: UNNAMED.to_owned(),
        grid: Dims::new(),
        in_order: Order::Found,
        prefetch: 0,
        inputs: Vec::new(),
        outputs: Vec::new(),
        scratch: Vec::new(),
        aliases: Vec::new(),
        flops: None,
        checked: false,
        uninitialized: false,
    }
}

impl<'f> KernelFunction<'f> {
    /// Sets the name, which errors show, and which is the scope of the kernel's operations in dumps and profiles.
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
    /// The last call of this or [`KernelFunction::parallel`] counts. Without either, the sequential axes are found: those along which a
    /// block of a result does not move, or all axes if there is scratch.
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

    /// How many of the first operands are passed whole to the body, and to the maps of blocks made with [`Block::found`].
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

    /// The block of the next operand that a point gets. Without any call of this, all operands are passed whole.
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

    /// The next result, which every point gets whole.
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

    /// One more scratch array: it begins as zeros and is passed from point to point, along the sequential axes.
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

    /// The result begins as this operand, which has the same type, and takes over its memory if nothing else needs it. Both are
    /// counted from 0, including prefetched operands.
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

    /// The total number of floating-point operations of the kernel, if counting those of its body would not give it.
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

    /// Makes a run fail if a point accesses elements outside of an array, or stores an element that another point along a
    /// parallel axis has stored. [`checkify`](crate::checkify::checkify) for checks of the user does the same.
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

    /// Declares that the body does not rely on results and scratch arrays beginning as zeros: if the kernel is
    /// [`checked`](KernelFunction::checked), a read of an element that was not written fails. The values are the same as without.
    ///
    /// ```
    /// use jarrah_array::checkify::{Categories, checkify};
    /// use jarrah_array::kernel::kernel;
    /// use jarrah_array::Array;
    /// let sum = |x: &Array| kernel(|[x, y]| y.addupdate(x.get())).output_whole(x.ty()).uninitialized().call_one(&[x]);
    /// let (error, y) = checkify(sum, Categories::USER)(&Array::arange(2));
    /// assert!(error.get()?.unwrap().contains("an element of result 0 is read that nothing has written"));
    /// assert_eq!(y.to_vec::<i32>()?, [0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: `enable_poison_buffers` of Pallas.
    pub fn uninitialized(mut self) -> Self {
        self.uninitialized = true;
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
    /// As [`KernelFunction::call`], or there is not one result.
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
            let none = "a result is given by output(type, block) or output_whole(type)";
            let help = if self.outputs.is_empty() { none } else { "call gives them all" };
            self.fail(Location::caller(), error, help);
        }
        self.call(operands).remove(0)
    }

    /// Runs the kernel within the body of another, on the contents of `inputs`; its results begin as the contents of `outputs`
    /// and replace them.
    ///
    /// # Errors
    /// As [`KernelFunction::call`], or a result has another type than its [`Ref`].
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
    pub(super) fn fail(&self, at: Location, error: Error, help: &str) -> ! {
        fail_at(at, with_context(error.op(&self.name).help(help)))
    }

    /// Checks the operands and options, as far as they do not depend on the body.
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
        let points = self.grid.iter().try_fold(1usize, |points, &extent| points.checked_mul(extent));
        if points.is_none_or(|points| i32::try_from(points).is_err()) {
            let error = Error::program(format!("the grid {:?} has more points than i32 counts", self.grid));
            self.fail(at, error, "give each point a larger block, or loop in the body with for_each");
        }
        for (i, &(operand, result)) in self.aliases.iter().enumerate() {
            let earlier = &self.aliases[..i];
            if let Some((other, _)) = earlier.iter().find(|(_, other)| *other == result) {
                let error =
                    Error::program(format!("result {result} is to begin as operands {other} and {operand}"));
                self.fail(at, error, "a result begins as one operand");
            }
            if let Some((_, other)) = earlier.iter().find(|(other, _)| *other == operand) {
                let error =
                    Error::program(format!("results {other} and {result} are to begin as operand {operand}"));
                self.fail(at, error, "give the array as an operand for each of them");
            }
            let missing = |what: &str, wanted: usize, count: usize| -> ! {
                let error =
                    format!("result {result} is to begin as operand {operand}: there is no {what} {wanted}");
                let help = format!("the kernel has {count} of them, counted from 0");
                self.fail(at, Error::program(error), &help)
            };
            let Some(x) = operands.get(operand) else { missing("operand", operand, operands.len()) };
            let Some((ty, _)) = self.outputs.get(result) else {
                missing("result", result, self.outputs.len())
            };
            if x.ty() != *ty {
                let error = Error::program(format!(
                    "result {result} is to begin as operand {operand}: the result is {ty}, the operand is {}",
                    x.ty()
                ));
                self.fail(at, error, "an operand and the result that begins as it have one type");
            }
        }
        for (i, ty) in self.scratch.iter().enumerate() {
            if let Err(error) = ty.check_size() {
                self.fail(at, error.context(format!("for scratch array {i}")), "keep a part of it at a time");
            }
        }
        let (Order::Arbitrary(axes) | Order::Parallel(axes)) = &self.in_order else { return };
        if let Some(axis) = axes.iter().find(|axis| **axis >= self.grid.len()) {
            let named = if matches!(self.in_order, Order::Arbitrary(_)) { "arbitrary" } else { "parallel" };
            let error = format!("{named} names axis {axis}, which the grid {:?} does not have", self.grid);
            self.fail(at, Error::program(error), "axes are counted from 0");
        }
    }

    /// Traces the kernel and runs it; results that `begins` has an array for begin as that.
    #[track_caller]
    fn launch(&self, at: Location, operands: &[&Array], begins: &[Option<Array>]) -> Vec<Array> {
        let _line = acting(at);
        if self.name == UNNAMED {
            self.launch_here(at, operands, begins)
        } else {
            scope::named_scope(&self.name, || self.launch_here(at, operands, begins))
        }
    }

    #[track_caller]
    fn launch_here(&self, at: Location, operands: &[&Array], begins: &[Option<Array>]) -> Vec<Array> {
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
        let site = Site::new(self, at, prefetched, &blocks, &maps, begins);
        let traced = site.trace();

        // A cell from outside that the body writes becomes a result whose initial value is the cell's content.
        let (cells, lines) = written_by([&traced]);
        let held = read_all(&cells);
        let own = traced.own_results();
        let traced = traced.through_cells(&cells, site.explicit(), at);
        let op = site.op(&traced, &cells, own);
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

    /// The grid axes that the user declared to be parallel.
    pub(super) fn parallel_axes(&self) -> Vec<usize> {
        match &self.in_order {
            Order::Found => Vec::new(),
            Order::Parallel(axes) => axes.clone(),
            Order::Arbitrary(axes) => (0..self.grid.len()).filter(|axis| !axes.contains(axis)).collect(),
        }
    }

    /// For each grid axis, whether its points run one after another.
    pub(super) fn arbitrary_axes(&self, outputs: &[KernelOutput], scratch: bool) -> Vec<bool> {
        let in_order = |axis: usize| match &self.in_order {
            Order::Arbitrary(axes) => axes.contains(&axis),
            Order::Parallel(axes) => !axes.contains(&axis),
            Order::Found => scratch || outputs.iter().any(|output| !output.block.moves_along(axis)),
        };
        (0..self.grid.len()).map(in_order).collect()
    }
}
