//! Traffic from a CSV file: one packet a line, `cycle,source,destination,flits`.

use thiserror::Error;

use super::Addresses;
use super::injection::PlannedPacket;

/// The packets of each host, in the order of their cycles; hosts past the end have none.
pub type PlannedTraffic = Vec<Vec<PlannedPacket>>;

/// The head of a trace file.
pub const TRACE_HEAD: &str = "cycle,source,destination,flits";

/// A line that is not a packet.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {fact}")]
pub struct TraceError {
    /// From 1.
    pub line: usize,
    pub fact: String,
}

/// Reads a trace for packets of at most `longest` flits, created in cycle `last` at the latest. Lines may be in any
/// order; empty lines and lines that begin with `#` are skipped.
pub fn parse_trace(
    text: &str,
    addresses: &Addresses,
    longest: u32,
    last: u64,
) -> Result<PlannedTraffic, TraceError> {
    let hosts = addresses.hosts();
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let error = |line, fact: String| TraceError { line, fact };
    match lines.next() {
        Some((_, TRACE_HEAD)) => {}
        Some((line, other)) => {
            let fact = format!("the head is `{other}`, expected `{TRACE_HEAD}`");
            return Err(error(line, fact));
        }
        None => return Err(error(1, format!("the head `{TRACE_HEAD}` is missing"))),
    }
    let mut plan = vec![Vec::new(); hosts as usize];
    for (number, line) in lines {
        let values: Vec<u64> = line
            .split(',')
            .map(|value| value.trim().parse())
            .collect::<Result<_, _>>()
            .map_err(|_| error(number, format!("`{line}` is not four numbers")))?;
        let &[cycle, source, destination, flits] = &values[..] else {
            return Err(error(number, format!("`{line}` is not four numbers")));
        };
        for (name, host) in [("source", source), ("destination", destination)] {
            if host >= u64::from(hosts) {
                let fact = format!(
                    "{name} {host} does not exist; the hosts are 0 to {}",
                    hosts - 1
                );
                return Err(error(number, fact));
            }
        }
        if cycle > last {
            return Err(error(
                number,
                format!("cycle {cycle}, but 0 to {last} are allowed"),
            ));
        }
        if !addresses.has_path_when_whole(source as u32, destination as u32) {
            let fact = format!("port {source} of a terminal has no path to port {destination}");
            return Err(error(number, fact));
        }
        if flits == 0 || flits > u64::from(longest) {
            let fact = format!("{flits} flits, but 1 to {longest} are allowed");
            return Err(error(number, fact));
        }
        plan[source as usize].push(PlannedPacket {
            cycle,
            destination: destination as u32,
            flits: flits as u32,
        });
    }
    for packets in &mut plan {
        packets.sort_by_key(|packet| packet.cycle);
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_design as design;
    use mkns_spec as spec;

    /// Hosts 0 and 1.
    fn two_hosts() -> Addresses {
        let spec = spec::parse("MKNS(1,2,1,1)").expect("a valid spec");
        Addresses::new(&design::build(&spec).expect("a plan"))
    }

    #[test]
    fn packets_are_sorted_by_host_and_cycle() {
        let text = "# two hosts\ncycle,source,destination,flits\n9,1,0,3\n\n 4, 1,1,1\n0,0,1,2\n";
        let plan = parse_trace(text, &two_hosts(), 33, 99).expect("a good trace");
        let of = |host: usize| {
            let packets = plan[host].iter();
            packets
                .map(|p| (p.cycle, p.destination, p.flits))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(0), [(0, 1, 2)]);
        assert_eq!(of(1), [(4, 1, 1), (9, 0, 3)]);
    }

    #[test]
    fn every_fault_names_its_line() {
        let cases = [
            ("", 1, "missing"),
            ("a,b\n", 1, "expected"),
            ("cycle,source,destination,flits\n1,2\n", 2, "four numbers"),
            (
                "cycle,source,destination,flits\n1,0,x,1\n",
                2,
                "four numbers",
            ),
            (
                "cycle,source,destination,flits\n1,0,1,1\n1,2,0,1\n",
                3,
                "source 2",
            ),
            ("cycle,source,destination,flits\n1,0,1,34\n", 2, "34 flits"),
            ("cycle,source,destination,flits\n100,0,1,3\n", 2, "0 to 99"),
        ];
        for (text, line, fact) in cases {
            let fault = parse_trace(text, &two_hosts(), 33, 99).expect_err(text);
            assert_eq!(fault.line, line, "{text}");
            assert!(fault.fact.contains(fact), "{fault}");
        }
    }
}
