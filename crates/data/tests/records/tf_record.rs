use std::collections::BTreeMap;
use std::fs;

use jarrah_data::{
    IterDataset, OnDamage, RandomAccess, RecordDamage, TfExample, TfFeature, TfRecord, TfRecordOptions,
};
use serde_json::Value;

use super::{folder, golden_folder, read, text, unhex, written};

fn numbered(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| format!("record {i}").into_bytes()).collect()
}

#[test]
fn examples_of_tensorflow_are_read_and_written() {
    let listed: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(golden_folder().join("examples.json")).unwrap()).unwrap();
    assert_eq!(listed.len(), 20);
    for entry in &listed {
        let record = unhex(&text(&entry["record"]));
        let features = entry["features"].as_object().unwrap().iter().map(|(name, values)| {
            let list = |kind: &str| values.get(kind).map(|list| list.as_array().unwrap().iter());
            let feature = if let Some(list) = list("bytes") {
                TfFeature::Bytes(list.map(|v| unhex(v.as_str().unwrap())).collect())
            } else if let Some(list) = list("floats") {
                TfFeature::Floats(list.map(|v| f32::from_bits(v.as_u64().unwrap() as u32)).collect())
            } else {
                TfFeature::Ints(list("ints").unwrap().map(|v| v.as_i64().unwrap()).collect())
            };
            (name.clone(), feature)
        });
        let expected = TfExample { features: features.collect::<BTreeMap<_, _>>() };
        assert_eq!(TfExample::decode(&record).unwrap(), expected);
        // TensorFlow writes the features in the order of their names, too.
        assert_eq!(expected.encode(), record);
    }
}

#[test]
fn examples_cut_short_are_refused() {
    let example = TfExample::from([
        ("a".to_owned(), TfFeature::Floats(vec![1.5, -2.0])),
        ("b".to_owned(), TfFeature::Bytes(vec![b"xyz".to_vec()])),
        ("c".to_owned(), TfFeature::Ints(vec![-1, 300])),
    ]);
    let record = example.encode();
    for length in 1..record.len() {
        let e = TfExample::decode(&record[..length]).unwrap_err();
        assert!(e.message().contains("no tf.train.Example"), "{e}");
    }
    assert_eq!(TfExample::decode(b"").unwrap(), TfExample::default());
    // Lists that are not packed, as other writers write them: two floats and two integers.
    let floats = [&[0x0d][..], &1.5_f32.to_le_bytes(), &[0x0d], &2.5_f32.to_le_bytes()].concat();
    let wrapped = |kind: u8, list: &[u8]| {
        let value = [&[kind << 3 | 2, list.len() as u8], list].concat();
        let entry = [&[0x0a, 1, b'x', 0x12, value.len() as u8], &value[..]].concat();
        let features = [&[0x0a, entry.len() as u8], &entry[..]].concat();
        [&[0x0a, features.len() as u8], &features[..]].concat()
    };
    let one = |record: &[u8]| TfExample::decode(record).unwrap().features.remove("x").unwrap();
    assert_eq!(one(&wrapped(2, &floats)), TfFeature::Floats(vec![1.5, 2.5]));
    assert_eq!(one(&wrapped(3, &[8, 5, 8, 7])), TfFeature::Ints(vec![5, 7]));
}

#[test]
fn a_damaged_record_is_named_or_left_out() {
    let folder = folder();
    let path = folder.path().join("a.tfrecord");
    written("tf_record", &path, "", &numbered(9)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // 12 bytes, 8 of data, 4: record 4 begins at 96.
    bytes[4 * 24 + 12] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let named = "a.tfrecord: record 4: the checksum of a record does not fit, at byte ";
    let files = TfRecord::open(&[&path]).unwrap();
    let e = files.get(4).unwrap_err();
    assert!(e.message().contains(&format!("{named}108")), "{e}");
    let stream = TfRecord::in_order(&[&path], OnDamage::Fail);
    let e = IterDataset::records(stream.clone()).iter().unwrap().last().unwrap().unwrap_err();
    assert!(e.message().contains(&format!("{named}96")), "{e}");
    let (count, damage) = stream.verify().unwrap();
    let [RecordDamage { record: Some(4), offset: 96, .. }] = damage[..] else { panic!("{damage:?}") };
    assert_eq!(count, 8);
    let skipping = TfRecord::in_order(&[&path], OnDamage::Skip);
    assert_eq!((IterDataset::records(skipping.clone()).iter().unwrap().count(), skipping.skipped()), (8, 1));
    let files = TfRecord::open_with(&[&path], OnDamage::Skip).unwrap();
    assert_eq!((0..files.len()).filter(|&i| files.get_sound(i).unwrap().is_some()).count(), 8);
}

#[test]
fn a_damaged_length_ends_the_file_but_not_those_behind_it() {
    let folder = folder();
    let [path, other] = ["a", "b"].map(|name| folder.path().join(name));
    written("tf_record", &path, "", &numbered(9)).unwrap();
    written("tf_record", &other, "gzip", &numbered(3)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[4 * 24 + 3] = 1;
    fs::write(&path, &bytes).unwrap();
    let e = TfRecord::open(&[&path]).err().unwrap();
    assert!(
        e.message().contains("record 4: the checksum of a record's length")
            && e.message().contains("at byte 96"),
        "{e}"
    );
    assert_eq!(TfRecord::open_with(&[&path], OnDamage::Skip).unwrap().len(), 4);
    let stream = TfRecord::in_order(&[&path, &other], OnDamage::Skip);
    assert_eq!(IterDataset::records(stream.clone()).iter().unwrap().count(), 7);
    assert_eq!((stream.verify().unwrap().0, stream.skipped()), (7, 1));
    // Cut short.
    fs::write(&path, &bytes[..60]).unwrap();
    assert!(TfRecord::open(&[&path]).err().unwrap().message().contains("ends within a record"));
    let e = TfRecord::open(&[&other]).err().unwrap();
    assert!(e.advice().unwrap().contains("in order"), "{e}");
}

#[test]
fn a_first_length_that_looks_like_a_compressed_file_is_a_length() {
    let folder = folder();
    let path = folder.path().join("a");
    // The lengths begin with the marks of gzip and of zlib.
    for size in [0x08_8b1f, 0x9c78] {
        let records = [vec![7; size], b"x".to_vec()];
        written("tf_record", &path, "", &records).unwrap();
        assert_eq!(read("tf_record", &path, "").unwrap()[1][..], b"x"[..]);
    }
    assert!("zstd".parse::<TfRecordOptions>().is_err());
}
