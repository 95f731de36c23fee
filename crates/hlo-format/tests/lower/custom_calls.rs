use std::sync::{Arc, Mutex};

use jarrah_base::Literal;
use jarrah_hlo::host::{CallAttribute, Config, HandlerCall, Registry};
use jarrah_hlo::ops::{CallTarget, CustomCall, OutputAlias, VmapMethod};
use jarrah_hlo::{Builder, Effects, Op};
use jarrah_hlo_format::lower::{EffectTokens, LowerOptions};
use jarrah_hlo_format::{bytecode, export, import, print, read};

use super::{f32s, i32s, lower, lower_with, refusal, run};

#[test]
fn annotations_return_their_operands() {
    let text = r#"
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<2xf32>) -> tensor<2xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}]> : tensor<2xf32>
  %2 = stablehlo.custom_call @annotate_device_placement(%1) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}"#;
    let x = f32s(&[2], &[1.0, 2.0]);
    assert_eq!(run(text, std::slice::from_ref(&x)), [x]);
}

/// The manual computations of the partitioner before Shardy.
#[test]
fn annotations_that_change_shapes_name_the_form_that_is_read() {
    let text = r#"
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%x) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"#;
    let error = lower_with(text, &LowerOptions::default()).unwrap_err().to_string();
    assert!(error.contains("@SPMDFullToShardShape changes shapes"), "{error}");
    assert!(error.contains("sdy.manual_computation: in JAX, jax_use_shardy_partitioner"), "{error}");
}

#[test]
fn wishes_for_a_schedule_leave_nothing() {
    let text = r#"
func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<2xf32> {
  stablehlo.custom_call @control_dep(%y, %x) {has_side_effect = true} : (tensor<3xf32>, tensor<2xf32>) -> ()
  return %x : tensor<2xf32>
}"#;
    let program = lower(text);
    assert!(program.effects().is_pure() && program.instrs().is_empty());
}

#[test]
fn layouts_are_no_matter_of_values() {
    let text = r#"
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.custom_call @LayoutConstraint(%x) {backend_config = "", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}"#;
    let x = f32s(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    assert_eq!(run(text, std::slice::from_ref(&x)), [x]);
}

#[test]
fn a_selection_is_scattered_by_any_function() {
    let text = r#"
func.func @main(%x: tensor<4xf32>, %source: tensor<3xf32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %source, %one) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.compare LE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
  }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.multiply %a, %b : tensor<f32>
      stablehlo.return %p : tensor<f32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 1>} : (tensor<4xf32>, tensor<3xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}"#;
    // The smallest of each pair: 3, 1, 1.
    let results = run(text, &[f32s(&[4], &[3.0, 5.0, 1.0, 4.0]), f32s(&[3], &[2.0, 7.0, 10.0])]);
    assert_eq!(results, [f32s(&[4], &[2.0, 1.0, 70.0, 1.0])]);
}

#[test]
fn functions_that_are_called_by_a_target() {
    let text = r#"
func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.custom_call @mhlo.erf(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = false}} : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0, %1#0, %1#1 : tensor<3xf32>, tensor<2xf32>, tensor<2xi32>
}"#;
    let results = run(text, &[f32s(&[3], &[0.0, 3.0, -9.0])]);
    assert_eq!(results[0].get_f64(0), 0.0);
    assert_eq!(results[0].get_f64(2), -1.0);
    assert_eq!(results[1], f32s(&[2], &[-9.0, 0.0]));
    assert_eq!(results[2], i32s(&[2], &[2, 0]));
}

