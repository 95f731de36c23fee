// What MLIR's generic form says has StableHLO's own form where there is one.
"builtin.module"() <{sym_name = "plain"}> ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<i32>) -> tensor<4x6xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x6xf32>, %i: tensor<i32>):
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %s = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 4, 6>, strides = array<i64: 1, 2>}
      : (tensor<4x6xf32>) -> tensor<4x3xf32>
    %p = "stablehlo.pad"(%s, %zero) <{edge_padding_low = array<i64: 0, -1>, edge_padding_high = array<i64: 0, 0>,
      interior_padding = array<i64: 0, 2>}> : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
    %d = "stablehlo.dot_general"(%p, %a) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1],
      rhs_contracting_dimensions = [1],>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo.precision<DEFAULT>]}>
      {tag = "d"} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x4xf32>
    %r:2 = "stablehlo.case"(%i) ({
      "stablehlo.return"(%a, %zero) : (tensor<4x6xf32>, tensor<f32>) -> ()
    }, {
      %n = stablehlo.negate %p : tensor<4x6xf32>
      stablehlo.return %n, %zero : tensor<4x6xf32>, tensor<f32>
    }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<f32>)
    %t = "stablehlo.custom_call"(%d, %r#0) <{call_target_name = "a target", api_version = 4 : i32,
      backend_config = {mode = 86 : ui8}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[1, 0]> : tensor<2xindex>],
      result_layouts = [dense<[1, 0]> : tensor<2xindex>], output_operand_aliases = [
      #stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>]}>
      : (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%t) : (tensor<4x6xf32>) -> ()
  }) {sym_visibility = "private"} : () -> ()
}) {stamp = 7 : i8} : () -> ()
