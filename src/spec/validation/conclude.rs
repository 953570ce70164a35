//! The last step to a spec: everything is judged, then it is valid or refused.

use super::{
    adaptive, block, distributed_switch, engine, fat_tree, graph, grid, layer_choice, mkns,
    network, serial_link,
};
use crate::data::{
    BlockParameters, EngineClaims, NetworkKind, NetworkSpec, RoutingChoice, SerialLink,
};
use crate::findings::Findings;
use mkns_diag::Diagnostic;

/// Validates what was read. Either a valid spec, or every problem in the order of the text.
pub fn conclude(
    mut findings: Findings,
    name: Option<String>,
    network: Option<NetworkKind>,
    routing: RoutingChoice,
    (block, link): (BlockParameters, Option<SerialLink>),
) -> Result<NetworkSpec, Vec<Diagnostic>> {
    let engine = network
        .as_ref()
        .and_then(|network| engine::engine(network, &routing, &mut findings));
    let kind = network.as_ref().map(NetworkKind::kind);
    block::block(&block, kind.map(|kind| kind.smallest_core()), &mut findings);
    if let Some(network) = &network {
        parameters(network, &mut findings);
        if let Some(engine) = engine {
            let adaptive = u32::from(block.adaptive);
            let channels = engine.least_channels(network) + adaptive;
            block::virtual_channels(&block, channels, &mut findings);
            let fields = engine.address_fields(network);
            block::table_entries(&block, &fields, &mut findings);
            layer_choice::layer_choice(&block, engine, &fields, &mut findings);
            adaptive::adaptive(&block, &fields, &mut findings);
        }
    }
    if let Some(link) = &link {
        serial_link::serial_link(link, &block, network.as_ref(), &mut findings);
    }
    if let Some(name) = &name {
        network::name(name, &mut findings);
    }
    match network {
        Some(network) if findings.is_empty() => Ok(NetworkSpec {
            name: name.unwrap_or_else(|| network.kind().default_name()),
            escape: routing.is_adaptive().then(|| {
                let named = routing.escape.clone();
                named.unwrap_or_else(|| EngineClaims::of_escape(&network).name.to_owned())
            }),
            routing: (routing.engine).unwrap_or_else(|| EngineClaims::of(&network).name.to_owned()),
            kind: network,
            block,
            link,
        }),
        _ => Err(findings.into_problems()),
    }
}

/// Reports everything that is wrong with the parameters of a network.
fn parameters(network: &NetworkKind, findings: &mut Findings) {
    match network {
        NetworkKind::Mkns(spec) => mkns::mkns(spec, findings),
        NetworkKind::Grid(spec) => grid::grid(spec, findings),
        NetworkKind::DistributedSwitch(spec) => {
            distributed_switch::distributed_switch(spec, findings);
        }
        NetworkKind::FatTree(spec) => fat_tree::fat_tree(spec, findings),
        NetworkKind::SlimFly(spec) => graph::slim_fly(spec, findings),
        NetworkKind::RandomShortcut(spec) => graph::random_shortcut(spec, findings),
        NetworkKind::Loop(spec) => graph::dln(spec, findings),
    }
}

impl NetworkSpec {
    /// A valid spec with the default name, or every violation; for specs made by programs.
    pub fn from_parts(
        network: NetworkKind,
        block: BlockParameters,
    ) -> Result<Self, Vec<Diagnostic>> {
        let findings = Findings::of(Vec::new());
        conclude(
            findings,
            None,
            Some(network),
            RoutingChoice::default(),
            (block, None),
        )
    }
}
