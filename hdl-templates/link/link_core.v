// link_core: the side of a serial link that its block sees (docs/microarchitecture.md 7.4).
// Returns credits when places at the far end and in the ring are reserved, hands received flits
// on.
// Latency: a flit chosen in cycle c is on the rx pins in c + 2. Throughput: a flit per cycle each
// way.
// Reset: synchronous, active high. Limits: VCS 1 or 2, VCS * RX_BUFFER_FLITS < 256.
<$ banner $>

module link_core #(
    parameter VCS = 2,
    parameter RX_BUFFER_FLITS = 16
) (
    input  wire             clk,
    input  wire             rst,
    // block
    input  wire             tx_valid,
    input  wire             tx_vc,
    output reg  [VCS-1:0]   tx_credit,
    output reg              rx_valid,
    output reg              rx_vc,
    output reg              rx_last,
    output reg              rx_bad,
    output reg  [63:0]      rx_data,
    input  wire [VCS-1:0]   rx_credit,
    output reg              link_up,
    // ring
    output wire             ring,           // the flit on the tx pins goes into it
    output wire [7:0]       ring_at,
    output wire [8:0]       ring_write_gray,
    // queues
    input  wire [VCS*8-1:0] place_write_gray, // as seen here
    output wire [VCS+7-1:0] place_at,       // to read in this cycle
    input  wire [65:0]      place_flit,     // {last, bad, data}
    output wire [VCS*8-1:0] place_read_gray,
    // link side
    output reg              core_idle,
    input  wire             core_alive,
    input  wire [8:0]       core_ack,
    input  wire [15:0]      core_limits,
    output reg  [15:0]      lost_flits
);
    localparam [31:0] CREDITS = RX_BUFFER_FLITS;
    localparam [31:0] ALL_CREDITS = RX_BUFFER_FLITS * VCS;
    localparam CREDIT_BITS = $clog2(RX_BUFFER_FLITS + 1);

    generate
        if (VCS != 1 && VCS != 2) begin : gen_check_vcs
            illegal_parameter_VCS_must_be_1_or_2 stop ();
        end
        if (RX_BUFFER_FLITS < 4 || RX_BUFFER_FLITS * VCS > 255) begin : gen_check_rx_buffer_flits
            illegal_parameter_RX_BUFFER_FLITS_must_be_4_to_255_over_VCS stop ();
        end
    endgenerate

    // Up and down.
    reg  [3:0]     down_cycles;
    wire [VCS-1:0] owing;
    wire           rises = ~link_up & core_idle & core_alive;
    wire           dies  = link_up & ~core_alive;

    always @(posedge clk)
        if (rst) begin
            link_up <= 1'b0;
            down_cycles <= 4'd0;
            core_idle <= 1'b0;
        end else begin
            link_up <= link_up ? core_alive : rises;
            if (link_up)
                down_cycles <= 4'd0;
            else if (!(&down_cycles))
                down_cycles <= down_cycles + 4'd1;
            core_idle <= ~link_up & ~core_alive & &down_cycles & ~|owing;
        end

    // Ring, and what is lost.
    wire [8:0] ring_write;
    wire [8:0] unacknowledged = (ring_write - core_ack) & {9{dies}};
    // One more by way of the carry.
    wire [16:0] lost_sum = {lost_flits, 1'b1}
        + {7'd0, unacknowledged, tx_valid & (dies | ~link_up)};
    wire        unused_carry = &{1'b0, lost_sum[0]};

    assign ring    = tx_valid & link_up;
    assign ring_at = ring_write[7:0];

    link_pointer #(.BITS(9)) ring_pointer (
        .clk(clk),
        .clear(rst | ~link_up),
        .advance(tx_valid),
        .count(ring_write),
        .gray(ring_write_gray)
    );

    always @(posedge clk)
        if (rst)
            lost_flits <= 16'd0;
        else
            lost_flits <= lost_sum[16:1];

    // Credits to the block, at most one per cycle.
    reg  [8:0]     total;
    reg            grant_turn;
    wire [VCS-1:0] has_place;
    wire           has_room = total != (core_ack ^ 9'd256);
    wire [VCS-1:0] can_grant = owing & (has_place & {VCS{has_room}} | {VCS{~link_up}});
    wire [VCS-1:0] grant;

    always @(posedge clk)
        if (rst) begin
            total <= ALL_CREDITS[8:0];
            tx_credit <= {VCS{1'b0}};
            grant_turn <= 1'b0;
        end else begin
            tx_credit <= grant;
            if (!link_up)
                total <= ALL_CREDITS[8:0];
            else
                total <= total + {8'd0, |grant};
            if (VCS > 1 && |grant)
                grant_turn <= grant[0];
        end

    // Flits to the block.
    reg            turn;
    reg            fetched;
    reg            fetched_vc;
    wire [VCS-1:0] can_deliver;
    wire [VCS-1:0] deliver;
    wire [VCS*8-1:0] place_read;

    generate
        if (VCS > 1) begin : gen_choice
            // Of two that can, the one whose turn it is.
            assign grant = can_grant & ~({can_grant[0], can_grant[1]} & {~grant_turn, grant_turn});
            assign deliver = can_deliver & ~({can_deliver[0], can_deliver[1]} & {~turn, turn});
            assign place_at = {
                deliver[1], deliver[1] ? place_read[VCS*8-1 -: 8] : place_read[7:0]};
        end else begin : gen_choice
            assign grant = can_grant;
            assign deliver = can_deliver;
            assign place_at = place_read;
            wire unused_ok = &{1'b0, grant_turn, turn, core_limits[15:8]};
        end
    endgenerate

    always @(posedge clk)
        if (rst) begin
            turn <= 1'b0;
            fetched <= 1'b0;
            fetched_vc <= 1'b0;
        end else begin
            fetched <= |deliver;
            fetched_vc <= VCS > 1 && deliver[VCS-1];
            if (VCS > 1 && |deliver)
                turn <= deliver[0];
        end

    always @(posedge clk)
        if (rst | ~fetched) begin
            rx_valid <= 1'b0;
            {rx_vc, rx_last, rx_bad} <= 3'd0;
            rx_data <= 64'd0;
        end else begin
            rx_valid <= 1'b1;
            {rx_vc, rx_last, rx_bad, rx_data} <= {fetched_vc, place_flit};
        end

    genvar v;
    generate
        for (v = 0; v < VCS; v = v + 1) begin : gen_channel
            localparam [31:0] NUMBER = v;

            reg  [CREDIT_BITS-1:0] owed;
            reg  [7:0]             granted;
            reg  [CREDIT_BITS-1:0] credit;
            wire                   sent = tx_valid & (VCS == 1 || tx_vc == NUMBER[0]);

            assign owing[v]     = owed != {CREDIT_BITS{1'b0}};
            assign has_place[v] = granted != core_limits[v*8 +: 8];
            assign can_deliver[v] = link_up & credit != {CREDIT_BITS{1'b0}}
                & place_write_gray[v*8 +: 8] != place_read_gray[v*8 +: 8];

            link_pointer #(.BITS(8)) read_pointer (
                .clk(clk),
                .clear(rst | ~link_up),
                .advance(deliver[v]),
                .count(place_read[v*8 +: 8]),
                .gray(place_read_gray[v*8 +: 8])
            );

            always @(posedge clk)
                if (rst) begin
                    owed <= {CREDIT_BITS{1'b0}};
                    granted <= CREDITS[7:0];
                    credit <= CREDITS[CREDIT_BITS-1:0];
                end else begin
                    owed <= owed + {{CREDIT_BITS-1{grant[v] & ~sent}}, grant[v] ^ sent};
                    if (!link_up)
                        granted <= CREDITS[7:0];
                    else
                        granted <= granted + {7'd0, grant[v]};
                    credit <= credit
                        + {{CREDIT_BITS-1{deliver[v] & ~rx_credit[v]}}, deliver[v] ^ rx_credit[v]};
                end

`ifdef MKNS_ASSERT
            always @(posedge clk)
                if (!rst) begin
                    if (sent & owed == CREDITS[CREDIT_BITS-1:0]) begin
                        $display("mkns_assert %m: a flit comes without a credit");
                        $stop;
                    end
                    if (rx_credit[v] & credit == CREDITS[CREDIT_BITS-1:0]) begin
                        $display("mkns_assert %m: a credit comes back that was not spent");
                        $stop;
                    end
                end
`endif
        end
    endgenerate
endmodule
