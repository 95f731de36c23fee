use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use jarrah_base::ErrorKind;
use jarrah_train::metrics::{Chart, Curve, Curves, EventWriter, JsonLines, Line, Recorder, Series};

fn written(path: &Path, steps: u64) {
    let mut lines = JsonLines::create(path).unwrap();
    (1..=steps).for_each(|step| lines.write(step, &[("loss", 1.0 / step as f64)]).unwrap());
}

fn read_steps(path: &Path) -> Vec<u64> {
    JsonLines::read(path).unwrap().iter().map(|line| line.step).collect()
}

#[test]
fn lines_are_json_and_read_back_to_the_last_bit() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    let mut lines = JsonLines::create(&path).unwrap();
    let values = [
        ("a \"quoted\"", 0.1 + 0.2),
        ("b", f64::NEG_INFINITY),
        ("c", f64::INFINITY),
        ("d", f64::MIN_POSITIVE),
    ];
    lines.write(7, &values).unwrap();
    lines.write(8, &[("loss", f64::NAN)]).unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "{\"step\":7,\"a \\\"quoted\\\"\":0.30000000000000004,\"b\":\"-Infinity\",\"c\":\"Infinity\",\
         \"d\":2.2250738585072014e-308}\n{\"step\":8,\"loss\":\"NaN\"}\n"
    );
    let read = JsonLines::read(&path).unwrap();
    let expected = values.iter().map(|(name, x)| (name.to_string(), *x)).collect();
    assert_eq!(read[0], Line { step: 7, values: expected });
    assert!(read[1].get("loss").unwrap().is_nan());
}

#[test]
fn resuming_cuts_what_came_after_the_step() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    written(&path, 5);
    let mut lines = JsonLines::resume(&path, 3).unwrap();
    assert_eq!(read_steps(&path), [1, 2, 3]);
    lines.write(4, &[]).unwrap();
    assert_eq!(read_steps(&path), [1, 2, 3, 4]);
    drop(JsonLines::resume(&path, 0).unwrap());
    assert_eq!(fs::metadata(&path).unwrap().len(), 0);
    assert_eq!(JsonLines::create(&path).err().unwrap().kind(), ErrorKind::Input);
    let other = dir.path().join("other.jsonl");
    JsonLines::resume(&other, 3).unwrap().write(4, &[]).unwrap();
    assert_eq!(read_steps(&other), [4]);
}

#[test]
fn a_half_written_last_line_is_dropped_and_any_other_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    written(&path, 3);
    let whole = fs::read(&path).unwrap();
    let ends: Vec<usize> = (0..whole.len()).filter(|&i| whole[i] == b'\n').map(|i| i + 1).collect();
    for len in 0..=whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let complete = ends.iter().filter(|&&end| end <= len).count() as u64;
        assert_eq!(read_steps(&path), (1..=complete).collect::<Vec<_>>());
        JsonLines::resume(&path, 9).unwrap().write(9, &[]).unwrap();
        assert_eq!(read_steps(&path).len() as u64, complete + 1);
    }
    fs::write(&path, "{\"step\":1}\n{\"step\":2,\"lo\n{\"step\":3}\n").unwrap();
    let error = JsonLines::resume(&path, 9).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.to_string().contains("metrics.jsonl:2:1"), "{error}");
}

/// The data of every record, its checksums compared with the definition.
fn records(bytes: &[u8]) -> Vec<Vec<u8>> {
    // crc32c bit by bit, reflected polynomial 0x82f63b78.
    let masked = |data: &[u8]| {
        let mut crc = !0u32;
        for byte in data {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0x82f6_3b78 } else { crc >> 1 };
            }
        }
        let crc = !crc;
        crc.rotate_right(15).wrapping_add(0xa282_ead8)
    };
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut at, mut found) = (0, Vec::new());
    while at < bytes.len() {
        let len = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        assert_eq!(word(at + 8), masked(&bytes[at..at + 8]));
        let data = &bytes[at + 12..at + 12 + len];
        assert_eq!(word(at + 12 + len), masked(data));
        found.push(data.to_vec());
        at += len + 16;
    }
    found
}

