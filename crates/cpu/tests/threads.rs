use jarrah_cpu::core_of;
use jarrah_cpu::threads::ThreadPool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn every_task_runs_once() {
    for threads in 1..4 {
        let pool = ThreadPool::new(threads);
        assert_eq!(pool.threads(), threads);
        for tasks in [0, 1, 2, 7, 1000] {
            let counts: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
            for _ in 0..50 {
                pool.run(tasks, &|i| {
                    counts[i].fetch_add(1, Ordering::Relaxed);
                });
            }
            assert!(
                counts.iter().all(|c| c.load(Ordering::Relaxed) == 50),
                "{threads} threads, {tasks} tasks"
            );
        }
    }
}

#[test]
fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
    let pool = ThreadPool::new(3);
    let result = catch_unwind(AssertUnwindSafe(|| {
        pool.run(100, &|i| {
            if i == 37 {
                panic!("task {i}");
            }
        });
    }));
    let payload = result.expect_err("the panic was lost");
    assert_eq!(payload.downcast_ref::<String>().map(String::as_str), Some("task 37"));
    let count = AtomicUsize::new(0);
    pool.run(10, &|_| {
        count.fetch_add(1, Ordering::Relaxed);
    });
    assert_eq!(count.into_inner(), 10);
}

#[test]
fn nested_and_concurrent_regions_finish() {
    let pool = ThreadPool::new(2);
    let count = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..100 {
                    pool.run(4, &|_| {
                        pool.run(3, &|_| {
                            count.fetch_add(1, Ordering::Relaxed);
                        });
                    });
                }
            });
        }
    });
    assert_eq!(count.into_inner(), 3 * 100 * 4 * 3);
}

#[test]
fn parked_workers_wake() {
    let pool = ThreadPool::new(2);
    for _ in 0..20 {
        std::thread::sleep(std::time::Duration::from_millis(2));
        let both = std::sync::Barrier::new(2);
        pool.run(2, &|_| {
            both.wait();
        });
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_thread_leaves_a_core_and_may_still_be_on_it() {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let allowed = sched_getaffinity(None).unwrap();
    if allowed.count() < 2 {
        return;
    }
    // The system is free to move the thread back between the two looks, so one of some tries has to show it.
    let left = (0..20).any(|_| {
        let core = core_of::this_thread();
        let mut only = CpuSet::new();
        only.set(core);
        sched_setaffinity(None, &only).unwrap();
        sched_setaffinity(None, &allowed).unwrap();
        core_of::leave(core);
        assert_eq!(sched_getaffinity(None).unwrap(), allowed);
        core_of::this_thread() != core
    });
    assert!(left, "the thread stays on its core");
}

/// A pool that devices share gives its workers to a device alone; beside as many devices as there are threads, each works by itself.
#[test]
fn devices_at_work_beside_each_other_keep_to_their_own_threads() {
    let pool = &ThreadPool::new(2).shared_by(2);
    let (first, second) = (&std::sync::Barrier::new(2), &std::sync::Barrier::new(2));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            pool.run(1, &|_| {
                first.wait();
                second.wait();
            });
            first.wait();
        });
        first.wait();
        let own = std::thread::current().id();
        pool.run(200, &|_| assert_eq!(std::thread::current().id(), own));
        second.wait();
        first.wait();
        // Two tasks that wait for each other take two threads.
        let both = std::sync::Barrier::new(2);
        pool.run(2, &|_| {
            both.wait();
        });
    });
}
