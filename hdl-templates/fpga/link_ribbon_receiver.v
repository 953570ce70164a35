// link_ribbon_receiver: words out of the wires of link_ribbon_transmitter, in the clock that came
// with them.
//
// A 1 at a rising edge of the control wire begins a word whatever was before, so a wrong begin is
// corrected by the next right one. A word with a 1 at another place of that wire is dropped.
// Latency: one cycle from the bits of the last clock. Reset: synchronous, active high.
<$ banner $>

module link_ribbon_receiver (
    input  wire        clk,
    input  wire        rst,
    input  wire        ctl_rise,
    input  wire        ctl_fall,
    input  wire [3:0]  data_rise,
    input  wire [3:0]  data_fall,
    output reg         valid,
    output reg         ctl,
    output reg  [63:0] data
);
    reg [2:0] clocks_left;

    always @(posedge clk) begin
        valid <= 1'b0;
        if (rst)
            clocks_left <= 3'd0;
        else if (ctl_rise)
            clocks_left <= 3'd7;
        else if (ctl_fall)
            clocks_left <= 3'd0;
        else if (clocks_left != 3'd0) begin
            clocks_left <= clocks_left - 3'd1;
            valid       <= clocks_left == 3'd1;
        end
    end

    always @(posedge clk) begin
        data <= {data_fall, data_rise, data[63:8]};
        if (ctl_rise)
            ctl <= ctl_fall;
    end
endmodule
