//! Rotations in three dimensions, as `jax.scipy.spatial.transform` has them. Operands whose last axes have other extents than
//! a function says are program errors.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::Mul;

use jarrah_array::library::with_context;
use jarrah_array::numpy::{Side, concatenate, stack};
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, fail, linalg, where_};
use jarrah_base::{Error, Location};
use jarrah_tree::Tree;

/// Rotations as quaternions of length one, `[.., 4]` with the real part last; axes before it are a batch.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_science::rotation::Rotation;
/// let quarter = Rotation::from_euler("z", &Array::scalar_in(std::f64::consts::FRAC_PI_2, DType::F64));
/// let turned = quarter.apply(&Array::from_slice(&[1.0f64, 0.0, 0.0]));
/// assert!((turned - Array::from_slice(&[0.0f64, 1.0, 0.0])).abs().max(..).item::<f64>()? < 1e-15);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, Tree)]
pub struct Rotation {
    quaternion: Array,
}

/// Element `i` of the last axis.
#[track_caller]
fn part(x: &Array, i: isize) -> Array {
    x.slice(-1, i as usize..i as usize + 1).squeeze(-1)
}

/// The parts as a new last axis.
#[track_caller]
fn join(parts: &[&Array]) -> Array {
    stack(parts, -1)
}

/// The length along the last axis, whose derivative at zero is zero.
#[track_caller]
fn length(x: &Array) -> Array {
    let square = x.square().sum(-1);
    let zero = square.eq(0);
    where_(&zero, 0, where_(&zero, 1, square).sqrt())
}

#[track_caller]
fn unit(x: &Array) -> Array {
    x / length(x).expand_dims(-1)
}

/// Fails unless the last axes have these extents.
#[track_caller]
fn check(x: &Array, last: &[usize], what: &str) {
    if !x.shape().ends_with(last) {
        let error = Error::program(format!("{what} end with axes {last:?}, not {}", x.ty()));
        fail(with_context(error.op("rotation").at(Location::caller())));
    }
}

/// Axes by letters, and whether they turn with the body, as upper case letters say.
#[track_caller]
fn letters(sequence: &str) -> (Vec<usize>, bool) {
    let intrinsic = sequence.bytes().all(|letter| letter.is_ascii_uppercase());
    let axes: Option<Vec<usize>> = sequence
        .bytes()
        .map(|letter| b"xyz".iter().position(|x| *x == letter.to_ascii_lowercase()))
        .collect();
    let one_case = intrinsic || sequence.bytes().all(|letter| letter.is_ascii_lowercase());
    match axes {
        Some(axes) if one_case && (1..=3).contains(&axes.len()) && axes.windows(2).all(|w| w[0] != w[1]) => {
            (axes, intrinsic)
        }
        _ => {
            let error = Error::program(format!("{sequence:?} are no axes of rotations"));
            let help = "one to three letters of xyz, or of XYZ for axes that turn too, neighbours different";
            fail(with_context(error.op("rotation").at(Location::caller()).help(help)))
        }
    }
}

/// The product of quaternions: the rotation `q`, then `p`.
#[track_caller]
fn compose(p: &Array, q: &Array) -> Array {
    let ([a, b, c, d], [x, y, z, w]) = ([0, 1, 2, 3].map(|i| part(p, i)), [0, 1, 2, 3].map(|i| part(q, i)));
    join(&[
        &(&d * &x + &w * &a + (&b * &z - &c * &y)),
        &(&d * &y + &w * &b + (&c * &x - &a * &z)),
        &(&d * &z + &w * &c + (&a * &y - &b * &x)),
        &(&d * &w - &a * &x - &b * &y - &c * &z),
    ])
}

