//! Whose tensor is which parameter: rows of names, and the pieces that they stand for.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_array::{Error, Result, Type};
use jarrah_formats::{BoxSide, copy_box};

/// A tensor of a file, and the parameters that it is made of. `{}` stands for the number of a layer, and of a layer in a stage where there are two, `{e}` for that of an expert.
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
    /// One behind the other along the first axis, transposed.
    Columns,
    /// For each head, the rows of the first parameter, the second, the third.
    Heads,
    /// A part, by its number and the number of parts, of the matrix of an expert.
    Expert(usize, usize),
    /// A part, by its number and the number of parts, of the matrices of all experts.
    Part(usize, usize),
    /// For each head, the rows of the first half and of the second half by turns, as llama.cpp rotates neighbours.
    Interleaved,
    /// The parameter with one added to each number, as llama.cpp has the scales of Gemma.
    PlusOne,
    /// The only row of a matrix, as a vector.
    Flat,
    /// The window axes of a convolution, which are its first, behind outputs and inputs.
    Filters,
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

    /// The name in files of the parameter at `path`, if the row says that it is a tensor there as it is.
    pub fn name_of(&self, path: &str) -> Option<&'static str> {
        (self.first == path && self.others.is_empty()).then_some(self.theirs)
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
    /// How far apart rows of the box are in the tensor.
    pub step: usize,
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
    /// Whether the tensor is the parameter with its first axes, but for two, behind these, and the two exchanged.
    pub filters: bool,
    /// The number that each element of the tensor has more than the parameter's.
    pub plus: i8,
}

impl Tensor {
    /// The parameter that it is, if it is one as it stands.
    pub fn whole(&self, parameters: &BTreeMap<String, Type>) -> Option<&str> {
        match &self.pieces[..] {
            [piece]
                if !piece.swapped
                    && !self.filters
                    && self.plus == 0
                    && parameters.get(&piece.ours)?.dims()[..] == self.dims[..] =>
            {
                Some(&piece.ours)
            }
            _ => None,
        }
    }
}

/// The numbers that each `{}` of a pattern stands for in a name, if the pattern means it.
fn numbers(pattern: &str, name: &str) -> Option<Vec<usize>> {
    let mut parts = pattern.split("{}");
    let mut rest = name.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    for part in parts {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        found.push(rest[..digits].parse().ok()?);
        rest = rest[digits..].strip_prefix(part)?;
    }
    rest.is_empty().then_some(found)
}

/// The heads of a model's first layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// The number of query heads, into which [`Join::Heads`] cuts the rows of each parameter.
    pub count: usize,
    /// The width of a head, of which [`Join::Interleaved`] takes halves.
    pub width: usize,
}

/// The most pieces of a model's parameters: the largest models have some ten thousand matrices of experts.
const MOST_PIECES: usize = 1 << 20;

