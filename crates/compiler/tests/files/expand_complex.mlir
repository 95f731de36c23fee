// pass: expand
module @complex {
  func.func public @main(%x: tensor<2x3xcomplex<f32>>, %y: tensor<4x3xcomplex<f32>>, %z: tensor<5xcomplex<f32>>) -> (tensor<2x4xcomplex<f32>>, tensor<complex<f32>>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) {
    %product = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<2x3xcomplex<f32>>, tensor<4x3xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
    %c = stablehlo.constant dense<(1.0,2.0)> : tensor<complex<f32>>
    %fold = stablehlo.reduce(%z init: %c) across dimensions = [0] : (tensor<5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
     reducer(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>) {
      %p = stablehlo.multiply %b, %b : tensor<complex<f32>>
      %q = stablehlo.add %a, %p : tensor<complex<f32>>
      stablehlo.return %q : tensor<complex<f32>>
    }
    %sorted = "stablehlo.sort"(%z) ({
    ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
      %u = stablehlo.imag %a : (tensor<complex<f32>>) -> tensor<f32>
      %v = stablehlo.imag %b : (tensor<complex<f32>>) -> tensor<f32>
      %less = stablehlo.compare LT, %u, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
    %exponential = stablehlo.exponential %z : tensor<5xcomplex<f32>>
    return %product, %fold, %sorted, %exponential : tensor<2x4xcomplex<f32>>, tensor<complex<f32>>, tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>
  }
}
