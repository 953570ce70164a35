// selftest: <$ title $> between packet generators and checkers, which tests itself
// for ever and says so as text on a serial line and on LEDs.
//
// A round runs one kind of traffic (selftest_generator) for RUN_CYCLES, lets the network drain, adds
// up what all ports sent and received since reset, and prints one line:
//   <$ line $>
// Numbers are hexadecimal; `ports` has a bit for each port whose checker saw a fault. The verdict is
// pass when all flits sent have arrived, none was faulty and this round sent some; otherwise fail,
// and since nothing is forgotten before a reset, every later verdict is fail too. The next round
// takes the next kind of traffic. Bytes received on the serial line choose: `0`..`3` that traffic,
// `a` all in turn.
// LEDs: 0 beats, 1 traffic is running, 2 the last verdict was pass, 3 it was fail.
// Reset: synchronous, active high.
<$ banner $>

module selftest #(
    parameter BAUD_DIVIDER = 217,     // cycles a bit of the serial line
    parameter RUN_CYCLES = 1048576, // of one round
    parameter DRAIN_CYCLES = 8192     // after which everything sent must have arrived
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       serial_in,
    output wire       serial_out,
    output wire [3:0] led
);
    localparam NETWORK = <$ network_ports $>; // links
    localparam PORTS = <$ ports $>; // links, then hosts
    localparam DATA_WIDTH = <$ data_width $>;
    localparam VCS = <$ vcs $>;
    localparam VC_BITS = <$ vc_bits $>;
    localparam CREDITS = <$ credits $>;
    localparam MAX_PAYLOAD = <$ max_payload $>;
    localparam LENGTH = <$ length $>;
    localparam [8*LENGTH-1:0] TEXT = "<$ text $>\015\012";

    localparam [2:0] RUN = 3'd0;
    localparam [2:0] DRAIN = 3'd1;
    localparam [2:0] ADD = 3'd2;
    localparam [2:0] JUDGE = 3'd3;
    localparam [2:0] REPORT = 3'd4;

    // Between generators (rx), checkers (tx) and the block; hosts join them to their streams.
    wire [PORTS-1:0]            rx_valid;
    wire [PORTS*VC_BITS-1:0]    rx_vc;
    wire [PORTS-1:0]            rx_last;
    wire [PORTS*DATA_WIDTH-1:0] rx_data;
    wire [PORTS*VCS-1:0]        rx_credit;
    wire [PORTS-1:0]            tx_valid;
    wire [PORTS*VC_BITS-1:0]    tx_vc;
    wire [PORTS-1:0]            tx_last;
    wire [PORTS-1:0]            tx_bad;
    wire [PORTS*DATA_WIDTH-1:0] tx_data;
    wire [PORTS*VCS-1:0]        tx_credit;
    wire [32*PORTS-1:0]         sent;
    wire [32*PORTS-1:0]         received;
    wire [16*PORTS-1:0]         errors;

    reg [2:0]  state;
    reg [31:0] time_left;
    reg [1:0]  traffic;
    reg        takes_turns;
    reg [5:0]  port;
    reg [31:0] sum_sent;
    reg [31:0] last_sent;
    reg [31:0] sum_received;
    reg [31:0] sum_errors;
    reg [15:0] faulty;
    reg        passed;
    reg        failed;

    wire         reports;
    wire         command_valid;
    wire [7:0]   command;

    always @(posedge clk) begin
        if (rst) begin
            state        <= RUN;
            time_left    <= RUN_CYCLES - 1;
            traffic      <= 2'd0;
            takes_turns  <= 1'b1;
            port         <= 6'd0;
            sum_sent     <= 32'd0;
            last_sent    <= 32'd0;
            sum_received <= 32'd0;
            sum_errors   <= 32'd0;
            faulty       <= 16'd0;
            passed       <= 1'b0;
            failed       <= 1'b0;
        end else begin
            case (state)
                RUN: begin
                    time_left <= time_left - 32'd1;
                    if (time_left == 32'd0) begin
                        state     <= DRAIN;
                        time_left <= DRAIN_CYCLES - 1;
                    end
                end
                DRAIN: begin
                    time_left    <= time_left - 32'd1;
                    port         <= 6'd0;
                    sum_sent     <= 32'd0;
                    sum_received <= 32'd0;
                    sum_errors   <= 32'd0;
                    faulty       <= 16'd0;
                    if (time_left == 32'd0)
                        state <= ADD;
                end
                ADD: begin
                    port         <= port + 6'd1;
                    sum_sent     <= sum_sent + sent[32*port +: 32];
                    sum_received <= sum_received + received[32*port +: 32];
                    sum_errors   <= sum_errors + {16'd0, errors[16*port +: 16]};
                    faulty[port[3:0]] <= errors[16*port +: 16] != 16'd0;
                    if (port == PORTS[5:0] - 6'd1)
                        state <= JUDGE;
                end
                JUDGE: begin
                    passed    <= !failed && (sum_sent == sum_received) && (sum_errors == 32'd0)
                                 && (sum_sent != last_sent);
                    failed    <= failed || (sum_sent != sum_received) || (sum_errors != 32'd0)
                                 || (sum_sent == last_sent);
                    last_sent <= sum_sent;
                    state     <= REPORT;
                end
                default: if (!reports) begin
                    state     <= RUN;
                    time_left <= RUN_CYCLES - 1;
                    traffic   <= takes_turns ? traffic + 2'd1 : traffic;
                end
            endcase
            if (command_valid && command[7:2] == 6'b001100) begin
                traffic     <= command[1:0];
                takes_turns <= 1'b0;
            end
            if (command_valid && command == "a")
                takes_turns <= 1'b1;
        end
    end

    reg [23:0] beat;

    always @(posedge clk)
        beat <= rst ? 24'd0 : beat + 24'd1;

    assign led = {failed, passed, state == RUN, beat[23]};

    report_line #(
        .DIVIDER(BAUD_DIVIDER),
        .LENGTH(LENGTH),
        .TEXT(TEXT)
    ) report (
        .clk(clk),
        .rst(rst),
        .start(state == JUDGE),
        .digits({sum_sent, sum_received, sum_errors, faulty}),
        .traffic(traffic),
        .passed(passed),
        .busy(reports),
        .serial_out(serial_out)
    );

    uart_receiver #(
        .DIVIDER(BAUD_DIVIDER)
    ) receiver (
        .clk(clk),
        .rst(rst),
        .line(serial_in),
        .valid(command_valid),
        .data(command)
    );

    generate
        genvar i;
        for (i = 0; i < PORTS; i = i + 1) begin : gen_port
            selftest_generator #(
                .PORTS(PORTS),
                .PORT(i),
                .DATA_WIDTH(DATA_WIDTH),
                .VCS(VCS),
                .CHANNELS((i < NETWORK) ? VCS : 1),
                .CREDITS(CREDITS),
                .MAX_PAYLOAD(MAX_PAYLOAD)
            ) generator (
                .clk(clk),
                .rst(rst),
                .enable(state == RUN),
                .traffic(traffic),
                .tx_valid(rx_valid[i]),
                .tx_vc(rx_vc[i*VC_BITS +: VC_BITS]),
                .tx_last(rx_last[i]),
                .tx_data(rx_data[i*DATA_WIDTH +: DATA_WIDTH]),
                .tx_credit(rx_credit[i*VCS +: VCS]),
                .sent(sent[32*i +: 32])
            );

            selftest_checker #(
                .PORTS(PORTS),
                .PORT(i),
                .DATA_WIDTH(DATA_WIDTH),
                .VCS(VCS),
                .FIRST_HOST(NETWORK)
            ) checker_unit (
                .clk(clk),
                .rst(rst),
                .stalls(traffic == 2'd3),
                .rx_valid(tx_valid[i]),
                .rx_vc(tx_vc[i*VC_BITS +: VC_BITS]),
                .rx_last(tx_last[i]),
                .rx_bad(tx_bad[i]),
                .rx_data(tx_data[i*DATA_WIDTH +: DATA_WIDTH]),
                .rx_credit(tx_credit[i*VCS +: VCS]),
                .received(received[32*i +: 32]),
                .errors(errors[16*i +: 16])
            );
        end
    endgenerate

    wire        axil_awready;
    wire        axil_wready;
    wire [1:0]  axil_bresp;
    wire        axil_bvalid;
    wire        axil_arready;
    wire [31:0] axil_rdata;
    wire [1:0]  axil_rresp;
    wire        axil_rvalid;
<%- if hosts > 0 %>

    localparam HOSTS = PORTS - NETWORK;

    wire [HOSTS*DATA_WIDTH-1:0]   to_tdata;
    wire [HOSTS-1:0]              to_tvalid;
    wire [HOSTS-1:0]              to_tlast;
    wire [HOSTS-1:0]              to_tready;
    wire [HOSTS*DATA_WIDTH-1:0]   from_tdata;
    wire [HOSTS*DATA_WIDTH/8-1:0] from_tkeep;
    wire [HOSTS-1:0]              from_tvalid;
    wire [HOSTS-1:0]              from_tlast;
    wire [HOSTS-1:0]              from_tuser;
    wire [HOSTS-1:0]              from_tready;

    generate
        genvar q;
        for (q = 0; q < HOSTS; q = q + 1) begin : gen_host
            selftest_host #(
                .DATA_WIDTH(DATA_WIDTH),
                .VCS(VCS),
                .CREDITS(CREDITS),
                .FIRST_HOST(NETWORK)
            ) host (
                .clk(clk),
                .rst(rst),
                .rx_valid(rx_valid[NETWORK+q]),
                .rx_last(rx_last[NETWORK+q]),
                .rx_data(rx_data[(NETWORK+q)*DATA_WIDTH +: DATA_WIDTH]),
                .rx_credit(rx_credit[(NETWORK+q)*VCS +: VCS]),
                .tx_valid(tx_valid[NETWORK+q]),
                .tx_vc(tx_vc[(NETWORK+q)*VC_BITS +: VC_BITS]),
                .tx_last(tx_last[NETWORK+q]),
                .tx_bad(tx_bad[NETWORK+q]),
                .tx_data(tx_data[(NETWORK+q)*DATA_WIDTH +: DATA_WIDTH]),
                .tx_credit(tx_credit[(NETWORK+q)*VCS +: VCS]),
                .m_axis_tdata(to_tdata[q*DATA_WIDTH +: DATA_WIDTH]),
                .m_axis_tvalid(to_tvalid[q]),
                .m_axis_tlast(to_tlast[q]),
                .m_axis_tready(to_tready[q]),
                .s_axis_tdata(from_tdata[q*DATA_WIDTH +: DATA_WIDTH]),
                .s_axis_tkeep(from_tkeep[q*(DATA_WIDTH/8) +: DATA_WIDTH/8]),
                .s_axis_tvalid(from_tvalid[q]),
                .s_axis_tlast(from_tlast[q]),
                .s_axis_tuser(from_tuser[q]),
                .s_axis_tready(from_tready[q])
            );
        end
    endgenerate
<%- endif %>

    <$ module $> #(
<$ parameters $>
    ) block (
        .clk(clk),
        .rst(rst),
        .rx_valid(rx_valid[NETWORK-1:0]),
        .rx_vc(rx_vc[NETWORK*VC_BITS-1:0]),
        .rx_last(rx_last[NETWORK-1:0]),
        .rx_bad({NETWORK{1'b0}}),
        .rx_data(rx_data[NETWORK*DATA_WIDTH-1:0]),
        .rx_credit(rx_credit[NETWORK*VCS-1:0]),
        .tx_valid(tx_valid[NETWORK-1:0]),
        .tx_vc(tx_vc[NETWORK*VC_BITS-1:0]),
        .tx_last(tx_last[NETWORK-1:0]),
        .tx_bad(tx_bad[NETWORK-1:0]),
        .tx_data(tx_data[NETWORK*DATA_WIDTH-1:0]),
        .tx_credit(tx_credit[NETWORK*VCS-1:0]),
        .link_up({NETWORK{1'b1}}),
<%- if hosts > 0 %>
        .s_axis_pcie_tdata(to_tdata),
        .s_axis_pcie_tkeep({HOSTS*DATA_WIDTH/8{1'b1}}),
        .s_axis_pcie_tvalid(to_tvalid),
        .s_axis_pcie_tlast(to_tlast),
        .s_axis_pcie_tuser({HOSTS{1'b0}}),
        .s_axis_pcie_tready(to_tready),
        .m_axis_pcie_tdata(from_tdata),
        .m_axis_pcie_tkeep(from_tkeep),
        .m_axis_pcie_tvalid(from_tvalid),
        .m_axis_pcie_tlast(from_tlast),
        .m_axis_pcie_tuser(from_tuser),
        .m_axis_pcie_tready(from_tready),
<%- endif %>
        .s_axil_awaddr(20'd0),
        .s_axil_awvalid(1'b0),
        .s_axil_awready(axil_awready),
        .s_axil_wdata(32'd0),
        .s_axil_wstrb(4'd0),
        .s_axil_wvalid(1'b0),
        .s_axil_wready(axil_wready),
        .s_axil_bresp(axil_bresp),
        .s_axil_bvalid(axil_bvalid),
        .s_axil_bready(1'b1),
        .s_axil_araddr(20'd0),
        .s_axil_arvalid(1'b0),
        .s_axil_arready(axil_arready),
        .s_axil_rdata(axil_rdata),
        .s_axil_rresp(axil_rresp),
        .s_axil_rvalid(axil_rvalid),
        .s_axil_rready(1'b1)
    );

    // Nobody uses the control port here; hosts have no virtual channels.
    wire unused_ok = &{1'b0, axil_awready, axil_wready, axil_bresp, axil_bvalid, axil_arready,
                       axil_rdata, axil_rresp, axil_rvalid, rx_vc};
endmodule
