use super::Printer;
use super::structures::convolution_axes;
use crate::assembly::format::{Directive, Piece};
use crate::assembly::lexer::{Lexer, Token};
use crate::ir::{Attr, AttrKind, ElementTy, IrOp, Region, StructureAttr, Ty};
use jarrah_base::DType;

impl Printer<'_> {
    /// Whether the op's own syntax says all there is to say of it.
    pub(super) fn fits(&self, op: &IrOp, pieces: &[Piece]) -> bool {
        let signature = op.definition.signature();
        let (fixed, more) = signature.operand_count();
        let operands = op.operands.len() == fixed || more && op.operands.len() > fixed;
        let results = signature.results.is_none_or(|n| n == op.results.len());
        let shows_regions = pieces.iter().any(|p| matches!(p, Piece::Directive(d) if shows_regions(*d)));
        operands
            && results
            && (shows_regions || op.regions.is_empty())
            && pieces.iter().all(|p| self.piece_fits(op, p))
    }

    fn piece_fits(&self, op: &IrOp, piece: &Piece) -> bool {
        match piece {
            Piece::Attribute(name, kind) => op.attr(name).is_some_and(|a| attribute_fits(*kind, a)),
            Piece::Group(inner) => inner.iter().all(|p| match p {
                Piece::Attribute(name, kind) => op.attr(name).is_none_or(|a| attribute_fits(*kind, a)),
                other => self.piece_fits(op, other),
            }),
            Piece::Directive(directive) => self.directive_fits(op, *directive),
            _ => true,
        }
    }

    // A table: a row for each directive.
    fn directive_fits(&self, op: &IrOp, directive: Directive) -> bool {
        let is = |name: &str, kind: AttrKind| op.attr(name).is_some_and(|a| attribute_fits(kind, a));
        let may_be = |name: &str, kind: AttrKind| op.attr(name).is_none_or(|a| attribute_fits(kind, a));
        let i64s = AttrKind::Integers(DType::I64);
        let ty = |i: usize| op.operands.get(i).map(|v| self.module.ty(*v));
        let result = |i: usize| op.results.get(i).map(|v| self.module.ty(*v));
        match directive {
            Directive::Signature
            | Directive::Same
            | Directive::OperandTypes
            | Directive::OperandTypesIfAny
            | Directive::OperandsAndComma
            | Directive::CompositeRegions => true,
            Directive::ResultTypes => !op.results.is_empty(),
            Directive::TupleType => match result(0) {
                Some(Ty::Tuple(elements)) => {
                    elements.len() == op.operands.len()
                        && elements.iter().enumerate().all(|(i, e)| ty(i) == Some(e))
                }
                _ => false,
            },
            Directive::SelectType | Directive::ComplexType => {
                op.operands.len() == op.operands.len().clamp(2, 3)
            }
            Directive::Barrier => {
                op.operands.len() == op.results.len() && (0..op.results.len()).all(|i| ty(i) == result(i))
            }
            Directive::Value | Directive::Constant => match op.attr("value") {
                Some(Attr::Dense(dense)) => result(0).and_then(Ty::tensor) == Some(&dense.ty),
                _ => false,
            },
            Directive::Slice => {
                let length = |name: &str| match op.attr(name) {
                    Some(Attr::Integers(_, list)) => list.len(),
                    _ => 0,
                };
                let names = ["start_indices", "limit_indices", "strides"];
                names.iter().all(|n| is(n, i64s) && length(n) == length("strides"))
            }
            Directive::Precision => op.attr("precision_config").is_none_or(|attr| match attr {
                Attr::Array(list) => list.iter().all(|a| AttrKind::Enum("stablehlo.precision").admits(a)),
                _ => false,
            }),
            Directive::Algorithm => {
                structure("stablehlo.dot_algorithm").is_some_and(|k| may_be("algorithm", k))
            }
            Directive::DotDimensions => {
                structure("stablehlo.dot").is_some_and(|k| is("dot_dimension_numbers", k))
            }
            Directive::ConvolutionDimensions => match op.attr("dimension_numbers") {
                Some(Attr::Struct("stablehlo.conv", fields)) => convolution_axes(fields).is_some(),
                _ => false,
            },
            Directive::Window => {
                let rows = |attr: &Attr| match attr {
                    Attr::Dense(dense) => {
                        let two = match dense.ty.dims.as_deref() {
                            Some([Some(rows), Some(2)]) => *rows > 0 || !dense.is_splat(),
                            _ => false,
                        };
                        two && dense.ty.encoding.is_none()
                            && AttrKind::DenseIntegers.admits(attr)
                            && attr.integers().is_some()
                    }
                    _ => false,
                };
                ["window_strides", "lhs_dilation", "rhs_dilation"].iter().all(|n| may_be(n, i64s))
                    && may_be("window_reversal", AttrKind::Integers(DType::Bool))
                    && op.attr("padding").is_none_or(rows)
            }
            Directive::ExponentMantissa => ["exponent_bits", "mantissa_bits"].iter().all(|n| {
                is(n, AttrKind::Integer(DType::I32))
                    && op.attr(n).and_then(Attr::integer).is_some_and(|i| i >= 0)
            }),
            Directive::Target => is("call_target_name", AttrKind::String),
            Directive::SymbolName => is("sym_name", AttrKind::String),
            Directive::Module => {
                op.operands.is_empty()
                    && may_be("sym_name", AttrKind::String)
                    && visibility_fits(op)
                    && matches!(&op.regions[..], [only] if only.args.is_empty())
            }
            Directive::Function => self.function_fits(op),
            Directive::Reduce => {
                let pairs = op.operands.len() / 2;
                pairs > 0
                    && op.operands.len() == 2 * pairs
                    && is("dimensions", i64s)
                    && matches!(&op.regions[..], [body] if body.args.len() == 2 * pairs)
            }
            Directive::While => {
                let carried = |region: &Region| {
                    region.args.len() == op.operands.len()
                        && region.args.iter().zip(0..).all(|(a, i)| Some(self.module.ty(*a)) == ty(i))
                };
                matches!(&op.regions[..], [condition, body] if carried(condition) && carried(body))
                    && op.results.len() == op.operands.len()
                    && (0..op.results.len()).all(|i| ty(i) == result(i))
            }
            Directive::Scan => {
                let sizes = |name: &str| match op.attr(name) {
                    Some(Attr::Integers(ElementTy::Number(DType::I32), list)) => {
                        <[i64; 2]>::try_from(&list[..]).ok()
                    }
                    _ => None,
                };
                let fits = |sizes: Option<[i64; 2]>, count: usize| {
                    sizes.is_some_and(|s| {
                        s.iter().all(|n| *n >= 0) && s[0].checked_add(s[1]) == Some(count as i64)
                    })
                };
                let (operands, results) = (sizes("operandSegmentSizes"), sizes("resultSegmentSizes"));
                is("dimension", AttrKind::Integer(DType::I64))
                    && op.regions.len() == 1
                    && fits(operands, op.operands.len())
                    && fits(results, op.results.len())
                    && operands.map(|s| s[1]) == results.map(|s| s[1])
            }
            Directive::ManualComputation => {
                let shardings = AttrKind::Text("#sdy.sharding_per_value<");
                is("in_shardings", shardings)
                    && is("out_shardings", shardings)
                    && is("manual_axes", AttrKind::Text("#sdy<manual_axes"))
                    && op.regions.len() == 1
            }
            Directive::NamedComputation => {
                let shardings = AttrKind::Text("#sdy.sharding_per_value<");
                is("name", AttrKind::String)
                    && may_be("in_shardings", shardings)
                    && may_be("out_shardings", shardings)
                    && op.regions.len() == 1
            }
        }
    }

    fn function_fits(&self, op: &IrOp) -> bool {
        let Some(Attr::Type(Ty::Function(ty))) = op.attr("function_type") else { return false };
        let [body] = &op.regions[..] else { return false };
        let (inputs, outputs) = &**ty;
        let declared = body.args.is_empty() && body.ops.is_empty();
        let args = body.args.len() == inputs.len()
            && body.args.iter().zip(inputs).all(|(a, t)| self.module.ty(*a) == t);
        let dictionaries = |name: &str, count: usize| match op.attr(name) {
            None => true,
            Some(Attr::Array(list)) => {
                list.len() == count
                    && list.iter().all(|a| matches!(a, Attr::Dictionary(_)))
                    && list.iter().any(|a| matches!(a, Attr::Dictionary(d) if !d.is_empty()))
            }
            Some(_) => false,
        };
        (declared || args)
            && op.operands.is_empty()
            && op.text("sym_name").is_some()
            && visibility_fits(op)
            && dictionaries("arg_attrs", inputs.len())
            && dictionaries("res_attrs", outputs.len())
    }
}

