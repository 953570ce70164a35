// adaptive_length: what the inputs know of the packets in progress: whether they are adaptive, and
// how many of the promised flits have not come. A packet that ends otherwise than its header said
// tells what is left in its last flit (docs/microarchitecture.md 1.8, *Length*).
// Latency: `closes` and `remaining` combinational. Reset: synchronous, active high; counts stay,
// because they are read only while a packet is in progress. Limits: as switch_core.
<$ banner $>

module adaptive_length #(
    parameter PORTS = 10,
    parameter VCS = 2,
    parameter NETWORK_PORTS = PORTS,    // the others lead to hosts, whose flits are on channel 0
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}}, // the others have no flits
    parameter LEFT_BITS = 6
) (
    input  wire                       clk,
    input  wire                       rst,
    // Channel v of input i at i * VCS + v, one-hot by input or 0: a header that is not dropped for
    // a packet in front of it; a flit of an open packet; a made-up tail.
    input  wire [PORTS*VCS-1:0]       begins,
    input  wire [PORTS*VCS-1:0]       passes,
    input  wire [PORTS*VCS-1:0]       made_up,
    input  wire [PORTS-1:0]           last,
    input  wire [PORTS-1:0]           bad,
    input  wire [PORTS-1:0]           commits,  // with `begins`
    input  wire [PORTS*LEFT_BITS-1:0] behind,   // flits behind the header
    output reg  [PORTS*VCS-1:0]       adaptive, // of the packet in progress
    output reg  [PORTS-1:0]           closes,   // the flit that comes is a bad last one
    output reg  [PORTS-1:0]           cuts,     // although more of its packet is to come
    // Data of such a flit, and of a made-up tail of a packet that is adaptive.
    output reg  [PORTS*LEFT_BITS-1:0] remaining,
    output reg  [PORTS-1:0]           is_adaptive // the packet of this flit or tail
);
    localparam [LEFT_BITS-1:0] ONE = 1;

    reg [PORTS*VCS*LEFT_BITS-1:0] left;
    reg [PORTS*LEFT_BITS-1:0] next_left; // after the flit of this cycle
    integer port, channel;

    always @* begin : look
        reg [LEFT_BITS-1:0] own;
        reg is_body;

        next_left = {PORTS*LEFT_BITS{1'b0}};
        remaining = {PORTS*LEFT_BITS{1'b0}};
        {closes, cuts, is_adaptive} = {3*PORTS{1'b0}};
        own = {LEFT_BITS{1'b0}};
        is_body = 1'b0;
        channel = 0;
        for (port = 0; port < PORTS; port = port + 1) if (BUILT[port]) begin
            own = left[port*VCS*LEFT_BITS +: LEFT_BITS];
            for (channel = 1; channel < VCS && port < NETWORK_PORTS; channel = channel + 1)
                if (passes[port*VCS + channel] | made_up[port*VCS + channel])
                    own = left[(port*VCS + channel)*LEFT_BITS +: LEFT_BITS];
            is_adaptive[port] = |((passes[port*VCS +: VCS] | made_up[port*VCS +: VCS])
                & adaptive[port*VCS +: VCS]);
            is_body = is_adaptive[port] & |passes[port*VCS +: VCS];
            // Once for all channels: at most one of them has a flit.
            next_left[port*LEFT_BITS +: LEFT_BITS] = |begins[port*VCS +: VCS]
                ? behind[port*LEFT_BITS +: LEFT_BITS] : own - ONE;
            remaining[port*LEFT_BITS +: LEFT_BITS] = own - ONE;
            cuts[port] = is_body & ~last[port] & own == ONE;
            closes[port] = is_body & (last[port] ? bad[port] | own != ONE : own == ONE);
        end
    end

    integer lane;

    always @(posedge clk)
        if (rst)
            adaptive <= {PORTS*VCS{1'b0}};
        else
            for (lane = 0; lane < PORTS * VCS; lane = lane + 1)
                if (BUILT[lane/VCS] && (lane < NETWORK_PORTS * VCS || lane % VCS == 0)) begin
                    if (begins[lane])
                        adaptive[lane] <= commits[lane/VCS];
                    if (begins[lane] | passes[lane])
                        left[lane*LEFT_BITS +: LEFT_BITS]
                            <= next_left[lane/VCS*LEFT_BITS +: LEFT_BITS];
                end
endmodule
