// <$ name $>: block <$ label $> for a board of its own.
// <$ board $> with all that tells it from others.
<$ banner $>

module <$ name $> (
<$ ports $>
);
<%- for (name, value) in constants %>
    localparam <$ name $> = <$ value $>;
<%- endfor %>

    <$ board $> #(
<$ parameters $>
    ) board (
<$ connections $>
    );
endmodule
