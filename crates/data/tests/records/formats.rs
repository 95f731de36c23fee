//! Formats by name and content, looking into files, and converting them.

use std::fs;

use jarrah_base::Result;
use jarrah_data::{
    IterDataset, OnDamage, RecordConversion, RecordFormat, RecordInspection, TfExample, TfFeature,
};

use super::{folder, golden_bytes, golden_folder, goldens, put, text, unhex, written};

fn lines(count: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|i| format!("{{\"i\": {i}, \"text\": \"{}\"}}", "ab".repeat(i % 30)).into_bytes())
        .collect()
}

#[test]
fn formats_are_found_by_content() {
    let folder = folder();
    for (format, expected) in [
        ("array_record", RecordFormat::ArrayRecord),
        ("bagz", RecordFormat::Bagz),
        ("tf_record", RecordFormat::TfRecord),
        ("lines", RecordFormat::Text),
    ] {
        for golden in goldens(format).iter().filter(|golden| !golden.records.is_empty()) {
            let path = put(&folder, &golden.name);
            // Separate limits show by the file beside it, and the compression by the name.
            if golden.options.contains("separate") || golden.options.contains("zstd") && format == "bagz" {
                continue;
            }
            assert_eq!(RecordFormat::of_file(&path).unwrap(), expected, "{} {}", golden.name, golden.options);
            let found = RecordInspection::of(&path, None, None, 2).unwrap();
            assert_eq!(
                (found.records, found.damage.len()),
                (golden.records.len() as u64, 0),
                "{}",
                golden.name
            );
            assert_eq!(&*found.first[1], &golden.records[1][..]);
        }
    }
    let path = folder.path().join("x");
    fs::write(&path, "\n {\"a\": 1}\n").unwrap();
    assert_eq!(RecordFormat::of_file(&path).unwrap(), RecordFormat::JsonLines);
    fs::write(&path, b"\0\x01binary").unwrap();
    assert!(RecordFormat::of_file(&path).unwrap_err().message().contains("is of no format"));
    assert_eq!(RecordFormat::of_name("a/b.tfrecord.gz"), Some(RecordFormat::TfRecord));
    assert_eq!(RecordFormat::of_name("bagz"), None);
    assert_eq!("tf_record".parse::<RecordFormat>().unwrap().to_string(), "tf_record");
}

#[test]
fn each_format_is_converted_to_each() {
    let folder = folder();
    let records = lines(300);
    let names = [
        "a.array_record",
        "a.bagz",
        "a.bag",
        "a.tfrecord",
        "a.tfrecord.gz",
        "a.jsonl",
        "a.jsonl.zst",
        "a.txt",
        "a.txt.gz",
    ];
    let first = folder.path().join("first.jsonl");
    written("lines", &first, "", &records).unwrap();
    let mut from = first;
    // From each to the next, and around again by steps that differ.
    for (i, step) in [1, 2, 4, 5, 7].iter().flat_map(|step| (0..names.len()).map(move |i| (i, step))) {
        let to = folder.path().join(format!("{step}-{}", names[i * step % names.len()]));
        if to == from {
            continue;
        }
        let format = RecordFormat::of_name(&to).unwrap();
        let done = RecordConversion::run(&[&from], None, None, &to, format, None, OnDamage::Fail).unwrap();
        assert_eq!((done.records, done.skipped), (300, 0), "{from:?} to {to:?}");
        let source = RecordFormat::of_file(&to).unwrap().open(&[&to], OnDamage::Fail).unwrap();
        let found: Vec<_> = IterDataset::records(source).iter().unwrap().collect::<Result<_>>().unwrap();
        assert!(found.iter().map(|r| &**r).eq(records.iter().map(|r| &r[..])), "{from:?} to {to:?}");
        from = to;
    }
}

