//! Stages whose behaviour Grain does not show: errors, holes, counts.

use std::collections::BTreeMap;

use jarrah_base::{Error, ErrorKind, Literal, Result};
use jarrah_data::{
    BatchRows, Features, IterDataset, MapDataset, PackCounts, PackOptions, Seed, SplitOptions, Stack,
};

fn all<T: Send + 'static>(dataset: &IterDataset<T>) -> Vec<T> {
    dataset.iter().unwrap().collect::<Result<_>>().unwrap()
}

fn fault<T: Send + 'static>(dataset: &MapDataset<T>) -> String {
    let e = dataset.get(0).err().unwrap();
    assert_eq!(e.kind(), ErrorKind::Program, "{e}");
    let same = dataset.to_iter().iter().err().unwrap();
    assert_eq!(same.message(), e.message());
    e.message().to_owned()
}

#[test]
fn wrong_arguments_are_errors_of_the_dataset_that_name_the_stage_and_its_line() {
    let range = MapDataset::range(0, 6, 1);
    let none: [MapDataset<i64>; 0] = [];
    assert_eq!(fault(&MapDataset::range(0, 6, 0)), "range: a step must not be zero");
    assert_eq!(fault(&range.slice(None, None, 0)), "slice: a step must not be zero");
    assert_eq!(fault(&range.batch(0)), "batch: a batch must have at least one element");
    assert_eq!(fault(&range.repeat(Some(0))), "repeat: there must be at least one epoch");
    assert_eq!(fault(&range.repeat(None).repeat(None)), "repeat: the dataset has no end already");
    assert_eq!(fault(&range.shuffle(Seed::Inherited)), "shuffle: there is no seed");
    assert_eq!(fault(&range.shuffle(-1)), "shuffle: the seed 18446744073709551615 is not below 2^32");
    assert_eq!(fault(&range.window_shuffle(0, 1)), "window_shuffle: a window must have at least one element");
    assert_eq!(fault(&range.flat_map(0, |x| vec![x])), "flat_map: `max_fan_out` must be at least one");
    assert_eq!(fault(&MapDataset::zip(&none)), "zip: there must be at least one dataset");
    assert_eq!(fault(&MapDataset::mix(&none, None)), "mix: there must be at least one dataset");
    assert_eq!(
        fault(&range.zip_with(&range.slice(None, Some(2), 1))),
        "zip_with: the datasets have 6 and 2 elements"
    );
    let two = [range.clone(), range.clone()];
    assert!(
        fault(&MapDataset::mix(&two, Some(&[1.0, 0.0])))
            .starts_with("mix: each weight must be greater than zero")
    );
    assert_eq!(fault(&MapDataset::mix(&two, Some(&[1.0]))), "mix: 1 weights for 2 datasets");
    assert_eq!(fault(&MapDataset::concatenate(&[range.repeat(None)])), "concatenate: dataset 0 has no end");
    let holes = range.filter(|x| x % 2 == 0).map(|x| x + 1).batch(2);
    assert!(fault(&holes).starts_with("batch: a stage before it may drop elements"), "{}", fault(&holes));
    // The first fault stays, whatever follows.
    let e = range.batch(0).map(|b| b.len()).repeat(None).get(3).unwrap_err().to_string();
    assert!(e.contains("the stage `batch` (") && e.contains("pipelines.rs:"), "{e}");
}

#[test]
fn an_empty_dataset_is_an_error_by_index_and_no_element_in_turn() {
    let empty = MapDataset::range(0, 0, 1).shuffle(1).map(|x| x + 1);
    assert_eq!(empty.get(0).unwrap_err().message(), "there is no element 0: the dataset is empty");
    assert!(all(&empty.to_iter()).is_empty());
    assert!(all(&empty.repeat(None).to_iter()).is_empty());
    assert!(all(&empty.to_iter().repeat(None)).is_empty());
    assert!(all(&empty.to_iter().batch(3)).is_empty());
    assert!(all(&empty.to_iter().window_shuffle(3, 1)).is_empty());
}

#[test]
fn a_repeated_pipeline_without_elements_ends_instead_of_turning_for_ever() {
    let none = MapDataset::range(0, 5, 1).to_iter().filter(|_| false).repeat(None);
    assert!(none.iter().unwrap().next().is_none());
}

#[test]
fn more_parts_than_declared_are_an_error_that_says_what_to_do() {
    let dataset = MapDataset::range(0, 3, 1).flat_map(2, |x| vec![x; x as usize + 1]);
    assert_eq!(dataset.get(2).unwrap(), Some(1));
    let e = dataset.get(4).unwrap_err().to_string();
    assert!(
        e.contains("element 2 became 3 elements, but at most 2 are declared") && e.contains("max_fan_out"),
        "{e}"
    );
}

