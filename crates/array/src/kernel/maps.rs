//! The index maps of a kernel's blocks, traced to one program, and the part that each plays in it.

use jarrah_base::{DType, Dims, Location, Type};
use jarrah_hlo::ops::{BlockIndex, BlockSpec};
use jarrah_hlo::{Program, Value};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::kernel::block::{Block, BlockDim, BlockStart};
use crate::kernel::body::{Param, kept};
use crate::kernel::integers::narrow;
use crate::operators::Operand;
use crate::trace::{Parameter, Shadows, inlining, trace};

/// The index maps of all blocks.
pub(crate) struct Maps {
    pub(crate) specs: Vec<BlockSpec>,
    /// A program that takes the position, the prefetched arrays and the captures, and returns the starts of those blocks whose
    /// map is more than a [`BlockIndex`]. `None` if there are no such blocks.
    pub(crate) program: Option<Program>,
    /// Arrays from outside that the maps use.
    pub(crate) captures: Vec<Array>,
}

/// The maps of blocks of arrays of these types, with a name for each.
#[track_caller]
pub(crate) fn trace_maps(
    blocks: &[(Type, &Block<'_>, String)],
    grid: &Dims,
    prefetched: &[&Array],
    at: Location,
) -> Maps {
    let types = grid.iter().map(|_| Type::scalar(DType::I32)).chain(prefetched.iter().map(|x| x.ty()));
    let params = types.map(|ty| Parameter { ty, path: String::new(), shadow: None }).collect();
    let dims: Vec<Vec<BlockDim>> =
        blocks.iter().map(|(ty, block, what)| block.dims_of(ty.rank(), &format!("{what}, {ty}"))).collect();
    // For each block and axis which result says where it begins, if one does.
    let (traced, places) = trace("index map", at, params, Shadows::Drop, |args| {
        let _inline = inlining();
        let (positions, prefetched) = args.split_at(grid.len());
        let (mut results, mut places) = (Vec::new(), Vec::new());
        for ((ty, block, _), dims) in blocks.iter().zip(&dims) {
            let mut place = vec![None; dims.len()];
            let starts = block.starts(*ty, positions, prefetched);
            for ((axis, dim), start) in dims.iter().enumerate().zip(starts.into_iter().flatten()) {
                if !matches!(dim, BlockDim::Whole | BlockDim::Indirect(_)) {
                    place[axis] = Some(results.len());
                    results.push(first(block, *dim, &start));
                }
            }
            places.push(place);
        }
        (results, places)
    });
    let mut used: Vec<Value> = Vec::new();
    let mut specs = Vec::with_capacity(blocks.len());
    for (((ty, ..), dims), places) in blocks.iter().zip(&dims).zip(&places) {
        let axes = ty.extents().zip(dims).zip(places).map(|((extent, &dim), &place)| {
            let Some(result) = place.map(|place| traced.program.results()[place]) else {
                return BlockIndex::Whole;
            };
            simple(&traced.program, result, dim, extent, grid).unwrap_or_else(|| {
                let result = used.iter().position(|&value| value == result).unwrap_or_else(|| {
                    used.push(result);
                    used.len() - 1
                });
                match dim {
                    BlockDim::Squeezed => BlockIndex::PointAt { result },
                    BlockDim::Blocked(size) => BlockIndex::At { size, unit: size, result },
                    BlockDim::Element { size, .. } | BlockDim::Bounded(size) => {
                        BlockIndex::At { size, unit: 1, result }
                    }
                    BlockDim::Indirect(_) | BlockDim::Whole => BlockIndex::Whole,
                }
            })
        });
        specs.push(BlockSpec { axes: axes.collect() });
    }
    let params: Vec<Param> = (0..traced.program.params().len()).map(Param::Old).collect();
    let program = (!used.is_empty()).then(|| kept(&traced.program, &params, &used, at));
    let captures = if program.is_some() { traced.captures } else { Vec::new() };
    Maps { specs, program, captures }
}

/// The position along an axis that the index map returned, converted for the op: an `i32` scalar.
#[track_caller]
fn first(block: &Block<'_>, dim: BlockDim, start: &BlockStart) -> Array {
    let position = match &start.start {
        Operand::Array(start) if start.rank() == 0 && start.dtype().is_integer() => narrow(start),
        Operand::Array(start) => {
            let error = format!("the index map gives {}, a block begins at one integer", start.ty());
            block.fail(
                jarrah_base::Error::program(error),
                "reduce or index it to a scalar; convert it with astype",
            );
        }
        Operand::Number(number) => match number.literal(DType::I32) {
            Some(literal) => Array::constant(literal),
            None => {
                let error =
                    jarrah_base::Error::program(format!("the index map gives {number}, which is no i32"));
                fail(with_context(error.op("kernel").at(block.made).help("a block begins at an integer")))
            }
        },
    };
    if start.size.is_some() && !matches!(dim, BlockDim::Bounded(_)) {
        let error = jarrah_base::Error::program("the index map gives bounds for an axis without bounds");
        block.fail(error, "make the axis a BlockDim::Bounded, or give a position");
    }
    match dim {
        BlockDim::Element { before, .. } if before > 0 => position - before,
        _ => position,
    }
}

/// The start of the block as a [`BlockIndex`], if it depends only on the position in the grid and no point is beyond the last
/// block.
fn simple(program: &Program, start: Value, dim: BlockDim, extent: usize, grid: &Dims) -> Option<BlockIndex> {
    let along = (0..grid.len()).find(|&g| program.param(g) == start);
    let is_zero = || {
        let made = program.instrs().iter().find(|instr| instr.results().any(|result| result == start));
        matches!(made.map(|instr| &instr.op), Some(jarrah_hlo::Op::Constant(c)) if c.value.get_f64(0) == 0.0)
    };
    match (dim, along) {
        (BlockDim::Blocked(size), Some(g)) if grid[g] <= extent.div_ceil(size) => {
            Some(BlockIndex::Block { size, grid: g })
        }
        (BlockDim::Squeezed, Some(g)) if grid[g] <= extent => Some(BlockIndex::Point { grid: g }),
        (BlockDim::Blocked(size) | BlockDim::Element { size, .. }, None) if size == extent && is_zero() => {
            Some(BlockIndex::Whole)
        }
        (BlockDim::Squeezed, None) if extent == 1 && is_zero() => Some(BlockIndex::First),
        _ => None,
    }
}
