//! Lower precision: policies, and products in a narrower float.

use std::fmt;
use std::str::FromStr;

use jarrah_base::{DType, Error, Location, Result, Type};
use jarrah_transforms::{Memo, check_compute};
use jarrah_tree::{Tree, TreeExt};

use crate::array::Array;
use crate::function::{Function, Leaves, Shadows, TracedFunction, call, fill, or_fail, trace_writing};
use crate::mutable::{write_back, written_at};

/// The element types of a model's parameters, of its computation and of its results: a policy for mixed precision.
///
/// ```
/// use jarrah_array::{Array, DType, Policy};
/// let policy: Policy = "params=f32,compute=bf16,output=f32".parse()?;
/// assert_eq!(policy, Policy::mixed(DType::BF16));
/// assert_eq!("params=float32,compute=bfloat16,output=float32".parse::<Policy>()?, policy);
/// let tree = (Array::ones(&[2]), Array::from_slice(&[1i32]));
/// let (floats, integers) = policy.cast_to_compute(&tree);
/// assert_eq!((floats.dtype(), integers.dtype()), (DType::BF16, DType::I32));
/// assert_eq!(policy.cast_to_output(&floats).dtype(), DType::F32);
/// assert_eq!(policy.cast_to_params(&floats).dtype(), DType::F32);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jmp.Policy`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Policy {
    /// The type of parameters, and so of gradients and of an optimizer's state.
    pub params: DType,
    /// The type in which the function computes.
    pub compute: DType,
    /// The type of the function's results.
    pub output: DType,
}

impl Policy {
    /// Parameters and results of `f32`, computation in `compute`.
    pub fn mixed(compute: DType) -> Self {
        Policy { params: DType::F32, compute, output: DType::F32 }
    }

    /// Everything in one type.
    pub fn full(dtype: DType) -> Self {
        Policy { params: dtype, compute: dtype, output: dtype }
    }

    /// The tree with its floats converted to the dtype of parameters; other leaves are unchanged.
    #[track_caller]
    pub fn cast_to_params<T: Tree<Array>>(&self, tree: &T) -> T {
        cast(tree, self.params)
    }

    /// The tree with its floats converted to the dtype of computation; other leaves are unchanged.
    #[track_caller]
    pub fn cast_to_compute<T: Tree<Array>>(&self, tree: &T) -> T {
        cast(tree, self.compute)
    }

    /// The tree with its floats converted to the dtype of results; other leaves are unchanged.
    #[track_caller]
    pub fn cast_to_output<T: Tree<Array>>(&self, tree: &T) -> T {
        cast(tree, self.output)
    }
}

#[track_caller]
fn cast<T: Tree<Array>>(tree: &T, to: DType) -> T {
    tree.map_leaves(|leaf| if leaf.dtype().is_float() { leaf.astype(to) } else { leaf.clone() })
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "params={},compute={},output={}", self.params, self.compute, self.output)
    }
}

impl FromStr for Policy {
    type Err = Error;

    /// Reads `bf16`, one dtype for everything, or `params=f32,compute=bf16,output=f32`. A missing `output` is the dtype of the
    /// computation. NumPy's names, such as `bfloat16`, are read too.
    fn from_str(text: &str) -> Result<Self> {
        let help = "write bf16, or params=f32,compute=bf16,output=f32";
        let wrong = |what: String| Error::input(what).op("policy").help(help);
        let float = |name: &str| match name.parse::<DType>() {
            Ok(dtype) if dtype.is_float() => Ok(dtype),
            _ => Err(wrong(format!("{name:?} is no float type"))),
        };
        if !text.contains('=') {
            return Ok(Policy::full(float(text.trim())?));
        }
        let (mut params, mut compute, mut output) = (None, None, None);
        for part in text.split(',') {
            let (name, dtype) = part.split_once('=').unwrap_or((part, ""));
            let field = match name.trim() {
                "p" | "params" => &mut params,
                "c" | "compute" => &mut compute,
                "o" | "output" => &mut output,
                other => return Err(wrong(format!("there is no {other:?} in a policy"))),
            };
            *field = Some(float(dtype.trim())?);
        }
        match (params, compute) {
            (Some(params), Some(compute)) => {
                Ok(Policy { params, compute, output: output.unwrap_or(compute) })
            }
            _ => Err(wrong(format!("{text:?} does not name params and compute"))),
        }
    }
}

