// A registered crossbar of 10 ports x 64 bits with one small FIFO per input: about the size of a
// simple switch. Destination of a flit: its low 4 bits. An output takes the lowest waiting input.
module crossbar (
    input  wire         clk,
    input  wire         rst,
    input  wire [9:0]   rx_valid,
    input  wire [639:0] rx_data,
    output reg  [9:0]   rx_credit,
    output reg  [9:0]   tx_valid,
    output reg  [639:0] tx_data
);
    wire [9:0] pop;
    wire [99:0] request;
    wire [99:0] grant;
    wire [639:0] head;
    genvar i, o;
    generate
        for (i = 0; i < 10; i = i + 1) begin : gen_input
            reg [63:0] memory [0:15];
            reg [3:0] first;
            reg [3:0] last;
            wire [63:0] flit = memory[first];
            assign head[64*i +: 64] = flit;
            wire [9:0] wanted;
            for (o = 0; o < 10; o = o + 1) begin : gen_request
                assign request[10*o + i] = (first != last) && (flit[3:0] == o);
                assign wanted[o] = grant[10*o + i];
            end
            assign pop[i] = |wanted;
            always @(posedge clk) begin
                if (rx_valid[i]) memory[last] <= rx_data[64*i +: 64];
                if (rst) begin
                    first <= 4'd0;
                    last <= 4'd0;
                end else begin
                    last <= last + {3'd0, rx_valid[i]};
                    first <= first + {3'd0, pop[i]};
                end
            end
        end
        for (o = 0; o < 10; o = o + 1) begin : gen_output
            wire [9:0] mine = request[10*o +: 10];
            assign grant[10*o +: 10] = mine & (~mine + 10'd1);
            wire [63:0] part [0:10];
            assign part[0] = 64'd0;
            for (i = 0; i < 10; i = i + 1) begin : gen_select
                assign part[i+1] = part[i] | ({64{grant[10*o + i]}} & head[64*i +: 64]);
            end
            always @(posedge clk) begin
                tx_valid[o] <= !rst && |mine;
                tx_data[64*o +: 64] <= part[10];
            end
        end
    endgenerate
    always @(posedge clk) rx_credit <= rst ? 10'd0 : pop;
endmodule
