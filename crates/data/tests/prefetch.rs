use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jarrah_base::{Error, ErrorKind, Result};
use jarrah_data::{DatasetIterator, IterDataset, MapDataset, ReadOptions};

/// Numbers whose making is counted; the third fails or panics if told to.
#[derive(Clone, Copy, PartialEq)]
enum End {
    Never,
    Error,
    Panic,
}

fn counted(end: End) -> (Arc<AtomicU64>, MapDataset<i64>) {
    let made = Arc::new(AtomicU64::new(0));
    let count = made.clone();
    let dataset = MapDataset::range(0, 1000, 1).try_map(move |x| {
        count.fetch_add(1, Ordering::SeqCst);
        match end {
            End::Error if x == 3 => Err(Error::input("the third is bad")),
            End::Panic if x == 3 => std::panic::resume_unwind(Box::new("a defect")),
            _ => Ok(x),
        }
    });
    (made, dataset)
}

/// The ways to make elements ahead with a buffer of two.
fn ways(dataset: &MapDataset<i64>) -> [IterDataset<i64>; 3] {
    let options = ReadOptions { threads: 1, buffer: 2 };
    [
        dataset.to_iter().prefetch(2),
        dataset.to_iter_with(options),
        dataset.lanes(1, |lane| lane.to_iter()).to_iter(options),
    ]
}

fn reaches(made: &AtomicU64, n: u64) -> bool {
    let start = Instant::now();
    while made.load(Ordering::SeqCst) < n {
        if start.elapsed() > Duration::from_secs(10) {
            return false;
        }
        std::thread::yield_now();
    }
    true
}

#[test]
fn it_reads_ahead_but_not_without_bound() {
    for way in 0..3 {
        let (made, dataset) = counted(End::Never);
        let mut ahead = ways(&dataset)[way].iter().unwrap();
        assert_eq!(ahead.next().unwrap().unwrap(), 0);
        assert!(reaches(&made, 3), "way {way}");
        std::thread::sleep(Duration::from_millis(30));
        assert_eq!(made.load(Ordering::SeqCst), 3, "way {way}");
        assert_eq!(ahead.next().unwrap().unwrap(), 1);
        assert!(reaches(&made, 4));
    }
}

#[test]
fn a_slow_consumer_of_many_threads_holds_no_more_than_the_buffer() {
    for buffer in [4, 64, 500] {
        let options = ReadOptions { threads: 4, buffer };
        let (made, dataset) = counted(End::Never);
        let lanes = dataset.lanes(4, |lane| lane.to_iter());
        for dataset in [dataset.to_iter_with(options), lanes.to_iter(options)] {
            made.store(0, Ordering::SeqCst);
            let mut ahead = dataset.iter().unwrap();
            ahead.next().unwrap().unwrap();
            std::thread::sleep(Duration::from_millis(50));
            let held = made.load(Ordering::SeqCst) - 1;
            assert!(held <= buffer as u64, "{held} elements for a buffer of {buffer}");
        }
    }
}

fn until_the_error(ahead: &mut DatasetIterator<i64>) -> Error {
    for i in 0..3 {
        assert_eq!(ahead.next().unwrap().unwrap(), i);
    }
    let e = ahead.next().unwrap().unwrap_err();
    assert!(ahead.next().is_none());
    e
}

#[test]
fn an_error_comes_in_its_turn_and_names_stage_and_element() {
    for way in 0..3 {
        let mut ahead = ways(&counted(End::Error).1)[way].iter().unwrap();
        let e = until_the_error(&mut ahead);
        assert_eq!((e.kind(), e.message()), (ErrorKind::Input, "the third is bad"));
        let text = e.to_string();
        assert!(text.contains("the stage `try_map` (") && text.contains("prefetch.rs:"), "{text}");
        assert!(text.contains("made element 3"), "{text}");
    }
}

#[test]
fn a_panic_on_a_thread_is_an_error_that_names_stage_and_element() {
    for way in 0..3 {
        let e = until_the_error(&mut ways(&counted(End::Panic).1)[way].iter().unwrap());
        assert_eq!(e.kind(), ErrorKind::Program);
        assert!(e.message().ends_with("panicked at element 3: a defect"), "{e}");
    }
}

#[test]
fn the_position_of_an_error_is_that_of_its_element() {
    // The third element fails once: a flaky disk.
    let failed = Arc::new(AtomicU64::new(0));
    let count = failed.clone();
    let dataset = MapDataset::range(0, 9, 1).try_map(move |x| {
        match x == 3 && count.fetch_add(1, Ordering::SeqCst) == 0 {
            true => Err(Error::environment("the disk is away")),
            false => Ok(x),
        }
    });
    for way in 0..3 {
        failed.store(0, Ordering::SeqCst);
        // Batches of two: the error strikes in the middle of the second one.
        let dataset = ways(&dataset)[way].batch_with(2, false, Ok);
        let mut iterator = dataset.iter().unwrap();
        assert_eq!(iterator.next().unwrap().unwrap(), [0, 1]);
        assert!(iterator.next().unwrap().is_err());
        let state = iterator.state();
        iterator.set_state(&state).unwrap();
        let rest: Vec<Vec<i64>> = iterator.collect::<Result<_>>().unwrap();
        assert_eq!(rest, [vec![2, 3], vec![4, 5], vec![6, 7], vec![8]], "way {way}");
    }
}

#[test]
fn dropping_ends_the_threads() {
    for way in 0..3 {
        let (made, dataset) = counted(End::Never);
        let mut ahead = ways(&dataset)[way].iter().unwrap();
        ahead.next().unwrap().unwrap();
        drop((ahead, dataset));
        // The threads owned the pipeline.
        assert_eq!(Arc::strong_count(&made), 1);
    }
}
