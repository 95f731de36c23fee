//! From a program to the steps a device executes, and the memory they work in.
//!
//! [`compile`] is one function of named passes. [`CompiledProgram`] is again a `Program`, whose instructions are executed in
//! order, and an [`Assignment`] of values to memory.
//!
//! # Passes
//!
//! The passes stand in order in `src/pipeline.rs` ([`PASSES`]), each with the reason for its place; a pass's equation is the
//! comment at the head of its file. Debug builds verify the program after each pass, and that no effect was lost, doubled or
//! reordered. The equivalence tests run every pass over every op's examples and over random programs, and leave out each optional
//! pass in turn; `JARRAH_WITHOUT_PASS=NAME` does so in any program or test.
//!
//! * [`raise()`] puts `Scan`, `Attention` and `Qr` back where an imported program has them written out; [`raise_attention`] does
//!   the attention alone, and runs on every program that comes through the PJRT plugin or the command line. Only these come
//!   before `compile`.
//! * Fusion and [`contract`](Target::contracts) make kernels. A product's operand that a loop computes (a weight in `bf16`, or
//!   integers with a scale) is not written to memory: the product computes it part by part while it packs the operand, and the
//!   loop behind the product runs on each part of the result that is final. The result is a kernel of the form `Contract` and not
//!   an op of its own, so the evaluator, text, bytes and costs need nothing new: its definition is the steps as they were. The
//!   pass `groups` does the same for a product in groups, `y[m, n] = sum over g of s[g, n] (sum over k of x[m, g, k] w[g, k,
//!   n])`, by which weights of few bits are multiplied: the sums are of `x` and codes, and only the sums are scaled, which is
//!   less work than scaling the codes and nearer to the exact sum.
//! * [`prepare`] splits a program whose first parameters stay the same from call to call: values that depend on these alone, and
//!   take no more memory than they do, become recipes, one program for each value, which run once; the rest of the program reads
//!   the values. Right operands of products are brought into the panels in which the device reads them (`jarrah_hlo::Panels`), as
//!   ordinary arrays, so buffers, evaluator, text and bytes know nothing of layouts.
//! * Without a memory limit `rematerialize` does not run. Under one it recomputes values near their later uses until the plan
//!   fits, a round for each value, so its work may grow with the square of the program.
//!
//! # Targets
//!
//! Passes know no device; they ask a [`Target`], of which no answer has a default: which ops it runs for these types, which ops
//! its kernels compute, which loops and contractions it takes, what fusion pays, the alignment of buffers, and its memories. The
//! pass `expand` puts a definition in the place of an op that the device neither runs nor loops over, and `canonicalize`
//! transposes the operands of a product only where the device does not run the product as it is. Temporaries lie in the first
//! memory that has room, and nothing moves between memories during a run. [`verify`] holds a compiled program against the same
//! answers, after every compilation of a debug build and for every program read from bytes; release builds check that the device
//! runs each step. [`Reference`] is the reference evaluator as a target. `tests/target.rs` compiles every program of this crate's
//! tests for a target unlike the CPU.
//!
//! # Looking inside
//!
//! Every stage prints: the program after each pass, the vector loops of its kernels ([`kernels`]), and where and how long each
//! buffer lies ([`MemoryPlan`]). `jarrah hlo opt --dump-dir` writes them, `--time-passes` says how long each pass took. A program
//! that does not fit into memory is an error that names the ten largest buffers alive at the peak.
//!
//! The rest of this page is the contract with a device.
//!
//! # The instructions of a compiled program
//!
//! Gone are `Call`, `Remat`, `CustomRule`, `LinearSolve`, `CheckpointName`, `CustomTangent`, and every elementwise-like op
//! outside kernels: `Elementwise`, `Compare`, `Select`, `Clamp`, `Convert`, `BitcastConvert`, `ReducePrecision`,
//! `BroadcastInDim`, `Iota`, `Threefry2x32` and `Reduce` with a named reducer, where the target's kernels compute them ([`Target::loops`]). What is
//! left are ops that the target runs ([`Target::runs`]). Without one of the optional passes ([`PassOptions::left_out`]) some of these stay:
//! a device runs them too, slower.
//!
//! * `Kernel` of the form `Loop`: one of the two forms below, or a person's that `jarrah_tile::lower` takes. Of the form
//!   `Steps`: any other; its body, and its map, are compiled too, each with an [`Assignment`] of its own ([`NestedAssignment`]). Of the
//!   form `Contract`: a product, the loops that make its operands, and the loop right behind it ([`Contraction`]).
//! * `Constant`: no work; the device holds its literal. Scalars and arrays that are not one value repeated.
//! * `Reshape`: no work; the same memory ([`MemoryPlace::Alias`]).
//! * `TransposeAxes`, `Slice`, `Pad`, `Concatenate`, `Reverse`, `DynamicSlice`, `Gather`: copies. A slice without steps, or a reverse,
//!   that only kernels read is none: they read a window of its operand; nor is a pad or a concatenation that cuts their space into
//!   few long boxes: their bodies put its operands at their places.
//! * `DynamicUpdateSlice`, `Scatter`: operand 0 is copied to the result first, unless both have the same place.
//! * `DotGeneral` as the target runs it: with operands as they come, or transposed so that batch, free and contracted axes follow
//!   each other. Many run batched `M x N x K` products over strides ([`is_strided`]): batch axes may stand anywhere, one stride
//!   each. The result is contiguous.
//! * `Attention`, `RaggedDot`, `Scan`, `Threefry2x32`, `RngBitGenerator`, products and convolutions of floats narrower than two
//!   bytes, and convolutions, reductions, sorts, scatters and gathers of complex numbers ([`has_plain_definition`]), if the target
//!   runs them; otherwise their definitions stand in their place.
//! * `Sort`, `Reduce` with a general reducer: as `hlo` says. Their programs, and that of a `Scatter`, are small scalar
//!   programs that are not fused.
//! * `CustomCall`: host code, called in the order of the instructions where the calls are ordered.
//! * `While`, `Case`, `Scan`: their programs are compiled too, each with an [`Assignment`] of its own ([`NestedAssignment`]).
//!
//! An instruction that the target's kernels do not compute stays outside of them: for the loop IR
//! ([`jarrah_tile::has_op`]) functions of complex numbers that are not said of their parts, and a `BitcastConvert` that changes the shape.
//!
//! All arrays are contiguous and row-major.
//!
//! # Kernels
//!
//! This is said of kernels that fusion makes. `grid` has no axis of extent one and may be empty: one grid point. Grid
//! points may run in any order and at the same time. The body consists of scalar `Constant`, `Iota` of rank one,
//! `BroadcastInDim`, and the elementwise-like ops. All operands of an elementwise op have the block shape of its result; a
//! `BroadcastInDim` makes a smaller value that large first.
//!
//! **Row form.** There is one block extent `C`. Every block is `[C]` (one axis of the array is `Whole`, the others
//! are `Point` or `First`) or a scalar (every axis is `Point` or `First`). Values of the body are `[C]` or scalars.
//! `BroadcastInDim` goes from a scalar to `[C]`. `Reduce` has axes `[0]` and goes from `[C]` to a scalar; `C` is then
//! the whole reduced extent. A kernel without a reduction is a plain map, its last domain extent may be long (`[N]`
//! with an empty grid when all is contiguous), and a device splits it as it likes.
//!
//! **Column form.** There are two block extents, `R` and `C`, and at least one `Reduce` with axes `[0]` from `[R,C]`
//! to `[C]`. Blocks of inputs are `[R,C]`, `[C]`, `[R]` or scalars; those of outputs are `[C]` or scalars. Before the
//! reductions values have any of these shapes, and `BroadcastInDim` makes a larger one of a smaller one: axes `[1]`
//! from `[C]`, `[0]` from `[R]`, none from a scalar. Afterwards values are `[C]` or scalars. No reduced value goes back
//! to `[R,C]`. `Iota` is `[C]` or `[R]`.
//!
//! **Windows.** A kernel that reads slices or reverses has no grid: every array is one block, and values of the body have the axes
//! of the iteration space, of which the others forms' grids are the outer ones. Behind an operand stand `Slice` (without steps),
//! `Reverse`, a `Reshape` that drops axes of extent one and `TransposeAxes`, each at most once and in that order, which say what
//! part of it is read.
//!
//! A kernel without windows is in the column form if some value of its body has rank two, otherwise in the row form.
//!
//! Each axis of an array of extent above one is `Whole` or `Point`; along a grid axis or block axis that an array
//! lacks, the array is repeated (inputs only). The last `Whole` axis is the last of the array's axes above extent
//! one, so that blocks are read in runs; the `R` of an `[R,C]` block may stand anywhere before it.
//!
//! # Memory
//!
//! See [`Assignment`]. Two values with one [`MemoryPlace`] share memory on purpose:
//! * a kernel that is a loop without reductions may write an output over an input that has the same block specification and
//!   type and dies here: a device loads before it stores, chunk by chunk;
//! * another kernel may write an output over the operand as which the output begins, if no point reads what another one
//!   stores: a device copies a point's blocks of that operand before it runs the body;
//! * a contraction may write a result over an operand that the loop behind the product alone reads, as that loop may: the product
//!   then lies in the arena until the loop has run, and otherwise where the result does. Operands of the product that loops make
//!   lie nowhere ([`MemoryPlace::Made`]);
//! * `DynamicUpdateSlice` and `Scatter` update operand 0 in place, `CustomCall` the operands that it has aliases of;
//! * loops and branches: see [`NestedAssignment`].
//!
//! Result `j` of the program lies in [`MemoryPlace::Result`]`(j)` unless its value has another place (it is a parameter, a
//! constant, or a result twice): then the device copies it to result `j` after the last instruction. Where
//! [`Assignment::donations`] names a parameter for `j`, result `j` lies in that parameter's memory; where
//! [`Assignment::unchanged`] does, result `j` is that parameter, and takes no memory.

