//! Lookup where every packet goes over a random block (`mkns_design::BlocksBetween`). The page knows nothing of it: there
//! is no RTL.
//!
//! A header on its first path has travel 1, and above its address the number of its block. There the packet goes on to its
//! destination on a channel of the second path, which is its way, as it is in adaptive blocks.

use super::SwitchCore;
use super::key_set::KeySet;
use super::state::NONE;
use crate::flit::{Flit, FlitSink};
use mkns_contract::header;
use mkns_design::BlocksBetween;
use mkns_random::mix;

const FIRST_PATH: u8 = 1;
const SECOND_PATH: u8 = 2;

/// The channel on which a packet leaves that stays on its path.
pub fn channel_of_path(between: &BlocksBetween, channel: usize, step: usize) -> usize {
    let own = between.channels as usize;
    let last = if channel < own { own - 1 } else { 2 * own - 1 };
    (channel + step).min(last)
}

/// The header with its destination alone, and the number above it.
fn parts(between: &BlocksBetween, header: Flit) -> (Flit, usize) {
    let destination = header::destination(header.low_word());
    let number = destination >> between.address_bits;
    let address = destination & ((1 << between.address_bits) - 1);
    (header.with_destination(address), number as usize)
}

impl<K: KeySet> SwitchCore<K> {
    /// Looks all headers of the cycle up.
    pub(super) fn admit_over_blocks(&mut self, sink: &mut impl FlitSink) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        let mut headers = std::mem::take(&mut adaptive.headers);
        for (key, header) in headers.drain(..) {
            match self.path_of(key, header) {
                Some((output, header)) => self.begin(key, output, header),
                None => {
                    self.count_drop();
                    self.drop_packet(key, header, sink);
                }
            }
        }
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.headers = headers;
        }
    }

    /// Where a packet goes, and its header behind this block; none when it is dropped.
    fn path_of(&mut self, key: usize, header: Flit) -> Option<(usize, Flit)> {
        if self.inputs[key].closing != NONE {
            return None;
        }
        let number = self.adaptive.as_mut().map(|adaptive| {
            adaptive.drawn += 1;
            mix(mix(adaptive.drawn) ^ header.low_word())
        })?;
        let shape = self.shape.adaptive.as_ref()?;
        let between = shape.between.as_ref()?;
        let from_host = K::port_of(key) >= shape.network_ports;
        let (direct, met) = parts(between, header.as_adaptive(false));
        let met = match from_host {
            true => (number % between.addresses.len() as u64) as usize,
            false => met,
        };
        let second = direct.with_travel(SECOND_PATH);
        let last = self.leads(direct)?;
        if last >= shape.network_ports || header.travel() == SECOND_PATH {
            return Some((last, second));
        }
        let first = self.leads(direct.with_destination(between.addresses[met]))?;
        if first >= shape.network_ports {
            return Some((last, second.as_adaptive(true)));
        }
        let address = header::destination(direct.low_word());
        let noted = direct.with_destination(address | (met as u32) << between.address_bits);
        Some((first, noted.with_travel(FIRST_PATH)))
    }

    /// The output of the route tables, whatever the input.
    fn leads(&self, header: Flit) -> Option<usize> {
        let entry = (self.routes).decide(&self.shape.routes, header.low_word())?;
        let port = usize::from(entry.port);
        (port < self.shape.ports && self.link_is_up(port)).then_some(port)
    }
}
