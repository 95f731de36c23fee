use std::fs;

use jarrah_data::{Csv, CsvOptions, CsvWriter, OnDamage, RandomAccess, RecordFormat, StreamCompression};

use super::{all, folder};

fn rows(text: &str, name: &str) -> jarrah_base::Result<Vec<String>> {
    let folder = folder();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let found = all(&Csv::open(&[&path])?)?;
    Ok(found.iter().map(|row| String::from_utf8(row.to_vec()).unwrap()).collect())
}

#[test]
fn rows_are_objects_of_texts() {
    for (text, name, expected) in [
        (
            "a,b\n1,2\r\n\n\"x,\"\"y\"\"\n\",\n",
            "a.csv",
            &[r#"{"a":"1","b":"2"}"#, r#"{"a":"x,\"y\"\n","b":""}"#][..],
        ),
        ("\u{feff}a\tb c\n1,2\t3", "a.tsv", &[r#"{"a":"1,2","b c":"3"}"#]),
        ("a\n\n\"\"\nx\n", "a.csv", &[r#"{"a":""}"#, r#"{"a":"x"}"#]),
        ("a,b\n", "a.csv", &[]),
    ] {
        assert_eq!(rows(text, name).unwrap(), expected, "{text:?}");
    }
}

#[test]
fn damaged_rows_are_named() {
    for (text, part) in [
        ("a,b\n1,2\n1\n", "a.csv: record 1: the row has 1 fields, but there are 2 columns, at byte 8"),
        ("a,b\n1,\"2\n", "record 0: a quoted field does not end, at byte 4"),
        ("a,b\n\"1\"x,2\n", "record 0: text stands behind a quoted field"),
        ("a,a\n", "two columns have the name a"),
    ] {
        let e = rows(text, "a.csv").unwrap_err();
        assert!(e.message().contains(part), "{e}");
    }
    let folder = folder();
    let path = folder.path().join("a.csv");
    fs::write(&path, b"a,b\n\xff,1\n1,2\n").unwrap();
    let files = Csv::open_with(&[&path], CsvOptions::default(), OnDamage::Skip).unwrap();
    assert_eq!((files.get_sound(0).unwrap(), files.skipped()), (None, 1));
    assert!(files.get_sound(1).unwrap().is_some());
    assert_eq!(RecordFormat::of_file(&path).ok(), None, "it is no text");
}

#[test]
fn compressed_tables_are_read_and_written() {
    let folder = folder();
    let rows: Vec<String> = (0..400).map(|i| format!("{{\"a\":\"{i}\",\"b\":\"x, {i}\"}}")).collect();
    for name in ["a.csv", "a.csv.gz", "a.tsv.zst"] {
        let path = folder.path().join(name);
        CsvWriter::write_file(&path, CsvOptions::default(), &mut |w| {
            rows.iter().try_for_each(|r| w.write(r.as_bytes()))
        })
        .unwrap();
        let bytes = fs::read(&path).unwrap();
        assert_eq!(StreamCompression::of(&bytes) != StreamCompression::None, name != "a.csv");
        assert_eq!(RecordFormat::of_file(&path).unwrap(), RecordFormat::Csv);
        let found = all(&Csv::open(&[&path]).unwrap()).unwrap();
        assert!(found.iter().map(|r| &**r).eq(rows.iter().map(|r| r.as_bytes())), "{name}");
        if name == "a.csv.gz" {
            fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
            let e = Csv::open(&[&path]).err().unwrap();
            assert!(e.message().contains("a.csv.gz: it cannot be read on"), "{e}");
        }
    }
}

#[test]
fn objects_become_rows_of_the_first_ones_keys() {
    let folder = folder();
    let path = folder.path().join("a.csv");
    let write = |records: &[&str]| {
        let records = records.to_vec();
        CsvWriter::write_file(&path, CsvOptions::default(), &mut |w| {
            records.iter().try_for_each(|r| w.write(r.as_bytes()))
        })
    };
    write(&[r#"{"n": 1.50, "t": "a\"b", "l": [1, null]}"#, r#"{"t": null, "n": true}"#]).unwrap();
    let expected = "n,t,l\n1.50,\"a\"\"b\",\"[1, null]\"\ntrue,,\n";
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    for (records, part) in [
        (&[r#"{"a": 1}"#, r#"{"b": 1}"#][..], "record 1 has the key \"b\""),
        (&["1"], "record 0 is no object"),
    ] {
        assert!(write(records).unwrap_err().message().contains(part));
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    for wrong in ["delimiter:", "delimiter:ab", "delimiter:\"", ";"] {
        assert!(wrong.parse::<CsvOptions>().is_err(), "{wrong}");
    }
}
