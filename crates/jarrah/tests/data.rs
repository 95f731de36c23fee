//! `jarrah data`: the order of indices that Grain 0.2.18 delivers for the same numbers; files of records, looked into and converted.

use crate::support::Place;

fn indices(place: &Place, arguments: &str) -> Vec<u64> {
    place.good(&format!("data order {arguments}")).lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn the_order_is_that_of_grain() {
    let place = Place::new();
    let shard = indices(&place, "--len 1000 --seed 42 --epochs 2 --shard 1/4");
    assert_eq!((shard.len(), &shard[..6]), (500, &[591, 975, 669, 563, 208, 713][..]));
    let mixed = indices(&place, "--lens 1000,200 --mix 0.7,0.3 --seed 42");
    assert_eq!((mixed.len(), &mixed[..8]), (666, &[394, 591, 809, 1161, 524, 88, 1124, 975][..]));
    assert_eq!(indices(&place, "--len 1000 --seed 42 --window 64 --take 6"), [14, 24, 38, 48, 31, 57]);
    assert_eq!(indices(&place, "--len 5"), [0, 1, 2, 3, 4]);
}

#[test]
fn wrong_orders_are_refused_with_a_reason() {
    let place = Place::new();
    place.refused(
        "data order --seed 1",
        "say the number of records: --len of one dataset, or --lens of several",
    );
    place.refused("data order --len 0", "a dataset has 0 records");
    place.refused("data order --len 5 --seed 4294967296", "shuffle: the seed 4294967296 is not below 2^32");
    place.refused("data order --lens 5,6 --mix 1,0", "mix: each weight must be greater than zero");
    place.refused("data order --lens 5,6 --mix 1", "mix: 1 weights for 2 datasets");
    place.refused(
        "data order --len 5 --shard 4/4",
        "invalid value '4/4' for '--shard <I/N>': there is no shard 4 of 4",
    );
    place.refused("data order --len 5 --epochs 0", "repeat: there must be at least one epoch");
    place.refused(
        "data order --len 5 --seed 1 --window 0",
        "window_shuffle: a window must have at least one element",
    );
}

#[test]
fn files_of_records_are_converted_and_looked_into() {
    let place = Place::new();
    let text: String =
        (0..50).map(|i| format!("{{\"i\": {i}, \"text\": \"{}\"}}\n", "ab".repeat(i))).collect();
    std::fs::write(place.path("a.jsonl"), &text).unwrap();
    place.good("data convert a.jsonl b.array_record --options group_size:8,brotli:3");
    place.good("data convert b.array_record c.bagz");
    place.good("data convert c.bagz a.jsonl d.tfrecord.gz");
    place.good("data convert d.tfrecord.gz d.parquet");
    place.good("data convert d.parquet d.csv");
    assert_eq!(
        place.good("data inspect d.csv --first 1").lines().nth(2),
        Some("  0: {\"i\":\"0\",\"text\":\"\"}")
    );
    place.good("data convert d.tfrecord.gz e.jsonl");
    assert_eq!(std::fs::read_to_string(place.path("e.jsonl")).unwrap(), text.repeat(2));
    let shown = place.good("data inspect b.array_record d.tfrecord.gz --first 1");
    for part in [
        "b.array_record: array_record, 50 records in ",
        "  schema: json: i number, text string, 20 to 119 bytes each\n  0: {\"i\": 0, \"text\": \"\"}\n",
        "d.tfrecord.gz: tf_record, 100 records in ",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&place.good("data inspect c.bagz --json --first 2")).unwrap();
    assert_eq!(
        (&json[0]["records"], &json[0]["fields"]["i"], json[0]["first"].as_array().unwrap().len()),
        (&50.into(), &"number".into(), 2)
    );
}

#[test]
fn splits_of_folders_are_looked_into_and_converted() {
    let place = Place::new();
    std::fs::create_dir(place.path("set")).unwrap();
    std::fs::write(place.path("set/train.jsonl"), "{\"i\": 1}\n{\"i\": 2}\n").unwrap();
    std::fs::write(place.path("set/test.jsonl"), "{\"i\": 3}\n").unwrap();
    let shown = place.good("data inspect set --first 1");
    for part in
        ["set train: hugging_face, 2 records in 18 bytes", "set test: hugging_face, 1 records in 9 bytes"]
    {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    place.good("data convert set a.csv --split train");
    assert_eq!(std::fs::read_to_string(place.path("a.csv")).unwrap(), "i\n1\n2\n");
    place.refused("data convert set a.csv", "the folder set has several splits");
    place.refused("data convert set a.csv --split dev", "there is no split `dev`");
    place.refused("data inspect a.csv --split train", "files of the format csv have no split `train`");
}

#[test]
fn damage_of_records_is_shown_and_left_out_where_it_is_to_be() {
    let place = Place::new();
    std::fs::write(place.path("a.txt"), "one\ntwo\nthree\n").unwrap();
    place.good("data convert a.txt b.tfrecord");
    let mut bytes = std::fs::read(place.path("b.tfrecord")).unwrap();
    bytes[12 + 3 + 4 + 12] ^= 1;
    std::fs::write(place.path("b.tfrecord"), bytes).unwrap();
    let done = place.jarrah("data inspect b.tfrecord");
    assert!(done.code == Some(2) && done.out.contains("2 records in 59 bytes"), "{done:?}");
    let damage = "damage: b.tfrecord: record 1: the checksum of a record does not fit, at byte 19";
    assert!(done.out.contains(damage), "{done:?}");
    let done = place.jarrah("data convert b.tfrecord c.txt");
    assert!(done.code == Some(2) && !place.path("c.txt").exists(), "{done:?}");
    place.good("data convert b.tfrecord c.txt --skip-damaged");
    assert_eq!(std::fs::read_to_string(place.path("c.txt")).unwrap(), "one\nthree\n");
    place.refused("data convert a.txt b", "the name b tells no format to write");
    place.refused(
        "data convert a.txt b.array_record --options group_size:0",
        "`group_size:0` is no option of ArrayRecord",
    );
    place.refused("data inspect none.jsonl", "cannot read none.jsonl");
}
