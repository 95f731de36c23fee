use jarrah_array::lax::Padding;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, try_trace};
use jarrah_nn::{
    Context, Conv, ConvPadding, ConvTranspose, Dropout, Einsum, Embedding, Initializer, Linear,
    LinearGeneral, Lora, Module, PRelu, Pool, Sequential, SimpleCell,
};

use super::{check, check_module, close, tensors};

fn key() -> Key {
    Key::new(0)
}

#[test]
fn maps() {
    let initializer = Initializer::lecun_normal();
    let general = LinearGeneral::with(&key(), &[], &[3, 4], &[2, 5], &[1, -1], true, initializer);
    check_module("linear_general", general, false);
    let batched = LinearGeneral::with(&key(), &[2], &[4], &[3, 2], &[-1], true, initializer);
    check_module("linear_general_batch", batched, false);
    check_module("einsum", Einsum::new(&key(), "...hi,hio->...ho", &[2, 3, 4], Some(&[2, 4])), false);
    check_module("einsum_middle", Einsum::new(&key(), "abc,cd->adb", &[3, 4], Some(&[4])), false);
    check_module("prelu", PRelu::new(0.01), false);
    let mut adapted = Linear::new(&key(), 4, 3);
    adapted.weight = Lora::over(adapted.weight, &key(), 2, 2.0).into();
    check_module("lora", adapted, false);
    check("embed", &Embedding::new(&key(), 5, 3), false, |m, x, _| vec![m.forward(&x[0]), m.attend(&x[1])]);
}

#[test]
fn dropout() {
    let layer = Dropout::new(0.4).with_broadcast_axes(&[1]);
    check("dropout", &layer, true, |m, x, _| vec![m.apply(&x[0], &Key::new(7))]);
    // In a pass, the key is the first of the stream.
    let x = &tensors("dropout", "x")["0"];
    let y = layer.call(x, &mut Context::eval());
    close("dropout", "in evaluation", &y, x);
    let y = layer.call(x, &mut Context::train(&Key::new(7)));
    close("dropout", "in a pass", &y, &layer.apply(x, &Key::new(7).fold_in(0)));
}

#[test]
fn convolutions() {
    let pairs = |pairs: &[(i64, i64)]| ConvPadding::Pairs(pairs.to_vec());
    let conv = |window: &[usize]| Conv::new(&key(), 2, 3, window);
    let mask: Vec<f32> = (0..18).map(|i| if i % 4 == 1 { 0.0 } else { 1.0 }).collect();
    let grouped = Conv::grouped(&key(), 4, 6, &[3, 3], 2).with_strides(&[2, 1]).with_dilation(&[1, 2]);
    let circular = conv(&[3, 4]).with_padding(ConvPadding::Circular).with_strides(&[2, 2]);
    for (case, layer) in [
        ("conv_same", conv(&[3]).with_strides(&[2])),
        ("conv_even", conv(&[4, 2])),
        ("conv_groups", grouped),
        ("conv_dilated", conv(&[3, 2]).with_padding(pairs(&[(1, 2), (0, 1)])).with_input_dilation(&[2, 3])),
        ("conv_circular", circular.with_dilation(&[2, 1])),
        ("conv_reflect", conv(&[4]).with_padding(ConvPadding::Reflect)),
        ("conv_causal", conv(&[3]).with_padding(ConvPadding::Causal).with_dilation(&[2])),
        ("conv_valid", conv(&[2, 2, 2]).with_padding(ConvPadding::Valid).without_bias()),
        ("conv_mask", conv(&[3]).with_mask(Array::new(&mask, &[3, 2, 3]))),
    ] {
        check_module(case, layer, false);
    }
    let back = |window: &[usize]| ConvTranspose::new(&key(), 2, 3, window);
    let mirrored = |window: &[usize]| ConvTranspose::transposed(&key(), 2, 3, window);
    let valid = back(&[3]).with_strides(&[2]).with_padding(ConvPadding::Valid).with_dilation(&[2]);
    let circular = |layer: ConvTranspose| layer.with_padding(ConvPadding::Circular);
    for (case, layer) in [
        ("conv_transpose_same", back(&[3, 4]).with_strides(&[2, 2])),
        ("conv_transpose_wide", back(&[2]).with_strides(&[3])),
        ("conv_transpose_valid", valid),
        ("conv_transpose_pairs", back(&[3]).with_strides(&[2]).with_padding(pairs(&[(1, 2)]))),
        ("conv_transpose_mirrored", mirrored(&[3, 2]).with_strides(&[2, 1])),
        ("conv_transpose_circular", circular(back(&[4, 3]).with_strides(&[2, 1]))),
        ("conv_transpose_circular_mirrored", circular(mirrored(&[4]).with_strides(&[3]))),
    ] {
        check_module(case, layer, false);
    }
}

