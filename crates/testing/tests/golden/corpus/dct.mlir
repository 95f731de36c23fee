module @jit_dct attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xf32>) -> (tensor<2x8xf32> {jax.result_info = "result[0]"}, tensor<2x8xf32> {jax.result_info = "result[1]"}, tensor<2x8xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:8:2] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %1 = stablehlo.slice %arg0 [0:2, 1:8:2] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %2 = stablehlo.reverse %1, dims = [1] : tensor<2x4xf32>
    %3 = stablehlo.concatenate %0, %2, dim = 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
    %4 = call @fft(%3) : (tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
    %5 = stablehlo.real %4 : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xf32>
    %6 = stablehlo.iota dim = 0 : tensor<8xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %8 = stablehlo.convert %7 : (tensor<1x8xf32>) -> tensor<1x8xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,-1.57079637)> : tensor<complex<f32>>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %10 = stablehlo.multiply %9, %8 : tensor<1x8xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %12 = stablehlo.divide %10, %11 : tensor<1x8xcomplex<f32>>
    %13 = stablehlo.exponential %12 : tensor<1x8xcomplex<f32>>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %15 = stablehlo.multiply %4, %14 : tensor<2x8xcomplex<f32>>
    %16 = stablehlo.real %15 : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<2x8xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_4 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<1x8xf32>
    %25 = stablehlo.sqrt %24 : tensor<1x8xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<2x8xf32>
    %27 = stablehlo.divide %arg0, %26 : tensor<2x8xf32>
    %cst_5 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_6 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %30 = stablehlo.concatenate %28, %29, dim = 0 : (tensor<1xf32>, tensor<7xf32>) -> tensor<8xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %cst_7 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %33 = stablehlo.multiply %31, %32 : tensor<1x8xf32>
    %34 = stablehlo.sqrt %33 : tensor<1x8xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<2x8xf32>
    %36 = stablehlo.divide %27, %35 : tensor<2x8xf32>
    %37 = stablehlo.iota dim = 0 : tensor<8xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %39 = stablehlo.convert %38 : (tensor<1x8xf32>) -> tensor<1x8xcomplex<f32>>
    %cst_8 = stablehlo.constant dense<(0.000000e+00,-1.57079637)> : tensor<complex<f32>>
    %40 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %41 = stablehlo.multiply %40, %39 : tensor<1x8xcomplex<f32>>
    %cst_9 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %42 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %43 = stablehlo.divide %41, %42 : tensor<1x8xcomplex<f32>>
    %44 = stablehlo.exponential %43 : tensor<1x8xcomplex<f32>>
    %45 = stablehlo.convert %36 : (tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
    %46 = stablehlo.convert %38 : (tensor<1x8xf32>) -> tensor<1x8xcomplex<f32>>
    %cst_10 = stablehlo.constant dense<(0.000000e+00,-1.57079637)> : tensor<complex<f32>>
    %47 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %48 = stablehlo.multiply %47, %46 : tensor<1x8xcomplex<f32>>
    %cst_11 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %49 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %50 = stablehlo.divide %48, %49 : tensor<1x8xcomplex<f32>>
    %51 = stablehlo.exponential %50 : tensor<1x8xcomplex<f32>>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %53 = stablehlo.divide %45, %52 : tensor<2x8xcomplex<f32>>
    %cst_12 = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %54 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<complex<f32>>) -> tensor<2x8xcomplex<f32>>
    %55 = stablehlo.multiply %53, %54 : tensor<2x8xcomplex<f32>>
    %cst_13 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<complex<f32>>) -> tensor<2x8xcomplex<f32>>
    %57 = stablehlo.multiply %55, %56 : tensor<2x8xcomplex<f32>>
    %58 = call @fft_0(%57) : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %59 = stablehlo.real %58 : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xf32>
    %60 = stablehlo.slice %59 [0:2, 0:4] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %61 = stablehlo.slice %59 [0:2, 4:8] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %62 = stablehlo.reverse %61, dims = [1] : tensor<2x4xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %64 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c = stablehlo.constant dense<2> : tensor<i32>
    %65 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %66 = stablehlo.multiply %65, %64 : tensor<4xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %68 = stablehlo.add %67, %66 : tensor<4xi32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %70 = "stablehlo.scatter"(%63, %69, %60) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      stablehlo.return %arg2 : tensor<f32>
    }) : (tensor<2x8xf32>, tensor<4x1xi32>, tensor<2x4xf32>) -> tensor<2x8xf32>
    %71 = stablehlo.iota dim = 0 : tensor<4xi32>
    %c_16 = stablehlo.constant dense<2> : tensor<i32>
    %72 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %73 = stablehlo.multiply %72, %71 : tensor<4xi32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %74 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<4xi32>
    %75 = stablehlo.add %74, %73 : tensor<4xi32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %77 = "stablehlo.scatter"(%70, %76, %62) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      stablehlo.return %arg2 : tensor<f32>
    }) : (tensor<2x8xf32>, tensor<4x1xi32>, tensor<2x4xf32>) -> tensor<2x8xf32>
    %78 = stablehlo.slice %arg0 [0:2:2, 0:8] : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %79 = stablehlo.slice %arg0 [1:2:2, 0:8] : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %80 = stablehlo.reverse %79, dims = [0] : tensor<1x8xf32>
    %81 = stablehlo.concatenate %78, %80, dim = 0 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
    %82 = stablehlo.slice %81 [0:2, 0:8:2] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %83 = stablehlo.slice %81 [0:2, 1:8:2] : (tensor<2x8xf32>) -> tensor<2x4xf32>
    %84 = stablehlo.reverse %83, dims = [1] : tensor<2x4xf32>
    %85 = stablehlo.concatenate %82, %84, dim = 1 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
    %86 = call @fft_1(%85) : (tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
    %87 = stablehlo.iota dim = 0 : tensor<2xcomplex<f32>>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0] : (tensor<2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %89 = stablehlo.iota dim = 0 : tensor<8xcomplex<f32>>
    %90 = stablehlo.broadcast_in_dim %89, dims = [1] : (tensor<8xcomplex<f32>>) -> tensor<1x8xcomplex<f32>>
    %cst_18 = stablehlo.constant dense<(0.000000e+00,-1.57079637)> : tensor<complex<f32>>
    %91 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<complex<f32>>) -> tensor<2x1xcomplex<f32>>
    %92 = stablehlo.multiply %91, %88 : tensor<2x1xcomplex<f32>>
    %cst_19 = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %93 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<complex<f32>>) -> tensor<2x1xcomplex<f32>>
    %94 = stablehlo.divide %92, %93 : tensor<2x1xcomplex<f32>>
    %95 = stablehlo.exponential %94 : tensor<2x1xcomplex<f32>>
    %cst_20 = stablehlo.constant dense<(0.000000e+00,-1.57079637)> : tensor<complex<f32>>
    %96 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %97 = stablehlo.multiply %96, %90 : tensor<1x8xcomplex<f32>>
    %cst_21 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %98 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %99 = stablehlo.divide %97, %98 : tensor<1x8xcomplex<f32>>
    %100 = stablehlo.exponential %99 : tensor<1x8xcomplex<f32>>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1] : (tensor<1x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %102 = stablehlo.multiply %101, %86 : tensor<2x8xcomplex<f32>>
    %103 = stablehlo.negate %90 : tensor<1x8xcomplex<f32>>
    %cst_22 = stablehlo.constant dense<(0.000000e+00,-1.57079637)> : tensor<complex<f32>>
    %104 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %105 = stablehlo.multiply %104, %103 : tensor<1x8xcomplex<f32>>
    %cst_23 = stablehlo.constant dense<(8.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %106 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<complex<f32>>) -> tensor<1x8xcomplex<f32>>
    %107 = stablehlo.divide %105, %106 : tensor<1x8xcomplex<f32>>
    %108 = stablehlo.exponential %107 : tensor<1x8xcomplex<f32>>
    %109 = call @_flip(%86) : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %110 = call @_roll_static(%109) : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %111 = stablehlo.broadcast_in_dim %108, dims = [0, 1] : (tensor<1x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %112 = stablehlo.multiply %111, %110 : tensor<2x8xcomplex<f32>>
    %113 = stablehlo.add %102, %112 : tensor<2x8xcomplex<f32>>
    %114 = stablehlo.broadcast_in_dim %95, dims = [0, 1] : (tensor<2x1xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    %115 = stablehlo.multiply %114, %113 : tensor<2x8xcomplex<f32>>
    %116 = stablehlo.real %115 : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
    %118 = stablehlo.multiply %117, %116 : tensor<2x8xf32>
    return %18, %77, %118 : tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
  }
  func.func private @fft(%arg0: tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    return %1 : tensor<2x8xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    return %0 : tensor<2x8xcomplex<f32>>
  }
  func.func private @fft_1(%arg0: tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<2x8xf32>) -> tensor<2x8xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [2, 8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    return %1 : tensor<2x8xcomplex<f32>>
  }
  func.func private @_flip(%arg0: tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<2x8xcomplex<f32>>
    return %0 : tensor<2x8xcomplex<f32>>
  }
  func.func private @_roll_static(%arg0: tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>> {
    %0 = stablehlo.slice %arg0 [0:2, 7:8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %1 = stablehlo.slice %arg0 [0:2, 0:7] : (tensor<2x8xcomplex<f32>>) -> tensor<2x7xcomplex<f32>>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<2x1xcomplex<f32>>, tensor<2x7xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    return %2 : tensor<2x8xcomplex<f32>>
  }
}
