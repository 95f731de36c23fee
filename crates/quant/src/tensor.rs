//! The tensor, and what it stands for.

use jarrah_array::{Array, DType, Tree, custom_jvp, lax, where_};

use crate::check::{matrices, relay, require, with};
use crate::codes::{decode, halves};
use crate::scales::Scales;
use crate::scheme::{Activations, Scheme, Values};

/// A matrix of weights, or a stack of them, in few bits.
///
/// The element of row `k` and column `n` is `(value(code[k, n]) - zero[k / g, n]) * scale[k / g, n]`, for groups of `g` rows, computed in `f32`.
/// Rows are what a product `x W` contracts. Codes of four bits lie two to a byte, `u8` of `[.., K / 2, N]`: row `2 i` is the low half of a
/// byte, row `2 i + 1` the high one.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_quant::{Scheme, quantize};
/// let w = Array::from_slice(&[7.0f32, -3.5]).reshape(&[2, 1]);
/// let q = quantize(&w, Scheme::INT4.per_channel());
/// // 7 is the code 15, -3.5 is rounded to -4, the code 4.
/// assert_eq!(q.codes.to_vec::<u8>()?, [0x4f]);
/// assert_eq!(q.dequantize(DType::F32).to_vec::<f32>()?, [7.0, -4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct QuantizedTensor {
    /// `[.., K, N]`, or `[.., K / 2, N]` bytes.
    pub codes: Array,
    /// `[.., K / g, N]`, or one column for all.
    pub scales: Scales,
    /// Integers that stand for zero, shaped as the scales: `u8` or, beyond 255, `u16`; of codes of four bits, none is beyond 16.
    pub zeros: Option<Array>,
    /// `i32`, `[K]`: the row of the matrix that each row of codes is, where the groups are not of neighbours (GPTQ's activation order).
    pub order: Option<Array>,
    /// The scheme, which says the values that codes stand for.
    #[tree(static)]
    pub scheme: Scheme,
}

/// Integers of 8 bits with a sign, less a number each.
pub(crate) struct Signed {
    /// `i8`, `[.., K, N]`.
    pub integers: Array,
    /// `i32`, shaped as the scales.
    pub less: Option<Array>,
}

impl QuantizedTensor {
    /// The shape of what the codes stand for, `[.., K, N]`.
    #[track_caller]
    pub fn shape(&self) -> Vec<usize> {
        let (lead, rows, columns) = matrices("shape", "the array of codes", &self.codes);
        with(&lead, &[rows * self.codes_per_byte(), columns])
    }

    /// The bytes of codes, scales and the rest.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_quant::{Scheme, quantize};
    /// // Half a byte each, and two for a scale of each block of 32.
    /// assert_eq!(quantize(&Array::ones(&[64, 2]), Scheme::Q4_0).bytes(), 64 + 4 * 2);
    /// ```
    pub fn bytes(&self) -> usize {
        use jarrah_array::TreeExt;
        let leaves = TreeExt::<Array>::leaves(self).into_iter();
        leaves.map(|leaf: &Array| leaf.size() * leaf.dtype().size()).sum()
    }

    /// The numbers that the codes stand for, `[.., K, N]`, rounded from `f32` to `dtype`.
    ///
    /// # Errors
    /// A `dtype` that is no float is a program error.
    #[track_caller]
    pub fn dequantize(&self, dtype: DType) -> Array {
        let op = "dequantize";
        require(op, dtype.is_float(), || {
            format!("scaled numbers are floats, not {dtype}; name a float dtype")
        });
        let rows = self.in_order_of_codes(dtype);
        match &self.order {
            Some(order) => rows.take(&order.argsort(0isize), -2),
            None => rows,
        }
    }

