//! Generators of random numbers, and keys that are used twice.

use jarrah_array::random::{Key, PrngImpl, debug_key_reuse, default_prng_impl};
use jarrah_array::*;

#[test]
fn the_default_generator_is_part_of_what_a_function_is_traced_for() {
    let f = jit(|x: &Array| x + Key::new(7).normal(&[3]));
    let draw = || f.call(Array::zeros(&[3])).unwrap().to_vec::<f32>().unwrap();
    let expected = |generator| Key::with_impl(7, generator).normal(&[3]).to_vec::<f32>().unwrap();
    assert_eq!(draw(), expected(PrngImpl::Threefry2x32));
    for generator in PrngImpl::ALL {
        assert_eq!(default_prng_impl(generator, draw), expected(generator), "{generator}");
    }
    assert_eq!(draw(), expected(PrngImpl::Threefry2x32));
    assert_eq!(f.traces(), PrngImpl::ALL.len());
    let ((), lines) = explain_retraces(|| {
        let g = jit(|x: &Array| x + Key::new(7).normal(&[3]));
        g.call(Array::zeros(&[3])).unwrap();
        default_prng_impl(PrngImpl::Rbg, || drop(g.call(Array::zeros(&[3])).unwrap()));
    });
    assert!(lines[0].contains("is rbg, it was threefry2x32"), "{lines:?}");
}

#[test]
fn keys_of_every_generator_are_trees_of_their_words() {
    for generator in PrngImpl::ALL {
        assert_eq!(generator.name().parse::<PrngImpl>().unwrap(), generator);
        let key = Key::with_impl(3, generator);
        let again = Key::wrap(key.words().clone(), generator);
        let draws =
            jit(|keys: &Vec<Key>| keys[0].bits(&[4], DType::U32).eq(keys[1].bits(&[4], DType::U32)).all(..));
        assert!(draws.call(vec![key.clone(), again]).unwrap().item::<bool>().unwrap(), "{generator}");
        let rows = vmap(move |words: &Array| Key::wrap(words.clone(), generator).fold_in(1).words().clone());
        let words = rows(&key.split_in(&[2])).to_vec::<u32>().unwrap();
        let each = key
            .split(2)
            .iter()
            .flat_map(|k| k.fold_in(1).words().to_vec::<u32>().unwrap())
            .collect::<Vec<_>>();
        assert_eq!(words, each, "{generator}");
    }
    assert!("philox".parse::<PrngImpl>().unwrap_err().to_string().contains("philox4x32"));
}

/// Whether `f` uses a key twice.
fn reuses<R>(f: impl FnOnce() -> R) -> bool {
    match debug_key_reuse(|| try_trace(f)) {
        Ok(_) => false,
        Err(error) => {
            println!("{error}");
            assert!(error.to_string().contains("random key"), "{error}");
            true
        }
    }
}

#[test]
fn keys_that_are_used_twice_are_found() {
    let key = || Key::new(1);
    assert!(reuses(|| [key()].map(|k| (k.normal(&[2]), k.clone().bits(&[2], DType::U8)))));
    assert!(reuses(|| [key()].map(|k| (k.split(2), k.pair()))));
    assert!(reuses(|| [key()].map(|k| (k.normal(&[2]), Key::from_words(k.words().clone()).split(2)))));
    // Through transformations: as an argument, and captured.
    let draw = |k: &Key| k.normal(&[2]).sum(..);
    assert!(reuses(|| [key()].map(|k| (draw(&k), grad(|x: &Array| x * draw(&k))(&Array::scalar(1.0f32))))));
    assert!(reuses(|| [key()].map(|k| (vjp(draw, &k).0, draw(&k)))));
    assert!(reuses(|| [key()].map(|k| (jit(draw).call(k.clone()), jit(draw).call(k)))));
    assert!(reuses(|| {
        let (k, x) = (key(), Array::scalar(0.0f32));
        let f = jit(|x: &Array| x + draw(&k));
        (f.call(x.clone()), f.call(x))
    }));
    let both = jit(|(a, b): &(Key, Key)| draw(a) + draw(b));
    assert!(!reuses(|| both.call((key(), key()))));
    assert!(reuses(|| [key()].map(|k| both.call((k.clone(), k)))));
    let drawn = |words: &Array| Key::from_words(words.clone()).normal(&[2]);
    assert!(reuses(|| [key().split_in(&[3])].map(|words| (vmap(drawn)(&words), vmap(drawn)(&words)))));
    let step = |(): &(), words: &Array| ((), drawn(words));
    assert!(
        reuses(|| [key().split_in(&[3])].map(|words| (scan(step, &(), &words), scan(step, &(), &words))))
    );
    // Used before and in one branch.
    let yes = Array::scalar(true);
    assert!(reuses(|| [key()].map(|k| (cond(&yes, || draw(&k), || Array::scalar(0.0f32)), draw(&k)))));
    assert!(reuses(|| [key()].map(|k| scan_length(
        |c: &Array, (): &()| (c + jit(draw).call(k.clone()).unwrap(), ()),
        &Array::scalar(0.0f32),
        &(),
        2
    ))));
}

