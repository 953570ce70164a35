//! The notation `MKNS(M,K,N,S)`: text to numbers and places, no judgement of the numbers.
//!
//! Letter case and blanks do not matter. K has one number for all N dimensions or an `x`-separated
//! list of N; S one number or a list for dimensions 2…N, and says nothing where N = 1.

use std::ops::Range;

use super::findings::Findings;
use super::legal::{DEFAULT_PORTS, DIMENSIONS};
use super::{Dimension, Join, MknsSpec};
use crate::diag::nearest;

/// Kinds of networks that can be named.
const KINDS: [&str; 1] = ["MKNS"];
const FORM: &str = "write MKNS(M,K,N,S), for example `MKNS(2,4,2,1)` or `MKNS(2,8x4,2,0)`";

/// A piece of the notation and where it stands in the whole text.
#[derive(Debug, Clone)]
struct Piece<'a> {
    text: &'a str,
    span: Range<usize>,
}

impl<'a> Piece<'a> {
    /// The piece of `text` at `span`, without the blanks around it.
    fn trimmed(text: &'a str, span: Range<usize>) -> Self {
        let whole = &text[span.clone()];
        let start = span.start + (whole.len() - whole.trim_start().len());
        let text = whole.trim();
        Self {
            text,
            span: start..start + text.len(),
        }
    }

    /// Pieces between separators.
    fn split(&self, whole: &'a str, is_separator: fn(char) -> bool) -> Vec<Self> {
        let mut start = self.span.start;
        let pieces = self.text.split(is_separator);
        pieces
            .map(|piece| {
                let span = start..start + piece.len();
                start = span.end + 1;
                Self::trimmed(whole, span)
            })
            .collect()
    }
}

/// A number and where it stands.
type Placed = (u32, Range<usize>);

/// Reads the notation at `span` of `text`; `None` when its numbers cannot be told.
pub fn read(text: &str, span: Range<usize>, findings: &mut Findings) -> Option<MknsSpec> {
    let arguments = arguments(text, Piece::trimmed(text, span), findings)?;
    let [vms, sizes, count, joins] = arguments.as_slice() else {
        return None;
    };
    let vms = number(vms, "M", findings);
    let sizes = list(text, sizes, "K", findings);
    let count = number(count, "N", findings).and_then(|count| dimension_count(count, findings));
    let joins = list(text, joins, "S", findings).and_then(|digits| joins_of(digits, findings));
    let (vms, count) = (vms?, count?);
    let sizes = spread(sizes?, count, "K", "dimensions", findings);
    // For N = 1 a single S is accepted and says nothing.
    let joins = match joins? {
        single if count == 1 && single.len() == 1 => Some(Vec::new()),
        joins => spread(
            joins,
            count - 1,
            "S",
            "dimensions beyond the first",
            findings,
        ),
    };
    let mesh = (Join::DirectMesh, 0..0);
    let joins = std::iter::once(mesh).chain(joins?);
    findings.locate("network.vms_per_node", vms.1);
    let mut dimensions = Vec::new();
    for (at, ((size, size_span), (join, join_span))) in sizes?.into_iter().zip(joins).enumerate() {
        findings.locate(format!("network.dimensions[{at}].size"), size_span);
        if at > 0 {
            findings.locate(format!("network.dimensions[{at}].join"), join_span);
        }
        dimensions.push(Dimension { size, join });
    }
    Some(MknsSpec {
        vms_per_node: vms.0,
        ports: DEFAULT_PORTS,
        dimensions,
    })
}

