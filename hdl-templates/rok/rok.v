// rok: a splitter and combiner side by side (docs/microarchitecture.md 6.3). Structure, and
// the events of both in the form that control_port counts: core port i is branch i, core port
// PORTS + t is trunk channel t.
// Latency: 2 cycles each way without load. Throughput: one flit per cycle, trunk channel and
// direction.
// Reset: synchronous, active high. Limits: those of rok_split and rok_join.
<$ banner $>

module rok #(
    parameter PORTS = 3,                            // branches
    parameter PARALLEL = 0,                         // 0: POK_m, 1: POK_m*
    parameter TRUNKS = PARALLEL != 0 ? PORTS : 1,   // do not override
    parameter FIELD_BITS = 2,                       // bits of a local address
    parameter DATA_WIDTH = 64,                      // bits of a flit
    parameter VCS = 2,                              // virtual channels
    parameter VC_BITS = VCS > 2 ? 2 : 1,            // do not override
    parameter RX_BUFFER_FLITS = 12                  // credits per virtual channel after reset
) (
    input  wire                         clk,
    input  wire                         rst,
    // trunk
    input  wire [TRUNKS-1:0]            tk_rx_valid,
    input  wire [TRUNKS*VC_BITS-1:0]    tk_rx_vc,
    input  wire [TRUNKS-1:0]            tk_rx_last,
    input  wire [TRUNKS-1:0]            tk_rx_bad,
    input  wire [TRUNKS*DATA_WIDTH-1:0] tk_rx_data,
    output wire [TRUNKS*VCS-1:0]        tk_rx_credit,
    output wire [TRUNKS-1:0]            tk_tx_valid,
    output wire [TRUNKS*VC_BITS-1:0]    tk_tx_vc,
    output wire [TRUNKS-1:0]            tk_tx_last,
    output wire [TRUNKS-1:0]            tk_tx_bad,
    output wire [TRUNKS*DATA_WIDTH-1:0] tk_tx_data,
    input  wire [TRUNKS*VCS-1:0]        tk_tx_credit,
    // branches
    input  wire [PORTS-1:0]             br_rx_valid,
    input  wire [PORTS*VC_BITS-1:0]     br_rx_vc,
    input  wire [PORTS-1:0]             br_rx_last,
    input  wire [PORTS-1:0]             br_rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0]  br_rx_data,
    output wire [PORTS*VCS-1:0]         br_rx_credit,
    output wire [PORTS-1:0]             br_tx_valid,
    output wire [PORTS*VC_BITS-1:0]     br_tx_vc,
    output wire [PORTS-1:0]             br_tx_last,
    output wire [PORTS-1:0]             br_tx_bad,
    output wire [PORTS*DATA_WIDTH-1:0]  br_tx_data,
    input  wire [PORTS*VCS-1:0]         br_tx_credit,
    // for control_port; may be left open
    output wire [(PORTS+TRUNKS)*5-1:0]  input_events,  // as of switch_core
    output wire [(PORTS+TRUNKS)*4-1:0]  output_events,
    // One cycle later: a header was dropped; the lowest trunk that did, and the header.
    output wire                         drop_valid,
    output wire [4:0]                   drop_port,
    output wire [63:0]                  drop_header
);
    wire [PORTS-1:0]     split_sent;
    wire [PORTS-1:0]     split_sent_last;
    wire [PORTS-1:0]     split_stalled;
    wire [TRUNKS-1:0]    dropped;
    wire [TRUNKS*64-1:0] dropped_header;
    wire [TRUNKS-1:0]    join_sent;
    wire [TRUNKS-1:0]    join_sent_last;
    wire [TRUNKS-1:0]    join_stalled;

    rok_split #(
        .PORTS(PORTS), .PARALLEL(PARALLEL), .FIELD_BITS(FIELD_BITS), .DATA_WIDTH(DATA_WIDTH),
        .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) split (
        .clk(clk),
        .rst(rst),
        .tk_rx_valid(tk_rx_valid),
        .tk_rx_vc(tk_rx_vc),
        .tk_rx_last(tk_rx_last),
        .tk_rx_bad(tk_rx_bad),
        .tk_rx_data(tk_rx_data),
        .tk_rx_credit(tk_rx_credit),
        .br_tx_valid(br_tx_valid),
        .br_tx_vc(br_tx_vc),
        .br_tx_last(br_tx_last),
        .br_tx_bad(br_tx_bad),
        .br_tx_data(br_tx_data),
        .br_tx_credit(br_tx_credit),
        .sent(split_sent),
        .sent_last(split_sent_last),
        .stalled(split_stalled),
        .dropped(dropped),
        .dropped_header(dropped_header)
    );

    rok_join #(
        .PORTS(PORTS), .PARALLEL(PARALLEL), .DATA_WIDTH(DATA_WIDTH), .VCS(VCS),
        .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
    ) join_unit (
        .clk(clk),
        .rst(rst),
        .br_rx_valid(br_rx_valid),
        .br_rx_vc(br_rx_vc),
        .br_rx_last(br_rx_last),
        .br_rx_bad(br_rx_bad),
        .br_rx_data(br_rx_data),
        .br_rx_credit(br_rx_credit),
        .tk_tx_valid(tk_tx_valid),
        .tk_tx_vc(tk_tx_vc),
        .tk_tx_last(tk_tx_last),
        .tk_tx_bad(tk_tx_bad),
        .tk_tx_data(tk_tx_data),
        .tk_tx_credit(tk_tx_credit),
        .sent(join_sent),
        .sent_last(join_sent_last),
        .stalled(join_stalled)
    );

    assign input_events = {
        {2*(PORTS+TRUNKS){1'b0}}, dropped, {PORTS{1'b0}},
        tk_rx_valid & tk_rx_last, br_rx_valid & br_rx_last, tk_rx_valid, br_rx_valid
    };
    assign output_events = {
        {PORTS+TRUNKS{1'b0}}, join_stalled, split_stalled,
        join_sent & join_sent_last, split_sent_last, join_sent, split_sent
    };

    localparam [31:0] FIRST_TRUNK = PORTS;
    wire [4:0] drop_trunk;
    assign drop_port = FIRST_TRUNK[4:0] + drop_trunk;

    first_drop #(
        .PORTS(TRUNKS), .DATA_WIDTH(64)
    ) drops (
        .clk(clk),
        .rst(rst),
        .dropped(dropped),
        .data(dropped_header),
        .valid(drop_valid),
        .port(drop_trunk),
        .header(drop_header)
    );
endmodule
