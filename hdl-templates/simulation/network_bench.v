// <$ name $>_network_bench:
// hosts around the network that send packets to each other and check what arrives
// (`fusesoc run --target=sim`; any Verilog simulator will do).
//
// Every host sends PACKETS packets of random length, in turn to its PARTNERS. Hosts pause at random
// before they send and before they take a beat. A payload word is {sender, receiver, packet, beat},
// so a beat that is lost, doubled, damaged, misrouted or overtaken is seen. Prints one line;
// $finish when everything has arrived and was right, $stop when not.
<$ banner $>

module <$ name $>_network_bench;
    localparam HOSTS = <$ hosts $>;
    localparam PARTNERS = <$ partners_each $>;
    localparam PACKETS = <$ packets $>; // of each host
    localparam WIDTH = <$ width $>;
    localparam BYTES = WIDTH / 8;
    localparam MAX_BEATS = <$ max_beats $>; // of payload
    localparam PATIENCE = 20000; // cycles without any arrival
<%- if link_rise > 0 %>
    localparam LINK_RISE = <$ link_rise $>; // cycles from reset until the serial links are up
<%- endif %>

    reg clk;
    reg rst;
<%- if link_rise > 0 %>
    reg waiting; // hosts wait for the links
<%- endif %>

    reg  [HOSTS*WIDTH-1:0] s_data;
    reg  [HOSTS-1:0]       s_last;
    reg  [HOSTS-1:0]       s_valid;
    wire [HOSTS-1:0]       s_ready;
    wire [HOSTS*WIDTH-1:0] m_data;
    wire [HOSTS*BYTES-1:0] m_keep;
    wire [HOSTS-1:0]       m_last;
    wire [HOSTS-1:0]       m_user;
    wire [HOSTS-1:0]       m_valid;
    reg  [HOSTS-1:0]       m_ready;

    // {host, destination}: partner p of host v and what reaches it, at v * PARTNERS + p.
    reg [35:0] partner [0:HOSTS*PARTNERS-1];
    reg [19:0] source  [0:HOSTS-1]; // field of packets from a host
    // The next packet of a sender to a partner.
    reg [15:0] next    [0:HOSTS*PARTNERS-1];
    reg [31:0] arrived [0:HOSTS-1];
    reg [HOSTS-1:0] faulty;

    generate
        genvar v;
        for (v = 0; v < HOSTS; v = v + 1) begin : gen_host
            // The packet being sent, and how far it is.
            integer     seed;
            reg  [15:0] packet;
            reg  [15:0] beats;
            reg  [15:0] beat;
            wire [35:0] to     = partner[v * PARTNERS + packet % PARTNERS];
            wire [12:0] length = beats * BYTES;
            wire [63:0] header = {11'd0, length, 20'd0, to[19:0]};
            wire [15:0] own    = v;

            initial seed = v + 1;

            always @(posedge clk) begin
                if (rst) begin
                    packet     <= 16'd0;
                    beats      <= MAX_BEATS;
                    beat       <= 16'd0;
                    s_valid[v] <= 1'b0;
                end else if (!s_valid[v] || s_ready[v]) begin
                    s_valid[v] <= 1'b0;
                    if (packet < PACKETS<%- if link_rise > 0 %> && !waiting<%- endif %> && $random(seed) % 4 != 0) begin
                        s_valid[v] <= 1'b1;
                        s_last[v]  <= beat == beats;
                        s_data[v*WIDTH +: WIDTH] <= {WIDTH{1'b0}} | header;
                        if (beat != 16'd0)
                            s_data[v*WIDTH +: WIDTH] <= {WIDTH/64{own, to[35:20], packet, beat}};
                        beat <= beat + 16'd1;
                        if (beat == beats) begin
                            beat   <= 16'd0;
                            packet <= packet + 16'd1;
                            beats  <= 1 + $unsigned($random(seed)) % MAX_BEATS;
                        end
                    end
                end
            end

            // The packet being taken, and how far it is.
            reg  [19:0] from_source;
            reg  [12:0] bytes;
            reg  [15:0] place;
            wire [WIDTH-1:0] data   = m_data[v*WIDTH +: WIDTH];
            wire [15:0]      from   = data[63:48];
            wire [15:0]      number = data[31:16];
            wire [31:0]      slot   = from * PARTNERS + number % PARTNERS;
            wire             header_right = !m_last[v] && data[52:40] != 13'd0;
            wire             body_right = data === {WIDTH/64{data[63:0]}} && from < HOSTS
                                          && source[from] === from_source
                                          && partner[slot][35:20] === own && data[47:32] === own
                                          && next[slot] === number && data[15:0] === place
                                          && m_last[v] === (place * BYTES == bytes);

            always @(posedge clk) begin
                m_ready[v] <= $random(seed) % 8 != 0;
                if (rst) begin
                    place      <= 16'd0;
                    arrived[v] <= 32'd0;
                    faulty[v]  <= 1'b0;
                end else if (m_valid[v] && m_ready[v]) begin
                    place <= m_last[v] ? 16'd0 : place + 16'd1;
                    if (place == 16'd0) begin
                        from_source <= data[39:20];
                        bytes       <= data[52:40];
                    end
                    if ((place == 16'd0 ? header_right : body_right) !== 1'b1 || m_user[v]
                            || m_keep[v*BYTES +: BYTES] !== {BYTES{1'b1}})
                        faulty[v] <= 1'b1;
                    if (m_last[v]) begin
                        arrived[v] <= arrived[v] + 32'd1;
                        next[slot] <= number + PARTNERS;
                    end
                end
            end
        end
    endgenerate

    integer i;
    integer total;
    integer earlier;
    integer cycle;
    integer waited;

    initial begin
<%- for line in tables %>
        <$ line $>
<%- endfor %>
        for (i = 0; i < HOSTS * PARTNERS; i = i + 1)
            next[i] = i % PARTNERS;
        clk    = 1'b0;
        rst    = 1'b1;
<%- if link_rise > 0 %>
        waiting = 1'b1;
<%- endif %>
        total  = 0;
        waited = 0;
        for (cycle = 0; waited < PATIENCE && total < HOSTS * PACKETS; cycle = cycle + 1) begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (cycle == 9)
                rst = 1'b0;
<%- if link_rise > 0 %>
            if (cycle == 9 + LINK_RISE)
                waiting = 1'b0;
<%- endif %>
            waited = waited + 1;
            if (cycle % 64 == 63) begin
                earlier = total;
                total  = 0;
                for (i = 0; i < HOSTS; i = i + 1)
                    total = total + arrived[i];
                if (total != earlier)
                    waited = 0;
            end
        end
        if (total == HOSTS * PACKETS && faulty == {HOSTS{1'b0}}) begin
            $display("network_bench: %0d packets of %0d hosts, %0d cycles, pass", total, HOSTS,
                     cycle);
            $finish;
        end else begin
            $display("network_bench: %0d of %0d packets, wrong at hosts %b, fail", total,
                     HOSTS * PACKETS, faulty);
            $stop;
        end
    end

    <$ top $> network (
        .clk(clk),
        .rst(rst),
        .cable_up({<$ cables $>{1'b1}}),
        .s_axis_pcie_tdata(s_data),
        .s_axis_pcie_tkeep({HOSTS*BYTES{1'b1}}),
        .s_axis_pcie_tvalid(s_valid),
        .s_axis_pcie_tlast(s_last),
        .s_axis_pcie_tuser({HOSTS{1'b0}}),
        .s_axis_pcie_tready(s_ready),
        .m_axis_pcie_tready(m_ready),
        .m_axis_pcie_tdata(m_data),
        .m_axis_pcie_tkeep(m_keep),
        .m_axis_pcie_tvalid(m_valid),
        .m_axis_pcie_tlast(m_last),
        .m_axis_pcie_tuser(m_user),
        .s_axil_awaddr({20*<$ blocks $>{1'b0}}),
        .s_axil_awvalid({<$ blocks $>{1'b0}}),
        .s_axil_wdata({32*<$ blocks $>{1'b0}}),
        .s_axil_wstrb({4*<$ blocks $>{1'b0}}),
        .s_axil_wvalid({<$ blocks $>{1'b0}}),
        .s_axil_bready({<$ blocks $>{1'b1}}),
        .s_axil_araddr({20*<$ blocks $>{1'b0}}),
        .s_axil_arvalid({<$ blocks $>{1'b0}}),
        .s_axil_rready({<$ blocks $>{1'b1}})
    );
endmodule
