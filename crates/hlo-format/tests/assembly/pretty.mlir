module @pretty attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%x: tensor<2x8x8x3xf32> {jax.buffer_donor = true}, %k: tensor<3x3x3x16xf32>, %key: tensor<2xui64>)
      -> (tensor<2x8x8x16xf32> {jax.result_info = "out"}) attributes {note = "a \22word\22\0A"} {
    %conv = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[1, 1], [1, 1]], reverse = [false, true]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<2x8x8x16xf32>
    %c = stablehlo.constant dense<[[1, -2], [3, 0x10]]> : tensor<2x2xi32>
    %i4 = stablehlo.constant dense<[7, -8, 15]> : tensor<3xi4>
    %b = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %z = stablehlo.constant dense<[(1.0, -0.0), (0x7FC00000, 2.5e-3)]> : tensor<2xcomplex<f32>>
    %e = stablehlo.constant dense<> : tensor<0x3xf8E4M3FN>
    %hex = stablehlo.constant dense<"0x000080BF0000803F"> : tensor<2xf32>
    %cmp = stablehlo.compare LT, %c, %c, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %sel = stablehlo.select %cmp, %c, %c : tensor<2x2xi1>, tensor<2x2xi32>
    %cpx = stablehlo.complex %hex, %hex : tensor<2xcomplex<f32>>
    %re = stablehlo.real %cpx : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %rp = stablehlo.reduce_precision %re, format = e5m10 : tensor<2xf32>
    %ex = stablehlo.exponential %rp {result_accuracy = #stablehlo.result_accuracy<atol = 1.0e-5, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    %n = stablehlo.constant dense<0.0> : tensor<f32>
    %sum = stablehlo.reduce(%conv init: %n) applies stablehlo.add across dimensions = [1, 2] : (tensor<2x8x8x16xf32>, tensor<f32>) -> tensor<2x16xf32>
    %two:2 = stablehlo.reduce(%sum init: %n), (%sum init: %n) across dimensions = [1] {why = unit} : (tensor<2x16xf32>, tensor<2x16xf32>, tensor<f32>, tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>)
      reducer(%p: tensor<f32>, %q: tensor<f32>) (%u: tensor<f32>, %v: tensor<f32>) {
        %m = stablehlo.maximum %p, %q : tensor<f32>
        stablehlo.return %m, %v : tensor<f32>, tensor<f32>
      }
    %i0 = stablehlo.constant dense<0> : tensor<i32>
    %w:2 = stablehlo.while(%i = %i0, %acc = %conv) : tensor<i32>, tensor<2x8x8x16xf32> attributes {trip = 3 : i64}
      cond {
        %lim = stablehlo.constant dense<3> : tensor<i32>
        %go = stablehlo.compare LT, %i, %lim : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %go : tensor<i1>
      } do {
        %one = stablehlo.constant dense<1> : tensor<i32>
        %next = stablehlo.add %i, %one : tensor<i32>
        %same = func.call @twice(%acc) : (tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32>
        stablehlo.return %next, %same : tensor<i32>, tensor<2x8x8x16xf32>
      }
    %ds = stablehlo.dynamic_slice %c, %i0, %i0, sizes = [1, 2] : (tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
    %cat = stablehlo.concatenate %ds, %ds, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
    %tk:2 = chlo.top_k(%sum, k = 4) : tensor<2x16xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
    %lg = chlo.lgamma %sum : tensor<2x16xf32> -> tensor<2x16xf32>
    %st, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    %ob:2 = stablehlo.optimization_barrier %st, %bits : tensor<2xui64>, tensor<4xui32>
    stablehlo.optimization_barrier()
    %dot = stablehlo.dot_general %sum, %lg, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT],
      algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1,
      rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2xf32>
    %cs = stablehlo.composite "my.op" %dot {decomposition = @keep, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
    %pr = stablehlo.partition_id : tensor<ui32>
    %sc:2 = chlo.scan(%lg) inits (%dot) dimension=1 {
    ^bb0(%el: tensor<2xf32>, %carry: tensor<2xf32>):
      %t = stablehlo.add %el, %carry : tensor<2xf32>
      stablehlo.return %t, %t : tensor<2xf32>, tensor<2xf32>
    } : (tensor<2x16xf32>, tensor<2xf32>) -> (tensor<2x16xf32>, tensor<2xf32>)
    check.expect_close %cs, %cs, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
    check.expect_eq_const %ds, dense<[[1, -2]]> : tensor<1x2xi32>
    return %w#1 : tensor<2x8x8x16xf32>
  }
  func.func private @twice(tensor<2x8x8x16xf32> {a.b}) -> tensor<2x8x8x16xf32>
  func.func private @keep(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}
