use jarrah_array::random::Key;
use jarrah_array::{Array, DType};
use jarrah_nn::{
    BatchNorm, Context, Conv, GroupNorm, Layer, LayerNorm, Linear, Module, RmsNorm, SpectralNorm, WeightNorm,
};

use super::{check, check_module};

fn key() -> Key {
    Key::new(0)
}

#[test]
fn of_layers() {
    check_module("layer_norm", LayerNorm::new(5, 1e-6), false);
    check_module("layer_norm_axes", LayerNorm::new(3, 1e-6).over(&[1, 2]).with_feature_axes(&[1]), false);
    check_module("layer_norm_plain", LayerNorm::new(5, 1e-6).without_bias().without_scale(), false);
    check_module("rms_norm", RmsNorm::new(5, 1e-6), false);
    check_module("rms_norm_axes", RmsNorm::new(3, 1e-6).over(&[1, 2]).with_feature_axes(&[1]), false);
    check_module("group_norm", GroupNorm::new(6, 2), false);
    check_module("group_norm_flat", GroupNorm::new(6, 3).without_bias(), false);
    check_module("instance_norm", GroupNorm::instance(4), false);
}

/// Statistics of many small numbers in few bits: those of `f32`.
#[test]
fn of_few_bits() {
    let x = (key().normal(&[2, 300, 4]) + 50.0).astype(DType::BF16);
    let group = GroupNorm::new(4, 2).without_bias().without_scale();
    let layer = LayerNorm::new(4, 1e-6).without_bias().without_scale();
    let rms = RmsNorm::new(4, 1e-6).without_scale();
    let (cx, wide) = (&mut Context::eval(), x.astype(DType::F32));
    for norm in [Layer::from(group), layer.into(), rms.into()] {
        let y = norm.call(&x, cx);
        assert_eq!(y.dtype(), DType::BF16);
        let error = (y.astype(DType::F32) - norm.call(&wide, cx)).abs().max(..).item::<f32>().unwrap();
        assert!(error < 0.01, "{norm:?}: {error}");
    }
    assert_eq!(LayerNorm::new(4, 1e-6).forward(&x).dtype(), DType::F32);
}

#[test]
fn of_batches() {
    let norm = BatchNorm::new(4);
    check_module("batch_norm", BatchNorm { momentum: 0.9.into(), ..norm.clone() }, true);
    check_module("batch_norm_running", norm.clone(), false);
    check_module("batch_norm_axis", BatchNorm { scale: None, axis: 1, ..BatchNorm::new(2) }, true);
    let mask: Vec<bool> = (0..6).map(|i| i % 3 != 1).collect();
    let mask = Array::new(&mask, &[3, 2, 1]);
    check("batch_norm_mask", &norm, true, |m, x, cx| vec![m.call_masked(&x[0], Some(&mask), cx)]);
}

#[test]
fn of_weights() {
    let mut linear = Linear::new(&key(), 4, 3);
    let plain = linear.weight.clone();
    linear.weight = WeightNorm::over(plain.clone()).into();
    check_module("weight_norm", linear.clone(), false);
    linear.weight = WeightNorm::with(plain, &[]).into();
    check_module("weight_norm_whole", linear, false);
    let mut conv = Conv::new(&key(), 2, 3, &[3]);
    conv.weight = WeightNorm::with(conv.weight, &[-2, -1]).into();
    check_module("weight_norm_conv", conv, false);
}

#[test]
fn by_the_largest_singular_value() {
    let norm = SpectralNorm::new(&key(), Linear::new(&key(), 4, 3));
    check_module("spectral_norm", norm.clone(), true);
    check_module("spectral_norm_kept", norm, false);
    let conv = Conv::new(&key(), 2, 3, &[3]);
    check_module("spectral_norm_conv", SpectralNorm::with(&key(), conv, "weight", 3), true);
}
