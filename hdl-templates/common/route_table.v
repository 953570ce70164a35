// route_table: one routing table, indexed by {layer, field of the destination address} of a header,
// read by the inputs that are built, side by side (tools make a copy for each of them).
// Of an entry as docs/microarchitecture.md 1.3 has it is kept, from the low bits on: the port, the
// alternate port, the kind, whether the entry leads to a port that exists, and whether there is the
// alternate. Kind 1 is, of an entry that leads on: also to the input itself; of another one: the
// next table decides.
// Latency: combinational reads (they map to LUT RAM); a write is seen from the next cycle on.
// Reset: none; power-up contents are INIT, 16 bits per entry, entry 0 in the low bits.
// Limits: PORTS 2..32, LAYERS 1..8, BITS 0..12, LAYERS << BITS at most 4096.
<$ banner $>

module route_table #(
    parameter PORTS = 10,
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}}, // other inputs never look
    parameter DATA_WIDTH = 64,
    parameter ALTERNATES = 1,           // 0: entries have none
    parameter LAYERS = 1,
    parameter LSB = 0,
    parameter BITS = 3,
    parameter [16*(LAYERS<<BITS)-1:0] INIT = 0
) (
    input  wire                  clk,
    input  wire                  write,
    input  wire [11:0]           write_index,
    input  wire [15:0]           write_entry,
    input  wire                  read,          // by the control port
    input  wire [11:0]           read_index,
    output wire [15:0]           read_entry,    // as docs/microarchitecture.md 4 has it, or 0
    input  wire [PORTS-1:0]      look,          // 0: `entry` is not used and may be undefined
    input  wire [PORTS*DATA_WIDTH-1:0] flit_data, // headers; undefined for those who do not look
    output wire [PORTS*16-1:0]   entry          // what is kept, 0 above
);
    localparam DEPTH = LAYERS << BITS;
    localparam INDEX_BITS = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam LAYER_BITS = $clog2(LAYERS);
    localparam [19:0] FIELD_MASK = (20'd1 << BITS) - 20'd1;
    localparam [19:0] LAYER_MASK = (20'd1 << LAYER_BITS) - 20'd1;
    localparam PORT_BITS = $clog2(PORTS);
    localparam KEPT_BITS = 2 * PORT_BITS + 3;
    (* ram_style = "distributed" *) reg [KEPT_BITS-1:0] memory [0:DEPTH-1];

    function [KEPT_BITS-1:0] kept(input [13:0] given);
        reg leads;
        begin
            leads = given[6] & ~given[5] & {27'd0, given[4:0]} < PORTS;
            kept = {ALTERNATES != 0 & given[13] & {27'd0, given[12:8]} < PORTS, leads,
                leads ? given[7] : given[6] & given[5],
                ALTERNATES == 0 ? {PORT_BITS{1'b0}} : given[8 +: PORT_BITS], given[0 +: PORT_BITS]};
        end
    endfunction

    // Simulators read nothing while nobody looks: so each word is a variable of its own, used once.
    wire [PORTS*16-1:0] words /*verilator split_var*/;
    assign entry = |look ? words : {PORTS*16{1'bx}};

    generate
        if (BITS > 12 || LAYERS << BITS > 4096) begin : gen_check_entries
            illegal_parameter_TABLEn_BITS_must_be_0_to_12_with_at_most_4096_entries stop ();
        end

        genvar r;
        for (r = 0; r < PORTS; r = r + 1) begin : gen_reader
            wire [19:0] index = (({17'd0, flit_data[r*DATA_WIDTH + 53 +: 3]} & LAYER_MASK) << BITS)
                | ((flit_data[r*DATA_WIDTH +: 20] >> LSB) & FIELD_MASK);
            // Layers that do not exist read as invalid.
            if (!BUILT[r]) begin : gen_none
                assign words[r*16 +: 16] = 16'd0;
                wire unused_ok = &{1'b0, index};
            end else if (DEPTH == (1 << BITS << LAYER_BITS)) begin : gen_full
                assign words[r*16 +: 16] = {{16-KEPT_BITS{1'b0}}, memory[index[INDEX_BITS-1:0]]};
                wire unused_ok = &{1'b0, index};
            end else begin : gen_partial
                assign words[r*16 +: 16] = index < DEPTH[19:0]
                    ? {{16-KEPT_BITS{1'b0}}, memory[index[INDEX_BITS-1:0]]} : 16'd0;
            end
        end
    endgenerate

    wire [KEPT_BITS-1:0] read_word = memory[read_index[INDEX_BITS-1:0]];
    wire alternate_exists, leads, kind;
    wire [PORT_BITS-1:0] alternate, port;
    assign {alternate_exists, leads, kind, alternate, port} = read_word;
    assign read_entry = ~read ? 16'd0 : ~leads ? {9'd0, {2{kind}}, 5'd0}
        : {2'd0, alternate_exists, {5-PORT_BITS{1'b0}}, alternate & {PORT_BITS{alternate_exists}},
            kind, 2'b10, {5-PORT_BITS{1'b0}}, port};

    always @(posedge clk)
        if (write)
            memory[write_index[INDEX_BITS-1:0]] <= kept(write_entry[13:0]);

    integer start;
    initial
        for (start = 0; start < DEPTH; start = start + 1)
            memory[start] = kept(INIT[start*16 +: 14]);

    wire unused_ok = &{1'b0, write_index, write_entry, read_index, flit_data};
endmodule
