//! Times the scheduler: `schedule [repeats]`. The best of all repeats counts, as other work on the machine only adds.

use std::time::Instant;

use jarrah_base::Result;
use jarrah_engine::{Limits, Plan, Request, Scheduler};

const RUNNING: usize = 256;
const STEPS: usize = 256;
const PROMPT: usize = 4096;

fn main() -> Result<()> {
    let repeats = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(20);
    let (mut step, mut ahead, mut hit, mut new) = (f64::MAX, f64::MAX, f64::MAX, f64::MAX);
    for _ in 0..repeats {
        step = step.min(decodes(vec![None], 0)?);
        ahead = ahead.min(decodes(vec![None, Some(1024)], 1)?);
        let (found, computed) = prompts()?;
        (hit, new) = (hit.min(found), new.min(computed));
    }
    println!("{RUNNING} decodes, a step and its end: {step:.2} us");
    println!("the same with a full and a windowed group, planned a step ahead: {ahead:.2} us");
    println!("a prompt of {PROMPT} tokens, all but its last page cached, from add to end: {hit:.2} us");
    println!("the same, nothing cached: {new:.2} us");
    Ok(())
}

/// Microseconds of a step of decodes, with up to `ahead` further plans made before it is done.
fn decodes(windows: Vec<Option<usize>>, ahead: usize) -> Result<f64> {
    let limits = Limits { pages: 100_000, windows, max_length: 4096, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits)?;
    for id in 0..RUNNING as u64 {
        let prompt = (0..1024).map(|at| (id * 1024 + at) as u32).collect();
        scheduler.add(Request { id, prompt, most_tokens: 3000, ..Request::default() })?;
    }
    let mut plans = vec![Plan::default(); ahead + 1];
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
    plans: &mut [Plan],
    sampled: &mut Vec<(u64, u32)>,
) -> Result<()> {
    let count = plans.len();
    for at in 0..STEPS {
        scheduler.step(&mut plans[at % count]);
        finish(scheduler, &plans[(at + 1) % count], sampled)?;
    }
    Ok(())
}

fn finish(scheduler: &mut Scheduler, plan: &Plan, sampled: &mut Vec<(u64, u32)>) -> Result<()> {
    sampled.clear();
    sampled.extend(plan.items.iter().filter(|item| item.sampled).map(|item| (item.id, item.end as u32)));
    scheduler.done(plan, sampled, &[]).map(|_| ())
}

/// Microseconds of a prompt that is cached, and of one that is not.
fn prompts() -> Result<(f64, f64)> {
    let limits = Limits { pages: 20_000, tokens_per_step: PROMPT, ..Limits::default() };
    let mut scheduler = Scheduler::new(limits)?;
    let mut plan = Plan::default();
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
fn measured_prompt(scheduler: &mut Scheduler, request: Request, plan: &mut Plan) -> Result<()> {
    let id = request.id;
    scheduler.add(request)?;
    scheduler.step(plan);
    scheduler.done(plan, &[(id, 1)], &[]).map(|_| ())
}