#[test]
fn events_are_the_protobuf_messages_of_tensorboard() {
    let dir = tempfile::tempdir().unwrap();
    let now = UNIX_EPOCH + Duration::from_millis(1_500);
    let mut events = EventWriter::create(dir.path(), now, Some(299)).unwrap();
    events.scalars(now, 300, &[("loss", 1.5), ("lr", 0.0)]).unwrap();
    assert!(
        events.path().file_name().unwrap().to_str().unwrap().starts_with("events.out.tfevents.0000000001.")
    );

    let head = |step: &[u8]| [b"\x09", &1.5f64.to_le_bytes()[..], b"\x10", step].concat();
    let expected = [
        [&head(b"\0")[..], b"\x1a\x0dbrain.Event:2"].concat(),
        // Step 300 is 0xac 0x02 as a varint; the session log says START.
        [&head(b"\xac\x02")[..], b"\x3a\x02\x08\x01"].concat(),
        [
            &head(b"\xac\x02")[..],
            b"\x2a\x18",
            b"\x0a\x0b\x0a\x04loss\x15\0\0\xc0\x3f",
            b"\x0a\x09\x0a\x02lr\x15\0\0\0\0",
        ]
        .concat(),
    ];
    assert_eq!(records(&fs::read(events.path()).unwrap()), expected);
    let another = EventWriter::create(dir.path(), now, None).unwrap();
    assert_ne!(another.path(), events.path());
}

#[test]
fn a_chart_shows_its_curves() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("loss.png");
    let train = (1..=1500).map(|i| {
        (f64::from(i), 2.0 + 6.0 * (-f64::from(i) / 200.0).exp() + 0.3 * f64::from(i * 7919 % 101) / 101.0)
    });
    let validation =
        (1..=8).map(|i| (f64::from(i) * 187.0, 2.3 + 6.0 * (-f64::from(i) * 187.0 / 200.0).exp()));
    let series = vec![
        Series { name: "train".into(), points: train.collect() },
        Series { name: "validation".into(), points: validation.collect() },
    ];
    let chart =
        |series| Chart { title: "a run".into(), x_label: "step".into(), y_label: "loss".into(), series };
    chart(series).write(&path).unwrap();
    let mut reader =
        png::Decoder::new(std::io::BufReader::new(fs::File::open(&path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (1200, 720));
    let count = |color: [u8; 3]| pixels.chunks(3).filter(|p| **p == color).count();
    // The training curve falls from the left edge to the bottom, the validation curve has its points beside it.
    assert!(count([34, 96, 158]) > 2000 && count([156, 63, 39]) > 1000);
    let at = |x: usize, y: usize| &pixels[(y * 1200 + x) * 3..][..3];
    assert_eq!(at(600, 205), [255, 255, 255]);
    let svg = fs::read_to_string(path.with_extension("svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    for part in
        [">loss</text>", ">a run</text>", ">step</text>", "train  2.", "validation  2.", "#22609e", "#9c3f27"]
    {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    // The axes end where the data do: a tick at 1400 and none at 1600.
    assert!(
        svg.contains(">1400</text>") && !svg.contains(">1600</text>") && !svg.contains(">0</text>"),
        "{svg}"
    );

    let error = chart(vec![]).write(&dir.path().join("none/loss.png")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Environment);
}

#[test]
fn a_recorder_keeps_both_files_in_step() {
    let dir = tempfile::tempdir().unwrap();
    let mut recorder = Recorder::create(dir.path()).unwrap();
    (1..=4).for_each(|step| recorder.record(step, &[("loss", 1.0)]).unwrap());
    drop(recorder);
    assert!(Recorder::create(dir.path()).is_err());
    let mut recorder = Recorder::resume(dir.path(), 2).unwrap();
    recorder.record(3, &[("loss", 2.0), ("val_loss", 3.0)]).unwrap();
    assert_eq!(read_steps(&dir.path().join(Recorder::LINES)), [1, 2, 3]);
    let chart = recorder.chart("t", &[("loss", "train"), ("val_loss", "validation")]).unwrap();
    assert_eq!(chart.series[0].points, [(1.0, 1.0), (2.0, 1.0), (3.0, 2.0)]);
    assert_eq!(chart.series[1].points, [(3.0, 3.0)]);
    let events = fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e != "jsonl"));
    assert_eq!(events.map(|p| records(&fs::read(p).unwrap()).len()).sum::<usize>(), 5 + 3);
}

#[test]
fn curves_follow_a_file_that_grows_or_is_cut() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    let mut curves = Curves::new(&path);
    assert!(!curves.refresh().unwrap() && curves.all().is_empty());
    fs::write(&path, "").unwrap();
    assert!(!curves.refresh().unwrap());
    written(&dir.path().join("all"), 40);
    let all = fs::read(dir.path().join("all")).unwrap();
    let ends: Vec<usize> = (0..all.len()).filter(|&i| all[i] == b'\n').map(|i| i + 1).collect();
    // The writer is met at any byte.
    for length in (0..all.len()).step_by(7).chain([all.len()]) {
        fs::write(&path, &all[..length]).unwrap();
        curves.refresh().unwrap();
        let whole = ends.iter().filter(|&&end| end <= length).count();
        assert_eq!(curves.get("loss").map_or(0, Curve::len), whole);
    }
    assert_eq!((curves.version(), curves.malformed()), (all.len() as u64, 0));
    assert_eq!(curves.get("loss").unwrap().last(), Some((40, 1.0 / 40.0)));
    // A run that is resumed after step 20 and writes other numbers, until the file is longer than it was.
    let mut lines = JsonLines::resume(&path, 20).unwrap();
    (21..=60).for_each(|step| lines.write(step, &[("loss", 7.0)]).unwrap());
    assert!(curves.refresh().unwrap());
    let loss = curves.get("loss").unwrap();
    assert_eq!((loss.len(), loss.thin(30, 30, 9)[0].mean, loss.least()), (60, 7.0, Some((20, 0.05))));
    fs::remove_file(&path).unwrap();
    assert!(curves.refresh().unwrap() && curves.all().is_empty());
}

#[test]
fn curves_pass_over_lines_that_are_no_metrics() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    let lines = "{\"step\":1,\"loss\":2}\nx\n{\"loss\":1}\n\u{0}\u{0}\n{\"step\":2,\"loss\":\"NaN\"}\n{\"step\":2,\"loss\":3}\n{\"step\":3,\"lo";
    fs::write(&path, lines).unwrap();
    let mut curves = Curves::new(&path);
    curves.refresh().unwrap();
    assert_eq!(curves.malformed(), 3);
    // What was measured again counts.
    let loss = curves.get("loss").unwrap();
    assert_eq!((loss.len(), loss.first(), loss.last()), (2, Some((1, 2.0)), Some((2, 3.0))));
}

