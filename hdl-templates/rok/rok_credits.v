// rok_credits: what a POK unit may still send over one link, counted for each virtual channel.
// Latency: a credit or a flit in cycle t counts from cycle t + 1 on. Reset: synchronous, active
// high; RX_BUFFER_FLITS credits per channel. Limits: VCS 1, 2 or 4, RX_BUFFER_FLITS 4..256.
<$ banner $>

module rok_credits #(
    parameter VCS = 2,
    parameter RX_BUFFER_FLITS = 12
) (
    input  wire           clk,
    input  wire           rst,
    input  wire [VCS-1:0] credit,   // returned by the receiver
    input  wire [VCS-1:0] send,     // spent by a flit
    output wire [VCS-1:0] available
);
    localparam COUNT_BITS = $clog2(RX_BUFFER_FLITS + 1);
    localparam [COUNT_BITS-1:0] ALL = RX_BUFFER_FLITS[COUNT_BITS-1:0];
    localparam [COUNT_BITS-1:0] ONE = 1;

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            reg [COUNT_BITS-1:0] count;

            assign available[v] = count != {COUNT_BITS{1'b0}};

            always @(posedge clk)
                if (rst)
                    count <= ALL;
                else if (credit[v] & ~send[v])
                    count <= count + ONE;
                else if (send[v] & ~credit[v])
                    count <= count - ONE;

`ifdef MKNS_ASSERT
            always @(posedge clk)
                if (!rst) begin
                    if (send[v] & ~available[v]) begin
                        $display("mkns_assert %m: a flit leaves without a credit");
                        $stop;
                    end
                    if (credit[v] & ~send[v] & count == ALL) begin
                        $display("mkns_assert %m: more credits than RX_BUFFER_FLITS");
                        $stop;
                    end
                end
`endif
        end
    endgenerate
endmodule
