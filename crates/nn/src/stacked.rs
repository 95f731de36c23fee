//! Layers of equal structure that run as a loop, and layers that are recomputed in the backward pass.

use jarrah_array::{Array, CheckpointPolicy, TreeExt, fail, stack, tree};

use crate::object::relay;
use crate::variable::transparent;
use crate::{Context, Layer, Module};

/// Modules of one structure one after another, as a loop whose body is compiled once: each array has a leading axis with a place for each module.
///
/// It is a transparent part of a tree. In a pass, each module has keys of its own; statistics, caches and captured values are stacked as the
/// parameters are.
///
/// ```
/// use jarrah_array::{Array, TreeExt, random::Key};
/// use jarrah_nn::{Context, Linear, Module, Stacked};
/// let layers: Vec<Linear> = Key::new(0).split(3).iter().map(|key| Linear::new(key, 4, 4)).collect();
/// let stacked = Stacked::new(&layers);
/// let shapes: Vec<_> = stacked.leaves().iter().map(|x: &&Array| x.shape().to_vec()).collect();
/// assert_eq!(shapes, [vec![3, 4, 4], vec![3, 4]]);
/// let x = Array::ones(&[4]);
/// let apart = layers.iter().fold(x.clone(), |x, layer| layer.forward(&x));
/// assert_eq!(stacked.call(&x, &mut Context::eval()).to_vec::<f32>()?, apart.to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `flax.nnx.scan` over layers that `flax.nnx.vmap` makes.
#[derive(Clone, Debug)]
pub struct Stacked(pub Layer);

transparent!(Stacked);

impl Stacked {
    /// The modules, in order; an error if their structures differ.
    #[track_caller]
    pub fn new<M: Module>(modules: &[M]) -> Self {
        let leaves = match tree::transpose::<Array, M>(modules) {
            Ok(leaves) => leaves,
            Err(error) => fail(error.op("stacked").help("stacked modules have the same layers and settings")),
        };
        let stacked: Vec<Array> = leaves.iter().map(|each| stack(each, 0)).collect();
        let whole = modules[0].with_leaves(stacked).expect("invariant: there is a stack for each leaf");
        Stacked(Layer::new(whole))
    }

    /// The number of modules.
    pub fn len(&self) -> usize {
        self.0.leaves().first().map_or(0, |x: &&Array| x.shape()[0])
    }

    /// Whether the stack has no modules.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The module at a place.
    #[must_use]
    pub fn layer(&self, at: usize) -> Layer {
        self.0.map_leaves(|x: &Array| x.slice(0, at..at + 1).squeeze(0))
    }
}

impl Module for Stacked {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        relay(|| cx.scan(x, &self.0, |x, layer, cx| (layer.call(x, cx), ())).0)
    }
}

/// A module whose intermediate values the backward pass computes again instead of keeping them.
///
/// It is a transparent part of a tree. For a policy of what is kept, see [`Context::remat`].
///
/// ```
/// use jarrah_array::{Array, grad, random::Key};
/// use jarrah_nn::{Context, Mlp, Module, RematLayer};
/// let model = RematLayer(Mlp::new(&Key::new(0), 4, 16).into());
/// let slope = grad(|model: &RematLayer| model.call(&Array::ones(&[4]), &mut Context::eval()).sum(..))(&model);
/// ```
///
/// Source: `flax.nnx.remat`.
#[derive(Clone, Debug)]
pub struct RematLayer(pub Layer);

transparent!(RematLayer);

impl Module for RematLayer {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let args = (self.0.clone(), x.clone());
        let run = |(layer, x): &(Layer, Array), cx: &mut Context| layer.call(x, cx);
        relay(|| cx.remat(CheckpointPolicy::nothing_saveable(), &args, run))
    }
}