#[test]
fn the_first_elements_in_the_order_of_a_function() {
    let text = r#"
module {
  func.func public @main(%x: tensor<2x4xf32>) -> (tensor<2x2xf32>, tensor<2x2xi32>) {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %none = stablehlo.constant dense<-1> : tensor<i32>
    %1:2 = stablehlo.custom_call @ApproxTopK(%x, %0, %low, %none) {called_computations = [@larger], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x2xf32>, tensor<2x2xi32>)
    return %1#0, %1#1 : tensor<2x2xf32>, tensor<2x2xi32>
  }
  func.func private @larger(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
    %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}"#;
    let results = run(text, &[f32s(&[2, 4], &[1.0, 4.0, 2.0, 3.0, 8.0, 5.0, 7.0, 6.0])]);
    assert_eq!(results[0], f32s(&[2, 2], &[4.0, 3.0, 8.0, 7.0]));
    assert_eq!(results[1], i32s(&[2, 2], &[1, 3, 0, 2]));
}

/// A program that calls host code in all the ways there are.
const HOST: &str = r#"
func.func @main(%first: !stablehlo.token, %x: tensor<2xf32>) -> (!stablehlo.token, tensor<2xf32>) {
  %0 = stablehlo.custom_call @legacy(%x) {api_version = 2 : i32, backend_config = "how", has_side_effect = true, operand_layouts = [dense<0> : tensor<1xindex>]} : (tensor<2xf32>) -> tensor<2xf32>
  %1:2 = stablehlo.custom_call @typed(%first, %0) {mhlo.backend_config = {arr = dense<[0, 1]> : tensor<2xi64>, deep = {n = -1 : i8}, eps = 1.5 : f32, flag = true, list = [1 : ui64, 2 : ui64], name = "h"}, output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 1, operand_tuple_indices = []>]} : (!stablehlo.token, tensor<2xf32>) -> (!stablehlo.token, tensor<2xf32>)
  %2 = stablehlo.custom_call @pure(%1#1) : (tensor<2xf32>) -> tensor<2xf32>
  return %1#0, %2 : !stablehlo.token, tensor<2xf32>
}"#;

#[test]
fn other_targets_are_host_code() {
    let program = lower(HOST);
    let calls: Vec<&CustomCall> = program
        .instrs()
        .iter()
        .filter_map(|i| match &i.op {
            Op::CustomCall(call) => Some(&**call),
            _ => None,
        })
        .collect();
    let [legacy, typed, pure] = calls[..] else { panic!("three calls") };
    assert_eq!(legacy.config, Config::Text("how".into(), 2));
    assert_eq!(
        (legacy.effects, typed.effects, pure.effects),
        (Effects::OBSERVED, Effects::ORDERED, Effects::NONE)
    );
    assert_eq!(typed.aliases, [OutputAlias { result: 0, operand: 0 }]);
    assert_eq!(typed.config.get("eps"), Some(&CallAttribute::Scalar(Literal::scalar(1.5f32))));
    assert_eq!(
        typed.config.get("flag"),
        Some(&CallAttribute::Scalar(Literal::from_bools(&[], &[true]).unwrap()))
    );
    assert_eq!(
        typed.config.get("arr"),
        Some(&CallAttribute::Array(Literal::from_slice(&[2], &[0i64, 1]).unwrap()))
    );
    assert_eq!(
        typed.config.get("list"),
        Some(&CallAttribute::Array(Literal::from_slice(&[2], &[1u64, 2]).unwrap()))
    );
    assert_eq!(typed.config.get("name"), Some(&CallAttribute::Text("h".into())));
    let Some(CallAttribute::Dictionary(deep)) = typed.config.get("deep") else { panic!("a dictionary") };
    assert_eq!(deep.get("n"), Some(&CallAttribute::Scalar(Literal::scalar(-1i8))));
}

#[test]
fn tokens_stand_where_the_signature_has_them() {
    let entry = lower_with(HOST, &LowerOptions::default()).unwrap();
    assert_eq!((entry.program.params().len(), entry.program.results().len()), (1, 1));
    assert_eq!(entry.tokens, EffectTokens { arguments: vec![0], results: vec![0] });
}

/// What JAX 0.10.2 lowers `debug.print(ordered=True)` in a `scan` to, reduced to its control flow.
#[test]
fn order_passes_through_loops_and_calls_without_tokens() {
    let text = r#"
module @jit_f {
  func.func public @main(%arg0: !stablehlo.token {jax.token = true}, %arg1: tensor<f32>) -> (!stablehlo.token {jax.token = true}, tensor<f32>) {
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0, %arg1) {backend_config = "", has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}, operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (!stablehlo.token, tensor<f32>) -> !stablehlo.token
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%iterArg = %0, %iterArg_0 = %c, %iterArg_1 = %arg1) : !stablehlo.token, tensor<i32>, tensor<f32>
    cond {
      %c_2 = stablehlo.constant dense<3> : tensor<i32>
      %2 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2:2 = func.call @closed_call(%iterArg, %iterArg_1) : (!stablehlo.token, tensor<f32>) -> (!stablehlo.token, tensor<f32>)
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %3 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %2#0, %3, %2#1 : !stablehlo.token, tensor<i32>, tensor<f32>
    }
    return %1#0, %1#2 : !stablehlo.token, tensor<f32>
  }
  func.func private @closed_call(%arg0: !stablehlo.token {jax.token = true}, %arg1: tensor<f32>) -> (!stablehlo.token {jax.token = true}, tensor<f32>) {
    %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0, %arg1) {backend_config = "", has_side_effect = true, mhlo.backend_config = {index = 1 : ui64}, operand_layouts = [dense<> : tensor<0xindex>, dense<> : tensor<0xindex>], result_layouts = [dense<> : tensor<0xindex>]} : (!stablehlo.token, tensor<f32>) -> !stablehlo.token
    %1 = stablehlo.add %arg1, %arg1 : tensor<f32>
    return %0, %1 : !stablehlo.token, tensor<f32>
  }
}"#;
    let registry = Registry::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let callback = move |call: &mut HandlerCall<'_>| {
        let Some(CallAttribute::Scalar(index)) = call.config.get("index") else { panic!("no index") };
        sink.lock().unwrap().push((index.get_i128(0), call.operands[0].literal()?.get_f64(0)));
        Ok(())
    };
    registry.register("xla_ffi_python_cpu_callback", callback).unwrap();
    let program = lower(text);
    assert_eq!(program.effects(), Effects::ORDERED);
    let program = registry.resolve(&program).unwrap();
    let results = jarrah_hlo_eval::evaluate(&program, &[Literal::scalar(1.0f32)]).unwrap();
    assert_eq!(results, [Literal::scalar(8.0f32)]);
    assert_eq!(*seen.lock().unwrap(), [(0, 1.0), (1, 1.0), (1, 2.0), (1, 4.0)]);
}

