module @jit_optax_lars attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<4x6xf32>, %arg4: tensor<6xf32>, %arg5: tensor<6x2xf32>, %arg6: tensor<5x4xf32>, %arg7: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<4x6xf32> {jax.result_info = "result[2][3].trace['a']"}, tensor<6xf32> {jax.result_info = "result[2][3].trace['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][3].trace['c']"}) {
    %0 = stablehlo.dot_general %arg6, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg7 : tensor<5x2xf32>
    %9 = chlo.square %8 : tensor<5x2xf32> -> tensor<5x2xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %11 = stablehlo.multiply %10, %8 : tensor<5x2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<5x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %13 = stablehlo.divide %12, %cst_2 : tensor<f32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %14 = stablehlo.divide %cst_3, %cst_4 : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<5x2xf32>
    %16 = stablehlo.multiply %15, %11 : tensor<5x2xf32>
    %17 = stablehlo.dot_general %16, %4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x2xf32>, tensor<5x6xf32>) -> tensor<2x6xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
    %19 = stablehlo.dot_general %16, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<5x2xf32>, tensor<6x2xf32>) -> tensor<5x6xf32>
    %20 = stablehlo.multiply %19, %6 : tensor<5x6xf32>
    %21 = stablehlo.multiply %20, %4 : tensor<5x6xf32>
    %22 = stablehlo.add %20, %21 : tensor<5x6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<5x6xf32>, tensor<f32>) -> tensor<6xf32>
    %24 = stablehlo.reshape %23 : (tensor<6xf32>) -> tensor<1x6xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<1x6xf32>, tensor<f32>) -> tensor<6xf32>
    %26 = stablehlo.dot_general %22, %arg6, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %29 = stablehlo.multiply %28, %arg0 : tensor<4x6xf32>
    %30 = stablehlo.add %27, %29 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %32 = stablehlo.multiply %31, %arg1 : tensor<6xf32>
    %33 = stablehlo.add %25, %32 : tensor<6xf32>
    %cst_9 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %35 = stablehlo.multiply %34, %arg2 : tensor<6x2xf32>
    %36 = stablehlo.add %18, %35 : tensor<6x2xf32>
    %37 = call @norm(%arg0) : (tensor<4x6xf32>) -> tensor<1x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %39 = stablehlo.compare LE, %37, %38, FLOAT : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %41 = call @_where(%39, %40, %arg0) : (tensor<1x1xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %42 = stablehlo.reshape %37 : (tensor<1x1xf32>) -> tensor<f32>
    %43 = call @norm_0(%41) : (tensor<4x6xf32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.compare LE, %42, %cst_12, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = call @_where_1(%44, %cst_13, %43) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %46 = call @norm(%30) : (tensor<4x6xf32>) -> tensor<1x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %48 = stablehlo.compare LE, %46, %47, FLOAT : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %50 = call @_where(%48, %49, %30) : (tensor<1x1xi1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %51 = stablehlo.reshape %46 : (tensor<1x1xf32>) -> tensor<f32>
    %52 = call @norm_0(%50) : (tensor<4x6xf32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.compare LE, %51, %cst_16, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = call @_where_1(%53, %cst_17, %52) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %cst_18 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %55 = stablehlo.multiply %cst_18, %45 : tensor<f32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.add %54, %cst_19 : tensor<f32>
    %57 = stablehlo.divide %55, %56 : tensor<f32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.compare EQ, %45, %cst_20, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.compare EQ, %54, %cst_21, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %60 = stablehlo.or %58, %59 : tensor<i1>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = call @_where_2(%60, %cst_22, %57) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %63 = stablehlo.multiply %30, %62 : tensor<4x6xf32>
    %64 = call @norm_3(%arg1) : (tensor<6xf32>) -> tensor<1xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %66 = stablehlo.compare LE, %64, %65, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %68 = call @_where_4(%66, %67, %arg1) : (tensor<1xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %69 = stablehlo.reshape %64 : (tensor<1xf32>) -> tensor<f32>
    %70 = call @norm_5(%68) : (tensor<6xf32>) -> tensor<f32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.compare LE, %69, %cst_25, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = call @_where_1(%71, %cst_26, %70) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %73 = call @norm_3(%33) : (tensor<6xf32>) -> tensor<1xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %75 = stablehlo.compare LE, %73, %74, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %77 = call @_where_4(%75, %76, %33) : (tensor<1xi1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %78 = stablehlo.reshape %73 : (tensor<1xf32>) -> tensor<f32>
    %79 = call @norm_5(%77) : (tensor<6xf32>) -> tensor<f32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.compare LE, %78, %cst_29, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = call @_where_1(%80, %cst_30, %79) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %cst_31 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %82 = stablehlo.multiply %cst_31, %72 : tensor<f32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.add %81, %cst_32 : tensor<f32>
    %84 = stablehlo.divide %82, %83 : tensor<f32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.compare EQ, %72, %cst_33, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.compare EQ, %81, %cst_34, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %87 = stablehlo.or %85, %86 : tensor<i1>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = call @_where_2(%87, %cst_35, %84) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %90 = stablehlo.multiply %33, %89 : tensor<6xf32>
    %91 = call @norm_6(%arg2) : (tensor<6x2xf32>) -> tensor<1x1xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %93 = stablehlo.compare LE, %91, %92, FLOAT : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %95 = call @_where_7(%93, %94, %arg2) : (tensor<1x1xi1>, tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
    %96 = stablehlo.reshape %91 : (tensor<1x1xf32>) -> tensor<f32>
    %97 = call @norm_8(%95) : (tensor<6x2xf32>) -> tensor<f32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.compare LE, %96, %cst_38, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = call @_where_1(%98, %cst_39, %97) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %100 = call @norm_6(%36) : (tensor<6x2xf32>) -> tensor<1x1xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %102 = stablehlo.compare LE, %100, %101, FLOAT : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xi1>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %104 = call @_where_7(%102, %103, %36) : (tensor<1x1xi1>, tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
    %105 = stablehlo.reshape %100 : (tensor<1x1xf32>) -> tensor<f32>
    %106 = call @norm_8(%104) : (tensor<6x2xf32>) -> tensor<f32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.compare LE, %105, %cst_42, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = call @_where_1(%107, %cst_43, %106) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %cst_44 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %109 = stablehlo.multiply %cst_44, %99 : tensor<f32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.add %108, %cst_45 : tensor<f32>
    %111 = stablehlo.divide %109, %110 : tensor<f32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.compare EQ, %99, %cst_46, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.compare EQ, %108, %cst_47, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %114 = stablehlo.or %112, %113 : tensor<i1>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = call @_where_2(%114, %cst_48, %111) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %117 = stablehlo.multiply %36, %116 : tensor<6x2xf32>
    %cst_49 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %119 = stablehlo.multiply %118, %63 : tensor<4x6xf32>
    %cst_50 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %121 = stablehlo.multiply %120, %90 : tensor<6xf32>
    %cst_51 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %123 = stablehlo.multiply %122, %117 : tensor<6x2xf32>
    %cst_52 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %125 = stablehlo.multiply %124, %arg3 : tensor<4x6xf32>
    %126 = stablehlo.add %119, %125 : tensor<4x6xf32>
    %cst_53 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %128 = stablehlo.multiply %127, %arg4 : tensor<6xf32>
    %129 = stablehlo.add %121, %128 : tensor<6xf32>
    %cst_54 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %131 = stablehlo.multiply %130, %arg5 : tensor<6x2xf32>
    %132 = stablehlo.add %123, %131 : tensor<6x2xf32>
    %133 = stablehlo.add %arg0, %126 : tensor<4x6xf32>
    %134 = stablehlo.add %arg1, %129 : tensor<6xf32>
    %135 = stablehlo.add %arg2, %132 : tensor<6x2xf32>
    return %13, %133, %134, %135, %126, %129, %132 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
  func.func private @norm(%arg0: tensor<4x6xf32>) -> tensor<1x1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.sqrt %2 : tensor<1x1xf32>
    return %3 : tensor<1x1xf32>
  }
  func.func private @_where(%arg0: tensor<1x1xi1>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x6xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<4x6xi1>, tensor<4x6xf32>
    return %1 : tensor<4x6xf32>
  }
  func.func private @norm_0(%arg0: tensor<4x6xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<4x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @norm_3(%arg0: tensor<6xf32>) -> tensor<1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %3 = stablehlo.sqrt %2 : tensor<1xf32>
    return %3 : tensor<1xf32>
  }
  func.func private @_where_4(%arg0: tensor<1xi1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<1xi1>) -> tensor<6xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<6xi1>, tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @norm_5(%arg0: tensor<6xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @norm_6(%arg0: tensor<6x2xf32>) -> tensor<1x1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %3 = stablehlo.sqrt %2 : tensor<1x1xf32>
    return %3 : tensor<1x1xf32>
  }
  func.func private @_where_7(%arg0: tensor<1x1xi1>, %arg1: tensor<6x2xf32>, %arg2: tensor<6x2xf32>) -> tensor<6x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<6x2xi1>
    %1 = stablehlo.select %0, %arg1, %arg2 : tensor<6x2xi1>, tensor<6x2xf32>
    return %1 : tensor<6x2xf32>
  }
  func.func private @norm_8(%arg0: tensor<6x2xf32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.sqrt %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
