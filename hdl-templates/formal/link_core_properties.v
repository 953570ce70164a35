// link_core_properties: link_core with a block that sends whenever it has a credit and a far end that
// acknowledges and frees when it likes. What was sent has a place at the far end and in the ring;
// credits are neither lost nor made up, through deaths and rises.

module link_core_properties #(
    parameter VCS = 2,
    parameter RX_BUFFER_FLITS = 4,
    parameter LINE_FLITS = 5
) (
    input wire           clk,
    input wire           rst,
    input wire           tx_valid,
    input wire           tx_vc,
    input wire [VCS-1:0] rx_credit,
    input wire           alive,
    input wire           acknowledge,   // a flit
    input wire [VCS-1:0] free,
    input wire [VCS-1:0] arrive
);
    wire [VCS-1:0] tx_credit;
    wire rx_valid;
    wire rx_vc;
    wire link_up;
    wire ring;
    wire core_idle;
    reg core_alive = 1'b0;
    reg [8:0] core_ack = 9'd0;
    reg [15:0] core_limits;
    wire [VCS*8-1:0] write_gray;

    link_core #(.VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS)) core (
        .clk(clk), .rst(rst), .tx_valid(tx_valid), .tx_vc(tx_vc), .tx_credit(tx_credit),
        .rx_valid(rx_valid), .rx_vc(rx_vc), .rx_last(), .rx_bad(), .rx_data(),
        .rx_credit(rx_credit), .link_up(link_up), .ring(ring), .ring_at(), .ring_write_gray(),
        .place_write_gray(write_gray), .place_at(), .place_flit(66'd0), .place_read_gray(),
        .core_idle(core_idle), .core_alive(core_alive), .core_ack(core_ack),
        .core_limits(core_limits), .lost_flits()
    );

    // The link side rises only when this side is idle, with nothing acknowledged and all free.
    reg started = 1'b0;
    reg [2:0] down = 3'd0;
    reg [8:0] in_ring = 9'd0;
    wire [8:0] fresh = ring - (link_up & acknowledge);
    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        // A block stops sending soon after its link went down.
        down <= link_up ? 3'd0 : down + (down != 7);
        assume (!tx_valid || down != 7);
        assume (!alive || core_alive || core_idle);
        assume (alive || !core_alive || link_up);
        assume (!acknowledge || in_ring != 0);
        core_alive <= !rst & alive;
        if (!core_alive) begin
            core_ack <= 9'd0;
            in_ring <= 9'd0;
        end else begin
            core_ack <= core_ack + (link_up & acknowledge);
            in_ring <= in_ring + fresh;
            // The ring does not overflow.
            assert (in_ring + ring <= 256);
        end
    end

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            reg [3:0] credits;          // of the block
            reg [3:0] at_far_end;       // sent and not freed
            reg [7:0] freed;
            reg [7:0] arrived;
            reg [3:0] inside;           // handed to the block
            wire sends = tx_valid && (VCS == 1 || tx_vc == v);
            wire takes = rx_valid && (VCS == 1 || rx_vc == v);
            assign write_gray[v*8 +: 8] = arrived ^ (arrived >> 1);

            always @* core_limits[v*8 +: 8] = freed + LINE_FLITS;

            always @(posedge clk)
                if (rst) begin
                    credits <= RX_BUFFER_FLITS;
                    at_far_end <= 0;
                    freed <= 0;
                    arrived <= 0;
                    inside <= 0;
                end else begin
                    assume (!sends || credits != 0);
                    assume (!free[v] || at_far_end != 0);
                    assume (!rx_credit[v] || inside != 0);
                    credits <= credits - sends + tx_credit[v];
                    inside <= inside + takes - rx_credit[v];
                    if (!core_alive) begin
                        at_far_end <= 0;
                        freed <= 0;
                        arrived <= 0;
                    end else begin
                        at_far_end <= at_far_end + (sends & link_up) - (link_up & free[v]);
                        freed <= freed + (link_up & free[v]);
                        arrived <= arrived + (link_up & arrive[v]);
                        // Every flit that is sent has a place at the far end.
                        assert (at_far_end + (sends & link_up) <= LINE_FLITS);
                    end
                    assert (credits - sends + tx_credit[v] <= RX_BUFFER_FLITS);
                    // The block's own buffer holds what it is given.
                    assert (inside + takes <= RX_BUFFER_FLITS);
                    // After rest no credit is missing.
                    if (core_idle & !tx_credit[v] & !sends) assert (credits == RX_BUFFER_FLITS);
                end
        end
    endgenerate
endmodule
