// terminal_block: one terminal of a distributed switch, PCIE_PORTS streams behind a POK unit, and a
// control port (docs/microarchitecture.md 6.4). PCIe port q is trunk channel q; port i is
// branch i. With one PCIe port the unit is POK_m, with PCIE_PORTS = BRANCHES it is POK_m*.
// Structure only.
//
// Latency without load: host to branch 5 cycles after the packet's last beat, branch to host 4;
// each +1 when PCIE_WIDTH differs from DATA_WIDTH.
// Throughput: one flit per cycle, PCIe port and direction. Reset: synchronous, active high.
// Limits: BRANCHES 2..16, PCIE_PORTS 1 or BRANCHES, FIELD_BITS 1..4, 1 << FIELD_BITS >= BRANCHES,
// DATA_WIDTH and PCIE_WIDTH 64, 128, 256 or 512, VCS 1, 2 or 4, HOST_CHANNELS 1, 2 or 4 and at most
// VCS, RX_BUFFER_FLITS 4..256, MAX_PACKET_FLITS 1..1024, LAYERS 1..8, FIELDS 1..5.
<$ banner $>

module terminal_block #(
    parameter BRANCHES = 3,
    parameter PCIE_PORTS = 1,
    parameter CORE_PORTS = BRANCHES + PCIE_PORTS, // do not override
    parameter FIELD_BITS = 2,                     // bits of a local address
    parameter DATA_WIDTH = 64,                    // bits of a flit
    parameter PCIE_WIDTH = DATA_WIDTH,            // bits of a host's beat
    parameter VCS = 2,                            // virtual channels
    parameter VC_BITS = VCS > 2 ? 2 : 1,          // do not override
    parameter HOST_CHANNELS = 1,     // virtual channels that hosts' packets start on
    parameter RX_BUFFER_FLITS = 12,  // credits per virtual channel after reset
    parameter MAX_PACKET_FLITS = 33, // longest packet with its header
    parameter LAYERS = 1,            // legal values of the layer field
    parameter HOST_TIMEOUT = 1024,   // cycles that a host may refuse a beat; 0: for ever
    // address train; field n is local address n
    parameter FIELDS = 1,
    parameter FIELD0_LSB = 0,
    parameter FIELD0_BITS = 2,
    parameter FIELD0_SIZE = 3,
    parameter FIELD1_LSB = 0,
    parameter FIELD1_BITS = 0,
    parameter FIELD1_SIZE = 1,
    parameter FIELD2_LSB = 0,
    parameter FIELD2_BITS = 0,
    parameter FIELD2_SIZE = 1,
    parameter FIELD3_LSB = 0,
    parameter FIELD3_BITS = 0,
    parameter FIELD3_SIZE = 1,
    parameter FIELD4_LSB = 0,
    parameter FIELD4_BITS = 0,
    parameter FIELD4_SIZE = 1,
    parameter [19:0] NODE_ADDRESS = 20'd0, // the terminal's number, stamped as source
    parameter COUNTERS = 1,          // 0: counters read 0
    parameter [31:0] COUNTER_START = 32'd0, // value of all counters after a reset
    parameter CONTROL_PORT = 1       // 0: no control port, its outputs are 0
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire [BRANCHES-1:0]             rx_valid,
    input  wire [BRANCHES*VC_BITS-1:0]     rx_vc,
    input  wire [BRANCHES-1:0]             rx_last,
    input  wire [BRANCHES-1:0]             rx_bad,
    input  wire [BRANCHES*DATA_WIDTH-1:0]  rx_data,
    output wire [BRANCHES*VCS-1:0]         rx_credit,
    output wire [BRANCHES-1:0]             tx_valid,
    output wire [BRANCHES*VC_BITS-1:0]     tx_vc,
    output wire [BRANCHES-1:0]             tx_last,
    output wire [BRANCHES-1:0]             tx_bad,
    output wire [BRANCHES*DATA_WIDTH-1:0]  tx_data,
    input  wire [BRANCHES*VCS-1:0]         tx_credit,
    input  wire [BRANCHES-1:0]             link_up, // shown by the control port, nothing else
    input  wire [PCIE_PORTS*PCIE_WIDTH-1:0]   s_axis_pcie_tdata,
    input  wire [PCIE_PORTS*PCIE_WIDTH/8-1:0] s_axis_pcie_tkeep,
    input  wire [PCIE_PORTS-1:0]         s_axis_pcie_tvalid,
    input  wire [PCIE_PORTS-1:0]         s_axis_pcie_tlast,
    input  wire [PCIE_PORTS-1:0]         s_axis_pcie_tuser,
    output wire [PCIE_PORTS-1:0]         s_axis_pcie_tready,
    output wire [PCIE_PORTS*PCIE_WIDTH-1:0]   m_axis_pcie_tdata,
    output wire [PCIE_PORTS*PCIE_WIDTH/8-1:0] m_axis_pcie_tkeep,
    output wire [PCIE_PORTS-1:0]         m_axis_pcie_tvalid,
    output wire [PCIE_PORTS-1:0]         m_axis_pcie_tlast,
    output wire [PCIE_PORTS-1:0]         m_axis_pcie_tuser,
    input  wire [PCIE_PORTS-1:0]         m_axis_pcie_tready,
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
    localparam BYTES = PCIE_WIDTH / 8; // of a host's beat
    localparam EVENTS = 14; // PCIe counters of a port

    generate
        if (PCIE_PORTS != 1 && PCIE_PORTS != BRANCHES) begin : gen_check_pcie_ports
            illegal_parameter_PCIE_PORTS_must_be_1_or_BRANCHES stop ();
        end
    endgenerate

    // Trunk channels.
    wire [PCIE_PORTS-1:0]            in_valid;
    wire [PCIE_PORTS*VC_BITS-1:0]    in_vc;
    wire [PCIE_PORTS-1:0]            in_last;
    wire [PCIE_PORTS*DATA_WIDTH-1:0] in_data;
    wire [PCIE_PORTS*VCS-1:0]        in_credit;
    wire [PCIE_PORTS-1:0]            out_valid;
    wire [PCIE_PORTS*VC_BITS-1:0]    out_vc;
    wire [PCIE_PORTS-1:0]            out_last;
    wire [PCIE_PORTS-1:0]            out_bad;
    wire [PCIE_PORTS*DATA_WIDTH-1:0] out_data;
    wire [PCIE_PORTS*VCS-1:0]        out_credit;
    wire [PCIE_PORTS*EVENTS-1:0]     pcie_events;

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
    wire [PCIE_PORTS*8-1:0]      mask_values;

    rok #(
        .PORTS(BRANCHES), .PARALLEL(PCIE_PORTS > 1 ? 1 : 0), .FIELD_BITS(FIELD_BITS),
        .DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) core (
        .clk(clk),
        .rst(rst),
        .tk_rx_valid(in_valid),
        .tk_rx_vc(in_vc),
        .tk_rx_last(in_last),
        .tk_rx_bad({PCIE_PORTS{1'b0}}),
        .tk_rx_data(in_data),
        .tk_rx_credit(in_credit),
        .tk_tx_valid(out_valid),
        .tk_tx_vc(out_vc),
        .tk_tx_last(out_last),
        .tk_tx_bad(out_bad),
        .tk_tx_data(out_data),
        .tk_tx_credit(out_credit),
        .br_rx_valid(rx_valid),
        .br_rx_vc(rx_vc),
        .br_rx_last(rx_last),
        .br_rx_bad(rx_bad),
        .br_rx_data(rx_data),
        .br_rx_credit(rx_credit),
        .br_tx_valid(tx_valid),
        .br_tx_vc(tx_vc),
        .br_tx_last(tx_last),
        .br_tx_bad(tx_bad),
        .br_tx_data(tx_data),
        .br_tx_credit(tx_credit),
        .input_events(input_events),
        .output_events(output_events),
        .drop_valid(drop_valid),
        .drop_port(drop_port),
        .drop_header(drop_header)
    );

    generate
        genvar q;
        for (q = 0; q < PCIE_PORTS; q = q + 1) begin : gen_pcie
            host_port #(
                .DATA_WIDTH(DATA_WIDTH),
                .PCIE_WIDTH(PCIE_WIDTH),
                .VCS(VCS),
                .HOST_CHANNELS(HOST_CHANNELS),
                .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
                .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
                .LAYERS(LAYERS),
                .HOST_TIMEOUT(HOST_TIMEOUT),
                .ADDRESS_TRAIN(1),
                .FIELDS(FIELDS),
                .FIELD_LSBS({15'd0, FIELD4_LSB[4:0], FIELD3_LSB[4:0], FIELD2_LSB[4:0],
                    FIELD1_LSB[4:0], FIELD0_LSB[4:0]}),
                .FIELD_BITS({15'd0, FIELD4_BITS[4:0], FIELD3_BITS[4:0], FIELD2_BITS[4:0],
                    FIELD1_BITS[4:0], FIELD0_BITS[4:0]}),
                .FIELD_SIZES({63'd0, FIELD4_SIZE[20:0], FIELD3_SIZE[20:0], FIELD2_SIZE[20:0],
                    FIELD1_SIZE[20:0], FIELD0_SIZE[20:0]})
            ) host (
                .clk(clk),
                .rst(rst),
                .node_address(node_address),
                .mask_change(mask_change),
                .mask_value(mask_values[q*8 +: 8]),
                .layer_entry(layer_entry),
                .s_axis_tdata(s_axis_pcie_tdata[q*PCIE_WIDTH +: PCIE_WIDTH]),
                .s_axis_tkeep(s_axis_pcie_tkeep[q*BYTES +: BYTES]),
                .s_axis_tvalid(s_axis_pcie_tvalid[q]),
                .s_axis_tlast(s_axis_pcie_tlast[q]),
                .s_axis_tuser(s_axis_pcie_tuser[q]),
                .s_axis_tready(s_axis_pcie_tready[q]),
                .m_axis_tdata(m_axis_pcie_tdata[q*PCIE_WIDTH +: PCIE_WIDTH]),
                .m_axis_tkeep(m_axis_pcie_tkeep[q*BYTES +: BYTES]),
                .m_axis_tvalid(m_axis_pcie_tvalid[q]),
                .m_axis_tlast(m_axis_pcie_tlast[q]),
                .m_axis_tuser(m_axis_pcie_tuser[q]),
                .m_axis_tready(m_axis_pcie_tready[q]),
                .in_valid(in_valid[q]),
                .in_vc(in_vc[q*VC_BITS +: VC_BITS]),
                .in_last(in_last[q]),
                .in_data(in_data[q*DATA_WIDTH +: DATA_WIDTH]),
                .in_credit(in_credit[q*VCS +: VCS]),
                .in_wait(1'b0),
                .out_valid(out_valid[q]),
                .out_vc(out_vc[q*VC_BITS +: VC_BITS]),
                .out_last(out_last[q]),
                .out_bad(out_bad[q]),
                .out_data(out_data[q*DATA_WIDTH +: DATA_WIDTH]),
                .out_credit(out_credit[q*VCS +: VCS]),
                .events(pcie_events[q*EVENTS +: EVENTS])
            );
        end
    endgenerate

    control_port #(
        .KIND(3),
        .NETWORK_PORTS(BRANCHES),
        .PCIE_PORTS(PCIE_PORTS),
        .DATA_WIDTH(DATA_WIDTH),
        .VCS(VCS),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .QUEUE_FLITS(0),
        .LAYERS(LAYERS),
        .TABLES(0),
        .NODE_ADDRESS(NODE_ADDRESS),
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
        .pcie_events(pcie_events),
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

    // A terminal has no tables, no channel steps and no layers to choose.
    wire unused_ok = &{1'b0, table_change, table_read, step, mask_values,
        candidate_change, candidate_read};
endmodule
