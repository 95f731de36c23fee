//! Whose tensor is which parameter: rows of names, and the pieces that they stand for.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_array::{Error, Result, Type};

/// A tensor of a file, and the parameters that it is made of. `{}` stands for the number of a layer, `{e}` for that of an expert.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    theirs: &'static str,
    first: &'static str,
    others: &'static [&'static str],
    join: Join,
    packs: bool,
}

/// How parameters make a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Join {
    /// One behind the other along the first axis.
    Rows,
    /// The same, transposed.
    Columns,
    /// Of each head the rows of the first, the second, the third.
    Heads,
    /// Part so of so many of the matrix of an expert.
    Expert(usize, usize),
}

impl Row {
    /// A tensor that is a parameter.
    pub const fn same(theirs: &'static str, ours: &'static str) -> Row {
        Row { theirs, first: ours, others: &[], join: Join::Rows, packs: false }
    }

    /// A tensor that is a stack of matrices, which a file may have in MXFP4 instead, as `NAME_blocks` and `NAME_scales`.
    pub const fn packed(theirs: &'static str, ours: &'static str) -> Row {
        Row { packs: true, ..Row::same(theirs, ours) }
    }

    /// A tensor that is made of parameters.
    pub const fn joined(theirs: &'static str, ours: &'static [&'static str], join: Join) -> Row {
        let (first, others) = match ours.split_first() {
            Some((first, others)) => (*first, others),
            None => ("", ours),
        };
        Row { theirs, first, others, join, packs: false }
    }

    fn ours(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }
}

/// The rows of a family: later lists take the place of those rows before that name the same tensor or parameter.
pub fn rows(lists: &[&'static [Row]]) -> Vec<Row> {
    let mut all: Vec<Row> = Vec::new();
    for list in lists {
        all.retain(|row| {
            let replaced = |new: &Row| {
                new.theirs == row.theirs || new.ours().any(|name| row.ours().any(|other| other == name))
            };
            !list.iter().any(replaced)
        });
        all.extend_from_slice(list);
    }
    all
}

/// A box of a parameter that is a box of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The name of the parameter.
    pub ours: String,
    /// Where the box begins there, and how large it is.
    pub start: Vec<usize>,
    pub extent: Vec<usize>,
    /// Where it begins in the tensor, whose rank may be smaller: leading extents of the box are then 1.
    pub their_start: Vec<usize>,
    /// Whether the tensor has its last two axes exchanged.
    pub swapped: bool,
}

/// A tensor of a file: its extents, and the pieces that it is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tensor {
    pub dims: Vec<usize>,
    pub pieces: Vec<Piece>,
    /// Whether a file may have it in MXFP4.
    pub packs: bool,
}

impl Tensor {
    /// The parameter that it is, if it is one as it stands.
    pub fn whole(&self, parameters: &BTreeMap<String, Type>) -> Option<&str> {
        match &self.pieces[..] {
            [piece] if !piece.swapped && parameters.get(&piece.ours)?.dims()[..] == self.dims[..] => {
                Some(&piece.ours)
            }
            _ => None,
        }
    }
}

/// The tensors of a file of a model with these parameters, by name, in the order of the rows, layer by layer.
///
/// * `heads`: into how many parts [`Join::Heads`] cuts the rows of each
///
/// # Errors
/// A parameter has no row: a fault of the family.
pub fn tensors(
    rows: &[Row],
    parameters: &BTreeMap<String, Type>,
    layers: usize,
    heads: usize,
) -> Result<Vec<(String, Tensor)>> {
    let mut made: Vec<(String, Tensor)> = Vec::new();
    let mut unnamed: BTreeSet<&str> = parameters.keys().map(String::as_str).collect();
    for row in rows {
        for layer in 0..if row.first.contains("{}") { layers } else { 1 } {
            let ours: Vec<String> = row.ours().map(|name| name.replace("{}", &layer.to_string())).collect();
            let Some(types) =
                ours.iter().map(|name| parameters.get(name).copied()).collect::<Option<Vec<Type>>>()
            else {
                continue;
            };
            for name in &ours {
                unnamed.remove(name.as_str());
            }
            let theirs = row.theirs.replace("{}", &layer.to_string());
            match row.join {
                Join::Expert(part, parts) => {
                    let dims = types[0].dims();
                    for e in 0..dims[0] {
                        let rows = dims[1] / parts;
                        let piece = Piece {
                            ours: ours[0].clone(),
                            start: vec![e, part * rows, 0],
                            extent: vec![1, rows, dims[2]],
                            their_start: vec![0, 0],
                            swapped: false,
                        };
                        let tensor = Tensor { dims: vec![rows, dims[2]], pieces: vec![piece], packs: false };
                        made.push((theirs.replace("{e}", &e.to_string()), tensor));
                    }
                }
                Join::Rows | Join::Columns | Join::Heads => {
                    let tensor = joined(row.join, &ours, &types, heads);
                    made.push((theirs, Tensor { packs: row.packs, ..tensor }))
                }
            }
        }
    }
    match unnamed.first() {
        Some(name) => Err(Error::internal(format!("no tensor is named for the parameter {name}"))),
        None => Ok(made),
    }
}

