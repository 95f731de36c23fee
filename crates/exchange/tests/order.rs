//! Messages that come before or long after they are asked for.

use jarrah_exchange::{CollectiveCall, ReceiveInto, Tag};

use crate::collectives::on_threads;
use crate::random::Random;

fn tagged(step: u32) -> CollectiveCall<'static> {
    CollectiveCall::new("send", Tag { step, ..Tag::default() })
}

#[test]
fn messages_are_received_in_any_order_of_tags() {
    on_threads(2, |rank| match rank.rank() {
        0 => (0..200).for_each(|step| rank.send(&tagged(step), 1, &step.to_le_bytes()).unwrap()),
        _ => {
            let order = Random::new(3).order(200);
            for step in order {
                let mut bytes = [0; 4];
                rank.receive(&tagged(step as u32), 0, ReceiveInto::Exact(&mut bytes)).unwrap();
                assert_eq!(u32::from_le_bytes(bytes), step as u32);
            }
        }
    });
}

#[test]
fn messages_of_one_tag_come_in_order() {
    on_threads(2, |rank| {
        // Small ones, which are sent at once, and large ones, which are offered.
        let message = |i: usize| vec![i as u8; if i.is_multiple_of(3) { 20_000 + i } else { i }];
        match rank.rank() {
            0 => (0..100).for_each(|i| rank.send(&tagged(0), 1, &message(i)).unwrap()),
            _ => (0..100).for_each(|i| {
                let mut bytes = Vec::new();
                rank.receive(&tagged(0), 0, ReceiveInto::Any(&mut bytes)).unwrap();
                assert!(bytes == message(i), "{i}");
            }),
        }
    });
}

/// A sender whose receiver asks for nothing stops, and holds up neither other tags nor more memory.
#[test]
fn a_fast_sender_waits_for_its_receiver() {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    let sent = AtomicU32::new(0);
    on_threads(2, |rank| match rank.rank() {
        0 => std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..10_000 {
                    rank.send(&tagged(0), 1, &[7; 1000]).unwrap();
                    sent.fetch_add(1, SeqCst);
                }
            });
            for step in 1..50 {
                rank.send(&tagged(step), 1, &[8; 50_000]).unwrap();
            }
        }),
        _ => {
            for step in 1..50 {
                let mut bytes = vec![0; 50_000];
                rank.receive(&tagged(step), 0, ReceiveInto::Exact(&mut bytes)).unwrap();
                assert!(bytes.iter().all(|&byte| byte == 8));
            }
            // 192 KiB of messages at most, each with its costs.
            assert!(sent.load(SeqCst) < 200, "{sent:?} messages of nobody's interest were taken");
            for _ in 0..10_000 {
                let mut bytes = [0; 1000];
                rank.receive(&tagged(0), 0, ReceiveInto::Exact(&mut bytes)).unwrap();
                assert_eq!(bytes, [7; 1000]);
            }
        }
    });
    assert_eq!(sent.load(SeqCst), 10_000);
}
