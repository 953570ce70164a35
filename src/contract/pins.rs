//! Where each pin of a block stands in the packed words of a cycle.
//!
//! Resolves the port table once, so that models, stimulus and wiring work on word and bit numbers.
//! Knows the layout of the words and nothing of what the signals mean.

use super::block_module::BlockModule;
use super::ports::{Port, packed_words, word_offset};

/// Reads `width` ≤ 64 bits that start at bit `bit` of a port whose first word is `words[0]`.
#[inline]
pub fn get_bits(words: &[u64], bit: usize, width: usize) -> u64 {
    let (word, shift) = (bit / 64, bit % 64);
    let mut value = words[word] >> shift;
    if shift + width > 64 {
        value |= words[word + 1] << (64 - shift);
    }
    value & mask(width)
}

/// Writes `width` ≤ 64 bits from bit `bit` on.
#[inline]
pub fn set_bits(words: &mut [u64], bit: usize, width: usize, value: u64) {
    let (word, shift) = (bit / 64, bit % 64);
    let value = value & mask(width);
    words[word] = (words[word] & !(mask(width) << shift)) | (value << shift);
    if shift + width > 64 {
        let low = 64 - shift;
        words[word + 1] = (words[word + 1] & !(mask(width) >> low)) | (value >> low);
    }
}

/// The low `width` ≤ 64 bits set.
#[inline]
pub fn mask(width: usize) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// The numbers of the bits that are 1, lowest first.
#[inline]
pub fn ones(set: impl Into<u64>) -> impl Iterator<Item = usize> {
    let mut left: u64 = set.into();
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lowest = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(lowest)
    })
}

/// Word numbers of the link signals of one direction.
#[derive(Debug, Clone, Copy)]
pub struct LinkPins {
    pub valid: usize,
    pub channel: usize,
    pub last: usize,
    pub bad: usize,
    pub data: usize,
}

impl LinkPins {
    fn new(ports: &[Port], prefix: &str) -> Self {
        let at = |name: &str| word_offset(ports, &format!("{prefix}_{name}"));
        Self {
            valid: at("valid"),
            channel: at("vc"),
            last: at("last"),
            bad: at("bad"),
            data: at("data"),
        }
    }
}

/// Word numbers of the AXI4-Stream signals of one direction.
#[derive(Debug, Clone, Copy, Default)]
pub struct StreamPins {
    pub data: usize,
    pub keep: usize,
    pub valid: usize,
    pub last: usize,
    pub user: usize,
    pub ready: usize,
}

/// Word numbers of the AXI4-Lite inputs.
#[derive(Debug, Clone, Copy)]
pub struct ControlInputs {
    pub awaddr: usize,
    pub awvalid: usize,
    pub wdata: usize,
    pub wstrb: usize,
    pub wvalid: usize,
    pub bready: usize,
    pub araddr: usize,
    pub arvalid: usize,
    pub rready: usize,
}

/// Word numbers of the AXI4-Lite outputs.
#[derive(Debug, Clone, Copy)]
pub struct ControlOutputs {
    pub awready: usize,
    pub wready: usize,
    pub bvalid: usize,
    pub bresp: usize,
    pub arready: usize,
    pub rvalid: usize,
    pub rdata: usize,
    pub rresp: usize,
}

/// Every word number of a block module, and the sizes that the harness computes with.
#[derive(Debug, Clone)]
pub struct Pins {
    /// Network ports.
    pub ports: usize,
    /// PCIe ports, 0 on blocks without hosts.
    pub hosts: usize,
    /// Virtual channels.
    pub channels: usize,
    /// Bits of a channel number on the pins.
    pub channel_bits: usize,
    /// 64-bit words of a flit.
    pub flit_words: usize,
    /// 64-bit words of a beat of a PCIe-side stream.
    pub beat_words: usize,
    pub input_words: usize,
    pub output_words: usize,
    pub rst: usize,
    pub rx: LinkPins,
    pub tx_credit: usize,
    pub link_up: usize,
    pub tx: LinkPins,
    pub rx_credit: usize,
    /// Host to network; all 0 on blocks without hosts.
    pub ingress: StreamPins,
    /// Network to host, likewise.
    pub egress: StreamPins,
    pub control_in: ControlInputs,
    pub control_out: ControlOutputs,
}

