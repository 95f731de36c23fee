//! Collectives between threads.

use std::sync::Arc;

use jarrah_exchange::{CollectiveCall, Combine, Exchange, Receive, ReceiveInto, Tag, Threads};

use crate::scenario::{self, SUM};

/// Runs `f` on a thread for each rank, and returns the results in order.
pub fn on_threads<R: Send>(size: usize, f: impl Fn(Arc<dyn Exchange>) -> R + Sync) -> Vec<R> {
    let f = &f;
    std::thread::scope(|scope| {
        let ranks: Vec<_> =
            Threads::start(size).into_iter().map(|rank| scope.spawn(move || f(rank))).collect();
        ranks.into_iter().map(|rank| rank.join().expect("no rank panics")).collect()
    })
}

#[test]
fn random_collectives_give_what_straightforward_computation_gives() {
    for (seed, size) in [1, 2, 3, 4, 5, 3, 2].into_iter().enumerate() {
        on_threads(size, |rank| scenario::check(&*rank, 0, seed as u64 + 11, 20).unwrap());
    }
}

#[test]
fn threads_of_a_rank_are_in_different_collectives_at_once() {
    on_threads(3, |rank| {
        std::thread::scope(|scope| {
            for run in 0..4 {
                let rank = &rank;
                scope.spawn(move || scenario::check(&**rank, run, 100 + run, 15).unwrap());
            }
        });
    });
}

#[test]
fn arguments_are_checked_before_anything_is_sent() {
    on_threads(2, |rank| {
        let own = rank.rank();
        let collective = CollectiveCall::new("all_reduce", Tag::default());
        let say = |error: jarrah_base::Result<()>| error.unwrap_err().to_string();
        let mut six = [0; 6];
        assert!(
            say(rank.all_reduce(&collective, &[0, 1], &mut six, SUM)).contains("no whole number of elements")
        );
        assert!(say(rank.barrier(&collective, &[0, 1, 1])).contains("twice"));
        assert!(say(rank.barrier(&collective, &[0, 1, 2])).contains("not among 2 ranks"));
        assert!(say(rank.barrier(&collective, &[1 - own])).contains("lacks the rank"));
        assert!(say(rank.broadcast(&collective, &[own], 1 - own, &mut six)).contains("lacks the root"));
        assert!(say(rank.send(&collective, own, &six)).contains("message for itself"));
        assert!(say(rank.send(&collective, 2, &six)).contains("no rank 2 among 2"));
        let two = rank.transfer(&collective, 0, &[(1 - own, &six), (1 - own, &six)], &mut []);
        assert!(say(two).contains("two messages of one transfer"));
        let none = rank.reduce_scatter(&collective, &[0, 1], &[0; 12], &mut [0; 4], SUM);
        assert!(say(none).contains("12 bytes are not 2 pieces of 4"));
        // And all goes on.
        rank.barrier(&collective, &[0, 1]).unwrap();
    });
}

#[test]
fn elements_of_any_size_stay_whole() {
    // Elements of 12 bytes divide no power of two; those of 200,000 are longer than a piece of a message.
    for element in [12, 200_000] {
        on_threads(3, |rank| {
            let whole = |into: &mut [u8], from: &[u8]| {
                assert!(into.len() == from.len() && into.len().is_multiple_of(element));
                into.iter_mut().zip(from).for_each(|(a, b)| *a = a.wrapping_mul(3) ^ b);
            };
            let data = |rank: usize| -> Vec<u8> {
                (0..element * (600_000 / element)).map(|i| (i * 7 + rank * 13) as u8).collect()
            };
            let mut bytes = data(rank.rank());
            let combine = Combine { element, function: &whole };
            rank.all_reduce(
                &CollectiveCall::new("all_reduce", Tag::default()),
                &[0, 1, 2],
                &mut bytes,
                combine,
            )
            .unwrap();
            let mut expected = data(0);
            whole(&mut expected, &data(1));
            whole(&mut expected, &data(2));
            assert!(bytes == expected);
        });
    }
}

