// packet_length: finds the end of packets in a stream of whole beats by the length in their
// headers (bits 52:40, payload bytes; docs/microarchitecture.md 3.1), for links that mark it late
// or not at all. A header beat is followed by as many payload beats as hold that many bytes.
//
// Latency: 0, combinational from `header` and the state. Reset: synchronous, active high: the next
// beat is a header.
// Limits: DATA_WIDTH 64, 128, 256 or 512.
<$ banner $>

module packet_length #(
    parameter DATA_WIDTH = 64
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [12:0]             length, // bits 52:40 of the beat, looked at when it is a header
    input  wire                    taken,  // the beat is handed on in this cycle
    output wire                    last,   // it is the last of its packet
    output wire [DATA_WIDTH/8-1:0] keep
);
    generate
        if (DATA_WIDTH != 64 && DATA_WIDTH != 128 && DATA_WIDTH != 256 && DATA_WIDTH != 512)
        begin : gen_check_data_width
            illegal_parameter_DATA_WIDTH_must_be_64_128_256_or_512 stop ();
        end
    endgenerate

    localparam BYTES = DATA_WIDTH / 8;

    // Payload bytes still to come; a header is next when there are none.
    reg  [12:0] bytes_left;
    wire        is_header = bytes_left == 13'd0;
    wire        is_short  = bytes_left < BYTES[12:0];
    wire        ends      = bytes_left <= BYTES[12:0];

    assign last = is_header ? (length == 13'd0) : ends;
    assign keep = (is_header || !is_short) ? {BYTES{1'b1}} : ~({BYTES{1'b1}} << bytes_left);

    always @(posedge clk) begin
        if (rst)
            bytes_left <= 13'd0;
        else if (taken) begin
            if (is_header)
                bytes_left <= length;
            else
                bytes_left <= ends ? 13'd0 : bytes_left - BYTES[12:0];
        end
    end
endmodule
