module @jit_optax_losses attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x5xf32>, %arg1: tensor<4x5xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<f32> {jax.result_info = "result[1]"}, tensor<4xf32> {jax.result_info = "result[2]"}, tensor<4x5xf32> {jax.result_info = "result[3]"}, tensor<4x5xf32> {jax.result_info = "result[4]"}, tensor<4xf32> {jax.result_info = "result[5]"}, tensor<4xf32> {jax.result_info = "result[6]"}, tensor<4x5xf32> {jax.result_info = "result[7]"}, tensor<4x5xf32> {jax.result_info = "result[8]"}, tensor<f32> {jax.result_info = "result[9]"}) {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<4x5xf32>
    %1 = stablehlo.abs %0 : tensor<4x5xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<4x5xf32>
    %4 = stablehlo.subtract %1, %3 : tensor<4x5xf32>
    %5 = stablehlo.multiply %3, %3 : tensor<4x5xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<4x5xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %9 = stablehlo.multiply %8, %4 : tensor<4x5xf32>
    %10 = stablehlo.add %7, %9 : tensor<4x5xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %12 = stablehlo.divide %11, %cst_3 : tensor<f32>
    %13 = stablehlo.subtract %arg0, %arg1 : tensor<4x5xf32>
    %14 = stablehlo.multiply %13, %13 : tensor<4x5xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<4x5xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %18 = stablehlo.divide %17, %cst_6 : tensor<f32>
    %19 = chlo.square %arg0 : tensor<4x5xf32> -> tensor<4x5xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.reduce(%19 init: %cst_7) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %22 = chlo.square %arg1 : tensor<4x5xf32> -> tensor<4x5xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = call @clip(%21, %cst_9) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    %26 = stablehlo.sqrt %25 : tensor<4x1xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = call @clip(%24, %cst_10) : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
    %28 = stablehlo.sqrt %27 : tensor<4x1xf32>
    %29 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %30 = stablehlo.divide %arg0, %29 : tensor<4x5xf32>
    %31 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %32 = stablehlo.divide %arg1, %31 : tensor<4x5xf32>
    %33 = stablehlo.multiply %30, %32 : tensor<4x5xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_11) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %35 = stablehlo.subtract %arg0, %arg1 : tensor<4x5xf32>
    %36 = stablehlo.negate %35 : tensor<4x5xf32>
    %37 = stablehlo.maximum %35, %36 : tensor<4x5xf32>
    %38 = stablehlo.subtract %35, %36 : tensor<4x5xf32>
    %39 = stablehlo.compare NE, %38, %38, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %40 = stablehlo.add %35, %36 : tensor<4x5xf32>
    %41 = stablehlo.abs %38 : tensor<4x5xf32>
    %42 = stablehlo.negate %41 : tensor<4x5xf32>
    %43 = stablehlo.exponential %42 : tensor<4x5xf32>
    %44 = stablehlo.log_plus_one %43 : tensor<4x5xf32>
    %45 = stablehlo.add %37, %44 : tensor<4x5xf32>
    %46 = stablehlo.select %39, %40, %45 : tensor<4x5xi1>, tensor<4x5xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %47 = stablehlo.log %cst_12 : tensor<f32>
    %48 = stablehlo.convert %47 : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %50 = stablehlo.subtract %46, %49 : tensor<4x5xf32>
    %51 = stablehlo.sign %arg1 : tensor<4x5xf32>
    %52 = stablehlo.multiply %arg0, %51 : tensor<4x5xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %54 = stablehlo.subtract %53, %52 : tensor<4x5xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %56 = stablehlo.maximum %55, %54 : tensor<4x5xf32>
    %57 = call @log_softmax(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %58 = stablehlo.reduce(%arg1 init: %cst_15) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %60 = stablehlo.maximum %59, %58 : tensor<4xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %63 = stablehlo.subtract %arg1, %62 : tensor<4x5xf32>
    %64 = stablehlo.exponential %63 : tensor<4x5xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_17) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %68 = stablehlo.divide %64, %67 : tensor<4x5xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %70 = stablehlo.compare EQ, %68, %69, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %71 = stablehlo.log %68 : tensor<4x5xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %72 = call @_where(%70, %c, %71) : (tensor<4x5xi1>, tensor<i32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %73 = stablehlo.subtract %72, %57 : tensor<4x5xf32>
    %74 = stablehlo.multiply %68, %73 : tensor<4x5xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %76 = stablehlo.reduce(%arg1 init: %cst_20) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %78 = stablehlo.maximum %77, %76 : tensor<4xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %81 = stablehlo.subtract %arg1, %80 : tensor<4x5xf32>
    %82 = stablehlo.exponential %81 : tensor<4x5xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.reduce(%82 init: %cst_22) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %85 = stablehlo.broadcast_in_dim %84, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %86 = stablehlo.divide %82, %85 : tensor<4x5xf32>
    %87 = call @log_softmax_0(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %89 = stablehlo.compare NE, %86, %88, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %90 = stablehlo.multiply %86, %87 : tensor<4x5xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %92 = call @_where_1(%89, %90, %91) : (tensor<4x5xi1>, tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_25) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %94 = stablehlo.negate %93 : tensor<4xf32>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %95 = stablehlo.reduce(%arg0 init: %cst_26) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %97 = stablehlo.maximum %96, %95 : tensor<4xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %100 = stablehlo.subtract %arg0, %99 : tensor<4x5xf32>
    %101 = stablehlo.exponential %100 : tensor<4x5xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_28) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %105 = stablehlo.divide %101, %104 : tensor<4x5xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %107 = stablehlo.multiply %106, %105 : tensor<4x5xf32>
    %cst_30 = stablehlo.constant dense<2.000000e-02> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %109 = stablehlo.add %107, %108 : tensor<4x5xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %111 = stablehlo.compare GT, %arg1, %110, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %112 = stablehlo.convert %111 : (tensor<4x5xi1>) -> tensor<4x5xf32>
    %113 = call @log_sigmoid(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %114 = stablehlo.negate %arg0 : tensor<4x5xf32>
    %115 = call @log_sigmoid(%114) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %116 = stablehlo.negate %112 : tensor<4x5xf32>
    %117 = stablehlo.multiply %116, %113 : tensor<4x5xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %119 = stablehlo.subtract %118, %112 : tensor<4x5xf32>
    %120 = stablehlo.multiply %119, %115 : tensor<4x5xf32>
    %121 = stablehlo.subtract %117, %120 : tensor<4x5xf32>
    %122 = call @log_sigmoid(%arg0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %123 = stablehlo.negate %arg0 : tensor<4x5xf32>
    %124 = call @log_sigmoid(%123) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %125 = stablehlo.broadcast_in_dim %122, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %126 = stablehlo.broadcast_in_dim %124, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %127 = stablehlo.concatenate %125, %126, dim = 2 : (tensor<4x5x1xf32>, tensor<4x5x1xf32>) -> tensor<4x5x2xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %129 = stablehlo.subtract %128, %112 : tensor<4x5xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %131 = stablehlo.broadcast_in_dim %112, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %132 = stablehlo.concatenate %130, %131, dim = 2 : (tensor<4x5x1xf32>, tensor<4x5x1xf32>) -> tensor<4x5x2xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x5x2xf32>
    %134 = stablehlo.compare NE, %132, %133, FLOAT : (tensor<4x5x2xf32>, tensor<4x5x2xf32>) -> tensor<4x5x2xi1>
    %cst_35 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %135 = call @_where_2(%134, %127, %cst_35) : (tensor<4x5x2xi1>, tensor<4x5x2xf32>, tensor<f32>) -> tensor<4x5x2xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %136 = stablehlo.reduce(%135 init: %cst_36) applies stablehlo.maximum across dimensions = [2] : (tensor<4x5x2xf32>, tensor<f32>) -> tensor<4x5xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %138 = stablehlo.maximum %137, %136 : tensor<4x5xf32>
    %139 = stablehlo.is_finite %138 : (tensor<4x5xf32>) -> tensor<4x5xi1>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %141 = stablehlo.select %139, %138, %140 : tensor<4x5xi1>, tensor<4x5xf32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [0, 1] : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2] : (tensor<4x5x1xf32>) -> tensor<4x5x2xf32>
    %144 = stablehlo.subtract %135, %143 : tensor<4x5x2xf32>
    %145 = stablehlo.exponential %144 : tensor<4x5x2xf32>
    %146 = stablehlo.multiply %145, %132 : tensor<4x5x2xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %147 = stablehlo.reduce(%146 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<4x5x2xf32>, tensor<f32>) -> tensor<4x5xf32>
    %148 = stablehlo.sign %147 : tensor<4x5xf32>
    %149 = stablehlo.abs %147 : tensor<4x5xf32>
    %150 = stablehlo.log %149 : tensor<4x5xf32>
    %151 = stablehlo.add %150, %141 : tensor<4x5xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %153 = stablehlo.compare LT, %148, %152, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %cst_41 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %154 = call @_where_3(%153, %cst_41, %151) : (tensor<4x5xi1>, tensor<f32>, tensor<4x5xf32>) -> tensor<4x5xf32>
    %cst_42 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %156 = stablehlo.multiply %155, %154 : tensor<4x5xf32>
    %157 = stablehlo.exponential %156 : tensor<4x5xf32>
    %158 = stablehlo.multiply %121, %157 : tensor<4x5xf32>
    %159 = chlo.square %arg0 : tensor<4x5xf32> -> tensor<4x5xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %161 = chlo.square %160 : tensor<4x5xf32> -> tensor<4x5xf32>
    %162 = stablehlo.add %159, %161 : tensor<4x5xf32>
    %163 = chlo.square %arg1 : tensor<4x5xf32> -> tensor<4x5xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %165 = chlo.square %164 : tensor<4x5xf32> -> tensor<4x5xf32>
    %166 = stablehlo.add %163, %165 : tensor<4x5xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%162 init: %cst_45) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%166 init: %cst_46) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %169 = stablehlo.add %cst_47, %167 : tensor<f32>
    %170 = stablehlo.add %169, %168 : tensor<f32>
    %171 = stablehlo.sqrt %170 : tensor<f32>
    return %12, %18, %34, %50, %56, %75, %94, %109, %158, %171 : tensor<f32>, tensor<f32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x5xf32>, tensor<4x5xf32>, tensor<f32>
  }
  func.func private @clip(%arg0: tensor<4x1xf32>, %arg1: tensor<f32>) -> tensor<4x1xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x1xf32>
    return %2 : tensor<4x1xf32>
  }
  func.func private @log_softmax(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x5xf32>
    %6 = stablehlo.exponential %5 : tensor<4x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x5xf32>
    return %11 : tensor<4x5xf32>
  }
  func.func private @_where(%arg0: tensor<4x5xi1>, %arg1: tensor<i32>, %arg2: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<4x5xi1>, tensor<4x5xf32>
    return %2 : tensor<4x5xf32>
  }
  func.func private @log_softmax_0(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<4x5xf32>
    %6 = stablehlo.exponential %5 : tensor<4x5xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<4xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %9 = stablehlo.log %8 : tensor<4x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x5xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<4x5xf32>
    return %11 : tensor<4x5xf32>
  }
  func.func private @_where_1(%arg0: tensor<4x5xi1>, %arg1: tensor<4x5xf32>, %arg2: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x5xi1>, tensor<4x5xf32>
    return %0 : tensor<4x5xf32>
  }
  func.func private @log_sigmoid(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4x5xf32>
    %1 = call @softplus(%0) : (tensor<4x5xf32>) -> tensor<4x5xf32>
    %2 = stablehlo.negate %1 : tensor<4x5xf32>
    return %2 : tensor<4x5xf32>
  }
  func.func private @softplus(%arg0: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<4x5xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<4x5xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x5xf32>, tensor<4x5xf32>) -> tensor<4x5xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<4x5xf32>
    %7 = stablehlo.abs %3 : tensor<4x5xf32>
    %8 = stablehlo.negate %7 : tensor<4x5xf32>
    %9 = stablehlo.exponential %8 : tensor<4x5xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<4x5xf32>
    %11 = stablehlo.add %1, %10 : tensor<4x5xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<4x5xi1>, tensor<4x5xf32>
    return %12 : tensor<4x5xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x5x2xi1>, %arg1: tensor<4x5x2xf32>, %arg2: tensor<f32>) -> tensor<4x5x2xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x5x2xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<4x5x2xi1>, tensor<4x5x2xf32>
    return %2 : tensor<4x5x2xf32>
  }
  func.func private @_where_3(%arg0: tensor<4x5xi1>, %arg1: tensor<f32>, %arg2: tensor<4x5xf32>) -> tensor<4x5xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<4x5xi1>, tensor<4x5xf32>
    return %1 : tensor<4x5xf32>
  }
}
