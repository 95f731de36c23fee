//! What loops make right operands of is prepared in panels of columns.

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_compiler::{Parts, Wanted, prepare};
use jarrah_hlo::ops::{DotGeneral, ElementwiseKind, Reverse};
use jarrah_hlo::{Builder, Program};
use jarrah_hlo_eval::evaluate;

const COLUMNS: usize = 16;

/// The parts compute what the program does, and what lies in panels comes back.
fn check(program: &Program, prepared: usize, arguments: &[Literal]) -> Result<Parts> {
    let wanted = Wanted { panels: &|_, _| None, columns: &|_, _| Some(COLUMNS) };
    let parts = prepare(program, prepared, wanted)?;
    let mut rest = arguments[prepared..].to_vec();
    for recipe in &parts.recipes {
        let of: Vec<Literal> = recipe.params.iter().map(|&i| arguments[i].clone()).collect();
        let value = evaluate(&recipe.program, &of)?.remove(0);
        let back = recipe.inverse()?.expect("all elements in another order");
        assert_eq!(evaluate(&back, std::slice::from_ref(&value))?[0], of[0]);
        rest.push(value);
    }
    let expected = evaluate(program, arguments)?;
    assert_eq!(evaluate(&parts.rest, &rest)?, expected, "{program:?}\n{:?}", parts.rest);
    Ok(parts)
}

fn shapes(parts: &Parts) -> Vec<String> {
    let results = parts.recipes.iter().map(|recipe| recipe.program.ty(recipe.program.results()[0]));
    results.map(|ty| ty.to_string()).collect()
}

fn numbers(ty: Type) -> Literal {
    let count = ty.elements().expect("small");
    let values: Vec<f64> = (0..count).map(|i| f64::from((i * 37 % 101) as u32)).collect();
    Literal::from_f64s(ty, &values).expect("numbers of that type")
}

/// `sum over g of s[g, n] (sum over k of x[m, g, k] (code[g, k, n] - 8))`, of codes of four bits, two to a byte.
fn in_groups(rows: usize, scales: DType) -> Result<Program> {
    let (groups, each, n) = (4, 8, 3 * COLUMNS);
    let mut b = Builder::new("f");
    let codes = b.param(Type::tensor(DType::U8, [groups, each / 2, n]), "codes");
    let scale = b.param(Type::tensor(scales, [groups, n]), "scales");
    let x = b.param(Type::tensor(DType::F32, [rows, groups, each]), "x");
    let dims = [groups, each / 2, 2, n];
    let bytes = b.reshape(codes, &[groups, each / 2, 1, n])?;
    let bytes = b.reshape(bytes, &[groups, each / 2, n])?;
    let bytes = b.broadcast_in_dim(bytes, &dims, &[0, 1, 3])?;
    let half = b.iota(Type::tensor(DType::U8, [2]), 0)?;
    let four = b.scalar(4u8)?;
    let four = b.broadcast_in_dim(four, &[2], &[])?;
    let shift = b.binary(ElementwiseKind::Multiply, half, four)?;
    let shift = b.broadcast_in_dim(shift, &dims, &[2])?;
    let code = b.binary(ElementwiseKind::ShiftRightLogical, bytes, shift)?;
    let mask = b.scalar(15u8)?;
    let mask = b.broadcast_in_dim(mask, &dims, &[])?;
    let code = b.binary(ElementwiseKind::And, code, mask)?;
    let code = b.convert(code, DType::F32)?;
    let eight = b.scalar(8f32)?;
    let eight = b.broadcast_in_dim(eight, &dims, &[])?;
    let value = b.binary(ElementwiseKind::Subtract, code, eight)?;
    let value = b.reshape(value, &[groups, each, n])?;
    let dot = DotGeneral {
        lhs_batch: [1].into_iter().collect(),
        rhs_batch: [0].into_iter().collect(),
        lhs_contract: [2].into_iter().collect(),
        rhs_contract: [1].into_iter().collect(),
        out: DType::F32,
    };
    let sums = b.one(dot, &[x, value])?;
    let scale = b.convert(scale, DType::F32)?;
    let spread = b.broadcast_in_dim(scale, &[groups, rows, n], &[0, 2])?;
    let over = DotGeneral {
        lhs_batch: [1, 2].into_iter().collect(),
        rhs_batch: [1, 2].into_iter().collect(),
        lhs_contract: [0].into_iter().collect(),
        rhs_contract: [0].into_iter().collect(),
        out: DType::F32,
    };
    let y = b.one(over, &[sums, spread])?;
    b.finish(&[y])
}

#[test]
fn groups_lie_in_panels() {
    for (rows, scales) in [(1, DType::BF16), (3, DType::BF16), (1, DType::F32), (3, DType::F32)] {
        let program = in_groups(rows, scales).unwrap();
        let arguments: Vec<Literal> = program.params().iter().map(|param| numbers(param.ty)).collect();
        let parts = check(&program, 2, &arguments).unwrap();
        // Scales that no loop makes are read as they are.
        let of_scales = match (scales, rows) {
            (DType::BF16, _) => "bf16[3,4,16]",
            (_, 1) => "f32[4,1,3,16]",
            _ => "f32[4,3,16]",
        };
        let mut found = shapes(&parts);
        found.sort();
        let mut wanted = ["u8[3,4,4,16]", of_scales].map(String::from);
        wanted.sort();
        assert_eq!(found, wanted, "{rows} rows, scales in {scales}");
    }
}

/// What is not computed column by column, or of columns that fill no panels, stays as it is; so does a sum that something else reads.
#[test]
fn what_has_no_panels_stays() {
    let product = |n: usize, turned: bool| -> Result<Program> {
        let mut b = Builder::new("f");
        let w = b.param(Type::tensor(DType::I8, [8, n]), "w");
        let x = b.param(Type::tensor(DType::F32, [2, 8]), "x");
        let mut value = b.convert(w, DType::F32)?;
        if turned {
            value = b.one(Reverse { axes: [1].into_iter().collect() }, &[value])?;
        }
        let y = b.one(DotGeneral::matmul(0, DType::F32), &[x, value])?;
        b.finish(&[y])
    };
    for (n, turned, wanted) in
        [(48, false, "i8[3,8,16]"), (48, true, "i8[8,48]"), (40, false, "i8[8,40]"), (16, false, "i8[8,16]")]
    {
        let program = product(n, turned).unwrap();
        let arguments: Vec<Literal> = program.params().iter().map(|param| numbers(param.ty)).collect();
        assert_eq!(
            shapes(&check(&program, 1, &arguments).unwrap()),
            [wanted],
            "{n} columns, turned: {turned}"
        );
    }
}

/// Two products of one value make it of the same panels.
#[test]
fn products_share_panels() {
    let mut b = Builder::new("f");
    let w = b.param(Type::tensor(DType::I8, [8, 32]), "w");
    let [x, z] = ["x", "z"].map(|name| b.param(Type::tensor(DType::F32, [2, 8]), name));
    let value = b.convert(w, DType::F32).unwrap();
    let sum = [x, z].map(|x| b.one(DotGeneral::matmul(0, DType::F32), &[x, value]).unwrap());
    let program = b.finish(&sum).unwrap();
    let arguments: Vec<Literal> = program.params().iter().map(|param| numbers(param.ty)).collect();
    assert_eq!(shapes(&check(&program, 1, &arguments).unwrap()), ["i8[2,8,16]"]);
}
