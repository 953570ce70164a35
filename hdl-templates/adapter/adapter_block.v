// adapter_block: switch core with NETWORK_PORTS links and PCIE_PORTS hosts, and a control port
// (docs/microarchitecture.md 3). PCIe port q is core port NETWORK_PORTS + q, with an ingress and an
// egress between the core and the host's AXI4-Streams, whose beats may be wider or narrower than a
// flit. Structure only.
//
// Latency without load: link to link 5 cycles, host to link 8 cycles after the packet's last beat,
// link to host 7 cycles; host to link and link to host +1
// when PCIE_WIDTH differs from DATA_WIDTH; host to link +1 with PATHS; all +1 with ADAPTIVE,
// and host to link 1 more for a packet that commits.
// Throughput: one flit per cycle and port; on the hosts' side one beat per cycle if that is less.
// Reset: synchronous, active high; routing tables keep their contents.
// Limits: NETWORK_PORTS 1..24, PCIE_PORTS 1..8, DATA_WIDTH and PCIE_WIDTH 64, 128, 256 or 512, VCS
// 1, 2 or 4, HOST_CHANNELS 1, 2 or 4 and at most VCS, RX_BUFFER_FLITS 4..256, QUEUE_FLITS a power
// of two 8..1024 and at least RX_BUFFER_FLITS + 2, BANKS 1..NETWORK_PORTS + PCIE_PORTS,
// MAX_PACKET_FLITS 1..1024, LAYERS 1..8, TABLES 1..8, FIELDS 1..8, MASK_BITS 0..17; PATHS needs
// LAYERS >= 2 and HOST_CHANNELS = VCS; with SWITCHING_VCT
// RX_BUFFER_FLITS >= MAX_PACKET_FLITS. ADAPTIVE needs VCS >= 2, HOST_CHANNELS 1, LAYERS 1,
// RX_BUFFER_FLITS >= MAX_PACKET_FLITS, neither PATHS nor SWITCHING_VCT, CANDIDATE_BITS 0..12.
<$ banner $>

