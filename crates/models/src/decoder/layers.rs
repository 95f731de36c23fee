//! The layers of a decoder, one after another.

use jarrah_array::{Array, CheckpointPolicy, TreeExt, stack, tree};
use jarrah_nn::Context;

use super::{DecoderBlock, LayerInput};

/// How a pass that trains runs the layers of a [`Decoder`](crate::Decoder): a value for [`Context::with`].
///
/// ```
/// use jarrah_array::{Array, CheckpointPolicy, grad, random::Key};
/// use jarrah_models::{Decoder, DecoderConfig, Layers};
/// use jarrah_nn::Context;
/// let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
/// let tokens = Array::new(&[1i32, 2, 3], &[1, 3]);
/// let layers = Layers { remat: Some(CheckpointPolicy::nothing_saveable()), scan: true };
/// let slope = grad(|m: &Decoder| m.loss(&tokens, &tokens, None, &mut Context::eval().with(layers.clone())))(&model);
/// assert_eq!(slope.blocks.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The values of each layer that are kept for the backward pass; `None` keeps all.
    pub remat: Option<CheckpointPolicy>,
    /// Whether the layers are a loop, whose body is compiled once: layers that differ by turns are one turn of it. Captured values
    /// are stacked by turn. Caches are for passes without. Layers with embeddings of their own are no loop.
    pub scan: bool,
}

impl Layers {
    /// The result of the blocks on `x`, in the scope `blocks`, each with its slice of `inputs: [B,T,layers,P]` if there are
    /// such.
    #[track_caller]
    pub(super) fn run(blocks: &[DecoderBlock], x: &Array, inputs: Option<&Array>, cx: &mut Context) -> Array {
        let layers = cx.about::<Layers>().map(|layers| (*layers).clone()).unwrap_or_default();
        let turn = if layers.scan && inputs.is_none() { turn(blocks) } else { blocks.len() };
        if turn == blocks.len() {
            let each = blocks.iter().enumerate();
            return each.fold(x.clone(), |x, (i, block)| {
                if let Some(inputs) = inputs {
                    LayerInput::lend(inputs, i, cx);
                }
                layers.one(&format!("blocks.{i}"), block, &x, cx)
            });
        }
        let turns: Vec<Vec<DecoderBlock>> = blocks.chunks(turn).map(<[_]>::to_vec).collect();
        let leaves = tree::transpose::<Array, _>(&turns).expect("invariant: turns are alike");
        let stacked: Vec<Array> = leaves.iter().map(|each| stack(each, 0)).collect();
        let turns = turns[0].with_leaves(stacked).expect("invariant: there is a stack for each leaf");
        cx.enter("blocks", |cx| {
            let body = |x: &Array, turn: &Vec<DecoderBlock>, cx: &mut Context| {
                let each = turn.iter().enumerate();
                (each.fold(x.clone(), |x, (i, block)| layers.one(&i.to_string(), block, &x, cx)), ())
            };
            cx.scan(x, &turns, body).0
        })
    }

    #[track_caller]
    pub(super) fn one(&self, name: &str, block: &DecoderBlock, x: &Array, cx: &mut Context) -> Array {
        match &self.remat {
            None => cx.call(name, block, x),
            Some(policy) => {
                let args = (block.clone(), x.clone());
                cx.remat(policy.clone(), &args, |(block, x), cx| cx.call(name, block, x))
            }
        }
    }
}

/// After how many layers they come again, alike in all but their numbers: all of them, if they do not.
fn turn(blocks: &[DecoderBlock]) -> usize {
    let count = blocks.len();
    let again = |turn: usize| {
        (0..turn).all(|first| {
            let alike: Vec<&DecoderBlock> = blocks[first..].iter().step_by(turn).collect();
            let alike: Vec<DecoderBlock> = alike.into_iter().cloned().collect();
            tree::transpose::<Array, _>(&alike)
                .is_ok_and(|leaves| leaves.iter().all(|each| each.iter().all(|x| x.ty() == each[0].ty())))
        })
    };
    (1..count).find(|&turn| count.is_multiple_of(turn) && again(turn)).unwrap_or(count)
}
