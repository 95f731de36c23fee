//! Passes within loops and recomputation: layers that are stacked are the layers one after another.

use jarrah_array::random::Key;
use jarrah_array::{
    Array, CheckpointPolicy, DType, Tree, TreeExt, grad, jit, saved_residuals, stack, try_trace,
    value_and_grad_with_aux,
};
use jarrah_nn::{
    Activation, BatchNorm, Context, Conv, Dropout, Kind, Linear, Module, MultiHeadAttention, Pool,
    RematLayer, Sequential, Stacked, State, Tokens, state, update,
};

use crate::flax::tensors;

#[derive(Clone, Debug, Tree)]
struct Block {
    attention: MultiHeadAttention,
    norm: BatchNorm,
    dropout: Dropout,
    up: Linear,
}

impl Module for Block {
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let y = cx.call("attention", &self.attention, x);
        let y = cx.call("norm", &self.norm, &y);
        let y = cx.call("dropout", &self.dropout, &y);
        x + cx.call("up", &self.up, &y)
    }
}

fn blocks() -> Vec<Block> {
    let block = |key: &Key| {
        let (a, b) = key.pair();
        Block {
            attention: MultiHeadAttention::new(&a, 4, 2).causal(),
            norm: BatchNorm::new(4),
            dropout: Dropout::new(0.5),
            up: Linear::new(&b, 4, 4),
        }
    };
    Key::new(1).split(3).iter().map(block).collect()
}

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

fn close(a: &Array, b: &Array, what: &str) {
    assert_eq!(a.shape(), b.shape(), "{what}");
    for (a, b) in values(a).iter().zip(values(b)) {
        assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{what}: {a} {b}");
    }
}

/// The blocks one after another, each with the keys that a loop gives it; the states that they leave.
fn one_after_another(blocks: &[Block], x: &Array, key: &Key) -> (Array, Vec<State>) {
    let base = key.fold_in(0);
    let mut states = Vec::new();
    let y = blocks.iter().enumerate().fold(x.clone(), |x, (i, block)| {
        let mut cx = Context::train(&base.fold_in(i as u32)).capturing("norm");
        let y = block.call(&x, &mut cx);
        states.push(cx.updates().merged(&cx.captured()));
        y
    });
    (y, states)
}

#[test]
fn stacked_layers_are_the_layers_one_after_another() {
    let (blocks, key) = (blocks(), Key::new(5));
    let x = Key::new(2).normal(&[2, 3, 4]);
    let stacked = Stacked::new(&blocks);
    let (apart, states) = one_after_another(&blocks, &x, &key);
    for model in [stacked.clone(), Stacked(RematLayer(stacked.0).into())] {
        assert_eq!(model.len(), 3);
        let mut cx = Context::train(&key).capturing("norm");
        let y = model.call(&x, &mut cx);
        close(&y, &apart, "result");
        // Statistics and captured values are stacked as the parameters are.
        let left = cx.updates().merged(&cx.captured());
        for name in ["norm.mean", "norm.var", "norm"] {
            let each: Vec<Array> = states.iter().map(|state| state.array(name).unwrap()).collect();
            let each = stack(&each.iter().collect::<Vec<_>>(), 0);
            close(&left.array(name).unwrap(), &each, name);
        }
        let next = update(&model, &cx.updates());
        let stacked = state(&next, "norm.mean").array("norm.mean").unwrap();
        close(&stacked, &cx.updates().array("norm.mean").unwrap(), "updated");

        let loss = |model: &Stacked| model.call(&x, &mut Context::train(&key)).square().sum(..);
        let slope = grad(loss)(&model);
        let expected =
            grad(|blocks: &Vec<Block>| one_after_another(blocks, &x, &key).0.square().sum(..))(&blocks);
        let expected = Stacked::new(&expected);
        for ((path, a), (_, b)) in
            <Stacked as TreeExt<Array>>::leaves_with_paths(&slope).iter().zip(expected.leaves_with_paths())
        {
            close(a, b, path);
        }
    }
}

#[test]
fn caches_of_stacked_layers_are_stacked() {
    let blocks = blocks();
    let model = Sequential::new().and(Stacked::new(&blocks));
    let x = Key::new(2).normal(&[1, 4, 4]);
    let whole = model.call(&x, &mut Context::eval());
    let one = blocks[0].attention.cache(1, 4, DType::F32);
    let mut state = State::default();
    state.set("layers.0.attention.cache", one.map_leaves(|x: &Array| stack(&[x, x, x], 0)));
    for i in 0..4 {
        let token = x.slice(1, i..i + 1);
        let at = Tokens::next(&Array::scalar(i as i32), &token);
        let mut cx = Context::eval().with_state(&state).with(at);
        let y = model.call(&token, &mut cx);
        close(&y, &whole.slice(1, i..i + 1), "a token");
        state = cx.updates();
    }
}

