use jarrah_base::Type;

use crate::ir::{ElementTy, TensorTy, Ty};

/// The type as the tree has it.
pub(super) fn ty(ty: Type) -> Ty {
    let dims = ty.extents().map(|extent| Some(extent as u64)).collect();
    Ty::Tensor(TensorTy { dims: Some(dims), element: ElementTy::Number(ty.dtype()), encoding: None })
}