fn joined(join: Join, ours: &[String], types: &[Type], heads: usize) -> Tensor {
    let mut tensor = Tensor::default();
    let mut before = 0;
    for (part, (name, ty)) in ours.iter().zip(types).enumerate() {
        let dims = ty.dims().to_vec();
        let mut push = |row: usize, rows: usize, their_row: usize, swapped: bool| {
            let (mut start, mut extent, mut their_start) =
                (vec![0; dims.len()], dims.clone(), vec![0; dims.len()]);
            (start[0], extent[0]) = (row, rows);
            their_start[if swapped { dims.len() - 1 } else { 0 }] = their_row;
            tensor.pieces.push(Piece { ours: name.clone(), start, extent, their_start, swapped });
        };
        match join {
            Join::Heads => {
                let rows = |ty: &Type| ty.dims()[0] / heads;
                let (own, all) = (rows(ty), types.iter().map(rows).sum::<usize>());
                let earlier: usize = types[..part].iter().map(rows).sum();
                for head in 0..heads {
                    push(head * own, own, head * all + earlier, false);
                }
            }
            Join::Columns if dims.len() == 2 => push(0, dims[0], before, true),
            Join::Rows | Join::Columns | Join::Expert(..) => push(0, dims[0], before, false),
        }
        before += dims[0];
        tensor.dims = dims;
    }
    if let Some(first) = tensor.dims.first_mut() {
        *first = before;
    }
    if join == Join::Columns {
        tensor.dims.reverse();
    }
    tensor
}

/// Copies the box of a piece between a parameter and a tensor, both row-major with elements of `size` bytes.
pub fn copy(
    piece: &Piece,
    size: usize,
    ours: (&[usize], &mut [u8]),
    theirs: (&[usize], &mut [u8]),
    into_ours: bool,
) {
    let (rank, their_rank) = (piece.extent.len(), piece.their_start.len());
    // Boxes are seen with three axes, the leading ones of extent 1.
    let three = |values: &[usize], fill: usize| -> [usize; 3] {
        let mut all = [fill; 3];
        all[3 - values.len()..].copy_from_slice(values);
        all
    };
    debug_assert!(rank <= 3 && their_rank <= 3);
    let (start, extent, their_start) =
        (three(&piece.start, 0), three(&piece.extent, 1), three(&piece.their_start, 0));
    let (dims, their_dims) = (three(ours.0, 1), three(theirs.0, 1));
    let place = |dims: [usize; 3], at: [usize; 3]| ((at[0] * dims[1] + at[1]) * dims[2] + at[2]) * size;
    let (own, other) = (ours.1, theirs.1);
    // A piece of a tensor of fewer axes lies at its beginning.
    let lead = if their_rank < rank { 0 } else { extent[0] };
    for i in 0..lead.max(1) {
        for j in 0..extent[1] {
            let (count, columns) = if piece.swapped { (1, extent[2]) } else { (extent[2], 1) };
            for k in 0..columns {
                let at = [start[0] + i, start[1] + j, start[2] + k];
                let (row, column) = if piece.swapped { (k, j) } else { (j, k) };
                let there = [their_start[0] + i, their_start[1] + row, their_start[2] + column];
                let (a, b) = (place(dims, at), place(their_dims, there));
                let bytes = count * size;
                if into_ours {
                    own[a..a + bytes].copy_from_slice(&other[b..b + bytes]);
                } else {
                    other[b..b + bytes].copy_from_slice(&own[a..a + bytes]);
                }
            }
        }
    }
}
