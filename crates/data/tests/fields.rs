//! Texts and tensors that pipelines take from records, and batches of tokens from rows.

use jarrah_base::Literal;
use jarrah_data::{
    Features, MapDataset, OnDamage, PackOptions, RandomAccess, RecordFormat, SplitOptions, TfExample,
    TfFeature, TokenBatch, json_text, record_files, token_features,
};

use super::{input_error, write};

#[test]
fn fields_of_json_are_texts() {
    let record = br#"{"text": "a \"b\"", "n": 1.50, "meta": {"lang": "de", "tags": ["x"]}, "none": null}"#;
    let text = |path: &str| json_text(record, path).unwrap();
    assert_eq!(text("text").as_deref(), Some("a \"b\""));
    assert_eq!(text("n").as_deref(), Some("1.50"));
    assert_eq!(text("meta.tags").as_deref(), Some(r#"["x"]"#));
    for path in ["none", "meta.none", "text.more", "meta.tags.0", ""] {
        assert_eq!(text(path), None, "{path}");
    }
    let error = input_error(json_text(b"[1, 2]", "text"));
    assert!(
        error.starts_with("the record is no object of JSON, which has the field `text`: [1, 2]"),
        "{error}"
    );
}

#[test]
fn features_of_examples_are_tensors_or_texts() {
    let example = TfExample::from([
        ("label".to_owned(), TfFeature::Ints(vec![3, -4])),
        ("text".to_owned(), TfFeature::Bytes(vec![b"so".to_vec()])),
        ("two".to_owned(), TfFeature::Bytes(vec![vec![0xff], vec![]])),
        ("bad".to_owned(), TfFeature::Bytes(vec![vec![0xff]])),
    ]);
    assert_eq!(example.text("text").unwrap().as_deref(), Some("so"));
    assert_eq!(example.text("none").unwrap(), None);
    for (name, message) in [("label", "but integers"), ("two", "but 2 strings"), ("bad", "no UTF-8")] {
        let error = input_error(example.text(name));
        assert!(error.contains(message), "{error}");
    }
    let tensors = example.tensors(&["label", "text"]).unwrap();
    assert_eq!(
        (tensors["label"].to_i128_vec(), tensors["text"].ty().to_string()),
        (vec![3, -4], "u8[2]".to_owned())
    );
    assert!(input_error(example.tensors(&["two"])).contains("has 2 strings"));
    assert!(input_error(example.tensors(&["none"])).starts_with("a record has no feature `none`, but"));
}

#[test]
fn targets_count_within_their_text_and_where_they_are_learned() {
    let text = |ids: &[u32], learned: &[bool]| token_features(ids, Some(learned)).unwrap();
    let texts = vec![text(&[1, 2, 3], &[false, true, true]), text(&[4, 5], &[true, true])];
    let mut options = PackOptions { shuffle: None, ..PackOptions::new("tokens", 7, 1) };
    options.lengths.insert("learned".to_owned(), 7);
    options.meta.insert("learned".to_owned());
    let rows = MapDataset::source(texts.clone()).to_iter().pack(options).batch(1);
    let batch = TokenBatch::of_features(&rows.iter().unwrap().next().unwrap().unwrap()).unwrap();
    assert_eq!(batch.inputs.to_i128_vec(), [1, 2, 3, 4, 5, 0]);
    assert_eq!(batch.targets.to_i128_vec(), [2, 3, 4, 5, 0, 0]);
    let marks = batch.marks.clone().unwrap();
    assert_eq!(marks.segments.to_i128_vec(), [1, 1, 1, 2, 2, 0]);
    assert_eq!(marks.weights.to_f64_vec(), [1.0, 1.0, 0.0, 1.0, 0.0, 0.0]);
    assert_eq!(batch.counted().unwrap(), 3);
    batch.check_below(6).unwrap();
    assert_eq!(input_error(batch.check_below(5)), "token id 5 is not in the vocabulary of 5 tokens");
    // Without marks each target counts.
    let plain = MapDataset::source(vec![token_features(&[1, 2, 3], None).unwrap(); 2]).to_iter().batch(2);
    let batch = TokenBatch::of_features(&plain.iter().unwrap().next().unwrap().unwrap()).unwrap();
    assert_eq!(batch.counted().unwrap(), 4);
    assert_eq!((batch.marks, batch.inputs.to_i128_vec()), (None, vec![1, 2, 1, 2]));
    let split =
        MapDataset::source(texts).to_iter().concat_then_split(SplitOptions::new("tokens", 5)).batch(1);
    let batch = TokenBatch::of_features(&split.iter().unwrap().next().unwrap().unwrap()).unwrap();
    assert_eq!(batch.marks.unwrap().weights.to_f64_vec(), [1.0, 1.0, 0.0, 1.0]);
}

#[test]
fn batches_that_are_none_of_tokens_are_refused() {
    let tokens = Literal::from_slice(&[1, 3], &[1_i32, 2, 3]).unwrap();
    let with = |name: &str, literal: Literal| {
        let features = Features::from([("tokens".to_owned(), tokens.clone()), (name.to_owned(), literal)]);
        input_error(TokenBatch::of_features(&features))
    };
    let wide = Literal::from_slice(&[1, 4], &[1_i32; 4]).unwrap();
    assert_eq!(
        with("tokens_segment_ids", wide),
        "`tokens_segment_ids` of a batch is i32[1,4], but i32[1,3] is needed"
    );
    assert!(with("learned", tokens.clone()).contains("`learned` of a batch is i32[1,3]"));
    assert!(
        with("tokens", Literal::from_slice(&[3], &[1_i32, 2, 3]).unwrap())
            .contains("the tokens of a batch are i32[3]")
    );
    assert!(with("tokens", Literal::from_slice(&[1, 3], &[1_i64, 2, 3]).unwrap()).contains("i64[1,3]"));
    assert!(input_error(TokenBatch::of_features(&Features::new())).contains("no feature `tokens`"));
    assert!(input_error(token_features(&[1 << 31], None)).contains("not below 2^31"));
    assert!(input_error(token_features(&[1, 2], Some(&[true]))).contains("2 tokens have 1 marks"));
}

#[test]
fn a_filter_that_maps_leaves_out_and_resumes() {
    let halves = |x: i64| Ok((x % 3 == 0).then_some(x / 3));
    let by_number = MapDataset::range(0, 30, 1).filter_map(halves).to_iter();
    let in_order = MapDataset::range(0, 30, 1).to_iter().filter_map(halves);
    for dataset in [by_number, in_order] {
        let mut first = dataset.iter().unwrap();
        assert_eq!(first.by_ref().take(4).map(Result::unwrap).collect::<Vec<_>>(), [0, 1, 2, 3]);
        let mut second = dataset.iter().unwrap();
        second.set_state(&first.state()).unwrap();
        assert_eq!(second.map(Result::unwrap).collect::<Vec<_>>(), (4..10).collect::<Vec<_>>());
    }
}

#[test]
fn plain_files_of_lines_are_opened_by_number() {
    let dir = tempfile::tempdir().unwrap();
    write(
        dir.path(),
        &[("a.jsonl", "{\"i\": 1}\n{\"i\": 2}\n"), ("b.jsonl", "{\"i\": 3}\n"), ("c.txt", "x\n")],
    );
    let glob = dir.path().join("*.jsonl").display().to_string();
    let files = record_files(&[glob]).unwrap();
    assert_eq!(files.len(), 2);
    let jarrah_data::FormatRecords::Indexed(records) =
        RecordFormat::JsonLines.open_by_number(&files, OnDamage::Fail).unwrap()
    else {
        panic!("lines are found by number")
    };
    assert_eq!((records.len(), &*records.get(2).unwrap()), (3, &b"{\"i\": 3}"[..]));
    let none = dir.path().join("none.jsonl").display().to_string();
    assert_eq!(input_error(record_files(&[&none])), format!("there is no file {none}"));
}
