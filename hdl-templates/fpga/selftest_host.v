// selftest_host: joins a generator and a checker of the self-test to the streams of one host port of
// an adapter block.
//
// Flits of the generator wait in a buffer until the stream takes them, each then returns its credit.
// The stream towards the checker is ready while the checker has room for ROOM flits. The stream does
// not tell the virtual channel; it is taken from the header, where the generators write it (packets
// of hosts, whose source field the adapter block writes over, use channel 0). A beat whose bytes do
// not all count, or that is marked, reaches the checker as bad.
// Latency: to the stream one cycle, from it none. Reset: synchronous, active high.
// Limits: CREDITS 1..16, VCS 1, 2, 4.
<$ banner $>

module selftest_host #(
    parameter DATA_WIDTH = 64,
    parameter VCS = 2,
    parameter CREDITS = 12, // of the generator
    parameter FIRST_HOST = 4   // source of packets of hosts
) (
    input  wire                             clk,
    input  wire                             rst,
    // from the generator
    input  wire                             rx_valid,
    input  wire                             rx_last,
    input  wire [DATA_WIDTH-1:0]            rx_data,
    output reg  [VCS-1:0]                   rx_credit,
    // to the checker
    output wire                             tx_valid,
    output wire [((VCS > 2) ? 2 : 1) - 1:0] tx_vc,
    output wire                             tx_last,
    output wire                             tx_bad,
    output wire [DATA_WIDTH-1:0]            tx_data,
    input  wire [VCS-1:0]                   tx_credit,
    // to the adapter block
    output wire [DATA_WIDTH-1:0]            m_axis_tdata,
    output wire                             m_axis_tvalid,
    output wire                             m_axis_tlast,
    input  wire                             m_axis_tready,
    // from it
    input  wire [DATA_WIDTH-1:0]            s_axis_tdata,
    input  wire [DATA_WIDTH/8-1:0]          s_axis_tkeep,
    input  wire                             s_axis_tvalid,
    input  wire                             s_axis_tlast,
    input  wire                             s_axis_tuser,
    output wire                             s_axis_tready
);
    localparam VC_BITS = (VCS > 2) ? 2 : 1;
    localparam [4:0] ROOM = CREDITS[4:0];

    // Towards the adapter block.
    reg [DATA_WIDTH:0] buffer [0:15];
    reg [4:0]          write;
    reg [4:0]          read;
    wire               taken = m_axis_tvalid && m_axis_tready;

    assign m_axis_tvalid = write != read;
    assign {m_axis_tlast, m_axis_tdata} = buffer[read[3:0]];

    always @(posedge clk) begin
        if (rx_valid)
            buffer[write[3:0]] <= {rx_last, rx_data};
        rx_credit    <= {VCS{1'b0}};
        rx_credit[0] <= taken && !rst;
        if (rst) begin
            write <= 5'd0;
            read  <= 5'd0;
        end else begin
            write <= write + {4'd0, rx_valid};
            read  <= read + {4'd0, taken};
        end
    end

    // From the adapter block. The checker returns at most one credit a channel and cycle.
    reg  [4:0]         room;
    reg                is_body;
    reg  [VC_BITS-1:0] open_vc;
    reg  [4:0]         returned;
    integer            v;
    wire               from_host = s_axis_tdata[25:20] == FIRST_HOST[5:0];
    wire [VC_BITS-1:0] header_vc = from_host ? {VC_BITS{1'b0}} : s_axis_tdata[26 +: VC_BITS];

    assign s_axis_tready = room != 5'd0;
    assign tx_valid = s_axis_tvalid && s_axis_tready;
    assign tx_vc    = is_body ? open_vc : header_vc;
    assign tx_last  = s_axis_tlast;
    assign tx_bad   = s_axis_tuser || (s_axis_tkeep != {DATA_WIDTH/8{1'b1}});
    assign tx_data  = s_axis_tdata;

    always @(*) begin
        returned = 5'd0;
        for (v = 0; v < VCS; v = v + 1)
            returned = returned + {4'd0, tx_credit[v]};
    end

    always @(posedge clk) begin
        if (rst) begin
            room    <= ROOM;
            is_body <= 1'b0;
            open_vc <= {VC_BITS{1'b0}};
        end else begin
            room <= room + returned - {4'd0, tx_valid};
            if (tx_valid) begin
                is_body <= !s_axis_tlast;
                open_vc <= tx_vc;
            end
        end
    end
endmodule
