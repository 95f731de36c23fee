module @jit_poly_dynamic_ops attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?xf32>) -> (tensor<?x?xf32> {jax.result_info = "result[0]"}, tensor<?x?xf32> {jax.result_info = "result[1]"}, tensor<1x1x?x?xf32> {jax.result_info = "result[2]"}, tensor<2x?xf32> {jax.result_info = "result[3]"}, tensor<?x?xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<-2> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, n). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare EQ, %1, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Found inconsistency between dimension size args[0].shape[1] (= {0}) and the specification 'n' (= {1}). Using the following polymorphic shapes specifications: args[0].shape = (n, n). Obtained dimension variables: 'n' = {1} from specification 'n' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = stablehlo.convert %0 : tensor<i32>
    %5 = stablehlo.add %4, %c_0 : tensor<i32>
    %6 = stablehlo.compare GE, %5, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.convert %0 : tensor<i32>
    %8 = stablehlo.add %7, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%6, %8, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the symbolic shape constraint n >= 2. Expected 'n - 2' to be greater or equal to 0, but found {0}.  Using the following polymorphic shapes specifications: args[0].shape = (n, n). Obtained dimension variables: 'n' = {1} from specification 'n' for dimension args[0].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %9:5 = call @_wrapped_jax_export_main(%0, %arg0) : (tensor<i32>, tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x1x?x?xf32>, tensor<2x?xf32>, tensor<?x?xf32>)
    return %9#0, %9#1, %9#2, %9#3, %9#4 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x1x?x?xf32>, tensor<2x?xf32>, tensor<?x?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<?x?xf32>) -> (tensor<?x?xf32> {jax.result_info = "result[0]"}, tensor<?x?xf32> {jax.result_info = "result[1]"}, tensor<1x1x?x?xf32> {jax.result_info = "result[2]"}, tensor<2x?xf32> {jax.result_info = "result[3]"}, tensor<?x?xf32> {jax.result_info = "result[4]"}) {
    %c = stablehlo.constant dense<2> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<-2> : tensor<i32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %c_4 = stablehlo.constant dense<2> : tensor<i32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1:2 = call @divmod(%arg0, %arg0, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %2 = stablehlo.add %1#0, %c_3 : tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = "stablehlo.dynamic_gather"(%arg1, %0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<?x?xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    %7 = call @_pad(%arg0, %arg1, %c_5) : (tensor<i32>, tensor<?x?xf32>, tensor<i32>) -> tensor<?x?xf32>
    %8 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %c_2, %c_2, %8, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %11 = stablehlo.dynamic_broadcast_in_dim %arg1, %10, dims = [2, 3] : (tensor<?x?xf32>, tensor<4xi32>) -> tensor<1x1x?x?xf32>
    %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x3x3xf32>
    %13 = stablehlo.convert %arg0 : tensor<i32>
    %14 = stablehlo.multiply %13, %c_1 : tensor<i32>
    %15:2 = call @divmod_0(%arg0, %14, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %16 = stablehlo.multiply %15#0, %c_0 : tensor<i32>
    %17 = stablehlo.convert %arg0 : tensor<i32>
    %18 = stablehlo.multiply %17, %c_1 : tensor<i32>
    %19 = stablehlo.add %16, %18 : tensor<i32>
    %20 = stablehlo.add %19, %c_3 : tensor<i32>
    %21:2 = call @divmod_0(%arg0, %20, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %22 = stablehlo.convert %arg0 : tensor<i32>
    %23 = stablehlo.multiply %22, %c_1 : tensor<i32>
    %24:2 = call @divmod_0(%arg0, %23, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %25 = stablehlo.multiply %24#0, %c_0 : tensor<i32>
    %26 = stablehlo.convert %arg0 : tensor<i32>
    %27 = stablehlo.multiply %26, %c_1 : tensor<i32>
    %28 = stablehlo.add %25, %27 : tensor<i32>
    %29 = stablehlo.add %28, %c_3 : tensor<i32>
    %30:2 = call @divmod_0(%arg0, %29, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %31 = stablehlo.multiply %30#0, %c_1 : tensor<i32>
    %32 = stablehlo.convert %arg0 : tensor<i32>
    %33 = stablehlo.multiply %32, %c_1 : tensor<i32>
    %34:2 = call @divmod_0(%arg0, %33, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %35 = stablehlo.multiply %34#0, %c_0 : tensor<i32>
    %36 = stablehlo.convert %arg0 : tensor<i32>
    %37 = stablehlo.multiply %36, %c_1 : tensor<i32>
    %38 = stablehlo.add %31, %35 : tensor<i32>
    %39 = stablehlo.add %38, %37 : tensor<i32>
    %40 = stablehlo.add %39, %c_3 : tensor<i32>
    %41 = stablehlo.reshape %21#0 : (tensor<i32>) -> tensor<1xi32>
    %42 = stablehlo.reshape %40 : (tensor<i32>) -> tensor<1xi32>
    %43 = stablehlo.concatenate %41, %42, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %44 = stablehlo.reshape %43 : (tensor<2xi32>) -> tensor<1x2xi32>
    %45 = stablehlo.convert %arg0 : tensor<i32>
    %46 = stablehlo.multiply %45, %c_1 : tensor<i32>
    %47:2 = call @divmod_0(%arg0, %46, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %48 = stablehlo.multiply %47#0, %c_0 : tensor<i32>
    %49 = stablehlo.convert %arg0 : tensor<i32>
    %50 = stablehlo.multiply %49, %c_1 : tensor<i32>
    %51 = stablehlo.add %48, %50 : tensor<i32>
    %52 = stablehlo.add %51, %c_3 : tensor<i32>
    %53:2 = call @divmod_0(%arg0, %52, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %54 = stablehlo.convert %arg0 : tensor<i32>
    %55 = stablehlo.multiply %54, %c_1 : tensor<i32>
    %56:2 = call @divmod_0(%arg0, %55, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %57 = stablehlo.multiply %56#0, %c_0 : tensor<i32>
    %58 = stablehlo.convert %arg0 : tensor<i32>
    %59 = stablehlo.multiply %58, %c_1 : tensor<i32>
    %60 = stablehlo.add %57, %59 : tensor<i32>
    %61 = stablehlo.add %60, %c_3 : tensor<i32>
    %62:2 = call @divmod_0(%arg0, %61, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %63 = stablehlo.multiply %62#0, %c_1 : tensor<i32>
    %64 = stablehlo.convert %arg0 : tensor<i32>
    %65 = stablehlo.multiply %64, %c_1 : tensor<i32>
    %66:2 = call @divmod_0(%arg0, %65, %c_4) : (tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    %67 = stablehlo.multiply %66#0, %c_0 : tensor<i32>
    %68 = stablehlo.convert %arg0 : tensor<i32>
    %69 = stablehlo.multiply %68, %c_1 : tensor<i32>
    %70 = stablehlo.add %63, %67 : tensor<i32>
    %71 = stablehlo.add %70, %69 : tensor<i32>
    %72 = stablehlo.add %71, %c_3 : tensor<i32>
    %73 = stablehlo.reshape %53#0 : (tensor<i32>) -> tensor<1xi32>
    %74 = stablehlo.reshape %72 : (tensor<i32>) -> tensor<1xi32>
    %75 = stablehlo.concatenate %73, %74, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %76 = stablehlo.reshape %75 : (tensor<2xi32>) -> tensor<1x2xi32>
    %77 = stablehlo.concatenate %44, %76, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %78 = "stablehlo.dynamic_conv"(%11, %12, %77) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 2>}> : (tensor<1x1x?x?xf32>, tensor<1x1x3x3xf32>, tensor<2x2xi32>) -> tensor<1x1x?x?xf32>
    %79 = stablehlo.convert %arg0 : tensor<i32>
    %80 = stablehlo.add %79, %c_0 : tensor<i32>
    %81 = stablehlo.convert %80 : tensor<i32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %83 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %84 = stablehlo.concatenate %c, %83, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %85 = "stablehlo.dynamic_gather"(%arg1, %82, %84) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<?x?xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<2x?xf32>
    %86 = stablehlo.convert %arg0 : tensor<i32>
    %87 = stablehlo.add %86, %c_1 : tensor<i32>
    %88 = call @_roll_dynamic(%arg0, %arg1, %87) : (tensor<i32>, tensor<?x?xf32>, tensor<i32>) -> tensor<?x?xf32>
    return %6, %7, %78, %85, %88 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<1x1x?x?xf32>, tensor<2x?xf32>, tensor<?x?xf32>
  }
  func.func private @divmod(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = call @floor_divide(%arg0, %0, %arg2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = call @remainder(%arg0, %0, %arg2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %1, %2 : tensor<i32>, tensor<i32>
  }
  func.func private @floor_divide(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.divide %arg1, %arg2 : tensor<i32>
    %1 = stablehlo.sign %arg1 : tensor<i32>
    %2 = stablehlo.sign %arg2 : tensor<i32>
    %3 = stablehlo.compare NE, %1, %2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.remainder %arg1, %arg2 : tensor<i32>
    %5 = stablehlo.compare NE, %4, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.and %3, %5 : tensor<i1>
    %7 = stablehlo.subtract %0, %c : tensor<i32>
    %8 = call @_where(%arg0, %6, %7, %0) : (tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %8 : tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i1>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = call @_where(%arg0, %0, %c, %arg2) : (tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.remainder %arg1, %1 : tensor<i32>
    %3 = stablehlo.compare NE, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i32>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i32>
    return %9 : tensor<i32>
  }
  func.func private @_pad(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<?x?xf32>, %arg2: tensor<i32>) -> tensor<?x?xf32> {
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %3, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_pad %arg1, %0, %2, %4, %5 : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %6 : tensor<?x?xf32>
  }
  func.func private @divmod_0(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32>, %arg2: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
    %0 = call @floor_divide(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %1 = call @remainder(%arg0, %arg1, %arg2) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %0, %1 : tensor<i32>, tensor<i32>
  }
  func.func private @_roll_dynamic(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<?x?xf32>, %arg2: tensor<i32>) -> tensor<?x?xf32> {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.slice %0 [0:1] : (tensor<1xi32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %1 : (tensor<1xi32>) -> tensor<i32>
    %3 = stablehlo.convert %arg0 : tensor<i32>
    %4 = stablehlo.convert %2 : tensor<i32>
    %5 = stablehlo.maximum %3, %c_3 : tensor<i32>
    %6 = call @remainder_1(%arg0, %4, %5) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = stablehlo.concatenate %arg1, %arg1, dim = 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %8 = stablehlo.subtract %3, %6 : tensor<i32>
    %9 = stablehlo.convert %arg0 : tensor<i32>
    %10 = stablehlo.multiply %9, %c_2 : tensor<i32>
    %11 = stablehlo.convert %10 : tensor<i32>
    %12 = stablehlo.compare LT, %8, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %13 = stablehlo.add %8, %11 : tensor<i32>
    %14 = stablehlo.select %12, %13, %8 : tensor<i1>, tensor<i32>
    %15 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.concatenate %15, %16, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %18 = stablehlo.concatenate %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %19 = stablehlo.reshape %14 : (tensor<i32>) -> tensor<1xi32>
    %20 = stablehlo.reshape %c_1 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %22 = stablehlo.convert %arg0 : tensor<i32>
    %23 = stablehlo.multiply %22, %c_2 : tensor<i32>
    %24 = stablehlo.reshape %23 : (tensor<i32>) -> tensor<1xi32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.concatenate %24, %25, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = stablehlo.subtract %26, %17 : tensor<2xi32>
    %28 = stablehlo.clamp %18, %21, %27 : tensor<2xi32>
    %29 = stablehlo.add %28, %17 : tensor<2xi32>
    %30 = stablehlo.concatenate %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %31 = stablehlo.real_dynamic_slice %7, %28, %29, %30 : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    return %31 : tensor<?x?xf32>
  }
  func.func private @remainder_1(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.compare EQ, %arg2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = call @_where_2(%arg0, %0, %c, %arg2) : (tensor<i32>, tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = stablehlo.remainder %arg1, %1 : tensor<i32>
    %3 = stablehlo.compare NE, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.compare LT, %2, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %5 = stablehlo.compare LT, %1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.compare NE, %4, %5, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %7 = stablehlo.and %6, %3 : tensor<i1>
    %8 = stablehlo.add %2, %1 : tensor<i32>
    %9 = stablehlo.select %7, %8, %2 : tensor<i1>, tensor<i32>
    return %9 : tensor<i32>
  }
  func.func private @_where_2(%arg0: tensor<i32> {jax.global_constant = "n"}, %arg1: tensor<i1>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg1, %arg2, %arg3 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
