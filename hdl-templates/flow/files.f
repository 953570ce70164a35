<$ banner $>
<%- for file in files %>
<$ file $>
<%- endfor %>
