// The host's side of examples/xdma_card without the card: reads the ID of block 1 and of a block that does not exist, sends
// one packet to host 1 and waits for its echo.
`timescale 1ns / 1ps
module bench;
    reg axi_aclk = 1'b0;
    reg clk = 1'b0;
    reg aresetn = 1'b0;
    reg [63:0] tdata = 64'd0;
    reg tlast = 1'b0;
    reg tvalid = 1'b0;
    wire tready;
    wire [63:0] received;
    wire last;
    wire valid;
    reg [31:0] araddr = 32'd0;
    reg arvalid = 1'b0;
    wire arready;
    wire rvalid;
    wire [31:0] rdata;

    card_network network (
        .axi_aclk(axi_aclk), .axi_aresetn(aresetn), .clk(clk),
        .h2c_tdata(tdata), .h2c_tkeep(8'hff), .h2c_tlast(tlast), .h2c_tvalid(tvalid), .h2c_tready(tready),
        .c2h_tdata(received), .c2h_tkeep(), .c2h_tlast(last), .c2h_tvalid(valid), .c2h_tready(1'b1),
        .irq_request(), .irq_acknowledge(1'b0),
        .host_awvalid(1'b0), .host_awready(), .host_awaddr(32'd0), .host_wvalid(1'b0), .host_wready(),
        .host_wdata(32'd0), .host_wstrb(4'd0), .host_bvalid(), .host_bready(1'b1), .host_bresp(),
        .host_arvalid(arvalid), .host_arready(arready), .host_araddr(araddr), .host_rvalid(rvalid),
        .host_rready(1'b1), .host_rdata(rdata), .host_rresp()
    );

    always #2 axi_aclk = ~axi_aclk;
    always @(posedge axi_aclk) clk <= ~clk;

    task offer(input [63:0] data, input is_last);
        begin
            tdata = data;
            tlast = is_last;
            tvalid = 1'b1;
            @(posedge axi_aclk);
            while (!tready) @(posedge axi_aclk);
            @(negedge axi_aclk) tvalid = 1'b0;
        end
    endtask

    task read(input [31:0] address);
        begin
            araddr = address;
            arvalid = 1'b1;
            @(posedge axi_aclk);
            while (!arready) @(posedge axi_aclk);
            @(negedge axi_aclk) arvalid = 1'b0;
            while (!rvalid) @(negedge axi_aclk);
            $display("register %h is %h", address, rdata);
            @(negedge axi_aclk);
        end
    endtask

    always @(posedge axi_aclk)
        if (valid) begin
            $display("host gets %h", received);
            if (last) begin
                if (received == 64'h0123456789abcdef) $display("PASS");
                else $display("FAIL");
                $finish;
            end
        end

    initial begin
        repeat (10) @(negedge axi_aclk);
        aresetn = 1'b1;
        repeat (60) @(negedge axi_aclk);
        read(32'h0010_0000);
        read(32'h0020_0000);
        offer({24'd8, 20'd0, 20'd1}, 1'b0);
        offer(64'h0123456789abcdef, 1'b1);
        #4000 $display("FAIL: no echo");
        $finish;
    end
endmodule
