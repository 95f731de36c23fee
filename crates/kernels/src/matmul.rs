//! Products of matrices, tile by tile.

use jarrah_array::kernel::{Block, BlockDim, bounds, kernel, num_programs, program_id, when};
use jarrah_array::{Array, DType, Ref, TreeExt, Type, custom_vjp, vjp};

use crate::elementwise::gelu_of;
use crate::reduce::sum_columns;
use crate::shape::{extents, require};

/// The tile of a result, and how much of the common axis a point takes.
const TILE: usize = 128;
const DEPTH: usize = 256;

/// The extents of a product of `x` and `y`, and its tiles.
struct Tiles {
    m: usize,
    k: usize,
    n: usize,
    bm: usize,
    bk: usize,
    bn: usize,
}

impl Tiles {
    #[track_caller]
    fn of(op: &str, x: &Array, y: &Array) -> Tiles {
        let ([m, k], [depth, n]) = (extents(op, "the left factor", x), extents(op, "the right factor", y));
        require(op, k == depth && x.dtype() == y.dtype(), || {
            format!("{} and {} have no product", x.ty(), y.ty())
        });
        Tiles { m, k, n, bm: m.clamp(1, TILE), bk: k.clamp(1, DEPTH), bn: n.clamp(1, TILE) }
    }

    fn grid(&self) -> [usize; 3] {
        [self.m.div_ceil(self.bm), self.n.div_ceil(self.bn), self.k.div_ceil(self.bk)]
    }
}

/// `z[i, j] = sum_k x[i, k] y[k, j]`: tiles of the result at the same time, the common axis in order.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::arange(4).reshape(&[2, 2]);
/// assert_eq!(jarrah_kernels::matmul(&x, &x).to_vec::<i32>()?, [2, 3, 6, 11]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn matmul(x: &Array, y: &Array) -> Array {
    let t = Tiles::of("matmul", x, y);
    kernel(|[x, y, z]| z.addupdate(x.get().matmul(&y.get())))
        .name("matmul")
        .grid(&t.grid())
        .input(Block::new([t.bm, t.bk], |[i, _, k]| [i, k]))
        .input(Block::new([t.bk, t.bn], |[_, j, k]| [k, j]))
        .output(x.ty().with_dims([t.m, t.n]), Block::new([t.bm, t.bn], |[i, j, _]| [i, j]))
        .call_one(&[x, y])
}

/// `gelu(x y + bias)`, with a bias `[n]`: what is done to the sums stands where the last of them is added.
///
/// ```
/// use jarrah_array::Array;
/// let (x, y) = (Array::zeros(&[2, 3]), Array::zeros(&[3, 4]));
/// assert_eq!(jarrah_kernels::matmul_bias_gelu(&x, &y, &Array::zeros(&[4])).to_vec::<f32>()?, [0.0; 8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn matmul_bias_gelu(x: &Array, y: &Array, bias: &Array) -> Array {
    type Three = (Array, Array, Array);
    let value = |(x, y, bias): &Three| epilogue(x, y, bias);
    let ahead = |xs: &Three| (value(xs), xs.map_leaves(Array::clone));
    // The sums are computed again, and what follows from their gradient are products too.
    let back = |(x, y, bias): &Three, ct: &Array| {
        let slope = vjp(gelu_of, &(matmul(x, y) + bias)).1(ct);
        (matmul(&slope, &y.t()), matmul(&x.t(), &slope), sum_columns(&slope))
    };
    custom_vjp(value, ahead, back)(&(x.clone(), y.clone(), bias.clone()))
}

#[track_caller]
fn epilogue(x: &Array, y: &Array, bias: &Array) -> Array {
    let t = Tiles::of("matmul_bias_gelu", x, y);
    require("matmul_bias_gelu", bias.shape() == [t.n], || {
        format!("there are {} biases, not {}", t.n, bias.ty())
    });
    kernel(|[x, y, bias, z, sum]| {
        let k = program_id(2);
        when(k.eq(0), || sum.set(0));
        sum.addupdate(x.get().matmul(&y.get()));
        when(k.eq(num_programs(2) as i64 - 1), || z.set(gelu_of(&(sum.get() + bias.get()))));
    })
    .name("matmul_bias_gelu")
    .grid(&t.grid())
    .arbitrary(&[2])
    .input(Block::new([t.bm, t.bk], |[i, _, k]| [i, k]))
    .input(Block::new([t.bk, t.bn], |[_, j, k]| [k, j]))
    .input(Block::new([t.bn], |[_, j, _]| [j]))
    .output(x.ty().with_dims([t.m, t.n]), Block::new([t.bm, t.bn], |[i, j, _]| [i, j]))
    .scratch(x.ty().with_dims([t.bm, t.bn]))
    .call_one(&[x, y, bias])
}