#[test]
fn texts_become_objects_of_json_and_bytes_do_not() {
    let folder = folder();
    let [from, to] = ["a.array_record", "b.jsonl"].map(|name| folder.path().join(name));
    let run =
        || RecordConversion::run(&[&from], None, None, &to, RecordFormat::JsonLines, None, OnDamage::Fail);
    let records = [&b"so\nit goes"[..], b"{\"a\":\n 1}", b"12", b" {\"b\": 1.0} "].map(<[u8]>::to_vec);
    written("array_record", &from, "group_size:1", &records).unwrap();
    run().unwrap();
    let expected = "{\"text\":\"so\\nit goes\"}\n{\"a\":  1}\n{\"text\":\"12\"}\n{\"b\": 1.0}\n";
    assert_eq!(fs::read_to_string(&to).unwrap(), expected);
    written("array_record", &from, "group_size:1", &[b"\xff".to_vec()]).unwrap();
    let e = run().unwrap_err();
    assert!(e.message().contains("no text"), "{e}");
    assert_eq!(fs::read_to_string(&to).unwrap(), expected, "the old file is there");
}

#[test]
fn an_inspection_tells_the_kind_of_records_and_all_damage() {
    let folder = folder();
    let path = folder.path().join("a.tfrecord");
    let listed: Vec<serde_json::Value> =
        serde_json::from_str(&fs::read_to_string(golden_folder().join("examples.json")).unwrap()).unwrap();
    let records: Vec<_> = listed.iter().map(|entry| unhex(&text(&entry["record"]))).collect();
    written("tf_record", &path, "", &records).unwrap();
    let found = RecordInspection::of(&path, None, None, 0).unwrap();
    assert_eq!((found.schema.kind(), found.schema.fields().len()), ("example", 5));
    let one = TfExample::from([("x".to_owned(), TfFeature::Ints(vec![1, 2]))]).encode();
    let two = TfExample::from([
        ("x".to_owned(), TfFeature::Ints(vec![])),
        ("y".to_owned(), TfFeature::Floats(vec![1.0])),
    ]);
    written("tf_record", &path, "gzip", &[one, two.encode()]).unwrap();
    assert_eq!(
        RecordInspection::of(&path, None, None, 0).unwrap().schema.to_string(),
        "example: x ints [0..2], y floats [1]?"
    );
    let path = folder.path().join("a.jsonl");
    fs::write(&path, "{\"a\": 1}\n{\"a\": null, \"b\": [1]}\n{oops\n").unwrap();
    let found = RecordInspection::of(&path, None, None, 1).unwrap();
    assert_eq!((found.records, found.schema.kind(), found.first.len()), (3, "text", 1));
    assert_eq!(found.damage.len(), 1);
    let damage = found.damage[0].to_string();
    assert!(
        damage.contains("a.jsonl: record 2: the line is not JSON") && damage.ends_with("at byte 31"),
        "{damage}"
    );
    fs::write(&path, "{\"a\": 1}\n{\"a\": null, \"b\": [1]}\n").unwrap();
    assert_eq!(
        RecordInspection::of(&path, None, None, 1).unwrap().schema.to_string(),
        "json: a number or null, b array?"
    );
    // A file whose index is damaged, too.
    let path = folder.path().join("b");
    let mut bytes = golden_bytes("array_record-0");
    let length = bytes.len();
    bytes[length - 65_536 + 24 + 40 + 3] ^= 1;
    fs::write(&path, bytes).unwrap();
    let found = RecordInspection::of(&path, None, None, 0).unwrap();
    assert_eq!((found.records, found.damage.len(), found.damage[0].record), (5, 1, None));
}

#[test]
fn damaged_records_are_left_out_of_a_conversion_that_is_told_to() {
    let folder = folder();
    let [from, to] = ["a.tfrecord", "b.bag"].map(|name| folder.path().join(name));
    written("tf_record", &from, "", &lines(20)).unwrap();
    let mut bytes = fs::read(&from).unwrap();
    let at = bytes.windows(6).position(|w| w == b"\"i\": 5").unwrap();
    bytes[at + 2] ^= 1;
    fs::write(&from, bytes).unwrap();
    let run =
        |on_damage| RecordConversion::run(&[&from], None, None, &to, RecordFormat::Bagz, None, on_damage);
    assert!(run(OnDamage::Fail).unwrap_err().message().contains("record 5"));
    assert!(!to.exists());
    let done = run(OnDamage::Skip).unwrap();
    assert_eq!((done.records, done.skipped), (19, 1));
}