/// The four arguments between the parentheses.
fn arguments<'a>(
    text: &'a str,
    whole: Piece<'a>,
    findings: &mut Findings,
) -> Option<Vec<Piece<'a>>> {
    let Some(open) = whole.text.find('(') else {
        let fact = format!(
            "`{}` is neither a notation nor the path of a TOML file",
            whole.text
        );
        findings.report_at(whole.span, "E0201", fact, FORM);
        return None;
    };
    let open = whole.span.start + open;
    let kind = Piece::trimmed(text, whole.span.start..open);
    if !KINDS
        .iter()
        .any(|known| known.eq_ignore_ascii_case(kind.text))
    {
        let fact = format!(
            "unknown kind of network `{}`; known: {}",
            kind.text,
            KINDS.join(", ")
        );
        let remedy = match nearest(kind.text, KINDS) {
            Some(known) => format!("did you mean `{known}`?"),
            None => FORM.to_owned(),
        };
        findings.report_at(kind.span, "E0202", fact, &remedy);
        return None;
    }
    if !whole.text.ends_with(')') {
        let fact = "the notation does not end with `)`".to_owned();
        findings.report_at(whole.span.end..whole.span.end, "E0203", fact, FORM);
        return None;
    }
    let inside = Piece::trimmed(text, open + 1..whole.span.end - 1);
    let arguments = inside.split(text, |letter| letter == ',');
    if arguments.len() != 4 {
        let fact = format!(
            "MKNS takes 4 arguments, M, K, N and S; here are {}",
            arguments.len()
        );
        findings.report_at(inside.span, "E0203", fact, FORM);
        return None;
    }
    Some(arguments)
}

/// A whole number.
fn number(piece: &Piece, name: &str, findings: &mut Findings) -> Option<Placed> {
    let digits = !piece.text.is_empty() && piece.text.bytes().all(|byte| byte.is_ascii_digit());
    match piece.text.parse() {
        Ok(value) if digits => Some((value, piece.span.clone())),
        _ => {
            let fact = match piece.text {
                "" => format!("a value of {name} is missing"),
                text if digits => format!("{name} = {text} is far too large"),
                text => format!("{name} = `{text}` is not a whole number"),
            };
            findings.report_at(piece.span.clone(), "E0203", fact, FORM);
            None
        }
    }
}

/// An `x`-separated list of whole numbers; every faulty one is reported.
fn list(text: &str, piece: &Piece, name: &str, findings: &mut Findings) -> Option<Vec<Placed>> {
    let items = piece.split(text, |letter| letter.eq_ignore_ascii_case(&'x'));
    let numbers: Vec<_> = items
        .iter()
        .map(|item| number(item, name, findings))
        .collect();
    numbers.into_iter().collect()
}

/// N, when it is in range: the lengths of the lists cannot be judged otherwise.
fn dimension_count(count: Placed, findings: &mut Findings) -> Option<usize> {
    if DIMENSIONS.allows(count.0) {
        return Some(count.0 as usize);
    }
    let fact = format!("N = {} dimensions, but {DIMENSIONS} are allowed", count.0);
    let remedy = "give N as the number of dimensions, 1 to 4";
    findings.report_at(count.1, "E0205", fact, remedy);
    None
}

/// S as joins; every faulty digit is reported.
fn joins_of(digits: Vec<Placed>, findings: &mut Findings) -> Option<Vec<(Join, Range<usize>)>> {
    let joins: Vec<_> = digits
        .into_iter()
        .map(|(digit, span)| {
            let join = Join::from_digit(digit);
            if join.is_none() {
                let fact = format!("S = {digit}, but 0 to 2 are allowed");
                let remedy = "use 0 for a direct mesh, 1 for a switch block, 2 for an assembly";
                findings.report_at(span.clone(), "E0205", fact, remedy);
            }
            Some((join?, span))
        })
        .collect();
    joins.into_iter().collect()
}

/// One value for every dimension, from one for all or one for each.
fn spread<T: Clone>(
    values: Vec<(T, Range<usize>)>,
    count: usize,
    name: &str,
    meaning: &str,
    findings: &mut Findings,
) -> Option<Vec<(T, Range<usize>)>> {
    match values.as_slice() {
        [single] => Some(vec![single.clone(); count]),
        list if list.len() == count => Some(values),
        list => {
            let fact = format!(
                "{name} lists {} values, but {meaning} are {count}",
                list.len()
            );
            let span = list[0].1.start..list[list.len() - 1].1.end;
            let remedy = format!("give {name} one value for all, or {count} separated by `x`");
            findings.report_at(span, "E0204", fact, &remedy);
            None
        }
    }
}
