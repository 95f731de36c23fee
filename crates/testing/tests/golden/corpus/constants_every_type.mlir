module @jit_constants_every_type attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<2x3xi1> {jax.result_info = "result[0]"}, tensor<2x2xi1> {jax.result_info = "result[1]"}, tensor<2x3xi2> {jax.result_info = "result[2]"}, tensor<2x2xi2> {jax.result_info = "result[3]"}, tensor<2x3xi4> {jax.result_info = "result[4]"}, tensor<2x2xi4> {jax.result_info = "result[5]"}, tensor<2x3xi8> {jax.result_info = "result[6]"}, tensor<2x2xi8> {jax.result_info = "result[7]"}, tensor<2x3xi16> {jax.result_info = "result[8]"}, tensor<2x2xi16> {jax.result_info = "result[9]"}, tensor<2x3xi32> {jax.result_info = "result[10]"}, tensor<2x2xi32> {jax.result_info = "result[11]"}, tensor<2x3xi64> {jax.result_info = "result[12]"}, tensor<2x2xi64> {jax.result_info = "result[13]"}, tensor<2x3xui2> {jax.result_info = "result[14]"}, tensor<2x2xui2> {jax.result_info = "result[15]"}, tensor<2x3xui4> {jax.result_info = "result[16]"}, tensor<2x2xui4> {jax.result_info = "result[17]"}, tensor<2x3xui8> {jax.result_info = "result[18]"}, tensor<2x2xui8> {jax.result_info = "result[19]"}, tensor<2x3xui16> {jax.result_info = "result[20]"}, tensor<2x2xui16> {jax.result_info = "result[21]"}, tensor<2x3xui32> {jax.result_info = "result[22]"}, tensor<2x2xui32> {jax.result_info = "result[23]"}, tensor<2x3xui64> {jax.result_info = "result[24]"}, tensor<2x2xui64> {jax.result_info = "result[25]"}, tensor<2x3xf16> {jax.result_info = "result[26]"}, tensor<2x2xf16> {jax.result_info = "result[27]"}, tensor<2x3xbf16> {jax.result_info = "result[28]"}, tensor<2x2xbf16> {jax.result_info = "result[29]"}, tensor<2x3xf32> {jax.result_info = "result[30]"}, tensor<2x2xf32> {jax.result_info = "result[31]"}, tensor<2x3xf64> {jax.result_info = "result[32]"}, tensor<2x2xf64> {jax.result_info = "result[33]"}, tensor<2x3xf8E3M4> {jax.result_info = "result[34]"}, tensor<2x2xf8E3M4> {jax.result_info = "result[35]"}, tensor<2x3xf8E4M3> {jax.result_info = "result[36]"}, tensor<2x2xf8E4M3> {jax.result_info = "result[37]"}, tensor<2x3xf8E4M3B11FNUZ> {jax.result_info = "result[38]"}, tensor<2x2xf8E4M3B11FNUZ> {jax.result_info = "result[39]"}, tensor<2x3xf8E4M3FN> {jax.result_info = "result[40]"}, tensor<2x2xf8E4M3FN> {jax.result_info = "result[41]"}, tensor<2x3xf8E4M3FNUZ> {jax.result_info = "result[42]"}, tensor<2x2xf8E4M3FNUZ> {jax.result_info = "result[43]"}, tensor<2x3xf8E5M2> {jax.result_info = "result[44]"}, tensor<2x2xf8E5M2> {jax.result_info = "result[45]"}, tensor<2x3xf8E5M2FNUZ> {jax.result_info = "result[46]"}, tensor<2x2xf8E5M2FNUZ> {jax.result_info = "result[47]"}, tensor<2x3xf4E2M1FN> {jax.result_info = "result[48]"}, tensor<2x2xf4E2M1FN> {jax.result_info = "result[49]"}, tensor<2x3xf8E8M0FNU> {jax.result_info = "result[50]"}, tensor<2x2xf8E8M0FNU> {jax.result_info = "result[51]"}, tensor<2x3xcomplex<f32>> {jax.result_info = "result[52]"}, tensor<2x2xcomplex<f32>> {jax.result_info = "result[53]"}, tensor<2x3xcomplex<f64>> {jax.result_info = "result[54]"}, tensor<2x2xcomplex<f64>> {jax.result_info = "result[55]"}) {
    %c = stablehlo.constant dense<[[true, true, true], [true, false, false]]> : tensor<2x3xi1>
    %c_0 = stablehlo.constant dense<[[-2, -1, -1], [-1, -2, -1]]> : tensor<2x3xi2>
    %c_1 = stablehlo.constant dense<[[2, -1, -5], [-1, 6, -5]]> : tensor<2x3xi4>
    %c_2 = stablehlo.constant dense<[[-62, 95, 11], [47, 118, 27]]> : tensor<2x3xi8>
    %c_3 = stablehlo.constant dense<[[-15651, 24509, 3049], [12214, 30243, 6932]]> : tensor<2x3xi16>
    %c_4 = stablehlo.constant dense<[[-1025639408, 1606223242, 199862993], [800462967, 1982053406, 454339022]]> : tensor<2x3xi32>
    %c_5 = stablehlo.constant dense<[[-4405087714486483971, 6898676297205263302, 858405020792343106], [3437962266476013043, 8512854559852111909, 1951371244284053698]]> : tensor<2x3xi64>
    %c_6 = stablehlo.constant dense<[[3, 1, 0], [0, 1, 0]]> : tensor<2x3xui2>
    %c_7 = stablehlo.constant dense<[[12, 5, 0], [2, 7, 1]]> : tensor<2x3xui4>
    %c_8 = stablehlo.constant dense<[[194, 95, 11], [47, 118, 27]]> : tensor<2x3xui8>
    %c_9 = stablehlo.constant dense<[[49885, 24509, 3049], [12214, 30243, 6932]]> : tensor<2x3xui16>
    %c_10 = stablehlo.constant dense<[[3269327888, 1606223242, 199862993], [800462967, 1982053406, 454339022]]> : tensor<2x3xui32>
    %c_11 = stablehlo.constant dense<[[14041656359223067645, 6898676297205263302, 858405020792343106], [3437962266476013043, 8512854559852111909, 1951371244284053698]]> : tensor<2x3xui64>
    %cst = stablehlo.constant dense<[[2.474610e+00, 7.631830e-01, 2.462890e+00], [1.462890e+00, -2.605470e+00, -1.187500e+00]]> : tensor<2x3xf16>
    %cst_12 = stablehlo.constant dense<[[2.468750e+00, 7.617180e-01, 2.468750e+00], [1.460940e+00, -2.609380e+00, -1.187500e+00]]> : tensor<2x3xbf16>
    %cst_13 = stablehlo.constant dense<[[2.47527337, 0.76300764, 2.46220684], [1.46336102, -2.60631824, -1.18736565]]> : tensor<2x3xf32>
    %cst_14 = stablehlo.constant dense<[[2.4752733707427979, 0.76300764083862305, 2.4622067213058472], [1.4633610248565674, -2.6063182353973389, -1.1873656511306763]]> : tensor<2x3xf64>
    %cst_15 = stablehlo.constant dense<[[2.500000e+00, 7.500000e-01, 2.500000e+00], [1.437500e+00, -2.625000e+00, -1.187500e+00]]> : tensor<2x3xf8E3M4>
    %cst_16 = stablehlo.constant dense<[[2.500000e+00, 7.500000e-01, 2.500000e+00], [1.500000e+00, -2.500000e+00, -1.125000e+00]]> : tensor<2x3xf8E4M3>
    %cst_17 = stablehlo.constant dense<[[2.500000e+00, 7.500000e-01, 2.500000e+00], [1.500000e+00, -2.500000e+00, -1.125000e+00]]> : tensor<2x3xf8E4M3B11FNUZ>
    %cst_18 = stablehlo.constant dense<[[2.500000e+00, 7.500000e-01, 2.500000e+00], [1.500000e+00, -2.500000e+00, -1.125000e+00]]> : tensor<2x3xf8E4M3FN>
    %cst_19 = stablehlo.constant dense<[[2.500000e+00, 7.500000e-01, 2.500000e+00], [1.500000e+00, -2.500000e+00, -1.125000e+00]]> : tensor<2x3xf8E4M3FNUZ>
    %cst_20 = stablehlo.constant dense<[[2.500000e+00, 7.500000e-01, 2.500000e+00], [1.500000e+00, -2.500000e+00, -1.250000e+00]]> : tensor<2x3xf8E5M2>
    %cst_21 = stablehlo.constant dense<[[2.500000e+00, 7.500000e-01, 2.500000e+00], [1.500000e+00, -2.500000e+00, -1.250000e+00]]> : tensor<2x3xf8E5M2FNUZ>
    %cst_22 = stablehlo.constant dense<[[2.000000e+00, 1.000000e+00, 2.000000e+00], [1.500000e+00, -3.000000e+00, -1.000000e+00]]> : tensor<2x3xf4E2M1FN>
    %cst_23 = stablehlo.constant dense<[[3.125000e-02, 2.000000e+00, 1.250000e-01], [3.200000e+01, 8.000000e+00, 2.000000e+00]]> : tensor<2x3xf8E8M0FNU>
    %cst_24 = stablehlo.constant dense<[[(1.65018225,-1.35747957), (0.508671761,0.511253834), (1.64147115,0.147622585)], [(9.755740e-01,0.678939819), (-1.73754549,0.96903181), (-0.791577101,-1.14238191)]]> : tensor<2x3xcomplex<f32>>
    %cst_25 = stablehlo.constant dense<[[(1.6501822471618652,-1.3574795722961426), (0.50867176055908203,0.51125383377075195), (1.6414711475372314,0.14762258529663086)], [(0.97557401657104492,0.6789398193359375), (-1.7375454902648926,0.96903181076049805), (-0.79157710075378418,-1.1423819065093994)]]> : tensor<2x3xcomplex<f64>>
    %c_26 = stablehlo.constant dense<true> : tensor<i1>
    %0 = stablehlo.broadcast_in_dim %c_26, dims = [] : (tensor<i1>) -> tensor<2x2xi1>
    %c_27 = stablehlo.constant dense<1> : tensor<i2>
    %1 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i2>) -> tensor<2x2xi2>
    %c_28 = stablehlo.constant dense<1> : tensor<i4>
    %2 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i4>) -> tensor<2x2xi4>
    %c_29 = stablehlo.constant dense<1> : tensor<i8>
    %3 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i8>) -> tensor<2x2xi8>
    %c_30 = stablehlo.constant dense<1> : tensor<i16>
    %4 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i16>) -> tensor<2x2xi16>
    %c_31 = stablehlo.constant dense<1> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<2x2xi32>
    %c_32 = stablehlo.constant dense<1> : tensor<i64>
    %6 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i64>) -> tensor<2x2xi64>
    %c_33 = stablehlo.constant dense<1> : tensor<ui2>
    %7 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui2>) -> tensor<2x2xui2>
    %c_34 = stablehlo.constant dense<1> : tensor<ui4>
    %8 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui4>) -> tensor<2x2xui4>
    %c_35 = stablehlo.constant dense<1> : tensor<ui8>
    %9 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui8>) -> tensor<2x2xui8>
    %c_36 = stablehlo.constant dense<1> : tensor<ui16>
    %10 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui16>) -> tensor<2x2xui16>
    %c_37 = stablehlo.constant dense<1> : tensor<ui32>
    %11 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui32>) -> tensor<2x2xui32>
    %c_38 = stablehlo.constant dense<1> : tensor<ui64>
    %12 = stablehlo.broadcast_in_dim %c_38, dims = [] : (tensor<ui64>) -> tensor<2x2xui64>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %13 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f16>) -> tensor<2x2xf16>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %14 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<bf16>) -> tensor<2x2xbf16>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<2x2xf64>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f8E3M4>
    %17 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f8E3M4>) -> tensor<2x2xf8E3M4>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3>
    %18 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f8E4M3>) -> tensor<2x2xf8E4M3>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3B11FNUZ>
    %19 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f8E4M3B11FNUZ>) -> tensor<2x2xf8E4M3B11FNUZ>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FN>
    %20 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f8E4M3FN>) -> tensor<2x2xf8E4M3FN>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f8E4M3FNUZ>
    %21 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f8E4M3FNUZ>) -> tensor<2x2xf8E4M3FNUZ>
    %cst_48 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2>
    %22 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f8E5M2>) -> tensor<2x2xf8E5M2>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f8E5M2FNUZ>
    %23 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f8E5M2FNUZ>) -> tensor<2x2xf8E5M2FNUZ>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f4E2M1FN>
    %24 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f4E2M1FN>) -> tensor<2x2xf4E2M1FN>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f8E8M0FNU>
    %25 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f8E8M0FNU>) -> tensor<2x2xf8E8M0FNU>
    %cst_52 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %26 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<complex<f32>>) -> tensor<2x2xcomplex<f32>>
    %cst_53 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %27 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<complex<f64>>) -> tensor<2x2xcomplex<f64>>
    return %c, %0, %c_0, %1, %c_1, %2, %c_2, %3, %c_3, %4, %c_4, %5, %c_5, %6, %c_6, %7, %c_7, %8, %c_8, %9, %c_9, %10, %c_10, %11, %c_11, %12, %cst, %13, %cst_12, %14, %cst_13, %15, %cst_14, %16, %cst_15, %17, %cst_16, %18, %cst_17, %19, %cst_18, %20, %cst_19, %21, %cst_20, %22, %cst_21, %23, %cst_22, %24, %cst_23, %25, %cst_24, %26, %cst_25, %27 : tensor<2x3xi1>, tensor<2x2xi1>, tensor<2x3xi2>, tensor<2x2xi2>, tensor<2x3xi4>, tensor<2x2xi4>, tensor<2x3xi8>, tensor<2x2xi8>, tensor<2x3xi16>, tensor<2x2xi16>, tensor<2x3xi32>, tensor<2x2xi32>, tensor<2x3xi64>, tensor<2x2xi64>, tensor<2x3xui2>, tensor<2x2xui2>, tensor<2x3xui4>, tensor<2x2xui4>, tensor<2x3xui8>, tensor<2x2xui8>, tensor<2x3xui16>, tensor<2x2xui16>, tensor<2x3xui32>, tensor<2x2xui32>, tensor<2x3xui64>, tensor<2x2xui64>, tensor<2x3xf16>, tensor<2x2xf16>, tensor<2x3xbf16>, tensor<2x2xbf16>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x3xf64>, tensor<2x2xf64>, tensor<2x3xf8E3M4>, tensor<2x2xf8E3M4>, tensor<2x3xf8E4M3>, tensor<2x2xf8E4M3>, tensor<2x3xf8E4M3B11FNUZ>, tensor<2x2xf8E4M3B11FNUZ>, tensor<2x3xf8E4M3FN>, tensor<2x2xf8E4M3FN>, tensor<2x3xf8E4M3FNUZ>, tensor<2x2xf8E4M3FNUZ>, tensor<2x3xf8E5M2>, tensor<2x2xf8E5M2>, tensor<2x3xf8E5M2FNUZ>, tensor<2x2xf8E5M2FNUZ>, tensor<2x3xf4E2M1FN>, tensor<2x2xf4E2M1FN>, tensor<2x3xf8E8M0FNU>, tensor<2x2xf8E8M0FNU>, tensor<2x3xcomplex<f32>>, tensor<2x2xcomplex<f32>>, tensor<2x3xcomplex<f64>>, tensor<2x2xcomplex<f64>>
  }
}
