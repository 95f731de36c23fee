//! Kernels of which two ways of running them could disagree are refused.

use jarrah_base::{DType, Error, Type};
use jarrah_hlo::ops::{Assert, BlockIndex, BlockSpec, Kernel, KernelForm, KernelOutput, Start};
use jarrah_hlo::{Builder, Op, Program, ProgramRef, Rules, Value};

use BlockIndex::{At, Block, First, Point, PointAt, Whole};

fn f32s(dims: &[usize]) -> Type {
    Type::tensor(DType::F32, dims.iter().copied())
}

fn spec(axes: &[BlockIndex]) -> BlockSpec {
    BlockSpec::new(axes.iter().copied())
}

fn program(params: &[Type], results: fn(&[Value]) -> Vec<Value>) -> ProgramRef {
    let mut b = Builder::new("body");
    let params: Vec<Value> = params.iter().map(|&ty| b.param(ty, "")).collect();
    b.finish(&results(&params)).unwrap().into()
}

/// A kernel over a grid that copies `x`, whole, to blocks of the result.
fn copies(grid: &[usize], result: &[usize], axes: &[BlockIndex]) -> Result<Kernel, Error> {
    let result = f32s(result);
    let block = spec(axes).block_type(result, grid)?;
    let mut kernel = Kernel::new(
        grid.iter().copied().collect(),
        vec![BlockSpec::whole(block.rank())],
        vec![(result, spec(axes))],
        Builder::new("").finish(&[])?.into(),
    );
    kernel.body = program(&kernel.body_params(&[block])?, |p| vec![p[p.len() - 1]]);
    Ok(kernel)
}

fn infers(kernel: &Kernel) -> Result<(), Error> {
    let operand = kernel.body.param_types()[kernel.grid.len()];
    kernel.infer(&[operand]).map(|_| ())
}

fn stores(grid: &[usize], result: &[usize], axes: &[BlockIndex]) -> Result<(), Error> {
    infers(&copies(grid, result, axes)?)
}

#[test]
fn a_block_is_stored_by_one_grid_point_along_axes_without_order() {
    let point = |grid| Point { grid };
    stores(&[3], &[3, 4], &[point(0), Whole]).unwrap();
    stores(&[3, 2], &[8, 3], &[Block { size: 4, grid: 1 }, point(0)]).unwrap();
    // An axis with one point selects nothing.
    stores(&[1, 3], &[3, 1], &[point(1), First]).unwrap();
    // Blocks off the diagonal stay zeros, and blocks may lie outside.
    stores(&[3], &[3, 3], &[point(0), point(0)]).unwrap();
    stores(&[9], &[8], &[Block { size: 4, grid: 0 }]).unwrap();
    let shared = stores(&[3], &[4], &[Whole]).unwrap_err().to_string();
    for part in ["all store the same block of f32[4]", "result 0", "mark grid axis 0 as arbitrary"] {
        assert!(shared.contains(part), "{part} is missing in: {shared}");
    }
    assert!(stores(&[3, 2], &[3, 4], &[point(0), Whole]).is_err());
    let mut in_order = copies(&[3, 2], &[3, 4], &[point(0), Whole]).unwrap();
    in_order.arbitrary[1] = true;
    infers(&in_order).unwrap();
    assert!(in_order.is_parallel(0) && !in_order.is_parallel(1));
}

#[test]
fn blocks_fit_their_arrays() {
    for (axes, part) in [
        (&[Whole][..], "1 block axes are given for the 2 of f32[3,4]"),
        (&[Point { grid: 1 }, Whole], "has no axis 1"),
        (&[First, Whole], "has 3 elements, not one"),
        (&[Block { size: 0, grid: 0 }, Whole], "is empty"),
        (&[At { size: 2, unit: 0, result: 0 }, Whole], "would begin at its first element"),
    ] {
        let error = spec(axes).block_type(f32s(&[3, 4]), &[3]).unwrap_err().to_string();
        assert!(error.contains(part), "{part} is missing in: {error}");
    }
    let ragged = spec(&[Block { size: 4, grid: 0 }, Whole]);
    assert!(ragged.covers(f32s(&[6, 4]), &[2]) && !ragged.covers(f32s(&[6, 4]), &[1]));
    assert!(!spec(&[Point { grid: 0 }, Point { grid: 0 }]).covers(f32s(&[3, 3]), &[3]));
}

