// path_registers: the registers of layer choice behind a block's control port: the channel on which
// each layer starts, and the way to the masks (docs/microarchitecture.md 3.4 and 4).
//
// The masks themselves are in path_choice, which shows the mask at the index of this cycle in the
// next one. A write takes the index, so a read of a mask waits while one is carried out.
// Latency: `*_mine` combinational; an entry is seen from the next cycle on.
// Reset: synchronous, active high; the entries return to LAYER_ENTRY. Limits: LAYERS 1..8,
// MASK_BITS 0..17, VCS 1, 2 or 4.
<$ banner $>

module path_registers #(
    parameter VCS = 2,
    parameter LAYERS = 2,
    parameter MASK_BITS = 0,
    parameter [15:0] LAYER_ENTRY = 16'd0 // 2 bits a layer
) (
    input  wire        clk,
    input  wire        rst,
    // a write that is carried out at the end of the cycle
    input  wire        writes,        // the handshake of any write
    input  wire        write_whole,   // of a whole word at a multiple of 4
    input  wire [17:0] write_register, // byte address / 4
    input  wire [31:0] write_data,
    output wire        write_mine,    // `write_whole`, to a register of this module
    // a read
    input  wire        read_whole,    // at a multiple of 4
    input  wire [17:0] read_register,
    output wire        read_mine,
    output wire        read_waits,    // it may not begin in this cycle
    output wire [31:0] read_value,    // in the cycle after the one in which it began
    // to and from path_choice
    output wire [25:0] mask_change,   // {write, index, mask}
    input  wire [7:0]  mask_value,
    output reg  [15:0] layer_entry
);
    localparam [17:0] AT_ENTRY = 18'h01000;
    localparam [31:0] MASKS = 32'd1 << MASK_BITS;
    localparam [31:0] CHANNEL_BITS = VCS - 1;

    // The upper half of all addresses.
    wire write_mask = write_register[17] & {15'd0, write_register[16:0]} < MASKS;
    wire read_mask = read_register[17] & {15'd0, read_register[16:0]} < MASKS;
    wire write_entry = write_register[17:3] == AT_ENTRY[17:3]
        & {29'd0, write_register[2:0]} < LAYERS;
    wire read_entry = read_register[17:3] == AT_ENTRY[17:3] & {29'd0, read_register[2:0]} < LAYERS;

    assign write_mine = write_whole & (write_mask | write_entry);
    assign read_mine = read_mask | read_entry;
    assign read_waits = read_whole & read_mask & writes;
    assign read_value = read_mask ? {24'd0, mask_value}
        : {30'd0, layer_entry[{read_register[2:0], 1'b0} +: 2]};
    assign mask_change = {
        write_whole & write_mask,
        writes ? write_register[16:0] : read_register[16:0],
        write_data[7:0]
    };

    always @(posedge clk)
        if (rst)
            layer_entry <= LAYER_ENTRY & {8{CHANNEL_BITS[1:0]}};
        else if (write_whole & write_entry)
            layer_entry[{write_register[2:0], 1'b0} +: 2] <= write_data[1:0] & CHANNEL_BITS[1:0];

    wire unused_ok = &{1'b0, write_data};
endmodule
