use std::fs;
use std::path::Path;

use jarrah_data::{Corpus, Documents};

use super::{input_error, write};

fn open(root: &Path, argument: &str) -> jarrah_base::Result<Corpus> {
    Corpus::open(&[format!("{}{argument}", root.display())])
}

/// The names of the files, relative to `root`.
fn names(root: &Path, corpus: &Corpus) -> Vec<String> {
    let root = fs::canonicalize(root).unwrap();
    let inside =
        |p: &Path| fs::canonicalize(p).unwrap().strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
    corpus.manifest.files.iter().map(|f| inside(&f.path)).collect()
}

#[test]
fn folders_are_read_below_without_hidden_and_built_files() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(
        root,
        &[
            ("z.txt", "z"),
            ("sub/b.rs", "b"),
            ("sub/a.md", "a"),
            (".git/config", "no"),
            (".hidden", "no"),
            ("Cargo.toml", "[package]"),
            ("target/out.txt", "no"),
            ("sub/target/in.txt", "a folder of that name without a crate"),
            ("node_modules/x.js", "no"),
            ("empty.txt", ""),
        ],
    );
    let corpus = open(root, "").unwrap();
    assert_eq!(names(root, &corpus), ["Cargo.toml", "sub/a.md", "sub/b.rs", "sub/target/in.txt", "z.txt"]);
}

#[test]
fn arguments_keep_their_order_and_files_come_once() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, &[("a.txt", "a"), ("b.txt", "b"), (".hidden", "named by its name")]);
    let at = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let corpus = Corpus::open(&[at("b.txt"), at(""), at(".hidden")]).unwrap();
    assert_eq!(names(root, &corpus), ["b.txt", "a.txt", ".hidden"]);
}

#[test]
fn globs_are_matched() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, &[("a.rs", "a"), ("b.txt", "b"), ("s/c.rs", "c"), ("s/t/d.rs", "d"), ("s/e.md", "e")]);
    for (pattern, expected) in [
        ("/*.rs", vec!["a.rs"]),
        ("/**/*.rs", vec!["a.rs", "s/c.rs", "s/t/d.rs"]),
        ("/s/*.{rs,md}", vec!["s/c.rs", "s/e.md"]),
        ("/?.txt", vec!["b.txt"]),
    ] {
        assert_eq!(names(root, &open(root, pattern).unwrap()), expected, "{pattern}");
    }
    let message = input_error(open(root, "/*.py"));
    assert_eq!(message, format!("no file matches {}/*.py", root.display()));
    assert!(input_error(open(root, "/[a")).contains("is not a pattern of files"));
}

#[test]
fn a_glob_may_be_relative_to_the_working_folder() {
    for pattern in ["src/*.rs", "./src/*.rs", "**/src/corpus.rs"] {
        let corpus = Corpus::open(&[pattern]).unwrap();
        assert!(corpus.manifest.files.iter().any(|f| f.path.ends_with("src/corpus.rs")), "{pattern}");
    }
}

#[test]
fn jsonl_gives_a_document_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let lines: String = (0..200).map(|i| format!("{{\"id\": {i}, \"text\": \"über {i}\"}}\n\n")).collect();
    write(root, &[("a.jsonl", &lines), ("b.jsonl", "{\"content\": \"c\\nd\", \"text\": null}")]);
    let corpus = open(root, "/a.jsonl").unwrap();
    assert_eq!(corpus.train.len() + corpus.held_out.len(), 200);
    assert!((2..=20).contains(&corpus.held_out.len()));
    assert!(corpus.train.iter().all(|d| d.starts_with("über ") && !corpus.held_out.contains(d)));
    assert_eq!(open(root, "/b.jsonl").unwrap().train, ["c\nd"]);
}

#[test]
fn a_jsonl_line_without_text_names_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let path = root.join("a.jsonl");
    for (second, expected) in [
        ("{\"body\": 1}", "the line has no `text` or `content` that is a string"),
        ("{\"text\": 7}", "the line has no `text` or `content` that is a string"),
        ("[1]", "the line has no `text` or `content` that is a string"),
        ("{\"text\": ", "the line is not JSON: EOF while parsing a value at line 1 column 9"),
    ] {
        fs::write(&path, format!("{{\"text\": \"a\"}}\n{second}\n")).unwrap();
        assert_eq!(input_error(open(root, "")), format!("{}:2: {expected}", path.display()));
    }
}