fn visibility_fits(op: &IrOp) -> bool {
    let known =
        |a: &Attr| matches!(a, Attr::String(word) if matches!(&**word, "public" | "private" | "nested"));
    op.attr("sym_visibility").is_none_or(known)
}

fn structure(name: &str) -> Option<AttrKind> {
    StructureAttr::find(name).map(AttrKind::Struct)
}

/// Whether an attribute that is printed without its type is parsed as the same attribute.
fn attribute_fits(kind: AttrKind, attr: &Attr) -> bool {
    let one_symbol = !matches!(attr, Attr::Symbol(path) if path.is_empty());
    let extents = !matches!(attr, Attr::Integers(_, list) if list.contains(&i64::MIN));
    let text = match (kind, attr) {
        (AttrKind::Text(start), Attr::Opaque(text)) => {
            text.strip_prefix(start).is_some_and(|rest| match start.contains('<') {
                true => rest.strip_suffix('>').is_some_and(|r| is_group(r, &['[', '{'])),
                false => is_group(rest, &['<']),
            })
        }
        _ => true,
    };
    kind.admits(attr) && one_symbol && extents && text
}

/// Whether the text is one group: a bracket of `open`, its content and its closing bracket.
fn is_group(text: &str, open: &[char]) -> bool {
    let mut lexer = Lexer::new(text, 0);
    let mut depth = 0usize;
    while let Ok((token, at)) = lexer.next() {
        match token {
            Token::Sign('(' | '[' | '{' | '<') => depth += 1,
            Token::Sign(')' | ']' | '}' | '>') => depth = depth.saturating_sub(1),
            Token::End => return false,
            _ => {}
        }
        if depth == 0 {
            return at > 0 && at + 1 == text.len() && text.starts_with(open);
        }
    }
    false
}

fn shows_regions(directive: Directive) -> bool {
    matches!(
        directive,
        Directive::CompositeRegions
            | Directive::Module
            | Directive::Function
            | Directive::Reduce
            | Directive::While
            | Directive::Scan
            | Directive::ManualComputation
            | Directive::NamedComputation
    )
}
