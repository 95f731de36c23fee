//! Selecting, editing and tying; what a pass leaves.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Tree, TreeExt, grad, jit, vmap};
use jarrah_nn::{
    Activation, BatchNorm, Context, Dropout, Embedding, Filter, Kind, Layer, LayerNorm, Linear, Lora, Mlp,
    Module, Sequential, State, Transposed, Variable, edit, part, parts, split, state, tie, try_update, untie,
    update,
};

#[derive(Clone, Debug, Tree)]
struct Net {
    embed: Embedding,
    blocks: Vec<Mlp>,
    norm: Layer,
    head: Linear,
}

impl Module for Net {
    fn call(&self, tokens: &Array, cx: &mut Context) -> Array {
        let mut x = cx.call("embed", &self.embed, tokens);
        for (i, block) in self.blocks.iter().enumerate() {
            x = &x + cx.call(&format!("blocks.{i}"), block, &x);
        }
        let x = cx.call("norm", &self.norm, &x);
        cx.call("head", &self.head, &x)
    }
}

fn net() -> Net {
    let keys = Key::new(7).split(4);
    Net {
        embed: Embedding::new(&keys[0], 6, 4),
        blocks: keys[1..3].iter().map(|key| Mlp::new(key, 4, 8)).collect(),
        norm: LayerNorm::new(4, 1e-5).into(),
        head: Linear::with(&keys[3], 4, 6, false, jarrah_nn::Initializer::lecun_normal()),
    }
}

fn tokens() -> Array {
    Array::new(&[1i32, 5, 0, 3, 1, 1], &[2, 3])
}

fn loss(net: &Net) -> Array {
    net.call(&tokens(), &mut Context::eval()).square().sum(..)
}

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

/// What `f` refuses to do, in words.
fn refusal(f: impl FnOnce()) -> String {
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).unwrap_err();
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap()
}

#[test]
fn a_tied_parameter_has_one_gradient_the_sum_over_its_places() {
    let apart = {
        let mut net = net();
        net.head.weight = net.embed.table.get().t().into();
        net
    };
    let slopes = grad(loss)(&apart);
    let sum = slopes.embed.table.get() + slopes.head.weight.get().t();
    let mut tied = apart;
    tie(&mut tied, "embed.table", "head.weight");
    let slope = grad(loss)(&tied);
    assert_eq!(slope.leaves().len(), slopes.leaves().len() - 1);
    let off = (slope.embed.table.get() - &sum).abs().max(..).item::<f32>().unwrap();
    assert!(off < 1e-5 * sum.abs().max(..).item::<f32>().unwrap(), "{off}");
    // The same at the other place, and under jit and a step of descent.
    assert_eq!(values(&slope.head.weight.get()), values(&slope.embed.table.get().t()));
    let step = jit(|net: &Net| net.zip_map([&grad(loss)(net)], |p, [g]| p - g * 0.1).unwrap());
    let next = step.call(tied.clone()).unwrap();
    assert_eq!(values(&next.head.weight.get().t()), values(&next.embed.table.get()));
    assert_ne!(values(&next.embed.table.get()), values(&tied.embed.table.get()));
    assert_eq!(next.structure(), tied.structure());
}

#[test]
fn what_is_put_in_the_place_of_a_tied_parameter_is_at_its_other_places() {
    let mut net = net();
    tie(&mut net, "embed.table", "head.weight");
    let grown = Array::ones(&[9, 4]);
    edit(&mut net, "embed", |_, embed: &mut Embedding| embed.table = grown.clone().into());
    assert_eq!(net.head.weight.shape(), [4, 9]);
    assert_eq!(net.leaves().len(), 11);
    // One that is put at the other place is its own.
    edit(&mut net, "head", |_, head: &mut Linear| head.weight = Array::zeros(&[4, 9]).into());
    assert_eq!(net.leaves().len(), 12);
    assert_eq!(values(&net.embed.table.get()), values(&grown));
}

#[test]
fn copies_of_a_tied_model_have_ties_of_their_own() {
    let mut one = net();
    tie(&mut one, "embed.table", "head.weight");
    let (mut a, count) = (one.clone(), one.leaves().len());
    let both = (one.clone(), one.map_leaves(|x| x * 2.0), vec![one.clone(); 2]);
    assert_eq!(both.leaves().len(), 4 * count);
    edit(&mut a, "embed.table", |_, table: &mut Variable| *table = Array::zeros(&[6, 4]).into());
    assert_ne!(values(&one.embed.table.get()), values(&a.embed.table.get()));
    assert_eq!(values(&both.1.head.weight.get()), values(&(both.1.embed.table.get().t())));
    untie(&mut a, "head");
    assert_eq!((a.leaves().len(), one.leaves().len()), (count + 1, count));
}

#[test]
fn ties_that_cannot_be_are_refused_in_words() {
    let refused = |first: &'static str, other: &'static str| refusal(move || tie(&mut net(), first, other));
    assert!(refused("embed.table", "head.wait").contains("no variable at head.wait"));
    assert!(refused("head.weight", "embed.table").contains("comes before"));
    assert!(refused("embed.table", "blocks.0.up.weight").contains("[6, 4]"));
    assert!(refused("embed.table", "embed.table").contains("comes before"));
}

