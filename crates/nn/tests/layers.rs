use jarrah_array::random::Key;
use jarrah_array::{Array, DType, TreeExt, concatenate, grad, jit, try_trace};
use jarrah_nn::Pool;
use jarrah_nn::{
    Activation, Context, Dropout, Embedding, Experts, F8State, Filter, Gate, Initializer, LayerNorm, Linear,
    Mlp, Module, MultiHeadAttention, Routing, Score, State, Tokens, Transposed, Variable, edit, f8_dot,
    f8_dot_current, relu, softmax_cross_entropy_with_integer_labels, softplus, state,
};
use jarrah_quant::{Activations, QuantizedTensor, Scheme, Values, quantize};

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

#[test]
fn linear_is_affine() {
    let layer = Linear {
        weight: Array::new(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]).into(),
        bias: Some(Array::from_slice(&[0.5f32, 0.0, -0.5]).into()),
    };
    assert_eq!(values(&layer.forward(&Array::from_slice(&[1.0f32, -1.0]))), [-2.5, -3.0, -3.5]);
}

/// Experts with quantized matrices are those with the numbers of these matrices, as near as `bf16` has them, and no stack of these numbers lies in memory:
/// few tokens read the codes of the experts that they go through. Where sums of codes have no scales, the bits are the same.
#[test]
fn experts_take_weights_of_few_bits() {
    let routing =
        Routing { active: 2, score: Score::Softmax, normalize: true, factor: 1.0.into(), groups: None };
    let layer = Experts::new(&Key::new(1), 6, 256, 128, Gate::Plain(Activation::SILU), routing);
    let forward = jit(|(layer, x): &(Experts, Array)| layer.call(x, &mut Context::eval()));
    for (rows, transposed) in [(1, false), (3, true), (40, false)] {
        let x = Key::new(2).normal(&[rows, 256]).astype(DType::BF16);
        for &scheme in Scheme::ALL {
            let (mut small, mut plain) = (layer.clone(), layer.clone());
            for (matrices, dense) in
                [(&mut small.gate_up, &mut plain.gate_up), (&mut small.down, &mut plain.down)]
            {
                let few = |x: &Array| Variable::from(quantize(x, scheme.groups_of(32)));
                let stored = match transposed {
                    true => few(&matrices.get().swapaxes(-2, -1)),
                    false => few(&matrices.get()),
                };
                let numbers = stored.dense(DType::BF16);
                // An array that a literal gave is no result of a loop: it lies in memory.
                let numbers = Variable::from(Array::from_literal(numbers.to_literal().unwrap()));
                let kind = |stored| if transposed { Transposed::of(stored).into() } else { stored };
                (*matrices, *dense) = (kind(stored), kind(numbers));
            }
            let (small, plain) = ((small, x.clone()), (plain, x.clone()));
            let memory = forward.lower(&small).compile().unwrap().memory_analysis().temporaries;
            // Products of integers take the groups one after another, for which their codes are put so, and read part by part.
            let codes = if scheme.activations == Activations::Int8 { 2 * 6 * 256 * 256 } else { 0 };
            assert!(memory < 6 * 256 * 128 * 2 + codes, "{scheme:?}: {memory} bytes");
            let [y, expected] = [small, plain].map(|args| forward.call(args).unwrap());
            let name = format!("{scheme:?}, {rows} rows, transposed {transposed}");
            if transposed || scheme.values == Values::Normal4 {
                assert_eq!(y.to_literal().unwrap(), expected.to_literal().unwrap(), "{name}");
            }
            // Activations of 8 bits are rounded to a 254th of their largest.
            let most = if scheme.activations == Activations::Int8 { 0.03 } else { 0.01 };
            let [y, expected] = [y, expected].map(|x| x.astype(DType::F32));
            let off =
                ((&y - &expected).square().sum(..) / expected.square().sum(..)).sqrt().item::<f32>().unwrap();
            assert!(off < most, "{name}: {off}");
        }
    }
}

