module @jit_scipy_f32 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result[0]"}, tensor<8xf32> {jax.result_info = "result[1]"}, tensor<8xf32> {jax.result_info = "result[2]"}, tensor<8xf32> {jax.result_info = "result[3]"}, tensor<8xf32> {jax.result_info = "result[4]"}, tensor<8xf32> {jax.result_info = "result[5]"}, tensor<8xf32> {jax.result_info = "result[6]"}, tensor<8xf32> {jax.result_info = "result[7]"}, tensor<8xf32> {jax.result_info = "result[8]"}, tensor<8xf32> {jax.result_info = "result[9]"}, tensor<8xf32> {jax.result_info = "result[10]"}) {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<8xf32>
    %1 = stablehlo.maximum %arg0, %arg1 : tensor<8xf32>
    %2 = chlo.lgamma %0 : tensor<8xf32> -> tensor<8xf32>
    %3 = chlo.lgamma %1 : tensor<8xf32> -> tensor<8xf32>
    %4 = stablehlo.add %0, %1 : tensor<8xf32>
    %5 = chlo.lgamma %4 : tensor<8xf32> -> tensor<8xf32>
    %6 = stablehlo.subtract %3, %5 : tensor<8xf32>
    %7 = stablehlo.add %2, %6 : tensor<8xf32>
    %8 = chlo.lgamma %0 : tensor<8xf32> -> tensor<8xf32>
    %9 = stablehlo.divide %0, %1 : tensor<8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.add %10, %9 : tensor<8xf32>
    %12 = stablehlo.divide %9, %11 : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %14 = stablehlo.add %13, %9 : tensor<8xf32>
    %15 = stablehlo.divide %9, %14 : tensor<8xf32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %17 = stablehlo.subtract %0, %16 : tensor<8xf32>
    %18 = stablehlo.add %1, %17 : tensor<8xf32>
    %19 = stablehlo.multiply %15, %15 : tensor<8xf32>
    %20 = stablehlo.add %15, %19 : tensor<8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.add %21, %20 : tensor<8xf32>
    %23 = stablehlo.multiply %19, %22 : tensor<8xf32>
    %24 = stablehlo.add %15, %23 : tensor<8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.add %25, %24 : tensor<8xf32>
    %27 = stablehlo.multiply %19, %26 : tensor<8xf32>
    %28 = stablehlo.add %15, %27 : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %30 = stablehlo.add %29, %28 : tensor<8xf32>
    %31 = stablehlo.multiply %19, %30 : tensor<8xf32>
    %32 = stablehlo.add %15, %31 : tensor<8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %34 = stablehlo.add %33, %32 : tensor<8xf32>
    %35 = stablehlo.multiply %19, %34 : tensor<8xf32>
    %36 = stablehlo.add %15, %35 : tensor<8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.add %37, %36 : tensor<8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %40 = stablehlo.divide %39, %1 : tensor<8xf32>
    %41 = stablehlo.multiply %40, %40 : tensor<8xf32>
    %cst_8 = stablehlo.constant dense<-0.00165322958> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %43 = stablehlo.multiply %42, %38 : tensor<8xf32>
    %44 = stablehlo.multiply %43, %41 : tensor<8xf32>
    %cst_9 = stablehlo.constant dense<8.373080e-04> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %46 = stablehlo.multiply %45, %34 : tensor<8xf32>
    %47 = stablehlo.add %44, %46 : tensor<8xf32>
    %48 = stablehlo.multiply %47, %41 : tensor<8xf32>
    %cst_10 = stablehlo.constant dense<-5.95202902E-4> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %50 = stablehlo.multiply %49, %30 : tensor<8xf32>
    %51 = stablehlo.add %48, %50 : tensor<8xf32>
    %52 = stablehlo.multiply %51, %41 : tensor<8xf32>
    %cst_11 = stablehlo.constant dense<7.93650688E-4> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %54 = stablehlo.multiply %53, %26 : tensor<8xf32>
    %55 = stablehlo.add %52, %54 : tensor<8xf32>
    %56 = stablehlo.multiply %55, %41 : tensor<8xf32>
    %cst_12 = stablehlo.constant dense<-0.00277777785> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %58 = stablehlo.multiply %57, %22 : tensor<8xf32>
    %59 = stablehlo.add %56, %58 : tensor<8xf32>
    %60 = stablehlo.multiply %59, %41 : tensor<8xf32>
    %cst_13 = stablehlo.constant dense<0.0833333358> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %62 = stablehlo.add %60, %61 : tensor<8xf32>
    %63 = stablehlo.divide %12, %1 : tensor<8xf32>
    %64 = stablehlo.multiply %62, %63 : tensor<8xf32>
    %65 = stablehlo.divide %0, %1 : tensor<8xf32>
    %66 = stablehlo.log_plus_one %65 : tensor<8xf32>
    %67 = stablehlo.multiply %18, %66 : tensor<8xf32>
    %68 = stablehlo.log %1 : tensor<8xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %70 = stablehlo.subtract %68, %69 : tensor<8xf32>
    %71 = stablehlo.multiply %0, %70 : tensor<8xf32>
    %72 = stablehlo.compare LE, %67, %71, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %73 = stablehlo.subtract %64, %71 : tensor<8xf32>
    %74 = stablehlo.subtract %73, %67 : tensor<8xf32>
    %75 = stablehlo.subtract %64, %67 : tensor<8xf32>
    %76 = stablehlo.subtract %75, %71 : tensor<8xf32>
    %77 = call @_where(%72, %74, %76) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %78 = stablehlo.add %8, %77 : tensor<8xf32>
    %cst_15 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %80 = stablehlo.compare LT, %1, %79, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %81 = call @_where(%80, %7, %78) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %83 = stablehlo.compare LT, %arg2, %82, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_17 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %86 = stablehlo.compare NE, %arg2, %85, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %87 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %88 = stablehlo.or %86, %87 : tensor<8xi1>
    %89 = stablehlo.log %arg2 : tensor<8xf32>
    %90 = stablehlo.multiply %arg2, %89 : tensor<8xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %92 = call @_where(%88, %90, %91) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %93 = stablehlo.negate %92 : tensor<8xf32>
    %94 = stablehlo.select %83, %84, %93 : tensor<8xi1>, tensor<8xf32>
    %95 = stablehlo.negate %arg0 : tensor<8xf32>
    %96 = stablehlo.exponential %95 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %98 = stablehlo.add %97, %96 : tensor<8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %100 = stablehlo.divide %99, %98 : tensor<8xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %102 = stablehlo.subtract %101, %arg2 : tensor<8xf32>
    %103 = stablehlo.divide %arg2, %102 : tensor<8xf32>
    %104 = stablehlo.log %103 : tensor<8xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %106 = stablehlo.compare NE, %arg0, %105, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %107 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %108 = stablehlo.or %106, %107 : tensor<8xi1>
    %109 = stablehlo.log %arg1 : tensor<8xf32>
    %110 = stablehlo.multiply %arg0, %109 : tensor<8xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %112 = call @_where(%108, %110, %111) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %114 = stablehlo.compare NE, %arg0, %113, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %115 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %116 = stablehlo.or %114, %115 : tensor<8xi1>
    %117 = stablehlo.log_plus_one %arg1 : tensor<8xf32>
    %118 = stablehlo.multiply %arg0, %117 : tensor<8xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %120 = call @_where(%116, %118, %119) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %121 = stablehlo.abs %arg1 : tensor<8xf32>
    %122 = stablehlo.exponential %121 : tensor<8xf32>
    %123 = stablehlo.abs %arg1 : tensor<8xf32>
    %cst_27 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_29 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %127 = stablehlo.multiply %124, %123 : tensor<8xf32>
    %128 = stablehlo.subtract %127, %125 : tensor<8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %132 = stablehlo.multiply %128, %129 : tensor<8xf32>
    %133 = stablehlo.subtract %132, %130 : tensor<8xf32>
    %cst_33 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %135 = stablehlo.add %133, %134 : tensor<8xf32>
    %136 = stablehlo.multiply %128, %135 : tensor<8xf32>
    %137 = stablehlo.subtract %136, %129 : tensor<8xf32>
    %cst_34 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %139 = stablehlo.add %137, %138 : tensor<8xf32>
    %140 = stablehlo.multiply %128, %139 : tensor<8xf32>
    %141 = stablehlo.subtract %140, %135 : tensor<8xf32>
    %cst_35 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %143 = stablehlo.add %141, %142 : tensor<8xf32>
    %144 = stablehlo.multiply %128, %143 : tensor<8xf32>
    %145 = stablehlo.subtract %144, %139 : tensor<8xf32>
    %cst_36 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %147 = stablehlo.add %145, %146 : tensor<8xf32>
    %148 = stablehlo.multiply %128, %147 : tensor<8xf32>
    %149 = stablehlo.subtract %148, %143 : tensor<8xf32>
    %cst_37 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %151 = stablehlo.add %149, %150 : tensor<8xf32>
    %152 = stablehlo.multiply %128, %151 : tensor<8xf32>
    %153 = stablehlo.subtract %152, %147 : tensor<8xf32>
    %cst_38 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %155 = stablehlo.add %153, %154 : tensor<8xf32>
    %156 = stablehlo.multiply %128, %155 : tensor<8xf32>
    %157 = stablehlo.subtract %156, %151 : tensor<8xf32>
    %cst_39 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
    %158 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %159 = stablehlo.add %157, %158 : tensor<8xf32>
    %160 = stablehlo.multiply %128, %159 : tensor<8xf32>
    %161 = stablehlo.subtract %160, %155 : tensor<8xf32>
    %cst_40 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %163 = stablehlo.add %161, %162 : tensor<8xf32>
    %164 = stablehlo.multiply %128, %163 : tensor<8xf32>
    %165 = stablehlo.subtract %164, %159 : tensor<8xf32>
    %cst_41 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %167 = stablehlo.add %165, %166 : tensor<8xf32>
    %168 = stablehlo.multiply %128, %167 : tensor<8xf32>
    %169 = stablehlo.subtract %168, %163 : tensor<8xf32>
    %cst_42 = stablehlo.constant dense<0.00163947558> : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %171 = stablehlo.add %169, %170 : tensor<8xf32>
    %172 = stablehlo.multiply %128, %171 : tensor<8xf32>
    %173 = stablehlo.subtract %172, %167 : tensor<8xf32>
    %cst_43 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
    %174 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %175 = stablehlo.add %173, %174 : tensor<8xf32>
    %176 = stablehlo.multiply %128, %175 : tensor<8xf32>
    %177 = stablehlo.subtract %176, %171 : tensor<8xf32>
    %cst_44 = stablehlo.constant dense<0.0105464607> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %179 = stablehlo.add %177, %178 : tensor<8xf32>
    %180 = stablehlo.multiply %128, %179 : tensor<8xf32>
    %181 = stablehlo.subtract %180, %175 : tensor<8xf32>
    %cst_45 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %183 = stablehlo.add %181, %182 : tensor<8xf32>
    %184 = stablehlo.multiply %128, %183 : tensor<8xf32>
    %185 = stablehlo.subtract %184, %179 : tensor<8xf32>
    %cst_46 = stablehlo.constant dense<0.0493052825> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %187 = stablehlo.add %185, %186 : tensor<8xf32>
    %188 = stablehlo.multiply %128, %187 : tensor<8xf32>
    %189 = stablehlo.subtract %188, %183 : tensor<8xf32>
    %cst_47 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
    %190 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %191 = stablehlo.add %189, %190 : tensor<8xf32>
    %192 = stablehlo.multiply %128, %191 : tensor<8xf32>
    %193 = stablehlo.subtract %192, %187 : tensor<8xf32>
    %cst_48 = stablehlo.constant dense<0.171620905> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %195 = stablehlo.add %193, %194 : tensor<8xf32>
    %196 = stablehlo.multiply %128, %195 : tensor<8xf32>
    %197 = stablehlo.subtract %196, %191 : tensor<8xf32>
    %cst_49 = stablehlo.constant dense<-0.304682672> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %199 = stablehlo.add %197, %198 : tensor<8xf32>
    %200 = stablehlo.multiply %128, %199 : tensor<8xf32>
    %201 = stablehlo.subtract %200, %195 : tensor<8xf32>
    %cst_50 = stablehlo.constant dense<0.676795303> : tensor<f32>
    %202 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %203 = stablehlo.add %201, %202 : tensor<8xf32>
    %204 = stablehlo.subtract %203, %195 : tensor<8xf32>
    %cst_51 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %206 = stablehlo.multiply %205, %204 : tensor<8xf32>
    %207 = stablehlo.divide %126, %123 : tensor<8xf32>
    %208 = stablehlo.subtract %207, %125 : tensor<8xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %212 = stablehlo.multiply %208, %209 : tensor<8xf32>
    %213 = stablehlo.subtract %212, %210 : tensor<8xf32>
    %cst_55 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %215 = stablehlo.add %213, %214 : tensor<8xf32>
    %216 = stablehlo.multiply %208, %215 : tensor<8xf32>
    %217 = stablehlo.subtract %216, %209 : tensor<8xf32>
    %cst_56 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %219 = stablehlo.add %217, %218 : tensor<8xf32>
    %220 = stablehlo.multiply %208, %219 : tensor<8xf32>
    %221 = stablehlo.subtract %220, %215 : tensor<8xf32>
    %cst_57 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %223 = stablehlo.add %221, %222 : tensor<8xf32>
    %224 = stablehlo.multiply %208, %223 : tensor<8xf32>
    %225 = stablehlo.subtract %224, %219 : tensor<8xf32>
    %cst_58 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %227 = stablehlo.add %225, %226 : tensor<8xf32>
    %228 = stablehlo.multiply %208, %227 : tensor<8xf32>
    %229 = stablehlo.subtract %228, %223 : tensor<8xf32>
    %cst_59 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
    %230 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %231 = stablehlo.add %229, %230 : tensor<8xf32>
    %232 = stablehlo.multiply %208, %231 : tensor<8xf32>
    %233 = stablehlo.subtract %232, %227 : tensor<8xf32>
    %cst_60 = stablehlo.constant dense<0.00336911646> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %235 = stablehlo.add %233, %234 : tensor<8xf32>
    %236 = stablehlo.multiply %208, %235 : tensor<8xf32>
    %237 = stablehlo.subtract %236, %231 : tensor<8xf32>
    %cst_61 = stablehlo.constant dense<0.804490387> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %239 = stablehlo.add %237, %238 : tensor<8xf32>
    %240 = stablehlo.subtract %239, %231 : tensor<8xf32>
    %cst_62 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %242 = stablehlo.multiply %241, %240 : tensor<8xf32>
    %243 = stablehlo.sqrt %123 : tensor<8xf32>
    %244 = stablehlo.divide %242, %243 : tensor<8xf32>
    %cst_63 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %245 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %246 = stablehlo.compare LE, %123, %245, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %247 = stablehlo.select %246, %206, %244 : tensor<8xi1>, tensor<8xf32>
    %248 = stablehlo.multiply %122, %247 : tensor<8xf32>
    %249 = stablehlo.abs %arg1 : tensor<8xf32>
    %250 = stablehlo.exponential %249 : tensor<8xf32>
    %251 = chlo.bessel_i1e %arg1 : tensor<8xf32> -> tensor<8xf32>
    %252 = stablehlo.multiply %250, %251 : tensor<8xf32>
    %253 = call @expi(%arg1) : (tensor<8xf32>) -> tensor<8xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %255 = stablehlo.compare GT, %arg0, %254, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %257 = stablehlo.compare GT, %arg1, %256, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %258 = stablehlo.and %255, %257 : tensor<8xi1>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %260 = stablehlo.compare EQ, %arg0, %259, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %262 = stablehlo.compare GE, %arg1, %261, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %263 = stablehlo.and %260, %262 : tensor<8xi1>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %264 = call @_where_18(%258, %arg0, %c) : (tensor<8xi1>, tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
    %c_68 = stablehlo.constant dense<1> : tensor<i32>
    %265 = call @_where_18(%258, %arg1, %c_68) : (tensor<8xi1>, tensor<8xf32>, tensor<i32>) -> tensor<8xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %267 = stablehlo.compare NE, %264, %266, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %268 = stablehlo.compare NE, %264, %264, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %269 = stablehlo.or %267, %268 : tensor<8xi1>
    %270 = stablehlo.log %264 : tensor<8xf32>
    %271 = stablehlo.multiply %264, %270 : tensor<8xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %273 = call @_where(%269, %271, %272) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %274 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %275 = stablehlo.compare NE, %264, %274, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %276 = stablehlo.compare NE, %265, %265, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %277 = stablehlo.or %275, %276 : tensor<8xi1>
    %278 = stablehlo.log %265 : tensor<8xf32>
    %279 = stablehlo.multiply %264, %278 : tensor<8xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %281 = call @_where(%277, %279, %280) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %282 = stablehlo.subtract %273, %281 : tensor<8xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_74 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %283 = call @_where_19(%263, %cst_73, %cst_74) : (tensor<8xi1>, tensor<f32>, tensor<f32>) -> tensor<8xf32>
    %284 = call @_where(%258, %282, %283) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %285 = stablehlo.subtract %284, %arg0 : tensor<8xf32>
    %286 = stablehlo.add %285, %arg1 : tensor<8xf32>
    %287 = stablehlo.floor %arg1 : tensor<8xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %289 = stablehlo.compare LT, %287, %288, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %291 = stablehlo.add %287, %290 : tensor<8xf32>
    %292 = chlo.lgamma %291 : tensor<8xf32> -> tensor<8xf32>
    %293 = stablehlo.exponential %292 : tensor<8xf32>
    %c_77 = stablehlo.constant dense<0> : tensor<i32>
    %294 = call @_where_20(%289, %c_77, %293) : (tensor<8xi1>, tensor<i32>, tensor<8xf32>) -> tensor<8xf32>
    return %81, %94, %100, %104, %112, %120, %248, %252, %253, %286, %294 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @expi(%arg0: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare LT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xi1>) -> tensor<1x8xi1>
    %3 = call @_piecewise(%arg0, %2) : (tensor<8xf32>, tensor<1x8xi1>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
  func.func private @_piecewise(%arg0: tensor<8xf32>, %arg1: tensor<1x8xi1>) -> tensor<8xf32> {
    %c = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1x8xi1>
    %1 = stablehlo.concatenate %0, %arg1, dim = 0 : (tensor<1x8xi1>, tensor<1x8xi1>) -> tensor<2x8xi1>
    %2 = call @cumsum(%1) : (tensor<2x8xi1>) -> tensor<2x8xi32>
    %3 = call @argmax(%2) : (tensor<2x8xi32>) -> tensor<8xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %6 = stablehlo.clamp %4, %3, %5 : tensor<8xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %8 = stablehlo.compare EQ, %6, %7, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %9 = stablehlo.select %8, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.compare GT, %9, %10, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.compare LE, %9, %12, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %14 = stablehlo.and %11, %13 : tensor<8xi1>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %16 = stablehlo.compare GT, %9, %15, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.compare LE, %9, %17, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %19 = stablehlo.and %16, %18 : tensor<8xi1>
    %cst_6 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.compare GT, %9, %20, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %23 = stablehlo.compare LE, %9, %22, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %24 = stablehlo.and %21, %23 : tensor<8xi1>
    %cst_8 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.compare GT, %9, %25, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %28 = stablehlo.compare LE, %9, %27, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %29 = stablehlo.and %26, %28 : tensor<8xi1>
    %cst_10 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %31 = stablehlo.compare GT, %9, %30, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_11 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %33 = stablehlo.compare LE, %9, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %34 = stablehlo.and %31, %33 : tensor<8xi1>
    %cst_12 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %36 = stablehlo.compare GT, %9, %35, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_13 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %38 = stablehlo.compare LE, %9, %37, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %39 = stablehlo.and %36, %38 : tensor<8xi1>
    %40 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %41 = stablehlo.broadcast_in_dim %19, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %42 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %43 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %44 = stablehlo.broadcast_in_dim %34, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %45 = stablehlo.broadcast_in_dim %39, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %46 = stablehlo.concatenate %40, %41, %42, %43, %44, %45, dim = 1 : (tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>) -> tensor<8x6xi1>
    %47 = call @_piecewise_1(%9, %46) : (tensor<8xf32>, tensor<8x6xi1>) -> tensor<8xf32>
    %c_14 = stablehlo.constant dense<1> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %49 = stablehlo.compare EQ, %6, %48, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %50 = stablehlo.select %49, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %51 = stablehlo.negate %50 : tensor<8xf32>
    %c_15 = stablehlo.constant dense<1> : tensor<i32>
    %52 = call @expn(%c_15, %51) : (tensor<i32>, tensor<8xf32>) -> tensor<8xf32>
    %53 = stablehlo.negate %52 : tensor<8xf32>
    %c_16 = stablehlo.constant dense<1> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %55 = stablehlo.compare LT, %6, %54, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %56 = stablehlo.select %55, %47, %53 : tensor<8xi1>, tensor<8xf32>
    return %56 : tensor<8xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x8xi1>) -> tensor<2x8xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<2x8xi1>) -> tensor<2x8xi32>
    %1 = call @cumsum_0(%0) : (tensor<2x8xi32>) -> tensor<2x8xi32>
    return %1 : tensor<2x8xi32>
  }
  func.func private @cumsum_0(%arg0: tensor<2x8xi32>) -> tensor<2x8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<2x8xi32>, tensor<i32>) -> tensor<2x8xi32>
    return %1 : tensor<2x8xi32>
  }
  func.func private @argmax(%arg0: tensor<2x8xi32>) -> tensor<8xi32> {
    %0 = stablehlo.iota dim = 0 : tensor<2x8xi32>
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [0] : (tensor<2x8xi32>, tensor<2x8xi32>, tensor<i32>, tensor<i32>) -> (tensor<8xi32>, tensor<8xi32>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i32>
    }
    return %1#1 : tensor<8xi32>
  }
  func.func private @_piecewise_1(%arg0: tensor<8xf32>, %arg1: tensor<8x6xi1>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<[-0.76578468, 0.688619256, -0.213259816, 0.0334610753, -0.00307654147, 1.74711939E-4, -6.10371171E-6, 1.21803282E-7, -1.08607612E-9]> : tensor<9xf32>
    %cst_0 = stablehlo.constant dense<[1.000000e+00, -1.88880289, 1.06669164, -0.275191605, 0.0393085256, -0.00341468467, 1.8668444E-4, -6.34514618E-6, 1.23975425E-7, -1.08607612E-9]> : tensor<10xf32>
    %cst_1 = stablehlo.constant dense<[-5.35044718, 218.504913, -4176.57227, 55411.7656, -331338.125, 1592627.13]> : tensor<6xf32>
    %cst_2 = stablehlo.constant dense<[1.000000e+00, -52.5054779, 1259.61621, -17565.4961, 149306.219, -729494.938, 1592627.13]> : tensor<7xf32>
    %cst_3 = stablehlo.constant dense<[0.0198180843, -1.27164567, -2.08816028, 2.75554442, -0.440950692, 0.0466562398, -0.00154504273, 7.059980e-05]> : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, 1.47649872, 0.562917709, 0.169901788, 0.0229164716, 0.0044501503, 1.72743967E-4, 3.95316711E-5]> : tensor<8xf32>
    %cst_5 = stablehlo.constant dense<[-1.37321532, -0.70845592, 1.58080685, -0.260150045, 0.0299467463, -0.00103808602, 4.37106428E-5, 2.14178363E-6]> : tensor<8xf32>
    %cst_6 = stablehlo.constant dense<[1.000000e+00, 0.85852313, 0.448328584, 0.0768793225, 0.0244986825, 8.8321662E-4, 4.5909523E-4, -4.72984857E-6, 2.66519555E-6]> : tensor<9xf32>
    %cst_7 = stablehlo.constant dense<[-2.10693455, 1.73273385, -0.242361918, 0.0232272409, 2.37288041E-4, -8.34321981E-5, 1.36340877E-5, -3.6554124E-7, 1.46494177E-8, 6.17640772E-10]> : tensor<10xf32>
    %cst_8 = stablehlo.constant dense<[1.000000e+00, -0.229806229, 0.110507704, -0.0156654306, 0.00276110694, -2.08914804E-4, 1.70852891E-5, -4.45931192E-7, 1.3946349E-8, 6.15086593E-10]> : tensor<10xf32>
    %cst_9 = stablehlo.constant dense<[-0.245811939, -0.148338228, 0.0724829212, -0.0134831565, 0.00134277507, -7.94246589E-5, 2.64417963E-6, -4.23947348E-8]> : tensor<8xf32>
    %cst_10 = stablehlo.constant dense<[1.000000e+00, -0.104422592, -0.267645299, 9.695000e-02, -0.0160174575, 0.00149641489, -8.46245238E-5, 2.7289384E-6, -4.23946247E-8]> : tensor<9xf32>
    %cst_11 = stablehlo.constant dense<[0.121256113, -0.582313299, 0.234888732, -0.0304003432, 0.00151008216, -2.52313712E-5]> : tensor<6xf32>
    %cst_12 = stablehlo.constant dense<[1.000000e+00, -1.0022521, 0.292870969, -0.0333700441, 0.00156054483, -2.52313712E-5]> : tensor<6xf32>
    %0 = stablehlo.slice %arg1 [0:8, 0:1] : (tensor<8x6xi1>) -> tensor<8x1xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<1xi1>) -> tensor<8x1xi1>
    %3 = stablehlo.concatenate %2, %arg1, dim = 1 : (tensor<8x1xi1>, tensor<8x6xi1>) -> tensor<8x7xi1>
    %4 = call @cumsum_2(%3) : (tensor<8x7xi1>) -> tensor<8x7xi32>
    %5 = call @argmax_4(%4) : (tensor<8x7xi32>) -> tensor<8xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %c_14 = stablehlo.constant dense<6> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %7 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %8 = stablehlo.clamp %6, %5, %7 : tensor<8xi32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<9xf32>) -> tensor<8x9xf32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [1] : (tensor<10xf32>) -> tensor<8x10xf32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [1] : (tensor<7xf32>) -> tensor<8x7xf32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
    %15 = stablehlo.broadcast_in_dim %cst_5, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [1] : (tensor<9xf32>) -> tensor<8x9xf32>
    %17 = stablehlo.broadcast_in_dim %cst_7, dims = [1] : (tensor<10xf32>) -> tensor<8x10xf32>
    %18 = stablehlo.broadcast_in_dim %cst_8, dims = [1] : (tensor<10xf32>) -> tensor<8x10xf32>
    %19 = stablehlo.broadcast_in_dim %cst_9, dims = [1] : (tensor<8xf32>) -> tensor<8x8xf32>
    %20 = stablehlo.broadcast_in_dim %cst_10, dims = [1] : (tensor<9xf32>) -> tensor<8x9xf32>
    %21 = stablehlo.broadcast_in_dim %cst_11, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
    %22 = stablehlo.broadcast_in_dim %cst_12, dims = [1] : (tensor<6xf32>) -> tensor<8x6xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %24 = stablehlo.compare EQ, %8, %23, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %26 = stablehlo.select %25, %9, %9 : tensor<8x9xi1>, tensor<8x9xf32>
    %27 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %28 = stablehlo.select %27, %10, %10 : tensor<8x10xi1>, tensor<8x10xf32>
    %29 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %30 = stablehlo.select %29, %11, %11 : tensor<8x6xi1>, tensor<8x6xf32>
    %31 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x7xi1>
    %32 = stablehlo.select %31, %12, %12 : tensor<8x7xi1>, tensor<8x7xf32>
    %33 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %34 = stablehlo.select %33, %13, %13 : tensor<8x8xi1>, tensor<8x8xf32>
    %35 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %36 = stablehlo.select %35, %14, %14 : tensor<8x8xi1>, tensor<8x8xf32>
    %37 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %38 = stablehlo.select %37, %15, %15 : tensor<8x8xi1>, tensor<8x8xf32>
    %39 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %40 = stablehlo.select %39, %16, %16 : tensor<8x9xi1>, tensor<8x9xf32>
    %41 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %42 = stablehlo.select %41, %17, %17 : tensor<8x10xi1>, tensor<8x10xf32>
    %43 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %44 = stablehlo.select %43, %18, %18 : tensor<8x10xi1>, tensor<8x10xf32>
    %45 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %46 = stablehlo.select %45, %19, %19 : tensor<8x8xi1>, tensor<8x8xf32>
    %47 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %48 = stablehlo.select %47, %20, %20 : tensor<8x9xi1>, tensor<8x9xf32>
    %49 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %50 = stablehlo.select %49, %21, %21 : tensor<8x6xi1>, tensor<8x6xf32>
    %51 = stablehlo.broadcast_in_dim %24, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %52 = stablehlo.select %51, %22, %22 : tensor<8x6xi1>, tensor<8x6xf32>
    %53 = stablehlo.select %24, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %55 = stablehlo.divide %54, %53 : tensor<8xf32>
    %56 = call @polyval(%26, %55) : (tensor<8x9xf32>, tensor<8xf32>) -> tensor<8xf32>
    %57 = call @polyval_5(%28, %55) : (tensor<8x10xf32>, tensor<8xf32>) -> tensor<8xf32>
    %58 = stablehlo.divide %56, %57 : tensor<8xf32>
    %59 = stablehlo.multiply %55, %58 : tensor<8xf32>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %61 = stablehlo.add %59, %60 : tensor<8xf32>
    %62 = stablehlo.exponential %53 : tensor<8xf32>
    %63 = stablehlo.multiply %62, %55 : tensor<8xf32>
    %64 = stablehlo.multiply %63, %61 : tensor<8xf32>
    %c_18 = stablehlo.constant dense<1> : tensor<i32>
    %65 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %66 = stablehlo.compare EQ, %8, %65, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %68 = stablehlo.select %67, %9, %9 : tensor<8x9xi1>, tensor<8x9xf32>
    %69 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %70 = stablehlo.select %69, %10, %10 : tensor<8x10xi1>, tensor<8x10xf32>
    %71 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %72 = stablehlo.select %71, %11, %11 : tensor<8x6xi1>, tensor<8x6xf32>
    %73 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x7xi1>
    %74 = stablehlo.select %73, %12, %12 : tensor<8x7xi1>, tensor<8x7xf32>
    %75 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %76 = stablehlo.select %75, %13, %13 : tensor<8x8xi1>, tensor<8x8xf32>
    %77 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %78 = stablehlo.select %77, %14, %14 : tensor<8x8xi1>, tensor<8x8xf32>
    %79 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %80 = stablehlo.select %79, %15, %15 : tensor<8x8xi1>, tensor<8x8xf32>
    %81 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %82 = stablehlo.select %81, %16, %16 : tensor<8x9xi1>, tensor<8x9xf32>
    %83 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %84 = stablehlo.select %83, %17, %17 : tensor<8x10xi1>, tensor<8x10xf32>
    %85 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %86 = stablehlo.select %85, %18, %18 : tensor<8x10xi1>, tensor<8x10xf32>
    %87 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %88 = stablehlo.select %87, %19, %19 : tensor<8x8xi1>, tensor<8x8xf32>
    %89 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %90 = stablehlo.select %89, %20, %20 : tensor<8x9xi1>, tensor<8x9xf32>
    %91 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %92 = stablehlo.select %91, %21, %21 : tensor<8x6xi1>, tensor<8x6xf32>
    %93 = stablehlo.broadcast_in_dim %66, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %94 = stablehlo.select %93, %22, %22 : tensor<8x6xi1>, tensor<8x6xf32>
    %95 = stablehlo.select %66, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %96 = call @polyval_7(%72, %95) : (tensor<8x6xf32>, tensor<8xf32>) -> tensor<8xf32>
    %97 = call @polyval_9(%74, %95) : (tensor<8x7xf32>, tensor<8xf32>) -> tensor<8xf32>
    %98 = stablehlo.divide %96, %97 : tensor<8xf32>
    %99 = stablehlo.multiply %95, %98 : tensor<8xf32>
    %cst_19 = stablehlo.constant dense<0.577215672> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %101 = stablehlo.add %99, %100 : tensor<8xf32>
    %102 = stablehlo.log %95 : tensor<8xf32>
    %103 = stablehlo.add %101, %102 : tensor<8xf32>
    %c_20 = stablehlo.constant dense<2> : tensor<i32>
    %104 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %105 = stablehlo.compare EQ, %8, %104, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %107 = stablehlo.select %106, %9, %9 : tensor<8x9xi1>, tensor<8x9xf32>
    %108 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %109 = stablehlo.select %108, %10, %10 : tensor<8x10xi1>, tensor<8x10xf32>
    %110 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %111 = stablehlo.select %110, %11, %11 : tensor<8x6xi1>, tensor<8x6xf32>
    %112 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x7xi1>
    %113 = stablehlo.select %112, %12, %12 : tensor<8x7xi1>, tensor<8x7xf32>
    %114 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %115 = stablehlo.select %114, %13, %13 : tensor<8x8xi1>, tensor<8x8xf32>
    %116 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %117 = stablehlo.select %116, %14, %14 : tensor<8x8xi1>, tensor<8x8xf32>
    %118 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %119 = stablehlo.select %118, %15, %15 : tensor<8x8xi1>, tensor<8x8xf32>
    %120 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %121 = stablehlo.select %120, %16, %16 : tensor<8x9xi1>, tensor<8x9xf32>
    %122 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %123 = stablehlo.select %122, %17, %17 : tensor<8x10xi1>, tensor<8x10xf32>
    %124 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %125 = stablehlo.select %124, %18, %18 : tensor<8x10xi1>, tensor<8x10xf32>
    %126 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %127 = stablehlo.select %126, %19, %19 : tensor<8x8xi1>, tensor<8x8xf32>
    %128 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %129 = stablehlo.select %128, %20, %20 : tensor<8x9xi1>, tensor<8x9xf32>
    %130 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %131 = stablehlo.select %130, %21, %21 : tensor<8x6xi1>, tensor<8x6xf32>
    %132 = stablehlo.broadcast_in_dim %105, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %133 = stablehlo.select %132, %22, %22 : tensor<8x6xi1>, tensor<8x6xf32>
    %134 = stablehlo.select %105, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %136 = stablehlo.divide %135, %134 : tensor<8xf32>
    %137 = call @polyval_11(%115, %136) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %138 = call @polyval_11(%117, %136) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %139 = stablehlo.divide %137, %138 : tensor<8xf32>
    %140 = stablehlo.multiply %136, %139 : tensor<8xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %142 = stablehlo.add %140, %141 : tensor<8xf32>
    %143 = stablehlo.exponential %134 : tensor<8xf32>
    %144 = stablehlo.multiply %143, %136 : tensor<8xf32>
    %145 = stablehlo.multiply %144, %142 : tensor<8xf32>
    %c_23 = stablehlo.constant dense<3> : tensor<i32>
    %146 = stablehlo.broadcast_in_dim %c_23, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %147 = stablehlo.compare EQ, %8, %146, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %149 = stablehlo.select %148, %9, %9 : tensor<8x9xi1>, tensor<8x9xf32>
    %150 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %151 = stablehlo.select %150, %10, %10 : tensor<8x10xi1>, tensor<8x10xf32>
    %152 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %153 = stablehlo.select %152, %11, %11 : tensor<8x6xi1>, tensor<8x6xf32>
    %154 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x7xi1>
    %155 = stablehlo.select %154, %12, %12 : tensor<8x7xi1>, tensor<8x7xf32>
    %156 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %157 = stablehlo.select %156, %13, %13 : tensor<8x8xi1>, tensor<8x8xf32>
    %158 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %159 = stablehlo.select %158, %14, %14 : tensor<8x8xi1>, tensor<8x8xf32>
    %160 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %161 = stablehlo.select %160, %15, %15 : tensor<8x8xi1>, tensor<8x8xf32>
    %162 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %163 = stablehlo.select %162, %16, %16 : tensor<8x9xi1>, tensor<8x9xf32>
    %164 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %165 = stablehlo.select %164, %17, %17 : tensor<8x10xi1>, tensor<8x10xf32>
    %166 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %167 = stablehlo.select %166, %18, %18 : tensor<8x10xi1>, tensor<8x10xf32>
    %168 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %169 = stablehlo.select %168, %19, %19 : tensor<8x8xi1>, tensor<8x8xf32>
    %170 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %171 = stablehlo.select %170, %20, %20 : tensor<8x9xi1>, tensor<8x9xf32>
    %172 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %173 = stablehlo.select %172, %21, %21 : tensor<8x6xi1>, tensor<8x6xf32>
    %174 = stablehlo.broadcast_in_dim %147, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %175 = stablehlo.select %174, %22, %22 : tensor<8x6xi1>, tensor<8x6xf32>
    %176 = stablehlo.select %147, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %178 = stablehlo.divide %177, %176 : tensor<8xf32>
    %179 = call @polyval_11(%161, %178) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %180 = call @polyval(%163, %178) : (tensor<8x9xf32>, tensor<8xf32>) -> tensor<8xf32>
    %181 = stablehlo.divide %179, %180 : tensor<8xf32>
    %182 = stablehlo.multiply %178, %181 : tensor<8xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %184 = stablehlo.add %182, %183 : tensor<8xf32>
    %185 = stablehlo.exponential %176 : tensor<8xf32>
    %186 = stablehlo.multiply %185, %178 : tensor<8xf32>
    %187 = stablehlo.multiply %186, %184 : tensor<8xf32>
    %c_26 = stablehlo.constant dense<4> : tensor<i32>
    %188 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %189 = stablehlo.compare EQ, %8, %188, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %191 = stablehlo.select %190, %9, %9 : tensor<8x9xi1>, tensor<8x9xf32>
    %192 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %193 = stablehlo.select %192, %10, %10 : tensor<8x10xi1>, tensor<8x10xf32>
    %194 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %195 = stablehlo.select %194, %11, %11 : tensor<8x6xi1>, tensor<8x6xf32>
    %196 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x7xi1>
    %197 = stablehlo.select %196, %12, %12 : tensor<8x7xi1>, tensor<8x7xf32>
    %198 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %199 = stablehlo.select %198, %13, %13 : tensor<8x8xi1>, tensor<8x8xf32>
    %200 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %201 = stablehlo.select %200, %14, %14 : tensor<8x8xi1>, tensor<8x8xf32>
    %202 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %203 = stablehlo.select %202, %15, %15 : tensor<8x8xi1>, tensor<8x8xf32>
    %204 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %205 = stablehlo.select %204, %16, %16 : tensor<8x9xi1>, tensor<8x9xf32>
    %206 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %207 = stablehlo.select %206, %17, %17 : tensor<8x10xi1>, tensor<8x10xf32>
    %208 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %209 = stablehlo.select %208, %18, %18 : tensor<8x10xi1>, tensor<8x10xf32>
    %210 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %211 = stablehlo.select %210, %19, %19 : tensor<8x8xi1>, tensor<8x8xf32>
    %212 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %213 = stablehlo.select %212, %20, %20 : tensor<8x9xi1>, tensor<8x9xf32>
    %214 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %215 = stablehlo.select %214, %21, %21 : tensor<8x6xi1>, tensor<8x6xf32>
    %216 = stablehlo.broadcast_in_dim %189, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %217 = stablehlo.select %216, %22, %22 : tensor<8x6xi1>, tensor<8x6xf32>
    %218 = stablehlo.select %189, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %220 = stablehlo.divide %219, %218 : tensor<8xf32>
    %221 = call @polyval_5(%207, %220) : (tensor<8x10xf32>, tensor<8xf32>) -> tensor<8xf32>
    %222 = call @polyval_5(%209, %220) : (tensor<8x10xf32>, tensor<8xf32>) -> tensor<8xf32>
    %223 = stablehlo.divide %221, %222 : tensor<8xf32>
    %224 = stablehlo.multiply %220, %223 : tensor<8xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %226 = stablehlo.add %224, %225 : tensor<8xf32>
    %227 = stablehlo.exponential %218 : tensor<8xf32>
    %228 = stablehlo.multiply %227, %220 : tensor<8xf32>
    %229 = stablehlo.multiply %228, %226 : tensor<8xf32>
    %c_29 = stablehlo.constant dense<5> : tensor<i32>
    %230 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %231 = stablehlo.compare EQ, %8, %230, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %232 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %233 = stablehlo.select %232, %9, %9 : tensor<8x9xi1>, tensor<8x9xf32>
    %234 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %235 = stablehlo.select %234, %10, %10 : tensor<8x10xi1>, tensor<8x10xf32>
    %236 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %237 = stablehlo.select %236, %11, %11 : tensor<8x6xi1>, tensor<8x6xf32>
    %238 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x7xi1>
    %239 = stablehlo.select %238, %12, %12 : tensor<8x7xi1>, tensor<8x7xf32>
    %240 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %241 = stablehlo.select %240, %13, %13 : tensor<8x8xi1>, tensor<8x8xf32>
    %242 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %243 = stablehlo.select %242, %14, %14 : tensor<8x8xi1>, tensor<8x8xf32>
    %244 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %245 = stablehlo.select %244, %15, %15 : tensor<8x8xi1>, tensor<8x8xf32>
    %246 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %247 = stablehlo.select %246, %16, %16 : tensor<8x9xi1>, tensor<8x9xf32>
    %248 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %249 = stablehlo.select %248, %17, %17 : tensor<8x10xi1>, tensor<8x10xf32>
    %250 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %251 = stablehlo.select %250, %18, %18 : tensor<8x10xi1>, tensor<8x10xf32>
    %252 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %253 = stablehlo.select %252, %19, %19 : tensor<8x8xi1>, tensor<8x8xf32>
    %254 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %255 = stablehlo.select %254, %20, %20 : tensor<8x9xi1>, tensor<8x9xf32>
    %256 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %257 = stablehlo.select %256, %21, %21 : tensor<8x6xi1>, tensor<8x6xf32>
    %258 = stablehlo.broadcast_in_dim %231, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %259 = stablehlo.select %258, %22, %22 : tensor<8x6xi1>, tensor<8x6xf32>
    %260 = stablehlo.select %231, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %262 = stablehlo.divide %261, %260 : tensor<8xf32>
    %263 = call @polyval_11(%253, %262) : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %264 = call @polyval(%255, %262) : (tensor<8x9xf32>, tensor<8xf32>) -> tensor<8xf32>
    %265 = stablehlo.divide %263, %264 : tensor<8xf32>
    %266 = stablehlo.multiply %262, %265 : tensor<8xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %268 = stablehlo.add %266, %267 : tensor<8xf32>
    %269 = stablehlo.exponential %260 : tensor<8xf32>
    %270 = stablehlo.multiply %269, %262 : tensor<8xf32>
    %271 = stablehlo.multiply %270, %268 : tensor<8xf32>
    %c_32 = stablehlo.constant dense<6> : tensor<i32>
    %272 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %273 = stablehlo.compare EQ, %8, %272, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %274 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %275 = stablehlo.select %274, %9, %9 : tensor<8x9xi1>, tensor<8x9xf32>
    %276 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %277 = stablehlo.select %276, %10, %10 : tensor<8x10xi1>, tensor<8x10xf32>
    %278 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %279 = stablehlo.select %278, %11, %11 : tensor<8x6xi1>, tensor<8x6xf32>
    %280 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x7xi1>
    %281 = stablehlo.select %280, %12, %12 : tensor<8x7xi1>, tensor<8x7xf32>
    %282 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %283 = stablehlo.select %282, %13, %13 : tensor<8x8xi1>, tensor<8x8xf32>
    %284 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %285 = stablehlo.select %284, %14, %14 : tensor<8x8xi1>, tensor<8x8xf32>
    %286 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %287 = stablehlo.select %286, %15, %15 : tensor<8x8xi1>, tensor<8x8xf32>
    %288 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %289 = stablehlo.select %288, %16, %16 : tensor<8x9xi1>, tensor<8x9xf32>
    %290 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %291 = stablehlo.select %290, %17, %17 : tensor<8x10xi1>, tensor<8x10xf32>
    %292 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x10xi1>
    %293 = stablehlo.select %292, %18, %18 : tensor<8x10xi1>, tensor<8x10xf32>
    %294 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x8xi1>
    %295 = stablehlo.select %294, %19, %19 : tensor<8x8xi1>, tensor<8x8xf32>
    %296 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x9xi1>
    %297 = stablehlo.select %296, %20, %20 : tensor<8x9xi1>, tensor<8x9xf32>
    %298 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %299 = stablehlo.select %298, %21, %21 : tensor<8x6xi1>, tensor<8x6xf32>
    %300 = stablehlo.broadcast_in_dim %273, dims = [0] : (tensor<8xi1>) -> tensor<8x6xi1>
    %301 = stablehlo.select %300, %22, %22 : tensor<8x6xi1>, tensor<8x6xf32>
    %302 = stablehlo.select %273, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %303 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %304 = stablehlo.divide %303, %302 : tensor<8xf32>
    %305 = call @polyval_7(%299, %304) : (tensor<8x6xf32>, tensor<8xf32>) -> tensor<8xf32>
    %306 = call @polyval_7(%301, %304) : (tensor<8x6xf32>, tensor<8xf32>) -> tensor<8xf32>
    %307 = stablehlo.divide %305, %306 : tensor<8xf32>
    %308 = stablehlo.multiply %304, %307 : tensor<8xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %310 = stablehlo.add %308, %309 : tensor<8xf32>
    %311 = stablehlo.exponential %302 : tensor<8xf32>
    %312 = stablehlo.multiply %311, %304 : tensor<8xf32>
    %313 = stablehlo.multiply %312, %310 : tensor<8xf32>
    %c_35 = stablehlo.constant dense<3> : tensor<i32>
    %314 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %315 = stablehlo.compare LT, %8, %314, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_36 = stablehlo.constant dense<1> : tensor<i32>
    %316 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %317 = stablehlo.compare LT, %8, %316, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_37 = stablehlo.constant dense<2> : tensor<i32>
    %318 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %319 = stablehlo.compare LT, %8, %318, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %320 = stablehlo.select %319, %103, %145 : tensor<8xi1>, tensor<8xf32>
    %321 = stablehlo.select %317, %64, %320 : tensor<8xi1>, tensor<8xf32>
    %c_38 = stablehlo.constant dense<5> : tensor<i32>
    %322 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %323 = stablehlo.compare LT, %8, %322, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_39 = stablehlo.constant dense<4> : tensor<i32>
    %324 = stablehlo.broadcast_in_dim %c_39, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %325 = stablehlo.compare LT, %8, %324, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %326 = stablehlo.select %325, %187, %229 : tensor<8xi1>, tensor<8xf32>
    %c_40 = stablehlo.constant dense<6> : tensor<i32>
    %327 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %328 = stablehlo.compare LT, %8, %327, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %329 = stablehlo.select %328, %271, %313 : tensor<8xi1>, tensor<8xf32>
    %330 = stablehlo.select %323, %326, %329 : tensor<8xi1>, tensor<8xf32>
    %331 = stablehlo.select %315, %321, %330 : tensor<8xi1>, tensor<8xf32>
    return %331 : tensor<8xf32>
  }
  func.func private @cumsum_2(%arg0: tensor<8x7xi1>) -> tensor<8x7xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<8x7xi1>) -> tensor<8x7xi32>
    %1 = call @cumsum_3(%0) : (tensor<8x7xi32>) -> tensor<8x7xi32>
    return %1 : tensor<8x7xi32>
  }
  func.func private @cumsum_3(%arg0: tensor<8x7xi32>) -> tensor<8x7xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 7>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<i32>
      stablehlo.return %2 : tensor<i32>
    }) : (tensor<8x7xi32>, tensor<i32>) -> tensor<8x7xi32>
    return %1 : tensor<8x7xi32>
  }
  func.func private @argmax_4(%arg0: tensor<8x7xi32>) -> tensor<8xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<8x7xi32>
    %c = stablehlo.constant dense<-2147483648> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %c), (%0 init: %c_0) across dimensions = [1] : (tensor<8x7xi32>, tensor<8x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<8xi32>, tensor<8xi32>)
     reducer(%arg1: tensor<i32>, %arg3: tensor<i32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<i32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<i32>, tensor<i32>
    }
    return %1#1 : tensor<8xi32>
  }
  func.func private @polyval(%arg0: tensor<8x9xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x9xf32>) -> tensor<9x8xf32>
    %2 = stablehlo.slice %1 [0:0, 0:8] : (tensor<9x8xf32>) -> tensor<0x8xf32>
    %3 = stablehlo.slice %1 [0:9, 0:8] : (tensor<9x8xf32>) -> tensor<9x8xf32>
    %4 = stablehlo.slice %3 [0:1, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x8xf32>) -> tensor<8xf32>
    %6 = call @closed_call(%arg1, %0, %5) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = stablehlo.slice %3 [1:2, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x8xf32>) -> tensor<8xf32>
    %9 = call @closed_call(%arg1, %6, %8) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = stablehlo.slice %3 [2:3, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8xf32>) -> tensor<8xf32>
    %12 = call @closed_call(%arg1, %9, %11) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = stablehlo.slice %3 [3:4, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x8xf32>) -> tensor<8xf32>
    %15 = call @closed_call(%arg1, %12, %14) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = stablehlo.slice %3 [4:5, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x8xf32>) -> tensor<8xf32>
    %18 = call @closed_call(%arg1, %15, %17) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = stablehlo.slice %3 [5:6, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x8xf32>) -> tensor<8xf32>
    %21 = call @closed_call(%arg1, %18, %20) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %22 = stablehlo.slice %3 [6:7, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x8xf32>) -> tensor<8xf32>
    %24 = call @closed_call(%arg1, %21, %23) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = stablehlo.slice %3 [7:8, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x8xf32>) -> tensor<8xf32>
    %27 = call @closed_call(%arg1, %24, %26) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = stablehlo.slice %3 [8:9, 0:8] : (tensor<9x8xf32>) -> tensor<1x8xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x8xf32>) -> tensor<8xf32>
    %30 = call @closed_call(%arg1, %27, %29) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %30 : tensor<8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @polyval_5(%arg0: tensor<8x10xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x10xf32>) -> tensor<10x8xf32>
    %2 = stablehlo.slice %1 [0:0, 0:8] : (tensor<10x8xf32>) -> tensor<0x8xf32>
    %3 = stablehlo.slice %1 [0:10, 0:8] : (tensor<10x8xf32>) -> tensor<10x8xf32>
    %4 = stablehlo.slice %3 [0:1, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x8xf32>) -> tensor<8xf32>
    %6 = call @closed_call_6(%arg1, %0, %5) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = stablehlo.slice %3 [1:2, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x8xf32>) -> tensor<8xf32>
    %9 = call @closed_call_6(%arg1, %6, %8) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = stablehlo.slice %3 [2:3, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8xf32>) -> tensor<8xf32>
    %12 = call @closed_call_6(%arg1, %9, %11) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = stablehlo.slice %3 [3:4, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x8xf32>) -> tensor<8xf32>
    %15 = call @closed_call_6(%arg1, %12, %14) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = stablehlo.slice %3 [4:5, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x8xf32>) -> tensor<8xf32>
    %18 = call @closed_call_6(%arg1, %15, %17) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = stablehlo.slice %3 [5:6, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x8xf32>) -> tensor<8xf32>
    %21 = call @closed_call_6(%arg1, %18, %20) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %22 = stablehlo.slice %3 [6:7, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x8xf32>) -> tensor<8xf32>
    %24 = call @closed_call_6(%arg1, %21, %23) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = stablehlo.slice %3 [7:8, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x8xf32>) -> tensor<8xf32>
    %27 = call @closed_call_6(%arg1, %24, %26) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = stablehlo.slice %3 [8:9, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x8xf32>) -> tensor<8xf32>
    %30 = call @closed_call_6(%arg1, %27, %29) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = stablehlo.slice %3 [9:10, 0:8] : (tensor<10x8xf32>) -> tensor<1x8xf32>
    %32 = stablehlo.reshape %31 : (tensor<1x8xf32>) -> tensor<8xf32>
    %33 = call @closed_call_6(%arg1, %30, %32) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %33 : tensor<8xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @polyval_7(%arg0: tensor<8x6xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
    %2 = stablehlo.slice %1 [0:0, 0:8] : (tensor<6x8xf32>) -> tensor<0x8xf32>
    %3 = stablehlo.slice %1 [0:6, 0:8] : (tensor<6x8xf32>) -> tensor<6x8xf32>
    %4 = stablehlo.slice %3 [0:1, 0:8] : (tensor<6x8xf32>) -> tensor<1x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x8xf32>) -> tensor<8xf32>
    %6 = call @closed_call_8(%arg1, %0, %5) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = stablehlo.slice %3 [1:2, 0:8] : (tensor<6x8xf32>) -> tensor<1x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x8xf32>) -> tensor<8xf32>
    %9 = call @closed_call_8(%arg1, %6, %8) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = stablehlo.slice %3 [2:3, 0:8] : (tensor<6x8xf32>) -> tensor<1x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8xf32>) -> tensor<8xf32>
    %12 = call @closed_call_8(%arg1, %9, %11) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = stablehlo.slice %3 [3:4, 0:8] : (tensor<6x8xf32>) -> tensor<1x8xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x8xf32>) -> tensor<8xf32>
    %15 = call @closed_call_8(%arg1, %12, %14) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = stablehlo.slice %3 [4:5, 0:8] : (tensor<6x8xf32>) -> tensor<1x8xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x8xf32>) -> tensor<8xf32>
    %18 = call @closed_call_8(%arg1, %15, %17) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = stablehlo.slice %3 [5:6, 0:8] : (tensor<6x8xf32>) -> tensor<1x8xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x8xf32>) -> tensor<8xf32>
    %21 = call @closed_call_8(%arg1, %18, %20) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %21 : tensor<8xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @polyval_9(%arg0: tensor<8x7xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x7xf32>) -> tensor<7x8xf32>
    %2 = stablehlo.slice %1 [0:0, 0:8] : (tensor<7x8xf32>) -> tensor<0x8xf32>
    %3 = stablehlo.slice %1 [0:7, 0:8] : (tensor<7x8xf32>) -> tensor<7x8xf32>
    %4 = stablehlo.slice %3 [0:1, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x8xf32>) -> tensor<8xf32>
    %6 = call @closed_call_10(%arg1, %0, %5) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = stablehlo.slice %3 [1:2, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x8xf32>) -> tensor<8xf32>
    %9 = call @closed_call_10(%arg1, %6, %8) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = stablehlo.slice %3 [2:3, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8xf32>) -> tensor<8xf32>
    %12 = call @closed_call_10(%arg1, %9, %11) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = stablehlo.slice %3 [3:4, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x8xf32>) -> tensor<8xf32>
    %15 = call @closed_call_10(%arg1, %12, %14) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = stablehlo.slice %3 [4:5, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x8xf32>) -> tensor<8xf32>
    %18 = call @closed_call_10(%arg1, %15, %17) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = stablehlo.slice %3 [5:6, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x8xf32>) -> tensor<8xf32>
    %21 = call @closed_call_10(%arg1, %18, %20) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %22 = stablehlo.slice %3 [6:7, 0:8] : (tensor<7x8xf32>) -> tensor<1x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x8xf32>) -> tensor<8xf32>
    %24 = call @closed_call_10(%arg1, %21, %23) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %24 : tensor<8xf32>
  }
  func.func private @closed_call_10(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @polyval_11(%arg0: tensor<8x8xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = stablehlo.slice %1 [0:0, 0:8] : (tensor<8x8xf32>) -> tensor<0x8xf32>
    %3 = stablehlo.slice %1 [0:8, 0:8] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.slice %3 [0:1, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %5 = stablehlo.reshape %4 : (tensor<1x8xf32>) -> tensor<8xf32>
    %6 = call @closed_call_12(%arg1, %0, %5) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = stablehlo.slice %3 [1:2, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %8 = stablehlo.reshape %7 : (tensor<1x8xf32>) -> tensor<8xf32>
    %9 = call @closed_call_12(%arg1, %6, %8) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = stablehlo.slice %3 [2:3, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x8xf32>) -> tensor<8xf32>
    %12 = call @closed_call_12(%arg1, %9, %11) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = stablehlo.slice %3 [3:4, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %14 = stablehlo.reshape %13 : (tensor<1x8xf32>) -> tensor<8xf32>
    %15 = call @closed_call_12(%arg1, %12, %14) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = stablehlo.slice %3 [4:5, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %17 = stablehlo.reshape %16 : (tensor<1x8xf32>) -> tensor<8xf32>
    %18 = call @closed_call_12(%arg1, %15, %17) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = stablehlo.slice %3 [5:6, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %20 = stablehlo.reshape %19 : (tensor<1x8xf32>) -> tensor<8xf32>
    %21 = call @closed_call_12(%arg1, %18, %20) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %22 = stablehlo.slice %3 [6:7, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x8xf32>) -> tensor<8xf32>
    %24 = call @closed_call_12(%arg1, %21, %23) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = stablehlo.slice %3 [7:8, 0:8] : (tensor<8x8xf32>) -> tensor<1x8xf32>
    %26 = stablehlo.reshape %25 : (tensor<1x8xf32>) -> tensor<8xf32>
    %27 = call @closed_call_12(%arg1, %24, %26) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %27 : tensor<8xf32>
  }
  func.func private @closed_call_12(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf32>
    %1 = stablehlo.add %0, %arg2 : tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @expn(%arg0: tensor<i32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare LT, %0, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.compare LT, %arg1, %2, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %4 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %5 = stablehlo.or %4, %3 : tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %7 = stablehlo.compare EQ, %arg1, %6, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.compare LT, %0, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %9 = stablehlo.broadcast_in_dim %8, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %10 = stablehlo.and %7, %9 : tensor<8xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.compare EQ, %arg1, %11, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.compare GE, %0, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %15 = stablehlo.and %12, %14 : tensor<8xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.compare EQ, %0, %cst_5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.compare GE, %arg1, %17, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %19 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %20 = stablehlo.and %19, %18 : tensor<8xi1>
    %cst_7 = stablehlo.constant dense<5.000000e+03> : tensor<f32>
    %21 = stablehlo.compare GE, %0, %cst_7, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %23 = stablehlo.compare GT, %arg1, %22, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.compare EQ, %0, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %25 = stablehlo.add %0, %0 : tensor<f32>
    %26 = call @_where_13(%24, %25, %0) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.divide %cst_10, %26 : tensor<f32>
    %28 = stablehlo.negate %arg1 : tensor<8xf32>
    %29 = stablehlo.exponential %28 : tensor<8xf32>
    %30 = stablehlo.divide %29, %arg1 : tensor<8xf32>
    %31 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %32 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %33 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %34 = stablehlo.broadcast_in_dim %20, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %35 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %36 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<8xi1>) -> tensor<8x1xi1>
    %37 = stablehlo.broadcast_in_dim %35, dims = [1] : (tensor<1xi1>) -> tensor<8x1xi1>
    %38 = stablehlo.concatenate %31, %32, %33, %34, %37, %36, dim = 1 : (tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>, tensor<8x1xi1>) -> tensor<8x6xi1>
    %cst_11 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %cst_12 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %39 = call @_piecewise_14(%arg1, %38, %cst_11, %cst_12, %27, %30, %0) : (tensor<8xf32>, tensor<8x6xi1>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %39 : tensor<8xf32>
  }
  func.func private @_where_13(%arg0: tensor<i1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<f32>
    return %0 : tensor<f32>
  }
  func.func private @_piecewise_14(%arg0: tensor<8xf32>, %arg1: tensor<8x6xi1>, %arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<8xf32>, %arg6: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.slice %arg1 [0:8, 0:1] : (tensor<8x6xi1>) -> tensor<8x1xi1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<1xi1>) -> tensor<8x1xi1>
    %3 = stablehlo.concatenate %2, %arg1, dim = 1 : (tensor<8x1xi1>, tensor<8x6xi1>) -> tensor<8x7xi1>
    %4 = call @cumsum_2(%3) : (tensor<8x7xi1>) -> tensor<8x7xi32>
    %5 = call @argmax_4(%4) : (tensor<8x7xi32>) -> tensor<8xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<6> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %8 = stablehlo.clamp %6, %5, %7 : tensor<8xi32>
    %9 = stablehlo.broadcast_in_dim %arg6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %10 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %14 = stablehlo.compare EQ, %8, %13, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %15 = stablehlo.select %14, %9, %9 : tensor<8xi1>, tensor<8xf32>
    %16 = stablehlo.select %14, %10, %10 : tensor<8xi1>, tensor<8xf32>
    %17 = stablehlo.select %14, %11, %11 : tensor<8xi1>, tensor<8xf32>
    %18 = stablehlo.select %14, %12, %12 : tensor<8xi1>, tensor<8xf32>
    %19 = stablehlo.select %14, %arg5, %arg5 : tensor<8xi1>, tensor<8xf32>
    %20 = stablehlo.select %14, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %21 = stablehlo.log %20 : tensor<8xf32>
    %cst = stablehlo.constant dense<-0.577215672> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %23 = stablehlo.subtract %22, %21 : tensor<8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %25:3 = stablehlo.while(%iterArg = %24, %iterArg_38 = %15, %iterArg_39 = %23) : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %161 = stablehlo.compare LT, %iterArg, %iterArg_38, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %c_40 = stablehlo.constant dense<false> : tensor<i1>
      %162 = stablehlo.reduce(%161 init: %c_40) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %162 : tensor<i1>
    } do {
      %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %161 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %162 = stablehlo.add %iterArg, %161 : tensor<8xf32>
      %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %163 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %164 = stablehlo.divide %163, %iterArg : tensor<8xf32>
      %165 = stablehlo.add %iterArg_39, %164 : tensor<8xf32>
      %166 = stablehlo.compare LT, %iterArg, %iterArg_38, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %167 = stablehlo.broadcast_in_dim %166, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %168 = stablehlo.select %167, %162, %iterArg : tensor<8xi1>, tensor<8xf32>
      %169 = stablehlo.broadcast_in_dim %166, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %170 = stablehlo.select %169, %iterArg_38, %iterArg_38 : tensor<8xi1>, tensor<8xf32>
      %171 = stablehlo.broadcast_in_dim %166, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %172 = stablehlo.select %171, %165, %iterArg_39 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %168, %170, %172 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %27 = stablehlo.compare EQ, %15, %26, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %28 = call @_where_15(%27, %cst_5, %15) : (tensor<8xi1>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = stablehlo.negate %20 : tensor<8xf32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %31 = stablehlo.subtract %30, %15 : tensor<8xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %33 = stablehlo.compare EQ, %15, %32, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %35 = stablehlo.subtract %34, %28 : tensor<8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %37 = stablehlo.divide %36, %35 : tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = call @_where_15(%33, %cst_10, %37) : (tensor<8xi1>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
    %cst_11 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %42:7 = stablehlo.while(%iterArg = %29, %iterArg_38 = %38, %iterArg_39 = %31, %iterArg_40 = %39, %iterArg_41 = %20, %iterArg_42 = %40, %iterArg_43 = %41) : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %161 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %162 = stablehlo.compare GT, %iterArg_41, %161, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %163 = stablehlo.convert %iterArg_40 : tensor<8xf32>
      %cst_45 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %164 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %165 = stablehlo.compare GT, %163, %164, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %166 = stablehlo.and %162, %165 : tensor<8xi1>
      %c_46 = stablehlo.constant dense<false> : tensor<i1>
      %167 = stablehlo.reduce(%166 init: %c_46) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %167 : tensor<i1>
    } do {
      %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %161 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %162 = stablehlo.add %iterArg_42, %161 : tensor<8xf32>
      %163 = stablehlo.divide %iterArg, %162 : tensor<8xf32>
      %164 = stablehlo.multiply %iterArg_43, %163 : tensor<8xf32>
      %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %165 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %166 = stablehlo.add %iterArg_39, %165 : tensor<8xf32>
      %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %167 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %168 = stablehlo.compare NE, %166, %167, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %169 = stablehlo.divide %164, %166 : tensor<8xf32>
      %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %170 = func.call @_where_16(%168, %169, %cst_47) : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
      %171 = stablehlo.add %iterArg_38, %170 : tensor<8xf32>
      %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %172 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %173 = stablehlo.compare NE, %171, %172, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %174 = stablehlo.divide %164, %171 : tensor<8xf32>
      %175 = stablehlo.abs %174 : tensor<8xf32>
      %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %176 = func.call @_where_16(%173, %175, %cst_49) : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
      %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %177 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %178 = stablehlo.compare GT, %iterArg_41, %177, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %179 = stablehlo.convert %iterArg_40 : tensor<8xf32>
      %cst_51 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %180 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %181 = stablehlo.compare GT, %179, %180, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %182 = stablehlo.and %178, %181 : tensor<8xi1>
      %183 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %184 = stablehlo.select %183, %171, %iterArg_38 : tensor<8xi1>, tensor<8xf32>
      %185 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %186 = stablehlo.select %185, %166, %iterArg_39 : tensor<8xi1>, tensor<8xf32>
      %187 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %188 = stablehlo.select %187, %176, %iterArg_40 : tensor<8xi1>, tensor<8xf32>
      %189 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %190 = stablehlo.select %189, %iterArg_41, %iterArg_41 : tensor<8xi1>, tensor<8xf32>
      %191 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %192 = stablehlo.select %191, %162, %iterArg_42 : tensor<8xi1>, tensor<8xf32>
      %193 = stablehlo.broadcast_in_dim %182, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %194 = stablehlo.select %193, %164, %iterArg_43 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %iterArg, %184, %186, %188, %190, %192, %194 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %44 = stablehlo.subtract %15, %43 : tensor<8xf32>
    %45 = stablehlo.power %29, %44 : tensor<8xf32>
    %46 = stablehlo.multiply %45, %25#2 : tensor<8xf32>
    %47 = chlo.lgamma %15 : tensor<8xf32> -> tensor<8xf32>
    %48 = stablehlo.exponential %47 : tensor<8xf32>
    %49 = stablehlo.divide %46, %48 : tensor<8xf32>
    %50 = stablehlo.subtract %49, %42#1 : tensor<8xf32>
    %c_15 = stablehlo.constant dense<1> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %52 = stablehlo.compare EQ, %8, %51, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %53 = stablehlo.select %52, %9, %9 : tensor<8xi1>, tensor<8xf32>
    %54 = stablehlo.select %52, %10, %10 : tensor<8xi1>, tensor<8xf32>
    %55 = stablehlo.select %52, %11, %11 : tensor<8xi1>, tensor<8xf32>
    %56 = stablehlo.select %52, %12, %12 : tensor<8xi1>, tensor<8xf32>
    %57 = stablehlo.select %52, %arg5, %arg5 : tensor<8xi1>, tensor<8xf32>
    %58 = stablehlo.select %52, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %59 = stablehlo.convert %54 : tensor<8xf32>
    %c_16 = stablehlo.constant dense<2> : tensor<i32>
    %60 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %61 = stablehlo.compare EQ, %8, %60, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %62 = stablehlo.select %61, %9, %9 : tensor<8xi1>, tensor<8xf32>
    %63 = stablehlo.select %61, %10, %10 : tensor<8xi1>, tensor<8xf32>
    %64 = stablehlo.select %61, %11, %11 : tensor<8xi1>, tensor<8xf32>
    %65 = stablehlo.select %61, %12, %12 : tensor<8xi1>, tensor<8xf32>
    %66 = stablehlo.select %61, %arg5, %arg5 : tensor<8xi1>, tensor<8xf32>
    %67 = stablehlo.select %61, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %68 = stablehlo.convert %64 : tensor<8xf32>
    %c_17 = stablehlo.constant dense<3> : tensor<i32>
    %69 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %70 = stablehlo.compare EQ, %8, %69, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %71 = stablehlo.select %70, %9, %9 : tensor<8xi1>, tensor<8xf32>
    %72 = stablehlo.select %70, %10, %10 : tensor<8xi1>, tensor<8xf32>
    %73 = stablehlo.select %70, %11, %11 : tensor<8xi1>, tensor<8xf32>
    %74 = stablehlo.select %70, %12, %12 : tensor<8xi1>, tensor<8xf32>
    %75 = stablehlo.select %70, %arg5, %arg5 : tensor<8xi1>, tensor<8xf32>
    %76 = stablehlo.select %70, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %c_18 = stablehlo.constant dense<4> : tensor<i32>
    %77 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %78 = stablehlo.compare EQ, %8, %77, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %79 = stablehlo.select %78, %9, %9 : tensor<8xi1>, tensor<8xf32>
    %80 = stablehlo.select %78, %10, %10 : tensor<8xi1>, tensor<8xf32>
    %81 = stablehlo.select %78, %11, %11 : tensor<8xi1>, tensor<8xf32>
    %82 = stablehlo.select %78, %12, %12 : tensor<8xi1>, tensor<8xf32>
    %83 = stablehlo.select %78, %arg5, %arg5 : tensor<8xi1>, tensor<8xf32>
    %84 = stablehlo.select %78, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %c_19 = stablehlo.constant dense<5> : tensor<i32>
    %85 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %86 = stablehlo.compare EQ, %8, %85, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %87 = stablehlo.select %86, %9, %9 : tensor<8xi1>, tensor<8xf32>
    %88 = stablehlo.select %86, %10, %10 : tensor<8xi1>, tensor<8xf32>
    %89 = stablehlo.select %86, %11, %11 : tensor<8xi1>, tensor<8xf32>
    %90 = stablehlo.select %86, %12, %12 : tensor<8xi1>, tensor<8xf32>
    %91 = stablehlo.select %86, %arg5, %arg5 : tensor<8xi1>, tensor<8xf32>
    %92 = stablehlo.select %86, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %93 = stablehlo.add %92, %87 : tensor<8xf32>
    %94 = stablehlo.multiply %93, %93 : tensor<8xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %96 = stablehlo.divide %95, %94 : tensor<8xf32>
    %97 = stablehlo.multiply %96, %87 : tensor<8xf32>
    %cst_21 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %99 = stablehlo.multiply %98, %92 : tensor<8xf32>
    %100 = stablehlo.multiply %99, %92 : tensor<8xf32>
    %cst_22 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %102 = stablehlo.multiply %101, %87 : tensor<8xf32>
    %103 = stablehlo.multiply %102, %92 : tensor<8xf32>
    %104 = stablehlo.subtract %100, %103 : tensor<8xf32>
    %105 = stablehlo.multiply %87, %87 : tensor<8xf32>
    %106 = stablehlo.add %104, %105 : tensor<8xf32>
    %107 = stablehlo.multiply %97, %106 : tensor<8xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %109 = stablehlo.multiply %108, %92 : tensor<8xf32>
    %110 = stablehlo.subtract %87, %109 : tensor<8xf32>
    %111 = stablehlo.multiply %87, %110 : tensor<8xf32>
    %112 = stablehlo.add %107, %111 : tensor<8xf32>
    %113 = stablehlo.multiply %96, %112 : tensor<8xf32>
    %114 = stablehlo.add %113, %87 : tensor<8xf32>
    %115 = stablehlo.multiply %96, %114 : tensor<8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %117 = stablehlo.add %115, %116 : tensor<8xf32>
    %118 = stablehlo.negate %92 : tensor<8xf32>
    %119 = stablehlo.exponential %118 : tensor<8xf32>
    %120 = stablehlo.multiply %117, %119 : tensor<8xf32>
    %121 = stablehlo.divide %120, %93 : tensor<8xf32>
    %c_25 = stablehlo.constant dense<6> : tensor<i32>
    %122 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %123 = stablehlo.compare EQ, %8, %122, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %124 = stablehlo.select %123, %9, %9 : tensor<8xi1>, tensor<8xf32>
    %125 = stablehlo.select %123, %10, %10 : tensor<8xi1>, tensor<8xf32>
    %126 = stablehlo.select %123, %11, %11 : tensor<8xi1>, tensor<8xf32>
    %127 = stablehlo.select %123, %12, %12 : tensor<8xi1>, tensor<8xf32>
    %128 = stablehlo.select %123, %arg5, %arg5 : tensor<8xi1>, tensor<8xf32>
    %129 = stablehlo.select %123, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %130 = stablehlo.add %129, %124 : tensor<8xf32>
    %131 = stablehlo.add %129, %124 : tensor<8xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %133 = stablehlo.divide %132, %131 : tensor<8xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %cst_31 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %139:10 = stablehlo.while(%iterArg = %124, %iterArg_38 = %133, %iterArg_39 = %134, %iterArg_40 = %135, %iterArg_41 = %136, %iterArg_42 = %130, %iterArg_43 = %129, %iterArg_44 = %137, %iterArg_45 = %138, %iterArg_46 = %129) : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    cond {
      %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %161 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %162 = stablehlo.compare GT, %iterArg_46, %161, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_48 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %163 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %164 = stablehlo.compare GT, %iterArg_45, %163, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %165 = stablehlo.and %162, %164 : tensor<8xi1>
      %c_49 = stablehlo.constant dense<false> : tensor<i1>
      %166 = stablehlo.reduce(%165 init: %c_49) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %166 : tensor<i1>
    } do {
      %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %161 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %162 = stablehlo.add %iterArg_39, %161 : tensor<8xf32>
      %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %163 = func.call @remainder(%162, %cst_48) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
      %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %164 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %165 = stablehlo.compare EQ, %163, %164, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %166 = func.call @_where_15(%165, %cst_50, %iterArg_46) : (tensor<8xi1>, tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
      %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %167 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %168 = stablehlo.subtract %162, %167 : tensor<8xf32>
      %cst_52 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %169 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %170 = stablehlo.divide %168, %169 : tensor<8xf32>
      %171 = stablehlo.add %iterArg, %170 : tensor<8xf32>
      %cst_53 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %172 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %173 = stablehlo.divide %162, %172 : tensor<8xf32>
      %174 = func.call @_where_17(%165, %171, %173) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %175 = stablehlo.multiply %iterArg_40, %166 : tensor<8xf32>
      %176 = stablehlo.multiply %iterArg_41, %174 : tensor<8xf32>
      %177 = stablehlo.add %175, %176 : tensor<8xf32>
      %178 = stablehlo.multiply %iterArg_42, %166 : tensor<8xf32>
      %179 = stablehlo.multiply %iterArg_43, %174 : tensor<8xf32>
      %180 = stablehlo.add %178, %179 : tensor<8xf32>
      %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %181 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %182 = stablehlo.compare NE, %180, %181, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %183 = stablehlo.divide %177, %180 : tensor<8xf32>
      %184 = func.call @_where_17(%182, %183, %iterArg_44) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %185 = stablehlo.subtract %iterArg_38, %184 : tensor<8xf32>
      %186 = stablehlo.divide %185, %184 : tensor<8xf32>
      %187 = stablehlo.abs %186 : tensor<8xf32>
      %cst_55 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %188 = func.call @_where_16(%182, %187, %cst_55) : (tensor<8xi1>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
      %189 = func.call @_where_17(%182, %184, %iterArg_38) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %190 = stablehlo.abs %177 : tensor<8xf32>
      %cst_56 = stablehlo.constant dense<1.44115188E+17> : tensor<f32>
      %191 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %192 = stablehlo.compare GT, %190, %191, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_57 = stablehlo.constant dense<1.44115188E+17> : tensor<f32>
      %193 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %194 = stablehlo.divide %177, %193 : tensor<8xf32>
      %195 = func.call @_where_17(%192, %194, %177) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %cst_58 = stablehlo.constant dense<1.44115188E+17> : tensor<f32>
      %196 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %197 = stablehlo.divide %iterArg_40, %196 : tensor<8xf32>
      %198 = func.call @_where_17(%192, %197, %iterArg_40) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %cst_59 = stablehlo.constant dense<1.44115188E+17> : tensor<f32>
      %199 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %200 = stablehlo.divide %180, %199 : tensor<8xf32>
      %201 = func.call @_where_17(%192, %200, %180) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %cst_60 = stablehlo.constant dense<1.44115188E+17> : tensor<f32>
      %202 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %203 = stablehlo.divide %iterArg_42, %202 : tensor<8xf32>
      %204 = func.call @_where_17(%192, %203, %iterArg_42) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %205 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %206 = stablehlo.compare GT, %iterArg_46, %205, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %cst_62 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
      %207 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %208 = stablehlo.compare GT, %iterArg_45, %207, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %209 = stablehlo.and %206, %208 : tensor<8xi1>
      %210 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %211 = stablehlo.select %210, %189, %iterArg_38 : tensor<8xi1>, tensor<8xf32>
      %212 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %213 = stablehlo.select %212, %162, %iterArg_39 : tensor<8xi1>, tensor<8xf32>
      %214 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %215 = stablehlo.select %214, %195, %iterArg_40 : tensor<8xi1>, tensor<8xf32>
      %216 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %217 = stablehlo.select %216, %198, %iterArg_41 : tensor<8xi1>, tensor<8xf32>
      %218 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %219 = stablehlo.select %218, %201, %iterArg_42 : tensor<8xi1>, tensor<8xf32>
      %220 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %221 = stablehlo.select %220, %204, %iterArg_43 : tensor<8xi1>, tensor<8xf32>
      %222 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %223 = stablehlo.select %222, %184, %iterArg_44 : tensor<8xi1>, tensor<8xf32>
      %224 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %225 = stablehlo.select %224, %188, %iterArg_45 : tensor<8xi1>, tensor<8xf32>
      %226 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %227 = stablehlo.select %226, %iterArg_46, %iterArg_46 : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %iterArg, %211, %213, %215, %217, %219, %221, %223, %225, %227 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    %140 = stablehlo.negate %129 : tensor<8xf32>
    %141 = stablehlo.exponential %140 : tensor<8xf32>
    %142 = stablehlo.multiply %139#1, %141 : tensor<8xf32>
    %c_32 = stablehlo.constant dense<3> : tensor<i32>
    %143 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %144 = stablehlo.compare LT, %8, %143, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_33 = stablehlo.constant dense<1> : tensor<i32>
    %145 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %146 = stablehlo.compare LT, %8, %145, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_34 = stablehlo.constant dense<2> : tensor<i32>
    %147 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %148 = stablehlo.compare LT, %8, %147, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %149 = stablehlo.select %148, %59, %68 : tensor<8xi1>, tensor<8xf32>
    %150 = stablehlo.select %146, %50, %149 : tensor<8xi1>, tensor<8xf32>
    %c_35 = stablehlo.constant dense<5> : tensor<i32>
    %151 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %152 = stablehlo.compare LT, %8, %151, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %c_36 = stablehlo.constant dense<4> : tensor<i32>
    %153 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %154 = stablehlo.compare LT, %8, %153, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %155 = stablehlo.select %154, %74, %83 : tensor<8xi1>, tensor<8xf32>
    %c_37 = stablehlo.constant dense<6> : tensor<i32>
    %156 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %157 = stablehlo.compare LT, %8, %156, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %158 = stablehlo.select %157, %121, %142 : tensor<8xi1>, tensor<8xf32>
    %159 = stablehlo.select %152, %155, %158 : tensor<8xi1>, tensor<8xf32>
    %160 = stablehlo.select %144, %150, %159 : tensor<8xi1>, tensor<8xf32>
    return %160 : tensor<8xf32>
  }
  func.func private @_where_15(%arg0: tensor<8xi1>, %arg1: tensor<f32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @_where_16(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<8xi1>, tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @remainder(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.remainder %arg0, %0 : tensor<8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.compare NE, %1, %2, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %5 = stablehlo.compare LT, %1, %4, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.compare LT, %arg1, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %8 = stablehlo.compare NE, %5, %7, UNSIGNED : (tensor<8xi1>, tensor<8xi1>) -> tensor<8xi1>
    %9 = stablehlo.and %8, %3 : tensor<8xi1>
    %10 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.add %1, %10 : tensor<8xf32>
    %12 = stablehlo.select %9, %11, %1 : tensor<8xi1>, tensor<8xf32>
    return %12 : tensor<8xf32>
  }
  func.func private @_where_17(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @_where_18(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<i32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8xi1>, tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func private @_where_19(%arg0: tensor<8xi1>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<8xi1>, tensor<8xf32>
    return %3 : tensor<8xf32>
  }
  func.func private @_where_20(%arg0: tensor<8xi1>, %arg1: tensor<i32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
