use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::{DType, ErrorKind, Result};
use jarrah_data::{
    JsonLines, OnDamage, RandomAccess, RecordBytes, RecordConversion, RecordFormat, RecordInspection,
    TfExample, TfFeature, TfdsFeatures, TfdsFolder, TfdsValue,
};
use serde_json::{Value, json};

use super::mutants::{alone, damage, next, survives};
use super::{all, folder, goldens, parsed, put, written};

/// The values of the records of a split, in JSON.
pub fn values(path: &Path, split: &str) -> Result<Vec<RecordBytes>> {
    let folder = TfdsFolder::open(path)?;
    let features = folder.features()?;
    let records = all(&folder.records(split)?)?;
    let value =
        |record: &RecordBytes| Ok(features.decode(record)?.to_json()?.to_string().into_bytes().into());
    records.iter().map(value).collect()
}

fn tensor(dtype: &str, dimensions: &[i64], encoding: &str) -> Value {
    let dimensions: Vec<String> = dimensions.iter().map(i64::to_string).collect();
    json!({
        "pythonClassName": "tensorflow_datasets.core.features.tensor_feature.Tensor",
        "tensor": {"dtype": dtype, "shape": {"dimensions": dimensions}, "encoding": encoding},
    })
}

fn sequence(feature: &Value) -> Value {
    json!({
        "pythonClassName": "tensorflow_datasets.core.features.sequence_feature.Sequence",
        "sequence": {"feature": feature, "length": "-1"},
    })
}

fn dict(features: Value) -> TfdsFeatures {
    let dict = json!({
        "pythonClassName": "tensorflow_datasets.core.features.features_dict.FeaturesDict",
        "featuresDict": {"features": features},
    });
    TfdsFeatures::parse(&dict.to_string()).unwrap()
}

/// A folder of a split `train`, of which each shard has the records of these numbers.
fn made(at: &Path, shards: &[std::ops::Range<i64>]) -> PathBuf {
    fs::create_dir_all(at).unwrap();
    let lengths: Vec<String> = shards.iter().map(|shard| (shard.end - shard.start).to_string()).collect();
    let info = json!({
        "name": "made", "fileFormat": "tfrecord", "version": "1.0.0",
        "splits": [{"name": "train", "shardLengths": lengths, "numBytes": "1"}],
    });
    fs::write(at.join("dataset_info.json"), info.to_string()).unwrap();
    let features = json!({
        "type": "tensorflow_datasets.core.features.features_dict.FeaturesDict",
        "content": {"i": {
            "type": "tensorflow_datasets.core.features.tensor_feature.Tensor",
            "content": {"shape": [], "dtype": "int64"},
        }},
    });
    fs::write(at.join("features.json"), features.to_string()).unwrap();
    for (number, shard) in shards.iter().enumerate() {
        let record = |i| TfExample::from([("i".to_owned(), TfFeature::Ints(vec![i]))]).encode();
        let records: Vec<_> = shard.clone().map(record).collect();
        let name = format!("made-train.tfrecord-{number:05}-of-{:05}", shards.len());
        written("tf_record", &at.join(name), "", &records).unwrap();
    }
    at.to_owned()
}

fn numbers(folder: &TfdsFolder, split: &str) -> Result<Vec<i64>> {
    let features = folder.features()?;
    let records = all(&folder.records(split)?)?;
    let number = |record: &RecordBytes| match features.decode(record)?.get("i") {
        Some(TfdsValue::Tensor(i)) => Ok(i.get_i128(0) as i64),
        other => panic!("{other:?}"),
    };
    records.iter().map(number).collect()
}

