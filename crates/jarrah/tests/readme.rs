use std::fs;

mod quickstart {
    include!("quickstart.rs");

    pub fn run() -> jarrah::Result<()> {
        main()
    }
}

/// The README's first screen is a program that runs.
#[test]
fn the_readme_shows_the_quickstart_example() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let readme = fs::read_to_string(format!("{root}/README.md")).unwrap();
    let shown = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(shown, include_str!("quickstart.rs"));
    quickstart::run().unwrap();
}
