// link_pipe: the register stages of one direction of a link (docs/microarchitecture.md 5).
//
// Flits go forward, the credits that they free come back. A cable is two of these, one for each
// direction.
//
// Latency: LATENCY cycles, both ways. Reset: synchronous, active high, everything 0.
// Limits: LATENCY 1..64; DATA_WIDTH and VCS as of the blocks.
<$ banner $>

module link_pipe #(
    parameter DATA_WIDTH = 64, // bits of a flit
    parameter VCS = 2,  // virtual channels
    parameter LATENCY = 1   // register stages
) (
    input  wire                             clk,
    input  wire                             rst,
    // the end that sends flits
    input  wire                             tx_valid,
    input  wire [((VCS > 2) ? 2 : 1) - 1:0] tx_vc,
    input  wire                             tx_last,
    input  wire                             tx_bad,
    input  wire [DATA_WIDTH-1:0]            tx_data,
    output wire [VCS-1:0]                   tx_credit,
    // the end that receives flits
    output wire                             rx_valid,
    output wire [((VCS > 2) ? 2 : 1) - 1:0] rx_vc,
    output wire                             rx_last,
    output wire                             rx_bad,
    output wire [DATA_WIDTH-1:0]            rx_data,
    input  wire [VCS-1:0]                   rx_credit
);
    localparam VC_BITS = (VCS > 2) ? 2 : 1;
    localparam MARKS = VC_BITS + 3;

    generate
        if (LATENCY < 1 || LATENCY > 64) begin : gen_check_latency
            illegal_parameter_LATENCY_must_be_1_to_64 stop ();
        end
    endgenerate

    // Stage 0 in the low bits.
    reg [LATENCY*DATA_WIDTH-1:0] data;
    reg [LATENCY*MARKS-1:0]      marks; // {valid, last, bad, vc}
    reg [LATENCY*VCS-1:0]        credit;

    // What comes in, and behind it all stages, of which the last drives the far end.
    wire [(LATENCY+1)*DATA_WIDTH-1:0] all_data   = {data, tx_data};
    wire [(LATENCY+1)*MARKS-1:0]      all_marks  = {marks, tx_valid, tx_last, tx_bad, tx_vc};
    wire [(LATENCY+1)*VCS-1:0]        all_credit = {credit, rx_credit};

    assign rx_data   = all_data[LATENCY*DATA_WIDTH +: DATA_WIDTH];
    assign tx_credit = all_credit[LATENCY*VCS +: VCS];
    assign {rx_valid, rx_last, rx_bad, rx_vc} = all_marks[LATENCY*MARKS +: MARKS];

    always @(posedge clk)
        if (rst) begin
            data   <= {LATENCY{{DATA_WIDTH{1'b0}}}};
            marks  <= {(LATENCY * MARKS){1'b0}};
            credit <= {(LATENCY * VCS){1'b0}};
        end else begin
            data   <= all_data[LATENCY*DATA_WIDTH-1:0];
            marks  <= all_marks[LATENCY*MARKS-1:0];
            credit <= all_credit[LATENCY*VCS-1:0];
        end
endmodule
