use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail, lax};

use crate::axes::{promoted, resolved};
use crate::tokens::refuse_mixing;
use crate::{Context, Initializer, Module, Variable};

/// An affine map of several axes: `y = x W + b`, where the sum goes over `axes` of `x`, and the outputs come last.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{LinearGeneral, Module};
/// // Heads of eight features, and back.
/// let (a, b) = Key::new(0).pair();
/// let heads = LinearGeneral::new(&a, &[16], &[2, 8]);
/// let back = LinearGeneral::new(&b, &[2, 8], &[16]);
/// let x = heads.forward(&Array::ones(&[3, 5, 16]));
/// assert_eq!(x.shape(), [3, 5, 2, 8]);
/// assert_eq!(back.forward(&x).shape(), [3, 5, 16]);
/// ```
///
/// Source: `flax.nnx.LinearGeneral`.
#[derive(Clone, Debug, Tree)]
pub struct LinearGeneral {
    /// `[batch.., inputs.., outputs..]`.
    pub weight: Variable,
    /// `[batch.., outputs..]`.
    pub bias: Option<Variable>,
    /// The axes of the argument that the inputs of the weight stand for, in their order; negative ones from the end.
    #[tree(static)]
    pub axes: Vec<isize>,
    /// The number of leading axes of the argument that are batch axes, with a separate map for each place along them.
    #[tree(static)]
    pub batch: usize,
}

impl LinearGeneral {
    /// A map of the last axes, with a LeCun-normal weight and a zero bias, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, inputs: &[usize], outputs: &[usize]) -> Self {
        let axes: Vec<isize> = (-(inputs.len() as isize)..0).collect();
        Self::with(key, &[], inputs, outputs, &axes, true, Initializer::lecun_normal())
    }

    /// A map of `axes`, one for each place of the leading axes of extents `batch`. The initializer sees a matrix with a row for each input and
    /// a column for each output.
    #[track_caller]
    pub fn with(
        key: &Key,
        batch: &[usize],
        inputs: &[usize],
        outputs: &[usize],
        axes: &[isize],
        bias: bool,
        initializer: Initializer,
    ) -> Self {
        if inputs.len() != axes.len() {
            let error = format!("{} axes and {} extents of inputs", axes.len(), inputs.len());
            fail(Error::program(error).op("linear").help("give an extent for each axis that is contracted"));
        }
        let rows = batch.iter().chain(inputs).product();
        let flat = initializer.sample(key, &[rows, outputs.iter().product()], DType::F32);
        let biases: Vec<usize> = batch.iter().chain(outputs).copied().collect();
        LinearGeneral {
            weight: flat.reshape(&[batch, inputs, outputs].concat()[..]).into(),
            bias: bias.then(|| Array::zeros(&biases).into()),
            axes: axes.to_vec(),
            batch: batch.len(),
        }
    }
}

/// A map of the axis of the pass's tokens is an error where these have segments or go on from earlier passes.
impl Module for LinearGeneral {
    /// `x: [batch.., ..]` to `[batch.., the axes that are left, outputs..]`.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let weight = self.weight.get();
        let (batch, rank) = (self.batch, x.rank() as isize);
        let axes: Vec<usize> =
            self.axes.iter().map(|&axis| (if axis < 0 { axis + rank } else { axis }) as usize).collect();
        let inputs: Vec<usize> = (batch..batch + axes.len()).collect();
        let (leading, shape): (Vec<usize>, _) = ((0..batch).collect(), x.shape());
        let same = |at: usize, of: usize| shape.get(at).is_some_and(|&extent| extent == weight.shape()[of]);
        let fits = axes.iter().zip(&inputs).all(|(&at, &of)| at >= batch && same(at, of));
        if !fits || !leading.iter().all(|&i| same(i, i)) {
            let error = format!("axes {:?} of {} do not fit the weight {}", self.axes, x.ty(), weight.ty());
            let help = format!("the weight has {batch} batch axes, then the inputs, then the outputs");
            fail(Error::program(error).op("linear").help(help));
        }
        refuse_mixing("linear", x, resolved("linear", &self.axes, x.rank()), cx);
        let (x, weight) = promoted(x, &weight);
        let y = lax::dot_general(&x, &weight, (&axes, &inputs), (&leading, &leading));
        let Some(bias) = &self.bias else { return y };
        let bias = bias.get();
        let shape = bias.shape();
        let free = vec![1; y.rank() - shape.len()];
        y + bias.reshape(&[&shape[..batch], &free, &shape[batch..]].concat()[..])
    }
}
