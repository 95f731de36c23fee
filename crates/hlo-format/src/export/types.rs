use jarrah_base::Type;

use crate::ir::{Element, TensorTy, Ty};

/// The type as the tree has it; a reference is a `memref`.
pub(super) fn ty(ty: Type) -> Ty {
    let dims = ty.extents().map(|extent| Some(extent as u64)).collect();
    let tensor = TensorTy { dims: Some(dims), element: Element::Number(ty.dtype()), encoding: None };
    if ty.is_ref() { Ty::Buffer(tensor) } else { Ty::Tensor(tensor) }
}
