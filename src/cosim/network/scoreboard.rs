//! End to end: every packet arrives whole, where it should, and as its flow allows. What a host takes
//! is checked beat by beat against what the packet says of itself. While cables fail, packets may be
//! missing or marked bad, but never wrong. Knows nothing of how packets travel.

use serde::Serialize;

use crate::mismatch::PacketNote;
use crate::open_packets::OnWire;
use mkns_contract::{Crc, StreamBeat, header, mask};
use mkns_design::{Addressing, Plan};

use super::flows::{Flows, Tolerance};
use super::packet_identity::PacketIdentity;

/// Totals of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Totals {
    pub packets_sent: u64,
    pub packets_received: u64,
    pub flits_sent: u64,
    pub flows: u64,
}

/// A packet that is arriving at a host.
#[derive(Debug, Clone, Default)]
struct Arriving {
    header: u64,
    identity: u64,
    beats: u32,
    /// What was wrong first; counts when the packet does not end marked bad.
    damage: Option<String>,
}

/// The scoreboard of a network.
#[derive(Debug)]
pub struct Scoreboard {
    /// What hosts write into their headers.
    pub addressing: Addressing,
    beat_bytes: u32,
    pub flows: Flows,
    arriving: Vec<Arriving>,
    flits_sent: u64,
    /// What may happen to packets.
    pub tolerance: Tolerance,
    /// Packets that arrived marked bad.
    pub bad: u64,
}

impl Scoreboard {
    /// For a number of hosts.
    pub fn new(addressing: Addressing, hosts: usize, beat_bytes: u32) -> Self {
        Self {
            addressing,
            beat_bytes,
            flows: Flows::default(),
            arriving: vec![Arriving::default(); hosts],
            flits_sent: 0,
            tolerance: Tolerance::Exact,
            bad: 0,
        }
    }

    /// For the hosts of a plan.
    pub fn of(plan: &Plan, beat_bytes: u32) -> Self {
        let hosts = plan.network.hosts.len();
        let mut board = Self::new(Addressing::new(plan), hosts, beat_bytes);
        board.flows.adaptive = plan.spec.block.adaptive;
        board
    }

    /// Back to exactness: what is missing is not expected any more.
    pub fn write_off(&mut self) {
        self.tolerance = Tolerance::Exact;
        self.flows.write_off();
    }

    /// Packets of which nothing arrived, as far as they were written off.
    pub fn lost(&self) -> u64 {
        self.flows.written_off.saturating_sub(self.bad)
    }

    /// Notes a packet that a host begins to send; gives its number in the flow.
    pub fn send(&mut self, source: u32, destination: u32, flits: u32) -> PacketIdentity {
        self.flits_sent += u64::from(flits);
        self.flows.send(source, destination)
    }

    /// Checks one beat at host `host`.
    pub fn take(&mut self, host: u32, beat: &StreamBeat) -> Result<(), String> {
        if beat.user {
            return self.take_bad(host, beat);
        }
        let arriving = &mut self.arriving[host as usize];
        let index = arriving.beats;
        arriving.beats += 1;
        if index == 0 {
            arriving.header = beat.data.low();
        } else {
            if index == 1 {
                arriving.identity = beat.data.low();
            }
            let checked = self.check_payload(host, index, beat);
            if self.tolerance == Tolerance::Exact {
                checked?;
            } else if let Err(damage) = checked {
                self.arriving[host as usize].damage.get_or_insert(damage);
            }
        }
        if beat.last {
            self.finish(host)?;
        }
        Ok(())
    }

    fn take_bad(&mut self, host: u32, beat: &StreamBeat) -> Result<(), String> {
        if self.tolerance == Tolerance::Exact || !beat.last {
            return Err(format!("host {host} received a packet marked bad"));
        }
        self.arriving[host as usize] = Arriving::default();
        self.bad += 1;
        Ok(())
    }

    /// Totals so far.
    pub fn totals(&self) -> Totals {
        Totals {
            packets_sent: self.flows.sent,
            packets_received: self.flows.received,
            flits_sent: self.flits_sent,
            flows: self.flows.count(),
        }
    }

