// adaptive_room: the flits that may still be promised to the block behind an output, in place of
// the credits of channel A (docs/microarchitecture.md 1.8). A packet takes room for all its flits
// when it commits, so nothing is asked when they leave.
// What a commit takes comes late, so it is kept in a register of its own for a cycle, and `room` is
// the sum of registers. A level shows the room at the start of the cycle before, and none after a
// commit or when the link was down, so it never shows more than there is.
// Latency: a cycle from the room to its level. Reset: synchronous, active high: room for
// RX_BUFFER_FLITS. Limits: MAX_PACKET_FLITS at most RX_BUFFER_FLITS.
<$ banner $>

module adaptive_room #(
    parameter RX_BUFFER_FLITS = 62,
    parameter MAX_PACKET_FLITS = 33,
    parameter LEFT_BITS = 6
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 up,
    input  wire                 promises,   // a packet commits in this cycle
    input  wire [LEFT_BITS-1:0] promised,   // flits behind its header
    input  wire                 tx_credit,
    input  wire                 wasted,     // a flit of A was popped in the last cycle, not sent
    input  wire [LEFT_BITS-1:0] returned,   // promised flits that will never come
    output reg  [2:0]           level,      // {none, class}: see adaptive_choice
    output reg  [2:0]           host_level  // that asked of hosts' packets
);
    localparam ROOM_BITS = $clog2(RX_BUFFER_FLITS + 1);
    localparam [ROOM_BITS-1:0] FULL = RX_BUFFER_FLITS[ROOM_BITS-1:0];

    // The longest packet of a class; the room asked for it, of hosts' packets two to three of them.
    function integer longest(input integer size);
        begin
            longest = size == 0 ? 5 : size == 1 ? 9 : size == 2 ? 17 : MAX_PACKET_FLITS;
            if (longest > MAX_PACKET_FLITS)
                longest = MAX_PACKET_FLITS;
        end
    endfunction

    function integer asked_of_hosts(input integer size);
        begin
            asked_of_hosts = (RX_BUFFER_FLITS + longest(size)) / 2;
            if (asked_of_hosts > 3 * longest(size))
                asked_of_hosts = 3 * longest(size);
        end
    endfunction

    wire [31:0] behind = {{32-LEFT_BITS{1'b0}}, promised};
    wire [31:0] not_sent = {{32-LEFT_BITS{1'b0}}, returned};
    // Whether a number is at least a constant, bit by bit: a few LUTs in place of a carry chain.
    function reaches(input [ROOM_BITS-1:0] number, input [ROOM_BITS-1:0] least);
        integer digit;
        begin
            reaches = 1'b1;
            for (digit = 0; digit < ROOM_BITS; digit = digit + 1)
                reaches = least[digit] ? number[digit] & reaches : number[digit] | reaches;
        end
    endfunction

    reg [ROOM_BITS-1:0] earlier;             // the last commit and `wasted` are not yet counted
    reg [ROOM_BITS-1:0] taken;              // less what it took: -(n + 1) is ~n
    // Each sum is one adder, which takes the single flit as its carry.
    wire [ROOM_BITS-1:0] room, next;
    wire unused_carry, unused_next_carry;
    assign {room, unused_carry} = {earlier, 1'b1} + {taken, wasted};
    assign {next, unused_next_carry} = {room, 1'b1} + {not_sent[ROOM_BITS-1:0], tx_credit};

    always @(posedge clk)
        if (rst) begin
            earlier <= FULL;
            taken <= {ROOM_BITS{1'b0}};
        end else begin
            earlier <= next;
            taken <= {ROOM_BITS{promises}} & ~behind[ROOM_BITS-1:0];
        end

    wire [3:0] fits, fits_host;
    generate
        genvar c;
        for (c = 0; c < 4; c = c + 1) begin : gen_class
            localparam [31:0] LONGEST = longest(c);
            localparam [31:0] ASKED = asked_of_hosts(c);
            assign fits[c] = reaches(room, LONGEST[ROOM_BITS-1:0]);
            assign fits_host[c] = reaches(room, ASKED[ROOM_BITS-1:0]);
        end
    endgenerate

    // Room for a class is room for those below it.
    always @(posedge clk)
        if (rst)
            {level, host_level} <= {3'd3, 3'd3};
        else begin
            level <= {promises | ~up | ~fits[0], fits[2], fits[3] | (fits[1] & ~fits[2])};
            host_level <= {promises | ~up | ~fits_host[0], fits_host[2],
                fits_host[3] | (fits_host[1] & ~fits_host[2])};
        end

    wire unused_ok = &{1'b0, behind, not_sent, unused_carry, unused_next_carry};
endmodule
