<$ banner $>
// Byte offsets within the control port of a block, masks and shifts of fields; the same as registers.rdl.
// Routing tables keep what was written to them in a reset; at power-up they are as generated.
#ifndef <$ network.prefix $>_REGISTERS_H
#define <$ network.prefix $>_REGISTERS_H

// Where each block's control port is, when block b has the window at b * STRIDE.
#define <$ network.prefix $>_STRIDE <$ network.stride $>
<%- for blocks in network.blocks %>

// Blocks <$ blocks.first $> to <$ blocks.first + blocks.count - 1 $>: <$ blocks.map $>
#define <$ network.prefix $>_<$ blocks.name|upper $>_FIRST <$ blocks.first $>
#define <$ network.prefix $>_<$ blocks.name|upper $>_COUNT <$ blocks.count $>
<%- endfor %>
<%- for map in network.maps %>

// ---- <$ map.title $>
<%- for register in map.registers %>

// <$ register.meaning $>
<%- if register.count > 1 %>
#define <$ map.prefix $>_<$ register.name $>(i) (<$ register.address $> + 4 * (i))
#define <$ map.prefix $>_<$ register.name $>_COUNT <$ register.count $>
<%- else %>
#define <$ map.prefix $>_<$ register.name $> <$ register.address $>
<%- endif %>
<%- for field in register.fields %>
<%- if !field.meaning.is_empty() %>
// <$ field.meaning $>
<%- endif %>
#define <$ map.prefix $>_<$ register.name $>_<$ field.name $>_MASK <$ field.mask $>u
#define <$ map.prefix $>_<$ register.name $>_<$ field.name $>_SHIFT <$ field.lsb $>
<%- endfor %>
<%- endfor %>
<%- for group in map.counters %>

#define <$ map.prefix $>_<$ group.name $>_COUNT <$ group.count $>
<%- for counter in group.counters %>
// <$ counter.meaning $>
#define <$ map.prefix $>_<$ group.name $>_<$ counter.name $>(p) (<$ group.address $> + <$ group.stride $> * (p) + <$ counter.offset $>)
<%- endfor %>
<%- endfor %>
<%- for table in map.tables %>

// <$ table.meaning $>
#define <$ map.prefix $>_TABLE<$ table.number $>(i) (<$ table.address $> + 4 * (i))
#define <$ map.prefix $>_TABLE<$ table.number $>_COUNT <$ table.entries $>
<%- endfor %>
<%- for nodes in map.nodes %>

// <$ nodes.meaning $>
#define <$ map.prefix $>_<$ nodes.name $>(i) (<$ nodes.address $> + 4 * (i))
#define <$ map.prefix $>_<$ nodes.name $>_COUNT <$ nodes.entries $>
<%- endfor %>
<%- endfor %>

#endif
