//! One block in a simulation: the core and PCIe-side ports of the fast model, joined to hosts and to
//! the arrivals of its neighbours.

use super::delays::Delays;
use super::host::{EGRESS_CYCLES, Host};
use super::outgoing::{Links, Outgoing, SendTargets};
use super::wires::{InputSlot, Wires};
use crate::core::Core;
use crate::flit::Flit;
use crate::prefetch::prefetch;
use crate::switch_core::KeySet;
use mkns_contract::ones;

#[derive(Debug)]
pub struct FabricBlock<K: KeySet> {
    pub core: Core<K>,
    pub hosts: Box<[Host]>,
    /// Core ports of hosts whose egress half changes something even if nothing arrives.
    pub busy_hosts: u32,
    /// Core ports of hosts whose ingress half changes something even if no credit arrives.
    pub awake_hosts: u32,
    /// The first cycle in which this may be true of another host.
    pub next_wake: u64,
    pub links: Links<K>,
    /// The next cycle.
    pub now: u64,
    /// Its first port.
    pub input_slot: InputSlot,
    /// `link_up` of all core ports; the PCIe side counts as links that are always up.
    pub link_up: u32,
    pub node_address: u32,
    /// The keys of all network ports.
    pub network_keys: K,
    /// The keys of the hosts' ports on the channels on which packets of hosts start.
    pub host_keys: K,
}

/// The core ports of hosts that are awake in cycle `now`, and when the next of the others wakes.
#[inline(never)]
fn awake_hosts(hosts: &[Host], first_port: usize, now: u64) -> (u32, u64) {
    let (mut awake, mut next_wake) = (0, u64::MAX);
    for (host, port) in hosts.iter().zip(first_port..) {
        let rests_until = host.ingress_rests_until();
        if rests_until <= now {
            awake |= 1 << port;
        } else {
            next_wake = next_wake.min(rests_until);
        }
    }
    (awake, next_wake)
}

/// The set of the first `ports` ports.
#[inline]
pub fn ports_below(ports: u32) -> u32 {
    ((1u64 << ports) - 1) as u32
}

impl<K: KeySet> FabricBlock<K> {
    /// All cycles before `end`.
    #[inline(never)]
    pub fn run(&mut self, end: u64, delays: Delays, out: &mut SendTargets<'_, K>) {
        for now in self.now..end {
            self.cycle(now, delays, out);
        }
        self.now = end;
    }

