//! The rules of the prefix cache, one by one.

use jarrah_engine::{Limits, NONE, Pages, Request, Scheduler, StepPlan, salted};

/// Computes a prompt of blocks `[n, n]` in pages of its own, and releases it as a sequence does.
fn leave(pages: &mut Pages, salt: &[u32], blocks: &[u32]) {
    let mut chain = pages.chain(salt);
    let mut held = Vec::new();
    for &block in blocks {
        let page = pages.take().unwrap();
        pages.extend(&mut chain, &[block, block], |_| page);
        held.push(page);
    }
    held.iter().rev().for_each(|&page| pages.release(page));
    pages.close(chain);
}

fn prompt(blocks: &[u32]) -> Vec<u32> {
    blocks.iter().flat_map(|&block| [block, block]).collect()
}

#[test]
fn the_tail_of_a_prefix_is_taken_before_its_head_and_the_oldest_prefix_first() {
    let mut pages = Pages::new(6, 2, &[None]);
    leave(&mut pages, &[], &[1, 2, 3]);
    leave(&mut pages, &[], &[4, 5, 6]);
    let found =
        |pages: &mut Pages| (pages.find(&[], &prompt(&[1, 2, 3])), pages.find(&[], &prompt(&[4, 5, 6])));
    for wanted in [(2, 3), (1, 3), (0, 3), (0, 2), (0, 1), (0, 0)] {
        pages.take().unwrap();
        assert_eq!(found(&mut pages), wanted);
    }
    assert_eq!((pages.take(), pages.evictions()), (None, 6));
}

#[test]
fn pages_without_a_block_are_taken_before_cached_ones() {
    let mut pages = Pages::new(4, 2, &[None]);
    leave(&mut pages, &[], &[1, 2]);
    let taken = [pages.take().unwrap(), pages.take().unwrap()];
    assert_eq!(pages.find(&[], &prompt(&[1, 2])), 2);
    taken.iter().for_each(|&page| pages.release(page));
    assert_eq!((pages.free(), pages.cached(), pages.evictions()), (4, 2, 0));
}

#[test]
fn a_block_is_found_only_after_the_same_blocks_and_the_same_salt() {
    let mut pages = Pages::new(16, 2, &[None]);
    leave(&mut pages, &salted(&[7], 2), &[1, 2]);
    leave(&mut pages, &[], &[3, 2]);
    assert_eq!(pages.find(&salted(&[7], 2), &prompt(&[1, 2])), 2);
    assert_eq!(pages.find(&salted(&[7], 2), &prompt(&[2])), 0);
    assert_eq!(pages.find(&salted(&[7], 2), &prompt(&[3, 2])), 0);
    assert_eq!(pages.find(&[], &prompt(&[1, 2])), 0);
    // Bytes that differ in zeros only, and a prompt that has the words of a salt.
    assert_eq!(pages.find(&salted(&[7, 0], 2), &prompt(&[1, 2])), 0);
    assert_eq!(pages.find(&[], &[&salted(&[7], 2)[..], &prompt(&[1, 2])].concat()), 0);
}

/// However buckets come out, no block is found that is not there, and each one that is.
#[test]
fn blocks_of_one_bucket_are_told_apart() {
    let mut pages = Pages::new(2, 2, &[None]);
    for first in 0..200 {
        leave(&mut pages, &[], &[first, first + 1]);
        for other in 0..200 {
            let found = pages.find(&[], &prompt(&[other, other + 1]));
            assert_eq!(found, if other == first { 2 } else { 0 }, "{other} after {first}");
        }
    }
}

#[test]
fn a_window_needs_the_pages_of_its_last_tokens_only() {
    let mut pages = Pages::new(8, 2, &[None, Some(3)]);
    let mut chain = pages.chain(&[]);
    let full: Vec<u32> = (0..4).map(|_| pages.take().unwrap()).collect();
    let last = pages.take().unwrap();
    // The windowed group has given back all blocks but the last.
    for (block, &page) in full.iter().enumerate() {
        let in_group = |group: usize| match (group, block) {
            (0, _) => page,
            (_, 3) => last,
            _ => NONE,
        };
        pages.extend(&mut chain, &[block as u32; 2], in_group);
    }
    // Position 8 reads 6 to 8 in the window; position 6 would read 4 to 6.
    assert_eq!(pages.find(&[], &prompt(&[0, 1, 2, 3])), 4);
    assert_eq!(pages.find(&[], &prompt(&[0, 1, 2])), 0);
    pages.close(chain);
}

#[test]
fn the_last_token_of_a_prompt_is_always_computed() {
    let mut scheduler = Scheduler::new(Limits { page: 4, ..Limits::default() }).unwrap();
    let mut plan = StepPlan::default();
    for (id, wanted) in [(1, 0..8), (2, 4..8)] {
        scheduler.add(Request { id, prompt: vec![3; 8], most_tokens: 1, ..Request::default() }).unwrap();
        scheduler.step(&mut plan);
        assert_eq!(plan.items[0].start..plan.items[0].end, wanted);
        scheduler.done(&plan, &[(id, 0)], &[]).unwrap();
    }
    assert_eq!(scheduler.counters().hits, 4);
}

#[test]
fn a_request_that_ends_leaves_its_first_blocks_for_longest() {
    let limits = Limits { pages: 4, page: 2, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits).unwrap();
    let mut plan = StepPlan::default();
    // The second request takes two pages: one that is empty, and the last block of the first one.
    for (id, prompt, found) in [(1, vec![3; 6], 0), (2, vec![4; 4], 0), (3, vec![3; 6], 4)] {
        scheduler.add(Request { id, prompt, most_tokens: 1, ..Request::default() }).unwrap();
        scheduler.step(&mut plan);
        assert_eq!(plan.items[0].start, found);
        scheduler.done(&plan, &[(id, 0)], &[]).unwrap();
    }
}

#[test]
fn what_runs_keeps_its_pages_when_prefixes_are_forgotten() {
    let mut scheduler = Scheduler::new(Limits { page: 2, ..Limits::default() }).unwrap();
    let mut plan = StepPlan::default();
    scheduler.add(Request { id: 1, prompt: vec![3; 8], most_tokens: 9, ..Request::default() }).unwrap();
    scheduler.step(&mut plan);
    scheduler.done(&plan, &[(1, 0)], &[]).unwrap();
    let table = scheduler.table(1, 0).unwrap().to_vec();
    scheduler.forget_prefixes();
    assert_eq!(scheduler.table(1, 0).unwrap(), table);
    // Neither what it had nor what it computes next, with old keys before it, is found.
    for token in 1..4 {
        scheduler.step(&mut plan);
        scheduler.done(&plan, &[(1, token)], &[]).unwrap();
    }
    let prompt = scheduler.tokens(1).unwrap().to_vec();
    scheduler.add(Request { id: 2, prompt, most_tokens: 1, ..Request::default() }).unwrap();
    scheduler.step(&mut plan);
    assert_eq!((plan.items[1].id, plan.items[1].start), (2, 0));
}
