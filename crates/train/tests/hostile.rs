use std::panic::{AssertUnwindSafe, catch_unwind};

use jarrah_base::ErrorKind;
use jarrah_train::recipe::{Recipe, Settings};
use jarrah_train::{Console, End, RunStart, Stop, train};

use crate::support::Place;

const VALUES: [&str; 10] = [
    "0",
    "1",
    "-1",
    "2147483648",
    "4294967296",
    "9223372036854775808",
    "18446744073709551615",
    "1e308",
    "-1e308",
    "nan",
];

/// Every key that takes numbers, at the edges of every type a number may pass through: the run is refused with a reason,
/// or it can be prepared up to its first step.
#[test]
fn every_number_of_a_recipe_is_refused_or_works() {
    let place = Place::new();
    let keys: Vec<_> = Recipe::default()
        .keys()
        .into_iter()
        .filter(|key| key.expected.contains("number") || key.expected.contains("integer"))
        .collect();
    assert!(keys.len() >= 27, "{}", keys.len());
    let mut prepared = 0;
    for key in &keys {
        for value in VALUES {
            // A list takes the value twice.
            let value = if key.expected.starts_with("a list") {
                format!("{value},{value}")
            } else {
                value.to_owned()
            };
            let change = format!("{}={value}", key.name);
            let text = place.recipe("run", &[]).to_toml();
            let recipe = match Recipe::from_toml(&text, "tiny.toml", &[&change]) {
                // The number of threads is one for the whole process: other tests are running.
                Ok(_) if key.name == "threads" => continue,
                Ok(recipe) => recipe,
                Err(error) => {
                    assert!(error.message().starts_with(&key.name), "{change}: {error}");
                    continue;
                }
            };
            let stop = Stop::default();
            stop.ask();
            let start = RunStart::New(Box::new(recipe));
            let outcome = catch_unwind(AssertUnwindSafe(|| train(start, &stop, &mut Console::silent())));
            match outcome {
                Ok(Ok(outcome)) => {
                    prepared += 1;
                    assert_eq!((outcome.step, outcome.end), (0, End::Stopped), "{change}");
                    std::fs::remove_dir_all(place.path("run")).unwrap();
                }
                // No step fits into so little memory.
                Ok(Err(error)) if key.name == "memory_limit" => {
                    assert_eq!(error.kind(), ErrorKind::Memory, "{change}: {error}");
                }
                Ok(Err(error)) => assert_eq!(error.kind(), ErrorKind::Input, "{change}: {error}"),
                Err(_) => panic!("{change} panicked"),
            }
            assert!(!place.path("run").exists(), "{change}");
        }
    }
    assert!(prepared > 40, "{prepared}");
}

#[test]
fn the_largest_extents_together_do_not_fit() {
    if jarrah_base::memory::limit().is_none() {
        return;
    }
    let place = Place::new();
    let largest = [
        "batch=1048576",
        "model.context=1048576",
        "model.layers=1000",
        "model.width=1048576",
        "model.heads=1",
        "model.hidden=16777216",
        "tokenizer.vocab_size=1000000",
    ];
    let (from_batch, from_width) = ((2..=7).map(|end| &largest[..end]), (4..=6).map(|end| &largest[2..end]));
    for changes in from_batch.chain(from_width) {
        let start = RunStart::New(Box::new(place.recipe("run", changes)));
        let error = train(start, &Stop::default(), &mut Console::silent()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Memory, "{error}");
        assert!(error.message().starts_with("the run needs "), "{error}");
    }
}

/// What is refused only once steps are taken.
#[test]
fn the_largest_numbers_of_the_optimizer_end_in_a_diverged_loss_or_none() {
    let place = Place::new();
    for key in ["lr", "eps", "weight_decay", "clip"] {
        let change = format!("optimizer.{key}=3e38");
        let start = RunStart::New(Box::new(place.recipe(&format!("run-{key}"), &[&change, "steps=3"])));
        if let Err(error) = train(start, &Stop::default(), &mut Console::silent()) {
            assert_eq!(error.kind(), ErrorKind::Input, "{change}: {error}");
            assert!(error.message().contains("training diverged"), "{change}: {error}");
        }
    }
}

/// What is generated at the end is no longer than the longest context that there is.
#[test]
fn a_sample_without_end_is_refused() {
    let place = Place::new();
    let text = place.recipe("run", &[]).to_toml();
    let read = |change: &str| Recipe::from_toml(&text, "tiny.toml", &[change]);
    assert!(read("sample.tokens=1048576").is_ok());
    let error = read("sample.tokens=1048577").unwrap_err().to_string();
    assert!(error.starts_with("sample.tokens") && error.contains("1048576"), "{error}");
}
