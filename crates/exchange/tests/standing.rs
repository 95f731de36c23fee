//! Runs that wait for each other for ever, by witnesses that say which transfers their only run waits for.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use jarrah_exchange::{CollectiveCall, Exchange, ReceiveInto, RunStanding, Standing, Tag, Witness};

use crate::processes::on_local;

/// A process with a run, which waits where its transfer of this step does, or has ended.
struct Run {
    step: Option<u32>,
}

impl Witness for Run {
    fn standing(&self, waits: &dyn Fn(Tag) -> bool) -> Standing {
        let run = |step: u32| RunStanding {
            devices: 7,
            run: 4,
            members: vec![(0, 0), (1, 1)],
            begun: Vec::new(),
            waits: waits(Tag { step, ..TAG }).then(|| format!("step {step}")),
        };
        Standing { next: vec![(7, 5)], runs: self.step.map(run).into_iter().collect() }
    }
}

const TAG: Tag = Tag { devices: 7, run: 4, step: 0, group: 0, turn: 0 };

/// The error of a process that receives from the other in the step of its rank, where each waits for another message; and of one whose
/// message, small or large, is not taken. The rank 0 may end its run instead.
pub fn diverge(exchange: &dyn Exchange, ends: bool, bytes: usize) -> Option<String> {
    let rank = exchange.rank();
    let step = (!ends || rank == 1).then_some(rank as u32 + 1);
    let witness: Arc<dyn Witness> = Arc::new(Run { step });
    let weak: Weak<dyn Witness> = Arc::downgrade(&witness);
    exchange.witness(weak);
    let Some(step) = step else {
        // It lives, and does nothing.
        std::thread::sleep(Duration::from_secs(6));
        return None;
    };
    let call = CollectiveCall::new("exchange", Tag { step, ..TAG });
    let mut into = vec![0; bytes];
    let sent = vec![1; bytes];
    let mut receives = [jarrah_exchange::Receive { from: 1 - rank, into: ReceiveInto::Exact(&mut into) }];
    let begun = Instant::now();
    let failed = exchange.transfer(&call, 0, &[(1 - rank, &sent)], &mut receives);
    assert!(begun.elapsed() < Duration::from_secs(10));
    failed.err().map(|error| error.to_string())
}

/// The words by which both processes are told.
pub fn is_told(error: &str, ends: bool) -> bool {
    let first = if ends { "process 0 has ended the run" } else { "process 0 waits in step 1" };
    error.contains("waits for ever in run 4")
        && error.contains(first)
        && error.contains("process 1 waits in step 2")
}

#[test]
fn transfers_that_wait_for_each_other_for_ever_end() {
    for (ends, bytes) in [(false, 100), (false, 500_000), (true, 100), (true, 500_000)] {
        let errors = on_local(2, |exchange| diverge(&*exchange, ends, bytes));
        let told: Vec<&String> = errors.iter().flatten().collect();
        assert_eq!(told.len(), if ends { 1 } else { 2 });
        assert!(told.iter().all(|error| is_told(error, ends)), "{errors:?}");
    }
}

/// A process that computes for long before it sends what the other waits for is waited for, though it answers that it is in the run.
#[test]
fn a_transfer_waits_for_a_process_at_work() {
    let sums = on_local(2, |exchange| {
        let witness: Arc<dyn Witness> = Arc::new(Run { step: Some(1) });
        let weak: Weak<dyn Witness> = Arc::downgrade(&witness);
        exchange.witness(weak);
        let mut sum = 0;
        for turn in 0..6 {
            if exchange.rank() == turn as usize % 2 {
                std::thread::sleep(Duration::from_millis(1300));
            }
            let call = CollectiveCall::new("gather", Tag { step: 1, turn, ..TAG });
            let all = exchange.all_gather(&call, &[0, 1], &[exchange.rank() as u8 + 1]).unwrap();
            sum += all.iter().map(|bytes| u32::from(bytes[0])).sum::<u32>();
        }
        sum
    });
    assert_eq!(sums, [18, 18]);
}
