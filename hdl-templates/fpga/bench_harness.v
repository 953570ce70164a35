// bench_harness: one block between shift registers, for its area and clock rate out of context.
//
// Every input of the block comes from a register of its own and every output ends in one, so that
// all paths of the block lie between registers and none between pins. Cost: one register per input
// bit; one register and one XOR of two per output bit. Latency and reset: none that matter.
<$ banner $>

module bench_harness (
    input  wire clk,
    input  wire serial_in,
    output wire serial_out
);
    localparam INPUTS = <$ inputs $>;
    localparam OUTPUTS = <$ outputs $>;

    reg  [INPUTS-1:0]  stimulus;
    reg  [OUTPUTS-1:0] signature;
    wire [OUTPUTS-1:0] response;

    always @(posedge clk) begin
        stimulus  <= {stimulus[INPUTS-2:0], serial_in};
        signature <= {signature[OUTPUTS-2:0], serial_in} ^ response;
    end

    assign serial_out = signature[OUTPUTS-1];

    <$ module $> #(
<$ parameters $>
    ) block (
        .clk(clk),
<$ connections $>
    );
endmodule
