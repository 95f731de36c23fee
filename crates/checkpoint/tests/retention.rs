//! Rules of retention keep what Orbax's policies of preservation keep.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jarrah_checkpoint::{Keep, StepInfo, kept};

/// Steps with the seconds of their saves and their losses.
fn all(given: &[(u64, Option<u64>, Option<f64>)]) -> Vec<StepInfo> {
    let info = |&(step, seconds, loss): &(u64, Option<u64>, Option<f64>)| StepInfo {
        step,
        time: seconds.map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)),
        metrics: loss.map(|loss| ("loss".to_owned(), loss)).into_iter().collect(),
    };
    given.iter().map(info).collect()
}

fn steps(rules: &[Keep], of: &[StepInfo]) -> Vec<u64> {
    kept(rules, of).iter().zip(of).filter(|(kept, _)| **kept).map(|(_, info)| info.step).collect()
}

#[test]
fn each_rule_keeps_its_own() {
    let of = all(&[
        (0, Some(0), Some(9.0)),
        (5, Some(10), Some(f64::NAN)),
        (10, Some(25), Some(3.0)),
        (15, None, None),
        (20, Some(40), Some(3.0)),
        (25, Some(42), Some(f64::INFINITY)),
    ]);
    let best = |highest, count| Keep::Best { metric: "loss".into(), highest, count };
    for (rule, expected) in [
        (Keep::Latest(2), vec![20, 25]),
        (Keep::Latest(0), vec![]),
        (Keep::Latest(99), vec![0, 5, 10, 15, 20, 25]),
        (Keep::EverySteps(10), vec![0, 10, 20]),
        (Keep::EverySteps(0), vec![]),
        (Keep::Every(Duration::from_secs(20)), vec![0, 10]),
        (Keep::Within(Duration::from_secs(17)), vec![10, 20, 25]),
        (Keep::Steps(vec![15, 16]), vec![15]),
        (best(false, 1), vec![10]),
        (best(false, 2), vec![10, 20]),
        (best(true, 2), vec![0, 25]),
        (best(true, 9), vec![0, 10, 20, 25]),
        (Keep::Custom(Arc::new(|all| vec![all.len() - 1, 77])), vec![25]),
    ] {
        assert_eq!(steps(std::slice::from_ref(&rule), &of), expected, "{rule:?}");
    }
    assert_eq!(steps(&[Keep::Latest(1), best(false, 1), Keep::Steps(vec![0])], &of), [0, 10, 25]);
    assert!(kept(&[], &of).iter().all(|kept| !kept));
}

#[test]
fn a_clock_that_goes_back_keeps_more() {
    let of = all(&[(1, Some(100), None), (2, Some(10), None), (3, Some(15), None), (4, Some(70), None)]);
    assert_eq!(steps(&[Keep::Every(Duration::from_secs(50))], &of), [1, 2, 4]);
}
