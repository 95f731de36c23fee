use jarrah_base::{DType, Element, Literal, with_element};

use crate::ops::{Axis, Binary, Direction, LoopReducer, Unary};

/// The element types loops compute with. Narrower ones are bytes in loops: see [`stored`](crate::stored).
pub const DTYPES: [DType; 13] = [
    DType::Bool,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
];

/// A register: the value of the instruction with that index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Reg(pub u32);

impl Reg {
    /// The index of the instruction that defines it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Over which dimensions of the iteration space a register varies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// One value for the kernel.
    Scalar,
    /// One value per row: per point of the outer (and, in a column reduction, the reduced) dimensions.
    Row,
    /// One value per row and column.
    Full,
    /// Column reductions only: one value per point of the outer dimensions and column, after the reduction.
    Col,
}

impl Class {
    /// The class of an elementwise result, `None` where a value of the loop meets a value after it.
    pub fn join(self, other: Class) -> Option<Class> {
        match (self, other) {
            (Class::Scalar, c) | (c, Class::Scalar) => Some(c),
            (a, b) if a == b => Some(a),
            (Class::Row, Class::Full) | (Class::Full, Class::Row) => Some(Class::Full),
            _ => None,
        }
    }

    /// The name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Class::Scalar => "scalar",
            Class::Row => "row",
            Class::Full => "full",
            Class::Col => "col",
        }
    }

    /// The class with that name.
    pub fn from_name(name: &str) -> Option<Class> {
        [Class::Scalar, Class::Row, Class::Full, Class::Col].into_iter().find(|c| c.name() == name)
    }
}

/// Where the element of an iteration lies in a buffer: `offset + Σ rows[d]·i_d + col·c`, in elements.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Map {
    /// The element of iteration 0.
    pub offset: i64,
    /// The stride of each outer dimension, then of each reduced dimension.
    pub rows: Vec<i64>,
    /// The stride of the columns.
    pub col: i64,
}

/// A constant: its type and its bits in the low bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ScalarBits {
    /// The element type.
    pub dtype: DType,
    /// The little-endian bytes of the value, zero-extended.
    pub bits: u64,
}

impl ScalarBits {
    /// The constant `x`, which has at most 8 bytes.
    pub fn of<T: Element>(x: T) -> ScalarBits {
        let mut bytes = [0u8; 8];
        bytes[..T::DTYPE.size()].copy_from_slice(Literal::scalar(x).bytes());
        ScalarBits { dtype: T::DTYPE, bits: u64::from_le_bytes(bytes) }
    }

    /// The value nearest to `x` in `dtype`.
    pub fn from_f64(dtype: DType, x: f64) -> ScalarBits {
        if dtype == DType::Bool {
            return ScalarBits { dtype, bits: u64::from(x != 0.0) };
        }
        let s = with_element!(dtype, T => ScalarBits::of(<T as Element>::from_f64(x)));
        ScalarBits { dtype, bits: s.bits }
    }
}

/// One instruction; it defines the register of its own index, in a body in SSA form.
///
/// An elementwise instruction takes operands of any mix of classes ([`Class::join`]) and rounds its result to its own
/// element type; nothing is contracted across instructions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Inst {
    /// An element of an input buffer for each point of `class`.
    Load {
        /// The input.
        input: usize,
        /// Where the element lies.
        map: Map,
        /// `Full` or `Row` (then `map.col` is 0); `Col` (then the strides of the reduced dimensions are 0).
        class: Class,
    },
    /// A constant.
    Const(ScalarBits),
    /// The index along a dimension.
    Iota {
        /// The dimension.
        axis: Axis,
        /// The type the index is converted to.
        dtype: DType,
        /// `Full` or `Col` for [`Axis::Cols`]; else `Row`, or `Col` for an outer dimension of a column reduction.
        class: Class,
    },
    /// A function of one operand.
    Unary(Unary, Reg),
    /// A function of two operands of one type.
    Binary(Binary, Reg, Reg),
    /// A relation of two operands of one type, a `bool`.
    Compare {
        /// The relation.
        direction: Direction,
        /// Floats by IEEE-754 total order: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
        total: bool,
        /// The left operand.
        x: Reg,
        /// The right operand.
        y: Reg,
    },
    /// `if pred then on_true else on_false`.
    Select {
        /// A `bool`.
        pred: Reg,
        /// The value where `pred` holds.
        on_true: Reg,
        /// The value elsewhere.
        on_false: Reg,
    },
    /// `minimum(maximum(x, low), high)`.
    Clamp {
        /// The lower bound.
        low: Reg,
        /// The operand.
        x: Reg,
        /// The upper bound.
        high: Reg,
    },
    /// The operand as another type: floats round to nearest even, a float to an integer truncates and saturates (NaN to
    /// 0), integers wrap, to `bool` is `x != 0`.
    Convert(DType, Reg),
    /// The operand's bits as another type of the same size.
    Bitcast(DType, Reg),
    /// Folds the columns (`Full` to `Row`), or in a column reduction the reduced dimensions (`Full` to `Col`).
    Reduce(LoopReducer, Reg),
    /// The `i32` column of the row's greatest (`max`) or least element; the first wins, NaN wins over all.
    ArgReduce {
        /// Greatest, else least.
        max: bool,
        /// The operand.
        x: Reg,
    },
    /// The element of each row of `x` at the column `index`, an integer clamped into the row.
    Pick {
        /// A `Full` operand.
        x: Reg,
        /// A `Row` (or `Scalar`) integer operand.
        index: Reg,
    },
    /// The first word of threefry2x32 (20 rounds, as `jax.random` uses it); all operands are `u32`.
    Threefry {
        /// The two words of the key.
        key: [Reg; 2],
        /// The two words of the counter.
        count: [Reg; 2],
    },
    /// The second word of a [`Inst::Threefry`].
    Word1(Reg),
}