module adapter_block #(
    parameter NETWORK_PORTS = 10,   // links
    parameter PCIE_PORTS = 1,    // hosts
    parameter PORTS = NETWORK_PORTS + PCIE_PORTS, // of the core; do not override
    parameter DATA_WIDTH = 64,   // bits of a flit
    parameter PCIE_WIDTH = DATA_WIDTH, // bits of a host's beat
    parameter VCS = 1,    // virtual channels
    parameter VC_BITS = VCS > 2 ? 2 : 1, // do not override
    parameter HOST_CHANNELS = 1,    // virtual channels that hosts' packets start on
    parameter RX_BUFFER_FLITS = 62,   // credits per virtual channel after reset
    parameter QUEUE_FLITS = 64,   // flits of one virtual output queue
    parameter BANKS = 2,    // memory banks per input
    parameter MAX_PACKET_FLITS = 33,  // longest packet with its header
    parameter SWITCHING_VCT = 0,    // 1: a header waits for room for a whole packet
    parameter LAYERS = 1,    // routing tables, selected by the layer field
    parameter HOST_TIMEOUT = 1024, // cycles that a host may refuse a beat; 0: for ever
    // layer choice: 8 bits of layers for each node address, the channel of each layer in 2 bits
    parameter PATHS = 0,    // 1: the block chooses the layers of its hosts' packets
    parameter MASK_BITS = 0,    // bits of a node address, with PATHS
    parameter [(8<<MASK_BITS)-1:0] MASKS_INIT = 0,
    parameter [15:0] LAYER_ENTRY = 16'd0,
    // routing tables, in the order in which they are consulted; index bits of the destination;
    // entry e of table n is TABLEn_INIT[16*e +: 16]
    parameter TABLES = 1,
    parameter TABLE0_LSB = 0, TABLE0_BITS = 3,
    parameter [16*(LAYERS<<TABLE0_BITS)-1:0] TABLE0_INIT = 0,
    parameter TABLE1_LSB = 0, TABLE1_BITS = 0,
    parameter [16*(LAYERS<<TABLE1_BITS)-1:0] TABLE1_INIT = 0,
    parameter TABLE2_LSB = 0, TABLE2_BITS = 0,
    parameter [16*(LAYERS<<TABLE2_BITS)-1:0] TABLE2_INIT = 0,
    parameter TABLE3_LSB = 0, TABLE3_BITS = 0,
    parameter [16*(LAYERS<<TABLE3_BITS)-1:0] TABLE3_INIT = 0,
    parameter TABLE4_LSB = 0, TABLE4_BITS = 0,
    parameter [16*(LAYERS<<TABLE4_BITS)-1:0] TABLE4_INIT = 0,
    parameter TABLE5_LSB = 0, TABLE5_BITS = 0,
    parameter [16*(LAYERS<<TABLE5_BITS)-1:0] TABLE5_INIT = 0,
    parameter TABLE6_LSB = 0, TABLE6_BITS = 0,
    parameter [16*(LAYERS<<TABLE6_BITS)-1:0] TABLE6_INIT = 0,
    parameter TABLE7_LSB = 0, TABLE7_BITS = 0,
    parameter [16*(LAYERS<<TABLE7_BITS)-1:0] TABLE7_INIT = 0,
    // layout of an address; field 0 is the PCIe port
    parameter FIELDS = 1,
    parameter FIELD0_LSB = 0, FIELD0_BITS = $clog2(PCIE_PORTS), FIELD0_SIZE = PCIE_PORTS,
    parameter FIELD1_LSB = 0, FIELD1_BITS = 0, FIELD1_SIZE = 1,
    parameter FIELD2_LSB = 0, FIELD2_BITS = 0, FIELD2_SIZE = 1,
    parameter FIELD3_LSB = 0, FIELD3_BITS = 0, FIELD3_SIZE = 1,
    parameter FIELD4_LSB = 0, FIELD4_BITS = 0, FIELD4_SIZE = 1,
    parameter FIELD5_LSB = 0, FIELD5_BITS = 0, FIELD5_SIZE = 1,
    parameter FIELD6_LSB = 0, FIELD6_BITS = 0, FIELD6_SIZE = 1,
    parameter FIELD7_LSB = 0, FIELD7_BITS = 0, FIELD7_SIZE = 1,
    parameter [19:0] NODE_ADDRESS = 20'd0, // own address with PCIe port 0
    parameter STEPS = 1,    // 0: no packet goes a channel up, STEP is 0
    parameter ALTERNATES = 1, // 0: no table entry names an alternate port
    parameter [PORTS*PORTS-1:0] TURNS = {PORTS*PORTS{1'b1}}, // turns from i to o: bit i * PORTS + o
    parameter [PORTS*PORTS-1:0] STEP = {PORTS*PORTS{1'b0}}, // bit i * PORTS + o
    parameter COUNTERS = 1,    // 0: counters read 0
    parameter [31:0] COUNTER_START = 32'd0, // value of all counters after a reset
    parameter CONTROL_PORT = 1,    // 0: no control port, its outputs are 0
    // 1: over any shortest cable that has room; bit o of candidate a is in bits
    // [NETWORK_PORTS*a +: NETWORK_PORTS]
    parameter ADAPTIVE = 0,
    parameter CANDIDATE_LSB = 0, CANDIDATE_BITS = 0,
    parameter [(NETWORK_PORTS<<CANDIDATE_BITS)-1:0] CANDIDATES_INIT = 0
) (
    input  wire                                  clk,
    input  wire                                  rst,
    // network links
    input  wire [NETWORK_PORTS-1:0]              rx_valid,
    input  wire [NETWORK_PORTS*VC_BITS-1:0]      rx_vc,
    input  wire [NETWORK_PORTS-1:0]              rx_last,
    input  wire [NETWORK_PORTS-1:0]              rx_bad,
    input  wire [NETWORK_PORTS*DATA_WIDTH-1:0]   rx_data,
    output wire [NETWORK_PORTS*VCS-1:0]          rx_credit,
    output wire [NETWORK_PORTS-1:0]              tx_valid,
    output wire [NETWORK_PORTS*VC_BITS-1:0]      tx_vc,
    output wire [NETWORK_PORTS-1:0]              tx_last,
    output wire [NETWORK_PORTS-1:0]              tx_bad,
    output wire [NETWORK_PORTS*DATA_WIDTH-1:0]   tx_data,
    input  wire [NETWORK_PORTS*VCS-1:0]          tx_credit,
    input  wire [NETWORK_PORTS-1:0]              link_up,
    // hosts
    input  wire [PCIE_PORTS*PCIE_WIDTH-1:0]      s_axis_pcie_tdata,
    input  wire [PCIE_PORTS*PCIE_WIDTH/8-1:0]    s_axis_pcie_tkeep,
    input  wire [PCIE_PORTS-1:0]                 s_axis_pcie_tvalid,
    input  wire [PCIE_PORTS-1:0]                 s_axis_pcie_tlast,
    input  wire [PCIE_PORTS-1:0]                 s_axis_pcie_tuser,
    output wire [PCIE_PORTS-1:0]                 s_axis_pcie_tready,
    output wire [PCIE_PORTS*PCIE_WIDTH-1:0]      m_axis_pcie_tdata,
    output wire [PCIE_PORTS*PCIE_WIDTH/8-1:0]    m_axis_pcie_tkeep,
    output wire [PCIE_PORTS-1:0]                 m_axis_pcie_tvalid,
    output wire [PCIE_PORTS-1:0]                 m_axis_pcie_tlast,
    output wire [PCIE_PORTS-1:0]                 m_axis_pcie_tuser,
    input  wire [PCIE_PORTS-1:0]                 m_axis_pcie_tready,
    // control port
    input  wire [19:0]                           s_axil_awaddr,
    input  wire                                  s_axil_awvalid,
    output wire                                  s_axil_awready,
    input  wire [31:0]                           s_axil_wdata,
    input  wire [3:0]                            s_axil_wstrb,
    input  wire                                  s_axil_wvalid,
    output wire                                  s_axil_wready,
    output wire [1:0]                            s_axil_bresp,
    output wire                                  s_axil_bvalid,
    input  wire                                  s_axil_bready,
    input  wire [19:0]                           s_axil_araddr,
    input  wire                                  s_axil_arvalid,
    output wire                                  s_axil_arready,
    output wire [31:0]                           s_axil_rdata,
    output wire [1:0]                            s_axil_rresp,
    output wire                                  s_axil_rvalid,
    input  wire                                  s_axil_rready
);
    localparam BYTES = PCIE_WIDTH / 8; // of a host's beat
    localparam EVENTS = 14; // PCIe counters of a port
    // Credits of the outputs to hosts, which are close by: a link's worth of them would be idle.
    localparam HOST_BUFFER_FLITS = SWITCHING_VCT != 0 || RX_BUFFER_FLITS < 16
        ? RX_BUFFER_FLITS : 16;

    localparam [31:0] ALL_TABLE_BITS = {TABLE7_BITS[3:0], TABLE6_BITS[3:0], TABLE5_BITS[3:0],
        TABLE4_BITS[3:0], TABLE3_BITS[3:0], TABLE2_BITS[3:0], TABLE1_BITS[3:0], TABLE0_BITS[3:0]};
    localparam INIT_BITS = 16 * ((LAYERS << TABLE0_BITS) + (LAYERS << TABLE1_BITS)
        + (LAYERS << TABLE2_BITS) + (LAYERS << TABLE3_BITS) + (LAYERS << TABLE4_BITS)
        + (LAYERS << TABLE5_BITS) + (LAYERS << TABLE6_BITS) + (LAYERS << TABLE7_BITS));

    // Parameters before they are cut to the widths in which they are handed on.
    function outside(input integer value, input integer most);
        outside = value < 0 || value > most;
    endfunction

    function outside_address(input integer lsb, input integer bits, input integer size);
        outside_address = outside(lsb, 20) || outside(bits, 20) || lsb + bits > 20 || size < 1
            || size > 1 << bits;
    endfunction

    generate
        if (NETWORK_PORTS < 1 || NETWORK_PORTS > 24) begin : gen_check_network_ports
            illegal_parameter_NETWORK_PORTS_must_be_1_to_24 stop ();
        end
        if (PCIE_PORTS < 1 || PCIE_PORTS > 8) begin : gen_check_pcie_ports
            illegal_parameter_PCIE_PORTS_must_be_1_to_8 stop ();
        end
        if (PORTS != NETWORK_PORTS + PCIE_PORTS) begin : gen_check_ports
            illegal_parameter_PORTS_must_be_NETWORK_PORTS_plus_PCIE_PORTS stop ();
        end
        if (outside(TABLE0_LSB, 19) || outside(TABLE1_LSB, 19) || outside(TABLE2_LSB, 19)
                || outside(TABLE3_LSB, 19) || outside(TABLE4_LSB, 19) || outside(TABLE5_LSB, 19)
                || outside(TABLE6_LSB, 19) || outside(TABLE7_LSB, 19)) begin : gen_check_lsb
            illegal_parameter_TABLEn_LSB_must_be_0_to_19 stop ();
        end
        if (outside(TABLE0_BITS, 12) || outside(TABLE1_BITS, 12) || outside(TABLE2_BITS, 12)
                || outside(TABLE3_BITS, 12) || outside(TABLE4_BITS, 12) || outside(TABLE5_BITS, 12)
                || outside(TABLE6_BITS, 12) || outside(TABLE7_BITS, 12)) begin : gen_check_bits
            illegal_parameter_TABLEn_BITS_must_be_0_to_12_with_at_most_4096_entries stop ();
        end
        if (VC_BITS != (VCS > 2 ? 2 : 1)) begin : gen_check_vc_bits
            illegal_parameter_VC_BITS_must_be_2_with_4_VCS_else_1 stop ();
        end
        if (outside_address(FIELD0_LSB, FIELD0_BITS, FIELD0_SIZE)
                || outside_address(FIELD1_LSB, FIELD1_BITS, FIELD1_SIZE)
                || outside_address(FIELD2_LSB, FIELD2_BITS, FIELD2_SIZE)
                || outside_address(FIELD3_LSB, FIELD3_BITS, FIELD3_SIZE)
                || outside_address(FIELD4_LSB, FIELD4_BITS, FIELD4_SIZE)
                || outside_address(FIELD5_LSB, FIELD5_BITS, FIELD5_SIZE)
                || outside_address(FIELD6_LSB, FIELD6_BITS, FIELD6_SIZE)
                || outside_address(FIELD7_LSB, FIELD7_BITS, FIELD7_SIZE)) begin : gen_check_layout
            illegal_parameter_FIELDn_must_lie_within_20_bits stop ();
        end
        if (FIELDS < 1 || FIELDS > 8) begin : gen_check_fields
            illegal_parameter_FIELDS_must_be_1_to_8 stop ();
        end
        if (PATHS != 0 && (LAYERS < 2 || HOST_CHANNELS != VCS || MASK_BITS > 17))
        begin : gen_check_paths
            illegal_parameter_PATHS_needs_LAYERS_of_2_HOST_CHANNELS_of_VCS_MASK_BITS_to_17 stop ();
        end
        if (ADAPTIVE != 0 && (HOST_CHANNELS != 1 || PATHS != 0)) begin : gen_check_adaptive
            illegal_parameter_ADAPTIVE_needs_HOST_CHANNELS_of_1_no_PATHS stop ();
        end
    endgenerate

    // Core pins of the PCIe ports.
    wire [PCIE_PORTS-1:0] in_valid, in_last, out_valid, out_last, out_bad;
    wire [PCIE_PORTS*VC_BITS-1:0] in_vc, out_vc;
    wire [PCIE_PORTS*DATA_WIDTH-1:0] in_data, out_data;
    wire [PCIE_PORTS*VCS-1:0] in_credit, out_credit;
    wire [PCIE_PORTS*EVENTS-1:0] pcie_events;

    wire [31:0] table_change;
    wire [15:0] table_read, table_entry;
    wire [PORTS*PORTS-1:0] step;
    localparam CORE_EVENTS = ADAPTIVE != 0 ? 8 : 5; // of an input
    wire [PORTS*CORE_EVENTS-1:0] input_events;
    wire [PORTS*4-1:0] output_events;
    wire drop_valid;
    wire [4:0] drop_port;
    wire [63:0] drop_header;
    wire [19:0] node_address;
    wire [25:0] mask_change;
    wire [15:0] layer_entry;
    wire [36:0] candidate_change;
    wire [11:0] candidate_read;
    wire [23:0] candidate_entry;
    wire [PORTS-1:0] waits;
    wire [PCIE_PORTS*8-1:0] mask_values; // all ports hold the same masks

    switch_core #(
        .PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .QUEUE_FLITS(QUEUE_FLITS), .BANKS(BANKS), .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .SWITCHING_VCT(SWITCHING_VCT),
        .HOST_PORTS(PCIE_PORTS),
        .HOST_BUFFER_FLITS(HOST_BUFFER_FLITS),
        .STEPS(STEPS), .ALTERNATES(ALTERNATES), .TURNS(TURNS),
        .LAYERS(LAYERS), .TABLES(TABLES),
        .TABLE_LSBS({TABLE7_LSB[4:0], TABLE6_LSB[4:0], TABLE5_LSB[4:0], TABLE4_LSB[4:0],
            TABLE3_LSB[4:0], TABLE2_LSB[4:0], TABLE1_LSB[4:0], TABLE0_LSB[4:0]}),
        .TABLE_BITS(ALL_TABLE_BITS),
        .INIT_BITS(INIT_BITS),
        .INIT({TABLE7_INIT, TABLE6_INIT, TABLE5_INIT, TABLE4_INIT, TABLE3_INIT, TABLE2_INIT,
            TABLE1_INIT, TABLE0_INIT}),
        .ADAPTIVE(ADAPTIVE), .CANDIDATE_LSB(CANDIDATE_LSB), .CANDIDATE_BITS(CANDIDATE_BITS),
        .CANDIDATES_INIT(CANDIDATES_INIT)
    ) core (
        .clk(clk), .rst(rst), .rx_valid({in_valid, rx_valid}), .rx_vc({in_vc, rx_vc}),
        .rx_last({in_last, rx_last}), .rx_bad({{PCIE_PORTS{1'b0}}, rx_bad}),
        .rx_data({in_data, rx_data}), .rx_credit({in_credit, rx_credit}),
        .tx_valid({out_valid, tx_valid}), .tx_vc({out_vc, tx_vc}), .tx_last({out_last, tx_last}),
        .tx_bad({out_bad, tx_bad}), .tx_data({out_data, tx_data}),
        .tx_credit({out_credit, tx_credit}), .link_up({{PCIE_PORTS{1'b1}}, link_up}), .step(step),
        .table_change(table_change), .table_read(table_read), .table_entry(table_entry),
        .candidate_change(candidate_change), .candidate_read(candidate_read),
        .candidate_entry(candidate_entry), .waits(waits), .input_events(input_events),
        .output_events(output_events), .drop_valid(drop_valid),
        .drop_port(drop_port), .drop_header(drop_header)
    );

    generate
        genvar q;
        for (q = 0; q < PCIE_PORTS; q = q + 1) begin : gen_pcie
            host_port #(
                .DATA_WIDTH(DATA_WIDTH), .PCIE_WIDTH(PCIE_WIDTH), .VCS(VCS),
                .HOST_CHANNELS(HOST_CHANNELS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
                .EGRESS_FLITS(HOST_BUFFER_FLITS),
                .MAX_PACKET_FLITS(MAX_PACKET_FLITS), .LAYERS(LAYERS), .HOST_TIMEOUT(HOST_TIMEOUT),
                .PCIE_PORT(q),
                .PATHS(PATHS), .MASK_BITS(MASK_BITS), .MASKS_INIT(MASKS_INIT),
                .ADAPTIVE(ADAPTIVE),
                .FIELDS(FIELDS),
                .FIELD_LSBS({FIELD7_LSB[4:0], FIELD6_LSB[4:0], FIELD5_LSB[4:0], FIELD4_LSB[4:0],
                    FIELD3_LSB[4:0], FIELD2_LSB[4:0], FIELD1_LSB[4:0], FIELD0_LSB[4:0]}),
                .FIELD_BITS({FIELD7_BITS[4:0], FIELD6_BITS[4:0], FIELD5_BITS[4:0],
                    FIELD4_BITS[4:0], FIELD3_BITS[4:0], FIELD2_BITS[4:0], FIELD1_BITS[4:0],
                    FIELD0_BITS[4:0]}),
                .FIELD_SIZES({FIELD7_SIZE[20:0], FIELD6_SIZE[20:0], FIELD5_SIZE[20:0],
                    FIELD4_SIZE[20:0], FIELD3_SIZE[20:0], FIELD2_SIZE[20:0], FIELD1_SIZE[20:0],
                    FIELD0_SIZE[20:0]})
            ) host (
                .clk(clk), .rst(rst), .node_address(node_address), .mask_change(mask_change),
                .mask_value(mask_values[q*8 +: 8]), .layer_entry(layer_entry),
                .s_axis_tdata(s_axis_pcie_tdata[q*PCIE_WIDTH +: PCIE_WIDTH]),
                .s_axis_tkeep(s_axis_pcie_tkeep[q*BYTES +: BYTES]),
                .s_axis_tvalid(s_axis_pcie_tvalid[q]), .s_axis_tlast(s_axis_pcie_tlast[q]),
                .s_axis_tuser(s_axis_pcie_tuser[q]), .s_axis_tready(s_axis_pcie_tready[q]),
                .m_axis_tdata(m_axis_pcie_tdata[q*PCIE_WIDTH +: PCIE_WIDTH]),
                .m_axis_tkeep(m_axis_pcie_tkeep[q*BYTES +: BYTES]),
                .m_axis_tvalid(m_axis_pcie_tvalid[q]), .m_axis_tlast(m_axis_pcie_tlast[q]),
                .m_axis_tuser(m_axis_pcie_tuser[q]), .m_axis_tready(m_axis_pcie_tready[q]),
                .in_valid(in_valid[q]), .in_vc(in_vc[q*VC_BITS +: VC_BITS]), .in_last(in_last[q]),
                .in_data(in_data[q*DATA_WIDTH +: DATA_WIDTH]), .in_credit(in_credit[q*VCS +: VCS]),
                .in_wait(waits[NETWORK_PORTS + q]),
                .out_valid(out_valid[q]), .out_vc(out_vc[q*VC_BITS +: VC_BITS]),
                .out_last(out_last[q]), .out_bad(out_bad[q]),
                .out_data(out_data[q*DATA_WIDTH +: DATA_WIDTH]),
                .out_credit(out_credit[q*VCS +: VCS]), .events(pcie_events[q*EVENTS +: EVENTS])
            );
        end
    endgenerate

    control_port #(
        .KIND(1), .NETWORK_PORTS(NETWORK_PORTS), .PCIE_PORTS(PCIE_PORTS), .DATA_WIDTH(DATA_WIDTH),
        .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS), .QUEUE_FLITS(QUEUE_FLITS), .LAYERS(LAYERS),
        .TABLES(TABLES), .TABLE_BITS(ALL_TABLE_BITS), .STEPS(STEPS), .STEP(STEP),
        .ALTERNATES(ALTERNATES), .TURNS(TURNS),
        .NODE_ADDRESS(NODE_ADDRESS), .COUNTERS(COUNTERS), .COUNTER_START(COUNTER_START),
        .PATHS(PATHS), .MASK_BITS(MASK_BITS), .LAYER_ENTRY(LAYER_ENTRY),
        .CONTROL_PORT(CONTROL_PORT), .ADAPTIVE(ADAPTIVE), .CANDIDATE_BITS(CANDIDATE_BITS)
    ) control (
        .clk(clk), .rst(rst), .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .link_up(link_up), .input_events(input_events),
        .output_events(output_events), .drop_valid(drop_valid), .drop_port(drop_port),
        .drop_header(drop_header), .pcie_events(pcie_events), .table_change(table_change),
        .table_read(table_read), .table_entry(table_entry), .step(step),
        .node_address(node_address), .mask_change(mask_change), .mask_value(mask_values[7:0]),
        .layer_entry(layer_entry), .candidate_change(candidate_change),
        .candidate_read(candidate_read), .candidate_entry(candidate_entry)
    );

    // The headers on network ports never wait.
    wire unused_mask_values = &{1'b0, mask_values, waits};
endmodule
