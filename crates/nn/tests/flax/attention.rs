use jarrah_array::nn::AttentionOptions;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, concatenate, try_trace};
use jarrah_nn::{Context, KvCache, Module, MultiHeadAttention, Rope, State, Tokens};

use super::{check, check_module, close, tensors, with_parameters};

fn key() -> Key {
    Key::new(0)
}

fn grouped() -> MultiHeadAttention {
    MultiHeadAttention::with(&key(), [6, 6, 8], 6, 4, 2, true)
}

#[test]
fn of_one_sequence_and_of_another() {
    check_module("attention", MultiHeadAttention::new(&key(), 6, 2), false);
    let causal = MultiHeadAttention::with(&key(), [6, 6, 8], 5, 4, 2, false).causal();
    check_module("attention_causal", causal, false);
    let cross = MultiHeadAttention::with(&key(), [6, 3, 8], 6, 4, 2, true).with_normalized_queries_and_keys();
    let mask: Vec<bool> = (0..20).map(|i| i % 3 != 1).collect();
    let mask = Some(Array::new(&mask, &[1, 1, 4, 5]));
    let options = AttentionOptions { mask, ..AttentionOptions::default() };
    check("attention_cross", &cross, false, |m, x, cx| vec![m.attend(&x[0], &x[1], &x[2], &options, cx)]);
}

#[test]
fn maps_are_those_that_mix() {
    check("attention_weights", &grouped().causal(), false, |m, x, cx| {
        let mut seen = cx.clone().capturing("weights");
        let y = m.call(&x[0], &mut seen);
        vec![y, seen.captured().array("weights").unwrap()]
    });
    // What is made of the weights is what mixes.
    let layer = grouped();
    let x = key().normal(&[1, 3, 6]);
    let mut first = Context::eval().changing("weights", |_, w| w * 0.0);
    let bias = layer.out.bias.clone().unwrap().get();
    close("attention", "without weights", &layer.call(&x, &mut first), &bias.broadcast_to(&[1, 3, 6]));
}

#[test]
fn weights_are_dropped() {
    let layer = MultiHeadAttention::new(&key(), 6, 2).with_dropout(0.4);
    check_module("attention_dropout", layer.clone(), true);
    // The same where the weights are asked for.
    let layer = with_parameters("attention_dropout", &layer);
    let x = &tensors("attention_dropout", "x")["0"];
    let y = layer.call(x, &mut Context::train(&Key::new(7)).capturing("weights"));
    close("attention_dropout", "output", &y, &tensors("attention_dropout", "y")["0"]);
}

/// Factors of one's own come on top of dropout.
#[test]
fn factors_on_the_weights_are_kept() {
    let layer = MultiHeadAttention::new(&key(), 6, 2).with_dropout(0.4);
    let x = key().normal(&[2, 4, 6]);
    let options = AttentionOptions { multiplier: Some(Array::scalar(0.0f32)), ..AttentionOptions::default() };
    let y = layer.attend_itself(&x, &options, &mut Context::train(&Key::new(7)));
    let bias = layer.out.bias.clone().unwrap().get();
    close("attention", "nothing is weighed", &y, &bias.broadcast_to(&[2, 4, 6]));
}

#[test]
fn a_cache_continues_the_sequence() {
    let layer = MultiHeadAttention::new(&key(), 6, 2);
    check("attention_decode", &layer, false, |m, x, _| {
        let mut state = State::default();
        state.set("cache", m.cache(2, 4, DType::F32));
        let parts: Vec<Array> = (0..4)
            .map(|i| {
                let token = x[0].slice(1, i as usize..i as usize + 1);
                let at = Tokens::next(&Array::scalar(i), &token);
                let mut cx = Context::eval().with_state(&state).with(at);
                let y = m.call(&token, &mut cx);
                state = cx.updates();
                y
            })
            .collect();
        vec![concatenate(&parts.iter().collect::<Vec<_>>(), 1)]
    });
}

#[test]
fn turned_queries_and_keys_count_from_where_sequences_stand() {
    let layer = grouped().causal().with_rope(Rope::new(2, 100.0));
    let x = key().normal(&[1, 5, 6]);
    let whole = layer.call(&x, &mut Context::eval());
    let mut state = State::default();
    state.set("cache", layer.cache(1, 16, DType::F32));
    let mut parts = Vec::new();
    for (start, end) in [(0, 3), (3, 5)] {
        let part = x.slice(1, start..end);
        let at = Tokens::next(&Array::from_slice(&[start as i32]), &part);
        let mut cx = Context::eval().with_state(&state).with(at);
        parts.push(layer.call(&part, &mut cx));
        state = cx.updates();
    }
    let parts = concatenate(&parts.iter().collect::<Vec<_>>(), 1);
    assert_eq!(parts.to_vec::<f32>().unwrap(), whole.to_vec::<f32>().unwrap());
    let plain = grouped().causal().call(&x, &mut Context::eval());
    assert_ne!(plain.to_vec::<f32>().unwrap(), whole.to_vec::<f32>().unwrap());
}

#[test]
fn what_does_not_fit_is_refused() {
    let layer = grouped();
    let x = Array::ones(&[1, 1, 6]);
    let at = || Tokens::next(&Array::scalar(0i32), &x);
    let error = try_trace(|| layer.call(&x, &mut Context::eval().with(at()))).unwrap_err().to_string();
    assert!(error.contains("no cache") && error.contains("attention.rs"), "{error}");
    let error = try_trace(|| layer.call(&Array::ones(&[1, 6]), &mut Context::eval())).unwrap_err();
    assert!(error.to_string().contains("[B,T,width]"), "{error}");
    let mut state = State::default();
    state.set("cache", KvCache::new(1, 4, 2, 2, DType::I8));
    let mut cx = Context::eval().with_state(&state).with(at()).capturing("weights");
    let error = try_trace(|| layer.call(&x, &mut cx)).unwrap_err().to_string();
    assert!(error.contains("pages or bytes"), "{error}");
    let error = try_trace(|| MultiHeadAttention::new(&key(), 10, 3)).unwrap_err().to_string();
    assert!(error.contains("width 10, 3 heads"), "{error}");
}

#[test]
fn another_sequence_is_seen_whole_while_one_is_continued() {
    let (layer, x, y) = (grouped(), key().normal(&[1, 1, 6]), key().normal(&[1, 3, 6]));
    let options = AttentionOptions::default();
    let alone = layer.attend(&x, &y, &y, &options, &mut Context::eval());
    let mut cx = Context::eval().with(Tokens::next(&Array::scalar(2i32), &x));
    let along = layer.attend(&x, &y, &y, &options, &mut cx);
    assert_eq!(along.to_vec::<f32>().unwrap(), alone.to_vec::<f32>().unwrap());
    assert!(cx.updates().is_empty());
}
