//! One point of a kernel as a program, and the op of that.

use jarrah_base::{DType, Error, Location, Type};
use jarrah_hlo::ops::{self, BlockIndex, BlockSpec, KernelForm, KernelOutput, Start};
use jarrah_hlo::{Program, ProgramRef};

use crate::array::Array;
use crate::checkify;
use crate::elementwise::where_;
use crate::kernel::block::{Block, BlockDim};
use crate::kernel::body::{self, Param, kept};
use crate::kernel::indirect::Positions;
use crate::kernel::launch::KernelFunction;
use crate::kernel::maps::Maps;
use crate::lax;
use crate::mutable::Ref;
use crate::operators::Operand;
use crate::random;
use crate::trace::{self, Parameter, Shadows, Traced, trace};

/// A call of a kernel. The parameters of its body are: position, prefetched operands, blocks of operands, blocks of results,
/// scratch arrays. A checked kernel has further ones: for each watched result which elements were written, for each owned result
/// which point wrote each element, and for each watched scratch array which elements were written.
pub(super) struct Site<'k, 'f> {
    kernel: &'k KernelFunction<'f>,
    at: Location,
    /// The arrays that blocks are of, and names for them.
    blocks: &'k [(Type, &'k Block<'f>, String)],
    maps: &'k Maps,
    positions: usize,
    prefetched: usize,
    inputs: usize,
    outputs: usize,
    scratch: usize,
    checked: bool,
    /// Whether the written elements of scratch arrays are recorded.
    watches_scratch: bool,
    /// For each result whether it begins as an array that is no operand of the caller.
    given: Vec<bool>,
    /// For each result whether it begins as an array.
    begun: Vec<bool>,
    /// The results whose written elements are recorded.
    watched: Vec<usize>,
    /// The results for which the writing point of each element is recorded.
    owned: Vec<usize>,
    /// The types of the parameters.
    types: Vec<Type>,
}

impl<'k, 'f> Site<'k, 'f> {
    #[track_caller]
    pub(super) fn new(
        kernel: &'k KernelFunction<'f>,
        at: Location,
        prefetched: &[&Array],
        blocks: &'k [(Type, &'k Block<'f>, String)],
        maps: &'k Maps,
        begins: &[Option<Array>],
    ) -> Self {
        let (outputs, inputs) = (kernel.outputs.len(), blocks.len() - kernel.outputs.len());
        let block_type = |(ty, block, what): &(Type, &Block<'_>, String)| {
            let dims = block.dims_of(ty.rank(), what);
            let block_type =
                ty.with_dims(dims.iter().zip(ty.extents()).filter_map(|(dim, extent)| dim.seen(extent)));
            if let Err(error) = block_type.check_size() {
                block
                    .fail(error.context(format!("for the block of {what}")), "give the block fewer elements");
            }
            block_type
        };
        let block_types: Vec<Type> = blocks.iter().map(block_type).collect();
        let mut types = vec![Type::scalar(DType::I32); kernel.grid.len()];
        types.extend(prefetched.iter().map(|x| x.ty()));
        types.extend(&block_types);
        types.extend(&kernel.scratch);
        let given: Vec<bool> = begins.iter().map(Option::is_some).collect();
        let aliased = |i: usize| kernel.aliases.iter().any(|(_, result)| *result == i);
        let begun: Vec<bool> = (0..outputs).map(|i| given[i] || aliased(i)).collect();
        let checked = kernel.checked || body::is_checked_by_context();
        let (mut watched, mut owned) = (Vec::new(), Vec::new());
        if checked {
            let found = |i: &usize| maps.specs[inputs + i].is_found();
            watched.extend((0..outputs).filter(|&i| kernel.uninitialized && !begun[i]));
            if !kernel.parallel_axes().is_empty() {
                owned.extend((0..outputs).filter(found));
            }
            types.extend(watched.iter().map(|i| block_types[inputs + i].with_dtype(DType::Bool)));
            types.extend(owned.iter().map(|i| block_types[inputs + i].with_dtype(DType::I32)));
        }
        let watches_scratch = checked && kernel.uninitialized;
        if watches_scratch {
            types.extend(kernel.scratch.iter().map(|ty| ty.with_dtype(DType::Bool)));
        }
        Site {
            kernel,
            at,
            blocks,
            maps,
            positions: kernel.grid.len(),
            prefetched: prefetched.len(),
            inputs,
            outputs,
            scratch: kernel.scratch.len(),
            checked,
            watches_scratch,
            given,
            begun,
            watched,
            owned,
            types,
        }
    }

