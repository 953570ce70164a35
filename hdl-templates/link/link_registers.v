// link_registers: the register pins of a serial link (docs/microarchitecture.md 7.9). What the link
// side holds is asked for and comes with a box that is taken.
// Latency: a write takes one cycle, a read until the second box. Reset: synchronous, active high.
<$ banner $>

module link_registers #(
    parameter [31:0] EXPECTED_PEER = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        reg_valid,
    input  wire        reg_write,
    input  wire [4:0]  reg_address,
    input  wire [31:0] reg_wdata,
    output reg         reg_ready,
    output reg  [31:0] reg_rdata,
    input  wire        box_taken,           // in this cycle
    input  wire [15:0] box_word,
    input  wire [15:0] lost_flits,
    output reg  [4:0]  reg_index,           // whose word the next box shall bring
    output reg  [24:0] expected_peer,       // {check, port, block}
    output reg         disabled,
    output reg         inject               // turns for every word to be damaged
);
    localparam [4:0] LOST_FLITS_AT = 5'd20;
    localparam [4:0] EXPECTED_PEER_AT = 5'd21;
    localparam [4:0] CONTROL_AT = 5'd22;
    localparam [4:0] INJECT_AT = 5'd23;

    reg  [1:0]  reading;
    wire        starts   = reg_valid & ~reg_ready & reading == 2'd0;
    wire        write    = starts & reg_write;
    wire        finishes = box_taken & reading[1];

    wire [31:0] word =
        ({32{reg_index == LOST_FLITS_AT}} & {16'd0, lost_flits})
        | ({32{reg_index == EXPECTED_PEER_AT}} & {expected_peer[24], 7'd0, expected_peer[23:0]})
        | ({32{reg_index == CONTROL_AT}} & {31'd0, disabled})
        | ({32{reg_index < LOST_FLITS_AT}} & {16'd0, box_word});

    always @(posedge clk)
        if (rst) begin
            reading <= 2'd0;
            reg_index <= 5'd0;
            reg_ready <= 1'b0;
            reg_rdata <= 32'd0;
            expected_peer <= {EXPECTED_PEER[31], EXPECTED_PEER[23:0]};
            disabled <= 1'b0;
            inject <= 1'b0;
        end else begin
            reg_ready <= write | finishes;
            reg_rdata <= finishes ? word : 32'd0;
            if (finishes)
                reading <= 2'd0;
            else if (starts & ~reg_write)
                reading <= 2'd1;
            else if (box_taken & reading[0])
                reading <= 2'd2;
            if (starts & ~reg_write)
                reg_index <= reg_address;
            if (write & reg_address == EXPECTED_PEER_AT)
                expected_peer <= {reg_wdata[31], reg_wdata[23:0]};
            if (write & reg_address == CONTROL_AT)
                disabled <= reg_wdata[0];
            if (write & reg_address == INJECT_AT)
                inject <= ~inject;
        end

    wire unused_ok = &{1'b0, reg_wdata[30:24], EXPECTED_PEER[30:24]};
endmodule
