//! Arrays of numbers as they stand in a program: `Array::scalar(0.5)`, `array![[1.0, 2.0], [3.0, 4.0]]`.

use jarrah_base::{
    HostElement, bf16, c64, c128, f4e2m1fn, f6e2m3fn, f6e3m2fn, f8e3m4, f8e4m3, f8e4m3b11fnuz, f8e4m3fn,
    f8e4m3fnuz, f8e5m2, f8e5m2fnuz, f8e8m0fnu, f16, i2, i4, u2, u4,
};

use crate::array::Array;

/// A number whose Rust type says which dtype an array of it has: every [`HostElement`] but `f64`. A literal such as `0.5` is an `f32` then, as `1` is an
/// `i32`: an `f64` would make doubles of all that it meets.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which dtype its array has",
    label = "not one number of a dtype",
    note = "a literal is `f32` or `i32`; of an `f64`, write `Array::scalar_in(x, DType::F64)`, or `Array::new(&[x], &[])`"
)]
pub trait Scalar: HostElement {}

/// Numbers as `array!` takes them: a [`Scalar`], or rows of equal length, nested as deep as the array has axes.
pub trait Nested {
    /// The type of the numbers.
    type Number: Scalar;

    /// Appends the extents, of which nested rows have their own behind them.
    fn extents(extents: &mut Vec<usize>);

    /// Appends the numbers in row-major order.
    fn numbers(&self, numbers: &mut Vec<Self::Number>);
}

macro_rules! scalars {
    ($($t:ty)*) => {$(
        impl Scalar for $t {}

        impl Nested for $t {
            type Number = $t;

            fn extents(_: &mut Vec<usize>) {}

            fn numbers(&self, numbers: &mut Vec<$t>) {
                numbers.push(*self);
            }
        }
    )*};
}

scalars!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 bf16 f16 c64 c128 i2 i4 u2 u4);
scalars!(f4e2m1fn f6e2m3fn f6e3m2fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu);

impl<T: Nested, const N: usize> Nested for [T; N] {
    type Number = T::Number;

    fn extents(extents: &mut Vec<usize>) {
        extents.push(N);
        T::extents(extents);
    }

    fn numbers(&self, numbers: &mut Vec<T::Number>) {
        self.iter().for_each(|row| row.numbers(numbers));
    }
}

impl<T: Nested, const N: usize> From<[T; N]> for Array {
    /// The array of these numbers, as [`array!`](crate::array) makes it.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// assert_eq!(Array::from([[1, 2, 3], [4, 5, 6]]).shape(), [2, 3]);
    /// ```
    #[track_caller]
    fn from(rows: [T; N]) -> Array {
        let (mut extents, mut numbers) = (Vec::new(), Vec::new());
        <[T; N]>::extents(&mut extents);
        rows.numbers(&mut numbers);
        Array::new(&numbers, &extents)
    }
}

/// An array of numbers, nested as deep as it has axes. Literals are `f32` or `i32`, as `1.0` and `1` are elsewhere in this library; numbers of
/// other dtypes are written as such: `array![1u8, 2]`, `array![bf16::from_f32(0.5)]`.
///
/// ```
/// use jarrah_array::{DType, array};
/// let x = array![[1.0, 2.0], [3.0, 4.0]];
/// assert_eq!((x.shape().to_vec(), x.dtype()), (vec![2, 2], DType::F32));
/// assert_eq!(array![1, 2, 3].dtype(), DType::I32);
/// assert_eq!(array![2.5].to_string(), "f32[1] [2.5]");
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[macro_export]
macro_rules! array {
    ($($row:expr),+ $(,)?) => {
        $crate::Array::from([$($row),+])
    };
}
