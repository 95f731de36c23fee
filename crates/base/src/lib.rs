//! The ground of every other crate: element types ([`DType`]), tensor types ([`Type`]),
//! host tensors ([`Literal`]), errors ([`Error`]) and source positions ([`Location`], [`Scope`]).
//!
//! Nothing here knows a program, a device or an array.

mod deletable;
mod dim;
mod display;
pub mod dlpack;
mod dtype;
mod element;
mod error;
pub mod files;
mod intern;
mod literal;
mod location;
mod mapped;
pub mod memory;
mod minifloat;
mod narrow;
mod near;
mod numerics;
mod panic;
pub mod parallel;
mod serial;
pub mod stdio;
mod ty;
mod value;
mod view;
pub mod work;

pub use deletable::{Deletable, Reading};
pub use dim::{elements, product};
pub use dtype::{DType, ElementKind};
pub use element::{Element, bf16, c64, c128, f16};
pub use error::{Error, ErrorKind, Label, Result, quoted};
pub use intern::{Intern, Interned};
pub use literal::Literal;
pub use location::{Location, Scope, Source};
pub use mapped::MappedFile;
pub use minifloat::{
    FloatFormat, FloatLayout, Minifloat, Specials, f4e2m1fn, f6e2m3fn, f6e3m2fn, f8e3m4, f8e4m3,
    f8e4m3b11fnuz, f8e4m3fn, f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f8e8m0fnu,
};
pub use narrow::{Narrow, i2, i4, u2, u4};
pub use near::{distance, nearest};
pub use numerics::{CHAIN, NUMERICS_VERSION, chains, flushed, flushed_multiply_add};
pub use panic::panic_message;
pub use stdio::{report, visible};
pub use ty::{Dims, Type};
pub use value::HostElement;
pub use view::HostView;
