//! Functions that are compiled for buckets of rows: how often, with which bits, and which are refused.

use std::sync::{Arc, Mutex};

use jarrah_array::random::Key;
use jarrah_array::*;
use jarrah_cpu::CpuClient;
use jarrah_hlo::Categories;

/// Calls `f` on a device of its own, whose programs nobody else compiles.
pub fn alone<R>(f: impl FnOnce() -> R) -> R {
    let client = Arc::new(CpuClient::with_threads(2));
    with_default_device(&Device::all(client)[0], f)
}

fn noise(seed: u64, shape: &[usize]) -> Array {
    let values = Key::new(seed).normal(shape);
    Array::from_literal(values.to_literal().unwrap())
}

type Two = (Array, Array);

/// Checks that rows computed in buckets have the bits of `f` itself, over `first` to 70 rows, and how many programs that takes.
fn check<R: Tree<Array>>(first: usize, x: impl Fn(usize) -> Two, f: impl Fn(&Two) -> R + Copy) {
    alone(|| {
        let (bucketed, plain) = (jit(f).bucketed(0).bucketed(1), jit(f));
        for n in first..=70 {
            let found = bucketed.call(x(n)).unwrap_or_else(|error| panic!("{n} rows: {error}"));
            let expected = plain.call(x(n)).unwrap();
            for (found, expected) in found.leaves().into_iter().zip(expected.leaves()) {
                let (found, expected) = (found.to_literal().unwrap(), expected.to_literal().unwrap());
                assert_eq!(found.ty(), expected.ty(), "{n} rows");
                assert!(found == expected, "{n} rows: {found:?}, {expected:?}");
            }
        }
        // Each number up to 16, eight up to 32, eight up to 64, and one more.
        assert_eq!((bucketed.traces(), plain.traces()), (34 - first, 71 - first));
    });
}

fn tall(n: usize) -> Two {
    (noise(1, &[n, 6]), Array::from_slice(&(0..n).map(|i| (i * 7 % 5) as i32).collect::<Vec<_>>()))
}

#[test]
fn a_thousand_lengths_are_compiled_as_often_as_there_are_buckets() {
    alone(|| {
        let seen = Mutex::new(Vec::new());
        let f = jit(|(w, x): &(Array, Array)| {
            seen.lock().unwrap().push(x.shape()[0]);
            x.matmul(w).tanh()
        })
        .bucketed(1);
        let w = Array::ones(&[3, 2]);
        w.block_until_ready().unwrap();
        let (before, mut bucket) = (compiled_programs(), 0);
        let ((), lines) = explain_retraces(|| {
            for n in 1..=1000 {
                let x = Array::new(&vec![0.1f32; n * 3], &[n, 3]);
                let traces = f.traces();
                seen.lock().unwrap().clear();
                let y = f.call((w.clone(), x)).unwrap();
                assert_eq!(y.to_literal().unwrap().dims(), [n, 2]);
                // What is compiled is traced first.
                if f.traces() > traces {
                    bucket = seen.lock().unwrap()[0];
                }
                assert!(bucket >= n, "{n} rows run as {bucket}");
                assert!(8 * (bucket - n) < n, "{n} rows run as {bucket}");
            }
        });
        // 16 small ones, and eight for each doubling up to 1024.
        assert_eq!((f.traces() as u64, compiled_programs() - before), (64, 64));
        assert!(lines.is_empty(), "{lines:?}");
        // Another width is something new.
        let wider = || drop(f.call((Array::ones(&[4, 2]), Array::ones(&[40, 4]))).unwrap());
        assert_eq!(explain_retraces(wider).1.len(), 1);
    });
}

#[test]
fn a_network_has_the_bits_it_has_without_buckets() {
    let (w, v) = (noise(2, &[6, 9]), noise(3, &[9, 4]));
    check(0, tall, |(x, _)| {
        let h = nn::gelu(&(x.matmul(&w) + 0.5));
        let centered = &h - h.mean(along(1).keepdims());
        let y = centered.matmul(&v);
        (y.softmax(1), y.t(), y.reshape(&[4 * x.shape()[0]]), y.argmax(1))
    });
}

