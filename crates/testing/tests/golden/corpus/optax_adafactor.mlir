module @jit_optax_adafactor attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6x2xf32>, %arg3: tensor<i32>, %arg4: tensor<4xf32>, %arg5: tensor<1xf32>, %arg6: tensor<2xf32>, %arg7: tensor<6xf32>, %arg8: tensor<1xf32>, %arg9: tensor<6xf32>, %arg10: tensor<1xf32>, %arg11: tensor<6xf32>, %arg12: tensor<1xf32>, %arg13: tensor<5x4xf32>, %arg14: tensor<5x2xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]['a']"}, tensor<6xf32> {jax.result_info = "result[1]['b']"}, tensor<6x2xf32> {jax.result_info = "result[1]['c']"}, tensor<i32> {jax.result_info = "result[2][0].count"}, tensor<4xf32> {jax.result_info = "result[2][0].v_row['a']"}, tensor<1xf32> {jax.result_info = "result[2][0].v_row['b']"}, tensor<2xf32> {jax.result_info = "result[2][0].v_row['c']"}, tensor<6xf32> {jax.result_info = "result[2][0].v_col['a']"}, tensor<1xf32> {jax.result_info = "result[2][0].v_col['b']"}, tensor<6xf32> {jax.result_info = "result[2][0].v_col['c']"}, tensor<1xf32> {jax.result_info = "result[2][0].v['a']"}, tensor<6xf32> {jax.result_info = "result[2][0].v['b']"}, tensor<1xf32> {jax.result_info = "result[2][0].v['c']"}) {
    %0 = stablehlo.dot_general %arg13, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x4xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<5x6xf32>
    %3 = stablehlo.add %0, %2 : tensor<5x6xf32>
    %4 = stablehlo.tanh %3 : tensor<5x6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %6 = stablehlo.subtract %5, %4 : tensor<5x6xf32>
    %7 = stablehlo.dot_general %4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<6x2xf32>) -> tensor<5x2xf32>
    %8 = stablehlo.subtract %7, %arg14 : tensor<5x2xf32>
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
    %26 = stablehlo.dot_general %22, %arg13, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x6xf32>, tensor<5x4xf32>) -> tensor<6x4xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<6x4xf32>) -> tensor<4x6xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.subtract %arg3, %c : tensor<i32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %29 = stablehlo.add %28, %c_7 : tensor<i32>
    %30 = stablehlo.convert %29 : (tensor<i32>) -> tensor<f32>
    %cst_8 = stablehlo.constant dense<-8.000000e-01> : tensor<f32>
    %31 = stablehlo.power %30, %cst_8 : tensor<f32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.subtract %cst_9, %31 : tensor<f32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %36 = stablehlo.multiply %27, %27 : tensor<4x6xf32>
    %cst_13 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %38 = stablehlo.add %36, %37 : tensor<4x6xf32>
    %39 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %40 = stablehlo.multiply %39, %arg4 : tensor<4xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.subtract %cst_14, %32 : tensor<f32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%38 init: %cst_15) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
    %cst_16 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %44 = stablehlo.divide %42, %43 : tensor<4xf32>
    %45 = stablehlo.broadcast_in_dim %41, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<4xf32>
    %47 = stablehlo.add %40, %46 : tensor<4xf32>
    %48 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %49 = stablehlo.multiply %48, %arg7 : tensor<6xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.subtract %cst_17, %32 : tensor<f32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%38 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_19 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %53 = stablehlo.divide %51, %52 : tensor<6xf32>
    %54 = stablehlo.broadcast_in_dim %50, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %55 = stablehlo.multiply %54, %53 : tensor<6xf32>
    %56 = stablehlo.add %49, %55 : tensor<6xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%47 init: %cst_20) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_21 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %60 = stablehlo.divide %58, %59 : tensor<1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %62 = stablehlo.divide %47, %61 : tensor<4xf32>
    %cst_22 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %64 = stablehlo.power %62, %63 : tensor<4xf32>
    %cst_23 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %66 = stablehlo.power %56, %65 : tensor<6xf32>
    %67 = stablehlo.broadcast_in_dim %64, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
    %69 = stablehlo.multiply %27, %68 : tensor<4x6xf32>
    %70 = stablehlo.broadcast_in_dim %66, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %72 = stablehlo.multiply %69, %71 : tensor<4x6xf32>
    %c_24 = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.subtract %arg3, %c_24 : tensor<i32>
    %c_25 = stablehlo.constant dense<1> : tensor<i32>
    %74 = stablehlo.add %73, %c_25 : tensor<i32>
    %75 = stablehlo.convert %74 : (tensor<i32>) -> tensor<f32>
    %cst_26 = stablehlo.constant dense<-8.000000e-01> : tensor<f32>
    %76 = stablehlo.power %75, %cst_26 : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.subtract %cst_27, %76 : tensor<f32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %81 = stablehlo.multiply %25, %25 : tensor<6xf32>
    %cst_31 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %83 = stablehlo.add %81, %82 : tensor<6xf32>
    %84 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %85 = stablehlo.multiply %84, %arg11 : tensor<6xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %86 = stablehlo.subtract %cst_32, %77 : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %88 = stablehlo.multiply %87, %83 : tensor<6xf32>
    %89 = stablehlo.add %85, %88 : tensor<6xf32>
    %cst_33 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %91 = stablehlo.power %89, %90 : tensor<6xf32>
    %92 = stablehlo.multiply %25, %91 : tensor<6xf32>
    %c_34 = stablehlo.constant dense<0> : tensor<i32>
    %93 = stablehlo.subtract %arg3, %c_34 : tensor<i32>
    %c_35 = stablehlo.constant dense<1> : tensor<i32>
    %94 = stablehlo.add %93, %c_35 : tensor<i32>
    %95 = stablehlo.convert %94 : (tensor<i32>) -> tensor<f32>
    %cst_36 = stablehlo.constant dense<-8.000000e-01> : tensor<f32>
    %96 = stablehlo.power %95, %cst_36 : tensor<f32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.subtract %cst_37, %96 : tensor<f32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %101 = stablehlo.multiply %18, %18 : tensor<6x2xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-30> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %103 = stablehlo.add %101, %102 : tensor<6x2xf32>
    %104 = stablehlo.broadcast_in_dim %97, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %105 = stablehlo.multiply %104, %arg6 : tensor<2xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %106 = stablehlo.subtract %cst_42, %97 : tensor<f32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %107 = stablehlo.reduce(%103 init: %cst_43) applies stablehlo.add across dimensions = [0] : (tensor<6x2xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_44 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %109 = stablehlo.divide %107, %108 : tensor<2xf32>
    %110 = stablehlo.broadcast_in_dim %106, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<2xf32>
    %112 = stablehlo.add %105, %111 : tensor<2xf32>
    %113 = stablehlo.broadcast_in_dim %97, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %114 = stablehlo.multiply %113, %arg9 : tensor<6xf32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.subtract %cst_45, %97 : tensor<f32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.reduce(%103 init: %cst_46) applies stablehlo.add across dimensions = [1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_47 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %118 = stablehlo.divide %116, %117 : tensor<6xf32>
    %119 = stablehlo.broadcast_in_dim %115, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<6xf32>
    %121 = stablehlo.add %114, %120 : tensor<6xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.reduce(%112 init: %cst_48) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_49 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %125 = stablehlo.divide %123, %124 : tensor<1xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0] : (tensor<1xf32>) -> tensor<2xf32>
    %127 = stablehlo.divide %112, %126 : tensor<2xf32>
    %cst_50 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %129 = stablehlo.power %127, %128 : tensor<2xf32>
    %cst_51 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %131 = stablehlo.power %121, %130 : tensor<6xf32>
    %132 = stablehlo.broadcast_in_dim %129, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %133 = stablehlo.broadcast_in_dim %132, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<6x2xf32>
    %134 = stablehlo.multiply %18, %133 : tensor<6x2xf32>
    %135 = stablehlo.broadcast_in_dim %131, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x2xf32>
    %137 = stablehlo.multiply %134, %136 : tensor<6x2xf32>
    %c_52 = stablehlo.constant dense<2147483647> : tensor<i32>
    %138 = stablehlo.compare LT, %arg3, %c_52, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_53 = stablehlo.constant dense<1> : tensor<i32>
    %139 = stablehlo.add %arg3, %c_53 : tensor<i32>
    %c_54 = stablehlo.constant dense<2147483647> : tensor<i32>
    %140 = call @_where(%138, %139, %c_54) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %141 = stablehlo.multiply %72, %72 : tensor<4x6xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.reduce(%141 init: %cst_55) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_56 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %143 = stablehlo.divide %142, %cst_56 : tensor<f32>
    %144 = stablehlo.sqrt %143 : tensor<f32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %145 = stablehlo.divide %144, %cst_57 : tensor<f32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.maximum %cst_58, %145 : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %148 = stablehlo.divide %72, %147 : tensor<4x6xf32>
    %149 = stablehlo.multiply %92, %92 : tensor<6xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_59) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_60 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %151 = stablehlo.divide %150, %cst_60 : tensor<f32>
    %152 = stablehlo.sqrt %151 : tensor<f32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.divide %152, %cst_61 : tensor<f32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %154 = stablehlo.maximum %cst_62, %153 : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %154, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %156 = stablehlo.divide %92, %155 : tensor<6xf32>
    %157 = stablehlo.multiply %137, %137 : tensor<6x2xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_63) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_64 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %159 = stablehlo.divide %158, %cst_64 : tensor<f32>
    %160 = stablehlo.sqrt %159 : tensor<f32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %161 = stablehlo.divide %160, %cst_65 : tensor<f32>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %162 = stablehlo.maximum %cst_66, %161 : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %164 = stablehlo.divide %137, %163 : tensor<6x2xf32>
    %cst_67 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %166 = stablehlo.multiply %165, %148 : tensor<4x6xf32>
    %cst_68 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %168 = stablehlo.multiply %167, %156 : tensor<6xf32>
    %cst_69 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %170 = stablehlo.multiply %169, %164 : tensor<6x2xf32>
    %171 = stablehlo.multiply %arg0, %arg0 : tensor<4x6xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %172 = stablehlo.reduce(%171 init: %cst_70) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_71 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %173 = stablehlo.divide %172, %cst_71 : tensor<f32>
    %174 = stablehlo.sqrt %173 : tensor<f32>
    %cst_72 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %175 = stablehlo.compare LE, %174, %cst_72, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %177 = call @_where_0(%175, %176, %arg0) : (tensor<i1>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    %cst_74 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %178 = stablehlo.compare LE, %174, %cst_74, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %179 = stablehlo.multiply %177, %177 : tensor<4x6xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %180 = stablehlo.reduce(%179 init: %cst_75) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_76 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %181 = stablehlo.divide %180, %cst_76 : tensor<f32>
    %182 = stablehlo.sqrt %181 : tensor<f32>
    %cst_77 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %183 = call @_where_1(%178, %cst_77, %182) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %185 = stablehlo.multiply %166, %184 : tensor<4x6xf32>
    %186 = stablehlo.multiply %arg1, %arg1 : tensor<6xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.reduce(%186 init: %cst_78) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_79 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %188 = stablehlo.divide %187, %cst_79 : tensor<f32>
    %189 = stablehlo.sqrt %188 : tensor<f32>
    %cst_80 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %190 = stablehlo.compare LE, %189, %cst_80, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_81 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %192 = call @_where_2(%190, %191, %arg1) : (tensor<i1>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %cst_82 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %193 = stablehlo.compare LE, %189, %cst_82, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %194 = stablehlo.multiply %192, %192 : tensor<6xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %195 = stablehlo.reduce(%194 init: %cst_83) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_84 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %196 = stablehlo.divide %195, %cst_84 : tensor<f32>
    %197 = stablehlo.sqrt %196 : tensor<f32>
    %cst_85 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %198 = call @_where_1(%193, %cst_85, %197) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %200 = stablehlo.multiply %168, %199 : tensor<6xf32>
    %201 = stablehlo.multiply %arg2, %arg2 : tensor<6x2xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%201 init: %cst_86) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_87 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %203 = stablehlo.divide %202, %cst_87 : tensor<f32>
    %204 = stablehlo.sqrt %203 : tensor<f32>
    %cst_88 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %205 = stablehlo.compare LE, %204, %cst_88, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_89 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %207 = call @_where_3(%205, %206, %arg2) : (tensor<i1>, tensor<6x2xf32>, tensor<6x2xf32>) -> tensor<6x2xf32>
    %cst_90 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %208 = stablehlo.compare LE, %204, %cst_90, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %209 = stablehlo.multiply %207, %207 : tensor<6x2xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %210 = stablehlo.reduce(%209 init: %cst_91) applies stablehlo.add across dimensions = [0, 1] : (tensor<6x2xf32>, tensor<f32>) -> tensor<f32>
    %cst_92 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %211 = stablehlo.divide %210, %cst_92 : tensor<f32>
    %212 = stablehlo.sqrt %211 : tensor<f32>
    %cst_93 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %213 = call @_where_1(%208, %cst_93, %212) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %215 = stablehlo.multiply %170, %214 : tensor<6x2xf32>
    %cst_94 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %217 = stablehlo.multiply %216, %185 : tensor<4x6xf32>
    %cst_95 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %219 = stablehlo.multiply %218, %200 : tensor<6xf32>
    %cst_96 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<6x2xf32>
    %221 = stablehlo.multiply %220, %215 : tensor<6x2xf32>
    %222 = stablehlo.add %arg0, %217 : tensor<4x6xf32>
    %223 = stablehlo.add %arg1, %219 : tensor<6xf32>
    %224 = stablehlo.add %arg2, %221 : tensor<6x2xf32>
    return %13, %222, %223, %224, %140, %47, %78, %112, %56, %79, %121, %35, %89, %100 : tensor<f32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6x2xf32>, tensor<i32>, tensor<4xf32>, tensor<1xf32>, tensor<2xf32>, tensor<6xf32>, tensor<1xf32>, tensor<6xf32>, tensor<1xf32>, tensor<6xf32>, tensor<1xf32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<4x6xf32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<4x6xf32>
    return %0 : tensor<4x6xf32>
  }
  func.func private @_where_1(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<i1>, tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @_where_2(%arg0: tensor<i1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @_where_3(%arg0: tensor<i1>, %arg1: tensor<6x2xf32>, %arg2: tensor<6x2xf32>) -> tensor<6x2xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<6x2xf32>
    return %0 : tensor<6x2xf32>
  }
}
