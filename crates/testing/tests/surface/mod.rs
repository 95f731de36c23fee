//! The surface next to JAX's: each row of a table is an expression of JAX and the same in Rust, on the same arrays.
//!
//! ```text
//! "numpy.roll": "jnp.roll(x, 2, axis=1)" => |x: all(3, 4)| x.roll(2, 1);
//!  names         in JAX, with x            arguments         in Rust, with x
//! ```
//!
//! Names are those of JAX's modules, several apart by spaces; `cargo xtask bless` makes `docs/coverage.md` of them. An argument
//! has a kind from [`KINDS`] and extents; a row is checked once for each dtype of its kinds. `<4>` after a kind bounds the
//! numbers: floats lie in [-4, 4), integers in [-4, 4] or, unsigned, [0, 4]. A number after the expression of JAX allows an error
//! that is so many times larger.
//!
//! `oracle/surface.py` reads the same lines and writes `golden/surface/*.safetensors`: results, and the gradient of a weighted sum
//! of the results that are floats, where JAX has one. A row that JAX refuses for a dtype must be refused here too.

mod fft;
mod image;
mod indexing;
mod lax;
mod linalg;
mod nn;
mod numpy;
mod ops;
mod optimize;
mod random;
mod rotation;
mod signal;
mod sparse;
mod special;
mod stats;
mod transforms;

use std::collections::BTreeMap;

use jarrah_array::{Array, DType, Literal, c128, grad, try_trace};
use jarrah_base::Type;
use jarrah_testing::golden_tensors;

/// A row of a table.
pub(crate) struct Row {
    names: &'static str,
    jax: &'static str,
    slack: f64,
    arguments: &'static [Argument],
    apply: fn(&[Array]) -> Vec<Array>,
}

/// An argument of a row.
struct Argument {
    kind: &'static str,
    bound: u32,
    shape: &'static [usize],
}

impl Row {
    /// The name, the expression and the arguments in goldens.
    fn key(&self) -> String {
        let name = self.names.split(' ').next().unwrap_or_default();
        let argument = |a: &Argument| format!("{}<{}>{:?}", a.kind, a.bound, a.shape).replace(' ', "");
        let arguments: Vec<String> = self.arguments.iter().map(argument).collect();
        format!("{name}:{:08x}{:08x}", fnv(self.jax), fnv(&arguments.join(",")))
    }
}

/// The kinds of arguments, and the dtypes that a row with them is checked for. Every other kind is a dtype.
const KINDS: [(&str, &[DType]); 8] = [
    ("all", &[DType::F32, DType::F64, DType::BF16, DType::I32, DType::U8, DType::C64, DType::Bool]),
    ("numbers", &[DType::F32, DType::F64, DType::BF16, DType::I32, DType::U8, DType::C64]),
    ("reals", &[DType::F32, DType::F64, DType::BF16, DType::I32, DType::U8]),
    ("ordered", &[DType::F32, DType::F64, DType::BF16, DType::I32, DType::U8, DType::Bool]),
    ("inexact", &[DType::F32, DType::F64, DType::C64]),
    ("floats", &[DType::F32, DType::F64, DType::BF16]),
    ("wide", &[DType::F32, DType::F64]),
    ("integers", &[DType::I32, DType::U8, DType::I64]),
];

/// What the Rust expression of a row may be.
pub(crate) trait Results {
    fn arrays(self) -> Vec<Array>;
}

impl Results for Array {
    fn arrays(self) -> Vec<Array> {
        vec![self]
    }
}
impl Results for &Array {
    fn arrays(self) -> Vec<Array> {
        vec![self.clone()]
    }
}
impl Results for Vec<Array> {
    fn arrays(self) -> Vec<Array> {
        self
    }
}
impl<const N: usize> Results for [Array; N] {
    fn arrays(self) -> Vec<Array> {
        self.into()
    }
}
impl<A: Results, B: Results> Results for (A, B) {
    fn arrays(self) -> Vec<Array> {
        [self.0.arrays(), self.1.arrays()].concat()
    }
}
impl<A: Results, B: Results, C: Results> Results for (A, B, C) {
    fn arrays(self) -> Vec<Array> {
        [self.0.arrays(), self.1.arrays(), self.2.arrays()].concat()
    }
}
impl<A: Results, B: Results, C: Results, D: Results> Results for (A, B, C, D) {
    fn arrays(self) -> Vec<Array> {
        [self.0.arrays(), self.1.arrays(), self.2.arrays(), self.3.arrays()].concat()
    }
}
macro_rules! scalars {
    ($($t:ty)*) => {$(
        impl Results for $t {
            fn arrays(self) -> Vec<Array> {
                vec![Array::new(&[self], &[])]
            }
        }
    )*};
}
scalars! { bool i32 i64 f32 f64 }

