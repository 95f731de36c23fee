use std::fs;

use jarrah_base::ErrorKind;
use jarrah_train::{RunFolder, Start};

use crate::support::{Place, until};

#[test]
fn a_folder_that_is_taken_is_refused() {
    let place = Place::new();
    let mut recipe = place.recipe("run", &[]);
    RunFolder::create(&mut recipe).unwrap();
    let error = RunFolder::create(&mut recipe).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.message().ends_with("run is a run already"), "{error}");
    assert!(error.to_string().contains("jarrah train --resume"));

    fs::remove_file(place.path("run/run.json")).unwrap();
    RunFolder::create(&mut recipe).expect("what a killed run left is no obstacle");

    let mut recipe = place.recipe("text", &[]);
    let error = RunFolder::create(&mut recipe).unwrap_err();
    assert!(error.message().contains("is not empty: it holds"), "{error}");
    assert_eq!(fs::read_dir(place.path("text")).unwrap().count(), 30, "nothing was added");
}

#[test]
fn latest_is_the_newest_run_that_began() {
    let place = Place::new();
    for name in ["runs/first", "runs/second"] {
        until(Start::New(Box::new(place.recipe(name, &[]))), "run: ").0.unwrap();
        let latest = RunFolder::open(&place.path("runs/latest")).unwrap();
        assert_eq!(fs::canonicalize(latest.path()).unwrap(), fs::canonicalize(place.path(name)).unwrap());
    }
    let mut broken = place.recipe("runs/third", &[]);
    broken.data.paths = vec![place.path("nowhere").display().to_string()];
    until(Start::New(Box::new(broken)), "never").0.unwrap_err();
    assert!(!place.path("runs/third").exists(), "a run that never began leaves nothing");
    assert!(fs::canonicalize(place.path("runs/latest")).unwrap().ends_with("second"));
}

#[test]
fn a_pointer_file_stands_for_a_link() {
    let place = Place::new();
    until(Start::New(Box::new(place.recipe("runs/one", &[]))), "run: ").0.unwrap();
    fs::remove_file(place.path("runs/latest")).unwrap();
    fs::write(place.path("runs/latest"), "one\n").unwrap();
    assert_eq!(RunFolder::open(&place.path("runs/latest")).unwrap().path(), place.path("runs/one"));
}

#[test]
fn what_is_no_run_is_told() {
    let place = Place::new();
    let message = |name: &str| RunFolder::open(&place.path(name)).unwrap_err().message().to_owned();
    assert!(message("nothing").ends_with("nothing does not exist"));
    assert!(
        message("text").ends_with(
            "text is not the folder of a run or of a model: it has neither run.json nor config.json"
        )
    );
    assert!(message("text/00.txt").ends_with("00.txt is not the folder of a run"));
    fs::write(place.path("text/run.json"), "{\"version\": 3}").unwrap();
    assert!(message("text").ends_with("is a run of version 3, but this program knows versions up to 2"));
    fs::write(place.path("text/run.json"), "{\"version\": 1}").unwrap();
    assert!(message("text").contains("is a run of version 1, whose model has another form"));
    fs::write(place.path("text/run.json"), "{\"ver").unwrap();
    assert!(message("text").ends_with("run.json is damaged"));
}
