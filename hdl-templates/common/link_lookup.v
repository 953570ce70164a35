// link_lookup: whether the links at ports given by number are up.
// A module of its own, so that synthesis makes it short: where a header goes waits for it.
// Latency: combinational. Reset: none. Limits: PORTS 2..32, NUMBERS >= 1.
<$ banner $>

(* short_paths *) module link_lookup #(
    parameter PORTS = 10,
    parameter NUMBERS = 1,
    parameter [NUMBERS-1:0] ASKED = {NUMBERS{1'b1}}, // of the others `up` is undefined
    parameter PORT_BITS = $clog2(PORTS) // do not override
) (
    input  wire [PORTS-1:0]             link_up,
    input  wire [NUMBERS*PORT_BITS-1:0] number,
    output reg  [NUMBERS-1:0]           up          // undefined where `number` is
);
    localparam LINKS = 1 << PORT_BITS;
    reg [LINKS-1:0] links;              // ports that do not exist are down
    integer asked;

    always @* begin
        links = {LINKS{1'b0}};
        links[PORTS-1:0] = link_up;
        up = {NUMBERS{1'bx}};
        for (asked = 0; asked < NUMBERS; asked = asked + 1) if (ASKED[asked])
            up[asked] = links[number[asked*PORT_BITS +: PORT_BITS]];
    end
endmodule
