//! Expressions of templates. Wanted are the texts that Jinja2 3.1 makes of them as transformers sets it up.

use jarrah_tokenizer::chat::{Chat, Template};

const CHAT: &str = r#"{"messages": [{"role": "user", "content": "a", "s": 1e-7, "l": 1e22, "w": 0.10000000000000001,
    "p": 3.141592653589793238, "i": 1e400, "z": -0, "zf": -0.0, "list": [1e22, {"a": 1e-7}],
    "d": {"x": 1e22, "y": [1e-7, null, true, "q"]}, "lat": 52.520008199999998}],
    "tools": [{"type": "function", "function": {"name": "g", "parameters": {"properties": {"x":
    {"minimum": -0, "maximum": 1e400, "default": 0.10000000000000001}}}}}]}"#;

fn rendered(template: &str) -> Result<String, String> {
    let chat = Chat::parse(CHAT).unwrap();
    Template::new(template).and_then(|template| template.render(&chat)).map_err(|e| e.to_string())
}

/// Each expression of the first message `m` has the text that is wanted.
fn check(expressions: &[(&str, &str)]) {
    for (expression, wanted) in expressions {
        let found = rendered(&format!("{{% set m = messages[0] %}}{{{{ {expression} }}}}"));
        assert_eq!(found.as_deref(), Ok(*wanted), "{expression}");
    }
}

#[test]
fn numbers_of_more_digits_than_a_float_are_floats() {
    check(&[
        ("m.w is number", "True"),
        ("m.w is float", "True"),
        ("m.w|round(2)", "0.1"),
        ("m.p|round(3)", "3.142"),
        ("m.w * 3", "0.30000000000000004"),
        ("m.w + 1", "1.1"),
        ("-m.w", "-0.1"),
        ("m.p // 1", "3.0"),
        ("m.p % 2", "1.1415926535897931"),
        ("m.w|int", "0"),
        ("m.p|float", "3.141592653589793"),
        ("m.w|abs", "0.1"),
        ("[m.w,m.p]|sum", "3.241592653589793"),
        ("[m.p,m.w]|sort", "[0.1, 3.141592653589793]"),
        ("[m.p,m.w]|max", "3.141592653589793"),
        ("m.w < 1", "True"),
        ("m.w == 0.1", "True"),
        ("m.lat > 50", "True"),
        ("m.lat", "52.5200082"),
        ("'%.1f' % m.lat", "52.5"),
        ("m.lat|tojson", "52.5200082"),
    ]);
}

#[test]
fn texts_of_values_are_those_of_python() {
    check(&[
        ("m.s ~ ''", "1e-07"),
        ("m.s ~ m.l ~ m.w", "1e-071e+220.1"),
        ("m.list ~ m.d", "[1e+22, {'a': 1e-07}]{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("'a' + 'b' ~ m.s", "ab1e-07"),
        ("2 ** 3 ~ ''", "8"),
        ("m.s ~ 'x' == '1e-07x'", "True"),
        ("{'k': m.s ~ 'x'}", "{'k': '1e-07x'}"),
        ("m.s|string", "1e-07"),
        ("m.d|string", "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("m.s|upper", "1E-07"),
        ("m.s|title", "1e-07"),
        ("m.s|capitalize", "1e-07"),
        ("m.s|trim", "1e-07"),
        ("m.d|upper", "{'X': 1E+22, 'Y': [1E-07, NONE, TRUE, 'Q']}"),
        ("m.s|replace('e','x')", "1x-07"),
        ("'x'|replace('x',m.l)", "1e+22"),
        ("'aaa'|replace('a','b',count=2)", "bba"),
        ("'abc'|replace('','-')", "-a-b-c-"),
        ("m.list|join(', ')", "1e+22, {'a': 1e-07}"),
        ("[m.s,m.l,1,none,true]|join", "1e-071e+221NoneTrue"),
        ("[m.s,m.l]|join(m.s)", "1e-071e-071e+22"),
        ("messages|join(',',attribute='s')", "1e-07"),
        ("undefinedvar|join('-')", ""),
        ("[m.s,m.l]|map('upper')|list", "['1E-07', '1E+22']"),
        ("[m.s]|map('string')|join", "1e-07"),
        ("'%s %s' % (m.l, m.list)", "1e+22 [1e+22, {'a': 1e-07}]"),
        ("'%r' % m.s", "1e-07"),
        ("'%s|%r' % (m.d,m.d)", "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}|{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("'%d' % 1.0", "1"),
        ("'%d' % -2.7", "-2"),
        ("'%i' % m.l", "10000000000000000000000"),
        ("'%.2f' % m.p", "3.14"),
        ("'%s %d'|format(m.list, 3.9)", "[1e+22, {'a': 1e-07}] 3"),
        ("'{}'.format(m.l)", "1e+22"),
        ("'{} {}'.format(m.list,m.d)", "[1e+22, {'a': 1e-07}] {'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("'{a[x]}'.format(a=m.d)", "1e+22"),
        ("m.list", "[1e+22, {'a': 1e-07}]"),
        ("m.d", "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("[m.d,(m.s,)]", "[{'x': 1e+22, 'y': [1e-07, None, True, 'q']}, (1e-07,)]"),
        ("(m.l,m.s)", "(1e+22, 1e-07)"),
        ("{m.s:m.l}", "{1e-07: 1e+22}"),
        ("[undefinedvar]", "[Undefined]"),
        ("[1/3]", "[0.3333333333333333]"),
        ("m.s|center(9)", "  1e-07  "),
        ("m.list|e", "[1e+22, {&#39;a&#39;: 1e-07}]"),
        ("m.s|striptags", "1e-07"),
        ("m.d|xmlattr", " x=\"1e+22\" y=\"[1e-07, None, True, &#39;q&#39;]\""),
        ("m.d|dictsort", "[('x', 1e+22), ('y', [1e-07, None, True, 'q'])]"),
        ("m.d.items()|list", "[('x', 1e+22), ('y', [1e-07, None, True, 'q'])]"),
    ]);
    let deep = "{% set ns = namespace(l=1e22) %}{% for i in range(1000) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l ~ '' }}";
    assert_eq!(rendered(deep).unwrap(), format!("{}1e+22{}", "[".repeat(1000), "]".repeat(1000)));
    let error = rendered("{{ raise_exception([messages[0].s]) }}").unwrap_err();
    assert!(error.ends_with("[1e-07]"), "{error}");
}

#[test]
fn infinite_numbers_and_the_zero_with_a_sign_are_those_of_python() {
    check(&[
        ("m.i", "inf"),
        ("m.i|tojson", "Infinity"),
        ("m.i is number", "True"),
        ("m.i > 1e300", "True"),
        ("-m.i", "-inf"),
        ("m.z", "0"),
        ("m.z|tojson", "0"),
        ("m.zf", "-0.0"),
        ("m.z + 1", "1"),
        ("tools|tojson", "[{\"type\": \"function\", \"function\": {\"name\": \"g\", \"parameters\": {\"properties\": {\"x\": {\"minimum\": 0, \"maximum\": Infinity, \"default\": 0.1}}}}}]"),
    ]);
}
