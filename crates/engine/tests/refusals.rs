//! What the scheduler refuses, and in which words.

use jarrah_base::{Error, ErrorKind};
use jarrah_engine::{Limits, Request, Scheduler, StepPlan};

fn request(id: u64, prompt: usize, most_tokens: usize) -> Request {
    Request { id, prompt: vec![1; prompt], most_tokens, ..Request::default() }
}

fn says(error: Error, kind: ErrorKind, text: &str) {
    assert_eq!((error.kind(), error.to_string().as_str()), (kind, text));
}

#[test]
fn limits_that_mean_nothing_are_refused() {
    let limits = [
        (Limits { pages: 0, ..Limits::default() }, "pages is empty or 0"),
        (Limits { windows: vec![], ..Limits::default() }, "windows is empty or 0"),
        (Limits { windows: vec![Some(0)], ..Limits::default() }, "a window has 0 tokens"),
        (
            Limits { tokens_per_step: 8, sequences: 9, ..Limits::default() },
            "tokens_per_step is 8, less than the 9 sequences of a step",
        ),
    ];
    for (limits, text) in limits {
        assert_eq!(Scheduler::new(limits).err().unwrap().message(), text);
    }
}

#[test]
fn requests_that_never_fit_are_refused_and_a_full_queue_says_so() {
    let limits = Limits { pages: 4, page: 4, max_length: 20, waiting: 2, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits).unwrap();
    let input = ErrorKind::Input;
    says(
        scheduler.add(request(1, 0, 3)).unwrap_err(),
        input,
        "[engine] request 1 has no prompt or asks for no token\n  = help: give at least one token, and let at least one be sampled",
    );
    says(
        scheduler.add(request(1, 12, 9)).unwrap_err(),
        input,
        "[engine] request 1 has up to 21 tokens, more than the 20 of a sequence\n  = help: shorten the prompt or ask for fewer tokens",
    );
    // 17 tokens take 16 places, as the last token is not computed; 18 take 17.
    scheduler.add(request(1, 12, 5)).unwrap();
    says(
        scheduler.add(request(2, 12, 6)).unwrap_err(),
        input,
        "[engine] request 2 needs 5 pages of 4 tokens at its longest, and there are 4\n  = help: ask for fewer tokens, or give the engine more pages",
    );
    says(
        scheduler.add(request(1, 1, 1)).unwrap_err(),
        input,
        "[engine] there is a request 1 already\n  = help: give each request an id of its own",
    );
    scheduler.add(request(2, 1, 1)).unwrap();
    says(
        scheduler.add(request(3, 1, 1)).unwrap_err(),
        ErrorKind::Environment,
        "[engine] request 3 finds 2 requests waiting, as many as may\n  = help: send it again later",
    );
    assert_eq!(scheduler.counters().waiting, 2);
}

#[test]
fn tokens_that_do_not_belong_to_a_plan_change_nothing() {
    let mut scheduler = Scheduler::new(Limits::default()).unwrap();
    scheduler.add(request(1, 3, 4)).unwrap();
    scheduler.add(request(2, 3, 4)).unwrap();
    let mut plan = StepPlan::default();
    scheduler.step(&mut plan);
    let mut refused = |plan: &StepPlan, sampled: &[(u64, u32)]| {
        scheduler.done(plan, sampled, &[]).unwrap_err().message().to_owned()
    };
    assert_eq!(refused(&plan, &[(1, 5)]), "request 2 has 0 tokens of plan 1, with 0 drafts");
    assert_eq!(refused(&plan, &[(1, 5), (1, 6), (2, 5)]), "request 1 has 2 tokens of plan 1, with 0 drafts");
    assert_eq!(refused(&plan, &[(1, 5), (2, 5), (7, 5)]), "plan 1 has no item of request 7 here");
    assert_eq!(refused(&StepPlan::default(), &[]), "plan 0 is done, the next one is plan 1");
    assert_eq!(scheduler.tokens(1).unwrap().len(), 3);
    scheduler.done(&plan, &[(1, 5), (2, 6)], &[2]).unwrap();
    assert_eq!((scheduler.tokens(1).unwrap().len(), scheduler.tokens(2)), (4, None));
    assert_eq!(scheduler.speculate(2, 1).unwrap_err().message(), "no request 2 runs");
    assert_eq!(scheduler.fork(2, 3, 1, &[]).unwrap_err().message(), "there is no request 2 to fork");
    let message = "a fork of request 1 keeps 9 of 4 tokens and adds 0, of 7 at most";
    assert_eq!(scheduler.fork(1, 3, 9, &[]).unwrap_err().message(), message);
}
