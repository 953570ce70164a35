//! What makes a routing engine fit its network, and what the engine asks of the blocks.

use crate::data::{
    ADAPTIVE, BlockParameters, ENGINES, EngineClaims, LayerSelect, NetworkKind, RoutingChoice,
    channels_for,
};
use crate::findings::Findings;
use mkns_diag::{Code, nearest};

/// The engine that the spec names, or the one of its kind of network; `None` when it does not fit.
pub fn engine(
    network: &NetworkKind,
    choice: &RoutingChoice,
    findings: &mut Findings,
) -> Option<&'static EngineClaims> {
    let adaptive = choice.is_adaptive();
    if let (false, Some(_)) = (adaptive, &choice.escape) {
        let fact = "escape names an engine, but only adaptive routing has an escape".to_owned();
        let remedy = "leave it out, or set routing to \"adaptive\"".to_owned();
        findings.report("escape", Code::NotAdaptive, fact, remedy);
        return None;
    }
    let field = if adaptive { "escape" } else { "routing" };
    let may_be = |engine: &&EngineClaims| {
        (engine.serves)(network) && (!adaptive || engine.may_escape(network))
    };
    let mut fitting: Vec<&str> = (ENGINES.iter().filter(may_be))
        .map(|engine| engine.name)
        .collect();
    if adaptive && fitting.is_empty() {
        let fact = format!(
            "routing = \"adaptive\" does not serve {}",
            network.notation()
        );
        let remedy =
            "leave it out: the address train that the sender writes is the route".to_owned();
        findings.report("routing", Code::EngineDoesNotServe, fact, remedy);
        return None;
    }
    let Some(name) = choice.of_tables() else {
        return Some(choice.default_of_tables(network));
    };
    if !adaptive {
        let is_served = ENGINES
            .iter()
            .any(|engine| (engine.serves)(network) && engine.may_escape(network));
        fitting.extend(is_served.then_some(ADAPTIVE));
    }
    let found = EngineClaims::named(name);
    match found {
        Some(engine) if fitting.contains(&engine.name) => return found,
        Some(engine) if (engine.serves)(network) => {
            let fact = format!(
                "escape = \"{}\", but packets cannot join its paths at every block of this network",
                engine.name
            );
            let remedy = format!("use one of {}", fitting.join(", "));
            findings.report("escape", Code::EngineDoesNotServe, fact, remedy);
        }
        Some(engine) => {
            let (notation, kinds) = (network.notation(), engine.kinds);
            let fact = format!("{field} = \"{name}\" serves {kinds}, not {notation}");
            let remedy = format!("use one of {}", fitting.join(", "));
            findings.report(field, Code::EngineDoesNotServe, fact, remedy);
        }
        None => {
            let fact = format!("{field} = \"{name}\", but no engine has that name");
            let remedy = match nearest(name, fitting.iter().copied()) {
                Some(known) => format!("did you mean \"{known}\"?"),
                None => format!("use one of {}", fitting.join(", ")),
            };
            findings.report(field, Code::UnknownChoice, fact, remedy);
        }
    }
    None
}

/// Channels and layers of the blocks where the user says nothing: what the engine needs.
pub fn needs(
    network: &NetworkKind,
    choice: &RoutingChoice,
    block: &mut BlockParameters,
    findings: &Findings,
) {
    block.adaptive = choice.is_adaptive();
    let named = choice.of_tables().and_then(EngineClaims::named);
    let engine = named
        .filter(|engine| (engine.serves)(network))
        .unwrap_or_else(|| choice.default_of_tables(network));
    if !findings.has("block.virtual_channels") {
        let adaptive = u32::from(block.adaptive);
        block.virtual_channels = channels_for((engine.channels)(network) + adaptive);
    }
    if !findings.has("block.layers") {
        block.layers = (engine.layers)(network);
    }
    if !findings.has("block.layer_select") && engine.masks && block.layers > 1 {
        block.layer_select = Some(LayerSelect::Mask);
    }
}