    /// What is known of a packet on a wire.
    pub fn identify(&self, wire: &OnWire) -> PacketNote {
        let addressing = &self.addressing;
        PacketNote {
            source: addressing.source_name(header::source(wire.header)),
            destination: addressing.destination_name(header::destination(wire.header)),
            sequence: (wire.flits > 0)
                .then(|| u64::from(PacketIdentity::of(wire.identity).sequence)),
            flit: wire.flits,
        }
    }

    fn check_payload(&self, host: u32, index: u32, beat: &StreamBeat) -> Result<(), String> {
        let arriving = &self.arriving[host as usize];
        let identity = PacketIdentity::of(arriving.identity);
        let length = header::length(arriving.header);
        let before = (index - 1) * self.beat_bytes;
        let left = length.saturating_sub(before).min(self.beat_bytes);
        if beat.keep != mask(left as usize) || beat.last != (before + self.beat_bytes >= length) {
            return Err(format!(
                "host {host}: beat {index} of a packet of {length} bytes has tkeep {:#x} and tlast {}",
                beat.keep, beat.last
            ));
        }
        let words = &beat.data.words()[..(self.beat_bytes / 8) as usize];
        for (place, &word) in words.iter().enumerate() {
            let bytes = left.saturating_sub(place as u32 * 8).min(8);
            let count = u64::from(before / 8) + place as u64;
            if (word ^ identity.payload(count)) & mask(bytes as usize * 8) != 0 {
                return Err(format!(
                    "host {host}: packet {} from host {} is damaged in payload word {count}",
                    identity.sequence, identity.source
                ));
            }
        }
        Ok(())
    }

