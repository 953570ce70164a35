// switch_block: switch core with PORTS network ports and a control port.
// Latency: 5 cycles from rx to tx without load, with ADAPTIVE 6.
// Throughput: one flit per cycle and output. Reset: synchronous, active high; routing tables keep
// their contents. Links are described in docs/microarchitecture.md.
// Limits: PORTS 2..16, DATA_WIDTH 64, 128, 256 or 512, VCS 1, 2 or 4, RX_BUFFER_FLITS 4..256,
// QUEUE_FLITS a power of two 8..1024 and at least RX_BUFFER_FLITS + 2, BANKS 1..PORTS, LAYERS 1..8,
// TABLES 1..8; with SWITCHING_VCT RX_BUFFER_FLITS >= MAX_PACKET_FLITS. ADAPTIVE needs VCS >= 2,
// LAYERS 1, RX_BUFFER_FLITS >= MAX_PACKET_FLITS, no SWITCHING_VCT and CANDIDATE_BITS 0..12.
<$ banner $>

module switch_block #(
    parameter PORTS = 10,
    parameter DATA_WIDTH = 64,
    parameter VCS = 1,
    parameter VC_BITS = VCS > 2 ? 2 : 1, // do not override
    parameter RX_BUFFER_FLITS = 62,
    parameter QUEUE_FLITS = 64,
    parameter BANKS = 2,
    parameter MAX_PACKET_FLITS = 33,
    parameter SWITCHING_VCT = 0,
    parameter LAYERS = 1,
    parameter TABLES = 1,               // entry e of table n is TABLEn_INIT[16*e +: 16]
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
    parameter STEPS = 1,                // 0: no packet goes a channel up, STEP is 0
    parameter ALTERNATES = 1,           // 0: no table entry names an alternate port
    parameter [PORTS*PORTS-1:0] TURNS = {PORTS*PORTS{1'b1}}, // turns from i to o: bit i * PORTS + o
    parameter [PORTS*PORTS-1:0] STEP = {PORTS*PORTS{1'b0}}, // bit i * PORTS + o
    parameter COUNTERS = 1,
    parameter [31:0] COUNTER_START = 32'd0, // value of all counters after a reset
    parameter CONTROL_PORT = 1,
    // 1: over any shortest cable that has room. Bit o of candidate a is in bits [PORTS*a +: PORTS].
    parameter ADAPTIVE = 0,
    parameter CANDIDATE_LSB = 0, CANDIDATE_BITS = 0,
    parameter [(PORTS<<CANDIDATE_BITS)-1:0] CANDIDATES_INIT = 0
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [PORTS-1:0]            rx_valid,
    input  wire [PORTS*VC_BITS-1:0]    rx_vc,
    input  wire [PORTS-1:0]            rx_last,
    input  wire [PORTS-1:0]            rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0] rx_data,
    output wire [PORTS*VCS-1:0]        rx_credit,
    output wire [PORTS-1:0]            tx_valid,
    output wire [PORTS*VC_BITS-1:0]    tx_vc,
    output wire [PORTS-1:0]            tx_last,
    output wire [PORTS-1:0]            tx_bad,
    output wire [PORTS*DATA_WIDTH-1:0] tx_data,
    input  wire [PORTS*VCS-1:0]        tx_credit,
    input  wire [PORTS-1:0]            link_up,
    input  wire [19:0]                 s_axil_awaddr,
    input  wire                        s_axil_awvalid,
    output wire                        s_axil_awready,
    input  wire [31:0]                 s_axil_wdata,
    input  wire [3:0]                  s_axil_wstrb,
    input  wire                        s_axil_wvalid,
    output wire                        s_axil_wready,
    output wire [1:0]                  s_axil_bresp,
    output wire                        s_axil_bvalid,
    input  wire                        s_axil_bready,
    input  wire [19:0]                 s_axil_araddr,
    input  wire                        s_axil_arvalid,
    output wire                        s_axil_arready,
    output wire [31:0]                 s_axil_rdata,
    output wire [1:0]                  s_axil_rresp,
    output wire                        s_axil_rvalid,
    input  wire                        s_axil_rready
);
    localparam [31:0] ALL_TABLE_BITS = {TABLE7_BITS[3:0], TABLE6_BITS[3:0], TABLE5_BITS[3:0],
        TABLE4_BITS[3:0], TABLE3_BITS[3:0], TABLE2_BITS[3:0], TABLE1_BITS[3:0], TABLE0_BITS[3:0]};
    localparam INIT_BITS = 16 * ((LAYERS << TABLE0_BITS) + (LAYERS << TABLE1_BITS)
        + (LAYERS << TABLE2_BITS) + (LAYERS << TABLE3_BITS) + (LAYERS << TABLE4_BITS)
        + (LAYERS << TABLE5_BITS) + (LAYERS << TABLE6_BITS) + (LAYERS << TABLE7_BITS));

    wire [31:0] table_change;
    wire [15:0] table_read, table_entry;
    wire [PORTS*PORTS-1:0] step;
    localparam EVENTS = ADAPTIVE != 0 ? 8 : 5;
    wire [PORTS*EVENTS-1:0] input_events;
    wire [PORTS*4-1:0] output_events;
    wire       drop_valid;
    wire [4:0] drop_port;
    wire [63:0] drop_header;
    wire [19:0] node_address;
    wire [25:0] mask_change;
    wire [15:0] layer_entry;
    wire [36:0] candidate_change;
    wire [11:0] candidate_read;
    wire [23:0] candidate_entry;
    wire [PORTS-1:0] waits;

    switch_core #(
        .PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .QUEUE_FLITS(QUEUE_FLITS), .BANKS(BANKS), .MAX_PACKET_FLITS(MAX_PACKET_FLITS),
        .SWITCHING_VCT(SWITCHING_VCT),
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
        .clk(clk), .rst(rst), .rx_valid(rx_valid), .rx_vc(rx_vc), .rx_last(rx_last),
        .rx_bad(rx_bad), .rx_data(rx_data), .rx_credit(rx_credit), .tx_valid(tx_valid),
        .tx_vc(tx_vc), .tx_last(tx_last), .tx_bad(tx_bad), .tx_data(tx_data), .tx_credit(tx_credit),
        .link_up(link_up), .step(step), .table_change(table_change), .table_read(table_read),
        .table_entry(table_entry), .candidate_change(candidate_change),
        .candidate_read(candidate_read), .candidate_entry(candidate_entry), .waits(waits),
        .input_events(input_events), .output_events(output_events), .drop_valid(drop_valid),
        .drop_port(drop_port), .drop_header(drop_header)
    );

    control_port #(
        .KIND(0), .NETWORK_PORTS(PORTS), .PCIE_PORTS(0), .DATA_WIDTH(DATA_WIDTH), .VCS(VCS),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS), .QUEUE_FLITS(QUEUE_FLITS), .LAYERS(LAYERS),
        .TABLES(TABLES), .TABLE_BITS(ALL_TABLE_BITS), .STEPS(STEPS), .STEP(STEP),
        .ALTERNATES(ALTERNATES), .TURNS(TURNS),
        .COUNTERS(COUNTERS), .COUNTER_START(COUNTER_START), .CONTROL_PORT(CONTROL_PORT),
        .ADAPTIVE(ADAPTIVE), .CANDIDATE_BITS(CANDIDATE_BITS)
    ) control (
        .clk(clk), .rst(rst), .s_axil_awaddr(s_axil_awaddr), .s_axil_awvalid(s_axil_awvalid),
        .s_axil_awready(s_axil_awready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_bresp(s_axil_bresp),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .link_up(link_up), .input_events(input_events),
        .output_events(output_events), .drop_valid(drop_valid), .drop_port(drop_port),
        .drop_header(drop_header), .pcie_events(14'd0), .table_change(table_change),
        .table_read(table_read), .table_entry(table_entry), .step(step),
        .node_address(node_address), .mask_change(mask_change), .mask_value(8'd0),
        .layer_entry(layer_entry), .candidate_change(candidate_change),
        .candidate_read(candidate_read), .candidate_entry(candidate_entry)
    );

    // Parameters before they are cut to the widths in which they are handed on.
    function outside(input integer value, input integer most);
        outside = value < 0 || value > most;
    endfunction

    generate
        if (PORTS < 2 || PORTS > 16) begin : gen_check_ports
            illegal_parameter_PORTS_must_be_2_to_16 stop ();
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
    endgenerate

    // A switch block has no address, no layers to choose and no hosts that wait.
    wire unused_ok = &{1'b0, node_address, mask_change, layer_entry, waits};
endmodule
