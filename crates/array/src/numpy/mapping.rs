//! Functions of vectors applied along an axis, and mapped over all other axes.

use jarrah_base::{DType, Error, Location};

use crate::array::Array;
use crate::elementwise::select;
use crate::error::{fail, fail_at, with_context};
use crate::numpy::resolve;
use crate::operators::{IntoOperand, broadcast_shapes};
use crate::vmap::vmap;

impl Array {
    /// `f` of each vector along an axis; the axis is replaced by the axes of the result of `f`.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::arange(6).reshape(&[2, 3]);
    /// assert_eq!(x.apply_along_axis(|v: &Array| v.max(0), 1).to_vec::<i32>()?, [2, 5]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn apply_along_axis(&self, f: impl Fn(&Array) -> Array, axis: isize) -> Array {
        let at = resolve("apply_along_axis", self, axis, self.rank());
        let moved = self.moveaxis(at as isize, -1);
        let lead = moved.shape()[..self.rank() - 1].to_vec();
        let rows: usize = lead.iter().product();
        let results = vmap(f)(&moved.reshaped(&[rows, self.shape()[at]]));
        let inner = results.shape()[1..].to_vec();
        let mut result = results.reshaped(&[&lead[..], &inner].concat());
        // The new axes come after the others; they belong where the old one was.
        for i in 0..inner.len() {
            result = result.moveaxis((lead.len() + i) as isize, (at + i) as isize);
        }
        result
    }

    /// For each element, the function of the last condition that is true there, or `otherwise` if none is.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[-2.0f32, 1.0, 3.0]);
    /// let (negate, half, keep) = (|x: &Array| -x, |x: &Array| x / 2, |x: &Array| x.clone());
    /// let y = x.piecewise(&[&x.lt(0), &x.gt(1)], &[&negate, &half], &keep);
    /// assert_eq!(y.to_vec::<f32>()?, [2.0, 1.0, 1.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn piecewise(
        &self,
        conditions: &[&Array],
        functions: &[&dyn Fn(&Array) -> Array],
        otherwise: &dyn Fn(&Array) -> Array,
    ) -> Array {
        let mut choices = Vec::with_capacity(functions.len());
        for f in functions {
            choices.push(f(self).astype(self.dtype()));
        }
        let conditions: Vec<&Array> = conditions.iter().rev().copied().collect();
        let choices: Vec<&Array> = choices.iter().rev().collect();
        select(&conditions, &choices, otherwise(self).astype(self.dtype()))
    }

    /// The array with `values` at positions in row-major order; positions out of range are ignored.
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::zeros(&[2, 2]).put(&Array::from_slice(&[1i32, 2, 9]), 5.0);
    /// assert_eq!(x.to_vec::<f32>()?, [0.0, 5.0, 5.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn put(&self, positions: &Array, values: impl IntoOperand) -> Array {
        self.ravel().at(positions.ravel()).set(values).reshaped(&self.shape())
    }

    /// The array with `values` at positions along an axis: the counterpart of [`Array::take_along_axis`].
    ///
    /// ```
    /// # use jarrah_array::Array;
    /// let x = Array::from_slice(&[1i32, 8, 9, 3]).reshape(&[2, 2]);
    /// let largest = x.argmax(1).expand_dims(1);
    /// assert_eq!(x.put_along_axis(&largest, 0, 1).to_vec::<i32>()?, [1, 0, 0, 3]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn put_along_axis(&self, positions: &Array, values: impl IntoOperand, axis: isize) -> Array {
        let at = resolve("put_along_axis", self, axis, self.rank());
        let mut indices = Vec::with_capacity(self.rank());
        for axis in 0..self.rank() {
            indices.push(match axis == at {
                true => positions.clone(),
                false => crate::lax::iota(DType::I32, &positions.shape(), axis),
            });
        }
        let indices: Vec<crate::Index> = indices.into_iter().map(Into::into).collect();
        self.at(indices).set(values)
    }
}