#[test]
fn elements_of_different_shapes_do_not_stack() {
    let message = |r: Result<Literal>| r.unwrap_err().message().to_owned();
    assert_eq!(
        message(Stack::stack(vec![vec![1_i32], vec![1, 2]])),
        "batch: element 0 has 1 numbers, but element 1 of the batch has 2"
    );
    let scalar = Literal::scalar(1_i32);
    assert_eq!(
        message(Stack::stack(vec![scalar.clone(), Literal::scalar(1.0_f32)])),
        "batch: element 0 is i32[], but element 1 of the batch is f32[]"
    );
    let named = |name: &str| BTreeMap::from([(name.to_owned(), 1_i64)]);
    assert!(Stack::stack(vec![named("a"), named("b")]).is_err());
    assert!(Stack::stack(Vec::<f32>::new()).is_err());
    let pairs = Stack::stack(vec![(1_i64, [2.0_f32, 3.0]), (4, [5.0, 6.0])]).unwrap();
    assert_eq!((pairs.0.to_i128_vec(), pairs.1.dims()), (vec![1, 4], vec![2, 2]));
    assert!(scalar.rows().is_err());
    let batch = Literal::from_slice(&[3, 1], &[1_i32, 2, 3]).unwrap();
    assert!(batch.cut(2..4).is_err() && batch.padded(2, 0.0).is_err());
    assert!(
        BatchRows::join(&[
            batch.clone(),
            Literal::zeros(jarrah_base::Type::tensor(batch.dtype(), [1, 2])).unwrap()
        ])
        .is_err()
    );
}

fn text(len: usize) -> Features {
    let tokens: Vec<i32> = (1..=len as i32).collect();
    Features::from([("t".to_owned(), Literal::from_slice(&[len], &tokens).unwrap())])
}

#[test]
fn packing_counts_each_token_it_packs_pads_and_cuts() {
    let lengths = [3_usize, 9, 2, 5, 5, 1, 12];
    let texts = MapDataset::source(lengths.to_vec()).map(text).to_iter();
    let options = PackOptions { truncate: true, ..PackOptions::new("t", 6, 2) };
    let mut iterator = texts.pack(options.clone()).iter().unwrap();
    let rows = iterator.by_ref().count() as u64;
    let counts = iterator.state().pack_counts().unwrap();
    let (cut, tokens) = (3 + 6, lengths.iter().sum::<usize>() as u64 - 9);
    let expected = PackCounts {
        elements: 7,
        rows,
        tokens,
        padding: 6 * rows - tokens,
        cut_elements: 2,
        cut_tokens: cut,
    };
    assert_eq!(counts, expected);
    // Without leave to cut, the element is refused, by its name.
    let refused = texts.pack(PackOptions { truncate: false, ..options });
    let e = refused.iter().unwrap().find_map(Result::err).unwrap();
    assert_eq!(
        (e.kind(), e.message()),
        (ErrorKind::Input, "feature `t` of an element has 9 tokens, but a row has 6")
    );

    let mut split = texts.concat_then_split(SplitOptions::new("t", 6)).iter().unwrap();
    let rows: Vec<Features> = split.by_ref().collect::<Result<_>>().unwrap();
    let counts = split.state().pack_counts().unwrap();
    assert_eq!((counts.elements, counts.rows, counts.tokens, counts.padding), (7, rows.len() as u64, 37, 5));
    assert_eq!(counts.cut_tokens, 0);
}

#[test]
fn an_element_that_lacks_a_feature_is_an_error_that_names_it() {
    let texts = MapDataset::source(vec![1_usize]).map(text).to_iter();
    for dataset in [
        texts.pack(PackOptions::new("tokens", 4, 1)),
        texts.concat_then_split(SplitOptions::new("tokens", 4)),
    ] {
        let e: Error = dataset.iter().unwrap().next().unwrap().unwrap_err();
        assert!(e.message().contains("has no feature `tokens`"), "{e}");
    }
}

#[test]
fn a_second_feature_is_split_where_the_first_one_is() {
    // One element of 10 and 5 tokens, rows of 4 and 9: the second feature goes into the first row as a whole.
    let element = |_: i64| {
        let of = |n: usize| Literal::from_slice(&[n], &(0..n as i32).collect::<Vec<_>>()).unwrap();
        Features::from([("a".to_owned(), of(10)), ("b".to_owned(), of(5))])
    };
    let mut options = SplitOptions::new("a", 4);
    options.lengths.insert("b".to_owned(), 9);
    let rows = all(&MapDataset::range(0, 1, 1).map(element).to_iter().concat_then_split(options));
    let column = |key: &str| rows.iter().map(|row| row[key].to_i128_vec()).collect::<Vec<_>>();
    assert_eq!(column("a"), [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9, 0, 0]]);
    assert_eq!(column("b"), [vec![0, 1, 2, 3, 4, 0, 0, 0, 0], vec![0; 9], vec![0; 9]]);
    assert_eq!(column("b_segment_ids")[1], [0; 9]);
}
