

    // Registers have their initial values after configuration; the counter then releases the reset.
    reg [5:0] power_up;
    reg [1:0] pressed;
    reg       rst;

    initial begin
        power_up = 6'd0;
        pressed  = 2'b11;
        rst      = 1'b1;
    end

    always @(posedge clock) begin
        pressed <= {pressed[0], <$ reset_level $>};
        if (pressed[1])
            power_up <= 6'd0;
        else if (!power_up[5])
            power_up <= power_up + 6'd1;
        rst <= !power_up[5];
    end