//! The book's pages are all in its table of contents, and all run with the tests.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_chapter_is_listed_and_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src");
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let chapters: BTreeSet<String> = names
        .filter_map(|name| name.strip_suffix(".md").map(str::to_owned))
        .filter(|name| name != "SUMMARY")
        .collect();
    assert!(chapters.len() > 8, "{chapters:?}");

    let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1).filter_map(|rest| rest.split(".md)").next());
    assert_eq!(chapters, links.map(str::to_owned).collect());

    let list = include_str!("../src/book.rs").split("chapters! {").nth(1).unwrap();
    let run = list.split_whitespace().filter(|word| *word != "}");
    assert_eq!(chapters, run.map(str::to_owned).collect());
}
