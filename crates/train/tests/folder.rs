use std::fs;

use jarrah_run::RunFolder;
use jarrah_train::RunStart;

use crate::support::{Place, until};

#[test]
fn latest_is_the_newest_run_that_began() {
    let place = Place::new();
    for name in ["runs/first", "runs/second"] {
        until(RunStart::New(Box::new(place.recipe(name, &[]))), "run: ").0.unwrap();
        let latest = RunFolder::open(&place.path("runs/latest")).unwrap();
        assert_eq!(fs::canonicalize(latest.path()).unwrap(), fs::canonicalize(place.path(name)).unwrap());
    }
    let mut broken = place.recipe("runs/third", &[]);
    broken.data.paths = vec![place.path("nowhere").display().to_string()];
    until(RunStart::New(Box::new(broken)), "never").0.unwrap_err();
    assert!(!place.path("runs/third").exists(), "a run that never began leaves nothing");
    assert!(fs::canonicalize(place.path("runs/latest")).unwrap().ends_with("second"));
}
