//! Caches of keys and values, and of latent vectors.

use jarrah_array::nn::AttentionOptions;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, concatenate, jit, try_trace};
use jarrah_nn::{
    Cached, Context, KvCache, LatentAttention, LatentCache, LatentConfig, Module, Pairing, Rope, State,
    Tokens,
};

fn values(x: &Array) -> Vec<f32> {
    x.to_vec().unwrap()
}

fn integers(values: &[i32]) -> Array {
    Array::from_slice(values)
}

#[test]
fn each_vector_has_a_scale_of_its_own() {
    let x = Array::new(&[1.0f32, -254.0, 0.49, 0.0, 0.0, 0.0, 3.0, 1.5, -3.0], &[1, 3, 1, 3]);
    let at = Tokens::next(&integers(&[1]), &x);
    let cache = Cached::new(1, 4, 1, 3, DType::I8).write(&x, &at);
    let expected = [0i8, 0, 0, 0, -127, 0, 0, 0, 0, 127, 64, -127];
    assert_eq!(cache.values.to_vec::<i8>().unwrap(), expected, "1 / 2 and 63.5 are rounded to even");
    assert_eq!(values(cache.scales.as_ref().unwrap()), [1.0, 2.0, 1.0, 3.0 / 127.0]);
    for (dtype, most) in [(DType::F8E4M3FN, 448.0), (DType::F8E5M2, 57344.0)] {
        let cache = Cached::new(1, 4, 1, 3, dtype).write(&x, &at);
        let scales = values(cache.scales.as_ref().unwrap());
        assert_eq!(scales, [1.0, 254.0 / most, 1.0, 3.0 / most]);
        let bytes = values(&cache.values.astype(DType::F32));
        assert_eq!((bytes[4], bytes[9], bytes[10], bytes[11]), (-most, most, most / 2.0, -most));
    }
}

#[test]
fn what_is_written_lies_where_the_table_says() {
    let x = Array::arange(12).astype(DType::F32).reshape(&[2, 3, 1, 2]) + 1.0;
    // The second sequence has no page for its third position, nor has the table a column for the fourth of the first.
    let at = Tokens::next(&integers(&[1, 0]), &x).paged(&Array::new(&[2i32, 0, 1, -1], &[2, 2]));
    let cache = Cached::new(3, 2, 1, 2, DType::F32).write(&x, &at);
    let expected = [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 0.0, 0.0, 1.0, 2.0];
    assert_eq!(values(&cache.values), expected);
    let behind = Tokens::next(&integers(&[3, 4]), &x);
    let cache = Cached::new(2, 4, 1, 2, DType::F32).write(&x, &behind);
    let expected: Vec<f32> = (0..16)
        .map(|i| {
            if i == 6 {
                1.0
            } else if i == 7 {
                2.0
            } else {
                0.0
            }
        })
        .collect();
    assert_eq!(values(&cache.values), expected);
}

/// Two texts that begin alike share the page of their beginning.
#[test]
fn sequences_may_share_pages() {
    let [k, v, q] = [1, 2, 3].map(|seed| Key::new(seed).normal(&[1, 5, 2, 4]));
    let own = Tokens::next(&integers(&[0]), &q);
    let whole = KvCache::new(1, 8, 2, 4, DType::F32).write(&k, &v, &own).attend(
        &q,
        &own,
        &AttentionOptions::default(),
    );

    let part = |x: &Array, from: usize, to: usize| x.slice(1, from..to);
    let first = Tokens::next(&integers(&[0]), &part(&k, 0, 4)).paged(&Array::new(&[1i32, -1], &[1, 2]));
    let pool = KvCache::new(4, 4, 2, 4, DType::F32).write(&part(&k, 0, 4), &part(&v, 0, 4), &first);
    let two = |x: &Array| {
        let x = part(x, 4, 5);
        concatenate(&[&x, &(&x * 0.5)], 0)
    };
    let pages = Array::new(&[1i32, 3, 1, 0], &[2, 2]);
    let both = Tokens::next(&integers(&[4, 4]), &two(&k)).paged(&pages);
    let pool = pool.write(&two(&k), &two(&v), &both);
    let found = pool.attend(
        &concatenate(&[&part(&q, 4, 5), &part(&q, 4, 5)], 0),
        &both,
        &AttentionOptions::default(),
    );
    assert_eq!(values(&found.slice(0, 0..1)), values(&part(&whole, 4, 5)));
    assert_ne!(values(&found.slice(0, 1..2)), values(&part(&whole, 4, 5)));
}

