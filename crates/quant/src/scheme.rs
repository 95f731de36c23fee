//! Tables of the values that codes stand for, and of schemes.

use std::fmt;
use std::str::FromStr;

use jarrah_array::{DType, Error};
use jarrah_tree::Stored;

/// The values that codes stand for before they are scaled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Values {
    /// Integers from -8 to 7; a code is the integer plus 8.
    Int4,
    /// Integers from 0 to 15, which a zero point moves.
    UInt4,
    /// Integers from -128 to 127.
    Int8,
    /// Integers from 0 to 255, which a zero point moves.
    UInt8,
    /// Floats of four bits: `f4e2m1fn`.
    E2M1,
    /// The sixteen numbers of NF4: quantiles of the normal distribution between -1 and 1.
    Normal4,
    /// Floats of eight bits: `f8e4m3fn`.
    E4M3,
    /// Floats of eight bits: `f8e5m2`.
    E5M2,
}

/// A row of the table of value types.
pub(crate) struct ValueType {
    /// Bits of a code: 4, and two codes share a byte, or 8.
    pub bits: u32,
    /// The dtype of stored codes, a byte each or two to a byte.
    pub stored: DType,
    /// The largest value that a quantizer gives.
    pub largest: f64,
    /// The code of zero.
    pub offset: i64,
}

impl Values {
    pub(crate) fn is_integer(self) -> bool {
        matches!(self, Values::Int4 | Values::UInt4 | Values::Int8 | Values::UInt8)
    }

    pub(crate) fn row(self) -> ValueType {
        let row = |bits, stored, largest, offset| ValueType { bits, stored, largest, offset };
        match self {
            Values::Int4 => row(4, DType::U8, 7.0, 8),
            Values::UInt4 => row(4, DType::U8, 15.0, 0),
            Values::Int8 => row(8, DType::I8, 127.0, 0),
            Values::UInt8 => row(8, DType::U8, 255.0, 0),
            Values::E2M1 => row(4, DType::U8, 6.0, 0),
            Values::Normal4 => row(4, DType::U8, 1.0, 0),
            Values::E4M3 => row(8, DType::F8E4M3FN, 448.0, 0),
            Values::E5M2 => row(8, DType::F8E5M2, 57344.0, 0),
        }
    }
}

/// The values of NF4's codes.
///
/// Source: Dettmers et al., QLoRA, appendix E.
pub(crate) const NORMAL4: [f32; 16] = [
    -1.0,
    -0.6961928,
    -0.52507305,
    -0.3949175,
    -0.28444138,
    -0.18477343,
    -0.091050036,
    0.0,
    0.0795803,
    0.1609302,
    0.2461123,
    0.33791524,
    0.44070983,
    0.562617,
    0.72295684,
    1.0,
];

/// The values of the codes of `f4e2m1fn`.
pub(crate) const FLOAT4: [f32; 16] =
    [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -6.0];

/// The codes that share a scale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScaleBlock {
    /// All of a matrix.
    Tensor,
    /// The codes of a column: all that are summed into one element of a product.
    Channel,
    /// So many neighbours of a column.
    Group(usize),
}

/// How a scale is found from the numbers of its block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScaleRule {
    /// `max |x| / largest value`.
    AbsMax,
    /// The number of the largest magnitude, over -8, so that it has the code of -8 (llama.cpp's `Q4_0`).
    SignedMax,
    /// `(max(x, 0) - min(x, 0)) / largest value`, with a zero point.
    MinMax,
    /// `2^(floor(log2(max |x|)) - 2)`: the power of two that gives the maximum the exponent of the largest code.
    ///
    /// Source: OCP Microscaling Formats (MX) 1.0, section 6.3.
    PowerOfTwo,
}

/// How a number over its scale becomes a code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// `x / scale`, by the scale as stored, to the nearest value, ties to the even code.
    Even,
    /// `x * (1 / scale)`, by the scale before it is rounded to its dtype, ties away from zero (llama.cpp's `Q8_0`).
    Away,
    /// `x * (1 / scale)`, as `Away`, ties up (llama.cpp's `Q4_0`).
    Up,
    /// `x * (1 / max |x|)` to the nearest number of the table, ties to the smaller (bitsandbytes' `NF4`).
    Table,
}

/// How a product takes the activations, its left operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Activations {
    /// It is taken as it is.
    Plain,
    /// Each row is quantized to 8 bits as it comes, and multiplied in integers: see [`dynamic_matmul`](crate::dynamic_matmul).
    Int8,
}

