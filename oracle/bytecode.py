"""Small modules as MLIR bytecode: as they are, and as portable artifacts of several versions; exported functions.

Writes `crates/hlo-format/tests/golden/<name>.<version>.mlirbc`, `<name>.plain.mlirbc` and `<name>.mlir`, the module in
MLIR's generic form as it is read back from the newest artifact. Names: `base` has nothing that is younger than 0.9,
`young` what later versions brought, `sharded` has shardings and other dialects.

`<name>.jax_export` are functions that `jax.export` serialized: `nested` has a tree of arguments and results, with the
functions of two gradients; `polymorphic` has extents that are not known, `symbolic` too, with its gradient; `named` has trees of registered
types; `placed` has shardings.
"""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import collections
import dataclasses
import io
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import export
from jax.sharding import NamedSharding, PartitionSpec

from jax._src.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

# Locations name files, not where they were.
jax.config.update("jax_hlo_source_file_canonicalization_regex", ".*/")

FOLDER = pathlib.Path(__file__).parent.parent / "crates/hlo-format/tests/golden"
CURRENT = stablehlo.get_current_version()

BASE = r"""
module @base attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32> {jax.arg_info = "x", tf.aliasing_output = 0 : i32}, %arg1: tensor<3x4xf32>,
      %arg2: tensor<6xi32>) -> (tensor<3x4xf32> {jax.result_info = "out"}, tensor<3xf32>) {
    %0 = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [-0.0, 0x7F800000, 1.0e-9, 9.0]]> : tensor<3x4xf32>
    %1 = stablehlo.constant dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>
    %2 = stablehlo.constant dense<true> : tensor<7xi1>
    %3 = stablehlo.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>
    %4 = stablehlo.constant dense<[-1, 7]> : tensor<2xi4>
    %5 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf8E4M3FN>
    %6 = stablehlo.constant dense<[255, 0, 3]> : tensor<3xui8>
    %7 = stablehlo.constant dense<-1.0> : tensor<bf16>
    %8 = stablehlo.add %arg0, %0 : tensor<3x4xf32>
    %9 = stablehlo.dot_general %8, %arg1, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x3xf32>
    %10 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %11 = stablehlo.select %10, %arg0, %8 : tensor<3x4xi1>, tensor<3x4xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %z) across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
      reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }
    %13 = stablehlo.slice %11 [0:3:2, 1:4] : (tensor<3x4xf32>) -> tensor<2x3xf32>
    %14 = stablehlo.pad %13, %z, low = [0, -1], high = [1, 0], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    %i = stablehlo.iota dim = 0 : tensor<2x1xi32>
    %15 = "stablehlo.gather"(%8, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>, indices_are_sorted = true}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %16 = "stablehlo.scatter"(%8, %i, %15) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        stablehlo.return %q : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %k = stablehlo.constant dense<0.5> : tensor<2x2x1x1xf32>
    %r = stablehlo.reshape %16 : (tensor<3x4xf32>) -> tensor<1x3x4x1xf32>
    %17 = stablehlo.convolution(%r, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 1], [1, 0]], rhs_dilate = [1, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
    %18 = "stablehlo.reduce_window"(%arg0, %z) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %m = stablehlo.maximum %p, %q : tensor<f32>
        stablehlo.return %m : tensor<f32>
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x3xf32>
    %19:2 = "stablehlo.sort"(%arg2, %arg2) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
        %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %lt : tensor<i1>
    }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
    %n = stablehlo.constant dense<0> : tensor<i32>
    %20:2 = stablehlo.while(%it = %n, %acc = %8) : tensor<i32>, tensor<3x4xf32> cond {
      %limit = stablehlo.constant dense<3> : tensor<i32>
      %go = stablehlo.compare LT, %it, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %it2 = stablehlo.add %it, %one : tensor<i32>
      %acc2 = stablehlo.multiply %acc, %arg0 : tensor<3x4xf32>
      stablehlo.return %it2, %acc2 : tensor<i32>, tensor<3x4xf32>
    }
    %21 = stablehlo.custom_call @target(%20#1) {backend_config = "opaque", has_side_effect = true, api_version = 2 : i32, called_computations = [@helper], operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>], mhlo.frontend_attributes = {a = "b"}} : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %22 = "stablehlo.all_reduce"(%21) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids}> ({
      ^bb0(%p: tensor<f32>, %q: tensor<f32>):
        %m = stablehlo.add %p, %q : tensor<f32>
        stablehlo.return %m : tensor<f32>
    }) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %t = stablehlo.create_token : !stablehlo.token
    %23 = "stablehlo.send"(%22, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<3x4xf32>, !stablehlo.token) -> !stablehlo.token
    %24:2 = stablehlo.rng_bit_generator %arg3, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %25 = "stablehlo.fft"(%3) <{fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 2>}> : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %26 = "stablehlo.triangular_solve"(%9, %9) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %27:3 = "stablehlo.batch_norm_training"(%r, %one1, %one1) <{epsilon = 0.001 : f32, feature_index = 3 : i64}> : (tensor<1x3x4x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x3x4x1xf32>, tensor<1xf32>, tensor<1xf32>)
    %28 = stablehlo.tuple %20#0, %20#1 : tuple<tensor<i32>, tensor<3x4xf32>>
    %29 = stablehlo.get_tuple_element %28[1] : (tuple<tensor<i32>, tensor<3x4xf32>>) -> tensor<3x4xf32>
    %30 = call @helper(%29) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %31 = stablehlo.exponential %30 : tensor<3x4xf32>
    return %31, %12 : tensor<3x4xf32>, tensor<3xf32>
  }
  func.func private @helper(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
    %1 = stablehlo.negate %arg0 : tensor<3x4xf32>
    return %1 : tensor<3x4xf32>
  }
  func.func private @shapes(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32, #stablehlo.bounds<5, ?>>, %arg2: tensor<*xi32>, %arg3: tensor<2xindex>) -> tensor<?x4xf32> {
    %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg3, dims = [0, 1] {known_expanding_dimensions = array<i64: 0>} : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    return %0 : tensor<?x4xf32>
  }
}
""".replace("%arg2: tensor<6xi32>) -> (tensor<3x4xf32> {", "%arg2: tensor<6xi32>, %arg3: tensor<2xui64>, %one1: tensor<1xf32>) -> (tensor<3x4xf32> {")

