use std::path::Path;

use jarrah_base::Result;

use super::font;
use super::raster::{Canvas, Color};

/// Curves over a common axis, for people to look at.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The line above the curves.
    pub title: String,
    /// What the horizontal axis counts.
    pub x_label: String,
    /// What the vertical axis measures.
    pub y_label: String,
    /// The curves; the first is drawn first.
    pub series: Vec<Series>,
}

/// One curve of a [`Chart`].
///
/// A curve of many points is drawn pale, with its running mean on top.
#[derive(Clone, Debug)]
pub struct Series {
    /// The curve's name in the legend.
    pub name: String,
    /// The points by ascending first coordinate; coordinates of 1e30 and more, and NaN, are left out.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: usize = 1200;
const HEIGHT: usize = 720;
const LEFT: usize = 120;
const RIGHT: usize = 40;
const TOP: usize = 70;
const BOTTOM: usize = 90;
const SCALE: usize = 2;

const BACKGROUND: Color = [255, 255, 255];
const INK: Color = [40, 40, 40];
const GRID: Color = [228, 228, 228];
const CURVES: [Color; 4] = [[31, 119, 180], [214, 80, 30], [44, 140, 70], [130, 80, 170]];

// A run that diverged must not flatten the other curves.
const LARGEST: f64 = 1e30;

// A curve of more points than this looks like noise.
const MANY: usize = 100;
// The running mean takes in this share of the points on either side.
const WINDOW: f64 = 0.01;

impl Chart {
    /// Draws the chart into a PNG file of 1200 x 720 pixels.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        self.draw().write(path)
    }

    fn draw(&self) -> Canvas {
        let mut canvas = Canvas::new(WIDTH, HEIGHT, BACKGROUND);
        let shown = |p: &&(f64, f64)| p.0.abs() < LARGEST && p.1.abs() < LARGEST;
        let curves: Vec<Vec<(f64, f64)>> =
            self.series.iter().map(|s| s.points.iter().filter(shown).copied().collect()).collect();
        let x = Axis::new(curves.iter().flatten().map(|p| p.0), (LEFT, WIDTH - RIGHT));
        let y = Axis::new(curves.iter().flatten().map(|p| p.1), (HEIGHT - BOTTOM, TOP));

        let half = font::HEIGHT * SCALE / 2;
        for (value, label) in y.ticks() {
            let row = y.at(value).round() as usize;
            canvas.rectangle(LEFT, row, WIDTH - RIGHT, row + 1, GRID);
            let start = (LEFT - 14).saturating_sub(Canvas::text_width(SCALE, &label));
            canvas.text(start, row - half, SCALE, &label, INK);
        }
        for (value, label) in x.ticks() {
            let column = x.at(value).round() as usize;
            canvas.rectangle(column, TOP, column + 1, HEIGHT - BOTTOM, GRID);
            let start = column.saturating_sub(Canvas::text_width(SCALE, &label) / 2);
            canvas.text(start, HEIGHT - BOTTOM + 14, SCALE, &label, INK);
        }
        canvas.rectangle(LEFT, TOP, LEFT + 2, HEIGHT - BOTTOM, INK);
        canvas.rectangle(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM + 2, INK);
        let middle = (LEFT + WIDTH - RIGHT - Canvas::text_width(SCALE, &self.x_label)) / 2;
        canvas.text(middle, HEIGHT - 36, SCALE, &self.x_label, INK);
        canvas.text(16, TOP - 34, SCALE, &self.y_label, INK);
        canvas.text(LEFT, TOP - 34, SCALE, &self.title, INK);

        for (points, color) in curves.iter().zip(CURVES.iter().cycle()) {
            let place = |p: &(f64, f64)| (x.at(p.0), y.at(p.1));
            let placed: Vec<_> = points.iter().map(place).collect();
            if points.len() > MANY {
                canvas.line(&placed, 1.2, 0.3, *color);
                canvas.line(&running_mean(points).iter().map(place).collect::<Vec<_>>(), 2.6, 1.0, *color);
            } else if !points.is_empty() {
                canvas.line(&placed, 2.6, 1.0, *color);
                placed.iter().for_each(|p| canvas.line(&[*p], 7.0, 1.0, *color));
            }
        }
        self.legend(&mut canvas);
        canvas
    }

    /// Draws the legend at the top right, where a falling curve leaves room.
    fn legend(&self, canvas: &mut Canvas) {
        let widest = self.series.iter().map(|s| Canvas::text_width(SCALE, &s.name)).max().unwrap_or(0);
        let (row, sample) = (font::HEIGHT * SCALE + 14, 40);
        let left = (WIDTH - RIGHT).saturating_sub(widest + sample + 40);
        canvas.rectangle(left, TOP + 10, WIDTH - RIGHT, TOP + 22 + row * self.series.len(), BACKGROUND);
        for (i, (series, color)) in self.series.iter().zip(CURVES.iter().cycle()).enumerate() {
            let y = TOP + 20 + row * i;
            let middle = (y + font::HEIGHT * SCALE / 2) as f64;
            let start = (left + 12) as f64;
            canvas.line(&[(start, middle), (start + sample as f64, middle)], 3.0, 1.0, *color);
            canvas.text(left + sample + 24, y, SCALE, &series.name, INK);
        }
    }
}