#[test]
fn pools() {
    let same = |pool: Pool| pool.with_padding(Padding::Same).with_strides(&[1, 2]);
    check_module("pool_mean", same(Pool::mean(&[2, 3])), false);
    check_module("pool_mean_inside", same(Pool::mean(&[2, 3])).without_padding_in_means(), false);
    let largest = Pool::max(&[3]).with_strides(&[2]).with_padding(Padding::Pairs(vec![(1, 1)]));
    check_module("pool_max", largest, false);
    check_module("pool_min", Pool::min(&[2, 2]), false);
    let model = Sequential::new().and(Conv::new(&key(), 1, 2, &[3])).and(Pool::max(&[2]));
    assert_eq!(model.call(&Array::ones(&[5, 1]), &mut Context::eval()).shape(), [4, 2]);
}

#[test]
fn what_does_not_fit_is_refused_with_both_sides() {
    let says = |f: &dyn Fn(), words: &[&str]| {
        let error = try_trace(f).unwrap_err().to_string();
        for word in words {
            assert!(error.contains(word), "{error}");
        }
        assert!(error.contains("dense.rs"), "{error}");
    };
    let conv = Conv::new(&key(), 2, 3, &[3, 3]);
    says(&|| drop(conv.forward(&Array::ones(&[4, 4, 3]))), &["f32[4,4,3]", "2 spatial axes, 2"]);
    let causal = conv.clone().with_padding(ConvPadding::Causal);
    says(&|| drop(causal.forward(&Array::ones(&[4, 4, 2]))), &["causal", "one spatial axis"]);
    let masked = conv.with_mask(Array::ones(&[3, 3]));
    says(&|| drop(masked.forward(&Array::ones(&[4, 4, 2]))), &["f32[3,3]", "f32[3,3,2,3]"]);
    says(&|| drop(Conv::grouped(&key(), 4, 6, &[3], 4)), &["4 and 6", "4 groups"]);
    let general = LinearGeneral::new(&key(), &[2, 8], &[4]);
    says(&|| drop(general.forward(&Array::ones(&[8, 2]))), &["f32[8,2]", "f32[2,8,4]"]);
    says(&|| drop(general.forward(&Array::ones(&[8]))), &["f32[8]", "f32[2,8,4]"]);
    says(&|| drop(Pool::max(&[2, 2]).forward(&Array::ones(&[4, 1]))), &["[2, 2]", "f32[4,1]"]);
    says(&|| drop(Einsum::new(&key(), "ab,bc", &[2, 3], None)), &["\"ab,bc\"", "[2, 3]"]);
    let dropout = Dropout::new(0.5).with_broadcast_axes(&[2]);
    says(&|| drop(dropout.apply(&Array::ones(&[4, 1]), &key())), &["axis 2", "2 axes"]);
}

/// The numbers that layers begin with, for the key that Flax gives them.
#[test]
fn initial_weights() {
    let key = Key::new(3).fold_in(0);
    let expected = tensors("initial", "y");
    let cell = SimpleCell::new(&Key::new(3), 3, 4);
    for (name, weight) in [
        ("linear", Linear::new(&key, 5, 3).weight),
        ("general", LinearGeneral::new(&key, &[3, 4], &[2, 5]).weight),
        ("conv", Conv::grouped(&key, 4, 6, &[3, 2], 2).weight),
        ("back", ConvTranspose::new(&key, 2, 3, &[4]).weight),
        ("einsum", Einsum::new(&key, "ab,bc->ac", &[4, 3], None).weight),
    ] {
        close("initial", name, &weight.get(), &expected[name]);
    }
    // Flax draws the weight of the carry first.
    let recurrent = Initializer::orthogonal().sample(&key, &[4, 4], DType::F32);
    close("initial", "recurrent", &recurrent, &expected["recurrent"]);
    let drawn = cell.dense_h.weight.get();
    close("initial", "orthogonal", &drawn.t().matmul(&drawn), &Array::eye(4));
}
