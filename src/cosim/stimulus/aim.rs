//! Which destination address a packet carries, so that it leaves by the wanted output.
//!
//! Keeps a copy of the routing tables as written so far. The copy only aims the traffic; what the
//! block really does with a packet is for the golden model to say.

use mkns_design::{BlockModule, PokShape};
use mkns_random::Random;
use mkns_routing::Turns;

use mkns_traffic::Pattern;

/// The routing tables as the stimulus believes them to be, and the destinations of the phase.
#[derive(Debug)]
pub struct Aim {
    traffic: Pattern,
    ports: usize,
    turns: Turns,
    /// Whether entries may name an alternate port; otherwise those that do are refused.
    alternates: bool,
    /// Ports that have a turn.
    built: Vec<usize>,
    layers: u32,
    lsb: Vec<u32>,
    bits: Vec<u32>,
    /// Entries as written (16 bits), one list a table.
    tables: Vec<Vec<u16>>,
    /// Wanted output of each input.
    partner: Vec<usize>,
    hot: usize,
    /// Everything goes to `hot`.
    focused: bool,
    /// Packets want to be dropped: counters of drops then count many in a row.
    lost: bool,
    /// Instead of tables: the splitter of a POK or terminal block.
    pok: Option<PokShape>,
}

/// Share of packets that a trunk channel of a POK_m* sends to its own branch, per mille.
const OWN_BRANCH: u32 = 850;

/// Share of short phases in which packets want to be dropped, per mille. A counter has to keep up with
/// some in a row; in long phases they would only keep the outputs idle.
const LOST: u32 = 130;

/// Share of the packets without a wanted output whose destination may lead nowhere, per mille.
const ANYWHERE: u32 = 100;

/// Cycles of a short phase, at most.
const SHORT: u64 = 500;

impl Aim {
    /// Empty tables of the module's shape.
    pub fn new(module: &BlockModule, traffic: Pattern) -> Self {
        let ports = module.core_ports() as usize;
        let layers = module.parameters.layers;
        Self {
            traffic,
            ports,
            built: (0..ports)
                .filter(|port| module.turns.built() >> port & 1 == 1)
                .collect(),
            turns: module.turns.clone(),
            alternates: module.alternates,
            layers,
            lsb: module.tables.iter().map(|table| table.lsb).collect(),
            bits: module.tables.iter().map(|table| table.bits).collect(),
            tables: module
                .tables
                .iter()
                .map(|table| vec![0; (layers as usize) << table.bits])
                .collect(),
            partner: (0..ports).collect(),
            hot: 0,
            focused: false,
            lost: false,
            pok: module.pok,
        }
    }

    /// Redraws what a phase of this many cycles does with partners and hot spot; `focused`: whatever the
    /// traffic, all packets go to the hot spot.
    pub fn redraw(&mut self, focused: bool, cycles: u64, random: &mut Random) {
        self.focused = focused;
        self.lost = random.chance(LOST) && cycles <= SHORT;
        self.partner = random.permutation(self.ports);
        self.hot = match self.built[..] {
            [] => random.below(self.ports as u64) as usize,
            _ => *random.pick(&self.built),
        };
        if let Some(shape) = self.pok {
            // Splitters lead to branches only.
            let branches = u64::from(shape.branches);
            for output in self.partner.iter_mut().chain([&mut self.hot]) {
                *output = random.below(branches) as usize;
            }
        }
    }

    /// Number of tables.
    pub fn table_count(&self) -> usize {
        self.tables.len()
    }

    /// Entries of a table.
    pub fn depth(&self, table: usize) -> usize {
        self.tables[table].len()
    }

    /// Notes a table write, if the block accepts it.
    pub fn write(&mut self, table: usize, index: usize, entry: u16) {
        let leads = |port: u16| self.turns.inputs_of(port.into()) != 0;
        let is_alternate = |port| self.alternates && leads(port);
        let is_way =
            leads(entry & 0x1f) && (entry >> 13 & 1 == 0 || is_alternate(entry >> 8 & 0x1f));
        if entry >> 5 & 3 == 0b10 && !is_way {
            return;
        }
        if let Some(slot) = self.tables[table].get_mut(index) {
            *slot = entry;
        }
    }

