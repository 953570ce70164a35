

    // What holds the node in reset, each signal in the node's clock.
<%- for (signal, level) in resets %>
    wire <$ signal $>_here;
<%- endfor %>
    wire held = <$ reset_level $>;
<%- for (signal, level) in resets %>

    bit_synchroniser #(
        .INITIAL(1'b<$ level $>)
    ) <$ signal $>_crossing (
        .clk(clock),
        .in(<$ signal $>),
        .out(<$ signal $>_here)
    );
<%- endfor %>

    // Registers have their initial values after configuration; the counter then releases the reset.
    reg [5:0] power_up;
    reg       rst;

    initial begin
        power_up = 6'd0;
        rst      = 1'b1;
    end

    always @(posedge clock) begin
        if (held)
            power_up <= 6'd0;
        else if (!power_up[5])
            power_up <= power_up + 6'd1;
        rst <= !power_up[5];
    end