#[test]
fn calls_of_host_code_are_written_as_they_were() {
    let mut program = lower(HOST);
    let text = print(&program);
    for batching in [VmapMethod::Sequential, VmapMethod::ExpandDims, VmapMethod::BroadcastAll] {
        for effects in
            [Effects::NONE, Effects::OBSERVED, Effects::ORDERED, Effects { once: true, ..Effects::NONE }]
        {
            let mut b = Builder::like(&program);
            let x = program.param(0);
            let target = CallTarget::Named("named".into());
            let call =
                CustomCall { batching, effects, ..CustomCall::new(target, vec![program.param_types()[0]]) };
            let results = b.push(call, &[x]).unwrap();
            program = b.finish(&results).unwrap();
            let bytes = bytecode::write(&export(&program), bytecode::Version::CURRENT).unwrap();
            assert_eq!(jarrah_hlo_format::parse(&print(&program)).unwrap(), program);
            assert_eq!(import(&read("named.mlirbc", &bytes).unwrap().1[0]).unwrap(), program);
        }
    }
    let again = jarrah_hlo_format::parse(&text).unwrap();
    assert_eq!(again, lower(HOST));
    assert_eq!(print(&again), text);
}

#[test]
fn host_code_is_looked_up_by_name() {
    let program = lower(HOST);
    let registry = Registry::new();
    let error = registry.resolve(&program).unwrap_err();
    assert_eq!(error.message(), "no handler of custom calls @legacy is known, none is registered");
    assert_eq!(error.location().map(|l| l.line()), Some(3));
    registry
        .register("legacy", |call: &mut HandlerCall<'_>| call.results[0].write(&call.operands[0].literal()?))
        .unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = seen.clone();
    let typed = move |call: &mut HandlerCall<'_>| {
        assert!(call.operands[0].bytes.is_empty(), "its contents are in the result");
        sink.lock().unwrap().push(Literal::from_bytes(call.results[0].ty, call.results[0].bytes)?);
        call.results[0].bytes[..4].copy_from_slice(&9f32.to_le_bytes());
        Ok(())
    };
    registry.register("typed", typed).unwrap();
    let error = registry.resolve(&program).unwrap_err();
    assert_eq!(error.message(), "no handler of custom calls @pure is known, registered are @legacy, @typed");
    registry
        .register("pure", |_: &mut HandlerCall<'_>| Err(jarrah_base::Error::program("not today")))
        .unwrap();
    let program = registry.resolve(&program).unwrap();
    let x = f32s(&[2], &[1.0, 2.0]);
    let error = jarrah_hlo_eval::evaluate(&program, std::slice::from_ref(&x)).unwrap_err();
    assert_eq!((error.message(), error.location().map(|l| l.line())), ("not today", Some(5)));
    assert_eq!(*seen.lock().unwrap(), [x]);
    let taken = registry.register("pure", |_: &mut HandlerCall<'_>| Ok(())).unwrap_err();
    assert_eq!(taken.message(), "a handler of custom calls @pure is registered already");
}

#[test]
fn what_host_code_cannot_be_given_is_refused() {
    let text = |attributes: &str| {
        format!(
            "
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {{
  %0 = stablehlo.custom_call @something(%x) {{{attributes}}} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}}"
        )
    };
    for (attributes, message) in [
        ("operand_layouts = [dense<[0, 1]> : tensor<2xindex>]", "axes in the order [0, 1], fastest first"),
        ("mhlo.backend_config = {x = [1 : i64, true]}", "`x` is nothing that host code can be given"),
        ("api_version = 7 : i32", "`api_version` 7 is not known"),
        ("jarrah.host_function = true", "function of the process that wrote the program"),
        (
            "output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 4, operand_tuple_indices = []>]",
            "no list of pairs",
        ),
    ] {
        let (found, line) = refusal(&text(attributes));
        assert!(found.contains(message) && line == 3, "{found} at {line}");
    }
}
