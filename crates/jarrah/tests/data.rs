//! `jarrah data order`: indices that Grain 0.2.18 delivers for the same numbers.

use crate::support::Place;

fn indices(place: &Place, arguments: &str) -> Vec<u64> {
    place.good(&format!("data order {arguments}")).lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn the_order_is_that_of_grain() {
    let place = Place::new();
    let shard = indices(&place, "--len 1000 --seed 42 --epochs 2 --shard 1/4");
    assert_eq!((shard.len(), &shard[..6]), (500, &[591, 975, 669, 563, 208, 713][..]));
    let mixed = indices(&place, "--lens 1000,200 --mix 0.7,0.3 --seed 42");
    assert_eq!((mixed.len(), &mixed[..8]), (666, &[394, 591, 809, 1161, 524, 88, 1124, 975][..]));
    assert_eq!(indices(&place, "--len 1000 --seed 42 --window 64 --take 6"), [14, 24, 38, 48, 31, 57]);
    assert_eq!(indices(&place, "--len 5"), [0, 1, 2, 3, 4]);
}

#[test]
fn wrong_orders_are_refused_with_a_reason() {
    let place = Place::new();
    place.refused(
        "data order --seed 1",
        "say the number of records: --len of one dataset, or --lens of several",
    );
    place.refused("data order --len 0", "a dataset has 0 records");
    place.refused("data order --len 5 --seed 4294967296", "shuffle: the seed 4294967296 is not below 2^32");
    place.refused("data order --lens 5,6 --mix 1,0", "mix: each weight must be greater than zero");
    place.refused("data order --lens 5,6 --mix 1", "mix: 1 weights for 2 datasets");
    place.refused(
        "data order --len 5 --shard 4/4",
        "invalid value '4/4' for '--shard <I/N>': there is no shard 4 of 4",
    );
    place.refused("data order --len 5 --epochs 0", "repeat: there must be at least one epoch");
    place.refused(
        "data order --len 5 --seed 1 --window 0",
        "window_shuffle: a window must have at least one element",
    );
}
