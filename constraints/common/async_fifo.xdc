# Clock-domain crossings of axis_async_fifo, for Vivado. All its instances get them by
#   read_xdc -ref axis_async_fifo async_fifo.xdc
# when the design is synthesized; in a project by the properties SCOPED_TO_REF axis_async_fifo, USED_IN implementation and
# PROCESSING_ORDER LATE. Do not put its clocks into asynchronous groups: set_clock_groups would win over set_max_delay.
set write_period [get_property -min PERIOD [get_clocks -of_objects [get_ports s_clk]]]
set read_period [get_property -min PERIOD [get_clocks -of_objects [get_ports m_clk]]]
set period [expr {$write_period < $read_period ? $write_period : $read_period}]

# Gray pointers: the bits arrive within one period of either clock.
set_max_delay -datapath_only -from [get_cells {write_gray_reg[*]}] -to [get_cells {write_gray_m_1_reg[*]}] $period
set_bus_skew -from [get_cells {write_gray_reg[*]}] -to [get_cells {write_gray_m_1_reg[*]}] $period
set_max_delay -datapath_only -from [get_cells {read_gray_reg[*]}] -to [get_cells {read_gray_s_1_reg[*]}] $period
set_bus_skew -from [get_cells {read_gray_reg[*]}] -to [get_cells {read_gray_s_1_reg[*]}] $period

# A word lies in the memory for two periods before it is read. A block memory has no such path.
set_max_delay -quiet -datapath_only -from [get_cells -quiet {memory_reg*}] -to [get_cells -quiet {m_data_reg[*]}] $period
