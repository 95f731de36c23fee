use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jarrah_base::{Error, ErrorKind, Result};
use jarrah_data::{DataState, IterDataset, Prefetch};

/// Counts up; fails or panics at 3 if told to. What it has made is seen from outside.
struct Count {
    made: Arc<AtomicU64>,
    end: End,
}

#[derive(PartialEq)]
enum End {
    Never,
    Error,
    Panic,
}

impl IterDataset for Count {
    type Item = u64;

    fn advance(&mut self) -> Result<u64> {
        let n = self.made.load(Ordering::SeqCst);
        match self.end {
            End::Error if n == 3 => return Err(Error::input("the third is bad")),
            End::Panic if n == 3 => std::panic::resume_unwind(Box::new("a defect")),
            _ => {}
        }
        Ok(self.made.fetch_add(1, Ordering::SeqCst))
    }

    fn state(&self) -> DataState {
        DataState { seed: 0, epoch: 0, index: self.made.load(Ordering::SeqCst), examples: 100 }
    }
}

fn count(end: End) -> (Arc<AtomicU64>, Prefetch<u64>) {
    let made = Arc::new(AtomicU64::new(0));
    (made.clone(), Prefetch::new(Count { made, end }, 2).unwrap())
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
    let (made, mut ahead) = count(End::Never);
    // Two in the queue and one in the hand of the thread that waits for room.
    assert!(reaches(&made, 3));
    std::thread::sleep(Duration::from_millis(30));
    assert_eq!(made.load(Ordering::SeqCst), 3);
    assert_eq!(ahead.advance().unwrap(), 0);
    assert_eq!(ahead.state().index, 1);
    assert!(reaches(&made, 4));
}

#[test]
fn an_error_comes_in_its_turn_and_stays() {
    let (_, mut ahead) = count(End::Error);
    for i in 0..3 {
        assert_eq!(ahead.advance().unwrap(), i);
    }
    for _ in 0..2 {
        let e = ahead.advance().unwrap_err();
        assert_eq!((e.kind(), e.message()), (ErrorKind::Input, "the third is bad"));
    }
    assert_eq!(ahead.state().index, 3);
}

#[test]
fn the_iterator_ends_with_the_first_error() {
    let (_, ahead) = count(End::Error);
    let all: Vec<_> = ahead.collect();
    assert_eq!(all.len(), 4);
    assert!(all[..3].iter().enumerate().all(|(i, n)| n.as_ref().is_ok_and(|n| *n == i as u64)));
    assert_eq!(all[3].as_ref().unwrap_err().message(), "the third is bad");
}

#[test]
fn a_panic_on_the_thread_is_an_error_here() {
    let (_, mut ahead) = count(End::Panic);
    for i in 0..3 {
        assert_eq!(ahead.advance().unwrap(), i);
    }
    let e = ahead.advance().unwrap_err();
    assert_eq!((e.kind(), e.message()), (ErrorKind::Internal, "the data thread panicked: a defect"));
    assert_eq!(ahead.advance().unwrap_err().message(), e.message());
}

#[test]
fn dropping_ends_the_thread() {
    let (made, mut ahead) = count(End::Never);
    ahead.advance().unwrap();
    drop(ahead);
    // The thread owned the other handle.
    assert_eq!(Arc::strong_count(&made), 1);
}
