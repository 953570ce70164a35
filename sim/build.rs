//! Compiles the host side of the bridge. Needs a C++ compiler only; Verilator is called at run time.

fn main() {
    println!("cargo::rerun-if-changed=cxx");
    cxx_build::bridge("src/bridge.rs")
        .file("cxx/bridge.cc")
        .include("cxx")
        .std("c++17")
        .compile("mkns_sim_bridge");
    println!("cargo::rustc-link-lib=dl");
}
