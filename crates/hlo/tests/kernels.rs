//! Kernels that two ways of running them would disagree about are refused.

use jarrah_base::{DType, Error, Type};
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Kernel, Load, ProgramId, Store};
use jarrah_hlo::{Builder, Rules, Value};

fn spec(axes: &[BlockIndex]) -> BlockSpec {
    BlockSpec { axes: axes.iter().copied().collect() }
}

/// A kernel over a grid that copies `x`, whole, to blocks of the result.
fn copies(grid: &[usize], result: &[usize], axes: &[BlockIndex]) -> Result<(), Error> {
    let result = Type::tensor(DType::F32, result.iter().copied());
    let block = spec(axes).block_type(result, grid)?;
    let mut b = Builder::new("copy");
    let (x, y) = (b.param(block, "x"), b.param(block, "y"));
    let value = b.one(Load, &[x])?;
    b.push(Store, &[y, value])?;
    let operand = block.with_dtype(DType::F32);
    let kernel = Kernel {
        grid: grid.iter().copied().collect(),
        inputs: vec![BlockSpec::whole(operand.rank())],
        outputs: vec![(result, spec(axes))],
        body: b.finish(&[])?.into(),
    };
    kernel.infer(&[operand]).map(|_| ())
}

#[test]
fn a_block_is_stored_by_one_grid_point() {
    use BlockIndex::{Block, First, Point, Whole};
    let point = |grid| Point { grid };
    assert!(copies(&[3], &[3, 4], &[point(0), Whole]).is_ok());
    assert!(copies(&[3, 2], &[8, 3], &[Block { size: 4, grid: 1 }, point(0)]).is_ok());
    // An axis with one point selects nothing.
    assert!(copies(&[1, 3], &[3, 1], &[point(1), First]).is_ok());
    let shared = copies(&[3], &[4], &[Whole]).unwrap_err().to_string();
    assert!(shared.contains("all store the same block of f32[4]") && shared.contains("result 0"), "{shared}");
    assert!(copies(&[3, 2], &[3, 4], &[point(0), Whole]).is_err());
    let diagonal = copies(&[3], &[3, 3], &[point(0), point(0)]).unwrap_err().to_string();
    assert!(diagonal.contains("off the diagonal"), "{diagonal}");
}

/// A kernel of one grid point over `x` and `y`, whose body `make` writes.
fn whole(make: fn(&mut Builder, Value, Value) -> Result<(), Error>) -> Result<(), Error> {
    let (tensor, block) = (Type::tensor(DType::F32, [4]), Type::reference(DType::F32, [4]));
    let mut b = Builder::new("body");
    let (x, y) = (b.param(block, "x"), b.param(block, "y"));
    make(&mut b, x, y)?;
    let kernel = Kernel {
        grid: Default::default(),
        inputs: vec![BlockSpec::whole(1)],
        outputs: vec![(tensor, BlockSpec::whole(1))],
        body: b.finish(&[])?.into(),
    };
    kernel.infer(&[tensor]).map(|_| ())
}

#[test]
fn a_loaded_value_is_not_used_after_a_store_to_its_block() {
    let late = whole(|b, x, y| {
        let (new, old) = (b.one(Load, &[x])?, b.one(Load, &[y])?);
        b.push(Store, &[y, new])?;
        let sum = b.add(new, old)?;
        b.push(Store, &[y, sum]).map(|_| ())
    });
    let late = late.unwrap_err().to_string();
    assert!(late.contains("[add]") && late.contains("before something else was stored there"), "{late}");
    let reshaped = whole(|b, x, y| {
        let old = b.one(Load, &[y])?;
        let old = b.reshape(old, &[2, 2])?;
        let new = b.one(Load, &[x])?;
        b.push(Store, &[y, new])?;
        let old = b.exp(old)?;
        let old = b.reshape(old, &[4])?;
        b.push(Store, &[y, old]).map(|_| ())
    });
    assert!(reshaped.is_err());
    // What is computed of it is no longer the block, and it may be loaded again.
    let early = whole(|b, x, y| {
        let (new, old) = (b.one(Load, &[x])?, b.one(Load, &[y])?);
        let sum = b.add(new, old)?;
        b.push(Store, &[y, new])?;
        let again = b.one(Load, &[y])?;
        let sum = b.add(sum, again)?;
        b.push(Store, &[y, sum]).map(|_| ())
    });
    early.unwrap();
}

#[test]
fn a_position_is_along_an_axis_of_the_grid() {
    let refused = whole(|b, x, y| {
        b.one(ProgramId { axis: 0 }, &[])?;
        let value = b.one(Load, &[x])?;
        b.push(Store, &[y, value]).map(|_| ())
    });
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("program_id") && error.contains("has no axis"), "{error}");
}
