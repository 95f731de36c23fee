module @jit_bessel_i0e_real attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf16>, %arg1: tensor<12xbf16>, %arg2: tensor<12xf32>, %arg3: tensor<12xf64>) -> (tensor<12xf16> {jax.result_info = "result[0]"}, tensor<12xbf16> {jax.result_info = "result[1]"}, tensor<12xf32> {jax.result_info = "result[2]"}, tensor<12xf64> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.convert %arg0 : (tensor<12xf16>) -> tensor<12xf32>
    %1 = stablehlo.abs %0 : tensor<12xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %5 = stablehlo.multiply %2, %1 : tensor<12xf32>
    %6 = stablehlo.subtract %5, %3 : tensor<12xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %10 = stablehlo.multiply %6, %7 : tensor<12xf32>
    %11 = stablehlo.subtract %10, %8 : tensor<12xf32>
    %cst_5 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %13 = stablehlo.add %11, %12 : tensor<12xf32>
    %14 = stablehlo.multiply %6, %13 : tensor<12xf32>
    %15 = stablehlo.subtract %14, %7 : tensor<12xf32>
    %cst_6 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %17 = stablehlo.add %15, %16 : tensor<12xf32>
    %18 = stablehlo.multiply %6, %17 : tensor<12xf32>
    %19 = stablehlo.subtract %18, %13 : tensor<12xf32>
    %cst_7 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %21 = stablehlo.add %19, %20 : tensor<12xf32>
    %22 = stablehlo.multiply %6, %21 : tensor<12xf32>
    %23 = stablehlo.subtract %22, %17 : tensor<12xf32>
    %cst_8 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %25 = stablehlo.add %23, %24 : tensor<12xf32>
    %26 = stablehlo.multiply %6, %25 : tensor<12xf32>
    %27 = stablehlo.subtract %26, %21 : tensor<12xf32>
    %cst_9 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %29 = stablehlo.add %27, %28 : tensor<12xf32>
    %30 = stablehlo.multiply %6, %29 : tensor<12xf32>
    %31 = stablehlo.subtract %30, %25 : tensor<12xf32>
    %cst_10 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %33 = stablehlo.add %31, %32 : tensor<12xf32>
    %34 = stablehlo.multiply %6, %33 : tensor<12xf32>
    %35 = stablehlo.subtract %34, %29 : tensor<12xf32>
    %cst_11 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %37 = stablehlo.add %35, %36 : tensor<12xf32>
    %38 = stablehlo.multiply %6, %37 : tensor<12xf32>
    %39 = stablehlo.subtract %38, %33 : tensor<12xf32>
    %cst_12 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %41 = stablehlo.add %39, %40 : tensor<12xf32>
    %42 = stablehlo.multiply %6, %41 : tensor<12xf32>
    %43 = stablehlo.subtract %42, %37 : tensor<12xf32>
    %cst_13 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %45 = stablehlo.add %43, %44 : tensor<12xf32>
    %46 = stablehlo.multiply %6, %45 : tensor<12xf32>
    %47 = stablehlo.subtract %46, %41 : tensor<12xf32>
    %cst_14 = stablehlo.constant dense<0.00163947558> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %49 = stablehlo.add %47, %48 : tensor<12xf32>
    %50 = stablehlo.multiply %6, %49 : tensor<12xf32>
    %51 = stablehlo.subtract %50, %45 : tensor<12xf32>
    %cst_15 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %53 = stablehlo.add %51, %52 : tensor<12xf32>
    %54 = stablehlo.multiply %6, %53 : tensor<12xf32>
    %55 = stablehlo.subtract %54, %49 : tensor<12xf32>
    %cst_16 = stablehlo.constant dense<0.0105464607> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %57 = stablehlo.add %55, %56 : tensor<12xf32>
    %58 = stablehlo.multiply %6, %57 : tensor<12xf32>
    %59 = stablehlo.subtract %58, %53 : tensor<12xf32>
    %cst_17 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %61 = stablehlo.add %59, %60 : tensor<12xf32>
    %62 = stablehlo.multiply %6, %61 : tensor<12xf32>
    %63 = stablehlo.subtract %62, %57 : tensor<12xf32>
    %cst_18 = stablehlo.constant dense<0.0493052825> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %65 = stablehlo.add %63, %64 : tensor<12xf32>
    %66 = stablehlo.multiply %6, %65 : tensor<12xf32>
    %67 = stablehlo.subtract %66, %61 : tensor<12xf32>
    %cst_19 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %69 = stablehlo.add %67, %68 : tensor<12xf32>
    %70 = stablehlo.multiply %6, %69 : tensor<12xf32>
    %71 = stablehlo.subtract %70, %65 : tensor<12xf32>
    %cst_20 = stablehlo.constant dense<0.171620905> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %73 = stablehlo.add %71, %72 : tensor<12xf32>
    %74 = stablehlo.multiply %6, %73 : tensor<12xf32>
    %75 = stablehlo.subtract %74, %69 : tensor<12xf32>
    %cst_21 = stablehlo.constant dense<-0.304682672> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %77 = stablehlo.add %75, %76 : tensor<12xf32>
    %78 = stablehlo.multiply %6, %77 : tensor<12xf32>
    %79 = stablehlo.subtract %78, %73 : tensor<12xf32>
    %cst_22 = stablehlo.constant dense<0.676795303> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %81 = stablehlo.add %79, %80 : tensor<12xf32>
    %82 = stablehlo.subtract %81, %73 : tensor<12xf32>
    %cst_23 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<12xf32>
    %85 = stablehlo.divide %4, %1 : tensor<12xf32>
    %86 = stablehlo.subtract %85, %3 : tensor<12xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %90 = stablehlo.multiply %86, %87 : tensor<12xf32>
    %91 = stablehlo.subtract %90, %88 : tensor<12xf32>
    %cst_27 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %93 = stablehlo.add %91, %92 : tensor<12xf32>
    %94 = stablehlo.multiply %86, %93 : tensor<12xf32>
    %95 = stablehlo.subtract %94, %87 : tensor<12xf32>
    %cst_28 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %97 = stablehlo.add %95, %96 : tensor<12xf32>
    %98 = stablehlo.multiply %86, %97 : tensor<12xf32>
    %99 = stablehlo.subtract %98, %93 : tensor<12xf32>
    %cst_29 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %101 = stablehlo.add %99, %100 : tensor<12xf32>
    %102 = stablehlo.multiply %86, %101 : tensor<12xf32>
    %103 = stablehlo.subtract %102, %97 : tensor<12xf32>
    %cst_30 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %105 = stablehlo.add %103, %104 : tensor<12xf32>
    %106 = stablehlo.multiply %86, %105 : tensor<12xf32>
    %107 = stablehlo.subtract %106, %101 : tensor<12xf32>
    %cst_31 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %109 = stablehlo.add %107, %108 : tensor<12xf32>
    %110 = stablehlo.multiply %86, %109 : tensor<12xf32>
    %111 = stablehlo.subtract %110, %105 : tensor<12xf32>
    %cst_32 = stablehlo.constant dense<0.00336911646> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %113 = stablehlo.add %111, %112 : tensor<12xf32>
    %114 = stablehlo.multiply %86, %113 : tensor<12xf32>
    %115 = stablehlo.subtract %114, %109 : tensor<12xf32>
    %cst_33 = stablehlo.constant dense<0.804490387> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %117 = stablehlo.add %115, %116 : tensor<12xf32>
    %118 = stablehlo.subtract %117, %109 : tensor<12xf32>
    %cst_34 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %120 = stablehlo.multiply %119, %118 : tensor<12xf32>
    %121 = stablehlo.sqrt %1 : tensor<12xf32>
    %122 = stablehlo.divide %120, %121 : tensor<12xf32>
    %cst_35 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %124 = stablehlo.compare LE, %1, %123, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %125 = stablehlo.select %124, %84, %122 : tensor<12xi1>, tensor<12xf32>
    %126 = stablehlo.convert %125 : (tensor<12xf32>) -> tensor<12xf16>
    %127 = stablehlo.convert %arg1 : (tensor<12xbf16>) -> tensor<12xf32>
    %128 = stablehlo.abs %127 : tensor<12xf32>
    %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_37 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %130 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_38 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %132 = stablehlo.multiply %129, %128 : tensor<12xf32>
    %133 = stablehlo.subtract %132, %130 : tensor<12xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %137 = stablehlo.multiply %133, %134 : tensor<12xf32>
    %138 = stablehlo.subtract %137, %135 : tensor<12xf32>
    %cst_42 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %140 = stablehlo.add %138, %139 : tensor<12xf32>
    %141 = stablehlo.multiply %133, %140 : tensor<12xf32>
    %142 = stablehlo.subtract %141, %134 : tensor<12xf32>
    %cst_43 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %144 = stablehlo.add %142, %143 : tensor<12xf32>
    %145 = stablehlo.multiply %133, %144 : tensor<12xf32>
    %146 = stablehlo.subtract %145, %140 : tensor<12xf32>
    %cst_44 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %148 = stablehlo.add %146, %147 : tensor<12xf32>
    %149 = stablehlo.multiply %133, %148 : tensor<12xf32>
    %150 = stablehlo.subtract %149, %144 : tensor<12xf32>
    %cst_45 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %152 = stablehlo.add %150, %151 : tensor<12xf32>
    %153 = stablehlo.multiply %133, %152 : tensor<12xf32>
    %154 = stablehlo.subtract %153, %148 : tensor<12xf32>
    %cst_46 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %156 = stablehlo.add %154, %155 : tensor<12xf32>
    %157 = stablehlo.multiply %133, %156 : tensor<12xf32>
    %158 = stablehlo.subtract %157, %152 : tensor<12xf32>
    %cst_47 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %160 = stablehlo.add %158, %159 : tensor<12xf32>
    %161 = stablehlo.multiply %133, %160 : tensor<12xf32>
    %162 = stablehlo.subtract %161, %156 : tensor<12xf32>
    %cst_48 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %164 = stablehlo.add %162, %163 : tensor<12xf32>
    %165 = stablehlo.multiply %133, %164 : tensor<12xf32>
    %166 = stablehlo.subtract %165, %160 : tensor<12xf32>
    %cst_49 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %168 = stablehlo.add %166, %167 : tensor<12xf32>
    %169 = stablehlo.multiply %133, %168 : tensor<12xf32>
    %170 = stablehlo.subtract %169, %164 : tensor<12xf32>
    %cst_50 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %172 = stablehlo.add %170, %171 : tensor<12xf32>
    %173 = stablehlo.multiply %133, %172 : tensor<12xf32>
    %174 = stablehlo.subtract %173, %168 : tensor<12xf32>
    %cst_51 = stablehlo.constant dense<0.00163947558> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %176 = stablehlo.add %174, %175 : tensor<12xf32>
    %177 = stablehlo.multiply %133, %176 : tensor<12xf32>
    %178 = stablehlo.subtract %177, %172 : tensor<12xf32>
    %cst_52 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %180 = stablehlo.add %178, %179 : tensor<12xf32>
    %181 = stablehlo.multiply %133, %180 : tensor<12xf32>
    %182 = stablehlo.subtract %181, %176 : tensor<12xf32>
    %cst_53 = stablehlo.constant dense<0.0105464607> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %184 = stablehlo.add %182, %183 : tensor<12xf32>
    %185 = stablehlo.multiply %133, %184 : tensor<12xf32>
    %186 = stablehlo.subtract %185, %180 : tensor<12xf32>
    %cst_54 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %188 = stablehlo.add %186, %187 : tensor<12xf32>
    %189 = stablehlo.multiply %133, %188 : tensor<12xf32>
    %190 = stablehlo.subtract %189, %184 : tensor<12xf32>
    %cst_55 = stablehlo.constant dense<0.0493052825> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %192 = stablehlo.add %190, %191 : tensor<12xf32>
    %193 = stablehlo.multiply %133, %192 : tensor<12xf32>
    %194 = stablehlo.subtract %193, %188 : tensor<12xf32>
    %cst_56 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %196 = stablehlo.add %194, %195 : tensor<12xf32>
    %197 = stablehlo.multiply %133, %196 : tensor<12xf32>
    %198 = stablehlo.subtract %197, %192 : tensor<12xf32>
    %cst_57 = stablehlo.constant dense<0.171620905> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %200 = stablehlo.add %198, %199 : tensor<12xf32>
    %201 = stablehlo.multiply %133, %200 : tensor<12xf32>
    %202 = stablehlo.subtract %201, %196 : tensor<12xf32>
    %cst_58 = stablehlo.constant dense<-0.304682672> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %204 = stablehlo.add %202, %203 : tensor<12xf32>
    %205 = stablehlo.multiply %133, %204 : tensor<12xf32>
    %206 = stablehlo.subtract %205, %200 : tensor<12xf32>
    %cst_59 = stablehlo.constant dense<0.676795303> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %208 = stablehlo.add %206, %207 : tensor<12xf32>
    %209 = stablehlo.subtract %208, %200 : tensor<12xf32>
    %cst_60 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %211 = stablehlo.multiply %210, %209 : tensor<12xf32>
    %212 = stablehlo.divide %131, %128 : tensor<12xf32>
    %213 = stablehlo.subtract %212, %130 : tensor<12xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %217 = stablehlo.multiply %213, %214 : tensor<12xf32>
    %218 = stablehlo.subtract %217, %215 : tensor<12xf32>
    %cst_64 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %220 = stablehlo.add %218, %219 : tensor<12xf32>
    %221 = stablehlo.multiply %213, %220 : tensor<12xf32>
    %222 = stablehlo.subtract %221, %214 : tensor<12xf32>
    %cst_65 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %224 = stablehlo.add %222, %223 : tensor<12xf32>
    %225 = stablehlo.multiply %213, %224 : tensor<12xf32>
    %226 = stablehlo.subtract %225, %220 : tensor<12xf32>
    %cst_66 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %228 = stablehlo.add %226, %227 : tensor<12xf32>
    %229 = stablehlo.multiply %213, %228 : tensor<12xf32>
    %230 = stablehlo.subtract %229, %224 : tensor<12xf32>
    %cst_67 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %232 = stablehlo.add %230, %231 : tensor<12xf32>
    %233 = stablehlo.multiply %213, %232 : tensor<12xf32>
    %234 = stablehlo.subtract %233, %228 : tensor<12xf32>
    %cst_68 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %236 = stablehlo.add %234, %235 : tensor<12xf32>
    %237 = stablehlo.multiply %213, %236 : tensor<12xf32>
    %238 = stablehlo.subtract %237, %232 : tensor<12xf32>
    %cst_69 = stablehlo.constant dense<0.00336911646> : tensor<f32>
    %239 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %240 = stablehlo.add %238, %239 : tensor<12xf32>
    %241 = stablehlo.multiply %213, %240 : tensor<12xf32>
    %242 = stablehlo.subtract %241, %236 : tensor<12xf32>
    %cst_70 = stablehlo.constant dense<0.804490387> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %244 = stablehlo.add %242, %243 : tensor<12xf32>
    %245 = stablehlo.subtract %244, %236 : tensor<12xf32>
    %cst_71 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %247 = stablehlo.multiply %246, %245 : tensor<12xf32>
    %248 = stablehlo.sqrt %128 : tensor<12xf32>
    %249 = stablehlo.divide %247, %248 : tensor<12xf32>
    %cst_72 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %251 = stablehlo.compare LE, %128, %250, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %252 = stablehlo.select %251, %211, %249 : tensor<12xi1>, tensor<12xf32>
    %253 = stablehlo.convert %252 : (tensor<12xf32>) -> tensor<12xbf16>
    %254 = stablehlo.abs %arg2 : tensor<12xf32>
    %cst_73 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_74 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_75 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %258 = stablehlo.multiply %255, %254 : tensor<12xf32>
    %259 = stablehlo.subtract %258, %256 : tensor<12xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_77 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %263 = stablehlo.multiply %259, %260 : tensor<12xf32>
    %264 = stablehlo.subtract %263, %261 : tensor<12xf32>
    %cst_79 = stablehlo.constant dense<-1.30002498E-8> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %266 = stablehlo.add %264, %265 : tensor<12xf32>
    %267 = stablehlo.multiply %259, %266 : tensor<12xf32>
    %268 = stablehlo.subtract %267, %260 : tensor<12xf32>
    %cst_80 = stablehlo.constant dense<6.04699508E-8> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %270 = stablehlo.add %268, %269 : tensor<12xf32>
    %271 = stablehlo.multiply %259, %270 : tensor<12xf32>
    %272 = stablehlo.subtract %271, %266 : tensor<12xf32>
    %cst_81 = stablehlo.constant dense<-2.67079372E-7> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %274 = stablehlo.add %272, %273 : tensor<12xf32>
    %275 = stablehlo.multiply %259, %274 : tensor<12xf32>
    %276 = stablehlo.subtract %275, %270 : tensor<12xf32>
    %cst_82 = stablehlo.constant dense<1.11738757E-6> : tensor<f32>
    %277 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %278 = stablehlo.add %276, %277 : tensor<12xf32>
    %279 = stablehlo.multiply %259, %278 : tensor<12xf32>
    %280 = stablehlo.subtract %279, %274 : tensor<12xf32>
    %cst_83 = stablehlo.constant dense<-4.41673819E-6> : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %282 = stablehlo.add %280, %281 : tensor<12xf32>
    %283 = stablehlo.multiply %259, %282 : tensor<12xf32>
    %284 = stablehlo.subtract %283, %278 : tensor<12xf32>
    %cst_84 = stablehlo.constant dense<1.64484482E-5> : tensor<f32>
    %285 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %286 = stablehlo.add %284, %285 : tensor<12xf32>
    %287 = stablehlo.multiply %259, %286 : tensor<12xf32>
    %288 = stablehlo.subtract %287, %282 : tensor<12xf32>
    %cst_85 = stablehlo.constant dense<-5.75419508E-5> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %290 = stablehlo.add %288, %289 : tensor<12xf32>
    %291 = stablehlo.multiply %259, %290 : tensor<12xf32>
    %292 = stablehlo.subtract %291, %286 : tensor<12xf32>
    %cst_86 = stablehlo.constant dense<1.88502891E-4> : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %294 = stablehlo.add %292, %293 : tensor<12xf32>
    %295 = stablehlo.multiply %259, %294 : tensor<12xf32>
    %296 = stablehlo.subtract %295, %290 : tensor<12xf32>
    %cst_87 = stablehlo.constant dense<-5.76375576E-4> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %298 = stablehlo.add %296, %297 : tensor<12xf32>
    %299 = stablehlo.multiply %259, %298 : tensor<12xf32>
    %300 = stablehlo.subtract %299, %294 : tensor<12xf32>
    %cst_88 = stablehlo.constant dense<0.00163947558> : tensor<f32>
    %301 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %302 = stablehlo.add %300, %301 : tensor<12xf32>
    %303 = stablehlo.multiply %259, %302 : tensor<12xf32>
    %304 = stablehlo.subtract %303, %298 : tensor<12xf32>
    %cst_89 = stablehlo.constant dense<-4.324310e-03> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %306 = stablehlo.add %304, %305 : tensor<12xf32>
    %307 = stablehlo.multiply %259, %306 : tensor<12xf32>
    %308 = stablehlo.subtract %307, %302 : tensor<12xf32>
    %cst_90 = stablehlo.constant dense<0.0105464607> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %310 = stablehlo.add %308, %309 : tensor<12xf32>
    %311 = stablehlo.multiply %259, %310 : tensor<12xf32>
    %312 = stablehlo.subtract %311, %306 : tensor<12xf32>
    %cst_91 = stablehlo.constant dense<-0.0237374157> : tensor<f32>
    %313 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %314 = stablehlo.add %312, %313 : tensor<12xf32>
    %315 = stablehlo.multiply %259, %314 : tensor<12xf32>
    %316 = stablehlo.subtract %315, %310 : tensor<12xf32>
    %cst_92 = stablehlo.constant dense<0.0493052825> : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %318 = stablehlo.add %316, %317 : tensor<12xf32>
    %319 = stablehlo.multiply %259, %318 : tensor<12xf32>
    %320 = stablehlo.subtract %319, %314 : tensor<12xf32>
    %cst_93 = stablehlo.constant dense<-9.490110e-02> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %322 = stablehlo.add %320, %321 : tensor<12xf32>
    %323 = stablehlo.multiply %259, %322 : tensor<12xf32>
    %324 = stablehlo.subtract %323, %318 : tensor<12xf32>
    %cst_94 = stablehlo.constant dense<0.171620905> : tensor<f32>
    %325 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %326 = stablehlo.add %324, %325 : tensor<12xf32>
    %327 = stablehlo.multiply %259, %326 : tensor<12xf32>
    %328 = stablehlo.subtract %327, %322 : tensor<12xf32>
    %cst_95 = stablehlo.constant dense<-0.304682672> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %330 = stablehlo.add %328, %329 : tensor<12xf32>
    %331 = stablehlo.multiply %259, %330 : tensor<12xf32>
    %332 = stablehlo.subtract %331, %326 : tensor<12xf32>
    %cst_96 = stablehlo.constant dense<0.676795303> : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %334 = stablehlo.add %332, %333 : tensor<12xf32>
    %335 = stablehlo.subtract %334, %326 : tensor<12xf32>
    %cst_97 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %336 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %337 = stablehlo.multiply %336, %335 : tensor<12xf32>
    %338 = stablehlo.divide %257, %254 : tensor<12xf32>
    %339 = stablehlo.subtract %338, %256 : tensor<12xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %343 = stablehlo.multiply %339, %340 : tensor<12xf32>
    %344 = stablehlo.subtract %343, %341 : tensor<12xf32>
    %cst_101 = stablehlo.constant dense<3.39623196E-9> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %346 = stablehlo.add %344, %345 : tensor<12xf32>
    %347 = stablehlo.multiply %339, %346 : tensor<12xf32>
    %348 = stablehlo.subtract %347, %340 : tensor<12xf32>
    %cst_102 = stablehlo.constant dense<2.26666899E-8> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %350 = stablehlo.add %348, %349 : tensor<12xf32>
    %351 = stablehlo.multiply %339, %350 : tensor<12xf32>
    %352 = stablehlo.subtract %351, %346 : tensor<12xf32>
    %cst_103 = stablehlo.constant dense<2.04891862E-7> : tensor<f32>
    %353 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %354 = stablehlo.add %352, %353 : tensor<12xf32>
    %355 = stablehlo.multiply %339, %354 : tensor<12xf32>
    %356 = stablehlo.subtract %355, %350 : tensor<12xf32>
    %cst_104 = stablehlo.constant dense<2.89137051E-6> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %358 = stablehlo.add %356, %357 : tensor<12xf32>
    %359 = stablehlo.multiply %339, %358 : tensor<12xf32>
    %360 = stablehlo.subtract %359, %354 : tensor<12xf32>
    %cst_105 = stablehlo.constant dense<6.88975852E-5> : tensor<f32>
    %361 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %362 = stablehlo.add %360, %361 : tensor<12xf32>
    %363 = stablehlo.multiply %339, %362 : tensor<12xf32>
    %364 = stablehlo.subtract %363, %358 : tensor<12xf32>
    %cst_106 = stablehlo.constant dense<0.00336911646> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %366 = stablehlo.add %364, %365 : tensor<12xf32>
    %367 = stablehlo.multiply %339, %366 : tensor<12xf32>
    %368 = stablehlo.subtract %367, %362 : tensor<12xf32>
    %cst_107 = stablehlo.constant dense<0.804490387> : tensor<f32>
    %369 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %370 = stablehlo.add %368, %369 : tensor<12xf32>
    %371 = stablehlo.subtract %370, %362 : tensor<12xf32>
    %cst_108 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %372 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %373 = stablehlo.multiply %372, %371 : tensor<12xf32>
    %374 = stablehlo.sqrt %254 : tensor<12xf32>
    %375 = stablehlo.divide %373, %374 : tensor<12xf32>
    %cst_109 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %376 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %377 = stablehlo.compare LE, %254, %376, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %378 = stablehlo.select %377, %337, %375 : tensor<12xi1>, tensor<12xf32>
    %379 = stablehlo.abs %arg3 : tensor<12xf64>
    %cst_110 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %380 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %cst_111 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %381 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %cst_112 = stablehlo.constant dense<3.200000e+01> : tensor<f64>
    %382 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %383 = stablehlo.multiply %380, %379 : tensor<12xf64>
    %384 = stablehlo.subtract %383, %381 : tensor<12xf64>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %385 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %386 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %387 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %388 = stablehlo.multiply %384, %385 : tensor<12xf64>
    %389 = stablehlo.subtract %388, %386 : tensor<12xf64>
    %cst_116 = stablehlo.constant dense<-4.4153416464793395E-18> : tensor<f64>
    %390 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %391 = stablehlo.add %389, %390 : tensor<12xf64>
    %392 = stablehlo.multiply %384, %391 : tensor<12xf64>
    %393 = stablehlo.subtract %392, %385 : tensor<12xf64>
    %cst_117 = stablehlo.constant dense<3.3307945188222384E-17> : tensor<f64>
    %394 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %395 = stablehlo.add %393, %394 : tensor<12xf64>
    %396 = stablehlo.multiply %384, %395 : tensor<12xf64>
    %397 = stablehlo.subtract %396, %391 : tensor<12xf64>
    %cst_118 = stablehlo.constant dense<-2.4312798465479549E-16> : tensor<f64>
    %398 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %399 = stablehlo.add %397, %398 : tensor<12xf64>
    %400 = stablehlo.multiply %384, %399 : tensor<12xf64>
    %401 = stablehlo.subtract %400, %395 : tensor<12xf64>
    %cst_119 = stablehlo.constant dense<1.7153912855551331E-15> : tensor<f64>
    %402 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %403 = stablehlo.add %401, %402 : tensor<12xf64>
    %404 = stablehlo.multiply %384, %403 : tensor<12xf64>
    %405 = stablehlo.subtract %404, %399 : tensor<12xf64>
    %cst_120 = stablehlo.constant dense<-1.1685332877993451E-14> : tensor<f64>
    %406 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %407 = stablehlo.add %405, %406 : tensor<12xf64>
    %408 = stablehlo.multiply %384, %407 : tensor<12xf64>
    %409 = stablehlo.subtract %408, %403 : tensor<12xf64>
    %cst_121 = stablehlo.constant dense<7.6761854986049361E-14> : tensor<f64>
    %410 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %411 = stablehlo.add %409, %410 : tensor<12xf64>
    %412 = stablehlo.multiply %384, %411 : tensor<12xf64>
    %413 = stablehlo.subtract %412, %407 : tensor<12xf64>
    %cst_122 = stablehlo.constant dense<-4.856446783111929E-13> : tensor<f64>
    %414 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %415 = stablehlo.add %413, %414 : tensor<12xf64>
    %416 = stablehlo.multiply %384, %415 : tensor<12xf64>
    %417 = stablehlo.subtract %416, %411 : tensor<12xf64>
    %cst_123 = stablehlo.constant dense<2.9550526631296399E-12> : tensor<f64>
    %418 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %419 = stablehlo.add %417, %418 : tensor<12xf64>
    %420 = stablehlo.multiply %384, %419 : tensor<12xf64>
    %421 = stablehlo.subtract %420, %415 : tensor<12xf64>
    %cst_124 = stablehlo.constant dense<-1.7268262914415559E-11> : tensor<f64>
    %422 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %423 = stablehlo.add %421, %422 : tensor<12xf64>
    %424 = stablehlo.multiply %384, %423 : tensor<12xf64>
    %425 = stablehlo.subtract %424, %419 : tensor<12xf64>
    %cst_125 = stablehlo.constant dense<9.6758090353732369E-11> : tensor<f64>
    %426 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %427 = stablehlo.add %425, %426 : tensor<12xf64>
    %428 = stablehlo.multiply %384, %427 : tensor<12xf64>
    %429 = stablehlo.subtract %428, %423 : tensor<12xf64>
    %cst_126 = stablehlo.constant dense<-5.1897956016352627E-10> : tensor<f64>
    %430 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %431 = stablehlo.add %429, %430 : tensor<12xf64>
    %432 = stablehlo.multiply %384, %431 : tensor<12xf64>
    %433 = stablehlo.subtract %432, %427 : tensor<12xf64>
    %cst_127 = stablehlo.constant dense<2.6598237246823866E-9> : tensor<f64>
    %434 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %435 = stablehlo.add %433, %434 : tensor<12xf64>
    %436 = stablehlo.multiply %384, %435 : tensor<12xf64>
    %437 = stablehlo.subtract %436, %431 : tensor<12xf64>
    %cst_128 = stablehlo.constant dense<-1.300025009986248E-8> : tensor<f64>
    %438 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %439 = stablehlo.add %437, %438 : tensor<12xf64>
    %440 = stablehlo.multiply %384, %439 : tensor<12xf64>
    %441 = stablehlo.subtract %440, %435 : tensor<12xf64>
    %cst_129 = stablehlo.constant dense<6.0469950225419186E-8> : tensor<f64>
    %442 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %443 = stablehlo.add %441, %442 : tensor<12xf64>
    %444 = stablehlo.multiply %384, %443 : tensor<12xf64>
    %445 = stablehlo.subtract %444, %439 : tensor<12xf64>
    %cst_130 = stablehlo.constant dense<-2.6707938539406119E-7> : tensor<f64>
    %446 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %447 = stablehlo.add %445, %446 : tensor<12xf64>
    %448 = stablehlo.multiply %384, %447 : tensor<12xf64>
    %449 = stablehlo.subtract %448, %443 : tensor<12xf64>
    %cst_131 = stablehlo.constant dense<1.1173875391201037E-6> : tensor<f64>
    %450 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %451 = stablehlo.add %449, %450 : tensor<12xf64>
    %452 = stablehlo.multiply %384, %451 : tensor<12xf64>
    %453 = stablehlo.subtract %452, %447 : tensor<12xf64>
    %cst_132 = stablehlo.constant dense<-4.4167383584587505E-6> : tensor<f64>
    %454 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %455 = stablehlo.add %453, %454 : tensor<12xf64>
    %456 = stablehlo.multiply %384, %455 : tensor<12xf64>
    %457 = stablehlo.subtract %456, %451 : tensor<12xf64>
    %cst_133 = stablehlo.constant dense<1.6448448070728896E-5> : tensor<f64>
    %458 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %459 = stablehlo.add %457, %458 : tensor<12xf64>
    %460 = stablehlo.multiply %384, %459 : tensor<12xf64>
    %461 = stablehlo.subtract %460, %455 : tensor<12xf64>
    %cst_134 = stablehlo.constant dense<-5.754195010082104E-5> : tensor<f64>
    %462 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %463 = stablehlo.add %461, %462 : tensor<12xf64>
    %464 = stablehlo.multiply %384, %463 : tensor<12xf64>
    %465 = stablehlo.subtract %464, %459 : tensor<12xf64>
    %cst_135 = stablehlo.constant dense<1.8850288509584165E-4> : tensor<f64>
    %466 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %467 = stablehlo.add %465, %466 : tensor<12xf64>
    %468 = stablehlo.multiply %384, %467 : tensor<12xf64>
    %469 = stablehlo.subtract %468, %463 : tensor<12xf64>
    %cst_136 = stablehlo.constant dense<-5.7637557453858236E-4> : tensor<f64>
    %470 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %471 = stablehlo.add %469, %470 : tensor<12xf64>
    %472 = stablehlo.multiply %384, %471 : tensor<12xf64>
    %473 = stablehlo.subtract %472, %467 : tensor<12xf64>
    %cst_137 = stablehlo.constant dense<0.0016394756169413357> : tensor<f64>
    %474 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %475 = stablehlo.add %473, %474 : tensor<12xf64>
    %476 = stablehlo.multiply %384, %475 : tensor<12xf64>
    %477 = stablehlo.subtract %476, %471 : tensor<12xf64>
    %cst_138 = stablehlo.constant dense<-0.0043243099950505759> : tensor<f64>
    %478 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %479 = stablehlo.add %477, %478 : tensor<12xf64>
    %480 = stablehlo.multiply %384, %479 : tensor<12xf64>
    %481 = stablehlo.subtract %480, %475 : tensor<12xf64>
    %cst_139 = stablehlo.constant dense<0.010546460394594998> : tensor<f64>
    %482 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %483 = stablehlo.add %481, %482 : tensor<12xf64>
    %484 = stablehlo.multiply %384, %483 : tensor<12xf64>
    %485 = stablehlo.subtract %484, %479 : tensor<12xf64>
    %cst_140 = stablehlo.constant dense<-0.023737414805899471> : tensor<f64>
    %486 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %487 = stablehlo.add %485, %486 : tensor<12xf64>
    %488 = stablehlo.multiply %384, %487 : tensor<12xf64>
    %489 = stablehlo.subtract %488, %483 : tensor<12xf64>
    %cst_141 = stablehlo.constant dense<0.049305284239670712> : tensor<f64>
    %490 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %491 = stablehlo.add %489, %490 : tensor<12xf64>
    %492 = stablehlo.multiply %384, %491 : tensor<12xf64>
    %493 = stablehlo.subtract %492, %487 : tensor<12xf64>
    %cst_142 = stablehlo.constant dense<-0.094901097048047639> : tensor<f64>
    %494 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %495 = stablehlo.add %493, %494 : tensor<12xf64>
    %496 = stablehlo.multiply %384, %495 : tensor<12xf64>
    %497 = stablehlo.subtract %496, %491 : tensor<12xf64>
    %cst_143 = stablehlo.constant dense<0.17162090152220877> : tensor<f64>
    %498 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %499 = stablehlo.add %497, %498 : tensor<12xf64>
    %500 = stablehlo.multiply %384, %499 : tensor<12xf64>
    %501 = stablehlo.subtract %500, %495 : tensor<12xf64>
    %cst_144 = stablehlo.constant dense<-0.3046826723431984> : tensor<f64>
    %502 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %503 = stablehlo.add %501, %502 : tensor<12xf64>
    %504 = stablehlo.multiply %384, %503 : tensor<12xf64>
    %505 = stablehlo.subtract %504, %499 : tensor<12xf64>
    %cst_145 = stablehlo.constant dense<0.67679527440947607> : tensor<f64>
    %506 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %507 = stablehlo.add %505, %506 : tensor<12xf64>
    %508 = stablehlo.subtract %507, %499 : tensor<12xf64>
    %cst_146 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %509 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %510 = stablehlo.multiply %509, %508 : tensor<12xf64>
    %511 = stablehlo.divide %382, %379 : tensor<12xf64>
    %512 = stablehlo.subtract %511, %381 : tensor<12xf64>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %513 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %514 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %515 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %516 = stablehlo.multiply %512, %513 : tensor<12xf64>
    %517 = stablehlo.subtract %516, %514 : tensor<12xf64>
    %cst_150 = stablehlo.constant dense<-7.2331804878747538E-18> : tensor<f64>
    %518 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %519 = stablehlo.add %517, %518 : tensor<12xf64>
    %520 = stablehlo.multiply %512, %519 : tensor<12xf64>
    %521 = stablehlo.subtract %520, %513 : tensor<12xf64>
    %cst_151 = stablehlo.constant dense<-4.8305044859441819E-18> : tensor<f64>
    %522 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %523 = stablehlo.add %521, %522 : tensor<12xf64>
    %524 = stablehlo.multiply %512, %523 : tensor<12xf64>
    %525 = stablehlo.subtract %524, %519 : tensor<12xf64>
    %cst_152 = stablehlo.constant dense<4.4656214202967598E-17> : tensor<f64>
    %526 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %527 = stablehlo.add %525, %526 : tensor<12xf64>
    %528 = stablehlo.multiply %512, %527 : tensor<12xf64>
    %529 = stablehlo.subtract %528, %523 : tensor<12xf64>
    %cst_153 = stablehlo.constant dense<3.4612228676974612E-17> : tensor<f64>
    %530 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %531 = stablehlo.add %529, %530 : tensor<12xf64>
    %532 = stablehlo.multiply %512, %531 : tensor<12xf64>
    %533 = stablehlo.subtract %532, %527 : tensor<12xf64>
    %cst_154 = stablehlo.constant dense<-2.8276239805165836E-16> : tensor<f64>
    %534 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %535 = stablehlo.add %533, %534 : tensor<12xf64>
    %536 = stablehlo.multiply %512, %535 : tensor<12xf64>
    %537 = stablehlo.subtract %536, %531 : tensor<12xf64>
    %cst_155 = stablehlo.constant dense<-3.425485619677219E-16> : tensor<f64>
    %538 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %539 = stablehlo.add %537, %538 : tensor<12xf64>
    %540 = stablehlo.multiply %512, %539 : tensor<12xf64>
    %541 = stablehlo.subtract %540, %535 : tensor<12xf64>
    %cst_156 = stablehlo.constant dense<1.7725601330565263E-15> : tensor<f64>
    %542 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %543 = stablehlo.add %541, %542 : tensor<12xf64>
    %544 = stablehlo.multiply %512, %543 : tensor<12xf64>
    %545 = stablehlo.subtract %544, %539 : tensor<12xf64>
    %cst_157 = stablehlo.constant dense<3.8116806693526224E-15> : tensor<f64>
    %546 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %547 = stablehlo.add %545, %546 : tensor<12xf64>
    %548 = stablehlo.multiply %512, %547 : tensor<12xf64>
    %549 = stablehlo.subtract %548, %543 : tensor<12xf64>
    %cst_158 = stablehlo.constant dense<-9.5548466988283073E-15> : tensor<f64>
    %550 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %551 = stablehlo.add %549, %550 : tensor<12xf64>
    %552 = stablehlo.multiply %512, %551 : tensor<12xf64>
    %553 = stablehlo.subtract %552, %547 : tensor<12xf64>
    %cst_159 = stablehlo.constant dense<-4.1505693472872222E-14> : tensor<f64>
    %554 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %555 = stablehlo.add %553, %554 : tensor<12xf64>
    %556 = stablehlo.multiply %512, %555 : tensor<12xf64>
    %557 = stablehlo.subtract %556, %551 : tensor<12xf64>
    %cst_160 = stablehlo.constant dense<1.54008621752141E-14> : tensor<f64>
    %558 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %559 = stablehlo.add %557, %558 : tensor<12xf64>
    %560 = stablehlo.multiply %512, %559 : tensor<12xf64>
    %561 = stablehlo.subtract %560, %555 : tensor<12xf64>
    %cst_161 = stablehlo.constant dense<3.8527783827421426E-13> : tensor<f64>
    %562 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %563 = stablehlo.add %561, %562 : tensor<12xf64>
    %564 = stablehlo.multiply %512, %563 : tensor<12xf64>
    %565 = stablehlo.subtract %564, %559 : tensor<12xf64>
    %cst_162 = stablehlo.constant dense<7.180124451383666E-13> : tensor<f64>
    %566 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %567 = stablehlo.add %565, %566 : tensor<12xf64>
    %568 = stablehlo.multiply %512, %567 : tensor<12xf64>
    %569 = stablehlo.subtract %568, %563 : tensor<12xf64>
    %cst_163 = stablehlo.constant dense<-1.7941785315068062E-12> : tensor<f64>
    %570 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %571 = stablehlo.add %569, %570 : tensor<12xf64>
    %572 = stablehlo.multiply %512, %571 : tensor<12xf64>
    %573 = stablehlo.subtract %572, %567 : tensor<12xf64>
    %cst_164 = stablehlo.constant dense<-1.3215811840447713E-11> : tensor<f64>
    %574 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %575 = stablehlo.add %573, %574 : tensor<12xf64>
    %576 = stablehlo.multiply %512, %575 : tensor<12xf64>
    %577 = stablehlo.subtract %576, %571 : tensor<12xf64>
    %cst_165 = stablehlo.constant dense<-3.1499165279632416E-11> : tensor<f64>
    %578 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %579 = stablehlo.add %577, %578 : tensor<12xf64>
    %580 = stablehlo.multiply %512, %579 : tensor<12xf64>
    %581 = stablehlo.subtract %580, %575 : tensor<12xf64>
    %cst_166 = stablehlo.constant dense<1.1889147107846439E-11> : tensor<f64>
    %582 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %583 = stablehlo.add %581, %582 : tensor<12xf64>
    %584 = stablehlo.multiply %512, %583 : tensor<12xf64>
    %585 = stablehlo.subtract %584, %579 : tensor<12xf64>
    %cst_167 = stablehlo.constant dense<4.9406023882249701E-10> : tensor<f64>
    %586 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %587 = stablehlo.add %585, %586 : tensor<12xf64>
    %588 = stablehlo.multiply %512, %587 : tensor<12xf64>
    %589 = stablehlo.subtract %588, %583 : tensor<12xf64>
    %cst_168 = stablehlo.constant dense<3.3962320257083865E-9> : tensor<f64>
    %590 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %591 = stablehlo.add %589, %590 : tensor<12xf64>
    %592 = stablehlo.multiply %512, %591 : tensor<12xf64>
    %593 = stablehlo.subtract %592, %587 : tensor<12xf64>
    %cst_169 = stablehlo.constant dense<2.266668990498178E-8> : tensor<f64>
    %594 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %595 = stablehlo.add %593, %594 : tensor<12xf64>
    %596 = stablehlo.multiply %512, %595 : tensor<12xf64>
    %597 = stablehlo.subtract %596, %591 : tensor<12xf64>
    %cst_170 = stablehlo.constant dense<2.0489185894690638E-7> : tensor<f64>
    %598 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %599 = stablehlo.add %597, %598 : tensor<12xf64>
    %600 = stablehlo.multiply %512, %599 : tensor<12xf64>
    %601 = stablehlo.subtract %600, %595 : tensor<12xf64>
    %cst_171 = stablehlo.constant dense<2.8913705208347567E-6> : tensor<f64>
    %602 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %603 = stablehlo.add %601, %602 : tensor<12xf64>
    %604 = stablehlo.multiply %512, %603 : tensor<12xf64>
    %605 = stablehlo.subtract %604, %599 : tensor<12xf64>
    %cst_172 = stablehlo.constant dense<6.8897583469168245E-5> : tensor<f64>
    %606 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %607 = stablehlo.add %605, %606 : tensor<12xf64>
    %608 = stablehlo.multiply %512, %607 : tensor<12xf64>
    %609 = stablehlo.subtract %608, %603 : tensor<12xf64>
    %cst_173 = stablehlo.constant dense<0.0033691164782556943> : tensor<f64>
    %610 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %611 = stablehlo.add %609, %610 : tensor<12xf64>
    %612 = stablehlo.multiply %512, %611 : tensor<12xf64>
    %613 = stablehlo.subtract %612, %607 : tensor<12xf64>
    %cst_174 = stablehlo.constant dense<0.80449041101410879> : tensor<f64>
    %614 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %615 = stablehlo.add %613, %614 : tensor<12xf64>
    %616 = stablehlo.subtract %615, %607 : tensor<12xf64>
    %cst_175 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %617 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %618 = stablehlo.multiply %617, %616 : tensor<12xf64>
    %619 = stablehlo.sqrt %379 : tensor<12xf64>
    %620 = stablehlo.divide %618, %619 : tensor<12xf64>
    %cst_176 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %621 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f64>) -> tensor<12xf64>
    %622 = stablehlo.compare LE, %379, %621, FLOAT : (tensor<12xf64>, tensor<12xf64>) -> tensor<12xi1>
    %623 = stablehlo.select %622, %510, %620 : tensor<12xi1>, tensor<12xf64>
    return %126, %253, %378, %623 : tensor<12xf16>, tensor<12xbf16>, tensor<12xf32>, tensor<12xf64>
  }
}
