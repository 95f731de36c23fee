use jarrah_base::{Element, Literal, Result, Type, c128, with_element};
use jarrah_hlo::ops::{Fft, FftKind};
use rustfft::{FftDirection, FftPlanner};

/// Lines side by side that are brought together: their elements share cache lines.
const TOGETHER: usize = 8;

/// The transform of the last axes, in doubles.
pub fn fft(op: &Fft, x: &Literal, result: Type) -> Result<Literal> {
    let (from, to) = (x.dims(), result.dims());
    if x.is_empty() || result.elements()? == 0 {
        return Literal::zeros(result);
    }
    let rank = from.len();
    let first = rank - op.lengths.len();
    let mut data = x.to_c128_vec();
    let scale = match op.kind {
        FftKind::Ifft | FftKind::Irfft => 1.0 / op.lengths.iter().product::<usize>() as f64,
        FftKind::Fft | FftKind::Rfft => 1.0,
    };
    let mut planner = FftPlanner::new();
    let mut along = |data: &mut Vec<c128>, dims: &[usize], axis: usize, direction: FftDirection| {
        lines(&mut planner, data, dims, axis, direction);
    };
    match op.kind {
        FftKind::Fft => (first..rank).for_each(|a| along(&mut data, &from, a, FftDirection::Forward)),
        FftKind::Ifft => (first..rank).for_each(|a| along(&mut data, &from, a, FftDirection::Inverse)),
        FftKind::Rfft => {
            along(&mut data, &from, rank - 1, FftDirection::Forward);
            data = resized(&data, from[rank - 1], to[rank - 1], |row, k| row[k]);
            (first..rank - 1).for_each(|a| along(&mut data, &to, a, FftDirection::Forward));
        }
        FftKind::Irfft => {
            (first..rank - 1).for_each(|a| along(&mut data, &from, a, FftDirection::Inverse));
            let n = to[rank - 1];
            // The other half is the conjugate mirror image; the element in the middle is its own.
            data = resized(&data, from[rank - 1], n, |row, k| match (k, n - k) {
                (0, _) => c128::new(row[0].re, 0.0),
                (k, mirror) if k == mirror => c128::new(row[k].re, 0.0),
                (k, mirror) if k < mirror => row[k],
                (_, mirror) => row[mirror].conj(),
            });
            along(&mut data, &to, rank - 1, FftDirection::Inverse);
        }
    }
    let mut out = Literal::zeros(result)?;
    with_element!(result.dtype(), T => {
        for (to, from) in out.as_mut_slice::<T>()?.iter_mut().zip(&data) {
            *to = <T as Element>::from_c128(from * scale);
        }
    });
    Ok(out)
}

/// Rows of `from` elements as rows of `to`.
fn resized(data: &[c128], from: usize, to: usize, at: impl Fn(&[c128], usize) -> c128) -> Vec<c128> {
    let mut all = Vec::with_capacity(data.len() / from * to);
    for row in data.chunks(from) {
        all.extend((0..to).map(|k| at(row, k)));
    }
    all
}

/// Transforms every line along `axis`.
fn lines(planner: &mut FftPlanner<f64>, data: &mut [c128], dims: &[usize], axis: usize, way: FftDirection) {
    let n = dims[axis];
    let plan = planner.plan_fft(n, way);
    let mut scratch = vec![c128::new(0.0, 0.0); plan.get_inplace_scratch_len()];
    let step: usize = dims[axis + 1..].iter().product();
    if step == 1 {
        plan.process_with_scratch(data, &mut scratch);
        return;
    }
    let mut lines = vec![c128::new(0.0, 0.0); n * TOGETHER];
    for block in data.chunks_mut(n * step) {
        for first in (0..step).step_by(TOGETHER) {
            let count = TOGETHER.min(step - first);
            let lines = &mut lines[..n * count];
            for (i, row) in block.chunks(step).enumerate() {
                for (line, &x) in row[first..first + count].iter().enumerate() {
                    lines[line * n + i] = x;
                }
            }
            plan.process_with_scratch(lines, &mut scratch);
            for (i, row) in block.chunks_mut(step).enumerate() {
                for (line, x) in row[first..first + count].iter_mut().enumerate() {
                    *x = lines[line * n + i];
                }
            }
        }
    }
}
