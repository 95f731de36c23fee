//! `jarrah data`: the order of indices that Grain 0.2.18 delivers for the same numbers; files of records, looked into and converted; pipelines of files.

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

const PIPELINE: &str = "[[source]]\nfiles = [\"*.jsonl\"]\n\n[[stage]]\nkind = \"shuffle\"\n\n[[stage]]\nkind = \"json\"\n\n\
                        [[stage]]\nkind = \"filter\"\nmin_bytes = 5\n\n[[stage]]\nkind = \"threads\"\n";

/// A place with 40 records, of which 20 pass the filter of the pipeline.
fn pipeline() -> Place {
    let place = Place::new();
    let line = |i: usize| format!("{{\"text\": \"<{}>\"}}\n", "ab".repeat(i % 4));
    std::fs::write(place.path("a.jsonl"), (0..40).map(line).collect::<String>()).unwrap();
    std::fs::write(place.path("p.toml"), PIPELINE).unwrap();
    place
}

#[test]
fn a_pipeline_is_shown_stage_by_stage() {
    let place = pipeline();
    let shown = place.good("data show p.toml --html p.html");
    let lines: Vec<&str> = shown.lines().collect();
    assert!(
        lines[0].starts_with("p.toml: 20 elements in ") && lines[0].ends_with(", which are all"),
        "{shown}"
    );
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(lines[1])[..5], ["stage", "line", "from", "in", "out"]);
    assert_eq!(words(lines[2])[..5], ["0", "source", "1", "0", "40"]);
    assert_eq!(lines[3], "     {\"text\": \"<>\"}");
    let row = |name: &str| words(lines.iter().find(|line| line.contains(&format!(" {name} "))).unwrap());
    assert_eq!(row("shuffle")[..6], ["1", "shuffle", "4", "0", "40", "40"]);
    assert_eq!(row("filter")[..6], ["3", "filter", "10", "2", "40", "20"]);
    assert_eq!(row("threads")[..6], ["4", "threads", "14", "3", "20", "20"]);
    assert!(lines.last().unwrap().starts_with("most time: "), "{shown}");
    let page = std::fs::read_to_string(place.path("p.html")).unwrap();
    for part in ["<!doctype html>", "<svg ", "4 threads", "&lt;ab", "</html>"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    // The page needs no other file.
    assert!(!page.contains("src=") && !page.contains("href="), "{page}");
    let keys = place.good("data show --keys");
    assert!(keys.contains("pack: Rows of whole texts") && keys.contains("  bins = 16"), "{keys}");
}

#[test]
fn the_rate_of_a_pipeline_is_measured() {
    let place = pipeline();
    let text = place.good("data bench p.toml --seconds 1");
    for part in ["records:  ", "(40 in ", "bytes:    ", "(20 delivered)", "the pipeline ended: "] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&place.good("data bench p.toml --threads 3 --json")).unwrap();
    assert_eq!(
        (&json["records"], &json["elements"], &json["has_ended"]),
        (&40.into(), &20.into(), &true.into())
    );
    let stages = json["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 5);
    assert_eq!(
        (&stages[3]["stage"], &stages[3]["elements_out"], &stages[3]["inputs"][0]),
        (&"filter".into(), &20.into(), &2.into())
    );
    assert!(stages.iter().all(|stage| stage["own"].as_f64().unwrap() >= 0.0));
    // An endless pipeline ends with the time.
    let endless = format!("{PIPELINE}\n[[stage]]\nkind = \"repeat\"\n");
    std::fs::write(place.path("endless.toml"), endless).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&place.good("data bench endless.toml --seconds 0.2 --json")).unwrap();
    assert_eq!(json["has_ended"], false);
    assert!(json["elements"].as_u64().unwrap() > 20, "{json}");
}

#[test]
fn pipelines_that_are_wrong_are_refused_with_a_line() {
    let place = pipeline();
    let write = |text: &str| std::fs::write(place.path("p.toml"), text).unwrap();
    write(&PIPELINE.replace("min_bytes", "min_byte"));
    let error = place.refused("data show p.toml", "there is no key filter.min_byte");
    assert!(error.contains("--> p.toml:12:1") && error.contains("did you mean filter.min_bytes?"), "{error}");
    write(&PIPELINE.replace("*.jsonl", "none.jsonl"));
    let error = place.refused("data bench p.toml", "there is no file none.jsonl");
    assert!(error.contains("--> p.toml:1:1"), "{error}");
    write(&PIPELINE.replace("min_bytes = 5", "min_bytes = 500"));
    place.refused("data bench p.toml", "the pipeline p.toml delivers no element");
    place.refused("data bench none.toml", "cannot read the pipeline none.toml");
    place.refused("data bench p.toml --seconds 0", "invalid value '0' for '--seconds <S>'");
    write(&PIPELINE.replace("kind = \"json\"", "kind = \"tokenize\""));
    let error = place.refused("data show p.toml", "the stage needs the key tokenizer");
    assert!(error.contains("--> p.toml:7:1"), "{error}");
}
