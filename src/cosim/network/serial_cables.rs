//! The serial cables of a network: words between the link ports of boards, on cables that make errors; and what link
//! ports and blocks exchange, counted packet by packet and credit by credit.

use mkns_cable::{Direction, Faults, Word};
use mkns_design::{Plan, get_bits, serial_link, set_bits};
use mkns_random::mix;
use mkns_topology::{BlockId, Cable, End};

use super::fault_plan::Arriving;
use super::group_slot::GroupSlot;
use super::protocol_violation::{ProtocolViolation, ViolationKind};
use crate::lockstep::Group;

/// Channels of a link port, at most.
const CHANNELS: usize = 2;
/// Cycles after the fall of a link from which on no flit may come (7.4).
const LATE: u64 = 15;

/// One end of a serial cable.
struct SerialEnd {
    end: End,
    place: GroupSlot,
    /// Its number among the serial ports of its board.
    line: usize,
    /// What leaves it.
    direction: Direction,
    is_plugged: bool,
    /// `link_up` as the block saw it in the last cycle.
    is_up: bool,
    /// For how many cycles it has not been.
    down_cycles: u64,
    /// Flits that the block gave and got since the last rise.
    sent: u64,
    received: u64,
    /// Of each channel: a packet stands begun on the block's output.
    sending: [bool; CHANNELS],
    arriving: [Arriving; CHANNELS],
    /// Credits that the block, and the link port, have spent and not got back.
    spent: [u32; CHANNELS],
    owed: [u32; CHANNELS],
}

/// Packets that sessions of link ports lost.
#[derive(Debug, Clone, Copy, Default)]
struct Losses {
    /// Headers that blocks gave to link ports, and that blocks took from them.
    left: u64,
    arrived: u64,
    /// Packets whose beginning has an end of its own and whose rest the sender dropped, or the other way round.
    cut: u64,
}

/// Sets the constant of a board.
pub fn set_block_number(place: &GroupSlot, number: u64, groups: &mut [Group]) {
    let group = &mut groups[place.group];
    if let Some(at) = group.board.as_ref().map(|board| board.block_number) {
        group.inputs_of(place.instance)[at] = number;
    }
}

/// All serial cables of a network.
pub struct SerialCables {
    /// Two of each cable.
    ends: Vec<SerialEnd>,
    /// Indices of the cables in the network.
    cables: Vec<u32>,
    /// At which end comes out what one sends.
    mates: Vec<usize>,
    losses: Losses,
    credit_limit: u32,
    adaptive: bool,
    flits: u64,
}

