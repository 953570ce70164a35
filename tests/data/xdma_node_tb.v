// A node card around xdma_model.v, with a serial line. Numbers of `set`: 0 whether the node's clock runs, 1 the button, 2 whether
// the link's clock runs, 3 whether the serial line asks for ID, again and again, 4 nothing. The result is how many answers were
// the right word (low 16 bits) and how many a refusal; FAULT is printed for another one.
`timescale 1ps/1ps
`default_nettype none

module around;
    localparam DIVIDER = 4;
    localparam BIT = DIVIDER * 8000;

    reg         clk, ref_clk, button, to_node, is_running, is_link_running, asks;
    reg  [31:0] result;
    reg  [15:0] right, refused;
    wire        from_node;

    initial begin
        clk = 0; ref_clk = 0; button = 0; to_node = 1; is_running = 1; is_link_running = 1; asks = 0;
        result = 0; right = 0; refused = 0;
    end
    always #4000 if (is_running) clk = !clk;
    always #3200 if (is_link_running) ref_clk = !ref_clk;

    task set(input [31:0] number, input [31:0] value);
        begin
            case (number)
                0: is_running = value[0];
                1: button = value[0];
                2: is_link_running = value[0];
                3: asks = value[0];
                default: ;
            endcase
            result = {refused, right};
        end
    endtask

    task letter(input [7:0] code);
        integer at;
        begin
            to_node = 1'b0;
            #BIT for (at = 0; at < 8; at = at + 1) begin
                to_node = code[at];
                #BIT ;
            end
            to_node = 1'b1;
            #BIT ;
        end
    endtask

    reg [8*13-1:0] request;
    reg [8*11-1:0] heard;
    integer        place;

    initial begin
        request = {"r 0000 00000", 8'h0A};
        forever begin
            wait (asks);
            for (place = 12; place >= 0; place = place - 1) letter(request[8*place +: 8]);
            @(posedge listened or negedge asks);
        end
    end

    reg     listened;
    integer bits, letters;
    reg [7:0] code;

    initial begin
        listened = 0; letters = 0; heard = 0;
        wait (from_node === 1'b1);
        forever begin
            @(negedge from_node);
            listened = 0;
            #(BIT / 2);
            for (bits = 0; bits < 8; bits = bits + 1) begin
                #BIT code[bits] = from_node;
            end
            #BIT ;
            heard = {heard[8*10-1:0], code};
            if (code == 8'h0A) begin
                if (heard == {"= 4d4b4e53", 8'h0A}) right = right + 1;
                else if (heard[15:0] == {"!", 8'h0A}) refused = refused + 1;
                else $display("FAULT %0s", heard);
                listened = 1;
            end
        end
    end

    node_ab_0_0_0_0 #(.BAUD_DIVIDER(DIVIDER)) card (
        .clk_p(clk), .clk_n(!clk), .button(button), .uart_rx(to_node), .uart_tx(from_node), .led(),
        .pcie_refclk_p(1'b0), .pcie_refclk_n(1'b1), .pcie_reset_n(1'b1),
        .pcie_rx_p(4'd0), .pcie_rx_n(4'd0), .pcie_tx_p(), .pcie_tx_n(),
        .qsfp0_refclk_p(ref_clk), .qsfp0_refclk_n(!ref_clk),
        .link0_rx_p(1'b0), .link0_rx_n(1'b1), .link0_tx_p(), .link0_tx_n()
    );
endmodule

`default_nettype wire
