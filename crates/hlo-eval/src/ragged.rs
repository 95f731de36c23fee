use jarrah_base::{Literal, Result, Type};
use jarrah_hlo::ops::{DotGeneral, GroupMatrices, RaggedDot, RaggedKind};

use crate::copy::permuted;
use crate::dot::dot_general;

/// The rows of each group.
fn groups(sizes: &Literal, rows: usize) -> Vec<std::ops::Range<usize>> {
    let mut end = 0;
    let sizes = sizes.to_i128_vec().into_iter();
    let group = |size: i128| {
        let start = end;
        end = rows.min(start + usize::try_from(size).unwrap_or(0));
        start..end
    };
    sizes.map(group).collect()
}

/// The part of the leading axis, without that axis if it is one `index`.
fn part(x: &Literal, range: std::ops::Range<usize>) -> Result<Literal> {
    let (ty, dims) = (x.ty(), x.dims());
    let line = x.bytes().len() / dims[0].max(1);
    let part: Vec<usize> = [range.len()].into_iter().chain(dims[1..].iter().copied()).collect();
    Literal::from_bytes(ty.with_dims(part), &x.bytes()[range.start * line..range.end * line])
}

/// A matrix `[k, n]` that lies in panels.
fn plain(panels: &Literal) -> Result<Literal> {
    let rows = permuted(panels, &[1, 3, 0, 2])?;
    let [k, together, count, columns] = [0, 1, 2, 3].map(|axis| rows.dims()[axis]);
    rows.reshape(&[k * together, count * columns])
}

/// Sums over parts of the rows of a matrix `[k, n]`, each times its scales, `[parts, n]`: the product of the parts, and that over them.
fn scaled(lhs: &Literal, matrix: &Literal, scales: &Literal, to: Type) -> Result<Literal> {
    let [parts, n] = [0, 1].map(|axis| scales.dims()[axis]);
    let (rows, each) = (lhs.dims()[0], lhs.dims()[1] / parts);
    let dot = |lhs: &[&[usize]; 2], rhs: &[&[usize]; 2]| {
        let [lhs_batch, lhs_contract, rhs_batch, rhs_contract] =
            [lhs[0], lhs[1], rhs[0], rhs[1]].map(|axes| axes.iter().copied().collect());
        DotGeneral { lhs_batch, rhs_batch, lhs_contract, rhs_contract, out: to.dtype() }
    };
    let [lhs, matrix] = [lhs.reshape(&[rows, parts, each])?, matrix.reshape(&[parts, each, n])?];
    let sums = to.with_dims([parts, rows, n]);
    let sums = dot_general(&dot(&[&[1], &[2]], &[&[0], &[1]]), &lhs, &matrix, sums)?;
    let spread = [scales.bytes()].repeat(rows).concat();
    let spread = Literal::from_bytes(to.with_dims([rows, parts, n]), &spread)?;
    dot_general(&dot(&[&[1, 2], &[0]], &[&[0, 2], &[1]]), &sums, &spread, to)
}

/// The product of each group by itself, in the order of [`dot_general`]; rows behind the last group are 0.
pub fn ragged_dot(op: &RaggedDot, operands: &[Literal], to: Type) -> Result<Literal> {
    let [lhs, rhs, sizes] = [0, 1, 2].map(|i| &operands[i]);
    let (dot, dims) = (op.of_group(), to.dims());
    let mut bytes = Vec::new();
    for (group, rows) in groups(sizes, lhs.dims()[0]).into_iter().enumerate() {
        let count = rows.len();
        let left = part(lhs, rows.clone())?;
        let (right, ty) = match op.kind {
            RaggedKind::Rows(lie) => {
                let matrix = part(rhs, group..group + 1)?.reshape(&rhs.dims()[1..])?;
                let matrix = if lie == GroupMatrices::Panels { plain(&matrix)? } else { matrix };
                let ty = to.with_dims([count, dims[1]]);
                if let Some(scales) = operands.get(3) {
                    let scales = part(scales, group..group + 1)?.reshape(&scales.dims()[1..])?;
                    let matrix =
                        if lie == GroupMatrices::Transposed { permuted(&matrix, &[1, 0])? } else { matrix };
                    bytes.extend_from_slice(scaled(&left, &matrix, &scales, ty)?.bytes());
                    continue;
                }
                (matrix, ty)
            }
            RaggedKind::Contracted => (part(rhs, rows)?, to.with_dims([dims[1], dims[2]])),
        };
        bytes.extend_from_slice(dot_general(&dot, &left, &right, ty)?.bytes());
    }
    bytes.resize(to.bytes()?, 0);
    Literal::from_bytes(to, &bytes)
}
