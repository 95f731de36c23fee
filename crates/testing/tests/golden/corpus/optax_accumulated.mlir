module @jit_optax_accumulated attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<4x6xf32>, %arg7: tensor<6xf32>, %arg8: tensor<6x2xf32>, %arg9: tensor<4x6xf32>, %arg10: tensor<6xf32>, %arg11: tensor<6x2xf32>, %arg12: tensor<4x6xf32>, %arg13: tensor<6xf32>, %arg14: tensor<6x2xf32>, %arg15: tensor<5x4xf32>, %arg16: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2].mini_step"}, tensor<i32> {jax.result_info = "result[2].gradient_step"}, tensor<i32> {jax.result_info = "result[2].inner_opt_state[0].count"}, tensor<4x6xf32> {jax.result_info = "result[2].inner_opt_state[0].mu['a']"}, tensor<6xf32> {jax.result_info = "result[2].inner_opt_state[0].mu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2].inner_opt_state[0].mu['c']"}, tensor<4x6xf32> {jax.result_info = "result[2].inner_opt_state[0].nu['a']"}, tensor<6xf32> {jax.result_info = "result[2].inner_opt_state[0].nu['b']"}, tensor<6x2xf32> {jax.result_info = "result[2].inner_opt_state[0].nu['c']"}, tensor<4x6xf32> {jax.result_info = "result[2].acc_grads['a']"}, tensor<6xf32> {jax.result_info = "result[2].acc_grads['b']"}, tensor<6x2xf32> {jax.result_info = "result[2].acc_grads['c']"}) {
    %0 = stablehlo.dot_general %arg15, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg16 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg15, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %28:15 = "stablehlo.case"(%c) ({
      %32 = stablehlo.subtract %27, %arg12 : tensor<4x6xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %33 = stablehlo.add %arg3, %c_7 : tensor<i32>
      %34 = stablehlo.convert %33 : (tensor<i32>) -> tensor<f32>
      %35 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %36 = stablehlo.divide %32, %35 : tensor<4x6xf32>
      %37 = stablehlo.add %arg12, %36 : tensor<4x6xf32>
      %38 = stablehlo.subtract %25, %arg13 : tensor<6xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %39 = stablehlo.add %arg3, %c_8 : tensor<i32>
      %40 = stablehlo.convert %39 : (tensor<i32>) -> tensor<f32>
      %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %42 = stablehlo.divide %38, %41 : tensor<6xf32>
      %43 = stablehlo.add %arg13, %42 : tensor<6xf32>
      %44 = stablehlo.subtract %18, %arg14 : tensor<6x2xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %45 = stablehlo.add %arg3, %c_9 : tensor<i32>
      %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<f32>
      %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %48 = stablehlo.divide %44, %47 : tensor<6x2xf32>
      %49 = stablehlo.add %arg14, %48 : tensor<6x2xf32>
      %cst_10 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %50 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %51 = stablehlo.multiply %50, %37 : tensor<4x6xf32>
      %cst_11 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %53 = stablehlo.multiply %52, %arg6 : tensor<4x6xf32>
      %54 = stablehlo.add %51, %53 : tensor<4x6xf32>
      %cst_12 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %55 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %56 = stablehlo.multiply %55, %43 : tensor<6xf32>
      %cst_13 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %57 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %58 = stablehlo.multiply %57, %arg7 : tensor<6xf32>
      %59 = stablehlo.add %56, %58 : tensor<6xf32>
      %cst_14 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
      %60 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %61 = stablehlo.multiply %60, %49 : tensor<6x2xf32>
      %cst_15 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %62 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %63 = stablehlo.multiply %62, %arg8 : tensor<6x2xf32>
      %64 = stablehlo.add %61, %63 : tensor<6x2xf32>
      %65 = stablehlo.multiply %37, %37 : tensor<4x6xf32>
      %cst_16 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %66 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %67 = stablehlo.multiply %66, %65 : tensor<4x6xf32>
      %cst_17 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
      %68 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %69 = stablehlo.multiply %68, %arg9 : tensor<4x6xf32>
      %70 = stablehlo.add %67, %69 : tensor<4x6xf32>
      %71 = stablehlo.multiply %43, %43 : tensor<6xf32>
      %cst_18 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %72 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %73 = stablehlo.multiply %72, %71 : tensor<6xf32>
      %cst_19 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
      %74 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %75 = stablehlo.multiply %74, %arg10 : tensor<6xf32>
      %76 = stablehlo.add %73, %75 : tensor<6xf32>
      %77 = stablehlo.multiply %49, %49 : tensor<6x2xf32>
      %cst_20 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
      %78 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %79 = stablehlo.multiply %78, %77 : tensor<6x2xf32>
      %cst_21 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
      %80 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %81 = stablehlo.multiply %80, %arg11 : tensor<6x2xf32>
      %82 = stablehlo.add %79, %81 : tensor<6x2xf32>
      %c_22 = stablehlo.constant dense<2147483647> : tensor<i32>
      %83 = stablehlo.compare LT, %arg5, %c_22, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_23 = stablehlo.constant dense<1> : tensor<i32>
      %84 = stablehlo.add %arg5, %c_23 : tensor<i32>
      %c_24 = stablehlo.constant dense<2147483647> : tensor<i32>
      %85 = func.call @_where(%83, %84, %c_24) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %86 = stablehlo.convert %85 : (tensor<i32>) -> tensor<f32>
      %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
      %87 = stablehlo.convert %85 : (tensor<i32>) -> tensor<f32>
      %88 = stablehlo.power %cst_25, %87 : tensor<f32>
      %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %89 = stablehlo.subtract %cst_26, %88 : tensor<f32>
      %90 = stablehlo.broadcast_in_dim %89, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %91 = stablehlo.divide %54, %90 : tensor<4x6xf32>
      %92 = stablehlo.broadcast_in_dim %89, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %93 = stablehlo.divide %59, %92 : tensor<6xf32>
      %94 = stablehlo.broadcast_in_dim %89, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %95 = stablehlo.divide %64, %94 : tensor<6x2xf32>
      %96 = stablehlo.convert %85 : (tensor<i32>) -> tensor<f32>
      %cst_27 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
      %97 = stablehlo.convert %85 : (tensor<i32>) -> tensor<f32>
      %98 = stablehlo.power %cst_27, %97 : tensor<f32>
      %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %99 = stablehlo.subtract %cst_28, %98 : tensor<f32>
      %100 = stablehlo.broadcast_in_dim %99, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %101 = stablehlo.divide %70, %100 : tensor<4x6xf32>
      %102 = stablehlo.broadcast_in_dim %99, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %103 = stablehlo.divide %76, %102 : tensor<6xf32>
      %104 = stablehlo.broadcast_in_dim %99, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %105 = stablehlo.divide %82, %104 : tensor<6x2xf32>
      %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %106 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %107 = stablehlo.add %101, %106 : tensor<4x6xf32>
      %108 = stablehlo.sqrt %107 : tensor<4x6xf32>
      %cst_30 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
      %109 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %110 = stablehlo.add %108, %109 : tensor<4x6xf32>
      %111 = stablehlo.divide %91, %110 : tensor<4x6xf32>
      %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %112 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %113 = stablehlo.add %103, %112 : tensor<6xf32>
      %114 = stablehlo.sqrt %113 : tensor<6xf32>
      %cst_32 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
      %115 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %116 = stablehlo.add %114, %115 : tensor<6xf32>
      %117 = stablehlo.divide %93, %116 : tensor<6xf32>
      %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %118 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %119 = stablehlo.add %105, %118 : tensor<6x2xf32>
      %120 = stablehlo.sqrt %119 : tensor<6x2xf32>
      %cst_34 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
      %121 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %122 = stablehlo.add %120, %121 : tensor<6x2xf32>
      %123 = stablehlo.divide %95, %122 : tensor<6x2xf32>
      %cst_35 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
      %124 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %125 = stablehlo.multiply %124, %111 : tensor<4x6xf32>
      %cst_36 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
      %126 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %127 = stablehlo.multiply %126, %117 : tensor<6xf32>
      %cst_37 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
      %128 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %129 = stablehlo.multiply %128, %123 : tensor<6x2xf32>
      %c_38 = stablehlo.constant dense<1> : tensor<i32>
      %130 = stablehlo.compare EQ, %arg3, %c_38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_39 = stablehlo.constant dense<2147483647> : tensor<i32>
      %131 = stablehlo.compare LT, %arg3, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_40 = stablehlo.constant dense<1> : tensor<i32>
      %132 = stablehlo.add %arg3, %c_40 : tensor<i32>
      %c_41 = stablehlo.constant dense<2147483647> : tensor<i32>
      %133 = func.call @_where(%131, %132, %c_41) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_42 = stablehlo.constant dense<2> : tensor<i32>
      %134 = func.call @remainder(%133, %c_42) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %c_43 = stablehlo.constant dense<2147483647> : tensor<i32>
      %135 = stablehlo.compare LT, %arg4, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %c_44 = stablehlo.constant dense<1> : tensor<i32>
      %136 = stablehlo.add %arg4, %c_44 : tensor<i32>
      %c_45 = stablehlo.constant dense<2147483647> : tensor<i32>
      %137 = func.call @_where(%135, %136, %c_45) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %138 = stablehlo.convert %130 : (tensor<i1>) -> tensor<i32>
      %139 = stablehlo.multiply %138, %137 : tensor<i32>
      %140 = stablehlo.convert %130 : (tensor<i1>) -> tensor<i32>
      %c_46 = stablehlo.constant dense<1> : tensor<i32>
      %141 = stablehlo.subtract %c_46, %140 : tensor<i32>
      %142 = stablehlo.convert %141 : tensor<i32>
      %143 = stablehlo.multiply %142, %arg4 : tensor<i32>
      %144 = stablehlo.add %139, %143 : tensor<i32>
      %145 = func.call @_where(%130, %85, %arg5) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      %146 = func.call @_where_0(%130, %54, %arg6) : (tensor<i1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
      %147 = func.call @_where_1(%130, %59, %arg7) : (tensor<i1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      %148 = func.call @_where_2(%130, %64, %arg8) : (tensor<i1>, tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
      %149 = func.call @_where_0(%130, %70, %arg9) : (tensor<i1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
      %150 = func.call @_where_1(%130, %76, %arg10) : (tensor<i1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      %151 = func.call @_where_2(%130, %82, %arg11) : (tensor<i1>, tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
      %152 = stablehlo.convert %130 : (tensor<i1>) -> tensor<i32>
      %c_47 = stablehlo.constant dense<1> : tensor<i32>
      %153 = stablehlo.subtract %c_47, %152 : tensor<i32>
      %154 = stablehlo.convert %153 : (tensor<i32>) -> tensor<f32>
      %155 = stablehlo.broadcast_in_dim %154, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %156 = stablehlo.multiply %155, %37 : tensor<4x6xf32>
      %157 = stablehlo.convert %130 : (tensor<i1>) -> tensor<i32>
      %c_48 = stablehlo.constant dense<1> : tensor<i32>
      %158 = stablehlo.subtract %c_48, %157 : tensor<i32>
      %159 = stablehlo.convert %158 : (tensor<i32>) -> tensor<f32>
      %160 = stablehlo.broadcast_in_dim %159, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %161 = stablehlo.multiply %160, %43 : tensor<6xf32>
      %162 = stablehlo.convert %130 : (tensor<i1>) -> tensor<i32>
      %c_49 = stablehlo.constant dense<1> : tensor<i32>
      %163 = stablehlo.subtract %c_49, %162 : tensor<i32>
      %164 = stablehlo.convert %163 : (tensor<i32>) -> tensor<f32>
      %165 = stablehlo.broadcast_in_dim %164, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %166 = stablehlo.multiply %165, %49 : tensor<6x2xf32>
      %167 = stablehlo.convert %130 : (tensor<i1>) -> tensor<f32>
      %168 = stablehlo.broadcast_in_dim %167, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %169 = stablehlo.multiply %168, %125 : tensor<4x6xf32>
      %170 = stablehlo.convert %130 : (tensor<i1>) -> tensor<f32>
      %171 = stablehlo.broadcast_in_dim %170, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %172 = stablehlo.multiply %171, %127 : tensor<6xf32>
      %173 = stablehlo.convert %130 : (tensor<i1>) -> tensor<f32>
      %174 = stablehlo.broadcast_in_dim %173, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      %175 = stablehlo.multiply %174, %129 : tensor<6x2xf32>
      stablehlo.return %169, %172, %175, %134, %144, %145, %146, %147, %148, %149, %150, %151, %156, %161, %166 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
    }, {
      %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %33 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<6xf32>
      %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
      stablehlo.return %32, %33, %34, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14 : tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
    }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>)
    %29 = stablehlo.add %arg0, %28#0 : tensor<4x6xf32>
    %30 = stablehlo.add %arg1, %28#1 : tensor<6xf32>
    %31 = stablehlo.add %arg2, %28#2 : tensor<6x2xf32>
    return %13, %29, %30, %31, %28#3, %28#4, %28#5, %28#6, %28#7, %28#8, %28#9, %28#10, %28#11, %28#12, %28#13, %28#14 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @remainder(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.remainder %arg0, %2 : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.compare NE, %3, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.compare LT, %3, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %6, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %8 = stablehlo.and %7, %4 : tensor<i1>
    %9 = stablehlo.add %3, %2 : tensor<i32>
    %10 = stablehlo.select %8, %9, %3 : tensor<i1>, tensor<i32>
    return %10 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<6x2xf32>, %arg2: tensor<6x2xf32>) -> tensor<6x2xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<6x2xf32>
    return %0 : tensor<6x2xf32>
  }
}
