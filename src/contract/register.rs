//! A register of a control port, and its fields.

/// What the control port may do with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    ReadWrite,
    /// Read; writing a 1 clears the bit.
    ReadClear,
    Write,
}

/// Some bits of a register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisterField {
    pub name: &'static str,
    pub msb: u32,
    pub lsb: u32,
    pub reset: u32,
    /// What these bits say; empty where the register's meaning says it.
    pub meaning: &'static str,
}

/// A 32-bit register, or an array of them 4 bytes apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    pub name: &'static str,
    /// Byte address.
    pub address: u32,
    /// Elements of the array, 1 for a single register.
    pub count: u32,
    pub access: Access,
    pub fields: Vec<RegisterField>,
    pub meaning: &'static str,
}

impl Register {
    /// What it holds after reset.
    pub fn reset(&self) -> u32 {
        let fields = self.fields.iter();
        fields.fold(0, |value, field| value | field.reset << field.lsb)
    }
}

/// A single register.
pub(super) fn register(
    name: &'static str,
    address: u32,
    access: Access,
    fields: Vec<RegisterField>,
    meaning: &'static str,
) -> Register {
    Register {
        name,
        address,
        count: 1,
        access,
        fields,
        meaning,
    }
}

/// Bits of a register.
pub(super) fn field(name: &'static str, msb: u32, lsb: u32, reset: u32) -> RegisterField {
    RegisterField {
        name,
        msb,
        lsb,
        reset,
        meaning: "",
    }
}

impl RegisterField {
    /// Gives the field a meaning beside that of its register.
    pub(super) fn means(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }
}
