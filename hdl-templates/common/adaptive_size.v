// adaptive_size: how long the packets are whose headers are at the inputs, and the size class of
// each (docs/microarchitecture.md 1.8).
// Latency: combinational. Reset: none. Limits: as switch_core.
<$ banner $>

module adaptive_size #(
    parameter PORTS = 10,
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}}, // the others have no headers
    parameter DATA_WIDTH = 64,
    parameter MAX_PACKET_FLITS = 33,
    parameter LEFT_BITS = 6             // of a number of flits behind a header
) (
    input  wire [PORTS*DATA_WIDTH-1:0] flit_data,
    input  wire [PORTS-1:0]            flit_last,
    input  wire [PORTS-1:0]            flit_bad,
    output reg  [PORTS*LEFT_BITS-1:0]  behind,  // flits that follow the header
    output reg  [PORTS*2-1:0]          size,    // the class, 0..3
    output reg  [PORTS-1:0]            legal    // such a packet may commit
);
    localparam BYTES_LOG = $clog2(DATA_WIDTH / 8);
    localparam BEAT_BITS = 14 - BYTES_LOG;      // of as many beats as a length field can tell
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
            for (digit = 0; digit < BEAT_BITS; digit = digit + 1)
                at_most = most[digit] ? ~number[digit] | at_most : ~number[digit] & at_most;
        end
    endfunction

    integer port;

    always @* begin : measure
        reg [12:0] length;
        reg [31:0] beats;

        behind = {PORTS*LEFT_BITS{1'b0}};
        size = {PORTS*2{1'b0}};
        legal = {PORTS{1'b0}};
        length = 13'd0;
        beats = 32'd0;
        for (port = 0; port < PORTS; port = port + 1) if (BUILT[port]) begin
            length = flit_data[port*DATA_WIDTH + 40 +: 13];
            beats = 32'd0;
            beats[BEAT_BITS-1:0] = {1'b0, length[12:BYTES_LOG]}
                + {{BEAT_BITS-1{1'b0}}, |length[BYTES_LOG-1:0]};
            // Without payload the header is the last flit. A damaged header that is the last one
            // would be taken for room that is given back.
            legal[port] = flit_last[port] ? ~flit_bad[port]
                : beats != 32'd0 && at_most(beats, MOST);
            behind[port*LEFT_BITS +: LEFT_BITS]
                = beats[LEFT_BITS-1:0] & {LEFT_BITS{~flit_last[port]}};
            size[port*2 +: 2] = flit_last[port] || at_most(beats, MOST_0) ? 2'd0
                : at_most(beats, MOST_1) ? 2'd1 : at_most(beats, MOST_2) ? 2'd2 : 2'd3;
        end
    end

    wire unused_ok = &{1'b0, flit_data};
endmodule
