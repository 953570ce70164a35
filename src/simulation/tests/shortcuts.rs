//! What the PCIe-side ports of a simulation do at once is what they do cycle by cycle.

use std::collections::VecDeque;

use proptest::prelude::*;

use crate::egress::{Egress, EgressShape, OutputBeat};
use crate::flit::{FlitTag, Piece, TransmittedFlit};
use crate::ingress::{Ingress, IngressShape};
use mkns_contract::Header;
use mkns_design::BlockModule;

/// An adapter block with two PCIe ports and two channels.
fn adapter() -> BlockModule {
    let mut spec = mkns_spec::parse("MKNS(1,5,2,1)").expect("a valid spec");
    spec.block.virtual_channels = 2;
    let plan = mkns_design::build(&spec).expect("a plan");
    plan.modules[0].clone()
}

/// Header of a packet to PCIe port 1 of a block; the length decides the channel of host port 1.
fn header(length: u32) -> Header {
    Header {
        destination: 1 | ((length / 8) & 1) << 1,
        length,
        ..Header::default()
    }
}

/// The beat of a flit that is alone in a port.
fn step_alone(egress: &mut Egress, shape: &EgressShape, flit: TransmittedFlit) -> OutputBeat {
    egress.step(shape, true, Some(flit));
    egress.step(shape, true, None);
    let beat = egress.beat.expect("loaded a cycle later");
    assert_eq!(egress.credit, 1 << flit.tag.channel);
    egress.step(shape, true, None);
    assert!(egress.is_at_rest());
    beat
}

/// Takes a flit that is alone in a port by the calls for a port at rest.
fn pass_alone(egress: &mut Egress, shape: &EgressShape, flit: TransmittedFlit) -> bool {
    let is_blank = !flit.tag.last && flit.word == 0;
    is_blank && egress.pass_blank(flit.tag.channel) || egress.pass(shape, flit.tag)
}

/// A host that offers packets of (pause before it, payload flits), oldest first, without a pause within them.
struct Host {
    waiting: VecDeque<(u64, u32)>,
    /// Beats of the packet under way that were taken.
    taken: u32,
    /// The cycle from which on the next packet is offered.
    begins: u64,
    /// The packet under way was taken whole.
    is_whole: bool,
}

impl Host {
    /// Header and beats of the packet that is offered.
    fn offered(&self, now: u64) -> Option<(u64, u32)> {
        let &(_, payload) = self.waiting.front()?;
        let word = header(8 * payload).pack();
        (now >= self.begins).then_some((word, 1 + payload))
    }

    fn beat_taken(&mut self, now: u64, beats: u32) {
        self.taken += 1;
        if self.taken == beats {
            self.waiting.pop_front();
            self.taken = 0;
            self.begins = now + 1 + self.waiting.front().map_or(0, |packet| packet.0);
        }
    }

    /// A cycle of an ingress port, beat by beat or packets whole where it takes them so.
    fn clock(
        &mut self,
        (ingress, shape): (&mut Ingress, &IngressShape),
        now: u64,
        credit: u8,
        whole: bool,
    ) {
        let Some((word, beats)) = self.offered(now) else {
            ingress.step_without_beat(shape, credit, 0, false);
            return;
        };
        let last = self.taken + 1 == beats;
        let word_of_beat = if self.taken == 0 { word } else { 0 };
        let beat = Piece {
            word: word_of_beat,
            last,
        };
        let ready = ingress.ready;
        if self.taken == 0 {
            self.is_whole = whole && ingress.takes_whole(shape, beats);
        }
        if self.is_whole && self.taken == 0 {
            ingress.begin_whole(shape, (word, beats), credit, 0);
        } else if self.is_whole {
            ingress.step_without_beat(shape, credit, 0, last);
        } else {
            ingress.step(shape, Some(beat), credit, 0);
            if !ready {
                return;
            }
        }
        self.beat_taken(now, beats);
    }
}

proptest! {
    #[test]
    fn a_flit_that_passes_at_once_leaves_the_port_as_one_that_waits(
        packets in prop::collection::vec((0..2u8, 1..6usize, any::<bool>()), 1..12)
    ) {
        let shape = EgressShape::new(&adapter());
        let (mut slow, mut fast) = (Egress::new(&shape), Egress::new(&shape));
        for (channel, flits, bad) in packets {
            for number in 0..flits {
                let last = number + 1 == flits;
                let tag = FlitTag { channel, last, bad: bad && last };
                let word = if number == 0 { header(8).pack() } else { 0 };
                let flit = TransmittedFlit { tag, word };
                let beat = step_alone(&mut slow, &shape, flit);
                prop_assert_eq!(beat, OutputBeat { word, last, user: tag.bad });
                prop_assert!(pass_alone(&mut fast, &shape, flit));
                prop_assert_eq!(fast.turn(), slow.turn());
            }
        }
    }

    #[test]
    fn a_packet_taken_whole_leaves_when_one_taken_beat_by_beat_does(
        packets in prop::collection::vec((0..30u64, 0..33u32), 1..20),
        period in 1..5u64,
    ) {
        let shape = IngressShape::new(&adapter());
        let new_host = || Host { waiting: packets.clone().into(), taken: 0, begins: packets[0].0, is_whole: false };
        let (mut slow, mut fast) = (Ingress::new(&shape, 1), Ingress::new(&shape, 1));
        let (mut slow_host, mut fast_host) = (new_host(), new_host());
        // A cycle after reset, ports are ready.
        slow.step_without_beat(&shape, 0, 0, false);
        fast.step_without_beat(&shape, 0, 0, false);
        let (mut under_way, mut left) = ([0, 0], 0);
        for now in 0..4000 {
            prop_assert_eq!(fast.injected(&shape), slow.injected(&shape), "cycle {}", now);
            if let Some((channel, ..)) = slow.injected(&shape) {
                under_way[usize::from(channel)] += 1;
                left += 1;
            }
            let mut credit = 0;
            for (channel, flits) in under_way.iter_mut().enumerate() {
                if *flits > 0 && now % period == 0 {
                    *flits -= 1;
                    credit |= 1 << channel;
                }
            }
            slow_host.clock((&mut slow, &shape), now, credit, false);
            fast_host.clock((&mut fast, &shape), now, credit, true);
        }
        let flits = packets.iter().map(|packet| 1 + packet.1).sum::<u32>();
        prop_assert_eq!(left, flits, "all packets are sent");
    }
}
