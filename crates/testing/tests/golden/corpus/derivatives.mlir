module @jit_derivatives attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3xf32>) -> (tensor<3x3xf32> {jax.result_info = "result[0]"}, tensor<3x3xf32> {jax.result_info = "result[1]"}, tensor<3x3xf32> {jax.result_info = "result[2]"}, tensor<3xf32> {jax.result_info = "result[3][0]"}, tensor<3xf32> {jax.result_info = "result[3][1]"}, tensor<3xf32> {jax.result_info = "result[4]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %1 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %3 = stablehlo.add %0, %2 : tensor<3x3xi32>
    %4 = stablehlo.compare EQ, %3, %1, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %5 = stablehlo.convert %4 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %6 = stablehlo.slice %5 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %7 = stablehlo.convert %6 : tensor<3x3xf32>
    %8 = stablehlo.sine %arg0 : tensor<3xf32>
    %9 = stablehlo.cosine %arg0 : tensor<3xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %12 = stablehlo.multiply %7, %11 : tensor<3x3xf32>
    %13 = stablehlo.transpose %12, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %14 = stablehlo.slice %13 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %15 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %16 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %17 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x3xf32>
    %18 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %19 = stablehlo.multiply %17, %18 : tensor<3x3xf32>
    %20 = stablehlo.dot_general %arg0, %19, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    %21 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %22 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %24 = stablehlo.add %21, %23 : tensor<3x3xi32>
    %25 = stablehlo.compare EQ, %24, %22, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %26 = stablehlo.convert %25 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %27 = stablehlo.slice %26 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %28 = stablehlo.convert %27 : tensor<3x3xf32>
    %29 = stablehlo.dot_general %28, %arg0, contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3xf32>) -> tensor<3x3x3xf32>
    %30 = stablehlo.transpose %29, dims = [0, 2, 1] : (tensor<3x3x3xf32>) -> tensor<3x3x3xf32>
    %31 = stablehlo.dot_general %28, %19, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
    %32 = stablehlo.broadcast_in_dim %15, dims = [1, 2] : (tensor<3x1xf32>) -> tensor<1x3x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<1x3x1xf32>) -> tensor<3x3x3xf32>
    %34 = stablehlo.multiply %33, %30 : tensor<3x3x3xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %36 = stablehlo.reshape %35 : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %37 = stablehlo.broadcast_in_dim %16, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x3x3xf32>
    %39 = stablehlo.multiply %30, %38 : tensor<3x3x3xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<3x3x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %41 = stablehlo.reshape %40 : (tensor<3x3xf32>) -> tensor<3x3x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%36 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<3x1x3xf32>, tensor<f32>) -> tensor<3x3xf32>
    %43 = stablehlo.add %31, %42 : tensor<3x3xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%41 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<3x3x1xf32>, tensor<f32>) -> tensor<3x3xf32>
    %45 = stablehlo.add %43, %44 : tensor<3x3xf32>
    %46 = stablehlo.slice %45 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %47 = stablehlo.iota dim = 0 : tensor<3x3xi32>
    %48 = stablehlo.iota dim = 1 : tensor<3x3xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<3x3xi32>
    %50 = stablehlo.add %47, %49 : tensor<3x3xi32>
    %51 = stablehlo.compare EQ, %50, %48, SIGNED : (tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<3x3xi1>
    %52 = stablehlo.convert %51 : (tensor<3x3xi1>) -> tensor<3x3xf32>
    %53 = stablehlo.slice %52 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %54 = stablehlo.convert %53 : tensor<3x3xf32>
    %55 = stablehlo.exponential %arg0 : tensor<3xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<3x3xf32>
    %58 = stablehlo.multiply %54, %57 : tensor<3x3xf32>
    %59 = stablehlo.slice %55 [0:2] : (tensor<3xf32>) -> tensor<2xf32>
    %60 = stablehlo.slice %58 [0:3, 0:2] : (tensor<3x3xf32>) -> tensor<3x2xf32>
    %61 = stablehlo.slice %55 [2:3] : (tensor<3xf32>) -> tensor<1xf32>
    %62 = stablehlo.slice %58 [0:3, 2:3] : (tensor<3x3xf32>) -> tensor<3x1xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %63 = stablehlo.pad %61, %cst_5, low = [0], high = [1], interior = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.pad %62, %cst_6, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3x2xf32>
    %65 = stablehlo.multiply %59, %63 : tensor<2xf32>
    %66 = stablehlo.broadcast_in_dim %63, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %68 = stablehlo.multiply %60, %67 : tensor<3x2xf32>
    %69 = stablehlo.broadcast_in_dim %59, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<3x2xf32>
    %71 = stablehlo.multiply %70, %64 : tensor<3x2xf32>
    %72 = stablehlo.add %68, %71 : tensor<3x2xf32>
    %73 = stablehlo.slice %65 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %74 = stablehlo.slice %72 [0:3, 0:1] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %75 = stablehlo.slice %65 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    %76 = stablehlo.slice %72 [0:3, 1:2] : (tensor<3x2xf32>) -> tensor<3x1xf32>
    %77 = stablehlo.multiply %73, %75 : tensor<1xf32>
    %78 = stablehlo.broadcast_in_dim %75, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<3x1xf32>
    %80 = stablehlo.multiply %74, %79 : tensor<3x1xf32>
    %81 = stablehlo.broadcast_in_dim %73, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<3x1xf32>
    %83 = stablehlo.multiply %82, %76 : tensor<3x1xf32>
    %84 = stablehlo.add %80, %83 : tensor<3x1xf32>
    %85 = stablehlo.reshape %77 : (tensor<1xf32>) -> tensor<f32>
    %86 = stablehlo.reshape %84 : (tensor<3x1xf32>) -> tensor<3xf32>
    %87 = stablehlo.iota dim = 0 : tensor<1x1xi32>
    %88 = stablehlo.iota dim = 1 : tensor<1x1xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %89 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    %90 = stablehlo.add %87, %89 : tensor<1x1xi32>
    %91 = stablehlo.compare EQ, %90, %88, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %92 = stablehlo.convert %91 : (tensor<1x1xi1>) -> tensor<1x1xf32>
    %93 = stablehlo.slice %92 [0:1, 0:1] : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %94 = stablehlo.reshape %93 : (tensor<1x1xf32>) -> tensor<1xf32>
    %95 = stablehlo.convert %94 : tensor<1xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %97 = stablehlo.broadcast_in_dim %73, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %98 = stablehlo.broadcast_in_dim %74, dims = [0, 2] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %99 = stablehlo.multiply %97, %96 : tensor<1x1xf32>
    %100 = stablehlo.broadcast_in_dim %96, dims = [1, 2] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<3x1x1xf32>
    %102 = stablehlo.multiply %98, %101 : tensor<3x1x1xf32>
    %103 = stablehlo.broadcast_in_dim %75, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %104 = stablehlo.broadcast_in_dim %76, dims = [0, 2] : (tensor<3x1xf32>) -> tensor<3x1x1xf32>
    %105 = stablehlo.multiply %96, %103 : tensor<1x1xf32>
    %106 = stablehlo.broadcast_in_dim %96, dims = [1, 2] : (tensor<1x1xf32>) -> tensor<1x1x1xf32>
    %107 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<3x1x1xf32>
    %108 = stablehlo.multiply %107, %104 : tensor<3x1x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %109 = stablehlo.pad %99, %cst_8, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x2xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %110 = stablehlo.pad %102, %cst_9, low = [0, 0, 1], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x2xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.pad %105, %cst_10, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x2xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.pad %108, %cst_11, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x2xf32>
    %113 = stablehlo.add %109, %111 : tensor<1x2xf32>
    %114 = stablehlo.add %110, %112 : tensor<3x1x2xf32>
    %115 = stablehlo.broadcast_in_dim %59, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %116 = stablehlo.broadcast_in_dim %60, dims = [0, 2] : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
    %117 = stablehlo.multiply %115, %113 : tensor<1x2xf32>
    %118 = stablehlo.broadcast_in_dim %113, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %120 = stablehlo.multiply %116, %119 : tensor<3x1x2xf32>
    %121 = stablehlo.broadcast_in_dim %115, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %123 = stablehlo.multiply %122, %114 : tensor<3x1x2xf32>
    %124 = stablehlo.add %120, %123 : tensor<3x1x2xf32>
    %125 = stablehlo.broadcast_in_dim %63, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %126 = stablehlo.broadcast_in_dim %64, dims = [0, 2] : (tensor<3x2xf32>) -> tensor<3x1x2xf32>
    %127 = stablehlo.multiply %113, %125 : tensor<1x2xf32>
    %128 = stablehlo.broadcast_in_dim %125, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %130 = stablehlo.multiply %114, %129 : tensor<3x1x2xf32>
    %131 = stablehlo.broadcast_in_dim %113, dims = [1, 2] : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
    %132 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<1x1x2xf32>) -> tensor<3x1x2xf32>
    %133 = stablehlo.multiply %132, %126 : tensor<3x1x2xf32>
    %134 = stablehlo.add %130, %133 : tensor<3x1x2xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %135 = stablehlo.pad %117, %cst_12, low = [0, 0], high = [0, -1], interior = [0, 0] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.pad %124, %cst_13, low = [0, 0, 0], high = [0, 0, -1], interior = [0, 0, 0] : (tensor<3x1x2xf32>, tensor<f32>) -> tensor<3x1x1xf32>
    %137 = stablehlo.slice %135 [0:1, 0:1] : (tensor<1x1xf32>) -> tensor<1x1xf32>
    %138 = stablehlo.slice %136 [0:3, 0:1, 0:1] : (tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.pad %137, %cst_14, low = [0, 2], high = [0, 0], interior = [0, 0] : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x3xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %140 = stablehlo.pad %138, %cst_15, low = [0, 0, 2], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<3x1x1xf32>, tensor<f32>) -> tensor<3x1x3xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %141 = stablehlo.pad %127, %cst_16, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x3xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.pad %134, %cst_17, low = [0, 0, 0], high = [0, 0, 1], interior = [0, 0, 0] : (tensor<3x1x2xf32>, tensor<f32>) -> tensor<3x1x3xf32>
    %143 = stablehlo.add %139, %141 : tensor<1x3xf32>
    %144 = stablehlo.add %140, %142 : tensor<3x1x3xf32>
    %145 = stablehlo.broadcast_in_dim %55, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %146 = stablehlo.broadcast_in_dim %58, dims = [0, 2] : (tensor<3x3xf32>) -> tensor<3x1x3xf32>
    %147 = stablehlo.multiply %143, %145 : tensor<1x3xf32>
    %148 = stablehlo.broadcast_in_dim %145, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %150 = stablehlo.multiply %144, %149 : tensor<3x1x3xf32>
    %151 = stablehlo.broadcast_in_dim %143, dims = [1, 2] : (tensor<1x3xf32>) -> tensor<1x1x3xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0, 1, 2] : (tensor<1x1x3xf32>) -> tensor<3x1x3xf32>
    %153 = stablehlo.multiply %152, %146 : tensor<3x1x3xf32>
    %154 = stablehlo.add %150, %153 : tensor<3x1x3xf32>
    %155 = stablehlo.slice %147 [0:1, 0:3] : (tensor<1x3xf32>) -> tensor<1x3xf32>
    %156 = stablehlo.slice %154 [0:3, 0:1, 0:3] : (tensor<3x1x3xf32>) -> tensor<3x1x3xf32>
    %157 = stablehlo.reshape %155 : (tensor<1x3xf32>) -> tensor<3xf32>
    %158 = stablehlo.reshape %156 : (tensor<3x1x3xf32>) -> tensor<3x3xf32>
    %159 = stablehlo.transpose %158, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %160 = stablehlo.slice %159 [0:3, 0:3] : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %161 = stablehlo.tanh %arg0 : tensor<3xf32>
    %162 = stablehlo.multiply %arg0, %161 : tensor<3xf32>
    %163 = stablehlo.add %arg0, %162 : tensor<3xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %165 = stablehlo.subtract %164, %161 : tensor<3xf32>
    %166 = stablehlo.multiply %163, %165 : tensor<3xf32>
    %167 = stablehlo.cosine %arg0 : tensor<3xf32>
    %168 = stablehlo.sine %arg0 : tensor<3xf32>
    %169 = stablehlo.multiply %arg0, %168 : tensor<3xf32>
    %170 = stablehlo.negate %169 : tensor<3xf32>
    return %14, %46, %160, %161, %166, %170 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
  }
}
