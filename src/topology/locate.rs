//! Finds the host that a user means: `25`, `host25`, `ab_0_3_0_0:1` or `AB(0 3 0 0):1`; on a
//! distributed switch `terminal_5` or `terminal_5:1`.

use super::{BlockRole, Network};
use mkns_diag::{Code, Diagnostic, Place};

/// Number of the host called `text`; without `:port` an adapter block means its PCIe
/// port 0.
pub fn host_named(network: &Network, text: &str) -> Result<u32, Box<Diagnostic>> {
    let name = text.trim();
    match without_prefix(name).parse::<u32>() {
        Ok(host) if (host as usize) < network.hosts.len() => Ok(host),
        Ok(_) => {
            let last = network.hosts.len() - 1;
            let fact = format!("the network has hosts 0 to {last}");
            Err(unknown(network, text, &fact))
        }
        Err(_) => by_block(network, text, name),
    }
}

/// The name of a host without what may stand before its number: `VM` is the papers' word.
pub(crate) fn without_prefix(name: &str) -> &str {
    let prefixes = ["host", "VM", "vm"];
    let mut rests = prefixes
        .iter()
        .filter_map(|prefix| name.strip_prefix(prefix));
    rests.next().unwrap_or(name)
}

fn by_block(network: &Network, text: &str, name: &str) -> Result<u32, Box<Diagnostic>> {
    let (block_name, port) = name.split_once(':').unwrap_or((name, "0"));
    let id = network
        .block_named(block_name)
        .filter(|id| network.block(*id).pcie_ports > 0)
        .ok_or_else(|| {
            let ends = [network.hosts.first(), network.hosts.last()];
            let [first, last] =
                ends.map(|host| host.map_or("", |host| &network.block(host.block).name));
            let what = match has_adapters(network) {
                true => "adapter blocks",
                false => "terminals",
            };
            unknown(network, text, &format!("{what} are {first} to {last}"))
        })?;
    let ports = u32::from(network.block(id).pcie_ports);
    match port.trim_start_matches("PCI").parse::<u32>() {
        Ok(port) if port < ports => Ok(id.0 * ports + port),
        _ => {
            let last = ports - 1;
            let fact = format!("{block_name} has PCIe ports 0 to {last}");
            Err(unknown(network, text, &fact))
        }
    }
}

fn has_adapters(network: &Network) -> bool {
    let mut hosts = network.hosts.iter();
    hosts.all(|host| network.block(host.block).role != BlockRole::Terminal)
}

fn unknown(network: &Network, text: &str, fact: &str) -> Box<Diagnostic> {
    let fact = format!("`{text}` is no host: {fact}");
    let remedy = match has_adapters(network) {
        true => {
            "name one as `25`, `host25`, `ab_0_3_0_0:1` or `AB(0 3 0 0):1` (adapter block and PCIe port)"
        }
        false => {
            "name one as `5`, `host5`, `terminal_5` or `terminal_5:0` (terminal and PCIe port)"
        }
    };
    Box::new(Diagnostic::new(Code::UnknownHost, fact, remedy).at(Place::field(text)))
}
