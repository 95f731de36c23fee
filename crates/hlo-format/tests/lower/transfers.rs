//! Values that devices send to devices.

use jarrah_base::Literal;
use jarrah_hlo_format::lower::LowerOptions;

use super::on_devices::{both, on_devices};
use super::{f32s, lower_with};

const TY: &str = "tensor<2xf32>";

fn send(name: &str, value: &str, attributes: &str) -> String {
    format!(
        "{name} = \"stablehlo.send\"({value}, %token) <{{{attributes}}}> : ({TY}, !stablehlo.token) -> !stablehlo.token\n"
    )
}

fn recv(name: &str, ty: &str, attributes: &str) -> String {
    format!(
        "{name}:2 = \"stablehlo.recv\"(%token) <{{{attributes}}}> : (!stablehlo.token) -> ({ty}, !stablehlo.token)\n"
    )
}

/// The attributes of a transfer between devices over the channel 1.
fn pairs(pairs: &str, count: usize) -> String {
    format!(
        "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<{pairs}> : tensor<{count}x2xi64>"
    )
}

fn function(body: &str, result: &str) -> String {
    format!(
        "func.func @each(%x: {TY}) -> {TY} {{
%token = stablehlo.create_token : !stablehlo.token
{body}return {result} : {TY}
}}"
    )
}

fn arguments(count: usize) -> Vec<Vec<Literal>> {
    (0..count).map(|at| vec![f32s(&[2], &[at as f32 + 1., at as f32 + 10.])]).collect()
}

/// JAX gives all transfers one channel: the pairs say which send a receive is of.
#[test]
fn a_send_and_its_receive_are_a_permutation() {
    let (forth, back) = (pairs("[[0, 1], [1, 2]]", 2), pairs("[[2, 0]]", 1));
    let body = [
        send("%s", "%x", &forth),
        send("%t", "%x", &back),
        recv("%b", TY, &back),
        recv("%a", TY, &forth),
        format!("%y = stablehlo.subtract %a#0, %b#0 : {TY}\n"),
    ];
    let found = both(&function(&body.concat(), "%y"), (TY, TY), (1, 3), &arguments(3));
    let expected = [[-3., -12.], [1., 10.], [2., 11.]].map(|values| vec![f32s(&[2], &values)]);
    assert_eq!(found, expected);
    // Each replica by itself.
    let found = both(&function(&body.concat(), "%y"), (TY, TY), (2, 3), &arguments(6));
    let expected = [[-3., -12.], [1., 10.], [2., 11.], [-6., -15.], [4., 13.], [5., 14.]];
    assert_eq!(found, expected.map(|values| vec![f32s(&[2], &values)]));
}

#[test]
fn a_transfer_in_a_loop() {
    let around = pairs("[[0, 1], [1, 2], [2, 3], [3, 0]]", 4);
    let body = format!(
        "%zero = stablehlo.constant dense<0> : tensor<i32>
%w:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, {TY}
cond {{
  %three = stablehlo.constant dense<3> : tensor<i32>
  %going = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %going : tensor<i1>
}} do {{
  %one = stablehlo.constant dense<1> : tensor<i32>
  %next = stablehlo.add %i, %one : tensor<i32>
  {}  {}  stablehlo.return %next, %a#0 : tensor<i32>, {TY}
}}
",
        send("%s", "%v", &around),
        recv("%a", TY, &around)
    );
    let found = both(&function(&body, "%w#1"), (TY, TY), (1, 4), &arguments(4));
    let expected = [[2., 11.], [3., 12.], [4., 13.], [1., 10.]].map(|values| vec![f32s(&[2], &values)]);
    assert_eq!(found, expected);
}

/// The message and the line for programs of one device and of three.
fn refused(body: &str) -> (String, u32) {
    let text = function(body, "%x").replace("@each", "@main");
    let error = on_devices(&text, (1, 3), &arguments(3)).unwrap_err();
    let said = (error.message().to_owned(), error.location().map_or(0, |l| l.line()));
    let alone = lower_with(&text, &LowerOptions::default()).unwrap_err();
    assert_eq!(alone.location().map(|l| l.line()), error.location().map(|l| l.line()), "{alone}");
    said
}

#[test]
fn transfers_that_are_none_are_refused() {
    let attributes = pairs("[[0, 0]]", 1);
    let (message, line) = refused(&send("%s", "%x", &attributes));
    assert!(message.contains("sends values that nothing receives") && line == 3, "{message} at {line}");
    let (message, line) = refused(&recv("%a", TY, &attributes));
    assert!(message.contains("receives values that nothing has sent") && line == 3, "{message} at {line}");
    let other = pairs("[[0, 0], [1, 1]]", 2);
    let (message, _) = refused(&(send("%s", "%x", &attributes) + &recv("%a", TY, &other)));
    assert!(message.contains("receives values that nothing has sent"), "{message}");
    let (message, line) =
        refused(&(send("%s", "%x", &attributes) + &recv("%a", "tensor<3xf32>", &attributes)));
    assert!(
        message.contains("receives tensor<3xf32>, but f32[2] is sent") && line == 4,
        "{message} at {line}"
    );
    let host = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true";
    let (message, _) = refused(&send("%s", "%x", host));
    assert!(message.contains("sends values to the host"), "{message}");
    let (message, _) = refused(&recv("%a", TY, &host.replace("type = 2", "type = 3")));
    assert!(message.contains("receives values from the host"), "{message}");
    let nobody = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>";
    let (message, _) = refused(&send("%s", "%x", nobody));
    assert!(message.contains("without `source_target_pairs`"), "{message}");
}
