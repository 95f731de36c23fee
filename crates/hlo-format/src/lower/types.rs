//! The types of a module, as types of programs.

use jarrah_base::{DType, Dims, Result, Type};
use smallvec::SmallVec;

use crate::ir::{Attr, ElementTy, IrModule, IrOp, Quantized, TensorTy, Ty};

/// The most elements of a flattened tuple.
const MAX_LEAVES: usize = 1 << 16;

/// The type of one program value.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'a>(pub &'a TensorTy);

/// The types of several program values.
pub(super) type LeafTypes<'a> = SmallVec<[Leaf<'a>; 2]>;

/// The types of the program values of a module value: tuples are flattened, tokens dropped.
pub(super) fn leaves<'a>(module: &IrModule, op: &IrOp, ty: &'a Ty) -> Result<LeafTypes<'a>> {
    let mut all = LeafTypes::new();
    collect(ty, &mut all).map_err(|message| module.error(op, message))?;
    Ok(all)
}

fn collect<'a>(ty: &'a Ty, all: &mut LeafTypes<'a>) -> Result<(), String> {
    match ty {
        Ty::Tensor(tensor) => all.push(Leaf(tensor)),
        Ty::Token | Ty::None => {}
        Ty::Tuple(parts) | Ty::Future(parts) => {
            for part in parts {
                collect(part, all)?;
            }
        }
        Ty::Buffer(_) | Ty::Scalar(_) | Ty::Function(_) | Ty::Opaque(_) => {
            return Err("has an operand or result that is neither a tensor nor a tuple nor a token".into());
        }
    }
    if all.len() > MAX_LEAVES {
        return Err(format!("a tuple has more than {MAX_LEAVES} parts"));
    }
    Ok(())
}

impl<'a> Leaf<'a> {
    pub fn tensor(self) -> &'a TensorTy {
        self.0
    }

    /// The type in programs, if every extent is known.
    pub fn concrete(self) -> Option<Type> {
        let tensor = self.tensor();
        let extents = tensor.dims.as_ref()?.iter();
        let dims: Option<Dims> = extents.map(|extent| usize::try_from((*extent)?).ok()).collect();
        Some(Type::tensor(storage(&tensor.element)?, dims?))
    }

    /// Whether a value of type `ty` fits this stated type.
    pub fn admits(self, ty: Type) -> bool {
        if storage(&self.tensor().element) != Some(ty.dtype()) {
            return false;
        }
        let tensor = self.tensor();
        let Some(dims) = &tensor.dims else { return true };
        let bounds = bounds(tensor);
        let bound = |axis: usize| bounds.as_ref().and_then(|b| b.get(axis).copied()).filter(|&b| b >= 0);
        dims.len() == ty.rank()
            && dims.iter().zip(ty.extents()).enumerate().all(|(axis, (stated, extent))| match stated {
                Some(stated) => *stated == extent as u64,
                None => bound(axis).is_none_or(|most| extent as u64 <= most as u64),
            })
    }
}

/// The upper bounds of extents, `i64::MIN` where there is none.
fn bounds(tensor: &TensorTy) -> Option<Vec<i64>> {
    match tensor.encoding.as_deref()? {
        Attr::Struct(_, fields) => fields.get("bounds")?.integers(),
        _ => None,
    }
}

/// The element type in programs: for quantized elements, the stored integer type.
pub(super) fn storage(element: &ElementTy) -> Option<DType> {
    match element {
        ElementTy::Number(dtype) => Some(*dtype),
        ElementTy::Quantized(quantized) => Some(quantized.storage),
        ElementTy::Index => Some(DType::I64),
        ElementTy::Tf32 | ElementTy::Opaque(_) => None,
    }
}

/// The quantization of a type's elements, if any.
pub(super) fn quantized(ty: &Ty) -> Option<&Quantized> {
    match &ty.tensor()?.element {
        ElementTy::Quantized(quantized) => Some(quantized),
        _ => None,
    }
}

/// `tensor<2x?xf32>`, for messages.
pub(super) fn describe(tensor: &TensorTy) -> String {
    let mut text = String::from("tensor<");
    match &tensor.dims {
        None => text.push_str("*x"),
        Some(dims) => {
            for dim in dims {
                match dim {
                    Some(n) => text.push_str(&format!("{n}x")),
                    None => text.push_str("?x"),
                }
            }
        }
    }
    match &tensor.element {
        ElementTy::Number(dtype) => text.push_str(dtype.name()),
        ElementTy::Quantized(q) => text.push_str(&format!("!quant.uniform<{}:{}>", q.storage, q.expressed)),
        ElementTy::Index => text.push_str("index"),
        ElementTy::Tf32 => text.push_str("tf32"),
        ElementTy::Opaque(name) => text.push_str(name),
    }
    text + ">"
}

/// The element type of the reals that elements represent: of quantized elements, the expressed type.
pub(super) fn expressed(element: &ElementTy) -> Option<DType> {
    match element {
        ElementTy::Quantized(quantized) => Some(quantized.expressed),
        other => storage(other),
    }
}