    /// A random entry: mostly a usable port, sometimes `same`, invalid or out of range. `same` is commoner
    /// in tables that others follow, or those behind would hardly ever decide, and in the last of many, or
    /// hardly ever would none.
    pub fn random_entry(&self, table: usize, random: &mut Random) -> u16 {
        let port = if random.chance(20) {
            random.below(32)
        } else {
            *random.pick(&self.built) as u64
        };
        let is_last = table + 1 == self.tables.len();
        let share = if is_last && table < 3 { 120 } else { 400 };
        let same = u64::from(random.chance(share));
        let valid = u64::from(random.chance(960));
        let turn = u64::from(random.chance(400));
        let alternates = if random.chance(50) {
            32
        } else {
            self.ports as u64
        };
        let alternate = match random.chance(300) {
            true => random.below(alternates),
            false => *random.pick(&self.built) as u64,
        };
        let has_alternate = u64::from(random.chance(if self.alternates { 500 } else { 30 }));
        let spare = random.below(4);
        (port
            | same << 5
            | valid << 6
            | turn << 7
            | alternate << 8
            | has_alternate << 13
            | spare << 14) as u16
    }

    /// The output that the phase wants for a packet of input `input`, if it wants one.
    fn wanted(&self, input: usize, random: &mut Random) -> Option<usize> {
        if let Some(shape) = self.pok.filter(|shape| shape.parallel) {
            let own = input.checked_sub(shape.branches as usize);
            return own.filter(|_| random.chance(OWN_BRANCH));
        }
        match self.traffic {
            _ if self.focused => Some(self.hot),
            Pattern::Permutation => Some(self.partner[input]),
            Pattern::HotSpot { share, .. } => (random.fraction() < share).then_some(self.hot),
            _ => None,
        }
    }

    /// Tries random destinations until one leads where the phase wants it, or anywhere if the input has no turn to
    /// there; gives up after a few.
    pub fn draw(
        &self,
        input: usize,
        random: &mut Random,
        mut draw: impl FnMut(&mut Random) -> u32,
    ) -> (u32, u32) {
        let wanted = match self.lost {
            true => None,
            false => self.wanted(input, random),
        };
        let wanted = wanted.filter(|&output| self.is_way(input, Some(output)));
        let anywhere = random.chance(ANYWHERE);
        let mut choice = (0, 0);
        for _ in 0..12 {
            choice = (draw(random), random.below(u64::from(self.layers)) as u32);
            let output = self.output(choice.0, choice.1);
            let fits = match self.lost {
                true => !self.is_way(input, output),
                false if wanted.is_some() => output == wanted,
                false => anywhere || self.is_way(input, output),
            };
            if fits {
                break;
            }
        }
        choice
    }

    /// Whether a packet of input `input` may leave by an output.
    fn is_way(&self, input: usize, output: Option<usize>) -> bool {
        let Some(output) = output else {
            return false;
        };
        match self
            .pok
            .map(|shape| (shape.parallel, shape.branches as usize))
        {
            Some((true, branches)) => input == branches + output,
            Some((false, branches)) => output < branches,
            None => self.turns.contains(input, output),
        }
    }

    fn output(&self, destination: u32, layer: u32) -> Option<usize> {
        if let Some(shape) = self.pok {
            return Some((destination & ((1 << shape.field_bits) - 1)) as usize);
        }
        for (table, entries) in self.tables.iter().enumerate() {
            let field = destination >> self.lsb[table] & ((1 << self.bits[table]) - 1);
            let entry = entries[(layer << self.bits[table] | field) as usize];
            if entry >> 5 & 3 == 0b10 {
                return Some(usize::from(entry & 0x1f));
            }
            if entry >> 5 & 3 != 0b11 {
                return None;
            }
        }
        None
    }
}