#[test]
fn attention_and_embeddings_have_the_bits_they_have_without_buckets() {
    let (table, w) = (noise(2, &[5, 8]), noise(3, &[8, 24]));
    let options = nn::AttentionOptions { causal: true, ..nn::AttentionOptions::default() };
    let x = |n: usize| {
        let words: Vec<i32> = (0..n * 7).map(|i| (i * i % 5) as i32).collect();
        (Array::new(&words, &[n, 7]), Array::from_slice(&vec![3i32; n]))
    };
    let (table, w, options) = (&table, &w, &options);
    check(0, x, move |(words, _)| {
        let n = words.shape()[0];
        let x = table.take(words, 0);
        let qkv = x.reshape(&[n * 7, 8]).matmul(w).reshape(&[n, 7, 3, 2, 4]);
        let [q, k, v] = [0, 1, 2].map(|i| qkv.index((.., .., i)));
        nn::dot_product_attention(&q, &k, &v, options).reshape(&[n, 7, 8])
    });
}

#[test]
fn other_functions_of_rows_have_the_bits_they_have_without_buckets() {
    let key = Key::new(5);
    let kernel = noise(6, &[2, 1, 3]);
    let (key, kernel) = (&key, &kernel);
    check(0, tall, move |(x, labels)| {
        let n = x.shape()[0];
        let hot = labels.one_hot(5, DType::F32);
        let slopes = vmap(grad(|x: &Array| (x.sin() * x).sum(..)))(x);
        let windows = lax::conv_general_dilated(&x.reshape(&[n, 1, 6]), kernel, &lax::ConvOptions::default());
        (
            (x.sort(1), x.cumsum(1), x.index((.., 1..4)), x.index((.., 2..))),
            (hot, slopes, windows),
            (x + key.normal(&[n, 6]), Array::arange(0..n as i64), Array::zeros(&[n])),
            (x - x.index((..1, ..)), lax::map(|row: &Array| row.cumsum(0), x)),
        )
    });
}

#[test]
fn what_looks_into_each_row_has_the_bits_it_has_without_buckets() {
    check(1, tall, |(x, labels)| {
        let chosen = x.take_along_axis(&labels.expand_dims(1), 1);
        let losses = x.logsumexp(1) - chosen.squeeze(1);
        let written = x.at((.., 1)).set(5.0).at((.., 2..4)).add(x.index((.., ..2)));
        (losses, written, numpy::concatenate(&[x, &x.sin()], 1), numpy::stack(&[x, x], 1))
    });
}

/// A result that says how many rows there are.
#[derive(Clone, Tree)]
struct Counted {
    x: Array,
    #[tree(static)]
    rows: usize,
}

#[test]
fn what_is_another_function_between_the_ends_of_a_bucket_is_refused() {
    let f = jit(|(x,): &(Array,)| if x.shape()[0] % 3 == 0 { x * 2.0 } else { x * 3.0 }).bucketed(0);
    assert_eq!(f.call((Array::ones(&[36, 1]),)).unwrap().to_vec::<f32>().unwrap(), [2.0; 36]);
    let error = f.call((Array::ones(&[34, 1]),)).unwrap_err().to_string();
    assert!(error.contains("its value depends on the number of rows"), "{error}");
    assert_eq!(f.call((Array::ones(&[33, 1]),)).unwrap().to_vec::<f32>().unwrap(), [2.0; 33]);
}

#[test]
fn added_rows_are_done_when_the_rows_are() {
    // From zero this would never end.
    let doubled = |v: &Array| while_loop(|v: &Array| v.lt(100.0), |v: &Array| v * 2.0, v);
    let f = jit(move |(x,): &(Array,)| lax::map(|v: &Array| doubled(v), x)).bucketed(0);
    assert_eq!(f.call((Array::ones(&[17]),)).unwrap().to_vec::<f32>().unwrap(), [128.0; 17]);
    assert_eq!(f.call((Array::ones(&[33]),)).unwrap().to_vec::<f32>().unwrap(), [128.0; 33]);
}