YOUNG = r"""
module @young {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<2x4x5xf32>, %arg2: tensor<2x3x1xi32>, %arg3: memref<2xf32>) -> tensor<2x3x5xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    %1 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x3x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
    %2 = "stablehlo.exponential"(%1) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, rtol = 0.0, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %3 = stablehlo.tan %2 : tensor<2x3x4xf32>
    %4 = stablehlo.composite "my.op" %3 {composite_attributes = {n = 1 : i64, flag = true}, decomposition = @body, version = 1 : i32} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %5 = stablehlo.custom_call @typed(%4) {backend_config = {a = 1 : i32, b = "c", d = [1.0 : f64]}, api_version = 4 : i32, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %6 = "stablehlo.collective_broadcast"(%5) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %7:2 = "stablehlo.all_gather"(%6, %6) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
    %8 = stablehlo.constant dense<[-2, 1]> : tensor<2xi2>
    %9 = stablehlo.constant dense<[6.0, -0.5]> : tensor<2xf4E2M1FN>
    %10 = stablehlo.constant dense<[7.5, -0.125]> : tensor<2xf6E2M3FN>
    %11 = stablehlo.constant dense<[2.0, 0.5]> : tensor<2xf8E8M0FNU>
    %12 = stablehlo.constant dense<1.5> : tensor<2xf8E3M4>
    %14 = stablehlo.custom_call @buffer(%arg3) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<2xf32>) -> memref<2xf32>
    return %0 : tensor<2x3x5xf32>
  }
  func.func private @body(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
    return %arg0 : tensor<2x3x4xf32>
  }
}
"""

SHARDED = r"""
module @sharded {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y":(1)2, ?}p1]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}], replicated={"y"}>}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x8xf32>) {
      %3 = stablehlo.add %a, %a : tensor<4x8xf32>
      %4 = chlo.erf %3 : tensor<4x8xf32> -> tensor<4x8xf32>
      sdy.return %4 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}]> : tensor<8x8xf32>
    %values, %indices = chlo.top_k(%1, k = 2) : tensor<8x8xf32> -> (tensor<8x2xf32>, tensor<8x2xi32>)
    %2 = stablehlo.negate %1 : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}
"""


