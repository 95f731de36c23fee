//! A convolutional network learns to read digits anywhere on a larger image.
//!
//! Convolutions and pooling are functions of `lax`, with JAX's options as structs. The arrays that a compiled function captures
//! (here the unseen digits) become hidden arguments of it, not constants.

mod digits;

use digits::digits;
use jarrah::Result;
use jarrah::array::lax::{ConvOptions, Monoid, Padding, WindowOptions, conv_general_dilated, reduce_window};
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree, jit, value_and_grad};
use jarrah::nn::{Initializer, Linear, Module, relu, softmax_cross_entropy_with_integer_labels};
use jarrah::optim::{Adam, Leaves, adam, apply_updates};

const SIDE: usize = 12;
const BATCH: usize = 64;

#[derive(Clone, Tree)]
struct Conv {
    /// `[outputs, inputs, 3, 3]`.
    kernel: Array,
    bias: Array,
}

impl Conv {
    fn new(key: &Key, inputs: usize, outputs: usize) -> Self {
        let deviation = (2.0 / (9 * inputs) as f64).sqrt();
        let kernel = Initializer::normal(deviation).sample(key, &[outputs, inputs, 3, 3], DType::F32);
        Conv { kernel, bias: Array::zeros(&[outputs, 1, 1]) }
    }

    /// `[batch, inputs, h, w]` to `[batch, outputs, h, w]`.
    fn forward(&self, x: &Array) -> Array {
        let window = WindowOptions { padding: Padding::Same, ..Default::default() };
        let options = ConvOptions { window, ..Default::default() };
        conv_general_dilated(x, &self.kernel, &options) + &self.bias
    }
}

/// The largest of each 2 x 2 pixels.
fn pool(x: &Array) -> Array {
    let window = WindowOptions { strides: vec![1, 1, 2, 2], ..Default::default() };
    reduce_window(x, Monoid::Max, &[1, 1, 2, 2], &window)
}

#[derive(Clone, Tree)]
struct Cnn {
    convs: [Conv; 2],
    out: Linear,
}

impl Cnn {
    fn new(key: &Key) -> Self {
        let keys = key.split(3);
        let convs = [Conv::new(&keys[0], 1, 8), Conv::new(&keys[1], 8, 16)];
        Cnn { convs, out: Linear::new(&keys[2], 16 * 3 * 3, 10) }
    }

    /// Logits `[batch, 10]`.
    fn forward(&self, images: &Array) -> Array {
        let mut x = images.expand_dims(1);
        for conv in &self.convs {
            x = pool(&relu(&conv.forward(&x)));
        }
        self.out.forward(&x.reshape(&[-1, 16 * 3 * 3]))
    }
}

/// The share of unseen digits that the network reads before and after `steps` steps.
pub fn learn(steps: u32) -> Result<[f32; 2]> {
    let keys = Key::new(1).split(3);
    let (images, labels) = digits(&keys[0], 300, SIDE, 0.2);
    let accuracy =
        jit(move |net: &Cnn| net.forward(&images).argmax(-1).eq(&labels).astype(DType::F32).mean(..));

    let optimizer = adam(3e-3, Adam::default());
    let net = Cnn::new(&keys[1]);
    let before = accuracy.call(net.clone())?.item()?;
    let mut state = (net.clone(), optimizer.init(&net));
    let step = jit(move |((net, opt), key): &((Cnn, Leaves), Key)| {
        let (images, labels) = digits(key, BATCH, SIDE, 0.2);
        let loss =
            |net: &Cnn| softmax_cross_entropy_with_integer_labels(&net.forward(&images), &labels).mean(..);
        let (loss, slopes) = value_and_grad(loss)(net);
        let (updates, opt) = optimizer.update(&slopes, opt, net);
        ((apply_updates(net, &updates), opt), loss)
    });
    for i in 0..steps {
        let loss: Array;
        (state, loss) = step.call((state, keys[2].fold_in(i)))?;
        if i % 50 == 0 {
            println!("step {i}: loss {:.3}", loss.item::<f32>()?);
        }
    }
    Ok([before, accuracy.call(state.0)?.item()?])
}

fn main() -> Result<()> {
    let [before, after] = learn(500)?;
    println!("of 300 unseen digits {:.0} % are read right, {:.0} % before", 100.0 * after, 100.0 * before);
    Ok(())
}
