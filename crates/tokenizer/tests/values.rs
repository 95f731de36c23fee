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
        (
            "'%s|%r' % (m.d,m.d)",
            "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}|{'x': 1e+22, 'y': [1e-07, None, True, 'q']}",
        ),
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
        (
            "tools|tojson",
            "[{\"type\": \"function\", \"function\": {\"name\": \"g\", \"parameters\": {\"properties\": {\"x\": {\"minimum\": 0, \"maximum\": Infinity, \"default\": 0.1}}}}}]",
        ),
    ]);
}

#[test]
fn methods_and_filters_are_those_of_jinja() {
    check(&[
        ("'{!r}'.format('a')", "'a'"),
        ("'{!r:>6}|{!s}'.format('a', 1)", "   'a'|1"),
        ("'{0!r}{0}'.format('a')", "'a'a"),
        ("'{a!r}'.format(a='b')", "'b'"),
        ("'{!r}'.format(m.list)", "[1e+22, {'a': 1e-07}]"),
        ("'{:{}}|'.format('a', 5)", "a    |"),
        ("'{:>{w}}|'.format('a', w=5)", "    a|"),
        ("'{0[x]} {1.role}'.format(m.d, m)", "1e+22 user"),
        ("'{a[y][0]}'.format(a=m.d)", "1e-07"),
        ("'{{}} {{{}}}'.format(1)", "{} {1}"),
        ("'{:,}'.format(1234567)", "1,234,567"),
        ("'{:.3}'.format('abcdef')", "abc"),
        ("'<'|tojson|e", "&#34;&lt;&#34;"),
        ("'a\"\\'<&>'|e", "a&#34;&#39;&lt;&amp;&gt;"),
        ("'a\"\\'<&>'|escape", "a&#34;&#39;&lt;&amp;&gt;"),
        ("('<b>'|e)|e", "&lt;b&gt;"),
        ("dict([('a',1),('b',m.s)])", "{'a': 1, 'b': 1e-07}"),
        ("dict([['a',1]], c=2)", "{'a': 1, 'c': 2}"),
        ("dict({'a':1}, b=2)", "{'a': 1, 'b': 2}"),
        ("m.d.copy()", "{'x': 1e+22, 'y': [1e-07, None, True, 'q']}"),
        ("m.list.copy()", "[1e+22, {'a': 1e-07}]"),
        ("{'b':1,'A':2}|dictsort(true)", "[('A', 2), ('b', 1)]"),
        ("{'b':1,'A':2}|dictsort(false,'value')", "[('b', 1), ('A', 2)]"),
        ("{'b':1,'A':2}|dictsort(true,'key',true)", "[('b', 1), ('A', 2)]"),
        ("'a\\nb'|indent('>>')", "a\n>>b"),
        ("'a\\nb'|indent('>>', true)", ">>a\n>>b"),
        ("'a\\n\\nb'|indent(2, true, true)", "  a\n  \n  b"),
        ("'a\\n\\nb\\n'|indent", "a\n\n    b\n"),
        ("'a\\n\\nb\\n'|indent(width='- ', first=true)", "- a\n\n- b\n"),
        ("'a\\u2028b\\x0bc'|indent(1)", "a\n b\n c"),
        ("''|indent", ""),
        ("'a b&c=d/é'|urlencode", "a%20b%26c%3Dd/%C3%A9"),
        ("{'a':'b c','d':1}|urlencode", "a=b+c&d=1"),
        ("[('a','b c'),('d',m.s)]|urlencode", "a=b+c&d=1e-07"),
        ("m.s|urlencode", "1e-07"),
        ("'aßÉ'.casefold()", "assé"),
        ("'ab\\tc\\n\\td'.expandtabs(4)", "ab  c\n    d"),
        ("'a\\tb'.expandtabs()", "a       b"),
        ("'Hello World'.istitle()", "True"),
        ("'hello World'.istitle()", "False"),
        ("'A1b'.istitle()", "False"),
        ("''.istitle()", "False"),
        ("1 < 2 < 3", "True"),
        ("m.s < m.l", "True"),
        ("(m.zz|default(0)) < 1", "True"),
        ("m.zz is defined and m.zz < 1", "False"),
        ("m.s + 1 < m.l + 2", "True"),
        ("[1,2] > [1]", "True"),
        ("messages|length - 1 >= 0", "True"),
    ]);
    for wrong in [
        "m.zz < 1",
        "1 > m.zz",
        "m.zz >= 1",
        "m.zz is lt 1",
        "m.none < 1",
        "'{}{}'.format(1)",
        "'{'.format(1)",
        "'{!x}'.format(1)",
        "'{:{:{}}}'.format(1, 2, 3)",
        "'{:{}}'.format(1, 100000000)",
        "5|indent",
        "'a'|indent(1.5)",
        "'\\t'.expandtabs(100000000)",
        "dict([1])",
        "[1]|urlencode",
    ] {
        let found = rendered(&format!("{{% set m = messages[0] %}}{{{{ {wrong} }}}}"));
        assert!(found.is_err(), "{wrong}: {found:?}");
    }
    let error = rendered("{{ zz < 1 }}").unwrap_err();
    assert!(error.ends_with("undefined is neither less nor more than another value"), "{error}");
}

#[test]
fn lines_strings_and_blocks_are_read_as_jinja_reads_them() {
    for (template, wanted) in [
        ("a\r\nb\r\n{% if true %}\r\nx\r\n{% endif %}\r\ny", "a\nb\nx\ny"),
        ("a\rb{% raw %}\r\n{% endraw %}{{ 'a\r\nb' }}", "a\nb\na\nb"),
        ("{{ 'a\\\nb' }}{{ \"\\\\\nb\" }}", "ab\\\nb"),
        ("{% block a %}x{{ 1 }}{% endblock %}y", "x1y"),
        ("{%- block a scoped -%} x {%- endblock a -%} y", "xy"),
    ] {
        assert_eq!(rendered(template).as_deref(), Ok(wanted), "{template:?}");
    }
}