impl Rotation {
    /// The rotations by quaternions of any length but zero, `[.., 4]` with the real part last.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let half_turn = Rotation::from_quat(&Array::from_slice(&[0.0f64, 0.0, 2.0, 0.0]));
    /// assert_eq!(half_turn.as_quat().to_vec::<f64>()?, [0.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_quat(quaternion: &Array) -> Rotation {
        check(quaternion, &[4], "quaternions");
        Rotation { quaternion: unit(&quaternion.inexact()) }
    }

    /// The rotation that changes nothing.
    ///
    /// ```
    /// use jarrah_array::DType;
    /// use jarrah_science::rotation::Rotation;
    /// assert_eq!(Rotation::identity(DType::F32).as_quat().to_string(), "f32[4] [0.0, 0.0, 0.0, 1.0]");
    /// ```
    #[track_caller]
    pub fn identity(dtype: DType) -> Rotation {
        Rotation { quaternion: Array::from_slice(&[0.0f32, 0.0, 0.0, 1.0]).astype(dtype) }
    }

    /// Rotations that are uniformly distributed, a batch of `shape`.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_science::rotation::Rotation;
    /// assert_eq!(Rotation::random(&Key::new(0), &[5]).as_matrix().shape(), [5, 3, 3]);
    /// ```
    #[track_caller]
    pub fn random(key: &Key, shape: &[usize]) -> Rotation {
        Rotation::from_quat(&key.normal(&[shape, &[4]].concat()))
    }

    /// The rotations by vectors `[.., 3]` along the axis, as long as the angle in radians.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_rotvec(&Array::from_slice(&[0.0f64, 0.0, 1.5]));
    /// let same = Rotation::from_euler("z", &Array::scalar_in(1.5, DType::F64));
    /// assert!(r.as_quat().allclose(same.as_quat(), 0.0, 1e-15).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_rotvec(vector: &Array) -> Rotation {
        check(vector, &[3], "rotation vectors");
        let vector = vector.inexact();
        let angle = length(&vector);
        let near = angle.le(1e-3);
        let square = angle.square();
        let series = 0.5 - &square / 48 + square.square() / 3840;
        let safe = where_(&near, 1, &angle);
        let scale = where_(&near, series, (&safe * 0.5).sin() / &safe);
        let real = (angle * 0.5).cos().expand_dims(-1);
        Rotation { quaternion: concatenate(&[&(vector * scale.expand_dims(-1)), &real], -1) }
    }

    /// The rotations by modified Rodrigues parameters `[.., 3]`: the axis times the tangent of a quarter of the angle.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// // tan(pi / 4) = 1 is a half turn.
    /// let half_turn = Rotation::from_mrp(&Array::from_slice(&[0.0f64, 0.0, 1.0]));
    /// assert_eq!(half_turn.as_quat().to_vec::<f64>()?, [0.0, 0.0, 1.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_mrp(parameters: &Array) -> Rotation {
        check(parameters, &[3], "modified Rodrigues parameters");
        let parameters = parameters.inexact();
        let square = parameters.square().sum(-1).expand_dims(-1);
        let parts = concatenate(&[&(parameters * 2), &(1 - &square)], -1);
        Rotation { quaternion: parts / (square + 1) }
    }

    /// The rotations by angles in radians around axes, one after another: letters of `xyz` stay, those of `XYZ` turn too. The
    /// angles are `[.., axes]`, or without the last axis for a single letter.
    ///
    /// # Errors
    ///
    /// A program error if the letters are not one to three axes of one case, neighbours different.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let fixed = Rotation::from_euler("xy", &Array::from_slice(&[0.1f64, 0.2]));
    /// let turning = Rotation::from_euler("YX", &Array::from_slice(&[0.2f64, 0.1]));
    /// assert!(fixed.as_quat().allclose(turning.as_quat(), 0.0, 1e-15).item::<bool>()?);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn from_euler(sequence: &str, angles: &Array) -> Rotation {
        let (axes, intrinsic) = letters(sequence);
        let mut angles = angles.inexact();
        if axes.len() == 1 && angles.shape().last() != Some(&1) {
            angles = angles.expand_dims(-1);
        }
        check(&angles, &[axes.len()], "the angles");
        let mut total: Option<Array> = None;
        for (i, axis) in axes.iter().enumerate() {
            let half = part(&angles, i as isize) * 0.5;
            let (sine, zero) = (half.sin(), half.zeros_like());
            let at = |k: usize| if k == *axis { &sine } else { &zero };
            let next = join(&[at(0), at(1), at(2), &half.cos()]);
            total = Some(match total {
                None => next,
                Some(before) if intrinsic => compose(&before, &next),
                Some(before) => compose(&next, &before),
            });
        }
        Rotation { quaternion: total.expect("invariant: there is at least one axis") }
    }

    /// The rotations by orthogonal matrices `[.., 3, 3]`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let swap = Array::new(&[0.0f64, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], &[3, 3]);
    /// let vector = Rotation::from_matrix(&swap).as_rotvec();
    /// assert_eq!(vector.round_to(4).to_vec::<f64>()?, [0.0, 0.0, 1.5708]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Markley, Unit quaternion from rotation matrix (2008): the largest of the four parts divides.
    #[track_caller]
    pub fn from_matrix(matrix: &Array) -> Rotation {
        check(matrix, &[3, 3], "matrices of rotations");
        let matrix = matrix.inexact();
        let m = |i: isize, j: isize| part(&part(&matrix.swapaxes(-1, -2), i), j);
        let trace = m(0, 0) + m(1, 1) + m(2, 2);
        let mut candidates = Vec::with_capacity(4);
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let mut parts = [(); 4].map(|()| trace.zeros_like());
            parts[i as usize] = 1 - &trace + m(i, i) * 2;
            parts[j as usize] = m(j, i) + m(i, j);
            parts[k as usize] = m(k, i) + m(i, k);
            parts[3] = m(k, j) - m(j, k);
            candidates.push(join(&parts.each_ref()));
        }
        candidates.push(join(&[
            &(m(2, 1) - m(1, 2)),
            &(m(0, 2) - m(2, 0)),
            &(m(1, 0) - m(0, 1)),
            &(&trace + 1),
        ]));
        let choice = join(&[&m(0, 0), &m(1, 1), &m(2, 2), &trace]).argmax(-1).expand_dims(-1);
        let mut chosen = candidates.pop().expect("invariant: there are four candidates");
        for (i, candidate) in candidates.into_iter().enumerate() {
            chosen = where_(&choice.eq(i), candidate, chosen);
        }
        Rotation { quaternion: unit(&chosen) }
    }

    /// The quaternions, `[.., 4]` with the real part last.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let batch = Rotation::from_euler("x", &Array::zeros(&[5, 1]));
    /// assert_eq!(batch.as_quat().shape(), [5, 4]);
    /// ```
    pub fn as_quat(&self) -> &Array {
        &self.quaternion
    }

    /// The quaternions whose real part is not negative; each rotation has two.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_quat(&Array::from_slice(&[1.0f64, 0.0, 0.0, -1.0]));
    /// assert_eq!(r.canonical().round_to(4).to_vec::<f64>()?, [-0.7071, 0.0, 0.0, 0.7071]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn canonical(&self) -> Array {
        let q = &self.quaternion;
        where_(&part(q, 3).lt(0).expand_dims(-1), -q, q)
    }

    /// The matrices, `[.., 3, 3]`.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let half_turn = Rotation::from_quat(&Array::from_slice(&[0.0f64, 0.0, 1.0, 0.0]));
    /// assert_eq!(half_turn.as_matrix().diagonal(0, 0, 1).to_vec::<f64>()?, [-1.0, -1.0, 1.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn as_matrix(&self) -> Array {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| part(&self.quaternion, i));
        let [xx, yy, zz, ww] = [&x, &y, &z, &w].map(|a| a.square());
        let rows = [
            join(&[&(&xx - &yy - &zz + &ww), &((&x * &y - &z * &w) * 2), &((&x * &z + &y * &w) * 2)]),
            join(&[&((&x * &y + &z * &w) * 2), &(&yy - &xx - &zz + &ww), &((&y * &z - &x * &w) * 2)]),
            join(&[&((&x * &z - &y * &w) * 2), &((&y * &z + &x * &w) * 2), &(&zz - &xx - &yy + &ww)]),
        ];
        stack(&rows.each_ref(), -2)
    }

    /// The vectors along the axis, as long as the angle in radians, which is from 0 to pi.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_euler("z", &Array::scalar_in(1.5 * std::f64::consts::PI, DType::F64));
    /// // Three quarters of a turn are one quarter the other way round.
    /// assert_eq!(r.as_rotvec().round_to(4).to_vec::<f64>()?, [0.0, 0.0, -1.5708]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn as_rotvec(&self) -> Array {
        let q = self.canonical();
        let axis = q.slice(-1, ..3);
        let angle = length(&axis).atan2(part(&q, 3)) * 2;
        let near = angle.le(1e-3);
        let square = angle.square();
        let series = 2.0 + &square / 12 + square.square() * (7.0 / 2880.0);
        let safe = where_(&near, 1, &angle);
        axis * where_(&near, series, &safe / (&safe * 0.5).sin()).expand_dims(-1)
    }

    /// The modified Rodrigues parameters, `[.., 3]`: see [`Rotation::from_mrp`].
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let half_turn = Rotation::from_rotvec(&Array::from_slice(&[std::f64::consts::PI, 0.0, 0.0]));
    /// assert_eq!(half_turn.as_mrp().round_to(4).to_vec::<f64>()?, [1.0, 0.0, 0.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn as_mrp(&self) -> Array {
        let q = self.canonical();
        q.slice(-1, ..3) / (part(&q, 3) + 1).expand_dims(-1)
    }

    /// The angles in radians around three axes: see [`Rotation::from_euler`]. Where the middle angle makes the other two
    /// equivalent, the third is zero.
    ///
    /// # Errors
    ///
    /// A program error unless the letters are three axes of one case, neighbours different.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_euler("xyz", &Array::from_slice(&[0.1f64, 0.2, 0.3]));
    /// assert_eq!(r.as_euler("xyz").round_to(4).to_string(), "f64[3] [0.1, 0.2, 0.3]");
    /// assert_eq!(r.as_euler("ZYX").round_to(4).to_string(), "f64[3] [0.3, 0.2, 0.1]");
    /// ```
    ///
    /// Source: Bernardes and Viollet, Quaternion to Euler angles conversion (2022).
    #[track_caller]
    pub fn as_euler(&self, sequence: &str) -> Array {
        let (mut axes, intrinsic) = letters(sequence);
        if axes.len() != 3 {
            let error = Error::program(format!("{sequence:?} are not three axes"));
            fail(with_context(error.op("rotation").at(Location::caller())));
        }
        if intrinsic {
            axes.reverse();
        }
        let (i, j) = (axes[0], axes[1]);
        let symmetric = i == axes[2];
        let k = 3 - i - j;
        // Plus one for an even order of the axes.
        let sign = if (j + 3 - i) % 3 == 1 { 1.0 } else { -1.0 };
        let q = [i, j, k, 3].map(|axis| part(&self.quaternion, axis as isize));
        let [qi, qj, qk, qw] = &q;
        let turned = qk * sign;
        let [a, b, c, d] = match symmetric {
            true => [qw.clone(), qi.clone(), qj.clone(), turned],
            false => [qw - qj, qi + &turned, qj + qw, turned - qi],
        };
        let middle = c.hypot(&d).atan2(a.hypot(&b)) * 2;
        let (sum, difference) = (b.atan2(&a), d.atan2(&c));
        let (low, high) = (middle.abs().le(1e-7), (&middle - PI).abs().le(1e-7));
        let single = where_(&low, &sum * 2, &difference * if intrinsic { 2.0 } else { -2.0 });
        let degenerate = low | high;
        let minus = &sum - &difference;
        let plus = (sum + difference) * if symmetric { 1.0 } else { sign };
        let none = plus.zeros_like();
        let (first, third) = match intrinsic {
            false => (where_(&degenerate, single, minus), where_(&degenerate, none, plus)),
            true => {
                let single = if symmetric { single } else { single * sign };
                (where_(&degenerate, single, plus), where_(&degenerate, none, minus))
            }
        };
        let middle = if symmetric { middle } else { middle - FRAC_PI_2 };
        // Into [-pi, pi).
        (join(&[&first, &middle, &third]) + PI) % TAU - PI
    }

    /// The rotated vectors `[.., 3]`; those of a batch are each for one rotation.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let half_turn = Rotation::from_quat(&Array::from_slice(&[0.0f64, 0.0, 1.0, 0.0]));
    /// let y = half_turn.apply(&Array::new(&[1.0f64, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3]));
    /// assert_eq!(y.to_vec::<f64>()?, [-1.0, -2.0, 3.0, -4.0, -5.0, 6.0]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn apply(&self, vectors: &Array) -> Array {
        check(vectors, &[3], "vectors");
        self.as_matrix().matvec(vectors)
    }

    /// The rotations back.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_euler("xyz", &Array::from_slice(&[0.1f64, 0.2, 0.3]));
    /// assert!((&r * &r.inv()).magnitude().item::<f64>()? < 1e-15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn inv(&self) -> Rotation {
        let q = &self.quaternion;
        Rotation { quaternion: concatenate(&[&-q.slice(-1, ..3), &q.slice(-1, 3..)], -1) }
    }

    /// The angles in radians, from 0 to pi.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_euler("z", &Array::from_slice(&[0.5f64, -1.0, 5.0]));
    /// // The last one goes the short way, 2 pi - 5.
    /// assert_eq!(r.magnitude().round_to(4).to_vec::<f64>()?, [0.5, 1.0, 1.2832]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn magnitude(&self) -> Array {
        let q = &self.quaternion;
        length(&q.slice(-1, ..3)).atan2(part(q, 3).abs()) * 2
    }

    /// The mean of a batch along one axis: the rotation whose matrix is nearest to all, with `weights` for each.
    ///
    /// # Errors
    ///
    /// A program error unless the batch has one axis and `weights`, if there are any, an element for each of its rotations.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_euler("z", &Array::from_slice(&[0.1f64, 0.3]));
    /// assert!((r.mean(None).magnitude().item::<f64>()? - 0.2).abs() < 1e-12);
    /// let first = r.mean(Some(&Array::from_slice(&[1.0f64, 0.0])));
    /// assert!((first.magnitude().item::<f64>()? - 0.1).abs() < 1e-12);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// Source: Markley, Cheng, Crassidis and Oshman, Averaging quaternions (2007).
    #[track_caller]
    pub fn mean(&self, weights: Option<&Array>) -> Rotation {
        let q = &self.quaternion;
        if q.rank() != 2 || weights.is_some_and(|w| w.shape() != q.shape()[..1]) {
            let error = Error::program(format!("the mean is of a vector of rotations, not of {}", q.ty()));
            let help = "weights are a vector with an element for each rotation";
            fail(with_context(error.op("rotation").at(Location::caller()).help(help)));
        }
        let weighted = weights.map_or_else(|| q.clone(), |w| q * w.astype(q.dtype()).expand_dims(-1));
        let (_, vectors) = linalg::eigh(&weighted.t().matmul(q));
        Rotation { quaternion: part(&vectors, 3) }
    }

    /// Rotation `i` of a batch, or those at an array's positions.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_euler("z", &Array::from_slice(&[0.1f64, 0.2, 0.3]));
    /// let two = r.take(&Array::from_slice(&[2i32, 0]));
    /// assert_eq!(two.magnitude().round_to(4).to_string(), "f64[2] [0.3, 0.1]");
    /// ```
    #[track_caller]
    pub fn take(&self, i: &Array) -> Rotation {
        Rotation { quaternion: self.quaternion.take(i, 0) }
    }

    /// Batches one after another.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::Rotation;
    /// let r = Rotation::from_euler("z", &Array::from_slice(&[0.1f64, 0.2]));
    /// let all = Rotation::concatenate(&[&r, &r.inv()]);
    /// assert_eq!(all.as_rotvec().index((.., 2)).round_to(4).to_vec::<f64>()?, [0.1, 0.2, -0.1, -0.2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn concatenate(rotations: &[&Rotation]) -> Rotation {
        let parts: Vec<&Array> = rotations.iter().map(|r| &r.quaternion).collect();
        Rotation { quaternion: concatenate(&parts, 0) }
    }
}