fn latent() -> (LatentAttention, LatentConfig) {
    let config = LatentConfig {
        heads: 4,
        latent: 12,
        query_latent: Some(10),
        nope: 6,
        value: 5,
        rope: Rope::new(4, 10000.0).paired(Pairing::Neighbours),
        bias: true,
        scale: None,
    };
    (LatentAttention::new(&Key::new(1), 16, &config), config)
}

type Step = (LatentAttention, Array, State, Tokens);

fn next((layer, x, cache, at): &Step) -> (Array, State) {
    let mut cx = Context::eval().with_state(cache).with(at.clone());
    let y = layer.call(x, &mut cx);
    (y, cx.updates())
}

fn empty(runs: usize, length: usize, config: &LatentConfig, dtype: DType) -> State {
    let mut state = State::default();
    state.set("cache", LatentCache::new(runs, length, config, dtype));
    state
}

#[test]
fn a_latent_cache_gives_the_bits_of_the_trainer() {
    let (layer, config) = latent();
    let x = Key::new(2).normal(&[2, 75, 16]);
    let forward = jit(|(layer, x): &(LatentAttention, Array)| layer.call(x, &mut Context::eval()));
    let whole = values(&forward.call((layer.clone(), x.clone())).unwrap());
    let step = jit(next).donate(2);
    let pages = Array::new(&[3i32, 5, 0, 7, 2, 4, 1, 8], &[2, 4]);
    for (runs, length, pages) in [(2, 80, None), (9, 20, Some(pages))] {
        for cuts in [vec![0, 75], vec![0, 40, 41, 64, 75]] {
            let mut cache = empty(runs, length, &config, DType::F32);
            let mut parts = Vec::new();
            for cut in cuts.windows(2) {
                let part = x.slice(1, cut[0] as usize..cut[1] as usize);
                let at = Tokens { pages: pages.clone(), ..Tokens::next(&Array::scalar(cut[0]), &part) };
                let (y, next) = step.call((layer.clone(), part, cache, at)).unwrap();
                cache = next;
                parts.push(y);
            }
            let parts = values(&concatenate(&parts.iter().collect::<Vec<_>>(), 1));
            assert!(parts.iter().zip(&whole).all(|(a, b)| a.to_bits() == b.to_bits()), "{cuts:?}, {pages:?}");
        }
    }
    // In bytes it is near.
    let cache = empty(2, 80, &config, DType::I8);
    let at = Tokens::next(&Array::scalar(0i32), &x);
    let (y, cache) = next(&(layer, x, cache, at));
    assert_eq!(cache.get::<LatentCache>("cache").unwrap().keys.values.dtype(), DType::I8);
    let far = values(&y).iter().zip(&whole).fold(0f32, |far, (a, b)| far.max((a - b).abs()));
    assert!(far > 0.0 && far < 0.03, "{far}");
}

#[test]
fn products_of_turned_vectors_depend_on_distances_alone() {
    let x = Key::new(5).normal(&[1, 2, 1, 6]).astype(DType::F64);
    let product = |a: i32, b: i32| {
        let y = Rope::new(6, 50.0).paired(Pairing::Neighbours).turn(&x, &Array::new(&[a, b], &[1, 2]));
        (y.slice(1, 0..1) * y.slice(1, 1..2)).sum(..).item::<f64>().unwrap()
    };
    assert!((product(3, 10) - product(103, 110)).abs() < 1e-12);
    assert!((product(3, 10) - product(3, 11)).abs() > 1e-3);
}

#[test]
fn wrong_arguments_are_errors() {
    let message = |f: &dyn Fn() -> Array| try_trace(f).unwrap_err().message().to_owned();
    let cache = KvCache::new(1, 8, 2, 4, DType::F32);
    let x = Array::ones(&[1, 3, 2, 5]);
    let at = Tokens::next(&integers(&[0]), &x);
    let error = message(&|| cache.write(&x, &x, &at).k.values);
    assert_eq!(error, "f32[1,3,2,5] cannot be written to a cache of f32[1,8,2,4]");
    let (layer, config) = latent();
    let none = LatentConfig { heads: 0, ..config };
    let error = message(&|| LatentAttention::new(&Key::new(0), 16, &none).k_up.get());
    assert!(error.starts_with("there is no latent attention of LatentConfig"), "{error}");
    let error = message(&|| layer.call(&Array::zeros(&[5, 16]), &mut Context::eval()));
    assert_eq!(error, "the argument is f32[5,16], it must be [B,T,width]");
}