    /// The parameter for the block of an operand.
    fn input(&self, i: usize) -> usize {
        self.positions + self.prefetched + i
    }

    /// The parameter for the block of a result.
    fn output(&self, i: usize) -> usize {
        self.input(self.inputs) + i
    }

    fn scratch_array(&self, i: usize) -> usize {
        self.output(self.outputs) + i
    }

    /// The index of the parameter that holds record `i` of checked mode about a result.
    fn note(&self, i: usize) -> usize {
        self.scratch_array(self.scratch) + i
    }

    /// The indices of the parameters that record the written elements of scratch arrays.
    fn scratch_notes(&self) -> std::ops::Range<usize> {
        let first = self.note(self.watched.len() + self.owned.len());
        first..first + if self.watches_scratch { self.scratch } else { 0 }
    }

    /// How many parameters are not captures.
    pub(super) fn explicit(&self) -> usize {
        self.scratch_notes().end
    }

    /// Traces the program that one point of the grid runs.
    #[track_caller]
    pub(super) fn trace(&self) -> Traced {
        let parameter = |&ty: &Type| Parameter { ty, path: String::new(), shadow: None };
        let params = self.types.iter().map(parameter).collect();
        let (traced, ()) = trace(&self.kernel.name, self.at, params, Shadows::Drop, |args| {
            let (positions, rest) = args.split_at(self.positions);
            let run = || {
                let _inline = trace::inlining();
                (self.point(positions, rest), ())
            };
            random::repeated(|| body::within(positions, &self.kernel.grid, self.checked, run))
        });
        traced
    }

    /// Calls the body on references to `args`, which are all parameters but the position. Returns the final contents of the
    /// references, and the updated records of checked mode.
    #[track_caller]
    fn point(&self, positions: &[Array], args: &[Array]) -> Vec<Array> {
        let (prefetched, rest) = args.split_at(self.prefetched);
        let (blocked, rest) = rest.split_at(self.blocks.len());
        let (scratch, rest) = rest.split_at(self.scratch);
        let (written, rest) = rest.split_at(self.watched.len());
        let (owners, scratch_written) = rest.split_at(self.owned.len());

        let seen = self.seen(positions, prefetched, blocked);
        let (inputs, outputs) = seen.split_at(self.inputs);
        let mut refs: Vec<Ref> = prefetched.iter().map(Ref::new).collect();
        refs.extend(inputs.iter().map(|block| Ref::new(&block.zeroed())));
        let given: Vec<Array> = refs.iter().map(Ref::peek).collect();
        let mut notes: Vec<Ref> = Vec::new();
        for (i, block) in outputs.iter().enumerate() {
            let value = block.zeroed();
            refs.push(match self.watched.iter().position(|&watched| watched == i) {
                Some(note) => {
                    let written = gathered(&block.place, &written[note]);
                    // The zeros behind the end are no element that somebody has to write.
                    let written = match &block.inside {
                        Some(inside) => written.clone() | !inside,
                        None => written,
                    };
                    watched(&value, &written, format!("result {i}"), &mut notes)
                }
                None => Ref::new(&value),
            });
        }
        let mut scratch_notes: Vec<Ref> = Vec::new();
        for (i, value) in scratch.iter().enumerate() {
            refs.push(match scratch_written.get(i) {
                Some(note) => watched(value, note, format!("scratch array {i}"), &mut scratch_notes),
                None => Ref::new(value),
            });
        }
        (self.kernel.body)(&refs);

        for (i, (before, cell)) in given.iter().zip(&refs).enumerate() {
            if cell.peek().identity() != before.identity() {
                let error = Error::program(format!("the body writes operand {i}"));
                self.kernel.fail(
                    self.at,
                    error,
                    "write a result that begins as the operand: alias(operand, result)",
                );
            }
        }
        let mut results = Vec::with_capacity(args.len());
        for (i, cell) in refs[given.len()..].iter().enumerate() {
            let value = cell.peek();
            results.push(match outputs.get(i) {
                Some(Seen { value: before, inside: Some(inside), .. }) => where_(inside, &value, before),
                Some(block) if !self.begun[i] && value.identity() == block.value.identity() => {
                    let error = Error::program(format!("the body never writes result {i}"));
                    let help = "set the Ref that the body gets for it, or leave the result out";
                    self.kernel.fail(self.kernel.made, error, help);
                }
                _ => value,
            });
        }
        for ((result, whole), block) in results.iter_mut().zip(&blocked[self.inputs..]).zip(outputs) {
            *result = scattered(&block.place, whole, result);
        }
        for ((note, before), &i) in notes.iter().zip(written).zip(&self.watched) {
            let Seen { inside, place, .. } = &outputs[i];
            let note = match inside {
                Some(inside) => where_(inside, note.peek(), gathered(place, before)),
                None => note.peek(),
            };
            results.push(scattered(place, before, &note));
        }
        results.extend(self.claimed(positions, owners, outputs));
        results.extend(scratch_notes.iter().map(Ref::peek));
        results
    }

