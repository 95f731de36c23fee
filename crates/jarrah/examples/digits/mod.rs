//! Digits to learn from: glyphs of 5 x 7 dots, shifted and with noise, drawn from a key.

use jarrah::array::random::Key;
use jarrah::array::{Array, lax, vmap};

/// The rows of each digit's glyph, a bit for each dot.
const GLYPHS: [[u8; 7]; 10] = [
    [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110],
    [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111],
    [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
    [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
    [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
    [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
];

/// `count` images, `f32[count, side, side]`, and the digits on them, `i32[count]`.
pub fn digits(key: &Key, count: usize, side: usize, noise: f64) -> (Array, Array) {
    let rows = GLYPHS.iter().flatten();
    let dots: Vec<f32> =
        rows.flat_map(|row| (0..5).rev().map(move |bit| f32::from(row >> bit & 1))).collect();
    let glyphs = Array::new(&dots, &[10, 7, 5]);
    let keys = key.split(4);
    let labels = keys[0].randint(&[count], 0, 10);
    let down = keys[1].randint(&[count], 0, side as i32 - 6);
    let right = keys[2].randint(&[count], 0, side as i32 - 4);
    let draw = |(label, down, right): &(Array, Array, Array)| {
        let corner = [down.clone(), right.clone()];
        lax::dynamic_update_slice(&Array::zeros(&[side, side]), &glyphs.index(label), &corner)
    };
    let images = vmap(draw)(&(labels.clone(), down, right));
    (images + keys[3].normal(&[count, side, side]) * noise, labels)
}