#[test]
fn binary_files_are_left_out_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, &[("a.txt", &"a line of text\n".repeat(40)), ("nul.dat", "a\0b")]);
    fs::write(root.join("latin1.txt"), b"caf\xe9").unwrap();
    let corpus = open(root, "").unwrap();
    assert_eq!(names(root, &corpus), ["a.txt"]);
    assert_eq!(
        corpus.summary.to_string(),
        format!(
            "1 file in {}, 570 bytes to train on, 30 bytes held out; 2 binary files left out (latin1.txt, nul.dat)",
            root.display()
        )
    );
}

#[test]
fn nothing_to_train_on_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let shown = root.display();
    assert_eq!(
        input_error(open(root, "")),
        format!("no text to train on in {shown}: there is no file, or all are empty")
    );
    assert_eq!(input_error(open(root, "/none")), format!("there is no file or folder {shown}/none"));
    write(root, &[("a.bin", "\0")]);
    assert_eq!(
        input_error(open(root, "")),
        format!("no text to train on in {shown}: 1 file is binary (a.bin)")
    );
    write(root, &[("b.bin", "\0"), ("c.bin", "\0"), ("d.bin", "\0")]);
    assert_eq!(
        input_error(open(root, "")),
        format!("no text to train on in {shown}: 4 files are binary (a.bin, b.bin, c.bin, ...)")
    );
}

#[test]
fn records_are_kept_as_they_are_written_and_held_out_whole() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("a.jsonl", "{\"b\": 1,  \"a\": 2}\n\n[3, 3, 3, 3, 3]\n");
    write("b.json", "[ {\"z\": \"\u{e9}\", \"a\": []}, \"seventeen\"]");
    let folder = dir.path().display().to_string();
    let corpus = Corpus::open_as(&[&folder], Documents::Records).unwrap();
    assert_eq!(
        corpus.train,
        ["{\"b\": 1,  \"a\": 2}", "[3, 3, 3, 3, 3]", "{\"z\": \"\u{e9}\", \"a\": []}", "\"seventeen\""]
    );
    assert!(corpus.held_out.is_empty());
    assert_eq!(Corpus::reopen(&corpus.manifest, Documents::Records).unwrap().train, corpus.train);

    let many: String = (0..300).map(|i| format!("{{\"number\": {i}}}\n")).collect();
    write("a.jsonl", &many);
    let corpus = Corpus::open_as(&[&folder], Documents::Records).unwrap();
    assert!(!corpus.held_out.is_empty() && corpus.train.len() + corpus.held_out.len() == 302);
    assert!(corpus.held_out.iter().all(|r| many.contains(r.as_str())));

    // A mark of UTF-8 is no part of the first record.
    for (name, text) in [("a.jsonl", "\u{feff}1\n2\n"), ("b.json", "\u{feff}[3]")] {
        write(name, text);
    }
    assert_eq!(Corpus::open_as(&[&folder], Documents::Records).unwrap().train, ["1", "2", "3"]);

    write("c.txt", "no records");
    let error = Corpus::open_as(&[&folder], Documents::Records).err().unwrap();
    assert!(error.message().contains("c.txt is no list in JSON"), "{error}");
}

#[test]
fn notes_and_licences_of_a_folder_are_left_out_and_said() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let notes = [
        "README.md",
        "LICENSE",
        "LICENSE-MIT",
        "sub/MANIFEST.md",
        "sub/README.zh.md",
        "Copying.txt",
        "NOTICE",
        "CITATION.cff",
        "CHANGELOG",
    ];
    let texts = ["a.txt", "license.rs", "notice_board.txt", "sub/readme.py", "sub/manifesto.txt", "sub/b.md"];
    let all: Vec<(&str, &str)> = notes.iter().chain(&texts).map(|name| (*name, *name)).collect();
    write(root, &all);
    let mut expected: Vec<&str> = texts.to_vec();
    expected.sort_unstable();
    for argument in ["", "/**"] {
        let corpus = open(root, argument).unwrap();
        let mut read = names(root, &corpus);
        read.sort_unstable();
        assert_eq!(read, expected, "{argument}");
        assert_eq!(corpus.summary.notes.len(), notes.len());
        let shown = corpus.summary.to_string();
        assert!(shown.contains("; 9 notes left out, unless they are named ("), "{shown}");
    }
    // One that is named is text, by itself, by a glob, and beside its folder.
    assert_eq!(names(root, &open(root, "/README.md").unwrap()), ["README.md"]);
    assert_eq!(names(root, &open(root, "/READ*.md").unwrap()), ["README.md"]);
    let both = [format!("{}", root.display()), format!("{}/NOTICE", root.display())];
    let corpus = Corpus::open(&both).unwrap();
    assert!(names(root, &corpus).contains(&"NOTICE".to_owned()));
    assert_eq!(corpus.summary.notes.len(), notes.len() - 1);

    write(root, &[("only/README.md", "x")]);
    let error = input_error(open(root, "/only"));
    assert!(error.contains("there are only notes and licences (README.md)"), "{error}");
}

