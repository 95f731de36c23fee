//! Training without `jit`: a loop that reads its loss at every step compiles nothing after the third one, and computes the bits
//! of the compiled step.

use std::sync::Arc;

use jarrah_array::eager::{self, EagerMode};
use jarrah_array::random::Key;
use jarrah_array::tree::{Tree, TreeExt};
use jarrah_array::{Array, Device, compiled_programs, jit, lax, value_and_grad, with_default_device};
use jarrah_cpu::CpuClient;
use jarrah_models::Decoder;
use jarrah_optim::{Adam, Leaves, Mask, adamw, apply_updates};

use crate::gpt::{config, mean_loss};

/// When a loop reads its loss, and what it still holds then.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Reads {
    /// After the update; nothing else is held.
    Last,
    /// After the update, with gradients, updates and old parameters in scope.
    LastHoldingAll,
    /// Before the update.
    First,
    /// At some steps only.
    Seldom,
}

const STEPS: usize = 12;

/// The losses that are read, of steps in which the number of programs that were compiled is checked.
fn train<M: Tree<Array> + Clone>(
    name: &str,
    model: &M,
    batch: &(Array, Array),
    loss: &impl Fn(&M, &Array, &Array) -> Array,
    reads: Reads,
) -> Vec<f32> {
    let optimizer = adamw(1e-2, Adam::default(), 0.1, Mask::all());
    let (mut params, mut opt) = (model.clone(), optimizer.init(model));
    let (mut losses, mut counts) = (Vec::new(), Vec::new());
    for step in 0..STEPS {
        let before = compiled_programs();
        let (value, slope) = value_and_grad(|m: &M| loss(m, &batch.0, &batch.1))(&params);
        let mut read = |value: &Array| losses.push(value.item::<f32>().unwrap());
        if reads == Reads::First {
            read(&value);
        }
        let (updates, next_opt) = optimizer.update(&slope, &opt, &params);
        let next = apply_updates(&params, &updates);
        if reads == Reads::LastHoldingAll {
            read(&value);
        }
        (params, opt) = (next, next_opt);
        drop((slope, updates));
        if reads == Reads::Last || reads == Reads::Seldom && step % 3 != 1 {
            read(&value);
        }
        counts.push(compiled_programs() - before);
    }
    // Where a value is read at two steps of three, a run is one step, then two.
    let warm = if reads == Reads::Seldom { 6 } else { 3 };
    assert_eq!(counts[warm..].iter().sum::<u64>(), 0, "{name}, {reads:?}: {counts:?}");
    losses
}

/// The losses of the same steps, compiled.
fn compiled<M: Tree<Array> + Clone>(
    model: &M,
    batch: &(Array, Array),
    loss: &impl Fn(&M, &Array, &Array) -> Array,
) -> Vec<f32> {
    let optimizer = adamw(1e-2, Adam::default(), 0.1, Mask::all());
    let mut state = (model.clone(), optimizer.init(model));
    let step = jit(|((params, opt), (x, y)): &((M, Leaves), (Array, Array))| {
        let (value, slope) = value_and_grad(|m: &M| loss(m, x, y))(params);
        let (updates, opt) = optimizer.update(&slope, opt, params);
        ((apply_updates(params, &updates), opt), value)
    });
    let next = |_| {
        let (next, value) = step.call((state.clone(), batch.clone())).unwrap();
        state = next;
        value.item::<f32>().unwrap()
    };
    (0..STEPS).map(next).collect()
}

fn check<M: Tree<Array> + Clone>(
    name: &str,
    model: M,
    batch: (Array, Array),
    loss: impl Fn(&M, &Array, &Array) -> Array,
) {
    // The model is there before the first step, as it would be if it had been loaded.
    let model = jit(|m: &M| m.map_leaves(|x: &Array| x * 1)).call(model).unwrap();
    let expected = compiled(&model, &batch, &loss);
    assert!(expected[STEPS - 1] < expected[0], "{name}: {expected:?}");
    let alone = |mode, reads| {
        let device = Device::all(Arc::new(CpuClient::with_threads(2))).swap_remove(0);
        with_default_device(&device, || eager::mode(mode, || train(name, &model, &batch, &loss, reads)))
    };
    for reads in [Reads::Last, Reads::LastHoldingAll, Reads::First] {
        assert_eq!(alone(EagerMode::Fused, reads), expected, "{name}, {reads:?}");
    }
    let seldom: Vec<f32> = (0..STEPS).filter(|step| step % 3 != 1).map(|step| expected[step]).collect();
    assert_eq!(alone(EagerMode::Fused, Reads::Seldom), seldom, "{name}, read seldom");
    assert_eq!(alone(EagerMode::Strict, Reads::Last), expected, "{name}, strict");
}

fn cross_entropy(logits: &Array, labels: &Array) -> Array {
    let right = lax::iota(labels.dtype(), &logits.shape(), 1).eq(labels.expand_dims(-1));
    -(logits.log_softmax(-1) * right).sum(-1).mean(..)
}

#[test]
fn a_character_model_trains_without_jit() {
    let keys = Key::new(0).split(3);
    let model = Decoder::new(&config([2, 2, 16], 8, 17), &keys[2]);
    let tokens = |key: &Key| key.randint(&[3, 8], 0, 17);
    let batch = (tokens(&keys[0]), tokens(&keys[1]));
    check("GPT", model, batch, mean_loss);
}

#[test]
fn a_perceptron_trains_without_jit() {
    let keys = Key::new(0).split(5);
    let layer = |key: &Key, m: usize, n: usize| (key.normal(&[m, n]) * 0.3, Array::zeros(&[n]));
    let model = vec![layer(&keys[0], 12, 32), layer(&keys[1], 32, 32), layer(&keys[2], 32, 5)];
    let batch = (keys[3].normal(&[24, 12]), keys[4].randint(&[24], 0, 5));
    check("perceptron", model, batch, |layers: &Vec<(Array, Array)>, x, y| {
        let last = layers.len() - 1;
        let affine = |x: &Array, (weight, bias): &(Array, Array)| x.matmul(weight) + bias;
        let hidden = layers[..last].iter().fold(x.clone(), |x, layer| affine(&x, layer).tanh());
        cross_entropy(&affine(&hidden, &layers[last]), y)
    });
}

#[test]
fn a_convolutional_network_trains_without_jit() {
    let keys = Key::new(0).split(5);
    let small = |key: &Key, shape: &[usize]| key.normal(shape) * 0.2;
    let model =
        (small(&keys[0], &[4, 1, 3, 3]), (small(&keys[1], &[6, 4, 3, 3]), small(&keys[2], &[6 * 2 * 2, 5])));
    let batch = (keys[3].normal(&[6, 1, 6, 6]), keys[4].randint(&[6], 0, 5));
    check("convolutions", model, batch, |(first, (second, last)): &(Array, (Array, Array)), x, y| {
        let convolve = |x: &Array, kernel: &Array| {
            lax::conv_general_dilated(x, kernel, &lax::ConvOptions::default()).maximum(0)
        };
        let x = convolve(&convolve(x, first), second);
        cross_entropy(&x.reshape(&[6, -1]).matmul(last), y)
    });
}
