//! Addresses of hosts: fields packed from bit 0 upward (`docs/microarchitecture.md`, section 3).
//!
//! Knows the sizes of the fields only; which block answers to an address is the network's business.

use super::{AddressField, AddressLayout};
use mkns_spec::{ADDRESS_BITS, NetworkSpec, bits_for};

impl AddressLayout {
    /// Layout with these fields: name and number of values of each.
    pub fn new<'a>(fields: impl IntoIterator<Item = (&'a str, u32)>) -> Self {
        let mut offset = 0;
        let fields = fields
            .into_iter()
            .map(|(name, size)| {
                let bits = bits_for(size);
                let field = AddressField {
                    name: name.to_owned(),
                    offset,
                    bits,
                    size,
                };
                offset += bits;
                field
            })
            .collect();
        debug_assert!(
            offset <= ADDRESS_BITS,
            "validation refuses longer addresses"
        );
        Self { fields }
    }

    /// PCIe port, then the fields that network and routing engine ask for.
    pub fn of(spec: &NetworkSpec) -> Self {
        Self::new(spec.engine().address_fields(&spec.kind))
    }

    /// Bits of an address; at most [`ADDRESS_BITS`] for a valid spec.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|field| field.bits).sum()
    }

    /// Number of hosts.
    pub fn hosts(&self) -> u32 {
        self.fields.iter().map(|field| field.size).product()
    }

    /// Address of the host with these field values (PCIe port, x, y, …).
    pub fn encode(&self, values: &[u32]) -> u32 {
        let fields = self.fields.iter().zip(values);
        fields.fold(0, |address, (field, value)| {
            debug_assert!(*value < field.size);
            address | value << field.offset
        })
    }

    /// Field values of an address; `None` when one is out of range or a bit above them is set.
    pub fn decode(&self, address: u32) -> Option<Vec<u32>> {
        if address >> self.bits() != 0 {
            return None;
        }
        let values = self.fields.iter().map(|field| field.value(address));
        let values: Vec<u32> = values.collect();
        let in_range = self
            .fields
            .iter()
            .zip(&values)
            .all(|(field, value)| *value < field.size);
        in_range.then_some(values)
    }

    /// Address of host `host` (host = M·node + PCIe port).
    pub fn address_of(&self, host: u32) -> u32 {
        let mut rest = host;
        self.fields.iter().fold(0, |address, field| {
            let value = rest % field.size;
            rest /= field.size;
            address | value << field.offset
        })
    }

    /// Address of the first host of an adapter block.
    pub fn address_of_node(&self, node: u32) -> u32 {
        self.address_of(node * self.fields[0].size)
    }

    /// Host behind an address.
    pub fn host_of(&self, address: u32) -> Option<u32> {
        if address >> self.bits() != 0 {
            return None;
        }
        self.fields.iter().rev().try_fold(0, |host, field| {
            let value = field.value(address);
            (value < field.size).then(|| host * field.size + value)
        })
    }
}

impl AddressField {
    /// Value of this field in an address; may be out of range.
    pub fn value(&self, address: u32) -> u32 {
        address >> self.offset & (self.depth() - 1)
    }

    /// Number of table entries that this field selects among, 2^bits.
    pub fn depth(&self) -> u32 {
        1 << self.bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_packed_upward_and_sizes_of_one_take_no_bits() {
        let layout = AddressLayout::new([("pcie", 2), ("x", 8), ("y", 1), ("z", 10)]);
        let places: Vec<_> = layout.fields.iter().map(|f| (f.offset, f.bits)).collect();
        assert_eq!(places, [(0, 1), (1, 3), (4, 0), (4, 4)]);
        assert_eq!(layout.encode(&[1, 5, 0, 9]), 1 | 5 << 1 | 9 << 4);
        assert_eq!(layout.decode(10 << 4), None, "z has 10 values");
        assert_eq!(layout.decode(1 << 8), None, "above the highest field");
    }

    #[test]
    fn addresses_of_all_hosts_decode_to_themselves() {
        let layout = AddressLayout::new([("pcie", 3), ("x", 5), ("y", 2)]);
        for host in 0..layout.hosts() {
            assert_eq!(layout.host_of(layout.address_of(host)), Some(host));
        }
    }
}
