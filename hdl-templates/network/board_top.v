// <$ name $>: block <$ label $> <$ purpose $>.
// <$ module $> with all that tells it from others.
<$ banner $>

module <$ name $> (
<$ ports $>
);
<%- for (name, value) in constants %>
    localparam <$ name $> = <$ value $>;
<%- endfor %>
<%- if !constants.is_empty() %>
<% endif %>
<%- if parameters.is_empty() %>
    <$ module $> <$ instance $> (
<%- else %>
    <$ module $> #(
<$ parameters $>
    ) <$ instance $> (
<%- endif %>
<$ connections $>
    );
endmodule
