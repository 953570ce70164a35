//! The cores' receive side in the host core bench: what each core offers to its wrapper, and when.

use std::collections::VecDeque;

use mkns::fpga::HostCore;
use mkns::random::Random;

use super::packet::{Beat, Packet, beats, frame};

/// What becomes of a frame when all of it has been handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    Expected(Packet),
    Bad,
    Foreign,
}

/// A core that offers random packets.
pub struct Sender {
    core: HostCore,
    port: usize,
    random: Random,
    /// Chance of a packet in an idle cycle, and of a pause before a beat; per mille.
    pub load: u32,
    pub pauses: u32,
    /// Bad and foreign frames are sent too (MAC only), one in so many each; 0: none.
    pub odd_frames: u64,
    waiting: VecDeque<Beat>,
    fate: Option<Fate>,
    offered: Option<Beat>,
    /// A beat of the packet has been taken.
    begun: bool,
    /// Packets that the channel cut short.
    pub cut: u64,
}

impl Sender {
    pub fn new(core: HostCore, port: usize, seed: u64) -> Self {
        Self {
            core,
            port,
            random: Random::branch(seed, port as u64),
            load: 300,
            pauses: 150,
            odd_frames: 0,
            waiting: VecDeque::new(),
            fate: None,
            offered: None,
            begun: false,
            cut: 0,
        }
    }

    /// At the clock edge: whether the offered beat was taken. Tells what became of a whole packet.
    pub fn edge(&mut self, ready: bool) -> Option<Fate> {
        // Aurora and the MAC do not wait.
        let beat = self.offered.take_if(|_| ready)?;
        self.begun = !beat.last;
        (beat.last).then(|| self.fate.take().expect("a packet is on its way"))
    }

    /// What the core offers in the next cycle.
    pub fn offer(&mut self, channel_up: bool) -> Option<Beat> {
        if self.core == HostCore::Aurora64b66b && !channel_up {
            self.cut += u64::from(self.begun);
            self.begun = false;
            self.waiting.clear();
            self.offered = None;
            return None;
        }
        if self.offered.is_none() {
            if self.waiting.is_empty() && self.random.chance(self.load) {
                self.prepare();
            }
            if !self.random.chance(self.pauses) {
                self.offered = self.waiting.pop_front();
            }
        }
        self.offered
    }

    fn prepare(&mut self) {
        let others: Vec<usize> = (0..4).filter(|port| *port != self.port).collect();
        let packet = Packet::random(*self.random.pick(&others), &mut self.random);
        let bytes = packet.sent(&mut self.random);
        self.fate = Some(Fate::Expected(packet));
        let list = match self.core {
            HostCore::EthMac10g => self.mac_frame(&bytes),
            _ => beats(&bytes, &mut self.random),
        };
        self.waiting = list.into();
    }

    /// A frame; now and then one that is marked bad, too short for its packet, or for others.
    fn mac_frame(&mut self, packet: &[u8]) -> Vec<Beat> {
        let is_odd = |random: &mut Random, rate| rate > 0 && random.below(rate) == 0;
        let is_ours = !is_odd(&mut self.random, self.odd_frames);
        let mut bytes = frame(packet, is_ours, &mut self.random);
        let end = 16 + packet.len();
        let is_bad = is_odd(&mut self.random, self.odd_frames);
        let is_marked = is_bad && (!is_ours || self.random.chance(500) || end < 32);
        if is_bad && !is_marked {
            bytes.truncate(self.random.between(17, end as u64 - 1) as usize);
        }
        match (is_bad, is_ours) {
            (true, _) => self.fate = Some(Fate::Bad),
            (false, false) => self.fate = Some(Fate::Foreign),
            (false, true) => {}
        }
        let mut list = beats(&bytes, &mut self.random);
        list.last_mut().expect("a frame has beats").user = is_marked;
        list
    }
}
