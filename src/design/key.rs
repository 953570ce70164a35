//! The content key of a plan: equal keys mean that the same hardware is built.

use std::io::{self, Write};

use sha2::{Digest, Sha256};

use super::Plan;

impl Plan {
    /// SHA-256 of the plan's JSON form, as 64 hexadecimal digits. Field order is fixed by the types
    /// and no map is involved, so the form is canonical.
    pub fn key(&self) -> String {
        let mut hasher = Hashing(Sha256::new());
        let mut buffer = io::BufWriter::with_capacity(1 << 16, &mut hasher);
        serde_json::to_writer(&mut buffer, self).expect("a plan has string keys only");
        buffer.flush().expect("hashing does not fail");
        drop(buffer);
        format!("{:x}", hasher.0.finalize())
    }
}

/// Feeds what is written to the hash.
struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
