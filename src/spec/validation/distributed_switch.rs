//! What makes a distributed switch valid: ranges, a block design that exists, a size that is built.

use crate::data::{
    ADDRESS_BITS, CASCADES, DistributedSwitchSpec, ELEMENTS, SIGMA, SPINE_PORTS, Wiring,
};
use crate::findings::Findings;
use mkns_block_design as block_design;
use mkns_diag::Code;

/// N^k, most spine switches of a network; larger ones are neither built nor checked in useful time.
const MOST_SPINE_SWITCHES: u64 = 65_536;

/// Reports everything that is wrong; what parameters share is judged only when each is in its range.
pub fn distributed_switch(spec: &DistributedSwitchSpec, findings: &mut Findings) {
    if spec.ranges(findings) && spec.existence(findings) {
        spec.size(findings);
    }
}

impl DistributedSwitchSpec {
    /// Whether every parameter is in its range by itself.
    fn ranges(&self, findings: &mut Findings) -> bool {
        let mut fields = vec![
            ("network.ports", "m", self.ports, SPINE_PORTS),
            ("network.cascades", "k", self.cascades, CASCADES),
        ];
        if let Wiring::BlockDesign { elements, sigma } = self.wiring {
            fields.push(("network.elements", "N", elements, ELEMENTS));
            fields.push(("network.sigma", "sigma", sigma, SIGMA));
        }
        let wrong = fields
            .iter()
            .filter(|(.., value, limits)| !limits.allows(*value));
        let mut is_sound = true;
        for (field, name, value, limits) in wrong {
            let fact = format!("{name} = {value}, but {limits} are allowed");
            findings.report(field, Code::OutOfRange, fact, format!("use {limits}"));
            is_sound = false;
        }
        is_sound
    }

    /// Whether there is a block design to be had.
    fn existence(&self, findings: &mut Findings) -> bool {
        let refusal = self.design().map(block_design::construct);
        let Some(Err(refusal)) = refusal else {
            return true;
        };
        let code = if refusal.is_proof() {
            Code::ImpossibleDesign
        } else {
            Code::UnconstructedDesign
        };
        let remedy = match refusal.elements_that_count() {
            Some(wanted) if Some(wanted) != self.design().map(|design| design.elements) => {
                format!("use N = {wanted}, or another m or sigma")
            }
            _ => "use another m or sigma; docs/reference/distributed-switch.md lists the designs"
                .to_owned(),
        };
        findings.report("network.elements", code, refusal.to_string(), remedy);
        false
    }

    /// The budgets that parameters share: spine switches, bits of the header.
    fn size(&self, findings: &mut Findings) {
        let switches = u64::from(self.copies()).saturating_pow(self.cascades);
        if switches > MOST_SPINE_SWITCHES {
            let fact = format!(
                "{} cascades take {switches} spine switches, but at most {MOST_SPINE_SWITCHES} are built",
                self.cascades
            );
            let remedy = "use fewer cascades or smaller switches".to_owned();
            findings.report("network.cascades", Code::TooManySpineSwitches, fact, remedy);
            return;
        }
        let bits = (self.cascades + 1) * self.local_address_bits();
        if bits > ADDRESS_BITS {
            let fact = format!(
                "an address train of {} local addresses of {} bits needs {bits} bits, but the header \
                 has {ADDRESS_BITS}",
                self.cascades + 1,
                self.local_address_bits()
            );
            let remedy = "use fewer cascades or smaller switches".to_owned();
            findings.report("network.cascades", Code::AddressTooWide, fact, remedy);
        }
    }
}
