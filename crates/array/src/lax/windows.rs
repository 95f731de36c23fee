//! Convolutions, and reductions of windows.

use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{ConvAxes, Convolution, ReduceWindow, Reducer, Window};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::trace::apply_one;

/// The elements around an array that windows may cover.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Padding {
    /// Nothing: windows lie within the array.
    #[default]
    Valid,
    /// As many zeros as make one window for each `stride` elements; an odd number puts the extra one at the end.
    Same,
    /// As [`Padding::Same`], but an odd number puts the extra one at the beginning.
    SameLower,
    /// These numbers of elements before and after each axis; negative numbers remove.
    Pairs(Vec<(i64, i64)>),
}

impl Padding {
    /// The elements before and after each axis of `extents`, for windows of `sizes` that are `strides` apart.
    ///
    /// ```
    /// # use jarrah_array::lax::Padding;
    /// assert_eq!(Padding::Same.pairs(&[5], &[4], &[1]), [(1, 2)]);
    /// assert_eq!(Padding::SameLower.pairs(&[5], &[4], &[1]), [(2, 1)]);
    /// assert_eq!(Padding::Valid.pairs(&[5], &[4], &[1]), [(0, 0)]);
    /// ```
    pub fn pairs(&self, extents: &[usize], sizes: &[usize], strides: &[usize]) -> Vec<(i64, i64)> {
        let total = |i: usize| {
            let windows = extents[i].div_ceil(strides[i]);
            ((windows.saturating_sub(1) * strides[i] + sizes[i]) as i64 - extents[i] as i64).max(0)
        };
        let axes = 0..extents.len();
        match self {
            Padding::Valid => axes.map(|_| (0, 0)).collect(),
            Padding::Same => axes.map(|i| (total(i) / 2, total(i) - total(i) / 2)).collect(),
            Padding::SameLower => axes.map(|i| (total(i) - total(i) / 2, total(i) / 2)).collect(),
            Padding::Pairs(pairs) => pairs.clone(),
        }
    }
}

/// The sizes and positions of windows over an array; an empty list stands for ones.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WindowOptions {
    /// From a window to the next along each axis.
    pub strides: Vec<usize>,
    /// The elements around the array.
    pub padding: Padding,
    /// From an element of the array to the next.
    pub base_dilation: Vec<usize>,
    /// The distance between neighbouring elements of a window.
    pub window_dilation: Vec<usize>,
}

/// The options of a convolution; an empty list stands for ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConvOptions {
    /// Strides, padding and dilations along the spatial axes: `base_dilation` of the left side, `window_dilation` of the kernel.
    pub window: WindowOptions,
    /// The axes of the left side, the kernel and the result; without them batch, features, spatial axes, the kernel's features
    /// in the order output, input.
    pub dimensions: Option<ConvDimensions>,
    /// In how many groups the features fall.
    pub feature_groups: usize,
    /// In how many groups the batch falls.
    pub batch_groups: usize,
    /// The dtype of the result; without it that of the operands.
    pub out: Option<DType>,
}

impl Default for ConvOptions {
    fn default() -> Self {
        ConvOptions {
            window: WindowOptions::default(),
            dimensions: None,
            feature_groups: 1,
            batch_groups: 1,
            out: None,
        }
    }
}

/// The roles of the axes of a convolution's operands and result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConvDimensions {
    lhs: ConvAxes,
    rhs: ConvAxes,
    out: ConvAxes,
}

impl ConvDimensions {
    /// The axes by a letter each: `N` batch, `C` features, of a kernel `I` input and `O` output features, others spatial.
    ///
    /// # Errors
    /// A letter is missing or there twice, or the spatial ones differ.
    ///
    /// ```
    /// use jarrah_array::lax::ConvDimensions;
    /// assert!(ConvDimensions::new("NHWC", "HWIO", "NHWC").is_ok());
    /// assert!(ConvDimensions::new("NHWC", "HWIO", "NHW").is_err());
    /// ```
    pub fn new(lhs: &str, rhs: &str, out: &str) -> Result<ConvDimensions, Error> {
        let spatial: Vec<char> = rhs.chars().filter(|c| !"IO".contains(*c)).collect();
        let side = |text: &str, batch: char, feature: char| {
            let at = |wanted: char| {
                let mut places = text.chars().enumerate().filter(|(_, c)| *c == wanted).map(|(i, _)| i);
                match (places.next(), places.next()) {
                    (Some(at), None) => Ok(at),
                    _ => Err(Error::program(format!("{text:?} does not have the axis {wanted} once"))),
                }
            };
            if text.chars().count() != spatial.len() + 2 {
                return Err(Error::program(format!("{text:?} does not name {} axes", spatial.len() + 2)));
            }
            let spatial = spatial.iter().map(|&c| at(c)).collect::<Result<_, _>>()?;
            Ok(ConvAxes { batch: at(batch)?, feature: at(feature)?, spatial })
        };
        Ok(ConvDimensions { lhs: side(lhs, 'N', 'C')?, rhs: side(rhs, 'O', 'I')?, out: side(out, 'N', 'C')? })
    }

