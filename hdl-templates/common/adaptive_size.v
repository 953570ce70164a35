// adaptive_size: how long the packets are whose headers are looked up, and the size class of each
// (docs/microarchitecture.md 1.8).
// Latency: combinational. Reset: none. Limits: as switch_core.
<$ banner $>

module adaptive_size #(
    parameter HEADERS = 5,
    parameter DATA_WIDTH = 64,
    parameter MAX_PACKET_FLITS = 33,
    parameter LEFT_BITS = 6             // of a number of flits behind a header
) (
    input  wire [HEADERS*DATA_WIDTH-1:0] flit_data,
    input  wire [HEADERS-1:0]            flit_last,
    input  wire [HEADERS-1:0]            flit_bad,
    output reg  [HEADERS*LEFT_BITS-1:0]  behind,  // flits that follow the header
    output reg  [HEADERS*2-1:0]          size,    // the class, 0..3
    output reg  [HEADERS-1:0]            legal    // such a packet may commit
);
    localparam BYTES_LOG = $clog2(DATA_WIDTH / 8);
    localparam BEAT_BITS = 14 - BYTES_LOG;      // of as many beats as a length field can tell
    localparam [LEFT_BITS-1:0] ONE = 1;
    // The longest packet of each class has this many flits behind its header.
    localparam [31:0] MOST = MAX_PACKET_FLITS - 1;
    localparam [31:0] MOST_0 = MOST < 4 ? MOST : 4;
    localparam [31:0] MOST_1 = MOST < 8 ? MOST : 8;
    localparam [31:0] MOST_2 = MOST < 16 ? MOST : 16;

    // Whether a number is at most a constant, bit by bit: a few LUTs in place of a carry chain.
    function at_most(input [31:0] number, input [31:0] most);
        integer digit;
        begin
            at_most = 1'b1;
            for (digit = 0; digit < BEAT_BITS + 1; digit = digit + 1)
                at_most = most[digit] ? ~number[digit] | at_most : ~number[digit] & at_most;
        end
    endfunction

    integer port;

    always @* begin : measure
        reg [12:0] length;
        reg [31:0] halves;
        reg [LEFT_BITS-1:0] beats;

        behind = {HEADERS*LEFT_BITS{1'b0}};
        size = {HEADERS*2{1'b0}};
        legal = {HEADERS{1'b0}};
        length = 13'd0;
        halves = 32'd0;
        beats = {LEFT_BITS{1'b0}};
        for (port = 0; port < HEADERS; port = port + 1) begin
            length = flit_data[port*DATA_WIDTH + 40 +: 13];
            // In half beats, rounded up, the length is compared without an adder.
            halves = 32'd0;
            halves[BEAT_BITS-1:0] = {length[12:BYTES_LOG], |length[BYTES_LOG-1:0]};
            beats = halves[LEFT_BITS:1];
            if (halves[0])
                beats = beats + ONE;
            // Without payload the header is the last flit. A damaged header that is the last one
            // would be taken for room that is given back.
            legal[port] = flit_last[port] ? ~flit_bad[port]
                : halves != 32'd0 && at_most(halves, 2 * MOST);
            behind[port*LEFT_BITS +: LEFT_BITS]
                = beats & {LEFT_BITS{~flit_last[port]}};
            size[port*2 +: 2] = flit_last[port] || at_most(halves, 2 * MOST_0) ? 2'd0
                : at_most(halves, 2 * MOST_1) ? 2'd1 : at_most(halves, 2 * MOST_2) ? 2'd2 : 2'd3;
        end
    end

    wire unused_ok = &{1'b0, flit_data};
endmodule
