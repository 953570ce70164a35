//! Verilog around the generated board: one clock, and its pins one by one, those between block and link ports too.

use std::fmt::Write;

use mkns_design::{BlockModule, Plan, Port};
use mkns_rtl as rtl;

/// Name of the module around the board of a block module.
pub fn top_name(module: &BlockModule) -> String {
    format!(
        "{}_board_{:x}_pins",
        module.kind.name(),
        module.serial_ports
    )
}

/// `sources`, those of a whole network, and a module around each of its boards.
pub fn with_board_tops(plan: &Plan, sources: &[(String, String)]) -> Vec<(String, String)> {
    let mut sources = sources.to_vec();
    for module in plan
        .modules
        .iter()
        .filter(|module| module.serial_ports != 0)
    {
        let name = format!("{}.v", top_name(module));
        if sources.iter().all(|(other, _)| *other != name) {
            sources.push((name, module_text(plan, module)));
        }
    }
    sources
}

fn module_text(plan: &Plan, module: &BlockModule) -> String {
    let table = module.board_table();
    let declare = |direction: &str, port: &Port| {
        format!("    {direction} wire [{}:0] {}", port.bits - 1, port.name)
    };
    let inputs = table.inputs.iter().map(|port| declare("input", port));
    let outputs = table.outputs.iter().map(|port| declare("output", port));
    let clock = "    input wire clk".to_owned();
    let ports: Vec<String> = [clock].into_iter().chain(inputs).chain(outputs).collect();
    let shapes = 0..module.tables.len();
    let shapes = shapes.flat_map(|n| ["LSB", "BITS"].map(|what| format!("TABLE{n}_{what}")));
    let shapes: Vec<String> = shapes.collect();
    let declared: Vec<String> = shapes
        .iter()
        .map(|name| format!("    parameter {name} = 0"))
        .collect();
    let passed: Vec<String> = shapes
        .iter()
        .map(|name| format!(".{name}({name})"))
        .collect();
    let own = table.inputs.iter().chain(&table.outputs);
    let own = own.filter(|port| port.name.contains("_pcie_") || port.name.starts_with("s_axil_"));
    let own: Vec<String> = own
        .map(|port| format!("        .{0}({0})", port.name))
        .collect();

    let (ports_count, vcs) = (module.network_ports, module.parameters.virtual_channels);
    let links = module.serial_ports.count_ones();
    let bits = 68 + vcs;
    let width = ports_count * bits;
    let mut text = format!(
        "module {} #(\n{}\n) (\n{}\n);\n",
        top_name(module),
        declared.join(",\n"),
        ports.join(",\n")
    );
    let _ = write!(
        text,
        "    wire [{0}:0] link_rx, link_tx;\n    wire [{1}:0] up;\n\n    {2} #(\n        {3}\n    ) board (\n        \
         .clk(clk), .rst(rst), .link_clk({{{links}{{clk}}}}), .link_rst({{{links}{{rst}}}}),\n        \
         .block_number(block_number), .line_tx_ready({{{links}{{1'b1}}}}),\n        .link_up(up), \
         .link_rx(link_rx), .link_tx(link_tx),\n{4}\n    );\n\n",
        width - 1,
        ports_count - 1,
        rtl::board_name(plan, module),
        passed.join(", "),
        own.join(",\n"),
    );
    let mut link = 0;
    for port in 0..ports_count {
        let at = port * bits;
        let _ = write!(
            text,
            "    assign {{rx_credit[{port}*{vcs} +: {vcs}], tx_bad[{port}], tx_last[{port}], tx_vc[{port}], \
             tx_valid[{port}],\n        tx_data[{port}*64 +: 64]}} = board.block_tx[{at} +: {bits}];\n"
        );
        if module.serial_ports >> port & 1 == 0 {
            let _ = write!(
                text,
                "    assign link_rx[{at} +: {bits}] = {{tx_credit[{port}*{vcs} +: {vcs}], rx_bad[{port}], \
                 rx_last[{port}],\n        rx_vc[{port}], rx_valid[{port}], rx_data[{port}*64 +: 64]}};\n    \
                 assign up[{port}] = link_up[{port}];\n"
            );
            continue;
        }
        let [valid, channel, last, credit] = [64, 65, 66, 68].map(|offset| at + offset);
        let _ = write!(
            text,
            "    assign link_rx[{at} +: {bits}] = {{{{{vcs}{{1'b0}}}}, 1'b0, line_rx_ctl[{link}], 1'b0, \
             line_rx_valid[{link}],\n        line_rx_data[{link}*64 +: 64]}};\n    \
             assign up[{port}] = line_rx_up[{link}];\n    \
             assign line_tx_valid[{link}] = link_tx[{valid}];\n    \
             assign line_tx_ctl[{link}] = link_tx[{last}];\n    \
             assign line_tx_data[{link}*64 +: 64] = link_tx[{at} +: 64];\n    \
             assign port_up[{link}] = board.block_up[{port}];\n    \
             assign port_rx_valid[{link}] = board.block_rx[{valid}];\n    \
             assign port_rx_vc[{link}] = board.block_rx[{channel}];\n    \
             assign port_rx_last[{link}] = board.block_rx[{last}];\n    \
             assign port_tx_credit[{link}*{vcs} +: {vcs}] = board.block_rx[{credit} +: {vcs}];\n"
        );
        link += 1;
    }
    text + "endmodule\n"
}
