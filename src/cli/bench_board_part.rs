//! What stands around a block on its board, as `mkns bench --block` measures it.

use super::CommandError;
use mkns_cosim::{LinkParameters, link_parameters, management_pins, one_clock_link};
use mkns_design::{Plan, PortTable};
use mkns_diag::Code;
use mkns_rtl as rtl;

/// A module, and the pins and sources that the tools need.
pub struct BoardPart {
    pub name: &'static str,
    pub top: &'static str,
    pub pins: PortTable,
    pub parameters: Vec<(String, String)>,
    pub sources: Vec<(String, String)>,
    /// Of a link port.
    pub virtual_channels: Option<usize>,
}

impl BoardPart {
    /// The port of a serial link with the sizes of a plan.
    pub fn link_port(plan: &Plan) -> Self {
        let parameters = LinkParameters {
            management: plan.spec.is_managed_in_band(),
            ..link_parameters(&plan.spec).0
        };
        let (top, text, pins) = one_clock_link(&parameters);
        let mut sources = rtl::render_link();
        sources.push((format!("{top}.v"), text));
        Self {
            name: "link_port",
            top,
            pins,
            parameters: Vec::new(),
            sources,
            virtual_channels: Some(parameters.channels),
        }
    }

    /// The management unit of the block with the most serial links; an error where boards have none.
    pub fn management_unit(plan: &Plan) -> Result<Self, CommandError> {
        let modules = plan.modules.iter();
        let module = modules
            .filter(|_| plan.spec.is_managed_in_band())
            .max_by_key(|module| module.serial_ports.count_ones());
        let module = module.ok_or_else(|| {
            let fact = "the blocks of this network have no management unit".to_owned();
            let remedy = "add --set link.kind=serial --set link.management=in_band";
            CommandError::new(Code::NoSuchBlock, fact, remedy)
        })?;
        let ports = module.network_ports;
        let links = format!("{ports}'h{:x}", module.serial_ports);
        Ok(Self {
            name: "management_unit",
            top: "management_unit",
            pins: management_pins(ports),
            parameters: vec![
                ("PORTS".to_owned(), ports.to_string()),
                ("LINKS".to_owned(), links),
            ],
            sources: rtl::render_management(),
            virtual_channels: None,
        })
    }
}
