use jarrah_base::Type;

use crate::ir::{Attr, Element, TensorTy, Ty};

/// The type as the tree has it; a reference is a `memref`, and unknown extents are named in the place of an encoding.
pub(super) fn ty(ty: Type) -> Ty {
    let dims = ty.dims().iter().map(|d| d.constant().map(|n| n as u64)).collect();
    let encoding = ty.dims().iter().any(|d| d.constant().is_none()).then(|| {
        let names: Vec<String> = ty.dims().iter().map(|d| format!("{:?}", d.to_string())).collect();
        Box::new(Attr::Opaque(format!("#jarrah.dims<{}>", names.join(", ")).into()))
    });
    let tensor = TensorTy { dims: Some(dims), element: Element::Number(ty.dtype()), encoding };
    if ty.is_ref() { Ty::Buffer(tensor) } else { Ty::Tensor(tensor) }
}
