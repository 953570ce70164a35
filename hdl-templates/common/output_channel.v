// output_channel: the credits of one outgoing channel, and what may leave on it
// (docs/microarchitecture.md 1.6). A channel is free for every request (both `free_*` are 1), for
// the owner of its lock alone, for the watched request alone, or for none.
// A module of its own, so that synthesis keeps these few signals, which all requests ask.
// Latency: a credit counts from the next cycle on. Reset: synchronous, active high: all credits.
<$ banner $>

(* short_paths *) module output_channel #(
    parameter RX_BUFFER_FLITS = 62,
    parameter HEADER_NEED = 1           // credits that a header needs
) (
    input  wire clk,
    input  wire rst,
    input  wire down,                   // the link, registered
    input  wire tx_credit,
    input  wire spent,                  // a flit was sent in the last cycle
    input  wire locked,
    input  wire flowing,                // by the packet that runs, which may end in this cycle
    input  wire discard,                // what the owner sends is thrown away
    input  wire overdue,                // none but the watched request may begin a packet
    output wire body_allowed,           // a body flit may leave
    output wire free_for_owner,
    output wire free_for_watched
);
    localparam CREDIT_BITS = $clog2(RX_BUFFER_FLITS + 2);
    localparam [CREDIT_BITS-1:0] FULL = RX_BUFFER_FLITS[CREDIT_BITS-1:0];
    localparam [CREDIT_BITS-1:0] NEED = HEADER_NEED[CREDIT_BITS-1:0];

    reg [CREDIT_BITS-1:0] credit;       // the flit of `spent` is not yet taken off
    // Comparisons of it, kept in registers.
    reg one_credit;                     // credit is at least 1
    reg two_credits;
    // Headers that need more than one have two of their own.
    reg room;                           // credit is at least NEED
    reg more_room;                      // and one more

    wire credit_left = two_credits | (one_credit & ~spent);
    wire header_allowed = (NEED == 1 ? credit_left : more_room | (room & ~spent)) | down;
    assign body_allowed = credit_left | discard | down;
    assign free_for_watched = (~locked | flowing) & header_allowed;
    assign free_for_owner = (free_for_watched & ~overdue) | (locked & ~flowing & body_allowed);

    // One more, or one less: -1 is a 1 in every bit.
    wire [CREDIT_BITS-1:0] next = credit + {{CREDIT_BITS-1{spent}}, 1'b1};

    always @(posedge clk)
        if (rst) begin
            credit <= FULL;
            one_credit <= 1'b1;
            two_credits <= 1'b1;
            room <= 1'b1;
            more_room <= FULL > NEED;
        end else if (tx_credit ^ spent) begin
            credit <= next;
            one_credit <= ~spent | two_credits;
            two_credits <= |next[CREDIT_BITS-1:1];
            room <= next >= NEED;
            more_room <= next > NEED;
        end
endmodule
