//! What arrays have no operator for does not compile, and the compiler says which method is meant.

use crate::rustc;

/// What the compiler says of `line`, in which `x` and `y` are references to arrays and `a` and `b` arrays; none if it compiles.
fn said_of(line: &str) -> Option<String> {
    let text = format!(
        "use jarrah_array::Array;\npub fn f(x: &Array, y: &Array) {{\nlet (mut a, b) = (x.clone(), y.clone());\n{line}\n\
         let _ = (&mut a, b);\n}}\n"
    );
    let (accepted, said) = rustc::compile(&text, "jarrah_array");
    (!accepted).then_some(said)
}

#[test]
fn brackets_name_index_and_at() {
    for line in ["a[0];", "let _ = &x[1..];", "x[b];", "a[(0, 1)] = b.clone();", "a[[1, 2]];"] {
        let said = said_of(line).unwrap();
        assert!(said.contains("an array is not indexed with `["), "{line}\n{said}");
        assert!(said.contains("`.index(..)`") && said.contains("`x.at(0).set(y)`"), "{line}\n{said}");
    }
}

#[test]
fn comparisons_name_eq_and_lt() {
    let lines = [
        "let _ = a == b;",
        "let _ = x == y;",
        "let _ = x == b;",
        "let _ = a == y;",
        "let _ = x != 1.0;",
        "let _ = a == 1;",
        "if a > b {}",
        "let _ = x <= y;",
        "let _ = a >= 0.5;",
        "assert_eq!(x, y);",
        "let _ = vec![a.clone()] == vec![b.clone()];",
        "#[derive(PartialEq)] struct Model { weight: Array }",
    ];
    for line in lines {
        let said = said_of(line).unwrap();
        assert!(said.contains("arrays are not compared with `==`"), "{line}\n{said}");
        assert!(said.contains("write `.eq(..)`") && said.contains("`x.eq(&y).all(..)`"), "{line}\n{said}");
    }
}

#[test]
fn a_reduction_without_an_argument_names_all_axes() {
    for name in ["sum", "mean", "max", "all", "nansum", "median"] {
        let said = said_of(&format!("let _ = x.{name}();")).unwrap();
        assert!(said.contains(&format!("/* all axes: `{name}(..)` */")), "{name}\n{said}");
    }
}

#[test]
fn methods_by_the_names_of_the_operators_are_those_of_arrays() {
    let good = "let _: [Array; 6] = [x.eq(y), a.ne(&b), x.lt(1.0), a.le(&b), x.gt(y), x.ge(0.5)];\n\
                let boxed = Box::new(b.clone());\nlet _: Array = boxed.eq(&a);\nlet _: Array = x.index(0);\n\
                let shared = std::sync::Arc::new(b.clone());\nlet _: Array = shared.lt(&a);\n\
                let _: Array = x.sum(..).max(0);\nlet o: Option<Array> = None;\nlet _ = o.is_none();";
    assert_eq!(said_of(good), None);
}
