//! Times the scheduler: `schedule [repeats]`. The best of all repeats counts, as other work on the machine only adds.

use std::time::{Duration, Instant};

use jarrah_base::Result;
use jarrah_engine::{Limits, Request, Scheduler, StepPlan};

const RUNNING: usize = 256;
const STEPS: usize = 256;
const PROMPT: usize = 4096;
/// Bytes that are written between two steps where a model is supposed to have run: more than caches have.
const MODEL: usize = 64 << 20;

fn main() -> Result<()> {
    let repeats = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    let (mut step, mut ahead, mut hit, mut new) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
    let (mut mixed, mut cold) = ([f64::MAX; 2], [f64::MAX; 2]);
    for _ in 0..repeats {
        step = step.min(decodes(vec![None], 0)?);
        ahead = ahead.min(decodes(vec![None, Some(1024)], 1)?);
        mixed = best(mixed, mix(4096, 0)?);
        cold = best(cold, mix(256, MODEL)?);
        let (found, computed) = prompts()?;
        (hit, new) = (hit.min(found), new.min(computed));
    }
    println!("{RUNNING} decodes, a step and its end: {step:.2} us");
    println!("the same with a full and a windowed group, planned a step ahead: {ahead:.2} us");
    println!(
        "{RUNNING} answers that end and begin, what is added with a step, and its end: {:.2} + {:.2} us",
        mixed[0], mixed[1]
    );
    println!(
        "the same where a model has run between two steps and before an end: {:.2} + {:.2} us",
        cold[0], cold[1]
    );
    println!("a prompt of {PROMPT} tokens, all but its last page cached, from add to end: {hit:.2} us");
    println!("the same, nothing cached: {new:.2} us");
    Ok(())
}

fn best(one: [f64; 2], other: [f64; 2]) -> [f64; 2] {
    if one.iter().sum::<f64>() < other.iter().sum() { one } else { other }
}

/// Microseconds of a plan, with what is added before, and of its end, while answers of 100 to 700 tokens end, and others begin in their places, whose prompts of 400
/// tokens have half of these in common. Between two steps so many bytes are written.
fn mix(steps: usize, between: usize) -> Result<[f64; 2]> {
    let limits = Limits { pages: 20_000, tokens_per_step: 512, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits)?;
    let (mut plan, mut sampled, mut written) = (StepPlan::default(), Vec::new(), vec![0u8; between]);
    let (mut plans, mut ends, mut next, mut missing) = (Duration::ZERO, Duration::ZERO, 0, RUNNING);
    let begin = 600;
    for at in 0..begin + steps {
        let requests: Vec<Request> = (next..next + missing as u64).map(request).collect();
        next += missing as u64;
        // A part at a time, so that nothing of it is forgotten by a clever compiler or cache.
        written.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(at as u8));
        let start = Instant::now();
        for request in requests {
            scheduler.add(request)?;
        }
        scheduler.step(&mut plan);
        let planned = start.elapsed();
        sampled.clear();
        let all = plan.items.iter().filter(|item| item.sampled);
        sampled.extend(all.map(|item| (item.id, (item.id as u32).wrapping_mul(31) + item.end as u32)));
        written.iter_mut().step_by(64).for_each(|byte| *byte = byte.wrapping_add(at as u8));
        let start = Instant::now();
        missing = scheduler.done(&plan, &sampled, &[])?.len();
        if at >= begin {
            plans += planned;
            ends += start.elapsed();
        }
    }
    let counters = scheduler.counters();
    assert!(counters.hits > 0 && counters.running > RUNNING - 32, "most run: {counters:?}");
    Ok([plans, ends].map(|time| time.as_secs_f64() * 1e6 / steps as f64))
}

fn request(id: u64) -> Request {
    let of = |at: u64| if at < 200 { at as u32 } else { (id * 400 + at) as u32 };
    let prompt = (0..400).map(of).collect();
    Request { id, prompt, most_tokens: 100 + (id * 7919 % 600) as usize, ..Request::default() }
}

/// Microseconds of a step of decodes, with up to `ahead` further plans made before it is done.
fn decodes(windows: Vec<Option<usize>>, ahead: usize) -> Result<f64> {
    let limits = Limits { pages: 100_000, windows, max_length: 4096, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits)?;
    for id in 0..RUNNING as u64 {
        let prompt = (0..1024).map(|at| (id * 1024 + at) as u32).collect();
        scheduler.add(Request { id, prompt, most_tokens: 3000, ..Request::default() })?;
    }
    let mut plans = vec![StepPlan::default(); ahead + 1];
    let mut sampled = Vec::new();
    for at in 0..2 * RUNNING {
        let at = at % plans.len();
        scheduler.step(&mut plans[at]);
        if plans[at].number > ahead as u64 {
            finish(&mut scheduler, &plans[(at + 1) % (ahead + 1)], &mut sampled)?;
        }
    }
    let start = Instant::now();
    measured_steps(&mut scheduler, &mut plans, &mut sampled)?;
    let time = start.elapsed().as_secs_f64() * 1e6 / STEPS as f64;
    assert_eq!(plans[0].decodes, RUNNING, "all sequences decode");
    Ok(time)
}

#[inline(never)]
fn measured_steps(
    scheduler: &mut Scheduler,
    plans: &mut [StepPlan],
    sampled: &mut Vec<(u64, u32)>,
) -> Result<()> {
    let count = plans.len();
    for at in 0..STEPS {
        scheduler.step(&mut plans[at % count]);
        finish(scheduler, &plans[(at + 1) % count], sampled)?;
    }
    Ok(())
}

fn finish(scheduler: &mut Scheduler, plan: &StepPlan, sampled: &mut Vec<(u64, u32)>) -> Result<()> {
    sampled.clear();
    sampled.extend(plan.items.iter().filter(|item| item.sampled).map(|item| (item.id, item.end as u32)));
    scheduler.done(plan, sampled, &[]).map(|_| ())
}

/// Microseconds of a prompt that is cached, and of one that is not.
fn prompts() -> Result<(f64, f64)> {
    let limits = Limits { pages: 20_000, tokens_per_step: PROMPT, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits)?;
    let mut plan = StepPlan::default();
    let (mut found, mut computed) = (0.0, 0.0);
    for id in 0..64 {
        for again in [0, 1 << 32] {
            let prompt: Vec<u32> = (0..PROMPT as u32).map(|at| at * 64 + id as u32).collect();
            let request = Request { id: id + again, prompt, most_tokens: 1, ..Request::default() };
            let start = Instant::now();
            measured_prompt(&mut scheduler, request, &mut plan)?;
            let time = start.elapsed().as_secs_f64() * 1e6 / 64.0;
            *(if again > 0 { &mut found } else { &mut computed }) += time;
        }
    }
    assert_eq!(scheduler.counters().hits, 64 * (PROMPT - 16) as u64, "the second time, all is cached");
    Ok((found, computed))
}

#[inline(never)]
fn measured_prompt(scheduler: &mut Scheduler, request: Request, plan: &mut StepPlan) -> Result<()> {
    let id = request.id;
    scheduler.add(request)?;
    scheduler.step(plan);
    scheduler.done(plan, &[(id, 1)], &[]).map(|_| ())
}
