# Levels that cross clocks through bit_synchroniser, for Quartus: no time counts up to the first register.
foreach level [get_entity_instances bit_synchroniser] {
    set_false_path -to [get_registers $level|level_1]
}
