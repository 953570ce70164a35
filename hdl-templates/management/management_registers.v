// management_registers: the registers of a management unit, which are the window through which
// a host sends and receives messages (docs/microarchitecture.md 8.5).
// Latency: an access takes one cycle. Reset: synchronous, active high.
<$ banner $>

module management_registers #(
    parameter PORTS = 4,
    parameter [PORTS-1:0] LINKS = {PORTS{1'b1}}
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        reg_valid,
    input  wire        reg_write,
    input  wire [4:0]  reg_address,
    input  wire [31:0] reg_wdata,
    output reg         reg_ready,
    output wire [31:0] reg_rdata,
    output wire [1:0]  set_key,             // low half, high half
    // the message to be sent, in bit 0, and the notice, in bit 1
    input  wire [PORTS-1:0] link_up,
    output reg         sending,
    output wire        notice_full,
    input  wire [1:0]  read,
    input  wire [2:0]  read_at,
    output reg  [31:0] read_word,           // 0 unless read
    input  wire [1:0]  release_message,
    // the message that was received
    output reg         received,
    input  wire        write,
    input  wire [2:0]  write_at,
    input  wire [31:0] write_word,
    input  wire        receive,
    input  wire        drops
);
    localparam [4:0] STATE_AT = 5'd16;
    localparam [4:0] KEY_LOW_AT = 5'd17;
    localparam [4:0] KEY_HIGH_AT = 5'd18;

    // link_window lets only accesses through that the table of 8.5 has.
    wire starts    = reg_valid & ~reg_ready;
    wire set       = starts & reg_write;
    wire get       = starts & ~reg_write;
    wire set_state = set & reg_address == STATE_AT;
    wire due;

    // A word that is read while it is written belongs to no message yet.
    (* ram_style = "block", no_rw_check *)
    reg [31:0] to_send [0:15];              // SEND, NOTICE
    (* ram_style = "block", no_rw_check *)
    reg [31:0] arrived [0:7];
    reg [31:0] arrived_word;
    reg [7:0]  shown;
    reg [7:0]  dropped;
    integer    at;

    initial
        for (at = 0; at < 16; at = at + 1) begin
            to_send[at] = 32'd0;
            arrived[at & 7] = 32'd0;
        end

    assign set_key   = {set & reg_address == KEY_HIGH_AT, set & reg_address == KEY_LOW_AT};
    assign reg_rdata = arrived_word | {24'd0, shown};

    always @(posedge clk)
        if (set & (reg_address[4] ? reg_address[3] : ~reg_address[3] & ~sending))
            to_send[{reg_address[4], reg_address[2:0]}] <= reg_wdata;

    always @(posedge clk)
        if (read == 2'd0)
            read_word <= 32'd0;
        else
            read_word <= to_send[{read[1], read_at}];

    always @(posedge clk)
        if (write)
            arrived[write_at] <= write_word;

    always @(posedge clk)
        if (rst | !(get & reg_address[4:3] == 2'd1))
            arrived_word <= 32'd0;
        else
            arrived_word <= arrived[reg_address[2:0]];

    always @(posedge clk)
        if (rst) begin
            reg_ready <= 1'b0;
            shown <= 8'd0;
            sending <= 1'b0;
            received <= 1'b0;
            dropped <= 8'd0;
        end else begin
            reg_ready <= starts;
            shown <= !get | ~reg_address[4] ? 8'd0
                : reg_address[1] ? dropped : {5'd0, due, received, sending};
            sending <= sending ? ~release_message[0] : set_state & reg_wdata[0];
            received <= received ? ~(set_state & reg_wdata[1]) : receive;
            dropped <= dropped + {7'd0, drops};
        end

    management_notice #(.PORTS(PORTS), .LINKS(LINKS)) notice (
        .clk(clk),
        .rst(rst),
        .link_up(link_up),
        .acknowledge(set_state & reg_wdata[2]),
        .arm(reg_wdata[3]),
        .leaves(release_message[1]),
        .due(due),
        .full(notice_full)
    );
endmodule
