use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::Result;
use jarrah_data::{
    HuggingFaceFolder, IterDataset, OnDamage, RecordConversion, RecordFormat, RecordInspection,
};

use super::folder;
use crate::write;

/// The files of each split of a folder with these files, which are of JSON Lines if they have no other ending.
fn splits(files: &[&str], readme: &str) -> Result<Vec<(String, Vec<String>)>> {
    let scratch = folder();
    let named: Vec<(&str, &str)> = files.iter().map(|name| (*name, "{\"a\": 1}\n")).collect();
    write(scratch.path(), &named);
    if !readme.is_empty() {
        write(scratch.path(), &[("README.md", readme)]);
    }
    let data_set = HuggingFaceFolder::open(scratch.path())?;
    let below = |path: &PathBuf| path.strip_prefix(scratch.path()).unwrap().to_str().unwrap().to_owned();
    let files = |split: &str| data_set.files(split).unwrap().iter().map(below).collect();
    Ok(data_set.splits().into_iter().map(|split| (split.to_owned(), files(split))).collect())
}

#[test]
fn names_of_files_and_folders_tell_splits() {
    for (files, expected) in [
        (&["a.jsonl", "b/c.json"][..], &[("train", &["a.jsonl", "b/c.json"][..])][..]),
        (
            &["data/odd-00000-of-00001.jsonl", "data/test-00000-of-00001-abc.jsonl", "train.jsonl"],
            &[("test", &["data/test-00000-of-00001-abc.jsonl"]), ("odd", &["data/odd-00000-of-00001.jsonl"])],
        ),
        (
            &["x_dev.jsonl", "my-train-2.jsonl", "train.jsonl", "evaluation1.jsonl", "trained.jsonl"],
            &[
                ("train", &["train.jsonl", "my-train-2.jsonl"]),
                ("validation", &["x_dev.jsonl"]),
                ("test", &["evaluation1.jsonl"]),
            ],
        ),
        (
            &["train/test.jsonl", "a/val-1/x.jsonl", "test.jsonl"],
            &[("train", &["train/test.jsonl"]), ("validation", &["a/val-1/x.jsonl"])],
        ),
        // The commonest format alone has the records.
        (
            &["train.jsonl", "train2.jsonl", "test.csv", "notes.txt"],
            &[("train", &["train.jsonl", "train2.jsonl"])],
        ),
    ] {
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(split, files)| ((*split).to_owned(), files.iter().map(|&file| file.to_owned()).collect()))
            .collect();
        assert_eq!(splits(files, "").unwrap(), expected, "{files:?}");
    }
    assert!(splits(&["a.md"], "").unwrap_err().message().contains("no files of records"));
}

#[test]
fn configurations_of_a_readme_say_splits() {
    let files = ["a/1.jsonl", "a/2.jsonl", "b/1.jsonl", "c.jsonl"];
    let found = |configs: &str| {
        splits(&files, &format!("---\nlicense: mit\nconfigs:{configs}tags:\n- x\n---\n# A\n"))
    };
    let names = |found: Vec<(String, Vec<String>)>| -> Vec<String> {
        found.iter().map(|(split, files)| format!("{split}={}", files.join(","))).collect()
    };
    for (configs, expected) in [
        (
            "\n- config_name: default\n  data_files:\n  - split: train\n    path: a/*\n  - path: \"**/1.jsonl\"\n    split: odd\n",
            &["train=a/1.jsonl,a/2.jsonl", "odd=a/1.jsonl,b/1.jsonl"][..],
        ),
        (
            "\n  - config_name: one\n    data_files: 'c.jsonl'\n  - config_name: two\n    data_files:\n    - split: test\n      path:\n      - b/1.jsonl\n      - a/2.jsonl\n    default: true\n",
            &["one/train=c.jsonl", "test=b/1.jsonl,a/2.jsonl"],
        ),
        ("\n- config_name: x\n  data_files:\n  - a/1.jsonl\n  - ./c.jsonl\n", &["train=a/1.jsonl,c.jsonl"]),
    ] {
        assert_eq!(names(found(configs).unwrap()), expected, "{configs}");
    }
    for (configs, part) in [
        (" [a]\n", "line 3: the list of configurations is not read"),
        ("\n- config_name: x\n  data_files: [a]\n", "line 5: of configurations, [a] is not read"),
        ("\n- config_name: x\n  data_files: d/*\n", "no file of the split `train` matches d/*"),
        ("\n- config_name: x\n", "`x` has no data_files"),
        ("\n  data_files: a\n", "line 4: a key stands before the first configuration"),
        ("\n- config_name: x\n  data_files: 'a{'\n", "is not a pattern of files"),
    ] {
        let e = found(configs).unwrap_err();
        assert!(e.message().contains(part), "{configs}: {e}");
    }
    assert_eq!(splits(&files, "# no head\nconfigs:\n- x\n").unwrap().len(), 1);
}

