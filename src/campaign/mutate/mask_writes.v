// For Yosys `techmap -max_iter 1`: a memory whose write data and addresses are 0 where its write
// enables are, so that a comparison of them does not see what is not written.

(* techmap_celltype = "$mem_v2" *)
module mask_writes (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
    parameter MEMID = "";
    parameter SIZE = 4;
    parameter OFFSET = 0;
    parameter ABITS = 2;
    parameter WIDTH = 8;
    parameter INIT = 1'bx;
    parameter RD_PORTS = 1;
    parameter RD_CLK_ENABLE = 1'b0;
    parameter RD_CLK_POLARITY = 1'b0;
    parameter RD_TRANSPARENCY_MASK = 1'b0;
    parameter RD_COLLISION_X_MASK = 1'b0;
    parameter RD_WIDE_CONTINUATION = 1'b0;
    parameter RD_CE_OVER_SRST = 1'b0;
    parameter RD_ARST_VALUE = 1'b0;
    parameter RD_SRST_VALUE = 1'b0;
    parameter RD_INIT_VALUE = 1'b0;
    parameter WR_PORTS = 1;
    parameter WR_CLK_ENABLE = 1'b0;
    parameter WR_CLK_POLARITY = 1'b0;
    parameter WR_PRIORITY_MASK = 1'b0;
    parameter WR_WIDE_CONTINUATION = 1'b0;

    input [RD_PORTS-1:0] RD_CLK;
    input [RD_PORTS-1:0] RD_EN;
    input [RD_PORTS-1:0] RD_ARST;
    input [RD_PORTS-1:0] RD_SRST;
    input [RD_PORTS*ABITS-1:0] RD_ADDR;
    output [RD_PORTS*WIDTH-1:0] RD_DATA;
    input [WR_PORTS-1:0] WR_CLK;
    input [WR_PORTS*WIDTH-1:0] WR_EN;
    input [WR_PORTS*ABITS-1:0] WR_ADDR;
    input [WR_PORTS*WIDTH-1:0] WR_DATA;

    wire [WR_PORTS*ABITS-1:0] address;
    genvar port;
    generate
        for (port = 0; port < WR_PORTS; port = port + 1) begin : gen_port
            assign address[port*ABITS +: ABITS]
                = WR_ADDR[port*ABITS +: ABITS] & {ABITS{|WR_EN[port*WIDTH +: WIDTH]}};
        end
    endgenerate

    \$mem_v2 #(
        .MEMID(MEMID), .SIZE(SIZE), .OFFSET(OFFSET), .ABITS(ABITS), .WIDTH(WIDTH), .INIT(INIT),
        .RD_PORTS(RD_PORTS), .RD_CLK_ENABLE(RD_CLK_ENABLE), .RD_CLK_POLARITY(RD_CLK_POLARITY),
        .RD_TRANSPARENCY_MASK(RD_TRANSPARENCY_MASK), .RD_COLLISION_X_MASK(RD_COLLISION_X_MASK),
        .RD_WIDE_CONTINUATION(RD_WIDE_CONTINUATION), .RD_CE_OVER_SRST(RD_CE_OVER_SRST),
        .RD_ARST_VALUE(RD_ARST_VALUE), .RD_SRST_VALUE(RD_SRST_VALUE),
        .RD_INIT_VALUE(RD_INIT_VALUE), .WR_PORTS(WR_PORTS), .WR_CLK_ENABLE(WR_CLK_ENABLE),
        .WR_CLK_POLARITY(WR_CLK_POLARITY), .WR_PRIORITY_MASK(WR_PRIORITY_MASK),
        .WR_WIDE_CONTINUATION(WR_WIDE_CONTINUATION)
    ) _TECHMAP_REPLACE_ (
        .RD_CLK(RD_CLK), .RD_EN(RD_EN), .RD_ARST(RD_ARST), .RD_SRST(RD_SRST), .RD_ADDR(RD_ADDR),
        .RD_DATA(RD_DATA), .WR_CLK(WR_CLK), .WR_EN(WR_EN), .WR_ADDR(address),
        .WR_DATA(WR_DATA & WR_EN)
    );
endmodule
