# LitePCIe: levels and resets that cross clocks, by the marks that LiteX leaves on their registers. It has filters over all
# cells: add it with `read_xdc -unmanaged`.
set_false_path -quiet -through [get_nets -hierarchical -filter {mr_ff == TRUE}]
set reset_pins [get_pins -filter {REF_PIN_NAME == PRE} -of_objects [get_cells -hierarchical -filter {ars_ff1 == TRUE || ars_ff2 == TRUE}]]
set_false_path -quiet -to $reset_pins
