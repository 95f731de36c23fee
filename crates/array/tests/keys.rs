//! Generators of random numbers, and keys that are used twice.

use jarrah_array::random::{Key, PrngImpl, default_prng_impl};
use jarrah_array::*;

#[test]
fn the_default_generator_is_part_of_what_a_function_is_traced_for() {
    let f = jit(|x: &Array| x + Key::new(7).normal(&[3]));
    let draw = || f.call(Array::zeros(&[3])).unwrap().to_vec::<f32>().unwrap();
    let expected =
        |generator| Key::with_impl(7, generator).normal(&[3]).to_vec::<f32>().unwrap();
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
        let draws = jit(|keys: &Vec<Key>| keys[0].bits(&[4], DType::U32).eq(keys[1].bits(&[4], DType::U32)).all(..));
        assert!(draws.call(vec![key.clone(), again]).unwrap().item::<bool>().unwrap(), "{generator}");
        let rows = vmap(move |words: &Array| Key::wrap(words.clone(), generator).fold_in(1).words().clone());
        let words = rows(&key.split_in(&[2])).to_vec::<u32>().unwrap();
        let each = key.split(2).iter().flat_map(|k| k.fold_in(1).words().to_vec::<u32>().unwrap()).collect::<Vec<_>>();
        assert_eq!(words, each, "{generator}");
    }
    assert!("philox".parse::<PrngImpl>().unwrap_err().to_string().contains("philox4x32"));
}
