//! Activations by name.

use std::fmt;
use std::hash::{Hash, Hasher};

use jarrah_array::nn::*;
use jarrah_array::{Array, Tree};

use crate::{Context, Module};

/// A function of each element, by name: a part of a model's structure that configurations name and surgery replaces.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::Activation;
/// let silu = Activation::named("silu").unwrap();
/// assert_eq!(silu, Activation::SILU);
/// assert_eq!(silu.of(&Array::scalar(0.0)).item::<f32>()?, 0.0);
/// // One's own.
/// let cubed = Activation::new("cubed", |x| x * x * x);
/// assert_eq!(cubed.of(&Array::scalar(2.0)).item::<f32>()?, 8.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Tree)]
pub struct Activation {
    #[tree(static)]
    name: &'static str,
    #[tree(static)]
    code: Code,
}

/// A function, which its name stands for.
#[derive(Clone, Copy)]
struct Code(fn(&Array) -> Array);

/// The address of the function is not shown, as it differs from run to run.
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code")
    }
}

impl PartialEq for Code {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Code {}

impl Hash for Code {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Activation {
    /// An activation with a function of your own. Activations are compared by name, so two with the same name count as equal.
    pub const fn new(name: &'static str, f: fn(&Array) -> Array) -> Self {
        Activation { name, code: Code(f) }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The function of each element of `x`.
    #[track_caller]
    pub fn of(&self, x: &Array) -> Array {
        (self.code.0)(x)
    }
}

impl Module for Activation {
    #[track_caller]
    fn call(&self, x: &Array, _: &mut Context) -> Array {
        self.of(x)
    }
}

macro_rules! activations {
    ($($(#[$doc:meta])* $constant:ident $name:literal $(or $other:literal)* = $f:expr;)*) => {
        impl Activation {
            $($(#[$doc])* pub const $constant: Activation = Activation::new($name, $f);)*

            /// The activation of that name, as JAX or configurations of Hugging Face have it.
            pub fn named(name: &str) -> Option<Activation> {
                match name {
                    $($name $(| $other)* => Some(Activation::$constant),)*
                    _ => None,
                }
            }

            /// All names.
            pub const NAMES: &'static [&'static str] = &[$($name $(, $other)*),*];
        }
    };
}

activations! {
    /// `x`.
    IDENTITY "identity" or "linear" = |x| x.clone();
    /// `max(x, 0)`.
    RELU "relu" = |x| relu(x);
    /// `min(max(x, 0), 6)`.
    RELU6 "relu6" = |x| relu6(x);
    /// `max(x, 0)^2`. Source: So et al., Primer (2021).
    RELU_SQUARED "relu2" or "relu_squared" = |x| relu(x).square();
    /// GELU by `tanh`.
    GELU "gelu_tanh" or "gelu_new" or "gelu_pytorch_tanh" or "gelu_fast" = |x| gelu(x);
    /// GELU by `erf`.
    GELU_EXACT "gelu" or "gelu_exact" or "gelu_python" = |x| gelu_exact(x);
    /// `x sigmoid(1.702 x)`.
    GELU_QUICK "quick_gelu" = |x| x * sigmoid(&(x * 1.702));
    /// `x sigmoid(x)`.
    SILU "silu" or "swish" = |x| silu(x);
    /// `1 / (1 + exp(-x))`.
    SIGMOID "sigmoid" = |x| sigmoid(x);
    /// `tanh(x)`.
    TANH "tanh" = |x| x.tanh();
    /// `log(1 + exp(x))`.
    SOFTPLUS "softplus" = |x| softplus(x);
    /// ELU with `alpha` 1.
    ELU "elu" = |x| elu(x, 1.0);
    /// SELU.
    SELU "selu" = |x| selu(x);
    /// `x tanh(softplus(x))`.
    MISH "mish" = |x| mish(x);
    /// `x relu6(x + 3) / 6`.
    HARD_SILU "hard_silu" or "hardswish" or "hard_swish" = |x| hard_silu(x);
    /// `relu6(x + 3) / 6`.
    HARD_SIGMOID "hard_sigmoid" or "hardsigmoid" = |x| hard_sigmoid(x);
}