    fn finish(&mut self, host: u32) -> Result<(), String> {
        let arrived = std::mem::take(&mut self.arriving[host as usize]);
        if let Some(damage) = arrived.damage {
            return Err(damage);
        }
        let identity = PacketIdentity::of(arrived.identity);
        let PacketIdentity {
            source,
            destination,
            ..
        } = identity;
        if destination != host {
            return Err(format!(
                "host {host} received a packet from host {source} that is meant for host {destination}"
            ));
        }
        let header = arrived.header;
        let addresses = (header::source(header), header::destination(header));
        let sent = self.addressing.destination(source, host);
        let own = sent.map(|sent| {
            (
                self.addressing.source(source),
                self.addressing.arrived(sent),
            )
        });
        let has_trains = self.addressing.has_trains();
        if own != Some(addresses) || !Crc::new(has_trains).is_right(header) {
            return Err(format!("host {host}: the header {header:#018x} is wrong"));
        }
        self.flows.receive(identity, self.tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet;
    use mkns_design as design;
    use mkns_design::Data;
    use mkns_spec as spec;

    const BYTES: u32 = 8;

    fn board() -> Scoreboard {
        let spec = spec::parse("MKNS(2,4,1,1)").expect("a valid spec");
        let plan = design::build(&spec).expect("a plan");
        Scoreboard::new(Addressing::new(&plan), 8, BYTES)
    }

    /// Delivers a packet of three payload words to `host`, changed by `damage`.
    fn deliver(
        board: &mut Scoreboard,
        host: u32,
        identity: PacketIdentity,
        damage: impl Fn(usize, u64) -> u64,
    ) -> Result<(), String> {
        let (to, from) = (identity.destination, identity.source);
        let addressing = &board.addressing;
        let sent = addressing.destination(from, to).expect("a path");
        let (to, from) = (sent, addressing.source(from));
        let mut beats = vec![packet::header(to, from, 3 * BYTES, 0)];
        beats.extend((0..3).map(|word| identity.payload(word)));
        for (index, &word) in beats.iter().enumerate() {
            let beat = StreamBeat {
                data: Data::of(&[damage(index, word)]),
                keep: 0xff,
                last: index == 3,
                user: false,
            };
            board.take(host, &beat)?;
        }
        Ok(())
    }

    #[test]
    fn good_packets_pass_and_are_counted() {
        let mut board = board();
        for _ in 0..3 {
            let identity = board.send(1, 5, 4);
            deliver(&mut board, 5, identity, |_, word| word).expect("nothing is wrong");
        }
        assert_eq!(
            (board.flows.missing(), board.totals().packets_received),
            (0, 3)
        );
    }

    #[test]
    fn every_kind_of_loss_is_seen() {
        let mut board = board();
        let first = board.send(1, 5, 4);
        let second = board.send(1, 5, 4);
        let early = deliver(&mut board, 5, second, |_, word| word);
        assert!(early.unwrap_err().contains("too early"));
        let lost = deliver(&mut board, 4, first, |_, word| word);
        assert!(lost.unwrap_err().contains("meant for host 5"));
        let damaged = deliver(&mut board, 5, first, |at, word| word ^ u64::from(at == 2));
        assert!(damaged.unwrap_err().contains("payload word 1"));
        board.arriving[5] = Arriving::default();
        let header = deliver(&mut board, 5, first, |at, word| {
            word ^ u64::from(at == 0) << 60
        });
        assert!(header.unwrap_err().contains("header"));
        deliver(&mut board, 5, first, |_, word| word).expect("this is the one expected");
        let again = deliver(&mut board, 5, first, |_, word| word);
        assert!(again.unwrap_err().contains("second time"));
        assert_eq!(board.flows.first_missing(), Some(second));
    }
    #[test]
    fn losses_are_tolerated_and_nothing_else() {
        let mut board = board();
        board.tolerance = Tolerance::Losses;
        let packets: Vec<PacketIdentity> = (0..4).map(|_| board.send(1, 5, 4)).collect();
        deliver(&mut board, 5, packets[1], |_, word| word).expect("the first is lost");
        let late = deliver(&mut board, 5, packets[0], |_, word| word);
        assert!(late.unwrap_err().contains("a second time"));
        let damaged = deliver(&mut board, 5, packets[2], |at, word| {
            word ^ u64::from(at == 2)
        });
        assert!(damaged.unwrap_err().contains("damaged"));
        let cut = StreamBeat {
            data: Data::default(),
            keep: 0xff,
            last: true,
            user: true,
        };
        board.take(5, &cut).expect("a packet marked bad");
        board.write_off();
        assert_eq!((board.flows.missing(), board.bad, board.lost()), (0, 1, 2));
        let fifth = board.send(1, 5, 4);
        deliver(&mut board, 5, fifth, |_, word| word).expect("all is exact again");
        assert!(board.take(5, &cut).is_err());
    }

    #[test]
    fn packets_of_unordered_flows_overtake_but_none_is_lost_or_comes_twice() {
        let mut board = board();
        board.flows.adaptive = true;
        // Hosts 1 and 4 are an unordered flow, 1 and 5 an ordered one.
        let packets: Vec<PacketIdentity> = (0..3).map(|_| board.send(1, 4, 4)).collect();
        for number in [2, 0] {
            deliver(&mut board, 4, packets[number], |_, word| word).expect("overtaken");
        }
        assert_eq!(board.flows.missing(), 1);
        let again = deliver(&mut board, 4, packets[2], |_, word| word);
        assert!(again.unwrap_err().contains("a second time"));
        board.send(1, 5, 4);
        let early = board.send(1, 5, 4);
        let early = deliver(&mut board, 5, early, |_, word| word);
        assert!(early.unwrap_err().contains("too early"));
    }

    #[test]
    fn detours_change_the_order_and_a_packet_still_comes_once() {
        let mut board = board();
        board.tolerance = Tolerance::LossesAndDetours;
        let packets: Vec<PacketIdentity> = (0..3).map(|_| board.send(1, 5, 4)).collect();
        for number in [2, 0] {
            deliver(&mut board, 5, packets[number], |_, word| word).expect("overtaken");
        }
        let again = deliver(&mut board, 5, packets[0], |_, word| word);
        assert!(again.unwrap_err().contains("a second time"));
        board.write_off();
        assert_eq!((board.flows.missing(), board.lost()), (0, 1));
    }
}