#[test]
fn an_edit_that_changes_nothing_is_refused_with_what_there_is() {
    let error = refusal(|| {
        edit(&mut net(), "blocks.2.up", |_, _: &mut Linear| {});
    });
    assert!(error.contains("no Linear at `blocks.2.up`") && error.contains("blocks.1.up"), "{error}");
    let error = refusal(|| {
        edit(&mut net(), "**", |_, _: &mut BatchNorm| {});
    });
    assert!(error.contains("no BatchNorm at all"), "{error}");
}

#[test]
fn static_fields_and_lists_are_edited_too() {
    let mut net = net();
    assert_eq!(edit(&mut net, "blocks", |_, f: &mut Activation| *f = Activation::RELU), 2);
    assert!(net.blocks.iter().all(|block| block.activation == Activation::RELU));
    edit(&mut net, "blocks", |_, blocks: &mut Vec<Mlp>| blocks.truncate(1));
    assert_eq!(net.blocks.len(), 1);
    let norm: LayerNorm = part(&net, "norm").unwrap();
    assert_eq!(norm.scale.unwrap().shape(), [4]);
    assert_eq!(parts::<_, Linear>(&net, ..).len(), 3);
}

#[test]
fn variables_in_variables_are_met_once() {
    let mut layer = Linear { weight: Transposed::of(Array::ones(&[3, 2])).into(), bias: None };
    let mut shapes = Vec::new();
    edit(&mut layer, "weight", |_, weight: &mut Variable| {
        shapes.push(weight.shape());
        *weight = Lora::over(weight.clone(), &Key::new(0), 1, 1.0).into();
    });
    assert_eq!(shapes, [[2, 3]]);
    assert_eq!(state(&layer, ..).names(), ["weight.adapter.a", "weight.adapter.b", "weight.base"]);
    assert_eq!(state(&layer, Kind::LORA).len(), 2);
}

#[test]
fn an_adapter_is_its_dense_weight_in_every_product() {
    let key = Key::new(3);
    let base = key.normal(&[5, 4]);
    let mut lora = Lora::over(base.clone(), &key, 2, 3.0);
    lora.adapter.b = key.fold_in(1).normal(&[2, 4]).into();
    let adapted = Variable::from(lora.clone());
    let dense = &base + lora.adapter.a.get().matmul(&lora.adapter.b.get()) * 1.5;
    let close = |a: &Array, b: &Array| (a - b).abs().max(..).item::<f32>().unwrap() < 1e-5;
    let (x, y) = (key.fold_in(2).normal(&[3, 5]), key.fold_in(3).normal(&[3, 4]));
    assert!(close(&adapted.get(), &dense) && close(&adapted.dot(&x), &x.matmul(&dense)));
    assert!(close(&adapted.dot_transposed(&y), &y.matmul(&dense.t())));
    let rows = Array::from_slice(&[4i32, 0]);
    assert!(close(&adapted.rows(&rows), &dense.take(&rows, 0)));
}

#[test]
fn filters_mean_what_is_below_and_join() {
    let net = net();
    let names = |filter: Filter| state(&net, filter).names();
    assert_eq!(names("blocks.*.up".into()).len(), 4);
    assert_eq!(
        names("**.b*as".into()),
        ["blocks.0.down.bias", "blocks.0.up.bias", "blocks.1.down.bias", "blocks.1.up.bias", "norm.bias"]
    );
    assert_eq!(names("{embed,norm}".into()), ["embed.table", "norm.bias", "norm.scale"]);
    assert_eq!(names(Filter::within("Mlp") & !Filter::from("**.bias")).len(), 4);
    assert_eq!(names(Filter::from("head") | Filter::from("embed")), ["embed.table", "head.weight"]);
    assert!(refusal(|| drop(state(&net, "bias"))).contains("no leaf at `bias`"));
    let [one, two, rest] = split(&net, ["**.bias".into(), "blocks".into(), (..).into()]);
    assert_eq!((one.len(), two.len(), rest.len()), (5, 4, 3));
    let back = update(&update(&update(&net.map_leaves(Array::zeros_like), &one), &two), &rest);
    assert!(back.leaves().iter().zip(net.leaves()).all(|(a, b)| values(a) == values(b)));
    assert!(refusal(|| drop(split(&net, ["head".into()]))).contains("no filter means embed.table"));
}

#[test]
fn a_state_that_does_not_fit_is_refused() {
    let mut wrong = State::default();
    wrong.set("head.weigth", Array::zeros(&[4, 6]));
    let error = try_update(&net(), &wrong).unwrap_err().to_string();
    assert!(error.contains("no leaf head.weigth"), "{error}");
    let mut wrong = State::default();
    wrong.set("head.weight", Array::zeros(&[4, 7]));
    let error = try_update(&net(), &wrong).unwrap_err().to_string();
    assert!(error.contains("f32[4,6] in the model and f32[4,7]"), "{error}");
}