    /// Batch, features, spatial axes; the kernel's features in the order output, input.
    fn first(spatial: usize) -> ConvDimensions {
        let axes = ConvAxes::channels_first(spatial);
        ConvDimensions { lhs: axes.clone(), rhs: axes.clone(), out: axes }
    }
}

/// `numbers`, or ones where none are given.
#[track_caller]
fn or_ones(op: &str, what: &str, numbers: &[usize], axes: usize) -> Vec<usize> {
    if !numbers.is_empty() && (numbers.len() != axes || numbers.contains(&0)) {
        let error = Error::program(format!("{what} are {numbers:?}, {axes} numbers above 0 are needed"));
        fail(with_context(error.op(op).at(Location::caller())));
    }
    if numbers.is_empty() { vec![1; axes] } else { numbers.to_vec() }
}

/// The extents after inserting `dilation - 1` places between neighbours.
fn dilated(extents: &[usize], dilation: &[usize]) -> Vec<usize> {
    extents.iter().zip(dilation).map(|(&d, &by)| if d == 0 { 0 } else { (d - 1) * by + 1 }).collect()
}

/// Sums of products of windows of `lhs` with the kernel `rhs`.
///
/// `out[n, f, o..] = sum over c, k.. of lhs[n, c, o * stride - low + k * dilation..] * rhs[f, c, k..]`, zero outside of `lhs`.
///
/// # Errors
///
/// A program error unless both sides have as many axes, two at least, and features and groups fit.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (x, kernel) = (Array::ones(&[1, 2, 5, 5]), Array::ones(&[3, 2, 3, 3]));
/// let y = lax::conv_general_dilated(&x, &kernel, &lax::ConvOptions::default());
/// assert_eq!(y.shape(), [1, 3, 3, 3]);
/// assert_eq!(y.max(..).item::<f32>()?, 18.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn conv_general_dilated(lhs: &Array, rhs: &Array, options: &ConvOptions) -> Array {
    let op = "conv_general_dilated";
    if lhs.rank() < 2 || lhs.rank() != rhs.rank() {
        let error = Error::program(format!(
            "both sides need as many axes, two at least: {} and {}",
            lhs.ty(),
            rhs.ty()
        ));
        fail(with_context(error.op(op).at(Location::caller())));
    }
    let spatial = lhs.rank() - 2;
    let ConvDimensions { lhs: lhs_axes, rhs: rhs_axes, out: out_axes } =
        options.dimensions.clone().unwrap_or_else(|| ConvDimensions::first(spatial));
    let window = &options.window;
    let strides = or_ones(op, "strides", &window.strides, spatial);
    let lhs_dilations = or_ones(op, "base dilations", &window.base_dilation, spatial);
    let rhs_dilations = or_ones(op, "window dilations", &window.window_dilation, spatial);
    let extents = |x: &Array, axes: &ConvAxes| -> Vec<usize> {
        axes.spatial.iter().map(|&axis| x.shape().get(axis).copied().unwrap_or(0)).collect()
    };
    let places = dilated(&extents(lhs, &lhs_axes), &lhs_dilations);
    let sizes = dilated(&extents(rhs, &rhs_axes), &rhs_dilations);
    let pairs = window.padding.pairs(&places, &sizes, &strides);
    let convolution = Convolution {
        lhs_axes,
        rhs_axes,
        out_axes,
        strides: strides.into(),
        low: pairs.iter().map(|p| p.0).collect(),
        high: pairs.iter().map(|p| p.1).collect(),
        lhs_dilations: lhs_dilations.into(),
        rhs_dilations: rhs_dilations.into(),
        reversed: (0..spatial).map(|_| false).collect(),
        feature_groups: options.feature_groups,
        batch_groups: options.batch_groups,
        out: options.out.unwrap_or(lhs.dtype()),
    };
    apply_one(convolution, &[lhs, rhs])
}

/// The transpose of a convolution as a convolution: with zeros between the elements of `lhs`, as many as the strides say, so that
/// the result is as much larger.
///
/// The axes are as in [`ConvOptions`]; padding is that of the convolution which this undoes. The kernel is not mirrored.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::new(&[1.0f32, 10.0], &[1, 1, 2]);
/// let kernel = Array::new(&[1.0f32, 2.0, 3.0], &[1, 1, 3]);
/// let axes = lax::ConvDimensions::new("NCW", "OIW", "NCW")?;
/// let y = lax::conv_transpose(&x, &kernel, &[2], &lax::Padding::Valid, &axes);
/// assert_eq!(y.to_vec::<f32>()?, [3.0, 2.0, 31.0, 20.0, 10.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn conv_transpose(
    lhs: &Array,
    rhs: &Array,
    strides: &[usize],
    padding: &Padding,
    dimensions: &ConvDimensions,
) -> Array {
    let spatial = dimensions.rhs.spatial.len();
    let strides = or_ones("conv_transpose", "strides", strides, spatial);
    let mut pairs = Vec::with_capacity(spatial);
    for (i, &axis) in dimensions.rhs.spatial.iter().enumerate() {
        let (size, stride) = (rhs.shape()[axis] as i64, strides[i] as i64);
        let pair = match padding {
            Padding::Valid => {
                let total = size + stride - 2 + (size - stride).max(0);
                (size - 1, total - (size - 1))
            }
            Padding::Same => {
                let total = size + stride - 2;
                let low = if stride > size - 1 { size - 1 } else { (total + 1) / 2 };
                (low, total - low)
            }
            Padding::SameLower => {
                let total = size + stride - 2;
                (total / 2, total - total / 2)
            }
            Padding::Pairs(pairs) => pairs[i],
        };
        pairs.push(pair);
    }
    let window =
        WindowOptions { padding: Padding::Pairs(pairs), base_dilation: strides, ..WindowOptions::default() };
    let options = ConvOptions { window, dimensions: Some(dimensions.clone()), ..ConvOptions::default() };
    conv_general_dilated(lhs, rhs, &options)
}

