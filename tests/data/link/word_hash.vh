    // Kind of word `number` (bit 32, one in eight is a control word) and 32 bits that look random.
    function [32:0] word_hash;
        input [31:0] number;
        input integer side;
        reg [31:0] x;
        begin
            x = number * 32'h9E3779B1 + side * 32'h85EBCA6B + 32'h27D4EB2F;
            x = (x ^ (x >> 15)) * 32'h2C1B3C6D;
            x = (x ^ (x >> 12)) * 32'h297A2D39;
            x = x ^ (x >> 15);
            word_hash = {x[31:29] == 3'd0, x};
        end
    endfunction
