// path_choice: the layer of a host's packets, chosen by a mask of layers for each destination
// (docs/microarchitecture.md 3.4).
//
// Every beat stays for one cycle, in which the mask of its destination comes out of a memory. Of a
// header the layer bits are the host's path hint; the chosen layer takes their place. The choice
// depends on source, destination and hint alone, so that packets of one flow keep their order.
//
// Latency: one cycle; the mask is that of the start of the cycle in which the beat was taken.
// Throughput: one beat per cycle; nothing is held back, pcie_ingress keeps room for the beat.
// Reset: synchronous, active high; masks keep their contents. Limits: LAYERS 2..8, MASK_BITS 0..17,
// CHANNEL_BITS 1 or 2.
<$ banner $>

module path_choice #(
    parameter DATA_WIDTH = 64, // bits of a beat
    parameter LAYERS = 2,  // bits of a mask
    parameter CHANNEL_BITS = 1, // of an entry channel
    parameter PCIE_PORT = 0,  // own number, stamped into field 0 of the source
    parameter FIELD0_LSB = 0,
    parameter FIELD0_BITS = 0,
    parameter MASK_BITS = 0,  // bits of a node address: destination bits above field 0
    parameter [(8<<MASK_BITS)-1:0] MASKS_INIT = 0 // 8 bits a node address
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [19:0]             node_address,
    // masks through the control port: {write, index, mask}, and the mask at the index a cycle later
    input  wire [25:0]             mask_change,
    output wire [7:0]              mask_value,
    input  wire [15:0]             layer_entry, // channel of each layer, 2 bits each
    // from the host, taken in this cycle
    input  wire [DATA_WIDTH-1:0]   in_data,
    input  wire [DATA_WIDTH/8-1:0] in_keep,
    input  wire                    in_taken,
    input  wire                    in_last,
    input  wire                    in_user,
    // to pcie_ingress, a cycle later
    output wire [DATA_WIDTH-1:0]   out_data,
    output reg  [DATA_WIDTH/8-1:0] out_keep,
    output reg                     out_valid,
    output reg                     out_last,
    output reg                     out_user,
    output wire                    unreachable, // of a header
    output wire [CHANNEL_BITS-1:0] channel      // of a header: where its packet starts
);
    localparam MASKS = 1 << MASK_BITS;
    localparam MASK_LSB = FIELD0_LSB + FIELD0_BITS;
    localparam INDEX_BITS = MASK_BITS > 0 ? MASK_BITS : 1;
    localparam [19:0]  INDEX_MASK = (20'd1 << MASK_BITS) - 20'd1;

    // Source address: the block's own, with the number of this PCIe port in field 0.
    localparam [31:0] STAMP_BITS = ((32'd1 << FIELD0_BITS) - 32'd1) << FIELD0_LSB;
    localparam [31:0] STAMP = (PCIE_PORT << FIELD0_LSB) & STAMP_BITS;

    // ---- masks ----------------------------------------------------------------------------------

    reg [LAYERS-1:0] memory [0:MASKS-1];
    reg [LAYERS-1:0] mask; // of the beat in the stage
    reg [LAYERS-1:0] shown;

    integer node;
    initial
        for (node = 0; node < MASKS; node = node + 1)
            memory[node] = MASKS_INIT[node*8 +: LAYERS];

    wire [19:0] wanted = (in_data[19:0] >> MASK_LSB) & INDEX_MASK;
    wire        write  = mask_change[25];
    wire [INDEX_BITS-1:0] changed = mask_change[8 +: INDEX_BITS];

    // A write and the look of the control port share an address, so that two ports are enough.
    always @(posedge clk) begin
        if (write)
            memory[changed] <= mask_change[LAYERS-1:0];
        shown <= memory[changed];
        mask  <= memory[wanted[INDEX_BITS-1:0]];
    end

    assign mask_value = {{(8 - LAYERS){1'b0}}, shown};

    // ---- stage ----------------------------------------------------------------------------------

    reg [DATA_WIDTH-1:0] data;
    reg                  in_packet; // the next beat of the stage is payload

    always @(posedge clk) begin
        if (rst) begin
            out_valid <= 1'b0;
            in_packet <= 1'b0;
        end else begin
            out_valid <= in_taken;
            if (out_valid)
                in_packet <= !out_last;
        end
        if (in_taken) begin
            data     <= in_data;
            out_keep <= in_keep;
            out_last <= in_last;
            out_user <= in_user;
        end
    end

    // ---- choice ---------------------------------------------------------------------------------

    wire [19:0] source = (node_address & ~STAMP_BITS[19:0]) | STAMP[19:0];
    reg  [2:0]  layer;
    reg  [7:0]  product;
    wire        unused_hash = &{1'b0, product[3:0]}; // of k only the whole part counts

    always @* begin : choose
        reg [3:0] hash, digit, count;
        reg [3:0] lower; // layers of the mask below this one
        integer   place;

        hash = {data[53], data[54], data[55], 1'b0};
        for (place = 0; place < 20; place = place + 4) begin
            digit = data[place +: 4];
            hash = hash ^ source[place +: 4] ^ {digit[0], digit[1], digit[2], digit[3]};
        end
        count = 4'd0;
        for (place = 0; place < LAYERS; place = place + 1)
            count = count + {3'd0, mask[place]};
        product = hash * count;
        layer = 3'd0;
        lower = 4'd0;
        for (place = 0; place < LAYERS; place = place + 1) begin
            if (mask[place] && lower == product[7:4])
                layer = place[2:0];
            lower = lower + {3'd0, mask[place]};
        end
    end

    assign unreachable = mask == {LAYERS{1'b0}};
    assign channel     = layer_entry[{layer, 1'b0} +: CHANNEL_BITS];

    wire [DATA_WIDTH-1:0] with_layer;
    assign with_layer[55:0] = {layer, data[52:0]};
    assign with_layer[DATA_WIDTH-1:56] = data[DATA_WIDTH-1:56];
    assign out_data = in_packet ? data : with_layer;

    wire unused_ok = &{1'b0, mask_change, wanted, layer_entry};
endmodule
