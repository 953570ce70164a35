// route_table: one routing table, indexed by {layer, field of the destination address}.
// Latency: combinational read (maps to LUT RAM); a write is seen from the next cycle on.
// Reset: none; power-up contents are INIT, 16 bits an entry, entry 0 in the low bits.
// Limits: LAYERS 1..8, BITS 0..12, LAYERS << BITS at most 4096.
<$ banner $>
`default_nettype none

module route_table #(
    parameter LAYERS = 1,
    parameter LSB = 0,
    parameter BITS = 3,
    parameter [16*(LAYERS<<BITS)-1:0] INIT = 0
) (
    input  wire        clk,
    input  wire        write,
    input  wire [11:0] write_index,
    input  wire [15:0] write_entry,
    input  wire [19:0] destination,
    input  wire [2:0]  layer,
    output wire [15:0] entry
);
    localparam DEPTH = LAYERS << BITS;
    localparam INDEX_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam LAYER_BITS = $clog2(LAYERS);
    localparam [19:0] FIELD_MASK = (20'd1 << BITS) - 20'd1;
    localparam [19:0] LAYER_MASK = (20'd1 << LAYER_BITS) - 20'd1;

    reg [15:0] memory [0:DEPTH-1];

    wire [19:0] field = (destination >> LSB) & FIELD_MASK;
    wire [19:0] index = (({17'd0, layer} & LAYER_MASK) << BITS) | field;

    generate
        if (DEPTH == (1 << BITS << LAYER_BITS)) begin : gen_full
            assign entry = memory[index[INDEX_BITS-1:0]];
        end else begin : gen_partial
            // Layers that do not exist read as invalid.
            assign entry = index < DEPTH[19:0] ? memory[index[INDEX_BITS-1:0]] : 16'd0;
        end
    endgenerate

    always @(posedge clk)
        if (write)
            memory[write_index[INDEX_BITS-1:0]] <= write_entry;

    integer start;
    initial
        for (start = 0; start < DEPTH; start = start + 1)
            memory[start] = INIT[start*16 +: 16];

    wire unused_ok = &{1'b0, index, write_index};
endmodule

`default_nettype wire
