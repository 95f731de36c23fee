use jarrah_base::Error;
use jarrah_data::{Examples, MapDataset, Packed, RandomAccess, TokenBatch, TokenStream};

use super::{bytes, input_error};

fn packed(documents: &[&str], seq_len: usize) -> Packed {
    Packed::new(TokenStream::encode(documents, 0, 256, &bytes).unwrap(), seq_len, "training").unwrap()
}

#[test]
fn windows_share_one_id_and_documents_end_with_eos() {
    let p = packed(&["ab", "cde", "fg"], 3);
    assert_eq!(p.tokens(), 10);
    let windows: Vec<Vec<i32>> = (0..p.len()).map(|i| p.get(i).unwrap().ids).collect();
    let (a, b, c, d, e, f, g) = (97, 98, 99, 100, 101, 102, 103);
    assert_eq!(windows, [[a, b, 0, c], [c, d, e, 0], [0, f, g, 0]]);
}

#[test]
fn a_remainder_is_left_out() {
    assert_eq!(packed(&["abcdef"], 3).len(), 2);
    assert_eq!(packed(&["abcdefg"], 3).len(), 2);
    assert_eq!(packed(&["abcdefgh"], 3).len(), 2);
    assert_eq!(packed(&["abcdefghi"], 3).len(), 3);
}

#[test]
fn order_does_not_depend_on_threads() {
    let documents: Vec<String> = (0..500).map(|i| format!("document {i} ").repeat(1 + i * 7 % 13)).collect();
    let tokens = TokenStream::encode(&documents, 0, 256, &bytes).unwrap();
    let expected: Vec<u32> = documents.iter().flat_map(|d| d.bytes().map(u32::from).chain([0])).collect();
    assert_eq!(tokens.len(), expected.len());
    let p = Packed::new(tokens, expected.len() - 1, "training").unwrap();
    assert!(p.get(0).unwrap().ids.iter().zip(&expected).all(|(a, b)| *a as u32 == *b));
}

#[test]
fn a_large_vocabulary_keeps_its_ids() {
    let wide = |_: &str| Ok(vec![70_000, 5, 131_071]);
    let tokens = TokenStream::encode(&["x"], 9, 1 << 17, &wide).unwrap();
    let p = Packed::new(tokens, 3, "training").unwrap();
    assert_eq!(p.get(0).unwrap().ids, [70_000, 5, 131_071, 9]);
}

#[test]
fn too_little_text_is_an_error_with_both_numbers() {
    let tokens = TokenStream::encode(&["abc"], 0, 256, &bytes).unwrap();
    assert_eq!(
        input_error(Packed::new(tokens, 4, "held-out")),
        "the held-out text has 4 tokens, but one sequence needs 5 (length 4 and the last target)"
    );
    let none = TokenStream::encode::<&str>(&[], 0, 256, &bytes).unwrap();
    assert!(none.is_empty());
    assert!(input_error(Packed::new(none, 4, "held-out")).contains("has 0 tokens"));
    let tokens = TokenStream::encode(&["abc"], 0, 256, &bytes).unwrap();
    assert_eq!(input_error(Packed::new(tokens, 0, "training")), "a sequence must have at least one token");
}

#[test]
fn the_first_failing_document_is_told() {
    let failing = |text: &str| match text {
        "5" | "7" => Err(Error::input(format!("no {text}"))),
        _ => Ok(vec![1]),
    };
    let documents: Vec<String> = (0..50).map(|i| i.to_string()).collect();
    for _ in 0..20 {
        assert_eq!(input_error(TokenStream::encode(&documents, 0, 256, &failing)), "no 5");
    }
    assert_eq!(
        input_error(TokenStream::encode(&["a"], 256, 256, &bytes)),
        "token id 256 is not in the vocabulary of 256 tokens"
    );
}

fn epoch(packed: Packed, size: usize) -> Vec<TokenBatch> {
    let batches = TokenBatch::epoch(&MapDataset::source(packed), size).unwrap();
    batches.to_iter().iter().unwrap().map(Result::unwrap).collect()
}

#[test]
fn evaluation_batches_come_in_order() {
    let epoch = epoch(packed(&["abcdefghijklmn"], 2), 3);
    assert_eq!(epoch.len(), 2);
    assert_eq!(epoch[0].inputs.ty().to_string(), "i32[3,2]");
    assert_eq!(epoch[0].inputs.as_slice::<i32>().unwrap(), [97, 98, 99, 100, 101, 102]);
    assert_eq!(epoch[0].targets.as_slice::<i32>().unwrap(), [98, 99, 100, 101, 102, 103]);
    assert_eq!(epoch[1].inputs.as_slice::<i32>().unwrap()[0], 103);
    // Fewer windows than a batch: filled up from the start.
    let filled = self::epoch(packed(&["abcd"], 2), 3);
    assert_eq!(filled.len(), 1);
    assert_eq!(filled[0].inputs.as_slice::<i32>().unwrap(), [97, 98, 99, 100, 97, 98]);
}

#[test]
fn an_empty_batch_is_an_error() {
    let message = input_error(TokenBatch::epoch(&MapDataset::source(packed(&["abcd"], 2)), 0));
    assert_eq!(message, "a batch must have at least one sequence");
}

/// Two examples, of five tokens with two to learn and of two with one, in sequences of four.
#[test]
fn examples_know_what_is_learned_and_where_they_begin() {
    let mut examples = Examples::default();
    examples.push([false, false, true, true, false]);
    examples.push([false, true]);
    assert_eq!((examples.len(), examples.learned()), (2, 3));
    let tokens = TokenStream::new(vec![1, 2, 3, 4, 5, 6, 7], 256).unwrap();
    let packed = Packed::examples(tokens, examples.clone(), 4, 9).unwrap();
    assert_eq!((packed.tokens(), packed.len()), (9, 2));
    let batch = epoch(packed, 2).remove(0);
    assert_eq!(batch.inputs.to_f64_vec(), [1, 2, 3, 4, 5, 6, 7, 9].map(f64::from));
    assert_eq!(batch.targets.to_f64_vec(), [2, 3, 4, 5, 6, 7, 9, 9].map(f64::from));
    let marks = batch.marks.unwrap();
    // 3 and 4, then 7; the first token of an example is not foretold by the one before it.
    assert_eq!(marks.weights.to_f64_vec(), [0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0].map(f64::from));
    assert_eq!(marks.segments.to_f64_vec(), [0, 0, 0, 0, 0, 1, 1, 2].map(f64::from));

    let tokens = |n: u32| TokenStream::new((0..n).collect(), 256).unwrap();
    assert!(Packed::examples(tokens(8), examples.clone(), 4, 9).is_err());
    assert!(Packed::examples(tokens(0), Examples::default(), 4, 9).is_err());
    assert!(TokenStream::new(vec![256], 256).is_err());
    // Where the tokens fill the windows, nothing is added; a single one makes a window.
    assert_eq!(Packed::examples(tokens(7), examples, 3, 9).unwrap().tokens(), 7);
    let mut one = Examples::default();
    one.push([true]);
    assert_eq!(Packed::examples(tokens(1), one, 3, 9).unwrap().tokens(), 4);
}
