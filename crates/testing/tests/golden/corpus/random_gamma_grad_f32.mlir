module @jit_random_gamma_grad_f32 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %2 = stablehlo.or %0, %1 : tensor<8xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %4 = stablehlo.compare EQ, %arg1, %3, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %6 = stablehlo.compare LT, %arg1, %5, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %8 = stablehlo.compare LE, %arg0, %7, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %9 = stablehlo.or %6, %8 : tensor<8xi1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.compare GT, %arg1, %10, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %12 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %13 = stablehlo.and %11, %12 : tensor<8xi1>
    %14 = stablehlo.log %arg1 : tensor<8xf32>
    %15 = stablehlo.multiply %arg0, %14 : tensor<8xf32>
    %16 = stablehlo.subtract %15, %arg1 : tensor<8xf32>
    %17 = chlo.lgamma %arg0 : tensor<8xf32> -> tensor<8xf32>
    %18 = stablehlo.subtract %16, %17 : tensor<8xf32>
    %cst_3 = stablehlo.constant dense<3.40282347E+38> : tensor<f32>
    %19 = stablehlo.log %cst_3 : tensor<f32>
    %20 = stablehlo.negate %19 : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.compare LT, %18, %21, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %23 = stablehlo.exponential %18 : tensor<8xf32>
    %24 = stablehlo.or %4, %9 : tensor<8xi1>
    %25 = stablehlo.or %24, %22 : tensor<8xi1>
    %26 = stablehlo.or %25, %2 : tensor<8xi1>
    %27 = stablehlo.not %26 : tensor<8xi1>
    %28 = stablehlo.and %27, %13 : tensor<8xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %30 = stablehlo.subtract %29, %arg0 : tensor<8xf32>
    %31 = stablehlo.add %arg1, %30 : tensor<8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %33 = stablehlo.add %31, %32 : tensor<8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %36 = stablehlo.add %arg1, %35 : tensor<8xf32>
    %37 = stablehlo.multiply %33, %arg1 : tensor<8xf32>
    %38 = stablehlo.divide %36, %37 : tensor<8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43 = stablehlo.negate %arg1 : tensor<8xf32>
    %44 = stablehlo.multiply %38, %43 : tensor<8xf32>
    %45 = stablehlo.subtract %42, %44 : tensor<8xf32>
    %46 = stablehlo.divide %45, %37 : tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47:15 = stablehlo.while(%iterArg = %28, %iterArg_20 = %38, %iterArg_21 = %39, %iterArg_22 = %30, %iterArg_23 = %33, %iterArg_24 = %cst_12, %iterArg_25 = %36, %iterArg_26 = %37, %iterArg_27 = %34, %iterArg_28 = %arg1, %iterArg_29 = %40, %iterArg_30 = %41, %iterArg_31 = %42, %iterArg_32 = %43, %iterArg_33 = %46) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %cst_34 = stablehlo.constant dense<2.000000e+03> : tensor<f32>
      %79 = stablehlo.compare LT, %iterArg_24, %cst_34, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %80 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      %81 = stablehlo.and %79, %80 : tensor<i1>
      stablehlo.return %81 : tensor<i1>
    } do {
      %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %79 = stablehlo.add %iterArg_24, %cst_34 : tensor<f32>
      %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %80 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %81 = stablehlo.add %iterArg_22, %80 : tensor<8xf32>
      %cst_36 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %82 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %83 = stablehlo.add %iterArg_23, %82 : tensor<8xf32>
      %84 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %85 = stablehlo.multiply %81, %84 : tensor<8xf32>
      %86 = stablehlo.multiply %iterArg_25, %83 : tensor<8xf32>
      %87 = stablehlo.multiply %iterArg_27, %85 : tensor<8xf32>
      %88 = stablehlo.subtract %86, %87 : tensor<8xf32>
      %89 = stablehlo.multiply %iterArg_26, %83 : tensor<8xf32>
      %90 = stablehlo.multiply %iterArg_28, %85 : tensor<8xf32>
      %91 = stablehlo.subtract %89, %90 : tensor<8xf32>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %92 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %93 = stablehlo.compare NE, %91, %92, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %94 = stablehlo.divide %88, %91 : tensor<8xf32>
      %95 = stablehlo.subtract %iterArg_20, %94 : tensor<8xf32>
      %96 = stablehlo.divide %95, %94 : tensor<8xf32>
      %97 = stablehlo.abs %96 : tensor<8xf32>
      %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %98 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %99 = stablehlo.select %93, %97, %98 : tensor<8xi1>, tensor<8xf32>
      %100 = stablehlo.select %93, %94, %iterArg_20 : tensor<8xi1>, tensor<8xf32>
      %101 = stablehlo.multiply %iterArg_31, %83 : tensor<8xf32>
      %102 = stablehlo.subtract %101, %iterArg_25 : tensor<8xf32>
      %103 = stablehlo.multiply %iterArg_29, %85 : tensor<8xf32>
      %104 = stablehlo.subtract %102, %103 : tensor<8xf32>
      %105 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %106 = stablehlo.multiply %iterArg_27, %105 : tensor<8xf32>
      %107 = stablehlo.add %104, %106 : tensor<8xf32>
      %108 = stablehlo.multiply %iterArg_32, %83 : tensor<8xf32>
      %109 = stablehlo.subtract %108, %iterArg_26 : tensor<8xf32>
      %110 = stablehlo.multiply %iterArg_30, %85 : tensor<8xf32>
      %111 = stablehlo.subtract %109, %110 : tensor<8xf32>
      %112 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %113 = stablehlo.multiply %iterArg_28, %112 : tensor<8xf32>
      %114 = stablehlo.add %111, %113 : tensor<8xf32>
      %115 = stablehlo.multiply %100, %114 : tensor<8xf32>
      %116 = stablehlo.subtract %107, %115 : tensor<8xf32>
      %117 = stablehlo.divide %116, %91 : tensor<8xf32>
      %118 = stablehlo.select %93, %117, %iterArg_33 : tensor<8xi1>, tensor<8xf32>
      %119 = stablehlo.subtract %118, %iterArg_33 : tensor<8xf32>
      %120 = stablehlo.abs %119 : tensor<8xf32>
      %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %121 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %122 = stablehlo.select %93, %120, %121 : tensor<8xi1>, tensor<8xf32>
      %123 = stablehlo.abs %88 : tensor<8xf32>
      %cst_40 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %124 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<f32>
      %125 = stablehlo.divide %124, %cst_40 : tensor<f32>
      %126 = stablehlo.broadcast_in_dim %125, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %127 = stablehlo.compare GT, %123, %126, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_42 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %128 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %129 = stablehlo.multiply %iterArg_25, %128 : tensor<8xf32>
      %130 = stablehlo.select %127, %129, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %cst_43 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %131 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %132 = stablehlo.multiply %88, %131 : tensor<8xf32>
      %133 = stablehlo.select %127, %132, %88 : tensor<8xi1>, tensor<8xf32>
      %cst_44 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %134 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %135 = stablehlo.multiply %iterArg_26, %134 : tensor<8xf32>
      %136 = stablehlo.select %127, %135, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %cst_45 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %137 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %138 = stablehlo.multiply %91, %137 : tensor<8xf32>
      %139 = stablehlo.select %127, %138, %91 : tensor<8xi1>, tensor<8xf32>
      %cst_46 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %140 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %141 = stablehlo.multiply %iterArg_31, %140 : tensor<8xf32>
      %142 = stablehlo.select %127, %141, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      %cst_47 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %143 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %144 = stablehlo.multiply %iterArg_32, %143 : tensor<8xf32>
      %145 = stablehlo.select %127, %144, %iterArg_32 : tensor<8xi1>, tensor<8xf32>
      %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %146 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %147 = stablehlo.multiply %107, %146 : tensor<8xf32>
      %148 = stablehlo.select %127, %147, %107 : tensor<8xi1>, tensor<8xf32>
      %cst_49 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %149 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %150 = stablehlo.multiply %114, %149 : tensor<8xf32>
      %151 = stablehlo.select %127, %150, %114 : tensor<8xi1>, tensor<8xf32>
      %cst_50 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %152 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %153 = stablehlo.compare GT, %122, %152, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %154 = stablehlo.and %iterArg, %153 : tensor<8xi1>
      %155 = stablehlo.select %iterArg, %100, %iterArg_20 : tensor<8xi1>, tensor<8xf32>
      %156 = stablehlo.select %iterArg, %99, %iterArg_21 : tensor<8xi1>, tensor<8xf32>
      %157 = stablehlo.select %iterArg, %81, %iterArg_22 : tensor<8xi1>, tensor<8xf32>
      %158 = stablehlo.select %iterArg, %83, %iterArg_23 : tensor<8xi1>, tensor<8xf32>
      %159 = stablehlo.select %iterArg, %133, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      %160 = stablehlo.select %iterArg, %139, %iterArg_26 : tensor<8xi1>, tensor<8xf32>
      %161 = stablehlo.select %iterArg, %130, %iterArg_27 : tensor<8xi1>, tensor<8xf32>
      %162 = stablehlo.select %iterArg, %136, %iterArg_28 : tensor<8xi1>, tensor<8xf32>
      %163 = stablehlo.select %iterArg, %142, %iterArg_29 : tensor<8xi1>, tensor<8xf32>
      %164 = stablehlo.select %iterArg, %145, %iterArg_30 : tensor<8xi1>, tensor<8xf32>
      %165 = stablehlo.select %iterArg, %148, %iterArg_31 : tensor<8xi1>, tensor<8xf32>
      %166 = stablehlo.select %iterArg, %151, %iterArg_32 : tensor<8xi1>, tensor<8xf32>
      %167 = stablehlo.select %iterArg, %118, %iterArg_33 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %154, %155, %156, %157, %158, %79, %159, %160, %161, %162, %163, %164, %165, %166, %167 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %48 = stablehlo.log %arg1 : tensor<8xf32>
    %49 = chlo.digamma %arg0 : tensor<8xf32> -> tensor<8xf32>
    %50 = stablehlo.subtract %48, %49 : tensor<8xf32>
    %51 = stablehlo.multiply %47#1, %50 : tensor<8xf32>
    %52 = stablehlo.add %47#14, %51 : tensor<8xf32>
    %53 = stablehlo.multiply %52, %arg1 : tensor<8xf32>
    %54 = stablehlo.negate %53 : tensor<8xf32>
    %55 = stablehlo.negate %54 : tensor<8xf32>
    %56 = stablehlo.not %13 : tensor<8xi1>
    %57 = stablehlo.and %27, %56 : tensor<8xi1>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %62:7 = stablehlo.while(%iterArg = %57, %iterArg_20 = %arg0, %iterArg_21 = %58, %iterArg_22 = %59, %iterArg_23 = %arg1, %iterArg_24 = %60, %iterArg_25 = %61) : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %79 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %79 : tensor<i1>
    } do {
      %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %79 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %80 = stablehlo.add %iterArg_20, %79 : tensor<8xf32>
      %81 = stablehlo.divide %iterArg_23, %80 : tensor<8xf32>
      %82 = stablehlo.multiply %iterArg_24, %81 : tensor<8xf32>
      %83 = stablehlo.multiply %iterArg_21, %iterArg_23 : tensor<8xf32>
      %84 = stablehlo.multiply %80, %80 : tensor<8xf32>
      %85 = stablehlo.divide %83, %84 : tensor<8xf32>
      %86 = stablehlo.subtract %82, %85 : tensor<8xf32>
      %87 = stablehlo.add %iterArg_25, %86 : tensor<8xf32>
      %88 = stablehlo.divide %iterArg_23, %80 : tensor<8xf32>
      %89 = stablehlo.multiply %iterArg_21, %88 : tensor<8xf32>
      %90 = stablehlo.add %iterArg_22, %89 : tensor<8xf32>
      %91 = stablehlo.divide %86, %87 : tensor<8xf32>
      %92 = stablehlo.abs %91 : tensor<8xf32>
      %cst_27 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %93 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %94 = stablehlo.compare GT, %92, %93, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %95 = stablehlo.and %iterArg, %94 : tensor<8xi1>
      %96 = stablehlo.select %iterArg, %80, %iterArg_20 : tensor<8xi1>, tensor<8xf32>
      %97 = stablehlo.select %iterArg, %89, %iterArg_21 : tensor<8xi1>, tensor<8xf32>
      %98 = stablehlo.select %iterArg, %90, %iterArg_22 : tensor<8xi1>, tensor<8xf32>
      %99 = stablehlo.select %iterArg, %iterArg_23, %iterArg_23 : tensor<8xi1>, tensor<8xf32>
      %100 = stablehlo.select %iterArg, %86, %iterArg_24 : tensor<8xi1>, tensor<8xf32>
      %101 = stablehlo.select %iterArg, %87, %iterArg_25 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %95, %96, %97, %98, %99, %100, %101 : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %63 = stablehlo.log %arg1 : tensor<8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %65 = stablehlo.add %arg0, %64 : tensor<8xf32>
    %66 = chlo.digamma %65 : tensor<8xf32> -> tensor<8xf32>
    %67 = stablehlo.subtract %63, %66 : tensor<8xf32>
    %68 = stablehlo.multiply %62#3, %67 : tensor<8xf32>
    %69 = stablehlo.add %62#6, %68 : tensor<8xf32>
    %70 = stablehlo.negate %69 : tensor<8xf32>
    %71 = stablehlo.multiply %70, %arg1 : tensor<8xf32>
    %72 = stablehlo.divide %71, %arg0 : tensor<8xf32>
    %73 = stablehlo.select %13, %55, %72 : tensor<8xi1>, tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %75 = stablehlo.select %4, %74, %73 : tensor<8xi1>, tensor<8xf32>
    %76 = stablehlo.or %9, %2 : tensor<8xi1>
    %cst_19 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %78 = stablehlo.select %76, %77, %75 : tensor<8xi1>, tensor<8xf32>
    return %78 : tensor<8xf32>
  }
}
