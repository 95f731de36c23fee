use std::fs;

use jarrah_base::Result;
use jarrah_data::{
    OnDamage, RandomAccess, RecordFormat, StreamCompression, TfExample, TfFeature, WebDataset,
    WebDatasetWriter,
};

use super::{all, folder, written};

fn bytes(content: &[u8]) -> TfFeature {
    TfFeature::Bytes(vec![content.to_vec()])
}

fn sample(key: &str, txt: &str) -> Vec<u8> {
    TfExample::from([("__key__".into(), bytes(key.as_bytes())), ("txt".into(), bytes(txt.as_bytes()))])
        .encode()
}

#[test]
fn records_that_are_no_samples_become_samples_of_one_file() {
    let folder = folder();
    let path = folder.path().join("a.tar");
    let number = TfExample::from([
        ("cls".into(), TfFeature::Ints(vec![7])),
        ("p".into(), TfFeature::Floats(vec![0.5])),
    ]);
    let records = [&b"{\"a\": 1}"[..], b"so it goes", b"\xff\xfe", &number.encode()].map(<[u8]>::to_vec);
    written("web_dataset", &path, "", &records).unwrap();
    let found: Vec<TfExample> = all(&WebDataset::open(&[&path]).unwrap())
        .unwrap()
        .iter()
        .map(|r| TfExample::decode(r).unwrap())
        .collect();
    let key = |i: usize| ("__key__".to_owned(), bytes(format!("00000000{i}").as_bytes()));
    for (i, (end, record)) in ["json", "txt", "bin"].iter().zip(&records).enumerate() {
        assert_eq!(found[i], TfExample::from([key(i), ((*end).to_owned(), bytes(record))]));
    }
    assert_eq!(found[3], TfExample::from([key(3), ("cls".into(), bytes(b"7")), ("p".into(), bytes(b"0.5"))]));
}

#[test]
fn samples_that_files_cannot_hold_are_refused() {
    let folder = folder();
    let path = folder.path().join("a.tar");
    let write =
        |records: &[Vec<u8>]| written("web_dataset", &path, "", records).map_err(|e| e.message().to_owned());
    assert!(write(&[sample("a", "1"), sample("a", "2")]).unwrap_err().contains("would be one"));
    for key in ["a.b", "", "a/.b", "a\0"] {
        assert!(write(&[sample(key, "1")]).unwrap_err().contains("cannot name files"), "{key}");
    }
    let two = TfExample::from([("txt".into(), TfFeature::Ints(vec![1, 2]))]).encode();
    assert!(write(&[two]).unwrap_err().contains("does not have one value"));
    let name = TfExample::from([("a/b".into(), bytes(b""))]).encode();
    assert!(write(&[name]).unwrap_err().contains("no ending"));
    assert!(!path.exists());
    assert!(
        write(&[sample("a", "1"), sample("b", "2"), sample(&format!("{}/a", "x".repeat(200)), "3")]).is_ok()
    );
}

#[test]
fn damaged_headers_are_named_and_gone_around() {
    let folder = folder();
    let path = folder.path().join("a.tar");
    let records: Vec<_> = (0..6).map(|i| sample(&format!("s{i}"), &"x".repeat(700))).collect();
    written("web_dataset", &path, "", &records).unwrap();
    let whole = fs::read(&path).unwrap();
    // Each file has a header and two blocks.
    let at = 2 * 3 * 512;
    let mut bytes = whole.clone();
    bytes[at + 5] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let e = WebDataset::open(&[&path]).err().unwrap();
    assert!(
        e.message().contains(&format!("a.tar: the checksum of a header of tar does not fit, at byte {at}")),
        "{e}"
    );
    let files = WebDataset::open_with(&[&path], OnDamage::Skip).unwrap();
    assert_eq!((files.len(), files.verify().unwrap().len()), (5, 1));
    // A file with two files of one ending in a sample, and one that is cut short.
    let doubled = [&whole[..3 * 512], &whole[..]].concat();
    fs::write(&path, doubled).unwrap();
    let e = WebDataset::open(&[&path]).unwrap().get(0).unwrap_err();
    assert!(e.message().contains("the sample s0 has two files that end with .txt, at byte 1536"), "{e}");
    for length in [700, 1900, 5 * 512 + 100] {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(WebDataset::open(&[&path]).err().unwrap().message().contains("ends within"), "{length}");
    }
}

#[test]
fn files_that_are_no_samples_are_left_out() -> Result<()> {
    let folder = folder();
    let path = folder.path().join("a.tar");
    // Names without an ending, and such as begin with a dot, as TarWriter's readers leave them out.
    let mut tar = Vec::new();
    for (name, content) in [("README", "x"), (".hidden", "x"), ("a/b.c/d.TXT", "y"), ("a/b.c/d.seg.png", "z")]
    {
        let mut writer = WebDatasetWriter::new(Vec::new());
        jarrah_data::RecordWriter::write(&mut writer, &sample("k", content))?;
        jarrah_data::RecordWriter::finish(&mut writer)?;
        let mut one = writer.into_inner();
        one.truncate(1024);
        one[..100].fill(0);
        one[..name.len()].copy_from_slice(name.as_bytes());
        one[148..156].fill(b' ');
        let sum: u64 = one[..512].iter().map(|&b| u64::from(b)).sum();
        one[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        tar.extend(one);
    }
    fs::write(&path, tar).unwrap();
    let files = WebDataset::open(&[&path])?;
    assert_eq!(files.len(), 1);
    let expected = TfExample::from([
        ("__key__".into(), bytes(b"a/b.c/d")),
        ("txt".into(), bytes(b"y")),
        ("seg.png".into(), bytes(b"z")),
    ]);
    assert_eq!(TfExample::decode(&files.get(0)?)?, expected);
    Ok(())
}

#[test]
fn compressed_tar_files_are_read_and_written() {
    let folder = folder();
    let records = [sample("a/1", "so"), sample("a/2", "it goes")];
    for name in ["a.tar.gz", "a.tar.zst"] {
        let path = folder.path().join(name);
        written("web_dataset", &path, "", &records).unwrap();
        assert_ne!(StreamCompression::of(&fs::read(&path).unwrap()), StreamCompression::None);
        assert_eq!(RecordFormat::of_file(&path).unwrap(), RecordFormat::WebDataset);
        let found = all(&WebDataset::open(&[&path]).unwrap()).unwrap();
        assert!(found.iter().map(|r| &**r).eq(records.iter().map(|r| &r[..])), "{name}");
    }
}
