//! The pop of a flit: what it does to its queue, to the channel it leaves on and to the credits
//! (sections 1.5 and 1.6).

use super::SwitchCore;
use super::key_set::KeySet;
use super::state::{NONE, Output};
use crate::flit::FlitSink;
use mkns_contract::ones;

impl<K: KeySet> SwitchCore<K> {
    /// The oldest flit of the chosen request of an output leaves.
    #[inline(always)]
    pub(super) fn pop(&mut self, output: usize, sink: &mut impl FlitSink) {
        let Output {
            chosen,
            place,
            queue,
            ..
        } = self.outputs[output];
        let (key, place) = (usize::from(chosen), usize::from(place));
        let (popped, is_empty) = self.queues.pop(queue);
        // Without branches, which would often be guessed wrong.
        let state = &mut self.outputs[output];
        state.waiting &= !(K::of_ports(u32::from(is_empty)) << key);
        state.popped = chosen;
        self.requested &= !(u32::from(state.waiting.is_empty()) << output);
        self.popped_outputs |= 1 << output;
        self.give_credit(key, sink);

        let last = popped.is_some_and(|flit| flit.tag().last);
        let up = self.link_is_up(output);
        let channel = &mut self.output_channels[place];
        let sent = up && !(channel.lock == chosen && channel.discard);
        let is_adaptive = self.adaptive.is_some();
        channel.lock = if last { NONE } else { chosen };
        channel.discard = !last && !sent;
        if sent {
            channel.credit -= 1;
            match popped {
                None => sink.send_blank(output, K::channel_of(place)),
                Some(flit) if K::channel_of(place) == K::channel_of(key) => sink.send(output, flit),
                Some(flit) => sink.send(output, flit.on_channel(K::channel_of(place))),
            }
        } else if last {
            self.count_drop();
        }
        if is_adaptive {
            self.note_adaptive_pop((output, key, place), popped, sent);
        }
    }

    /// Whether the flit that was popped for an output in the last allocation is of this request.
    #[inline(always)]
    pub(super) fn was_popped(&self, output: usize, key: usize) -> bool {
        self.popped_outputs >> output & 1 == 1 && usize::from(self.outputs[output].popped) == key
    }

    /// Outputs that are down throw away the rest of what they have begun. Packets that begin later
    /// on such an output are marked when they are popped.
    pub(super) fn discard_begun_packets(&mut self, down: u32) {
        for output in ones(down) {
            for channel in 0..self.shape.channels {
                let channel = &mut self.output_channels[K::key(output, channel)];
                channel.discard |= channel.lock != NONE;
            }
        }
    }
}
