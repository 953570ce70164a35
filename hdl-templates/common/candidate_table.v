// candidate_table: the network ports on shortest paths to each node, indexed by the destination's
// node address, read by several readers side by side (docs/microarchitecture.md 1.8).
// Tools make a copy for each of them.
// Latency: combinational reads (they map to LUT RAM); a write is seen from the next cycle on.
// Reset: none; power-up contents are INIT, entry a at [NETWORK_PORTS*a +: NETWORK_PORTS].
// Limits: NETWORK_PORTS 1..24, LSB 0..19, BITS 0..12.
<$ banner $>

module candidate_table #(
    parameter READERS = 5,
    parameter NETWORK_PORTS = 10,       // bits of an entry
    parameter DATA_WIDTH = 64,
    parameter LSB = 0,
    parameter BITS = 3,
    parameter [(NETWORK_PORTS<<BITS)-1:0] INIT = 0
) (
    input  wire                           clk,
    input  wire [36:0]                    change,   // {write, index, entry}
    input  wire [11:0]                    read_index, // by the control port
    output wire [23:0]                    read_entry,
    input  wire [READERS*DATA_WIDTH-1:0]  flit_data,
    output wire [READERS*NETWORK_PORTS-1:0] entry   // undefined for those without a header
);
    localparam DEPTH = 1 << BITS;
    localparam INDEX_BITS = BITS > 0 ? BITS : 1;
    localparam [19:0] FIELD_MASK = (20'd1 << BITS) - 20'd1;
    (* ram_style = "distributed" *) reg [NETWORK_PORTS-1:0] memory [0:DEPTH-1];

    generate
        genvar r;
        for (r = 0; r < READERS; r = r + 1) begin : gen_reader
            wire [19:0] index = (flit_data[r*DATA_WIDTH +: 20] >> LSB) & FIELD_MASK;
            assign entry[r*NETWORK_PORTS +: NETWORK_PORTS] = memory[index[INDEX_BITS-1:0]];
            wire unused_ok = &{1'b0, index};
        end
    endgenerate

    wire [NETWORK_PORTS-1:0] read_word = memory[read_index[INDEX_BITS-1:0]];

    generate
        if (NETWORK_PORTS < 24) begin : gen_narrow
            assign read_entry = {{24-NETWORK_PORTS{1'b0}}, read_word};
        end else begin : gen_wide
            assign read_entry = read_word;
        end
    endgenerate

    always @(posedge clk)
        if (change[36])
            memory[change[24 +: INDEX_BITS]] <= change[0 +: NETWORK_PORTS];

    integer start;
    initial
        for (start = 0; start < DEPTH; start = start + 1)
            memory[start] = INIT[start*NETWORK_PORTS +: NETWORK_PORTS];

    wire unused_ok = &{1'b0, change, read_index, flit_data};
endmodule
