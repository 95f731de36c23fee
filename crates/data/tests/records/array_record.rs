use std::fs;

use jarrah_data::{ArrayRecord, ArrayRecordOptions, OnDamage, RandomAccess, RecordCompression};

use super::{assert_has, folder, written};

fn records(count: usize, size: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| (0..size + i).map(|k| ((k * 31 + i * 7) >> 2) as u8).collect()).collect()
}

#[test]
fn records_of_all_sizes_survive_all_options() {
    let folder = folder();
    let path = folder.path().join("a");
    // Sizes at which a chunk, its header or a block header ends where a block does.
    for size in [0, 1, 64, 65_300, 65_400, 65_536 - 24 - 40 - 64 - 3, 65_536, 200_000] {
        for options in ["uncompressed", "zstd:3", "brotli:1", "snappy"] {
            for more in ["group_size:1", "group_size:3", "group_size:2,pad_to_block_boundary:true"] {
                let options = format!("{options},{more}");
                let records = records(5, size);
                written("array_record", &path, &options, &records).unwrap();
                assert_has(&ArrayRecord::open(&[&path]).unwrap(), &records, &format!("{options} of {size}"));
            }
        }
    }
}

#[test]
fn chunks_end_at_every_place_of_a_block() {
    let folder = folder();
    let path = folder.path().join("a");
    for size in 65_536 - 400..65_536 {
        let records = vec![vec![7; size], vec![8; 50], vec![9; 3]];
        written("array_record", &path, "uncompressed", &records).unwrap();
        assert_has(&ArrayRecord::open(&[&path]).unwrap(), &records, &size.to_string());
        let walked = ArrayRecord::open_with(&[&path], OnDamage::Skip).unwrap();
        assert_has(&walked, &records, &size.to_string());
    }
}

#[test]
fn options_are_those_of_the_package() {
    let parsed = |text: &str| text.parse::<ArrayRecordOptions>().map(|o| o.to_string());
    // As `ArrayRecordWriter` stores them.
    for (text, stored) in [
        (
            "group_size:1,uncompressed",
            "group_size:1,transpose:false,pad_to_block_boundary:false,uncompressed,max_parallelism:1",
        ),
        (
            "group_size:4,zstd:3",
            "group_size:4,transpose:false,pad_to_block_boundary:false,zstd:3,window_log:20,max_parallelism:1",
        ),
        (
            "brotli:6,group_size:3",
            "group_size:3,transpose:false,pad_to_block_boundary:false,brotli:6,max_parallelism:1",
        ),
        (
            "snappy,group_size:3",
            "group_size:3,transpose:false,pad_to_block_boundary:false,snappy,max_parallelism:1",
        ),
        (
            "group_size:2,uncompressed,pad_to_block_boundary:true",
            "group_size:2,transpose:false,pad_to_block_boundary:true,uncompressed,max_parallelism:1",
        ),
    ] {
        assert_eq!(parsed(text).unwrap(), stored);
    }
    assert_eq!(parsed("default").unwrap(), ArrayRecordOptions::default().to_string());
    for wrong in [
        "group_size:0",
        "zstd:23",
        "brotli:12",
        "snappy:1",
        "transpose",
        "transpose:true",
        "zstd,snappy",
        "zstd:1,zstd:2",
        "window_log:9",
        "uncompressed,window_log:20",
        "pad_to_block_boundary:yes",
        "speed:9",
    ] {
        assert!(parsed(wrong).is_err(), "{wrong}");
    }
    let options =
        ArrayRecordOptions { compression: RecordCompression::None, ..ArrayRecordOptions::default() };
    assert!(options.to_string().contains("uncompressed"));
}

/// The file, and the offset of its index.
fn a_file(records: &[Vec<u8>], options: &str) -> (tempfile::TempDir, std::path::PathBuf, Vec<u8>) {
    let folder = folder();
    let path = folder.path().join("a.array_record");
    written("array_record", &path, options, records).unwrap();
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

#[test]
fn a_damaged_index_is_named_and_made_again() {
    let records = records(40, 3000);
    let (_folder, path, whole) = a_file(&records, "group_size:3,uncompressed");
    // The postscript; the index, which names the options; both.
    let postscript = whole.len() - 65_536 + 24 + 40 + 3;
    let index = whole.windows(11).position(|w| w == b"group_size:").unwrap();
    for damaged in [vec![postscript], vec![index], vec![postscript, index]] {
        let mut bytes = whole.clone();
        damaged.iter().for_each(|&at| bytes[at] ^= 0x55);
        fs::write(&path, bytes).unwrap();
        let e = ArrayRecord::open(&[&path]).err().unwrap();
        assert!(e.message().contains("a.array_record: ") && e.message().contains("at byte "), "{e}");
        let files = ArrayRecord::open_with(&[&path], OnDamage::Skip).unwrap();
        // Where nothing tells what is the index, its entries count as damaged records.
        let most = if damaged.len() == 2 { 1 + 15 + 3 } else { 1 };
        assert!((1..=most).contains(&files.verify().unwrap().len()), "{damaged:?}");
        for (i, record) in records.iter().enumerate() {
            assert_eq!(&*files.get(i as u64).unwrap(), &record[..], "{damaged:?}");
        }
    }
}

#[test]
fn a_file_cut_short_anywhere_is_refused_and_its_sound_records_are_found() {
    let records = records(30, 9000);
    let (_folder, path, whole) = a_file(&records, "group_size:2,uncompressed");
    for length in (0..whole.len()).step_by(whole.len() / 61) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(ArrayRecord::open(&[&path]).is_err(), "{length}");
        let files = ArrayRecord::open_with(&[&path], OnDamage::Skip).unwrap();
        let found = files.len() as usize;
        assert!(found >= (length / (2 * 9100)).saturating_sub(1) * 2 || found >= 30, "{found} of {length}");
        assert_has(&files, &records[..found], "the records before the end");
    }
}

#[test]
fn damage_in_the_middle_costs_the_records_of_its_chunk_or_block() {
    let records = records(60, 5000);
    let (_folder, path, whole) = a_file(&records, "group_size:1,uncompressed");
    for at in (64..whole.len() - (2 << 16)).step_by(7919) {
        let mut bytes = whole.clone();
        bytes[at..at + 4].fill(0xa5);
        // Without the index, too.
        for index_is_sound in [true, false] {
            if !index_is_sound {
                let end = bytes.len();
                bytes[end - 65_536 + 24 + 8] ^= 1;
            }
            fs::write(&path, &bytes).unwrap();
            let files = ArrayRecord::open_with(&[&path], OnDamage::Skip).unwrap();
            let sound: Vec<_> = (0..files.len()).filter_map(|i| files.get_sound(i).unwrap()).collect();
            let lost = if index_is_sound { 2 } else { 15 };
            assert!(sound.len() + lost >= records.len(), "{} at {at}, {index_is_sound}", sound.len());
            assert!(sound.iter().all(|r| records.iter().any(|of| of[..] == **r)));
        }
    }
}
