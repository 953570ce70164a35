// link_memory: a memory with one clock for writing and one for reading.
// Latency: what is at `read_at` in a cycle is on `read_word` in the next, a word at the earliest
// one cycle of either clock after it was written. Reset: none. Limits: at most 512 words of 72
// bits for two block memories of an ECP5.
<$ banner $>

module link_memory #(
    parameter WIDTH = 67,
    parameter ADDRESS_BITS = 8
) (
    input  wire                    write_clk,
    input  wire                    write,
    input  wire [ADDRESS_BITS-1:0] write_at,
    input  wire [WIDTH-1:0]        write_word,
    input  wire                    read_clk,
    input  wire [ADDRESS_BITS-1:0] read_at,
    output reg  [WIDTH-1:0]        read_word
);
    // Nobody reads a word while it is written, also where both clocks are one.
    (* ram_style = "block", no_rw_check *)
    reg [WIDTH-1:0] memory [0:(1 << ADDRESS_BITS) - 1];

    always @(posedge write_clk)
        if (write)
            memory[write_at] <= write_word;

    always @(posedge read_clk)
        read_word <= memory[read_at];
endmodule
