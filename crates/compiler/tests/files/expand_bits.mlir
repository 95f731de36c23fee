// pass: expand
module @bits {
  func.func public @main(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<2x5xf32>) {
    %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x5xf32>)
    return %next, %bits : tensor<2xui64>, tensor<2x5xf32>
  }
}