#[test]
fn slices_of_splits_are_those_of_tfds() {
    let scratch = folder();
    let folder = TfdsFolder::open(made(scratch.path(), &[0..4, 4..4, 4..10])).unwrap();
    for (split, from, to) in [
        ("train", 0, 10),
        ("train[:10%]", 0, 1),
        ("train[25%:75%]", 2, 8),
        ("train[-15%:]", 8, 10),
        ("train[3:-2]", 3, 8),
        ("train[1_0:]", 10, 10),
        ("train[:1shard]", 0, 4),
        ("train[-1shard]", 4, 10),
        ("train[-1shard:]", 4, 10),
        ("train[:-1shard]", 0, 4),
        ("train[0shard]", 0, 4),
        ("all", 0, 10),
    ] {
        let found = numbers(&folder, split);
        match from == to {
            true => assert!(found.unwrap_err().message().contains("has no records"), "{split}"),
            false => assert_eq!(found.unwrap(), (from..to).collect::<Vec<_>>(), "{split}"),
        }
    }
    assert_eq!(numbers(&folder, "train[8:] + train[:1]").unwrap(), [8, 9, 0]);
    assert_eq!(folder.files("train[5:]").unwrap().len(), 1);
    for (split, part) in [
        ("test", "there is no split `test`"),
        ("train[:11]", "reaches beyond the 10 records"),
        ("train[:]", "names no split"),
        ("train[3]", "names no split"),
        ("train[a:]", "names no split"),
        ("train[0:1", "names no split"),
    ] {
        let e = numbers(&folder, split).unwrap_err();
        assert!(e.message().contains(part), "{split}: {e}");
    }
}

#[test]
fn missing_and_short_shards_are_told() {
    let scratch = folder();
    let path = made(scratch.path(), &[0..4, 4..8]);
    let folder = TfdsFolder::open(&path).unwrap();
    let shard = path.join("made-train.tfrecord-00001-of-00002");
    written("tf_record", &shard, "", &[b"\x0a\x00".to_vec()]).unwrap();
    let e = folder.records("train").err().unwrap();
    let part = "made-train.tfrecord-00001-of-00002: the shard has 1 records, but dataset_info.json says 4, at byte 18";
    assert!(e.message().contains(part), "{e}");
    assert_eq!(numbers(&folder, "train[:4]").unwrap(), [0, 1, 2, 3], "the other shard is not looked at");
    let records = folder.records_with("train", OnDamage::Skip).unwrap();
    let damage: Vec<String> = records.verify().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(records.len(), 5);
    assert!(damage[0].contains("the shard has 1 records"), "{damage:?}");
    let part = "record 0: the feature `i`: the record does not have it, at byte 12";
    assert!(damage.len() == 2 && damage[1].contains(part), "{damage:?}");
    fs::remove_file(&shard).unwrap();
    let e = folder.records("train").err().unwrap();
    assert!(e.message().contains("00001-of-00002 is missing"), "{e}");
}

#[test]
fn folders_of_versions_and_configurations_are_found() {
    let scratch = folder();
    let at = |name: &str| scratch.path().join(name);
    for (name, count) in [("set/a/1.9.0", 1), ("set/a/1.10.0", 2), ("set/b/2.0.0", 3)] {
        made(&at(name), std::slice::from_ref(&(0..count)));
    }
    assert_eq!(TfdsFolder::open(at("set/a")).unwrap().splits(), [("train", 2)]);
    assert_eq!(TfdsFolder::open(at("set/a/1.9.0")).unwrap().splits(), [("train", 1)]);
    let e = TfdsFolder::open(at("set")).err().unwrap();
    assert!(e.message().contains("several configurations"), "{e}");
    assert_eq!(RecordFormat::of_file(at("set")).unwrap(), RecordFormat::Tfds);
    let e = TfdsFolder::open(scratch.path()).err().unwrap();
    assert!(e.message().contains("has no dataset_info.json"), "{e}");
    let info = at("set/b/2.0.0/dataset_info.json");
    let text = fs::read_to_string(&info).unwrap();
    for (from, to, part) in [
        ("\"tfrecord\"", "\"riegeli\"", "shards of the format `riegeli` are not read"),
        ("\"numBytes\"", "\"filepathTemplate\": \"../{SPLIT}\", \"numBytes\"", "names that are not read"),
        ("\"numBytes\"", "\"filepathTemplate\": \"{OTHER}\", \"numBytes\"", "names that are not read"),
        ("\"3\"", "\"x\"", "are no numbers"),
    ] {
        fs::write(&info, text.replace(from, to)).unwrap();
        let e = TfdsFolder::open(at("set/b")).and_then(|folder| folder.records("train")).err();
        let e = e.filter(|_| text.contains(from)).unwrap();
        assert!(e.message().contains(part), "{e}");
    }
}