#[test]
fn thinned_curves_keep_their_extremes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("metrics.jsonl");
    let value = |step: u64| match step {
        777 => 1e6,
        1234 => -5.0,
        2000 => f64::NAN,
        _ => (step % 10) as f64,
    };
    let mut lines = JsonLines::create(&path).unwrap();
    (1..=5000).for_each(|step| lines.write(step, &[("x", value(step))]).unwrap());
    let mut curves = Curves::new(&path);
    curves.refresh().unwrap();
    let x = curves.get("x").unwrap();
    for most in [1, 2, 7, 100, 4999] {
        let bins = x.thin(0, u64::MAX, most);
        assert!(bins.len() <= most && bins.len() * 2 > most.min(5000), "{most}: {}", bins.len());
        let max = bins.iter().map(|bin| bin.max).fold(f64::NEG_INFINITY, f64::max);
        let min = bins.iter().map(|bin| bin.min).fold(f64::INFINITY, f64::min);
        assert_eq!((min, max, bins.iter().map(|bin| bin.lost).sum::<usize>()), (-5.0, 1e6, 1));
        assert_eq!(bins.last().unwrap().step, 5000);
    }
    let points = x.thin(1998, 2001, 100);
    let steps: Vec<u64> = points.iter().map(|bin| bin.step).collect();
    assert_eq!(steps, [1998, 1999, 2000, 2001]);
    assert!(points[2].mean.is_nan() && points[2].lost == 1 && points[1].mean == 9.0);
    assert!(x.thin(6000, 7000, 5).is_empty() && x.thin(9, 3, 5).is_empty());
    assert_eq!(x.thin(0, 9, 0).len(), 1);
}