#[test]
fn elements_that_are_bucketed_later_are_looked_at() {
    let f = jit(|(x, y): &(Array, Array)| (x * 2.0, y.max(0))).bucketed(0);
    f.call((Array::ones(&[20, 3]), Array::ones(&[20]))).unwrap();
    let error = f.bucketed(1).call((Array::ones(&[19, 3]), Array::full(&[19], -1.0, DType::F32)));
    let error = error.map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("it reduces the rows"), "{error}");
}

#[test]
fn keys_that_are_used_twice_are_found_with_rows_added_and_without() {
    for n in [16, 19] {
        let keys = Key::new(7).split_in(&[n]);
        let draw = vmap(|words: &Array| Key::from_words(words.clone()).normal(&[2]));
        let f = jit(move |(keys,): &(Array,)| draw(keys)).bucketed(0);
        let twice = random::debug_key_reuse(|| {
            f.call((keys.clone(),)).unwrap();
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| f.call((keys.clone(),)).map(drop)))
        });
        assert!(!matches!(twice, Ok(Ok(()))), "{n} keys");
    }
}

/// The message of the first call of a function with 20 rows.
fn refusal<R: Tree<Array>>(f: impl Fn(&Two) -> R) -> String {
    match jit(f).bucketed(0).bucketed(1).call(tall(20)) {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_mixes_rows_is_refused_at_its_line() {
    let reduces = "it reduces the rows";
    let cases: Vec<(&str, String)> = vec![
        (reduces, refusal(|(x, _)| x.sum(0))),
        (reduces, refusal(|(x, _)| x.softmax(0))),
        (reduces, refusal(|(x, _)| (x - x.mean(along(0).keepdims())) / x.std(along(0).keepdims()))),
        ("its value depends on the number of rows", refusal(|(x, _)| x / x.shape()[0] as f32)),
        ("its windows reach over the rows", refusal(|(x, _)| x.cumsum(0))),
        ("it sorts the rows", refusal(|(x, _)| x.sort(0))),
        ("it sums over the rows", refusal(|(x, _)| x.t().matmul(x))),
        ("one axis alone may follow the rows", refusal(|(x, _)| x.matmul(&x.t()))),
        ("it reverses the rows", refusal(|(x, _)| x.flip(0))),
        ("what it does depends on the number of rows", refusal(|(x, _)| x.index(-1))),
        ("an extent has to be a multiple of the rows", refusal(|(x, _)| x.index(1..))),
        ("it puts something before or behind the rows", refusal(|(x, _)| numpy::concatenate(&[x, x], 0))),
        ("its value depends on the number of rows", refusal(|(x, labels)| x.take(labels, 0))),
        ("it merges the rows into an axis", refusal(|(x, _)| x.t().reshape(&[6 * x.shape()[0]]))),
        ("its value depends on the number of rows", refusal(|(x, labels)| x.at(labels).add(1.0))),
        (
            "it gives rows to a function of the host",
            refusal(|(x, _)| {
                debug::print("{}", x, CallbackOrder::Any);
                x * 2.0
            }),
        ),
        (
            "whose values depend on the number of rows",
            refusal(|(x, _)| x * Array::from_slice(&[x.shape()[0] as f32; 6])),
        ),
        ("over 20 rows this is", refusal(|(x, _)| if x.shape()[0] == 20 { x.sin() } else { x.cos() })),
        (
            "depends on the number of rows: over 20 it is",
            refusal(|(x, _)| Counted { x: x * 2.0, rows: x.shape()[0] }),
        ),
        (
            "over 20 it is",
            refusal(|(x, _)| if x.shape()[0] == 20 { (Some(x * 2.0), None) } else { (None, Some(x * 2.0)) }),
        ),
    ];
    let told = |(expected, message): &&(&str, String)| {
        [expected, "bucketed.rs", "without bucketed"].iter().all(|part| message.contains(part))
    };
    let wrong: Vec<_> = cases.iter().filter(|case| !told(case)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Few rows have an executable of their own, and are refused all the same.
    let error = jit(|(x,): &(Array,)| x.sum(0)).bucketed(0).call((Array::ones(&[1]),)).unwrap_err();
    assert!(error.message().contains(reduces), "{error}");
}

#[test]
fn a_refusal_names_the_line_and_the_way_out() {
    let f = jit(|(x,): &(Array,)| x.sum(0));
    let (line, f) = (line!() - 1, f.bucketed(0));
    let error = f.call((Array::ones(&[20, 3]),)).unwrap_err();
    assert_eq!(error.message(), "rows cannot be added here: it reduces the rows");
    assert_eq!(error.location().unwrap().line(), line);
    assert_eq!(error.labels()[0].location.line(), line + 1);
    let advice =
        "return what is computed of each row and do the rest outside, or call the function without bucketed";
    assert_eq!(error.advice(), Some(advice));
}

#[test]
fn wrong_arguments_are_named() {
    let f = jit(|(x, y): &(Array, Array)| (x.clone(), y.clone())).bucketed(0).bucketed(1);
    let error = f.call((Array::ones(&[3, 2]), Array::ones(&[4]))).unwrap_err();
    assert_eq!(error.message(), "argument 1 is f32[4] with 4 rows, argument 0 has 3");
    let error = f.call((Array::ones(&[3, 2]), Array::scalar(1.0f32))).unwrap_err();
    assert_eq!(error.message(), "argument 1 is f32[], which is bucketed and has no rows");
    let f = jit(|(x, y): &(Array, Array)| x + y).bucketed(0).donate(0);
    let error = f.call((Array::ones(&[3]), Array::ones(&[3]))).unwrap_err();
    assert_eq!(error.message(), "element 0 of the argument is bucketed and donated");
    let error = try_trace(|| jit(|x: &Array| x * 2.0).bucketed(0).call(Array::ones(&[3]))).unwrap_err();
    assert_eq!(error.message(), "element 0 of the argument is bucketed, which is no tuple");
    let error =
        try_trace(|| jit(|(x,): &(Array,)| x * 2.0).bucketed(1).call((Array::ones(&[3]),))).unwrap_err();
    assert_eq!(error.message(), "element 1 of an argument of 1 is bucketed");
}

#[test]
fn other_elements_may_be_donated_and_trees_may_be_empty() {
    let f = jit(|(state, x): &(Array, Array)| (state + 1.0, x * 2.0)).donate(0).bucketed(1);
    let mut state = Array::zeros(&[2]);
    for n in [17, 18, 3] {
        let (next, y) = f.call((state, Array::ones(&[n]))).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), vec![2.0; n]);
        state = next;
    }
    assert_eq!(state.to_vec::<f32>().unwrap(), [3.0; 2]);
    let held = state.clone();
    assert!(f.call((state, Array::ones(&[17]))).is_err(), "it is held");
    drop(held);
    let f = jit(|(x, rest): &(Array, Vec<Array>)| (x * 2.0, rest.clone())).bucketed(1);
    assert_eq!(f.call((Array::ones(&[5]), Vec::new())).unwrap().0.shape(), [5]);
}

#[test]
fn cells_and_captures_are_read_as_ever() {
    let (factor, seen) = (Ref::new(&Array::scalar(2.0f32)), Ref::new(&Array::scalar(0i32)));
    let shift = Array::from_slice(&[1.0f32, 2.0]);
    let (cell, count) = (factor.clone(), seen.clone());
    let f = jit(move |(x,): &(Array,)| {
        count.set(count.get() + 1);
        x * cell.get() + &shift
    })
    .bucketed(0);
    for (n, by) in [(17, 2.0f32), (18, 3.0), (2, 4.0)] {
        factor.set(Array::scalar(by));
        let y = f.call((Array::ones(&[n, 2]),)).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), [by + 1.0, by + 2.0].repeat(n));
    }
    assert_eq!(seen.get().item::<i32>().unwrap(), 3);
    assert_eq!(f.traces(), 2);
}

