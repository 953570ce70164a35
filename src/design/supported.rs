//! What specs may say and blocks cannot do, refused here so that nothing behind this layer has to. The RTL has
//! narrower limits than the simulation.

use super::serial_ports;
use mkns_diag::{Code, Diagnostic, Place};
use mkns_spec::{NetworkKind, NetworkSpec};
use mkns_topology::{Block, BlockRole, Network};

/// What a plan is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Verilog of a whole network, and all that judges it.
    Rtl,
    /// Verilog of blocks, whatever joins them.
    Blocks,
    /// Simulation alone.
    Simulation,
}

/// Local addresses that an ingress can check.
const LONGEST_TRAIN: u32 = 5;
/// Network ports of a block in RTL.
const RTL_PORTS: u8 = 16;
/// Fields of an address in RTL, and routing tables: more have no place in the register map.
const RTL_FIELDS: usize = 8;
/// Ports of a simulated block, PCIe ports among them.
const SIMULATED_PORTS: u8 = 31;

/// Refuses networks that cannot be used for this purpose.
pub fn ensure_supported(
    spec: &NetworkSpec,
    network: &Network,
    purpose: Purpose,
) -> Result<(), Vec<Diagnostic>> {
    let refusal = match &spec.kind {
        NetworkKind::DistributedSwitch(switch) => long_train(switch.cascades),
        _ => many_ports(network, purpose).or_else(|| many_fields(spec, purpose)),
    };
    let refusal = refusal.or_else(|| serial_assemblies(spec, network, purpose));
    let refusal = refusal.or_else(|| adaptive_assemblies(spec, network, purpose));
    refusal.map_or(Ok(()), |refusal| Err(vec![refusal]))
}

fn long_train(cascades: u32) -> Option<Diagnostic> {
    let most = LONGEST_TRAIN - 1;
    let fact = format!("{cascades} cascades, but terminals are built for at most {most}");
    let remedy = format!("use at most {most} cascades");
    let place = Place::field("network.cascades");
    (cascades > most).then(|| Diagnostic::new(Code::TooManyCascades, fact, remedy).at(place))
}

fn serial_assemblies(
    spec: &NetworkSpec,
    network: &Network,
    purpose: Purpose,
) -> Option<Diagnostic> {
    let fact = "switch assemblies have parallel links only, but their cables are serial";
    let remedy = "use switch blocks (S = 1) or list other dimensions in link.dimensions; info, check, route, sim work";
    let mut blocks = serial_ports(spec, network).into_iter().zip(&network.blocks);
    let is_refused =
        purpose == Purpose::Rtl && blocks.any(|(ports, block)| ports != 0 && is_leaf(block));
    let refusal = || Diagnostic::new(Code::SerialLinksInRtl, fact, remedy);
    is_refused.then(|| refusal().at(Place::field("link")))
}

fn adaptive_assemblies(
    spec: &NetworkSpec,
    network: &Network,
    purpose: Purpose,
) -> Option<Diagnostic> {
    let escape = spec.escape.as_deref()?;
    let fact = "the blocks of switch assemblies choose no ports, but routing = \"adaptive\"";
    let remedy = format!(
        "use switch blocks (S = 1) or set routing to \"{escape}\", the escape; info, check, route, sim work"
    );
    let is_refused = purpose == Purpose::Rtl && network.blocks.iter().any(is_leaf);
    let refusal = || Diagnostic::new(Code::AdaptiveInRtl, fact, remedy);
    is_refused.then(|| refusal().at(Place::field("routing")))
}

fn is_leaf(block: &Block) -> bool {
    matches!(block.role, BlockRole::AssemblyLeaf { .. })
}

fn many_ports(network: &Network, purpose: Purpose) -> Option<Diagnostic> {
    let most_of = |ports: fn(&Block) -> u8| network.blocks.iter().map(ports).max().unwrap_or(0);
    let (has, most, what, others) = match purpose {
        Purpose::Rtl | Purpose::Blocks => (
            most_of(|block| block.network_ports),
            RTL_PORTS,
            "network ports, but RTL",
            ", sim",
        ),
        Purpose::Simulation => (
            most_of(|block| block.network_ports + block.pcie_ports),
            SIMULATED_PORTS,
            "ports with those of hosts, but simulation",
            "",
        ),
    };
    let fact = format!("blocks have {has} {what} at most {most}");
    let remedy = format!("use a smaller network; info, check, route{others} work on this one");
    (has > most).then(|| Diagnostic::new(Code::TooManyPorts, fact, remedy))
}

