//! What stands behind the packed words of one block.

/// A model of one block behind packed words.
pub trait PinModel: Send + 'static {
    fn step(&mut self, inputs: &[u64], outputs: &mut [u64]);
    fn describe(&self) -> String;
}
