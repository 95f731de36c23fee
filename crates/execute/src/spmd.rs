//! Runs of one program on several devices.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use jarrah_base::{Error, Result};
use jarrah_runtime::{DeviceId, Event, Execution, Promise};

use crate::backend::Backend;
use crate::buffer::{Filler, Slot};
use crate::code::Code;
use crate::launch::LaunchPart;
use crate::meeting::Meeting;
use crate::processes::ProcessRun;
use crate::queue::{Queue, Reserved, Task, when_ready};
use crate::run::{Argument, Arguments, Memories, Ran, Run, buffers, delete_donated};

/// Begins a run on several devices, given the arguments of each device of this process and its position among all of the run.
pub(crate) fn begin_together<D: Backend>(
    code: &Arc<Code<D>>,
    runs: Vec<((usize, DeviceId), Arguments<'_, D::Memory>)>,
) -> Execution {
    for (_, arguments) in &runs {
        delete_donated(arguments);
    }
    if runs.is_empty() {
        return Execution { results: Vec::new(), done: Vec::new() };
    }
    let lane = |device: DeviceId| &code.client.lane(device).queue;
    let launches = &code.client.launches;
    let ends: Vec<(Promise, Event)> = runs.iter().map(|_| Event::promise()).collect();
    // Where runs end within their calls, within a task of a queue, and where the system refuses threads, the parts run one after
    // another.
    let here = !code.client.asynchronous
        || Queue::serves()
        || !runs.iter().all(|((_, device), _)| lane(*device).starts());
    let reserving = (!here).then(|| launches.reserving());
    let between = between(code);
    let due = |(_, arguments): &(_, Arguments<'_, D::Memory>)| {
        arguments.iter().filter_map(Argument::slot).any(|slot| slot.is_due())
    };
    let due = runs.iter().any(due) || launches.is_outside(runs.iter().map(|((_, device), _)| *device));
    let reserve = |(((_, device), _), (_, end)): (&((usize, DeviceId), _), &(_, Event))| {
        lane(*device).reserve(due, code.ordered.then_some(end))
    };
    let mut places: Vec<Reserved> = runs.iter().zip(&ends).filter(|_| !here).map(reserve).collect();
    // If one part waits for something outside of the queues, all do.
    let outside = places.iter().any(|place| place.outside);
    if outside {
        for (((_, device), _), place) in runs.iter().zip(&mut places) {
            lane(*device).wait_outside(place, code.ordered);
        }
    }
    let before: Vec<Event> = places.iter().filter_map(|place| place.before.clone()).collect();
    let mut needed: Vec<Event> = Vec::new();
    let failed: Arc<OnceLock<Error>> = Arc::default();
    let mut positions = vec![false; code.options.devices.len()];
    runs.iter().for_each(|((position, _), _)| positions[*position] = true);
    let meeting = Meeting::new(positions.into_iter(), !here, between);
    let (mut execution, mut parts, mut tasks) =
        (Execution { results: Vec::new(), done: Vec::new() }, Vec::new(), Vec::new());
    for (((position, device), arguments), (done, end)) in runs.into_iter().zip(ends) {
        needed.extend(arguments.iter().filter_map(Argument::slot).map(|slot| slot.ready().clone()));
        let (slots, results): (Vec<_>, Vec<_>) = code.results.iter().map(|_| Slot::promise(outside)).unzip();
        execution.results.push(buffers(code, device, slots));
        execution.done.push(end);
        parts.push(Part { results, done, outcome: None });
        let arguments = arguments.into_iter().map(Argument::later).collect();
        let member = Some((meeting.clone(), position));
        tasks.push(Run { code: code.clone(), device, arguments, member });
    }
    let parts = Arc::new(Parts { left: AtomicUsize::new(parts.len()), parts: Mutex::new(parts) });
    let tasks = tasks.into_iter().enumerate().map(|(at, run)| {
        let (device, parts, failed, meeting) = (run.device, parts.clone(), failed.clone(), meeting.clone());
        let position = run.member.as_ref().map_or(0, |(_, position)| *position);
        let ran = move || {
            // No part begins if an argument of any of them failed, here or in another process: the others might wait for it.
            meeting.begin(position, failed.get())?;
            run.run()
        };
        let task: Task = Box::new(move || match ran() {
            Ok(Ran { results, end, used }) => end.on_ready(move |outcome| {
                drop(used);
                parts.end(at, outcome.clone().map(|()| results));
            }),
            Err(error) => parts.end(at, Err(error)),
        });
        (device, task)
    });
    if here {
        for event in &needed {
            if let Err(error) = event.wait() {
                let _ = failed.set(error);
            }
        }
        match code.exchanged.count() {
            0 => tasks.for_each(|(_, task)| task()),
            _ => at_once(tasks.map(|(_, task)| task), &meeting),
        }
        if !code.client.asynchronous {
            execution.done.iter().for_each(|done| drop(done.wait()));
        }
        return execution;
    }
    let parts = tasks.zip(places).map(|((device, task), place)| LaunchPart { device, place, task });
    let number = launches.begin(parts.collect());
    drop(reserving);
    let client = code.client.clone();
    when_ready(before.into_iter().chain(needed.clone()), move || {
        if let Some(error) = needed.iter().find_map(|event| event.outcome()?.err()) {
            let _ = failed.set(error);
        }
        let append = |part: LaunchPart| client.lane(part.device).queue.append(part.place, part.task);
        client.launches.ready(number, append);
    });
    execution
}

/// The run among those of several processes, where they exchange values. Processes number the runs on the same devices alike.
pub(crate) fn between<D: Backend>(code: &Code<D>) -> Option<ProcessRun> {
    let (owners, processes) = code.between.as_ref().zip(code.client.processes.as_ref())?;
    Some(processes.next_run(&code.options.devices, owners, &code.exchanged))
}

/// Runs parts that wait for each other, each on a thread that serves a queue as the caller may do.
fn at_once<A: Send + 'static>(tasks: impl Iterator<Item = Task>, meeting: &Meeting<A>) {
    thread::scope(|scope| {
        for task in tasks {
            let kept = Arc::new(Mutex::new(Some(task)));
            let take =
                |kept: &Mutex<Option<Task>>| kept.lock().unwrap_or_else(PoisonError::into_inner).take();
            let given = kept.clone();
            let part = move || {
                Queue::serve_here();
                if let Some(task) = take(&given) {
                    task();
                }
            };
            if thread::Builder::new().spawn_scoped(scope, part).is_err()
                && let Some(task) = take(&kept)
            {
                // The others would wait for it for ever.
                meeting.fail(Error::environment("the system has no thread for a part of a run"));
                task();
            }
        }
    });
}