    /// The blocks of operands, then of results, of which `values` are the parameters. In checked mode their positions are checked.
    #[track_caller]
    fn seen(&self, positions: &[Array], prefetched: &[Array], values: &[Array]) -> Vec<Seen> {
        let mut seen = Vec::with_capacity(self.blocks.len());
        for (((ty, block, what), spec), value) in self.blocks.iter().zip(&self.maps.specs).zip(values) {
            if self.checked {
                check_block(*ty, block, what, spec, positions, prefetched);
            }
            let place = Positions::of(*ty, block, positions, prefetched);
            if let Some(place) = place.as_ref().filter(|_| self.checked) {
                place.check(*ty, what);
            }
            let value = gathered(&place, value);
            let inside = inside(*ty, block, positions, prefetched, &value);
            seen.push(Seen { value, inside, place });
        }
        seen
    }

    /// The records `owners` of which point wrote each element of the owned results, with this point's elements. Records checks
    /// that no other point along parallel axes wrote them.
    #[track_caller]
    fn claimed(&self, positions: &[Array], owners: &[Array], outputs: &[Seen]) -> Vec<Array> {
        let me = self.linear_position(positions) + 1;
        let mut claimed = Vec::with_capacity(owners.len());
        for (owner, &i) in owners.iter().zip(&self.owned) {
            let Seen { inside, place, .. } = &outputs[i];
            let here = gathered(place, owner);
            let mut free = here.eq(0) | here.eq(&me);
            let mut mine = me.broadcast_to(&here.shape()[..]);
            if let Some(inside) = inside {
                // Elements outside of a block's bounds are not stored, so no other point conflicts there.
                free |= !inside;
                mine = where_(inside, mine, &here);
            }
            let message = format!("two points along parallel axes store one place of result {i}");
            checkify::check(&free, &message, &[]);
            claimed.push(scattered(place, owner, &mine));
        }
        claimed
    }

    /// The row-major number of this point along the parallel axes.
    #[track_caller]
    fn linear_position(&self, positions: &[Array]) -> Array {
        let mut linear = Array::full(&[], 0, DType::I32);
        for axis in self.kernel.parallel_axes() {
            linear = linear * self.kernel.grid[axis] + &positions[axis];
        }
        linear
    }

