use std::fmt::Write;
use std::path::Path;

use jarrah_base::Result;

use super::font;
use super::lines::failed;
use super::raster::{Canvas, Color};

/// Curves over a common axis, for people to look at.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The line above the curves.
    pub title: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The label of the vertical axis.
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

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 720.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 36.0;
const TOP: f64 = 84.0;
const BOTTOM: f64 = 64.0;
/// The height of capitals, in pixels.
const SMALL: f64 = 11.5;
const LARGE: f64 = 14.5;

// The dashboard's colours by day.
const BACKGROUND: Color = [255, 255, 255];
const INK: Color = [29, 27, 25];
const PALE: Color = [92, 87, 80];
const GRID: Color = [223, 220, 214];
const CURVES: [Color; 4] = [[34, 96, 158], [156, 63, 39], [47, 125, 79], [127, 77, 153]];

// A run that diverged must not flatten the other curves.
const LARGEST: f64 = 1e30;

// A curve of more points than this looks like noise.
const MANY: usize = 100;
// The running mean takes in this share of the points on either side.
const WINDOW: f64 = 0.01;

/// Where a text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Anchor {
    Start,
    Middle,
    End,
}

/// Something drawn, in pixels from the top left corner.
enum Mark {
    Line {
        points: Vec<(f64, f64)>,
        thickness: f64,
        opacity: f64,
        color: Color,
    },
    /// A text on a base line.
    Text {
        at: (f64, f64),
        anchor: Anchor,
        size: f64,
        bold: bool,
        text: String,
        color: Color,
    },
}