impl Inst {
    /// The registers it reads, in order.
    pub fn operands(&self) -> Vec<Reg> {
        match *self {
            Inst::Load { .. } | Inst::Const(_) | Inst::Iota { .. } => vec![],
            Inst::Unary(_, x)
            | Inst::Convert(_, x)
            | Inst::Bitcast(_, x)
            | Inst::Reduce(_, x)
            | Inst::ArgReduce { x, .. }
            | Inst::Word1(x) => vec![x],
            Inst::Binary(_, x, y) | Inst::Compare { x, y, .. } | Inst::Pick { x, index: y } => vec![x, y],
            Inst::Select { pred, on_true, on_false } => vec![pred, on_true, on_false],
            Inst::Clamp { low, x, high } => vec![low, x, high],
            Inst::Threefry { key, count } => vec![key[0], key[1], count[0], count[1]],
        }
    }

    /// This instruction with each register replaced by the one that `of` gives for it.
    pub fn map_operands(&self, mut of: impl FnMut(Reg) -> Reg) -> Inst {
        let mut inst = self.clone();
        match &mut inst {
            Inst::Load { .. } | Inst::Const(_) | Inst::Iota { .. } => {}
            Inst::Unary(_, x)
            | Inst::Convert(_, x)
            | Inst::Bitcast(_, x)
            | Inst::Reduce(_, x)
            | Inst::ArgReduce { x, .. }
            | Inst::Word1(x) => *x = of(*x),
            Inst::Binary(_, x, y) | Inst::Compare { x, y, .. } | Inst::Pick { x, index: y } => {
                (*x, *y) = (of(*x), of(*y));
            }
            Inst::Select { pred, on_true, on_false } => {
                (*pred, *on_true, *on_false) = (of(*pred), of(*on_true), of(*on_false));
            }
            Inst::Clamp { low, x, high } => (*low, *x, *high) = (of(*low), of(*x), of(*high)),
            Inst::Threefry { key, count } => key.iter_mut().chain(count).for_each(|x| *x = of(*x)),
        }
        inst
    }

    /// Whether it folds a row or the reduced dimensions.
    pub fn is_reduction(&self) -> bool {
        matches!(self, Inst::Reduce(..) | Inst::ArgReduce { .. } | Inst::Pick { .. })
    }
}

/// Writes a register to an output for each point of the outer dimensions and columns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Store {
    /// The output.
    pub output: usize,
    /// Where the element lies; strides of reduced dimensions are 0.
    pub map: Map,
    /// The register.
    pub value: Reg,
}

/// A loop nest over strided buffers: outer dimensions (parallel), reduced dimensions (folded, in order), columns.
///
/// Without reduced dimensions it is a *row kernel*: its reductions fold the columns of a row. With them it is a *column
/// reduction*: an elementwise body over (outer, reduced, column), reductions over the reduced dimensions, and an
/// elementwise epilogue over (outer, column), which alone is stored.
///
/// # Bits
/// Each instruction rounds to its own type; `bf16` and `f16` widen to `f32`, compute and round. `add` and `multiply`
/// over an extent R fold in logical (row-major) order with 16 lanes: lane i takes elements i, i+16, i+32, ... from the
/// identity on, then lanes are combined by halving, i with i+8, i+4, i+2, i+1. Beyond 4096 elements the chunks of 4096
/// are folded so, and their results again by the same rule. `bf16` and `f16` accumulate in `f32` and round once; a kernel
/// that sums `f32` in `f64` converts before and after.
/// So bits depend on R and the type alone: never on a blocking, the instruction set, threads, or the loop's shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct LoopKernel {
    /// The extents of the outer dimensions.
    pub outer: Vec<usize>,
    /// The extents of the reduced dimensions; none in a row kernel.
    pub reduce: Vec<usize>,
    /// The number of columns.
    pub cols: usize,
    /// The element types of the input buffers.
    pub inputs: Vec<DType>,
    /// The element types of the output buffers.
    pub outputs: Vec<DType>,
    /// The instructions.
    pub body: Vec<Inst>,
    /// The stores; each element of an output is written at most once.
    pub stores: Vec<Store>,
}

impl LoopKernel {
    /// How many dimensions a map's `rows` has.
    pub fn rank(&self) -> usize {
        self.outer.len() + self.reduce.len()
    }

    /// Whether this is a column reduction.
    pub fn is_column(&self) -> bool {
        !self.reduce.is_empty()
    }

    /// The least and the greatest element that `map` reaches, `None` for an empty iteration space.
    pub fn reach(&self, map: &Map) -> Option<(i64, i64)> {
        let (mut low, mut high) = (map.offset, map.offset);
        let extents = self.outer.iter().chain(&self.reduce).chain(std::iter::once(&self.cols));
        for (&extent, &stride) in extents.zip(map.rows.iter().chain(std::iter::once(&map.col))) {
            let last = i64::try_from(extent).ok()?.checked_sub(1).filter(|&l| l >= 0)?;
            let span = last.checked_mul(stride)?;
            *(if span < 0 { &mut low } else { &mut high }) += span;
        }
        Some((low, high))
    }
}