impl Mul for &Rotation {
    type Output = Rotation;

    /// The rotation `other`, then this.
    #[track_caller]
    fn mul(self, other: &Rotation) -> Rotation {
        Rotation { quaternion: unit(&compose(&self.quaternion, &other.quaternion)) }
    }
}

/// A way through rotations at constant speed between neighbours, spherical linear interpolation.
#[derive(Clone, Debug, Tree)]
pub struct Slerp {
    times: Array,
    rotations: Rotation,
    vectors: Array,
}

impl Slerp {
    /// The way that has `rotations[i]` at `times[i]`; times increase strictly.
    ///
    /// # Errors
    ///
    /// A program error unless both are vectors of one length, two or more.
    ///
    /// ```
    /// use jarrah_array::{Array, DType};
    /// use jarrah_science::rotation::{Rotation, Slerp};
    /// let turns = Rotation::from_euler("z", &Array::from_slice(&[0.0f64, 1.0]));
    /// let way = Slerp::new(&Array::from_slice(&[0.0f64, 10.0]), &turns);
    /// assert!((way.at(&Array::scalar_in(5.0, DType::F64)).magnitude().item::<f64>()? - 0.5).abs() < 1e-15);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new(times: &Array, rotations: &Rotation) -> Slerp {
        let q = &rotations.quaternion;
        let n = times.size();
        if times.rank() != 1 || q.shape() != [n, 4] || n < 2 {
            let error = Error::program(format!("times {} do not fit rotations {}", times.ty(), q.ty()));
            fail(with_context(error.op("rotation").at(Location::caller())));
        }
        let (from, to) = (q.slice(0, ..n - 1), q.slice(0, 1..));
        let (from, to) = (Rotation { quaternion: from }, Rotation { quaternion: to });
        let vectors = (&from.inv() * &to).as_rotvec();
        Slerp { times: times.astype(q.dtype()), rotations: from, vectors }
    }

    /// The rotations at times; before the first and after the last the way goes on.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_science::rotation::{Rotation, Slerp};
    /// let turns = Rotation::from_euler("z", &Array::from_slice(&[0.0f64, 1.0]));
    /// let way = Slerp::new(&Array::from_slice(&[0.0f64, 10.0]), &turns);
    /// let angles = way.at(&Array::from_slice(&[0.0f64, 2.5, 15.0])).magnitude();
    /// assert_eq!(angles.round_to(4).to_vec::<f64>()?, [0.0, 0.25, 1.5]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn at(&self, times: &Array) -> Rotation {
        let times = times.astype(self.times.dtype());
        let last = self.times.size() - 2;
        let at = (self.times.searchsorted(&times, Side::Left) - 1).clip(0, last);
        let (from, to) = (self.times.take(&at, 0), self.times.take(&(&at + 1), 0));
        let share = (times - &from) / (to - from);
        let vectors = self.vectors.take(&at, 0) * share.expand_dims(-1);
        &self.rotations.take(&at) * &Rotation::from_rotvec(&vectors)
    }
}
