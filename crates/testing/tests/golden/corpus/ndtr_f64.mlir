module @jit_ndtr_f64 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf64>, %arg1: tensor<8xf64>) -> (tensor<8xf64> {jax.result_info = "result[0]"}, tensor<8xf64> {jax.result_info = "result[1]"}, tensor<8xf64> {jax.result_info = "result[2]"}) {
    %cst = stablehlo.constant dense<[-59.963350101410789, 98.001075418599967, -56.676285746907027, 13.931260938727968, -1.2391658386738125]> : tensor<5xf64>
    %cst_0 = stablehlo.constant dense<[1.000000e+00, 1.9544885833814176, 4.6762791289888153, 86.360242139089053, -225.46268785411937, 200.26021238006066, -82.037225616833339, 15.90562251262117, -1.1833162112133]> : tensor<9xf64>
    %cst_1 = stablehlo.constant dense<[3.2377489177694603, 6.9152288906898418, 3.9388102529247444, 1.3330346081580755, 0.20148538954917908, 0.012371663481782003, 3.0158155350823543E-4, 2.6580697468673755E-6, 6.2397453918498331E-9]> : tensor<9xf64>
    %cst_2 = stablehlo.constant dense<[1.000000e+00, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663, 0.013420400608854318, 3.2801446468212774E-4, 2.8924786474538068E-6, 6.7901940800998127E-9]> : tensor<9xf64>
    %cst_3 = stablehlo.constant dense<[4.0554489230596245, 31.525109459989388, 57.162819224642128, 44.080507389320083, 14.684956192885803, 2.1866330685079025, -0.14025607917135449, -0.035042462682784818, -8.5745678515468544E-4]> : tensor<9xf64>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, 15.779988325646675, 45.390763512887922, 41.317203825467203, 15.04253856929075, 2.5046494620830941, -0.14218292285478779, -0.038080640769157827, -9.3325948089545744E-4]> : tensor<9xf64>
    %cst_5 = stablehlo.constant dense<0.70710678118654757> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %1 = stablehlo.multiply %arg0, %0 : tensor<8xf64>
    %2 = stablehlo.abs %1 : tensor<8xf64>
    %cst_6 = stablehlo.constant dense<0.70710678118654757> : tensor<f64>
    %3 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %4 = stablehlo.compare LT, %2, %3, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %5 = chlo.erf %1 : tensor<8xf64> -> tensor<8xf64>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %6 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %7 = stablehlo.add %6, %5 : tensor<8xf64>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %8 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %9 = stablehlo.compare GT, %1, %8, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %10 = chlo.erfc %2 : tensor<8xf64> -> tensor<8xf64>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %11 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %12 = stablehlo.subtract %11, %10 : tensor<8xf64>
    %13 = chlo.erfc %2 : tensor<8xf64> -> tensor<8xf64>
    %14 = stablehlo.select %9, %12, %13 : tensor<8xi1>, tensor<8xf64>
    %15 = stablehlo.select %4, %7, %14 : tensor<8xi1>, tensor<8xf64>
    %cst_10 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %17 = stablehlo.multiply %16, %15 : tensor<8xf64>
    %cst_11 = stablehlo.constant dense<0.8646647167633873> : tensor<f64>
    %18 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %19 = stablehlo.compare GT, %arg1, %18, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %20 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %21 = stablehlo.subtract %20, %arg1 : tensor<8xf64>
    %22 = call @_where(%19, %21, %arg1) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %23 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %24 = stablehlo.compare EQ, %22, %23, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %25 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %26 = call @_where(%24, %25, %22) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_15 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %27 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %28 = stablehlo.subtract %26, %27 : tensor<8xf64>
    %29 = chlo.square %28 : tensor<8xf64> -> tensor<8xf64>
    %30 = stablehlo.multiply %28, %29 : tensor<8xf64>
    %31 = call @polyval(%cst, %29) : (tensor<5xf64>, tensor<8xf64>) -> tensor<8xf64>
    %32 = call @polyval_0(%cst_0, %29) : (tensor<9xf64>, tensor<8xf64>) -> tensor<8xf64>
    %33 = stablehlo.divide %31, %32 : tensor<8xf64>
    %34 = stablehlo.multiply %30, %33 : tensor<8xf64>
    %35 = stablehlo.add %28, %34 : tensor<8xf64>
    %cst_16 = stablehlo.constant dense<-2.5066282746310002> : tensor<f64>
    %36 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %37 = stablehlo.multiply %35, %36 : tensor<8xf64>
    %38 = stablehlo.log %26 : tensor<8xf64>
    %cst_17 = stablehlo.constant dense<-2.000000e+00> : tensor<f64>
    %39 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %40 = stablehlo.multiply %39, %38 : tensor<8xf64>
    %41 = stablehlo.sqrt %40 : tensor<8xf64>
    %42 = stablehlo.log %41 : tensor<8xf64>
    %43 = stablehlo.divide %42, %41 : tensor<8xf64>
    %44 = stablehlo.subtract %41, %43 : tensor<8xf64>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %45 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %46 = stablehlo.divide %45, %41 : tensor<8xf64>
    %47 = call @polyval_0(%cst_1, %46) : (tensor<9xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %48 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %49 = stablehlo.divide %48, %41 : tensor<8xf64>
    %50 = call @polyval_0(%cst_2, %49) : (tensor<9xf64>, tensor<8xf64>) -> tensor<8xf64>
    %51 = stablehlo.divide %47, %50 : tensor<8xf64>
    %52 = stablehlo.divide %51, %41 : tensor<8xf64>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %53 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %54 = stablehlo.divide %53, %41 : tensor<8xf64>
    %55 = call @polyval_0(%cst_3, %54) : (tensor<9xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %56 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %57 = stablehlo.divide %56, %41 : tensor<8xf64>
    %58 = call @polyval_0(%cst_4, %57) : (tensor<9xf64>, tensor<8xf64>) -> tensor<8xf64>
    %59 = stablehlo.divide %55, %58 : tensor<8xf64>
    %60 = stablehlo.divide %59, %41 : tensor<8xf64>
    %61 = stablehlo.subtract %44, %52 : tensor<8xf64>
    %62 = stablehlo.subtract %44, %60 : tensor<8xf64>
    %cst_22 = stablehlo.constant dense<0.1353352832366127> : tensor<f64>
    %63 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %64 = stablehlo.compare GT, %26, %63, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %cst_23 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %65 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %66 = stablehlo.compare GE, %41, %65, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %67 = call @_where(%66, %61, %62) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %68 = call @_where(%64, %37, %67) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_24 = stablehlo.constant dense<0.8646647167633873> : tensor<f64>
    %69 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %70 = stablehlo.compare GT, %arg1, %69, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %71 = stablehlo.negate %68 : tensor<8xf64>
    %72 = call @_where(%70, %68, %71) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_25 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %73 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %74 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %75 = stablehlo.compare EQ, %arg1, %74, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %76 = stablehlo.negate %73 : tensor<8xf64>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %77 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %78 = stablehlo.compare EQ, %arg1, %77, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %79 = call @_where(%78, %73, %72) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %80 = call @_where(%75, %76, %79) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_28 = stablehlo.constant dense<8.000000e+00> : tensor<f64>
    %81 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %82 = stablehlo.compare GT, %arg0, %81, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %83 = stablehlo.negate %arg0 : tensor<8xf64>
    %cst_29 = stablehlo.constant dense<-2.000000e+01> : tensor<f64>
    %84 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %85 = stablehlo.maximum %arg0, %84 : tensor<8xf64>
    %86 = call @_where(%82, %83, %85) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %cst_30 = stablehlo.constant dense<0.70710678118654757> : tensor<f64>
    %87 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %88 = stablehlo.multiply %86, %87 : tensor<8xf64>
    %89 = stablehlo.abs %88 : tensor<8xf64>
    %cst_31 = stablehlo.constant dense<0.70710678118654757> : tensor<f64>
    %90 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %91 = stablehlo.compare LT, %89, %90, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %92 = chlo.erf %88 : tensor<8xf64> -> tensor<8xf64>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %93 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %94 = stablehlo.add %93, %92 : tensor<8xf64>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %95 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %96 = stablehlo.compare GT, %88, %95, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %97 = chlo.erfc %89 : tensor<8xf64> -> tensor<8xf64>
    %cst_34 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %98 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %99 = stablehlo.subtract %98, %97 : tensor<8xf64>
    %100 = chlo.erfc %89 : tensor<8xf64> -> tensor<8xf64>
    %101 = stablehlo.select %96, %99, %100 : tensor<8xi1>, tensor<8xf64>
    %102 = stablehlo.select %91, %94, %101 : tensor<8xi1>, tensor<8xf64>
    %cst_35 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %103 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %104 = stablehlo.multiply %103, %102 : tensor<8xf64>
    %105 = stablehlo.negate %104 : tensor<8xf64>
    %cst_36 = stablehlo.constant dense<-2.000000e+01> : tensor<f64>
    %106 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %107 = stablehlo.compare GT, %arg0, %106, FLOAT : (tensor<8xf64>, tensor<8xf64>) -> tensor<8xi1>
    %108 = stablehlo.log %104 : tensor<8xf64>
    %cst_37 = stablehlo.constant dense<-2.000000e+01> : tensor<f64>
    %109 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %110 = stablehlo.minimum %arg0, %109 : tensor<8xf64>
    %111 = chlo.square %110 : tensor<8xf64> -> tensor<8xf64>
    %cst_38 = stablehlo.constant dense<-5.000000e-01> : tensor<f64>
    %112 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %113 = stablehlo.multiply %112, %111 : tensor<8xf64>
    %114 = stablehlo.negate %110 : tensor<8xf64>
    %115 = stablehlo.log %114 : tensor<8xf64>
    %116 = stablehlo.subtract %113, %115 : tensor<8xf64>
    %cst_39 = stablehlo.constant dense<0.91893853320467266> : tensor<f64>
    %117 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %118 = stablehlo.subtract %116, %117 : tensor<8xf64>
    %119 = chlo.square %110 : tensor<8xf64> -> tensor<8xf64>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %120 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %121 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %122 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %123 = stablehlo.divide %122, %119 : tensor<8xf64>
    %124 = stablehlo.add %121, %123 : tensor<8xf64>
    %125 = stablehlo.multiply %119, %119 : tensor<8xf64>
    %cst_43 = stablehlo.constant dense<3.000000e+00> : tensor<f64>
    %126 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %127 = stablehlo.divide %126, %125 : tensor<8xf64>
    %128 = stablehlo.add %120, %127 : tensor<8xf64>
    %129 = stablehlo.multiply %125, %119 : tensor<8xf64>
    %cst_44 = stablehlo.constant dense<1.500000e+01> : tensor<f64>
    %130 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %131 = stablehlo.divide %130, %129 : tensor<8xf64>
    %132 = stablehlo.add %124, %131 : tensor<8xf64>
    %133 = stablehlo.multiply %129, %119 : tensor<8xf64>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %134 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %135 = stablehlo.add %134, %128 : tensor<8xf64>
    %136 = stablehlo.subtract %135, %132 : tensor<8xf64>
    %137 = stablehlo.log %136 : tensor<8xf64>
    %138 = stablehlo.add %118, %137 : tensor<8xf64>
    %139 = call @_where(%107, %108, %138) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    %140 = call @_where(%82, %105, %139) : (tensor<8xi1>, tensor<8xf64>, tensor<8xf64>) -> tensor<8xf64>
    return %17, %80, %140 : tensor<8xf64>, tensor<8xf64>, tensor<8xf64>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf64>, %arg2: tensor<8xf64>) -> tensor<8xf64> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf64>
    return %0 : tensor<8xf64>
  }
  func.func private @polyval(%arg0: tensor<5xf64>, %arg1: tensor<8xf64>) -> tensor<8xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf64>) -> tensor<0xf64>
    %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf64>) -> tensor<5xf64>
    %3 = stablehlo.slice %2 [0:1] : (tensor<5xf64>) -> tensor<1xf64>
    %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
    %5 = call @closed_call(%arg1, %0, %4) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %6 = stablehlo.slice %2 [1:2] : (tensor<5xf64>) -> tensor<1xf64>
    %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
    %8 = call @closed_call(%arg1, %5, %7) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %9 = stablehlo.slice %2 [2:3] : (tensor<5xf64>) -> tensor<1xf64>
    %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
    %11 = call @closed_call(%arg1, %8, %10) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %12 = stablehlo.slice %2 [3:4] : (tensor<5xf64>) -> tensor<1xf64>
    %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
    %14 = call @closed_call(%arg1, %11, %13) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %15 = stablehlo.slice %2 [4:5] : (tensor<5xf64>) -> tensor<1xf64>
    %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
    %17 = call @closed_call(%arg1, %14, %16) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    return %17 : tensor<8xf64>
  }
  func.func private @closed_call(%arg0: tensor<8xf64>, %arg1: tensor<8xf64>, %arg2: tensor<f64>) -> tensor<8xf64> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf64>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %2 = stablehlo.add %0, %1 : tensor<8xf64>
    return %2 : tensor<8xf64>
  }
  func.func private @polyval_0(%arg0: tensor<9xf64>, %arg1: tensor<8xf64>) -> tensor<8xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<9xf64>) -> tensor<0xf64>
    %2 = stablehlo.slice %arg0 [0:9] : (tensor<9xf64>) -> tensor<9xf64>
    %3 = stablehlo.slice %2 [0:1] : (tensor<9xf64>) -> tensor<1xf64>
    %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
    %5 = call @closed_call_1(%arg1, %0, %4) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %6 = stablehlo.slice %2 [1:2] : (tensor<9xf64>) -> tensor<1xf64>
    %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
    %8 = call @closed_call_1(%arg1, %5, %7) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %9 = stablehlo.slice %2 [2:3] : (tensor<9xf64>) -> tensor<1xf64>
    %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
    %11 = call @closed_call_1(%arg1, %8, %10) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %12 = stablehlo.slice %2 [3:4] : (tensor<9xf64>) -> tensor<1xf64>
    %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
    %14 = call @closed_call_1(%arg1, %11, %13) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %15 = stablehlo.slice %2 [4:5] : (tensor<9xf64>) -> tensor<1xf64>
    %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
    %17 = call @closed_call_1(%arg1, %14, %16) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %18 = stablehlo.slice %2 [5:6] : (tensor<9xf64>) -> tensor<1xf64>
    %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
    %20 = call @closed_call_1(%arg1, %17, %19) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %21 = stablehlo.slice %2 [6:7] : (tensor<9xf64>) -> tensor<1xf64>
    %22 = stablehlo.reshape %21 : (tensor<1xf64>) -> tensor<f64>
    %23 = call @closed_call_1(%arg1, %20, %22) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %24 = stablehlo.slice %2 [7:8] : (tensor<9xf64>) -> tensor<1xf64>
    %25 = stablehlo.reshape %24 : (tensor<1xf64>) -> tensor<f64>
    %26 = call @closed_call_1(%arg1, %23, %25) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    %27 = stablehlo.slice %2 [8:9] : (tensor<9xf64>) -> tensor<1xf64>
    %28 = stablehlo.reshape %27 : (tensor<1xf64>) -> tensor<f64>
    %29 = call @closed_call_1(%arg1, %26, %28) : (tensor<8xf64>, tensor<8xf64>, tensor<f64>) -> tensor<8xf64>
    return %29 : tensor<8xf64>
  }
  func.func private @closed_call_1(%arg0: tensor<8xf64>, %arg1: tensor<8xf64>, %arg2: tensor<f64>) -> tensor<8xf64> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf64>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<8xf64>
    %2 = stablehlo.add %0, %1 : tensor<8xf64>
    return %2 : tensor<8xf64>
  }
}
