//! 7.4: the side of the block.

use mkns_cable::{EndInputs, Flit};

use super::state::{LinkPort, State};
use crate::cyclic::first_at_or_after;

impl LinkPort {
    pub(super) fn core_side(&mut self, at: &State, inputs: &EndInputs) {
        self.take_box(at);
        self.take_flit(at, inputs);
        self.credits(at);
        self.deliver(at);
        let (channels, start) = (self.parameters.channels, self.parameters.rx_buffer_flits);
        let next = &mut self.state.core;
        let core = &at.core;
        // 4
        for v in 0..channels {
            next.credit[v] += inputs.rx_credit >> v & 1;
        }
        // 5
        if !core.link_up {
            next.ring_write = 0;
            next.place_read = [0; 2];
            next.granted = [start; 2];
            next.total = channels as u32 * start;
            next.down_cycles = (core.down_cycles + 1).min(15);
        }
        let is_idle = !core.link_up && !core.core_alive && core.down_cycles == 15;
        next.core_idle = is_idle && core.owed == [0; 2];
        // 6
        if !core.link_up && core.core_idle && core.core_alive {
            next.link_up = true;
        }
        // 7
        if core.link_up && !core.core_alive {
            next.link_up = false;
            next.down_cycles = 0;
            let unacknowledged = (core.ring_write + 512 - core.core_ack) % 512;
            let one_more = u16::from(inputs.tx.is_some());
            next.lost = next.lost.wrapping_add(unacknowledged as u16 + one_more);
        }
    }

    /// 7.3: the box's fields.
    fn take_box(&mut self, at: &State) {
        if let Some(contents) = at.carrier.taken() {
            let next = &mut self.state.core;
            next.core_alive = contents.alive;
            next.core_ack = contents.ack;
            next.core_limit = contents.limit;
        }
    }

    /// Rule 1.
    fn take_flit(&mut self, at: &State, inputs: &EndInputs) {
        let Some(flit) = &inputs.tx else { return };
        let flit = Flit {
            channel: flit.channel % self.parameters.channels,
            ..*flit
        };
        let next = &mut self.state.core;
        next.owed[flit.channel] += 1;
        if at.core.link_up {
            self.ring[at.core.ring_write as usize % 256] = flit;
            next.ring_write = (at.core.ring_write + 1) % 512;
        } else {
            next.lost = next.lost.wrapping_add(1);
        }
    }

    /// Rule 2.
    fn credits(&mut self, at: &State) {
        let channels = self.parameters.channels;
        let core = &at.core;
        let can_be_granted = |v: usize| {
            let place_and_ring =
                core.granted[v] != core.core_limit[v] && core.total != (core.core_ack + 256) % 512;
            core.owed[v] > 0 && (!core.link_up || place_and_ring)
        };
        let next = &mut self.state.core;
        next.tx_credit = 0;
        let Some(v) = first_at_or_after(core.grant_turn, channels, can_be_granted) else {
            return;
        };
        next.owed[v] -= 1;
        next.tx_credit = 1 << v;
        next.grant_turn = (v + 1) % channels;
        if core.link_up {
            next.granted[v] = (core.granted[v] + 1) % 256;
            next.total = (core.total + 1) % 512;
        }
    }

    /// Rule 3.
    fn deliver(&mut self, at: &State) {
        let channels = self.parameters.channels;
        let (core, written) = (&at.core, at.place_write_seen.seen());
        let can_deliver =
            |v: usize| core.link_up && core.place_read[v] != written[v] && core.credit[v] > 0;
        let next = &mut self.state.core;
        next.rx = core.fetched;
        next.fetched = None;
        let Some(v) = first_at_or_after(core.turn, channels, can_deliver) else {
            return;
        };
        next.fetched = Some(self.places[v][core.place_read[v] as usize]);
        next.place_read[v] = (core.place_read[v] + 1) % 256;
        next.credit[v] -= 1;
        next.turn = (v + 1) % channels;
    }
}