    /// The kernel op of a traced body. The body takes and returns the contents of `cells` after its own parameters and its `own`
    /// results. Results whose initial contents the body does not read begin uninitialized.
    #[track_caller]
    pub(super) fn op(&self, traced: &Traced, cells: &[Ref], own: usize) -> ops::Kernel {
        let (kernel, maps, at) = (self.kernel, self.maps, self.at);
        let program = &traced.program;
        let all: Vec<_> = program.results().to_vec();
        let used = program.needed_for(&all);
        let (inputs, specs) = (self.inputs, &maps.specs);
        let begun: Vec<usize> = (0..self.outputs).filter(|&i| self.given[i]).collect();

        // The order of the operands: prefetched, captures of the maps, blocked, initial values of results, contents of cells,
        // captures of the body.
        let shift =
            |operand: usize| if operand < kernel.prefetch { operand } else { operand + maps.captures.len() };
        let first_begun = shift(kernel.prefetch + inputs);
        let first_cell = first_begun + begun.len();
        let mut input_specs: Vec<BlockSpec> = specs[..inputs].to_vec();
        input_specs.extend(begun.iter().map(|&i| specs[inputs + i].clone()));
        input_specs.extend(cells.iter().map(|cell| BlockSpec::whole(cell.ty().rank())));
        input_specs.extend(traced.captures.iter().map(|x| BlockSpec::whole(x.rank())));

        let mut params: Vec<Param> = (0..self.positions + self.prefetched).map(Param::Old).collect();
        params.extend(maps.captures.iter().map(|x| Param::Unused(x.ty())));
        params.extend((0..inputs).map(|i| Param::Old(self.input(i))));
        let block_type = |i: usize| program.params()[self.output(i)].ty;
        params.extend(begun.iter().map(|&i| Param::Unused(block_type(i))));
        params.extend(cells.iter().map(|cell| Param::Unused(cell.ty())));
        let first_capture = self.explicit() + cells.len();
        params.extend((first_capture..program.params().len()).map(Param::Old));

        let mut outputs = Vec::new();
        for (i, (ty, ..)) in self.blocks[inputs..].iter().enumerate() {
            let aliased = kernel.aliases.iter().find(|(_, result)| *result == i);
            let start = match (begun.iter().position(|&b| b == i), aliased) {
                (Some(k), _) => Start::Operand(first_begun + k),
                (None, Some(&(operand, _))) => Start::Operand(shift(operand)),
                (None, None) if used[program.param(self.output(i)).index()] => Start::Zeros,
                (None, None) => Start::Fresh,
            };
            if start != Start::Fresh {
                params.push(Param::Old(self.output(i)));
            }
            outputs.push(KernelOutput { ty: *ty, block: specs[inputs + i].clone(), start });
        }
        let notes =
            self.watched.iter().map(|&i| (i, DType::Bool)).chain(self.owned.iter().map(|&i| (i, DType::I32)));
        for (k, (i, dtype)) in notes.enumerate() {
            params.push(Param::Old(self.note(k)));
            let block = specs[inputs + i].clone();
            outputs.push(KernelOutput {
                ty: self.blocks[inputs + i].0.with_dtype(dtype),
                block,
                start: Start::Zeros,
            });
        }
        for (k, cell) in cells.iter().enumerate() {
            params.push(Param::Old(self.explicit() + k));
            let block = BlockSpec::whole(cell.ty().rank());
            outputs.push(KernelOutput { ty: cell.ty(), block, start: Start::Operand(first_cell + k) });
        }
        let scratch: Vec<usize> =
            (0..self.scratch).map(|i| self.scratch_array(i)).chain(self.scratch_notes()).collect();
        params.extend(scratch.iter().map(|&i| Param::Old(i)));

        // The order of the results: the user's results, scratch, records of results, records of scratch, cells.
        let (results, notes) = (self.outputs, self.watched.len() + self.owned.len());
        let order = (0..results).chain(results + self.scratch..results + self.scratch + notes);
        let order = order.chain(own..own + cells.len()).chain(results..results + self.scratch);
        let order = order.chain(results + self.scratch + notes..own);
        let ends: Vec<_> = order.map(|i| all[i]).collect();
        let body: Program = kept(program, &params, &ends, at);
        let arbitrary = kernel.arbitrary_axes(&outputs, !scratch.is_empty());
        ops::Kernel {
            grid: kernel.grid.clone(),
            arbitrary: arbitrary.into_iter().collect(),
            prefetch: kernel.prefetch + maps.captures.len(),
            inputs: input_specs,
            outputs,
            scratch: scratch.iter().map(|&i| program.params()[i].ty).collect(),
            map: maps.program.clone().map(ProgramRef::new),
            flops: kernel.flops,
            form: KernelForm::Steps,
            body: ProgramRef::new(body),
        }
    }
}