/// `z[b] = x[b] y[b]` of batches of matrices.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::ones(&[3, 2, 2]);
/// assert_eq!(jarrah_kernels::batched_matmul(&x, &x).to_vec::<f32>()?, [2.0; 12]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn batched_matmul(x: &Array, y: &Array) -> Array {
    let op = "batched_matmul";
    let ([batch, m, k], [again, depth, n]) =
        (extents(op, "the left factor", x), extents(op, "the right factor", y));
    require(op, k == depth && batch == again, || format!("{} and {} have no product", x.ty(), y.ty()));
    let (bm, bk, bn) = (m.clamp(1, TILE), k.clamp(1, DEPTH), n.clamp(1, TILE));
    let one = BlockDim::Squeezed;
    kernel(|[x, y, z]| z.addupdate(x.get().matmul(&y.get())))
        .name(op)
        .grid(&[batch, m.div_ceil(bm), n.div_ceil(bn), k.div_ceil(bk)])
        .input(Block::new((one, bm, bk), |[b, i, _, k]| [b, i, k]))
        .input(Block::new((one, bk, bn), |[b, _, j, k]| [b, k, j]))
        .output(x.ty().with_dims([batch, m, n]), Block::new((one, bm, bn), |[b, i, j, _]| [b, i, j]))
        .call_one(&[x, y])
}

/// `z[r] = x[r] y[g]` for each row `r` of group `g`, where group `g` has `sizes[g]` rows, one group after another; rows behind the last
/// group are zeros. The factors are `[rows, k]` and `[groups, k, n]`.
///
/// A point takes some rows of a group, which the sizes find: blocks that are shorter at the end of the group.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let (x, y) = (Array::ones(&[3, 2]), Array::arange(4).astype(jarrah_array::DType::F32).reshape(&[2, 2, 1]));
/// let z = jarrah_kernels::grouped_matmul(&x, &y, &Array::from_slice(&[1i32, 2]));
/// assert_eq!(z.to_vec::<f32>()?, [1.0, 5.0, 5.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Gale, Narayanan, Young and Zaharia, MegaBlocks (2022).
#[track_caller]
pub fn grouped_matmul(x: &Array, y: &Array, sizes: &Array) -> Array {
    let op = "grouped_matmul";
    let ([rows, k], [groups, depth, n]) =
        (extents(op, "the left factor", x), extents(op, "the right factor", y));
    require(op, k == depth && sizes.shape() == [groups], || {
        format!("{}, {} and sizes {} have no product", x.ty(), y.ty(), sizes.ty())
    });
    let sizes = sizes.astype(DType::I32);
    let starts = sizes.cumsum(0) - &sizes;
    let (bm, bn) = (rows.clamp(1, TILE), n.clamp(1, TILE));
    // The rows from this on of the group, at most as many as the block has.
    let part = |g: &Array, i: &Array, starts: &Array, sizes: &Array| {
        let from = i * bm;
        let count = (sizes.index(g) - &from).clip(0, bm);
        bounds(starts.index(g) + from, count)
    };
    kernel(|[_, _, x, y, z]| z.set(x.get().matmul(&y.get())))
        .name(op)
        .grid(&[n.div_ceil(bn), groups, rows.div_ceil(bm)])
        .prefetch(2)
        .input(Block::found((BlockDim::Bounded(bm), k), |[_, g, i], [starts, sizes]| {
            (part(&g, &i, &starts, &sizes), 0)
        }))
        .input(Block::new((BlockDim::Squeezed, k, bn), |[j, g, _]| (g, 0, j)))
        .output(
            x.ty().with_dims([rows, n]),
            Block::found((BlockDim::Bounded(bm), bn), |[j, g, i], [starts, sizes]| {
                (part(&g, &i, &starts, &sizes), j)
            }),
        )
        .call_one(&[&starts, &sizes, x, y])
}

/// The product of a matrix of which only some blocks are there and `y`: row of blocks `rows[b]`, column of blocks `columns[b]` for
/// the block `blocks[b]` of `[count, bm, bk]`; the result has `m` rows. Blocks are sorted by their rows.
///
/// ```
/// use jarrah_array::{Array, DType};
/// // The identity's second block of two, at row 1 and column 0.
/// let (rows, columns) = (Array::from_slice(&[1i32]), Array::from_slice(&[0i32]));
/// let y = Array::arange(4).astype(jarrah_array::DType::F32).reshape(&[2, 2]);
/// let z = jarrah_kernels::block_sparse_matmul(&Array::eye(2).reshape(&[1, 2, 2]), &rows, &columns, &y, 4);
/// assert_eq!(z.to_vec::<f32>()?, [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn block_sparse_matmul(blocks: &Array, rows: &Array, columns: &Array, y: &Array, m: usize) -> Array {
    let op = "block_sparse_matmul";
    let ([count, bm, bk], [k, n]) = (extents(op, "the blocks", blocks), extents(op, "the right factor", y));
    require(
        op,
        m.is_multiple_of(bm) && k.is_multiple_of(bk) && rows.shape() == [count] && columns.shape() == [count],
        || {
            format!(
                "{} at rows {} and columns {} do not make a matrix [{m}, {k}]",
                blocks.ty(),
                rows.ty(),
                columns.ty()
            )
        },
    );
    let bn = n.clamp(1, TILE);
    let body = |[_, _, x, y, z]: [Ref; 5]| z.addupdate(x.get().matmul(&y.get()));
    kernel(body)
        .name(op)
        .grid(&[n.div_ceil(bn), count])
        .prefetch(2)
        .input(Block::new((BlockDim::Squeezed, bm, bk), |[_, b]| (b, 0, 0)))
        .input(Block::found([bk, bn], |[j, b], [_, columns]| [columns.index(b), j]))
        .output(
            Type::tensor(y.dtype(), [m, n]),
            Block::found([bm, bn], |[j, b], [rows, _]| [rows.index(b), j]),
        )
        .call_one(&[rows, columns, blocks, y])
}