/// What inference says of a kernel that copies rows after `change`.
fn changed(change: impl Fn(&mut Kernel)) -> String {
    let mut kernel = copies(&[3], &[3, 4], &[Point { grid: 0 }, Whole]).unwrap();
    change(&mut kernel);
    kernel.infer(&[f32s(&[4])]).unwrap_err().to_string()
}

#[test]
fn errors_say_which_part_of_a_kernel_is_wrong() {
    let i32s = |n| vec![Type::scalar(DType::I32); n];
    let cases: [(&str, String); 13] = [
        ("2 are marked", changed(|k| k.arbitrary.push(true))),
        ("takes 2 operands", changed(|k| k.prefetch = 1)),
        (
            "parameter 1 of the body is f32[4], the block of operand 0 is f32[]",
            changed(|k| k.inputs[0] = spec(&[Point { grid: 0 }])),
        ),
        ("the body takes 2 values; 3 are needed", changed(|k| k.outputs[0].start = Start::Zeros)),
        ("1 scratch arrays", changed(|k| k.scratch.push(f32s(&[])))),
        (
            "value 0 is i32[], f32[4] is needed",
            changed(|k| k.body = program(&k.body.param_types(), |p| vec![p[0]])),
        ),
        ("there is no map", changed(|k| k.outputs[0].block = spec(&[PointAt { result: 0 }, Whole]))),
        (
            "result 1 of the map, which has 1",
            changed(|k| {
                k.map = Some(program(&i32s(1), |p| p.to_vec()));
                k.outputs[0].block = spec(&[PointAt { result: 1 }, Whole]);
            }),
        ),
        ("the map returns f32[]", changed(|k| k.map = Some(float_map()))),
        (
            "operand 0, as which it begins, is f32[4]",
            changed(|k| {
                k.outputs[0].start = Start::Operand(0);
                k.body = program(&[Type::scalar(DType::I32), f32s(&[4]), f32s(&[4])], |p| vec![p[1]]);
            }),
        ),
        (
            "one loop",
            changed(|k| {
                k.form = KernelForm::Loop;
                k.grid[0] = 4;
            }),
        ),
        ("has no grid", changed(|k| k.form = KernelForm::Contract)),
        ("counts", changed(|k| k.grid[0] = 1 << 40)),
    ];
    for (part, error) in cases {
        assert!(error.contains(part), "{part} is missing in: {error}");
    }
}

fn float_map() -> ProgramRef {
    let mut b = Builder::new("map");
    b.param(Type::scalar(DType::I32), "");
    let x = b.scalar(0.0f32).unwrap();
    b.finish(&[x]).unwrap().into()
}

#[test]
fn two_results_do_not_begin_as_one_operand() {
    let ty = f32s(&[4]);
    let row = spec(&[Point { grid: 0 }]);
    let output = KernelOutput { ty, block: row.clone(), start: Start::Operand(0) };
    let mut kernel = Kernel::new([4].into_iter().collect(), vec![row], Vec::new(), float_map());
    kernel.outputs = vec![output.clone(), output];
    kernel.body = program(&kernel.body_params(&[ty]).unwrap(), |p| vec![p[2], p[3]]);
    let error = kernel.infer(&[ty]).unwrap_err().to_string();
    assert!(error.contains("two results begin as operand 0"), "{error}");
}

#[test]
fn the_effects_of_a_kernel_are_those_of_its_body() {
    let mut kernel = copies(&[3], &[3], &[Point { grid: 0 }]).unwrap();
    assert!(kernel.effects().is_pure());
    let mut b = Builder::like(&kernel.body);
    let x = kernel.body.param(1);
    let fine = b.compare(jarrah_hlo::ops::Comparison::Eq, x, x).unwrap();
    b.push(Assert { message: "is a number".into() }, &[fine]).unwrap();
    kernel.body = b.finish(&[x]).unwrap().into();
    assert!(!kernel.effects().is_pure() && !kernel.is_stateless());
    infers(&kernel).unwrap();
}

#[test]
fn definitions_have_the_inferred_types() {
    let mut count = 0;
    for example in Op::examples() {
        let Op::Kernel(kernel) = &example.op else { continue };
        let types: Vec<Type> = example.operands.iter().map(|x| x.ty()).collect();
        let definition: Program = kernel.definition(&types).unwrap();
        definition.verify().unwrap();
        assert_eq!(definition.result_types()[..], kernel.infer(&types).unwrap()[..], "{}", example.name);
        count += 1;
    }
    assert!(count >= 9, "{count} examples");
}
