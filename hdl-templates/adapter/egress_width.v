// egress_width: pieces as wide as a flit, from pcie_egress, made into the beats of one host
// (docs/microarchitecture.md 3.3).
//
// Pieces wider than a beat are split, narrower ones gathered; a header piece is always one beat.
// The host's pins are a register of their own; stalling is judged there, so that the host timeout
// counts refusals of a beat whatever the widths. With equal widths the pins are joined and nothing
// is built.
//
// Latency: a piece that completes a beat in cycle t is on the pins in cycle t + 1.
// Throughput: one beat per cycle (split), one piece per cycle (gather).
// Reset: synchronous, active high. Limits: PCIE_WIDTH and DATA_WIDTH 64, 128, 256 or 512 each.
<$ banner $>

module egress_width #(
    parameter PCIE_WIDTH = 64, // bits of a beat
    parameter DATA_WIDTH = 64  // bits of a piece
) (
    input  wire                    clk,
    input  wire                    rst,
    // from pcie_egress
    input  wire [DATA_WIDTH-1:0]   piece_data,
    input  wire [DATA_WIDTH/8-1:0] piece_keep,
    input  wire                    piece_valid,
    input  wire                    piece_last,
    input  wire                    piece_user,
    output wire                    piece_ready,
    output wire                    host_stalls, // the host refuses the beat on its pins
    output wire                    host_ends,   // it takes the last beat of a packet
    // to the host
    output wire [PCIE_WIDTH-1:0]   m_axis_tdata,
    output wire [PCIE_WIDTH/8-1:0] m_axis_tkeep,
    output wire                    m_axis_tvalid,
    output wire                    m_axis_tlast,
    output wire                    m_axis_tuser,
    input  wire                    m_axis_tready
);
    localparam BEAT_BYTES = PCIE_WIDTH / 8;
    localparam PIECE_BYTES = DATA_WIDTH / 8;

    localparam [BEAT_BYTES-1:0] ALL_BYTES = {BEAT_BYTES{1'b1}};

    assign host_stalls = m_axis_tvalid && !m_axis_tready;
    assign host_ends   = m_axis_tvalid && m_axis_tready && m_axis_tlast;

    generate
        if (PCIE_WIDTH == DATA_WIDTH) begin : gen_width
            wire unused_clock = &{1'b0, clk, rst, ALL_BYTES};

            assign {m_axis_tdata, m_axis_tkeep} = {piece_data, piece_keep};
            assign {m_axis_tvalid, m_axis_tlast, m_axis_tuser}
                = {piece_valid, piece_last, piece_user};
            assign piece_ready = m_axis_tready;
        end else begin : gen_width
            localparam LANES = PCIE_WIDTH > DATA_WIDTH
                ? PCIE_WIDTH / DATA_WIDTH : DATA_WIDTH / PCIE_WIDTH;
            localparam [LANES-1:0] FIRST_LANE = 1;

            reg             in_packet; // the piece is not a header
            reg [LANES-1:0] lane;      // beat of the piece, or piece of the beat, one-hot

            // What the pins take when they are loaded.
            reg  [PCIE_WIDTH-1:0] beat_data;
            reg  [BEAT_BYTES-1:0] beat_keep;
            wire beat_last, beat_user;

            wire can_load = !m_axis_tvalid || m_axis_tready;
            wire load; // the pins take a beat
            wire step; // a lane is done
            wire ends; // it is the last one of its piece or beat

            reg [PCIE_WIDTH+BEAT_BYTES+2:0] pins;
            assign {m_axis_tvalid, m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tdata} = pins;

            integer n;

            if (PCIE_WIDTH < DATA_WIDTH) begin : gen_lanes
                reg more; // the next lane has bytes too
                always @* begin
                    beat_data = {PCIE_WIDTH{1'b0}};
                    beat_keep = {BEAT_BYTES{1'b0}};
                    more      = 1'b0;
                    for (n = 0; n < LANES; n = n + 1) begin
                        if (lane[n]) begin
                            beat_data = beat_data | piece_data[n*PCIE_WIDTH +: PCIE_WIDTH];
                            beat_keep = beat_keep | piece_keep[n*BEAT_BYTES +: BEAT_BYTES];
                        end
                    end
                    for (n = 1; n < LANES; n = n + 1) begin
                        if (lane[n-1])
                            more = more | piece_keep[n*BEAT_BYTES];
                    end
                end

                wire unused_all_bytes = &{1'b0, ALL_BYTES};

                assign ends        = !in_packet || !more;
                assign step        = piece_valid && can_load;
                assign load        = step;
                assign piece_ready = can_load && ends;
                assign beat_last   = piece_last && ends;
                assign beat_user   = piece_user && ends;
            end else begin : gen_lanes
                reg [PCIE_WIDTH-1:0] gathered;
                reg [BEAT_BYTES-1:0] placed; // tkeep with this piece's
                always @* begin
                    beat_data = gathered;
                    placed    = {BEAT_BYTES{1'b0}};
                    for (n = 0; n < LANES; n = n + 1) begin
                        if (lane[n]) begin
                            beat_data[n*DATA_WIDTH +: DATA_WIDTH] = piece_data;
                            placed = ~(ALL_BYTES << (n*PIECE_BYTES));
                            placed[n*PIECE_BYTES +: PIECE_BYTES] = piece_keep;
                        end
                    end
                    beat_keep = (in_packet && piece_last && !piece_user) ? placed : ALL_BYTES;
                end

                assign ends        = !in_packet || piece_last || lane[LANES-1];
                assign piece_ready = can_load || !ends;
                assign step        = piece_valid && piece_ready;
                assign load        = step && ends;
                assign beat_last   = piece_last;
                assign beat_user   = piece_user;

                always @(posedge clk) begin
                    if (rst)
                        gathered <= {PCIE_WIDTH{1'b0}};
                    else if (step)
                        gathered <= ends ? {PCIE_WIDTH{1'b0}} : beat_data;
                end
            end

            always @(posedge clk) begin
                if (rst) begin
                    in_packet <= 1'b0;
                    lane      <= FIRST_LANE;
                end else if (step) begin
                    if (ends)
                        in_packet <= !piece_last;
                    lane <= ends ? FIRST_LANE : lane << 1;
                end
            end

            always @(posedge clk) begin
                if (load)
                    pins <= {1'b1, beat_user, beat_last, beat_keep, beat_data};
                if (rst || (m_axis_tready && !load))
                    pins <= {PCIE_WIDTH+BEAT_BYTES+3{1'b0}};
            end
        end
    endgenerate
endmodule
