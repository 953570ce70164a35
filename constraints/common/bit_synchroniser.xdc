# Levels that cross clocks through bit_synchroniser, for Vivado: no time counts up to the first register.
# It has loops: add it with `read_xdc -unmanaged`.
foreach bit [get_cells -hierarchical -filter {ORIG_REF_NAME =~ bit_synchroniser* || REF_NAME =~ bit_synchroniser*}] {
    set_false_path -to [get_cells $bit/stage_reg\[0\]]
}