/// The windows of `lhs` that a kernel with the spatial extents `sizes` would see, side by side as features: the feature `c`
/// of the place `k` of a window is number `c * places + k`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let x = Array::from_slice(&[1.0f32, 2.0, 3.0, 4.0]).reshape(&[1, 1, 4]);
/// let y = lax::conv_general_dilated_patches(&x, &[3], &lax::ConvOptions::default());
/// // Two windows of three places.
/// assert_eq!(y.shape(), [1, 3, 2]);
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 2.0, 2.0, 3.0, 3.0, 4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn conv_general_dilated_patches(lhs: &Array, sizes: &[usize], options: &ConvOptions) -> Array {
    let spatial = sizes.len();
    let axes = options.dimensions.clone().unwrap_or_else(|| ConvDimensions::first(spatial));
    let features = lhs.shape()[axes.lhs.feature];
    let places: usize = sizes.iter().product();
    // A kernel of ones and zeros: output feature `k` of each group is the place `k`.
    let shape: Vec<usize> = [places].into_iter().chain(sizes.iter().copied()).collect();
    let kernel = Array::eye_in(places, places, 0, lhs.dtype()).reshaped(&shape).expand_dims(1);
    let repeats: Vec<usize> = [features].into_iter().chain(vec![1; spatial + 1]).collect();
    let dimensions = ConvDimensions { rhs: ConvAxes::channels_first(spatial), ..axes };
    let options = ConvOptions { dimensions: Some(dimensions), feature_groups: features, ..options.clone() };
    conv_general_dilated(lhs, &kernel.tile(&repeats), &options)
}

/// How values are combined in a reduction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Monoid {
    /// The sum.
    Add,
    /// The product.
    Multiply,
    /// The largest; NaN wins.
    Max,
    /// The smallest; NaN wins.
    Min,
    /// The conjunction, bit by bit for integers.
    And,
    /// The disjunction, bit by bit for integers.
    Or,
    /// The exclusive or, bit by bit for integers.
    Xor,
}

impl Monoid {
    pub(crate) fn reducer(self) -> Reducer {
        match self {
            Monoid::Add => Reducer::Add,
            Monoid::Multiply => Reducer::Mul,
            Monoid::Max => Reducer::Max,
            Monoid::Min => Reducer::Min,
            Monoid::And => Reducer::And,
            Monoid::Or => Reducer::Or,
            Monoid::Xor => Reducer::Xor,
        }
    }
}

/// The elements in each window of `sizes` combined.
///
/// `y[o..]` combines `x[o * stride - low + k * dilation..]` for all places `k..` of the window; places outside of `x` are
/// skipped.
///
/// # Errors
///
/// A program error unless the window has an extent for each axis.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let options = lax::WindowOptions { strides: vec![2], ..Default::default() };
/// let y = lax::reduce_window(&Array::arange(5), lax::Monoid::Max, &[3], &options);
/// assert_eq!(y.to_vec::<i32>()?, [2, 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn reduce_window(x: &Array, monoid: Monoid, sizes: &[usize], options: &WindowOptions) -> Array {
    let op = "reduce_window";
    if sizes.len() != x.rank() {
        let error = Error::program(format!("the window has {} axes, the array is {}", sizes.len(), x.ty()));
        let help = "give one extent of the window for each axis, 1 where it does not reach";
        fail(with_context(error.op(op).at(Location::caller()).help(help)));
    }
    let strides = or_ones(op, "strides", &options.strides, x.rank());
    let base = or_ones(op, "base dilations", &options.base_dilation, x.rank());
    let dilation = or_ones(op, "window dilations", &options.window_dilation, x.rank());
    let pairs = options.padding.pairs(&dilated(&x.shape(), &base), &dilated(sizes, &dilation), &strides);
    let window = Window {
        sizes: sizes.into(),
        strides: strides.into(),
        low: pairs.iter().map(|p| p.0).collect(),
        high: pairs.iter().map(|p| p.1).collect(),
        base_dilations: base.into(),
        dilations: dilation.into(),
    };
    apply_one(ReduceWindow { reducer: monoid.reducer(), window }, &[x])
}
