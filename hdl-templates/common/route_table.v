// route_table: one routing table, indexed by {layer, field of the destination address}, read by
// READERS inputs side by side (tools make a copy for each of them).
// Latency: combinational read (maps to LUT RAM); a write is seen from the next cycle on.
// Reset: none; power-up contents are INIT, 16 bits an entry, entry 0 in the low bits.
// Limits: LAYERS 1..8, BITS 0..12, LAYERS << BITS at most 4096.
<$ banner $>
`default_nettype none

module route_table #(
    parameter READERS = 1,
    parameter LAYERS = 1,
    parameter LSB = 0,
    parameter BITS = 3,
    parameter [16*(LAYERS<<BITS)-1:0] INIT = 0
) (
    input  wire                  clk,
    input  wire                  write,
    input  wire [11:0]           write_index,
    input  wire [15:0]           write_entry,
    input  wire [READERS-1:0]    look,          // `entry` is used; undefined otherwise
    input  wire [READERS*20-1:0] destination,
    input  wire [READERS*3-1:0]  layer,
    output wire [READERS*16-1:0] entry
);
    localparam DEPTH = LAYERS << BITS;
    localparam INDEX_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam LAYER_BITS = $clog2(LAYERS);
    localparam [19:0] FIELD_MASK = (20'd1 << BITS) - 20'd1;
    localparam [19:0] LAYER_MASK = (20'd1 << LAYER_BITS) - 20'd1;
    (* ram_style = "distributed" *) reg [15:0] memory [0:DEPTH-1];

    generate
        genvar r;
        for (r = 0; r < READERS; r = r + 1) begin : gen_reader
            wire [19:0] index = (({17'd0, layer[r*3 +: 3]} & LAYER_MASK) << BITS)
                | ((destination[r*20 +: 20] >> LSB) & FIELD_MASK);
            // Layers that do not exist read as invalid.
            if (DEPTH == (1 << BITS << LAYER_BITS)) begin : gen_full
                assign entry[r*16 +: 16] = look[r] ? memory[index[INDEX_BITS-1:0]] : 16'dx;
                wire unused_ok = &{1'b0, index};
            end else begin : gen_partial
                assign entry[r*16 +: 16] = ~look[r] ? 16'dx
                    : index < DEPTH[19:0] ? memory[index[INDEX_BITS-1:0]] : 16'd0;
            end
        end
    endgenerate

    always @(posedge clk)
        if (write)
            memory[write_index[INDEX_BITS-1:0]] <= write_entry;

    integer start;
    initial
        for (start = 0; start < DEPTH; start = start + 1)
            memory[start] = INIT[start*16 +: 16];

    wire unused_ok = &{1'b0, write_index};
endmodule

`default_nettype wire
