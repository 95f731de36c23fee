use jarrah_array::{Array, Tree, where_};

use crate::{Context, Module, Variable};

/// `x` where it is at least 0, else `slope x`, with a slope that is trained.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::{Module, PRelu};
/// let y = PRelu::new(0.25).forward(&Array::from_slice(&[-4.0f32, 3.0]));
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: He et al., Delving deep into rectifiers (2015); `flax.nnx.PReLU`, whose slope begins with 0.01.
#[derive(Clone, Debug, Tree)]
pub struct PRelu {
    /// The factor of negative elements: a scalar, or an array that broadcasts to the argument.
    pub negative_slope: Variable,
}

impl PRelu {
    /// The function with this slope, in `f32`.
    #[track_caller]
    pub fn new(slope: f64) -> Self {
        PRelu { negative_slope: Array::scalar(slope as f32).into() }
    }
}

impl Module for PRelu {
    /// The function of each element of `x`.
    #[track_caller]
    fn call(&self, x: &Array, _: &mut Context) -> Array {
        where_(&x.ge(0), x, self.negative_slope.dense(x.dtype()) * x)
    }
}