/// The tensors of a file of a model with these parameters, by name, in the order of the rows, layer by layer.
///
/// * `heads`: what [`Join::Heads`] and [`Join::Interleaved`] cut by
///
/// # Errors
/// The parameters would be cut into more pieces than any model has (`Input`); a parameter has no row: a fault of the family.
pub fn tensors(
    rows: &[Row],
    parameters: &BTreeMap<String, Type>,
    heads: Heads,
) -> Result<Vec<(String, Tensor)>> {
    let mut made: Vec<(String, Tensor)> = Vec::new();
    let mut unnamed: BTreeSet<&str> = parameters.keys().map(String::as_str).collect();
    let mut pieces = 0;
    for row in rows {
        let start = row.first.split("{}").next().unwrap_or_default();
        let alike = parameters.range(start.to_owned()..).take_while(|(name, _)| name.starts_with(start));
        let mut layers: Vec<Vec<usize>> = alike.filter_map(|(name, _)| numbers(row.first, name)).collect();
        layers.sort();
        for layer in layers {
            let of_layer = |name: &str| {
                layer.iter().fold(name.to_owned(), |name, i| name.replacen("{}", &i.to_string(), 1))
            };
            let ours: Vec<String> = row.ours().map(of_layer).collect();
            let Some(types) =
                ours.iter().map(|name| parameters.get(name).copied()).collect::<Option<Vec<Type>>>()
            else {
                continue;
            };
            for name in &ours {
                unnamed.remove(name.as_str());
            }
            let theirs = of_layer(row.theirs);
            let dims = types[0].dims();
            pieces += match row.join {
                Join::Expert(..) => dims[0],
                Join::Heads => heads.count * types.len(),
                Join::Interleaved => types.iter().map(|ty| ty.dims()[0] / heads.width * 2).sum(),
                _ => types.len(),
            };
            if pieces > MOST_PIECES {
                let error = format!("{theirs} and what comes before it in files would be {pieces} pieces");
                return Err(Error::input(error)
                    .help(format!("the heads or experts are too many: {MOST_PIECES} pieces are allowed")));
            }
            let cut = |start: Vec<usize>, extent: Vec<usize>, dims: Vec<usize>| {
                let (ours, their_start) = (ours[0].clone(), vec![0; dims.len()]);
                let piece = Piece { ours, start, extent, their_start, step: 1, swapped: false };
                Tensor { dims, pieces: vec![piece], ..Tensor::default() }
            };
            match row.join {
                Join::Expert(part, parts) => {
                    let rows = dims[1] / parts;
                    for e in 0..dims[0] {
                        let tensor =
                            cut(vec![e, part * rows, 0], vec![1, rows, dims[2]], vec![rows, dims[2]]);
                        made.push((theirs.replace("{e}", &e.to_string()), tensor));
                    }
                }
                Join::Part(part, parts) => {
                    let rows = dims[1] / parts;
                    let extent = vec![dims[0], rows, dims[2]];
                    made.push((theirs, cut(vec![0, part * rows, 0], extent.clone(), extent)));
                }
                Join::Filters => {
                    let (window, ends) = dims.split_at(dims.len() - 2);
                    let turned = [&[ends[1], ends[0]], window].concat();
                    let tensor = cut(vec![0; dims.len()], dims.to_vec(), turned);
                    made.push((theirs, Tensor { filters: true, ..tensor }));
                }
                Join::Flat => made.push((theirs, cut(vec![0; 2], dims.to_vec(), vec![dims[1]]))),
                Join::Rows | Join::Columns | Join::Heads | Join::Interleaved | Join::PlusOne => {
                    let tensor = joined(row.join, &ours, &types, heads);
                    made.push((theirs, Tensor { packs: row.packs, ..tensor }));
                }
            }
        }
    }
    match unnamed.first() {
        Some(name) => Err(Error::internal(format!("no tensor is named for the parameter {name}"))),
        None => Ok(made),
    }
}

fn joined(join: Join, ours: &[String], types: &[Type], heads: Heads) -> Tensor {
    let mut tensor = Tensor { plus: i8::from(join == Join::PlusOne), ..Tensor::default() };
    let mut before = 0;
    for (part, (name, ty)) in ours.iter().zip(types).enumerate() {
        let dims = ty.dims().to_vec();
        let mut push = |row: usize, rows: usize, their_row: usize, step: usize, swapped: bool| {
            let (mut start, mut extent, mut their_start) =
                (vec![0; dims.len()], dims.clone(), vec![0; dims.len()]);
            (start[0], extent[0]) = (row, rows);
            their_start[if swapped { dims.len() - 1 } else { 0 }] = their_row;
            tensor.pieces.push(Piece { ours: name.clone(), start, extent, their_start, step, swapped });
        };
        match join {
            Join::Heads => {
                let rows = |ty: &Type| ty.dims()[0] / heads.count;
                let (own, all) = (rows(ty), types.iter().map(rows).sum::<usize>());
                let earlier: usize = types[..part].iter().map(rows).sum();
                for head in 0..heads.count {
                    push(head * own, own, head * all + earlier, 1, false);
                }
            }
            Join::Interleaved => {
                let half = heads.width / 2;
                for start in (0..dims[0]).step_by(heads.width) {
                    push(start, half, start, 2, false);
                    push(start + half, half, start + 1, 2, false);
                }
            }
            Join::Columns if dims.len() == 2 => push(0, dims[0], before, 1, true),
            _ => push(0, dims[0], before, 1, false),
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
    let ours = BoxSide { dims: ours.0, start: &piece.start, bytes: ours.1 };
    let theirs = BoxSide { dims: theirs.0, start: &piece.their_start, bytes: theirs.1 };
    copy_box(size, &piece.extent, [ours, theirs], piece.step, piece.swapped, into_ours);
}