    #[inline(always)]
    fn cycle(&mut self, now: u64, delays: Delays, out: &mut SendTargets<'_, K>) {
        let slots = out.wires.slots;
        let slot = slots.of(now);
        let arrivals = out.wires.take(&self.input_slot, slot);
        #[cfg(test)]
        out.wires
            .note(&self.input_slot, now, self.network_keys, &arrivals);
        if arrivals.is_nothing() && self.is_at_rest() && now < self.next_wake {
            self.core.rest();
            return;
        }
        // The register of the start of the cycle, which the ingress ports see.
        let core_credit = self.core.rx_credit(self.host_keys);
        let credited = (core_credit.keys()).fold(0, |ports, key| ports | 1 << K::port_of(key));
        let network_ports = self.links.network_ports as usize;
        let (mut arriving, mut tx_credit) = (arrivals.flits, arrivals.credits);
        let network = self.network_keys.ports_of_channel_0();
        for key in (arrivals.blanks & !self.network_keys).keys() {
            let (port, channel) = (K::port_of(key), K::channel_of(key));
            let at = self.input_slot.of_port(port as u8, slots);
            let is_busy = self.busy_hosts >> port & 1 == 1;
            let host = &self.hosts[port - network_ports];
            if !is_busy && host.port.pass_blank(channel as u8) {
                let slot = slots.of(now + EGRESS_CYCLES);
                out.wires.put_credit(&at, slot, channel);
            } else {
                out.wires.put_flit_now(&at, slot, Flit::blank(channel));
                arriving |= 1 << port;
            }
        }
        for port in ones(arriving & !network | self.busy_hosts) {
            let host = &mut self.hosts[port - network_ports];
            let at = self.input_slot.of_port(port as u8, slots);
            let arrived = arriving >> port & 1 == 1;
            let flit = arrived.then(|| out.wires.flit(&at, slot));
            if let Some(flit) = flit
                && self.busy_hosts >> port & 1 == 0
                && host.pass_egress(now, flit, out.deliveries)
            {
                let slot = slots.of(now + EGRESS_CYCLES);
                out.wires.put_credit(&at, slot, flit.tag().channel.into());
                continue;
            }
            for channel in ones(host.port.egress.credit) {
                tx_credit.insert(K::key(port, channel));
            }
            let rests = host.clock_egress(now, flit, out.deliveries);
            self.busy_hosts = self.busy_hosts & !(1 << port) | u32::from(!rests) << port;
        }
        let mut sink = Outgoing::new(&mut self.links, now, delays, out);
        self.core.start_cycle(self.link_up, tx_credit, &mut sink);
        for key in (arrivals.blanks & self.network_keys).keys() {
            self.core.receive_blank(key, &mut sink);
        }
        for port in ones(arriving & network) {
            let at = self.input_slot.of_port(port as u8, slots);
            let flit = sink.out.wires.flit(&at, slot);
            self.core.receive(port, flit, &mut sink);
        }
        if now >= self.next_wake {
            (self.awake_hosts, self.next_wake) = awake_hosts(&self.hosts, network_ports, now);
        }
        let is_adaptive = self.core.is_adaptive();
        if is_adaptive {
            for port in ones(self.awake_hosts) {
                if let Some(flit) = self.hosts[port - network_ports].injected() {
                    self.core.receive(port, flit, &mut sink);
                }
            }
            // Hosts that are not awake have nothing on the pins, and nothing that would come there.
            for port in ones(self.core.admit(&mut sink) & self.awake_hosts) {
                self.hosts[port - network_ports].port.ingress.hold();
            }
        }
        for port in ones(self.awake_hosts | credited) {
            let host = &mut self.hosts[port - network_ports];
            let has_credit = |channel| core_credit.has(K::key(port, channel));
            let credit = host.port.host_credits(has_credit);
            if self.awake_hosts >> port & 1 == 0 {
                host.rest_ingress(credit);
                continue;
            }
            if !is_adaptive && let Some(flit) = host.injected() {
                self.core.receive(port, flit, &mut sink);
            }
            let rests_until = host.clock_ingress(now, credit, self.node_address);
            let rests = rests_until > now;
            self.awake_hosts &= !(u32::from(rests) << port);
            if rests {
                self.next_wake = self.next_wake.min(rests_until);
            }
        }
        self.core.end_cycle();
    }

    /// Whether it changes nothing as long as nothing arrives and no host begins a packet.
    #[inline(always)]
    pub fn is_at_rest(&self) -> bool {
        self.core.is_at_rest()
            && self.core.last_link_up() == self.link_up
            && (self.busy_hosts | self.awake_hosts) == 0
    }

    /// A host, to be changed: from now on it may have something to send.
    pub fn host_mut(&mut self, port: usize) -> &mut Host {
        self.next_wake = 0;
        &mut self.hosts[port]
    }

    /// The other ends of its cables: blocks that send it flits or credits, some more than once.
    #[inline]
    pub fn neighbours(&self) -> impl Iterator<Item = &InputSlot> {
        let Links {
            peers, upstream, ..
        } = &self.links;
        let ports = ones(self.link_up & ports_below(self.links.network_ports));
        ports.flat_map(move |port| {
            let other = upstream.as_ref().map(|upstream| &upstream[port]);
            std::iter::once(&peers[port]).chain(other)
        })
    }

    /// Prefetches what this struct leads to, which is in the cache itself.
    #[inline]
    pub fn prefetch_state(&self) {
        prefetch(&self.hosts[..]);
        self.core.prefetch_near();
    }

    /// Prefetches the flits that arrive.
    #[inline]
    pub fn prefetch_arrivals(&self, wires: &Wires<K>) {
        wires.prefetch(
            &self.input_slot,
            self.links.network_ports as usize + self.hosts.len(),
        );
    }

    /// Prefetches the stored flits that the next cycles will need; all else is in the cache.
    #[inline]
    pub fn prefetch_flits(&self) {
        self.core.prefetch_far();
        for host in &self.hosts {
            host.prefetch();
        }
    }

    /// Prefetches where flits and credits will be put.
    #[inline]
    pub fn prefetch_outlets(&self, wires: &Wires<K>, part: u16) {
        for port in ones(self.link_up & ports_below(self.links.network_ports)) {
            let peer = &self.links.peers[port];
            if peer.part == part {
                wires.prefetch_inlet(peer);
            }
        }
    }
}
