// route_lookup: the output ports of the headers at all inputs, by all routing tables in parallel.
// The first table that does not say `same` decides; a port whose link is down is replaced by the
// entry's alternate.
// Latency: combinational. Reset: none (tables keep their contents).
// Limits: PORTS 1..32, TABLES 1..5; parameters of tables from TABLES on are ignored.
<$ banner $>
`default_nettype none

module route_lookup #(
    parameter PORTS = 10,
    parameter DATA_WIDTH = 64,
    parameter BANKS = 2,
    parameter LAYERS = 1,
    parameter TABLES = 1,
    parameter TABLE0_LSB = 0,
    parameter TABLE0_BITS = 3,
    parameter [16*(LAYERS<<TABLE0_BITS)-1:0] TABLE0_INIT = 0,
    parameter TABLE1_LSB = 0,
    parameter TABLE1_BITS = 0,
    parameter [16*(LAYERS<<TABLE1_BITS)-1:0] TABLE1_INIT = 0,
    parameter TABLE2_LSB = 0,
    parameter TABLE2_BITS = 0,
    parameter [16*(LAYERS<<TABLE2_BITS)-1:0] TABLE2_INIT = 0,
    parameter TABLE3_LSB = 0,
    parameter TABLE3_BITS = 0,
    parameter [16*(LAYERS<<TABLE3_BITS)-1:0] TABLE3_INIT = 0,
    parameter TABLE4_LSB = 0,
    parameter TABLE4_BITS = 0,
    parameter [16*(LAYERS<<TABLE4_BITS)-1:0] TABLE4_INIT = 0
) (
    input  wire                   clk,
    input  wire                   table_write,
    input  wire [2:0]             table_select,
    input  wire [11:0]            table_index,
    input  wire [15:0]            table_entry,
    input  wire [PORTS-1:0]       header,       // look up; outputs are 0 otherwise
    input  wire [PORTS-1:0]       closing,      // drop the header as if its link were down
    input  wire [PORTS*DATA_WIDTH-1:0] flit_data, // headers
    input  wire [PORTS-1:0]       link_up,
    output reg  [PORTS*PORTS-1:0] to,           // a row an input: one-hot by place, 0 when dropped
    output reg  [PORTS-1:0]       drops,        // the header, for one of these reasons
    output reg  [PORTS-1:0]       drop_link_down,
    output reg  [PORTS-1:0]       drop_uturn,
    output reg  [PORTS-1:0]       drop_no_route
);
    wire [PORTS-1:0] look = header & ~closing;
    wire [PORTS*16-1:0] entry0;
    wire [PORTS*16-1:0] entry1;
    wire [PORTS*16-1:0] entry2;
    wire [PORTS*16-1:0] entry3;
    wire [PORTS*16-1:0] entry4;

    route_table #(
        .READERS(PORTS), .DATA_WIDTH(DATA_WIDTH), .LAYERS(LAYERS),
        .LSB(TABLE0_LSB), .BITS(TABLE0_BITS), .INIT(TABLE0_INIT)
    ) table0 (
        .clk(clk), .write(table_write & table_select == 3'd0), .write_index(table_index),
        .write_entry(table_entry), .look(look), .flit_data(flit_data),
        .entry(entry0)
    );
    generate
        if (TABLES > 1) begin : gen_table1
            route_table #(
                .READERS(PORTS), .DATA_WIDTH(DATA_WIDTH), .LAYERS(LAYERS),
                .LSB(TABLE1_LSB), .BITS(TABLE1_BITS), .INIT(TABLE1_INIT)
            ) table1 (
                .clk(clk), .write(table_write & table_select == 3'd1), .write_index(table_index),
                .write_entry(table_entry), .look(look), .flit_data(flit_data),
                .entry(entry1)
            );
        end else begin : gen_no_table1
            assign entry1 = {PORTS*16{1'b0}};
        end
        if (TABLES > 2) begin : gen_table2
            route_table #(
                .READERS(PORTS), .DATA_WIDTH(DATA_WIDTH), .LAYERS(LAYERS),
                .LSB(TABLE2_LSB), .BITS(TABLE2_BITS), .INIT(TABLE2_INIT)
            ) table2 (
                .clk(clk), .write(table_write & table_select == 3'd2), .write_index(table_index),
                .write_entry(table_entry), .look(look), .flit_data(flit_data),
                .entry(entry2)
            );
        end else begin : gen_no_table2
            assign entry2 = {PORTS*16{1'b0}};
        end
        if (TABLES > 3) begin : gen_table3
            route_table #(
                .READERS(PORTS), .DATA_WIDTH(DATA_WIDTH), .LAYERS(LAYERS),
                .LSB(TABLE3_LSB), .BITS(TABLE3_BITS), .INIT(TABLE3_INIT)
            ) table3 (
                .clk(clk), .write(table_write & table_select == 3'd3), .write_index(table_index),
                .write_entry(table_entry), .look(look), .flit_data(flit_data),
                .entry(entry3)
            );
        end else begin : gen_no_table3
            assign entry3 = {PORTS*16{1'b0}};
        end
        if (TABLES > 4) begin : gen_table4
            route_table #(
                .READERS(PORTS), .DATA_WIDTH(DATA_WIDTH), .LAYERS(LAYERS),
                .LSB(TABLE4_LSB), .BITS(TABLE4_BITS), .INIT(TABLE4_INIT)
            ) table4 (
                .clk(clk), .write(table_write & table_select == 3'd4), .write_index(table_index),
                .write_entry(table_entry), .look(look), .flit_data(flit_data),
                .entry(entry4)
            );
        end else begin : gen_no_table4
            assign entry4 = {PORTS*16{1'b0}};
        end
    endgenerate

    // Entry fields: port 4:0, same 5, valid 6, allow_uturn 7, alternate port 12:8, alternate valid
    // 13. A missing table reads as 0: it is not `same`, so it decides, and it is invalid.
    wire [31:0] links = {{32-PORTS{1'b0}}, link_up};    // ports that do not exist are down
    reg [15:0] deciding;
    integer looking;
    integer port;
    integer place;

    // What is asked of the port and of its alternate is asked side by side, and the answer for the
    // port's link only then selects: it comes last.
    always @* begin : decide
        reg exists;                     // there is a route
        reg is_up;                      // the link of the port
        reg alternate_is_up;            // it may be taken, and its link is up
        reg turns;                      // the port is this input, which is not allowed
        reg alternate_turns;
        reg [31:0] port_bit;
        reg [31:0] alternate_bit;

        deciding = 16'd0;
        exists = 1'b0;
        is_up = 1'b0;
        alternate_is_up = 1'b0;
        turns = 1'b0;
        alternate_turns = 1'b0;
        port_bit = 32'd0;
        alternate_bit = 32'd0;
        to = {PORTS*PORTS{1'b0}};
        drops = header & closing;
        drop_link_down = header & closing;
        drop_uturn = {PORTS{1'b0}};
        drop_no_route = {PORTS{1'b0}};
        looking = 0;
        port = 0;
        place = 0;
        if (|look)
            for (looking = 0; looking < PORTS; looking = looking + 1)
                if (look[looking]) begin
                    deciding = 16'd0;
                    if (~&entry0[looking*16 + 5 +: 2])
                        deciding = entry0[looking*16 +: 16];
                    else if (~&entry1[looking*16 + 5 +: 2])
                        deciding = entry1[looking*16 +: 16];
                    else if (~&entry2[looking*16 + 5 +: 2])
                        deciding = entry2[looking*16 +: 16];
                    else if (~&entry3[looking*16 + 5 +: 2])
                        deciding = entry3[looking*16 +: 16];
                    else if (~&entry4[looking*16 + 5 +: 2])
                        deciding = entry4[looking*16 +: 16];
                    exists = deciding[6] & {27'd0, deciding[4:0]} < PORTS;
                    is_up = links[deciding[4:0]];
                    alternate_is_up = deciding[13] & links[deciding[12:8]];
                    turns = deciding[4:0] == looking[4:0] & ~deciding[7];
                    alternate_turns = deciding[12:8] == looking[4:0] & ~deciding[7];
                    drops[looking] = ~exists
                        | (is_up ? turns : ~alternate_is_up | alternate_turns);
                    drop_no_route[looking] = ~exists;
                    drop_link_down[looking] = exists & ~is_up & ~alternate_is_up;
                    drop_uturn[looking] = exists
                        & (is_up ? turns : alternate_is_up & alternate_turns);
                    port_bit = 32'd1 << deciding[4:0];
                    alternate_bit = 32'd1 << deciding[12:8];
                    for (port = 0; port < PORTS; port = port + 1) begin
                        // Place of output o among the outputs of all banks, ordered by bank,
                        // then by o.
                        place = (port % BANKS) * (PORTS / BANKS) + port / BANKS
                            + ((port % BANKS) < (PORTS % BANKS) ? port % BANKS : PORTS % BANKS);
                        to[looking*PORTS + place] = exists & (port != looking | deciding[7])
                            & (is_up ? port_bit[port] : alternate_is_up & alternate_bit[port]);
                    end
                end
    end

    wire unused_ok = &{1'b0, table_select, deciding};
endmodule

`default_nettype wire
