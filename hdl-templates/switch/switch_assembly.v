// <$ name $>:
// four leaf and two spine switch blocks, together a switch of <$ externals $> ports.
//
// External port e is port e mod <$ half $> of leaf e div <$ half $>; inner cable e is uplink e mod <$ half $> of leaf
// e div <$ half $>. Links are bundled as in the switch nodes, control ports are packed leaf 0 to 3, spine
// 0 and 1, in the low bits first.
// Latency: that of one block, or of three blocks and two cables. Reset: synchronous, active high.
<$ banner $>

module <$ name $> #(
<$ parameters $>
) (
<$ ports $>
);
    localparam LINK_BITS = <$ link_bits $>;
<%- if has_free_ports %>

    // What a port without a cable receives.
    localparam [LINK_BITS-1:0] NO_LINK = {LINK_BITS{1'b0}};
<%- endif %>
<%- for cable in cables %>

    // <$ cable.ends $>
    wire [LINK_BITS-1:0] <$ cable.name $>_a_tx, <$ cable.name $>_b_rx, <$ cable.name $>_b_tx, <$ cable.name $>_a_rx;
    cable #(<$ cable_parameters $>) <$ cable.name $> (
        .clk(clk), .rst(rst), .a_tx(<$ cable.name $>_a_tx), .b_rx(<$ cable.name $>_b_rx),
        .b_tx(<$ cable.name $>_b_tx), .a_rx(<$ cable.name $>_a_rx)
    );
<%- endfor %>
<%- for block in blocks %>

    // <$ block.label $>
<%- if block.unused_links > 0 %>
    wire [<$ block.unused_links $>*LINK_BITS-1:0] unused_<$ block.name $>;
<%- endif %>
    <$ node $> #(
<$ block.parameters $>
    ) <$ block.name $> (
<$ block.connections $>
    );
<%- endfor %>
endmodule
