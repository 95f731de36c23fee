"builtin.module"() <{sym_name = "base"}> ({
  "func.func"() <{arg_attrs = [{jax.arg_info = "x", tf.aliasing_output = 0 : i32}, {}, {}, {}, {}], function_type = (tensor<3x4xf32>, tensor<3x4xf32>, tensor<6xi32>, tensor<2xui64>, tensor<1xf32>) -> (tensor<3x4xf32>, tensor<3xf32>), res_attrs = [{jax.result_info = "out"}, {}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<3x4xf32>, %arg6: tensor<3x4xf32>, %arg7: tensor<6xi32>, %arg8: tensor<2xui64>, %arg9: tensor<1xf32>):
    %2 = "stablehlo.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00], [-0.000000e+00, 0x7F800000, 9.99999971E-10, 9.000000e+00]]> : tensor<3x4xf32>}> : () -> tensor<3x4xf32>
    %3 = "stablehlo.constant"() <{value = dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>}> : () -> tensor<9xi1>
    %4 = "stablehlo.constant"() <{value = dense<true> : tensor<7xi1>}> : () -> tensor<7xi1>
    %5 = "stablehlo.constant"() <{value = dense<(1.000000e+00,-2.000000e+00)> : tensor<2xcomplex<f32>>}> : () -> tensor<2xcomplex<f32>>
    %6 = "stablehlo.constant"() <{value = dense<[-1, 7]> : tensor<2xi4>}> : () -> tensor<2xi4>
    %7 = "stablehlo.constant"() <{value = dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf8E4M3FN>}> : () -> tensor<2xf8E4M3FN>
    %8 = "stablehlo.constant"() <{value = dense<[255, 0, 3]> : tensor<3xui8>}> : () -> tensor<3xui8>
    %9 = "stablehlo.constant"() <{value = dense<-1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %10 = "stablehlo.add"(%arg5, %2) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %11 = "stablehlo.dot_general"(%10, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x3xf32>
    %12 = "stablehlo.compare"(%arg5, %arg6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %13 = "stablehlo.select"(%12, %arg5, %10) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %14 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.reduce"(%13, %14) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %48 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%48) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    %16 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 3, 4>, start_indices = array<i64: 0, 1>, strides = array<i64: 2, 1>}> : (tensor<3x4xf32>) -> tensor<2x3xf32>
    %17 = "stablehlo.pad"(%16, %14) <{edge_padding_high = array<i64: 1, 0>, edge_padding_low = array<i64: 0, -1>, interior_padding = array<i64: 0, 2>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    %18 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x1xi32>
    %19 = "stablehlo.gather"(%10, %18) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %20 = "stablehlo.scatter"(%10, %18, %19) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      "stablehlo.return"(%arg23) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<3x4xf32>
    %21 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2x2x1x1xf32>}> : () -> tensor<2x2x1x1xf32>
    %22 = "stablehlo.reshape"(%20) : (tensor<3x4xf32>) -> tensor<1x3x4x1xf32>
    %23 = "stablehlo.convolution"(%22, %21) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: true, false>}> : (tensor<1x3x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
    %24 = "stablehlo.reduce_window"(%arg5, %14) <{padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %47 = "stablehlo.maximum"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%47) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x3xf32>
    %25:2 = "stablehlo.sort"(%arg7, %arg7) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg16: tensor<i32>, %arg17: tensor<i32>, %arg18: tensor<i32>, %arg19: tensor<i32>):
      %46 = "stablehlo.compare"(%arg16, %arg17) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%46) : (tensor<i1>) -> ()
    }) : (tensor<6xi32>, tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>)
    %26 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %27:2 = "stablehlo.while"(%26, %10) ({
    ^bb0(%arg14: tensor<i32>, %arg15: tensor<3x4xf32>):
      %44 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %45 = "stablehlo.compare"(%arg14, %44) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%45) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<i32>, %arg13: tensor<3x4xf32>):
      %41 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %42 = "stablehlo.add"(%arg12, %41) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %43 = "stablehlo.multiply"(%arg13, %arg5) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
      "stablehlo.return"(%42, %43) : (tensor<i32>, tensor<3x4xf32>) -> ()
    }) : (tensor<i32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<3x4xf32>)
    %28 = "stablehlo.custom_call"(%27#1) <{api_version = 2 : i32, backend_config = "opaque", call_target_name = "target", called_computations = [@helper], has_side_effect = true, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}> {mhlo.frontend_attributes = {a = "b"}} : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %29 = "stablehlo.all_reduce"(%28) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %40 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%40) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %30 = "stablehlo.create_token"() : () -> !stablehlo.token
    %31 = "stablehlo.send"(%29, %30) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<3x4xf32>, !stablehlo.token) -> !stablehlo.token
    %32:2 = "stablehlo.rng_bit_generator"(%arg8) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %33 = "stablehlo.fft"(%5) <{fft_length = array<i64: 2>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %34 = "stablehlo.triangular_solve"(%11, %11) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %35:3 = "stablehlo.batch_norm_training"(%22, %arg9, %arg9) <{epsilon = 1.000000e-03 : f32, feature_index = 3 : i64}> : (tensor<1x3x4x1xf32>, tensor<1xf32>, tensor<1xf32>) -> (tensor<1x3x4x1xf32>, tensor<1xf32>, tensor<1xf32>)
    %36 = "stablehlo.tuple"(%27#0, %27#1) : (tensor<i32>, tensor<3x4xf32>) -> tuple<tensor<i32>, tensor<3x4xf32>>
    %37 = "stablehlo.get_tuple_element"(%36) <{index = 1 : i32}> : (tuple<tensor<i32>, tensor<3x4xf32>>) -> tensor<3x4xf32>
    %38 = "func.call"(%37) <{callee = @helper}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %39 = "stablehlo.exponential"(%38) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%39, %15) : (tensor<3x4xf32>, tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "helper", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<3x4xf32>):
    %1 = "stablehlo.negate"(%arg4) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%1) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x4xf32>, tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<*xi32>, tensor<2xindex>) -> tensor<?x4xf32>, sym_name = "shapes", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32, #stablehlo.bounds<5, ?>>, %arg2: tensor<*xi32>, %arg3: tensor<2xindex>):
    %0 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %arg3) <{broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0>}> : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<?x4xf32>
    "func.return"(%0) : (tensor<?x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32} : () -> ()

