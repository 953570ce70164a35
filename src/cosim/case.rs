//! A failing run as a small file that can be kept and run again: what was compared, the seed, and for a
//! network the packets that it takes.
//!
//! The form is TOML; `docs/reference/verification.md` explains the keys.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::network::{CableFaultPlan, FaultPlan, NetworkRun};
use super::session::Request;
use super::stimulus::Restrictions;
use mkns_design::{Addressing, ModuleKind, Plan};
use mkns_diag::{Code, Diagnostic, Place};
use mkns_traffic::{OfferedPackets, Pattern, SHORTEST_PAYLOAD, SentPacket};

/// A saved run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// Notation, or the path of a TOML file from the folder of the case.
    pub spec: String,
    /// Settings that take the place of what the spec says, `KEY=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// A lone block under random traffic; otherwise a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<ModuleKind>,
    /// The random traffic of a lone block. A network's packets are in the list; then the traffic that they
    /// were drawn from.
    pub traffic: Pattern,
    /// Cycles of traffic.
    pub cycles: u64,
    /// Decides the rest: power-up values, pauses, faults; all of a lone block's traffic.
    pub seed: u64,
    #[serde(default)]
    pub link_faults: bool,
    #[serde(default)]
    pub control_traffic: bool,
    /// Receiving hosts pause at random.
    #[serde(default)]
    pub pauses: bool,
    /// What the traffic of a lone block leaves out.
    #[serde(default, skip_serializing_if = "Restrictions::is_empty")]
    pub restrictions: Restrictions,
    /// What happens to serial cables of a network.
    #[serde(default, skip_serializing_if = "CableFaultPlan::is_none")]
    pub cables: CableFaultPlan,
    #[serde(default, rename = "packet", skip_serializing_if = "Vec::is_empty")]
    pub packets: Vec<SentPacket>,
}

impl CaseFile {
    /// Everything of a request but packets.
    pub(super) fn of(request: &Request, traffic: Pattern) -> Self {
        Self {
            spec: request.spec.clone(),
            set: request.set.clone(),
            block: None,
            traffic,
            cycles: request.cycles,
            seed: request.seed,
            link_faults: request.fault_plan.link_faults,
            control_traffic: request.fault_plan.control_traffic,
            pauses: true,
            restrictions: Restrictions::default(),
            cables: request.cables.clone(),
            packets: Vec::new(),
        }
    }

    /// Reads a file; `source` is its path for diagnostics.
    pub fn read(source: &str, text: &str) -> Result<Self, Vec<Diagnostic>> {
        toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            vec![faulty(source, text, span, error.message().to_owned())]
        })
    }

    /// The file's text, `title` in comments at its top.
    pub fn text(&self, title: &str) -> String {
        let comments: String = title.lines().map(|line| format!("# {line}\n")).collect();
        let body = toml::to_string(self).expect("numbers and texts have a form in TOML");
        format!("{comments}{body}")
    }

    /// Refuses packets that the hosts of `plan` cannot send, and faults of cables that are not serial.
    pub fn fits(&self, source: &str, plan: &Plan) -> Result<(), Vec<Diagnostic>> {
        if self.cycles == 0 {
            let fact = "`cycles` is 0, but it must be at least 1".to_owned();
            return Err(vec![faulty(source, "", 0..0, fact)]);
        }
        if let Some(fact) = self.cables.misfit(plan) {
            return Err(vec![faulty(source, "", 0..0, fact)]);
        }
        let addressing = Addressing::new(plan);
        let problems = (1..).zip(&self.packets).filter_map(|(number, packet)| {
            let fact = complaint(packet, plan, &addressing)?;
            let fact = format!("packet {number}: {fact}");
            Some(faulty(source, "", 0..0, fact))
        });
        let problems: Vec<Diagnostic> = problems.collect();
        match problems.is_empty() {
            true => Ok(()),
            false => Err(problems),
        }
    }

    /// The run of a network. The load is of no account, because the packets are given.
    pub(super) fn network_run(&self) -> NetworkRun {
        NetworkRun {
            traffic: self.traffic,
            load: 1000,
            cycles: self.cycles,
            seed: self.seed,
            fault_plan: FaultPlan {
                link_faults: self.link_faults,
                control_traffic: self.control_traffic,
            },
            cables: self.cables.clone(),
            offered: OfferedPackets::Given {
                packets: self.packets.clone(),
                pauses: self.pauses,
            },
            live: None,
            threads: 1,
        }
    }
}

/// What is wrong with a packet, if anything.
fn complaint(packet: &SentPacket, plan: &Plan, addressing: &Addressing) -> Option<String> {
    let hosts = plan.network.hosts.len() as u32;
    let block = &plan.spec.block;
    let longest = ((block.max_packet_flits.max(2) - 1) * block.flit_bits / 8).min(0x1fff);
    let shortest = SHORTEST_PAYLOAD.min(longest);
    let range = |name: &str, value: u32, legal: Range<u32>| {
        let last = legal.end - 1;
        (!legal.contains(&value)).then(|| {
            format!(
                "`{name}` is {value}, but it must be {} to {last}",
                legal.start
            )
        })
    };
    range("source", packet.source, 0..hosts)
        .or_else(|| range("destination", packet.destination, 0..hosts))
        .or_else(|| range("length", packet.length, shortest..longest + 1))
        .or_else(|| range("layer", packet.layer, 0..block.host_layers()))
        .or_else(|| {
            let path = addressing.destination(packet.source, packet.destination);
            path.is_none().then(|| {
                let SentPacket {
                    source,
                    destination,
                    ..
                } = packet;
                format!("host {source} has no path to host {destination}")
            })
        })
}

fn faulty(source: &str, text: &str, span: Range<usize>, fact: String) -> Diagnostic {
    let remedy = "see docs/reference/verification.md for the keys of a case";
    let place = match text {
        "" => Place::file(source),
        _ => Place::in_text(source, text, span, ""),
    };
    Diagnostic::new(Code::NotCaseFile, fact, remedy).at(place)
}
