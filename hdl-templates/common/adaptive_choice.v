// adaptive_choice: which headers take a candidate, and which one: every input asks for the first
// port that has room from the candidate pointer on, every output permits the first input from the
// permit pointer on (docs/microarchitecture.md 1.8).
// Both searches subtract a pointer, which is one-hot, from the set written twice: that clears the
// first 1 from there on.
// A level tells the room of an output: {none, two bits}, where the bits are the highest size class
// that there is room for.
// Latency: combinational; the pointers move in every cycle. Reset: synchronous, active high.
// Limits: NETWORK_PORTS 1..24 and at most PORTS.
<$ banner $>

(* short_paths *) module adaptive_choice #(
    parameter PORTS = 10,
    parameter NETWORK_PORTS = PORTS     // outputs that may be taken
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [PORTS-1:0]               eligible,
    input  wire [PORTS-1:0]               patient,  // a host's header, which asks for more room
    input  wire [PORTS*2-1:0]             size,     // class of the packet
    input  wire [PORTS*NETWORK_PORTS-1:0] candidates, // by input
    input  wire [NETWORK_PORTS-1:0]       up,
    input  wire [NETWORK_PORTS*3-1:0]     level,
    input  wire [NETWORK_PORTS*3-1:0]     host_level,
    output reg  [PORTS*NETWORK_PORTS-1:0] commits,  // by input, one-hot or 0
    output wire [NETWORK_PORTS*PORTS-1:0] permits   // the same by output
);
    localparam [NETWORK_PORTS-1:0] FIRST_PORT = 1;
    localparam [PORTS-1:0] FIRST_INPUT = 1;

    reg [NETWORK_PORTS-1:0] candidate_pointer;
    reg [PORTS-1:0] permit_pointer;

    always @(posedge clk)
        if (rst) begin
            candidate_pointer <= FIRST_PORT;
            permit_pointer <= FIRST_INPUT;
        end else begin
            candidate_pointer <= (candidate_pointer << 1)
                | (candidate_pointer >> (NETWORK_PORTS - 1));
            permit_pointer <= (permit_pointer << 1) | (permit_pointer >> (PORTS - 1));
        end

    reg [NETWORK_PORTS*PORTS-1:0] asks; // by output
    integer input_port, port;

    always @* begin : ask
        reg [NETWORK_PORTS-1:0] choices, asked;
        reg [2*NETWORK_PORTS-1:0] searched;
        reg [2:0] room;

        asks = {NETWORK_PORTS*PORTS{1'b0}};
        choices = {NETWORK_PORTS{1'b0}};
        asked = {NETWORK_PORTS{1'b0}};
        searched = {2*NETWORK_PORTS{1'b0}};
        room = 3'd0;
        input_port = 0;
        port = 0;
        if (|eligible)
            for (input_port = 0; input_port < PORTS; input_port = input_port + 1) begin
                for (port = 0; port < NETWORK_PORTS; port = port + 1) begin
                    room = patient[input_port] ? host_level[port*3 +: 3] : level[port*3 +: 3];
                    choices[port] = eligible[input_port]
                        & candidates[input_port*NETWORK_PORTS + port]
                        & ~(room[2] | ~up[port]) & room[1:0] >= size[input_port*2 +: 2];
                end
                searched = {2{choices}} - {{NETWORK_PORTS{1'b0}}, candidate_pointer};
                asked = choices
                    & ~(searched[NETWORK_PORTS-1:0] & searched[2*NETWORK_PORTS-1:NETWORK_PORTS]);
                for (port = 0; port < NETWORK_PORTS; port = port + 1)
                    asks[port*PORTS + input_port] = asked[port];
            end
    end

    generate
        genvar o;
        for (o = 0; o < NETWORK_PORTS; o = o + 1) begin : gen_permit
            wire [PORTS-1:0] own = asks[o*PORTS +: PORTS];
            wire [2*PORTS-1:0] left_over = {2{own}} - {{PORTS{1'b0}}, permit_pointer};
            assign permits[o*PORTS +: PORTS]
                = own & ~(left_over[PORTS-1:0] & left_over[2*PORTS-1:PORTS]);
        end
    endgenerate

    integer row, column;

    always @* begin
        commits = {PORTS*NETWORK_PORTS{1'b0}};
        for (row = 0; row < PORTS; row = row + 1)
            for (column = 0; column < NETWORK_PORTS; column = column + 1)
                commits[row*NETWORK_PORTS + column] = permits[column*PORTS + row];
    end
endmodule
