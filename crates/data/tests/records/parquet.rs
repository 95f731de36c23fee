use std::fs;
use std::time::{Duration, Instant};

use jarrah_base::{ErrorKind, Result};
use jarrah_data::{
    IterDataset, OnDamage, Parquet, ParquetOptions, ParquetWriter, RecordConversion, RecordFormat,
};

use super::mutants::{alone, damage, next};
use super::{folder, golden_bytes, goldens, written};

fn numbered(count: usize) -> Vec<Vec<u8>> {
    (0..count)
        .map(|i| format!(r#"{{"i":{i},"x":{}.5,"t":"row {i}","b":true,"n":null}}"#, i * 3).into_bytes())
        .collect()
}

#[test]
fn rows_go_on_from_each_position() {
    let folder = folder();
    let paths = [0, 1].map(|i| folder.path().join(i.to_string()));
    written("parquet", &paths[0], "rows:4", &numbered(10)).unwrap();
    written("parquet", &paths[1], "uncompressed", &numbered(3)).unwrap();
    let dataset = IterDataset::records(Parquet::in_order(&paths, OnDamage::Fail));
    let every: Vec<_> = dataset.iter().unwrap().collect::<Result<_>>().unwrap();
    assert_eq!((every.len(), &every[9][..]), (13, &numbered(10)[9][..]));
    for taken in 0..=13 {
        let mut first = dataset.iter().unwrap();
        first.by_ref().take(taken).for_each(|r| drop(r.unwrap()));
        let mut second = dataset.iter().unwrap();
        second.set_state(&first.state()).unwrap();
        assert_eq!(second.collect::<Result<Vec<_>>>().unwrap(), every[taken..], "{taken}");
    }
    let to = folder.path().join("a.jsonl");
    let done = RecordConversion::run(&paths, None, None, &to, RecordFormat::JsonLines, None, OnDamage::Fail)
        .unwrap();
    assert_eq!(done.records, 13);
    let back = folder.path().join("b.parquet");
    RecordConversion::run(&[&to], None, None, &back, RecordFormat::Parquet, Some("brotli"), OnDamage::Fail)
        .unwrap();
    assert_eq!(
        RecordFormat::of_file(&back).unwrap().open(&[&back], OnDamage::Fail).unwrap().verify().unwrap().0,
        13
    );
}

#[test]
fn columns_have_the_types_of_their_first_rows() {
    let folder = folder();
    let path = folder.path().join("a.parquet");
    let write = |options: &str, rows: &[&str]| {
        let rows: Vec<Vec<u8>> = rows.iter().map(|row| row.as_bytes().to_vec()).collect();
        written("parquet", &path, options, &rows)
    };
    let read = || -> Vec<String> {
        let rows = IterDataset::records(Parquet::in_order(&[&path], OnDamage::Fail));
        rows.iter().unwrap().map(|row| String::from_utf8(row.unwrap().to_vec()).unwrap()).collect()
    };
    write("", &[r#"{"a":null,"b":1}"#, r#"{"b":2.5,"c":[1]}"#, r#"{"a":true,"c":"x"}"#]).unwrap();
    assert_eq!(
        read(),
        [
            r#"{"a":null,"b":1.0,"c":null}"#,
            r#"{"a":null,"b":2.5,"c":"[1]"}"#,
            r#"{"a":true,"b":null,"c":"x"}"#
        ]
    );
    for (rows, part) in [
        (&[r#"{"a":1}"#, r#"{"a":"x"}"#][..], "record 1 has a value of \"a\""),
        (&[r#"{"a":1}"#, r#"{"b":1}"#], "record 1 has a value of \"b\""),
        (&["[1]"], "record 0 is no object"),
    ] {
        let e = write("rows:1", rows).unwrap_err();
        assert!(e.message().contains(part), "{e}");
    }
    for wrong in ["zstd", "rows:0"] {
        assert!(wrong.parse::<ParquetOptions>().is_err(), "{wrong}");
    }
    assert!(ParquetWriter::write_file(&path, ParquetOptions::default(), &mut |_| Ok(())).is_ok());
    assert_eq!(read().len(), 0);
}

#[test]
fn numbers_keep_their_last_digit() {
    let folder = folder();
    let path = folder.path().join("a.parquet");
    let row = br#"{"x":-947378025.5077397}"#.to_vec();
    written("parquet", &path, "", std::slice::from_ref(&row)).unwrap();
    let rows = IterDataset::records(Parquet::in_order(&[&path], OnDamage::Fail));
    assert_eq!(rows.iter().unwrap().next().unwrap().unwrap()[..], row[..]);
}

#[test]
fn a_damaged_group_of_rows_is_named_or_left_out() {
    let folder = folder();
    let path = folder.path().join("a.parquet");
    written("parquet", &path, "snappy,rows:4", &numbered(12)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    // In the texts of the second group.
    let at = bytes.windows(5).position(|w| w == b"row 4").unwrap();
    bytes[at - 12..at + 8].fill(0xff);
    fs::write(&path, bytes).unwrap();
    let rows = Parquet::in_order(&[&path], OnDamage::Skip);
    let (count, damage) = rows.verify().unwrap();
    assert!(count >= 8 && damage.len() == 1, "{count} {damage:?}");
    assert!(damage[0].to_string().contains("a.parquet: record 4: "), "{}", damage[0]);
    assert_eq!(IterDataset::records(rows.clone()).iter().unwrap().count(), count as usize);
    assert_eq!(rows.skipped(), 1);
    let failing = IterDataset::records(Parquet::in_order(&[&path], OnDamage::Fail));
    assert!(failing.iter().unwrap().any(|row| row.is_err_and(|e| e.message().contains("record 4"))));
}

#[test]
fn damaged_tables_are_refused_in_words() {
    alone("records::parquet::damaged_tables_are_refused_in_words", |count| {
        // The decoder's panics are caught; what is printed is seen if the test fails.
        std::panic::set_hook(Box::new(|panic| println!("panic: {panic}")));
        let folder = folder();
        let path = folder.path().join("a.parquet");
        let goldens: Vec<_> = goldens("parquet").iter().map(|golden| golden_bytes(&golden.name)).collect();
        let mut read = 0;
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut bytes = goldens[number % goldens.len()].clone();
            let length = bytes.len();
            let keep_length = next(&mut random).is_multiple_of(2);
            damage(&mut bytes, 0..length, &mut random, keep_length);
            fs::write(&path, bytes).unwrap();
            let begun = Instant::now();
            for row in IterDataset::records(Parquet::in_order(&[&path], OnDamage::Skip)).iter().unwrap() {
                match row {
                    Ok(_) => read += 1,
                    Err(e) => assert!(
                        matches!(e.kind(), ErrorKind::Input | ErrorKind::Environment),
                        "mutant {number}: {e}"
                    ),
                }
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "mutant {number}");
        }
        println!("{read} rows of {count} mutants were read");
    });
}
