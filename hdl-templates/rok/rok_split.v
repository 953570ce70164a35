// rok_split: splitter of a POK unit, one trunk to PORTS branches by the lowest local address of
// each header, which it strips (docs/microarchitecture.md 6.1). Structure only.
// PARALLEL = 0 (POK_m): one trunk channel for all branches, one packet at a time on each virtual
// channel. PARALLEL = 1 (POK_m*): PORTS trunk channels, channel i leads to branch i alone.
// Latency: 2 cycles from tk_rx to br_tx without load. Throughput: a flit per cycle and trunk
// channel.
// Reset: synchronous, active high.
// Limits: PORTS 2..16, FIELD_BITS 1..4 and 1 << FIELD_BITS >= PORTS, DATA_WIDTH 64, 128, 256 or
// 512, VCS 1, 2 or 4, RX_BUFFER_FLITS 4..256.
<$ banner $>

module rok_split #(
    parameter PORTS = 3,                            // branches
    parameter PARALLEL = 0,
    parameter TRUNKS = PARALLEL != 0 ? PORTS : 1,   // do not override
    parameter FIELD_BITS = 2,                       // bits of a local address
    parameter DATA_WIDTH = 64,                      // bits of a flit
    parameter VCS = 2,                              // virtual channels
    parameter VC_BITS = VCS > 2 ? 2 : 1,            // do not override
    parameter RX_BUFFER_FLITS = 12                  // credits per virtual channel after reset
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [TRUNKS-1:0]            tk_rx_valid,
    input  wire [TRUNKS*VC_BITS-1:0]    tk_rx_vc,
    input  wire [TRUNKS-1:0]            tk_rx_last,
    input  wire [TRUNKS-1:0]            tk_rx_bad,
    input  wire [TRUNKS*DATA_WIDTH-1:0] tk_rx_data,
    output wire [TRUNKS*VCS-1:0]        tk_rx_credit,
    output wire [PORTS-1:0]             br_tx_valid,
    output wire [PORTS*VC_BITS-1:0]     br_tx_vc,
    output wire [PORTS-1:0]             br_tx_last,
    output wire [PORTS-1:0]             br_tx_bad,
    output wire [PORTS*DATA_WIDTH-1:0]  br_tx_data,
    input  wire [PORTS*VCS-1:0]         br_tx_credit,
    // events of this cycle, by branch and by trunk channel
    output wire [PORTS-1:0]             sent,       // a flit is popped for the branch
    output wire [PORTS-1:0]             sent_last,  // and is the last of its packet
    output wire [PORTS-1:0]             stalled,    // a flit waits for the branch, none is popped
    output wire [TRUNKS-1:0]            dropped,    // a header is dropped
    output wire [TRUNKS*64-1:0]         dropped_header
);
    localparam SERVED = PORTS / TRUNKS; // branches of a trunk channel

    generate
        if (PORTS < 2 || PORTS > 16) begin : gen_check_ports
            illegal_parameter_PORTS_must_be_2_to_16 stop ();
        end
        if (FIELD_BITS < 1 || FIELD_BITS > 4 || 1 << FIELD_BITS < PORTS) begin : gen_check_field
            illegal_parameter_FIELD_BITS_must_be_1_to_4_and_number_all_PORTS stop ();
        end

        genvar t;
        for (t = 0; t < TRUNKS; t = t + 1) begin : gen_trunk
            wire last;
            rok_split_channel #(
                .BRANCHES(SERVED),
                .FIRST_BRANCH(t),
                .FIELD_BITS(FIELD_BITS),
                .DATA_WIDTH(DATA_WIDTH),
                .VCS(VCS),
                .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
            ) trunk (
                .clk(clk),
                .rst(rst),
                .tk_rx_valid(tk_rx_valid[t]),
                .tk_rx_vc(tk_rx_vc[t*VC_BITS +: VC_BITS]),
                .tk_rx_last(tk_rx_last[t]),
                .tk_rx_bad(tk_rx_bad[t]),
                .tk_rx_data(tk_rx_data[t*DATA_WIDTH +: DATA_WIDTH]),
                .tk_rx_credit(tk_rx_credit[t*VCS +: VCS]),
                .br_tx_valid(br_tx_valid[t*SERVED +: SERVED]),
                .br_tx_vc(br_tx_vc[t*SERVED*VC_BITS +: SERVED*VC_BITS]),
                .br_tx_last(br_tx_last[t*SERVED +: SERVED]),
                .br_tx_bad(br_tx_bad[t*SERVED +: SERVED]),
                .br_tx_data(br_tx_data[t*SERVED*DATA_WIDTH +: SERVED*DATA_WIDTH]),
                .br_tx_credit(br_tx_credit[t*SERVED*VCS +: SERVED*VCS]),
                .sent(sent[t*SERVED +: SERVED]),
                .sent_last(last),
                .stalled(stalled[t*SERVED +: SERVED]),
                .dropped(dropped[t]),
                .dropped_header(dropped_header[t*64 +: 64])
            );
            assign sent_last[t*SERVED +: SERVED] = sent[t*SERVED +: SERVED] & {SERVED{last}};
        end
    endgenerate
endmodule