/// A layer with a quantized weight is the layer with the numbers of that weight, and its bias trains.
#[test]
fn linear_takes_weights_of_few_bits() {
    let layer = Linear::new(&Key::new(1), 64, 5);
    let x = Key::new(2).normal(&[3, 64]);
    for &scheme in Scheme::ALL {
        let (mut small, mut plain) = (layer.clone(), layer.clone());
        small.weight = quantize(&layer.weight.get(), scheme.groups_of(32)).into();
        plain.weight = small.weight.get().into();
        assert_eq!(small.weight.value::<QuantizedTensor>().unwrap().scheme, scheme.groups_of(32));
        let forward = jit(|(layer, x): &(Linear, Array)| layer.forward(x));
        // The sums of groups are scaled, not the codes: the last bits differ. Arguments in 8 bits differ by what is rounded.
        let bound = if scheme.activations == Activations::Int8 { 0.05 } else { 2e-6 };
        let (y, expected) = (forward.call((small.clone(), x.clone())).unwrap(), plain.forward(&x));
        assert!((y - expected).abs().max(..).item::<f32>().unwrap() < bound, "{scheme:?}");
        let slope = grad(|l: &Linear| l.forward(&x).sum(..))(&small);
        assert_eq!(values(&slope.bias.unwrap().get()), [3.0; 5]);
    }
}

#[test]
fn relu_has_no_slope_at_zero_and_softplus_has_a_half() {
    let x = Array::from_slice(&[-1.0f32, 0.0, 2.0]);
    assert_eq!(values(&grad(|x: &Array| relu(x).sum(..))(&x)), [0.0, 0.0, 1.0]);
    assert!(relu(&Array::scalar(f32::NAN)).item::<f32>().unwrap().is_nan());
    let slope = values(&grad(|x: &Array| softplus(x).sum(..))(&x));
    assert_eq!(slope[1], 0.5);
    assert!((slope[2] - 1.0 / (1.0 + (-2f32).exp())).abs() < 1e-6);
}