impl SerialCables {
    /// All plugs are in, no errors. Boards have the number of their block as constant.
    pub fn new(plan: &Plan, places: &[GroupSlot], groups: &mut [Group]) -> Self {
        let mut all = Self {
            ends: Vec::new(),
            cables: Vec::new(),
            mates: Vec::new(),
            losses: Losses::default(),
            credit_limit: plan.spec.block.rx_buffer_flits,
            adaptive: plan.spec.block.adaptive,
            flits: 0,
        };
        for (cable, number) in plan.network.cables.iter().zip(0..) {
            let Some(link) = serial_link(&plan.spec, cable) else {
                continue;
            };
            let first = all.ends.len();
            all.cables.push(number);
            all.mates.extend([first + 1, first]);
            for end in [cable.a, cable.b] {
                let place = places[end.block.0 as usize];
                let board = groups[place.group].board.as_ref();
                let port = usize::from(end.port.0);
                let line = board.and_then(|board| board.ports.iter().position(|&own| own == port));
                all.ends.push(SerialEnd {
                    end,
                    place,
                    line: line.expect("a serial cable ends at a serial port"),
                    direction: Direction::new(link.flight_words as usize - 1, Faults::default(), 0),
                    is_plugged: true,
                    is_up: false,
                    down_cycles: 0,
                    sent: 0,
                    received: 0,
                    sending: [false; CHANNELS],
                    arriving: [Arriving::Nothing; CHANNELS],
                    spent: [0; CHANNELS],
                    owed: [0; CHANNELS],
                });
            }
        }
        for (place, number) in places.iter().zip(0u64..) {
            set_block_number(place, number & 0xffff, groups);
        }
        all.show(&vec![None; all.ends.len()], groups);
        all
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// From now on the lines make errors at this rate of bits.
    pub fn set_errors(&mut self, plan: &Plan, bit_error_rate: f64, seed: u64) {
        let flight = plan.spec.link.as_ref().map_or(1, |link| link.flight_words);
        for (end, number) in self.ends.iter_mut().zip(1..) {
            let seed = mix(seed ^ number << 32);
            let faults = Faults::bit_errors(bit_error_rate);
            // A line at rest loses nothing: link ports send HELLO or STATUS again.
            end.direction = Direction::new(flight as usize - 1, faults, seed);
            end.direction.plug(end.is_plugged);
        }
    }

    /// Whether a cable is one of these.
    pub fn has(&self, cable: &Cable) -> bool {
        self.ends.iter().any(|end| end.end == cable.a)
    }

    /// The plug of a cable is pulled or put in.
    pub fn plug(&mut self, cable: &Cable, is_in: bool) {
        let ends = self.ends.iter_mut();
        for end in ends.filter(|one| [cable.a, cable.b].contains(&one.end)) {
            end.is_plugged = is_in;
            end.direction.plug(is_in);
        }
    }

    /// Plugs that were pulled at the second ends of two cables are put into each other's sockets.
    pub fn swap(&mut self, cables: [&Cable; 2]) {
        let [one, other] = cables.map(|cable| {
            let ends = self.ends.iter();
            let mut first = ends.enumerate().filter(|(_, end)| end.end == cable.a);
            first.next().expect("a serial cable").0
        });
        let (joined, crossed) = (self.mates[one], self.mates[other]);
        for (a, b) in [(one, crossed), (other, joined)] {
            (self.mates[a], self.mates[b]) = (b, a);
        }
        for end in [one, other, joined, crossed] {
            self.ends[end].is_plugged = true;
            self.ends[end].direction.plug(true);
        }
    }

    /// Takes this cycle's outputs and sets the lines' inputs of the next. Returns the ends at which a link has risen.
    pub fn transfer(&mut self, groups: &mut [Group]) -> Result<Vec<End>, ProtocolViolation> {
        let mut risen = Vec::new();
        let mut words = vec![None; self.ends.len()];
        for number in 0..self.ends.len() {
            let place = self.ends[number].place;
            let group = &groups[place.group];
            let board = group.board.as_ref().expect("a board");
            let outputs = group.outputs_of(place.instance);
            let line = self.ends[number].line;
            let shows =
                |signal: usize, bits: usize| get_bits(&outputs[signal..], line * bits, bits);
            let word = (shows(board.line_tx_valid, 1) == 1).then(|| Word {
                control: shows(board.line_tx_ctl, 1) == 1,
                data: shows(board.line_tx_data, 64),
            });
            words[self.mates[number]] = self.ends[number].direction.step(word);
            if self.observe(number, groups)? {
                risen.push(self.ends[number].end);
            }
        }
        self.show(&words, groups);
        Ok(risen)
    }

    /// What block and link port say to each other at an end; whether its link has risen.
    fn observe(&mut self, number: usize, groups: &[Group]) -> Result<bool, ProtocolViolation> {
        let end = &mut self.ends[number];
        let group = &groups[end.place.group];
        let (pins, board) = (&group.pins, group.board.as_ref().expect("a board"));
        let outputs = group.outputs_of(end.place.instance);
        let port = usize::from(end.end.port.0);
        let line = end.line;
        let of_block = |signal: usize, bits: usize| get_bits(&outputs[signal..], port * bits, bits);
        let of_link = |signal: usize, bits: usize| get_bits(&outputs[signal..], line * bits, bits);
        let fault = |channel, what| ProtocolViolation {
            block: end.end.block,
            port: end.end.port.0,
            channel,
            kind: what,
        };

        if of_block(pins.tx.valid, 1) == 1 {
            let channel = match pins.channels {
                1 => 0,
                _ => of_block(pins.tx.channel, pins.channel_bits) as usize,
            };
            self.flits += 1;
            end.sent += 1;
            self.losses.left += u64::from(!end.sending[channel]);
            end.sending[channel] = of_block(pins.tx.last, 1) == 0;
            end.spent[channel] += 1;
            if end.spent[channel] > self.credit_limit {
                return Err(fault(channel, ViolationKind::NoCredit));
            }
            if end.down_cycles >= LATE {
                return Err(fault(channel, ViolationKind::LateFlit));
            }
        }
        let mut takes_header = false;
        if of_link(board.port_rx_valid, 1) == 1 {
            let channel = match pins.channels {
                1 => 0,
                _ => of_link(board.port_rx_channel, 1) as usize,
            };
            end.received += 1;
            // For its lookup a link is what it was in the cycle before (1.1).
            takes_header = end.arriving[channel] == Arriving::Nothing && end.is_up;
            self.losses.arrived += u64::from(takes_header);
            end.arriving[channel] = match (of_link(board.port_rx_last, 1) == 1, end.is_up) {
                (true, _) => Arriving::Nothing,
                (false, true) => Arriving::Packet,
                (false, false) => Arriving::Thrown,
            };
            end.owed[channel] += 1;
            if end.owed[channel] > self.credit_limit {
                return Err(fault(channel, ViolationKind::NoCredit));
            }
        }
        let returned = [
            (of_link(board.port_tx_credit, pins.channels), &mut end.spent),
            (of_block(pins.rx_credit, pins.channels), &mut end.owed),
        ];
        for (pulses, credits) in returned {
            for (channel, spent) in credits.iter_mut().enumerate() {
                if pulses >> channel & 1 == 1 {
                    let Some(left) = spent.checked_sub(1) else {
                        return Err(fault(channel, ViolationKind::StrayCredit));
                    };
                    *spent = left;
                }
            }
        }

        end.down_cycles = match of_link(board.port_up, 1) {
            1 => 0,
            _ => end.down_cycles + 1,
        };
        let was_up = std::mem::replace(&mut end.is_up, of_link(board.port_up, 1) == 1);
        if was_up && !end.is_up {
            // An adaptive block has the header in a register now, and loses it (1.8).
            self.losses.arrived -= u64::from(self.adaptive && takes_header);
            for arriving in &mut end.arriving {
                if *arriving == Arriving::Packet {
                    *arriving = Arriving::Thrown;
                }
            }
        }
        let rises = end.is_up && !was_up;
        if rises {
            (end.sent, end.received) = (0, 0);
            end.arriving = [Arriving::Nothing; CHANNELS];
            let begun = std::mem::take(&mut end.sending);
            self.losses.cut += begun.into_iter().filter(|&begun| begun).count() as u64;
        }
        Ok(rises)
    }

    /// Puts words on the lines' inputs.
    fn show(&self, words: &[Option<Word>], groups: &mut [Group]) {
        for (number, (end, word)) in self.ends.iter().zip(words).enumerate() {
            let group = &mut groups[end.place.group];
            let board = group.board.as_ref().expect("a board");
            let (valid, control, data, up) = (
                board.line_rx_valid,
                board.line_rx_ctl,
                board.line_rx_data,
                board.line_rx_up,
            );
            let inputs = group.inputs_of(end.place.instance);
            let mut set = |signal: usize, bits: usize, value: u64| {
                set_bits(&mut inputs[signal..], end.line * bits, bits, value);
            };
            set(valid, 1, word.is_some().into());
            set(control, 1, word.is_some_and(|word| word.control).into());
            set(data, 64, word.map_or(0, |word| word.data));
            let comes_from = &self.ends[self.mates[number]];
            set(up, 1, comes_from.direction.is_up().into());
        }
    }

    /// Whether every link is up at both ends, but for those of cables that `is_exempt` names.
    pub fn are_up(&self, is_exempt: impl Fn(u32) -> bool) -> bool {
        let pairs = self.cables.iter().zip(self.ends.chunks(2));
        let mut wanted = pairs.filter(|(cable, ends)| !is_exempt(**cable) && ends[0].is_plugged);
        wanted.all(|(_, ends)| ends.iter().all(|end| end.is_up))
    }

    /// Nothing is on its way: of every link that is up all flits have come out, and none is up at one end alone.
    pub fn are_quiet(&self) -> bool {
        (0..self.ends.len()).all(|number| {
            let (end, mate) = (&self.ends[number], &self.ends[self.mates[number]]);
            end.is_up == mate.is_up && (!end.is_up || end.sent == mate.received)
        })
    }

    /// Credits between blocks and link ports that are not at home.
    pub fn credits_in_use(&self) -> u64 {
        let credits = self
            .ends
            .iter()
            .flat_map(|end| end.spent.iter().chain(&end.owed));
        credits.map(|&credits| u64::from(credits)).sum()
    }

    /// Flits that blocks gave to link ports.
    pub fn flits(&self) -> u64 {
        self.flits
    }

    /// The run is over: packets that stand begun at links that are down stay so.
    pub fn conclude(&mut self) {
        for end in self.ends.iter_mut().filter(|end| !end.is_up) {
            let begun = std::mem::take(&mut end.sending);
            self.losses.cut += begun.into_iter().filter(|&begun| begun).count() as u64;
        }
    }

    /// Packets that sessions lost without a count at any block, less those that two blocks count.
    pub fn balance(&self) -> i64 {
        let Losses { left, arrived, cut } = self.losses;
        left as i64 - arrived as i64 - cut as i64
    }

    /// Packets whose header went into a link and did not come out.
    pub fn lost_in_sessions(&self) -> u64 {
        self.losses.left - self.losses.arrived
    }

    /// All ends, in order of cables: the cable, the end, and whether its link is up.
    pub fn ends(&self) -> impl Iterator<Item = (u32, End, bool)> + '_ {
        let ends = self.ends.iter().enumerate();
        ends.map(|(number, end)| (self.cables[number / 2], end.end, end.is_up))
    }

    /// A block whose link is down at an end that `is_exempt` does not name.
    pub fn first_down(&self, is_exempt: impl Fn(u32) -> bool) -> Option<BlockId> {
        let mut ends = self.ends();
        let found = ends.find(|(cable, _, is_up)| !is_up && !is_exempt(*cable));
        found.map(|(_, end, _)| end.block)
    }
}
