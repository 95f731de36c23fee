use std::collections::BTreeMap;
use std::sync::Arc;

use jarrah_data::{DataState, Loader, LoaderOptions, Packed, TokenBatch, TokenStream};

use super::{bytes, input_error};

fn packed(tokens: usize) -> Arc<Packed> {
    let text: String = (0..tokens - 1).map(|i| char::from(b' ' + (i % 90) as u8)).collect();
    Arc::new(Packed::new(TokenStream::encode(&[text], 0, 256, &bytes).unwrap(), 4, "training").unwrap())
}

fn options(batch_size: usize) -> LoaderOptions {
    LoaderOptions { batch_size, seed: 5, prefetch: 3 }
}

fn take(loader: &mut Loader, n: usize) -> Vec<(TokenBatch, DataState)> {
    (0..n).map(|_| loader.next_batch().unwrap()).collect()
}

#[test]
fn resuming_anywhere_gives_what_was_to_come() {
    // 11 windows and batches of 3: batches run over the ends of epochs.
    let data = packed(45);
    let whole = take(&mut Loader::new(data.clone(), &options(3), None).unwrap(), 20);
    for (i, (_, state)) in whole.iter().enumerate() {
        // As the checkpoint keeps it.
        let state: DataState = serde_json::from_str(&serde_json::to_string(state).unwrap()).unwrap();
        let mut resumed = Loader::new(data.clone(), &options(3), Some(&state)).unwrap();
        assert_eq!(resumed.state(), state);
        assert_eq!(take(&mut resumed, 20 - i - 1), whole[i + 1..]);
    }
}

#[test]
fn the_state_is_after_the_batch_whatever_was_read_ahead() {
    let mut loader = Loader::new(packed(45), &options(3), None).unwrap();
    assert_eq!(loader.state(), DataState { seed: 5, epoch: 0, index: 0, examples: 11 });
    let states: Vec<(u64, u64)> = take(&mut loader, 5).iter().map(|(_, s)| (s.epoch, s.index)).collect();
    assert_eq!(states, [(0, 3), (0, 6), (0, 9), (1, 1), (1, 4)]);
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!((loader.state().epoch, loader.state().index), (1, 4));
}

#[test]
fn an_epoch_has_every_window_once_and_the_next_another_order() {
    let mut loader = Loader::new(packed(45), &options(1), None).unwrap();
    let rows: Vec<Vec<i32>> =
        take(&mut loader, 33).iter().map(|(b, _)| b.inputs.as_slice::<i32>().unwrap().to_vec()).collect();
    let mut counts = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(row).or_insert(0) += 1);
    assert_eq!(counts.len(), 11);
    assert!(counts.values().all(|&n| n == 3));
    assert_ne!(rows[..11], rows[11..22]);
    assert_ne!(rows[11..22], rows[22..]);
}

#[test]
fn the_same_seed_gives_the_same_batches_and_another_does_not() {
    let first = take(&mut Loader::new(packed(45), &options(2), None).unwrap(), 12);
    assert_eq!(first, take(&mut Loader::new(packed(45), &options(2), None).unwrap(), 12));
    let other = LoaderOptions { seed: 6, ..options(2) };
    assert_ne!(first[0].0, Loader::new(packed(45), &other, None).unwrap().next_batch().unwrap().0);
}

#[test]
fn another_batch_size_goes_on_where_the_state_is() {
    let mut loader = Loader::new(packed(45), &options(4), None).unwrap();
    let whole = take(&mut loader, 3);
    let mut resumed = Loader::new(packed(45), &options(2), Some(&whole[0].1)).unwrap();
    let rows: Vec<i32> = take(&mut resumed, 2)
        .iter()
        .flat_map(|(b, _)| b.inputs.as_slice::<i32>().unwrap().to_vec())
        .collect();
    assert_eq!(whole[1].0.inputs.as_slice::<i32>().unwrap(), rows);
}

#[test]
fn a_state_of_other_data_is_an_error() {
    let state = DataState { seed: 5, epoch: 0, index: 1, examples: 12 };
    assert_eq!(
        input_error(Loader::new(packed(45), &options(2), Some(&state))),
        "the data position is for 12 sequences an epoch, but the corpus has 11"
    );
    let state = DataState { seed: 9, examples: 11, ..state };
    assert_eq!(
        input_error(Loader::new(packed(45), &options(2), Some(&state))),
        "the data position is for shuffle seed 9, but the seed is 5"
    );
    let state = DataState { seed: 5, epoch: u64::MAX, ..state };
    assert!(input_error(Loader::new(packed(45), &options(2), Some(&state))).ends_with("is out of range"));
}

#[test]
fn a_loader_is_an_iterator_of_its_batches() {
    let batches: Vec<TokenBatch> =
        Loader::new(packed(45), &options(3), None).unwrap().take(4).collect::<Result<_, _>>().unwrap();
    let mut loader = Loader::new(packed(45), &options(3), None).unwrap();
    let expected: Vec<TokenBatch> = take(&mut loader, 4).into_iter().map(|(batch, _)| batch).collect();
    assert_eq!(batches, expected);
    assert_eq!(loader.next().unwrap().unwrap(), loader_at(5));
    assert_eq!((loader.state().epoch, loader.state().index), (1, 4));
}

/// The batch of that number, counted from 1.
fn loader_at(number: usize) -> TokenBatch {
    Loader::new(packed(45), &options(3), None).unwrap().nth(number - 1).unwrap().unwrap()
}
