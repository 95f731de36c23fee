use jarrah_array::random::Key;
use jarrah_array::{Array, concatenate, try_trace};
use jarrah_nn::{Bidirectional, Cell, GruCell, LstmCell, Rnn, SimpleCell};

use super::{check, check_module};

fn simple() -> SimpleCell {
    SimpleCell::new(&Key::new(0), 3, 4)
}

fn gru() -> GruCell {
    GruCell::new(&Key::new(0), 3, 4)
}

fn lstm() -> LstmCell {
    LstmCell::new(&Key::new(0), 3, 4)
}

#[test]
fn cells() {
    let residual = SimpleCell { residual: true, ..simple() };
    check("simple_cell", &residual, false, |m, x, _| <[Array; 2]>::from(m.step(&x[0], &x[1])).to_vec());
    check("gru_cell", &gru(), false, |m, x, _| <[Array; 2]>::from(m.step(&x[0], &x[1])).to_vec());
    for case in ["lstm_cell", "lstm_cell_apart"] {
        check(case, &lstm(), false, |m, x, _| {
            let ((c, h), y) = m.step(&(x[0].clone(), x[1].clone()), &x[2]);
            vec![c, h, y]
        });
    }
}

#[test]
fn along_sequences() {
    check_module("rnn", Rnn::new(gru()), false);
    let both = |(carry, y): (Array, Array)| vec![carry, y];
    let time_major = Rnn::new(simple()).time_major();
    check("rnn_time_major", &time_major, false, |m, x, _| both(m.run(&x[0], None, None)));
    check("rnn_reverse", &Rnn::new(gru()).reverse(), false, |m, x, _| both(m.run(&x[0], None, None)));
    let lengths = Array::from_slice(&[4i32, 2]);
    check("rnn_lengths", &Rnn::new(lstm()), false, |m, x, _| {
        let ((c, h), y) = m.run(&x[0], Some(&(x[1].clone(), x[2].clone())), Some(&lengths));
        vec![c, h, y]
    });
    let reverse = Rnn::new(gru()).reverse().keep_order();
    check("rnn_lengths_reverse", &reverse, false, |m, x, _| both(m.run(&x[0], None, Some(&lengths))));
    check("bidirectional", &Bidirectional::new(gru(), lstm()), false, |m, x, _| {
        let ((forward, (c, h)), [y, z]) = m.run(&x[0], None, Some(&lengths));
        vec![forward, c, h, concatenate(&[&y, &z], -1)]
    });
}

#[test]
fn a_sequence_without_elements_carries_what_it_got() {
    let (x, carry) = (Array::ones(&[2, 3, 3]), Key::new(1).normal(&[2, 4]));
    let (last, _) = Rnn::new(gru()).run(&x, Some(&carry), Some(&Array::from_slice(&[0i32, 3])));
    assert_eq!(last.slice(0, 0..1).to_vec::<f32>().unwrap(), carry.slice(0, 0..1).to_vec::<f32>().unwrap());
}

#[test]
fn lengths_that_do_not_fit_are_refused() {
    let rnn = Rnn::new(gru());
    let lengths = Array::from_slice(&[1i32, 2, 3]);
    let error = try_trace(|| rnn.run(&Array::ones(&[2, 4, 3]), None, Some(&lengths))).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("i32[3]") && error.contains("f32[2,4,3]") && error.contains("recurrent.rs"),
        "{error}"
    );
}