macro_rules! rows {
    ($($names:literal: $jax:literal $(, $slack:literal)? =>
        |$($arg:ident: $kind:ident $(<$bound:literal>)? ($($extent:expr),*)),*| $body:expr;)*) => {
        /// The rows of this table.
        pub(super) fn rows() -> Vec<$crate::surface::Row> {
            vec![$($crate::surface::Row {
                names: $names,
                jax: $jax,
                slack: [$($slack as f64,)? 1.0][0],
                arguments: &[$($crate::surface::Argument {
                    kind: stringify!($kind),
                    bound: [$($bound,)? 4][0],
                    shape: &[$($extent),*],
                }),*],
                apply: |arguments| {
                    let [$($arg),*] = arguments else { unreachable!("one array for each argument") };
                    $crate::surface::Results::arrays($body)
                },
            }),*]
        }
    };
}
pub(crate) use rows;

/// FNV-1a: the name of a row's expression, in keys and for streams of numbers.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Word `index` of a stream, as `oracle/common.py` defines it.
fn bits(stream: u32, index: usize) -> u64 {
    let x = u64::from(stream) << 32 | index as u64;
    let z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A float in [-0.5, 0.5).
fn unit(stream: u32, index: usize) -> f64 {
    (bits(stream, index) >> 40) as f64 * (-24f64).exp2() - 0.5
}

/// The numbers of an argument.
fn numbers(stream: u32, dtype: DType, bound: u32, shape: &[usize]) -> Array {
    let real = |index: usize| {
        let integer = |n: u64| (bits(stream, index) % n) as f64;
        match dtype.name().as_bytes()[0] {
            b'i' => integer(2 * u64::from(bound) + 1) - f64::from(bound),
            b'u' => integer(u64::from(bound) + 1),
            _ if dtype == DType::Bool => integer(2),
            _ => unit(stream, index) * 2.0 * f64::from(bound),
        }
    };
    let count: usize = shape.iter().product();
    let complex = dtype.is_complex();
    let values = (0..count).map(|i| c128::new(real(i), if complex { real(count + i) } else { 0.0 }));
    let values: Vec<c128> = values.collect();
    Array::from_literal(Literal::from_c128s(Type::tensor(dtype, shape.iter().copied()), &values).unwrap())
}

fn dtypes(kind: &str) -> Vec<DType> {
    match KINDS.iter().find(|(name, _)| *name == kind) {
        Some((_, dtypes)) => dtypes.to_vec(),
        None => vec![DType::from_name(kind).unwrap_or_else(|| panic!("no kind or dtype is called {kind}"))],
    }
}

/// How far an element may be off, as a share of the largest magnitude of the expected tensor.
fn tolerance(dtype: DType) -> f64 {
    match dtype.real() {
        DType::BF16 => 1.6e-2,
        DType::F16 => 2e-3,
        DType::F32 => 4e-6,
        DType::F64 => 1e-12,
        _ => 0.0,
    }
}

/// What is wrong with a tensor, if anything is.
fn compare(found: &Array, expected: &Literal, slack: f64) -> Option<String> {
    if found.ty() != expected.ty() {
        return Some(format!("is {}, in JAX {}", found.ty(), expected.ty()));
    }
    let literal = match found.to_literal() {
        Ok(literal) => literal,
        Err(error) => return Some(format!("fails: {error}")),
    };
    let (found, expected) = (literal.to_c128_vec(), expected.to_c128_vec());
    let finite = expected.iter().flat_map(|x| [x.re, x.im]).filter(|x| x.is_finite());
    let largest = finite.fold(0.0f64, |m, x| m.max(x.abs()));
    let allowed = tolerance(literal.ty().dtype()) * slack * largest.max(f64::MIN_POSITIVE);
    let near = |a: f64, b: f64| a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= allowed;
    let wrong = (0..found.len())
        .find(|&i| !near(found[i].re, expected[i].re) || !near(found[i].im, expected[i].im))?;
    Some(format!("has {} at {wrong}, in JAX {} (largest {largest})", found[wrong], expected[wrong]))
}

/// What is wrong with a row for the `case`-th dtypes of its kinds; also whether a gradient was compared.
fn check(row: &Row, case: usize, golden: &BTreeMap<String, Literal>) -> Result<bool, String> {
    let hash = fnv(row.jax);
    let key = format!("{}/{case}", row.key());
    let arguments: Vec<Array> = (row.arguments.iter().enumerate())
        .map(|(i, argument)| {
            let dtypes = dtypes(argument.kind);
            let dtype = dtypes[case % dtypes.len()];
            numbers(hash.wrapping_add(i as u32), dtype, argument.bound, argument.shape)
        })
        .collect();
    let found = try_trace(|| (row.apply)(&arguments));
    if golden.contains_key(&format!("{key}/refused")) {
        return match found {
            Err(_) => Ok(false),
            Ok(found) => Err(format!("is {}, where JAX refuses", found[0].ty())),
        };
    }
    let found = found.map_err(|error| format!("refused: {}", error.message()))?;
    let expected: Vec<&Literal> = (0..).map_while(|i| golden.get(&format!("{key}/{i}"))).collect();
    if expected.is_empty() {
        return Err("no golden: run oracle/surface.py".to_owned());
    }
    if expected.len() != found.len() {
        return Err(format!("has {} results, in JAX {}", found.len(), expected.len()));
    }
    for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
        if let Some(defect) = compare(found, expected, row.slack) {
            return Err(format!("result {i} {defect}"));
        }
    }
    let slopes: Vec<(usize, &Literal)> = (0..arguments.len())
        .filter_map(|i| golden.get(&format!("{key}/d{i}")).map(|slope| (i, slope)))
        .collect();
    if slopes.is_empty() {
        return Ok(false);
    }
    let weighted = |arguments: &Vec<Array>| {
        let results = (row.apply)(arguments);
        let results = results.iter().enumerate().filter(|(_, y)| y.dtype().is_differentiable());
        let mut sum: Option<Array> = None;
        for (i, y) in results {
            let weights = numbers(hash ^ 0x5eed ^ i as u32, y.dtype(), 1, &y.shape());
            let term = (y * weights).real().sum(..);
            sum = Some(match sum {
                Some(sum) => sum + term,
                None => term,
            });
        }
        sum.unwrap_or_else(|| Array::scalar(0.0))
    };
    let gradient =
        try_trace(|| grad(weighted)(&arguments)).map_err(|e| format!("has no gradient: {}", e.message()))?;
    for (i, slope) in slopes {
        if let Some(defect) = compare(&gradient[i], slope, row.slack * 4.0) {
            return Err(format!("the gradient of argument {i} {defect}"));
        }
    }
    Ok(true)
}

