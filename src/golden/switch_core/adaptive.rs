//! 1.8 Adaptive blocks: the state of their table, size classes and flags.

use mkns_design::BlockModule;
use mkns_routing::BlockTables;

use super::arrived::Arrival;
use super::candidates::CandidateTable;
use super::shape::PerChannel;
use crate::core_counters::Choice;
use crate::header;

/// `waited[q]` of a header that waits no longer.
const LONGEST_WAIT: u32 = 3;

/// `tick` of the cycles that `waited[q]` counts.
pub const LAST_TICK: u32 = 511;

/// Lengths of the size classes but the last, in flits.
const CLASS_LENGTHS: [usize; 3] = [5, 9, 17];

/// What an adaptive core has besides the state of 1.1.
#[derive(Debug, Clone)]
pub struct Adaptive {
    /// P and d.
    ports: usize,
    pub network_ports: usize,
    /// A: the channel of packets that were promised room.
    pub channel: usize,
    /// KB
    flit_bytes: u32,
    /// C
    pub buffer_flits: usize,
    /// L₀…L₃, of which the last is `MAX_PACKET_FLITS`.
    class_lengths: [usize; 4],

    pub arrived: Vec<Option<Arrival>>,
    pub inside: Vec<PerChannel<bool>>,
    pub room: Vec<usize>,
    /// The room that `fits` and `fits_host` show: 0 for a link that is down, and after a commit.
    pub shown: Vec<usize>,
    pub adaptive: Vec<PerChannel<bool>>,
    pub left: Vec<PerChannel<usize>>,
    pub candidate_pointer: usize,
    pub permit_pointer: usize,
    pub turn: bool,
    pub tick: u32,
    pub waited: Vec<u32>,
    pub granted: Vec<Option<usize>>,
    pub candidates: CandidateTable,
    /// By output: promised flits that will not come, as `match` and `fetched` hold them beside the flit, and a cycle later.
    pub returning: Vec<[usize; 3]>,
    /// By output: the flit of `popped[o]` left on A.
    pub popped_way: Vec<bool>,
    /// What the header in `stage1[i]` chose, for the counters.
    pub chosen: Vec<Option<Choice>>,
}

impl Adaptive {
    /// In reset; none of a block with `ADAPTIVE` = 0.
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> Option<Self> {
        let candidates = CandidateTable::new(module, tables)?;
        let parameters = &module.parameters;
        let ports = module.core_ports() as usize;
        let network_ports = module.network_ports as usize;
        let longest = parameters.max_packet_flits as usize;
        let mut class_lengths = [longest; 4];
        for (length, most) in class_lengths.iter_mut().zip(CLASS_LENGTHS) {
            *length = most.min(longest);
        }
        let buffer_flits = parameters.rx_buffer_flits as usize;
        Some(Self {
            ports,
            network_ports,
            channel: parameters.virtual_channels as usize - 1,
            flit_bytes: parameters.flit_bits / 8,
            buffer_flits,
            class_lengths,
            arrived: vec![None; ports],
            inside: vec![[false; 4]; ports],
            room: vec![buffer_flits; network_ports],
            shown: vec![buffer_flits; network_ports],
            adaptive: vec![[false; 4]; ports],
            left: vec![[0; 4]; ports],
            candidate_pointer: 0,
            permit_pointer: 0,
            turn: false,
            tick: 0,
            waited: vec![0; ports - network_ports],
            granted: vec![None; ports - network_ports],
            candidates,
            returning: vec![[0; 3]; ports],
            popped_way: vec![false; ports],
            chosen: vec![None; ports],
        })
    }

    /// A cycle with `rst`, which the candidates outlive.
    pub fn reset(&mut self) {
        self.arrived.fill(None);
        self.inside.fill([false; 4]);
        self.room.fill(self.buffer_flits);
        self.shown.fill(self.buffer_flits);
        self.adaptive.fill([false; 4]);
        self.left.fill([0; 4]);
        self.candidate_pointer = 0;
        self.permit_pointer = 0;
        self.turn = false;
        self.tick = 0;
        self.waited.fill(0);
        self.granted.fill(None);
        self.returning.fill([0; 3]);
        self.chosen.fill(None);
    }

    /// Length n of the packet of a header.
    pub fn packet_flits(&self, header: u64, is_last: bool) -> usize {
        match is_last {
            true => 1,
            false => 1 + header::length(header).div_ceil(self.flit_bytes) as usize,
        }
    }

    /// `MAX_PACKET_FLITS`
    pub fn longest_packet(&self) -> usize {
        self.class_lengths[3]
    }

    /// L_c of the class of a packet of n flits.
    fn class_length(&self, n: usize) -> usize {
        let lengths = self.class_lengths.iter().copied();
        lengths
            .filter(|&length| n <= length)
            .min()
            .expect("a packet of legal length")
    }

    /// `fits[o][c]` for the class of a packet of n flits.
    pub fn fits(&self, o: usize, n: usize) -> bool {
        self.shown[o] >= self.class_length(n)
    }

    /// `fits_host[o][c]`, in the same way.
    pub fn fits_host(&self, o: usize, n: usize) -> bool {
        let length = self.class_length(n);
        self.shown[o] >= (3 * length).min((self.buffer_flits + length) / 2)
    }

    /// q of input d + q.
    pub fn host(&self, i: usize) -> Option<usize> {
        i.checked_sub(self.network_ports)
    }

    /// Input i is a host's, and its headers have not waited for too long.
    pub fn may_wait(&self, i: usize) -> bool {
        self.host(i).is_some_and(|q| self.waited[q] < LONGEST_WAIT)
    }

    /// Input i is a host's whose headers have waited for too long.
    pub fn has_waited(&self, i: usize) -> bool {
        self.host(i).is_some() && !self.may_wait(i)
    }

    /// The port to which the packet in `arrived[i]` has committed.
    pub fn granted_to(&self, i: usize) -> Option<usize> {
        self.granted[self.host(i)?]
    }

    /// Whether room on channel w of output o is promised at lookup, so that no credit counts.
    pub fn promises(&self, o: usize, w: usize) -> bool {
        o < self.network_ports && w == self.channel
    }

    /// h: the number of readers of the candidate table. Reader j belongs to inputs j and j + h.
    pub fn readers(&self) -> usize {
        self.ports.div_ceil(2)
    }

    /// The input that reader j serves when these inputs claim it, or for which it chooses.
    pub fn served(&self, j: usize, claims: &[bool]) -> usize {
        let other = j + self.readers();
        if !claims.get(other).is_some_and(|&claims| claims) {
            return j;
        }
        let alike = self.host(j).is_some() == self.host(other).is_some();
        match claims[j] && !(alike && self.turn) {
            true => j,
            false => other,
        }
    }

    /// Whether the reader of input i serves it.
    pub fn serves(&self, i: usize, claims: &[bool]) -> bool {
        self.served(i % self.readers(), claims) == i
    }

    /// Both pointers, the turn and the tick, in every cycle.
    pub fn turn_pointers(&mut self) {
        self.candidate_pointer = (self.candidate_pointer + 1) % self.network_ports;
        self.permit_pointer = (self.permit_pointer + 1) % self.readers();
        self.turn = !self.turn;
        self.tick = (self.tick + 1) % (LAST_TICK + 1);
    }
}
