//! What every other crate stands on: element types ([`DType`]), dimensions ([`Dim`]), tensor types ([`Type`]),
//! host tensors ([`Literal`]), errors ([`Error`]) and source positions ([`Location`], [`Scope`]).
//!
//! Nothing here knows a program, a device or an array.

mod dim;
mod dtype;
mod error;
mod intern;
mod literal;
mod location;
mod mapped;
mod ty;

pub use dim::{Dim, Symbol, concrete};
pub use dtype::{DType, Element, ElementKind, bf16, f16};
pub use error::{Error, ErrorKind, Label, Result};
pub use intern::{Intern, Interned};
pub use literal::Literal;
pub use location::{Location, Scope, Source};
pub use mapped::MappedFile;
pub use ty::{Type, TypeData, TypeKind};
