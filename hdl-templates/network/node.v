// <$ name $>:
// <$ block $> with the parameters of this network, ports bundled by link.
//
// A bundle is one direction of a link, {credit, bad, last, vc, valid, data}, <$ link_bits $> bits;
// port 0 lies in the low bits. Only what differs from block to block is a parameter here.
// Latency: that of the block, nothing is added. Reset: synchronous, active high.
<$ banner $>

<%- if parameters.is_empty() %>

module <$ name $> (
<%- else %>

module <$ name $> #(
<$ parameters $>
) (
<%- endif %>
<$ ports $>
);
    localparam PORTS = <$ network_ports $>;
    localparam DATA_WIDTH = <$ data_width $>;
    localparam VCS = <$ vcs $>;
    localparam VC_BITS = <$ vc_bits $>;
    localparam LINK_BITS = <$ link_bits $>;

    wire [PORTS-1:0]            rx_valid;
    wire [PORTS*VC_BITS-1:0]    rx_vc;
    wire [PORTS-1:0]            rx_last;
    wire [PORTS-1:0]            rx_bad;
    wire [PORTS*DATA_WIDTH-1:0] rx_data;
    wire [PORTS*VCS-1:0]        rx_credit;
    wire [PORTS-1:0]            tx_valid;
    wire [PORTS*VC_BITS-1:0]    tx_vc;
    wire [PORTS-1:0]            tx_last;
    wire [PORTS-1:0]            tx_bad;
    wire [PORTS*DATA_WIDTH-1:0] tx_data;
    wire [PORTS*VCS-1:0]        tx_credit;

    generate
        genvar i;
        for (i = 0; i < PORTS; i = i + 1) begin : gen_port
            assign {
                tx_credit[i*VCS +: VCS],
                rx_bad[i],
                rx_last[i],
                rx_vc[i*VC_BITS +: VC_BITS],
                rx_valid[i],
                rx_data[i*DATA_WIDTH +: DATA_WIDTH]
            } = link_rx[i*LINK_BITS +: LINK_BITS];
            assign link_tx[i*LINK_BITS +: LINK_BITS] = {
                rx_credit[i*VCS +: VCS],
                tx_bad[i],
                tx_last[i],
                tx_vc[i*VC_BITS +: VC_BITS],
                tx_valid[i],
                tx_data[i*DATA_WIDTH +: DATA_WIDTH]
            };
        end
    endgenerate

    <$ block $> #(
<$ overrides $>
    ) block (
<$ connections $>
    );
endmodule
