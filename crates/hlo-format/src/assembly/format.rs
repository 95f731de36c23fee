use crate::ir::{AttrKind, Signature};

/// The syntax of an op: what its text consists of, behind its name.
#[derive(Debug)]
pub(crate) struct Format(pub Vec<Piece>);

/// A piece of an op's text.
#[derive(PartialEq, Debug)]
pub(crate) enum Piece {
    /// A word or sign.
    Literal(&'static str),
    /// No space before the next piece.
    Tight,
    /// The operands of that name, and whether there are any number of them.
    Operand(&'static str, bool),
    /// All operands.
    Operands,
    /// The attribute of that name and kind, without its type.
    Attribute(&'static str, AttrKind),
    /// The dictionary of what attributes remain.
    Dictionary,
    /// Something that has its own code.
    Directive(Directive),
    /// The types of these operands.
    Types(Vec<&'static str>),
    /// Pieces that are printed only if the attribute among them is present.
    Group(Vec<Piece>),
}

macro_rules! directives {
    ($($(#[$doc:meta])* $name:ident $text:literal owns $($attribute:literal)*;)*) => {
        /// A piece of text that has its own code.
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub(crate) enum Directive {
            $($(#[$doc])* $name,)*
        }

        impl Directive {
            fn find(text: &str) -> Option<Directive> {
                match text {
                    $($text => Some(Directive::$name),)*
                    _ => None,
                }
            }

            /// The attributes that it reads and writes.
            pub(crate) fn attributes(self) -> &'static [&'static str] {
                match self {
                    $(Directive::$name => &[$($attribute),*],)*
                }
            }
        }
    };
}

directives! {
    /// `(a, b) -> c`.
    Signature "signature" owns;
    /// `a`, or as above if the types differ.
    Same "same" owns;
    /// The types of the operands.
    OperandTypes "operands" owns;
    /// `: a, b`, or nothing without operands.
    OperandTypesIfAny "operands-if-any" owns;
    /// The types of the results.
    ResultTypes "results" owns;
    /// `tuple<a, b>`: the operands have the types of the elements.
    TupleType "tuple-type" owns;
    /// `p, a`: the predicate's type and that of all others.
    SelectType "select-type" owns;
    /// `complex`: the operands have the type of its real part.
    ComplexType "complex-type" owns;
    /// `%a, %b,`.
    OperandsAndComma "operands-and-comma" owns;
    /// `%a, %b : a, b`, or `()`.
    Barrier "barrier" owns;
    /// `dense<...> : a`: the result has its type.
    Value "value" owns "value";
    /// As above with a form for results of another type.
    Constant "constant" owns "value";
    /// `[0:4, 0:8:2]`.
    Slice "slice" owns "start_indices" "limit_indices" "strides";
    /// `, precision = [DEFAULT, DEFAULT]`.
    Precision "precision" owns "precision_config";
    /// `, algorithm = <...>`.
    Algorithm "algorithm" owns "algorithm";
    /// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
    DotDimensions "dot-dimensions" owns "dot_dimension_numbers";
    /// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
    ConvolutionDimensions "convolution-dimensions" owns "dimension_numbers";
    /// `stride = [1, 1], pad = [[0, 0], [0, 0]]`.
    Window "window" owns "window_strides" "padding" "lhs_dilation" "rhs_dilation" "window_reversal";
    /// `e5m2`.
    ExponentMantissa "exponent-mantissa" owns "exponent_bits" "mantissa_bits";
    /// `@target`.
    Target "target" owns "call_target_name";
    /// `@name`.
    SymbolName "symbol-name" owns "sym_name";
    /// `({...}, {...})`.
    CompositeRegions "composite-regions" owns;
    /// A module.
    Module "module" owns "sym_name" "sym_visibility";
    /// A function.
    Function "function" owns "sym_name" "function_type" "sym_visibility" "arg_attrs" "res_attrs";
    /// `(%a init: %b) applies stablehlo.add across dimensions = [1]`.
    Reduce "reduce" owns "dimensions";
    /// `(%x = %a) : a cond {...} do {...}`.
    While "while" owns;
    /// `(%a) inits (%b) dimension=0 {...} : (a, b) -> (c, d)`.
    Scan "scan" owns "dimension" "operandSegmentSizes" "resultSegmentSizes";
    /// `(%a) in_shardings=[...] out_shardings=[...] manual_axes={...} (%x: a) {...}`.
    ManualComputation "manual-computation" owns "in_shardings" "out_shardings" "manual_axes";
    /// `<"name">(%a) in_shardings=[...] out_shardings=[...] (%x: a) {...}`.
    NamedComputation "named-computation" owns "name" "in_shardings" "out_shardings";
}

impl Format {
    /// The format that a row of the table describes.
    pub(crate) fn read(text: &'static str, signature: &Signature) -> Format {
        Format(pieces(&mut text.split_whitespace(), signature))
    }

    /// Whether the format prints the attribute `name`.
    pub(crate) fn owns(&self, name: &str) -> bool {
        fn any(pieces: &[Piece], name: &str) -> bool {
            pieces.iter().any(|piece| match piece {
                Piece::Attribute(n, _) => *n == name,
                Piece::Directive(d) => d.attributes().contains(&name),
                Piece::Group(inner) => any(inner, name),
                _ => false,
            })
        }
        any(&self.0, name)
    }
}

fn pieces(words: &mut dyn Iterator<Item = &'static str>, signature: &Signature) -> Vec<Piece> {
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "?)" => break,
            "(?" => out.push(Piece::Group(pieces(words, signature))),
            "{}" => out.push(Piece::Dictionary),
            "%*" => out.push(Piece::Operands),
            "<types" => {
                let mut names = Vec::new();
                for name in &mut *words {
                    names.push(name.trim_end_matches('>'));
                    if name.ends_with('>') {
                        break;
                    }
                }
                out.push(Piece::Types(names));
            }
            _ => piece(word, signature, &mut out),
        }
    }
    out
}

/// Adds what a single word of a row stands for; the table's own test reads every row.
fn piece(word: &'static str, signature: &Signature, out: &mut Vec<Piece>) {
    let attribute = |name: &str| {
        let slot = signature.slot(name).expect("invariant: rows name their own attributes");
        Piece::Attribute(slot.name, slot.kind)
    };
    if let Some(name) = word.strip_prefix('%') {
        let operand = signature.operands.iter().find(|(n, _)| *n == name);
        let (name, many) = operand.expect("invariant: rows name their own operands");
        out.push(Piece::Operand(name, *many));
    } else if let Some(name) = word.strip_prefix('$') {
        out.push(attribute(name));
    } else if let Some((label, name)) = word.split_once("=$") {
        out.extend([Piece::Literal(label), Piece::Tight, Piece::Literal("="), Piece::Tight, attribute(name)]);
    } else if let Some(directive) = word.strip_prefix('<').and_then(|w| w.strip_suffix('>')) {
        let directive = Directive::find(directive).expect("invariant: rows use directives that exist");
        out.push(Piece::Directive(directive));
    } else {
        out.push(Piece::Literal(word.trim_start_matches('\\')));
    }
}
