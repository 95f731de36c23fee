use std::fs;

use jarrah_base::ErrorKind;
use jarrah_data::{Bagz, BagzOptions, BagzWriter, OnDamage, RandomAccess, RecordCompression, RecordLayout};

use super::{assert_has, folder, written};

fn numbered(range: std::ops::Range<usize>) -> Vec<Vec<u8>> {
    range.map(|i| format!("record {i}, and more of record {i}").into_bytes()).collect()
}

#[test]
fn the_name_says_whether_records_are_compressed() {
    let folder = folder();
    let records = numbered(0..40);
    for (name, is_zstd) in [("a.bag", false), ("a.bagz", true)] {
        let path = folder.path().join(name);
        written("bagz", &path, "", &records).unwrap();
        assert_has(&Bagz::open(&[&path]).unwrap(), &records, name);
        assert_eq!(fs::read(&path).unwrap().starts_with(&[0x28, 0xb5, 0x2f, 0xfd]), is_zstd, "{name}");
    }
}

#[test]
fn shards_are_found_by_their_number_and_by_a_star() {
    let folder = folder();
    for (i, range) in [0..4, 4..7, 7..10].into_iter().enumerate() {
        written("bagz", &folder.path().join(format!("a-{i:05}-of-00003.bagz")), "", &numbered(range))
            .unwrap();
    }
    let at = |name: &str| folder.path().join(name);
    for name in ["a@3.bagz", "a@00003.bagz", "a@*.bagz"] {
        assert_has(&Bagz::open(&[at(name)]).unwrap(), &numbered(0..10), name);
    }
    let options = BagzOptions { layout: RecordLayout::Interleaved, ..BagzOptions::default() };
    let interleaved = Bagz::open_with(&[at("a@3.bagz")], &options, OnDamage::Fail).unwrap();
    let order = [0, 4, 7, 1, 5, 8, 2, 6, 9, 3].map(|i| numbered(i..i + 1).remove(0));
    assert_has(&interleaved, &order, "interleaved");
    // A third file that has more records than the second.
    written("bagz", &at("a-00001-of-00003.bagz"), "", &numbered(4..6)).unwrap();
    let e = Bagz::open_with(&[at("a@3.bagz")], &options, OnDamage::Fail).err().unwrap();
    assert!(e.message().contains("[4, 2, 3]"), "{e}");
    for missing in ["a@4.bagz", "b@*.bagz"] {
        assert_eq!(Bagz::open(&[at(missing)]).err().unwrap().kind(), ErrorKind::Input, "{missing}");
    }
    fs::write(at("a-00000-of-00005.bagz"), "").unwrap();
    assert!(Bagz::open(&[at("a@*.bagz")]).err().unwrap().message().contains("several numbers of shards"));
}

#[test]
fn damage_is_named_and_left_out() {
    let folder = folder();
    let path = folder.path().join("a.bag");
    written("bagz", &path, "", &numbered(0..9)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let limits = bytes.len() - 9 * 8;
    // The end of record 4, which is the beginning of record 5, too.
    bytes[limits + 4 * 8 + 6] = 1;
    fs::write(&path, bytes).unwrap();
    let e = Bagz::open(&[&path]).unwrap().get(4).unwrap_err();
    assert!(
        e.message().contains("a.bag: record 4: ")
            && e.message().contains(&format!("at byte {}", limits + 32)),
        "{e}"
    );
    let files = Bagz::open_with(&[&path], &BagzOptions::default(), OnDamage::Skip).unwrap();
    let sound: Vec<u64> = (0..9).filter(|&i| files.get_sound(i).unwrap().is_some()).collect();
    assert_eq!(sound, [0, 1, 2, 3, 6, 7, 8]);
}

#[test]
fn limits_of_an_older_file_do_not_stay() {
    let folder = folder();
    let path = folder.path().join("a.bag");
    written("bagz", &path, "limits:separate", &numbered(0..9)).unwrap();
    assert!(folder.path().join("limits.a.bag").exists());
    written("bagz", &path, "", &numbered(0..4)).unwrap();
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert_has(&Bagz::open(&[&path]).unwrap(), &numbered(0..4), "the new file");
}

#[test]
fn options_that_are_none_are_refused() {
    for wrong in ["brotli", "zstd:99", "limits", "layout:random"] {
        assert!(wrong.parse::<BagzOptions>().is_err(), "{wrong}");
    }
    let options = BagzOptions { compression: Some(RecordCompression::Snappy), ..BagzOptions::default() };
    let folder = folder();
    let path = folder.path().join("a");
    assert!(BagzWriter::write_file(&path, &options, &mut |_| Ok(())).is_err());
    assert!(!path.exists());
}
