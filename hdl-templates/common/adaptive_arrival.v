// adaptive_arrival: the register in which flits spend a cycle on their way from the rx pins to
// input_units in an adaptive block, with what the escape tables say of the headers
// (docs/microarchitecture.md 1.8, *Arrival*).
// Latency: one cycle; `rx_header` combinational. Reset: synchronous, active high.
// Limits: as switch_core.
<$ banner $>

module adaptive_arrival #(
    parameter PORTS = 10,
    parameter NETWORK_PORTS = PORTS,    // the others lead to hosts, whose flits are on channel 0
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter VC_BITS = 1,
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}}, // other inputs never get a flit
    parameter PORT_BITS = $clog2(PORTS) // do not override
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [PORTS-1:0]            up,
    input  wire [PORTS-1:0]            rx_valid,
    input  wire [PORTS*VC_BITS-1:0]    rx_vc,
    input  wire [PORTS-1:0]            rx_last,
    input  wire [PORTS-1:0]            rx_bad,
    input  wire [PORTS*DATA_WIDTH-1:0] rx_data,
    input  wire [PORTS*VCS-1:0]        closing,    // see input_units
    output reg  [PORTS-1:0]            rx_header,  // the flit on the pins is a header: look it up
    // Of that header, in the same cycle: see route_lookup; its causes are {link down, U-turn, no
    // route}.
    input  wire [PORTS*PORTS-1:0]      rx_to,
    input  wire [PORTS*PORT_BITS-1:0]  rx_to_port,
    input  wire [PORTS-1:0]            rx_drops,
    input  wire [PORTS*3-1:0]          rx_causes,
    input  wire [PORTS-1:0]            keeps,      // what is in the register stays there
    input  wire [PORTS-1:0]            stays,      // the flit stays on the pins
    // What is in the register; its channel is one-hot or 0.
    output reg  [PORTS-1:0]            valid,
    output reg  [PORTS-1:0]            came,       // 0: there is nothing, or it is cut off
    output reg  [PORTS-1:0]            header,
    output reg  [PORTS-1:0]            is_closing, // the packet before it was still to be closed
    output reg  [PORTS*VCS-1:0]        channel,
    output reg  [PORTS-1:0]            last,
    output reg  [PORTS-1:0]            bad,
    output reg  [PORTS*DATA_WIDTH-1:0] data,
    output reg  [PORTS*PORTS-1:0]      to,
    output reg  [PORTS*PORT_BITS-1:0]  to_port,
    output reg  [PORTS-1:0]            drops,
    output reg  [PORTS*3-1:0]          causes
);
    localparam [VCS-1:0] FIRST_CHANNEL = 1;

    // Channel v of input i at i * VCS + v: more flits of its packet are to come. What becomes of
    // the packet does not matter for that, so nothing here waits for the choice of its way.
    reg [PORTS*VCS-1:0] taken;
    reg [PORTS*VCS-1:0] rx_channel;         // of the flit on the pins
    integer looking;

    always @* begin
        rx_header = {PORTS{1'b0}};
        rx_channel = {PORTS*VCS{1'b0}};
        looking = 0;
        if (|rx_valid)
            for (looking = 0; looking < PORTS; looking = looking + 1)
                if (BUILT[looking] && rx_valid[looking]) begin
                    rx_channel[looking*VCS +: VCS] = looking < NETWORK_PORTS
                        ? FIRST_CHANNEL << rx_vc[looking*VC_BITS +: VC_BITS] : FIRST_CHANNEL;
                    rx_header[looking] = up[looking]
                        & ~|(rx_channel[looking*VCS +: VCS] & taken[looking*VCS +: VCS]);
                end
    end

    integer port, lane, cause;

    always @(posedge clk)
        if (rst) begin
            valid <= {PORTS{1'b0}};
            came <= {PORTS{1'b0}};
            header <= {PORTS{1'b0}};
            channel <= {PORTS*VCS{1'b0}};
            taken <= {PORTS*VCS{1'b0}};
        end else
            for (port = 0; port < PORTS; port = port + 1) if (!BUILT[port]) begin
                {last[port], bad[port], drops[port], is_closing[port]} <= 4'd0;
                data[port*DATA_WIDTH +: DATA_WIDTH] <= {DATA_WIDTH{1'b0}};
                to[port*PORTS +: PORTS] <= {PORTS{1'b0}};
                to_port[port*PORT_BITS +: PORT_BITS] <= {PORT_BITS{1'b0}};
                for (cause = 0; cause < 3; cause = cause + 1)
                    causes[cause*PORTS + port] <= 1'b0;
            end else begin
                if (~keeps[port]) begin
                    valid[port] <= rx_valid[port] & ~stays[port];
                    header[port] <= rx_header[port] & ~stays[port];
                    is_closing[port] <= |(closing[port*VCS +: VCS] & rx_channel[port*VCS +: VCS]);
                    came[port] <= rx_valid[port] & up[port] & ~stays[port];
                    channel[port*VCS +: VCS]
                        <= rx_channel[port*VCS +: VCS] & ~{VCS{stays[port]}};
                    if (rx_valid[port]) begin
                        last[port] <= rx_last[port];
                        bad[port] <= rx_bad[port];
                        data[port*DATA_WIDTH +: DATA_WIDTH]
                            <= rx_data[port*DATA_WIDTH +: DATA_WIDTH];
                    end
                    if (rx_header[port]) begin
                        to[port*PORTS +: PORTS] <= rx_to[port*PORTS +: PORTS];
                        to_port[port*PORT_BITS +: PORT_BITS]
                            <= rx_to_port[port*PORT_BITS +: PORT_BITS];
                        drops[port] <= rx_drops[port];
                        for (cause = 0; cause < 3; cause = cause + 1)
                            causes[cause*PORTS + port] <= rx_causes[cause*PORTS + port];
                    end
                end
                for (lane = 0; lane < VCS; lane = lane + 1)
                    if (~up[port])
                        taken[port*VCS + lane] <= 1'b0;
                    else if (rx_channel[port*VCS + lane] & ~keeps[port] & ~stays[port])
                        taken[port*VCS + lane] <= ~rx_last[port];
            end
endmodule
