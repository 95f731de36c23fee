use std::fs;
use std::path::PathBuf;

use jarrah_base::Result;
use jarrah_data::{Arrow, IterDataset, OnDamage, RandomAccess, RecordFormat, RecordInspection};

use super::mutants::{alone, damage, next, survives};
use super::{all, folder, goldens, put};

/// The Arrow files among the goldens.
fn files(scratch: &tempfile::TempDir) -> Vec<PathBuf> {
    fn below(folder: &std::path::Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => below(&path, found),
                false if path.extension().is_some_and(|end| end == "arrow") => found.push(path),
                false => {}
            }
        }
    }
    let mut found = Vec::new();
    for golden in goldens("hugging_face") {
        below(&put(scratch, &golden.name), &mut found);
    }
    found.sort();
    found
}

#[test]
fn rows_are_found_by_number_and_go_on_from_each_position() {
    let scratch = folder();
    let paths = files(&scratch);
    assert!(paths.len() > 3);
    for path in &paths {
        assert_eq!(RecordFormat::of_file(path).unwrap(), RecordFormat::Arrow);
        let rows = all(&Arrow::open(&[path]).unwrap()).unwrap();
        let found = RecordInspection::of(path, None, None, 1).unwrap();
        assert_eq!((found.records, found.damage.len()), (rows.len() as u64, 0));
        let dataset = IterDataset::records(RecordFormat::Arrow.open(&[path], OnDamage::Fail).unwrap());
        for taken in 0..=rows.len() {
            let mut first = dataset.iter().unwrap();
            first.by_ref().take(taken).for_each(|row| drop(row.unwrap()));
            let mut second = dataset.iter().unwrap();
            second.set_state(&first.state()).unwrap();
            assert_eq!(second.collect::<Result<Vec<_>>>().unwrap(), rows[taken..]);
        }
    }
}

#[test]
fn a_file_that_is_cut_short_has_its_first_batches() {
    let scratch = folder();
    let is_large = |path: &&PathBuf| Arrow::open(&[path]).unwrap().len() > 2;
    let paths = files(&scratch);
    let path = paths.iter().find(is_large).unwrap();
    let bytes = fs::read(path).unwrap();
    let whole = Arrow::open(&[path]).unwrap().len();
    let cut = scratch.path().join("cut.arrow");
    let mut least = whole;
    for length in (0..bytes.len()).rev().step_by(64) {
        fs::write(&cut, &bytes[..length]).unwrap();
        match Arrow::open_with(&[&cut], OnDamage::Skip) {
            Ok(files) => {
                assert!(files.len() <= least);
                least = files.len();
                assert_eq!(all(&files).unwrap().len() as u64, least);
            }
            // The schema is cut.
            Err(e) => assert!(e.message().contains("cut.arrow: ") && least == 0, "{e}"),
        }
    }
    fs::write(&cut, b"ARROW1\0\0").unwrap();
    let e = Arrow::open(&[&cut]).err().unwrap();
    assert!(e.message().contains("there is no schema, at byte 8"), "{e}");
}

#[test]
fn damaged_arrow_files_are_refused_in_words() {
    alone("records::arrow::damaged_arrow_files_are_refused_in_words", |count| {
        // The decoder's panics are caught; what is printed is seen if the test fails.
        std::panic::set_hook(Box::new(|panic| println!("panic: {panic}")));
        let scratch = folder();
        let path = scratch.path().join("a.arrow");
        let goldens: Vec<Vec<u8>> = files(&scratch).iter().map(|path| fs::read(path).unwrap()).collect();
        let mut read = 0;
        for number in 0..count {
            let mut random = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut bytes = goldens[number % goldens.len()].clone();
            let length = bytes.len();
            let keep_length = next(&mut random).is_multiple_of(2);
            damage(&mut bytes, 0..length, &mut random, keep_length);
            fs::write(&path, bytes).unwrap();
            let on_damage = [OnDamage::Fail, OnDamage::Skip][next(&mut random) % 2];
            read += usize::from(survives(&path, Arrow::open_with(&[&path], on_damage), number));
        }
        println!("{read} of {count} mutants were read");
    });
}
