//! The zero-load latency that `mkns info` prints is that of the golden model.

use mkns::design::{self, ZeroLoadLatency, packed_words, word_offset};
use mkns::golden::Block;
use mkns::spec;

/// Cycles from taking a header-only packet of host 0 to showing it to host 1 of the same block.
fn measured_host_to_host(toml: &str) -> (u32, u32) {
    let spec = spec::parse_toml("test.toml", toml).expect("a valid spec");
    let plan = design::build(&spec).expect("a plan");
    let instance = &plan.instances[0];
    let module = &plan.modules[instance.module];
    let table = module.port_table();
    let mut model = Block::new(module, instance.node_address, Some(&instance.tables));
    let mut inputs = vec![0; packed_words(&table.inputs)];
    let mut outputs = vec![0; packed_words(&table.outputs)];
    let input = |name| word_offset(&table.inputs, name);
    let output = |name| word_offset(&table.outputs, name);

    inputs[input("m_axis_pcie_tready")] = 0b11;
    model.step(&inputs, &mut outputs);
    inputs[input("s_axis_pcie_tvalid")] = 1;
    inputs[input("s_axis_pcie_tlast")] = 1;
    inputs[input("s_axis_pcie_tkeep")] = 0xff;
    inputs[input("s_axis_pcie_tdata")] = 1; // node 0, PCIe port 1, no payload
    model.step(&inputs, &mut outputs);
    assert_eq!(outputs[output("s_axis_pcie_tready")] & 1, 1);
    inputs[input("s_axis_pcie_tvalid")] = 0;
    for cycle in 1..100 {
        model.step(&inputs, &mut outputs);
        if outputs[output("m_axis_pcie_tvalid")] == 0b10 {
            return (cycle, ZeroLoadLatency::new(&spec.block).host_to_host(0));
        }
    }
    panic!("the packet never came");
}

#[test]
fn a_packet_between_two_hosts_of_a_block_takes_ten_cycles() {
    let (measured, stated) = measured_host_to_host(r#"network = "MKNS(2,2,1,1)""#);
    assert_eq!((measured, stated), (10, 10));
}

#[test]
fn another_width_of_the_hosts_costs_one_cycle_each_way() {
    for (flit_bits, pcie_bits) in [(64, 512), (512, 64), (128, 256), (256, 128)] {
        let (measured, stated) = measured_host_to_host(&format!(
            "network = \"MKNS(2,2,1,1)\"\n[block]\nflit_bits = {flit_bits}\npcie_bits = {pcie_bits}\n",
        ));
        assert_eq!((measured, stated), (12, 12), "{flit_bits} and {pcie_bits}");
    }
}
