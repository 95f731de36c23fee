use std::fmt;

use crate::dtype::DType;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::literal::Literal;

/// A Rust type that tensors are made of and read as: every [`Element`], and `bool` for truth values.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of elements",
    label = "not a type of elements",
    note = "elements are `bool`, `i8` to `i64`, `u8` to `u64`, `f16`, `bf16`, `f32`, `f64`, complex numbers of these two, and the narrow types of `jarrah-base`"
)]
pub trait HostElement: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The tensor with the extents `dims` and these elements in row-major order.
    ///
    /// # Errors
    /// The number of elements is not the product of the extents.
    fn to_literal(dims: &[usize], values: &[Self]) -> Result<Literal>;

    /// The elements in row-major order.
    ///
    /// # Errors
    /// The tensor has another element type.
    fn from_literal(literal: &Literal) -> Result<Vec<Self>>;
}

impl<T: Element> HostElement for T {
    fn to_literal(dims: &[usize], values: &[T]) -> Result<Literal> {
        Literal::from_slice(dims, values)
    }

    fn from_literal(literal: &Literal) -> Result<Vec<T>> {
        Ok(literal.as_slice::<T>()?.to_vec())
    }
}

impl HostElement for bool {
    fn to_literal(dims: &[usize], values: &[bool]) -> Result<Literal> {
        Literal::from_bools(dims, values)
    }

    fn from_literal(literal: &Literal) -> Result<Vec<bool>> {
        if literal.dtype() != DType::Bool {
            return Err(Error::program(format!("a tensor of {} was read as bool", literal.dtype())));
        }
        Ok(literal.bytes().iter().map(|&b| b != 0).collect())
    }
}
