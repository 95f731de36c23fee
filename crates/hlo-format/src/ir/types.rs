use std::sync::Arc;

use jarrah_base::DType;
use smallvec::SmallVec;

use super::Attr;

/// A type, as MLIR has it.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    /// `tensor<2x?xf32>`.
    Tensor(TensorTy),
    /// `f32`, `index`.
    Scalar(ElementTy),
    /// `!stablehlo.token`.
    Token,
    /// `tuple<...>`.
    Tuple(Vec<Ty>),
    /// `!stablehlo.future<...>`.
    Future(Vec<Ty>),
    /// `(...) -> ...`.
    Function(Arc<(Vec<Ty>, Vec<Ty>)>),
    /// `memref<2xf32>`.
    Buffer(TensorTy),
    /// `none`.
    None,
    /// Another dialect's type, as text.
    Opaque(Arc<str>),
}

/// A tensor type.
#[derive(Clone, PartialEq, Debug)]
pub struct TensorTy {
    /// The extents, `None` for one that is not known; no list at all for an unranked tensor.
    pub dims: Option<SmallVec<[Option<u64>; 6]>>,
    /// The element type.
    pub element: ElementTy,
    /// The attribute behind the element type: `#stablehlo.bounds<?, 5>`.
    pub encoding: Option<Box<Attr>>,
}

/// An element type.
#[derive(Clone, PartialEq, Debug)]
pub enum ElementTy {
    /// A type that elements of programs can have.
    Number(DType),
    /// `index`.
    Index,
    /// `tf32`.
    Tf32,
    /// `none`, `!tf_type.string` and other types that only annotations use.
    Opaque(Arc<str>),
    /// `!quant.uniform<...>`.
    Quantized(Arc<Quantized>),
}

/// Integers that stand for reals: `real = (integer - zero_point) * scale`.
#[derive(Clone, PartialEq, Debug)]
pub struct Quantized {
    /// The type that is stored.
    pub storage: DType,
    /// The least and greatest integer that is stored.
    pub range: (i64, i64),
    /// The type of the reals.
    pub expressed: DType,
    /// The axis along which scales and zero points vary; `None` if there is one of each.
    pub axis: Option<u32>,
    /// The scales.
    pub scales: Vec<f64>,
    /// The zero points, as many as there are scales.
    pub zero_points: Vec<i64>,
}

impl Ty {
    /// The tensor type, if it is one.
    pub fn tensor(&self) -> Option<&TensorTy> {
        match self {
            Ty::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// The type of tensors with these extents.
    pub fn of(dtype: DType, dims: impl IntoIterator<Item = usize>) -> Ty {
        let dims = dims.into_iter().map(|d| Some(d as u64)).collect();
        Ty::Tensor(TensorTy { dims: Some(dims), element: ElementTy::Number(dtype), encoding: None })
    }
}

impl TensorTy {
    /// The type in programs, if every extent is known and the elements are numbers.
    pub fn concrete(&self) -> Option<jarrah_base::Type> {
        let ElementTy::Number(dtype) = self.element else { return None };
        let dims: Option<SmallVec<[usize; 6]>> =
            self.dims.as_ref()?.iter().map(|d| d.map(|d| d as usize)).collect();
        Some(jarrah_base::Type::tensor(dtype, dims?))
    }
}

impl Quantized {
    /// The range of `storage` when a type does not narrow it.
    pub fn full_range(storage: DType) -> (i64, i64) {
        storage.integer_range().map_or((0, 0), |(lowest, highest)| (lowest as i64, highest as i64))
    }
}
