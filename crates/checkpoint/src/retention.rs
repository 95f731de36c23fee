use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A checkpoint as rules of retention see it.
#[derive(Clone, PartialEq, Debug)]
pub struct StepInfo {
    /// The number of steps done.
    pub step: u64,
    /// The time of the save, where it is known.
    pub time: Option<SystemTime>,
    /// The measurements of the step.
    pub metrics: BTreeMap<String, f64>,
}

/// A rule that keeps checkpoints. Of several rules, each keeps what it keeps.
#[derive(Clone)]
pub enum Keep {
    /// So many of the highest steps.
    Latest(usize),
    /// The steps that the number divides.
    EverySteps(u64),
    /// The first one, and each that was saved so long behind the one that this rule kept before.
    Every(Duration),
    /// Checkpoints that were saved so short a time before the last one.
    Within(Duration),
    /// The steps named.
    Steps(Vec<u64>),
    /// So many checkpoints with the lowest, or the highest, value of a metric; of equal values the earlier steps. One without a number is not the best.
    Best {
        /// The name of the metric.
        metric: String,
        /// Whether the highest values are the best.
        highest: bool,
        /// How many are kept.
        count: usize,
    },
    /// The checkpoints that a function names by their positions, of the checkpoints by ascending step.
    Custom(Arc<dyn Fn(&[StepInfo]) -> Vec<usize> + Send + Sync>),
}

/// Whether each checkpoint is kept by any of the rules. The checkpoints are in ascending order of their steps.
///
/// ```
/// use jarrah_checkpoint::{Keep, StepInfo, kept};
/// let all: Vec<StepInfo> =
///     (1..=6).map(|i| StepInfo { step: 10 * i, time: None, metrics: [("loss".into(), (i as f64 - 2.0).abs())].into() }).collect();
/// let rules = [Keep::Latest(1), Keep::EverySteps(30), Keep::Best { metric: "loss".into(), highest: false, count: 1 }];
/// assert_eq!(kept(&rules, &all), [false, true, true, false, false, true]);
/// ```
pub fn kept(rules: &[Keep], all: &[StepInfo]) -> Vec<bool> {
    let mut is_kept = vec![false; all.len()];
    for rule in rules {
        for position in rule.keeps(all) {
            if let Some(is_kept) = is_kept.get_mut(position) {
                *is_kept = true;
            }
        }
    }
    is_kept
}

impl Keep {
    /// The positions of the checkpoints that this rule keeps.
    fn keeps(&self, all: &[StepInfo]) -> Vec<usize> {
        let those = |keeps: &dyn Fn(&StepInfo) -> bool| -> Vec<usize> {
            all.iter().enumerate().filter(|(_, info)| keeps(info)).map(|(position, _)| position).collect()
        };
        match self {
            Keep::Latest(count) => (all.len().saturating_sub(*count)..all.len()).collect(),
            Keep::EverySteps(number) => those(&|info| *number > 0 && info.step.is_multiple_of(*number)),
            Keep::Steps(steps) => those(&|info| steps.contains(&info.step)),
            Keep::Within(span) => {
                let last = all.iter().filter_map(|info| info.time).max();
                those(&|info| match (info.time, last) {
                    (Some(time), Some(last)) => last.duration_since(time).is_ok_and(|since| since <= *span),
                    _ => false,
                })
            }
            Keep::Every(span) => {
                let mut before: Option<SystemTime> = None;
                let mut positions = Vec::new();
                for (position, info) in all.iter().enumerate() {
                    let Some(time) = info.time else { continue };
                    // A clock that went back keeps more, never less.
                    let is_due = before.is_none_or(|before| {
                        time.duration_since(before).map_or(true, |since| since >= *span)
                    });
                    if is_due {
                        positions.push(position);
                        before = Some(time);
                    }
                }
                positions
            }
            Keep::Best { metric, highest, count } => {
                let value =
                    |info: &StepInfo| info.metrics.get(metric).copied().filter(|value| !value.is_nan());
                let mut ranked: Vec<(usize, f64)> =
                    all.iter().enumerate().filter_map(|(i, info)| Some((i, value(info)?))).collect();
                ranked.sort_by(|(i, a), (j, b)| {
                    let order = if *highest { b.total_cmp(a) } else { a.total_cmp(b) };
                    order.then(i.cmp(j))
                });
                ranked.into_iter().take(*count).map(|(position, _)| position).collect()
            }
            Keep::Custom(choose) => choose(all),
        }
    }
}

impl fmt::Debug for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::Latest(count) => write!(f, "Latest({count})"),
            Keep::EverySteps(number) => write!(f, "EverySteps({number})"),
            Keep::Every(span) => write!(f, "Every({span:?})"),
            Keep::Within(span) => write!(f, "Within({span:?})"),
            Keep::Steps(steps) => write!(f, "Steps({steps:?})"),
            Keep::Best { metric, highest, count } => {
                write!(f, "Best({count} {} {metric})", if *highest { "highest" } else { "lowest" })
            }
            Keep::Custom(_) => f.write_str("Custom"),
        }
    }
}