#[test]
fn within_other_transformations_rows_are_those_there_are() {
    let f = jit(|(x,): &(Array,)| x.sin() * 2.0).bucketed(0);
    let x = noise(1, &[19, 3]);
    let slopes = grad(|x: &Array| f.apply(&(x.clone(),)).sum(..))(&x);
    let expected = grad(|x: &Array| (x.sin() * 2.0).sum(..))(&x);
    assert_eq!(slopes.to_vec::<f32>().unwrap(), expected.to_vec::<f32>().unwrap());
    let mapped = vmap(|x: &Array| f.apply(&(x.clone(),)))(&x);
    assert_eq!(mapped.to_vec::<f32>().unwrap(), (x.sin() * 2.0).to_vec::<f32>().unwrap());
    let nested = jit(|x: &Array| f.apply(&(x.clone(),)).sum(..));
    assert!(nested.call(x.clone()).is_ok(), "what is around may mix rows");
    let program = make_program(|x: &Array| f.apply(&(x.clone(),)), &x);
    assert_eq!(program.result_types()[0].dims()[..], [19, 3]);
    let compiled = f.lower(&(x.clone(),)).compile().unwrap();
    assert_eq!(compiled.call((x.clone(),)).unwrap().shape(), [19, 3]);
    let plain = disable_jit(|| f.call((x.clone(),))).unwrap();
    assert_eq!(plain.to_vec::<f32>().unwrap(), mapped.to_vec::<f32>().unwrap());
}

