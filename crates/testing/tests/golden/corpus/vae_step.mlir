module @jit_vae_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5xf32>, %arg1: tensor<6x5xf32>, %arg2: tensor<5x6xf32>, %arg3: tensor<5x4xf32>, %arg4: tensor<i32>, %arg5: tensor<2x5xf32>, %arg6: tensor<6x5xf32>, %arg7: tensor<5x6xf32>, %arg8: tensor<5x4xf32>, %arg9: tensor<2x5xf32>, %arg10: tensor<6x5xf32>, %arg11: tensor<5x6xf32>, %arg12: tensor<5x4xf32>, %arg13: tensor<3x6xf32>, %arg14: tensor<3x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<2x5xf32> {jax.result_info = "result[1]['d']"}, tensor<6x5xf32> {jax.result_info = "result[1]['e']"}, tensor<5x6xf32> {jax.result_info = "result[1]['o']"}, tensor<5x4xf32> {jax.result_info = "result[1]['z']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<2x5xf32> {jax.result_info = "result[2][0].mu['d']"}, tensor<6x5xf32> {jax.result_info = "result[2][0].mu['e']"}, tensor<5x6xf32> {jax.result_info = "result[2][0].mu['o']"}, tensor<5x4xf32> {jax.result_info = "result[2][0].mu['z']"}, tensor<2x5xf32> {jax.result_info = "result[2][0].nu['d']"}, tensor<6x5xf32> {jax.result_info = "result[2][0].nu['e']"}, tensor<5x6xf32> {jax.result_info = "result[2][0].nu['o']"}, tensor<5x4xf32> {jax.result_info = "result[2][0].nu['z']"}) {
    %0 = stablehlo.dot_general %arg13, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x6xf32>, tensor<6x5xf32>) -> tensor<3x5xf32>
    %1 = stablehlo.tanh %0 : tensor<3x5xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %3 = stablehlo.subtract %2, %1 : tensor<3x5xf32>
    %4 = stablehlo.dot_general %1, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
    %5 = stablehlo.slice %4 [0:3, 0:2] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %6 = stablehlo.slice %4 [0:3, 2:4] : (tensor<3x4xf32>) -> tensor<3x2xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %8 = stablehlo.multiply %7, %6 : tensor<3x2xf32>
    %9 = stablehlo.exponential %8 : tensor<3x2xf32>
    %10 = stablehlo.multiply %9, %arg14 : tensor<3x2xf32>
    %11 = stablehlo.add %5, %10 : tensor<3x2xf32>
    %12 = stablehlo.dot_general %11, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x2xf32>, tensor<2x5xf32>) -> tensor<3x5xf32>
    %13 = stablehlo.tanh %12 : tensor<3x5xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %15 = stablehlo.subtract %14, %13 : tensor<3x5xf32>
    %16 = stablehlo.dot_general %13, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
    %17:3 = call @log_sigmoid(%16) : (tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>)
    %18 = stablehlo.negate %16 : tensor<3x6xf32>
    %19:3 = call @log_sigmoid(%18) : (tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>)
    %20 = stablehlo.negate %arg13 : tensor<3x6xf32>
    %21 = stablehlo.multiply %20, %17#0 : tensor<3x6xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %23 = stablehlo.subtract %22, %arg13 : tensor<3x6xf32>
    %24 = stablehlo.multiply %23, %19#0 : tensor<3x6xf32>
    %25 = stablehlo.subtract %21, %24 : tensor<3x6xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<3x6xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_5 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %28 = stablehlo.divide %27, %cst_5 : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %30 = stablehlo.add %29, %6 : tensor<3x2xf32>
    %31 = stablehlo.multiply %5, %5 : tensor<3x2xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %33 = stablehlo.multiply %32, %5 : tensor<3x2xf32>
    %34 = stablehlo.subtract %30, %31 : tensor<3x2xf32>
    %35 = stablehlo.exponential %6 : tensor<3x2xf32>
    %36 = stablehlo.subtract %34, %35 : tensor<3x2xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_9) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    %cst_10 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %39 = stablehlo.divide %38, %cst_10 : tensor<f32>
    %cst_11 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %40 = stablehlo.multiply %cst_11, %39 : tensor<f32>
    %41 = stablehlo.subtract %28, %40 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %42 = stablehlo.negate %cst_12 : tensor<f32>
    %cst_13 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %43 = stablehlo.multiply %cst_13, %42 : tensor<f32>
    %cst_14 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %44 = stablehlo.divide %43, %cst_14 : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<3xf32>) -> tensor<3x2xf32>
    %47 = stablehlo.negate %46 : tensor<3x2xf32>
    %48 = stablehlo.multiply %47, %35 : tensor<3x2xf32>
    %49 = stablehlo.negate %46 : tensor<3x2xf32>
    %50 = stablehlo.add %48, %46 : tensor<3x2xf32>
    %51 = stablehlo.multiply %49, %33 : tensor<3x2xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_16 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %52 = stablehlo.divide %cst_15, %cst_16 : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<3xf32>) -> tensor<3x6xf32>
    %55 = stablehlo.negate %54 : tensor<3x6xf32>
    %56 = stablehlo.multiply %23, %55 : tensor<3x6xf32>
    %57 = stablehlo.multiply %20, %54 : tensor<3x6xf32>
    %58 = call @log_sigmoid_0(%19#1, %19#2, %56) : (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
    %59 = stablehlo.negate %58 : tensor<3x6xf32>
    %60 = call @log_sigmoid_0(%17#1, %17#2, %57) : (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
    %61 = stablehlo.add %59, %60 : tensor<3x6xf32>
    %62 = stablehlo.dot_general %61, %13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x6xf32>, tensor<3x5xf32>) -> tensor<6x5xf32>
    %63 = stablehlo.transpose %62, dims = [1, 0] : (tensor<6x5xf32>) -> tensor<5x6xf32>
    %64 = stablehlo.dot_general %61, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x6xf32>, tensor<5x6xf32>) -> tensor<3x5xf32>
    %65 = stablehlo.multiply %64, %15 : tensor<3x5xf32>
    %66 = stablehlo.multiply %65, %13 : tensor<3x5xf32>
    %67 = stablehlo.add %65, %66 : tensor<3x5xf32>
    %68 = stablehlo.dot_general %67, %11, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<3x2xf32>) -> tensor<5x2xf32>
    %69 = stablehlo.transpose %68, dims = [1, 0] : (tensor<5x2xf32>) -> tensor<2x5xf32>
    %70 = stablehlo.dot_general %67, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<2x5xf32>) -> tensor<3x2xf32>
    %71 = stablehlo.add %51, %70 : tensor<3x2xf32>
    %72 = stablehlo.multiply %70, %arg14 : tensor<3x2xf32>
    %73 = stablehlo.multiply %72, %9 : tensor<3x2xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x2xf32>
    %75 = stablehlo.multiply %74, %73 : tensor<3x2xf32>
    %76 = stablehlo.add %50, %75 : tensor<3x2xf32>
    %77 = stablehlo.concatenate %71, %76, dim = 1 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
    %78 = stablehlo.dot_general %77, %1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
    %80 = stablehlo.dot_general %77, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
    %81 = stablehlo.multiply %80, %3 : tensor<3x5xf32>
    %82 = stablehlo.multiply %81, %1 : tensor<3x5xf32>
    %83 = stablehlo.add %81, %82 : tensor<3x5xf32>
    %84 = stablehlo.dot_general %83, %arg13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<3x6xf32>) -> tensor<5x6xf32>
    %85 = stablehlo.transpose %84, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
    %cst_18 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %87 = stablehlo.multiply %86, %69 : tensor<2x5xf32>
    %cst_19 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %89 = stablehlo.multiply %88, %arg5 : tensor<2x5xf32>
    %90 = stablehlo.add %87, %89 : tensor<2x5xf32>
    %cst_20 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %92 = stablehlo.multiply %91, %85 : tensor<6x5xf32>
    %cst_21 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %94 = stablehlo.multiply %93, %arg6 : tensor<6x5xf32>
    %95 = stablehlo.add %92, %94 : tensor<6x5xf32>
    %cst_22 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %97 = stablehlo.multiply %96, %63 : tensor<5x6xf32>
    %cst_23 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %99 = stablehlo.multiply %98, %arg7 : tensor<5x6xf32>
    %100 = stablehlo.add %97, %99 : tensor<5x6xf32>
    %cst_24 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %102 = stablehlo.multiply %101, %79 : tensor<5x4xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %104 = stablehlo.multiply %103, %arg8 : tensor<5x4xf32>
    %105 = stablehlo.add %102, %104 : tensor<5x4xf32>
    %106 = stablehlo.multiply %69, %69 : tensor<2x5xf32>
    %cst_26 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<2x5xf32>
    %cst_27 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %110 = stablehlo.multiply %109, %arg9 : tensor<2x5xf32>
    %111 = stablehlo.add %108, %110 : tensor<2x5xf32>
    %112 = stablehlo.multiply %85, %85 : tensor<6x5xf32>
    %cst_28 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %114 = stablehlo.multiply %113, %112 : tensor<6x5xf32>
    %cst_29 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %116 = stablehlo.multiply %115, %arg10 : tensor<6x5xf32>
    %117 = stablehlo.add %114, %116 : tensor<6x5xf32>
    %118 = stablehlo.multiply %63, %63 : tensor<5x6xf32>
    %cst_30 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<5x6xf32>
    %cst_31 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %122 = stablehlo.multiply %121, %arg11 : tensor<5x6xf32>
    %123 = stablehlo.add %120, %122 : tensor<5x6xf32>
    %124 = stablehlo.multiply %79, %79 : tensor<5x4xf32>
    %cst_32 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %126 = stablehlo.multiply %125, %124 : tensor<5x4xf32>
    %cst_33 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %128 = stablehlo.multiply %127, %arg12 : tensor<5x4xf32>
    %129 = stablehlo.add %126, %128 : tensor<5x4xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %130 = stablehlo.compare LT, %arg4, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_34 = stablehlo.constant dense<1> : tensor<i32>
    %131 = stablehlo.add %arg4, %c_34 : tensor<i32>
    %c_35 = stablehlo.constant dense<2147483647> : tensor<i32>
    %132 = call @_where(%130, %131, %c_35) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %133 = stablehlo.convert %132 : (tensor<i32>) -> tensor<f32>
    %cst_36 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %134 = stablehlo.convert %132 : (tensor<i32>) -> tensor<f32>
    %135 = stablehlo.power %cst_36, %134 : tensor<f32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %136 = stablehlo.subtract %cst_37, %135 : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %138 = stablehlo.divide %90, %137 : tensor<2x5xf32>
    %139 = stablehlo.broadcast_in_dim %136, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %140 = stablehlo.divide %95, %139 : tensor<6x5xf32>
    %141 = stablehlo.broadcast_in_dim %136, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %142 = stablehlo.divide %100, %141 : tensor<5x6xf32>
    %143 = stablehlo.broadcast_in_dim %136, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %144 = stablehlo.divide %105, %143 : tensor<5x4xf32>
    %145 = stablehlo.convert %132 : (tensor<i32>) -> tensor<f32>
    %cst_38 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %146 = stablehlo.convert %132 : (tensor<i32>) -> tensor<f32>
    %147 = stablehlo.power %cst_38, %146 : tensor<f32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %148 = stablehlo.subtract %cst_39, %147 : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %150 = stablehlo.divide %111, %149 : tensor<2x5xf32>
    %151 = stablehlo.broadcast_in_dim %148, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %152 = stablehlo.divide %117, %151 : tensor<6x5xf32>
    %153 = stablehlo.broadcast_in_dim %148, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %154 = stablehlo.divide %123, %153 : tensor<5x6xf32>
    %155 = stablehlo.broadcast_in_dim %148, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %156 = stablehlo.divide %129, %155 : tensor<5x4xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %158 = stablehlo.add %150, %157 : tensor<2x5xf32>
    %159 = stablehlo.sqrt %158 : tensor<2x5xf32>
    %cst_41 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %161 = stablehlo.add %159, %160 : tensor<2x5xf32>
    %162 = stablehlo.divide %138, %161 : tensor<2x5xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %164 = stablehlo.add %152, %163 : tensor<6x5xf32>
    %165 = stablehlo.sqrt %164 : tensor<6x5xf32>
    %cst_43 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %167 = stablehlo.add %165, %166 : tensor<6x5xf32>
    %168 = stablehlo.divide %140, %167 : tensor<6x5xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %170 = stablehlo.add %154, %169 : tensor<5x6xf32>
    %171 = stablehlo.sqrt %170 : tensor<5x6xf32>
    %cst_45 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %173 = stablehlo.add %171, %172 : tensor<5x6xf32>
    %174 = stablehlo.divide %142, %173 : tensor<5x6xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %176 = stablehlo.add %156, %175 : tensor<5x4xf32>
    %177 = stablehlo.sqrt %176 : tensor<5x4xf32>
    %cst_47 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %179 = stablehlo.add %177, %178 : tensor<5x4xf32>
    %180 = stablehlo.divide %144, %179 : tensor<5x4xf32>
    %cst_48 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2x5xf32>
    %182 = stablehlo.multiply %181, %162 : tensor<2x5xf32>
    %cst_49 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<6x5xf32>
    %184 = stablehlo.multiply %183, %168 : tensor<6x5xf32>
    %cst_50 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %186 = stablehlo.multiply %185, %174 : tensor<5x6xf32>
    %cst_51 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<5x4xf32>
    %188 = stablehlo.multiply %187, %180 : tensor<5x4xf32>
    %189 = stablehlo.add %arg0, %182 : tensor<2x5xf32>
    %190 = stablehlo.add %arg1, %184 : tensor<6x5xf32>
    %191 = stablehlo.add %arg2, %186 : tensor<5x6xf32>
    %192 = stablehlo.add %arg3, %188 : tensor<5x4xf32>
    return %41, %189, %190, %191, %192, %132, %90, %95, %100, %105, %111, %117, %123, %129 : tensor<f32>, tensor<2x5xf32>, tensor<6x5xf32>, tensor<5x6xf32>, tensor<5x4xf32>, tensor<i32>, tensor<2x5xf32>, tensor<6x5xf32>, tensor<5x6xf32>, tensor<5x4xf32>, tensor<2x5xf32>, tensor<6x5xf32>, tensor<5x6xf32>, tensor<5x4xf32>
  }
  func.func private @log_sigmoid(%arg0: tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<3x6xf32>
    %1:3 = call @softplus(%0) : (tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>)
    %2 = stablehlo.negate %1#0 : tensor<3x6xf32>
    return %2, %1#1, %1#2 : tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>
  }
  func.func private @softplus(%arg0: tensor<3x6xf32>) -> (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<3x6xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<3x6xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<3x6xf32>
    %7 = stablehlo.abs %3 : tensor<3x6xf32>
    %8 = stablehlo.negate %7 : tensor<3x6xf32>
    %9 = stablehlo.exponential %8 : tensor<3x6xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<3x6xf32>
    %11 = stablehlo.add %1, %10 : tensor<3x6xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<3x6xi1>, tensor<3x6xf32>
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %14 = stablehlo.compare EQ, %arg0, %13, FLOAT : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %16 = stablehlo.select %14, %15, %arg0 : tensor<3x6xi1>, tensor<3x6xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %18 = stablehlo.compare EQ, %12, %17, FLOAT : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %20 = stablehlo.select %18, %19, %12 : tensor<3x6xi1>, tensor<3x6xf32>
    %21 = stablehlo.subtract %16, %20 : tensor<3x6xf32>
    %22 = stablehlo.exponential %21 : tensor<3x6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_5 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %23 = stablehlo.compare EQ, %cst_4, %cst_5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.select %23, %cst_7, %cst_6 : tensor<i1>, tensor<f32>
    %cst_8 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %26 = stablehlo.compare EQ, %12, %25, FLOAT : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xi1>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %28 = stablehlo.select %26, %27, %12 : tensor<3x6xi1>, tensor<3x6xf32>
    %29 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %30 = stablehlo.subtract %29, %28 : tensor<3x6xf32>
    %31 = stablehlo.exponential %30 : tensor<3x6xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
    %33 = stablehlo.multiply %32, %31 : tensor<3x6xf32>
    return %12, %22, %33 : tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>
  }
  func.func private @log_sigmoid_0(%arg0: tensor<3x6xf32>, %arg1: tensor<3x6xf32>, %arg2: tensor<3x6xf32>) -> tensor<3x6xf32> {
    %0 = stablehlo.negate %arg2 : tensor<3x6xf32>
    %1 = call @softplus_1(%arg0, %arg1, %0) : (tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
    %2 = stablehlo.negate %1 : tensor<3x6xf32>
    return %2 : tensor<3x6xf32>
  }
  func.func private @softplus_1(%arg0: tensor<3x6xf32>, %arg1: tensor<3x6xf32>, %arg2: tensor<3x6xf32>) -> tensor<3x6xf32> {
    %0 = stablehlo.multiply %arg2, %arg0 : tensor<3x6xf32>
    return %0 : tensor<3x6xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
