// crossbar: one output column of the crossbar, from allocation to the tx registers.
// A one-hot AND-OR over the memory outputs of one bank of every input, flanked by the pipeline
// registers that carry the choice along while the memories are read.
// Latency: a match in cycle m is on the tx pins in cycle m + 2 (+1 with REGISTER_READ).
// Reset: synchronous, active high. Idle: all tx fields 0. Limits: BANK < BANKS.
<$ banner $>
`default_nettype none

module crossbar #(
    parameter INPUTS = 10,
    parameter DATA_WIDTH = 64,
    parameter VC_BITS = 1,
    parameter BANKS = 2,
    parameter BANK = 0,
    parameter REGISTER_READ = 0
) (
    input  wire                               clk,
    input  wire                               rst,
    input  wire                               match_valid,
    input  wire [VC_BITS-1:0]                 match_vc,
    input  wire [INPUTS-1:0]                  match_input,
    // bank b of input i at i * BANKS + b: {0, bad, last, data}
    input  wire [BANKS*INPUTS*(DATA_WIDTH+32)-1:0] read_word,
    output reg                                tx_valid,
    output reg  [VC_BITS-1:0]                 tx_vc,
    output reg                                tx_last,
    output reg                                tx_bad,
    output reg  [DATA_WIDTH-1:0]              tx_data
);
    localparam WORD_STRIDE = DATA_WIDTH + 32;

    wire fetch_valid;
    wire [VC_BITS-1:0] fetch_vc;
    wire [INPUTS-1:0] fetch_input;
    reg fetched_valid;
    reg [VC_BITS-1:0] fetched_vc;
    reg [INPUTS-1:0] fetched_input;

    generate
        if (REGISTER_READ != 0) begin : gen_register_read
            reg read_valid;
            reg [VC_BITS-1:0] read_vc;
            reg [INPUTS-1:0] read_input;
            always @(posedge clk) begin
                read_valid <= match_valid & ~rst;
                read_vc <= match_vc;
                read_input <= match_input;
            end
            assign fetch_valid = read_valid;
            assign fetch_vc = read_vc;
            assign fetch_input = read_input;
        end else begin : gen_direct_read
            assign fetch_valid = match_valid;
            assign fetch_vc = match_vc;
            assign fetch_input = match_input;
        end
    endgenerate

    always @(posedge clk) begin : column
        reg [DATA_WIDTH+1:0] word;
        integer number;

        if (rst) begin
            fetched_valid <= 1'b0;
            fetched_input <= {INPUTS{1'b0}};
            tx_valid <= 1'b0;
            tx_vc <= {VC_BITS{1'b0}};
            tx_last <= 1'b0;
            tx_bad <= 1'b0;
            tx_data <= {DATA_WIDTH{1'b0}};
        end else if (fetch_valid | fetched_valid | tx_valid) begin
            fetched_valid <= fetch_valid;
            fetched_vc <= fetch_vc;
            fetched_input <= fetch_input & {INPUTS{fetch_valid}};
            word = {DATA_WIDTH+2{1'b0}};
            for (number = 0; number < INPUTS; number = number + 1)
                if (fetched_input[number])
                    word = word | read_word[(number*BANKS + BANK)*WORD_STRIDE +: DATA_WIDTH+2];
            tx_valid <= fetched_valid;
            tx_vc <= fetched_vc & {VC_BITS{fetched_valid}};
            tx_last <= word[DATA_WIDTH];
            tx_bad <= word[DATA_WIDTH+1];
            tx_data <= word[DATA_WIDTH-1:0];
        end
    end
endmodule

`default_nettype wire
