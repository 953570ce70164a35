// route_table: one routing table, indexed by {layer, field of the destination address} of a header,
// read by READERS inputs side by side (tools make a copy for each of them).
// Latency: combinational read (maps to LUT RAM); a write is seen from the next cycle on.
// Reset: none; power-up contents are INIT, 16 bits an entry, entry 0 in the low bits.
// Limits: LAYERS 1..8, BITS 0..12, LAYERS << BITS at most 4096.
<$ banner $>
`default_nettype none

module route_table #(
    parameter READERS = 1,
    parameter DATA_WIDTH = 64,
    parameter LAYERS = 1,
    parameter LSB = 0,
    parameter BITS = 3,
    parameter [16*(LAYERS<<BITS)-1:0] INIT = 0
) (
    input  wire                  clk,
    input  wire                  write,
    input  wire [11:0]           write_index,
    input  wire [15:0]           write_entry,
    input  wire [READERS-1:0]    look,          // 0: `entry` is not used and may be undefined
    input  wire [READERS*DATA_WIDTH-1:0] flit_data, // headers; undefined for those who do not look
    output wire [READERS*16-1:0] entry
);
    localparam DEPTH = LAYERS << BITS;
    localparam INDEX_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam LAYER_BITS = $clog2(LAYERS);
    localparam [19:0] FIELD_MASK = (20'd1 << BITS) - 20'd1;
    localparam [19:0] LAYER_MASK = (20'd1 << LAYER_BITS) - 20'd1;
    (* ram_style = "distributed" *) reg [15:0] memory [0:DEPTH-1];

    // Simulators read nothing while nobody looks: so each word is a variable of its own, used once.
    wire [READERS*16-1:0] words /*verilator split_var*/;
    assign entry = |look ? words : {READERS*16{1'bx}};

    generate
        genvar r;
        for (r = 0; r < READERS; r = r + 1) begin : gen_reader
            wire [19:0] index = (({17'd0, flit_data[r*DATA_WIDTH + 53 +: 3]} & LAYER_MASK) << BITS)
                | ((flit_data[r*DATA_WIDTH +: 20] >> LSB) & FIELD_MASK);
            // Layers that do not exist read as invalid.
            if (DEPTH == (1 << BITS << LAYER_BITS)) begin : gen_full
                assign words[r*16 +: 16] = memory[index[INDEX_BITS-1:0]];
                wire unused_ok = &{1'b0, index};
            end else begin : gen_partial
                assign words[r*16 +: 16] = index < DEPTH[19:0]
                    ? memory[index[INDEX_BITS-1:0]] : 16'd0;
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

    wire unused_ok = &{1'b0, write_index, flit_data};
endmodule

`default_nettype wire