#[test]
fn a_folder_of_chats_may_have_notes_beside_them() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, &[("README.md", "about it"), ("LICENSE", "x"), ("a.jsonl", "{\"a\": 1}\n")]);
    let corpus = Corpus::open_as(&[root.display().to_string()], Documents::Records).unwrap();
    assert_eq!((names(root, &corpus), corpus.summary.notes.len()), (vec!["a.jsonl".to_owned()], 2));
}

/// Python's `json` writes and reads them, and so do the files that it made.
#[test]
fn numbers_of_python_are_read_in_any_field() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let lines = [
        "{\"text\": \"NaN\", \"score\": NaN}",
        "{\"score\": [-Infinity, 1], \"text\": \"two\"}",
        "{\"text\": \"three\", \"id\": 1e400}",
        "{\"id\": 123456789012345678901234567890, \"content\": \"four\"}",
    ];
    let (listed, written) = (format!("[{}]", lines.join(",\n")), lines.join("\n"));
    write(root, &[("a.jsonl", &written), ("list/b.json", &listed)]);
    let all = |corpus: Corpus| [corpus.train, corpus.held_out].concat();
    assert_eq!(all(open(root, "/a.jsonl").unwrap()), ["NaN", "two", "three", "four"]);
    for name in ["a.jsonl", "list/b.json"] {
        let path = root.join(name).display().to_string();
        assert_eq!(all(Corpus::open_as(&[path], Documents::Records).unwrap()), lines, "{name}");
    }
    for wrong in ["{\"text\": nan}", "{\"text\": \"x\", \"y\": +Infinity}", "{\"text\": \"x\", \"y\": 1e}"] {
        write(root, &[("c.jsonl", &format!("{}\n{wrong}", lines[0]))]);
        let error = input_error(open(root, "/c.jsonl"));
        assert!(error.contains("c.jsonl:2: the line is not JSON"), "{error}");
    }
}

#[test]
fn records_know_their_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, &[("a.jsonl", "\u{feff}1\n\n2\r\n3"), ("b.json", "[\n NaN, {\"a\":\n 1e400},\n\n 7, 8]")]);
    let at = |name: &str| root.join(name).display().to_string();
    let corpus = Corpus::open_as(&[at("")], Documents::Records).unwrap();
    let placed = |corpus: &Corpus| -> Vec<(String, String)> {
        let train = corpus.train.iter().zip(&corpus.train_places);
        let all = train.chain(corpus.held_out.iter().zip(&corpus.held_out_places));
        all.map(|(record, place)| (record.clone(), place.to_string())).collect()
    };
    let mut found = placed(&corpus);
    found.sort_by(|(_, a), (_, b)| a.cmp(b));
    let expected = [
        ("1", "a.jsonl:1"),
        ("2", "a.jsonl:3"),
        ("3", "a.jsonl:4"),
        ("NaN", "b.json:2"),
        ("{\"a\":\n 1e400}", "b.json:2"),
        ("7", "b.json:5"),
        ("8", "b.json:5"),
    ];
    assert_eq!(found, expected.map(|(text, place)| (text.to_owned(), at(place))));

    let many: String = (0..300).map(|i| format!("{{\"number\": {i}}}\n")).collect();
    write(root, &[("a.jsonl", &many)]);
    let corpus = Corpus::open_as(&[at("a.jsonl")], Documents::Records).unwrap();
    assert!(!corpus.held_out.is_empty());
    assert_eq!(placed(&corpus).len(), 300);
    for (record, place) in placed(&corpus) {
        let line: usize = place.rsplit(':').next().unwrap().parse().unwrap();
        assert_eq!(record, format!("{{\"number\": {}}}", line - 1));
    }
    // Texts are cut, and have no places.
    write(root, &[("c.txt", &many)]);
    let corpus = open(root, "/c.txt").unwrap();
    assert!(corpus.train_places.is_empty() && corpus.held_out_places.is_empty());
}