/// `f`, a function of arrays with the axes that `signature` names, of arrays with further axes in front, which broadcast:
/// `"(n,m),(m)->(n)"`. Axes of one name have one extent.
///
/// # Errors
///
/// A program error if the operands or results have not the axes that the signature names.
///
/// ```
/// use jarrah_array::{Array, numpy::vectorize};
/// let dot = vectorize("(n),(n)->()", |x: &[Array]| vec![(&x[0] * &x[1]).sum(..)]);
/// let products = dot(&[&Array::ones(&[2, 1, 3]), &Array::ones(&[5, 3])]);
/// assert_eq!(products[0].shape(), [2, 5]);
/// ```
#[track_caller]
pub fn vectorize(signature: &str, f: impl Fn(&[Array]) -> Vec<Array>) -> impl Fn(&[&Array]) -> Vec<Array> {
    let made = Location::caller();
    let inputs = signature.split_once("->").map_or(signature, |(inputs, _)| inputs);
    // Each operand is a list of names in parentheses.
    let cores: Vec<usize> = inputs
        .split_inclusive(')')
        .map(|core| core.split(['(', ')', ',']).filter(|name| !name.trim().is_empty()).count())
        .collect();
    move |arrays| {
        if arrays.len() != cores.len() || arrays.iter().zip(&cores).any(|(x, &core)| x.rank() < core) {
            let types: Vec<String> = arrays.iter().map(|x| x.ty().to_string()).collect();
            let error =
                Error::program(format!("the operands {} have not the axes {inputs}", types.join(", ")));
            fail_at(made, with_context(error.op("vectorize")));
        }
        let mut lead: Vec<usize> = Vec::new();
        for (x, &core) in arrays.iter().zip(&cores) {
            let shape = x.shape();
            match broadcast_shapes(&lead, &shape[..shape.len() - core]) {
                Some(wide) => lead = wide,
                None => {
                    let error = Error::program(format!(
                        "the leading axes of {} do not broadcast with {lead:?}",
                        x.ty()
                    ));
                    fail_at(made, with_context(error.op("vectorize")))
                }
            }
        }
        let batch: usize = lead.iter().product();
        let mut rows = Vec::with_capacity(arrays.len());
        for (x, &core) in arrays.iter().zip(&cores) {
            let shape = x.shape();
            let core = &shape[shape.len() - core..];
            rows.push(x.broadcast_to(&[&lead[..], core].concat()).reshaped(&[&[batch], core].concat()));
        }
        let results = vmap(|x: &Vec<Array>| f(x))(&rows);
        results.iter().map(|y| y.reshaped(&[&lead[..], &y.shape()[1..]].concat())).collect()
    }
}

/// The common dtype of arrays, which operations on them give; an empty list is a program error.
///
/// ```
/// use jarrah_array::{Array, DType, numpy::result_type};
/// assert_eq!(result_type(&[&Array::scalar(1u8), &Array::scalar(1i8)]), DType::I16);
/// ```
#[track_caller]
pub fn result_type(arrays: &[&Array]) -> DType {
    match arrays.iter().map(|x| x.dtype()).reduce(crate::promote_types) {
        Some(dtype) => dtype,
        None => {
            fail(with_context(Error::program("there is no array").op("result_type").at(Location::caller())))
        }
    }
}

/// The precision and range of a float type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finfo {
    /// The number of bits.
    pub bits: u32,
    /// From 1 to the next larger number.
    pub eps: f64,
    /// The largest finite number.
    pub max: f64,
    /// The lowest finite number.
    pub min: f64,
}

/// The precision and range of the float type `dtype`, or of the parts of a complex type; `None` for other dtypes.
///
/// ```
/// use jarrah_array::{DType, numpy::finfo};
/// assert_eq!(finfo(DType::F32).map(|info| info.eps), Some(f64::from(f32::EPSILON)));
/// ```
pub fn finfo(dtype: DType) -> Option<Finfo> {
    let dtype = dtype.real();
    let (min, max) = dtype.finite_range()?;
    let one = Array::full(&[], 1, dtype);
    let step = one.nextafter(Array::full(&[], 2, dtype)).to_f64().ok()? - 1.0;
    Some(Finfo { bits: dtype.bits(), eps: step, max, min })
}
