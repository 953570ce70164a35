// adaptive_choice: which headers take a candidate, and which one: every reader of the candidate
// table asks for the first port that has room from the candidate pointer on, every output permits
// the first reader from the permit pointer on (docs/microarchitecture.md 1.8).
// Both searches subtract a pointer, which is one-hot, from the set written twice: that clears the
// first 1 from there on.
// A level tells the room of an output: {none, two bits}, where the bits are the highest size class
// that there is room for.
// Latency: combinational; the pointers move in every cycle. Reset: synchronous, active high.
// Limits: READERS 1..16, NETWORK_PORTS 1..24.
<$ banner $>

(* short_paths *) module adaptive_choice #(
    parameter READERS = 5,
    parameter [READERS-1:0] HOSTS = 0,  // readers that serve a host
    parameter NETWORK_PORTS = 10        // outputs that may be taken
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [READERS-1:0]               eligible,
    input  wire [READERS-1:0]               of_link,  // a link's header, which asks for less room
    input  wire [READERS*2-1:0]             size,     // class of the packet
    input  wire [READERS*NETWORK_PORTS-1:0] candidates, // by reader
    input  wire [NETWORK_PORTS*3-1:0]     level,
    input  wire [NETWORK_PORTS*3-1:0]     host_level,
    output reg  [READERS*NETWORK_PORTS-1:0] commits,  // by reader, one-hot or 0
    output wire [NETWORK_PORTS*READERS-1:0] permits   // the same by output
);
    localparam [NETWORK_PORTS-1:0] FIRST_PORT = 1;
    localparam [READERS-1:0] FIRST_READER = 1;

    reg [NETWORK_PORTS-1:0] candidate_pointer;
    reg [READERS-1:0] permit_pointer;

    always @(posedge clk)
        if (rst) begin
            candidate_pointer <= FIRST_PORT;
            permit_pointer <= FIRST_READER;
        end else begin
            candidate_pointer <= (candidate_pointer << 1)
                | (candidate_pointer >> (NETWORK_PORTS - 1));
            permit_pointer <= (permit_pointer << 1) | (permit_pointer >> (READERS - 1));
        end

    reg [NETWORK_PORTS*READERS-1:0] asks; // by output
    integer reader, port;

    always @* begin : ask
        reg [NETWORK_PORTS-1:0] choices, asked;
        reg [2*NETWORK_PORTS-1:0] searched;
        reg [2:0] room;

        asks = {NETWORK_PORTS*READERS{1'b0}};
        choices = {NETWORK_PORTS{1'b0}};
        asked = {NETWORK_PORTS{1'b0}};
        searched = {2*NETWORK_PORTS{1'b0}};
        room = 3'd0;
        reader = 0;
        port = 0;
        if (|eligible)
            for (reader = 0; reader < READERS; reader = reader + 1) begin
                for (port = 0; port < NETWORK_PORTS; port = port + 1) begin
                    room = HOSTS[reader] && ~of_link[reader]
                        ? host_level[port*3 +: 3] : level[port*3 +: 3];
                    choices[port] = candidates[reader*NETWORK_PORTS + port]
                        & ~room[2] & room[1:0] >= size[reader*2 +: 2];
                end
                searched = {2{choices}} - {{NETWORK_PORTS{1'b0}}, candidate_pointer};
                asked = choices & {NETWORK_PORTS{eligible[reader]}}
                    & ~(searched[NETWORK_PORTS-1:0] & searched[2*NETWORK_PORTS-1:NETWORK_PORTS]);
                for (port = 0; port < NETWORK_PORTS; port = port + 1)
                    asks[port*READERS + reader] = asked[port];
            end
    end

    wire unused_ok = &{1'b0, of_link, host_level};

    generate
        genvar o;
        for (o = 0; o < NETWORK_PORTS; o = o + 1) begin : gen_permit
            wire [READERS-1:0] own = asks[o*READERS +: READERS];
            wire [2*READERS-1:0] left_over = {2{own}} - {{READERS{1'b0}}, permit_pointer};
            assign permits[o*READERS +: READERS]
                = own & ~(left_over[READERS-1:0] & left_over[2*READERS-1:READERS]);
        end
    endgenerate

    integer row, column;

    always @* begin
        commits = {READERS*NETWORK_PORTS{1'b0}};
        for (row = 0; row < READERS; row = row + 1)
            for (column = 0; column < NETWORK_PORTS; column = column + 1)
                commits[row*NETWORK_PORTS + column] = permits[column*READERS + row];
    end
endmodule
