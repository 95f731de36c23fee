use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::dtype::DType;
use crate::element::{Element, c128};
use crate::error::{Error, Result};
use crate::memory;
use crate::ty::Type;
use crate::view::HostView;
use crate::with_element;

/// A tensor in host memory: the value of constants, of the reference evaluator, of files and of tests.
///
/// Elements are dense and row-major. Cloning shares the storage; writing through [`Literal::as_mut_slice`] copies
/// storage that is shared.
#[derive(Clone)]
pub struct Literal {
    ty: Type,
    storage: Storage,
}

#[derive(Clone)]
enum Storage {
    // Words, so that every element type is aligned.
    Owned(Arc<Vec<u64>>),
    /// Of somebody else, as long as the tensor, and aligned as words are.
    Lent(HostView),
}

impl Storage {
    /// The bytes, and perhaps some behind the last element.
    fn bytes(&self) -> &[u8] {
        match self {
            Storage::Owned(words) => bytemuck::cast_slice(words),
            Storage::Lent(view) => view.bytes(),
        }
    }
}

impl Literal {
    /// The tensor of type `ty` whose elements are all zero.
    ///
    /// # Errors
    /// The elements of `ty` exceed the address space; there is no memory for a tensor of this size (environment).
    pub fn zeros(ty: Type) -> Result<Self> {
        let bytes = ty.bytes()?;
        memory::check(bytes, &ty)?;
        Ok(Literal { ty, storage: Storage::Owned(Arc::new(vec![0; bytes.div_ceil(8)])) })
    }