#[test]
fn folders_are_inspected_and_converted() {
    let scratch = folder();
    let path = made(&scratch.path().join("made"), &[0..3, 3..5]);
    let found = RecordInspection::of(&path, None, None, 1).unwrap();
    assert_eq!((found.format, found.records, found.damage.len()), (RecordFormat::Tfds, 5, 0));
    assert_eq!(found.schema.to_string(), "example: i ints [1]");
    assert!(found.bytes > 5 * 16 && found.bytes < 1000, "{}", found.bytes);
    let to = scratch.path().join("a.jsonl");
    let run = |split, to: &PathBuf, format| {
        RecordConversion::run(&[&path], None, split, to, format, None, OnDamage::Fail).unwrap()
    };
    assert_eq!(run(Some("train[1:]"), &to, RecordFormat::JsonLines).records, 4);
    assert_eq!(&*JsonLines::open(&[&to]).unwrap().get(0).unwrap(), br#"{"i":1}"#);
    let to = scratch.path().join("a.tfrecord");
    run(None, &to, RecordFormat::TfRecord);
    assert_eq!(RecordInspection::of(&to, None, None, 0).unwrap().schema.kind(), "example");
    let e = RecordFormat::TfRecord.open_split(&[&to], Some("train"), OnDamage::Fail).err().unwrap();
    assert!(e.message().contains("have no split `train`"), "{e}");
}

#[test]
fn kinds_that_are_not_read_are_named_with_their_feature() {
    let parse = |feature: Value| {
        let dict = json!({
            "pythonClassName": "a.FeaturesDict",
            "featuresDict": {"features": {"x": sequence(&json!({
                "pythonClassName": "a.FeaturesDict", "featuresDict": {"features": {"y": feature}},
            }))}},
        });
        TfdsFeatures::parse(&dict.to_string())
    };
    for (feature, part) in [
        (
            json!({"pythonClassName": "my.Own", "jsonFeature": {}}),
            "the feature `x/y`: the kind `my.Own` is not read",
        ),
        (json!({}), "the feature `x/y`: the kind `` is not read"),
        (tensor("complex64", &[], "none"), "the feature `x/y`: tensors of `complex64` are not read"),
        (tensor("int64", &[], "lzma"), "the encoding `lzma` is not read"),
        (tensor("int64", &[-1], "none"), "whose sizes are not known"),
        (tensor("int64", &[1 << 40, 1 << 40], "none"), "exceeds the address space"),
        (
            json!({"pythonClassName": "a.Image", "image": {"dtype": "uint16"}}),
            "images of uint16 are not read",
        ),
        (
            json!({"pythonClassName": "a.Audio", "audio": {"lazyDecode": true}}),
            "audio that is stored as a file",
        ),
    ] {
        let e = parse(feature).unwrap_err();
        assert!(e.message().contains(part), "{e}");
    }
    assert!(parse(tensor("int64", &[-1], "zlib")).is_ok());
}

#[test]
fn records_that_are_not_as_their_features_say_are_refused() {
    let ints = |values: &[i64]| TfFeature::Ints(values.to_vec());
    let bytes = |value: &[u8]| TfFeature::Bytes(vec![value.to_vec()]);
    let two = sequence(&sequence(&tensor("int64", &[], "none")));
    let three = sequence(&two);
    for (feature, stored, part) in [
        (tensor("int64", &[], "none"), vec![("x", ints(&[1, 2]))], "2 values are no tensor of its shape"),
        (tensor("int64", &[2, -1], "none"), vec![("x", ints(&[1]))], "1 values are no tensor"),
        (tensor("int8", &[], "none"), vec![("x", ints(&[128]))], "128 is no i8"),
        (tensor("int64", &[], "none"), vec![("x", bytes(b"1"))], "bytes are stored for a tensor of i64"),
        (tensor("float32", &[], "none"), vec![("x", ints(&[1]))], "integers are stored for a tensor of f32"),
        (tensor("string", &[], "none"), vec![("x", ints(&[1]))], "numbers are stored for a text"),
        (tensor("int16", &[2], "bytes"), vec![("x", bytes(b"abc"))], "3 bytes are stored for a tensor of 4"),
        (tensor("bool", &[2], "bytes"), vec![("x", bytes(b"\x01\x02"))], "neither 0 nor 1"),
        (tensor("int16", &[2], "zlib"), vec![("x", bytes(b"abcd"))], "are not what zlib writes"),
        (tensor("int64", &[-1, 1 << 40], "none"), vec![("x", ints(&[]))], "0 values are no tensor"),
        (
            tensor("int16", &[-1, -1], "bytes"),
            vec![("x/value", bytes(b"")), ("x/shape", ints(&[1 << 40, 1 << 40]))],
            "exceeds the address space",
        ),
        (
            tensor("int16", &[-1, -1], "bytes"),
            vec![("x/value", bytes(b""))],
            "the shape of a tensor is missing",
        ),
        (
            two.clone(),
            vec![("x/ragged_flat_values", ints(&[1, 2]))],
            "the lengths of the rows of level 0 are missing",
        ),
        (
            two.clone(),
            vec![("x/ragged_flat_values", ints(&[1, 2])), ("x/ragged_row_lengths_0", ints(&[1]))],
            "the lengths of its rows are not those",
        ),
        (
            two,
            vec![("x/ragged_flat_values", ints(&[1, 2])), ("x/ragged_row_lengths_0", ints(&[3, -1]))],
            "the lengths of its rows are not those",
        ),
        (
            three,
            vec![
                ("x/ragged_flat_values", ints(&[1])),
                ("x/ragged_row_lengths_0", ints(&[2])),
                ("x/ragged_row_lengths_1", ints(&[1])),
            ],
            "the lengths of its rows are not those",
        ),
    ] {
        let stored = stored.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let e = dict(json!({"x": feature})).decode(&TfExample { features: stored }.encode()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Input);
        assert!(e.message().contains("the feature `x`") && e.message().contains(part), "{part}: {e}");
    }
}

#[test]
fn images_are_pixels_or_their_files_in_base64() {
    let folder = folder();
    let golden = goldens("tfds")
        .into_iter()
        .find(|golden| golden.records.iter().any(|record| parsed(record).get("image").is_some()));
    let golden = golden.expect("a golden has images");
    let tfds = TfdsFolder::open(put(&folder, &golden.name)).unwrap();
    let features = tfds.features().unwrap();
    let record = tfds.records(&golden.options).unwrap().get(0).unwrap();
    let Some(TfdsValue::Tensor(image)) = features.decode(&record).unwrap().get("image").cloned() else {
        panic!("no image")
    };
    assert_eq!((image.dtype(), image.dims().len()), (DType::U8, 3));
    let json = parsed(&features.json(&record).unwrap());
    assert!(json["image"].as_str().unwrap().starts_with("iVBORw0KGgo"), "{json}");
}

#[test]
fn damaged_folders_are_refused_in_words() {
    alone("records::tfds::damaged_folders_are_refused_in_words", |count| {
        let scratch = folder();
        let paths: Vec<(PathBuf, String)> =
            goldens("tfds").into_iter().map(|golden| (put(&scratch, &golden.name), golden.options)).collect();
        let mut files = Vec::new();
        for (path, split) in &paths {
            let folder = TfdsFolder::open(path).unwrap();
            let shards = folder.files(split).unwrap();
            let beside = ["dataset_info.json", "features.json"].map(|name| shards[0].with_file_name(name));
            for file in beside.into_iter().chain(shards) {
                files.push((path.clone(), split.clone(), fs::read(&file).unwrap(), file));
            }
        }
        let mut read = 0;
        let mut records = Vec::new();
        for (path, split) in &paths {
            let folder = TfdsFolder::open(path).unwrap();
            let features = folder.features().unwrap();
            let found = all(&folder.records(split).unwrap()).unwrap();
            records.extend(found.into_iter().map(|record| (features.clone(), record.to_vec())));
        }
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (features, record) = &records[number % records.len()];
            let mut record = record.clone();
            let length = record.len();
            damage(&mut record, 0..length, &mut random, false);
            match features.decode(&record).and_then(|value| value.to_json()) {
                Ok(_) => read += 1,
                Err(e) => assert!(
                    matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment),
                    "mutant {number}: {e}"
                ),
            }
        }
        for number in 0..count / 2 {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let (path, split, whole, file) = &files[number % files.len()];
            let mut bytes = whole.clone();
            damage(&mut bytes, 0..whole.len(), &mut random, false);
            fs::write(file, bytes).unwrap();
            let on_damage = [OnDamage::Fail, OnDamage::Skip][next(&mut random) % 2];
            let opened = TfdsFolder::open(path).and_then(|folder| folder.records_with(split, on_damage));
            // Errors of features name the feature.
            read += usize::from(match opened {
                Ok(files) => survives(path, Ok(files), number),
                Err(e) => {
                    assert!(
                        matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment),
                        "mutant {number}: {e}"
                    );
                    false
                }
            });
            fs::write(file, whole).unwrap();
        }
        println!("{read} of {} mutants were read", count + count / 2);
    });
}