impl Chart {
    /// Draws the chart into a PNG file of 1200 x 720 pixels, and into an SVG file of the same name beside it.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let marks = self.marks();
        raster(&marks).write(path)?;
        let svg = path.with_extension("svg");
        std::fs::write(&svg, self.svg(&marks)).map_err(|e| failed(&svg, &e))
    }

    /// The chart's marks, in the order in which they are drawn.
    fn marks(&self) -> Vec<Mark> {
        let mut marks = Vec::new();
        let shown = |p: &&(f64, f64)| p.0.abs() < LARGEST && p.1.abs() < LARGEST;
        let curves: Vec<Vec<(f64, f64)>> =
            self.series.iter().map(|s| s.points.iter().filter(shown).copied().collect()).collect();
        let x = Axis::new(curves.iter().flatten().map(|p| p.0), 0.0, (LEFT, WIDTH - RIGHT));
        let y = Axis::new(curves.iter().flatten().map(|p| p.1), 0.05, (HEIGHT - BOTTOM, TOP));

        let mut text = |at, anchor, size, bold, text: &str, color| {
            marks.push(Mark::Text { at, anchor, size, bold, text: text.to_owned(), color });
        };
        for (value, label) in y.ticks(10) {
            text((LEFT - 12.0, y.at(value) + SMALL / 2.0), Anchor::End, SMALL, false, &label, PALE);
        }
        for (value, label) in x.ticks(12) {
            text((x.at(value), HEIGHT - BOTTOM + 26.0), Anchor::Middle, SMALL, false, &label, PALE);
        }
        text((WIDTH - RIGHT, HEIGHT - 14.0), Anchor::End, SMALL, false, &self.x_label, PALE);
        let heading = font::width(&self.y_label) * LARGE / font::CAPITAL;
        text((LEFT, TOP - 40.0), Anchor::Start, LARGE, true, &self.y_label, INK);
        // The legend stands above the curves, where it hides none.
        let mut end = WIDTH - RIGHT;
        let mut swatches = Vec::new();
        for (i, (series, points)) in self.series.iter().zip(&curves).enumerate().rev() {
            let color = CURVES[i % CURVES.len()];
            let last = points.last().map(|last| format!("  {:.4}", last.1)).unwrap_or_default();
            let name = format!("{}{last}", series.name);
            text((end, TOP - 40.0), Anchor::End, SMALL, false, &name, INK);
            let start = end - font::width(&name) * SMALL / font::CAPITAL - 12.0;
            let middle = TOP - 40.0 - SMALL / 2.0;
            swatches.push((vec![(start - 24.0, middle), (start, middle)], color));
            end = start - 52.0;
        }
        let start = LEFT + heading + 22.0;
        let title = fitting(&self.title, (end - start) * font::CAPITAL / SMALL);
        text((start, TOP - 40.0), Anchor::Start, SMALL, false, &title, PALE);
        let line = |points, thickness, opacity, color| Mark::Line { points, thickness, opacity, color };
        marks.extend(swatches.into_iter().map(|(points, color)| line(points, 3.0, 1.0, color)));
        for (value, _) in y.ticks(10) {
            let row = y.at(value).round() + 0.5;
            marks.push(line(vec![(LEFT, row), (WIDTH - RIGHT, row)], 1.0, 1.0, GRID));
        }
        for (value, _) in x.ticks(12) {
            let column = x.at(value).round() + 0.5;
            marks.push(line(
                vec![(column, HEIGHT - BOTTOM), (column, HEIGHT - BOTTOM + 6.0)],
                1.0,
                1.0,
                GRID,
            ));
        }
        for (points, color) in curves.iter().zip(CURVES.iter().cycle()) {
            let place = |p: &(f64, f64)| (x.at(p.0), y.at(p.1));
            let placed: Vec<_> = points.iter().map(place).collect();
            if points.len() > MANY {
                marks.push(line(placed, 1.2, 0.3, *color));
                marks.push(line(running_mean(points).iter().map(place).collect(), 2.4, 1.0, *color));
            } else if !points.is_empty() {
                let dots = placed.iter().map(|p| line(vec![*p], 7.0, 1.0, *color)).collect::<Vec<_>>();
                marks.push(line(placed, 2.4, 1.0, *color));
                marks.extend(dots);
            }
        }
        marks
    }

    /// The chart as SVG, whose texts are in the reader's own font, as the dashboard's are.
    fn svg(&self, marks: &[Mark]) -> String {
        let hex = |[r, g, b]: Color| format!("#{r:02x}{g:02x}{b:02x}");
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
            escaped(&self.title),
            hex(BACKGROUND)
        );
        for mark in marks {
            // Writing to a text cannot fail.
            let _ = match mark {
                Mark::Line { points, thickness, opacity, color } => match points.as_slice() {
                    [(x, y)] => writeln!(
                        svg,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{}\" fill-opacity=\"{opacity}\"/>",
                        thickness / 2.0,
                        hex(*color)
                    ),
                    points => {
                        let places: Vec<String> =
                            points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
                        writeln!(
                            svg,
                            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{thickness}\" stroke-opacity=\"{opacity}\" stroke-linejoin=\"round\"/>",
                            places.join(" "),
                            hex(*color)
                        )
                    }
                },
                Mark::Text { at: (x, y), anchor, size, bold, text, color } => {
                    let anchor = format!("{anchor:?}").to_lowercase();
                    let weight = if *bold { " font-weight=\"600\"" } else { "" };
                    // Capitals are about seven tenths of a font's size.
                    writeln!(
                        svg,
                        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"{}\"{weight} xml:space=\"preserve\">{}</text>",
                        size / 0.7,
                        hex(*color),
                        escaped(text)
                    )
                }
            };
        }
        svg + "</svg>\n"
    }
}

/// A text, or its end behind dots, at most so many units wide: a path ends with what tells it from others.
fn fitting(text: &str, most: f64) -> String {
    if font::width(text) <= most {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(at, _)| format!("..{}", &text[at..]));
    ends.skip(1).find(|end| font::width(end) <= most).unwrap_or_default()
}

/// A text within XML, which has no control characters.
fn escaped(text: &str) -> String {
    let visible = text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c });
    visible.collect::<String>().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn raster(marks: &[Mark]) -> Canvas {
    let mut canvas = Canvas::new(WIDTH as usize, HEIGHT as usize, BACKGROUND);
    for mark in marks {
        match mark {
            Mark::Line { points, thickness, opacity, color } => {
                canvas.line(points, *thickness, *opacity, *color);
            }
            Mark::Text { at, anchor, size, bold, text, color } => {
                let scale = size / font::CAPITAL;
                let start = at.0
                    - match anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => font::width(text) * scale / 2.0,
                        Anchor::End => font::width(text) * scale,
                    };
                let pen = if *bold { 0.17 } else { 0.12 } * size;
                for stroke in font::strokes(text) {
                    let points: Vec<_> =
                        stroke.iter().map(|(x, y)| (start + x * scale, at.1 - y * scale)).collect();
                    let is_dot = points.len() == 1;
                    canvas.line(&points, if is_dot { 1.4 * pen } else { pen }, 1.0, *color);
                }
            }
        }
    }
    canvas
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
    pixels: (f64, f64),
}