#[test]
fn what_is_computed_again_is_not_kept() {
    let (blocks, key) = (blocks(), Key::new(5));
    let x = Key::new(2).normal(&[2, 3, 4]);
    let plain = |block: &Block| block.call(&x, &mut Context::train(&key));
    let again = |block: &RematLayer| block.call(&x, &mut Context::train(&key));
    let remat = RematLayer(blocks[0].clone().into());
    close(&again(&remat), &plain(&blocks[0]), "result");
    let kept = saved_residuals(again)(&remat).len();
    assert!(kept < saved_residuals(plain)(&blocks[0]).len(), "{kept}");
    let mut cx = Context::train(&key).capturing("up");
    remat.call(&x, &mut cx);
    assert_eq!(cx.updates().names(), ["norm.mean", "norm.var"]);
    assert_eq!(cx.captured().names(), ["up"]);
}

#[test]
fn what_is_captured_within_remat_and_loops_has_its_path() {
    let (blocks, x) = (blocks(), Key::new(2).normal(&[2, 3, 4]));
    let capturing = || Context::eval().capturing("**");
    let named = |cx: &Context| {
        let (paths, captured) = (cx.captured_paths(), cx.captured());
        for path in &paths {
            assert!(captured.array(path).is_some(), "{path} of {paths:?}");
        }
        paths
    };
    let mut cx = capturing();
    cx.call("first", &blocks[0], &x);
    let plain = named(&cx);
    assert_eq!(plain.last().unwrap(), "first");
    let mut cx = capturing();
    let again = RematLayer(blocks[0].clone().into());
    cx.call("first", &again, &x);
    assert_eq!(named(&cx), plain);
    // One behind the other, and one that runs twice.
    cx.call("second", &again, &x);
    cx.call("first", &again, &x);
    let all = named(&cx);
    let of = |name: &str| plain.iter().map(|path| path.replacen("first", name, 1)).collect::<Vec<_>>();
    let twice = |n: usize| plain.iter().map(|path| format!("{path}.{n}")).collect::<Vec<_>>();
    assert_eq!(all, [twice(0), of("second"), twice(1)].concat());

    // A loop captures stacks, at the paths of its body.
    let mut cx = capturing();
    cx.call("before", &blocks[0].up, &x);
    cx.call("first", &Stacked::new(&blocks), &x);
    let mut stacked = named(&cx);
    assert_eq!(stacked.remove(0), "before");
    assert_eq!(stacked, plain);
    assert_eq!(cx.captured().array("first.up").unwrap().shape(), [blocks.len(), 2, 3, 4]);
    // Recomputation within a loop, traced.
    let remats: Vec<RematLayer> = blocks.iter().map(|block| RematLayer(block.clone().into())).collect();
    let nested = Stacked::new(&remats);
    let paths = std::sync::Mutex::new(Vec::new());
    let run = jit(|x: &Array| {
        let mut cx = capturing();
        let y = cx.call("first", &nested, x);
        *paths.lock().unwrap() = cx.captured_paths();
        y
    });
    run.call(x.clone()).unwrap();
    assert_eq!(paths.into_inner().unwrap(), plain);
}

