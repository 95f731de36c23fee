//! Rotary embeddings against those of Hugging Face.

use jarrah_array::{Array, grad, try_trace};
use jarrah_nn::{Llama3Rope, Pairing, Rope, Yarn};

use crate::flax::{close, golden};

fn kinds() -> Vec<(&'static str, Rope)> {
    let (width, base) = (16, 500.0);
    let yarn = |fast: f64, truncate: bool, attention: Option<f64>| {
        Rope::yarn(width, base, Yarn { factor: 4.0, context: 64, fast, slow: 1.0, truncate, attention })
    };
    let llama3 = Llama3Rope { factor: 8.0, low: 1.0, high: 4.0, context: 64 };
    let factors = [1.0, 1.1, 1.3, 1.7, 2.5, 4.0, 6.0, 9.0];
    let attention = (1.0 + 4f64.ln() / 64f64.ln()).sqrt();
    vec![
        ("plain", Rope::new(width, base)),
        ("linear", Rope::linear(width, base, 4.0)),
        ("llama3", Rope::llama3(width, base, llama3)),
        ("yarn", yarn(32.0, true, None)),
        ("yarn_fractions", yarn(8.0, false, Some(1.25))),
        ("factors", Rope::longrope(width, base, &factors, &factors, 64, attention)),
    ]
}

#[test]
fn rates_and_turned_vectors_are_those_of_hugging_face() {
    let tensors = golden("rope");
    let (x, positions) = (&tensors["x"], &tensors["positions"]);
    for (name, rope) in kinds() {
        close(name, "result", &rope.turn(x, positions), &tensors[&format!("{name}/y")]);
    }
    let neighbours = Rope::new(16, 500.0).paired(Pairing::Neighbours);
    close("neighbours", "result", &neighbours.turn(x, positions), &tensors["neighbours/y"]);
}

#[test]
fn sections_are_those_of_hugging_face() {
    let tensors = golden("rope");
    let (x, axes) = (&tensors["x"], &tensors["axes"]);
    let rope = Rope::new(16, 500.0);
    close("sections", "result", &rope.clone().sections(&[2, 3, 3]).turn(x, axes), &tensors["sections/y"]);
    close(
        "interleaved",
        "result",
        &rope.clone().interleaved(&[4, 2, 2]).turn(x, axes),
        &tensors["interleaved/y"],
    );
    // Positions of one axis are those of all.
    let positions = &tensors["positions"];
    close("text", "result", &rope.interleaved(&[4, 2, 2]).turn(x, positions), &tensors["plain/y"]);
}

#[test]
fn only_the_first_elements_are_turned_and_the_gradient_turns_back() {
    let tensors = golden("rope");
    let (x, positions) = (&tensors["x"], &tensors["positions"]);
    for pairs in [Pairing::Neighbours, Pairing::Halves] {
        let part = Rope::new(6, 500.0).paired(pairs);
        let y = part.turn(x, positions);
        close("width", "turned", &y.slice(-1, 0..6), &part.turn(&x.slice(-1, 0..6), positions));
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
    let says = |rope: &dyn Fn() -> Rope, word: &str| {
        let error = try_trace(|| rope().turn(&x, &at)).unwrap_err().to_string();
        assert!(error.contains(word) && error.contains("rope.rs"), "{error}");
    };
    says(&|| Rope::new(3, 10.0), "rotary embedding of 3 elements");
    says(&|| Rope::new(6, 10.0), "f32[1,1,1,4]");
    says(&|| Rope::longrope(4, 10.0, &[1.0], &[1.0], 8, 1.0), "1 and 1 factors for 2 pairs");
}

/// Rates that depend on the longest sequence: as they were up to the limit, and slower beyond.
#[test]
fn long_sequences_turn_slower() {
    let x = Array::ones(&[1, 1, 1, 4]);
    let turned = |rope: &Rope, at: i32| rope.turn(&x, &Array::new(&[at], &[1, 1])).to_vec::<f32>().unwrap();
    let plain = Rope::new(4, 100.0);
    let long = Rope::longrope(4, 100.0, &[1.0, 1.0], &[2.0, 2.0], 8, 1.0);
    let dynamic = Rope::dynamic(4, 100.0, 2.0, 8);
    assert_eq!(turned(&long, 7), turned(&plain, 7));
    assert!(turned(&dynamic, 7).iter().zip(turned(&plain, 7)).all(|(a, b)| (a - b).abs() < 1e-5));
    // Position 10 at half the rate is position 5.
    assert_eq!(turned(&long, 10), turned(&plain, 5));
    // base * (2 * 11 / 8 - 1)^2
    let grown = Rope::new(4, 100.0 * 1.75 * 1.75);
    assert!(turned(&dynamic, 10).iter().zip(turned(&grown, 10)).all(|(a, b)| (a - b).abs() < 1e-5));
}
