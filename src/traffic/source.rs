//! The packets of one host: when they are created, where they go, how long they are, and which of
//! them are under way.

use std::collections::VecDeque;

use super::injection::Clock;
use super::numbers::Numbers;
use super::{Addresses, Created, Destinations, Lengths};
use mkns_contract::Header;
use mkns_random::{Random, mix};
use std::sync::Arc;

/// Destinations that a host draws until it has a path to one.
const MOST_DRAWS: u32 = 1_000;

/// Packets that wait or are under way, in most networks.
const PACKETS: usize = 16;

/// A packet that waits for its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Packet {
    /// Host that it goes to.
    pub destination: u32,
    /// With its header.
    pub flits: u32,
    /// Cycle.
    pub created: u64,
}

/// A beat that a host offers: the low word of its data (0 in a payload).
#[derive(Debug, Clone, Copy)]
pub struct OfferedBeat {
    pub word: u64,
    pub last: bool,
    /// Bytes that count.
    pub bytes: u32,
}

/// What is left of the packet whose beats are being offered.
#[derive(Debug, Clone, Copy)]
struct Sending {
    header: u64,
    /// Payload bytes of the beats to come.
    bytes: u32,
    /// The header was taken.
    has_begun: bool,
    /// Low word of the next beat of the payload.
    word: u64,
}

/// What one host sends.
#[derive(Debug)]
pub struct Source {
    host: u32,
    random: Random,
    pub(super) clock: Clock,
    destinations: Destinations,
    lengths: Lengths,
    pub(super) addresses: Arc<Addresses>,
    /// Packets created and not yet begun, oldest first.
    pub(super) waiting: VecDeque<Packet>,
    sending: Option<Sending>,
    /// Packets begun and not yet delivered, oldest first.
    pub(super) under_way: VecDeque<Packet>,
    /// Where packets may get lost: their numbers.
    pub(super) numbers: Option<Box<Numbers>>,
    /// No packet begins.
    pub(super) is_held: bool,
    /// Destinations drawn from the pattern.
    drawn: u64,
    created: Created,
    /// Packets that arrived of a message that is several.
    arrived: u32,
}

impl Source {
    pub fn new(
        host: u32,
        seed: u64,
        clock: Clock,
        lengths: Lengths,
        (destinations, addresses): (Destinations, Arc<Addresses>),
    ) -> Source {
        let mut source = Source {
            host,
            random: Random::branch(seed, u64::from(host)),
            clock,
            destinations,
            lengths,
            addresses,
            waiting: VecDeque::with_capacity(PACKETS),
            sending: None,
            under_way: VecDeque::with_capacity(PACKETS),
            numbers: None,
            is_held: false,
            drawn: 0,
            created: Created::default(),
            arrived: 0,
        };
        source.clock.start(&mut source.random);
        source
    }

    /// Number of the host.
    pub fn host(&self) -> u32 {
        self.host
    }

    /// The first cycle in which there may be something to offer, unless packets are added before.
    #[inline]
    pub fn next_cycle(&self) -> u64 {
        let waiting = self
            .waiting
            .front()
            .map_or(u64::MAX, |packet| packet.created);
        match self.sending {
            Some(_) => 0,
            None if self.is_held => self.clock.next(),
            None => waiting.min(self.clock.next()),
        }
    }

    /// The first cycle in which packets may be created, unless some are added before.
    #[inline]
    pub fn next_creation(&self) -> u64 {
        self.clock.next()
    }

    /// Creates the packets of this cycle.
    #[inline]
    pub fn create_due(&mut self, now: u64) {
        while self.clock.next() <= now {
            self.create(now);
        }
    }

    /// Header and beats of the packet that begins in this cycle, if one does.
    #[inline]
    pub fn beginning(&mut self, now: u64) -> Option<(u64, u32)> {
        let Sending {
            header,
            bytes,
            has_begun,
            ..
        } = self.sending(now)?;
        let beats = 1 + bytes.div_ceil(self.addresses.beat_bytes());
        (!has_begun).then_some((header, beats))
    }

    /// All beats of the packet that begins will be taken without a pause.
    #[inline]
    pub fn taken_whole(&mut self) {
        self.sending = None;
    }

    /// The beat of this cycle.
    #[inline]
    pub fn beat(&mut self, now: u64) -> Option<OfferedBeat> {
        let Sending {
            header,
            bytes,
            has_begun,
            word,
        } = self.sending(now)?;
        let beat_bytes = self.addresses.beat_bytes();
        Some(OfferedBeat {
            word: if has_begun { word } else { header },
            last: bytes <= if has_begun { beat_bytes } else { 0 },
            bytes: if has_begun {
                bytes.min(beat_bytes)
            } else {
                beat_bytes
            },
        })
    }

    /// The beat of this cycle was taken.
    #[inline]
    pub fn beat_taken(&mut self) {
        if let Some(sending) = &mut self.sending {
            if sending.has_begun {
                sending.bytes = sending.bytes.saturating_sub(self.addresses.beat_bytes());
                sending.word = 0;
            }
            sending.has_begun = true;
            if sending.bytes == 0 {
                self.sending = None;
            }
        }
    }

    /// The oldest packet to `destination` arrived; none when there was none, which is a fault of
    /// the network.
    pub fn delivered(&mut self, destination: u32) -> Option<Packet> {
        let place = self
            .under_way
            .iter()
            .position(|packet| packet.destination == destination)?;
        self.under_way.remove(place)
    }

