module @jit_optax_scheduled attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<4x6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<6x2xf32>, %arg7: tensor<4x6xf32>, %arg8: tensor<6xf32>, %arg9: tensor<6x2xf32>, %arg10: tensor<i32>, %arg11: tensor<5x4xf32>, %arg12: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2][1].count"}, tensor<4x6xf32> {jax.result_info = "result[2][1].mu['a']"}, tensor<6xf32> {jax.result_info = "result[2][1].mu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][1].mu['c']"}, tensor<4x6xf32> {jax.result_info = "result[2][1].nu['a']"}, tensor<6xf32> {jax.result_info = "result[2][1].nu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2][1].nu['c']"}, tensor<i32> {jax.result_info = "result[2][2].count"}) {
    %0 = stablehlo.dot_general %arg11, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg12 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %28 = chlo.square %27 : tensor<4x6xf32> -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %30 = chlo.square %29 : tensor<4x6xf32> -> tensor<4x6xf32>
    %31 = stablehlo.add %28, %30 : tensor<4x6xf32>
    %32 = chlo.square %25 : tensor<6xf32> -> tensor<6xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %34 = chlo.square %33 : tensor<6xf32> -> tensor<6xf32>
    %35 = stablehlo.add %32, %34 : tensor<6xf32>
    %36 = chlo.square %18 : tensor<6x2xf32> -> tensor<6x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %38 = chlo.square %37 : tensor<6x2xf32> -> tensor<6x2xf32>
    %39 = stablehlo.add %36, %38 : tensor<6x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%31 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%35 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%39 init: %cst_12) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.add %cst_13, %40 : tensor<f32>
    %44 = stablehlo.add %43, %41 : tensor<f32>
    %45 = stablehlo.add %44, %42 : tensor<f32>
    %46 = stablehlo.sqrt %45 : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %47 = stablehlo.compare LT, %46, %cst_14, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %48 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %49 = stablehlo.divide %27, %48 : tensor<4x6xf32>
    %cst_15 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %51 = stablehlo.multiply %49, %50 : tensor<4x6xf32>
    %52 = stablehlo.select %47, %27, %51 : tensor<i1>, tensor<4x6xf32>
    %53 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %54 = stablehlo.divide %25, %53 : tensor<6xf32>
    %cst_16 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %56 = stablehlo.multiply %54, %55 : tensor<6xf32>
    %57 = stablehlo.select %47, %25, %56 : tensor<i1>, tensor<6xf32>
    %58 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %59 = stablehlo.divide %18, %58 : tensor<6x2xf32>
    %cst_17 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %61 = stablehlo.multiply %59, %60 : tensor<6x2xf32>
    %62 = stablehlo.select %47, %18, %61 : tensor<i1>, tensor<6x2xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %64 = stablehlo.multiply %63, %52 : tensor<4x6xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %66 = stablehlo.multiply %65, %arg4 : tensor<4x6xf32>
    %67 = stablehlo.add %64, %66 : tensor<4x6xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %69 = stablehlo.multiply %68, %57 : tensor<6xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %71 = stablehlo.multiply %70, %arg5 : tensor<6xf32>
    %72 = stablehlo.add %69, %71 : tensor<6xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %74 = stablehlo.multiply %73, %62 : tensor<6x2xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %76 = stablehlo.multiply %75, %arg6 : tensor<6x2xf32>
    %77 = stablehlo.add %74, %76 : tensor<6x2xf32>
    %78 = stablehlo.multiply %52, %52 : tensor<4x6xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<4x6xf32>
    %cst_25 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %81 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %82 = stablehlo.multiply %81, %arg7 : tensor<4x6xf32>
    %83 = stablehlo.add %80, %82 : tensor<4x6xf32>
    %84 = stablehlo.multiply %57, %57 : tensor<6xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<6xf32>
    %cst_27 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %88 = stablehlo.multiply %87, %arg8 : tensor<6xf32>
    %89 = stablehlo.add %86, %88 : tensor<6xf32>
    %90 = stablehlo.multiply %62, %62 : tensor<6x2xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<6x2xf32>
    %cst_29 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %94 = stablehlo.multiply %93, %arg9 : tensor<6x2xf32>
    %95 = stablehlo.add %92, %94 : tensor<6x2xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %96 = stablehlo.compare LT, %arg3, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_30 = stablehlo.constant dense<1> : tensor<i32>
    %97 = stablehlo.add %arg3, %c_30 : tensor<i32>
    %c_31 = stablehlo.constant dense<2147483647> : tensor<i32>
    %98 = call @_where(%96, %97, %c_31) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %99 = stablehlo.convert %98 : (tensor<i32>) -> tensor<f32>
    %cst_32 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %100 = stablehlo.convert %98 : (tensor<i32>) -> tensor<f32>
    %101 = stablehlo.power %cst_32, %100 : tensor<f32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %102 = stablehlo.subtract %cst_33, %101 : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %104 = stablehlo.divide %67, %103 : tensor<4x6xf32>
    %105 = stablehlo.broadcast_in_dim %102, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %106 = stablehlo.divide %72, %105 : tensor<6xf32>
    %107 = stablehlo.broadcast_in_dim %102, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %108 = stablehlo.divide %77, %107 : tensor<6x2xf32>
    %109 = stablehlo.convert %98 : (tensor<i32>) -> tensor<f32>
    %cst_34 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %110 = stablehlo.convert %98 : (tensor<i32>) -> tensor<f32>
    %111 = stablehlo.power %cst_34, %110 : tensor<f32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %112 = stablehlo.subtract %cst_35, %111 : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %114 = stablehlo.divide %83, %113 : tensor<4x6xf32>
    %115 = stablehlo.broadcast_in_dim %112, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %116 = stablehlo.divide %89, %115 : tensor<6xf32>
    %117 = stablehlo.broadcast_in_dim %112, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %118 = stablehlo.divide %95, %117 : tensor<6x2xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %120 = stablehlo.add %114, %119 : tensor<4x6xf32>
    %121 = stablehlo.sqrt %120 : tensor<4x6xf32>
    %cst_37 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %123 = stablehlo.add %121, %122 : tensor<4x6xf32>
    %124 = stablehlo.divide %104, %123 : tensor<4x6xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %126 = stablehlo.add %116, %125 : tensor<6xf32>
    %127 = stablehlo.sqrt %126 : tensor<6xf32>
    %cst_39 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %129 = stablehlo.add %127, %128 : tensor<6xf32>
    %130 = stablehlo.divide %106, %129 : tensor<6xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %132 = stablehlo.add %118, %131 : tensor<6x2xf32>
    %133 = stablehlo.sqrt %132 : tensor<6x2xf32>
    %cst_41 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %135 = stablehlo.add %133, %134 : tensor<6x2xf32>
    %136 = stablehlo.divide %108, %135 : tensor<6x2xf32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %137 = stablehlo.subtract %arg10, %c_42 : tensor<i32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %c_44 = stablehlo.constant dense<3> : tensor<i32>
    %138 = call @clip(%137, %c_43, %c_44) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %139 = stablehlo.convert %138 : (tensor<i32>) -> tensor<f32>
    %cst_45 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %140 = stablehlo.divide %139, %cst_45 : tensor<f32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %141 = stablehlo.subtract %cst_46, %140 : tensor<f32>
    %cst_47 = stablehlo.constant dense<-1.000000e-01> : tensor<f32>
    %142 = stablehlo.multiply %cst_47, %141 : tensor<f32>
    %cst_48 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %143 = stablehlo.add %142, %cst_48 : tensor<f32>
    %c_49 = stablehlo.constant dense<3> : tensor<i32>
    %144 = stablehlo.compare LT, %arg10, %c_49, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_50 = stablehlo.constant dense<3> : tensor<i32>
    %145 = stablehlo.subtract %arg10, %c_50 : tensor<i32>
    %146 = stablehlo.convert %145 : (tensor<i32>) -> tensor<f32>
    %cst_51 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %147 = stablehlo.minimum %146, %cst_51 : tensor<f32>
    %cst_52 = stablehlo.constant dense<3.14159274> : tensor<f32>
    %148 = stablehlo.multiply %cst_52, %147 : tensor<f32>
    %cst_53 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %149 = stablehlo.divide %148, %cst_53 : tensor<f32>
    %150 = stablehlo.cosine %149 : tensor<f32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %151 = stablehlo.add %cst_54, %150 : tensor<f32>
    %cst_55 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %152 = stablehlo.multiply %cst_55, %151 : tensor<f32>
    %cst_56 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.power %152, %cst_56 : tensor<f32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %154 = stablehlo.multiply %cst_57, %153 : tensor<f32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.add %154, %cst_58 : tensor<f32>
    %cst_59 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %156 = stablehlo.multiply %cst_59, %155 : tensor<f32>
    %157 = call @_where_0(%144, %143, %156) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %158 = stablehlo.broadcast_in_dim %157, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %159 = stablehlo.multiply %158, %124 : tensor<4x6xf32>
    %160 = stablehlo.broadcast_in_dim %157, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %161 = stablehlo.multiply %160, %130 : tensor<6xf32>
    %162 = stablehlo.broadcast_in_dim %157, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %163 = stablehlo.multiply %162, %136 : tensor<6x2xf32>
    %c_60 = stablehlo.constant dense<2147483647> : tensor<i32>
    %164 = stablehlo.compare LT, %arg10, %c_60, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_61 = stablehlo.constant dense<1> : tensor<i32>
    %165 = stablehlo.add %arg10, %c_61 : tensor<i32>
    %c_62 = stablehlo.constant dense<2147483647> : tensor<i32>
    %166 = call @_where(%164, %165, %c_62) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %cst_63 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %168 = stablehlo.multiply %167, %159 : tensor<4x6xf32>
    %cst_64 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %170 = stablehlo.multiply %169, %161 : tensor<6xf32>
    %cst_65 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %172 = stablehlo.multiply %171, %163 : tensor<6x2xf32>
    %173 = stablehlo.add %arg0, %168 : tensor<4x6xf32>
    %174 = stablehlo.add %arg1, %170 : tensor<6xf32>
    %175 = stablehlo.add %arg2, %172 : tensor<6x2xf32>
    return %13, %173, %174, %175, %98, %67, %72, %77, %83, %89, %95, %166 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @clip(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.maximum %0, %arg0 : tensor<i32>
    %2 = stablehlo.convert %arg2 : tensor<i32>
    %3 = stablehlo.minimum %2, %1 : tensor<i32>
    return %3 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<f32>
    return %1 : tensor<f32>
  }
}
