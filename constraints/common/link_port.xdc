# Clock-domain crossings of link_port, for Vivado. All its instances get them by
#   read_xdc -ref link_port link_port.xdc
# when the design is synthesized; in a project by the properties SCOPED_TO_REF link_port, USED_IN implementation and
# PROCESSING_ORDER LATE. Do not put its clocks into asynchronous groups: set_clock_groups would win over set_max_delay.
set core_period [get_property -min PERIOD [get_clocks -of_objects [get_ports clk]]]
set link_period [get_property -min PERIOD [get_clocks -of_objects [get_ports link_clk]]]
set period [expr {$core_period < $link_period ? $core_period : $link_period}]

# Gray pointers: the bits arrive within one period of either clock.
set sources [get_cells {core/ring_pointer/gray_reg[*]}]
set targets [get_cells {ring_crossing/stage_1_reg[*]}]
set_max_delay -datapath_only -from $sources -to $targets $period
set_bus_skew -from $sources -to $targets $period
set sources [get_cells {core/gen_channel[*].read_pointer/gray_reg[*]}]
set targets [get_cells {gen_crossing[*].read_crossing/stage_1_reg[*]}]
set_max_delay -datapath_only -from $sources -to $targets $period
set_bus_skew -from $sources -to $targets $period
set sources [get_cells {receiver/gen_channel[*].pointer/gray_reg[*]}]
set targets [get_cells {gen_crossing[*].write_crossing/stage_1_reg[*]}]
set_max_delay -datapath_only -from $sources -to $targets $period
set_bus_skew -from $sources -to $targets $period

# Levels.
set_max_delay -datapath_only -from [get_cells core/core_idle_reg] -to [get_cells {idle_crossing/stage_1_reg[*]}] $period
set_max_delay -datapath_only -from [get_cells registers/disabled_reg] -to [get_cells {disabled_crossing/stage_1_reg[*]}] $period
set_max_delay -datapath_only -from [get_cells registers/inject_reg] -to [get_cells {inject_crossing/stage_1_reg[*]}] $period

# The box: a word that is still until it was taken, and the two toggles that say so.
set_max_delay -datapath_only -from [get_cells state_box/box_sent_reg] -to [get_cells {state_box/forth/stage_1_reg[*]}] $period
set_max_delay -datapath_only -from [get_cells state_box/box_taken_reg] -to [get_cells {state_box/back/stage_1_reg[*]}] $period
set targets [get_cells {core_alive_reg core_ack_reg[*] core_limits_reg[*] registers/reg_rdata_reg[*]}]
set_max_delay -datapath_only -from [get_cells {state_box/box_word_reg[*]}] -to $targets $period

# Flits lie in a memory before their pointer has crossed. A block memory has no such path.
set_max_delay -quiet -datapath_only -from [get_cells -quiet {ring_memory/memory_reg*}] -to [get_cells -quiet {ring_memory/read_word_reg[*]}] $period
set_max_delay -quiet -datapath_only -from [get_cells -quiet {places/memory_reg*}] -to [get_cells -quiet {places/read_word_reg[*]}] $period

# Words that are still while the other side reads them: EXPECTED_PEER is written while the link is disabled, and a read of a
# register waits for the second box behind reg_index. block_number is still while HELLO words are sent.
set_false_path -from [get_cells {registers/expected_peer_reg[*]}] -to [get_cells {sessions/fits_reg sessions/reason_reg[*]}]
set_false_path -from [get_cells {registers/reg_index_reg[*]}] -to [get_cells {state_box/box_word_reg[*]}]
set_false_path -quiet -through [get_ports -quiet {block_number[*]}]
