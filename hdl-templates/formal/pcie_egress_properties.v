// pcie_egress_properties: pcie_egress between a switch core that keeps its credits and any host.
// A beat that is offered stays as it is until the host takes it, dropping and time-outs included.

module pcie_egress_properties #(
    parameter VCS = 2,
    parameter RX_BUFFER_FLITS = 4,
    parameter HOST_TIMEOUT = 3
) (
    input wire        clk,
    input wire        rst,
    input wire        flit_valid,
    input wire        flit_vc,
    input wire        flit_last,
    input wire        flit_bad,
    input wire [63:0] flit_data,
    input wire        m_axis_tready
);
    wire [VCS-1:0] credit;
    wire [63:0] m_axis_tdata;
    wire [7:0] m_axis_tkeep;
    wire m_axis_tvalid;
    wire m_axis_tlast;
    wire m_axis_tuser;

    pcie_egress #(
        .DATA_WIDTH(64), .VCS(VCS), .RX_BUFFER_FLITS(RX_BUFFER_FLITS), .HOST_TIMEOUT(HOST_TIMEOUT)
    ) egress (
        .clk(clk), .rst(rst),
        .flit_valid(flit_valid), .flit_vc(flit_vc), .flit_last(flit_last), .flit_bad(flit_bad),
        .flit_data(flit_data), .credit(credit),
        .m_axis_tdata(m_axis_tdata), .m_axis_tkeep(m_axis_tkeep), .m_axis_tvalid(m_axis_tvalid),
        .m_axis_tlast(m_axis_tlast), .m_axis_tuser(m_axis_tuser), .m_axis_tready(m_axis_tready),
        .host_stalls(m_axis_tvalid && !m_axis_tready),
        .host_ends(m_axis_tvalid && m_axis_tready && m_axis_tlast),
        .events()
    );

    reg started = 1'b0;
    reg refused;
    reg [73:0] refused_beat;
    reg [3:0] inside [0:VCS-1];     // flits whose credit has not been given back
    integer w;
    wire [73:0] beat = {m_axis_tuser, m_axis_tlast, m_axis_tkeep, m_axis_tdata};

    always @(posedge clk) begin
        started <= 1'b1;
        assume (rst == !started);
        refused <= !rst && m_axis_tvalid && !m_axis_tready;
        refused_beat <= beat;
        if (!rst && refused)
            // Stable until taken.
            assert (m_axis_tvalid && beat == refused_beat);
        for (w = 0; w < VCS; w = w + 1)
            if (rst)
                inside[w] <= 0;
            else begin
                assume (!(flit_valid && flit_vc == w) || inside[w] < RX_BUFFER_FLITS);
                inside[w] <= inside[w] + (flit_valid && flit_vc == w) - credit[w];
                // Credits only for flits.
                assert (!credit[w] || inside[w] != 0);
            end
    end
endmodule