#[test]
fn lengths_that_differ_are_an_error_for_all() {
    for (sent, expected) in [(10, 20), (100_000, 200_000), (10, 100_000), (100_000, 10)] {
        let errors = on_threads(2, |rank| {
            let collective = CollectiveCall::new("receive", Tag::default());
            let first = match rank.rank() {
                0 => rank.send(&collective, 1, &vec![1; sent]),
                _ => rank.receive(&collective, 0, ReceiveInto::Exact(&mut vec![0; expected])),
            };
            // The sender of a small message hears of it at its next call.
            first.and_then(|()| rank.barrier(&collective, &[0, 1])).unwrap_err().to_string()
        });
        let told = format!("process 1 expects {expected} bytes of process 0, which sends {sent}");
        assert!(errors.iter().all(|error| error.contains(&told)), "{errors:?}");
    }
}

#[test]
fn an_abort_reaches_a_blocked_rank_with_its_reason_and_its_place() {
    let errors = on_threads(3, |rank| {
        if rank.rank() == 1 {
            rank.abort("out of memory");
        }
        let at = jarrah_base::Location::new("src/model.rs", 12, 5);
        let collective =
            CollectiveCall::new("all_gather", Tag { run: 1, step: 5, turn: 9, ..Tag::default() }).at(at);
        let error = rank.all_gather(&collective, &[0, 1, 2], &[1; 100]).unwrap_err();
        assert!(rank.close().is_err());
        error.to_string()
    });
    for error in errors {
        for part in ["all_gather", "process 1 failed: out of memory", "step 5", "turn 9", "src/model.rs:12:5"]
        {
            assert!(error.contains(part), "{part} is missing: {error}");
        }
    }
}

#[test]
fn a_panic_and_a_goodbye_differ() {
    let ranks = Threads::start(3);
    let [zero, one, two]: [Arc<dyn Exchange>; 3] = ranks.try_into().ok().unwrap();
    let collective = CollectiveCall::new("barrier", Tag::default());
    zero.send(&collective, 1, b"last words").unwrap();
    zero.close().unwrap();
    drop(zero);
    // Messages from before the goodbye are still there, and the others go on without it.
    let mut bytes = Vec::new();
    one.receive(&collective, 0, ReceiveInto::Any(&mut bytes)).unwrap();
    assert_eq!(bytes, b"last words");
    std::thread::scope(|scope| {
        scope.spawn(|| two.barrier(&collective, &[1, 2]).unwrap());
        one.barrier(&collective, &[1, 2]).unwrap();
    });
    let error = one.receive(&collective, 0, ReceiveInto::Any(&mut bytes)).unwrap_err().to_string();
    assert!(error.contains("process 0 has ended, or given up its devices"), "{error}");
    let ranks = Threads::start(2);
    let [zero, one]: [Arc<dyn Exchange>; 2] = ranks.try_into().ok().unwrap();
    let panicked = std::thread::spawn(move || {
        let _zero = zero;
        panic!("on purpose");
    });
    assert!(panicked.join().is_err());
    let error = one.send(&collective, 0, &[0; 100_000]).unwrap_err().to_string();
    assert!(error.contains("process 0 failed: its thread panicked"), "{error}");
}

#[test]
fn a_transfer_sends_and_receives_at_once() {
    on_threads(2, |rank| {
        let (own, other) = (rank.rank(), 1 - rank.rank());
        let (mut into, bytes) = (vec![0; 3_000_000], vec![own as u8 + 1; 3_000_000]);
        let receive = Receive { from: other, into: ReceiveInto::Exact(&mut into) };
        let collective = CollectiveCall::new("collective_permute", Tag::default());
        rank.transfer(&collective, 0, &[(other, &bytes)], &mut [receive]).unwrap();
        assert!(into == vec![other as u8 + 1; 3_000_000]);
    });
}
