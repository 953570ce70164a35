//! What kept results are called: equal names for equal content, wherever it lies and whenever it was made.

use std::fs;
use std::io;
use std::path::Path;
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};

/// Collects named parts; each is framed by its length, so parts cannot run into each other.
pub struct ContentKey(Sha256);

impl ContentKey {
    /// Keys of another kind never equal this one's.
    pub fn new(kind: &str) -> Self {
        let mut key = Self(Sha256::new());
        key.add("kind", kind);
        key
    }

    pub fn add(&mut self, name: &str, value: impl AsRef<[u8]>) {
        for part in [name.as_bytes(), value.as_ref()] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// A file's name without its folder, and its content.
    pub fn add_file(&mut self, name: &str, path: &Path) -> io::Result<()> {
        let content = fs::read(path)?;
        self.add(
            name,
            path.file_name().unwrap_or_default().as_encoded_bytes(),
        );
        self.add("content", content);
        Ok(())
    }

    /// An installed program, by path, size and time of change: its content may be long.
    pub fn add_program(&mut self, path: &Path) -> io::Result<()> {
        let about = fs::metadata(path)?;
        let changed = about.modified()?.duration_since(UNIX_EPOCH);
        let changed = changed.map_err(io::Error::other)?;
        self.add("program", path.as_os_str().as_encoded_bytes());
        self.add("size", about.len().to_le_bytes());
        self.add("changed", changed.as_nanos().to_le_bytes());
        Ok(())
    }

    /// 32 hexadecimal digits.
    pub fn finish(self) -> String {
        let digest = self.0.finalize();
        digest[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(parts: &[(&str, &str)]) -> String {
        let mut key = ContentKey::new("test");
        for (name, value) in parts {
            key.add(name, value);
        }
        key.finish()
    }

    #[test]
    fn parts_do_not_run_into_each_other() {
        assert_ne!(key_of(&[("a", "bc")]), key_of(&[("ab", "c")]));
        assert_ne!(key_of(&[("a", "b"), ("c", "d")]), key_of(&[("a", "bcd")]));
        assert_ne!(key_of(&[]), ContentKey::new("other").finish());
    }

    #[test]
    fn files_count_by_name_and_content_and_programs_by_their_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.v");
        let key = |add: &dyn Fn(&mut ContentKey) -> io::Result<()>| {
            let mut key = ContentKey::new("test");
            add(&mut key).expect("a readable file");
            key.finish()
        };
        let keys = || {
            let file = key(&|key| key.add_file("file", &path));
            (file, key(&|key| key.add_program(&path)))
        };
        fs::write(&path, "one").expect("a writable folder");
        let before = keys();
        assert_eq!(keys(), before);
        fs::write(&path, "more").expect("a writable folder");
        let after = keys();
        assert!(before.0 != after.0 && before.1 != after.1);
    }
}