/// The parts of a run on several devices, of which some have ended.
struct Parts<M> {
    left: AtomicUsize,
    parts: Mutex<Vec<Part<M>>>,
}

/// A part of a run: its results to come, the event of its end, and how it ended.
struct Part<M> {
    results: Vec<Filler<M>>,
    done: Promise,
    outcome: Option<Result<Memories<M>>>,
}

impl<M> Parts<M> {
    /// Ends a part. The last one fills the results of all: with the error of the first part that failed, if one did.
    fn end(&self, at: usize, outcome: Result<Memories<M>>) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts[at].outcome = Some(outcome);
        if self.left.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        let ended = std::mem::take(&mut *parts);
        drop(parts);
        let failed = ended.iter().find_map(|part| part.outcome.as_ref()?.as_ref().err().cloned());
        for Part { results, done, outcome } in ended {
            match (&failed, outcome) {
                (None, Some(Ok(memory))) => {
                    results.into_iter().zip(memory).for_each(|(result, memory)| result.fill(Ok(memory)));
                    done.complete(Ok(()));
                }
                (failed, _) => {
                    let lost = || Error::internal("a part of a run has no outcome");
                    let error = failed.clone().unwrap_or_else(lost);
                    results.into_iter().for_each(|result| result.fill(Err(error.clone())));
                    done.complete(Err(error));
                }
            }
        }
    }
}
