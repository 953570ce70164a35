// ingress_width: beats of one host made into pieces as wide as a flit, for pcie_ingress
// (docs/microarchitecture.md 3.3).
//
// Wide beats are split, narrow ones gathered; a header beat is always one piece. A beat whose tkeep
// is not legal becomes a piece with tkeep 0, or leaves a hole in that of its piece: pcie_ingress
// counts both as such. With equal widths the pins are joined and nothing is built.
//
// Latency: a beat taken in cycle t gives its first piece, or completes its piece, in cycle t + 1.
// Throughput: one piece per cycle (split), one beat per cycle (gather).
// Reset: synchronous, active high; clears everything but buffered data.
// Limits: PCIE_WIDTH and DATA_WIDTH 64, 128, 256 or 512 each.
<$ banner $>

module ingress_width #(
    parameter PCIE_WIDTH = 64, // bits of a beat
    parameter DATA_WIDTH = 64  // bits of a piece
) (
    input  wire                    clk,
    input  wire                    rst,
    // from the host
    input  wire [PCIE_WIDTH-1:0]   s_axis_tdata,
    input  wire [PCIE_WIDTH/8-1:0] s_axis_tkeep,
    input  wire                    s_axis_tvalid,
    input  wire                    s_axis_tlast,
    input  wire                    s_axis_tuser,
    output wire                    s_axis_tready,
    // to pcie_ingress
    output wire [DATA_WIDTH-1:0]   piece_data,
    output wire [DATA_WIDTH/8-1:0] piece_keep,
    output wire                    piece_valid,
    output wire                    piece_last,
    output wire                    piece_user,
    input  wire                    piece_ready
);
    localparam BEAT_BYTES = PCIE_WIDTH / 8;
    localparam PIECE_BYTES = DATA_WIDTH / 8;

    localparam [PIECE_BYTES-1:0] ALL_BYTES = {PIECE_BYTES{1'b1}};
    localparam [PIECE_BYTES-1:0] NO_BYTES = {PIECE_BYTES{1'b0}};

    generate
        if (PCIE_WIDTH != 64 && PCIE_WIDTH != 128 && PCIE_WIDTH != 256 && PCIE_WIDTH != 512)
        begin : gen_check_pcie_width
            illegal_parameter_PCIE_WIDTH_must_be_64_128_256_or_512 stop ();
        end

        if (PCIE_WIDTH == DATA_WIDTH) begin : gen_width
            wire unused_clock = &{1'b0, clk, rst, ALL_BYTES, NO_BYTES};

            assign {piece_data, piece_keep} = {s_axis_tdata, s_axis_tkeep};
            assign {piece_valid, piece_last, piece_user}
                = {s_axis_tvalid, s_axis_tlast, s_axis_tuser};
            assign s_axis_tready = piece_ready;
        end else if (PCIE_WIDTH > DATA_WIDTH) begin : gen_width
            localparam LANES = PCIE_WIDTH / DATA_WIDTH;
            localparam [LANES-1:0] FIRST_LANE = 1;

            wire [PCIE_WIDTH-1:0] data;
            wire [BEAT_BYTES-1:0] keep;
            wire last, user, filled, pop;

            beat_buffer #(.WIDTH(PCIE_WIDTH + BEAT_BYTES + 2)) beat_buffer (
                .clk(clk), .rst(rst), .push(s_axis_tvalid && s_axis_tready),
                .push_data({s_axis_tuser, s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
                .room(s_axis_tready), .pop(pop), .filled(filled), .head({user, last, keep, data})
            );

            reg             in_packet; // the oldest beat is payload
            reg [LANES-1:0] lane;      // piece that is offered, one-hot

            wire full  = &keep;
            wire hole  = |(keep[BEAT_BYTES-1:1] & ~keep[BEAT_BYTES-2:0]);
            wire legal = in_packet ? (last ? keep[0] && !hole : full)
                                   : (&keep[7:0]) && !hole && (last || full);

            reg [DATA_WIDTH-1:0]  lane_data;
            reg [PIECE_BYTES-1:0] lane_keep;
            reg                   more; // the next lane has bytes too
            integer n;
            always @* begin
                lane_data = {DATA_WIDTH{1'b0}};
                lane_keep = NO_BYTES;
                more      = 1'b0;
                for (n = 0; n < LANES; n = n + 1) begin
                    if (lane[n]) begin
                        lane_data = lane_data | data[n*DATA_WIDTH +: DATA_WIDTH];
                        lane_keep = lane_keep | keep[n*PIECE_BYTES +: PIECE_BYTES];
                    end
                end
                for (n = 1; n < LANES; n = n + 1) begin
                    if (lane[n-1])
                        more = more | keep[n*PIECE_BYTES];
                end
            end

            wire last_piece = !in_packet || !legal || !more;

            assign piece_data  = lane_data;
            assign piece_keep  = !legal ? NO_BYTES : in_packet ? lane_keep : ALL_BYTES;
            assign piece_valid = filled;
            assign piece_last  = last && last_piece;
            assign piece_user  = user && last_piece;

            wire take = filled && piece_ready;
            assign pop = take && last_piece;

            always @(posedge clk) begin
                if (rst) begin
                    in_packet <= 1'b0;
                    lane      <= FIRST_LANE;
                end else if (take) begin
                    if (last_piece)
                        in_packet <= !last;
                    lane <= last_piece ? FIRST_LANE : lane << 1;
                end
            end
        end else begin : gen_width
            localparam LANES = DATA_WIDTH / PCIE_WIDTH;
            localparam [LANES-1:0] FIRST_LANE = 1;

            reg                   in_packet; // the next beat is payload
            reg [LANES-1:0]       lane;      // place of the next beat in its piece, one-hot
            reg [DATA_WIDTH-1:0]  gathered_data;
            reg [PIECE_BYTES-1:0] gathered_keep;

            wire full  = &s_axis_tkeep;
            wire hole  = |(s_axis_tkeep[BEAT_BYTES-1:1] & ~s_axis_tkeep[BEAT_BYTES-2:0]);
            wire legal = in_packet ? (s_axis_tlast ? s_axis_tkeep[0] && !hole : full)
                                   : (&s_axis_tkeep[7:0]) && !hole && (s_axis_tlast || full);

            reg [DATA_WIDTH-1:0]  data; // gathered, with this beat
            reg [PIECE_BYTES-1:0] keep;
            integer n;
            always @* begin
                data = gathered_data;
                keep = gathered_keep;
                for (n = 0; n < LANES; n = n + 1) begin
                    if (lane[n]) begin
                        data[n*PCIE_WIDTH +: PCIE_WIDTH] = s_axis_tdata;
                        keep[n*BEAT_BYTES +: BEAT_BYTES] = s_axis_tkeep;
                    end
                end
            end

            wire whole = !in_packet || s_axis_tlast || lane[LANES-1];
            wire take  = s_axis_tvalid && s_axis_tready;

            // A beat before the completing one that is not legal leaves a 0 in its part of keep,
            // which makes the piece not legal too.
            wire [PIECE_BYTES-1:0] whole_keep = !legal ? NO_BYTES : in_packet ? keep : ALL_BYTES;

            always @(posedge clk) begin
                if (rst) begin
                    in_packet     <= 1'b0;
                    lane          <= FIRST_LANE;
                    gathered_data <= {DATA_WIDTH{1'b0}};
                    gathered_keep <= NO_BYTES;
                end else if (take) begin
                    in_packet     <= !s_axis_tlast;
                    lane          <= whole ? FIRST_LANE : lane << 1;
                    gathered_data <= whole ? {DATA_WIDTH{1'b0}} : data;
                    gathered_keep <= whole ? NO_BYTES : keep;
                end
            end

            beat_buffer #(.WIDTH(DATA_WIDTH + PIECE_BYTES + 2)) beat_buffer (
                .clk(clk), .rst(rst), .push(take && whole),
                .push_data({s_axis_tuser, s_axis_tlast, whole_keep, data}), .room(s_axis_tready),
                .pop(piece_valid && piece_ready), .filled(piece_valid),
                .head({piece_user, piece_last, piece_keep, piece_data})
            );
        end
    endgenerate
endmodule
