module @jit_optax_muon attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<6xf32>, %arg5: tensor<6xf32>, %arg6: tensor<i32>, %arg7: tensor<4x6xf32>, %arg8: tensor<6x2xf32>, %arg9: tensor<3xf32>, %arg10: tensor<5x4xf32>, %arg11: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2].inner_states['adam'].inner_state[0].count"}, tensor<6xf32> {jax.result_info = "result[2].inner_states['adam'].inner_state[0].mu['b']"}, tensor<6xf32> {jax.result_info = "result[2].inner_states['adam'].inner_state[0].nu['b']"}, tensor<i32> {jax.result_info = "result[2].inner_states['muon'].inner_state[0].count"}, tensor<4x6xf32> {jax.result_info = "result[2].inner_states['muon'].inner_state[0].mu['a']"}, tensor<6x2xf32> {jax.result_info = "result[2].inner_states['muon'].inner_state[0].mu['c']"}, tensor<3xf32> {jax.result_info = "result[2].inner_states['muon'].inner_state[0].ns_coeffs"}) {
    %0 = stablehlo.dot_general %arg10, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg11 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg10, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %cst_7 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %29 = stablehlo.multiply %28, %27 : tensor<4x6xf32>
    %cst_8 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %31 = stablehlo.multiply %30, %arg7 : tensor<4x6xf32>
    %32 = stablehlo.add %29, %31 : tensor<4x6xf32>
    %cst_9 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %34 = stablehlo.multiply %33, %18 : tensor<6x2xf32>
    %cst_10 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %36 = stablehlo.multiply %35, %arg8 : tensor<6x2xf32>
    %37 = stablehlo.add %34, %36 : tensor<6x2xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %38 = stablehlo.compare LT, %arg6, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %39 = stablehlo.add %arg6, %c_11 : tensor<i32>
    %c_12 = stablehlo.constant dense<2147483647> : tensor<i32>
    %40 = call @_where(%38, %39, %c_12) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_13 = stablehlo.constant dense<2147483647> : tensor<i32>
    %41 = stablehlo.compare LT, %40, %c_13, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %42 = stablehlo.add %40, %c_14 : tensor<i32>
    %c_15 = stablehlo.constant dense<2147483647> : tensor<i32>
    %43 = call @_where(%41, %42, %c_15) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %44 = stablehlo.convert %43 : (tensor<i32>) -> tensor<f32>
    %cst_16 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %45 = stablehlo.convert %43 : (tensor<i32>) -> tensor<f32>
    %46 = stablehlo.power %cst_16, %45 : tensor<f32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.subtract %cst_17, %46 : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %49 = stablehlo.divide %32, %48 : tensor<4x6xf32>
    %50 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %51 = stablehlo.divide %37, %50 : tensor<6x2xf32>
    %52 = stablehlo.convert %40 : (tensor<i32>) -> tensor<f32>
    %cst_18 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %53 = stablehlo.convert %40 : (tensor<i32>) -> tensor<f32>
    %54 = stablehlo.power %cst_18, %53 : tensor<f32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %55 = stablehlo.subtract %cst_19, %54 : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %57 = stablehlo.divide %27, %56 : tensor<4x6xf32>
    %58 = stablehlo.broadcast_in_dim %55, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %59 = stablehlo.divide %18, %58 : tensor<6x2xf32>
    %cst_20 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %61 = stablehlo.multiply %60, %49 : tensor<4x6xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %63 = stablehlo.multiply %62, %57 : tensor<4x6xf32>
    %64 = stablehlo.add %61, %63 : tensor<4x6xf32>
    %cst_22 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %66 = stablehlo.multiply %65, %51 : tensor<6x2xf32>
    %cst_23 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %68 = stablehlo.multiply %67, %59 : tensor<6x2xf32>
    %69 = stablehlo.add %66, %68 : tensor<6x2xf32>
    %70 = stablehlo.reshape %64 : (tensor<4x6xf32>) -> tensor<1x4x6xf32>
    %71 = call @norm(%70) : (tensor<1x4x6xf32>) -> tensor<1xf32>
    %cst_24 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %73 = stablehlo.add %71, %72 : tensor<1xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0] : (tensor<1xf32>) -> tensor<1x1x1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x4x6xf32>
    %76 = stablehlo.divide %70, %75 : tensor<1x4x6xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %77:2 = call @closed_call(%arg9, %c_25, %76) : (tensor<3xf32>, tensor<i32>, tensor<1x4x6xf32>) -> (tensor<i32>, tensor<1x4x6xf32>)
    %78:2 = call @closed_call(%arg9, %77#0, %77#1) : (tensor<3xf32>, tensor<i32>, tensor<1x4x6xf32>) -> (tensor<i32>, tensor<1x4x6xf32>)
    %79:2 = call @closed_call(%arg9, %78#0, %78#1) : (tensor<3xf32>, tensor<i32>, tensor<1x4x6xf32>) -> (tensor<i32>, tensor<1x4x6xf32>)
    %80:2 = call @closed_call(%arg9, %79#0, %79#1) : (tensor<3xf32>, tensor<i32>, tensor<1x4x6xf32>) -> (tensor<i32>, tensor<1x4x6xf32>)
    %81:2 = call @closed_call(%arg9, %80#0, %80#1) : (tensor<3xf32>, tensor<i32>, tensor<1x4x6xf32>) -> (tensor<i32>, tensor<1x4x6xf32>)
    %82 = stablehlo.reshape %81#1 : (tensor<1x4x6xf32>) -> tensor<4x6xf32>
    %83 = stablehlo.reshape %69 : (tensor<6x2xf32>) -> tensor<1x6x2xf32>
    %84 = stablehlo.transpose %83, dims = [0, 2, 1] : (tensor<1x6x2xf32>) -> tensor<1x2x6xf32>
    %85 = call @norm_0(%84) : (tensor<1x2x6xf32>) -> tensor<1xf32>
    %cst_26 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %87 = stablehlo.add %85, %86 : tensor<1xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0] : (tensor<1xf32>) -> tensor<1x1x1xf32>
    %89 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x2x6xf32>
    %90 = stablehlo.divide %84, %89 : tensor<1x2x6xf32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %91:2 = call @closed_call_1(%arg9, %c_27, %90) : (tensor<3xf32>, tensor<i32>, tensor<1x2x6xf32>) -> (tensor<i32>, tensor<1x2x6xf32>)
    %92:2 = call @closed_call_1(%arg9, %91#0, %91#1) : (tensor<3xf32>, tensor<i32>, tensor<1x2x6xf32>) -> (tensor<i32>, tensor<1x2x6xf32>)
    %93:2 = call @closed_call_1(%arg9, %92#0, %92#1) : (tensor<3xf32>, tensor<i32>, tensor<1x2x6xf32>) -> (tensor<i32>, tensor<1x2x6xf32>)
    %94:2 = call @closed_call_1(%arg9, %93#0, %93#1) : (tensor<3xf32>, tensor<i32>, tensor<1x2x6xf32>) -> (tensor<i32>, tensor<1x2x6xf32>)
    %95:2 = call @closed_call_1(%arg9, %94#0, %94#1) : (tensor<3xf32>, tensor<i32>, tensor<1x2x6xf32>) -> (tensor<i32>, tensor<1x2x6xf32>)
    %96 = stablehlo.transpose %95#1, dims = [0, 2, 1] : (tensor<1x2x6xf32>) -> tensor<1x6x2xf32>
    %97 = stablehlo.reshape %96 : (tensor<1x6x2xf32>) -> tensor<6x2xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_29 = stablehlo.constant dense<1.500000e+00> : tensor<f32>
    %98 = stablehlo.maximum %cst_28, %cst_29 : tensor<f32>
    %99 = stablehlo.sqrt %98 : tensor<f32>
    %100 = stablehlo.convert %99 : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %102 = stablehlo.multiply %101, %82 : tensor<4x6xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_31 = stablehlo.constant dense<0.333333343> : tensor<f32>
    %103 = stablehlo.maximum %cst_30, %cst_31 : tensor<f32>
    %104 = stablehlo.sqrt %103 : tensor<f32>
    %105 = stablehlo.convert %104 : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %107 = stablehlo.multiply %106, %97 : tensor<6x2xf32>
    %cst_32 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %109 = stablehlo.multiply %108, %102 : tensor<4x6xf32>
    %cst_33 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %111 = stablehlo.multiply %110, %107 : tensor<6x2xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %113 = stablehlo.multiply %112, %25 : tensor<6xf32>
    %cst_35 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %115 = stablehlo.multiply %114, %arg4 : tensor<6xf32>
    %116 = stablehlo.add %113, %115 : tensor<6xf32>
    %117 = stablehlo.multiply %25, %25 : tensor<6xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %119 = stablehlo.multiply %118, %117 : tensor<6xf32>
    %cst_37 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %121 = stablehlo.multiply %120, %arg5 : tensor<6xf32>
    %122 = stablehlo.add %119, %121 : tensor<6xf32>
    %c_38 = stablehlo.constant dense<2147483647> : tensor<i32>
    %123 = stablehlo.compare LT, %arg3, %c_38, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_39 = stablehlo.constant dense<1> : tensor<i32>
    %124 = stablehlo.add %arg3, %c_39 : tensor<i32>
    %c_40 = stablehlo.constant dense<2147483647> : tensor<i32>
    %125 = call @_where(%123, %124, %c_40) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %c_41 = stablehlo.constant dense<2147483647> : tensor<i32>
    %126 = stablehlo.compare LT, %125, %c_41, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_42 = stablehlo.constant dense<1> : tensor<i32>
    %127 = stablehlo.add %125, %c_42 : tensor<i32>
    %c_43 = stablehlo.constant dense<2147483647> : tensor<i32>
    %128 = call @_where(%126, %127, %c_43) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %129 = stablehlo.convert %128 : (tensor<i32>) -> tensor<f32>
    %cst_44 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %130 = stablehlo.convert %128 : (tensor<i32>) -> tensor<f32>
    %131 = stablehlo.power %cst_44, %130 : tensor<f32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.subtract %cst_45, %131 : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %134 = stablehlo.divide %116, %133 : tensor<6xf32>
    %135 = stablehlo.convert %125 : (tensor<i32>) -> tensor<f32>
    %cst_46 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %136 = stablehlo.convert %125 : (tensor<i32>) -> tensor<f32>
    %137 = stablehlo.power %cst_46, %136 : tensor<f32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %138 = stablehlo.subtract %cst_47, %137 : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %138, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %140 = stablehlo.divide %25, %139 : tensor<6xf32>
    %cst_48 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %142 = stablehlo.multiply %141, %134 : tensor<6xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %144 = stablehlo.multiply %143, %140 : tensor<6xf32>
    %145 = stablehlo.add %142, %144 : tensor<6xf32>
    %146 = stablehlo.convert %125 : (tensor<i32>) -> tensor<f32>
    %cst_50 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %147 = stablehlo.convert %125 : (tensor<i32>) -> tensor<f32>
    %148 = stablehlo.power %cst_50, %147 : tensor<f32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %149 = stablehlo.subtract %cst_51, %148 : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %149, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %151 = stablehlo.divide %122, %150 : tensor<6xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %153 = stablehlo.add %151, %152 : tensor<6xf32>
    %154 = stablehlo.sqrt %153 : tensor<6xf32>
    %cst_53 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %156 = stablehlo.add %154, %155 : tensor<6xf32>
    %157 = stablehlo.divide %145, %156 : tensor<6xf32>
    %cst_54 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %159 = stablehlo.multiply %158, %157 : tensor<6xf32>
    %160 = stablehlo.add %arg0, %109 : tensor<4x6xf32>
    %161 = stablehlo.add %arg1, %159 : tensor<6xf32>
    %162 = stablehlo.add %arg2, %111 : tensor<6x2xf32>
    return %13, %160, %161, %162, %125, %116, %122, %40, %32, %37, %arg9 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<6xf32>, tensor<6xf32>, tensor<i32>, tensor<4x6xf32>, tensor<6x2xf32>, tensor<3xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @norm(%arg0: tensor<1x4x6xf32>) -> tensor<1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<1x4x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x4x6xf32>, tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.sqrt %1 : tensor<1xf32>
    return %2 : tensor<1xf32>
  }
  func.func private @closed_call(%arg0: tensor<3xf32>, %arg1: tensor<i32>, %arg2: tensor<1x4x6xf32>) -> (tensor<i32>, tensor<1x4x6xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.transpose %arg2, dims = [0, 2, 1] : (tensor<1x4x6xf32>) -> tensor<1x6x4xf32>
    %2 = stablehlo.dot_general %arg2, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x6xf32>, tensor<1x6x4xf32>) -> tensor<1x4x4xf32>
    %3 = stablehlo.slice %arg0 [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<1x4x4xf32>
    %6 = stablehlo.multiply %5, %2 : tensor<1x4x4xf32>
    %7 = stablehlo.slice %arg0 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %8 = stablehlo.reshape %7 : (tensor<1xf32>) -> tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<1x4x4xf32>
    %10 = stablehlo.multiply %9, %2 : tensor<1x4x4xf32>
    %11 = stablehlo.dot_general %10, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x4xf32>, tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
    %12 = stablehlo.add %6, %11 : tensor<1x4x4xf32>
    %13 = stablehlo.slice %arg0 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<1x4x6xf32>
    %16 = stablehlo.multiply %15, %arg2 : tensor<1x4x6xf32>
    %17 = stablehlo.dot_general %12, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x4xf32>, tensor<1x4x6xf32>) -> tensor<1x4x6xf32>
    %18 = stablehlo.add %16, %17 : tensor<1x4x6xf32>
    return %0, %18 : tensor<i32>, tensor<1x4x6xf32>
  }
  func.func private @norm_0(%arg0: tensor<1x2x6xf32>) -> tensor<1xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<1x2x6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x2x6xf32>, tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.sqrt %1 : tensor<1xf32>
    return %2 : tensor<1xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<3xf32>, %arg1: tensor<i32>, %arg2: tensor<1x2x6xf32>) -> (tensor<i32>, tensor<1x2x6xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %1 = stablehlo.transpose %arg2, dims = [0, 2, 1] : (tensor<1x2x6xf32>) -> tensor<1x6x2xf32>
    %2 = stablehlo.dot_general %arg2, %1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x6xf32>, tensor<1x6x2xf32>) -> tensor<1x2x2xf32>
    %3 = stablehlo.slice %arg0 [1:2] : (tensor<3xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<1x2x2xf32>
    %6 = stablehlo.multiply %5, %2 : tensor<1x2x2xf32>
    %7 = stablehlo.slice %arg0 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %8 = stablehlo.reshape %7 : (tensor<1xf32>) -> tensor<f32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<f32>) -> tensor<1x2x2xf32>
    %10 = stablehlo.multiply %9, %2 : tensor<1x2x2xf32>
    %11 = stablehlo.dot_general %10, %2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>
    %12 = stablehlo.add %6, %11 : tensor<1x2x2xf32>
    %13 = stablehlo.slice %arg0 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %14 = stablehlo.reshape %13 : (tensor<1xf32>) -> tensor<f32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<f32>) -> tensor<1x2x6xf32>
    %16 = stablehlo.multiply %15, %arg2 : tensor<1x2x6xf32>
    %17 = stablehlo.dot_general %12, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x2xf32>, tensor<1x2x6xf32>) -> tensor<1x2x6xf32>
    %18 = stablehlo.add %16, %17 : tensor<1x2x6xf32>
    return %0, %18 : tensor<i32>, tensor<1x2x6xf32>
  }
}
