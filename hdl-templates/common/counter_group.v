// counter_group: the low bits of 15 counters that share one adder.
// Each counter has four flip-flops of its own, which go one step of a cycle of 16 per event: a
// shift register with feedback, one LUT per counter. `place` goes around the counters; what a
// counter gained since its last turn is the distance on that cycle, so a turn comes every 15
// cycles.
// Latency: `recent` belongs to the `place` of the cycle before; events of cycle c are in it when
// its place was shown in cycle c + 2 or later. Reset: synchronous, active high; a counter begins
// at COUNTER_START with its turn while `first` = 1.
<$ banner $>

module counter_group #(
    parameter BITS = 7,                     // 5..12
    parameter [14:0] COUNTING = 15'h7FFF,   // the counters that may get events
    parameter [31:0] COUNTER_START = 32'd0
) (
    input  wire            clk,
    input  wire            rst,
    input  wire [14:0]     events,
    input  wire [3:0]      place,   // 0..14 cyclically
    input  wire            first,   // the first turn of `place` after a reset
    output wire [BITS-1:0] recent   // modulo 2^BITS
);
    reg [14:0] seen;                // events of the cycle before
    reg [59:0] states;
    (* ram_style = "distributed" *) reg [BITS-1:0] memory [0:15];

    // The state after this one; the NOR joins 0 to the cycle of the other 15.
    function [3:0] after(input [3:0] state);
        after = {state[2:0], state[3] ^ state[2] ^ ~|state[2:0]};
    endfunction

    // Steps from state 0.
    function [3:0] steps(input [3:0] state);
        case (state)
            4'h0: steps = 4'd0;
            4'h1: steps = 4'd1;
            4'h2: steps = 4'd2;
            4'h4: steps = 4'd3;
            4'h9: steps = 4'd4;
            4'h3: steps = 4'd5;
            4'h6: steps = 4'd6;
            4'hD: steps = 4'd7;
            4'hA: steps = 4'd8;
            4'h5: steps = 4'd9;
            4'hB: steps = 4'd10;
            4'h7: steps = 4'd11;
            4'hF: steps = 4'd12;
            4'hE: steps = 4'd13;
            4'hC: steps = 4'd14;
            default: steps = 4'd15;
        endcase
    endfunction

    always @(posedge clk) begin : count
        integer counter;

        seen <= events;
        if (rst) begin
            seen <= 15'd0;
            states <= 60'd0;
        end else if (|seen)
            for (counter = 0; counter < 15; counter = counter + 1)
                if (COUNTING[counter] && seen[counter])
                    states[counter*4 +: 4] <= after(states[counter*4 +: 4]);
    end

    reg [3:0] state;                // of the place of the cycle before
    reg [3:0] written_place;
    reg [BITS-1:0] earlier;         // what the counter was at its last turn

    // No place is beyond a word of 64 bits: simulators need not ask.
    wire [63:0] all_states = {4'd0, states};

    always @(posedge clk) begin
        written_place <= place;
        state <= all_states[{place, 2'b00} +: 4];
        earlier <= first ? COUNTER_START[BITS-1:0] : memory[place];
        memory[written_place] <= recent;
    end

    wire [3:0] low = steps(state) + COUNTER_START[3:0];
    assign recent = {earlier[BITS-1:4] + {{BITS-5{1'b0}}, low < earlier[3:0]}, low};

    wire unused_ok = &{1'b0, COUNTER_START};
endmodule
