// adaptive_destination: where headers go in an adaptive block: to the port that the packet has
// committed to, or else to that of the escape tables (docs/microarchitecture.md 1.8, *Lookup*).
// A module of its own, so that synthesis makes it short: what commits is late.
// Without a header `to` is undefined, which costs no logic and spares simulators the work.
// Latency: combinational. Reset: none. Limits: as switch_core.
<$ banner $>

(* short_paths *) module adaptive_destination #(
    parameter PORTS = 10,
    parameter NETWORK_PORTS = PORTS,
    parameter BANKS = 2,
    parameter PORT_BITS = $clog2(PORTS) // do not override
) (
    input  wire [PORTS-1:0]               header,
    input  wire [PORTS-1:0]               chosen,      // `committed` is of this input
    input  wire [PORTS*NETWORK_PORTS-1:0] committed,   // one-hot or 0
    input  wire [PORTS*PORTS-1:0]         escape_to,   // by place
    input  wire [PORTS*PORT_BITS-1:0]     escape_port,
    input  wire [PORTS-1:0]               may_escape,  // to a network port, unless it commits
    input  wire [PORTS-1:0]               unordered,
    output reg  [PORTS*PORTS-1:0]         to,          // as of route_lookup
    output reg  [PORTS*PORT_BITS-1:0]     to_port,
    output reg  [PORTS-1:0]               commits,
    output wire [PORTS-1:0]               escapes,
    output wire [PORTS-1:0]               detours
);
    // Place of an output, as in input_units.
    function integer place_of(input integer port);
        place_of = port % BANKS * (PORTS / BANKS) + port / BANKS
            + (port % BANKS < PORTS % BANKS ? port % BANKS : PORTS % BANKS);
    endfunction

    integer own, told, at;

    always @*
        for (own = 0; own < PORTS; own = own + 1)
            commits[own] = chosen[own] & |committed[own*NETWORK_PORTS +: NETWORK_PORTS];

    assign escapes = may_escape & ~commits;
    assign detours = may_escape & unordered & ~commits;

    always @* begin
        to = {PORTS*PORTS{1'bx}};
        to_port = {PORTS*PORT_BITS{1'bx}};
        told = 0;
        at = 0;
        if (|header) begin
            to = escape_to;
            to_port = escape_port;
            for (told = 0; told < PORTS; told = told + 1)
                if (commits[told]) begin
                    to[told*PORTS +: PORTS] = {PORTS{1'b0}};
                    to_port[told*PORT_BITS +: PORT_BITS] = {PORT_BITS{1'b0}};
                    for (at = 0; at < NETWORK_PORTS; at = at + 1)
                        if (committed[told*NETWORK_PORTS + at]) begin
                            to[told*PORTS + place_of(at)] = 1'b1;
                            to_port[told*PORT_BITS +: PORT_BITS]
                                = to_port[told*PORT_BITS +: PORT_BITS] | at[PORT_BITS-1:0];
                        end
                end
        end
    end
endmodule