    /// `x W`: `[.., K]` times `[K, N]`, or each matrix of a stack times its own.
    ///
    /// Where a column of integers has one scale and no zero point, the sums are those of `x` and the integers, which are exact in every float,
    /// times the scale in `f32`, rounded once. So are those of groups of 8, 16, ... 128 rows of one matrix, where codes less zero points are exact in
    /// the dtype of `x`, `f32`, `bf16` or `f16` (all but `NF4`):
    ///
    /// `y[m, n] = sum over groups g of scale[g, n] (sum over k in g of x[m, k] (value(code[k, n]) - zero[g, n]))`,
    ///
    /// in `f32`, rounded once; rows `i` and `i + 4` of eight that codes of four bits make are neighbours in the order of a sum. Elsewhere the product is that of `x` and [`dequantize`](Self::dequantize) in the dtype of `x`. Where
    /// [`order`](Self::order) is given, the sums are in that order. A matrix whose scheme quantizes [`Activations`] is multiplied by
    /// [`dynamic_matmul`](crate::dynamic_matmul). The derivative by `x` is the product with what is dequantized.
    ///
    /// # Errors
    /// Operands without such a product, or an `x` that is not of floats, are program errors.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_quant::{Scheme, quantize};
    /// let w = quantize(&Array::eye(32), Scheme::Q8_0);
    /// let x = Array::arange(32.0);
    /// assert_eq!(w.apply(&x).to_vec::<f32>()?, (&x * (w.scales.values().at((0, 0)).get() * 127.0)).to_vec::<f32>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn apply(&self, x: &Array) -> Array {
        let op = "quantized matmul";
        require(op, x.dtype().is_float(), || {
            format!("the left operand is {}, and quantized weights multiply floats; use `astype`", x.ty())
        });
        let shape = self.shape();
        let rows = shape[shape.len() - 2];
        require(op, x.shape().last() == Some(&rows), || {
            let right = x.ty().with_dims(shape.iter().copied());
            format!(
                "the left operand is {}, and the right one is {right}, quantized, with {rows} rows; end the left one in {rows}, or transpose the matrix before it is quantized",
                x.ty()
            )
        });
        if self.scheme.activations == Activations::Int8 && shape.len() == 2 {
            return self.times_in_integers(x);
        }
        let x = &self.taken(x);
        match self.integers_of_columns().filter(|_| x.dtype().size() > 1) {
            Some((integers, scales)) => {
                let wide = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
                let sums = x.matmul_as(&integers.astype(x.dtype()), wide);
                let scales = if x.rank() == 1 { scales.squeeze(-2) } else { scales };
                (sums * scales.astype(wide)).astype(x.dtype())
            }
            None if shape.len() == 2 && self.has_scaled_sums(x.dtype()) => self.scaled_sums(x, None),
            None => x.matmul(&self.in_order_of_codes(x.dtype())),
        }
    }

    /// Consecutive groups of rows of `x`, each times its matrix of a stack: `[M, K]` times `[E, K, N]`, `[M, N]`. Group `e` has `sizes[e]` rows,
    /// `i32` of `[E]`; rows behind the last group are 0.
    ///
    /// `y[m, n] = sum over k of x[m, k] w[e, k, n]`, of the group `e` of row `m`: rows of a group have the bits of the product with its matrix that
    /// [`apply`](Self::apply) has.
    ///
    /// # Errors
    /// Operands without such a product, or an `x` of other types than `f16`, `bf16`, `f32` and `f64`, are program errors.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_quant::{Scheme, quantize};
    /// // Two experts that multiply by 1 and by 10; one row goes to the first, two to the second, one to none.
    /// let w = quantize(&Array::new(&[1.0f32, 10.0], &[2, 1, 1]), Scheme::INT8);
    /// let y = w.apply_grouped(&Array::ones(&[4, 1]), &Array::from_slice(&[1i32, 2]));
    /// assert_eq!(y.to_vec::<f32>()?, [1.0, 10.0, 10.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn apply_grouped(&self, x: &Array, sizes: &Array) -> Array {
        let op = "quantized grouped matmul";
        let shape = self.shape();
        let fits = shape.len() == 3
            && x.rank() == 2
            && x.shape()[1] == shape[1]
            && sizes.shape() == [shape[0]]
            && x.dtype().is_float()
            && x.dtype().size() > 1;
        require(op, fits, || {
            let right = x.ty().with_dims(shape.iter().copied());
            format!(
                "rows {} are multiplied by a stack {right}, quantized, in groups of {}; give floats of 16 bits or more, [rows, K], a stack of [groups, K, N] and the rows of each group",
                x.ty(),
                sizes.ty()
            )
        });
        if shape[0] == 0 {
            return Array::full(&[x.shape()[0], shape[2]], 0, x.dtype());
        }
        let rows = || RowsOf::new(sizes, x.shape()[0], shape[0]);
        if self.scheme.activations == Activations::Int8 {
            return self.in_integers(op, x, Some(rows()));
        }
        let x = &self.taken(x);
        let Some((integers, scales)) = self.integers_of_columns() else {
            return match self.has_scaled_sums(x.dtype()) {
                true => self.scaled_sums(x, Some(sizes)),
                false => lax::ragged_dot(x, &self.in_order_of_codes(x.dtype()), sizes),
            };
        };
        let wide = if x.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
        let sums = lax::ragged_dot_as(x, &integers.astype(x.dtype()), sizes, wide);
        let rows = rows();
        let of_rows = rows.each(&scales.squeeze(-2)).astype(wide);
        rows.but_behind(&(sums * of_rows)).astype(x.dtype())
    }

    /// The columns of `x` in the order of the codes.
    #[track_caller]
    pub(crate) fn taken(&self, x: &Array) -> Array {
        match &self.order {
            Some(order) => x.take(order, -1),
            None => x.clone(),
        }
    }

    /// Whether products with an `x` of this dtype are sums of groups that are scaled: of codes that are exact in it.
    pub(crate) fn has_scaled_sums(&self, dtype: DType) -> bool {
        let exact = match self.scheme.values {
            Values::Normal4 => false,
            Values::UInt8 | Values::UInt4 if self.zeros.as_ref().is_some_and(|z| z.dtype().size() > 1) => {
                false
            }
            _ => matches!(dtype, DType::F32 | DType::BF16 | DType::F16),
        };
        let (shape, groups) = (self.shape(), self.groups("quantized matmul"));
        let each = shape[shape.len() - 2].checked_div(groups).unwrap_or(0);
        exact && groups > 1 && (8..=128).contains(&each) && each.is_power_of_two()
    }

    /// The product as sums of groups, each times its scales: of one matrix, or, of a stack, of groups of rows of `x`, of so many.
    #[track_caller]
    fn scaled_sums(&self, x: &Array, sizes: Option<&Array>) -> Array {
        let sizes = sizes.cloned();
        let f = custom_jvp(
            |(x, w, sizes): &Operands| w.sums_of_groups(x, sizes.as_ref()),
            |(x, w, sizes): &Operands, (dx, dw, _): &Operands| {
                (w.sums_of_groups(x, sizes.as_ref()), w.tangent_of_sums(x, dx, dw, sizes.as_ref()))
            },
        );
        // Scales that are quantized in turn have their derivative outside.
        let w = QuantizedTensor { scales: Scales::Plain(self.scales.values()), ..self.clone() };
        relay(|| f(&(x.clone(), w, sizes)))
    }

    /// The tangent of scaled sums, of an `x` in the order of the codes: that of `x` times the numbers that codes stand for, in which no sums of groups are held.
    #[track_caller]
    pub(crate) fn tangent_of_sums(
        &self,
        x: &Array,
        dx: &Array,
        dw: &QuantizedTensor,
        sizes: Option<&Array>,
    ) -> Array {
        let by_scales = QuantizedTensor { scales: dw.scales.clone(), ..self.clone() };
        let matrices = self.in_order_of_codes(x.dtype());
        let by_x = match sizes {
            Some(sizes) => lax::ragged_dot(dx, &matrices, sizes),
            None => dx.matmul(&matrices),
        };
        by_x + by_scales.sums_of_groups(x, sizes)
    }

    /// The integers and, `[.., 1, N]` or `[.., 1, 1]`, the scales of a tensor that has one for each column at most, and no zero points.
    #[track_caller]
    fn integers_of_columns(&self) -> Option<(Array, Array)> {
        if self.groups("quantized matmul") != 1 || self.zeros.is_some() {
            return None;
        }
        Some((self.integers()?, self.scales.values()))
    }

    /// The groups of rows that have a scale each.
    #[track_caller]
    pub(crate) fn groups(&self, op: &str) -> usize {
        let (shape, scales) = (self.shape(), self.scales.shape());
        let (lead, [rows, columns]) =
            (&shape[..shape.len() - 2], [shape[shape.len() - 2], shape[shape.len() - 1]]);
        let groups = if scales.len() == shape.len() { scales[scales.len() - 2] } else { 0 };
        let each = rows.checked_div(groups).unwrap_or(0);
        let fits = groups * each == rows
            && each.is_multiple_of(self.codes_per_byte())
            && scales[..scales.len() - 2] == *lead
            && [1, columns].contains(&scales[scales.len() - 1]);
        require(op, fits, || {
            format!(
                "scales of shape {scales:?} are none of codes {} ({}); they are [.., groups, columns or 1]",
                self.codes.ty(),
                self.scheme.name
            )
        });
        groups
    }

    /// The rows as the codes have them.
    #[track_caller]
    fn in_order_of_codes(&self, dtype: DType) -> Array {
        let op = "dequantize";
        let shape = self.shape();
        let (lead, [rows, columns]) =
            (&shape[..shape.len() - 2], [shape[shape.len() - 2], shape[shape.len() - 1]]);
        let (groups, per_byte) = (self.groups(op), self.codes_per_byte());
        let each = rows / groups.max(1);
        // One loop makes all: the groups, and the rows of a byte, are axes of their own.
        let outer = with(lead, &[groups, each / per_byte]);
        let codes = match per_byte {
            2 => halves(&self.codes, &outer, columns),
            _ => self.codes.reshape(&with(&outer, &[columns])[..]),
        };
        let values = self.less_zeros(decode(&codes, self.scheme.values), per_byte);
        let scaled = values * Scales::spread(&self.scales.values(), per_byte);
        scaled.astype(dtype).reshape(&shape[..])
    }

    /// `values` less the zero points of their groups, if there are any; there are `axes` axes between those of the groups and the columns.
    #[track_caller]
    fn less_zeros(&self, values: Array, axes: usize) -> Array {
        match self.zero_points() {
            Some(zeros) => values - Scales::spread(&zeros.astype(DType::F32), axes),
            None => values,
        }
    }

    /// The zero points, if there are any, which have the shape of the scales.
    #[track_caller]
    fn zero_points(&self) -> Option<&Array> {
        let (zeros, scales) = (self.zeros.as_ref()?, self.scales.shape());
        require("dequantize", zeros.shape() == scales[..], || {
            format!("zero points {} are shaped as the scales, {scales:?}", zeros.ty())
        });
        Some(zeros)
    }

    /// The integers that codes stand for, in `i8`; `None` for schemes of other values.
    #[track_caller]
    fn integers(&self) -> Option<Array> {
        Some(match self.scheme.values {
            Values::Int8 => self.codes.clone(),
            Values::Int4 => (self.halves() - 8i8).reshape(&self.shape()[..]),
            _ => return None,
        })
    }

    /// The values that the codes stand for before they are scaled, as integers with a sign and zero points; `None` for schemes of other
    /// values.
    #[track_caller]
    pub(crate) fn signed(&self) -> Option<Signed> {
        let zeros = self.zero_points().map(|zeros| zeros.astype(DType::I32));
        let (integers, less) = match self.scheme.values {
            Values::UInt4 => (self.halves().reshape(&self.shape()[..]), zeros),
            Values::UInt8 => {
                let zeros = zeros.unwrap_or_else(|| Array::full(&self.scales.shape(), 0, DType::I32));
                ((&self.codes ^ 128u8).bitcast(DType::I8), Some(zeros - 128))
            }
            _ => (self.integers()?, zeros),
        };
        Some(Signed { integers, less })
    }

    /// Codes of four bits in `i8`, `[.., K / 2, 2, N]`.
    #[track_caller]
    fn halves(&self) -> Array {
        let (lead, rows, columns) = matrices("quantized matmul", "the array of codes", &self.codes);
        halves(&self.codes, &with(&lead, &[rows]), columns).astype(DType::I8)
    }

    pub(crate) fn codes_per_byte(&self) -> usize {
        if self.scheme.values.row().bits == 4 { 2 } else { 1 }
    }

    /// The sums of each group of rows of a matrix of exact codes, times their scales: see [`scaled_sums`](Self::scaled_sums).
    #[track_caller]
    fn sums_of_groups(&self, x: &Array, sizes: Option<&Array>) -> Array {
        let (shape, groups, per_byte) =
            (self.shape(), self.groups("quantized matmul"), self.codes_per_byte());
        let (stack, [rows, columns]) =
            (&shape[..shape.len() - 2], [shape[shape.len() - 2], shape[shape.len() - 1]]);
        let (lead, each) = (&x.shape()[..x.rank() - 1], rows / groups);
        // Of codes of four bits, rows i and i + 4 of eight are neighbours: a word of 32 bits has eight rows of a column, and each shift of it one of the
        // first four and one of the last four at the places of two neighbours.
        let (codes, x) = match per_byte {
            2 => {
                let bytes = self.codes.reshape(&with(stack, &[rows / 8, 4, columns])[..]);
                let words = bytes.swapaxes(-2, -1).bitcast(DType::U32);
                let words = words.reshape(&with(stack, &[groups, each / 8, 1, 1, columns])[..]);
                let shifts = lax::iota(DType::U32, &[4, 2, 1], 0) * 4u32
                    + lax::iota(DType::U32, &[4, 2, 1], 1) * 16u32;
                let turned = x.reshape(&with(lead, &[groups, each / 8, 2, 4])[..]).swapaxes(-2, -1);
                ((words.shift_right(shifts) & 15u32).astype(DType::U8), turned)
            }
            _ => (self.codes.reshape(&with(stack, &[groups, each, columns])[..]), x.clone()),
        };
        // Between the groups and the columns.
        let axes = codes.rank() - stack.len() - 2;
        let values = match (self.zero_points(), self.scheme.values) {
            // One of 32 numbers.
            (Some(zeros), Values::UInt4) => {
                let codes = codes + Scales::spread(&(-zeros + 16u8), axes);
                (codes & 31u8).astype(DType::F32) - 16f32
            }
            _ => self.less_zeros(decode(&codes, self.scheme.values), axes),
        };
        let values = values.astype(x.dtype());
        let scales = self.scales.values().broadcast_to(&with(stack, &[groups, columns])[..]);
        if let Some(sizes) = sizes {
            let (x, values) = (x.reshape(&with(lead, &[rows])[..]), values.reshape(&shape[..]));
            return lax::scaled_ragged_dot(&x, &values, &scales.astype(DType::F32), sizes).astype(x.dtype());
        }
        let x = x.reshape(&with(lead, &[groups, each])[..]);
        let values = values.reshape(&[groups, each, columns]);
        let rank = x.rank();
        let sums = lax::dot_general_as(&x, &values, (&[rank - 1], &[1]), (&[rank - 2], &[0]), DType::F32);
        let spread = lax::broadcast_in_dim(&scales, &sums.shape(), &[0, sums.rank() - 1]);
        let batch: Vec<usize> = (1..sums.rank()).collect();
        lax::dot_general_as(&sums, &spread, (&[0], &[0]), (&batch, &batch), DType::F32).astype(x.dtype())
    }
}