#[test]
fn missing_shards_and_other_formats_are_told() {
    let scratch = folder();
    let line = "{\"a\": 1}\n";
    write(
        scratch.path(),
        &[("data/train-00000-of-00003.jsonl", line), ("data/train-00002-of-00003.jsonl", line)],
    );
    let read = || HuggingFaceFolder::open(scratch.path())?.records("train", OnDamage::Fail);
    let e = read().err().unwrap();
    assert!(e.message().contains("train-00001-of-00003.jsonl is missing"), "{e}");
    write(scratch.path(), &[("data/train-00001-of-00003.jsonl", line)]);
    assert_eq!(IterDataset::records(read().unwrap()).iter().unwrap().count(), 3);
    let other = folder();
    write(other.path(), &[("train.json", "[{\"a\": 1},\n{\"a\": 2}]\n")]);
    let e = HuggingFaceFolder::open(other.path()).unwrap().records("train", OnDamage::Fail).err().unwrap();
    assert!(e.message().contains("train.json is no file of the format jsonl"), "{e}");
    let e = HuggingFaceFolder::open(other.path()).unwrap().records("test", OnDamage::Fail).err().unwrap();
    assert!(e.message().contains("there is no split `test`"), "{e}");
}

#[test]
fn names_that_lead_out_of_the_folder_are_refused() {
    let scratch = folder();
    for (file, text, part) in [
        ("state.json", "{\"_data_files\": [{\"filename\": \"../a.arrow\"}]}", "is no path below the folder"),
        ("state.json", "{\"_data_files\": [{}]}", "a file has no name"),
        ("state.json", "{\"_indices_data_files\": [{\"filename\": \"i.arrow\"}]}", "flatten_indices"),
        ("state.json", "{", "is not JSON"),
        ("dataset_dict.json", "{\"splits\": [\"/etc\"]}", "is no path below the folder"),
    ] {
        write(scratch.path(), &[(file, text)]);
        let e = HuggingFaceFolder::open(scratch.path()).err().unwrap();
        assert!(format!("{e:?}").contains(part), "{text}: {e:?}");
    }
}

#[test]
fn folders_are_found_inspected_and_converted() {
    let scratch = folder();
    let at = |name: &str| -> PathBuf { scratch.path().join(name) };
    write(&at("set"), &[("train.csv", "a,b\n1,x\n2,y\n"), ("test.csv", "a,b\n3,z\n")]);
    assert_eq!(RecordFormat::of_file(at("set")).unwrap(), RecordFormat::HuggingFace);
    assert_eq!(RecordFormat::HuggingFace.splits(at("set")).unwrap(), ["train", "test"]);
    let found = RecordInspection::of(at("set"), None, Some("train"), 1).unwrap();
    assert_eq!((found.records, found.bytes, found.schema.kind()), (2, 12, "json"));
    let e = RecordInspection::of(at("set"), None, None, 1).unwrap_err();
    assert!(e.message().contains("has several splits"), "{e}");
    let convert = |split, to: &Path| {
        RecordConversion::run(&[at("set")], None, split, to, RecordFormat::JsonLines, None, OnDamage::Fail)
            .unwrap()
    };
    assert_eq!(convert(Some("test"), &at("a.jsonl")).records, 1);
    assert_eq!(fs::read_to_string(at("a.jsonl")).unwrap(), "{\"a\":\"3\",\"b\":\"z\"}\n");
    // Images with a table beside them are images.
    write(&at("images"), &[("a/1.png", ""), ("a/2.png", ""), ("labels.csv", "a\n")]);
    assert_eq!(RecordFormat::of_file(at("images")).unwrap(), RecordFormat::ImageFolder);
}
