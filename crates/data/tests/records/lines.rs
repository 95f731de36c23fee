use std::fs;

use jarrah_base::Result;
use jarrah_data::{IterDataset, JsonLines, LineOptions, LineWriter, OnDamage, TextLines};

use super::{all, folder, read, written};

#[test]
fn lines_are_those_of_the_text() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    for (text, lines, records) in [
        ("", &[][..], &[][..]),
        ("a", &["a"], &["a"]),
        ("a\nb\n", &["a", "b"], &["a", "b"]),
        ("\r\na\r\n\n \t\nb\r", &["", "a", "", " \t", "b"], &["a", "b"]),
        ("x^2 + y^2\n", &["x^2 + y^2"], &["x^2 + y^2"]),
    ] {
        fs::write(&path, text).unwrap();
        let texts = |found: Vec<jarrah_data::RecordBytes>| -> Vec<String> {
            found.iter().map(|r| String::from_utf8(r.to_vec()).unwrap()).collect()
        };
        let in_order =
            |stream| IterDataset::records(stream).iter().unwrap().collect::<Result<Vec<_>>>().unwrap();
        assert_eq!(texts(all(&TextLines::open(&[&path]).unwrap()).unwrap()), lines, "{text:?}");
        assert_eq!(texts(in_order(TextLines::in_order(&[&path], OnDamage::Fail))), lines, "{text:?}");
        assert_eq!(texts(all(&JsonLines::open(&[&path]).unwrap()).unwrap()), records, "{text:?}");
        assert_eq!(texts(in_order(JsonLines::in_order(&[&path], OnDamage::Fail))), records, "{text:?}");
    }
}

#[test]
fn a_compressed_file_goes_on_from_its_state() {
    let folder = folder();
    let records: Vec<Vec<u8>> = (0..2000).map(|i| format!("line {i} of many").into_bytes()).collect();
    let mut paths = Vec::new();
    for options in ["", "gzip", "zstd"] {
        let path = folder.path().join(format!("a{options}"));
        written("lines", &path, options, &records).unwrap();
        assert_eq!(read("lines", &path, options).unwrap().len(), 2000);
        paths.push(path);
    }
    let dataset = IterDataset::records(TextLines::in_order(&paths, OnDamage::Fail));
    let mut first = dataset.iter().unwrap();
    for taken in [0, 1, 1999, 2000, 2001, 3999, 5000, 6000] {
        let mut second = dataset.iter().unwrap();
        second.by_ref().take(taken).for_each(|r| drop(r.unwrap()));
        first.set_state(&second.state()).unwrap();
        assert_eq!(first.by_ref().count(), 6000 - taken);
    }
    assert!(TextLines::open(&paths).err().unwrap().message().contains("is compressed"));
}

#[test]
fn a_record_that_is_no_line_is_refused_and_leaves_the_old_file() {
    let folder = folder();
    let path = folder.path().join("a.txt");
    fs::write(&path, "old").unwrap();
    for record in [&b"a\nb"[..], b"a\r"] {
        let e = LineWriter::write_file(&path, LineOptions::default(), &mut |writer| writer.write(record))
            .unwrap_err();
        assert!(e.message().contains("record 0 is no line"), "{e}");
    }
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!("zlib".parse::<LineOptions>().is_err() && "lz4".parse::<LineOptions>().is_err());
}
