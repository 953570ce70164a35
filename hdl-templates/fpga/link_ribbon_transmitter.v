// link_ribbon_transmitter: words of a link port as 8 clocks of four data wires and a control wire,
// two bits per clock and wire.
//
// Data: nibbles from the lowest up, the first on the rising edge. Control wire: 1 at the rising
// edge of a word's first clock; at the falling edge behind it 1 for a control word; 0 at all other
// edges. A word may begin at any clock after the end of the one before.
// Latency: one cycle to `*_rise`, `*_fall`. Throughput: a word in 8 cycles.
// Reset: synchronous, active high; cuts a word short.
<$ banner $>

module link_ribbon_transmitter (
    input  wire        clk,
    input  wire        rst,
    input  wire        valid,
    input  wire        ctl,
    input  wire [63:0] data,
    output wire        ready,
    output reg         ctl_rise,
    output reg         ctl_fall,
    output wire [3:0]  data_rise,
    output wire [3:0]  data_fall
);
    reg [2:0]  clocks_left; // of the word on the wires
    reg [63:0] shift;

    assign ready     = clocks_left == 3'd0 && !rst;
    assign data_rise = shift[3:0];
    assign data_fall = shift[7:4];

    always @(posedge clk) begin
        if (rst) begin
            ctl_rise    <= 1'b0;
            ctl_fall    <= 1'b0;
            clocks_left <= 3'd0;
        end else if (valid && ready) begin
            ctl_rise    <= 1'b1;
            ctl_fall    <= ctl;
            clocks_left <= 3'd7;
        end else begin
            ctl_rise <= 1'b0;
            ctl_fall <= 1'b0;
            if (!ready)
                clocks_left <= clocks_left - 3'd1;
        end
    end

    always @(posedge clk)
        shift <= (valid && ready) ? data : {8'd0, shift[63:8]};
endmodule
