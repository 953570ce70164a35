// The card of examples/xdma_card around xdma_model.v.
`timescale 1ps/1ps
`default_nettype none

module around;
    reg [31:0] result;

    initial result = 0;

    task set(input [31:0] number, input [31:0] value);
        $display("FAULT nothing to set: %h %h", number, value);
    endtask

    card card (
        .pcie_refclk_p(1'b0), .pcie_refclk_n(1'b1), .pcie_perst_n(1'b1),
        .pcie_rx_p(4'd0), .pcie_rx_n(4'd0), .pcie_tx_p(), .pcie_tx_n()
    );
endmodule

`default_nettype wire