/// m_i = mean(x_(i-n) .. x_(i+n)), with n a share of the number of points, smaller near the ends.
fn running_mean(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let sums: Vec<f64> = std::iter::once(0.0)
        .chain(points.iter().scan(0.0, |sum, p| {
            *sum += p.1;
            Some(*sum)
        }))
        .collect();
    let most = (points.len() as f64 * WINDOW).ceil() as usize;
    let mean = |(i, p): (usize, &(f64, f64))| {
        let n = most.min(i).min(points.len() - 1 - i);
        (p.0, (sums[i + n + 1] - sums[i - n]) / (2 * n + 1) as f64)
    };
    points.iter().enumerate().map(mean).collect()
}

/// A range of values and the pixels they are drawn at.
struct Axis {
    low: f64,
    high: f64,
    step: f64,
    pixels: (usize, usize),
}

impl Axis {
    /// The axis that shows all `values`, with round numbers at its ends.
    fn new(values: impl Iterator<Item = f64>, pixels: (usize, usize)) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let spread = high - low;
        let least = (low.abs().max(high.abs()) * 1e-9).max(1.0 / LARGEST);
        let step = round_step(if spread > least { spread } else { low.abs().max(1.0) });
        let high = if spread > least { high } else { low + step };
        Axis { low: (low / step).floor() * step, high: (high / step).ceil() * step, step, pixels }
    }

    fn at(&self, value: f64) -> f64 {
        let (from, to) = (self.pixels.0 as f64, self.pixels.1 as f64);
        let (low, width) = (self.low / self.step, self.high / self.step - self.low / self.step);
        from + (value / self.step - low) / width * (to - from)
    }

    fn ticks(&self) -> Vec<(f64, String)> {
        let (first, last) = ((self.low / self.step).round() as i64, (self.high / self.step).round() as i64);
        (first..=last).map(|i| i as f64 * self.step).map(|value| (value, label(value, self.step))).collect()
    }
}

/// 1, 2 or 5 times a power of ten, such that five to ten steps make `spread`.
fn round_step(spread: f64) -> f64 {
    let power = 10f64.powf((spread / 10.0).log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| spread / (f * power) <= 10.0).unwrap_or(10.0);
    factor * power
}

/// `value` with the digits that `step` distinguishes: `2.5`, `400`, `15k`, `1e-7`.
fn label(value: f64, step: f64) -> String {
    let size = value.abs().max(step);
    if !(1e-4..1e9).contains(&size) {
        return if value == 0.0 { "0".into() } else { format!("{value:.1e}").replace(".0e", "e") };
    }
    let (value, step, unit) = match step {
        s if s >= 1e6 => (value / 1e6, s / 1e6, "m"),
        s if s >= 1e3 => (value / 1e3, s / 1e3, "k"),
        s => (value, s, ""),
    };
    let digits = (-step.log10().floor()).max(0.0) as usize;
    if value == 0.0 { "0".into() } else { format!("{value:.digits$}{unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> String {
        let axis = Axis::new([low, high].into_iter(), (0, 100));
        axis.ticks().into_iter().map(|t| t.1).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        assert_eq!(labels(2.13, 8.4), "2 3 4 5 6 7 8 9");
        assert_eq!(labels(1.0, 200.0), "0 20 40 60 80 100 120 140 160 180 200");
        assert_eq!(labels(0.0, 12000.0), "0 2k 4k 6k 8k 10k 12k");
        assert_eq!(labels(0.03, 0.051), "0.030 0.035 0.040 0.045 0.050 0.055");
        assert_eq!(labels(-1.0, 1.0), "-1.0 -0.8 -0.6 -0.4 -0.2 0 0.2 0.4 0.6 0.8 1.0");
    }

    #[test]
    fn any_values_make_a_chart() {
        let odd = [
            0.0,
            -0.0,
            1.0,
            f64::NAN,
            f64::INFINITY,
            -9.9e29,
            9e29,
            1e30,
            f64::MIN,
            f64::MIN_POSITIVE,
            1e-29,
            3e8,
        ];
        for a in odd {
            for b in odd {
                let points = vec![(0.0, a), (1.0, b)];
                let series = vec![
                    Series { name: "Ä".into(), points: points.clone() },
                    Series { name: "".into(), points: vec![] },
                ];
                let chart = Chart { title: "t".into(), x_label: "".into(), y_label: "".into(), series };
                chart.draw();
                let axis = Axis::new(points.iter().map(|p| p.1).filter(|y| y.abs() < LARGEST), (100, 0));
                for y in [a, b].into_iter().filter(|y| y.abs() < LARGEST) {
                    assert!((-1e-6..=100.000001).contains(&axis.at(y)), "{y} of {a}, {b} at {}", axis.at(y));
                }
                assert!(axis.ticks().len() <= 13);
            }
        }
    }
}