fn many_fields(spec: &NetworkSpec, purpose: Purpose) -> Option<Diagnostic> {
    let has = spec.engine().address_fields(&spec.kind).len();
    let fact = format!("addresses have {has} fields, but RTL reads at most {RTL_FIELDS}");
    let remedy = "use fewer dimensions, or routing = \"up_down\", whose addresses have two fields; info, check, route, \
                  sim work";
    let refusal = || Diagnostic::new(Code::TooManyFields, fact, remedy);
    (purpose != Purpose::Simulation && has > RTL_FIELDS)
        .then(|| refusal().at(Place::field("network.sizes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str, purpose: Purpose) -> Option<(Code, String)> {
        let spec = mkns_spec::parse(text).expect("the notation is valid");
        let refusals = ensure_supported(&spec, &mkns_topology::build(&spec), purpose).err()?;
        Some((refusals[0].code, refusals[0].fact.clone()))
    }

    #[test]
    fn trains_that_no_ingress_checks_are_refused() {
        let (code, _) = refusal("hypercube(2,5)", Purpose::Rtl).expect("six local addresses");
        assert_eq!(code, Code::TooManyCascades);
        assert_eq!(refusal("hypercube(2,4)", Purpose::Rtl), None);
    }

    #[test]
    fn dimensions_without_a_table_are_refused() {
        let eight = "torus(2x2x2x2x2x2x2x2)";
        let (code, _) = refusal(eight, Purpose::Rtl).expect("nine tables");
        assert_eq!(code, Code::TooManyFields);
        assert_eq!(refusal(eight, Purpose::Simulation), None);
        assert_eq!(refusal("torus(2x2x2x2x2x2x2)", Purpose::Rtl), None);
    }

    #[test]
    fn serial_cables_lead_to_blocks_but_not_into_assemblies() {
        let supported = |text: &str, settings: &[&str], purpose| {
            let settings: Vec<String> = settings.iter().map(|&word| word.to_owned()).collect();
            let spec = mkns_spec::parse_with(text, &settings).expect("a valid spec");
            ensure_supported(&spec, &mkns_topology::build(&spec), purpose)
        };
        let serial = ["link=serial"];
        assert_eq!(supported("MKNS(2,4,2,1)", &serial, Purpose::Rtl), Ok(()));
        let assemblies = "MKNS(1,2x12,2,2)";
        let refusal = supported(assemblies, &serial, Purpose::Rtl).expect_err("assemblies");
        assert_eq!(refusal[0].code, Code::SerialLinksInRtl);
        assert_eq!(supported(assemblies, &serial, Purpose::Simulation), Ok(()));
        let first = ["link=serial", "link.dimensions=[1]"];
        assert_eq!(supported(assemblies, &first, Purpose::Rtl), Ok(()));
    }

    #[test]
    fn adaptive_blocks_are_built_but_not_in_assemblies() {
        let supported = |text: &str, purpose| {
            let settings = ["routing=adaptive".to_owned()];
            let spec = mkns_spec::parse_with(text, &settings).expect("a valid spec");
            ensure_supported(&spec, &mkns_topology::build(&spec), purpose)
        };
        for purpose in [Purpose::Rtl, Purpose::Blocks, Purpose::Simulation] {
            assert_eq!(supported("random_shortcut(16,4,2)", purpose), Ok(()));
        }
        let assemblies = "MKNS(1,2x12,2,2)";
        let refusal = supported(assemblies, Purpose::Rtl).expect_err("assemblies");
        assert_eq!(refusal[0].code, Code::AdaptiveInRtl);
        for purpose in [Purpose::Blocks, Purpose::Simulation] {
            assert_eq!(supported(assemblies, purpose), Ok(()));
        }
    }

    #[test]
    fn blocks_of_many_ports_are_simulated_but_not_built() {
        assert_eq!(refusal("slim_fly(9,7)", Purpose::Rtl), None);
        let (code, fact) = refusal("slim_fly(11,2)", Purpose::Rtl).expect("17 ports");
        assert_eq!(code, Code::TooManyPorts);
        assert_eq!(fact, "blocks have 17 network ports, but RTL at most 16");
        assert_eq!(refusal("slim_fly(11,2)", Purpose::Simulation), None);
        assert_eq!(refusal("slim_fly(16,7)", Purpose::Simulation), None);
        let (_, fact) = refusal("slim_fly(16,8)", Purpose::Simulation).expect("24 and 8 ports");
        let many = "blocks have 32 ports with those of hosts, but simulation at most 31";
        assert_eq!(fact, many);
    }
}