/// `f` with its arguments' floats cast to the policy's `compute`, and its results' floats to `output`.
///
/// The whole function runs in `compute`: each op of it rounds to that type. [`autocast`] only computes products so. Derivatives pass
/// through the casts: gradients have the types of the arguments.
///
/// ```
/// use jarrah_array::{Array, DType, Policy, grad, mixed};
/// let f = mixed(Policy::mixed(DType::BF16), |x: &Array| {
///     assert_eq!(x.dtype(), DType::BF16);
///     x.square().sum(..)
/// });
/// let x = Array::from_slice(&[1.0f32, 3.0]);
/// assert_eq!(f(&x).dtype(), DType::F32);
/// assert_eq!(grad(f)(&x).to_vec::<f32>()?, [2.0, 6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jmp.Policy`, as it is applied to a function.
pub fn mixed<A: Tree<Array>, R: Tree<Array>>(
    policy: Policy,
    f: impl Function<A, Output = R>,
) -> impl Fn(&A) -> R {
    move |args| policy.cast_to_output(&f.apply(&policy.cast_to_compute(args)))
}

/// The programs of [`autocast`].
static CAST: Memo<DType> = Memo::new(1 << 17);

/// Forgets the programs of [`autocast`].
pub(crate) fn forget() {
    CAST.clear();
}

/// `f` with its products, convolutions and attention in `compute`, `bf16` or `f16`, and all other operations in their own types:
/// sums, softmax, normalizations, losses and functions such as `exp` stay in `f32`.
///
/// ```text
/// x W  ->  round(x) round(W), summed in f32 and not rounded
/// ```
///
/// Parameters are passed and kept as `f32`; the program rounds each once. Gradients are `f32`, sums in `f32` of products of rounded
/// cotangents and operands. What `f` calls is rewritten too: compiled functions, loops, and programs that were
/// [imported](crate::Imported). With `f16`, gradients need a loss scale.
///
/// # Errors
/// A program error if `compute` is another type.
///
/// ```
/// use jarrah_array::{Array, DType, autocast, value_and_grad};
/// let f = autocast(DType::BF16, |(x, w): &(Array, Array)| x.matmul(w).square().sum(..));
/// // 1 + 2^-9 is no bf16: it becomes 1.
/// let args = (Array::full(&[1, 1], 1.0 + 1.0 / 512.0, DType::F32), Array::full(&[1, 1], 3.0, DType::F32));
/// let (value, (_, slope)) = value_and_grad(f)(&args);
/// assert_eq!(value.item::<f32>()?, 9.0);
/// assert_eq!((slope.dtype(), slope.item::<f32>()?), (DType::F32, 6.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Micikevicius et al., Mixed precision training (2018); `torch.autocast`.
#[track_caller]
pub fn autocast<A: Tree<Array>, R: Tree<Array>>(
    compute: DType,
    f: impl Function<A, Output = R>,
) -> impl Fn(&A) -> R {
    let made = Location::caller();
    or_fail(made, check_compute(compute));
    move |args| {
        let leaves = Leaves::of(args);
        let types: Vec<Type> = leaves.types();
        let TracedFunction { traced, prototype } =
            trace_writing("autocast", made, args, &types, Shadows::Drop, |a: &A| f.apply(a));
        let program = CAST
            .get(traced.program, compute, |program, &compute| jarrah_transforms::autocast(program, compute));
        let mut results = call(made, or_fail(made, program), &leaves.arrays, &traced.captures);
        write_back(written_at(&traced.cells), &mut results, made);
        fill(&prototype, results)
    }
}
