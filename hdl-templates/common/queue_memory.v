// queue_memory: plain memory with one write port and one registered read port (maps to block RAM).
// Latency: `read_word` changes after the edge that ends a cycle with `read` = 1, and again one
// cycle later with REGISTER_READ = 1. A word may be read from the cycle after its write on.
// Reset: none; users never read a word that was not written. Limits: DEPTH >= 2.
<$ banner $>
`default_nettype none

module queue_memory #(
    parameter WIDTH = 66,
    parameter DEPTH = 320,
    parameter ADDRESS_BITS = 9,     // ceil(log2 DEPTH)
    parameter REGISTER_READ = 0
) (
    input  wire                    clk,
    input  wire                    write,
    input  wire [ADDRESS_BITS-1:0] write_address,
    input  wire [WIDTH-1:0]        write_word,
    input  wire                    read,
    input  wire [ADDRESS_BITS-1:0] read_address,
    output wire [WIDTH-1:0]        read_word
);
    reg [WIDTH-1:0] memory [0:DEPTH-1];
    reg [WIDTH-1:0] fetched;

    always @(posedge clk) begin
        if (write)
            memory[write_address] <= write_word;
        if (read)
            fetched <= memory[read_address];
    end

    generate
        if (REGISTER_READ != 0) begin : gen_register_read
            reg [WIDTH-1:0] fetched_again;
            always @(posedge clk)
                fetched_again <= fetched;
            assign read_word = fetched_again;
        end else begin : gen_direct_read
            assign read_word = fetched;
        end
    endgenerate
endmodule

`default_nettype wire
