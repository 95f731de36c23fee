//! Counts of the stages of pipelines: exact, whichever threads run them. Times are never compared.

use std::time::Duration;

use jarrah_base::{Error, Literal, Location};
use jarrah_data::{Features, IterDataset, MapDataset, PackOptions, ReadOptions, StageObserver, stages_named};

/// For each stage its name, the elements that came in, those that went out, and their bytes.
fn counts(observer: &StageObserver) -> Vec<(&'static str, u64, u64, u64)> {
    let statistics = observer.statistics();
    statistics.iter().map(|s| (s.stage.name, s.elements_in, s.elements_out, s.bytes_out)).collect()
}

fn even() -> MapDataset<i64> {
    MapDataset::range(0, 100, 1).map(|x| x / 2).filter(|x| x % 2 == 0)
}

#[test]
fn each_stage_counts_what_came_in_and_went_out() {
    let (iterator, observer) = even().to_iter().batch(8).iter_observed().unwrap();
    assert!(counts(&observer).iter().all(|&(_, i, o, b)| (i, o, b) == (0, 0, 0)));
    assert_eq!(iterator.count(), 7);
    let expected = [
        ("range", 0, 100, 800),
        ("map", 100, 100, 800),
        ("filter", 100, 50, 400),
        ("read", 50, 50, 400),
        ("batch", 50, 7, 400),
    ];
    assert_eq!(counts(&observer), expected);
    let statistics = observer.statistics();
    assert_eq!(statistics[4].held, 64);
    assert_eq!(statistics[4].stage.inputs, [3]);
    assert!(statistics.iter().all(|s| s.stage.at.file().ends_with("tests/observe.rs")));
    assert!(statistics.iter().all(|s| (s.waited, s.idle) == (Duration::ZERO, Duration::ZERO)));
    // On one thread no time is counted twice.
    assert!(statistics.iter().map(|s| s.own).sum::<Duration>() <= observer.elapsed());
}

#[test]
fn counts_do_not_depend_on_threads() {
    let options = ReadOptions { threads: 3, buffer: 16 };
    for (dataset, reading) in [
        (even().to_iter_with(options), "read"),
        (even().lanes(4, |lane| lane.to_iter()).to_iter(options), "lanes"),
        (even().to_iter().prefetch(4), "prefetch"),
    ] {
        let (iterator, observer) = dataset.iter_observed().unwrap();
        assert_eq!(iterator.count(), 50);
        let counts = counts(&observer);
        assert_eq!(counts[2], ("filter", 100, 50, 400), "{reading}");
        assert_eq!(counts.last(), Some(&(reading, 50, 50, 400)), "{counts:?}");
        // Elements are held until they are delivered.
        let held = observer.statistics().last().unwrap().held;
        assert!((8..=8 * 50).contains(&held), "{reading} held {held}");
    }
}

#[test]
fn the_stages_of_lanes_are_listed_once() {
    let lanes = MapDataset::range(0, 60, 1).shuffle(1).lanes(6, |lane| lane.to_iter().window_shuffle(4, 2));
    let dataset = lanes.to_iter(ReadOptions::default());
    let stages = dataset.stages();
    let names: Vec<_> = stages.iter().map(|s| (s.name, s.inputs.clone())).collect();
    let expected = [
        ("range", vec![]),
        ("shuffle", vec![0]),
        ("read", vec![1]),
        ("window_shuffle", vec![2]),
        ("lanes", vec![3]),
    ];
    assert_eq!(names, expected);
    let (iterator, observer) = dataset.iter_observed().unwrap();
    assert_eq!(iterator.count(), 60);
    let counts = counts(&observer);
    assert!(counts.iter().all(|&(_, _, out, _)| out == 60), "{counts:?}");
    assert_eq!(observer.statistics()[3].held, 32);
}

#[test]
fn a_mixture_has_an_input_for_each_dataset() {
    let datasets = [MapDataset::range(0, 9, 1), MapDataset::range(100, 103, 1)];
    let mixed = MapDataset::mix(&datasets, Some(&[0.75, 0.25]));
    let (iterator, observer) = mixed.to_iter().limit(8).iter_observed().unwrap();
    assert_eq!(iterator.count(), 8);
    assert_eq!(observer.statistics()[2].stage.inputs, [0, 1]);
    assert_eq!(
        counts(&observer),
        [
            ("range", 0, 6, 48),
            ("range", 0, 2, 16),
            ("mix", 8, 8, 64),
            ("read", 8, 8, 64),
            ("limit", 8, 8, 64)
        ]
    );
    let streams = datasets.map(|dataset| dataset.to_iter());
    let stages = IterDataset::mix(&streams, None).stages();
    assert_eq!(stages[4].inputs, [1, 3]);
}

#[test]
fn packing_counts_tensors_and_the_rows_that_are_open() {
    let text = |len: i64| {
        let tokens = Literal::from_slice(&[len as usize], &vec![1_i32; len as usize]).unwrap();
        Features::from([("tokens".to_owned(), tokens)])
    };
    let options = PackOptions { shuffle: None, ..PackOptions::new("tokens", 6, 2) };
    let packed = MapDataset::source(vec![3_i64, 5, 2]).map(text).to_iter().pack(options);
    let (iterator, observer) = packed.iter_observed().unwrap();
    assert_eq!(iterator.count(), 2);
    assert_eq!(counts(&observer)[3], ("pack", 3, 2, 2 * 3 * 6 * 4));
    assert_eq!(observer.statistics()[3].held, 4 * (3 + 5 + 2));
}

#[test]
fn observed_iterators_deliver_what_others_do_and_resume() {
    let options = ReadOptions { threads: 2, buffer: 8 };
    let dataset = even().shuffle(3).to_iter_with(options).window_shuffle(5, 1).prefetch(4);
    let plain: Vec<i64> = dataset.iter().unwrap().collect::<Result<_, _>>().unwrap();
    let (mut first, _) = dataset.iter_observed().unwrap();
    let mut elements: Vec<i64> = first.by_ref().take(12).collect::<Result<_, _>>().unwrap();
    let state = first.state();
    let (mut second, observer) = dataset.iter_observed().unwrap();
    second.set_state(&state).unwrap();
    elements.extend(second.map(Result::unwrap));
    assert_eq!(elements, plain);
    assert_eq!(counts(&observer).last().unwrap().2, plain.len() as u64 - 12);
}

#[test]
fn a_stage_that_fails_or_panics_leaves_the_counts_sound() {
    for panics in [false, true] {
        let failing = MapDataset::range(0, 9, 1).try_map(move |x| match x {
            4 if panics => std::panic::resume_unwind(Box::new("a defect")),
            4 => Err(Error::input("the fourth is bad")),
            x => Ok(x),
        });
        let (iterator, observer) = failing.to_iter().iter_observed().unwrap();
        assert_eq!(iterator.filter(|x| x.is_ok()).count(), 4);
        assert_eq!(counts(&observer), [("range", 0, 5, 40), ("try_map", 5, 4, 32), ("read", 4, 4, 32)]);
    }
}

#[test]
fn a_file_can_name_the_stages_that_it_describes() {
    let at = Location::new("chats.toml", 12, 1);
    let dataset = stages_named("halve", at, || {
        MapDataset::range(0, 9, 1).try_map(|_| Err::<i64, _>(Error::input("no half")))
    });
    let error = dataset.get(0).unwrap_err().to_string();
    assert!(error.contains("while the stage `halve` (chats.toml:12) made element 0"), "{error}");
    assert_eq!(dataset.to_iter().stages()[2].name, "read");
}
