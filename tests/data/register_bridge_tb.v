// The register bridge with the control ports of two switch blocks' registers stood in for by small memories.
`timescale 1ns / 1ps
`default_nettype none

module register_bridge_tb;
    localparam DIVIDER = 5;

    reg clk = 1'b0;
    reg rst = 1'b1;
    reg line = 1'b1;
    wire answer;
    wire [1:0] awvalid, wvalid, arvalid, bready, rready;
    wire [39:0] awaddr, araddr;
    wire [63:0] wdata;
    wire [7:0] wstrb;
    reg [1:0] ready = 2'b00, bvalid = 2'b00, arready = 2'b00, rvalid = 2'b00;
    reg [63:0] rdata = 64'd0;
    reg [3:0] resp = 4'd0;
    reg [31:0] memory [0:31];

    always #1 clk = ~clk;

    register_bridge #(.BLOCKS(2), .DIVIDER(DIVIDER)) bridge (
        .clk(clk), .rst(rst), .rx_line(line), .tx_line(answer),
        .m_axil_awvalid(awvalid), .m_axil_awready(ready), .m_axil_awaddr(awaddr),
        .m_axil_wvalid(wvalid), .m_axil_wready(ready), .m_axil_wdata(wdata), .m_axil_wstrb(wstrb),
        .m_axil_bvalid(bvalid), .m_axil_bready(bready), .m_axil_bresp(resp),
        .m_axil_arvalid(arvalid), .m_axil_arready(arready), .m_axil_araddr(araddr),
        .m_axil_rvalid(rvalid), .m_axil_rready(rready), .m_axil_rdata(rdata), .m_axil_rresp(resp)
    );

    // Addresses from 0x40 on are refused.
    integer block;
    always @(posedge clk) begin
        for (block = 0; block < 2; block = block + 1) begin
            ready[block] <= awvalid[block] && wvalid[block] && !ready[block] && !bvalid[block];
            arready[block] <= arvalid[block] && !arready[block] && !rvalid[block];
            if (ready[block]) begin
                bvalid[block] <= 1'b1;
                resp[block*2 +: 2] <= awaddr[block*20 +: 20] >= 20'h40 ? 2'd2 : 2'd0;
                if (awaddr[block*20 +: 20] < 20'h40 && &wstrb[block*4 +: 4])
                    memory[block*16 + awaddr[block*20+2 +: 4]] <= wdata[block*32 +: 32];
            end else if (bready[block]) bvalid[block] <= 1'b0;
            if (arready[block]) begin
                rvalid[block] <= 1'b1;
                resp[block*2 +: 2] <= araddr[block*20 +: 20] >= 20'h40 ? 2'd2 : 2'd0;
                rdata[block*32 +: 32] <= memory[block*16 + araddr[block*20+2 +: 4]];
            end else if (rready[block]) rvalid[block] <= 1'b0;
        end
    end

    task send(input [7:0] letter);
        integer at;
        begin
            line = 1'b0;
            repeat (DIVIDER) @(negedge clk);
            for (at = 0; at < 8; at = at + 1) begin
                line = letter[at];
                repeat (DIVIDER) @(negedge clk);
            end
            line = 1'b1;
            repeat (DIVIDER) @(negedge clk);
        end
    endtask

    // A request; the answer is printed as it comes.
    task ask(input [8*24-1:0] text);
        integer at;
        begin
            for (at = 23; at >= 0; at = at - 1)
                if (text[at*8 +: 8] != 8'd0) send(text[at*8 +: 8]);
            send(8'h0A);
            repeat (DIVIDER * 10 * 16) @(negedge clk);
        end
    endtask

    wire heard;
    wire [7:0] letter;
    uart_receiver #(.DIVIDER(DIVIDER)) ear (
        .clk(clk), .rst(rst), .line(answer), .valid(heard), .data(letter)
    );
    always @(posedge clk) if (heard) $write("%c", letter);

    initial begin
        repeat (4) @(negedge clk);
        rst = 1'b0;
        ask("w 0001 00014 89abcdef");
        ask("w 0000 00014 00000007");
        ask("r 0001 00014");
        ask("r 0000 00014");
        ask("r 0000 00040");
        ask("w 0001 4000c 00000001");
        ask("r 0002 00014");
        ask("R 0001 00014");
        ask("r 0001 0014");
        ask("r 0001 00014 ");
        ask("w 0001 00014 89abcde");
        ask("r 0001 00014");
        $finish;
    end
endmodule

`default_nettype wire