    /// The tensor with the extents `dims` and these elements in row-major order.
    ///
    /// # Errors
    /// The number of elements is not the product of the extents.
    ///
    /// ```
    /// use jarrah_base::Literal;
    /// let x = Literal::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// assert_eq!(x.ty().to_string(), "f32[2,2]");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn from_slice<T: Element>(dims: &[usize], values: &[T]) -> Result<Self> {
        let ty = Type::tensor(T::DTYPE, dims.iter().copied());
        Self::check_count(ty, values.len())?;
        Self::from_bytes(ty, bytemuck::cast_slice(values))
    }

    /// The rank-0 tensor `value`.
    pub fn scalar<T: Element>(value: T) -> Self {
        Self::from_slice(&[], &[value]).expect("invariant: one element fills a scalar")
    }

    /// The tensor of truth values with the extents `dims`.
    ///
    /// # Errors
    /// The number of elements is not the product of the extents.
    pub fn from_bools(dims: &[usize], values: &[bool]) -> Result<Self> {
        let ty = Type::tensor(DType::Bool, dims.iter().copied());
        Self::check_count(ty, values.len())?;
        let bytes: Vec<u8> = values.iter().map(|&b| u8::from(b)).collect();
        Self::from_bytes(ty, &bytes)
    }

    /// The tensor of type `ty` with these little-endian bytes; what lies above elements narrower than a byte is dropped.
    ///
    /// # Errors
    /// The length is not the type's size.
    pub fn from_bytes(ty: Type, bytes: &[u8]) -> Result<Self> {
        let size = ty.bytes()?;
        if bytes.len() != size {
            return Err(Error::program(format!("{ty} has {size} bytes, but {} were given", bytes.len())));
        }
        let mut literal = Self::zeros(ty)?;
        literal.bytes_mut().copy_from_slice(bytes);
        if let bits @ 2..8 = ty.dtype().bits() {
            // Equal values have equal bytes.
            literal.bytes_mut().iter_mut().for_each(|b| *b &= 0xff >> (8 - bits));
        }
        Ok(literal)
    }

    /// The tensor of type `ty` whose elements are these little-endian bytes, where they lie: they are copied only where their
    /// alignment does not allow for that, or elements are narrower than a byte.
    ///
    /// # Errors
    /// The length is not the type's size.
    ///
    /// ```
    /// use jarrah_base::{DType, HostView, Literal, Type};
    /// let bytes = HostView::new(vec![7u8; 1 << 20]);
    /// let tensor = Literal::lent(Type::tensor(DType::U8, [1 << 20]), bytes.clone())?;
    /// assert_eq!(tensor.bytes().as_ptr(), bytes.bytes().as_ptr());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn lent(ty: Type, view: HostView) -> Result<Self> {
        let bytes = view.bytes();
        let aligned = bytes.as_ptr().addr().is_multiple_of(align_of::<u64>());
        if !aligned || ty.dtype().bits() < 8 || bytes.len() != ty.bytes()? {
            return Self::from_bytes(ty, bytes);
        }
        Ok(Literal { ty, storage: Storage::Lent(view) })
    }

    /// The tensor of type `ty` whose elements all have the value `x`, rounded to the element type.
    ///
    /// # Errors
    /// As [`Literal::zeros`].
    pub fn full(ty: Type, x: f64) -> Result<Self> {
        let mut literal = Self::zeros(ty)?;
        with_element!(ty.dtype(), T => {
            literal.as_mut_slice_unchecked::<T>().fill(<T as Element>::from_f64(x));
        });
        Ok(literal)
    }

    /// The tensor of type `ty` whose elements all have the value `x`, rounded to the element type; types that are not
    /// complex take its real part.
    ///
    /// # Errors
    /// As [`Literal::zeros`].
    pub fn full_c128(ty: Type, x: c128) -> Result<Self> {
        let mut literal = Self::zeros(ty)?;
        with_element!(ty.dtype(), T => {
            literal.as_mut_slice_unchecked::<T>().fill(<T as Element>::from_c128(x));
        });
        Ok(literal)
    }

    /// The tensor of type `ty` with these elements in row-major order, each rounded to the element type.
    ///
    /// # Errors
    /// The number of elements is not that of `ty`.
    pub fn from_f64s(ty: Type, values: &[f64]) -> Result<Self> {
        let mut literal = Self::zeros_for(ty, values.len())?;
        with_element!(ty.dtype(), T => {
            let elements = literal.as_mut_slice_unchecked::<T>().iter_mut();
            elements.zip(values).for_each(|(to, &x)| *to = <T as Element>::from_f64(x));
        });
        Ok(literal)
    }

    /// The tensor of type `ty` with these elements in row-major order, each wrapped or rounded to the element type.
    ///
    /// # Errors
    /// As [`Literal::from_f64s`].
    pub fn from_i128s(ty: Type, values: &[i128]) -> Result<Self> {
        let mut literal = Self::zeros_for(ty, values.len())?;
        with_element!(ty.dtype(), T => {
            let elements = literal.as_mut_slice_unchecked::<T>().iter_mut();
            elements.zip(values).for_each(|(to, &x)| *to = <T as Element>::from_i128(x));
        });
        Ok(literal)
    }

    /// The tensor of type `ty` with these elements in row-major order, each rounded to the element type; types that are
    /// not complex take the real parts.
    ///
    /// # Errors
    /// As [`Literal::from_f64s`].
    pub fn from_c128s(ty: Type, values: &[c128]) -> Result<Self> {
        let mut literal = Self::zeros_for(ty, values.len())?;
        with_element!(ty.dtype(), T => {
            let elements = literal.as_mut_slice_unchecked::<T>().iter_mut();
            elements.zip(values).for_each(|(to, &x)| *to = <T as Element>::from_c128(x));
        });
        Ok(literal)
    }

    fn zeros_for(ty: Type, count: usize) -> Result<Self> {
        Self::check_count(ty, count)?;
        Self::zeros(ty)
    }

    fn check_count(ty: Type, count: usize) -> Result<()> {
        let elements = ty.elements()?;
        if elements == count {
            return Ok(());
        }
        Err(Error::program(format!("{ty} has {elements} elements, but {count} were given")))
    }

    /// The type.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.ty.dtype()
    }

    /// The extents.
    pub fn dims(&self) -> Vec<usize> {
        self.ty.extents().collect()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.byte_len() / self.dtype().size()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn byte_len(&self) -> usize {
        self.ty.bytes().expect("invariant: a literal fits the address space")
    }

    /// The elements as little-endian bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.storage.bytes()[..self.byte_len()]
    }

    /// The bytes of somebody else that the tensor lies in, if it does.
    pub fn lender(&self) -> Option<&HostView> {
        match &self.storage {
            Storage::Owned(_) => None,
            Storage::Lent(view) => Some(view),
        }
    }

    /// The elements as bytes, to write; shared storage is copied first.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let size = self.byte_len();
        if let Storage::Lent(view) = &self.storage {
            let mut words = vec![0; size.div_ceil(8)];
            bytemuck::cast_slice_mut(&mut words)[..size].copy_from_slice(view.bytes());
            self.storage = Storage::Owned(Arc::new(words));
        }
        match &mut self.storage {
            Storage::Owned(words) => {
                &mut bytemuck::cast_slice_mut(Arc::make_mut(words).as_mut_slice())[..size]
            }
            Storage::Lent(_) => unreachable!("invariant: lent bytes were copied"),
        }
    }

    /// The elements, of type `T`; truth values are read as `u8`.
    ///
    /// # Errors
    /// `T` is another element type.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        self.check::<T>()?;
        Ok(bytemuck::cast_slice(self.bytes()))
    }

    /// The elements, of type `T`, to write; shared storage is copied first.
    ///
    /// # Errors
    /// `T` is another element type.
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        self.check::<T>()?;
        Ok(self.as_mut_slice_unchecked())
    }

    fn as_mut_slice_unchecked<T: Element>(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(self.bytes_mut())
    }

    fn check<T: Element>(&self) -> Result<()> {
        let dtype = if self.dtype() == DType::Bool { DType::U8 } else { self.dtype() };
        if dtype == T::DTYPE {
            return Ok(());
        }
        Err(Error::program(format!("a tensor of {} was read as {}", self.dtype(), T::DTYPE)))
    }

    /// The element at the row-major position `index` as a double.
    pub fn get_f64(&self, index: usize) -> f64 {
        with_element!(self.dtype(), T => bytemuck::cast_slice::<u8, T>(self.bytes())[index].to_f64())
    }

    /// The element at the row-major position `index` as a wide integer; floats truncate.
    pub fn get_i128(&self, index: usize) -> i128 {
        with_element!(self.dtype(), T => bytemuck::cast_slice::<u8, T>(self.bytes())[index].to_i128())
    }

    /// The element at the row-major position `index` as a complex number.
    pub fn get_c128(&self, index: usize) -> c128 {
        with_element!(self.dtype(), T => bytemuck::cast_slice::<u8, T>(self.bytes())[index].to_c128())
    }

    /// All elements as complex numbers, in row-major order.
    pub fn to_c128_vec(&self) -> Vec<c128> {
        with_element!(self.dtype(), T => {
            bytemuck::cast_slice::<u8, T>(self.bytes()).iter().map(|x| x.to_c128()).collect()
        })
    }

    /// All elements as wide integers, in row-major order; floats truncate.
    pub fn to_i128_vec(&self) -> Vec<i128> {
        with_element!(self.dtype(), T => {
            bytemuck::cast_slice::<u8, T>(self.bytes()).iter().map(|x| x.to_i128()).collect()
        })
    }

    /// All elements as doubles, in row-major order.
    pub fn to_f64_vec(&self) -> Vec<f64> {
        with_element!(self.dtype(), T => {
            bytemuck::cast_slice::<u8, T>(self.bytes()).iter().map(|x| x.to_f64()).collect()
        })
    }

    /// A tensor of these elements in order, with other extents.
    ///
    /// # Errors
    /// The number of elements differs.
    pub fn reshape(&self, dims: &[usize]) -> Result<Self> {
        let ty = self.ty.with_dims(dims.iter().copied());
        if ty.elements()? != self.len() {
            return Err(Error::program(format!("cannot reshape {} to {ty}", self.ty)).op("reshape"));
        }
        Ok(Literal { ty, storage: self.storage.clone() })
    }

    /// The value of every element if all are bitwise equal.
    pub fn splat(&self) -> Option<Literal> {
        let size = self.dtype().size();
        let mut elements = self.bytes().chunks_exact(size);
        let first = elements.next()?;
        elements.all(|e| e == first).then(|| {
            Self::from_bytes(Type::scalar(self.dtype()), first)
                .expect("invariant: one element fills a scalar")
        })
    }
}

