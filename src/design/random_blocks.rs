//! Plans in which every packet goes to a random block first, and from there to its destination (Valiant): a plain
//! reference for routes that avoid busy cables. For the simulation alone: no header of the RTL names a block between.

use super::plan::{BlocksBetween, Plan};
use mkns_diag::{Code, Diagnostic};
use mkns_routing::Turns;

/// Virtual channels of a block.
const MOST_CHANNELS: u32 = 4;
/// Bits of a destination in a header.
const DESTINATION_BITS: u32 = 20;

impl Plan {
    /// This plan with a random block on the way of every packet.
    ///
    /// # Errors
    /// Where headers, channels or routes do not allow it.
    pub fn over_random_blocks(mut self) -> Result<Self, Box<Diagnostic>> {
        let first_hosts = (self.network.hosts.iter()).filter(|host| host.pcie_port == 0);
        let between = BlocksBetween {
            addresses: first_hosts
                .map(|host| self.layout.address_of(host.host))
                .collect(),
            address_bits: self.layout.bits(),
            channels: (self.modules.iter().map(|module| module.route_channels))
                .max()
                .unwrap_or(1),
        };
        if let Some((fact, remedy)) = self.obstacle(&between) {
            let refusal = Diagnostic::new(Code::NoBlockBetween, fact, remedy);
            return Err(Box::new(refusal));
        }
        let channels = 2 * between.channels;
        for module in &mut self.modules {
            // A packet may even leave the block between by the cable by which it came.
            module.turns = Turns::between_all(module.core_ports(), 0);
            module.route_channels = channels;
            module.parameters.virtual_channels = channels;
        }
        self.spec.block.virtual_channels = channels;
        self.blocks_between = Some(between);
        Ok(self)
    }

    /// Why packets cannot go over random blocks, and what to do.
    fn obstacle(&self, between: &BlocksBetween) -> Option<(String, String)> {
        let routing = &self.spec.routing;
        if self.spec.kind.has_trains() {
            let fact = "the paths of a distributed switch are fixed by its address trains";
            return Some((fact.to_owned(), "use another kind of network".to_owned()));
        }
        if self.spec.block.adaptive || self.spec.block.layers > 1 {
            let fact = "blocks or hosts choose among several paths already";
            let remedy = "set routing to an engine with one path per pair: up_down or the default";
            return Some((fact.to_owned(), remedy.to_owned()));
        }
        if !self.faults.is_empty() {
            let fact = "parts have failed, and a random block may be out of reach";
            return Some((fact.to_owned(), "leave out --down".to_owned()));
        }
        if 2 * between.channels > MOST_CHANNELS {
            let fact = format!(
                "{} channels for the routes of {routing}, twice, but blocks have at most {MOST_CHANNELS}",
                between.channels
            );
            let remedy = "set virtual_channels to 2 or less, or another routing";
            return Some((fact, remedy.to_owned()));
        }
        let number_bits = between.addresses.len().next_power_of_two().ilog2();
        let bits = between.address_bits + number_bits;
        let fact = format!(
            "an address and the number of a block take {bits} bits, but a header has {DESTINATION_BITS}"
        );
        (bits > DESTINATION_BITS).then(|| (fact, "use a smaller network".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    fn planned(notation: &str, settings: &[&str]) -> Result<super::Plan, String> {
        let settings: Vec<String> = settings.iter().map(|&word| word.to_owned()).collect();
        let spec = mkns_spec::parse_with(notation, &settings).expect("a valid spec");
        let plan = crate::build(&spec).expect("a plan");
        plan.over_random_blocks().map_err(|refusal| refusal.fact)
    }

    #[test]
    fn both_paths_have_channels_of_their_own() {
        for (notation, channels) in [("HyperX(4x4,2)", 2), ("slim_fly(5,2)", 4)] {
            let plan = planned(notation, &[]).expect("allowed");
            let adapter = &plan.modules[0].parameters;
            assert_eq!(adapter.virtual_channels, channels, "{notation}");
        }
    }

    #[test]
    fn what_leaves_no_way_over_random_blocks_is_refused() {
        for (notation, settings, said) in [
            ("torus(4x4)", &["routing=adaptive"][..], "choose among"),
            ("hypercube(2,2)", &[], "address trains"),
            (
                "slim_fly(5,2)",
                &["routing=shortest", "virtual_channels=4"],
                "twice",
            ),
            ("HyperX(3x3x3x3x3x3x3,2)", &[], "27 bits"),
        ] {
            let fact = planned(notation, settings).expect_err(notation);
            assert!(fact.contains(said), "{notation}: {fact}");
        }
    }
}
