//! Section 3: one PCIe port, ingress and egress, with the width of its host's pins.

use mkns_design::BlockModule;

use crate::egress::{Egress, HostMove};
use crate::egress_width::EgressWidth;
use crate::ingress::Ingress;
use crate::ingress_width::IngressWidth;
use crate::pcie_counters::{PCIE_COUNTERS, PcieCounter};
use crate::{Beat, Flit, LayerMasks};

/// What a PCIe port sees in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostInputs<'a> {
    /// `s_axis_pcie_*`, when tvalid is 1.
    pub beat: Option<&'a Beat>,
    /// `m_axis_pcie_tready`.
    pub ready: bool,
    /// The core's tx pin of port d + q.
    pub from_core: Option<&'a Flit>,
    /// The core's `rx_credit` of port d + q, bit v.
    pub rx_credit: u32,
    /// 1.8: the header on the core's rx pin waits.
    pub held: bool,
    /// The register, at the start of the cycle.
    pub node_address: u32,
    /// 3.4: masks and entries, at the start of the cycle.
    pub masks: Option<&'a LayerMasks>,
}

/// A PCIe port of an adapter or terminal block.
pub struct HostPort {
    module: BlockModule,
    q: usize,
    ingress_width: Option<IngressWidth>,
    ingress: Ingress,
    egress: Egress,
    egress_width: Option<EgressWidth>,
    counters: [u32; PCIE_COUNTERS],
}

impl HostPort {
    /// Port `q` of a block.
    pub fn new(module: &BlockModule, q: usize) -> Self {
        Self {
            module: module.clone(),
            q,
            ingress_width: IngressWidth::new(module),
            ingress: Ingress::new(module, q),
            egress: Egress::new(module),
            egress_width: EgressWidth::new(module),
            counters: [module.parameters.counter_start; PCIE_COUNTERS],
        }
    }

    /// A cycle with `rst`.
    pub fn reset(&mut self) {
        *self = Self::new(&self.module, self.q);
    }

    /// `s_axis_pcie_tready`.
    pub fn tready(&self) -> bool {
        match &self.ingress_width {
            None => self.ingress.tready(),
            Some(width) => width.tready(),
        }
    }

    /// `m_axis_pcie_*`, when tvalid is 1.
    pub fn beat(&self) -> Option<&Beat> {
        match &self.egress_width {
            None => self.egress.output(),
            Some(width) => width.pins(),
        }
    }

    /// The core's rx pin of port d + q.
    pub fn to_core(&self) -> Option<&Flit> {
        self.ingress.output()
    }

    /// `tx_credit` of the core's port d + q, bit v.
    pub fn credit(&self) -> u32 {
        self.egress.credit()
    }

    /// PCIe counter `c` of section 4.
    pub fn counter(&self, c: usize) -> u32 {
        self.counters[c]
    }

    /// One cycle: the bits of ERRORS that it sets.
    pub fn clock(&mut self, inputs: &HostInputs<'_>) -> u32 {
        if self.is_at_rest(inputs) {
            return 0;
        }
        let host = match self.beat() {
            Some(_) if !inputs.ready => HostMove::Stalls,
            Some(beat) if beat.last => HostMove::EndsPacket,
            _ => HostMove::Other,
        };
        let dropped = self.clock_ingress(inputs);
        let egress_tready = match (&self.egress_width, self.egress.output()) {
            (Some(width), Some(piece)) => width.takes(piece, inputs.ready),
            _ => inputs.ready,
        };
        if let Some(width) = &mut self.egress_width {
            width.clock(self.egress.output(), inputs.ready);
        }
        let [packet, fault] = self.egress.clock(inputs.from_core, egress_tready, host);
        let mut errors = 0;
        for event in [dropped, packet, fault].into_iter().flatten() {
            errors |= event.error();
            let count = &mut self.counters[event as usize];
            *count = count.wrapping_add(1);
        }
        errors
    }

    fn clock_ingress(&mut self, inputs: &HostInputs<'_>) -> Option<PcieCounter> {
        let gathered;
        let mut piece = inputs.beat;
        if let Some(width) = &mut self.ingress_width {
            gathered = width.piece();
            piece = gathered.as_ref();
            width.clock(inputs.beat, self.ingress.tready());
        }
        let (credit, node_address) = (inputs.rx_credit, inputs.node_address);
        self.ingress
            .clock(piece, credit, inputs.held, node_address, inputs.masks)
    }

    /// The cycle can change nothing, so it need not be worked out.
    fn is_at_rest(&self, inputs: &HostInputs<'_>) -> bool {
        inputs.beat.is_none()
            && inputs.from_core.is_none()
            && inputs.rx_credit == 0
            && self.ingress.is_at_rest()
            && self.egress.is_at_rest()
            && self
                .ingress_width
                .as_ref()
                .is_none_or(IngressWidth::is_at_rest)
            && self
                .egress_width
                .as_ref()
                .is_none_or(EgressWidth::is_at_rest)
    }

    /// What differs from reset.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        if let Some(width) = &self.ingress_width {
            width.describe(&mut text);
        }
        self.ingress.describe(&mut text);
        self.egress.describe(&mut text);
        if let Some(width) = &self.egress_width {
            width.describe(&mut text);
        }
        text
    }
}
