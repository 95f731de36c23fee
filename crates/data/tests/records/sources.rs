//! Positions of sources in order, and damaged records in pipelines.

use jarrah_base::Result;
use jarrah_data::{ArrayRecord, InOrder, IterDataset, MapDataset, OnDamage, RandomAccess, RecordBytes};

use super::{folder, written};

fn numbered(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| format!("record {i}").into_bytes()).collect()
}

#[test]
fn several_files_are_one_sequence() {
    let folder = folder();
    let records = numbered(10);
    let paths: Vec<_> = [0..3, 3..3, 3..10]
        .into_iter()
        .enumerate()
        .map(|(i, range)| {
            let path = folder.path().join(i.to_string());
            written("array_record", &path, "group_size:2", &records[range]).unwrap();
            path
        })
        .collect();
    let files = ArrayRecord::open(&paths).unwrap();
    assert_eq!(files.len(), 10);
    assert_eq!(
        files.get_many(&[9, 0, 3, 9, 2]).unwrap(),
        [9, 0, 3, 9, 2].map(|i| RecordBytes::from(records[i].clone()))
    );
    assert!(files.get(10).is_err() && files.get_many(&[0, 10]).is_err());
}

#[test]
fn a_source_in_order_goes_on_from_its_state() {
    let folder = folder();
    let path = folder.path().join("a");
    written("array_record", &path, "group_size:4,uncompressed", &numbered(11)).unwrap();
    let dataset = IterDataset::records(InOrder::of(ArrayRecord::open(&[&path]).unwrap()));
    let every: Vec<_> = dataset.iter().unwrap().collect::<Result<_>>().unwrap();
    assert_eq!(every.len(), 11);
    for taken in 0..=11 {
        let mut first = dataset.iter().unwrap();
        first.by_ref().take(taken).for_each(|r| drop(r.unwrap()));
        let mut second = dataset.iter().unwrap();
        second.set_state(&first.state()).unwrap();
        assert_eq!(second.collect::<Result<Vec<_>>>().unwrap(), every[taken..]);
    }
}

/// The file with a byte of record 4 changed.
fn damaged() -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = folder();
    let path = folder.path().join("a.array_record");
    written("array_record", &path, "group_size:1,uncompressed", &numbered(9)).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(8).position(|w| w == b"record 4").unwrap();
    bytes[at] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn a_damaged_record_is_named_by_file_number_and_byte() {
    let (_folder, path) = damaged();
    let files = ArrayRecord::open(&[&path]).unwrap();
    let e = files.get(4).unwrap_err();
    let damage = &files.verify().unwrap()[0];
    assert_eq!((damage.record, &*damage.path), (Some(4), &*path));
    assert_eq!(e.message(), damage.to_string());
    assert!(
        e.message().contains("a.array_record: record 4: the hash of a chunk's data does not fit, at byte "),
        "{e}"
    );
    assert!(files.get(3).is_ok() && files.get(5).is_ok());
    let elements: Vec<_> = MapDataset::source(files).to_iter().iter().unwrap().collect();
    assert_eq!(elements.len(), 5, "the error ends the elements");
}

#[test]
fn damaged_records_are_left_out_where_they_are_to_be() {
    let (_folder, path) = damaged();
    let files = std::sync::Arc::new(ArrayRecord::open_with(&[&path], OnDamage::Skip).unwrap());
    let dataset = MapDataset::source(files.clone());
    assert_eq!(dataset.get(4).unwrap(), None);
    let found: Vec<_> = dataset.shuffle(1).to_iter().iter().unwrap().collect::<Result<_>>().unwrap();
    assert_eq!((found.len(), files.skipped()), (8, 2));
    let in_order = IterDataset::records(InOrder::of(files));
    assert_eq!(in_order.iter().unwrap().count(), 8);
    // A stage that needs each index refuses a source with holes.
    assert!(dataset.batch(2).get(0).unwrap_err().message().contains("holes"));
}
