"builtin.module"() <{sym_name = "young"}> ({
  "func.func"() <{function_type = (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<2x3x1xi32>, memref<2xf32>) -> tensor<2x3x5xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x3x4xf32>, %arg2: tensor<2x4x5xf32>, %arg3: tensor<2x3x1xi32>, %arg4: memref<2xf32>):
    %0 = "stablehlo.dot_general"(%arg1, %arg2) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
    %1 = "stablehlo.gather"(%arg1, %arg3) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<2x3x4xf32>, tensor<2x3x1xi32>) -> tensor<2x3x4xf32>
    %2 = "stablehlo.exponential"(%1) <{result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %3 = "stablehlo.tan"(%2) : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %4 = "stablehlo.composite"(%3) <{composite_attributes = {flag = true, n = 1 : i64}, decomposition = @body, name = "my.op", version = 1 : i32}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %5 = "stablehlo.custom_call"(%4) <{api_version = 4 : i32, backend_config = {a = 1 : i32, b = "c", d = [1.000000e+00]}, call_target_name = "typed", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %6 = "stablehlo.collective_broadcast"(%5) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %7:2 = "stablehlo.all_gather"(%6, %6) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0], [1]]> : tensor<2x1xi64>}> : (tensor<2x3x4xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>)
    %8 = "stablehlo.constant"() <{value = dense<[-2, 1]> : tensor<2xi2>}> : () -> tensor<2xi2>
    %9 = "stablehlo.constant"() <{value = dense<[6.000000e+00, -5.000000e-01]> : tensor<2xf4E2M1FN>}> : () -> tensor<2xf4E2M1FN>
    %10 = "stablehlo.constant"() <{value = dense<[7.500000e+00, -1.250000e-01]> : tensor<2xf6E2M3FN>}> : () -> tensor<2xf6E2M3FN>
    %11 = "stablehlo.constant"() <{value = dense<[2.000000e+00, 5.000000e-01]> : tensor<2xf8E8M0FNU>}> : () -> tensor<2xf8E8M0FNU>
    %12 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<2xf8E3M4>}> : () -> tensor<2xf8E3M4>
    %13 = "stablehlo.custom_call"(%arg4) <{call_target_name = "buffer", output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (memref<2xf32>) -> memref<2xf32>
    "func.return"(%0) : (tensor<2x3x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>, sym_name = "body", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x3x4xf32>):
    "func.return"(%arg0) : (tensor<2x3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

