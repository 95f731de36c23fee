module @jit_random_gamma_grad_f64 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf64>, %arg1: tensor<8xf64>) -> (tensor<8xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %1 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %2 = stablehlo.or %0, %1 : tensor<8xi1>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %4 = stablehlo.compare EQ, %arg1, %3, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %6 = stablehlo.compare LT, %arg1, %5, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %8 = stablehlo.compare LE, %arg0, %7, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %9 = stablehlo.or %6, %8 : tensor<8xi1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %11 = stablehlo.compare GT, %arg1, %10, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %12 = stablehlo.compare GT, %arg1, %arg0, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %13 = stablehlo.and %11, %12 : tensor<8xi1>
    %14 = stablehlo.log %arg1 : tensor<8xf64>
    %15 = stablehlo.multiply %arg0, %14 : tensor<8xf64>
    %16 = stablehlo.subtract %15, %arg1 : tensor<8xf64>
    %17 = chlo.lgamma %arg0 : tensor<8xf64> -> tensor<8xf64>
    %18 = stablehlo.subtract %16, %17 : tensor<8xf64>
    %cst_3 = stablehlo.constant dense<1.7976931348623157E+308> : tensor<f64>
    %19 = stablehlo.log %cst_3 : tensor<f64>
    %20 = stablehlo.negate %19 : tensor<f64>
    %21 = stablehlo.broadcast_in_dim %20, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %22 = stablehlo.compare LT, %18, %21, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %23 = stablehlo.exponential %18 : tensor<8xf64>
    %24 = stablehlo.or %4, %9 : tensor<8xi1>
    %25 = stablehlo.or %24, %22 : tensor<8xi1>
    %26 = stablehlo.or %25, %2 : tensor<8xi1>
    %27 = stablehlo.not %26 : tensor<8xi1>
    %28 = stablehlo.and %27, %13 : tensor<8xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %30 = stablehlo.subtract %29, %arg0 : tensor<8xf64>
    %31 = stablehlo.add %arg1, %30 : tensor<8xf64>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %33 = stablehlo.add %31, %32 : tensor<8xf64>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %34 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %36 = stablehlo.add %arg1, %35 : tensor<8xf64>
    %37 = stablehlo.multiply %33, %arg1 : tensor<8xf64>
    %38 = stablehlo.divide %36, %37 : tensor<8xf64>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %39 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %40 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %41 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %43 = stablehlo.negate %arg1 : tensor<8xf64>
    %44 = stablehlo.multiply %38, %43 : tensor<8xf64>
    %45 = stablehlo.subtract %42, %44 : tensor<8xf64>
    %46 = stablehlo.divide %45, %37 : tensor<8xf64>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %47:15 = stablehlo.while(%iterArg = %28, %iterArg_20 = %38, %iterArg_21 = %39, %iterArg_22 = %30, %iterArg_23 = %33, %iterArg_24 = %cst_12, %iterArg_25 = %36, %iterArg_26 = %37, %iterArg_27 = %34, %iterArg_28 = %arg1, %iterArg_29 = %40, %iterArg_30 = %41, %iterArg_31 = %42, %iterArg_32 = %43, %iterArg_33 = %46) : tensor<8xi1>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<f64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
    cond {
      %cst_34 = stablehlo.constant dense<2.000000e+03> : tensor<f64>
      %79 = stablehlo.compare LT, %iterArg_24, %cst_34, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %80 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      %81 = stablehlo.and %79, %80 : tensor<i1>
      stablehlo.return %81 : tensor<i1>
    } do {
      %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %79 = stablehlo.add %iterArg_24, %cst_34 : tensor<f64>
      %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %80 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %81 = stablehlo.add %iterArg_22, %80 : tensor<8xf64>
      %cst_36 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
      %82 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %83 = stablehlo.add %iterArg_23, %82 : tensor<8xf64>
      %84 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %85 = stablehlo.multiply %81, %84 : tensor<8xf64>
      %86 = stablehlo.multiply %iterArg_25, %83 : tensor<8xf64>
      %87 = stablehlo.multiply %iterArg_27, %85 : tensor<8xf64>
      %88 = stablehlo.subtract %86, %87 : tensor<8xf64>
      %89 = stablehlo.multiply %iterArg_26, %83 : tensor<8xf64>
      %90 = stablehlo.multiply %iterArg_28, %85 : tensor<8xf64>
      %91 = stablehlo.subtract %89, %90 : tensor<8xf64>
      %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
      %92 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %93 = stablehlo.compare NE, %91, %92, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
      %94 = stablehlo.divide %88, %91 : tensor<8xf64>
      %95 = stablehlo.subtract %iterArg_20, %94 : tensor<8xf64>
      %96 = stablehlo.divide %95, %94 : tensor<8xf64>
      %97 = stablehlo.abs %96 : tensor<8xf64>
      %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %98 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %99 = stablehlo.select %93, %97, %98 : tensor<8xi1>, tensor<8xf64>
      %100 = stablehlo.select %93, %94, %iterArg_20 : tensor<8xi1>, tensor<8xf64>
      %101 = stablehlo.multiply %iterArg_31, %83 : tensor<8xf64>
      %102 = stablehlo.subtract %101, %iterArg_25 : tensor<8xf64>
      %103 = stablehlo.multiply %iterArg_29, %85 : tensor<8xf64>
      %104 = stablehlo.subtract %102, %103 : tensor<8xf64>
      %105 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %106 = stablehlo.multiply %iterArg_27, %105 : tensor<8xf64>
      %107 = stablehlo.add %104, %106 : tensor<8xf64>
      %108 = stablehlo.multiply %iterArg_32, %83 : tensor<8xf64>
      %109 = stablehlo.subtract %108, %iterArg_26 : tensor<8xf64>
      %110 = stablehlo.multiply %iterArg_30, %85 : tensor<8xf64>
      %111 = stablehlo.subtract %109, %110 : tensor<8xf64>
      %112 = stablehlo.broadcast_in_dim %79, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %113 = stablehlo.multiply %iterArg_28, %112 : tensor<8xf64>
      %114 = stablehlo.add %111, %113 : tensor<8xf64>
      %115 = stablehlo.multiply %100, %114 : tensor<8xf64>
      %116 = stablehlo.subtract %107, %115 : tensor<8xf64>
      %117 = stablehlo.divide %116, %91 : tensor<8xf64>
      %118 = stablehlo.select %93, %117, %iterArg_33 : tensor<8xi1>, tensor<8xf64>
      %119 = stablehlo.subtract %118, %iterArg_33 : tensor<8xf64>
      %120 = stablehlo.abs %119 : tensor<8xf64>
      %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %121 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %122 = stablehlo.select %93, %120, %121 : tensor<8xi1>, tensor<8xf64>
      %123 = stablehlo.abs %88 : tensor<8xf64>
      %cst_40 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %124 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<f64>
      %125 = stablehlo.divide %124, %cst_40 : tensor<f64>
      %126 = stablehlo.broadcast_in_dim %125, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %127 = stablehlo.compare GT, %123, %126, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
      %cst_42 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %128 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %129 = stablehlo.multiply %iterArg_25, %128 : tensor<8xf64>
      %130 = stablehlo.select %127, %129, %iterArg_25 : tensor<8xi1>, tensor<8xf64>
      %cst_43 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %131 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %132 = stablehlo.multiply %88, %131 : tensor<8xf64>
      %133 = stablehlo.select %127, %132, %88 : tensor<8xi1>, tensor<8xf64>
      %cst_44 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %134 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %135 = stablehlo.multiply %iterArg_26, %134 : tensor<8xf64>
      %136 = stablehlo.select %127, %135, %iterArg_26 : tensor<8xi1>, tensor<8xf64>
      %cst_45 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %137 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %138 = stablehlo.multiply %91, %137 : tensor<8xf64>
      %139 = stablehlo.select %127, %138, %91 : tensor<8xi1>, tensor<8xf64>
      %cst_46 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %140 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %141 = stablehlo.multiply %iterArg_31, %140 : tensor<8xf64>
      %142 = stablehlo.select %127, %141, %iterArg_31 : tensor<8xi1>, tensor<8xf64>
      %cst_47 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %143 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %144 = stablehlo.multiply %iterArg_32, %143 : tensor<8xf64>
      %145 = stablehlo.select %127, %144, %iterArg_32 : tensor<8xi1>, tensor<8xf64>
      %cst_48 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %146 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %147 = stablehlo.multiply %107, %146 : tensor<8xf64>
      %148 = stablehlo.select %127, %147, %107 : tensor<8xi1>, tensor<8xf64>
      %cst_49 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %149 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %150 = stablehlo.multiply %114, %149 : tensor<8xf64>
      %151 = stablehlo.select %127, %150, %114 : tensor<8xi1>, tensor<8xf64>
      %cst_50 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %152 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %153 = stablehlo.compare GT, %122, %152, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
      %154 = stablehlo.and %iterArg, %153 : tensor<8xi1>
      %155 = stablehlo.select %iterArg, %100, %iterArg_20 : tensor<8xi1>, tensor<8xf64>
      %156 = stablehlo.select %iterArg, %99, %iterArg_21 : tensor<8xi1>, tensor<8xf64>
      %157 = stablehlo.select %iterArg, %81, %iterArg_22 : tensor<8xi1>, tensor<8xf64>
      %158 = stablehlo.select %iterArg, %83, %iterArg_23 : tensor<8xi1>, tensor<8xf64>
      %159 = stablehlo.select %iterArg, %133, %iterArg_25 : tensor<8xi1>, tensor<8xf64>
      %160 = stablehlo.select %iterArg, %139, %iterArg_26 : tensor<8xi1>, tensor<8xf64>
      %161 = stablehlo.select %iterArg, %130, %iterArg_27 : tensor<8xi1>, tensor<8xf64>
      %162 = stablehlo.select %iterArg, %136, %iterArg_28 : tensor<8xi1>, tensor<8xf64>
      %163 = stablehlo.select %iterArg, %142, %iterArg_29 : tensor<8xi1>, tensor<8xf64>
      %164 = stablehlo.select %iterArg, %145, %iterArg_30 : tensor<8xi1>, tensor<8xf64>
      %165 = stablehlo.select %iterArg, %148, %iterArg_31 : tensor<8xi1>, tensor<8xf64>
      %166 = stablehlo.select %iterArg, %151, %iterArg_32 : tensor<8xi1>, tensor<8xf64>
      %167 = stablehlo.select %iterArg, %118, %iterArg_33 : tensor<8xi1>, tensor<8xf64>
      stablehlo.return %154, %155, %156, %157, %158, %79, %159, %160, %161, %162, %163, %164, %165, %166, %167 : tensor<8xi1>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<f64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
    }
    %48 = stablehlo.log %arg1 : tensor<8xf64>
    %49 = chlo.digamma %arg0 : tensor<8xf64> -> tensor<8xf64>
    %50 = stablehlo.subtract %48, %49 : tensor<8xf64>
    %51 = stablehlo.multiply %47#1, %50 : tensor<8xf64>
    %52 = stablehlo.add %47#14, %51 : tensor<8xf64>
    %53 = stablehlo.multiply %52, %arg1 : tensor<8xf64>
    %54 = stablehlo.negate %53 : tensor<8xf64>
    %55 = stablehlo.negate %54 : tensor<8xf64>
    %56 = stablehlo.not %13 : tensor<8xi1>
    %57 = stablehlo.and %27, %56 : tensor<8xi1>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %59 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %60 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %61 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %62:7 = stablehlo.while(%iterArg = %57, %iterArg_20 = %arg0, %iterArg_21 = %58, %iterArg_22 = %59, %iterArg_23 = %arg1, %iterArg_24 = %60, %iterArg_25 = %61) : tensor<8xi1>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      %79 = stablehlo.reduce(%iterArg init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %79 : tensor<i1>
    } do {
      %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
      %79 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %80 = stablehlo.add %iterArg_20, %79 : tensor<8xf64>
      %81 = stablehlo.divide %iterArg_23, %80 : tensor<8xf64>
      %82 = stablehlo.multiply %iterArg_24, %81 : tensor<8xf64>
      %83 = stablehlo.multiply %iterArg_21, %iterArg_23 : tensor<8xf64>
      %84 = stablehlo.multiply %80, %80 : tensor<8xf64>
      %85 = stablehlo.divide %83, %84 : tensor<8xf64>
      %86 = stablehlo.subtract %82, %85 : tensor<8xf64>
      %87 = stablehlo.add %iterArg_25, %86 : tensor<8xf64>
      %88 = stablehlo.divide %iterArg_23, %80 : tensor<8xf64>
      %89 = stablehlo.multiply %iterArg_21, %88 : tensor<8xf64>
      %90 = stablehlo.add %iterArg_22, %89 : tensor<8xf64>
      %91 = stablehlo.divide %86, %87 : tensor<8xf64>
      %92 = stablehlo.abs %91 : tensor<8xf64>
      %cst_27 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
      %93 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<8xf64>
      %94 = stablehlo.compare GT, %92, %93, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
      %95 = stablehlo.and %iterArg, %94 : tensor<8xi1>
      %96 = stablehlo.select %iterArg, %80, %iterArg_20 : tensor<8xi1>, tensor<8xf64>
      %97 = stablehlo.select %iterArg, %89, %iterArg_21 : tensor<8xi1>, tensor<8xf64>
      %98 = stablehlo.select %iterArg, %90, %iterArg_22 : tensor<8xi1>, tensor<8xf64>
      %99 = stablehlo.select %iterArg, %iterArg_23, %iterArg_23 : tensor<8xi1>, tensor<8xf64>
      %100 = stablehlo.select %iterArg, %86, %iterArg_24 : tensor<8xi1>, tensor<8xf64>
      %101 = stablehlo.select %iterArg, %87, %iterArg_25 : tensor<8xi1>, tensor<8xf64>
      stablehlo.return %95, %96, %97, %98, %99, %100, %101 : tensor<8xi1>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
    }
    %63 = stablehlo.log %arg1 : tensor<8xf64>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %64 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %65 = stablehlo.add %arg0, %64 : tensor<8xf64>
    %66 = chlo.digamma %65 : tensor<8xf64> -> tensor<8xf64>
    %67 = stablehlo.subtract %63, %66 : tensor<8xf64>
    %68 = stablehlo.multiply %62#3, %67 : tensor<8xf64>
    %69 = stablehlo.add %62#6, %68 : tensor<8xf64>
    %70 = stablehlo.negate %69 : tensor<8xf64>
    %71 = stablehlo.multiply %70, %arg1 : tensor<8xf64>
    %72 = stablehlo.divide %71, %arg0 : tensor<8xf64>
    %73 = stablehlo.select %13, %55, %72 : tensor<8xi1>, tensor<8xf64>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %74 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %75 = stablehlo.select %4, %74, %73 : tensor<8xi1>, tensor<8xf64>
    %76 = stablehlo.or %9, %2 : tensor<8xi1>
    %cst_19 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
    %77 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %78 = stablehlo.select %76, %77, %75 : tensor<8xi1>, tensor<8xf64>
    return %78 : tensor<8xf64>
  }
}
