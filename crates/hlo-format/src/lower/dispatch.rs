use jarrah_base::Result;
use jarrah_hlo::ops::{Complex, Imag, Real};

use super::block::Outcome;
use super::cx::Cx;
use super::{
    broadcasting, checks, contractions, control, convolutions, custom_calls, dynamic, elementwise, indexing,
    linalg, movement, normalization, own, parallel, quantized, reductions, sorting, spmd, types, windows,
};
use crate::ir::Definition;

/// Builds the instructions of an op.
pub(super) fn op(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let op = cx.op;
    let is_quantized = |id| types::quantized(cx.lower.module.ty(id)).is_some();
    if op.operands.iter().chain(&op.results).any(|&id| is_quantized(id)) {
        quantized::op(cx)
    } else {
        plain(cx)
    }
}

/// As [`op`], once quantized operands have been dealt with.
// A table: a row for each op.
pub(super) fn plain(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let name = cx.op.name();
    if let Some(kind) = Definition::function(name) {
        return elementwise::function(cx, kind);
    }
    if let Some(name) = name.strip_prefix("chlo.broadcast_") {
        return broadcasting::op(cx, name);
    }
    match name {
        "check.expect_almost_eq"
        | "check.expect_almost_eq_const"
        | "check.expect_close"
        | "check.expect_eq"
        | "check.expect_eq_const"
        | "check.expect_serialized_eq" => checks::op(cx),
        "chlo.constant" | "stablehlo.constant" => elementwise::constant(cx),
        "chlo.constant_like" => elementwise::constant_like(cx),
        "chlo.is_inf" => elementwise::is_infinite(cx, None),
        "chlo.is_neg_inf" => elementwise::is_infinite(cx, Some(f64::NEG_INFINITY)),
        "chlo.is_pos_inf" => elementwise::is_infinite(cx, Some(f64::INFINITY)),
        "chlo.minimum_broadcast_shapes" => dynamic::minimum_broadcast_shapes(cx),
        "chlo.ragged_dot" => contractions::ragged_dot(cx),
        "chlo.scan" => control::scan(cx),
        "chlo.top_k" => sorting::top_k(cx),
        "func.call" => control::call(cx, "callee"),
        "interpreter.print" => Ok(Outcome::new()),
        "interpreter.probe" => checks::probe(cx),
        "interpreter.run_parallel" => parallel::run(cx),
        "sdy.constant" => elementwise::constant(cx),
        "sdy.manual_computation" => match cx.lower.devices() {
            Some(_) => spmd::manual_computation(cx),
            None => parallel::manual_computation(cx),
        },
        "sdy.named_computation" => control::inlined(cx),
        "sdy.mesh" => Ok(Outcome::new()),
        "sdy.sharding_group" => Ok(Outcome::new()),
        "builtin.unrealized_conversion_cast"
        | "sdy.all_gather"
        | "sdy.all_reduce"
        | "sdy.all_slice"
        | "sdy.all_to_all"
        | "sdy.collective_permute"
        | "sdy.data_flow_edge"
        | "sdy.func_data_flow_edge"
        | "sdy.propagation_barrier"
        | "sdy.reduce_scatter"
        | "sdy.replicated_to_unreduced"
        | "sdy.reshard"
        | "sdy.sharded_to_unreduced"
        | "sdy.sharding_constraint" => control::identity(cx),
        "stablehlo.after_all" | "stablehlo.create_token" => Ok(Outcome::new()),
        _ if parallel::is_exchange(cx.op) => spmd::collective(cx),
        "stablehlo.partition_id" | "stablehlo.replica_id" => spmd::position(cx),
        "stablehlo.send" => spmd::send(cx),
        "stablehlo.infeed" | "stablehlo.outfeed" | "stablehlo.recv" => Err(spmd::refused(cx)),
        "stablehlo.async_done" => control::identity(cx),
        "stablehlo.async_start" => control::inlined(cx),
        "stablehlo.batch_norm_grad" => normalization::grad(cx),
        "stablehlo.batch_norm_inference" => normalization::inference(cx),
        "stablehlo.batch_norm_training" => normalization::training(cx),
        "stablehlo.bitcast_convert" => elementwise::bitcast_convert(cx),
        "stablehlo.broadcast" => broadcasting::broadcast(cx),
        "stablehlo.broadcast_in_dim" => broadcasting::broadcast_in_dim(cx),
        "stablehlo.case" => control::case(cx),
        "stablehlo.clamp" => elementwise::clamp(cx),
        "stablehlo.compare" => elementwise::compare(cx),
        "stablehlo.complex" => elementwise::of_types(cx, Complex),
        "stablehlo.composite" => control::call(cx, "decomposition"),
        "stablehlo.concatenate" => movement::concatenate(cx),
        "stablehlo.convert" => elementwise::convert(cx),
        "stablehlo.custom_call" => custom_calls::op(cx),
        "stablehlo.dot" => contractions::dot(cx),
        "stablehlo.convolution" => convolutions::convolution(cx),
        "stablehlo.dynamic_conv" => convolutions::dynamic(cx),
        "stablehlo.dot_general" => contractions::dot_general(cx),
        "stablehlo.dynamic_broadcast_in_dim" => dynamic::broadcast_in_dim(cx),
        "stablehlo.dynamic_gather" => dynamic::gather(cx),
        "stablehlo.dynamic_iota" => dynamic::iota(cx),
        "stablehlo.dynamic_pad" => dynamic::pad(cx),
        "chlo.dynamic_reshape" | "stablehlo.dynamic_reshape" => dynamic::reshape(cx),
        "stablehlo.dynamic_slice" => indexing::dynamic_slice(cx),
        "stablehlo.dynamic_update_slice" => indexing::dynamic_update_slice(cx),
        "stablehlo.einsum" => contractions::einsum(cx),
        "stablehlo.gather" => indexing::gather(cx),
        "stablehlo.get_dimension_size" => dynamic::get_dimension_size(cx),
        "stablehlo.get_tuple_element" => control::get_tuple_element(cx),
        "stablehlo.if" => control::if_else(cx),
        "stablehlo.imag" => elementwise::of_types(cx, Imag),
        "stablehlo.iota" => elementwise::iota(cx),
        "stablehlo.is_finite" => elementwise::is_finite(cx),
        "stablehlo.map" => control::map(cx),
        "stablehlo.optimization_barrier" => control::optimization_barrier(cx),
        "stablehlo.pad" => movement::pad(cx),
        "stablehlo.real" => elementwise::of_types(cx, Real),
        "stablehlo.real_dynamic_slice" => dynamic::slice(cx),
        "stablehlo.reduce" => reductions::reduce(cx),
        "stablehlo.reduce_precision" => windows::reduce_precision(cx),
        "stablehlo.reduce_window" => windows::reduce_window(cx),
        "stablehlo.reshape" => movement::reshape(cx),
        "stablehlo.reverse" => movement::reverse(cx),
        "stablehlo.rng" => linalg::rng(cx),
        "stablehlo.scatter" => indexing::scatter(cx),
        "stablehlo.select" => elementwise::select(cx),
        "stablehlo.select_and_scatter" => windows::select_and_scatter(cx),
        "stablehlo.set_dimension_size" => dynamic::set_dimension_size(cx),
        "stablehlo.slice" => movement::slice(cx),
        "stablehlo.sort" => sorting::sort(cx),
        "stablehlo.torch_index_select" => indexing::torch_index_select(cx),
        "stablehlo.transpose" => movement::transpose(cx),
        "stablehlo.tuple" => control::identity(cx),
        "stablehlo.unary_einsum" => contractions::unary_einsum(cx),
        "stablehlo.uniform_dequantize" => quantized::uniform_dequantize(cx),
        "stablehlo.uniform_quantize" => quantized::uniform_quantize(cx),
        "stablehlo.while" => control::while_loop(cx),
        _ => own::op(cx),
    }
}