class Point(collections.namedtuple("Point", ["y", "x"])):
    pass


@dataclasses.dataclass
class Scaled:
    by: jax.Array
    points: list
    times: int


def main():
    FOLDER.mkdir(exist_ok=True)
    context = mlir.make_ir_context()
    modules = [
        ("base", BASE, ["0.9.0", "0.12.0", "0.14.0", "1.0.0", "1.9.0", CURRENT]),
        ("young", YOUNG, ["1.13.0", CURRENT]),
        ("sharded", SHARDED, ["1.11.0", CURRENT]),
    ]
    for name, text, versions in modules:
        with context:
            module = ir.Module.parse(text)
            plain = io.BytesIO()
            module.operation.write_bytecode(plain)
            (FOLDER / f"{name}.plain.mlirbc").write_bytes(plain.getvalue())
            for version in versions:
                artifact = stablehlo.serialize_portable_artifact(module, version, True)
                (FOLDER / f"{name}.{version}.mlirbc").write_bytes(artifact)
            again = stablehlo.deserialize_portable_artifact(context, artifact)
            (FOLDER / f"{name}.mlir").write_text(again.operation.get_asm(print_generic_op_form=True) + "\n")
    for name, artifact in exported():
        (FOLDER / f"{name}.jax_export").write_bytes(artifact)


def exported():
    f32 = lambda *shape: jax.ShapeDtypeStruct(shape, np.float32)

    def nested(x, tree, unused, *, scale):
        a, (b, none) = tree["a"], tree["b"]
        assert none is None
        return {"y": jnp.sin(x) @ a * scale, "z": [b + 1, (a.sum(),)]}

    tree = {"a": f32(3, 2), "b": (jax.ShapeDtypeStruct((4,), np.int32), None)}
    made = export.export(jax.jit(nested))(f32(2, 3), tree, f32(7), scale=f32())
    yield "nested", made.serialize(vjp_order=2)

    shapes = export.symbolic_shape("b, n", constraints=["b >= 2"])
    polymorphic = lambda x, y: (x + y[0], jnp.concatenate([x, x]))
    arguments = [jax.ShapeDtypeStruct(shapes, np.float32), jax.ShapeDtypeStruct((3, shapes[1]), np.float32)]
    made = export.export(jax.jit(polymorphic), platforms=("cpu", "cuda"))(*arguments)
    yield "polymorphic", made.serialize()

    b, n = export.symbolic_shape("b, n")

    def symbolic(params, x, *, scale):
        logits = jnp.tanh(x.reshape(-1, 3) @ params["w"] + params["b"]) * scale
        return {"mean": jax.nn.log_softmax(logits).mean(), "logits": [logits]}

    params = {"w": f32(3, 2), "b": f32(2)}
    made = export.export(jax.jit(symbolic))(params, f32(b, n, 3), scale=f32())
    yield "symbolic", made.serialize(vjp_order=1)

    export.register_namedtuple_serialization(Point, serialized_name="jarrah.Point")
    jax.tree_util.register_dataclass(Scaled, data_fields=["by", "points"], meta_fields=["times"])
    export.register_pytree_node_serialization(
        Scaled,
        serialized_name="jarrah.Scaled",
        serialize_auxdata=lambda meta: f"times={meta[0]}".encode(),
        deserialize_auxdata=lambda data: (int(data.decode().removeprefix("times=")),),
    )

    def named(scaled):
        return [Point(p.y * scaled.by * scaled.times, p.x - p.y) for p in scaled.points]

    scaled = Scaled(by=f32(), points=[Point(f32(2), f32(2))], times=3)
    yield "named", export.export(jax.jit(named))(scaled).serialize()

    mesh = jax.make_mesh((2, 2), ("x", "y"))
    sharding = NamedSharding(mesh, PartitionSpec("x", ("y",)))
    placed = jax.jit(lambda x: x * 2, in_shardings=sharding, out_shardings=NamedSharding(mesh, PartitionSpec()))
    yield "placed", export.export(placed)(f32(8, 8)).serialize()


if __name__ == "__main__":
    main()
