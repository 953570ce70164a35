# Levels that cross clocks through bit_synchroniser, for Vivado: no time counts up to the first register. All its instances
# get this by
#   read_xdc -ref bit_synchroniser bit_synchroniser.xdc
# in a project by the property SCOPED_TO_REF bit_synchroniser.
set_false_path -to [get_cells level_1_reg]