#[test]
fn a_sanitizer_does_not_see_the_rows_that_are_added() {
    let f = jit(|(x,): &(Array,)| x / x.sum(along(1).keepdims())).bucketed(0);
    let call = |n: usize| f.call((Array::ones(&[n, 2]),)).and_then(|y| y.to_vec::<f32>());
    assert_eq!(call(17).unwrap(), [0.5; 34]);
    assert_eq!(sanitize(Categories::ALL, || call(17)).unwrap(), [0.5; 34]);
    let zero = || f.call((Array::zeros(&[17, 2]),)).and_then(|y| y.to_vec::<f32>());
    assert!(sanitize(Categories::ALL, zero).is_err(), "and it sees those there are");
}

#[test]
fn a_frozen_function_serves_the_buckets_that_it_has() {
    let f = jit(|(x,): &(Array,)| x * 2.0).bucketed(0);
    f.call((Array::ones(&[33]),)).unwrap();
    f.freeze();
    for n in 33..=36 {
        assert_eq!(f.call((Array::ones(&[n]),)).unwrap().shape(), [n]);
    }
    let error = f.call((Array::ones(&[37]),)).unwrap_err();
    assert!(error.message().contains("frozen") && error.message().contains("f32[40]"), "{error}");
}

#[test]
fn arrays_stay_where_they_were_put_and_may_still_be_computed() {
    let client = Arc::new(CpuClient::with_options(jarrah_cpu::CpuOptions {
        devices: 2,
        ..jarrah_cpu::CpuOptions::default()
    }));
    let second = Device::all(client).pop().unwrap();
    let g = jit(|(x,): &(Array,)| (x * 2.0).t()).bucketed(0);
    let x = Array::ones(&[500, 300]).to_device(&second).unwrap();
    let y = g.call((&x * 3.0,)).unwrap();
    assert_eq!(y.device(), second);
    let z = g.call((y.t(),)).unwrap();
    assert_eq!((z.device(), z.shape().to_vec()), (second, vec![300, 500]));
    assert_eq!(z.to_vec::<f32>().unwrap(), vec![12.0; 150_000]);
}
