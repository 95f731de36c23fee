//! A network learns to learn: from ten points of a sine of any amplitude and phase, one step of gradient descent is to fit it.
//!
//! The loss contains a gradient, so that its gradient is one of second order: `grad` of `vmap` of `grad`.
//!
//! Source: Finn, Abbeel, Levine, Model-agnostic meta-learning for fast adaptation of deep networks (2017).

use std::f64::consts::PI;

use jarrah::Result;
use jarrah::array::random::Key;
use jarrah::array::{Array, DType, Tree, TreeExt, grad, jit, value_and_grad, vmap};
use jarrah::nn::{Linear, Module};
use jarrah::optim::{Adam, Leaves, adam, apply_updates};

const TASKS: usize = 16;
const SHOTS: usize = 10;
const WIDTH: usize = 40;

#[derive(Clone, Tree)]
struct Net {
    layers: [Linear; 3],
}

impl Net {
    fn new(key: &Key) -> Self {
        let keys = key.split(3);
        let layer = |i: usize, inputs, outputs| Linear::new(&keys[i], inputs, outputs);
        Net { layers: [layer(0, 1, WIDTH), layer(1, WIDTH, WIDTH), layer(2, WIDTH, 1)] }
    }

    /// `[points]` to `[points]`.
    fn forward(&self, x: &Array) -> Array {
        let [first, second, last] = &self.layers;
        let hidden = second.forward(&first.forward(&x.expand_dims(1)).tanh()).tanh();
        last.forward(&hidden).squeeze(1)
    }

    fn loss(&self, (x, y): &(Array, Array)) -> Array {
        (self.forward(x) - y).square().mean(..)
    }

    /// The network after a step of gradient descent on the points of a task.
    fn adapted(&self, points: &(Array, Array)) -> Net {
        let slopes = grad(|net: &Net| net.loss(points))(self);
        self.zip_map([&slopes], |w, [slope]| w - 0.1 * slope)
            .expect("a gradient has the structure of the network")
    }
}

/// Points to learn from and points to be judged by, of `TASKS` sines, each `[TASKS, SHOTS]`.
type Tasks = ((Array, Array), (Array, Array));

fn tasks(key: &Key) -> Tasks {
    let keys = key.split(4);
    let amplitude = keys[0].uniform_in(&[TASKS, 1], DType::F32, 0.5, 3.0);
    let phase = keys[1].uniform_in(&[TASKS, 1], DType::F32, 0.0, PI);
    let points = |key: &Key| {
        let x = key.uniform_in(&[TASKS, SHOTS], DType::F32, -PI, PI);
        let y = &amplitude * (&x + &phase).sin();
        (x, y)
    };
    (points(&keys[2]), points(&keys[3]))
}

/// The mean loss of the tasks after adaptation to each.
fn meta_loss(net: &Net, tasks: &Tasks) -> Array {
    vmap(|(support, query): &Tasks| net.adapted(support).loss(query))(tasks).mean(..)
}

/// The loss on unseen sines after one step of adaptation, before and after `steps` steps of learning.
pub fn learn(steps: u32) -> Result<[f32; 2]> {
    let keys = Key::new(6).split(3);
    let unseen: Vec<Tasks> = keys[0].split(8).iter().map(tasks).collect();
    let judge = jit(|(net, tasks): &(Net, Tasks)| meta_loss(net, tasks));
    let judged = |net: &Net| -> Result<f32> {
        let losses = unseen.iter().map(|tasks| judge.call((net.clone(), tasks.clone()))?.item::<f32>());
        Ok(losses.sum::<Result<f32>>()? / unseen.len() as f32)
    };

    let optimizer = adam(2e-3, Adam::default());
    let net = Net::new(&keys[1]);
    let before = judged(&net)?;
    let mut state = (net.clone(), optimizer.init(&net));
    let step = jit(move |((net, opt), key): &((Net, Leaves), Key)| {
        let batch = tasks(key);
        let (value, slopes) = value_and_grad(|net: &Net| meta_loss(net, &batch))(net);
        let (updates, opt) = optimizer.update(&slopes, opt, net);
        ((apply_updates(net, &updates), opt), value)
    });
    for i in 0..steps {
        let value: Array;
        (state, value) = step.call((state, keys[2].fold_in(i)))?;
        if i % 200 == 0 {
            println!("step {i}: loss after adaptation {:.3}", value.item::<f32>()?);
        }
    }
    Ok([before, judged(&state.0)?])
}

fn main() -> Result<()> {
    let [before, after] = learn(1000)?;
    println!("squared error after one step on ten points: {after:.3}, {before:.3} before");
    Ok(())
}
