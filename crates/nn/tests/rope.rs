//! Rotary embeddings against those of Hugging Face.

use jarrah_array::{Array, grad, try_trace};
use jarrah_nn::{Rope, RopePairs, RopeScaling};

use crate::flax::{close, golden};

fn kinds() -> Vec<(&'static str, RopeScaling)> {
    let yarn = |fast: f64, truncate: bool, attention: Option<f64>| RopeScaling::Yarn {
        factor: 4.0.into(),
        fast: fast.into(),
        slow: 1.0.into(),
        original: 64,
        truncate,
        attention: attention.map(Into::into),
    };
    let (factor, low, high) = (8.0.into(), 1.0.into(), 4.0.into());
    let factors = [1.0, 1.1, 1.3, 1.7, 2.5, 4.0, 6.0, 9.0].map(Into::into).to_vec();
    let attention = (1.0 + 4f64.ln() / 64f64.ln()).sqrt().into();
    vec![
        ("plain", RopeScaling::None),
        ("linear", RopeScaling::Linear { factor: 4.0.into() }),
        ("llama3", RopeScaling::Llama3 { factor, low, high, original: 64 }),
        ("yarn", yarn(32.0, true, None)),
        ("yarn_fractions", yarn(8.0, false, Some(1.25))),
        ("factors", RopeScaling::Factors { factors, attention }),
    ]
}

#[test]
fn rates_and_turned_vectors_are_those_of_hugging_face() {
    let tensors = golden("rope");
    let (x, positions) = (&tensors["x"], &tensors["positions"]);
    for (name, scaling) in kinds() {
        let rope = Rope::new(500.0).with_pairs(RopePairs::Halves).with_scaling(scaling);
        let (rates, factor) = rope.rates(16);
        let rates: Vec<f32> = rates.iter().map(|&r| r as f32).collect();
        close(name, "rates", &Array::from_slice(&rates), &tensors[&format!("{name}/rates")]);
        close(name, "factor", &Array::from_slice(&[factor as f32]), &tensors[&format!("{name}/factor")]);
        close(name, "result", &rope.turn(x, positions), &tensors[&format!("{name}/y")]);
    }
    close("neighbours", "result", &Rope::new(500.0).turn(x, positions), &tensors["neighbours/y"]);
}

#[test]
fn only_the_first_elements_are_turned_and_the_gradient_turns_back() {
    let tensors = golden("rope");
    let (x, positions) = (&tensors["x"], &tensors["positions"]);
    for pairs in [RopePairs::Neighbours, RopePairs::Halves] {
        let rope = Rope::new(500.0).with_pairs(pairs);
        let part = rope.clone().with_width(6);
        let y = part.turn(x, positions);
        close("width", "turned", &y.slice(-1, 0..6), &rope.turn(&x.slice(-1, 0..6), positions));
        close("width", "left", &y.slice(-1, 6..16), &x.slice(-1, 6..16));
        // The sum of squares is that of x, so its gradient is 2 x.
        let slope = grad(|x: &Array| part.turn(x, positions).square().sum(..))(x);
        close("width", "gradient", &slope, &(x * 2.0));
    }
}

#[test]
fn what_cannot_be_turned_is_refused() {
    let x = Array::ones(&[1, 1, 1, 4]);
    let at = Array::new(&[1i32], &[1, 1]);
    let says = |rope: Rope, word: &str| {
        let error = try_trace(|| rope.turn(&x, &at)).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("rope.rs"), "{error}");
    };
    says(Rope::new(10.0).with_width(3), "of which 3 elements are turned");
    says(Rope::new(10.0).with_width(6), "f32[1,1,1,4]");
    let factors = RopeScaling::Factors { factors: vec![1.0.into()], attention: 1.0.into() };
    says(Rope::new(10.0).with_scaling(factors), "1 factors for 2 pairs");
}