mod assignment;
mod buffers;
mod canonicalize;
mod contract;
mod cse;
mod dce;
mod effects;
mod expand;
mod fusion;
mod grouped;
mod inline;
mod liveness;
mod loops;
mod partition;
mod pipeline;
mod plan;
mod portable;
mod prepare;
mod raise;
mod rebuild;
mod reduction;
mod reference;
mod rematerialize;
mod schedule;
mod serial;
mod simplify;
mod source;
mod split;
mod target;
mod verify;
mod view;

pub use assignment::{AssignedMemory, Assignment, Carry, MemoryPlace, NestedAssignment};
pub use canonicalize::is_strided;
pub use contract::{Contraction, ContractionPart};
pub use effects::check_effects;
pub use expand::has_plain_definition;
pub use partition::{Partitioned, partition};
pub use pipeline::{PASSES, Pass, PassOptions, compile, left_out, simplified, with_checks, without_pass};
pub use plan::{MemoryPlan, PlannedBuffer, Space, kernels, what_it_does};
pub use portable::portable;
pub use prepare::{Parts, PreparedValue, Wanted, prepare};
pub use raise::{bound_loops, derive_bounded_loops, raise, raise_attention};
pub use reference::Reference;
pub use rematerialize::Recomputed;
pub use serial::BUILD;
pub use target::{DeviceMemory, Fusion, Target, is_step};
pub use verify::{CompiledProgram, verify};
