//! Reading and writing `MKNS(M,K,N,S)` and its table in a file.
//!
//! K has one number for all N dimensions or an `x`-separated list of N; S one number or a list for
//! dimensions 2…N, and says nothing where N = 1. Judging the numbers is the business of `validate`.

use std::ops::Range;

use toml::de::DeValue;

use super::arguments::{Arguments, Placed};
use super::reader::Reader;
use super::table::{Table, Value, missing, wrong_type};
use crate::data::{
    DEFAULT_PORTS, DIMENSIONS, Dimension, Join, MknsSpec, NetworkKind, PORTS, SIZES, VMS_PER_NODE,
};
use crate::findings::Findings;
use mkns_diag::Code;

pub const READER: Reader = Reader {
    name: "mkns",
    title: "MKNS",
    form: "write MKNS(M,K,N,S), for example `MKNS(2,4,2,1)` or `MKNS(2,8x4,2,0)`",
    counts: &[4],
    arguments: "4 arguments, M, K, N and S",
    notation,
    table,
};

fn notation(arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let hosts = arguments.field(0, "M", "vms_per_node", findings);
    let sizes = arguments.list(1, "K", findings);
    let count = arguments.number(2, "N", findings);
    let count = count.and_then(|count| dimension_count(count, findings));
    let joins = arguments.list(3, "S", findings);
    let joins = joins.and_then(|digits| joins_of(digits, findings));
    let (hosts, count) = (hosts?, count?);
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
    let mut dimensions = Vec::new();
    for (at, ((size, size_span), (join, join_span))) in sizes?.into_iter().zip(joins).enumerate() {
        findings.locate(format!("network.dimensions[{at}].size"), size_span);
        if at > 0 {
            findings.locate(format!("network.dimensions[{at}].join"), join_span);
        }
        dimensions.push(Dimension { size, join });
    }
    Some(NetworkKind::Mkns(MknsSpec {
        vms_per_node: hosts,
        ports: DEFAULT_PORTS,
        dimensions,
    }))
}

/// N, when it is in range: the lengths of the lists cannot be judged otherwise.
fn dimension_count(count: Placed, findings: &mut Findings) -> Option<usize> {
    if DIMENSIONS.allows(count.0) {
        return Some(count.0 as usize);
    }
    let fact = format!("N = {} dimensions, but {DIMENSIONS} are allowed", count.0);
    let remedy = "give N as the number of dimensions, 1 to 4";
    findings.report_at(count.1, Code::OutOfRange, fact, remedy);
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
                findings.report_at(span.clone(), Code::OutOfRange, fact, remedy);
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
            findings.report_at(span, Code::ListLength, fact, &remedy);
            None
        }
    }
}

fn table(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let vms_per_node = table.required_number("vms_per_node", VMS_PER_NODE, findings);
    let ports = table.number("ports", PORTS, findings);
    let dimensions = table.value("dimensions", findings);
    if dimensions.is_none() {
        missing(
            "network.dimensions",
            "`dimensions = [{ size = 4 }, { size = 4 }]`",
            findings,
        );
    }
    let dimensions = dimensions.and_then(|value| match value.get_ref() {
        DeValue::Array(entries) => dimension_list(entries, findings),
        other => {
            wrong_type("network.dimensions", "an array of tables", other, findings);
            None
        }
    });
    Some(NetworkKind::Mkns(MknsSpec {
        vms_per_node: vms_per_node?,
        ports: ports.unwrap_or(DEFAULT_PORTS),
        dimensions: dimensions?,
    }))
}

fn dimension_list(entries: &[Value], findings: &mut Findings) -> Option<Vec<Dimension>> {
    let read = |(at, entry): (usize, &Value)| {
        let path = format!("network.dimensions[{at}]");
        findings.locate(path.as_str(), entry.span());
        let DeValue::Table(table) = entry.get_ref() else {
            wrong_type(
                &path,
                "a table such as `{ size = 4 }`",
                entry.get_ref(),
                findings,
            );
            return None;
        };
        let mut table = Table::new(table, &path);
        let size = table.required_number("size", SIZES, findings);
        let default = if at == 0 {
            Join::DirectMesh
        } else {
            Join::SwitchBlock
        };
        let joins = Join::ALL.map(|join| (join.name(), join));
        let join = table.choice("join", &joins, findings);
        table.finish(findings);
        Some(Dimension {
            size: size?,
            join: join?.unwrap_or(default),
        })
    };
    let dimensions: Vec<_> = entries.iter().enumerate().map(read).collect();
    dimensions.into_iter().collect()
}
