use jarrah_array::{Array, value_and_grad, where_, while_loop};
use jarrah_base::DType;
use jarrah_tree::{Tree, TreeExt};

/// The decrease that is enough, as a share of the decrease that the slope promises.
const ENOUGH: f64 = 1e-4;
/// The slope that is flat enough, as a share of the slope at the start.
const FLAT: f64 = 0.9;
/// The most steps of [`Search::zoom`].
const ZOOMS: i64 = 30;

/// A point of the line: the length of the step, the value, the slope along the line, the gradient.
#[derive(Clone, Tree)]
pub(super) struct Point {
    pub(super) length: Array,
    pub(super) value: Array,
    slope: Array,
    pub(super) gradient: Array,
}

/// A step that a search found.
pub(super) struct Found {
    pub(super) point: Point,
    /// Whether no step meets both conditions.
    pub(super) failed: Array,
    /// 0; 1 where bisection ended without a step; 3 after too many steps.
    pub(super) status: Array,
    /// How often the function was called.
    pub(super) calls: Array,
}

/// The state of bracketing: points before, at and around the minimum, and whether it is over.
#[derive(Clone, Tree)]
struct Bracket {
    before: Point,
    low: Point,
    high: Point,
    /// Whether a minimum is between `low` and `high`.
    zooms: Array,
    /// Whether `low` meets both conditions.
    done: Array,
    count: Array,
}

/// An interval with a step that meets both conditions.
#[derive(Clone, Tree)]
struct Zoom {
    low: Point,
    high: Point,
    /// The end of the interval before this one: length and value.
    recent: (Array, Array),
    best: Point,
    done: Array,
    failed: Array,
    count: Array,
}

/// `a` where the condition holds, else `b`.
#[track_caller]
fn choose<T: Tree<Array>>(condition: &Array, a: &T, b: &T) -> T {
    let chosen = a.zip_map([b], |a: &Array, [b]: [&Array; 1]| where_(condition, a, b));
    chosen.expect("invariant: both are values of one type of points")
}

struct Search<'a> {
    f: &'a dyn Fn(&Array) -> Array,
    x: &'a Array,
    direction: &'a Array,
    start: Point,
}

impl Search<'_> {
    #[track_caller]
    fn point(&self, length: &Array) -> Point {
        let at = self.x + length * self.direction;
        let (value, gradient) = value_and_grad(|x: &Array| (self.f)(x))(&at);
        let slope = gradient.dot(self.direction);
        Point { length: length.clone(), value, slope, gradient }
    }

    /// Whether the value is too high for the first condition of Wolfe.
    #[track_caller]
    fn is_high(&self, point: &Point) -> Array {
        point.value.gt(&self.start.value + &point.length * &self.start.slope * ENOUGH)
    }

    /// Whether the second, strong condition of Wolfe holds.
    #[track_caller]
    fn is_flat(&self, point: &Point) -> Array {
        point.slope.abs().le(&self.start.slope * -FLAT)
    }

    /// Doubles the step until a minimum is certain to be between two points.
    #[track_caller]
    fn bracket(&self, first: &Array, maxiter: usize) -> Bracket {
        let no = Array::scalar(false);
        let [before, low, high] = [(); 3].map(|()| self.start.clone());
        let init = Bracket { before, low, high, zooms: no.clone(), done: no, count: Array::scalar(1i32) };
        let goes_on = |b: &Bracket| !(&b.zooms | &b.done) & b.count.le(maxiter);
        let step = |b: &Bracket| {
            let length = where_(&b.count.eq(1), first, &b.before.length * 2);
            let next = self.point(&length);
            let rises = self.is_high(&next) | next.value.ge(&b.before.value) & b.count.gt(1);
            let done = self.is_flat(&next) & !&rises;
            let turned = next.slope.ge(0) & !&rises & !&done;
            Bracket {
                low: choose(&rises, &b.before, &next),
                high: choose(&rises, &next, &b.before),
                zooms: rises | turned,
                done,
                before: next,
                count: &b.count + 1,
            }
        };
        while_loop(goes_on, step, &init)
    }

    /// Makes the interval smaller until a step meets both conditions; `low` is the better end.
    #[track_caller]
    fn zoom(&self, bracket: &Bracket) -> Zoom {
        let middle = |a: &Array, b: &Array| (a + b) * 0.5;
        let Bracket { low, high, .. } = bracket.clone();
        let recent = (middle(&low.length, &high.length), middle(&low.value, &high.value));
        let init = Zoom {
            best: choose(&bracket.done, &low, &Point { length: low.length.ones_like(), ..low.clone() }),
            low,
            high,
            recent,
            done: !&bracket.zooms,
            failed: Array::scalar(false),
            count: Array::scalar(0i64),
        };
        let tiny = if self.x.dtype() == DType::F64 { 1e-10 } else { 1e-5 };
        let step = |z: &Zoom| {
            let width = &z.high.length - &z.low.length;
            let failed = &z.failed | width.abs().le(tiny);
            let (left, right) = (z.high.length.minimum(&z.low.length), z.high.length.maximum(&z.low.length));
            let within = |at: &Array, margin: f64| {
                let margin = width.abs() * margin;
                at.gt(&left + &margin) & at.lt(&right - margin)
            };
            let by_cubic = cubic_minimum(&z.low, &z.high, &z.recent);
            let by_parabola = parabola_minimum(&z.low, &z.high);
            let uses_cubic = z.count.gt(0) & within(&by_cubic, 0.2);
            let otherwise =
                where_(&within(&by_parabola, 0.1), &by_parabola, middle(&z.low.length, &z.high.length));
            let next = self.point(&where_(&uses_cubic, by_cubic, otherwise));
            let rises = self.is_high(&next) | next.value.ge(&z.low.value);
            let best = self.is_flat(&next) & !&rises;
            // The interval turns round where the slope at the new end points out of it.
            let turns = (&next.slope * &width).ge(0) & !&rises & !&best;
            let goes = choose(&(&rises | &turns), &z.high, &z.low);
            Zoom {
                high: choose(&rises, &next, &choose(&turns, &z.low, &z.high)),
                recent: (goes.length, goes.value),
                low: choose(&rises, &z.low, &next),
                best: choose(&best, &next, &z.best),
                done: &z.done | best,
                failed: failed | z.count.ge(ZOOMS - 1),
                count: &z.count + 1,
            }
        };
        while_loop(|z: &Zoom| !(&z.done | &z.failed), step, &init)
    }
}

