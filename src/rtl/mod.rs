//! From a build plan to Verilog text: views, templates, manifest, atomic writer.