/// Checks a table for every dtype.
fn check_table(table: &str, rows: &[Row]) {
    let golden = golden_tensors(&format!("surface/{table}.safetensors")).unwrap_or_default();
    let (mut defects, mut slopes) = (Vec::new(), 0);
    for row in rows {
        let cases = row.arguments.iter().map(|a| dtypes(a.kind).len()).max().unwrap_or(1);
        for case in 0..cases {
            match check(row, case, &golden) {
                Ok(sloped) => slopes += usize::from(sloped),
                Err(defect) => {
                    let kinds: Vec<String> = (row.arguments.iter())
                        .map(|a| dtypes(a.kind)[case % dtypes(a.kind).len()].to_string())
                        .collect();
                    defects.push(format!("{} ({}) {defect}", row.jax, kinds.join(", ")));
                }
            }
        }
    }
    println!("{table}: {} rows, {slopes} gradients", rows.len());
    assert!(defects.is_empty(), "{} defects:\n{}", defects.len(), defects.join("\n"));
}

/// A test for each table.
macro_rules! tables {
    ($($table:ident)*) => {$(
        #[test]
        fn $table() {
            check_table(stringify!($table), &$table::rows());
        }
    )*};
}
tables! { fft image indexing lax linalg nn numpy ops optimize random rotation signal sparse special stats transforms }