#[test]
fn statistics_move_with_a_pass_that_trains_and_have_no_gradient_of_their_own() {
    let model = Sequential::new().and(Linear::new(&Key::new(1), 3, 3)).and(BatchNorm::new(3));
    let x = Key::new(2).normal(&[8, 3]);
    let step = jit(|(model, x): &(Sequential, Array)| {
        let mut cx = Context::train(&Key::new(0));
        let y = model.call(x, &mut cx);
        (y, cx.updates())
    });
    let (y, updates) = step.call((model.clone(), x.clone())).unwrap();
    assert!(y.mean(0).abs().max(..).item::<f32>().unwrap() < 1e-5);
    assert_eq!(updates.names(), ["layers.1.mean", "layers.1.var"]);
    let next = update(&model, &updates);
    assert_eq!(state(&next, Kind::BATCH_STATISTIC).names(), updates.names());
    // 0.99 of the ones that it had, and 0.01 of those of the pass.
    let linear = model.layers[0].call(&x, &mut Context::eval());
    let wanted = values(&(linear.mean(0) * 0.01));
    let found = values(&state(&next, ..).array("layers.1.mean").unwrap());
    assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {wanted:?}");
    let slope = grad(|p: &State| update(&model, p).call(&x, &mut Context::train(&Key::new(0))).sum(..))(
        &state(&model, Kind::PARAMETER),
    );
    assert!(slope.array("layers.1.mean").is_none() && slope.array("layers.1.scale").is_some());
}

#[test]
fn keys_come_from_named_streams_in_turn() {
    let key = Key::new(5);
    let model = Sequential::new().and(Dropout::new(0.5)).and(Dropout::new(0.5));
    let x = Array::ones(&[64]);
    let run = |cx: &mut Context| values(&model.call(&x, cx));
    assert_eq!(run(&mut Context::eval()), values(&x));
    assert_eq!(run(&mut Context::train(&key)), run(&mut Context::train(&key)));
    let named = run(&mut Context::train(&Key::new(6)).with_stream("dropout", &key));
    assert_eq!(named, run(&mut Context::train(&key)));
    let mut cx = Context::train(&key);
    let (a, b) = (cx.key("a").unwrap(), cx.key("b").unwrap());
    assert_eq!(a.words().to_vec::<u32>().unwrap(), key.fold_in(0).words().to_vec::<u32>().unwrap());
    assert_eq!(b.words().to_vec::<u32>().unwrap(), key.fold_in(1).words().to_vec::<u32>().unwrap());
}

#[test]
fn results_are_captured_and_changed_by_path() {
    let net = net();
    let mut cx = Context::eval().capturing("blocks").capturing("norm");
    let y = net.call(&tokens(), &mut cx);
    let captured = cx.captured();
    assert_eq!(
        captured.names(),
        ["blocks.0", "blocks.0.down", "blocks.0.up", "blocks.1", "blocks.1.down", "blocks.1.up", "norm"]
    );
    let normed = captured.array("norm").unwrap();
    assert_eq!(values(&net.head.forward(&normed)), values(&y));
    // Without its blocks the net is norm and head of the embeddings.
    let mut cx =
        Context::eval().changing("blocks.*", |path, y| if path.len() == 8 { y * 0.0 } else { y.clone() });
    let bare = net.call(&tokens(), &mut cx);
    let mut plain = net.clone();
    plain.blocks.clear();
    assert_eq!(values(&bare), values(&plain.call(&tokens(), &mut Context::eval())));
    // A pass per example, under vmap.
    let each = vmap(|tokens: &Array| {
        let mut cx = Context::eval().capturing("norm");
        net.call(tokens, &mut cx);
        cx.captured()
    })(&tokens());
    assert_eq!(each.array("norm").unwrap().shape(), [2, 3, 4]);
}

#[test]
fn models_are_made_of_shapes_alone_and_filled_later() {
    let shapes = jarrah_array::eval_shape(
        |words: &Array| Linear::new(&Key::from_words(words.clone()), 1 << 16, 1 << 15),
        Key::new(0).words(),
    );
    assert_eq!(shapes.weight.shape(), [1 << 16, 1 << 15]);
    let small = Linear::new(&Key::new(0), 2, 2);
    let filled =
        shapes.map_leaves(|shape| if shape.rank() == 1 { Array::zeros(&[2]) } else { small.weight.get() });
    assert_eq!(
        values(&filled.forward(&Array::ones(&[2]))),
        values(&Array::ones(&[2]).matmul(&small.weight.get()))
    );
}

/// A layer with weights in bf16 gives bf16, and its statistics are those of f32.
#[test]
fn norms_of_narrow_numbers_are_computed_in_f32() {
    let x = (Key::new(1).normal(&[4, 64]) + 100.0).astype(DType::BF16);
    let mut norm = LayerNorm::new(64, 1e-5);
    norm.scale = Some(Array::full(&[64], 1, DType::BF16).into());
    norm.bias = None;
    let (y, wide) = (norm.forward(&x), norm.forward(&x.astype(DType::F32)));
    assert_eq!(y.dtype(), DType::BF16);
    assert_eq!(values(&y.astype(DType::F32)), values(&wide.astype(DType::BF16).astype(DType::F32)));
}
