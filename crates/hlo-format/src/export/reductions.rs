use jarrah_base::{DType, Literal};
use jarrah_hlo::ops::{ElementwiseKind, Reduce, Reducer, Scatter, Sort, SortOrder, Update};
use jarrah_hlo::{Instr, Program};

use super::attributes::{axes, dense, integer, integers};
use super::block::Block;
use super::{Exporter, op, types};
use crate::ir::{Attr, IrOp, Region, ValueId};
use crate::templates;

impl<'p> Exporter<'p> {
    /// A constant that the tree needs and the program does not have.
    fn implied_constant(&mut self, block: &mut Block<'p>, value: &Literal) -> ValueId {
        let mut constant = op("stablehlo.constant");
        constant.attributes.set("value", dense(value));
        constant.attributes.set("jarrah.implied", Attr::Unit);
        self.append(block, constant, &[value.ty()])[0]
    }

    pub(super) fn identity(&mut self, block: &mut Block<'p>, kind: ElementwiseKind, dtype: DType) -> ValueId {
        let value = templates::identity(kind, dtype).expect("invariant: a scalar fits the address space");
        self.implied_constant(block, &value)
    }

    /// A region that a short-lived program describes.
    pub(super) fn template(&mut self, program: &Program) -> Region {
        let types = program.params().iter().map(|p| types::ty(p.ty));
        let args: Vec<ValueId> = types.map(|ty| self.module.value(ty, Default::default())).collect();
        let ops = self.short_lived(program, args.clone());
        Region { args, ops }
    }

    /// Exports the instructions of a short-lived program without parameters, in the place of the instruction at hand; the results.
    pub(super) fn inlined(&mut self, block: &mut Block<'p>, program: &Program) -> Vec<ValueId> {
        let mut ops = self.short_lived(program, Vec::new());
        let last = ops.pop().expect("invariant: a region ends with a return");
        for op in &mut ops {
            op.loc = block.loc.clone();
        }
        block.ops.extend(ops);
        last.operands.to_vec()
    }

    /// The ops of a program that calls no others.
    fn short_lived(&mut self, program: &Program, args: Vec<ValueId>) -> Vec<IrOp> {
        let mut exporter = Exporter::new(self.devices);
        std::mem::swap(&mut exporter.module, &mut self.module);
        let ops = exporter.body(program, args, Vec::new(), "stablehlo.return");
        self.names_devices |= exporter.names_devices;
        self.module = exporter.module;
        ops
    }

    /// Completes a reduction; returns the results that are the instruction's.
    pub(super) fn reduce(
        &mut self,
        block: &mut Block<'p>,
        instr: &Instr,
        op: &'p Reduce,
        mut out: IrOp,
    ) -> Vec<ValueId> {
        out.attributes.set("dimensions", integers(&op.axes));
        let results = block.result_types(instr);
        match &op.reducer {
            Reducer::ArgMax(index) => self.arg_reduce(block, instr, op, true, *index, out),
            Reducer::ArgMin(index) => self.arg_reduce(block, instr, op, false, *index, out),
            Reducer::General(body) => {
                out.operands.extend(block.ids(&instr.operands));
                out.attributes.set("jarrah.general", Attr::Unit);
                out.regions.push(self.closed(body, "stablehlo.return"));
                self.append(block, out, &results)
            }
            folding => {
                let kind = templates::fold(folding).expect("invariant: the other reducers are handled above");
                let dtype = block.ty(instr.operands[0]).dtype();
                let init = self.identity(block, kind, dtype);
                out.operands.extend(block.ids(&instr.operands));
                out.operands.push(init);
                let body = templates::binary(kind, dtype).expect("invariant: inference checked the dtype");
                out.regions.push(self.template(&body));
                self.append(block, out, &results)
            }
        }
    }

    /// The reduction of values together with their positions; the extreme value is a result that the program lacks.
    fn arg_reduce(
        &mut self,
        block: &mut Block<'p>,
        instr: &Instr,
        op: &Reduce,
        largest: bool,
        index: DType,
        mut out: IrOp,
    ) -> Vec<ValueId> {
        let ty = block.ty(instr.operands[0]);
        let mut iota = super::op("stablehlo.iota");
        iota.attributes.set("iota_dimension", integer(op.axes[0]));
        iota.attributes.set("jarrah.implied", Attr::Unit);
        let positions = self.append(block, iota, &[ty.with_dtype(index)])[0];
        let kind = if largest { ElementwiseKind::Maximum } else { ElementwiseKind::Minimum };
        let init = self.identity(block, kind, ty.dtype());
        let first = self.identity(block, ElementwiseKind::Add, index);
        out.operands.extend(block.ids(&instr.operands));
        out.operands.extend([positions, init, first]);
        let body =
            templates::arg_reducer(largest, ty.dtype(), index).expect("invariant: every dtype compares");
        out.regions.push(self.template(&body));
        let result = block.result_types(instr)[0];
        self.append(block, out, &[result.with_dtype(ty.dtype()), result]).split_off(1)
    }

    pub(super) fn sort(&mut self, block: &Block<'p>, instr: &Instr, op: &'p Sort, out: &mut IrOp) {
        let dtypes: Vec<DType> = instr.operands.iter().map(|&v| block.ty(v).dtype()).collect();
        let template = |keys: usize, descending: bool| {
            templates::comparator(&dtypes, keys, descending).expect("invariant: every dtype compares")
        };
        out.attributes.set("dimension", integer(op.axis));
        out.attributes.set("is_stable", Attr::Bool(op.stable));
        let comparator = match &op.order {
            SortOrder::Ascending { keys } => self.template(&template(*keys, false)),
            SortOrder::Descending { keys } => self.template(&template(*keys, true)),
            SortOrder::General(comparator) => {
                out.attributes.set("jarrah.general", Attr::Unit);
                self.closed(comparator, "stablehlo.return")
            }
        };
        out.regions.push(comparator);
    }

    pub(super) fn scatter(&mut self, block: &Block<'p>, instr: &Instr, op: &'p Scatter, out: &mut IrOp) {
        let lists = [
            ("update_window_dims", &op.window_axes[..]),
            ("inserted_window_dims", &op.inserted_axes),
            ("input_batching_dims", &op.operand_batch_axes),
            ("scatter_indices_batching_dims", &op.indices_batch_axes),
            ("scatter_dims_to_operand_dims", &op.index_map),
        ];
        out.attributes.set("indices_are_sorted", Attr::Bool(op.sorted));
        let numbers = axes("stablehlo.scatter", &lists, op.index_vector_axis);
        out.attributes.set("scatter_dimension_numbers", numbers);
        out.attributes.set("unique_indices", Attr::Bool(op.unique));
        let dtype = block.ty(instr.operands[0]).dtype();
        let checked = "invariant: inference checked that the update applies to the dtype";
        let region = match &op.update {
            Update::Assign => self.template(&templates::second(dtype).expect(checked)),
            Update::Reduce(Reducer::General(body)) => {
                out.attributes.set("jarrah.general", Attr::Unit);
                self.closed(body, "stablehlo.return")
            }
            Update::Reduce(reducer) => {
                let kind = templates::fold(reducer).expect("invariant: positions cannot be scattered");
                self.template(&templates::binary(kind, dtype).expect(checked))
            }
        };
        out.regions.push(region);
    }
}
