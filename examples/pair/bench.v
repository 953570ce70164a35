// One packet from host 0 to host 1 of examples/pair.toml, and what arrives.
`timescale 1ns / 1ps
module bench;
    reg clk = 1'b0;
    reg rst = 1'b1;
    reg [127:0] tdata = 128'd0;
    reg [15:0] tkeep = 16'd0;
    reg [1:0] tvalid = 2'b00;
    reg [1:0] tlast = 2'b00;
    wire [1:0] tready;
    wire [127:0] received;
    wire [1:0] valid;
    wire [1:0] last;
    wire [1:0] damaged;

    pair_top network (
        .clk(clk), .rst(rst), .cable_up(1'b1),
        .s_axis_pcie_tdata(tdata), .s_axis_pcie_tkeep(tkeep), .s_axis_pcie_tvalid(tvalid),
        .s_axis_pcie_tlast(tlast), .s_axis_pcie_tuser(2'b00), .s_axis_pcie_tready(tready),
        .m_axis_pcie_tdata(received), .m_axis_pcie_tkeep(), .m_axis_pcie_tvalid(valid),
        .m_axis_pcie_tlast(last), .m_axis_pcie_tuser(damaged), .m_axis_pcie_tready(2'b11)
    );

    always #2 clk = ~clk;

    // Offers one beat of host 0 until it is taken. Inputs change at the falling edge.
    task offer(input [63:0] data, input is_last);
        begin
            tdata[63:0] = data;
            tkeep[7:0] = 8'hff;
            tlast[0] = is_last;
            tvalid[0] = 1'b1;
            @(posedge clk);
            while (!tready[0]) @(posedge clk);
            @(negedge clk) tvalid[0] = 1'b0;
        end
    endtask

    always @(posedge clk)
        if (valid[1]) begin
            $display("host 1 gets %h", received[127:64]);
            if (last[1] && received[127:64] == 64'h0123456789abcdef && !damaged[1]) begin
                $display("PASS");
                $finish;
            end
        end

    initial begin
        repeat (2) @(negedge clk);
        rst = 1'b0;
        offer({11'd0, 1'b0, 12'd8, 20'd0, 20'd1}, 1'b0);  // 8 bytes to address 1
        offer(64'h0123456789abcdef, 1'b1);
        #1000 $display("FAIL: nothing arrived");
        $finish;
    end
endmodule
