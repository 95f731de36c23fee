//! Who comes before whom.

use jarrah_engine::{Limits, Request, Scheduler, StepPlan};

fn request(id: u64, prompt: usize, most_tokens: usize) -> Request {
    Request { id, prompt: vec![id as u32; prompt], most_tokens, ..Request::default() }
}

/// A step and its end; what it computed.
fn step(scheduler: &mut Scheduler) -> (Vec<(u64, std::ops::Range<usize>)>, Vec<u64>) {
    let mut plan = StepPlan::default();
    scheduler.step(&mut plan);
    let sampled: Vec<_> = plan.items.iter().filter(|item| item.sampled).map(|item| (item.id, 0)).collect();
    scheduler.done(&plan, &sampled, &[]).unwrap();
    (plan.items.iter().map(|item| (item.id, item.start..item.end)).collect(), plan.preempted)
}

#[test]
fn a_long_prompt_does_not_hold_decodes_back() {
    let limits = Limits { sequences: 4, tokens_per_step: 6, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits).unwrap();
    let mut plan = StepPlan::default();
    scheduler.add(request(1, 3, 100)).unwrap();
    scheduler.step(&mut plan);
    scheduler.done(&plan, &[(1, 5)], &[]).unwrap();
    scheduler.add(Request { priority: -1, ..request(2, 1000, 1) }).unwrap();
    for at in 0..50 {
        scheduler.step(&mut plan);
        let ranges: Vec<_> = plan.items.iter().map(|item| (item.id, item.start..item.end)).collect();
        assert_eq!(ranges, [(1, 3 + at..4 + at), (2, 5 * at..5 * at + 5)]);
        scheduler.done(&plan, &[(1, 5)], &[]).unwrap();
    }
}

/// A stream of requests of higher priority overtakes by at most K tokens.
#[test]
fn a_request_is_next_once_it_is_overtaken_by_the_bound() {
    for overtake in [0, 10, 35, 100] {
        let limits = Limits { sequences: 1, overtake, ..Limits::default() };
        let mut scheduler = Scheduler::new(limits).unwrap();
        scheduler.add(Request { priority: 1, ..request(1, 4, 1) }).unwrap();
        let mut plan = StepPlan::default();
        let mut overtaken = 0;
        for id in 2.. {
            scheduler.add(request(id, 9, 1)).unwrap();
            scheduler.step(&mut plan);
            let first = plan.items[0].id;
            scheduler.done(&plan, &[(first, 0)], &[]).unwrap();
            if first == 1 {
                break;
            }
            overtaken += 10;
        }
        assert_eq!(overtaken, overtake / 10 * 10);
    }
}

/// What is computed may be shared at once, so its sequence is not preempted by one that became urgent in the same step.
#[test]
fn a_prompt_of_this_step_keeps_its_pages_when_another_becomes_urgent() {
    let limits = Limits {
        pages: 18,
        page: 1,
        windows: vec![Some(5)],
        tokens_per_step: 10,
        sequences: 8,
        overtake: 40,
        ..Limits::default()
    };
    let mut scheduler = Scheduler::new(limits).unwrap();
    let add = |scheduler: &mut Scheduler, priority, request| {
        scheduler.add(Request { priority, ..request }).unwrap();
    };
    add(&mut scheduler, 5, request(1, 12, 1));
    add(&mut scheduler, 0, request(2, 6, 1));
    assert_eq!(step(&mut scheduler).0, [(2, 0..6), (1, 0..4)]);
    add(&mut scheduler, 4, request(3, 7, 1));
    add(&mut scheduler, 0, request(4, 6, 1));
    assert_eq!(step(&mut scheduler).0, [(4, 0..6), (3, 0..4)]);
    // 5 finds what 4 has left, and 6 takes all pages but three. 7 may not overtake 1 and 3, which are urgent from now on: 1 takes
    // the three pages, and 3 gets none, though 6 is behind it.
    add(&mut scheduler, 0, Request { prompt: vec![4; 7], ..request(5, 7, 1) });
    add(&mut scheduler, 1, request(6, 2, 2));
    add(&mut scheduler, 2, request(7, 1, 29));
    assert_eq!(step(&mut scheduler), (vec![(5, 6..7), (6, 0..2), (1, 4..7)], vec![]));
    assert_eq!(scheduler.counters().running, 3);
    // In the next step they come first.
    let (items, _) = step(&mut scheduler);
    assert!(items.iter().any(|(id, _)| *id == 3), "{items:?}");
}
