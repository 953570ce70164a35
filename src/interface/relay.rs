//! Datagrams between a TUN device and a port, both ways, until somebody ends it. A port that closes, because the network
//! ended or its card was reset, takes the carrier away and is opened again as soon as it can be.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::addresses::IpAddresses;
use crate::counters::{CounterValues, Counters, count};
use crate::reassembly::{Assembled, Reassembly};
use crate::segment::{MOST_MTU, segments};
use crate::{InterfaceError, Tun};
use mkns_host::{Port, PortError, PortUrl};

/// How often the threads look whether they are to end.
const GLANCE: Duration = Duration::from_millis(100);
/// How long a closed port is left alone before it is tried again.
const BEFORE_REOPENING: Duration = Duration::from_millis(500);

/// What an interface is made of.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the port is opened again.
    pub port: PortUrl,
    /// Number of this host.
    pub host: u32,
    pub addresses: IpAddresses,
    /// What this host writes for each host; none where no route leads.
    pub destinations: Vec<Option<u32>>,
    /// Bytes of the longest payload of a packet.
    pub longest_payload: usize,
    /// Layers that packets are spread over, each flow on one.
    pub layers: u32,
    pub mtu: u32,
}

/// A TUN device and the port behind it.
#[derive(Debug)]
pub struct Relay {
    settings: Settings,
    tun: Tun,
    port: Port,
    counters: Counters,
}

impl Relay {
    /// Makes and configures the interface of a port that is open; whether it has an IPv6 address.
    ///
    /// # Errors
    /// When one of them is refused.
    pub fn new(port: Port, settings: Settings, name: &str) -> Result<(Self, bool), InterfaceError> {
        let tun = Tun::new(name)?;
        let (addresses, host) = (settings.addresses, settings.host);
        let ipv4 = (addresses.ipv4_of(host), addresses.ipv4.bits);
        let has_ipv6 = tun.configure(ipv4, addresses.ipv6_of(host), settings.mtu)?;
        let relay = Self {
            settings,
            tun,
            port,
            counters: Counters::default(),
        };
        Ok((relay, has_ipv6))
    }

    /// Name of the interface.
    pub fn name(&self) -> String {
        self.tun.name()
    }

    /// Relays until `stop` is set; what was done.
    ///
    /// # Errors
    /// When the interface was taken away.
    pub fn run(mut self, stop: &AtomicBool) -> Result<CounterValues, InterfaceError> {
        while !stop.load(Ordering::Relaxed) {
            self.relay(stop)?;
            self.reopen(stop)?;
        }
        Ok(self.counters.values())
    }

    /// Relays until `stop` is set or the port is closed.
    fn relay(&self, stop: &AtomicBool) -> Result<(), InterfaceError> {
        let closed = AtomicBool::new(false);
        let goes_on = || !stop.load(Ordering::Relaxed) && !closed.load(Ordering::Relaxed);
        thread::scope(|scope| {
            scope.spawn(|| {
                if self.receive_all(&goes_on).is_err() {
                    closed.store(true, Ordering::Relaxed);
                }
            });
            let sent = self.send_all(&goes_on);
            closed.store(true, Ordering::Relaxed);
            match sent {
                Err(InterfaceError::Port(_)) => Ok(()),
                sent => sent,
            }
        })
    }

    /// Opens the port again, and tries until it can be opened or `stop` is set.
    fn reopen(&mut self, stop: &AtomicBool) -> Result<(), InterfaceError> {
        if stop.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.tun.set_carrier(false)?;
        while !stop.load(Ordering::Relaxed) {
            if let Ok(port) = Port::at(&self.settings.port) {
                self.port = port;
                count(&self.counters.reopened);
                return self.tun.set_carrier(true);
            }
            thread::sleep(BEFORE_REOPENING);
        }
        Ok(())
    }

    /// From the system to the network.
    fn send_all(&self, goes_on: &dyn Fn() -> bool) -> Result<(), InterfaceError> {
        let settings = &self.settings;
        let mut buffer = vec![0; MOST_MTU as usize];
        let mut number = 0u16;
        while goes_on() {
            let Some(length) = self.tun.read(&mut buffer, GLANCE)? else {
                continue;
            };
            let datagram = &buffer[..length];
            let Some(host) = settings.addresses.destination(datagram) else {
                count(&self.counters.not_carried);
                continue;
            };
            let Some(destination) = settings.destinations[host as usize] else {
                count(&self.counters.without_route);
                continue;
            };
            number = number.wrapping_add(1);
            let layer = (settings.host ^ host) % settings.layers;
            let packets: Vec<Vec<u8>> =
                segments(datagram, number, settings.longest_payload).collect();
            let packets = packets
                .iter()
                .map(|packet| (destination, layer, &packet[..]));
            self.port.send_all(packets)?;
            count(&self.counters.sent);
        }
        Ok(())
    }

    /// From the network to the system.
    fn receive_all(&self, goes_on: &dyn Fn() -> bool) -> Result<(), PortError> {
        let mut reassembly = Reassembly::default();
        while goes_on() {
            let packet = match self.port.receive(Some(GLANCE)) {
                Ok(Some(packet)) => packet,
                Ok(None) => continue,
                Err(PortError::Damaged(_)) => {
                    count(&self.counters.refused);
                    continue;
                }
                Err(error) => return Err(error),
            };
            match reassembly.take(packet.source, &packet.payload) {
                Assembled::Waits => {}
                Assembled::Whole(datagram) => {
                    self.tun.write(&datagram);
                    count(&self.counters.received);
                }
                Assembled::Refused => count(&self.counters.refused),
            }
            self.counters
                .incomplete
                .store(reassembly.incomplete, Ordering::Relaxed);
        }
        Ok(())
    }
}
