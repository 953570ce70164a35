// first_drop: the header that the control port may keep as the first dropped one: of those that are
// dropped in a cycle, that of the lowest input.
// A register for each input takes the header or is cleared, by its own enable and reset, so that
// all that is left to do is an OR of them.
// Latency: one cycle. Reset: synchronous, active high. Limits: PORTS 1..32, DATA_WIDTH >= 64.
<$ banner $>

module first_drop #(
    parameter PORTS = 10, DATA_WIDTH = 64,
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}} // other inputs drop nothing
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [PORTS-1:0]            dropped,     // inputs with a header that is dropped
    input  wire [PORTS*DATA_WIDTH-1:0] data,        // the headers
    output reg                         valid,
    output reg  [4:0]                  port,
    output reg  [63:0]                 header
);
    reg [PORTS*64-1:0] kept;            // 0 but of the first input that drops a header

    always @(posedge clk) begin : keep
        reg taken;                     // a lower input drops one, too
        integer index;

        taken = 1'b0;
        valid <= |(dropped & BUILT) & ~rst;
        port <= 5'd0;
        kept <= {PORTS*64{1'b0}};
        for (index = 0; index < PORTS; index = index + 1) begin
            if (BUILT[index] & dropped[index] & ~taken) begin
                port <= index[4:0];
                kept[index*64 +: 64] <= data[index*DATA_WIDTH +: 64];
            end
            taken = taken | (BUILT[index] & dropped[index]);
        end
    end

    integer member;

    always @* begin
        header = 64'd0;
        member = 0;
        for (member = 0; member < PORTS; member = member + 1)
            header = header | kept[member*64 +: 64];
    end

    wire unused_ok = &{1'b0, data};
endmodule