#[test]
fn embedding_adds_up_gradients_of_a_token() {
    let e = Embedding { table: Array::zeros(&[4, 2]).into() };
    let tokens = Array::from_slice(&[1i32, 3, 1]);
    let slope = grad(|e: &Embedding| e.forward(&tokens).sum(..))(&e);
    assert_eq!(values(&slope.table.get()), [0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn layer_norm_centres_and_scales() {
    let mut norm = LayerNorm::new(4, 1e-5);
    norm.bias = Some(Array::full(&[4], 3.0, DType::F32).into());
    let y = norm.forward(&Key::new(3).normal(&[5, 4]));
    for row in values(&y).chunks(4) {
        assert!((row.iter().sum::<f32>() / 4.0 - 3.0).abs() < 1e-5);
    }
}

#[test]
fn cross_entropy_survives_large_logits_and_its_gradient_is_softmax_minus_one_hot() {
    let logits = Array::new(&[1e4f32, 0.0, -1e4, 1.0, 2.0, 3.0], &[2, 3]);
    let labels = Array::from_slice(&[1i32, 2]);
    let losses = values(&softmax_cross_entropy_with_integer_labels(&logits, &labels));
    assert_eq!(losses[0], 1e4);
    let slope = grad(|z: &Array| softmax_cross_entropy_with_integer_labels(z, &labels).sum(..))(&logits);
    let expected = values(&(logits.softmax(-1) - labels.one_hot(3, DType::F32)));
    for (a, b) in values(&slope).iter().zip(expected) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
}

#[test]
fn cached_attention_continues_the_sequence() {
    for groups in [1, 2, 4] {
        let layer = MultiHeadAttention::with(&Key::new(9), [16, 16, 16], 16, 4, groups, true).causal();
        let x = Key::new(1).normal(&[2, 7, 16]);
        let whole = layer.call(&x, &mut Context::eval());
        let mut state = State::default();
        state.set("cache", layer.cache(2, 8, DType::F32));
        let mut parts = Vec::new();
        let step = jit(|(layer, x, state, position): &(MultiHeadAttention, Array, State, Array)| {
            let mut cx = Context::eval().with_state(state).with(Tokens::next(position, x));
            (layer.call(x, &mut cx), cx.updates())
        });
        for (start, end) in [(0, 4), (4, 5), (5, 7)] {
            let position = Array::scalar(start as i32);
            let (y, next) = step.call((layer.clone(), x.slice(1, start..end), state, position)).unwrap();
            state = next;
            parts.push(y);
        }
        let parts = concatenate(&parts.iter().collect::<Vec<_>>(), 1);
        assert_eq!(values(&parts), values(&whole));
    }
}

#[test]
fn errors_name_the_scope() {
    let layer = MultiHeadAttention::new(&Key::new(0), 8, 2);
    let error = try_trace(|| layer.call(&Array::zeros(&[1, 3, 9]), &mut Context::eval())).unwrap_err();
    assert!(error.to_string().contains("query"), "{error}");
}

#[test]
fn initializers_have_their_variance() {
    let shape = [60, 40];
    for (initializer, variance) in [
        (Initializer::glorot_uniform(), 2.0 / 100.0),
        (Initializer::glorot_normal(), 2.0 / 100.0),
        (Initializer::he_uniform(), 2.0 / 60.0),
        (Initializer::he_normal(), 2.0 / 60.0),
        (Initializer::lecun_uniform(), 1.0 / 60.0),
        (Initializer::lecun_normal(), 1.0 / 60.0),
        (Initializer::normal(0.5), 0.25),
        (Initializer::residual(0.5, 4), 0.0625),
    ] {
        let w = initializer.sample(&Key::new(5), &shape, DType::F32);
        let measured = f64::from(w.square().mean(..).item::<f32>().unwrap());
        assert!((measured / variance - 1.0).abs() < 0.1, "{initializer:?}: {measured}, not {variance}");
    }
}

#[test]
fn parameters_are_named_by_their_paths() {
    let layer = MultiHeadAttention::new(&Key::new(0), 8, 2);
    let names: Vec<String> =
        layer.leaves_with_paths().into_iter().map(|(path, _): (String, &Array)| path).collect();
    let maps = ["query", "key", "value", "out"];
    let expected: Vec<String> =
        maps.iter().flat_map(|map| [format!("{map}.weight"), format!("{map}.bias")]).collect();
    assert_eq!(names, expected);
}

#[test]
fn labels_out_of_range_have_the_loss_nan_and_negative_ones_count_from_the_end() {
    // What Optax gives for the same logits and labels.
    let logits = Array::from_slice(&[1.0f32, 2.0, 3.0]).broadcast_to(&[5, 3]);
    let labels = Array::from_slice(&[0i32, 2, 3, -1, -4]);
    let losses = values(&softmax_cross_entropy_with_integer_labels(&logits, &labels));
    for (loss, expected) in losses.iter().zip([2.407_606, 0.407_606, f32::NAN, 0.407_606, f32::NAN]) {
        assert!((loss - expected).abs() < 1e-6 || loss.is_nan() && expected.is_nan(), "{losses:?}");
    }
    let slope = grad(|z: &Array| softmax_cross_entropy_with_integer_labels(z, &labels).sum(..))(&logits);
    let rest = [0.090_030_57f32, 0.244_728_47, 0.665_240_96];
    for (row, right) in values(&slope).chunks(3).zip([Some(0), Some(2), None, Some(2), None]) {
        for (i, (found, share)) in row.iter().zip(rest).enumerate() {
            let expected = share - f32::from(right == Some(i));
            assert!((found - expected).abs() < 1e-6, "{row:?}");
        }
    }
    // 300 classes are more than the type of the labels counts.
    let losses =
        softmax_cross_entropy_with_integer_labels(&Array::zeros(&[1, 300]), &Array::from_slice(&[44u8]));
    assert!((losses.item::<f32>().unwrap() - 300f32.ln()).abs() < 1e-5);
}

#[test]
fn a_token_that_the_table_lacks_is_nan_and_has_no_gradient() {
    let e = Embedding { table: Array::zeros(&[4, 2]).into() };
    let tokens = Array::from_slice(&[1i32, 4]);
    let vectors = values(&e.forward(&tokens));
    assert!(vectors[..2] == [0.0, 0.0] && vectors[2].is_nan() && vectors[3].is_nan());
    let slope = grad(|e: &Embedding| e.forward(&tokens).sum(..))(&e);
    assert_eq!(values(&slope.table.get()), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
}

/// Products of 8 bits without rows, inputs or outputs, and their states.
#[test]
fn products_of_8_bits_without_elements() {
    for (rows, inputs, outputs) in [(0, 4, 3), (2, 0, 3), (2, 4, 0), (0, 0, 0)] {
        let (x, w) = (Array::ones(&[rows, inputs]), Array::ones(&[inputs, outputs]));
        assert_eq!(f8_dot_current(&x, &w).shape(), [rows, outputs]);
        let loss = |(x, w, state): &(Array, Array, F8State)| f8_dot(x, w, state).sum(..);
        let (dx, dw, state) = grad(loss)(&(x.clone(), w.clone(), F8State::new(2)));
        assert_eq!((dx.shape(), dw.shape()), (x.shape(), w.shape()));
        for scale in [&state.lhs, &state.rhs, &state.gradient] {
            assert!(scale.scale.item::<f32>().unwrap() > 0.0);
        }
    }
}

#[test]
fn rates_and_patterns_that_mean_nothing_are_refused() {
    let message = try_trace(|| Dropout::new(1.5)).unwrap_err().to_string();
    assert!(message.contains("[dropout] a rate of 1.5"), "{message}");
    for pattern in ["blocks.{q", "blocks.q}", "a.}x{", "a.{b}{c}", "{a.b}"] {
        let message = try_trace(|| Filter::from(pattern)).unwrap_err().to_string();
        assert!(message.contains(&format!("`{pattern}` is no pattern of paths")), "{message}");
    }
    assert!(format!("{:?}", Filter::from("blocks.*.attention.{q,v}.weight")).contains("{q,v}"));
}

#[test]
fn patterns_that_mean_nothing_of_a_model_are_refused() {
    let mut model = vec![Mlp::new(&Key::new(0), 2, 4), Mlp::new(&Key::new(1), 2, 4)];
    assert_eq!(state(&model, "*.{up,down}.weight").names().len(), 4);
    assert!(state(&model, Filter::from("gate") | "0.up").names().len() == 2);
    // What is tied stands at its first place alone: a state may leave out a name.
    assert_eq!(state(&model, "{0,2}.up").names().len(), 2);
    let message = try_trace(|| state(&model, "2.up")).unwrap_err().to_string();
    assert!(message.contains("[state] the model has no leaf at `2.up`"), "{message}");
    let mut change = || edit(&mut model, "*.{up,out}", |_, layer: &mut Linear| layer.bias = None);
    let message = try_trace(&mut change).unwrap_err().to_string();
    assert!(message.contains("[edit] the model has no Linear at `*.out`"), "{message}");
    assert!(model.iter().all(|layer| layer.up.bias.is_some()), "something was changed");
}

/// The sum of such a window is beyond `f16`, and the number of its places is none of `bf16`.
#[test]
fn means_over_large_windows_of_narrow_floats_are_means() {
    for dtype in [DType::F16, DType::BF16] {
        let x = Array::full(&[1, 19, 19, 1], 2000.0, dtype);
        for pool in [Pool::mean(&[19, 19]), Pool::mean(&[19, 19]).without_padding_in_means()] {
            let mean = pool.forward(&x);
            assert_eq!(mean.dtype(), dtype);
            assert_eq!(values(&mean.astype(DType::F32)), [2000.0]);
        }
    }
}