#[test]
fn keys_that_are_used_once_are_left_alone() {
    let key = || Key::new(1);
    let draw = |k: &Key| k.normal(&[2]).sum(..);
    let (yes, zero) = (Array::scalar(true), Array::scalar(0.0f32));
    assert!(!reuses(|| {
        let k = key();
        let tasks: Vec<Array> = (0..3).map(|i| draw(&k.fold_in(i))).collect();
        (tasks, draw(&k))
    }));
    assert!(!reuses(|| [key()].map(|k| cond(&yes, || draw(&k), || k.uniform(&[2]).sum(..)))));
    assert!(!reuses(|| [key()].map(|k| (eval_shape(draw, &k), make_program(draw, &k), draw(&k)))));
    assert!(!reuses(|| (jit(draw).call(key()), jit(draw).call(key()))));
    let f = jit(draw);
    assert!(!reuses(|| (0..3).map(|i| f.call(key().fold_in(i)).unwrap()).collect::<Vec<_>>()));
    assert!(!reuses(|| scan_length(
        |(c, k): &(Array, Key), (): &()| {
            let (now, next) = k.pair();
            ((c + draw(&now), next), ())
        },
        &(zero.clone(), key()),
        &(),
        3
    )));
    assert!(!reuses(|| [key()].map(|k| {
        scan(|c: &Array, i: &Array| (c + draw(&k.fold_in_array(i)), ()), &zero, &Array::arange(3))
    })));
    let smooth = custom_jvp(|k: &Key| draw(k), |k: &Key, _: &Key| (draw(k), Array::scalar(0.0f32)));
    assert!(!reuses(|| smooth(&key())));
    // Every sampler uses its key once.
    assert!(!reuses(|| {
        let x = Array::arange(5).astype(DType::F32);
        let drawn = [
            key().permutation(5),
            key().randint(&[3], 0, 5),
            key().orthogonal_in(&[], 3, 3, DType::F32),
            key().categorical(&x),
            key().normal_in(&[3], DType::C64),
            key().choice_distinct_weighted(&x, &[2], 0, &(&x + 1.0)),
            key().shuffle_independently(&x, 0),
            key().gamma_in(&[3], DType::F32, 0.5),
            key().beta_in(&[3], DType::F32, 2.0, 0.5),
            key().t_in(&[3], DType::F32, 3.0),
            key().poisson(&[3], 30.0),
            key().binomial_in(&[3], DType::F32, 20.0, 0.3),
            key().multinomial(9.0, &(&x + 1.0)),
            key().ball_in(&[3], DType::F32, 3, 2.0),
            key().wald_in(&[3], DType::F32, 1.0),
        ];
        drawn.map(|array| array.size())
    }));
    // Without the check nothing is said.
    let k = key();
    assert_eq!(draw(&k).item::<f32>().unwrap(), draw(&k).item::<f32>().unwrap());
}

#[test]
fn keys_in_cells_are_keys() {
    let start = || Ref::new(Key::new(0).words());
    let key = |cell: &Ref| Key::from_words(cell.get());
    let draw = |cell: &Ref| key(cell).normal(&[]);
    let advance = |cell: &Ref| {
        let (next, now) = key(cell).pair();
        cell.set(next.words());
        now.normal(&[])
    };
    let call = |cell: &Ref, f: &dyn Fn(&Ref) -> Array| {
        let step = jit(|x: &Array| x + f(cell));
        (0..3).map(|_| step.call(Array::scalar(0.0f32)).unwrap()).collect::<Vec<_>>()
    };
    let repeat = |cell: &Ref, f: &dyn Fn(&Ref) -> Array| {
        scan_length(|x: &Array, (): &()| (x + f(cell), ()), &Array::scalar(0.0f32), &(), 3).0
    };
    assert!(!reuses(|| [start()].map(|cell| (
        call(&cell, &advance),
        advance(&cell),
        repeat(&cell, &advance)
    ))));
    assert!(reuses(|| [start()].map(|cell| call(&cell, &draw))));
    assert!(reuses(|| [start()].map(|cell| repeat(&cell, &draw))));
    let put_back = |cell: &Ref| {
        let words = cell.get();
        cell.set(&words);
        Key::from_words(words).normal(&[])
    };
    assert!(reuses(|| [start()].map(|cell| repeat(&cell, &put_back))));
    assert!(reuses(|| [start()].map(|cell| (jit(|(): &()| draw(&cell)).call(()), draw(&cell)))));
    let twice = |cell: &Ref| draw(cell) + advance(cell);
    assert!(reuses(|| [start()].map(|cell| jit(|(): &()| twice(&cell)).call(()))));
}

#[test]
fn looking_at_keys_keeps_no_value_of_a_cell() {
    let cell = Ref::new(Key::new(0).words());
    let step = jit(|x: &Array| {
        let (next, now) = Key::from_words(cell.get()).pair();
        cell.set(next.words());
        x + now.normal(&[])
    });
    let ((), alive) = live_arrays(|| {
        debug_key_reuse(|| {
            cell.set(Key::new(1).words());
            (0..3).for_each(|_| drop(step.call(Array::scalar(0.0f32)).unwrap()));
        });
    });
    let words: Vec<&LiveArray> = alive.iter().filter(|array| array.ty == cell.ty()).collect();
    assert_eq!(words.len(), 1, "only what the cell holds now: {words:?}");
}

#[test]
fn more_keys_than_there_can_be_are_an_error() {
    for generator in PrngImpl::ALL {
        let error = try_trace(|| Key::with_impl(1, generator).split_in(&[1 << 33, 1 << 33])).unwrap_err();
        assert!(error.to_string().contains("8589934592"), "{error}");
    }
}
