// selftest_checker: takes what one port of the block under test sends, and compares every flit with
// what selftest_generator must have sent.
//
// Checked: destination, source, channel, packet number (nothing lost, doubled or overtaken), length,
// CRC, place in the packet, every payload bit, no packet marked bad. Ports from FIRST_HOST on are
// hosts of an adapter block, which writes its address and the number of the host (bits 8:6) over
// the source field: number and channel of their packets are in the payload only. Credits go back at
// once; with `stalls` only in about every second cycle. Latency: one cycle of input registers.
// Reset: synchronous, active high. Limits: as selftest_generator.
<$ banner $>

module selftest_checker #(
    parameter PORTS = 4,
    parameter PORT = 0,
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter FIRST_HOST = PORTS // PORTS: none
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             stalls,
    input  wire                             rx_valid,
    input  wire [((VCS > 2) ? 2 : 1) - 1:0] rx_vc,
    input  wire                             rx_last,
    input  wire                             rx_bad,
    input  wire [DATA_WIDTH-1:0]            rx_data,
    output reg  [VCS-1:0]                   rx_credit,
    output reg  [31:0]                      received, // flits
    output reg  [15:0]                      errors    // faulty flits, stops at 65535
);
    localparam KEYS = PORTS * VCS;
    localparam BEAT_BITS = $clog2(DATA_WIDTH / 8);
    localparam [5:0] OWN = PORT[5:0];
    localparam [6:0] COUNT = PORTS[6:0];

    reg                  valid;
    reg [1:0]            vc;
    reg                  last;
    reg                  bad;
    reg [DATA_WIDTH-1:0] data;

    always @(posedge clk) begin
        valid <= rx_valid && !rst;
        vc    <= {1'b0, rx_vc} & (VCS[1:0] - 2'd1);
        last  <= rx_last;
        bad   <= rx_bad;
        data  <= rx_data;
    end

    // Next number of each source and channel; the open packet of each channel.
    reg [12*KEYS-1:0] numbers;
    reg [3:0]         open;
    reg [6*VCS-1:0]   source;
    reg [12*VCS-1:0]  number;
    reg [4*VCS-1:0]   place;
    reg [4*VCS-1:0]   left;

    wire        from_host  = {1'b0, data[25:20]} == FIRST_HOST[6:0];
    wire [5:0]  from_port  = data[25:20] + (from_host ? {3'd0, data[28:26]} : 6'd0);
    wire [6:0]  from_wide  = {1'b0, from_port};
    wire        known      = from_wide < COUNT;
    wire [5:0]  crc;
    wire [8:0]  key        = {3'd0, known ? from_port : 6'd0} * VCS[8:0] + {7'd0, vc};
    wire [12:0] beats      = data[52:40] >> BEAT_BITS;
    wire        is_header  = !open[vc];
    wire [11:0] expected   = numbers[12*key +: 12];
    wire [11:0] current    = from_host ? expected : data[39:28];
    wire [31:0] word       = {number[12*vc +: 12], vc, source[6*vc +: 6], OWN, 2'b00,
                              place[4*vc +: 4]};

    wire header_right = known && (from_port != OWN) && (data[5:0] == OWN) && (data[19:6] == 14'd0)
                        && (from_host ? (data[39:29] == 11'd0) && (vc == 2'd0)
                                      : (data[27:26] == vc) && (current == expected))
                        && ({1'b0, data[DATA_WIDTH-1:53]} == {{(DATA_WIDTH-63){1'b0}}, crc, 5'd0})
                        && (beats < 13'd16) && (last == (beats == 13'd0));
    wire body_right   = (data == {(DATA_WIDTH/64){~word, word}})
                        && (last == (left[4*vc +: 4] == 4'd1));
    wire right        = !bad && (is_header ? header_right : body_right);

    header_crc header_end (
        .header(data[57:0]),
        .crc(crc)
    );

    always @(posedge clk) begin
        if (rst) begin
            numbers  <= {KEYS{12'd0}};
            open     <= 4'd0;
            source   <= {VCS{6'd0}};
            number   <= {VCS{12'd0}};
            place    <= {VCS{4'd0}};
            left     <= {VCS{4'd0}};
            received <= 32'd0;
            errors   <= 16'd0;
        end else if (valid) begin
            received <= received + 32'd1;
            open[vc] <= !last;
            if (is_header) begin
                source[6*vc +: 6]   <= from_port;
                number[12*vc +: 12] <= current;
                place[4*vc +: 4]    <= 4'd1;
                left[4*vc +: 4]     <= beats[3:0];
                numbers[12*key +: 12] <= current + 12'd1;
            end else begin
                place[4*vc +: 4] <= place[4*vc +: 4] + 4'd1;
                left[4*vc +: 4]  <= left[4*vc +: 4] - 4'd1;
            end
            if (!right && errors != 16'hFFFF)
                errors <= errors + 16'd1;
        end
    end

    // Credits: what arrived, less what went back.
    reg  [9*VCS-1:0] owed;
    reg  [6:0]       noise; // LFSR, x^7 + x^6 + 1
    wire             pauses = stalls && noise[0];
    wire [VCS-1:0]   arrives;

    always @(posedge clk)
        noise <= rst ? (7'd1 + PORT[6:0]) : {noise[5:0], noise[6] ^ noise[5]};

    generate
        genvar v;
        for (v = 0; v < VCS; v = v + 1) begin : gen_credit
            wire returns = !pauses && (owed[9*v +: 9] != 9'd0);

            assign arrives[v] = valid && (vc == v[1:0]);

            always @(posedge clk) begin
                rx_credit[v] <= returns && !rst;
                if (rst)
                    owed[9*v +: 9] <= 9'd0;
                else if (arrives[v] && !returns)
                    owed[9*v +: 9] <= owed[9*v +: 9] + 9'd1;
                else if (!arrives[v] && returns)
                    owed[9*v +: 9] <= owed[9*v +: 9] - 9'd1;
            end
        end
    endgenerate
endmodule
