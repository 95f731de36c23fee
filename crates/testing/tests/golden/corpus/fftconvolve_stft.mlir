module @jit_fftconvolve_stft attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x8xf32>) -> (tensor<10xf32> {jax.result_info = "result[0]"}, tensor<2x8xf32> {jax.result_info = "result[1]"}, tensor<3x5xcomplex<f32>> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<> : tensor<0xi32>
    %0 = stablehlo.slice %arg0 [0:1, 0:8] : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8xf32>) -> tensor<8xf32>
    %2 = stablehlo.slice %arg0 [1:2, 0:3] : (tensor<2x8xf32>) -> tensor<1x3xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x3xf32>) -> tensor<3xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = call @_pad(%1, %c_0) : (tensor<8xf32>, tensor<i32>) -> tensor<10xf32>
    %5 = call @fft(%4) : (tensor<10xf32>) -> tensor<6xcomplex<f32>>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = call @_pad_0(%3, %c_1) : (tensor<3xf32>, tensor<i32>) -> tensor<10xf32>
    %7 = call @fft(%6) : (tensor<10xf32>) -> tensor<6xcomplex<f32>>
    %8 = stablehlo.multiply %5, %7 : tensor<6xcomplex<f32>>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %9 = call @_pad_1(%8, %c_2) : (tensor<6xcomplex<f32>>, tensor<i32>) -> tensor<6xcomplex<f32>>
    %10 = call @fft_2(%9) : (tensor<6xcomplex<f32>>) -> tensor<10xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %11 = stablehlo.dynamic_slice %10, %c_3, sizes = [10] : (tensor<10xf32>, tensor<i32>) -> tensor<10xf32>
    %12 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %14 = stablehlo.iota dim = 0 : tensor<8xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %16 = stablehlo.add %15, %14 : tensor<8xf32>
    %cst_5 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %18 = stablehlo.divide %16, %17 : tensor<8xf32>
    %19 = call @atleast_2d(%13) : (tensor<8xf32>) -> tensor<1x8xf32>
    %20 = call @atleast_2d(%18) : (tensor<8xf32>) -> tensor<1x8xf32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<2x8xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
    %23:4 = call @_lstsq(%22, %12) : (tensor<8x2xf32>, tensor<8x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<2xf32>)
    %24 = stablehlo.dot_general %22, %23#0, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
    %25 = stablehlo.negate %24 : tensor<8x2xf32>
    %26 = "stablehlo.scatter"(%12, %c, %25) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %73 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %73 : tensor<f32>
    }) : (tensor<8x2xf32>, tensor<0xi32>, tensor<8x2xf32>) -> tensor<8x2xf32>
    %27 = stablehlo.transpose %26, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %28 = stablehlo.slice %arg0 [0:1, 0:8] : (tensor<2x8xf32>) -> tensor<1x8xf32>
    %29 = stablehlo.reshape %28 : (tensor<1x8xf32>) -> tensor<8xf32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %cst_7 = stablehlo.constant dense<3.14159274> : tensor<f32>
    %30 = call @_linspace(%c_6, %cst_7) : (tensor<i32>, tensor<f32>) -> tensor<4xf32>
    %31 = stablehlo.sine %30 : tensor<4xf32>
    %32 = stablehlo.multiply %31, %31 : tensor<4xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = call @_pad_3(%29, %cst_8) : (tensor<8xf32>, tensor<f32>) -> tensor<12xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<0xf32>
    %35 = stablehlo.concatenate %33, %34, dim = 0 : (tensor<12xf32>, tensor<0xf32>) -> tensor<12xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%32 init: %cst_10) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %37 = stablehlo.multiply %36, %36 : tensor<f32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %38 = stablehlo.divide %cst_11, %37 : tensor<f32>
    %39 = stablehlo.sqrt %38 : tensor<f32>
    %40 = stablehlo.convert %39 : (tensor<f32>) -> tensor<complex<f32>>
    %41 = stablehlo.iota dim = 0 : tensor<3xf32>
    %cst_12 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %43 = stablehlo.divide %41, %42 : tensor<3xf32>
    %44 = stablehlo.iota dim = 0 : tensor<5xi32>
    %c_13 = stablehlo.constant dense<2> : tensor<i32>
    %45 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %46 = stablehlo.multiply %45, %44 : tensor<5xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %47 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %48 = stablehlo.add %47, %46 : tensor<5xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %50 = stablehlo.compare LT, %48, %49, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_16 = stablehlo.constant dense<12> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %52 = stablehlo.add %48, %51 : tensor<5xi32>
    %53 = stablehlo.select %50, %52, %48 : tensor<5xi1>, tensor<5xi32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %55 = "stablehlo.gather"(%35, %54) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4>}> : (tensor<12xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
    %56 = stablehlo.reshape %32 : (tensor<4xf32>) -> tensor<1x4xf32>
    %57 = stablehlo.broadcast_in_dim %56, dims = [0, 1] : (tensor<1x4xf32>) -> tensor<5x4xf32>
    %58 = stablehlo.multiply %57, %55 : tensor<5x4xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %59 = call @_pad_4(%58, %c_17) : (tensor<5x4xf32>, tensor<i32>) -> tensor<5x4xf32>
    %60 = call @fft_5(%59) : (tensor<5x4xf32>) -> tensor<5x3xcomplex<f32>>
    %61 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<complex<f32>>) -> tensor<5x3xcomplex<f32>>
    %62 = stablehlo.multiply %60, %61 : tensor<5x3xcomplex<f32>>
    %63 = stablehlo.iota dim = 0 : tensor<5xf32>
    %cst_18 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %65 = stablehlo.multiply %64, %63 : tensor<5xf32>
    %cst_19 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %67 = stablehlo.add %66, %65 : tensor<5xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %69 = stablehlo.divide %67, %68 : tensor<5xf32>
    %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %71 = stablehlo.subtract %69, %70 : tensor<5xf32>
    %72 = stablehlo.transpose %62, dims = [1, 0] : (tensor<5x3xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
    return %11, %27, %72 : tensor<10xf32>, tensor<2x8xf32>, tensor<3x5xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> tensor<10xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [2], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
    return %1 : tensor<10xf32>
  }
  func.func private @fft(%arg0: tensor<10xf32>) -> tensor<6xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [10] : (tensor<10xf32>) -> tensor<6xcomplex<f32>>
    return %0 : tensor<6xcomplex<f32>>
  }
  func.func private @_pad_0(%arg0: tensor<3xf32>, %arg1: tensor<i32>) -> tensor<10xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [7], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<10xf32>
    return %1 : tensor<10xf32>
  }
  func.func private @_pad_1(%arg0: tensor<6xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<6xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [0], interior = [0] : (tensor<6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
    return %1 : tensor<6xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<6xcomplex<f32>>) -> tensor<10xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [10] : (tensor<6xcomplex<f32>>) -> tensor<10xf32>
    return %0 : tensor<10xf32>
  }
  func.func private @atleast_2d(%arg0: tensor<8xf32>) -> tensor<1x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    return %0 : tensor<1x8xf32>
  }
  func.func private @_lstsq(%arg0: tensor<8x2xf32>, %arg1: tensor<8x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<2xf32>) {
    %0:3 = call @svd(%arg0) : (tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<2xf32>, tensor<2x2xf32>)
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.compare GT, %0#1, %1, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %3 = stablehlo.slice %0#1 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<9.53674316E-7> : tensor<f32>
    %5 = stablehlo.multiply %cst_0, %4 : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %7 = stablehlo.compare GE, %0#1, %6, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %8 = stablehlo.and %2, %7 : tensor<2xi1>
    %9 = stablehlo.convert %8 : (tensor<2xi1>) -> tensor<2xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.reduce(%9 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %11 = call @_where(%8, %0#1, %c_1) : (tensor<2xi1>, tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %13 = stablehlo.divide %12, %11 : tensor<2xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = call @_where(%8, %13, %c_3) : (tensor<2xi1>, tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %16 = stablehlo.transpose %0#0, dims = [1, 0] : (tensor<8x2xf32>) -> tensor<2x8xf32>
    %17 = stablehlo.dot_general %16, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x8xf32>, tensor<8x2xf32>) -> tensor<2x2xf32>
    %18 = stablehlo.transpose %0#2, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %19 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
    %20 = stablehlo.multiply %19, %17 : tensor<2x2xf32>
    %21 = stablehlo.dot_general %18, %20, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %22 = stablehlo.dot_general %arg0, %21, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
    %23 = stablehlo.subtract %arg1, %22 : tensor<8x2xf32>
    %24 = call @norm(%23) : (tensor<8x2xf32>) -> tensor<2xf32>
    %25 = stablehlo.multiply %24, %24 : tensor<2xf32>
    return %21, %25, %10, %0#1 : tensor<2x2xf32>, tensor<2xf32>, tensor<i32>, tensor<2xf32>
  }
  func.func private @svd(%arg0: tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<2xf32>, tensor<2x2xf32>) {
    %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=8, j=2, k=8, l=2, m=2, n=8, o=2, p=2, q=2}, custom>} : (tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<2xf32>, tensor<8x2xf32>, tensor<2x2xf32>, tensor<i32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
    %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<2xi1>
    %6 = stablehlo.select %5, %0#1, %4 : tensor<2xi1>, tensor<2xf32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x2xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<8x2xi1>
    %10 = stablehlo.select %9, %0#2, %8 : tensor<8x2xi1>, tensor<8x2xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<2x2xi1>
    %14 = stablehlo.select %13, %0#3, %12 : tensor<2x2xi1>, tensor<2x2xf32>
    return %10, %6, %14 : tensor<8x2xf32>, tensor<2xf32>, tensor<2x2xf32>
  }
  func.func private @_where(%arg0: tensor<2xi1>, %arg1: tensor<2xf32>, %arg2: tensor<i32>) -> tensor<2xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2xi1>, tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @norm(%arg0: tensor<8x2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<8x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8x2xf32>, tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.sqrt %1 : tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @_linspace(%arg0: tensor<i32>, %arg1: tensor<f32>) -> tensor<4xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.convert %arg1 : tensor<f32>
    %2 = stablehlo.subtract %1, %0 : tensor<f32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %3 = stablehlo.divide %2, %cst : tensor<f32>
    %4 = stablehlo.iota dim = 0 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.divide %4, %5 : tensor<4xf32>
    %7 = stablehlo.reshape %0 : (tensor<f32>) -> tensor<1xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %9 = stablehlo.subtract %8, %6 : tensor<4xf32>
    %10 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<4xf32>
    %12 = stablehlo.reshape %1 : (tensor<f32>) -> tensor<1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<1xf32>) -> tensor<4xf32>
    %14 = stablehlo.multiply %13, %6 : tensor<4xf32>
    %15 = stablehlo.add %11, %14 : tensor<4xf32>
    return %15 : tensor<4xf32>
  }
  func.func private @_pad_3(%arg0: tensor<8xf32>, %arg1: tensor<f32>) -> tensor<12xf32> {
    %0 = stablehlo.convert %arg1 : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [2], high = [2], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<12xf32>
    return %1 : tensor<12xf32>
  }
  func.func private @_pad_4(%arg0: tensor<5x4xf32>, %arg1: tensor<i32>) -> tensor<5x4xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<5x4xf32>, tensor<f32>) -> tensor<5x4xf32>
    return %1 : tensor<5x4xf32>
  }
  func.func private @fft_5(%arg0: tensor<5x4xf32>) -> tensor<5x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [4] : (tensor<5x4xf32>) -> tensor<5x3xcomplex<f32>>
    return %0 : tensor<5x3xcomplex<f32>>
  }
}
