// rok_block: POK unit as a block of a network, with a control port (docs/microarchitecture.md 6.3).
// Port i is branch i, port BRANCHES + t is trunk channel t. Structure only.
// Latency: 2 cycles from trunk to branch and from branch to trunk without load.
// Throughput: one flit per cycle, trunk channel and direction. Reset: synchronous, active high.
// Limits: BRANCHES 2..16 (2..15 with PARALLEL), FIELD_BITS 1..4 and 1 << FIELD_BITS >= BRANCHES,
// DATA_WIDTH 64, 128, 256 or 512, VCS 1, 2 or 4, RX_BUFFER_FLITS 4..256, LAYERS 1..8.
<$ banner $>

module rok_block #(
    parameter BRANCHES = 3,
    parameter PARALLEL = 0,                                       // 0: POK_m, 1: POK_m*
    parameter PORTS = PARALLEL != 0 ? 2*BRANCHES : BRANCHES + 1,  // do not override
    parameter FIELD_BITS = 2,                                     // bits of a local address
    parameter DATA_WIDTH = 64,                                    // bits of a flit
    parameter VCS = 2,                                            // virtual channels
    parameter VC_BITS = VCS > 2 ? 2 : 1,                          // do not override
    parameter RX_BUFFER_FLITS = 12, // credits per virtual channel after reset
    parameter LAYERS = 1,           // shown by the control port
    parameter COUNTERS = 1,         // 0: counters read 0
    parameter [31:0] COUNTER_START = 32'd0, // value of all counters after a reset
    parameter CONTROL_PORT = 1      // 0: no control port, its outputs are 0
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire [PORTS-1:0]             rx_valid,
    input  wire [PORTS*VC_BITS-1:0]     rx_vc,
    input  wire [PORTS-1:0]             rx_last,
    input  wire [PORTS-1:0]             rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0]  rx_data,
    output wire [PORTS*VCS-1:0]         rx_credit,
    output wire [PORTS-1:0]             tx_valid,
    output wire [PORTS*VC_BITS-1:0]     tx_vc,
    output wire [PORTS-1:0]             tx_last,
    output wire [PORTS-1:0]             tx_bad,
    output wire [PORTS*DATA_WIDTH-1:0]  tx_data,
    input  wire [PORTS*VCS-1:0]         tx_credit,
    input  wire [PORTS-1:0]             link_up, // shown by the control port, nothing else
    input  wire [19:0]                   s_axil_awaddr,
    input  wire                          s_axil_awvalid,
    output wire                          s_axil_awready,
    input  wire [31:0]                   s_axil_wdata,
    input  wire [3:0]                    s_axil_wstrb,
    input  wire                          s_axil_wvalid,
    output wire                          s_axil_wready,
    output wire [1:0]                    s_axil_bresp,
    output wire                          s_axil_bvalid,
    input  wire                          s_axil_bready,
    input  wire [19:0]                   s_axil_araddr,
    input  wire                          s_axil_arvalid,
    output wire                          s_axil_arready,
    output wire [31:0]                   s_axil_rdata,
    output wire [1:0]                    s_axil_rresp,
    output wire                          s_axil_rvalid,
    input  wire                          s_axil_rready
);
    localparam CORE_PORTS = PORTS;

    wire [31:0] table_change;
    wire [15:0] table_read;
    wire [CORE_PORTS*CORE_PORTS-1:0] step;
    wire [CORE_PORTS*5-1:0]      input_events;
    wire [CORE_PORTS*4-1:0]      output_events;
    wire                         drop_valid;
    wire [4:0]                   drop_port;
    wire [63:0]                  drop_header;
    wire [19:0]                  node_address;
    wire [25:0]                  mask_change;
    wire [15:0]                  layer_entry;
    wire [36:0]                  candidate_change;
    wire [11:0]                  candidate_read;

    generate
        if (PORTS > 31) begin : gen_check_ports
            illegal_parameter_PORTS_must_be_at_most_31 stop ();
        end
    endgenerate

    rok #(
        .PORTS(BRANCHES), .PARALLEL(PARALLEL), .FIELD_BITS(FIELD_BITS), .DATA_WIDTH(DATA_WIDTH),
        .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) core (
        .clk(clk),
        .rst(rst),
        .tk_rx_valid(rx_valid[PORTS-1:BRANCHES]),
        .tk_rx_vc(rx_vc[PORTS*VC_BITS-1:BRANCHES*VC_BITS]),
        .tk_rx_last(rx_last[PORTS-1:BRANCHES]),
        .tk_rx_bad(rx_bad[PORTS-1:BRANCHES]),
        .tk_rx_data(rx_data[PORTS*DATA_WIDTH-1:BRANCHES*DATA_WIDTH]),
        .tk_rx_credit(rx_credit[PORTS*VCS-1:BRANCHES*VCS]),
        .tk_tx_valid(tx_valid[PORTS-1:BRANCHES]),
        .tk_tx_vc(tx_vc[PORTS*VC_BITS-1:BRANCHES*VC_BITS]),
        .tk_tx_last(tx_last[PORTS-1:BRANCHES]),
        .tk_tx_bad(tx_bad[PORTS-1:BRANCHES]),
        .tk_tx_data(tx_data[PORTS*DATA_WIDTH-1:BRANCHES*DATA_WIDTH]),
        .tk_tx_credit(tx_credit[PORTS*VCS-1:BRANCHES*VCS]),
        .br_rx_valid(rx_valid[BRANCHES-1:0]),
        .br_rx_vc(rx_vc[BRANCHES*VC_BITS-1:0]),
        .br_rx_last(rx_last[BRANCHES-1:0]),
        .br_rx_bad(rx_bad[BRANCHES-1:0]),
        .br_rx_data(rx_data[BRANCHES*DATA_WIDTH-1:0]),
        .br_rx_credit(rx_credit[BRANCHES*VCS-1:0]),
        .br_tx_valid(tx_valid[BRANCHES-1:0]),
        .br_tx_vc(tx_vc[BRANCHES*VC_BITS-1:0]),
        .br_tx_last(tx_last[BRANCHES-1:0]),
        .br_tx_bad(tx_bad[BRANCHES-1:0]),
        .br_tx_data(tx_data[BRANCHES*DATA_WIDTH-1:0]),
        .br_tx_credit(tx_credit[BRANCHES*VCS-1:0]),
        .input_events(input_events),
        .output_events(output_events),
        .drop_valid(drop_valid),
        .drop_port(drop_port),
        .drop_header(drop_header)
    );

    control_port #(
        .KIND(2),
        .NETWORK_PORTS(PORTS),
        .PCIE_PORTS(0),
        .DATA_WIDTH(DATA_WIDTH),
        .VCS(VCS),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .QUEUE_FLITS(0),
        .LAYERS(LAYERS),
        .TABLES(0),
        .COUNTERS(COUNTERS),
        .COUNTER_START(COUNTER_START),
        .CONTROL_PORT(CONTROL_PORT)
    ) control (
        .clk(clk),
        .rst(rst),
        .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready),
        .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready),
        .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid),
        .s_axil_bready(s_axil_bready),
        .s_axil_araddr(s_axil_araddr),
        .s_axil_arvalid(s_axil_arvalid),
        .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp),
        .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready),
        .link_up(link_up),
        .input_events(input_events),
        .output_events(output_events),
        .drop_valid(drop_valid),
        .drop_port(drop_port),
        .drop_header(drop_header),
        .pcie_events(14'd0),
        .table_change(table_change),
        .table_read(table_read),
        .table_entry(16'd0),
        .step(step),
        .node_address(node_address), .mask_change(mask_change),
        .mask_value(8'd0),
        .layer_entry(layer_entry),
        .candidate_change(candidate_change),
        .candidate_read(candidate_read),
        .candidate_entry(24'd0)
    );

    // A POK block has no tables, no channel steps, no address and no layers to choose.
    wire unused_ok = &{1'b0, table_change, table_read, step,
        node_address, mask_change, layer_entry, candidate_change, candidate_read};
endmodule
