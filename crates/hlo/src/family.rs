//! The families of ops: ops of one family are computed, moved or refused alike, so that code that treats them alike names the
//! family instead of its ops.

/// A pattern of the ops of a [`Family`](crate::Family), so that a `match` over ops needs no list of its own and stays exhaustive.
///
/// ```
/// use jarrah_hlo::ops::Reverse;
/// use jarrah_hlo::{Op, family};
/// use smallvec::smallvec;
/// let moves = |op: &Op| matches!(op, family!(Movement) | family!(Indexing));
/// assert!(moves(&Reverse { axes: smallvec![0] }.into()));
/// ```
#[macro_export]
macro_rules! family {
    (Elementwise) => {
        $crate::Op::Elementwise(_)
            | $crate::Op::Compare(_)
            | $crate::Op::Select(_)
            | $crate::Op::Clamp(_)
            | $crate::Op::Convert(_)
            | $crate::Op::BitcastConvert(_)
            | $crate::Op::ReducePrecision(_)
            | $crate::Op::Complex(_)
            | $crate::Op::Real(_)
            | $crate::Op::Imag(_)
            | $crate::Op::Threefry2x32(_)
    };
    (Source) => {
        $crate::Op::Constant(_) | $crate::Op::Iota(_)
    };
    (Movement) => {
        $crate::Op::BroadcastInDim(_)
            | $crate::Op::Reshape(_)
            | $crate::Op::TransposeAxes(_)
            | $crate::Op::Reverse(_)
            | $crate::Op::Slice(_)
            | $crate::Op::Pad(_)
            | $crate::Op::Concatenate(_)
    };
    (Indexing) => {
        $crate::Op::DynamicSlice(_) | $crate::Op::DynamicUpdateSlice(_) | $crate::Op::Gather(_)
    };
    (Reduction) => {
        $crate::Op::Reduce(_)
            | $crate::Op::ReduceWindow(_)
            | $crate::Op::WindowArg(_)
            | $crate::Op::Scatter(_)
            | $crate::Op::Sort(_)
    };
    (Contraction) => {
        $crate::Op::DotGeneral(_)
            | $crate::Op::Convolution(_)
            | $crate::Op::RaggedDot(_)
            | $crate::Op::Attention(_)
    };
    (LinearAlgebra) => {
        $crate::Op::Cholesky(_)
            | $crate::Op::TriangularSolve(_)
            | $crate::Op::Lu(_)
            | $crate::Op::Qr(_)
            | $crate::Op::Geqrf(_)
            | $crate::Op::HouseholderProduct(_)
            | $crate::Op::Eigh(_)
            | $crate::Op::Svd(_)
            | $crate::Op::Eig(_)
            | $crate::Op::Schur(_)
            | $crate::Op::Hessenberg(_)
            | $crate::Op::Tridiagonal(_)
            | $crate::Op::TridiagonalSolve(_)
    };
    (Transform) => {
        $crate::Op::Fft(_) | $crate::Op::RngBitGenerator(_)
    };
    (Loop) => {
        $crate::Op::While(_) | $crate::Op::Case(_) | $crate::Op::Scan(_)
    };
    (Call) => {
        $crate::Op::Call(_)
            | $crate::Op::Remat(_)
            | $crate::Op::CustomRule(_)
            | $crate::Op::CustomTangent(_)
            | $crate::Op::LinearSolve(_)
    };
    (Collective) => {
        $crate::Op::AxisIndex(_) | $crate::Op::Collective(_) | $crate::Op::ManualComputation(_)
    };
    (Marker) => {
        $crate::Op::OptimizationBarrier(_) | $crate::Op::CheckpointName(_)
    };
    (Host) => {
        $crate::Op::CustomCall(_) | $crate::Op::Assert(_)
    };
    (Fused) => {
        $crate::Op::Kernel(_)
    };
}

/// How the results of an op come from its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Family {
    /// Each element comes from the elements at the same position.
    Elementwise,
    /// Elements come from no operand.
    Source,
    /// Elements stand at other positions, which the op and the types say; padding aside, none is computed.
    Movement,
    /// Elements stand at other positions, which operands say.
    Indexing,
    /// Elements are combined or compared with others, by a program perhaps.
    Reduction,
    /// Sums of products.
    Contraction,
    /// Decompositions and systems of equations, of the matrices in the last two axes.
    LinearAlgebra,
    /// Fourier transforms and random bits.
    Transform,
    /// Programs that run never, once or many times.
    Loop,
    /// Programs that run once, with rules of their own for derivatives; the compiler puts them in the place of the call.
    Call,
    /// A meaning within the axis of a `vmap` or a mesh.
    Collective,
    /// Operands are the results: a mark for passes.
    Marker,
    /// Calls of the host.
    Host,
    /// A program that the compiler made one kernel.
    Fused,
}

impl crate::Op {
    /// The family of this op. The patterns of [`family!`](crate::family) take an op each: one in no family does not compile.
    ///
    /// ```
    /// use jarrah_hlo::{Family, Op};
    /// use jarrah_hlo::ops::Cholesky;
    /// assert_eq!(Op::from(Cholesky { lower: true }).family(), Family::LinearAlgebra);
    /// ```
    #[deny(unreachable_patterns)]
    pub fn family(&self) -> Family {
        match self {
            family!(Elementwise) => Family::Elementwise,
            family!(Source) => Family::Source,
            family!(Movement) => Family::Movement,
            family!(Indexing) => Family::Indexing,
            family!(Reduction) => Family::Reduction,
            family!(Contraction) => Family::Contraction,
            family!(LinearAlgebra) => Family::LinearAlgebra,
            family!(Transform) => Family::Transform,
            family!(Loop) => Family::Loop,
            family!(Call) => Family::Call,
            family!(Collective) => Family::Collective,
            family!(Marker) => Family::Marker,
            family!(Host) => Family::Host,
            family!(Fused) => Family::Fused,
        }
    }
}