/// The minimum of the cubic through two points with the slope at the first, and through a third point.
#[track_caller]
fn cubic_minimum(a: &Point, b: &Point, (length, value): &(Array, Array)) -> Array {
    let (db, dc) = (&b.length - &a.length, length - &a.length);
    let determinant = (&db * &dc).square() * (&db - &dc);
    let rise_b = &b.value - &a.value - &a.slope * &db;
    let rise_c = value - &a.value - &a.slope * &dc;
    let cubic = (dc.square() * &rise_b - db.square() * &rise_c) / &determinant;
    let square = (&db * db.square() * rise_c - &dc * dc.square() * rise_b) / determinant;
    let root = (square.square() - &cubic * &a.slope * 3).sqrt();
    &a.length + (root - square) / (cubic * 3)
}

/// The minimum of the parabola through two points with the slope at the first.
#[track_caller]
fn parabola_minimum(a: &Point, b: &Point) -> Array {
    let width = &b.length - &a.length;
    let square = (&b.value - &a.value - &a.slope * &width) / width.square();
    &a.length - &a.slope / (square * 2)
}

/// A step from `x` along `direction` that meets the strong conditions of Wolfe, after `before`, the value one step ago.
///
/// Source: Nocedal and Wright, Numerical optimization (1999), algorithms 3.5 and 3.6.
#[track_caller]
pub(super) fn line_search(
    f: &dyn Fn(&Array) -> Array,
    x: &Array,
    direction: &Array,
    (value, gradient): (&Array, &Array),
    before: &Array,
    maxiter: usize,
) -> Found {
    let slope = gradient.dot(direction);
    // A step as long as the last one would lower the value as much again.
    let first = ((value - before) * 2.02 / &slope).astype(x.dtype());
    let first = where_(&first.gt(1), 1, first);
    let (length, gradient) = (Array::full(&[], 0, x.dtype()), gradient.clone());
    let search = Search { f, x, direction, start: Point { length, value: value.clone(), slope, gradient } };
    let bracket = search.bracket(&first, maxiter);
    let zoom = search.zoom(&bracket);
    let found = &bracket.done | &bracket.zooms;
    let mut point = choose(&found, &zoom.best, &search.start);
    let too_many = bracket.count.gt(maxiter) & !&found;
    let status = where_(&zoom.failed, 1, where_(&too_many, Array::scalar(3i32), 0));
    if x.dtype() != DType::F64 {
        // A step of no length would leave the search where it is.
        let short = point.length.abs().lt(1e-8);
        point.length = where_(&short, point.length.sign() * 1e-8, &point.length);
    }
    let calls = bracket.count - 1 + zoom.count.astype(DType::I32);
    Found { point, failed: zoom.failed | !found, status, calls }
}
