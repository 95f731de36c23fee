use std::fmt;
use std::sync::{LazyLock, Mutex};

use smallvec::SmallVec;

use crate::dim::{Dim, concrete, span};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::intern::{Intern, Interned, Table};

/// The type of a value in a program: element type, extents, and whether it is a tensor or a reference to one.
///
/// A handle to an interned [`TypeData`]: `Copy`, and compared by pointer.
pub type Type = Interned<TypeData>;

/// What a [`Type`] says.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TypeData {
    kind: TypeKind,
    dtype: DType,
    dims: SmallVec<[Dim; 6]>,
}

/// Whether a value is a tensor or names one in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeKind {
    /// An immutable tensor.
    Tensor,
    /// A block of memory a kernel loads from and stores to.
    Ref,
}

impl Intern for TypeData {
    fn table() -> &'static Table<Self> {
        static TABLE: LazyLock<Table<TypeData>> = LazyLock::new(|| Mutex::new(Default::default()));
        &TABLE
    }
}

impl Type {
    /// The tensor type with these extents.
    pub fn tensor(dtype: DType, dims: impl IntoIterator<Item = impl Into<Dim>>) -> Type {
        let dims = dims.into_iter().map(Into::into).collect();
        Interned::new(TypeData { kind: TypeKind::Tensor, dtype, dims })
    }

    /// The type of a rank-0 tensor.
    pub fn scalar(dtype: DType) -> Type {
        Type::tensor(dtype, [] as [Dim; 0])
    }

    /// The type of a reference to a block with these extents.
    pub fn reference(dtype: DType, dims: impl IntoIterator<Item = impl Into<Dim>>) -> Type {
        let dims = dims.into_iter().map(Into::into).collect();
        Interned::new(TypeData { kind: TypeKind::Ref, dtype, dims })
    }

    /// The element type.
    pub fn dtype(self) -> DType {
        self.get().dtype
    }

    /// The extents.
    pub fn dims(self) -> &'static [Dim] {
        &self.get().dims
    }

    /// Tensor or reference.
    pub fn kind(self) -> TypeKind {
        self.get().kind
    }

    /// Whether this is a reference.
    pub fn is_ref(self) -> bool {
        self.kind() == TypeKind::Ref
    }

    /// The number of axes.
    pub fn rank(self) -> usize {
        self.dims().len()
    }

    /// The extent of `axis`, which must be below the rank.
    pub fn dim(self, axis: usize) -> Dim {
        self.dims()[axis]
    }

    /// The number of elements.
    ///
    /// # Errors
    /// An extent is a symbol, or the elements exceed the address space, extents of 0 left out.
    pub fn elements(self) -> Result<usize> {
        Ok(self.bytes()? / self.dtype().size())
    }

    /// The number of bytes of the elements.
    ///
    /// # Errors
    /// As [`Type::elements`].
    pub fn bytes(self) -> Result<usize> {
        let dims = concrete(self.dims())?;
        let span = self.span(&dims)?;
        Ok(if dims.contains(&0) { 0 } else { span })
    }

    /// Checks that the elements fit the address space, as far as the extents are known: a program has no other types, so
    /// products of extents of a value do not overflow.
    ///
    /// # Errors
    /// They do not.
    pub fn check_size(self) -> Result<()> {
        let known: SmallVec<[usize; 6]> = self.dims().iter().filter_map(|d| d.constant()).collect();
        self.span(&known).map(|_| ())
    }

    /// The bytes of as many elements as the product of the extents that are not 0.
    fn span(self, dims: &[usize]) -> Result<usize> {
        let bytes = span(dims).and_then(|n| n.checked_mul(self.dtype().size()));
        let bytes = bytes.filter(|&bytes| bytes <= isize::MAX as usize);
        bytes.ok_or_else(|| Error::program(format!("{self} has too many elements")))
    }

    /// The tensor type with the same extents and another element type.
    pub fn with_dtype(self, dtype: DType) -> Type {
        Type::tensor(dtype, self.dims().iter().copied())
    }

    /// The tensor type with the same element type and other extents.
    pub fn with_dims(self, dims: impl IntoIterator<Item = impl Into<Dim>>) -> Type {
        Type::tensor(self.dtype(), dims)
    }

    /// The tensor type with one more axis of extent `dim` in front.
    pub fn with_leading(self, dim: Dim) -> Type {
        Type::tensor(self.dtype(), std::iter::once(dim).chain(self.dims().iter().copied()))
    }

    /// The tensor type without its first axis, which must exist.
    pub fn without_leading(self) -> Type {
        Type::tensor(self.dtype(), self.dims()[1..].iter().copied())
    }
}

impl fmt::Display for TypeData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == TypeKind::Ref {
            f.write_str("&")?;
        }
        write!(f, "{}[", self.dtype)?;
        for (i, d) in self.dims.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{d}")?;
        }
        f.write_str("]")
    }
}

impl fmt::Debug for TypeData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Interned<TypeData> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.get(), f)
    }
}