#[test]
fn passes_go_on_behind_what_is_transformed() {
    let (key, one) = (Key::new(3), Array::scalar(1.0f32));
    let words = |key: Key| key.words().to_vec::<u32>().unwrap();
    let nothing = CheckpointPolicy::nothing_saveable;
    let mut cx = Context::train(&key);
    assert_eq!(words(cx.key("dropout").unwrap()), words(key.fold_in(0)));
    let inner = cx.remat(nothing(), &one, |x, cx| {
        cx.set("left", x * 2.0);
        cx.key("dropout").unwrap().words().clone()
    });
    assert_eq!(inner.to_vec::<u32>().unwrap(), words(key.fold_in(1)));
    assert_eq!(cx.state::<Array>("left").unwrap().item::<f32>().unwrap(), 2.0);
    // What comes next knows what was left, and has the next keys.
    let seen = cx.remat(nothing(), &one, |_, cx| cx.state::<Array>("left").unwrap());
    assert_eq!(seen.item::<f32>().unwrap(), 2.0);
    // So does what is lent, which is no part of what was left.
    cx.remat(nothing(), &one, |x, cx| {
        cx.lend("keys", x * 3.0);
        x.clone()
    });
    let seen = cx.remat(nothing(), &one, |_, cx| cx.lent::<Array>("keys").unwrap());
    assert_eq!(seen.item::<f32>().unwrap(), 3.0);
    assert_eq!(cx.updates().names(), ["left"]);
    let step =
        |x: &Array, _: &Array, cx: &mut Context| (x.clone(), cx.key("dropout").unwrap().words().clone());
    let (_, keys) = cx.enter("loop", |cx| cx.scan(&one, &Array::zeros(&[2]), step));
    let expected = [0, 1].map(|i| words(key.fold_in(2).fold_in(i).fold_in(0))).concat();
    assert_eq!(keys.to_vec::<u32>().unwrap(), expected);
    assert_eq!(words(cx.key("dropout").unwrap()), words(key.fold_in(3)));
}

/// Keys are those of `nnx.Rngs`: names without a stream share the default one.
#[test]
fn streams_give_the_keys_of_flax() {
    let mut cx = Context::eval().with_stream("default", &Key::new(0)).with_stream("dropout", &Key::new(7));
    let names = ["params", "dropout", "noise", "dropout", "default"];
    let words: Vec<i32> = names
        .iter()
        .flat_map(|name| cx.key(name).unwrap().words().to_vec::<u32>().unwrap())
        .map(u32::cast_signed)
        .collect();
    assert_eq!(words, tensors("streams", "y")["words"].to_vec::<i32>().unwrap());
    assert!(Context::eval().key("params").is_none());
}

#[test]
fn layers_that_differ_are_not_stacked() {
    let key = Key::new(0);
    let mixed = [Linear::new(&key, 4, 4), Linear { bias: None, ..Linear::new(&key, 4, 4) }];
    let error = try_trace(|| Stacked::new(&mixed)).unwrap_err().to_string();
    assert!(error.contains("bias") && error.contains("passes.rs"), "{error}");
    let error = try_trace(|| Stacked::new::<Linear>(&[])).unwrap_err().to_string();
    assert!(error.contains("no tree"), "{error}");
    let error = try_trace(|| Context::eval().scan(&Array::scalar(0i32), &(), |c, (), _| (c.clone(), ())))
        .unwrap_err();
    assert!(error.to_string().contains("no array"), "{error}");
}

/// A step as people write it: the parameters' gradient, and the state that the pass leaves, come out of one compiled function.
#[test]
fn a_compiled_step_returns_what_the_pass_left() {
    let model = Sequential::new()
        .and(Conv::new(&Key::new(0), 2, 4, &[3]))
        .and(BatchNorm::new(4))
        .and(Activation::RELU)
        .and(Dropout::new(0.1))
        .and(Pool::max(&[2]).with_strides(&[2]));
    let x = Key::new(1).normal(&[3, 8, 2]);
    let step = jit(|(model, x, words): &(Sequential, Array, Array)| {
        let loss = |model: &Sequential| {
            let mut cx = Context::train(&Key::from_words(words.clone()));
            (model.call(x, &mut cx).square().mean(..), cx.updates())
        };
        let ((loss, left), slopes) = value_and_grad_with_aux(loss)(model);
        let parameters = state(&slopes, Kind::PARAMETER);
        let moved: Sequential = update(model, &left);
        let now = state(&moved, Kind::PARAMETER);
        let mut next = State::default();
        for name in now.names() {
            next.set(&name, now.array(&name).unwrap() - parameters.array(&name).unwrap() * 0.1);
        }
        (loss, update(&moved, &next))
    });
    let (mut model, mut losses) = (model, Vec::new());
    for i in 0..5 {
        let words = Key::new(2).fold_in(i).words().clone();
        let (loss, next) = step.call((model, x.clone(), words)).unwrap();
        losses.push(loss.item::<f32>().unwrap());
        model = next;
    }
    assert!(losses[4] < losses[0], "{losses:?}");
    let statistics = state(&model, Kind::BATCH_STATISTIC);
    assert_eq!(statistics.names(), ["layers.1.mean", "layers.1.var"]);
    assert!(values(&statistics.array("layers.1.mean").unwrap()).iter().all(|&mean| mean != 0.0));
}
