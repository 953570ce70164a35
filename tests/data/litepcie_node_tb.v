// A node card with two hosts behind LitePCIe around litepcie_model.v. Number 1 of `set` is the button, which resets the node.
`timescale 1ps/1ps
`default_nettype none

module around;
    reg         clk, ref_clk, button;
    reg  [31:0] result;

    initial begin
        clk = 0; ref_clk = 0; button = 0; result = 0;
    end
    always #4000 clk = !clk;
    always #3200 ref_clk = !ref_clk;

    task set(input [31:0] number, input [31:0] value);
        if (number == 1) button = value[0];
        else $display("FAULT nothing to set: %h %h", number, value);
    endtask

    node_ab_0_0_0_0 card (
        .clk_p(clk), .clk_n(!clk), .button(button), .uart_rx(1'b1), .uart_tx(), .led(),
        .pcie_refclk_p(1'b0), .pcie_refclk_n(1'b1), .pcie_reset_n(1'b1),
        .pcie_rx_p(4'd0), .pcie_rx_n(4'd0), .pcie_tx_p(), .pcie_tx_n(),
        .qsfp0_refclk_p(ref_clk), .qsfp0_refclk_n(!ref_clk),
        .link0_rx_p(1'b0), .link0_rx_n(1'b1), .link0_tx_p(), .link0_tx_n()
    );
endmodule

`default_nettype wire
