// host_port: one PCIe-side port of a block, between a host's AXI4-Streams and a port of the core
// (docs/microarchitecture.md 3). An ingress and an egress, each behind a converter between the
// host's beats and pieces as wide as a flit; with PATHS path_choice before the ingress. Structure
// only.
//
// Latency: that of pcie_ingress and pcie_egress; each +1 when PCIE_WIDTH differs from DATA_WIDTH;
// into the core +1 with PATHS.
// Throughput: one flit or one beat per cycle and direction, whichever is less. Reset: synchronous,
// active high.
// Limits: those of pcie_ingress, pcie_egress, ingress_width and egress_width.
<$ banner $>

module host_port #(
    parameter DATA_WIDTH = 64, // bits of a flit
    parameter PCIE_WIDTH = 64, // bits of a host's beat
    parameter VCS = 2,  // virtual channels
    parameter VC_BITS = VCS > 2 ? 2 : 1, // do not override
    parameter HOST_CHANNELS = 1,  // channels that the host's packets start on
    parameter RX_BUFFER_FLITS = 62, // credits after reset
    parameter EGRESS_FLITS = RX_BUFFER_FLITS, // credits that the egress is for
    parameter MAX_PACKET_FLITS = 33, // longest packet with its header
    parameter LAYERS = 1,  // legal values of the layer field
    parameter HOST_TIMEOUT = 1024, // cycles that a host may refuse a beat; 0: for ever
    parameter PCIE_PORT = 0,  // own number, stamped into field 0 of the source
    parameter ADDRESS_TRAIN = 0,  // 1: source as given, CRC without the destination
    parameter PATHS = 0,  // 1: the layer is chosen here
    parameter ADAPTIVE = 0,  // 1: packets may be unordered and wait on `in_*`
    parameter MASK_BITS = 0,  // bits of a node address, with PATHS
    parameter [(8<<MASK_BITS)-1:0] MASKS_INIT = 0,
    // layout of an address
    parameter FIELDS = 1,
    parameter [39:0] FIELD_LSBS = 40'd0, // field 0 in the low bits, 5 bits each
    parameter [39:0] FIELD_BITS = 40'd0, // 5 bits each
    parameter [167:0] FIELD_SIZES = 168'd1 // 21 bits each
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [19:0]             node_address,
    // of path_registers, with PATHS
    input  wire [25:0]             mask_change,
    output wire [7:0]              mask_value,
    input  wire [15:0]             layer_entry,
    // from the host
    input  wire [PCIE_WIDTH-1:0]   s_axis_tdata,
    input  wire [PCIE_WIDTH/8-1:0] s_axis_tkeep,
    input  wire                    s_axis_tvalid,
    input  wire                    s_axis_tlast,
    input  wire                    s_axis_tuser,
    output wire                    s_axis_tready,
    // to the host
    output wire [PCIE_WIDTH-1:0]   m_axis_tdata,
    output wire [PCIE_WIDTH/8-1:0] m_axis_tkeep,
    output wire                    m_axis_tvalid,
    output wire                    m_axis_tlast,
    output wire                    m_axis_tuser,
    input  wire                    m_axis_tready,
    // into the core
    output wire                    in_valid,
    output wire [VC_BITS-1:0]      in_vc,
    output wire                    in_last,
    output wire [DATA_WIDTH-1:0]   in_data,
    input  wire [VCS-1:0]          in_credit,
    input  wire                    in_wait, // the header stays; 0 without ADAPTIVE
    // out of the core
    input  wire                    out_valid,
    input  wire [VC_BITS-1:0]      out_vc,
    input  wire                    out_last,
    input  wire                    out_bad,
    input  wire [DATA_WIDTH-1:0]   out_data,
    output wire [VCS-1:0]          out_credit,
    output wire [13:0]             events // counter c of this port at bit c
);
    localparam HOST_CHANNEL_BITS = HOST_CHANNELS > 2 ? 2 : 1;
    localparam DISTANCE = VCS / HOST_CHANNELS; // of channels with a number below

    // Host channel h is virtual channel h * DISTANCE.
    wire [HOST_CHANNEL_BITS-1:0] host_channel;
    wire [HOST_CHANNELS-1:0]     host_credit;

    generate
        if (HOST_CHANNELS > VCS) begin : gen_check_host_channels
            illegal_parameter_HOST_CHANNELS_must_be_at_most_VCS stop ();
        end
        genvar h;
        for (h = 0; h < HOST_CHANNELS; h = h + 1) begin : gen_host_credit
            assign host_credit[h] = in_credit[h*DISTANCE];
        end
        if (VC_BITS > HOST_CHANNEL_BITS) begin : gen_channels_apart
            assign in_vc = {host_channel, 1'b0};
        end else begin : gen_channels
            assign in_vc = host_channel;
        end
    endgenerate

    // On some channels no packet starts.
    wire unused_in_credit = &{1'b0, in_credit};

    // The host's streams in pieces as wide as a flit.
    wire [DATA_WIDTH-1:0]   in_piece_data;
    wire [DATA_WIDTH/8-1:0] in_piece_keep;
    wire in_piece_valid, in_piece_last, in_piece_user, in_piece_ready;
    wire [DATA_WIDTH-1:0]   out_piece_data;
    wire [DATA_WIDTH/8-1:0] out_piece_keep;
    wire out_piece_valid, out_piece_last, out_piece_user, out_piece_ready, host_stalls, host_ends;

    ingress_width #(.PCIE_WIDTH(PCIE_WIDTH), .DATA_WIDTH(DATA_WIDTH)) ingress_width (
        .clk(clk), .rst(rst), .s_axis_tdata(s_axis_tdata), .s_axis_tkeep(s_axis_tkeep),
        .s_axis_tvalid(s_axis_tvalid), .s_axis_tlast(s_axis_tlast), .s_axis_tuser(s_axis_tuser),
        .s_axis_tready(s_axis_tready), .piece_data(in_piece_data), .piece_keep(in_piece_keep),
        .piece_valid(in_piece_valid), .piece_last(in_piece_last), .piece_user(in_piece_user),
        .piece_ready(in_piece_ready)
    );

    // The same as pcie_ingress takes them.
    wire [DATA_WIDTH-1:0]   taken_data;
    wire [DATA_WIDTH/8-1:0] taken_keep;
    wire taken_valid, taken_last, taken_user, unreachable;
    wire [HOST_CHANNEL_BITS-1:0] entry_channel;

    generate
        if (PATHS != 0) begin : gen_path_choice
            path_choice #(
                .DATA_WIDTH(DATA_WIDTH), .LAYERS(LAYERS), .CHANNEL_BITS(HOST_CHANNEL_BITS),
                .PCIE_PORT(PCIE_PORT), .FIELD0_LSB({27'd0, FIELD_LSBS[4:0]}),
                .FIELD0_BITS({27'd0, FIELD_BITS[4:0]}), .MASK_BITS(MASK_BITS),
                .MASKS_INIT(MASKS_INIT)
            ) path_choice (
                .clk(clk), .rst(rst), .node_address(node_address), .mask_change(mask_change),
                .mask_value(mask_value), .layer_entry(layer_entry), .in_data(in_piece_data),
                .in_keep(in_piece_keep), .in_taken(in_piece_valid && in_piece_ready),
                .in_last(in_piece_last), .in_user(in_piece_user), .out_data(taken_data),
                .out_keep(taken_keep), .out_valid(taken_valid), .out_last(taken_last),
                .out_user(taken_user), .unreachable(unreachable), .channel(entry_channel)
            );
        end else begin : gen_no_path_choice
            assign {taken_data, taken_keep} = {in_piece_data, in_piece_keep};
            assign {taken_valid, taken_last, taken_user}
                = {in_piece_valid, in_piece_last, in_piece_user};
            assign unreachable   = 1'b0;
            assign entry_channel = {HOST_CHANNEL_BITS{1'b0}};
            assign mask_value    = 8'd0;
            wire unused_paths = &{1'b0, mask_change, layer_entry, MASKS_INIT};
        end
    endgenerate

    pcie_ingress #(
        .DATA_WIDTH(DATA_WIDTH), .HOST_CHANNELS(HOST_CHANNELS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS),
        .MAX_PACKET_FLITS(MAX_PACKET_FLITS), .LAYERS(LAYERS), .PCIE_PORT(PCIE_PORT),
        .ADDRESS_TRAIN(ADDRESS_TRAIN), .PATHS(PATHS), .ADAPTIVE(ADAPTIVE), .FIELDS(FIELDS),
        .FIELD_LSBS(FIELD_LSBS), .FIELD_BITS(FIELD_BITS), .FIELD_SIZES(FIELD_SIZES)
    ) ingress (
        .clk(clk), .rst(rst), .node_address(node_address), .s_axis_tdata(taken_data),
        .s_axis_tkeep(taken_keep), .s_axis_tvalid(taken_valid), .s_axis_tlast(taken_last),
        .s_axis_tuser(taken_user), .s_axis_tready(in_piece_ready), .unreachable(unreachable),
        .given_channel(entry_channel), .hold(in_wait), .flit_valid(in_valid),
        .flit_channel(host_channel), .flit_last(in_last), .flit_data(in_data), .credit(host_credit),
        .events(events[8:0])
    );

    pcie_egress #(
        .DATA_WIDTH(DATA_WIDTH), .VCS(VCS), .RX_BUFFER_FLITS(EGRESS_FLITS),
        .HOST_TIMEOUT(HOST_TIMEOUT), .ADDRESS_TRAIN(ADDRESS_TRAIN)
    ) egress (
        .clk(clk), .rst(rst), .flit_valid(out_valid), .flit_vc(out_vc), .flit_last(out_last),
        .flit_bad(out_bad), .flit_data(out_data), .credit(out_credit),
        .m_axis_tdata(out_piece_data), .m_axis_tkeep(out_piece_keep),
        .m_axis_tvalid(out_piece_valid), .m_axis_tlast(out_piece_last),
        .m_axis_tuser(out_piece_user), .m_axis_tready(out_piece_ready), .host_stalls(host_stalls),
        .host_ends(host_ends),
        .events(events[13:9])
    );

    egress_width #(.PCIE_WIDTH(PCIE_WIDTH), .DATA_WIDTH(DATA_WIDTH)) egress_width (
        .clk(clk), .rst(rst), .piece_data(out_piece_data), .piece_keep(out_piece_keep),
        .piece_valid(out_piece_valid), .piece_last(out_piece_last), .piece_user(out_piece_user),
        .piece_ready(out_piece_ready), .host_stalls(host_stalls), .host_ends(host_ends),
        .m_axis_tdata(m_axis_tdata),
        .m_axis_tkeep(m_axis_tkeep), .m_axis_tvalid(m_axis_tvalid), .m_axis_tlast(m_axis_tlast),
        .m_axis_tuser(m_axis_tuser), .m_axis_tready(m_axis_tready)
    );
endmodule
