//! The hosts of a network by number and by address, and which packets they may send.

use std::collections::HashMap;

use mkns_contract::{Crc, Header};
use mkns_design::{Addressing, Plan};
use mkns_host::LiveInformation;
use mkns_routing::AddressLayout;
use mkns_traffic::OutsidePacket;

/// All that a socket has to know of its network.
#[derive(Debug, Clone)]
pub struct HostDirectory {
    hosts: u32,
    layout: AddressLayout,
    addressing: Addressing,
    longest_payload: u32,
    layers: u32,
    /// Where addresses depend on the sender: the destinations of each host by what it writes.
    trains: Option<Vec<HashMap<u32, u32>>>,
}

impl HostDirectory {
    pub fn new(plan: &Plan) -> Self {
        let addressing = Addressing::without_failures(plan);
        let block = &plan.spec.block;
        let hosts = plan.hosts();
        let destinations = |from: u32| {
            let to = (0..hosts).filter_map(|to| Some((addressing.destination(from, to)?, to)));
            to.collect::<HashMap<u32, u32>>()
        };
        let trains = addressing.has_trains();
        Self {
            trains: trains.then(|| (0..hosts).map(destinations).collect()),
            hosts,
            layout: plan.layout.clone(),
            longest_payload: block.longest_payload(),
            layers: block.host_layers(),
            addressing,
        }
    }

    pub fn hosts(&self) -> u32 {
        self.hosts
    }

    /// What a host is told when it connects.
    pub fn information(&self, host: u32) -> LiveInformation {
        LiveInformation {
            host,
            address: match self.trains {
                None => self.layout.address_of(host),
                Some(_) => host,
            },
            hosts: self.hosts,
            longest_payload: self.longest_payload,
            layers: self.layers,
        }
    }

    /// The packet that a host sends with a header; none when the network does not carry it: nobody has that address, or
    /// layer or length are out of range.
    pub fn packet(&self, source: u32, header: &Header, payload: &[u8]) -> Option<OutsidePacket> {
        let fits = header.layer < self.layers && header.length <= self.longest_payload;
        let destination = match &self.trains {
            None => self.layout.host_of(header.destination),
            Some(trains) => trains[source as usize].get(&header.destination).copied(),
        };
        Some(OutsidePacket {
            source,
            destination: destination.filter(|_| fits)?,
            layer: header.layer,
            payload: payload.to_vec(),
        })
    }

    /// The header with which a packet arrives.
    pub fn arriving_header(&self, packet: &OutsidePacket) -> u64 {
        let sent = self
            .addressing
            .destination(packet.source, packet.destination);
        let header = Header {
            destination: self.addressing.arrived(sent.unwrap_or_default()),
            source: self.addressing.source(packet.source),
            length: packet.payload.len() as u32,
            layer: packet.layer,
            ..Header::default()
        };
        Crc::new(self.addressing.has_trains()).stamp(header.pack())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(notation: &str) -> HostDirectory {
        let spec = mkns_spec::parse(notation).expect("a valid spec");
        HostDirectory::new(&mkns_design::build(&spec).expect("a plan"))
    }

    #[test]
    fn a_packet_goes_to_the_host_with_its_address_if_it_fits() {
        let directory = directory("MKNS(2,4,2,1)");
        let header = |destination, length| Header {
            destination,
            length,
            ..Header::default()
        };
        let address = directory.information(9).address;
        let packet = directory
            .packet(3, &header(address, 5), b"hello")
            .expect("it fits");
        assert_eq!((packet.source, packet.destination), (3, 9));
        let arrived = Header::unpack(directory.arriving_header(&packet));
        assert_eq!(
            (arrived.source, arrived.length),
            (directory.information(3).address, 5)
        );
        assert_eq!(directory.packet(3, &header(0xf_ffff, 5), b"hello"), None);
        let longest = directory.information(3).longest_payload;
        assert_eq!(
            directory.packet(3, &header(address, longest + 1), b"hello"),
            None
        );
    }

    #[test]
    fn addresses_of_a_distributed_switch_depend_on_the_sender() {
        let directory = directory("block_design(7,4,2)");
        let to = |from: u32, address| {
            let header = Header {
                destination: address,
                ..Header::default()
            };
            Some(directory.packet(from, &header, b"")?.destination)
        };
        let trains = directory.trains.as_ref().expect("trains");
        for (from, destinations) in (0..).zip(trains) {
            assert!(!destinations.is_empty());
            for (&address, &host) in destinations {
                assert_eq!(to(from, address), Some(host));
            }
        }
    }
}
