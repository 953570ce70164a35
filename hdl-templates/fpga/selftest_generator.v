// selftest_generator: sends packets of random length into one port of the block under test.
//
// Packets are numbered for each destination and virtual channel. A header carries {number, channel,
// source port} as its source address; every payload flit carries the same with destination and
// place in the packet, plain and inverted, so that any flit lost, doubled, damaged, misrouted or out
// of order is seen by the checker that receives it. Headers end in their CRC-6. Packets use the
// first CHANNELS of VCS virtual channels; hosts of an adapter block have one.
//
// Traffic: 0 uniform to all other ports, 1 always to the next port, 2 all to port 0 (port 0 to port
// 1), 3 uniform with random gaps. Latency: outputs are registers. Reset: synchronous, active high.
// Limits: PORTS 2..32, DATA_WIDTH 64, 128, 256, 512, VCS 1, 2, 4, CHANNELS 1..VCS, a
// power of two, MAX_PAYLOAD 0..15.
<$ banner $>

module selftest_generator #(
    parameter PORTS = 4,
    parameter PORT = 0,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter CHANNELS = VCS,
    parameter CREDITS = 12,
    parameter MAX_PAYLOAD = 15
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             enable,  // may start packets
    input  wire [1:0]                       traffic,
    output reg                              tx_valid,
    output reg  [((VCS > 2) ? 2 : 1) - 1:0] tx_vc,
    output reg                              tx_last,
    output reg  [DATA_WIDTH-1:0]            tx_data,
    input  wire [VCS-1:0]                   tx_credit,
    output reg  [31:0]                      sent     // flits
);
    localparam VC_BITS = (VCS > 2) ? 2 : 1;
    localparam KEYS = PORTS * VCS;
    localparam BEAT_BITS = $clog2(DATA_WIDTH / 8);
    localparam [5:0] OWN = PORT[5:0];
    localparam [5:0] NEXT = (PORT == PORTS - 1) ? 6'd0 : OWN + 6'd1;
    localparam [6:0] COUNT = PORTS[6:0];
    localparam OTHERS = PORTS - 1;
    localparam SIZES = MAX_PAYLOAD + 1;

    // A Fibonacci LFSR of 32 bits (taps 32, 22, 2, 1), stepped eight times a cycle.
    reg  [31:0] random;
    wire [31:0] random_next;

    function [31:0] advanced;
        input [31:0] value;
        integer step;
        begin
            advanced = value;
            for (step = 0; step < 8; step = step + 1)
                advanced = {advanced[30:0], advanced[31] ^ advanced[21] ^ advanced[1] ^ advanced[0]};
        end
    endfunction

    assign random_next = advanced(random);

    // The next packet, drawn anew in every cycle in which none starts.
    reg  [5:0]  next_port;
    reg  [1:0]  next_vc;
    reg  [3:0]  next_payload;
    reg         next_starts;
    wire [13:0] scaled   = {6'd0, random[7:0]} * OTHERS[13:0];
    wire [6:0]  distance = {1'b0, scaled[13:8]} + 7'd1 + {1'b0, OWN};
    wire [6:0]  wrapped  = (distance >= COUNT) ? distance - COUNT : distance;
    wire [7:0]  sized    = {4'd0, random[15:12]} * SIZES[7:0];

    // The packet under way.
    reg         active;
    reg  [5:0]  to_port;
    reg  [1:0]  vc;
    reg  [3:0]  payload;
    reg  [3:0]  place;
    reg  [11:0] number;

    // One number a destination and channel, one credit counter a channel.
    reg  [12*KEYS-1:0] numbers;
    reg  [9*VCS-1:0]   credits;
    wire [VCS-1:0]     spends;
    wire [8:0]         key = {3'd0, next_port} * VCS[8:0] + {7'd0, next_vc};

    wire        has_credit = credits[9*vc +: 9] != 9'd0;
    wire        sends      = active && has_credit;
    wire        is_header  = place == 4'd0;
    wire        is_last    = place == payload;
    wire        starts     = enable && next_starts && (!active || (sends && is_last));
    wire [31:0] word       = {number, vc, OWN, to_port, 2'b00, place};
    wire [12:0] bytes      = {9'd0, payload} << BEAT_BITS;
    wire [57:0] fields     = {5'd0, bytes, number, vc, OWN, 14'd0, to_port};
    wire [5:0]  crc;
    wire [DATA_WIDTH:0] header_flit = {{(DATA_WIDTH-63){1'b0}}, crc, fields};

    header_crc header_end (
        .header(fields),
        .crc(crc)
    );

    always @(posedge clk) begin
        if (rst) begin
            random       <= 32'h9E3779B9 ^ {4{2'b01, OWN}};
            next_port    <= NEXT;
            next_vc      <= 2'd0;
            next_payload <= 4'd0;
            next_starts  <= 1'b0;
        end else begin
            random       <= random_next;
            next_vc      <= random[9:8] & (CHANNELS[1:0] - 2'd1);
            next_payload <= sized[7:4];
            next_starts  <= (traffic != 2'd3) || (random[18:16] == 3'd0);
            case (traffic)
                2'd1:    next_port <= NEXT;
                2'd2:    next_port <= (PORT == 0) ? 6'd1 : 6'd0;
                default: next_port <= wrapped[5:0];
            endcase
        end
    end

    always @(posedge clk) begin
        if (rst) begin
            active  <= 1'b0;
            to_port <= 6'd0;
            vc      <= 2'd0;
            payload <= 4'd0;
            place   <= 4'd0;
            number  <= 12'd0;
            numbers <= {KEYS{12'd0}};
            sent    <= 32'd0;
        end else begin
            if (sends) begin
                place <= place + 4'd1;
                sent  <= sent + 32'd1;
                if (is_last)
                    active <= 1'b0;
            end
            if (starts) begin
                active  <= 1'b1;
                to_port <= next_port;
                vc      <= next_vc;
                payload <= next_payload;
                place   <= 4'd0;
                number  <= numbers[12*key +: 12];
                numbers[12*key +: 12] <= numbers[12*key +: 12] + 12'd1;
            end
        end
    end

    always @(posedge clk) begin
        tx_valid <= sends && !rst;
        tx_vc    <= vc[VC_BITS-1:0];
        tx_last  <= is_last;
        tx_data  <= is_header ? header_flit[DATA_WIDTH-1:0] : {(DATA_WIDTH/64){~word, word}};
    end

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_credit
            assign spends[v] = sends && (vc == v[1:0]);

            always @(posedge clk) begin
                if (rst)
                    credits[9*v +: 9] <= CREDITS[8:0];
                else if (spends[v] && !tx_credit[v])
                    credits[9*v +: 9] <= credits[9*v +: 9] - 9'd1;
                else if (!spends[v] && tx_credit[v])
                    credits[9*v +: 9] <= credits[9*v +: 9] + 9'd1;
            end
        end
    endgenerate

    // Only some bits of the draws count.
    wire unused_ok = &{1'b0, random[31:19], random[11:10], scaled[7:0], sized[3:0], wrapped[6],
                       header_flit[DATA_WIDTH]};
endmodule