/// Equal types and equal bits.
impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.bytes(), other.bytes());
        self.ty == other.ty && (std::ptr::eq(a, b) || a == b)
    }
}
impl Eq for Literal {}
impl Hash for Literal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
        // A prefix is enough to tell constants apart in practice, and keeps hashing a large one cheap.
        let bytes = self.bytes();
        bytes[..bytes.len().min(128)].hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bf16;

    #[test]
    fn writing_copies_shared_storage() {
        let a = Literal::from_slice(&[3], &[1i32, 2, 3]).unwrap();
        let mut b = a.clone();
        b.as_mut_slice::<i32>().unwrap()[0] = 9;
        assert_eq!(a.as_slice::<i32>().unwrap(), [1, 2, 3]);
        assert_eq!(b.as_slice::<i32>().unwrap(), [9, 2, 3]);
    }

    #[test]
    fn wrong_element_type_is_an_error() {
        let a = Literal::scalar(1.0f32);
        assert_eq!(a.as_slice::<i32>().unwrap_err().message(), "a tensor of f32 was read as i32");
    }

    #[test]
    fn splat_is_found() {
        let ty = Type::tensor(DType::BF16, [2, 3]);
        assert_eq!(Literal::full(ty, 1.5).unwrap().splat(), Some(Literal::scalar(bf16::from_f32(1.5))));
        assert_eq!(Literal::from_slice(&[2], &[1u8, 2]).unwrap().splat(), None);
    }
}
