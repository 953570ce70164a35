# Clock-domain crossings of axis_async_fifo, for Quartus: an SDC_FILE behind those with the clocks. Only paths between the
# two clocks of an instance are relaxed, and a limit of net delay and skew takes the place of setup and hold.
# Do not put its clocks into asynchronous groups: they would win over set_max_delay.
foreach fifo [get_entity_instances axis_async_fifo] {
    # Gray pointers: the bits arrive within one period of either clock.
    foreach {from to} {write_gray write_gray_m_1 read_gray read_gray_s_1} {
        set sources [get_registers $fifo|$from\[*\]]
        set targets [get_registers $fifo|$to\[*\]]
        set_max_delay -from $sources -to $targets 100.0
        set_min_delay -from $sources -to $targets -100.0
        set_net_delay -from $sources -to $targets -max -get_value_from_clock_period min_clock_period -value_multiplier 0.8
        set_max_skew -from $sources -to $targets -get_skew_value_from_clock_period min_clock_period -skew_value_multiplier 0.8
    }
    # A word lies in the memory for two periods before it is read. A block memory has no such path.
    set sources [get_registers -nowarn $fifo|*memory*]
    set targets [get_registers -nowarn $fifo|m_data\[*\]]
    if {[get_collection_size $sources] > 0 && [get_collection_size $targets] > 0} {
        set_max_delay -from $sources -to $targets 100.0
        set_min_delay -from $sources -to $targets -100.0
        set_net_delay -from $sources -to $targets -max -get_value_from_clock_period min_clock_period -value_multiplier 0.8
    }
}
