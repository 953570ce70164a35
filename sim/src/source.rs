//! What a model is made from: files, top module, parameters, port tables.

use std::path::PathBuf;

/// One entry of a port table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortDecl {
    /// Name in the RTL.
    pub name: String,
    /// Width in bits, at least 1.
    pub bits: u32,
}

impl PortDecl {
    pub fn new(name: impl Into<String>, bits: u32) -> Self {
        Self {
            name: name.into(),
            bits,
        }
    }

    /// 64-bit words that the port takes.
    pub fn words(&self) -> usize {
        self.bits.div_ceil(64) as usize
    }
}

/// How much work the C++ compiler puts into a model's speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Compiles in some third of the time and runs about five times slower: for runs that are over in
    /// seconds. A model of full effort serves too when the cache has it.
    Quick,
    #[default]
    Full,
}

/// Everything that decides what a model does and how it is built.
#[derive(Clone, Debug)]
pub struct ModelSource {
    /// Name of the top module.
    pub top: String,
    /// Verilog files, in compile order.
    pub files: Vec<PathBuf>,
    /// Folders searched by `` `include ``. Every file directly in them counts as source.
    pub include_dirs: Vec<PathBuf>,
    /// Files that RTL reads when an instance starts (`$readmemh`), relative to the working folder
    /// of the process unless the RTL names them absolutely.
    pub data_files: Vec<PathBuf>,
    /// Parameters of the top module: name and value as Verilog text (strings with their quotes).
    pub parameters: Vec<(String, String)>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// All inputs of the top module except the clock.
    pub inputs: Vec<PortDecl>,
    /// All outputs of the top module.
    pub outputs: Vec<PortDecl>,
    /// The clock input, driven by the model itself.
    pub clock: String,
    /// No output depends combinationally on an input: a cycle then costs one evaluation instead of
    /// two. Inputs reach the module through registers of the crate's own. Wrong results if it is
    /// not so.
    pub registered_outputs: bool,
    /// Can write waveforms (FST). Costs speed even when not recording.
    pub trace: bool,
    /// Counts line and toggle coverage.
    pub coverage: bool,
    pub effort: Effort,
}

impl Default for ModelSource {
    fn default() -> Self {
        Self {
            top: String::new(),
            files: Vec::new(),
            include_dirs: Vec::new(),
            data_files: Vec::new(),
            parameters: Vec::new(),
            defines: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            clock: "clk".into(),
            registered_outputs: false,
            trace: false,
            coverage: false,
            effort: Effort::Full,
        }
    }
}

impl ModelSource {
    /// 64-bit words of all inputs of one instance.
    pub fn input_words(&self) -> usize {
        self.inputs.iter().map(PortDecl::words).sum()
    }

    /// 64-bit words of all outputs of one instance.
    pub fn output_words(&self) -> usize {
        self.outputs.iter().map(PortDecl::words).sum()
    }
}