impl Pins {
    /// Channel, low word and `last` of the flit on a port's pins of a link. With one channel its number on the pins means
    /// nothing.
    #[inline]
    pub fn flit(&self, link: &LinkPins, words: &[u64], port: usize) -> (usize, u64, bool) {
        let channel = match self.channels {
            1 => 0,
            _ => get_bits(
                &words[link.channel..],
                port * self.channel_bits,
                self.channel_bits,
            ),
        };
        let low = words[link.data + port * self.flit_words];
        (channel as usize, low, words[link.last] >> port & 1 == 1)
    }

    /// Pins of a block module.
    pub fn new(module: &BlockModule) -> Self {
        let table = module.port_table();
        let (inputs, outputs) = (&table.inputs, &table.outputs);
        let has_hosts = module.kind.has_hosts();
        Self {
            ports: module.network_ports as usize,
            hosts: module.pcie_ports as usize,
            channels: module.parameters.virtual_channels as usize,
            channel_bits: module.virtual_channel_bits() as usize,
            flit_words: (module.parameters.flit_bits / 64) as usize,
            beat_words: (module.parameters.pcie_bits / 64) as usize,
            input_words: packed_words(inputs),
            output_words: packed_words(outputs),
            rst: word_offset(inputs, "rst"),
            rx: LinkPins::new(inputs, "rx"),
            tx_credit: word_offset(inputs, "tx_credit"),
            link_up: word_offset(inputs, "link_up"),
            tx: LinkPins::new(outputs, "tx"),
            rx_credit: word_offset(outputs, "rx_credit"),
            ingress: stream(has_hosts, inputs, outputs, "s_axis_pcie"),
            egress: stream(has_hosts, outputs, inputs, "m_axis_pcie"),
            control_in: control_inputs(inputs),
            control_out: control_outputs(outputs),
        }
    }
}

/// Pins of a stream whose data is in `forward` and whose tready is in `backward`.
fn stream(exists: bool, forward: &[Port], backward: &[Port], prefix: &str) -> StreamPins {
    if !exists {
        return StreamPins::default();
    }
    let at = |ports: &[Port], name: &str| word_offset(ports, &format!("{prefix}_{name}"));
    StreamPins {
        data: at(forward, "tdata"),
        keep: at(forward, "tkeep"),
        valid: at(forward, "tvalid"),
        last: at(forward, "tlast"),
        user: at(forward, "tuser"),
        ready: at(backward, "tready"),
    }
}

fn control_inputs(inputs: &[Port]) -> ControlInputs {
    let at = |name: &str| word_offset(inputs, &format!("s_axil_{name}"));
    ControlInputs {
        awaddr: at("awaddr"),
        awvalid: at("awvalid"),
        wdata: at("wdata"),
        wstrb: at("wstrb"),
        wvalid: at("wvalid"),
        bready: at("bready"),
        araddr: at("araddr"),
        arvalid: at("arvalid"),
        rready: at("rready"),
    }
}

fn control_outputs(outputs: &[Port]) -> ControlOutputs {
    let at = |name: &str| word_offset(outputs, &format!("s_axil_{name}"));
    ControlOutputs {
        awready: at("awready"),
        wready: at("wready"),
        bvalid: at("bvalid"),
        bresp: at("bresp"),
        arready: at("arready"),
        rvalid: at("rvalid"),
        rdata: at("rdata"),
        rresp: at("rresp"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_fields_that_cross_words_read_back() {
        let mut words = vec![u64::MAX; 3];
        set_bits(&mut words, 60, 10, 0x155);
        assert_eq!(get_bits(&words, 60, 10), 0x155);
        assert_eq!(get_bits(&words, 0, 60), mask(60));
        assert_eq!(get_bits(&words, 70, 64), u64::MAX);
        set_bits(&mut words, 64, 64, 0);
        assert_eq!(words[1], 0);
        assert_eq!(words[2], u64::MAX);
    }
}
