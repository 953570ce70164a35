// <$ name $>: <$ title $>.
// <$ contents $>.
//
// Streams are packed by host number, AXI4-Lite signals by block number, `cable_up`
// by cable number, lowest number in the low bits (docs/ports.md lists all numbers).
// Latency: a cable adds <$ latency $> cycle(s) each way. Reset: synchronous, active high.
<$ banner $>

module <$ name $> (
<$ ports $>
);
    // One direction of a link: {credit, bad, last, vc, valid, data}.
    localparam LINK_BITS = <$ link_bits $>;
<%- if !simplex_cables.is_empty() %>
    localparam CREDIT_BITS = <$ credit_bits $>;
<%- endif %>
<%- if has_free_ports %>

    // What a port without a cable receives.
    localparam [LINK_BITS-1:0] NO_LINK = {LINK_BITS{1'b0}};
<%- endif %>

    // Contents of the routing tables, entry 0 in the low bits; an entry is {alternate valid,
    // alternate port, U-turn allowed, valid, same, port}. Users and address field are in the name.
<%- for table in tables %>
    localparam [<$ table.bits - 1 $>:0] <$ table.name $> = <$ table.value $>;
<%- endfor %>
<%- if !masks.is_empty() %>

    // Layers that packets of an adapter block may take: bit l of byte a for layer l to node address a.
<%- for mask in masks %>
    localparam [<$ mask.bits - 1 $>:0] <$ mask.name $> = <$ mask.value $>;
<%- endfor %>
<%- endif %>
<%- if !candidates.is_empty() %>

    // Ports on shortest paths, by node address, the first in the low bits: bit o of an entry for port o.
<%- for constant in candidates %>
    localparam [<$ constant.bits - 1 $>:0] <$ constant.name $> = <$ constant.value $>;
<%- endfor %>
<%- endif %>
<%- if !simplex_cables.is_empty() %>

    // Of each cable from a port that sends to a port that receives: what the sending port drives,
    // the credits that it gets back, the flits that arrive.
<%- for group in simplex_cables %>
<%- for cable in group.members %>
    wire [LINK_BITS-1:0] <$ cable.name $>_tx;
    wire [CREDIT_BITS-1:0] <$ cable.name $>_credit;
    wire [LINK_BITS-CREDIT_BITS-1:0] <$ cable.name $>_flit;
<%- endfor %>
<%- endfor %>
<%- for group in simplex_cables %>

    // ---- <$ group.title $>
<%- for cable in group.members %>

    // <$ cable.ends $>
    simplex_cable #(<$ cable_parameters $>) <$ cable.name $> (
        .clk(clk), .rst(rst), .a_tx(<$ cable.name $>_tx), .a_credit(<$ cable.name $>_credit),
        .b_tx(<$ cable.back $>_tx), .b_flit(<$ cable.name $>_flit)
    );
<%- endfor %>
<%- endfor %>
<%- endif %>
<%- for group in cables %>

    // ---- <$ group.title $>
<%- for cable in group.members %>

    // <$ cable.ends $>
    wire [LINK_BITS-1:0] <$ cable.name $>_a_tx, <$ cable.name $>_b_rx, <$ cable.name $>_b_tx, <$ cable.name $>_a_rx;
<%- if cable.is_serial %>
    serial_cable #(<$ serial_parameters $>) <$ cable.name $> (
<%- else %>
    cable #(<$ cable_parameters $>) <$ cable.name $> (
<%- endif %>
        .clk(clk), .rst(rst), .a_tx(<$ cable.name $>_a_tx), .b_rx(<$ cable.name $>_b_rx),
        .b_tx(<$ cable.name $>_b_tx), .a_rx(<$ cable.name $>_a_rx)
    );
<%- endfor %>
<%- endfor %>
<%- for group in blocks %>

    // ---- <$ group.title $>
<%- for block in group.members %>

    // <$ block.label $>
<%- if block.unused_links > 0 %>
    wire [<$ block.unused_links $>*LINK_BITS-1:0] unused_<$ block.name $>;
<%- endif %>
<%- if block.parameters.is_empty() %>
    <$ block.module $> <$ block.name $> (
<%- else %>
    <$ block.module $> #(
<$ block.parameters $>
    ) <$ block.name $> (
<%- endif %>
<$ block.connections $>
    );
<%- endfor %>
<%- endfor %>
endmodule
