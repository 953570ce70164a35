//! The IP addresses of hosts: they follow from the numbers of the hosts.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The first eight bytes of all IPv6 addresses: a unique local prefix.
const IPV6_PREFIX: u64 = 0xfd6d_6b6e_7300_0000;
/// Bits of the prefix.
pub const IPV6_PREFIX_BITS: u32 = 64;

/// The IPv4 network of all hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ipv4Network {
    base: u32,
    /// Bits of the mask, 8 to 30.
    pub bits: u32,
}

impl Ipv4Network {
    /// Hosts that it has addresses for: not the first address, nor the last, which is that of a broadcast.
    pub fn hosts(self) -> u32 {
        (1 << (32 - self.bits)) - 2
    }
}

impl Default for Ipv4Network {
    /// 10.77.0.0/16.
    fn default() -> Self {
        Self {
            base: u32::from(Ipv4Addr::new(10, 77, 0, 0)),
            bits: 16,
        }
    }
}

impl FromStr for Ipv4Network {
    type Err = String;

    /// `10.77.0.0/16`.
    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/');
        let parsed = parsed.and_then(|(base, bits)| {
            let base: Ipv4Addr = base.parse().ok()?;
            Some((u32::from(base), bits.parse::<u32>().ok()?))
        });
        let (base, bits) = parsed
            .ok_or("write the first address and the bits of the mask, such as 10.77.0.0/16")?;
        if !(8..=30).contains(&bits) {
            return Err(format!("the mask has {bits} bits; it has to have 8 to 30"));
        }
        match base & (u32::MAX >> bits) {
            0 => Ok(Self { base, bits }),
            _ => Err(format!(
                "{} is not the first address of a network with a mask of {bits} bits",
                Ipv4Addr::from(base)
            )),
        }
    }
}

/// The addresses of all hosts of a network.
#[derive(Debug, Clone, Copy)]
pub struct IpAddresses {
    pub ipv4: Ipv4Network,
    pub hosts: u32,
}

impl IpAddresses {
    pub fn ipv4_of(&self, host: u32) -> Ipv4Addr {
        Ipv4Addr::from(self.ipv4.base + host + 1)
    }

    pub fn ipv6_of(&self, host: u32) -> Ipv6Addr {
        Ipv6Addr::from(u128::from(IPV6_PREFIX) << 64 | u128::from(host + 1))
    }

    /// The host that a datagram goes to; none where it is a broadcast, a multicast or somebody elsewhere.
    pub fn destination(&self, datagram: &[u8]) -> Option<u32> {
        let number = match destination_address(datagram)? {
            IpAddr::V4(to) => u32::from(to).checked_sub(self.ipv4.base + 1)?,
            IpAddr::V6(to) => {
                let bits = u128::from(to);
                let is_ours = (bits >> 64) as u64 == IPV6_PREFIX;
                let number = u32::try_from(bits as u64).ok()?.checked_sub(1)?;
                is_ours.then_some(number)?
            }
        };
        (number < self.hosts).then_some(number)
    }
}

/// Where an IP datagram goes.
fn destination_address(datagram: &[u8]) -> Option<IpAddr> {
    match datagram.first()? >> 4 {
        4 => {
            let bytes: [u8; 4] = datagram.get(16..20)?.try_into().ok()?;
            Some(IpAddr::from(bytes))
        }
        6 => {
            let bytes: [u8; 16] = datagram.get(24..40)?.try_into().ok()?;
            Some(IpAddr::from(bytes))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESSES: IpAddresses = IpAddresses {
        ipv4: Ipv4Network {
            base: 0x0a4d_0000,
            bits: 16,
        },
        hosts: 300,
    };

    fn to_ipv4(address: Ipv4Addr) -> Vec<u8> {
        let mut datagram = vec![0x45; 20];
        datagram[16..].copy_from_slice(&address.octets());
        datagram
    }

    fn to_ipv6(address: Ipv6Addr) -> Vec<u8> {
        let mut datagram = vec![0x60; 40];
        datagram[24..].copy_from_slice(&address.octets());
        datagram
    }

    #[test]
    fn a_datagram_goes_to_the_host_with_its_address() {
        assert_eq!(ADDRESSES.ipv4_of(0).to_string(), "10.77.0.1");
        assert_eq!(ADDRESSES.ipv4_of(255).to_string(), "10.77.1.0");
        assert_eq!(ADDRESSES.ipv6_of(4).to_string(), "fd6d:6b6e:7300::5");
        for host in [0, 7, 254, 255, 299] {
            assert_eq!(
                ADDRESSES.destination(&to_ipv4(ADDRESSES.ipv4_of(host))),
                Some(host)
            );
            assert_eq!(
                ADDRESSES.destination(&to_ipv6(ADDRESSES.ipv6_of(host))),
                Some(host)
            );
        }
    }

    #[test]
    fn what_goes_elsewhere_goes_nowhere() {
        let elsewhere = [
            to_ipv4(ADDRESSES.ipv4_of(300)),
            to_ipv4(Ipv4Addr::new(10, 77, 0, 0)),
            to_ipv4(Ipv4Addr::new(10, 76, 0, 1)),
            to_ipv4(Ipv4Addr::BROADCAST),
            to_ipv6(ADDRESSES.ipv6_of(300)),
            to_ipv6("ff02::1".parse().expect("an address")),
            vec![0x45; 12],
            Vec::new(),
        ];
        for datagram in elsewhere {
            assert_eq!(ADDRESSES.destination(&datagram), None, "{datagram:x?}");
        }
    }

    #[test]
    fn networks_are_read_and_wrong_ones_refused() {
        let network: Ipv4Network = "10.77.0.0/16".parse().expect("a network");
        assert_eq!((network, network.hosts()), (Ipv4Network::default(), 65_534));
        for wrong in [
            "10.77.0.0",
            "10.77.0.1/16",
            "10.77.0.0/31",
            "10.77.0.0/x",
            "a/16",
        ] {
            wrong.parse::<Ipv4Network>().expect_err(wrong);
        }
    }
}
