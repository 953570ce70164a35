//! Links that come and go, and the channel on which packets leave: `up` (section 1.2) and the `step`
//! matrix (w of section 1.6). Knows nothing of flits.

use super::SwitchCore;
use super::key_set::KeySet;
use mkns_contract::ones;

impl<K: KeySet> SwitchCore<K> {
    /// Replaces a row of the `step` matrix at the end of the cycle.
    pub fn write_step_row(&mut self, input: usize, row: u32) {
        for output in 0..self.shape.ports {
            let column = &mut self.stepping[output];
            *column = *column & !(1 << input) | (row >> output & 1) << input;
        }
        self.move_chosen();
    }

    /// `up` from the next cycle on.
    #[cold]
    pub(super) fn change_up(&mut self, link_up: u32) {
        self.up = link_up;
        let down = !link_up & self.shape.all_ports();
        self.down_keys = self.shape.keys_of_inputs(down);
        // Before the pops of that cycle: with the link down they may leave anyway, and are not sent.
        self.discard_begun_packets(down);
    }

    #[inline]
    pub(super) fn link_is_up(&self, port: usize) -> bool {
        self.up >> port & 1 == 1
    }

    /// w(i,o,v) of section 1.6.
    #[inline]
    pub(super) fn outgoing_channel(&self, output: usize, key: usize) -> usize {
        if self.adaptive.is_some()
            && let Some(channel) = self.adaptive_outgoing_channel(output, key)
        {
            return channel;
        }
        let step = self.stepping[output] >> K::port_of(key) & 1;
        (K::channel_of(key) + step as usize).min(self.shape.channels - 1)
    }

    /// Keys whose packets to an output leave on a channel.
    #[inline]
    pub(super) fn members(&self, output: usize, channel: usize) -> K {
        if self.adaptive.is_some() {
            return self.adaptive_members(output, channel);
        }
        let stepping = self.stepping[output];
        let is_highest = channel + 1 == self.shape.channels;
        let steps = if is_highest { 0 } else { stepping };
        let members = K::of_ports(self.shape.all_ports() & !steps) << K::key(0, channel);
        if stepping == 0 || channel == 0 {
            return members;
        }
        members | K::of_ports(stepping) << K::key(0, channel - 1)
    }

    /// Chosen requests leave on the channels that `step` says now.
    fn move_chosen(&mut self) {
        for output in ones(self.flows | self.granted) {
            let chosen = self.outputs[output].chosen.into();
            let outgoing = self.outgoing_channel(output, chosen);
            self.outputs[output].place = K::key(output, outgoing) as u8;
        }
    }
}