    /// A packet of this host arrived. When all of a message did, its place in the window of a closed
    /// loop is free from `cycle` on.
    pub fn free_window(&mut self, cycle: u64) {
        self.arrived += 1;
        let message = match &self.destinations {
            Destinations::Broadcast(children) => {
                let has_route = |&&child: &&u32| self.addresses.has_path(self.host, child);
                children[self.host as usize]
                    .iter()
                    .filter(has_route)
                    .count() as u32
            }
            _ => 1,
        };
        if self.arrived >= message {
            self.arrived = 0;
            self.clock.free_window(cycle);
        }
    }

    /// Adds a packet that is created at its time, perhaps by something else than the pattern. One that failed parts cut
    /// off from its destination counts as created, and the host does not send it: false.
    pub fn add(&mut self, packet: Packet) -> bool {
        let has_route = self.addresses.has_path(self.host, packet.destination);
        let sent = (packet.destination, u64::from(packet.flits));
        self.created.count(self.host, sent, has_route);
        if has_route {
            self.waiting.push_back(packet);
        }
        has_route
    }

    /// What was created so far.
    pub fn created(&self) -> Created {
        self.created
    }

    /// Packets created that wait, are being sent or are under way.
    pub fn open_packets(&self) -> u64 {
        (self.waiting.len() + self.under_way.len()) as u64
    }

    /// The packets whose memory [`Self::beat`] will need.
    #[inline]
    pub fn soon_needed(&self) -> impl Iterator<Item = &Packet> {
        let packets = [
            self.waiting.front(),
            self.waiting.back(),
            self.under_way.back(),
        ];
        packets.into_iter().flatten()
    }

    /// Packets begun and not yet delivered, oldest first.
    #[inline]
    pub fn under_way(&self) -> &VecDeque<Packet> {
        &self.under_way
    }

    /// The packet in progress or that begins in this cycle.
    #[inline]
    fn sending(&mut self, now: u64) -> Option<Sending> {
        self.create_due(now);
        if self.sending.is_none() {
            self.begin_packet(now);
        }
        self.sending
    }

    /// The oldest packet that waits is the next one to be offered, unless it is one of the future.
    fn begin_packet(&mut self, now: u64) {
        if self.is_held {
            return;
        }
        let due = |packet: &&Packet| packet.created <= now;
        let Some(&packet) = self.waiting.front().filter(due) else {
            return;
        };
        self.waiting.pop_front();
        self.sending = Some(Sending {
            header: self.header(&packet),
            bytes: self.addresses.length(packet.flits),
            has_begun: false,
            word: self.numbers.as_mut().map_or(0, |numbers| numbers.begin()),
        });
        self.under_way.push_back(packet);
    }

    fn create(&mut self, now: u64) {
        let planned = self.clock.planned();
        let flits = match planned {
            Some(planned) => planned.flits,
            None => self.lengths.draw(&mut self.random),
        };
        let packet = |destination| Packet {
            destination,
            flits,
            created: now,
        };
        let is_sent = match (planned, &self.destinations) {
            (Some(planned), _) => self.add(packet(planned.destination)),
            (None, Destinations::Broadcast(tree)) => {
                let tree = Arc::clone(tree);
                let children = tree[self.host as usize].iter();
                let sent = children.filter(|&&child| self.add(packet(child)));
                sent.count() > 0
            }
            (None, _) => match self.draw_destination() {
                Some(destination) => self.add(packet(destination)),
                None => false,
            },
        };
        self.clock.advance(now, flits, &mut self.random);
        if !is_sent {
            self.clock.give_up(now, flits);
        }
    }

    /// The next one of the pattern, whether failed parts cut the host off from it or not. Parallel ports of a
    /// terminal send to the few hosts that they were made for: none when there are none.
    fn draw_destination(&mut self) -> Option<u32> {
        for _ in 0..MOST_DRAWS {
            let hosts = self.addresses.hosts();
            let destinations = &self.destinations;
            let destination = destinations.draw(self.host, hosts, self.drawn, &mut self.random);
            self.drawn += 1;
            if self.addresses.has_path_when_whole(self.host, destination) {
                return Some(destination);
            }
        }
        None
    }

    fn header(&self, packet: &Packet) -> u64 {
        let addresses = &self.addresses;
        // One layer a flow, because order holds within a layer.
        let flow = u64::from(self.host) << 32 | u64::from(packet.destination);
        let destination = addresses.destination(self.host, packet.destination);
        let header = Header {
            destination: destination.expect("packets are created where there is a path"),
            length: addresses.length(packet.flits),
            layer: if addresses.layers() == 1 {
                0
            } else {
                mix(flow) as u32 % addresses.layers()
            },
            ..Header::default()
        };
        header.pack()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Injection, Pattern, Traffic};

    /// A message that is several packets has one place in the window.
    #[test]
    fn a_broadcast_goes_on_when_all_its_packets_arrived() {
        let spec = mkns_spec::parse("MKNS(2,4,2,1)").expect("a valid spec");
        let plan = mkns_design::build(&spec).expect("a plan");
        let traffic = Traffic {
            pattern: Pattern::Broadcast { root: 0 },
            injection: Injection::Window { packets: 2 },
            ..Traffic::uniform(0.5, 4, 1)
        };
        let root = &mut traffic.hosts(&plan).0[0].source;
        root.create_due(0);
        let (message, rest) = (root.created().packets / 2, root.created().packets % 2);
        assert!(message > 1 && rest == 0);
        for arrived in 1..=message {
            root.free_window(arrived);
            root.create_due(arrived);
            let messages = if arrived == message { 3 } else { 2 };
            assert_eq!(root.created().packets, messages * message);
        }
    }
}
