// run_to_packets: finds the packets in what LitePCIe's Linux driver sends. The driver knows buffers
// only: from the moment it switches the channel on, it sends its ring of buffers again and again,
// with whatever stands in them. The words of such a run have to be, in this order:
//   begin   bits 63:32 = BEGIN, bits 31:0 the number of the run, another one than before
//   packets each begins with a header whose bits 63:58 are MARK; words of 0 may stand between them
//   end     any other word where a header would be; all bits 1 by convention
// Nothing else passes: not a run without its begin, not the run before once more, and nothing
// behind the end.
//
// Latency: 0, combinational from the word and the state. Reset: synchronous, active high.
// Limits: a word is the lowest 64 bits of a beat.
<$ banner $>

module run_to_packets #(
    parameter [31:0] BEGIN = 32'h524E4B4D,
    parameter [5:0]  MARK  = 6'h2B
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        enable,  // the driver has switched the channel on
    input  wire [63:0] word,
    input  wire        taken,   // the beat is taken in this cycle, and passed on when `passes` is 1
    input  wire        last,    // it ends its packet
    output wire        passes   // it belongs to a packet
);
    localparam [1:0] WAITS = 2'd0; // for the begin of a run
    localparam [1:0] RUNS  = 2'd1;
    localparam [1:0] ENDED = 2'd2;

    reg [1:0]  state;
    reg        is_open;    // a packet has begun and not ended
    reg        has_number; // there was a run before
    reg [31:0] number;

    wire is_new = word[63:32] == BEGIN && !(has_number && word[31:0] == number);

    assign passes = state == RUNS && (is_open || word[63:58] == MARK);

    always @(posedge clk) begin
        if (rst || !enable) begin
            state   <= WAITS;
            is_open <= 1'b0;
        end else if (taken) begin
            if (passes)
                is_open <= !last;
            if (state == WAITS)
                state <= is_new ? RUNS : ENDED;
            else if (!passes && word != 64'd0)
                state <= ENDED;
        end
    end

    always @(posedge clk) begin
        if (rst)
            has_number <= 1'b0;
        else if (enable && taken && state == WAITS && is_new)
            has_number <= 1'b1;
        if (enable && taken && state == WAITS && is_new)
            number <= word[31:0];
    end
endmodule
