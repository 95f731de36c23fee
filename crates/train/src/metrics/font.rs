//! A font of strokes for charts: proportional, with capitals 14 units high and an x-height of 10, drawn at any size.

/// The height of capitals and digits, in units.
pub const CAPITAL: f64 = 14.0;
/// The space between two glyphs, in units.
const SPACE: f64 = 3.4;

/// A glyph: how wide it is without the space behind it, and its strokes.
///
/// A stroke begins at `M x y` and goes on along lines, `L x y`, and arcs of ellipses, `A x y rx ry from to`, with the centre, both radii, and two angles in degrees
/// against the clock; a stroke of a single point is a dot. The origin is on the base line, `y` upwards.
type Glyph = (char, f64, &'static str);

/// The strokes of `c` in units, and its width; an unknown character is a box.
fn glyph(c: char) -> (Vec<Vec<(f64, f64)>>, f64) {
    let found = GLYPHS.iter().find(|(name, ..)| *name == c);
    let &(_, width, path) = found.unwrap_or(&MISSING);
    let mut strokes: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut words = path.split(' ').filter(|word| !word.is_empty());
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<f64>().ok()).unwrap_or_default();
    while let Some(command) = words.next() {
        let mut next = || number(words.next());
        match command {
            "M" => strokes.push(vec![(next(), next())]),
            "L" => strokes.last_mut().into_iter().for_each(|stroke| stroke.push((next(), next()))),
            _ => {
                let [x, y, rx, ry, from, to] = std::array::from_fn(|_| next());
                if strokes.is_empty() {
                    strokes.push(Vec::new());
                }
                let parts = ((to - from).abs() / 15.0).ceil().max(1.0) as usize;
                let at = |i: usize| (from + (to - from) * i as f64 / parts as f64).to_radians();
                let points = (0..=parts).map(|i| (x + rx * at(i).cos(), y + ry * at(i).sin()));
                strokes.last_mut().into_iter().for_each(|stroke| stroke.extend(points.clone()));
            }
        }
    }
    (strokes, width)
}

/// The strokes of a text that begins at the origin, in units.
pub fn strokes(text: &str) -> Vec<Vec<(f64, f64)>> {
    let mut all = Vec::new();
    let mut x = 0.0;
    for c in text.chars() {
        let (strokes, width) = glyph(c);
        all.extend(strokes.into_iter().map(|stroke| stroke.into_iter().map(|(a, b)| (a + x, b)).collect()));
        x += width + SPACE;
    }
    all
}

/// The width of a text, in units.
pub fn width(text: &str) -> f64 {
    let widths =
        text.chars().map(|c| GLYPHS.iter().find(|(name, ..)| *name == c).unwrap_or(&MISSING).1 + SPACE);
    (widths.sum::<f64>() - SPACE).max(0.0)
}

const MISSING: Glyph = ('\0', 8.0, "M 0 0 L 0 14 L 8 14 L 8 0 L 0 0");

