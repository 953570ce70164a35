//! What makes a routing engine fit its network, and what the engine asks of the blocks.

use crate::data::{BlockParameters, ENGINES, EngineClaims, LayerSelect, NetworkKind, channels_for};
use crate::findings::Findings;
use mkns_diag::{Code, nearest};

/// The engine that the spec names, or the one of its kind of network; `None` when it does not fit.
pub fn engine(
    network: &NetworkKind,
    name: Option<&str>,
    findings: &mut Findings,
) -> Option<&'static EngineClaims> {
    let Some(name) = name else {
        return Some(EngineClaims::of(network));
    };
    let fitting = ENGINES.iter().filter(|engine| (engine.serves)(network));
    let fitting: Vec<&str> = fitting.map(|engine| engine.name).collect();
    let found = EngineClaims::named(name);
    match found {
        Some(engine) if (engine.serves)(network) => return found,
        Some(engine) => {
            let (notation, kinds) = (network.notation(), engine.kinds);
            let fact = format!("routing = \"{name}\" serves {kinds}, not {notation}");
            let remedy = format!("use one of {}", fitting.join(", "));
            findings.report("routing", Code::EngineDoesNotServe, fact, remedy);
        }
        None => {
            let fact = format!("routing = \"{name}\", but no engine has that name");
            let remedy = match nearest(name, fitting.iter().copied()) {
                Some(known) => format!("did you mean \"{known}\"?"),
                None => format!("use one of {}", fitting.join(", ")),
            };
            findings.report("routing", Code::UnknownChoice, fact, remedy);
        }
    }
    None
}

/// Channels and layers of the blocks where the user says nothing: what the engine needs.
pub fn needs(
    network: &NetworkKind,
    name: Option<&str>,
    block: &mut BlockParameters,
    findings: &Findings,
) {
    let named = name.and_then(EngineClaims::named);
    let engine = named
        .filter(|engine| (engine.serves)(network))
        .unwrap_or_else(|| EngineClaims::of(network));
    if !findings.has("block.virtual_channels") {
        block.virtual_channels = channels_for((engine.channels)(network));
    }
    if !findings.has("block.layers") {
        block.layers = (engine.layers)(network);
    }
    if !findings.has("block.layer_select") && engine.masks && block.layers > 1 {
        block.layer_select = Some(LayerSelect::Mask);
    }
}
