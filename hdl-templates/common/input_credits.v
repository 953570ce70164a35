// input_credits: the credits that go back to the senders (docs/microarchitecture.md 1.5). One is
// owed when a flit has left its queue, or was dropped or lost before it came to one; at most one a
// cycle goes back on each channel.
// Latency: a flit whose pop is decided in cycle a is on `rx_credit` in cycle a + 3 at the earliest,
// which is two cycles after `left`. Reset: synchronous, active high. Limits: as switch_core.
<$ banner $>

module input_credits #(
    parameter PORTS = 10, VCS = 1, BANKS = 2, RX_BUFFER_FLITS = 62,
    parameter [PORTS-1:0] BUILT = {PORTS{1'b1}} // no credit goes back on other inputs
) (
    input  wire                       clk,
    input  wire                       rst,
    // Bit v of bank b of input i at (i * BANKS + b) * VCS + v; of input i at i * VCS + v.
    input  wire [PORTS*BANKS*VCS-1:0] left,         // a flit was popped in the last cycle
    input  wire [PORTS*VCS-1:0]       lost,         // one in stage 1 goes to no queue
    input  wire [PORTS*VCS-1:0]       made_up,      // one in stage 1 is a made-up tail
    output reg  [PORTS*VCS-1:0]       rx_credit
);
    localparam LANES = PORTS * VCS;
    localparam CHANGE_BITS = $clog2(BANKS + 2) + 1;
    localparam OWED_BITS = $clog2(RX_BUFFER_FLITS + 1) > CHANGE_BITS
        ? $clog2(RX_BUFFER_FLITS + 1) : CHANGE_BITS;

    reg [LANES*OWED_BITS-1:0] owed;
    reg [LANES-1:0] owing;              // owed is not 0
    reg [LANES-1:0] debt;               // the next flit that leaves pays for a made-up tail

    always @(posedge clk) begin : count
        reg [OWED_BITS-1:0] next;
        reg [BANKS:0] leaving;          // what gives a credit
        reg [CHANGE_BITS-1:0] change;   // of what is owed, signed: counted bit by bit, which
        reg [CHANGE_BITS-1:0] ripple;   // takes a few LUTs where an adder takes a carry chain
        integer lane, part, digit;

        next = {OWED_BITS{1'b0}};
        leaving = {BANKS+1{1'b0}};
        change = {CHANGE_BITS{1'b0}};
        ripple = {CHANGE_BITS{1'b0}};
        if (rst) begin
            owed <= {LANES*OWED_BITS{1'b0}};
            owing <= {LANES{1'b0}};
            debt <= {LANES{1'b0}};
            rx_credit <= {LANES{1'b0}};
        end else begin
            rx_credit <= owing;
            if (|left | |lost | |made_up | |owing)
                for (lane = 0; lane < LANES; lane = lane + 1) if (BUILT[lane/VCS]) begin
                    leaving[BANKS] = lost[lane];
                    for (part = 0; part < BANKS; part = part + 1)
                        leaving[part] = left[(lane/VCS*BANKS + part)*VCS + lane%VCS];
                    if (|leaving | made_up[lane] | owing[lane]) begin
                        // One of those that leave may pay the debt.
                        change = {CHANGE_BITS{1'b0}};
                        for (part = 0; part <= BANKS; part = part + 1) begin
                            ripple = {CHANGE_BITS{leaving[part]}};
                            for (digit = 1; digit < CHANGE_BITS; digit = digit + 1)
                                ripple[digit] = ripple[digit-1] & change[digit-1];
                            change = change ^ ripple;
                        end
                        ripple = {CHANGE_BITS{debt[lane] & |leaving}};
                        for (digit = 1; digit < CHANGE_BITS; digit = digit + 1)
                            ripple[digit] = ripple[digit-1] & ~change[digit-1];
                        change = change ^ ripple;
                        // What `next` is not 0 for, without waiting for it.
                        owing[lane] <= |owed[lane*OWED_BITS + 1 +: OWED_BITS-1] | |change;
                        // Less one that is given back.
                        ripple = {CHANGE_BITS{owing[lane]}};
                        for (digit = 1; digit < CHANGE_BITS; digit = digit + 1)
                            ripple[digit] = ripple[digit-1] & ~change[digit-1];
                        change = change ^ ripple;
                        next = owed[lane*OWED_BITS +: OWED_BITS]
                            + {{OWED_BITS-CHANGE_BITS+1{change[CHANGE_BITS-1]}},
                                change[CHANGE_BITS-2:0]};
                        owed[lane*OWED_BITS +: OWED_BITS] <= next;
                        debt[lane] <= made_up[lane] | (debt[lane] & ~|leaving);
                    end
                end
        end
    end
endmodule
