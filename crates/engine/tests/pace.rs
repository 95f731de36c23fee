//! Answers come evenly, and no throughput is lost: arrivals by chance, on a clock that says what steps would take.

use std::collections::{HashMap, VecDeque};

use jarrah_engine::{Limits, Pace, Request, Scheduler, StepPlan};

const SIZES: [usize; 15] = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512];
const REQUESTS: usize = 800;
/// Tokens of prompts and of answers.
const LENGTHS: (usize, usize) = (128, 64);

/// What came of all requests.
struct Run {
    /// Requests a second.
    rate: f64,
    /// From each token to the next, in order, in seconds.
    between: Vec<f64>,
    /// From arrival to the first token, in order.
    first: Vec<f64>,
}

impl Run {
    fn between(&self, share: f64) -> f64 {
        self.between[(share * (self.between.len() - 1) as f64) as usize]
    }
}

/// Serves requests that arrive at a rate, by steps that take `cost(tokens, sampled)`.
fn run(cost: &dyn Fn(usize, usize) -> f64, rate: f64, mut pace: Option<Pace>) -> Run {
    let limits = Limits { pages: 4096, tokens_per_step: 512, sequences: 64, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits).unwrap();
    let mut random = 7u64;
    let mut uniform = move || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((random >> 11) + 1) as f64 / (1u64 << 53) as f64
    };
    let mut arrivals: VecDeque<(u64, f64)> = VecDeque::new();
    let mut at = 0.0;
    for id in 0..REQUESTS as u64 {
        arrivals.push_back((id, at));
        at += if rate.is_finite() { -uniform().ln() / rate } else { 0.0 };
    }
    let (mut plan, mut now, mut ended) = (StepPlan::default(), 0.0, 0);
    let mut run = Run { rate: 0.0, between: Vec::new(), first: Vec::new() };
    let mut arrived: HashMap<u64, f64> = HashMap::new();
    let mut last: HashMap<u64, f64> = HashMap::new();
    while ended < REQUESTS {
        while let Some((id, at)) = arrivals.front().copied().filter(|(_, at)| *at <= now) {
            arrivals.pop_front();
            arrived.insert(id, at);
            // Prompts that have nothing in common.
            let prompt = (0..LENGTHS.0 as u32).map(|token| id as u32 * 1000 + token).collect();
            scheduler.add(Request { id, prompt, most_tokens: LENGTHS.1, ..Request::default() }).unwrap();
        }
        scheduler.step_within(&mut plan, |decodes, left| {
            pace.as_mut().map_or(usize::MAX, |pace| pace.most(decodes, left))
        });
        let sampled: Vec<(u64, u32)> =
            plan.items.iter().filter(|item| item.sampled).map(|item| (item.id, item.end as u32)).collect();
        if plan.items.is_empty() {
            now = arrivals[0].1;
        } else {
            let size = SIZES.into_iter().find(|&size| size >= plan.tokens).unwrap();
            let seconds = cost(size, sampled.len());
            now += seconds;
            pace.iter_mut().for_each(|pace| {
                pace.observe(plan.tokens, cost(size, 0));
                pace.observe_choice(sampled.len(), seconds - cost(size, 0));
            });
        }
        for (id, _) in &sampled {
            match last.insert(*id, now) {
                None => run.first.push(now - arrived[id]),
                Some(before) => run.between.push(now - before),
            }
        }
        ended += scheduler.done(&plan, &sampled, &[]).unwrap().len();
    }
    run.rate = REQUESTS as f64 / now;
    run.between.sort_by(f64::total_cmp);
    run.first.sort_by(f64::total_cmp);
    run
}

#[test]
fn long_prompts_that_come_first_hold_nothing_up() {
    let mut pace = Pace::new(SIZES.to_vec());
    // Nothing but full steps was seen, the second of them held up by something else.
    for seconds in [0.65, 6.5] {
        pace.observe(512, seconds);
    }
    assert_eq!(pace.most(2, 3600), 64);
    // Decodes take longer than their part of a full step does, which is seen in the first steps.
    for tokens in [64, 64, 48, 48] {
        pace.observe(tokens, 0.012 + 0.00125 * tokens as f64);
    }
    assert_eq!(pace.most(2, 3600), 64);
    assert_eq!((pace.most(2, 0), pace.most(2, 64)), (4, 4));
}

#[test]
fn answers_come_evenly_and_throughput_stays() {
    // Seconds of a step, of a token and of the choice of one: as GPT-2 has them, a larger and a tiny model, on two cores.
    for (step, token, choice) in [(12e-3, 0.65e-3, 1.3e-3), (20e-3, 2e-3, 0.0), (0.35e-3, 0.03e-3, 0.08e-3)] {
        let cost =
            move |tokens: usize, sampled: usize| step + token * tokens as f64 + choice * sampled as f64;
        let pace = Pace::new(SIZES.to_vec());
        let (whole, paced) = (run(&cost, f64::INFINITY, None), run(&cost, f64::INFINITY, Some(pace.clone())));
        assert!(paced.rate > 0.98 * whole.rate, "{} requests a second become {}", whole.rate, paced.rate);
        let rate = 0.8 * paced.rate;
        let (before, now) = (run(&cost, rate, None), run(&cost, rate, Some(pace)));
        let uneven = |run: &Run| run.between(0.99) / run.between(0.5);
        assert!(uneven(&before) > 5.0 && uneven(&now) < 2.5, "{} becomes {}", uneven(&before), uneven(&now));
    }
}
