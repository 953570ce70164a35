//! In which order the packets of a load leave their terminals: parallel POK units send all at once, serial
//! ones a packet after the other.

use std::collections::BTreeMap;

use super::Packet;
use super::allocator::proper_numbers;

/// Turns that hosts have agreed on: through serial units (`trunks` = 1) every turn is a part of a
/// permutation, and there are no more turns than the busiest terminal has packets (König).
pub fn agreed(packets: &[Packet], trunks: u32) -> Vec<Vec<Packet>> {
    let pairs: Vec<(u32, u32)> = packets.iter().map(|it| (it.from, it.to)).collect();
    match trunks {
        1 => grouped(packets, &proper_numbers(&pairs)),
        _ => vec![packets.to_vec()],
    }
}

/// Likewise, but every host sends its packets in the order of the list.
pub fn own(packets: &[Packet], trunks: u32) -> Vec<Vec<Packet>> {
    let mut sent: BTreeMap<u32, u32> = BTreeMap::new();
    let turn = |packet: &Packet| {
        let count = sent.entry(packet.from).or_default();
        *count += 1;
        *count - 1
    };
    match trunks {
        1 => grouped(packets, &packets.iter().map(turn).collect::<Vec<u32>>()),
        _ => vec![packets.to_vec()],
    }
}

/// Packets by the number of their turn.
fn grouped(packets: &[Packet], numbers: &[u32]) -> Vec<Vec<Packet>> {
    let count = numbers.iter().max().map_or(0, |last| last + 1);
    let turn = |turn| {
        let members = packets.iter().zip(numbers);
        let members = members.filter(move |(_, number)| **number == turn);
        members.map(|(packet, _)| packet.clone()).collect()
    };
    (0..count).map(turn).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::train::Train;

    /// Three terminals, each of which sends to itself and to the next.
    fn load() -> Vec<Packet> {
        let pairs = (0..3).flat_map(|from| [(from, from), (from, (from + 1) % 3)]);
        let packet = |(from, to)| Packet {
            from,
            to,
            train: Train(Vec::new()),
        };
        pairs.map(packet).collect()
    }

    #[test]
    fn agreed_turns_are_permutations() {
        let turns = agreed(&load(), 1);
        assert_eq!(turns.len(), 2);
        for turn in turns {
            let ends = |end: fn(&Packet) -> u32| turn.iter().map(end).collect::<BTreeSet<_>>();
            assert_eq!(ends(|it| it.from).len(), 3);
            assert_eq!(ends(|it| it.to).len(), 3);
        }
    }

    #[test]
    fn own_turns_keep_the_order_of_every_source() {
        let order = [1, 0, 3, 2, 4, 5].map(|at| load()[at].clone());
        let turns = own(&order, 1);
        let pairs = |turn: &[Packet]| turn.iter().map(|it| (it.from, it.to)).collect::<Vec<_>>();
        assert_eq!(pairs(&turns[0]), [(0, 1), (1, 2), (2, 2)]);
        assert_eq!(pairs(&turns[1]), [(0, 0), (1, 1), (2, 0)]);
    }

    #[test]
    fn parallel_units_need_no_turns() {
        assert_eq!(agreed(&load(), 3), [load()]);
        assert_eq!(own(&load(), 3), [load()]);
    }
}