/// How numbers are quantized: one row of a table.
///
/// By name it is `SCHEME` or `SCHEME:BLOCK`, where a block is the size of groups, `channel` or `tensor`; `fp8` is `f8e4m3fn`, and capital letters are small ones:
///
/// ```
/// use jarrah_quant::Scheme;
/// assert_eq!("int4:64".parse::<Scheme>()?, Scheme::INT4.groups_of(64));
/// assert_eq!("fp8".parse::<Scheme>()?, Scheme::F8E4M3);
/// assert_eq!(Scheme::INT8.groups_of(32).to_string(), "int8:32");
/// assert!("int5".parse::<Scheme>().is_err());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scheme {
    /// The name that errors say.
    pub name: &'static str,
    /// The values that codes stand for.
    pub values: Values,
    /// The codes that share a scale.
    pub block: ScaleBlock,
    /// How the scale is found.
    pub rule: ScaleRule,
    /// The dtype of scales.
    pub scale: DType,
    /// How codes are found.
    pub rounding: Rounding,
    /// How products take activations.
    pub activations: Activations,
}

macro_rules! schemes {
    ($($(#[$meta:meta])* $id:ident $name:literal $values:ident $block:expr, $rule:ident $scale:ident $rounding:ident $activations:ident;)*) => {
        impl Scheme {
            $($(#[$meta])* pub const $id: Scheme = Scheme {
                name: $name,
                values: Values::$values,
                block: $block,
                rule: ScaleRule::$rule,
                scale: DType::$scale,
                rounding: Rounding::$rounding,
                activations: Activations::$activations,
            };)*

            /// Every named scheme.
            pub const ALL: &'static [Scheme] = &[$(Scheme::$id),*];
        }
    };
}

schemes! {
    /// Integers from -127 to 127, a scale for each column.
    INT8 "int8" Int8 ScaleBlock::Channel, AbsMax F32 Even Plain;
    /// Integers from 0 to 255 around a zero point, a scale for each column.
    UINT8 "uint8" UInt8 ScaleBlock::Channel, MinMax F32 Even Plain;
    /// Integers from -7 to 7, a scale for each 128 of a column.
    INT4 "int4" Int4 ScaleBlock::Group(128), AbsMax F32 Even Plain;
    /// Integers from 0 to 15 around a zero point, a scale for each 128 of a column.
    UINT4 "uint4" UInt4 ScaleBlock::Group(128), MinMax F32 Even Plain;
    /// `f8e4m3fn`, a scale for each column.
    F8E4M3 "f8e4m3fn" E4M3 ScaleBlock::Channel, AbsMax F32 Even Plain;
    /// `f8e5m2`, a scale for each column.
    F8E5M2 "f8e5m2" E5M2 ScaleBlock::Channel, AbsMax F32 Even Plain;
    /// `f4e2m1fn` with a power of two for each 32 of a column (OCP Microscaling Formats 1.0).
    MXFP4 "mxfp4" E2M1 ScaleBlock::Group(32), PowerOfTwo F8E8M0FNU Even Plain;
    /// Sixteen quantiles of the normal distribution, a scale for each 64 of a column (QLoRA).
    NF4 "nf4" Normal4 ScaleBlock::Group(64), AbsMax F32 Table Plain;
    /// llama.cpp's blocks of 32 four-bit integers.
    Q4_0 "q4_0" Int4 ScaleBlock::Group(32), SignedMax F16 Up Plain;
    /// llama.cpp's blocks of 32 integers of eight bits.
    Q8_0 "q8_0" Int8 ScaleBlock::Group(32), AbsMax F16 Away Plain;
    /// [`INT8`](Self::INT8), multiplied with rows that are quantized to 8 bits as they come.
    W8A8 "w8a8" Int8 ScaleBlock::Channel, AbsMax F32 Even Int8;
}

impl Scheme {
    /// The scheme with a scale for all of a matrix.
    pub const fn per_tensor(self) -> Scheme {
        Scheme { block: ScaleBlock::Tensor, ..self }
    }

    /// The scheme with a scale for each column.
    pub const fn per_channel(self) -> Scheme {
        Scheme { block: ScaleBlock::Channel, ..self }
    }

    /// The scheme with a scale for each `size` neighbours of a column.
    pub const fn groups_of(self, size: usize) -> Scheme {
        Scheme { block: ScaleBlock::Group(size), ..self }
    }

    /// Checks that a matrix of so many rows, which products contract, is quantized by whole groups.
    ///
    /// # Errors
    /// It is not (`Input`): the error says which sizes fit.
    ///
    /// ```
    /// use jarrah_quant::Scheme;
    /// assert!(Scheme::INT4.check_rows(256).is_ok());
    /// let error = Scheme::INT4.check_rows(192).unwrap_err().to_string();
    /// assert!(error.contains("192 inputs are no whole groups of 128") && error.contains("int4:96 or int4:192"), "{error}");
    /// ```
    pub fn check_rows(self, rows: usize) -> Result<(), Error> {
        let each = if self.values.row().bits == 4 { 2 } else { 1 };
        let size = match self.block {
            ScaleBlock::Group(size) => size,
            _ => rows,
        };
        if size > 0 && rows.is_multiple_of(size) && size.is_multiple_of(each) {
            return Ok(());
        }
        let groups = match self.block {
            ScaleBlock::Group(size) => format!("whole groups of {size}"),
            _ => "pairs, and two codes share a byte".to_owned(),
        };
        let sizes = if FIXED.contains(&self.name) { Vec::new() } else { sizes_that_fit(rows, each, size) };
        let sizes: Vec<String> = sizes.iter().map(|size| format!("{}:{size}", self.name)).collect();
        let help = match &sizes[..] {
            [] => "take a scheme of 8 bits".to_owned(),
            sizes => format!("take {}", sizes.join(" or ")),
        };
        Err(Error::input(format!("{rows} inputs are no {groups}")).help(help))
    }

    /// The scheme with activations taken as they are.
    pub(crate) const fn of_plain_activations(self) -> Scheme {
        Scheme { activations: Activations::Plain, ..self }
    }

    /// The scheme with scales of `dtype`.
    pub const fn scales(self, dtype: DType) -> Scheme {
        Scheme { scale: dtype, ..self }
    }
}

/// Schemes whose groups are part of what they are.
const FIXED: [&str; 3] = [Scheme::MXFP4.name, Scheme::Q4_0.name, Scheme::Q8_0.name];

impl FromStr for Scheme {
    type Err = Error;

    /// # Errors
    /// There is no such scheme, or it has no such blocks (`Input`).
    fn from_str(text: &str) -> Result<Scheme, Error> {
        let small = text.to_ascii_lowercase();
        let (name, block) = match small.split_once(':') {
            Some((name, block)) => (name, Some(block)),
            None => (small.as_str(), None),
        };
        let known = if name == "fp8" { Scheme::F8E4M3.name } else { name };
        let found = Scheme::ALL.iter().find(|scheme| scheme.name == known);
        let scheme = *found.ok_or_else(|| {
            let names: Vec<&str> = Scheme::ALL.iter().map(|scheme| scheme.name).collect();
            let said = text.split(':').next().unwrap_or_default();
            Error::input(format!("there is no scheme of quantization `{said}`"))
                .help(format!("there are {} and fp8; `int4:64` has a scale for each 64", names.join(", ")))
        })?;
        match block {
            None => Ok(scheme),
            Some(_) if FIXED.contains(&scheme.name) => {
                Err(Error::input(format!("`{text}`: the groups of {name} are its own"))
                    .help(format!("write `{name}`")))
            }
            Some("channel") => Ok(scheme.per_channel()),
            Some("tensor") => Ok(scheme.per_tensor()),
            Some(size) => match size.parse() {
                Ok(size) if size > 0 => Ok(scheme.groups_of(size)),
                _ => Err(Error::input(format!("`{text}`: {size} is no size of groups"))
                    .help("write a number above 0, `channel` or `tensor` behind the colon")),
            },
        }
    }
}

impl Stored for Scheme {}

/// The name by which the scheme is found again, that of its scales aside.
impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        let own = Scheme::ALL.iter().find(|scheme| scheme.name == self.name).map(|scheme| scheme.block);
        match self.block {
            block if own == Some(block) => Ok(()),
            ScaleBlock::Tensor => f.write_str(":tensor"),
            ScaleBlock::Channel => f.write_str(":channel"),
            ScaleBlock::Group(size) => write!(f, ":{size}"),
        }
    }
}

/// Up to two divisors of `rows` that are multiples of `step`, the smaller first: the nearest below and above `size`, or the two
/// nearest where none is on the other side.
pub(crate) fn sizes_that_fit(rows: usize, step: usize, size: usize) -> Vec<usize> {
    let fits = |n: &usize| rows.is_multiple_of(*n) && n.is_multiple_of(step);
    let mut below: Vec<usize> = (1..size.min(rows + 1)).rev().filter(fits).take(2).collect();
    let mut above: Vec<usize> = (size + 1..=rows).filter(fits).take(2).collect();
    if !below.is_empty() && !above.is_empty() {
        below.truncate(1);
        above.truncate(1);
    }
    below.reverse();
    below.extend(above);
    below
}
