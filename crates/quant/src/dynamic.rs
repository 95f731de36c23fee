//! Products of integers, with activations quantized as they come.

use jarrah_array::{Array, DType, Error, along, custom_jvp, fail, lax, scan, where_};

use crate::check::{relay, require, with};
use crate::scales::Scales;
use crate::tensor::{QuantizedTensor, RowsOf, Signed};

/// `x W` in integers: each row of `x`, `[.., K]`, is quantized to 8 bits by its largest magnitude, and multiplied with the integers of `W`,
/// `[K, N]`, exactly.
///
/// `y[m, n] = sum_g s[g, m, n] (scale[m] scale[g, n])` in `f32`, in the order of the groups of `W`, where `s` is an exact sum of integers,
/// `s[g, m, n] = sum_(k in g) q[m, k] (w[k, n] - zero[g, n])`, `q[m, k] = round(x[m, k] / scale[m])` and `scale[m] = max |x[m, :]| / 127`;
/// rounded to the dtype of `x`.
///
/// The derivative is that of [`QuantizedTensor::apply`], as the rounding of `x` has none (straight through).
///
/// # Errors
/// A weight that is not of integers, or a stack of several; groups of more than 65536 rows, whose sums may not fit into 32 bits; and operands
/// without a product: program errors.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_quant::{Scheme, dynamic_matmul, quantize};
/// let w = quantize(&Array::from_slice(&[127.0f32, 2.0]).reshape(&[2, 1]), Scheme::INT8);
/// let x = Array::from_slice(&[127.0f32, -3.0]).reshape(&[1, 2]);
/// assert_eq!(dynamic_matmul(&x, &w).item::<f32>()?, 127.0 * 127.0 - 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dynamic_matmul(x: &Array, w: &QuantizedTensor) -> Array {
    w.times_in_integers(x)
}

/// As many products of a code of 8 bits and one less its zero point fit into 32 bits.
const MOST_ROWS: usize = 1 << 16;

impl QuantizedTensor {
    /// The product of [`dynamic_matmul`].
    #[track_caller]
    pub(crate) fn times_in_integers(&self, x: &Array) -> Array {
        let op = "dynamic_matmul";
        let shape = self.shape();
        if self.signed().is_none() || shape.len() != 2 {
            let (name, codes) = (self.scheme.name, self.codes.ty());
            fail(
                Error::program(format!(
                    "the weight is {name}, codes {codes}: products of integers take those of one matrix (`int8`, `int4`, `uint8`, `uint4`); quantize it \
                     by `Scheme::INT8`, or use `apply`"
                ))
                .op(op),
            )
        }
        require(op, x.dtype().is_float() && x.shape().last() == Some(&shape[0]), || {
            format!(
                "the left operand is {}, and the right one has {} rows: floats with as many columns multiply them",
                x.ty(),
                shape[0]
            )
        });
        self.in_integers(op, x, None)
    }

    /// The product in integers: with one matrix, or of groups of rows of `x` with those of a stack.
    #[track_caller]
    pub(crate) fn in_integers(&self, op: &str, x: &Array, rows: Option<RowsOf>) -> Array {
        let shape = self.shape();
        let each = shape[shape.len() - 2] / self.groups(op).max(1);
        require(op, each <= MOST_ROWS, || {
            format!(
                "{each} rows of the weight have one scale, and exact sums are of {MOST_ROWS} at most; quantize it by groups"
            )
        });
        let w = &QuantizedTensor { scheme: self.scheme.of_plain_activations(), ..self.clone() };
        let f = custom_jvp(product, |primals: &Operands, (dx, dw, _): &Operands| {
            let (x, w, rows) = primals;
            let sizes = rows.as_ref().map(|rows| &rows.sizes);
            let tangent = match w.has_scaled_sums(x.dtype()) {
                true => w.tangent_of_sums(&w.taken(x), &w.taken(dx), dw, sizes),
                false => {
                    let by_scales = QuantizedTensor { scales: dw.scales.clone(), ..w.clone() };
                    let by = |w: &QuantizedTensor, x: &Array| match sizes {
                        Some(sizes) => w.apply_grouped(x, sizes),
                        None => w.apply(x),
                    };
                    by(w, dx) + by(&by_scales, x)
                }
            };
            (product(primals), tangent)
        });
        // Scales that are quantized in turn have their derivative outside.
        let w = QuantizedTensor { scales: Scales::Plain(w.scales.values()), ..w.clone() };
        relay(|| f(&(x.clone(), w, rows)))
    }
}

/// The left factor, the right one, and, of a stack, which rows go with each matrix.
type Operands = (Array, QuantizedTensor, Option<RowsOf>);

fn product((x, w, rows): &Operands) -> Array {
    let dtype = x.dtype();
    let wide = w.taken(x).astype(DType::F32);
    let scale = wide.abs().max(along(-1).keepdims().initial(0)) / 127.0f32;
    let codes = (&wide / where_(&scale.eq(0.0), 1.0f32, &scale)).round().astype(DType::I8);
    let Some(Signed { integers, less }) = w.signed() else {
        fail(Error::internal("the weight has integers").op("dynamic_matmul"))
    };
    let scales = w.scales.values();
    let of_rows = |x: &Array| rows.as_ref().map_or_else(|| x.clone(), |rows| rows.each(x));
    let sums = |codes: &Array, integers: &Array, scaled: &Array, less: Option<&Array>| {
        let axes = (&[codes.rank() - 1][..], &[0][..]);
        let sums = match rows {
            Some(rows) => lax::ragged_dot_as(codes, integers, &rows.sizes, DType::I32),
            None => lax::dot_general_as(codes, integers, axes, (&[], &[]), DType::I32),
        };
        let sums = match less {
            Some(less) => sums - codes.astype(DType::I32).sum(along(-1).keepdims()) * of_rows(less),
            None => sums,
        };
        sums.astype(DType::F32) * (&scale * of_rows(scaled))
    };
    let (stack, [inner, columns]) = {
        let shape = w.shape();
        (shape[..shape.len() - 2].to_vec(), [shape[shape.len() - 2], shape[shape.len() - 1]])
    };
    let groups = scales.shape()[stack.len()];
    let y = if groups == 1 {
        sums(&codes, &integers, &scales.squeeze(-2), less.map(|less| less.squeeze(-2)).as_ref())
    } else {
        let (lead, each) = (&x.shape()[..x.rank() - 1], inner.checked_div(groups).unwrap_or(0));
        let codes = codes.reshape(&with(lead, &[groups, each])[..]).moveaxis(-2, 0);
        let integers = integers.reshape(&with(&stack, &[groups, each, columns])[..]).moveaxis(-3, 0);
        let (scales, less) = (scales.moveaxis(-2, 0), less.map(|less| less.moveaxis(-2, 0)));
        let zero = Array::zeros(&with(lead, &[columns]));
        let add = |sum: &Array, (codes, integers, scaled, less): &(Array, Array, Array, Option<Array>)| {
            (sum + sums(codes, integers, scaled, less.as_ref()), ())
        };
        scan(add, &zero, &(codes, integers, scales, less)).0
    };
    let y = match rows {
        Some(rows) => rows.but_behind(&y),
        None => y,
    };
    y.astype(dtype)
}