/// Groups of rows that follow one another, each of which goes with a matrix of a stack.
#[derive(Clone, Tree)]
pub(crate) struct RowsOf {
    /// The rows of each group.
    pub sizes: Array,
    /// The group of each row; the last one for rows behind it.
    group: Array,
    /// Whether each row is behind the last group, `[rows, 1]`.
    behind: Array,
}

impl RowsOf {
    /// Of `rows` rows, those of each of so many groups.
    #[track_caller]
    fn new(sizes: &Array, rows: usize, groups: usize) -> RowsOf {
        let sizes = lax::sizes_of_groups(sizes);
        // The groups that end at a row or before it are those before its own; behind the last one all do.
        let ends = sizes.astype(DType::I64).cumsum(0).expand_dims(0);
        let ended = ends.le(lax::iota(DType::I64, &[rows, 1], 0)).astype(DType::I32).sum(1);
        let group = ended.minimum(groups as i32 - 1);
        RowsOf { sizes, group, behind: ended.ge(groups as i32).expand_dims(-1) }
    }

    /// The element of each row's group: `[groups, ..]` to `[rows, ..]`.
    #[track_caller]
    pub fn each(&self, of_groups: &Array) -> Array {
        of_groups.take(&self.group, 0)
    }

    /// `x: [rows, ..]`, with zeros in the rows behind the last group.
    #[track_caller]
    pub fn but_behind(&self, x: &Array) -> Array {
        where_(&self.behind, 0.0, x)
    }
}

/// The left factor, the right one, and, of a stack, how many rows of the left one go with each matrix.
type Operands = (Array, QuantizedTensor, Option<Array>);
