//! Routers of models in bf16: see `oracle/experts.py`.

use std::path::Path;

use jarrah_array::{Array, DType};
use jarrah_formats::Tensors;
use jarrah_models::Pretrained;
use jarrah_nn::{Context, Experts, Module};

use crate::pretrained::distance;

/// DeepSeek's routers compute in f32 what the rest of the model computes in bf16.
#[test]
fn routers_compute_in_the_dtype_of_transformers() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let golden = Tensors::open(tests.join("routers.safetensors")).unwrap();
    for (name, dtype) in [
        ("deepseek_v2_lite", DType::F32),
        ("deepseek_v3_halves", DType::F32),
        ("qwen2_moe_sparse", DType::BF16),
        ("mixtral_window", DType::BF16),
    ] {
        let wanted = |part: &str| {
            Array::from_literal(golden.get(&format!("{name}.{part}")).unwrap().literal().unwrap())
        };
        let model = Pretrained::load(tests.join("families").join(name), None).unwrap().model;
        let experts = model.blocks.iter().find_map(|block| block.mlp.get::<Experts>()).unwrap();
        let mut cx = Context::eval().capturing("**");
        let y = experts.call(&wanted("x"), &mut cx);
        let logits = cx.captured().array("router").unwrap().clone();
        assert_eq!((logits.dtype(), y.dtype()), (dtype, DType::BF16), "{name}");
        assert_eq!(wanted("logits").dtype(), dtype);
        let wide = |x: &Array| x.astype(DType::F32);
        // In bf16 a sum is off by a part in 256.
        let tolerance = if dtype == DType::F32 { 1e-6 } else { 1e-2 };
        let off = distance(&wide(&logits), &wide(&wanted("logits")));
        assert!(off < tolerance, "{name}: {off}");
        let (chosen, weights) = experts.choose(&logits);
        let tokens = Array::arange(24i32).expand_dims(-1).broadcast_to(&chosen.shape());
        let dense = Array::zeros(&[24, experts.count()]).at((&tokens, &chosen)).set(&weights);
        let off = distance(&dense, &wanted("weights"));
        assert!(off < tolerance, "{name}: {off}");
        let off = distance(&wide(&y), &wide(&wanted("y")));
        assert!(off < 2e-2, "{name}: {off}");
    }
}