impl Axis {
    /// The axis that shows all `values`, with a `margin` on both sides as a share of their range; it does not pass zero for it.
    fn new(values: impl Iterator<Item = f64>, margin: f64, pixels: (f64, f64)) -> Self {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let spread = high - low;
        let least = (low.abs().max(high.abs()) * 1e-9).max(1.0 / LARGEST);
        if spread <= least {
            // A single value stands in the middle.
            let around = if low == 0.0 { 0.5 } else { low.abs() * 0.1 };
            return Axis { low: low - around, high: low + around, pixels };
        }
        let around = spread * margin;
        let beneath = if low >= 0.0 && low < around { low } else { around };
        Axis { low: low - beneath, high: high + around, pixels }
    }

    fn at(&self, value: f64) -> f64 {
        let (from, to) = self.pixels;
        // Halves of the range, which may be larger than a number can be.
        let share = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        from + share * (to - from)
    }

    /// Round values within the axis with their labels, `most` of them at most.
    fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let step = round_step((self.high / 2.0 - self.low / 2.0) * 2.0, most as f64);
        // A ten-millionth of a step, as rounding may take, is none.
        let first = (self.low / step - 1e-7).ceil() as i64;
        let last = (self.high / step + 1e-7).floor() as i64;
        (first..=last).map(|i| i as f64 * step).map(|value| (value, label(value, step))).collect()
    }
}

/// 1, 2 or 5 times a power of ten, the least of which `most` steps or fewer make `spread`.
fn round_step(spread: f64, most: f64) -> f64 {
    let power = 10f64.powf((spread / most).log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| spread / (f * power) <= most).unwrap_or(10.0);
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
        let axis = Axis::new([low, high].into_iter(), 0.0, (0.0, 100.0));
        axis.ticks(10).into_iter().map(|t| t.1).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round_and_within_the_values() {
        assert_eq!(labels(2.13, 8.4), "3 4 5 6 7 8");
        assert_eq!(labels(1.0, 200.0), "20 40 60 80 100 120 140 160 180 200");
        assert_eq!(labels(0.0, 12000.0), "0 2k 4k 6k 8k 10k 12k");
        assert_eq!(labels(0.03, 0.051), "0.030 0.035 0.040 0.045 0.050");
        assert_eq!(labels(-1.0, 1.0), "-1.0 -0.8 -0.6 -0.4 -0.2 0 0.2 0.4 0.6 0.8 1.0");
    }

    #[test]
    fn axes_are_of_the_data() {
        let axis = Axis::new([1.0, 200.0].into_iter(), 0.0, (0.0, 100.0));
        assert_eq!((axis.at(1.0), axis.at(200.0)), (0.0, 100.0));
        let axis = Axis::new([3.0, 8.0].into_iter(), 0.05, (0.0, 100.0));
        assert_eq!((axis.low, axis.high), (2.75, 8.25));
        let axis = Axis::new([0.1, 8.0].into_iter(), 0.05, (0.0, 100.0));
        assert_eq!(axis.low, 0.0);
    }

    #[test]
    fn a_title_that_is_too_long_shows_its_end() {
        let short = fitting("/a/folder/with/many/others/above/runs/17", 100.0);
        assert!(
            short.starts_with("..") && short.ends_with("runs/17") && font::width(&short) <= 100.0,
            "{short}"
        );
        assert_eq!((fitting("runs/1", 100.0).as_str(), fitting("runs", 1.0).as_str()), ("runs/1", ""));
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
                    Series { name: "\u{c4}".into(), points: points.clone() },
                    Series { name: "".into(), points: vec![] },
                ];
                let chart = Chart { title: "t".into(), x_label: "".into(), y_label: "".into(), series };
                let marks = chart.marks();
                raster(&marks);
                assert!(!chart.svg(&marks).contains("NaN"));
                let axis =
                    Axis::new(points.iter().map(|p| p.1).filter(|y| y.abs() < LARGEST), 0.05, (100.0, 0.0));
                for y in [a, b].into_iter().filter(|y| y.abs() < LARGEST) {
                    assert!((-1e-6..=100.000001).contains(&axis.at(y)), "{y} of {a}, {b} at {}", axis.at(y));
                }
                assert!((1..=13).contains(&axis.ticks(10).len()), "{a}, {b}");
            }
        }
    }
}