/// A block of an operand or of a result at one point of the grid.
struct Seen {
    /// The block's elements, those at the positions of an indirect axis gathered.
    value: Array,
    /// Whether each element lies within the block's bounds; `None` for a block without bounds.
    inside: Option<Array>,
    /// The positions of an indirect axis, if the block has one.
    place: Option<Positions>,
}

impl Seen {
    /// The elements that the body reads: zeros beyond the bounds. Storing the block leaves those unchanged in the array.
    #[track_caller]
    fn zeroed(&self) -> Array {
        match &self.inside {
            Some(inside) => where_(inside, &self.value, self.value.zeros_like()),
            None => self.value.clone(),
        }
    }
}

/// The elements of `x` at the positions of an indirect axis, or `x` itself if there is no such axis.
#[track_caller]
fn gathered(places: &Option<Positions>, x: &Array) -> Array {
    places.as_ref().map_or_else(|| x.clone(), |places| places.gather(x))
}

/// `x` with `values` at the positions, or `values` instead.
#[track_caller]
fn scattered(places: &Option<Positions>, x: &Array, values: &Array) -> Array {
    places.as_ref().map_or_else(|| values.clone(), |places| places.scatter(x, values))
}

/// A reference to a block whose reads are checked. `notes` gets the Ref that marks the elements written so far, which begins as
/// `written`.
fn watched(value: &Array, written: &Array, what: String, notes: &mut Vec<Ref>) -> Ref {
    let note = Ref::new(written);
    notes.push(note.clone());
    Ref::watched(value, note, what)
}

/// Which elements of a bounded block lie within its bounds; `None` for a block without bounds.
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
                Operand::Array(count) if count.rank() == 0 && count.dtype().is_integer() => count,
                Operand::Array(count) => {
                    let error = Error::program(format!(
                        "the index map gives {} as the number of elements",
                        count.ty()
                    ));
                    block.fail(
                        error,
                        "bounds(start, size) takes two integers: reduce or index them to scalars",
                    );
                }
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
    if !spec.is_found() {
        return;
    }
    let Some(starts) = block.starts(ty, positions, prefetched) else { return };
    for (axis, ((index, start), extent)) in spec.axes.iter().zip(starts).zip(ty.extents()).enumerate() {
        let count = match *index {
            BlockIndex::At { unit, .. } => extent.div_ceil(unit),
            BlockIndex::PointAt { .. } => extent,
            _ => continue,
        };
        // In integers that hold the extent as well.
        let array = |operand: Operand| match operand {
            Operand::Array(array) => lax::wide_index(&array, extent),
            Operand::Number(number) => Array::constant(number.fit("kernel", DType::I32)),
        };
        let mut empty = None;
        if let (BlockIndex::At { size, .. }, Some(count)) = (index, start.size) {
            let count = array(count);
            checkify::check(
                &(count.ge(0) & count.le(*size as i64)),
                &format!("a block of {what} has {{}} elements along axis {axis}, the most are {size}"),
                &[&count],
            );
            empty = Some(count.eq(0));
        }
        let start = array(start.start);
        let before = match block.dims.as_ref().map(|dims| dims[axis]) {
            Some(BlockDim::Element { before, .. }) => before,
            _ => 0,
        };
        let mut holds = start.ge(0) & start.lt((count + 2 * before) as i64);
        if let Some(empty) = empty {
            // A block without elements lies anywhere.
            holds |= empty;
        }
        checkify::check(
            &holds,
            &format!("block {{}} along axis {axis} of {what} lies outside of {ty}"),
            &[&start],
        );
    }
}
