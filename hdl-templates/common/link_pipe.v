// link_pipe: the register stages of one direction of a link (docs/microarchitecture.md 5).
//
// Flits go forward, the credits that they free come back. A cable is two of these, one for each
// direction.
//
// Latency: LATENCY cycles, both ways. Reset: synchronous, active high, everything 0.
// Limits: LATENCY 1..64; DATA_WIDTH 64, 128, 256, 512; VCS 1, 2, 4.
<$ banner $>
`default_nettype none

module link_pipe #(
    parameter integer DATA_WIDTH = 64, // bits of a flit
    parameter integer VCS        = 2,  // virtual channels
    parameter integer LATENCY    = 1   // register stages
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
    localparam integer VC_BITS = (VCS > 2) ? 2 : 1;
    localparam integer MARKS   = VC_BITS + 3;

    generate
        if (DATA_WIDTH != 64 && DATA_WIDTH != 128 && DATA_WIDTH != 256 && DATA_WIDTH != 512)
        begin : gen_check_data_width
            illegal_parameter_DATA_WIDTH_must_be_64_128_256_or_512 stop ();
        end
        if (VCS != 1 && VCS != 2 && VCS != 4) begin : gen_check_vcs
            illegal_parameter_VCS_must_be_1_2_or_4 stop ();
        end
        if (LATENCY < 1 || LATENCY > 64) begin : gen_check_latency
            illegal_parameter_LATENCY_must_be_1_to_64 stop ();
        end
    endgenerate

    // Stage 0 in the low bits; the last stage drives the far end.
    reg [LATENCY*DATA_WIDTH-1:0] data;
    reg [LATENCY*MARKS-1:0]      marks; // {valid, last, bad, vc}
    reg [LATENCY*VCS-1:0]        credit;

    wire [MARKS-1:0] tx_marks = {tx_valid, tx_last, tx_bad, tx_vc};

    assign rx_data   = data[(LATENCY-1)*DATA_WIDTH +: DATA_WIDTH];
    assign tx_credit = credit[(LATENCY-1)*VCS +: VCS];
    assign {rx_valid, rx_last, rx_bad, rx_vc} = marks[(LATENCY-1)*MARKS +: MARKS];

    generate
        if (LATENCY == 1) begin : gen_stages
            always @(posedge clk) begin
                if (rst) begin
                    data   <= {DATA_WIDTH{1'b0}};
                    marks  <= {MARKS{1'b0}};
                    credit <= {VCS{1'b0}};
                end else begin
                    data   <= tx_data;
                    marks  <= tx_marks;
                    credit <= rx_credit;
                end
            end
        end else begin : gen_stages
            always @(posedge clk) begin
                if (rst) begin
                    data   <= {(LATENCY * DATA_WIDTH){1'b0}};
                    marks  <= {(LATENCY * MARKS){1'b0}};
                    credit <= {(LATENCY * VCS){1'b0}};
                end else begin
                    data   <= {data[(LATENCY-1)*DATA_WIDTH-1:0], tx_data};
                    marks  <= {marks[(LATENCY-1)*MARKS-1:0], tx_marks};
                    credit <= {credit[(LATENCY-1)*VCS-1:0], rx_credit};
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
