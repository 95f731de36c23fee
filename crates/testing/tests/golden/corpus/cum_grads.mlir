module @jit_cum_grads attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<6xf32> {jax.result_info = "result[0]"}, tensor<6xf32> {jax.result_info = "result[1]"}, tensor<6xf32> {jax.result_info = "result[2]"}, tensor<6xf32> {jax.result_info = "result[3]"}) {
    %0 = call @cumsum(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    %1 = stablehlo.sine %0 : tensor<6xf32>
    %2 = stablehlo.cosine %0 : tensor<6xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %5 = stablehlo.multiply %4, %2 : tensor<6xf32>
    %6 = call @cumsum_0(%5) : (tensor<6xf32>) -> tensor<6xf32>
    %7 = stablehlo.slice %arg0 [0:5:2] : (tensor<6xf32>) -> tensor<3xf32>
    %8 = stablehlo.slice %arg0 [1:6:2] : (tensor<6xf32>) -> tensor<3xf32>
    %9 = stablehlo.multiply %7, %8 : tensor<3xf32>
    %10 = stablehlo.slice %9 [0:2:2] : (tensor<3xf32>) -> tensor<1xf32>
    %11 = stablehlo.slice %9 [1:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<1xf32>
    %13 = stablehlo.slice %9 [2:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<1xf32>
    %15 = stablehlo.slice %9 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %16 = stablehlo.concatenate %15, %14, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.pad %16, %cst_1, low = [0], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.pad %12, %cst_2, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %19 = stablehlo.add %17, %18 : tensor<3xf32>
    %20 = stablehlo.slice %19 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %21 = stablehlo.slice %arg0 [2:6:2] : (tensor<6xf32>) -> tensor<2xf32>
    %22 = stablehlo.multiply %20, %21 : tensor<2xf32>
    %23 = stablehlo.slice %arg0 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %24 = stablehlo.concatenate %23, %22, dim = 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.pad %24, %cst_3, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.pad %19, %cst_4, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %27 = stablehlo.add %25, %26 : tensor<6xf32>
    %28 = stablehlo.sine %27 : tensor<6xf32>
    %29 = stablehlo.cosine %27 : tensor<6xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%28 init: %cst_5) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %32 = stablehlo.multiply %31, %29 : tensor<6xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.pad %32, %cst_7, low = [-1], high = [0], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
    %34 = stablehlo.slice %33 [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.pad %32, %cst_8, low = [0], high = [-1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
    %36 = stablehlo.slice %35 [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
    %37 = stablehlo.slice %36 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %38 = stablehlo.slice %36 [1:3] : (tensor<3xf32>) -> tensor<2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.pad %37, %cst_9, low = [0], high = [5], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<6xf32>
    %40 = stablehlo.multiply %20, %38 : tensor<2xf32>
    %41 = stablehlo.multiply %38, %21 : tensor<2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.pad %40, %cst_10, low = [2], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
    %43 = stablehlo.add %39, %42 : tensor<6xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.pad %41, %cst_11, low = [0], high = [1], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %45 = stablehlo.add %34, %44 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.pad %45, %cst_12, low = [-1], high = [-1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
    %47 = stablehlo.slice %46 [0:1:2] : (tensor<1xf32>) -> tensor<1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.pad %45, %cst_13, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %49 = stablehlo.slice %48 [0:3:2] : (tensor<3xf32>) -> tensor<2xf32>
    %50 = stablehlo.slice %49 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %51 = stablehlo.slice %49 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %52 = stablehlo.pad %50, %cst_14, low = [0], high = [2], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %53 = stablehlo.multiply %12, %51 : tensor<1xf32>
    %54 = stablehlo.multiply %51, %13 : tensor<1xf32>
    %55 = stablehlo.add %47, %54 : tensor<1xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.pad %53, %cst_15, low = [2], high = [0], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %57 = stablehlo.add %52, %56 : tensor<3xf32>
    %58 = stablehlo.multiply %10, %55 : tensor<1xf32>
    %59 = stablehlo.multiply %55, %11 : tensor<1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.pad %58, %cst_16, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %61 = stablehlo.add %57, %60 : tensor<3xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.pad %59, %cst_17, low = [0], high = [2], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %63 = stablehlo.add %61, %62 : tensor<3xf32>
    %64 = stablehlo.multiply %7, %63 : tensor<3xf32>
    %65 = stablehlo.multiply %63, %8 : tensor<3xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.pad %64, %cst_18, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %67 = stablehlo.add %43, %66 : tensor<6xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.pad %65, %cst_19, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %69 = stablehlo.add %67, %68 : tensor<6xf32>
    %70 = stablehlo.slice %arg0 [0:5:2] : (tensor<6xf32>) -> tensor<3xf32>
    %71 = stablehlo.slice %arg0 [1:6:2] : (tensor<6xf32>) -> tensor<3xf32>
    %72 = stablehlo.maximum %70, %71 : tensor<3xf32>
    %73 = stablehlo.compare EQ, %70, %72, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %76 = stablehlo.select %73, %74, %75 : tensor<3xi1>, tensor<3xf32>
    %77 = stablehlo.compare EQ, %71, %72, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %80 = stablehlo.select %77, %78, %79 : tensor<3xi1>, tensor<3xf32>
    %81 = stablehlo.divide %76, %80 : tensor<3xf32>
    %82 = stablehlo.compare EQ, %71, %72, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %85 = stablehlo.select %82, %83, %84 : tensor<3xi1>, tensor<3xf32>
    %86 = stablehlo.compare EQ, %70, %72, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %89 = stablehlo.select %86, %87, %88 : tensor<3xi1>, tensor<3xf32>
    %90 = stablehlo.divide %85, %89 : tensor<3xf32>
    %91 = stablehlo.slice %72 [0:2:2] : (tensor<3xf32>) -> tensor<1xf32>
    %92 = stablehlo.slice %72 [1:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %93 = stablehlo.maximum %91, %92 : tensor<1xf32>
    %94 = stablehlo.compare EQ, %91, %93, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_28 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %97 = stablehlo.select %94, %95, %96 : tensor<1xi1>, tensor<1xf32>
    %98 = stablehlo.compare EQ, %92, %93, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %101 = stablehlo.select %98, %99, %100 : tensor<1xi1>, tensor<1xf32>
    %102 = stablehlo.divide %97, %101 : tensor<1xf32>
    %103 = stablehlo.compare EQ, %92, %93, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %106 = stablehlo.select %103, %104, %105 : tensor<1xi1>, tensor<1xf32>
    %107 = stablehlo.compare EQ, %91, %93, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_34 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %110 = stablehlo.select %107, %108, %109 : tensor<1xi1>, tensor<1xf32>
    %111 = stablehlo.divide %106, %110 : tensor<1xf32>
    %112 = stablehlo.slice %72 [2:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %113 = stablehlo.maximum %93, %112 : tensor<1xf32>
    %114 = stablehlo.compare EQ, %93, %113, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %117 = stablehlo.select %114, %115, %116 : tensor<1xi1>, tensor<1xf32>
    %118 = stablehlo.compare EQ, %112, %113, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_38 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %119 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %121 = stablehlo.select %118, %119, %120 : tensor<1xi1>, tensor<1xf32>
    %122 = stablehlo.divide %117, %121 : tensor<1xf32>
    %123 = stablehlo.compare EQ, %112, %113, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %126 = stablehlo.select %123, %124, %125 : tensor<1xi1>, tensor<1xf32>
    %127 = stablehlo.compare EQ, %93, %113, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_42 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %130 = stablehlo.select %127, %128, %129 : tensor<1xi1>, tensor<1xf32>
    %131 = stablehlo.divide %126, %130 : tensor<1xf32>
    %132 = stablehlo.slice %72 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %133 = stablehlo.concatenate %132, %113, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %134 = stablehlo.pad %133, %cst_44, low = [0], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.pad %93, %cst_45, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %136 = stablehlo.add %134, %135 : tensor<3xf32>
    %137 = stablehlo.slice %136 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %138 = stablehlo.slice %arg0 [2:6:2] : (tensor<6xf32>) -> tensor<2xf32>
    %139 = stablehlo.maximum %137, %138 : tensor<2xf32>
    %140 = stablehlo.compare EQ, %137, %139, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %143 = stablehlo.select %140, %141, %142 : tensor<2xi1>, tensor<2xf32>
    %144 = stablehlo.compare EQ, %138, %139, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %147 = stablehlo.select %144, %145, %146 : tensor<2xi1>, tensor<2xf32>
    %148 = stablehlo.divide %143, %147 : tensor<2xf32>
    %149 = stablehlo.compare EQ, %138, %139, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %152 = stablehlo.select %149, %150, %151 : tensor<2xi1>, tensor<2xf32>
    %153 = stablehlo.compare EQ, %137, %139, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_52 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %156 = stablehlo.select %153, %154, %155 : tensor<2xi1>, tensor<2xf32>
    %157 = stablehlo.divide %152, %156 : tensor<2xf32>
    %158 = stablehlo.slice %arg0 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %159 = stablehlo.concatenate %158, %139, dim = 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.pad %159, %cst_54, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.pad %136, %cst_55, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %162 = stablehlo.add %160, %161 : tensor<6xf32>
    %163 = stablehlo.sine %162 : tensor<6xf32>
    %164 = stablehlo.cosine %162 : tensor<6xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%163 init: %cst_56) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_57 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %167 = stablehlo.multiply %166, %164 : tensor<6xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.pad %167, %cst_58, low = [-1], high = [0], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
    %169 = stablehlo.slice %168 [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.pad %167, %cst_59, low = [0], high = [-1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
    %171 = stablehlo.slice %170 [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
    %172 = stablehlo.slice %171 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %173 = stablehlo.slice %171 [1:3] : (tensor<3xf32>) -> tensor<2xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %174 = stablehlo.pad %172, %cst_60, low = [0], high = [5], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<6xf32>
    %175 = stablehlo.multiply %173, %157 : tensor<2xf32>
    %176 = stablehlo.multiply %173, %148 : tensor<2xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %177 = stablehlo.pad %175, %cst_61, low = [2], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
    %178 = stablehlo.add %174, %177 : tensor<6xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %179 = stablehlo.pad %176, %cst_62, low = [0], high = [1], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %180 = stablehlo.add %169, %179 : tensor<3xf32>
    %cst_63 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %181 = stablehlo.pad %180, %cst_63, low = [-1], high = [-1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
    %182 = stablehlo.slice %181 [0:1:2] : (tensor<1xf32>) -> tensor<1xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %183 = stablehlo.pad %180, %cst_64, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %184 = stablehlo.slice %183 [0:3:2] : (tensor<3xf32>) -> tensor<2xf32>
    %185 = stablehlo.slice %184 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %186 = stablehlo.slice %184 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %187 = stablehlo.pad %185, %cst_65, low = [0], high = [2], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %188 = stablehlo.multiply %186, %131 : tensor<1xf32>
    %189 = stablehlo.multiply %186, %122 : tensor<1xf32>
    %190 = stablehlo.add %182, %189 : tensor<1xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %191 = stablehlo.pad %188, %cst_66, low = [2], high = [0], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %192 = stablehlo.add %187, %191 : tensor<3xf32>
    %193 = stablehlo.multiply %190, %111 : tensor<1xf32>
    %194 = stablehlo.multiply %190, %102 : tensor<1xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %195 = stablehlo.pad %193, %cst_67, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %196 = stablehlo.add %192, %195 : tensor<3xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %197 = stablehlo.pad %194, %cst_68, low = [0], high = [2], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %198 = stablehlo.add %196, %197 : tensor<3xf32>
    %199 = stablehlo.multiply %198, %90 : tensor<3xf32>
    %200 = stablehlo.multiply %198, %81 : tensor<3xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = stablehlo.pad %199, %cst_69, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %202 = stablehlo.add %178, %201 : tensor<6xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %203 = stablehlo.pad %200, %cst_70, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %204 = stablehlo.add %202, %203 : tensor<6xf32>
    %205 = stablehlo.slice %arg0 [0:5:2] : (tensor<6xf32>) -> tensor<3xf32>
    %206 = stablehlo.slice %arg0 [1:6:2] : (tensor<6xf32>) -> tensor<3xf32>
    %207 = stablehlo.maximum %205, %206 : tensor<3xf32>
    %208 = stablehlo.subtract %205, %206 : tensor<3xf32>
    %209 = stablehlo.compare NE, %208, %208, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %210 = stablehlo.add %205, %206 : tensor<3xf32>
    %211 = stablehlo.abs %208 : tensor<3xf32>
    %212 = stablehlo.negate %211 : tensor<3xf32>
    %213 = stablehlo.exponential %212 : tensor<3xf32>
    %214 = stablehlo.log_plus_one %213 : tensor<3xf32>
    %215 = stablehlo.add %207, %214 : tensor<3xf32>
    %216 = stablehlo.select %209, %210, %215 : tensor<3xi1>, tensor<3xf32>
    %cst_71 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %217 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %218 = stablehlo.compare EQ, %205, %217, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %220 = stablehlo.select %218, %219, %205 : tensor<3xi1>, tensor<3xf32>
    %cst_73 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %222 = stablehlo.compare EQ, %216, %221, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %224 = stablehlo.select %222, %223, %216 : tensor<3xi1>, tensor<3xf32>
    %225 = stablehlo.subtract %220, %224 : tensor<3xf32>
    %226 = stablehlo.exponential %225 : tensor<3xf32>
    %cst_75 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %228 = stablehlo.compare EQ, %206, %227, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %230 = stablehlo.select %228, %229, %206 : tensor<3xi1>, tensor<3xf32>
    %cst_77 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %232 = stablehlo.compare EQ, %216, %231, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %234 = stablehlo.select %232, %233, %216 : tensor<3xi1>, tensor<3xf32>
    %235 = stablehlo.subtract %230, %234 : tensor<3xf32>
    %236 = stablehlo.exponential %235 : tensor<3xf32>
    %237 = stablehlo.slice %216 [0:2:2] : (tensor<3xf32>) -> tensor<1xf32>
    %238 = stablehlo.slice %216 [1:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %239 = stablehlo.maximum %237, %238 : tensor<1xf32>
    %240 = stablehlo.subtract %237, %238 : tensor<1xf32>
    %241 = stablehlo.compare NE, %240, %240, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %242 = stablehlo.add %237, %238 : tensor<1xf32>
    %243 = stablehlo.abs %240 : tensor<1xf32>
    %244 = stablehlo.negate %243 : tensor<1xf32>
    %245 = stablehlo.exponential %244 : tensor<1xf32>
    %246 = stablehlo.log_plus_one %245 : tensor<1xf32>
    %247 = stablehlo.add %239, %246 : tensor<1xf32>
    %248 = stablehlo.select %241, %242, %247 : tensor<1xi1>, tensor<1xf32>
    %cst_79 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %250 = stablehlo.compare EQ, %237, %249, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %252 = stablehlo.select %250, %251, %237 : tensor<1xi1>, tensor<1xf32>
    %cst_81 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %254 = stablehlo.compare EQ, %248, %253, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %256 = stablehlo.select %254, %255, %248 : tensor<1xi1>, tensor<1xf32>
    %257 = stablehlo.subtract %252, %256 : tensor<1xf32>
    %258 = stablehlo.exponential %257 : tensor<1xf32>
    %cst_83 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %260 = stablehlo.compare EQ, %238, %259, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %262 = stablehlo.select %260, %261, %238 : tensor<1xi1>, tensor<1xf32>
    %cst_85 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %264 = stablehlo.compare EQ, %248, %263, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %266 = stablehlo.select %264, %265, %248 : tensor<1xi1>, tensor<1xf32>
    %267 = stablehlo.subtract %262, %266 : tensor<1xf32>
    %268 = stablehlo.exponential %267 : tensor<1xf32>
    %269 = stablehlo.slice %216 [2:3:2] : (tensor<3xf32>) -> tensor<1xf32>
    %270 = stablehlo.maximum %248, %269 : tensor<1xf32>
    %271 = stablehlo.subtract %248, %269 : tensor<1xf32>
    %272 = stablehlo.compare NE, %271, %271, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %273 = stablehlo.add %248, %269 : tensor<1xf32>
    %274 = stablehlo.abs %271 : tensor<1xf32>
    %275 = stablehlo.negate %274 : tensor<1xf32>
    %276 = stablehlo.exponential %275 : tensor<1xf32>
    %277 = stablehlo.log_plus_one %276 : tensor<1xf32>
    %278 = stablehlo.add %270, %277 : tensor<1xf32>
    %279 = stablehlo.select %272, %273, %278 : tensor<1xi1>, tensor<1xf32>
    %cst_87 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %281 = stablehlo.compare EQ, %248, %280, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %283 = stablehlo.select %281, %282, %248 : tensor<1xi1>, tensor<1xf32>
    %cst_89 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %285 = stablehlo.compare EQ, %279, %284, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %287 = stablehlo.select %285, %286, %279 : tensor<1xi1>, tensor<1xf32>
    %288 = stablehlo.subtract %283, %287 : tensor<1xf32>
    %289 = stablehlo.exponential %288 : tensor<1xf32>
    %cst_91 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %291 = stablehlo.compare EQ, %269, %290, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %293 = stablehlo.select %291, %292, %269 : tensor<1xi1>, tensor<1xf32>
    %cst_93 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %295 = stablehlo.compare EQ, %279, %294, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %297 = stablehlo.select %295, %296, %279 : tensor<1xi1>, tensor<1xf32>
    %298 = stablehlo.subtract %293, %297 : tensor<1xf32>
    %299 = stablehlo.exponential %298 : tensor<1xf32>
    %300 = stablehlo.slice %216 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %301 = stablehlo.concatenate %300, %279, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.pad %301, %cst_95, low = [0], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %303 = stablehlo.pad %248, %cst_96, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %304 = stablehlo.add %302, %303 : tensor<3xf32>
    %305 = stablehlo.slice %304 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %306 = stablehlo.slice %arg0 [2:6:2] : (tensor<6xf32>) -> tensor<2xf32>
    %307 = stablehlo.maximum %305, %306 : tensor<2xf32>
    %308 = stablehlo.subtract %305, %306 : tensor<2xf32>
    %309 = stablehlo.compare NE, %308, %308, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %310 = stablehlo.add %305, %306 : tensor<2xf32>
    %311 = stablehlo.abs %308 : tensor<2xf32>
    %312 = stablehlo.negate %311 : tensor<2xf32>
    %313 = stablehlo.exponential %312 : tensor<2xf32>
    %314 = stablehlo.log_plus_one %313 : tensor<2xf32>
    %315 = stablehlo.add %307, %314 : tensor<2xf32>
    %316 = stablehlo.select %309, %310, %315 : tensor<2xi1>, tensor<2xf32>
    %cst_97 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %317 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %318 = stablehlo.compare EQ, %305, %317, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %320 = stablehlo.select %318, %319, %305 : tensor<2xi1>, tensor<2xf32>
    %cst_99 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %322 = stablehlo.compare EQ, %316, %321, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %324 = stablehlo.select %322, %323, %316 : tensor<2xi1>, tensor<2xf32>
    %325 = stablehlo.subtract %320, %324 : tensor<2xf32>
    %326 = stablehlo.exponential %325 : tensor<2xf32>
    %cst_101 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %327 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %328 = stablehlo.compare EQ, %306, %327, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %329 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %330 = stablehlo.select %328, %329, %306 : tensor<2xi1>, tensor<2xf32>
    %cst_103 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %331 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %332 = stablehlo.compare EQ, %316, %331, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %334 = stablehlo.select %332, %333, %316 : tensor<2xi1>, tensor<2xf32>
    %335 = stablehlo.subtract %330, %334 : tensor<2xf32>
    %336 = stablehlo.exponential %335 : tensor<2xf32>
    %337 = stablehlo.slice %arg0 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %338 = stablehlo.concatenate %337, %316, dim = 0 : (tensor<1xf32>, tensor<2xf32>) -> tensor<3xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %339 = stablehlo.pad %338, %cst_105, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %340 = stablehlo.pad %304, %cst_106, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %341 = stablehlo.add %339, %340 : tensor<6xf32>
    %342 = stablehlo.sine %341 : tensor<6xf32>
    %343 = stablehlo.cosine %341 : tensor<6xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %344 = stablehlo.reduce(%342 init: %cst_107) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %346 = stablehlo.multiply %345, %343 : tensor<6xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %347 = stablehlo.pad %346, %cst_109, low = [-1], high = [0], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
    %348 = stablehlo.slice %347 [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %349 = stablehlo.pad %346, %cst_110, low = [0], high = [-1], interior = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<5xf32>
    %350 = stablehlo.slice %349 [0:5:2] : (tensor<5xf32>) -> tensor<3xf32>
    %351 = stablehlo.slice %350 [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    %352 = stablehlo.slice %350 [1:3] : (tensor<3xf32>) -> tensor<2xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %353 = stablehlo.pad %351, %cst_111, low = [0], high = [5], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<6xf32>
    %354 = stablehlo.multiply %352, %336 : tensor<2xf32>
    %355 = stablehlo.multiply %352, %326 : tensor<2xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.pad %354, %cst_112, low = [2], high = [1], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<6xf32>
    %357 = stablehlo.add %353, %356 : tensor<6xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %358 = stablehlo.pad %355, %cst_113, low = [0], high = [1], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<3xf32>
    %359 = stablehlo.add %348, %358 : tensor<3xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %360 = stablehlo.pad %359, %cst_114, low = [-1], high = [-1], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<1xf32>
    %361 = stablehlo.slice %360 [0:1:2] : (tensor<1xf32>) -> tensor<1xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %362 = stablehlo.pad %359, %cst_115, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
    %363 = stablehlo.slice %362 [0:3:2] : (tensor<3xf32>) -> tensor<2xf32>
    %364 = stablehlo.slice %363 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %365 = stablehlo.slice %363 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %366 = stablehlo.pad %364, %cst_116, low = [0], high = [2], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %367 = stablehlo.multiply %365, %299 : tensor<1xf32>
    %368 = stablehlo.multiply %365, %289 : tensor<1xf32>
    %369 = stablehlo.add %361, %368 : tensor<1xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %370 = stablehlo.pad %367, %cst_117, low = [2], high = [0], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %371 = stablehlo.add %366, %370 : tensor<3xf32>
    %372 = stablehlo.multiply %369, %268 : tensor<1xf32>
    %373 = stablehlo.multiply %369, %258 : tensor<1xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %374 = stablehlo.pad %372, %cst_118, low = [1], high = [1], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %375 = stablehlo.add %371, %374 : tensor<3xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %376 = stablehlo.pad %373, %cst_119, low = [0], high = [2], interior = [1] : (tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
    %377 = stablehlo.add %375, %376 : tensor<3xf32>
    %378 = stablehlo.multiply %377, %236 : tensor<3xf32>
    %379 = stablehlo.multiply %377, %226 : tensor<3xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %380 = stablehlo.pad %378, %cst_120, low = [1], high = [0], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %381 = stablehlo.add %357, %380 : tensor<6xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %382 = stablehlo.pad %379, %cst_121, low = [0], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
    %383 = stablehlo.add %381, %382 : tensor<6xf32>
    return %6, %69, %204, %383 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  }
  func.func private @cumsum(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[5, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 6>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1>, padding = dense<[[0, 5]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 6>, window_strides = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<6xf32>, tensor<f32>) -> tensor<6xf32>
    return %1 : tensor<6xf32>
  }
}
