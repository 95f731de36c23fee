//! The ops, one family a file, each with all its rules.

mod assertion;
mod attention;
mod batch_rule;
mod broadcast;
mod call;
mod case;
mod check;
mod checkpoint_name;
mod collective;
mod compare;
mod complex;
mod constant;
mod convert;
mod convolution;
mod custom;
mod custom_call;
mod dot;
mod dynamic;
mod elementwise;
mod fft;
mod gather;
mod join;
mod kernel;
mod linalg;
mod linear_solve;
mod manual_computation;
mod ragged_dot;
pub(crate) mod reduce;
mod reduce_precision;
mod reduce_window;
mod remat;
mod reshape;
mod resume;
mod rng_bit_generator;
mod scan;
mod scatter;
mod slice;
mod sort;
mod sub;
mod threefry;
mod while_loop;
mod window;
mod window_arg;
mod windows;

use smallvec::SmallVec;

pub use assertion::Assert;
pub use attention::{
    Attention, AttentionDims, AttentionInputs, AttentionKind, AttentionMoves, AttentionOperand,
};
pub use batch_rule::{BatchRule, MakeBatch};
pub use broadcast::BroadcastInDim;
pub use call::{Call, OptimizationBarrier};
pub use case::Case;
pub use checkpoint_name::CheckpointName;
pub use collective::{AxisGroups, AxisIndex, Collective, CollectiveKind, NamedAxis};
pub use compare::{Clamp, Compare, Comparison, Select};
pub use complex::{Complex, Imag, Real};
pub use constant::{Constant, Iota};
pub use convert::{BitcastConvert, Convert};
pub use convolution::{ConvAxes, Convolution};
pub use custom::{CustomRule, CustomTangent, Rule};
pub use custom_call::{CallTarget, CustomCall, OutputAlias, VmapMethod};
pub use dot::DotGeneral;
pub use dynamic::{DynamicSlice, DynamicUpdateSlice};
pub use elementwise::{Elementwise, ElementwiseKind};
pub use fft::{Fft, FftKind};
pub use gather::Gather;
pub use join::{Concatenate, Pad};
pub use kernel::{BlockIndex, BlockSpec, Kernel, KernelForm, KernelOutput, Start};
pub use linalg::{
    Cholesky, Eig, Eigh, Geqrf, Hessenberg, HouseholderProduct, Lu, MatrixTranspose, Qr, Schur, Svd,
    TriangularSolve, Tridiagonal, TridiagonalSolve,
};
pub use linear_solve::{LinearSolve, TransposedSolve};
pub use manual_computation::ManualComputation;
pub use ragged_dot::{GroupMatrices, RaggedDot, RaggedKind, general_ragged_dot};
pub use reduce::{Reduce, Reducer};
pub use reduce_precision::ReducePrecision;
pub use reduce_window::ReduceWindow;
pub use remat::{Remat, Saveable};
pub use reshape::{Reshape, Reverse, TransposeAxes};
pub use rng_bit_generator::{RngAlgorithm, RngBitGenerator};
pub use scan::Scan;
pub use scatter::{Scatter, Update};
pub use slice::Slice;
pub use sort::{Sort, SortOrder};
pub use threefry::Threefry2x32;
pub use while_loop::While;
pub use window::{Cumulative, Run, Window};
pub use window_arg::{WindowArg, WindowSelect};
pub use windows::{reduce_window, select_and_scatter};

/// A few axes of a tensor.
pub type Axes = SmallVec<[usize; 6]>;