#[rustfmt::skip]
const GLYPHS: [Glyph; 95] = [
    (' ', 2.5, ""),
    ('!', 0.0, "M 0 14 L 0 4 M 0 0"),
    ('"', 3.0, "M 0 14 L 0 10 M 3 14 L 3 10"),
    ('#', 9.0, "M 3 14 L 1 0 M 8 14 L 6 0 M 0.5 9.5 L 9 9.5 M 0 4.5 L 8.5 4.5"),
    ('$', 8.0, "M 7.4 10.8 A 4 10.3 3.7 2.7 25 270 A 4 4 4 3.6 90 -155 M 4 16 L 4 -2"),
    ('%', 12.0, "M 6 10.8 A 3 10.8 3 3.2 0 360 M 12 3.2 A 9 3.2 3 3.2 0 360 M 10.5 14 L 1.5 0"),
    ('&', 10.0, "M 10 0 L 2 9.2 A 4 11 2.7 3 215 -40 A 3.9 3.9 3.9 3.9 115 320 L 10 6"),
    ('\'', 0.0, "M 0 14 L 0 10"),
    ('(', 2.6, "M 1.9 12.4 A 8 6 8 10 140 220"),
    (')', 2.6, "M 0.6 12.4 A -5.5 6 8 10 40 -40"),
    ('*', 6.0, "M 3 14 L 3 7 M 0 12.2 L 6 8.8 M 6 12.2 L 0 8.8"),
    ('+', 8.0, "M 0 6 L 8 6 M 4 2 L 4 10"),
    (',', 1.2, "M 1 0.6 L 0 -3"),
    ('-', 5.0, "M 0 5 L 5 5"),
    ('.', 0.0, "M 0 0"),
    ('/', 6.0, "M 0 -2 L 6 15"),
    ('0', 8.0, "M 8 7 A 4 7 4 7 0 360"),
    ('1', 8.0, "M 1.2 11 L 4.8 14 L 4.8 0"),
    ('2', 8.0, "M 0.2 10.2 A 4 10.2 3.8 3.8 180 -25 L 0 0 L 8 0"),
    ('3', 8.0, "M 0.7 12.3 A 4 10.5 3.7 3.5 150 -90 A 4 3.5 4 3.5 90 -155"),
    ('4', 8.0, "M 6 0 L 6 14 L 0 4.4 L 8 4.4"),
    ('5', 8.0, "M 7.2 14 L 1.4 14 L 0.9 7.8 A 3.8 4.5 4.2 4.5 130 -150"),
    ('6', 8.0, "M 8 4.4 A 4 4.4 4 4.4 0 360 M 6.6 14 L 0.5 6.2"),
    ('7', 8.0, "M 0 14 L 8 14 L 2.6 0"),
    ('8', 8.0, "M 7.4 10.6 A 4 10.6 3.4 3.4 0 360 M 8 3.6 A 4 3.6 4 3.6 0 360"),
    ('9', 8.0, "M 8 9.6 A 4 9.6 4 4.4 0 360 M 7.5 7.8 L 1.4 0"),
    (':', 0.0, "M 0 0 M 0 9"),
    (';', 1.2, "M 1 0.6 L 0 -3 M 0.8 9"),
    ('<', 8.0, "M 8 10.5 L 0 6 L 8 1.5"),
    ('=', 8.0, "M 0 8 L 8 8 M 0 4 L 8 4"),
    ('>', 8.0, "M 0 10.5 L 8 6 L 0 1.5"),
    ('?', 7.0, "M 0 10.8 A 3.4 10.6 3.4 3.4 180 -50 A 6 5.2 2.6 3 140 180 L 3.4 4 M 3.4 0"),
    ('@', 13.0, "M 9 6 A 6.5 6 2.5 3 0 360 M 9 9 L 9 5 A 11 5 2 2 180 360 L 13 6.5 A 6.5 6.5 6.5 6.5 0 300"),
    ('A', 10.0, "M 0 0 L 5 14 L 10 0 M 1.8 5 L 8.2 5"),
    ('B', 9.0, "M 0 7.5 L 5 7.5 A 5 3.75 4 3.75 90 -90 L 0 0 L 0 14 L 4.8 14 A 4.8 10.75 3.5 3.25 90 -90"),
    ('C', 10.2, "M 10.2 11.9 A 6 7 6 7 45 315"),
    ('D', 10.0, "M 0 0 L 0 14 L 4 14 A 4 7 6 7 90 -90 L 0 0"),
    ('E', 8.0, "M 8 14 L 0 14 L 0 0 L 8 0 M 0 7.4 L 7 7.4"),
    ('F', 7.6, "M 7.6 14 L 0 14 L 0 0 M 0 7.4 L 6.6 7.4"),
    ('G', 11.4, "M 10.2 11.9 A 6 7 6 7 45 335 L 11.4 6.6 L 7 6.6"),
    ('H', 9.6, "M 0 14 L 0 0 M 9.6 14 L 9.6 0 M 0 7.4 L 9.6 7.4"),
    ('I', 0.0, "M 0 14 L 0 0"),
    ('J', 6.0, "M 6 14 L 6 4 A 3 4 3 4 0 -165"),
    ('K', 9.0, "M 0 14 L 0 0 M 8.6 14 L 0 5.4 M 3.2 8.6 L 9 0"),
    ('L', 7.6, "M 0 14 L 0 0 L 7.6 0"),
    ('M', 11.6, "M 0 0 L 0 14 L 5.8 4 L 11.6 14 L 11.6 0"),
    ('N', 9.8, "M 0 0 L 0 14 L 9.8 0 L 9.8 14"),
    ('O', 12.0, "M 12 7 A 6 7 6 7 0 360"),
    ('P', 8.8, "M 0 0 L 0 14 L 5 14 A 5 10.2 3.8 3.8 90 -90 L 0 6.4"),
    ('Q', 12.0, "M 12 7 A 6 7 6 7 0 360 M 7.6 3.6 L 12 -1"),
    ('R', 9.2, "M 0 0 L 0 14 L 5 14 A 5 10.2 3.8 3.8 90 -90 L 0 6.4 M 4.8 6.4 L 9.2 0"),
    ('S', 8.6, "M 8 11.6 A 4.3 10.5 4 3.5 25 270 A 4.3 3.5 4.3 3.5 90 -155"),
    ('T', 9.6, "M 0 14 L 9.6 14 M 4.8 14 L 4.8 0"),
    ('U', 9.6, "M 0 14 L 0 4.8 A 4.8 4.8 4.8 4.8 180 360 L 9.6 14"),
    ('V', 10.0, "M 0 14 L 5 0 L 10 14"),
    ('W', 14.0, "M 0 14 L 3.5 0 L 7 12.5 L 10.5 0 L 14 14"),
    ('X', 9.4, "M 0 14 L 9.4 0 M 9.4 14 L 0 0"),
    ('Y', 9.4, "M 0 14 L 4.7 6.6 L 9.4 14 M 4.7 6.6 L 4.7 0"),
    ('Z', 9.0, "M 0 14 L 9 14 L 0 0 L 9 0"),
    ('[', 2.6, "M 2.6 15.5 L 0 15.5 L 0 -3 L 2.6 -3"),
    ('\\', 6.0, "M 0 15 L 6 -2"),
    (']', 2.6, "M 0 15.5 L 2.6 15.5 L 2.6 -3 L 0 -3"),
    ('^', 7.0, "M 0 9 L 3.5 14 L 7 9"),
    ('_', 8.0, "M 0 -2.6 L 8 -2.6"),
    ('`', 2.4, "M 0 14.5 L 2.4 12"),
    ('a', 7.8, "M 7.8 5 A 3.9 5 3.9 5 0 360 M 7.8 10 L 7.8 0"),
    ('b', 7.8, "M 0 14.5 L 0 0 M 7.8 5 A 3.9 5 3.9 5 0 360"),
    ('c', 6.8, "M 6.8 8.6 A 4 5 4 5 45 315"),
    ('d', 7.8, "M 7.8 14.5 L 7.8 0 M 7.8 5 A 3.9 5 3.9 5 0 360"),
    ('e', 7.8, "M 0 5.2 L 7.8 5.2 A 3.9 5 3.9 5 0 315"),
    ('f', 4.8, "M 1.8 0 L 1.8 11 A 4.8 11 3 3.5 180 95 M 0 10 L 4.6 10"),
    ('g', 7.8, "M 7.8 5 A 3.9 5 3.9 5 0 360 M 7.8 10 L 7.8 -0.4 A 3.9 -0.4 3.9 3.6 0 -150"),
    ('h', 7.6, "M 0 14.5 L 0 0 M 0 6 A 3.8 6.2 3.8 3.8 180 0 L 7.6 0"),
    ('i', 0.0, "M 0 10 L 0 0 M 0 13.6"),
    ('j', 2.2, "M 2.2 10 L 2.2 -1.4 A 0 -1.4 2.2 2.4 0 -95 M 2.2 13.6"),
    ('k', 7.2, "M 0 14.5 L 0 0 M 6.8 10 L 0 3.8 M 2.4 6 L 7.2 0"),
    ('l', 1.8, "M 0 14.5 L 0 2 A 2 2 2 2 180 265"),
    ('m', 12.0, "M 0 10 L 0 0 M 0 6.8 A 3 7 3 3 180 0 L 6 0 M 6 6.8 A 9 7 3 3 180 0 L 12 0"),
    ('n', 7.6, "M 0 10 L 0 0 M 0 6 A 3.8 6.2 3.8 3.8 180 0 L 7.6 0"),
    ('o', 8.0, "M 8 5 A 4 5 4 5 0 360"),
    ('p', 7.8, "M 0 10 L 0 -4 M 7.8 5 A 3.9 5 3.9 5 0 360"),
    ('q', 7.8, "M 7.8 10 L 7.8 -4 M 7.8 5 A 3.9 5 3.9 5 0 360"),
    ('r', 4.6, "M 0 10 L 0 0 M 0 6 A 4 6 4 4 180 80"),
    ('s', 6.6, "M 6.2 8.3 A 3.3 7.5 3 2.5 20 270 A 3.3 2.5 3.3 2.5 90 -158"),
    ('t', 4.8, "M 1.8 13.4 L 1.8 3 A 4.6 3 2.8 3 180 275 M 0 10 L 4.8 10"),
    ('u', 7.6, "M 0 10 L 0 3.8 A 3.8 3.8 3.8 3.8 180 360 M 7.6 10 L 7.6 0"),
    ('v', 7.6, "M 0 10 L 3.8 0 L 7.6 10"),
    ('w', 11.6, "M 0 10 L 2.9 0 L 5.8 9 L 8.7 0 L 11.6 10"),
    ('x', 7.2, "M 0 10 L 7.2 0 M 7.2 10 L 0 0"),
    ('y', 7.6, "M 0 10 L 3.8 0 M 7.6 10 L 2.4 -4"),
    ('z', 6.8, "M 0 10 L 6.8 10 L 0 0 L 6.8 0"),
    ('{', 4.0, "M 4 15.5 A 4 13.5 2.2 2 90 180 L 1.8 8 A 0 8 1.8 1.8 0 -90 A 0 4.4 1.8 1.8 90 0 L 1.8 -1 A 4 -1 2.2 2 180 270"),
    ('|', 0.0, "M 0 15.5 L 0 -3"),
    ('}', 4.0, "M 0 15.5 A 0 13.5 2.2 2 90 0 L 2.2 8 A 4 8 1.8 1.8 180 270 A 4 4.4 1.8 1.8 90 180 L 2.2 -1 A 0 -1 2.2 2 0 -90"),
    ('~', 8.0, "M 0 5 A 2 5 2 2 180 0 A 6 5 2 2 180 360"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_has_strokes_within_its_width() {
        for c in (' '..='~').filter(|c| *c != ' ') {
            assert!(GLYPHS.iter().any(|(name, ..)| *name == c), "{c}");
            let (strokes, width) = glyph(c);
            assert!(!strokes.is_empty(), "{c}");
            for (x, y) in strokes.into_iter().flatten() {
                assert!(
                    (-0.6..=width + 0.6).contains(&x) && (-4.1..=16.1).contains(&y),
                    "{c}: {x}, {y} of {width}"
                );
            }
        }
        assert!(width("iii") < width("mmm") && width("") == 0.0);
        assert_eq!(width("01"), width("98"), "digits are as wide as each other");
        assert_ne!(strokes("a"), strokes("A"));
    }
}
