// rok_join: combiner of a POK unit, PORTS branches to one trunk, packet by packet and fair, without
// a look at addresses (docs/microarchitecture.md 6.2). Structure only.
// PARALLEL = 0 (POK_m): one trunk channel takes all branches. PARALLEL = 1 (POK_m*): PORTS trunk
// channels, channel i takes branch i alone.
// Latency: 2 cycles from br_rx to tk_tx without load. Throughput: a flit per cycle and trunk
// channel.
// Reset: synchronous, active high.
// Limits: PORTS 2..16, DATA_WIDTH 64, 128, 256 or 512, VCS 1, 2 or 4, RX_BUFFER_FLITS 4..256.
<$ banner $>

module rok_join #(
    parameter PORTS = 3,                            // branches
    parameter PARALLEL = 0,
    parameter TRUNKS = PARALLEL != 0 ? PORTS : 1,   // do not override
    parameter DATA_WIDTH = 64,                      // bits of a flit
    parameter VCS = 2,                              // virtual channels
    parameter VC_BITS = VCS > 2 ? 2 : 1,            // do not override
    parameter RX_BUFFER_FLITS = 12                  // credits per virtual channel after reset
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [PORTS-1:0]             br_rx_valid,
    input  wire [PORTS*VC_BITS-1:0]     br_rx_vc,
    input  wire [PORTS-1:0]             br_rx_last,
    input  wire [PORTS-1:0]             br_rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0]  br_rx_data,
    output wire [PORTS*VCS-1:0]         br_rx_credit,
    output wire [TRUNKS-1:0]            tk_tx_valid,
    output wire [TRUNKS*VC_BITS-1:0]    tk_tx_vc,
    output wire [TRUNKS-1:0]            tk_tx_last,
    output wire [TRUNKS-1:0]            tk_tx_bad,
    output wire [TRUNKS*DATA_WIDTH-1:0] tk_tx_data,
    input  wire [TRUNKS*VCS-1:0]        tk_tx_credit,
    // events of this cycle, by trunk channel
    output wire [TRUNKS-1:0]            sent,       // a flit is popped
    output wire [TRUNKS-1:0]            sent_last,  // and is the last of its packet
    output wire [TRUNKS-1:0]            stalled     // a flit waits and none is popped
);
    localparam TAKEN = PORTS / TRUNKS; // branches of a trunk channel

    generate
        if (PORTS < 2 || PORTS > 16) begin : gen_check_ports
            illegal_parameter_PORTS_must_be_2_to_16 stop ();
        end

        genvar t;
        for (t = 0; t < TRUNKS; t = t + 1) begin : gen_trunk
            rok_join_channel #(
                .BRANCHES(TAKEN),
                .DATA_WIDTH(DATA_WIDTH),
                .VCS(VCS),
                .RX_BUFFER_FLITS(RX_BUFFER_FLITS)
            ) trunk (
                .clk(clk),
                .rst(rst),
                .br_rx_valid(br_rx_valid[t*TAKEN +: TAKEN]),
                .br_rx_vc(br_rx_vc[t*TAKEN*VC_BITS +: TAKEN*VC_BITS]),
                .br_rx_last(br_rx_last[t*TAKEN +: TAKEN]),
                .br_rx_bad(br_rx_bad[t*TAKEN +: TAKEN]),
                .br_rx_data(br_rx_data[t*TAKEN*DATA_WIDTH +: TAKEN*DATA_WIDTH]),
                .br_rx_credit(br_rx_credit[t*TAKEN*VCS +: TAKEN*VCS]),
                .tk_tx_valid(tk_tx_valid[t]),
                .tk_tx_vc(tk_tx_vc[t*VC_BITS +: VC_BITS]),
                .tk_tx_last(tk_tx_last[t]),
                .tk_tx_bad(tk_tx_bad[t]),
                .tk_tx_data(tk_tx_data[t*DATA_WIDTH +: DATA_WIDTH]),
                .tk_tx_credit(tk_tx_credit[t*VCS +: VCS]),
                .sent(sent[t]),
                .sent_last(sent_last[t]),
                .stalled(stalled[t])
            );
        end
    endgenerate
endmodule
